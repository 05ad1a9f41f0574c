/* simulate.c - `impact simulate`: a scene in time, by the time stepper where it has a step, from
 * impact to impact where it has a run. */
#include "cli/simulation.h"
#include "base/vec3.h"
#include "scene/course.h"
#include "scene/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a scene with a step that is kept. */
enum { PARTS = 100 };

/* A scene with a step. */

static void write_world(simulation *r, double t, const imp_world *world) {
    simulation_begin(r, t);
    for (int i = 0; i < world->nl; i++)
        simulation_body(r, t, i, imp_world_state(world, i));
}

static void write_nearby(simulation *r, double t, const imp_stepper *s) {
    for (int i = 0; i < s->near.count; i++) {
        const imp_contact *c = &s->near.item[i].contact;
        double a[3], b[3], u[3];
        imp_world_point_velocity(s->world, c->a, c->point, a);
        imp_world_point_velocity(s->world, c->b, c->point, b);
        sub3(b, a, b);
        apply3(c->frame, b, u);
        simulation_contact(r, t, c, s->near.item[i].gap, s->p + 3 * (size_t)i, u);
    }
}

static double energy_of(const scene_steps *s, double *kinetic) {
    *kinetic = imp_world_kinetic(s->world);
    return *kinetic + imp_world_potential(s->world, s->settings.gravity);
}

/* A scene that is being stepped. */
typedef struct stepping {
    simulation *r;
    scene_steps *s;
    long k;        /* steps made */
    double energy; /* J */
} stepping;

static imp_status save_steps(void *context, FILE *file) {
    const stepping *g = context;
    fwrite(&g->k, sizeof g->k, 1, file);
    return imp_stepper_save(g->s->stepper, file);
}

/* From the beginning, or from where the kept parts end. */
static imp_status begin_steps(stepping *g) {
    imp_status status;
    double kinetic;
    FILE *state = simulation_resume(g->r, &status);
    if (state) {
        status = fread(&g->k, sizeof g->k, 1, state) == 1 ? imp_stepper_load(g->s->stepper, state)
                                                          : IMP_IO;
        fclose(state);
        g->energy = energy_of(g->s, &kinetic);
        return status;
    }
    g->energy = energy_of(g->s, &kinetic);
    simulation_write(g->r,
                     &(simulation_row){.event = "start", .kinetic = kinetic, .energy = g->energy});
    write_world(g->r, 0, g->s->world);
    return status;
}

/* Its status; the rows where they are asked for. */
static imp_status make_step(stepping *g, long steps) {
    simulation *r = g->r;
    const scene_steps *s = g->s;
    const double t = (double)++g->k * s->settings.h, before = g->energy;
    const imp_status status = imp_step(s->stepper, &s->settings);
    double kinetic;
    if (status < 0) {
        complain_of("at %.9g s: %s", t, imp_status_text(status));
        return status;
    }
    r->rubbed += s->stepper->rubbed;
    g->energy = energy_of(s, &kinetic);
    simulation_show(r, t);
    if (g->k % r->every != 0 && g->k != steps) return status;
    simulation_write(r, &(simulation_row){.time = t,
                                          .event = "step",
                                          .contacts = s->stepper->near.count,
                                          .status = status,
                                          .iterations = s->stepper->info.iterations,
                                          .residual = s->stepper->info.residual,
                                          .lost = before - g->energy,
                                          .kinetic = kinetic,
                                          .energy = g->energy,
                                          .drift = s->stepper->drift});
    write_world(r, t, s->world);
    write_nearby(r, t, s->stepper);
    return status;
}

