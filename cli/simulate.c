/* simulate.c - `impact simulate`: a scene in time, by the time stepper where it has a step, from
 * impact to impact where it has a run. */
#include "cli/cli.h"
#include "base/clock.h"
#include "base/vec3.h"
#include "scene/course.h"
#include "scene/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const imp_column columns[] = {IMP_NUMBERS("time", "s", 15),
                                     IMP_WORDS("event"),
                                     IMP_COUNTS("contacts"),
                                     IMP_WORDS("status"),
                                     IMP_COUNTS("iterations"),
                                     IMP_NUMBERS("residual", NULL, 3),
                                     IMP_NUMBERS("lost", "J", 9),
                                     IMP_NUMBERS("kinetic", "J", 12),
                                     IMP_NUMBERS("energy", "J", 12),
                                     IMP_NUMBERS("drift", NULL, 3),
                                     IMP_COLUMNS_END};

static const imp_column body_columns[] = {IMP_NUMBERS("time", "s", 15),
                                          IMP_WORDS("body"),
                                          IMP_COUNTS("x"),
                                          IMP_COUNTS("y"),
                                          IMP_COUNTS("z"),
                                          IMP_COUNTS("qw"),
                                          IMP_COUNTS("qx"),
                                          IMP_COUNTS("qy"),
                                          IMP_COUNTS("qz"),
                                          IMP_COUNTS("vx"),
                                          IMP_COUNTS("vy"),
                                          IMP_COUNTS("vz"),
                                          IMP_COUNTS("wx"),
                                          IMP_COUNTS("wy"),
                                          IMP_COUNTS("wz"),
                                          IMP_COLUMNS_END};

static const imp_column contact_columns[] = {
    IMP_NUMBERS("time", "s", 15), IMP_WORDS("a"),       IMP_WORDS("b"), IMP_COUNTS("gap"),
    IMP_AXES("p", "N s"),         IMP_AXES("u", "m/s"), IMP_COLUMNS_END};

/* A run: where its rows go (NULL: not asked for), and what a terminal is told. */
typedef struct simulation {
    FILE *table, *bodies, *contacts;
    char *const *names; /* of the first `named` bodies */
    int named;
    double until, began, shown_at; /* s */
    bool terminal, shown;
    long every, steps;
    const scene *scene; /* of a course */
} simulation;

static void show_progress(simulation *r, double t) {
    const double now = imp_seconds(CLOCK_MONOTONIC);
    r->steps++;
    if (!r->terminal || now - r->shown_at < 1) return;
    const double spent = now - r->began;
    r->shown_at = now;
    r->shown = true;
    char text[32];
    fprintf(stderr, "\r\033[K%.6g of %g s, %ld steps, %.3g steps/s, %s left", t, r->until, r->steps,
            (double)r->steps / spent, time_text(t > 0 ? spent * (r->until - t) / t : 0, text));
}

/* A body of a lattice goes by its number. */
static const char *name_of(const simulation *r, int link, char room[24]) {
    if (link == IMP_GROUND) return "ground";
    if (link < r->named) return r->names[link];
    snprintf(room, 24, "%d", link);
    return room;
}

static void write_body(simulation *r, double t, int link, const imp_link_state *s) {
    double q[4];
    char room[24];
    quaternion3(s->rotation, q);
    imp_write_row(body_columns, r->bodies, IMP_NUMBER(t), IMP_TEXT(name_of(r, link, room)),
                  IMP_VECTOR(s->origin), IMP_NUMBER(q[0]), IMP_VECTOR(q + 1),
                  IMP_VECTOR(s->velocity), IMP_VECTOR(s->spin));
}

static void write_contact(simulation *r, double t, const imp_contact *c, double gap,
                          const double p[3], const double u[3]) {
    char a[24], b[24];
    imp_write_row(contact_columns, r->contacts, IMP_NUMBER(t), IMP_TEXT(name_of(r, c->a, a)),
                  IMP_TEXT(name_of(r, c->b, b)), IMP_NUMBER(gap), IMP_VECTOR(p), IMP_VECTOR(u));
}

/* A scene with a step. */

static void write_world(simulation *r, double t, const imp_world *world) {
    for (int i = 0; r->bodies && i < world->nl; i++)
        write_body(r, t, i, imp_world_state(world, i));
}

