/* convex_phase1_large.c - phase I of islands beyond the reach of pivoting.
 *
 * A primal-dual interior point (Mehrotra 1992) on 1/2 y'A_N y + b'y, y >= 0, finds who pushes; then its answer is made
 * exact by semismooth Newton steps: y <- the solution of A_PP z = -b_P on the set P = {y > w}, w = A_N y + b, each a
 * proximal step, for A_PP may be singular. b is raised by a tiny multiple of 1 in the interior point, which turns the
 * choice among several solutions to the one of least sum; the last steps are made with b itself. All factors are
 * sparse, of A_N plus a positive diagonal, in one order. */
#include "multi/convex_phase1.h"

#include "multi/quasi_definite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100, PATIENCE = 5, NEWTON_STEPS = 40, REFINEMENTS = 2 };

static const double bias = 1e-7;      /* added to b, in units of the largest velocity */
static const double proximal = 1e-11; /* of the mean diagonal of W: regular matrices, steps nearly Newton's */
static const double nearly = 1e-6;    /* residual up to which an answer is still better than none */
static const double exact = 1e-15;    /* residual below which nothing is left but rounding */

typedef struct large {
    const convex_island *island;
    int n;
    double *value;             /* (entries of A_N) of the matrix to factorise */
    double *y, *w, *dy, *dw;   /* (n) impulses, opening velocities and their steps */
    double *rd, *D, *r, *left; /* (n) A y + b - w, diagonal added to A, right side, what it leaves */
    bool *pushes;              /* (n) rows and columns of A that count; the others are those of the unit matrix */
    quasi_definite *factor;
} large;

static bool allocate(large *s, const convex_island *island) {
    const size_t n = (size_t)island->n, entries = (size_t)island->start[n];
    *s = (large){.island = island, .n = island->n};
    s->value = malloc((entries + 8 * n) * sizeof *s->value);
    s->pushes = malloc(n * sizeof *s->pushes);
    s->factor = imp_quasi_definite_new(s->n, island->start, island->column); /* W is symmetric */
    if (!s->value || !s->pushes || !s->factor) return false;
    double **const vectors[] = {&s->y, &s->w, &s->dy, &s->dw, &s->rd, &s->D, &s->r, &s->left};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = s->value + entries + k * n;
    return true;
}

static void release(large *s) {
    imp_quasi_definite_free(s->factor);
    free(s->value);
    free(s->pushes);
}

/* Factors of A_PP + diag(D) on the set P that pushes. */
static bool factorise(large *s) {
    const convex_island *island = s->island;
    for (int i = 0; i < s->n; i++)
        for (int k = island->start[i]; k < island->start[i + 1]; k++) {
            const int j = island->column[k];
            const bool within = s->pushes[i] && s->pushes[j];
            s->value[k] = within ? island->block[9 * (size_t)k] : 0;
            if (i == j) s->value[k] = within ? s->value[k] + s->D[i] : 1;
        }
    return imp_quasi_definite_factor(s->factor, s->value);
}

/* x (n) <- (A_PP + diag(D))^-1 r_P, 0 elsewhere; refined. */
static void solve(large *s, double *x) {
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int round = 0;; round++) {
        imp_convex_apply_normal(s->island, x, s->left);
        for (int i = 0; i < s->n; i++)
            s->left[i] = s->pushes[i] ? s->r[i] - s->left[i] - s->D[i] * x[i] : 0;
        imp_quasi_definite_solve(s->factor, s->left);
        for (int i = 0; i < s->n; i++)
            x[i] += s->left[i];
        if (round == REFINEMENTS) return;
    }
}

/* dy, dw of the Newton step towards y w = centre; with the step before in dy, dw its second-order term. */
static void direction(large *s, double centre, bool corrector) {
    double *product = s->r; /* y w + y dw + w dy should be this */
    for (int i = 0; i < s->n; i++)
        product[i] = (centre - (corrector ? s->dy[i] * s->dw[i] : 0)) / s->y[i] - s->w[i];
    for (int i = 0; i < s->n; i++) {
        s->dw[i] = product[i];
        s->r[i] = product[i] - s->rd[i];
    }
    solve(s, s->dy);
    for (int i = 0; i < s->n; i++)
        s->dw[i] -= s->w[i] / s->y[i] * s->dy[i];
}

