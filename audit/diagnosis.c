/* diagnosis.c - mistakes that are put right, one at a time, until the answer is one. */
#include "audit/diagnosis.h"
#include "contact/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *audit_fault_text(audit_fault fault) {
    static const char *const text[AUDIT_FAULTS] = {
        "claims success falsely",  "wrong where q_n = 0", "no impulse where a contact closes",
        "restitution dropped",     "wrong frame",         "cone too wide",
        "friction along the slip", "unexplained"};
    return text[fault];
}

static bool is_nothing(const imp_problem *problem, const double *p) {
    bool closes = false;
    for (int i = 0; i < 3 * problem->nc; i++) {
        if (p[i] != 0) return false;
        closes = closes || (i % 3 == 0 && problem->q[i] < 0);
    }
    return closes;
}

static bool right_without_restitution(const audit_solver *solver, const imp_problem *problem,
                                      const double *p) {
    imp_problem plastic = *problem;
    bool any = false;
    for (int i = 0; problem->e && i < problem->nc; i++)
        any = any || problem->e[i] > 0;
    plastic.e = NULL;
    return any && audit_residual(solver, &plastic, p) <= solver->tolerance;
}

/* An answer in other tangents, all turned by one angle, and before that mirrored or not. */
typedef struct turn {
    const audit_solver *solver;
    const imp_problem *problem;
    const double *p;
    double *other; /* (3nc) */
    double mirror; /* 1, or -1: o points the other way */
} turn;

static double residual_turned(const turn *t, double angle) {
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3 * t->problem->nc; i += 3) {
        const double *own = t->p + i, o = t->mirror * own[2];
        t->other[i] = own[0];
        t->other[i + 1] = c * own[1] - s * o;
        t->other[i + 2] = s * own[1] + c * o;
    }
    return audit_residual(t->solver, t->problem, t->other);
}

static bool right_turned(const turn *t, double angle) {
    return residual_turned(t, angle) <= t->solver->tolerance;
}

/* The residual grows on either side of the angle that is right: the best of all round, and there a
 * golden section. */
static bool right_at_an_angle(const turn *t) {
    enum { ROUND = 48, STEPS = 60 };
    static const double golden = 0.61803398874989485, pi = 3.14159265358979324;
    double best = 0, least = INFINITY;
    for (int k = 0; k < ROUND; k++) {
        const double angle = 2 * pi * k / ROUND, residual = residual_turned(t, angle);
        if (residual < least) least = residual, best = angle;
    }
    double low = best - 2 * pi / ROUND, high = best + 2 * pi / ROUND;
    for (int k = 0; k < STEPS; k++) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (residual_turned(t, a) < residual_turned(t, b))
            high = b;
        else
            low = a;
    }
    return right_turned(t, low);
}

/* Written (t, o, n), as where z points up? */
static bool right_with_normal_first(const turn *t) {
    for (int i = 0; i < 3 * t->problem->nc; i++)
        t->other[i] = t->p[i % 3 == 0 ? i + 2 : i - 1];
    return audit_residual(t->solver, t->problem, t->other) <= t->solver->tolerance;
}

/* Friction that is merely reversed is another mistake. Any angle is looked for at single contacts
 * alone, since a program that turns its tangents does so there, too. */
static bool right_in_another_frame(const audit_solver *solver, const imp_problem *problem,
                                   const double *p) {
    static const double pi = 3.14159265358979324;
    turn t = {solver, problem, p, malloc(3 * (size_t)problem->nc * sizeof *p), 1};
    if (!t.other) return false;
    bool right = right_with_normal_first(&t);
    if (!right && !right_turned(&t, pi))
        for (t.mirror = 1; !right && t.mirror >= -1; t.mirror -= 2) {
            for (int quarter = 0; !right && quarter < 4; quarter++)
                right = right_turned(&t, quarter * pi / 2);
            if (!right && problem->nc == 1) right = right_at_an_angle(&t);
        }
    free(t.other);
    return right;
}

/* The residual "cone" of p, were all friction so many times as large. */
static double beyond_cone(const audit_solver *solver, const imp_problem *problem, const double *p,
                          double times, double *mu) {
    imp_certificate c = {0};
    imp_problem wide = *problem;
    for (int i = 0; i < problem->nc; i++)
        mu[i] = times * problem->mu[i];
    wide.mu = mu;
    (void)imp_certificate_note_law(&c, solver->model->law, &wide, &solver->settings, p);
    for (int k = 0; k < c.count; k++)
        if (strcmp(c.residual[k].name, "cone") == 0) return c.residual[k].value;
    return INFINITY;
}

/* By how much the law's cones, or pyramids, would have to be wider to hold p as right answers are
 * held; INFINITY: none does. */
static double excess(const audit_solver *solver, const imp_problem *problem, const double *p) {
    static const double widest = 1e9;
    const double most = solver->tolerance;
    double low = 1, high = widest, *mu = malloc((size_t)problem->nc * sizeof *mu);
    const bool held = mu && beyond_cone(solver, problem, p, high, mu) <= most;
    while (held && high - low > 1e-14 * high) {
        const double middle = high > 2 * low ? sqrt(low * high) : (low + high) / 2;
        if (beyond_cone(solver, problem, p, middle, mu) <= most)
            high = middle;
        else
            low = middle;
    }
    free(mu);
    return held ? high - 1 : INFINITY;
}

/* Does friction push a contact the way it slips? */
static bool is_along(const imp_problem *problem, const double *p) {
    /* of the sizes of both: less is what an iteration leaves of a stick or where nothing pushes, on
     * whichever side (docs/laws.md, Reading a residual) */
    static const double clearly = 1e-3;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        double u[3];
        imp_local_velocity(&c, u);
        const double lean = imp_local_lean(&c, hypot(c.p[1], c.p[2]), c.mu * c.p[0]);
        if (c.p[1] * u[1] + c.p[2] * u[2] > clearly * lean * hypot(c.size[1], c.size[2]))
            return true;
    }
    return false;
}

audit_fault audit_diagnose(const audit_solver *solver, const imp_problem *problem, const double *p,
                           const audit_answer *answer, double *beyond) {
    *beyond = 0;
    if (problem->nc == 1 && problem->q[0] == 0) return AUDIT_TOUCHING;
    if (is_nothing(problem, p)) return AUDIT_NOTHING;
    if (right_without_restitution(solver, problem, p)) return AUDIT_RESTITUTION;
    if (right_in_another_frame(solver, problem, p)) return AUDIT_FRAME;
    if (strcmp(answer->worst, "cone") == 0) {
        *beyond = excess(solver, problem, p);
        return AUDIT_WIDE;
    }
    return is_along(problem, p) ? AUDIT_ALONG : AUDIT_OTHER;
}
