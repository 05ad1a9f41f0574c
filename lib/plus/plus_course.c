/* plus_course.c - follows the course of an impact step by step and notes where it breaks the law of
 * plus_law.c.
 *
 * Uchida, Sherman, Delp (2015), sections 2 and 3. Nothing is taken over from the solver: velocities
 * are q + W times the sum of the impulses so far, and every rule is evaluated here from its
 * definition. Decisions that rounding may turn (does a contact approach, does it slide) are
 * residuals too: how far the state is from the side the path says. */
#include "linear/islands.h"
#include "plus/plus_course_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const residual_name[RESIDUALS] = {"sum",       "phases", "restitution", "aim",
                                                     "cone",      "motion", "slide",       "roll",
                                                     "impending", "share",  "end"};

/* of (islands) <- 0. */
static void forget(const course *c, double *of) {
    memset(of, 0, (size_t)c->islands * sizeof *of);
}

/* of (islands) <- where it is less than what contact i says of its island. */
static void widen(const course *c, double *of, int i, double value) {
    of[c->island[i]] = imp_larger(of[c->island[i]], value);
}

/* out (3nc) <- W p + q, q may be NULL; size (islands) and c->own <- the largest sum of absolute
 * terms of an entry, from 0 or from what they are. */
static void velocities(course *c, const double *p, const double *q, double *out, double *size) {
    const imp_operator *W = c->problem->W;
    for (int i = 0; i < c->nc; i++) {
        double terms[3], most = 0, *u = out + 3 * (size_t)i;
        W->kind->row(W, i, -1, p, u, terms);
        for (int r = 0; r < 3; r++) {
            const double own = q ? q[3 * (size_t)i + (size_t)r] : 0;
            u[r] += own;
            terms[r] += fabs(own);
            most = imp_larger(most, terms[r]);
        }
        if (c->nc == 1) c->normal = imp_larger(c->normal, terms[0]);
        c->own[i] = imp_larger(c->own[i], most);
        widen(c, size, i, most);
    }
}

/* Is contact i, which approaches so fast, captured? Within rounding of v_capture, where restitution
 * jumps, the path says so: by whether the contact expands in the next round. */
static bool captured(const course *c, int i, double approach) {
    const double capture = c->settings->v_capture;
    const imp_path *path = c->path;
    int next = c->step;
    if (!(capture > 0 && fabs(approach - capture) <= 1e-12 * c->speed[c->island[i]]))
        return approach < capture;
    while (next < path->steps && path->round[next] == c->round)
        next++;
    return next == path->steps || path->phase[(size_t)next * (size_t)c->nc + (size_t)i] != 'X';
}

/* Restitution of contact i at an approach speed, Fig. 2 of the paper. */
static double restitution(const course *c, int i, double approach) {
    const double plastic = c->settings->v_plastic, e = c->problem->e ? c->problem->e[i] : 0;
    if (captured(c, i, approach)) return 0;
    return approach >= plastic ? e : 1 - (1 - e) * (approach / plastic);
}

static const double ROUNDING = 1e-9; /* of the speed: tells an approach from rest */

/* What a phase says against what contact i is owed and how it moves. */
static void judge_phase(course *c, int i) {
    const int k = c->island[i];
    const double v_n = c->v[3 * (size_t)i], approach = imp_larger(0, -v_n);
    const char phase = c->phase[i];
    const bool first = c->round == 1, many = c->variant == PLUS;
    if (!strchr("CXO", phase) || phase == '\0') note(c, PHASES, INFINITY, 1, i);
    if (phase != 'X') {
        const double d[3] = {c->due[i]};
        note(c, PHASES, d[0], c->push[k], i);
        imp_plus_note_moved(c, PHASES, d, c->speed[k], i);
    }
    if (!many) note(c, PHASES, (phase == 'C') != first ? INFINITY : 0, 1, i);
    if (!many || c->closing) return;
    if (phase == 'C') note(c, PHASES, imp_larger(0, v_n), c->speed[k], i);
    /* what is at rest observes, unless rounding made it so */
    if (phase == 'C' && v_n >= -ROUNDING * c->speed[k]) c->chose = true;
    if (phase == 'O' || (phase == 'X' && c->due[i] == 0)) note(c, PHASES, approach, c->speed[k], i);
}

/* After so many rounds, do all contacts take part in stopping approaches of which none, but for
 * rounding, has restitution? */
