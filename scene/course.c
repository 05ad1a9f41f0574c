/* course.c - the event-driven course of a scene. */
#include "scene/course_run.h"

#include "base/vec3.h"
#include "scene/speeds.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Impacts pile up that follow each other ever faster, with less way between them than HOP of the
 * smaller ball, or than HOPS times what rounding may leave of a gap. */
static const double FASTER = 0.999, HOP = 1e-10, HOPS = 1e3;
/* That many in a row: balls of a chain may meet quickly, too, but not ever faster; and that many
 * whether faster or not, which rounding may keep from shrinking. Changes of contacts at one
 * instant, one after the other, that lead nowhere. */
enum { ZENO_IMPACTS = 5, ZENO_CROWD = 1000, ROUNDS = 1000 };

const char *scene_course_end_text(scene_course_end end) {
    static const char *const text[] = {"end",     "zeno",     "unsolved",
                                       "stopped", "no-force", "undetermined"};
    return text[end];
}

const char *scene_turn_text(scene_turn turn) {
    static const char *const text[] = {"rests", "sticks", "slides", "leaves", "zeno"};
    return text[turn];
}

typedef scene_course_run course;

static void finish(course *c, scene_course_end end, const char *why) {
    c->over = true;
    c->end = end;
    c->why = why;
}

static void turns(const course *c, scene_turn turn) {
    if (c->observer.turns)
        c->observer.turns(c->observer.context, c->time, turn, scene_lasting_count(&c->lasting));
}

/* The free motion of the last part of a course, row by row. */
static void tell_motion(const course *c, const compliant_result *run) {
    const compliant_layout at = run->layout;
    for (int k = 0; c->observer.moves && k < run->history.rows; k++) {
        const double *row = compliant_history_row(&run->history, k);
        imp_tree_place(c->s->tree, row, row + at.v);
        c->observer.moves(c->observer.context, c->time + row[at.time]);
    }
}

/* m */
static double smaller_ball(const compliant_system *system, int pair) {
    const compliant_pair *p = &system->pairs[pair];
    const double radius = system->spheres[p->b].radius;
    return p->plane < 0 ? fmin(radius, system->spheres[p->a].radius) : radius;
}

/* c->now (links) <- of those that the impact strikes, or joints couple with them, how fast, over
 * the way that counts as none: above 0; where nothing closes, all that touch. */
static void find_struck(course *c, const scene_moment *m) {
    const double rounding = compliant_rounding(&c->s->system, m->q);
    bool closes = false;
    memset(c->now, 0, (size_t)imp_tree_links(c->s->tree) * sizeof *c->now);
    for (int i = 0; i < m->nc; i++)
        closes = closes || m->u[3 * i] < 0;
    for (int i = 0; i < m->nc; i++) {
        const int side[2] = {m->contact[i].a, m->contact[i].b};
        const double least = fmax(HOP * smaller_ball(&c->s->system, m->pair[i]), HOPS * rounding),
                     fast = fmax(DBL_MIN, -m->u[3 * i] / least);
        if (closes && !(m->u[3 * i] < 0)) continue;
        for (int k = 0; k < 2; k++)
            if (side[k] != IMP_GROUND) c->now[side[k]] = fmax(c->now[side[k]], fast);
    }
    scene_couple(c->s, 0, NULL, c->now);
}

/* Do the impacts of all bodies that this one strikes pile up? The time between them has to shrink
 * from one to the next. *tends <- the instant that these geometric series tend to, s. */
static bool piles_up(course *c, const scene_moment *m, double *tends) {
    bool all = true;
    *tends = c->time;
    find_struck(c, m);
    for (int i = 0; i < imp_tree_links(c->s->tree); i++) {
        scene_series *own = &c->series[i];
        if (c->now[i] == 0) continue;
        const double since = c->time - own->struck, shrinks = since / own->since;
        own->faster = shrinks < FASTER ? own->faster + 1 : 0;
        own->crowd = c->now[i] * since < 1 ? own->crowd + 1 : 0;
        own->since = since;
        own->struck = c->time;
        all = all && own->crowd > 0 && (own->faster >= ZENO_IMPACTS || own->crowd >= ZENO_CROWD);
        if (own->faster > 0) *tends = fmax(*tends, c->time + since * shrinks / (1 - shrinks));
    }
    for (int i = 0; i < imp_tree_links(c->s->tree) && all; i++)
        if (c->now[i] != 0) c->series[i] = (scene_series){.struck = c->time, .since = INFINITY};
    return all;
}

