/* diagnosis.c - mistakes that are put right, one at a time, until the answer is one. */
#include "audit/diagnosis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *audit_fault_text(audit_fault fault) {
    static const char *const text[AUDIT_FAULTS] = {
        "wrong where q_n = 0", "no impulse where a contact closes",
        "restitution dropped", "tangents exchanged",
        "cone too wide",       "friction along the slip",
        "unexplained"};
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

static bool right_when_swapped(const audit_solver *solver, const imp_problem *problem,
                               const double *p) {
    double *other = malloc(3 * (size_t)problem->nc * sizeof *other);
    if (!other) return false;
    for (int i = 0; i < 3 * problem->nc; i += 3) {
        other[i] = p[i];
        other[i + 1] = p[i + 2];
        other[i + 2] = p[i + 1];
    }
    const double residual = audit_residual(solver, problem, other);
    free(other);
    return residual <= solver->tolerance;
}

/* How far friction is beyond the cone, relative to its limit, at the worst contact. */
static double widest(const imp_problem *problem, const double *p) {
    double most = 0;
    for (int i = 0; i < problem->nc; i++) {
        const double *own = p + 3 * (size_t)i, limit = problem->mu[i] * own[0];
        const double friction = hypot(own[1], own[2]);
        if (friction > limit) most = fmax(most, limit > 0 ? friction / limit - 1 : INFINITY);
    }
    return most;
}

/* Does friction push a contact the way it slips? */
static bool is_along(const imp_problem *problem, const double *p) {
    static const double clearly = 1e-6; /* of |p_to| |u_to| */
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        double u[3];
        for (int r = 1; r < 3; r++)
            u[r] = c.A[3 * r] * c.p[0] + c.A[3 * r + 1] * c.p[1] + c.A[3 * r + 2] * c.p[2] + c.v[r];
        if (c.p[1] * u[1] + c.p[2] * u[2] > clearly * hypot(c.p[1], c.p[2]) * hypot(u[1], u[2]))
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
    if (right_when_swapped(solver, problem, p)) return AUDIT_SWAPPED;
    *beyond = widest(problem, p);
    if (strcmp(answer->worst, "cone") == 0) return AUDIT_WIDE;
    return is_along(problem, p) ? AUDIT_ALONG : AUDIT_OTHER;
}