static bool closes(const course *c) {
    bool all = c->variant == PLUS && c->round > PLUS_WAVE_ROUNDS * (c->nc + 1);
    for (int i = 0; i < c->nc && all; i++)
        all = c->phase[i] == 'C' && c->due[i] == 0 &&
              (c->v[3 * (size_t)i] >= -ROUNDING * c->speed[c->island[i]] || c->e[i] == 0);
    return all;
}

static void begin_round(course *c) {
    const int most = c->variant == PLUS ? INT_MAX : c->variant == NEWTON ? 1 : 2;
    c->begin = c->step;
    c->round++;
    forget(c, c->owed);
    for (int i = 0; i < c->nc; i++) {
        const double approach = imp_larger(0, -c->v[3 * (size_t)i]);
        c->e[i] = restitution(c, i, approach);
        c->aim[i] = c->variant == NEWTON ? c->e[i] * approach : 0;
        c->due[i] = c->earned[i];
        c->earned[i] = 0;
        widen(c, c->owed, i, c->due[i]);
    }
    c->closing = closes(c);
    for (int i = 0; i < c->nc && c->closing; i++)
        c->e[i] = 0;
    note(c, PHASES, c->round > most ? INFINITY : 0, 1, 0);
    for (int i = 0; i < c->nc; i++)
        judge_phase(c, i);
}

/* single-phase: compression goes on while a contact approaches. Does the path say that none does
 * any more? */
static bool stops(course *c) {
    const int next = c->step + 1;
    double approach = 0;
    for (int i = 0; i < c->nc; i++)
        approach = imp_larger(approach, -c->v[3 * (size_t)i]);
    if (approach > 0 && next < c->path->steps && c->path->round[next] == c->round) return false;
    for (int i = 0; i < c->nc; i++)
        note(c, END, -c->v[3 * (size_t)i], c->speed[c->island[i]], i);
    return true;
}

/* The static coefficient is that of contacts that have slipped neither before the step nor, by an
 * impending slip, in the one before it. Within rounding of the transition the path says which. */
static void let_go(course *c, int i) {
    const imp_path *path = c->path;
    const size_t last = c->step > 0 ? (size_t)(c->step - 1) * (size_t)c->nc + (size_t)i : 0;
    const bool slipped = c->step > 0 && path->motion[last] == 'i' &&
                         (path->impulse[3 * last] != 0 || path->phase[last] == 'X');
    const double *v = c->v + 3 * (size_t)i;
    if (slipped || length(v[1], v[2]) > (1 + 1e-9) * c->transition) c->hold[i] = c->problem->mu[i];
}

/* The velocity that the impulses so far lead to, and its sizes. */
static void move(course *c) {
    forget(c, c->speed);
    memset(c->own, 0, (size_t)c->nc * sizeof *c->own);
    velocities(c, c->total, c->problem->q, c->v, c->speed);
}

/* Step c->step; returns whether it completes its phase, as seen from the path. */
static bool judge_step(course *c) {
    const size_t n = 3 * (size_t)c->nc, at = (size_t)c->step;
    const double share = c->path->share[at], *applied = c->path->impulse + at * n;
    for (size_t k = 0; k < n; k++)
        c->pi[k] = applied[k] / share;
    forget(c, c->push);
    for (int i = 0; i < c->nc; i++)
        widen(c, c->push, i, imp_larger(c->due[i], imp_largest(c->pi + 3 * (size_t)i, 3, 1)));
    memcpy(c->reach, c->speed, (size_t)c->islands * sizeof *c->reach);
    velocities(c, c->pi, NULL, c->w, c->reach);
    for (int k = 0; k < c->islands; k++)
        if (!isfinite(c->reach[k]) || !isfinite(c->push[k])) note(c, SUM, INFINITY, 1, 0);
    c->jams = imp_plus_step_jams(c);
    for (int i = 0; i < c->nc; i++) {
        let_go(c, i);
        imp_plus_judge_contact(c, i);
    }
    imp_plus_judge_share(c);
    for (size_t k = 0; k < n; k++)
        c->total[k] += applied[k];
    for (int i = 0; i < c->nc; i++) {
        const double push = applied[3 * (size_t)i];
        if (c->phase[i] == 'X') c->due[i] = imp_larger(0, c->due[i] - push);
        if (c->phase[i] == 'C' && c->variant != NEWTON) c->earned[i] += c->e[i] * push;
    }
    move(c);
    if (share < 1 || c->jams) return false;
    return c->variant != SINGLE_PHASE || c->round > 1 || stops(c);
}