/* Has a slip turned about, or come to a dead centre? */
static bool reverses(const double before[3], const double slip[3]) {
    return dot3(before, slip) < 0 || (norm3(before) > 0 && norm3(slip) == 0);
}

/* What became of contacts that lasted: the first of it. `before` has the pairs of c->lasting, or
 * others. */
static void tell_change(const course *c, const scene_lasting *before) {
    const scene_lasting *l = &c->lasting;
    bool sticks = false, slides = false;
    for (int i = 0; i < before->nc; i++)
        for (int k = 0; k < l->nc; k++) {
            if (before->pair[i] != l->pair[k]) continue;
            sticks = sticks || (before->mode[i] == SCENE_SLIDES && l->mode[k] == SCENE_STICKS);
            slides = slides || (l->mode[k] == SCENE_SLIDES &&
                                (before->mode[i] == SCENE_STICKS ||
                                 reverses(before->slip + 3 * i, l->slip + 3 * k)));
        }
    for (int j = 0; j < l->joints && before->joints > 0; j++) {
        sticks = sticks || (before->held[j] == SCENE_SLIDES && l->held[j] == SCENE_STICKS);
        const bool turned = before->side[j] != 0 && before->side[j] != l->side[j];
        slides =
            slides || (l->held[j] == SCENE_SLIDES && (before->held[j] == SCENE_STICKS || turned));
    }
    const int count = scene_lasting_count(l), old = scene_lasting_count(before);
    if (count < old)
        turns(c, SCENE_TURN_LEAVES);
    else if (sticks)
        turns(c, SCENE_TURN_STICKS);
    else if (slides)
        turns(c, SCENE_TURN_SLIDES);
    else if (count > old)
        turns(c, SCENE_TURN_RESTS);
}

/* Changes count as at one instant until something may have moved by more than rounding, at the
 * fastest speed so far or at that of a fall. */
static void count_round(course *c) {
    double fastest = scene_course_falls(c);
    for (int i = 0; i < imp_tree_links(c->s->tree); i++)
        fastest = fmax(fastest, c->fastest[i]);
    const bool later =
        c->time > c->turned + compliant_rounding(&c->s->system, c->q) / fmax(fastest, DBL_MIN);
    c->rounds = later ? 0 : c->rounds + 1;
    if (later) c->turned = c->time;
}

/* Forces that were sought and not found end a course. */
static void end_by(course *c, scene_verdict verdict) {
    static const scene_course_end ends[] = {
        [SCENE_NO_FORCE] = SCENE_COURSE_NO_FORCE,
        [SCENE_UNDETERMINED] = SCENE_COURSE_UNDETERMINED,
        [SCENE_UNDECIDED] = SCENE_COURSE_UNSOLVED,
    };
    static const char *const whys[] = {
        [SCENE_NO_FORCE] = "no force of the contacts that last obeys the law",
        [SCENE_UNDETERMINED] = "different forces obey the law, under which the bodies move "
                               "differently",
        [SCENE_UNDECIDED] = "no forces that obey the law are found",
    };
    if (verdict != SCENE_DECIDED) finish(c, ends[verdict], whys[verdict]);
}

/* After an impact, at the start, or after a change. */
static imp_status decide(course *c) {
    scene_lasting before = c->lasting;
    scene_verdict verdict;
    c->lasting = (scene_lasting){0};
    count_round(c);
    const imp_status status = scene_course_look_around(c, &verdict);
    if (status == IMP_OK) end_by(c, verdict);
    if (status == IMP_OK && !c->over && isnan(c->pile)) tell_change(c, &before);
    scene_lasting_clear(&before);
    if (status == IMP_OK && !c->over && c->rounds > ROUNDS)
        finish(c, SCENE_COURSE_UNSOLVED, "contacts that last change again and again without time");
    return status;
}

