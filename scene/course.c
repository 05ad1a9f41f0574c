/* course.c - the event-driven course of a scene. */
#include "scene/course.h"

#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

/* Of `until`: impacts that follow each other faster than this, and ever faster, pile up. */
static const double ZENO = 1e-6;
/* That many in a row: balls of a chain may meet quickly, too, but not ever faster; and that many
 * whether faster or not, which rounding may keep from shrinking. */
enum { ZENO_IMPACTS = 5, ZENO_CROWD = 1000 };
/* Of the fastest approach so far: a slower separation is none. */
static const double SEPARATES = 1e-8;

const char *scene_course_end_text(scene_course_end end) {
    static const char *const text[] = {"end", "rests", "zeno", "unsolved", "stopped"};
    return text[end];
}

typedef struct course {
    const scene *s;
    const imp_model *model;
    const imp_settings *settings;
    const scene_observer *observer;
    double *q, *v;      /* state after the last impact, at `time` */
    double time, since; /* s: reached, and between the last two impacts */
    double fastest;     /* m/s, approach so far */
    double shrinks;     /* share of it that the time before the next impact was */
    int faster, crowd;  /* impacts in a row, each sooner than the one before; or soon at all */
} course;

/* The free motion of the last part of a course, row by row. */
static void tell_motion(const course *c, const compliant_result *run) {
    const compliant_layout at = run->layout;
    for (int k = 0; c->observer->moves && k < run->history.rows; k++) {
        const double *row = compliant_history_row(&run->history, k);
        imp_tree_place(c->s->tree, row, row + at.v);
        c->observer->moves(c->observer->context, c->time + row[at.time]);
    }
}

/* v (nv) <- the velocity that gravity alone makes of the placed tree's in a time. */
static imp_status fall(const course *c, double time, double *v) {
    imp_tree *tree = c->s->tree;
    const int nv = imp_tree_nv(tree);
    double *rate = malloc(((size_t)nv + 1) * sizeof *rate);
    imp_status status = rate ? scene_factor(c->s) : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        imp_tree_inverse_dynamics(tree, c->s->system.gravity, NULL, rate);
        imp_tree_solve(tree, rate);
        for (int i = 0; i < nv; i++)
            rate[i] = -rate[i];
        if (c->s->loops) status = imp_loops_rate(c->s->loops, rate);
    }
    for (int i = 0; i < nv && status == IMP_OK; i++)
        v[i] += time * rate[i];
    free(rate);
    return status;
}

/* Does a contact that the impact has left without separation close again at once, pressed by
 * gravity or by how the bodies turn? Looked at a moment later, in which gravity changes velocities
 * by a thousandth of the fastest approach, and by more than such a separation. */
static imp_status look_for_rest(course *c, const scene_moment *m, bool *rests) {
    const double g = norm3(c->s->system.gravity);
    double approach = 0;
    *rests = false;
    for (int i = 0; i < m->nc; i++)
        approach = fmax(approach, -m->u[3 * i]);
    c->fastest = fmax(c->fastest, approach);
    if (!(g > 0)) return IMP_OK; /* what nothing presses goes on at its speed */
    const double later = fmax(1e-3 * approach, 10 * SEPARATES * c->fastest) / g;
    const size_t nq = (size_t)imp_tree_nq(c->s->tree), nv = (size_t)imp_tree_nv(c->s->tree);
    double *q = malloc((nq + nv + (size_t)m->nc + 1) * sizeof *q), *v = q + nq, *rate = v + nv;
    if (!q) return IMP_NO_MEMORY;
    memcpy(q, c->q, nq * sizeof *q);
    memcpy(v, c->v, nv * sizeof *v);
    imp_tree_place(c->s->tree, q, v);
    for (int i = 0; i < m->nc; i++)
        rate[i] = compliant_look(&c->s->system, m->pair[i]).rate;
    imp_status status = fall(c, later, v);
    if (status == IMP_OK) {
        imp_tree_advance(c->s->tree, later, v, q);
        imp_tree_place(c->s->tree, q, v);
        for (int i = 0; i < m->nc; i++)
            *rests = *rests || (fabs(rate[i]) <= SEPARATES * c->fastest &&
                                compliant_look(&c->s->system, m->pair[i]).rate > 1e-6 * approach);
    }
    free(q);
    return status;
}