/* EXIT_SOLVED, EXIT_UNSOLVED where a step was made with less than an answer. */
static int run_steps(simulation *r, scene_steps *s) {
    const long steps = lround(s->until / s->settings.h), each = steps / PARTS + 1;
    stepping g = {.r = r, .s = s};
    bool part = false, all = false;
    if (begin_steps(&g) != IMP_OK) return complain_of("what is kept cannot be read"), EXIT_BAD;
    while (g.k < steps && !ferror(r->table)) {
        const imp_status status = make_step(&g, steps);
        if (status < 0) return EXIT_BAD;
        part = part || status > 0;
        all = all || status > 0;
        if (!simulation_keeps(r) || (g.k % each != 0 && g.k != steps)) continue;
        if (!simulation_keep(r, part, save_steps, &g)) return EXIT_BAD;
        part = false;
    }
    return all ? EXIT_UNSOLVED : EXIT_SOLVED;
}

/* A scene with a run. */

typedef struct running {
    simulation *r;
    const scene *scene;
} running;

static void write_tree(const running *c, double t) {
    imp_tree *tree = c->scene->tree;
    simulation_begin(c->r, t);
    for (int i = 0; i < imp_tree_links(tree); i++)
        simulation_body(c->r, t, i, imp_tree_state(tree, i));
}

/* With the energy of the placed tree. */
static void write_event(const running *c, simulation_row row) {
    const imp_tree *tree = c->scene->tree;
    row.kinetic = imp_tree_kinetic(tree);
    row.energy = row.kinetic + imp_tree_potential(tree, c->scene->system.gravity);
    imp_loops_errors missed = {0};
    if (c->scene->loops) imp_loops_judge(c->scene->loops, &missed);
    row.drift = missed.position;
    simulation_write(c->r, &row);
}

static void moves(void *context, double t) {
    const running *c = context;
    simulation_show(c->r, t);
    if (c->r->steps % c->r->every == 0) write_tree(c, t);
}

/* A contact of the placed tree. */
static void write_touch(const running *w, double t, const imp_contact *c, double gap,
                        const double *p) {
    const imp_tree *tree = w->scene->tree;
    double a[3], b[3], u[3];
    imp_tree_point_velocity(tree, c->a, c->point, a);
    imp_tree_point_velocity(tree, c->b, c->point, b);
    sub3(b, a, b);
    apply3(c->frame, b, u);
    simulation_contact(w->r, t, c, gap, p, u);
}

static void strikes(void *context, const scene_struck *what) {
    const running *c = context;
    const scene_moment *m = what->moment;
    write_event(c, (simulation_row){.time = what->time,
                                    .event = "impact",
                                    .contacts = m->nc,
                                    .status = what->status,
                                    .iterations = what->info.iterations + what->info.intervals,
                                    .residual = what->info.residual,
                                    .lost = what->before - what->after});
    write_tree(c, what->time);
    for (int i = 0; i < m->nc; i++)
        write_touch(c, what->time, &m->contact[i], 0, what->outcome->p + 3 * i);
}

/* Bodies, and the contacts that last beside them. */
static bool lasts(void *context, const scene_stride *stride) {
    const running *c = context;
    const scene_lasting *l = stride->lasting;
    simulation_show(c->r, stride->time);
    c->r->rubbed += stride->rubbed;
    if (!stride->last && c->r->steps % c->r->every != 0) return false;
    write_tree(c, stride->time);
    for (int i = 0; i < l->nc; i++)
        if (l->mode[i] != SCENE_OPEN)
            write_touch(c, stride->time, &l->contact[i],
                        0 - compliant_look(&c->scene->system, l->pair[i]).depth, stride->p + 3 * i);
    return true;
}

static void turns(void *context, double t, scene_turn turn, int lasting) {
    write_event(context,
                (simulation_row){.time = t, .event = scene_turn_text(turn), .contacts = lasting});
}

static imp_status save_course(void *context, FILE *file) {
    return scene_course_save(context, file);
}

/* From the beginning, or from where the kept parts end. */
static imp_status begin_course(const running *c, scene_course_run *course) {
    imp_status status;
    FILE *state = simulation_resume(c->r, &status);
    if (state) {
        status = scene_course_load(course, state);
        fclose(state);
    } else if (status == IMP_OK) {
        imp_tree_place(c->scene->tree, c->scene->q, c->scene->v);
        write_event(c, (simulation_row){.event = "start"});
    }
    return status;
}