static imp_status answer(course *c, const scene_moment *m, bool plastic, scene_struck *what,
                         scene_outcome *outcome) {
    imp_problem problem = m->problem;
    if (plastic || !(c->model->takes & IMP_TAKES_RESTITUTION)) problem.e = NULL;
    imp_tree_place(c->s->tree, m->q, m->v);
    what->before = imp_tree_kinetic(c->s->tree);
    scene_course_speeds(c);
    imp_status status = what->status =
        imp_solve(c->model, &problem, c->settings, outcome->p, &what->info);
    if (status == IMP_UNSUPPORTED) c->why = scene_refusal(c->model, &problem);
    if (status < 0) return status;
    status = scene_outcome_from_impulse(c->s, m, outcome);
    memcpy(c->q, m->q, (size_t)imp_tree_nq(c->s->tree) * sizeof *c->q);
    memcpy(c->v, outcome->v, (size_t)m->nv * sizeof *c->v);
    imp_tree_place(c->s->tree, c->q, c->v);
    what->after = imp_tree_kinetic(c->s->tree);
    return status;
}

/* The impact at a touch, at c->time: v <- that after it. */
static imp_status strike(course *c, const scene_moment *m) {
    scene_outcome outcome;
    scene_struck what = {.time = c->time, .moment = m, .outcome = &outcome};
    double tends;
    const bool piles = piles_up(c, m, &tends);
    imp_status status = scene_outcome_init(&outcome, m);
    if (status != IMP_OK) return status;
    status = answer(c, m, piles, &what, &outcome);
    if (status == IMP_OK && c->observer.strikes) c->observer.strikes(c->observer.context, &what);
    scene_outcome_clear(&outcome);
    if (status != IMP_OK) return status;
    if (what.status > 0) finish(c, SCENE_COURSE_UNSOLVED, imp_status_text(what.status));
    if (piles) c->pile = tends;
    if (!c->over) status = decide(c);
    if (status == IMP_OK && piles && !c->over && scene_lasting_count(&c->lasting) == 0)
        finish(c, SCENE_COURSE_ZENO, NULL);
    return status;
}

/* Of the moment of a touch. */
static imp_status noted(course *c, imp_status status) {
    if (status == IMP_BAD_ARGUMENT)
        c->why = "no pair is as near as impact.proximity, expected more of it";
    return status;
}

static bool is_finite(const course *c) {
    bool finite = true;
    for (int k = 0; k < imp_tree_nq(c->s->tree); k++)
        finite = finite && isfinite(c->q[k]);
    for (int k = 0; k < imp_tree_nv(c->s->tree); k++)
        finite = finite && isfinite(c->v[k]);
    return finite;
}

/* Free motion to the next touch, and the impact there. */
static imp_status fly(course *c, double until) {
    scene_moment m;
    compliant_result run;
    imp_status status =
        noted(c, scene_touch_from(c->s, c->q, c->v, until - c->time, c->s->run.max_steps - c->steps,
                                  c->fastest, &m, &run));
    c->steps += run.steps + run.rejected;
    if (status >= 0) tell_motion(c, &run);
    if (status == IMP_OK) {
        c->time += m.time;
        status = strike(c, &m);
    } else if (status > 0) {
        finish(c, status == IMP_NO_SOLUTION ? SCENE_COURSE_TIME : SCENE_COURSE_STOPPED,
               compliant_end_text(run.end));
        c->time += run.time;
        memcpy(c->q, run.y, (size_t)run.layout.nq * sizeof *c->q);
        memcpy(c->v, run.y + run.layout.v, (size_t)run.layout.nv * sizeof *c->v);
        status = IMP_OK;
        if (!is_finite(c))
            finish(c, SCENE_COURSE_STOPPED, "beyond the numbers that a double holds");
    }
    compliant_result_clear(&run);
    scene_moment_clear(&m);
    return status;
}

/* A step in which contacts last. */
static bool tell_stride(void *context, const scene_stride *stride) {
    course *c = context;
    scene_lasting_sizes(&c->lasting, c->fastest, c->quickest);
    scene_stride told = *stride;
    told.time += c->time;
    return c->observer.lasts && c->observer.lasts(c->observer.context, &told);
}

