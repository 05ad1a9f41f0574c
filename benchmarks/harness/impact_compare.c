/* impact_compare.c - distances between answers to one impact, and the condition of the problem. */
#include "benchmarks/harness/impact_compare.h"

#include "reference/oracle/hodograph.h"

#include <math.h>
#include <string.h>

imp_status impact_by_library(const gen_problem *problem, imp_darboux_law law, impact_answer *answer,
                             int *steps) {
    imp_darboux_path path = {.capacity = 0};
    imp_info info = {0};
    const imp_status status =
        imp_darboux(problem->W, problem->q, problem->mu, problem->e, law, answer->p, &path, &info);
    memcpy(answer->u, path.u, sizeof answer->u);
    answer->work[0] = path.work_c;
    answer->work[1] = path.work_d;
    if (steps) *steps = info.iterations;
    return status;
}

bool impact_by_hodograph(const gen_problem *problem, imp_darboux_law law, impact_answer *answer,
                         int *compressions) {
    hodograph h;
    const bool good = hodograph_impact(problem->W, problem->q, problem->mu, problem->e, law, &h);
    memcpy(answer->p, h.p, sizeof answer->p);
    memcpy(answer->u, h.u, sizeof answer->u);
    answer->work[0] = h.work_c;
    answer->work[1] = h.work_d;
    if (compressions) *compressions = h.compressions;
    return good;
}

static double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double apart(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length(d);
}

double impact_distance(const double q[3], const impact_answer *a, const impact_answer *b) {
    const double work = fabs(b->work[0]) + fabs(b->work[1]), push = length(b->p);
    const double u = apart(a->u, b->u) / (length(q) + length(b->u)),
                 p = push > 0 ? apart(a->p, b->p) / push : length(a->p);
    const double w =
        work > 0 ? (fabs(a->work[0] - b->work[0]) + fabs(a->work[1] - b->work[1])) / work : 0;
    return isfinite(u + p + w) ? fmax(u, fmax(p, w)) : INFINITY;
}

/* How large the terms of W p + q are, which may cancel, m/s. */
static void terms(const gen_problem *problem, const double p[3], double size[3]) {
    const double *W = problem->W, root[3] = {sqrt(W[0]), sqrt(W[3]), sqrt(W[5])};
    const double reach = root[0] * fabs(p[0]) + root[1] * fabs(p[1]) + root[2] * fabs(p[2]);
    for (int i = 0; i < 3; i++)
        size[i] = fabs(problem->q[i]) + root[i] * reach;
}

/* du <- W p, what an impulse adds to the velocity. */
static void velocity_of(const gen_problem *problem, const double p[3], double du[3]) {
    const double *W = problem->W;
    du[0] = W[0] * p[0] + W[1] * p[1] + W[2] * p[2];
    du[1] = W[1] * p[0] + W[3] * p[1] + W[4] * p[2];
    du[2] = W[2] * p[0] + W[4] * p[1] + W[5] * p[2];
}

double impact_impulse_distance(const gen_problem *problem, const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, push = length(b);
    double du[3], size[3];
    velocity_of(problem, d, du);
    terms(problem, b, size);
    const double p = push > 0 ? length(d) / push : length(d), u = length(du) / length(size);
    return isfinite(p + u) ? fmax(p, u) : INFINITY;
}

double impact_gain(const gen_problem *problem, const double p[3]) {
    double du[3], size[3], energy = 0, scale = impact_energy_at_stake(problem);
    velocity_of(problem, p, du);
    terms(problem, p, size);
    for (int i = 0; i < 3; i++) {
        energy += p[i] * (problem->q[i] + 0.5 * du[i]);
        scale += fabs(p[i]) * size[i];
    }
    return energy / scale;
}

double impact_condition(const gen_problem *problem, imp_darboux_law law, double enough) {
    impact_answer base, moved;
    double worst = 0;
    if (!impact_by_hodograph(problem, law, &base, NULL)) return NAN;
    for (int size = 0; size < 3; size++)
        for (int i = 0; i < 20 && worst < enough; i++) {
            const double change = (i % 2 ? -1 : 1) * (size == 0   ? 0x1p-50
                                                      : size == 1 ? 1e-12
                                                                  : 1e-9);
            gen_problem p = *problem;
            double *datum = i / 2 < 6 ? &p.W[i / 2] : i / 2 < 9 ? &p.q[i / 2 - 6] : &p.e;
            *datum *= 1 + change;
            if (p.e > 1 || !impact_by_hodograph(&p, law, &moved, NULL)) continue;
            worst = fmax(worst, impact_distance(problem->q, &moved, &base) / fabs(change));
        }
    return worst;
}

double impact_energy_at_stake(const gen_problem *problem) {
    const double *W = problem->W, *q = problem->q;
    const double l1 = W[1] / W[0], l2 = W[2] / W[0], d1 = W[3] - l1 * W[1], s = W[4] - l2 * W[1];
    const double d2 = W[5] - l2 * W[2] - s / d1 * s, y1 = q[1] - l1 * q[0],
                 y2 = q[2] - l2 * q[0] - s / d1 * y1;
    return 0.5 * (q[0] * q[0] / W[0] + y1 * y1 / d1 + y2 * y2 / d2);
}