/* What is left at the end: nothing to expand, and for plus no approach. */
static void judge_end(course *c, const double *p, bool complete) {
    double *whole = c->push;
    forget(c, whole);
    for (int i = 0; i < c->nc; i++)
        widen(c, whole, i, imp_largest(p + 3 * (size_t)i, 3, 1));
    velocities(c, p, c->problem->q, c->w, c->speed);
    note(c, END, complete ? 0 : INFINITY, 1, 0);
    for (int i = 0; i < c->nc; i++) {
        const int k = c->island[i];
        for (size_t r = 3 * (size_t)i; r < 3 * (size_t)i + 3; r++) {
            note(c, SUM, fabs(c->total[r] - p[r]), whole[k], i);
            /* what is little beside a push may be all of a friction */
            note(c, SUM, fabs(c->v[r] - c->w[r]), c->speed[k], i);
        }
        const double owed[3] = {c->earned[i]};
        note(c, END, owed[0], whole[k], i);
        imp_plus_note_moved(c, END, owed, c->speed[k], i);
        if (c->variant == PLUS) note(c, END, imp_larger(0, -c->v[3 * (size_t)i]), c->speed[k], i);
    }
}

/* Numbers that are none, and shares that are no part of a step. */
static bool readable(const imp_path *path) {
    for (int k = 0; k < path->steps; k++)
        if (!(path->share[k] > 0 && path->share[k] <= 1)) return false;
    for (size_t k = 0; k < (size_t)path->steps * 3 * (size_t)path->nc; k++)
        if (!isfinite(path->impulse[k])) return false;
    return true;
}

static void follow(course *c, const double *p) {
    bool complete = true;
    const size_t nc = (size_t)c->nc;
    move(c);
    for (c->step = 0; c->step < c->path->steps; c->step++) {
        const size_t at = (size_t)c->step;
        c->phase = c->path->phase + at * nc;
        c->motion = c->path->motion + at * nc;
        if (complete) begin_round(c);
        const bool same = memcmp(c->phase, c->path->phase + (size_t)c->begin * nc, nc) == 0;
        note(c, PHASES, same && c->path->round[at] == c->round ? 0 : INFINITY, 1, 0);
        complete = judge_step(c);
    }
    judge_end(c, p, complete);
}

imp_status imp_plus_follow(plus_variant variant, const imp_problem *problem,
                           const imp_plus_settings *settings, const double *p, const imp_path *path,
                           imp_certificate *result, bool *chose) {
    const size_t nc = (size_t)problem->nc, n = 3 * nc;
    double *memory = calloc(4 * n + 11 * nc, sizeof *memory);
    int *island = malloc(nc * sizeof *island);
    const int islands = memory && island ? imp_islands(problem->W, island) : -1;
    if (islands < 0) {
        free(island);
        free(memory);
        return IMP_NO_MEMORY;
    }
    course c = {.variant = variant, .problem = problem, .settings = settings, .path = path};
    c.nc = problem->nc;
    c.cosine = cos(settings->theta_max);
    c.sine = sin(settings->theta_max);
    for (int k = 0; k < RESIDUALS; k++)
        c.worst[k] = -1;
    c.total = memory;
    c.v = c.total + n;
    c.pi = c.v + n;
    c.w = c.pi + n;
    c.due = c.w + n;
    c.earned = c.due + nc;
    c.e = c.earned + nc;
    c.aim = c.e + nc;
    c.hold = c.aim + nc;
    c.speed = c.hold + nc;
    c.reach = c.speed + nc;
    c.push = c.reach + nc;
    c.owed = c.push + nc;
    c.own = c.owed + nc;
    c.heft = c.own + nc;
    c.island = island;
    c.islands = islands;
    for (size_t i = 0; i < nc; i++) {
        double A[9];
        problem->W->kind->block(problem->W, (int)i, (int)i, A);
        c.heft[i] = imp_largest(A, 9, 1);
        c.hold[i] = problem->mu[i] * settings->static_ratio;
    }
    /* a slower slip has no direction in doubles */
    c.transition = imp_larger(settings->v_transition,
                              imp_ldexp(1e-12, imp_exponent(imp_largest(problem->q, n, 1))));
    if (variant == NEWTON || variant == POISSON) c.transition = INFINITY;
    if (readable(path))
        follow(&c, p);
    else
        note(&c, SUM, INFINITY, 1, 0);
    for (int k = 0; k < RESIDUALS; k++)
        if (c.worst[k] >= 0)
            imp_certificate_note(result, residual_name[k], c.worst[k], c.contact[k]);
    *chose = c.chose;
    free(island);
    free(memory);
    return IMP_OK;
}