/* Motion while contacts last, and what ends it. */
static imp_status go_along(course *c, double until) {
    scene_stretch_end how;
    scene_moment m = {0};
    double time;
    imp_status status = scene_stretch(&c->lasting, until - c->time, &c->steps, c->q, c->v,
                                      tell_stride, c, &how, &time);
    if (status != IMP_OK) return status;
    c->time = how == SCENE_STRETCH_TIME ? until : c->time + time;
    if (how == SCENE_STRETCH_STOPPED)
        finish(c, SCENE_COURSE_STOPPED,
               "no step small enough meets run.accuracy and the law of contacts, or run.max_steps "
               "were made");
    if (how == SCENE_STRETCH_FORKS)
        finish(c, SCENE_COURSE_STOPPED, compliant_end_text(COMPLIANT_CHANGE));
    if (how == SCENE_STRETCH_CHANGES) return decide(c);
    if (how != SCENE_STRETCH_TOUCH) return IMP_OK;
    status = noted(c, scene_moment_at(c->s, 0, c->q, c->v, c->fastest, &m));
    if (status == IMP_OK) status = strike(c, &m);
    scene_moment_clear(&m);
    return status;
}

static imp_status go_on(course *c) {
    const double until = c->s->run.until;
    if (!c->begun) {
        c->begun = true;
        return decide(c);
    }
    if (c->time >= c->pile) {
        imp_tree_place(c->s->tree, c->q, c->v);
        turns(c, SCENE_TURN_ZENO);
        c->pile = NAN;
    }
    if (!(c->time < until)) {
        finish(c, SCENE_COURSE_TIME, NULL);
        return IMP_OK;
    }
    const bool held = scene_lasting_count(&c->lasting) > 0 || c->lasting.joints > 0;
    return held ? go_along(c, fmin(until, c->pile)) : fly(c, until);
}

scene_course_run *scene_course_open(const scene *s, const imp_model *model,
                                    const imp_settings *settings, const scene_observer *observer) {
    const size_t nq = (size_t)imp_tree_nq(s->tree), nv = (size_t)imp_tree_nv(s->tree),
                 links = (size_t)imp_tree_links(s->tree);
    course *c = calloc(1, sizeof *c);
    double *q = calloc(nq + nv + 3 * links + (size_t)s->rubs + 1, sizeof *q);
    scene_series *series = calloc(links + 1, sizeof *series);
    if (!c || !q || !series) {
        free(c);
        free(q);
        free(series);
        return NULL;
    }
    *c = (course){.s = s,
                  .model = model,
                  .settings = settings,
                  .observer = *observer,
                  .q = q,
                  .v = q + nq,
                  .fastest = q + nq + nv,
                  .recent = q + nq + nv + links,
                  .now = q + nq + nv + 2 * links,
                  .quickest = q + nq + nv + 3 * links,
                  .series = series,
                  .pile = NAN,
                  .turned = -INFINITY};
    memcpy(c->q, s->q, nq * sizeof *c->q);
    memcpy(c->v, s->v, nv * sizeof *c->v);
    for (size_t i = 0; i < links; i++)
        series[i].since = INFINITY;
    return c;
}

void scene_course_close(scene_course_run *c) {
    if (!c) return;
    scene_lasting_clear(&c->lasting);
    free(c->q);
    free(c->series);
    free(c);
}

bool scene_course_go_on(scene_course_run *c, imp_status *status) {
    *status = c->over ? IMP_OK : go_on(c);
    return *status == IMP_OK && !c->over;
}

bool scene_course_over(const scene_course_run *c) {
    return c->over;
}

scene_course_end scene_course_ended(const scene_course_run *c, double *time) {
    imp_tree_place(c->s->tree, c->q, c->v);
    *time = c->over && c->end == SCENE_COURSE_ZENO ? c->pile : c->time;
    return c->end;
}

int scene_course_lasting(const scene_course_run *c) {
    return scene_lasting_count(&c->lasting);
}

const char *scene_course_why(const scene_course_run *c) {
    return c->why;
}

imp_status scene_course(const scene *s, const imp_model *model, const imp_settings *settings,
                        const scene_observer *observer, scene_course_end *end, double *time) {
    course *c = scene_course_open(s, model, settings, observer);
    imp_status status = c ? IMP_OK : IMP_NO_MEMORY;
    if (!c) return status;
    while (scene_course_go_on(c, &status))
        ;
    *end = scene_course_ended(c, time);
    scene_course_close(c);
    return status;
}