/* Its end; false after a complaint. A course that is over where it was kept has all its rows. */
static bool follow(const running *c, scene_course_run *course, scene_course_end *end) {
    double time;
    imp_status status = begin_course(c, course);
    const bool over = scene_course_over(course);
    bool on = status == IMP_OK;
    for (long round = 0; on; round++) {
        on = scene_course_go_on(course, &status);
        /* the more parts, the larger */
        if (on && simulation_keeps(c->r) && round % (1 + c->r->parts / 1000) == 0 &&
            !simulation_keep(c->r, false, save_course, course))
            return false;
    }
    *end = scene_course_ended(course, &time);
    if (status != IMP_OK) {
        const char *why = scene_course_refused(course);
        complain_of("%s: at %.9g s: %s%s%s", c->scene->title, time,
                    status == IMP_UNSUPPORTED ? "the model does not take the impact"
                                              : imp_status_text(status),
                    why ? ": " : "", why ? why : "");
        return false;
    }
    if (over) return true;
    write_event(c, (simulation_row){.time = time, .event = scene_course_end_text(*end)});
    write_tree(c, time);
    const bool solved = *end == SCENE_COURSE_TIME || *end == SCENE_COURSE_ZENO;
    return !simulation_keeps(c->r) || simulation_keep(c->r, !solved, save_course, course);
}

/* EXIT_UNSOLVED where it ended before its time without an answer. */
static int run_course(simulation *r, const scene *s, const imp_model *model,
                      const imp_settings *settings) {
    running c = {r, s};
    const scene_observer observer = {moves, strikes, lasts, turns, &c};
    scene_course_run *course = scene_course_open(s, model, settings, &observer);
    scene_course_end end;
    if (!course) return complain_of("no memory"), EXIT_BAD;
    const bool good = follow(&c, course, &end);
    scene_course_close(course);
    if (!good) return EXIT_BAD;
    return end == SCENE_COURSE_TIME || end == SCENE_COURSE_ZENO ? EXIT_SOLVED : EXIT_UNSOLVED;
}

/* The command. */

/* Is it a setting of the model, without points? */
static bool is_setting(const imp_model *model, const char *assignment) {
    const size_t length = strcspn(assignment, "=.");
    for (const imp_key *key = model->keys; assignment[length] == '=' && key && key->name; key++)
        if (strlen(key->name) == length && strncmp(key->name, assignment, length) == 0) return true;
    return false;
}

static bool has_step(const scene_file *file) {
    return json_object_get(file->root, "step") != NULL;
}

/* What is to be assigned to the scene, and not to the model of its step. */
static imp_status assign_scene(const options *o, scene_file *file, const imp_model *model,
                               imp_error *error) {
    const imp_model *const models[] = {has_step(file) ? NULL : model, NULL};
    imp_status status = IMP_OK;
    for (char **a = o->assign; *a && status == IMP_OK; a++)
        if (!has_step(file) || !is_setting(model, *a))
            status = scene_assign(file, models, *a, error);
    return status;
}

/* The model of the command line, or of the scene's step. NULL after a complaint. */
static const imp_model *model_of(const options *o, const scene_file *file, int variant) {
    imp_error error;
    scene_steps s;
    if (o->models[0] && o->models[1]) {
        complain_of("simulate: %s and %s, expected one model", o->models[0]->name,
                    o->models[1]->name);
        return NULL;
    }
    if (o->models[0]) return o->models[0];
    if (!has_step(file)) {
        complain_of("%s: simulate: no model, expected --model NAME (impact models lists them)",
                    file->name);
        return NULL;
    }
    if (scene_steps_build(file, variant, &s, &error) != IMP_OK) {
        complain(&error);
        return NULL;
    }
    const imp_model *model = s.settings.model;
    scene_steps_clear(&s);
    return model;
}

