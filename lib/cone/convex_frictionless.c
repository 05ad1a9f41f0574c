/* convex_frictionless.c - phases I and III without friction: QP3 on the normals alone.
 *
 * Drumwright, Shell (2010), phase I; restitution after Anitescu, Potra (1997): e_i y_i more at each
 * contact, and phase I from the velocities then. The sum is separable, so that no islands are
 * needed: the model solves few contacts as a dense problem without allocating; more, and what the
 * dense method cannot decide, island by island as in convex.c; and restitution beside overlaps,
 * which push by themselves: there alone can it gain energy without friction, and theta of an island
 * is what it may. */
#include "cone/convex_active.h"
#include "base/exact.h"
#include "base/rounding.h"
#include "cone/convex_island.h"
#include "cone/phases.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const imp_convex_settings by_islands = {.kappa = -1};

/* In units of powers of two, so that the largest diagonal entry and velocity are near 1. */
typedef struct normals {
    int n;
    double *A, *b;        /* (n x n), (n) */
    double *y, *z;        /* (n), (n) impulses; those of restitution */
    double *w, *v, *work; /* (n), (n), of the active set */
} normals;

static normals lay_out(int nc, void *work) {
    const size_t n = (size_t)nc;
    normals s = {.n = nc, .A = work};
    s.b = s.A + n * n;
    s.y = s.b + n;
    s.z = s.y + n;
    s.w = s.z + n;
    s.v = s.w + n;
    s.work = s.v + n;
    return s;
}

static void read_matrix(const imp_operator *W, normals *s) {
    const size_t n = (size_t)s->n;
    const imp_blocks *stored = imp_operator_stored(W);
    double block[9];
    if (stored) memset(s->A, 0, n * n * sizeof *s->A);
    for (size_t i = 0; i < n; i++) {
        double *row = s->A + i * n;
        if (stored) {
            for (int k = stored->start[i]; k < stored->start[i + 1]; k++)
                row[stored->column[k]] = stored->block[9 * (size_t)k];
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            W->kind->block(W, (int)i, (int)j, block);
            row[j] = block[0];
        }
    }
}

/* Multiplies x (n) by 2^-e, e being returned, that brings the largest |x| of every stride-th to
 * [1/2, 1). */
static int scale(double *x, size_t n, size_t stride) {
    const int exponent = imp_exponent(imp_largest(x, (n + stride - 1) / stride, stride));
    imp_shift(x, n, -exponent);
    return exponent;
}

/* b <- w + A z for impulses z (n). What rounding leaves of a velocity is none. */
static void move_on(normals *s) {
    const size_t n = (size_t)s->n;
    for (size_t j = 0; j < n; j++) {
        const double *row = s->A + j * n;
        double terms = fabs(s->b[j]), moved = s->w[j];
        for (size_t i = 0; i < n; i++) {
            terms += fabs(row[i]) * (s->y[i] + s->z[i]);
            moved += row[i] * s->z[i];
        }
        s->b[j] = fabs(moved) <= IMP_STOPPED * terms ? 0 : moved;
    }
}

/* y <- y with restitution: e y more, and phase I once more from there. b <- y of the
 * compression. */
static imp_status expand(const double *e, normals *s) {
    bool any = false;
    imp_status status = IMP_OK;
    for (int i = 0; i < s->n; i++) {
        s->z[i] = e[i] * s->y[i];
        any = any || s->z[i] > 0;
    }
    if (any) move_on(s);
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    if (any) status = imp_convex_active(s->n, s->A, s->b, s->z, s->w, s->v, s->work);
    for (int i = 0; i < s->n; i++) {
        s->b[i] = s->y[i];
        s->y[i] += e[i] * s->y[i] + s->z[i];
    }
    return status;
}

/* What expand() left, as a path; 2^exponent N s is the unit. */
static imp_status record(const imp_problem *problem, const normals *s, int exponent,
                         imp_path *path) {
    const size_t n = (size_t)s->n;
    double *steps = calloc(9 * n, sizeof *steps);
    for (size_t i = 0; steps && i < n; i++) {
        steps[3 * i] = imp_ldexp(s->b[i], exponent);
        steps[3 * (n + i)] = imp_ldexp(problem->e[i] * s->b[i], exponent);
        steps[3 * (2 * n + i)] = imp_ldexp(s->z[i], exponent);
    }
    const imp_status status = steps ? imp_phases_record(path, problem, steps, 1) : IMP_NO_MEMORY;
    free(steps);
    return status;
}

/* path: where to record, or NULL. */
static imp_status solve_dense(const imp_problem *problem, double *p, void *work, imp_path *path) {
    normals s = lay_out(problem->nc, work);
    const size_t n = (size_t)s.n;
    read_matrix(problem->W, &s);
    for (size_t i = 0; i < n; i++)
        s.b[i] = problem->q[3 * i] + (problem->gap ? problem->gap[i] : 0);
    const int W_exponent = scale(s.A, n * n, n + 1), exponent = scale(s.b, n, 1) - W_exponent;
    imp_status status = imp_convex_active(s.n, s.A, s.b, s.y, s.w, s.v, s.work);
    if (status == IMP_OK && problem->e) status = expand(problem->e, &s);
    if (status == IMP_OK && path && problem->e) {
        status = record(problem, &s, exponent, path);
        if (status != IMP_OK) return status;
    }
    memset(p, 0, 3 * n * sizeof *p);
    for (size_t i = 0; i < n && status == IMP_OK; i++)
        p[3 * i] = imp_ldexp(s.y[i], exponent);
    return status;
}

imp_status imp_frictionless(const imp_problem *problem, double *p, imp_convex_report *report) {
    return imp_convex_phases(problem, &by_islands, false, p, report);
}

static size_t workspace(const imp_problem *problem, const void *settings) {
    (void)settings;
    const size_t n = (size_t)problem->nc;
    return n > IMP_CONVEX_DENSE
               ? 0
               : (n * n + 5 * n) * sizeof(double) + imp_convex_active_workspace(problem->nc);
}

static imp_status solve_model(const imp_problem *problem, const void *settings, double *p,
                              void *work, imp_info *info) {
    (void)settings;
    imp_convex_report report = {.path = info->path};
    const bool by_island = problem->nc > IMP_CONVEX_DENSE ||
                           (imp_phases_bounce(problem) && imp_problem_overlaps(problem));
    const imp_status status =
        by_island ? IMP_UNSUPPORTED : solve_dense(problem, p, work, info->path);
    if (status == IMP_OK || status == IMP_NO_MEMORY) return status;
    return imp_frictionless(problem, p, &report);
}

const imp_model imp_model_frictionless = {
    .name = "frictionless",
    .title = "least kinetic energy by normal impulses alone, with Poisson restitution",
    .citation = "Drumwright, Shell 2010, phase I; Anitescu, Potra 1997",
    .law = &imp_law_frictionless,
    .takes =
        IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_ONLY_FRICTIONLESS | IMP_NEVER_GAINS_ENERGY,
    .workspace = workspace,
    .solve = solve_model,
};