static double reach(const large *s) {
    double a = 1 / 0.995;
    for (int i = 0; i < s->n; i++) {
        if (s->dy[i] < 0) a = fmin(a, -s->y[i] / s->dy[i]);
        if (s->dw[i] < 0) a = fmin(a, -s->w[i] / s->dw[i]);
    }
    return a;
}

/* One predictor-corrector step; false where it is no longer possible. */
static bool step(large *s, double mean_product) {
    for (int i = 0; i < s->n; i++)
        s->D[i] = s->w[i] / s->y[i] + proximal;
    if (!factorise(s)) return false;
    direction(s, 0, false);
    const double left = 1 - fmin(1, reach(s));
    direction(s, left * left * left * mean_product, true);
    const double a = fmin(1, 0.995 * reach(s));
    if (!(a > 1e-8)) return false;
    for (int i = 0; i < s->n; i++) {
        s->y[i] += a * s->dy[i];
        s->w[i] += a * s->dw[i];
    }
    return true;
}

/* y from the interior, with b (n); y (n) <- the best on the way. */
static void interior(large *s, const double *b, double *y) {
    double best = INFINITY;
    int idle = 0;
    for (int i = 0; i < s->n; i++) {
        s->y[i] = s->w[i] = 1;
        s->pushes[i] = true;
    }
    for (int k = 0; k < MOST_STEPS && idle < PATIENCE; k++) {
        double worst = 0, sum = 0;
        imp_convex_apply_normal(s->island, s->y, s->rd);
        for (int i = 0; i < s->n; i++) {
            const double w = s->rd[i] + b[i] + bias;
            worst = fmax(worst, fabs(fmin(s->y[i], w)));
            s->rd[i] = w - s->w[i];
            sum += s->y[i] * s->w[i];
        }
        if (!(worst < INFINITY)) return;
        idle = worst < 0.9 * best ? 0 : idle + 1;
        if (worst < best) {
            best = worst;
            memcpy(y, s->y, (size_t)s->n * sizeof *y);
        }
        if (worst < exact || !step(s, sum / s->n)) return;
    }
}

/* Semismooth Newton steps from y while they help; y <- the best, whose residual is returned. */
static double newton(large *s, const double *b, double *y) {
    double best = imp_convex_phase1_residual(s->island, b, y, s->w);
    memcpy(s->y, y, (size_t)s->n * sizeof *y);
    for (int k = 0, idle = 0; k < NEWTON_STEPS && idle < PATIENCE && best > exact; k++) {
        for (int i = 0; i < s->n; i++) {
            s->pushes[i] = s->y[i] > s->w[i];
            s->D[i] = proximal;
            s->r[i] = proximal * fmax(0, s->y[i]) - b[i];
        }
        if (!factorise(s)) break;
        solve(s, s->y);
        for (int i = 0; i < s->n; i++)
            s->dy[i] = fmax(0, s->y[i]);
        const double worst = imp_convex_phase1_residual(s->island, b, s->dy, s->w);
        if (!(worst < INFINITY)) break;
        idle = worst < 0.5 * best ? 0 : idle + 1;
        if (worst < best) {
            best = worst;
            memcpy(y, s->dy, (size_t)s->n * sizeof *y);
        }
        imp_convex_apply_normal(s->island, s->y, s->w);
        for (int i = 0; i < s->n; i++)
            s->w[i] += b[i];
    }
    return best;
}

/* What a residual is worth. Rounding of A y grows with y; where there is no solution y grows without bound. */
static imp_status judge(int n, const double *b, const double *y, double residual) {
    double speed = 1, push = 0;
    for (int i = 0; i < n; i++) {
        speed = fmax(speed, fabs(b[i]));
        push = fmax(push, y[i]);
    }
    if (residual <= 1e-10 * speed + 1e-13 * push) return IMP_OK;
    return residual <= nearly * speed && nearly * push <= n ? IMP_NOT_CONVERGED : IMP_NO_SOLUTION;
}

imp_status imp_convex_phase1_large(const convex_island *island, const double *b, double *y) {
    large s;
    imp_status status = IMP_NO_MEMORY;
    if (allocate(&s, island)) {
        memset(y, 0, (size_t)s.n * sizeof *y);
        interior(&s, b, y);
        status = judge(s.n, b, y, newton(&s, b, y));
    }
    release(&s);
    return status;
}