static void write_nearby(simulation *r, double t, const imp_stepper *s) {
    for (int i = 0; r->contacts && i < s->near.count; i++) {
        const imp_contact *c = &s->near.item[i].contact;
        double a[3], b[3], u[3];
        imp_world_point_velocity(s->world, c->a, c->point, a);
        imp_world_point_velocity(s->world, c->b, c->point, b);
        sub3(b, a, b);
        apply3(c->frame, b, u);
        write_contact(r, t, c, s->near.item[i].gap, s->p + 3 * (size_t)i, u);
    }
}

static double energy_of(const scene_steps *s, double *kinetic) {
    *kinetic = imp_world_kinetic(s->world);
    return *kinetic + imp_world_potential(s->world, s->settings.gravity);
}

/* EXIT_SOLVED, EXIT_UNSOLVED where a step was made with less than an answer. */
static int run_steps(simulation *r, scene_steps *s) {
    double kinetic, energy = energy_of(s, &kinetic);
    const long steps = lround(s->until / s->settings.h);
    int outcome = EXIT_SOLVED;
    imp_write_row(columns, r->table, IMP_NUMBER(0), IMP_TEXT("start"), IMP_NUMBER(0),
                  IMP_TEXT("ok"), IMP_NUMBER(0), IMP_NUMBER(0), IMP_NUMBER(0), IMP_NUMBER(kinetic),
                  IMP_NUMBER(energy), IMP_NUMBER(0));
    write_world(r, 0, s->world);
    for (long k = 1; k <= steps && !ferror(r->table); k++) {
        const double t = (double)k * s->settings.h, before = energy;
        const imp_status status = imp_step(s->stepper, &s->settings);
        if (status < 0) {
            complain_of("at %.9g s: %s", t, imp_status_text(status));
            return EXIT_BAD;
        }
        if (status > 0) outcome = EXIT_UNSOLVED;
        energy = energy_of(s, &kinetic);
        show_progress(r, t);
        if (k % r->every != 0 && k != steps) continue;
        imp_write_row(columns, r->table, IMP_NUMBER(t), IMP_TEXT("step"),
                      IMP_NUMBER(s->stepper->near.count), IMP_TEXT(imp_status_text(status)),
                      IMP_NUMBER(s->stepper->info.iterations),
                      IMP_NUMBER(s->stepper->info.residual), IMP_NUMBER(before - energy),
                      IMP_NUMBER(kinetic), IMP_NUMBER(energy), IMP_NUMBER(s->stepper->drift));
        write_world(r, t, s->world);
        write_nearby(r, t, s->stepper);
    }
    return outcome;
}

/* A scene with a run. */

static void write_tree(simulation *r, double t) {
    imp_tree *tree = r->scene->tree;
    for (int i = 0; r->bodies && i < imp_tree_links(tree); i++)
        write_body(r, t, i, imp_tree_state(tree, i));
}

static void write_event(simulation *r, double t, const char *event, int contacts, imp_status status,
                        const imp_info *info, double lost) {
    const imp_tree *tree = r->scene->tree;
    const double kinetic = imp_tree_kinetic(tree);
    imp_loops_errors missed = {0};
    if (r->scene->loops) imp_loops_judge(r->scene->loops, &missed);
    imp_write_row(columns, r->table, IMP_NUMBER(t), IMP_TEXT(event), IMP_NUMBER(contacts),
                  IMP_TEXT(imp_status_text(status)), IMP_NUMBER(info->iterations + info->intervals),
                  IMP_NUMBER(info->residual), IMP_NUMBER(lost), IMP_NUMBER(kinetic),
                  IMP_NUMBER(kinetic + imp_tree_potential(tree, r->scene->system.gravity)),
                  IMP_NUMBER(missed.position));
}

static void moves(void *context, double t) {
    simulation *r = context;
    show_progress(r, t);
    if (r->steps % r->every == 0) write_tree(r, t);
}

