/* simulate_course.c - `impact simulate` of a scene with a run. */
#include "cli/simulate.h"

#include <math.h>

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
    if (t > 0 && c->r->steps % c->r->every == 0) write_tree(c, t); /* 0: told with the start */
}

/* A contact of the placed tree. */
static void write_touch(const running *w, double t, const imp_contact *c, double gap,
                        const double *p) {
    double u[3];
    scene_contact_velocity(w->scene->tree, c, u);
    simulation_contact(w->r, t, c, gap, p, u);
}

static void strikes(void *context, const scene_struck *what) {
    const running *c = context;
    const scene_moment *m = what->moment;
    c->r->lost = what->before - what->after;
    write_event(c, (simulation_row){.time = what->time,
                                    .event = "impact",
                                    .contacts = m->nc,
                                    .status = what->status,
                                    .iterations = what->info.iterations + what->info.intervals,
                                    .residual = what->info.residual});
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

static bool is_solved(scene_course_end end) {
    return end == SCENE_COURSE_TIME || end == SCENE_COURSE_ZENO;
}

/* An end that is told is never kept. */
static imp_status load_course(void *context, FILE *file) {
    double time;
    const imp_status status = scene_course_load(context, file);
    if (status != IMP_OK || !scene_course_over(context)) return status;
    return is_solved(scene_course_ended(context, &time)) ? IMP_OK : IMP_IO;
}

/* From the beginning, or from where the kept parts end; false after a complaint. */
static bool begin_course(const running *c, scene_course_run *course) {
    imp_error error;
    bool resumed;
    if (simulation_resume(c->r, load_course, course, &resumed, &error) != IMP_OK)
        return complain(&error), false;
    if (resumed) return true;
    imp_tree_place(c->scene->tree, c->scene->q, c->scene->v);
    write_event(c, (simulation_row){.event = "start"});
    write_tree(c, 0);
    return true;
}

static void complain_at(const running *c, double t, const char *what, const char *why) {
    const char *title = c->scene->title;
    complain_of("%s: %.200s%sat %.9g s: %s%s", c->r->name, title, *title ? ": " : "", t, what, why);
}

/* An impact that has no answer ends it: a line that says why, and its last row. false: so does want
 * of memory, without a row. */
static bool tell_failed(const running *c, const scene_course_run *course, double t,
                        imp_status status) {
    const char *why = scene_course_why(course);
    complain_at(c, t,
                why && status == IMP_UNSUPPORTED ? "the model does not take the impact: " : "",
                why ? why : imp_status_text(status));
    if (status == IMP_NO_MEMORY) return false;
    c->r->lost = NAN;
    write_event(c, (simulation_row){.time = t,
                                    .event = scene_course_end_text(SCENE_COURSE_UNSOLVED),
                                    .status = status,
                                    .iterations = NAN,
                                    .residual = NAN});
    write_tree(c, t);
    return true;
}

/* Its end; false after a complaint. A course that is over where it was kept has all its rows. */
static bool follow(const running *c, scene_course_run *course, scene_course_end *end) {
    double time;
    imp_status status = IMP_OK;
    if (!begin_course(c, course)) return false;
    const bool over = scene_course_over(course);
    bool on = true;
    for (long round = 0; on; round++) {
        on = scene_course_go_on(course, &status);
        /* the more parts, the larger */
        if (on && simulation_keeps(c->r) && round % (1 + c->r->parts / 1000) == 0 &&
            !simulation_keep(c->r, false, save_course, course))
            return false;
    }
    *end = scene_course_ended(course, &time);
    if (status != IMP_OK) {
        *end = SCENE_COURSE_UNSOLVED;
        return tell_failed(c, course, time, status);
    }
    if (over) return true;
    const bool solved = is_solved(*end);
    if (!solved)
        complain_at(c, time, *end == SCENE_COURSE_STOPPED ? "the integration stopped: " : "",
                    scene_course_why(course));
    write_event(c, (simulation_row){.time = time,
                                    .event = scene_course_end_text(*end),
                                    .contacts = scene_course_lasting(course)});
    write_tree(c, time);
    /* an end that is told is not kept: one that goes on comes to it, and tells it, too */
    return !solved || !simulation_keeps(c->r) || simulation_keep(c->r, false, save_course, course);
}

int simulate_course(simulation *r, const scene *s, const imp_model *model,
                    const imp_settings *settings) {
    running c = {r, s};
    const scene_observer observer = {moves, strikes, lasts, turns, &c};
    scene_course_run *course = scene_course_open(s, model, settings, &observer);
    scene_course_end end;
    if (!course) return complain_of("no memory"), EXIT_BAD;
    const bool good = follow(&c, course, &end);
    scene_course_close(course);
    if (!good) return EXIT_BAD;
    return is_solved(end) ? EXIT_SOLVED : EXIT_UNSOLVED;
}
