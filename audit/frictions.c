/* frictions.c - is an answer right by friction that is not Coulomb's? */
#include "audit/frictions.h"

#include <math.h>

/* How contact i ends: its velocity (m/s) and what the tolerance leaves of that, the most friction
 * (N s) and what it leaves of the impulse. */
typedef struct ending {
    const double *p, *q;
    double u[3], within, limit, slack;
} ending;

static ending ending_of(const imp_problem *problem, const double *p, double tolerance, int i) {
    ending e = {.p = p + 3 * i, .q = problem->q + 3 * i, .limit = problem->mu[i] * p[3 * i]};
    double size[3], most = 0;
    problem->W->kind->row(problem->W, i, -1, p, e.u, size);
    for (int k = 0; k < 3; k++) {
        e.u[k] += e.q[k];
        most = fmax(most, size[k] + fabs(e.q[k]));
    }
    e.within = tolerance * most;
    e.slack = tolerance * (1 + problem->mu[i]) * fabs(e.p[0]);
    return e;
}

/* Does contact i push and end at the velocity of its e, or part at that and more without a push? */
static bool stops(const imp_problem *problem, int i, const ending *end) {
    const double own = problem->e ? problem->e[i] : 0, gap = problem->gap ? problem->gap[i] : 0,
                 missed = end->u[0] + own * fmin(end->q[0], 0) + gap;
    return end->p[0] > 0 ? fabs(missed) <= end->within : end->p[0] == 0 && missed >= -end->within;
}

/* Friction as large as it can be, against the slip that q has. */
static bool rubs_before(const ending *e) {
    const double slip = hypot(e->q[1], e->q[2]), share = slip > 0 ? e->limit / slip : 0;
    return hypot(e->p[1] + share * e->q[1], e->p[2] + share * e->q[2]) <= e->slack;
}

/* Each tangent stopped, or with all its friction against its own slip. */
static bool rubs_by_tangents(const ending *e) {
    for (int k = 1; k < 3; k++) {
        const double rest = e->limit - fabs(e->p[k]);
        const bool stopped = fabs(e->u[k]) <= e->within, against = e->p[k] * e->u[k] <= 0;
        if (!(rest >= -e->slack && (stopped || (rest <= e->slack && against)))) return false;
    }
    return true;
}

/* Is friction beyond the cone, or not against the slip in the end? */
static bool is_no_coulomb(const ending *e) {
    const double rub = hypot(e->p[1], e->p[2]), across = e->p[1] * e->u[2] - e->p[2] * e->u[1],
                 along = e->p[1] * e->u[1] + e->p[2] * e->u[2];
    return rub > e->limit + e->slack ||
           fmax(fabs(across), along) > e->within * rub + e->slack * hypot(e->u[1], e->u[2]);
}

audit_frictions audit_other_frictions(const imp_problem *problem, const double *p,
                                      double tolerance) {
    bool before = true, by_tangents = true, any = false;
    for (int i = 0; i < problem->nc && (before || by_tangents); i++) {
        const ending e = ending_of(problem, p, tolerance, i);
        const bool good = stops(problem, i, &e);
        before = before && good && rubs_before(&e);
        by_tangents = by_tangents && good && rubs_by_tangents(&e);
        any = any || is_no_coulomb(&e);
    }
    return (audit_frictions){before && any, by_tangents && any};
}