/* Do impacts pile up? The time between them has to shrink from one to the next. */
static bool piles_up(course *c, double since) {
    c->shrinks = since / c->since;
    c->faster = c->shrinks < 0.999 ? c->faster + 1 : 0;
    c->since = since;
    c->crowd = since < ZENO * c->s->run.until ? c->crowd + 1 : 0;
    return c->crowd > 0 && (c->faster >= ZENO_IMPACTS || c->crowd >= ZENO_CROWD);
}

/* The impact at a touch: v <- that after it. */
static imp_status strike(course *c, const scene_moment *m, scene_course_end *end, bool *over) {
    scene_outcome outcome;
    imp_problem problem = m->problem;
    scene_struck what = {.time = c->time, .moment = m, .outcome = &outcome};
    if (!(c->model->takes & IMP_TAKES_RESTITUTION)) problem.e = NULL;
    imp_status status = scene_outcome_init(&outcome, m);
    if (status != IMP_OK) return status;
    imp_tree_place(c->s->tree, m->q, m->v);
    what.before = imp_tree_kinetic(c->s->tree);
    status = what.status = imp_solve(c->model, &problem, c->settings, outcome.p, &what.info);
    if (status >= 0) {
        status = scene_outcome_from_impulse(c->s, m, &outcome);
        memcpy(c->q, m->q, (size_t)imp_tree_nq(c->s->tree) * sizeof *c->q);
        memcpy(c->v, outcome.v, (size_t)m->nv * sizeof *c->v);
    }
    *over = what.status > 0;
    *end = SCENE_COURSE_UNSOLVED;
    if (status == IMP_OK && !*over) {
        status = look_for_rest(c, m, over);
        *end = SCENE_COURSE_RESTS;
    }
    if (status == IMP_OK && !*over && piles_up(c, m->time)) {
        *over = true;
        *end = SCENE_COURSE_ZENO;
    }
    if (status == IMP_OK) {
        imp_tree_place(c->s->tree, c->q, c->v);
        what.after = imp_tree_kinetic(c->s->tree);
        if (c->observer->strikes) c->observer->strikes(c->observer->context, &what);
    }
    scene_outcome_clear(&outcome);
    return status;
}

/* Free motion to the next touch, and the impact there. */
static imp_status go_on(course *c, scene_course_end *end, bool *over) {
    scene_moment m;
    compliant_result run;
    *over = !(c->time < c->s->run.until);
    *end = SCENE_COURSE_TIME;
    if (*over) return IMP_OK;
    imp_status status = scene_touch_from(c->s, c->q, c->v, c->s->run.until - c->time, &m, &run);
    if (status >= 0) tell_motion(c, &run);
    if (status == IMP_OK) {
        c->time += m.time;
        status = strike(c, &m, end, over);
    } else if (status > 0) {
        *over = true;
        *end = status == IMP_NO_SOLUTION ? SCENE_COURSE_TIME : SCENE_COURSE_STOPPED;
        c->time += run.time;
        imp_tree_place(c->s->tree, run.y, run.y + run.layout.v);
        status = IMP_OK;
    }
    compliant_result_clear(&run);
    scene_moment_clear(&m);
    return status;
}

imp_status scene_course(const scene *s, const imp_model *model, const imp_settings *settings,
                        const scene_observer *observer, scene_course_end *end, double *time) {
    const size_t nq = (size_t)imp_tree_nq(s->tree), nv = (size_t)imp_tree_nv(s->tree);
    course c = {.s = s,
                .model = model,
                .settings = settings,
                .observer = observer,
                .q = malloc((nq + nv + 1) * sizeof *c.q),
                .since = INFINITY};
    imp_status status = c.q ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        c.v = c.q + nq;
        memcpy(c.q, s->q, nq * sizeof *c.q);
        memcpy(c.v, s->v, nv * sizeof *c.v);
    }
    for (bool over = false; !over && status == IMP_OK;)
        status = go_on(&c, end, &over);
    *time = c.time;
    if (status == IMP_OK && *end == SCENE_COURSE_ZENO &&
        c.faster > 0) /* a geometric series from here on */
        *time += c.since * c.shrinks / (1 - c.shrinks);
    free(c.q);
    return status;
}