static int simulate_steps(const options *o, const scene_file *file, int variant,
                          const imp_model *model) {
    simulation r = simulation_of(o);
    imp_error error;
    scene_steps s;
    imp_status status = scene_steps_build(file, variant, &s, &error);
    if (status == IMP_OK && s.settings.model != model) {
        s.settings.model = model;
        imp_model_presets(model, &s.own);
    }
    for (char **a = o->assign; *a && status == IMP_OK; a++)
        if (is_setting(model, *a)) status = imp_settings_assign(model, &s.own, *a, &error);
    if (status == IMP_OK && !(model->takes & IMP_TAKES_MANY))
        status =
            imp_error_set(&error, IMP_UNSUPPORTED,
                          "simulate: %s takes one contact, expected a model of many", model->name);
    if (status != IMP_OK) {
        scene_steps_clear(&s);
        return complain(&error);
    }
    r.names = s.names;
    r.named = s.named;
    r.until = s.until;
    const int outcome =
        simulation_close(&r, simulation_open(o, file, variant, &r) ? run_steps(&r, &s) : EXIT_BAD);
    scene_steps_clear(&s);
    return outcome;
}

static int simulate_course(const options *o, const scene_file *file, int variant,
                           const imp_model *model) {
    simulation r = simulation_of(o);
    imp_error error;
    imp_settings settings;
    scene s;
    if (scene_build_rubbing(file, variant, &s, &error) != IMP_OK) return complain(&error);
    scene_model_settings(&s, model, &settings);
    r.names = s.names;
    r.named = s.bodies;
    r.until = s.run.until;
    const int outcome = simulation_close(&r, simulation_open(o, file, variant, &r)
                                                 ? run_course(&r, &s, model, &settings)
                                                 : EXIT_BAD);
    scene_clear(&s);
    return outcome;
}

/* Is what is kept apart from what is written? false after a complaint. */
static bool keeps_apart(const options *o) {
    const char *const written[] = {o->output, o->bodies, o->contacts};
    for (size_t k = 0; o->keep && k < sizeof written / sizeof *written; k++)
        if (written[k] && output_same(o->keep, written[k])) {
            complain_of("--keep is \"%.200s\", expected another file than those written", o->keep);
            return false;
        }
    return true;
}

static int run_file(const options *o, scene_file *file) {
    imp_error error;
    int variant, last;
    if (!keeps_apart(o)) return EXIT_BAD;
    if (!asked_variants(o, file, &variant, &last)) return EXIT_BAD;
    const imp_model *model = model_of(o, file, variant);
    if (!model) return EXIT_BAD;
    if (assign_scene(o, file, model, &error) != IMP_OK) return complain(&error);
    return has_step(file) ? simulate_steps(o, file, variant, model)
                          : simulate_course(o, file, variant, model);
}

static int run(const command *self, int argc, char **argv) {
    return run_scene(self, argc, argv, run_file);
}

static const char *const option_names[] = {"model",    "set", "variant", "every",  "bodies",
                                           "contacts", "vtk", "keep",    "output", NULL};

const command command_simulate = {
    .name = "simulate",
    .arguments = "[OPTION]... SCENE",
    .summary = "run a scene in time, by steps or from impact to impact",
    .options = option_names,
    .text = "A scene with a step goes by the time stepper: a row per step. Any other goes from "
            "impact to impact by\n"
            "--model, in free motion between them, or sliding, rolling and resting: a row per "
            "impact and per change\n"
            "of contacts that last (rests, slides, sticks, leaves, zeno), and a last one that says "
            "how it ended: end\n"
            "(of its time), zeno (impacts pile up, and nothing lasts), no-force (Painleve), "
            "undetermined, unsolved,\n"
            "stopped. `lost` is what the step or the impact took of the energy, `rubbed` what "
            "friction took since,\n"
            "`drift` what joints that close loops miss (m, or a sine): after a step, before they "
            "were closed again.\n"
            "KEY is a setting of the model or a key of the scene (--set step.h=0.001 --set "
            "run.until=2).\n",
    .files = 1,
    .models = true,
    .tables = true,
    .run = run,
};
