/* contradiction.c - z from the frictionless impact on A_N + epsilon E, which always has an answer
 * y: where A_N has none, y grows as z / epsilon. What y proves is then looked at by itself. */
#include "cone/contradiction.h"

#include "base/exact.h"
#include "base/length.h"
#include "cone/convex_active.h"

#include <math.h>
#include <stdlib.h>

static const double epsilon = 1e-9; /* of the largest diagonal entry */
static const double beyond = 1e6;

/* In units in which the largest of the diagonal and of b are near 1. */
typedef struct normals {
    int n;
    double *A, *b, *y, *w, *v, *root; /* (n x n), (n) each; sqrt(W_nn) */
    double *x, *Wx;                   /* (3n) each: z as impulses */
    void *work;
} normals;

static double *allocate(int nc, normals *s) {
    const size_t n = (size_t)nc;
    double *at = calloc(1, (n * n + 5 * n + 6 * n) * sizeof *at + imp_convex_active_workspace(nc));
    if (!at) return NULL;
    *s = (normals){.n = nc, .A = at};
    s->b = s->A + n * n;
    s->y = s->b + n;
    s->w = s->y + n;
    s->v = s->w + n;
    s->root = s->v + n;
    s->x = s->root + n;
    s->Wx = s->x + 3 * n;
    s->work = s->Wx + 3 * n;
    return at;
}

/* Returns the exponent of the unit of W. */
static int read(const imp_problem *problem, normals *s) {
    const size_t n = (size_t)s->n;
    double block[9];
    for (size_t i = 0; i < n; i++) {
        s->b[i] = problem->q[3 * i];
        for (size_t j = 0; j < n; j++) {
            problem->W->kind->block(problem->W, (int)i, (int)j, block);
            s->A[i * n + j] = block[0];
        }
    }
    imp_shift(s->b, n, -imp_exponent(imp_largest(s->b, n, 1)));
    const int exponent = imp_exponent(imp_largest(s->A, n, n + 1));
    imp_shift(s->A, n * n, -exponent);
    for (size_t i = 0; i < n; i++)
        s->root[i] = sqrt(s->A[i * (n + 1)]);
    return exponent;
}

/* Does x, impulses along the normals, prove it? */
static bool proves(const imp_problem *problem, const normals *s) {
    double work = 0, moved = 0, usual = 0;
    for (int i = 0; i < s->n; i++) {
        const double *u = s->Wx + 3 * (size_t)i,
                     helped = fabs(u[0]) + problem->mu[i] * imp_length(u[1], u[2]);
        work -= s->x[3 * (size_t)i] * s->b[i];
        if (s->root[i] == 0) continue; /* nothing moves it */
        moved = fmax(moved, helped / s->root[i]);
        usual = fmax(usual, fabs(s->b[i]) / s->root[i]);
    }
    return work > beyond * usual * moved;
}

imp_status imp_contradiction(const imp_problem *problem) {
    const int nc = problem->nc;
    const size_t n = (size_t)nc;
    normals s;
    if (problem->W->as_given || nc > IMP_CONVEX_DENSE) return IMP_NOT_CONVERGED;
    double *room = allocate(nc, &s);
    if (!room) return IMP_NO_MEMORY;
    const int exponent = read(problem, &s);
    for (size_t i = 0; i < n; i++)
        s.A[i * (n + 1)] += epsilon;
    bool found = imp_convex_active(nc, s.A, s.b, s.y, s.w, s.v, s.work) == IMP_OK;
    for (size_t i = 0; i < n; i++)
        s.x[3 * i] = s.y[i];
    imp_operator_apply(problem->W, s.x, NULL, s.Wx);
    imp_shift(s.Wx, 3 * n, -exponent);
    found = found && proves(problem, &s);
    free(room);
    return found ? IMP_NO_SOLUTION : IMP_NOT_CONVERGED;
}