static void strikes(void *context, const scene_struck *what) {
    simulation *r = context;
    const scene_moment *m = what->moment;
    write_event(r, what->time, "impact", m->nc, what->status, &what->info,
                what->before - what->after);
    write_tree(r, what->time);
    for (int i = 0; r->contacts && i < m->nc; i++) {
        const imp_contact *c = &m->contact[i];
        double a[3], b[3], u[3];
        imp_tree_point_velocity(r->scene->tree, c->a, c->point, a);
        imp_tree_point_velocity(r->scene->tree, c->b, c->point, b);
        sub3(b, a, b);
        apply3(c->frame, b, u);
        write_contact(r, what->time, c, 0, what->outcome->p + 3 * i, u);
    }
}

/* EXIT_UNSOLVED where it ended before its time without an answer. */
static int run_course(simulation *r, const scene *s, const imp_model *model,
                      const imp_settings *settings) {
    const scene_observer observer = {moves, strikes, r};
    const imp_info none = {0};
    scene_course_end end;
    double time;
    imp_tree_place(s->tree, s->q, s->v);
    write_event(r, 0, "start", 0, IMP_OK, &none, 0);
    const imp_status status = scene_course(s, model, settings, &observer, &end, &time);
    if (status != IMP_OK) {
        complain_of("%s: at %.9g s: %s", s->title, time,
                    status == IMP_UNSUPPORTED ? "the model does not take the impact"
                                              : imp_status_text(status));
        return EXIT_BAD;
    }
    write_event(r, time, scene_course_end_text(end), 0, IMP_OK, &none, 0);
    write_tree(r, time);
    return end == SCENE_COURSE_UNSOLVED || end == SCENE_COURSE_STOPPED ? EXIT_UNSOLVED
                                                                       : EXIT_SOLVED;
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

static bool open_sheets(const options *o, simulation *r) {
    r->table = output_open(o->output);
    if (!r->table || !output_beside(o->bodies, &r->bodies) ||
        !output_beside(o->contacts, &r->contacts))
        return false;
    imp_write_header(columns, r->table);
    if (r->bodies) imp_write_header(body_columns, r->bodies);
    if (r->contacts) imp_write_header(contact_columns, r->contacts);
    return true;
}

static int close_sheets(simulation *r, int outcome) {
    if (r->shown) fputs("\r\033[K", stderr);
    return outcome == EXIT_BAD ? output_abandon() : output_commit(outcome);
}

static simulation simulation_of(const options *o) {
    return (simulation){.began = imp_seconds(CLOCK_MONOTONIC),
                        .terminal = isatty(STDERR_FILENO),
                        .every = o->every > 0 ? (long)o->every : 1};
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
    const int outcome = open_sheets(o, &r) ? close_sheets(&r, run_steps(&r, &s)) : output_abandon();
    scene_steps_clear(&s);
    return outcome;
}

static int simulate_course(const options *o, const scene_file *file, int variant,
                           const imp_model *model) {
    simulation r = simulation_of(o);
    imp_error error;
    imp_settings settings;
    scene s;
    if (scene_build(file, variant, &s, &error) != IMP_OK) return complain(&error);
    scene_model_settings(&s, model, &settings);
    r.scene = &s;
    r.names = s.names;
    r.named = s.bodies;
    r.until = s.run.until;
    const int outcome = open_sheets(o, &r) ? close_sheets(&r, run_course(&r, &s, model, &settings))
                                           : output_abandon();
    scene_clear(&s);
    return outcome;
}

static int run_file(const options *o, scene_file *file) {
    imp_error error;
    int variant, last;
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

static const char *const option_names[] = {"model",  "set",      "variant", "every",
                                           "bodies", "contacts", "output",  NULL};

const command command_simulate = {
    .name = "simulate",
    .arguments = "[OPTION]... SCENE",
    .summary = "run a scene in time, by steps or from impact to impact",
    .options = option_names,
    .text = "A scene with a step goes by the time stepper: a row per step. Any other goes from "
            "impact to impact by\n"
            "--model, in free motion between them, integrated to the accuracy of its run: a row "
            "per impact, and a last\n"
            "one that says how it ended: end (of its time), rests (a contact stays), zeno "
            "(impacts pile up before an\n"
            "instant), unsolved, stopped. `lost` is what the step or the impact took of the "
            "energy, `drift` what\n"
            "joints that close loops miss (m, or a sine): after a step, before they were closed "
            "again.\n"
            "KEY is a setting of the model or a key of the scene (--set step.h=0.001 --set "
            "run.until=2).\n",
    .files = 1,
    .models = true,
    .tables = true,
    .run = run,
};
