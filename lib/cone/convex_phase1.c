/* convex_phase1.c - phase I (Drumwright, Shell 2010, QP3): by pivoting where it reaches, beyond by
 * an interior point.
 *
 * A_N y is unique, y need not be: wedged contacts have a ray of solutions, and kappa = 1'y would
 * then be arbitrary. The least sum is taken; the paper leaves this open. Pivoting walks to it
 * (convex_least_sum.c). Without pivoting: of all solutions of y >= 0, w = A_N y + b >= 0, y'w = 0
 * the one of least sum is the limit of those for b + epsilon 1, epsilon > 0: there y changes by
 * -epsilon d, A_PP d = 1 on the set P that pushes, and a contact that neither pushes nor opens in
 * the limit does one of both by a multiple of epsilon, far above rounding. So P is found with
 * epsilon: by a primal-dual interior point (Mehrotra 1992), made exact by semismooth Newton steps,
 * y <- the solution of A_PP z = -b_P on P = {y > w}. Then y is solved on P for b itself, and d with
 * it. They prove themselves: y complementary shows a solution; A_PP d = 1 and (A d)_j <= 1 for the
 * contacts that neither push nor open, the optimality conditions of the linear program, show the
 * least sum. Where they do not, epsilon was too large for this P, and a smaller one follows. All
 * factors are sparse, of A_PP plus a tiny diagonal, in one order; A_PP may be singular, which
 * proximal steps bear.
 */
#include "cone/convex_phase1.h"

#include "cone/convex_active.h"
#include "linear/quasi_definite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of one iteration, which ends by itself long before; those without gain in a row; epsilons.
 * tests/test_convex_large.c has what is lost with fewer of the last two, and with a tenth or ten
 * times most_bias, proximal and exact. */
enum { MOST_STEPS = 100, PATIENCE = 5, BIASES = 4 };

/* epsilon, in units of the largest velocity: BIASES of them, 1e-7 to 1e-13 */
static const double most_bias = 1e-7, less = 1e-2;
/* of the mean diagonal of W: regular matrices, steps nearly Newton's */
static const double proximal = 1e-11;
static const double nearly = 1e-6; /* residual of what `ok` allows: still better than no answer */
static const double exact = 1e-15; /* a few roundings of velocities, which are near 1 */

typedef struct large {
    const convex_island *island;
    int n;
    double *value;           /* (entries of A_N) of the matrix to factorise */
    double *b, *start;       /* (n) with epsilon; the solution for it */
    double *y, *w, *dy, *dw; /* (n) impulses, opening velocities and their steps */
    double *rd, *D, *r;      /* (n) A y + b - w, diagonal added to A, right side */
    double *d, *size;        /* (n) change of y with epsilon; scale of the rounding in w */
    /* (n) rows and columns of A that count; the others are those of the unit matrix */
    bool *pushes;
    quasi_definite *factor;
} large;

static bool allocate(large *s, const convex_island *island) {
    const size_t n = (size_t)island->n, entries = (size_t)island->start[n];
    *s = (large){.island = island, .n = island->n};
    s->value = malloc((entries + 11 * n) * sizeof *s->value);
    s->pushes = malloc(n * sizeof *s->pushes);
    s->factor = imp_quasi_definite_new(s->n, island->start, island->column); /* W is symmetric */
    if (!s->value || !s->pushes || !s->factor) return false;
    double **const vectors[] = {&s->b, &s->y, &s->w, &s->dy,   &s->dw,   &s->rd,
                                &s->D, &s->r, &s->d, &s->size, &s->start};
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
    imp_convex_normal_part(s->island, s->pushes, s->D, s->value);
    return imp_quasi_definite_factor(s->factor, s->value);
}

/* x (n) <- (A_PP + diag(D))^-1 r_P, 0 elsewhere. */
static void solve(large *s, double *x) {
    for (int i = 0; i < s->n; i++)
        x[i] = s->pushes[i] ? s->r[i] : 0;
    imp_quasi_definite_solve(s->factor, x);
}

/* dy, dw of the Newton step towards y w = centre; with the step before in dy, dw its second-order
 * term. */
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

/* y (n) <- the last on the way through the interior. It goes on while w comes nearer to A y + b,
 * too: from afar the products rise on the way (test_convex_large: bins), and where impulses are as
 * far apart as masses the first steps are short, but each brings it nearer. */
static void interior(large *s, double *y) {
    double best = INFINITY, nearest = INFINITY;
    int idle = 0;
    for (int i = 0; i < s->n; i++) {
        s->y[i] = s->w[i] = 1;
        s->pushes[i] = true;
    }
    for (int k = 0; k < MOST_STEPS && idle < PATIENCE; k++) {
        double worst = 0, sum = 0, off = 0;
        imp_convex_apply_normal(s->island, s->y, s->rd);
        for (int i = 0; i < s->n; i++) {
            const double w = s->rd[i] + s->b[i];
            worst = fmax(worst, fabs(fmin(s->y[i], w)));
            s->rd[i] = w - s->w[i];
            sum += s->y[i] * s->w[i];
            off = fmax(off, fabs(s->rd[i]));
        }
        if (!(worst < INFINITY)) return;
        const double gain = off > nearly ? 1 : 0.9;
        idle = worst < 0.9 * best || off < gain * nearest ? 0 : idle + 1;
        best = fmin(best, worst);
        nearest = fmin(nearest, off);
        memcpy(y, s->y, (size_t)s->n * sizeof *y);
        if (worst < exact || !step(s, sum / s->n)) return;
    }
}

/* P <- {y > w}; its factors. */
static bool choose(large *s, const double *y, const double *w) {
    for (int i = 0; i < s->n; i++) {
        s->pushes[i] = y[i] > w[i];
        s->D[i] = proximal;
    }
    return factorise(s);
}

/* Semismooth Newton steps from y while they help; y <- the best. */
static void newton(large *s, double *y) {
    double best = imp_convex_phase1_residual(s->island, s->b, y, s->w);
    memcpy(s->y, y, (size_t)s->n * sizeof *y);
    for (int k = 0, idle = 0; k < MOST_STEPS && idle < PATIENCE && best > exact; k++) {
        if (!choose(s, s->y, s->w)) break;
        for (int i = 0; i < s->n; i++)
            s->r[i] = proximal * fmax(0, s->y[i]) - s->b[i];
        solve(s, s->y);
        for (int i = 0; i < s->n; i++)
            s->dy[i] = fmax(0, s->y[i]);
        const double worst = imp_convex_phase1_residual(s->island, s->b, s->dy, s->w);
        if (!(worst < INFINITY)) break;
        idle = worst < 0.9 * best ? 0 : idle + 1;
        if (worst < best) {
            best = worst;
            memcpy(y, s->dy, (size_t)s->n * sizeof *y);
        }
        imp_convex_apply_normal(s->island, s->y, s->w);
        for (int i = 0; i < s->n; i++)
            s->w[i] += s->b[i];
    }
}

/* x (n) <- the solution of A_PP x = target_P (b: -b_P; NULL: 1), 0 elsewhere, by proximal steps
 * from x while what is left, max |target - A x|, halves. */
static void settle(large *s, const double *b, double *x) {
    double least = INFINITY;
    for (int i = 0; i < s->n; i++)
        s->dy[i] = x[i] = s->pushes[i] ? x[i] : 0;
    for (int k = 0; k < MOST_STEPS; k++) {
        double left = 0;
        imp_convex_apply_normal(s->island, s->dy, s->r);
        for (int i = 0; i < s->n; i++) {
            s->r[i] = s->pushes[i] ? (b ? -b[i] : 1) - s->r[i] : 0;
            left = fmax(left, fabs(s->r[i]));
        }
        if (left < least) memcpy(x, s->dy, (size_t)s->n * sizeof *x);
        if (!(left < 0.5 * least) || left == 0) return;
        least = left;
        solve(s, s->dw);
        for (int i = 0; i < s->n; i++)
            s->dy[i] += s->dw[i];
    }
}

/* sum += (A y)_i, size += its absolute parts. */
static void add_row(const convex_island *island, int i, const double *y, double *sum,
                    double *size) {
    for (int k = island->start[i]; k < island->start[i + 1]; k++) {
        const double term = island->block[9 * (size_t)k] * y[island->column[k]];
        *sum += term;
        *size += fabs(term);
    }
}

/* Is y (n), solved on P and now clipped at 0, a solution for b itself? w and size follow. */
static bool complementary(large *s, const double *b, double *y) {
    bool good = true;
    for (int i = 0; i < s->n; i++)
        y[i] = fmax(0, y[i]);
    for (int i = 0; i < s->n; i++) {
        s->w[i] = b[i];
        s->size[i] = fabs(b[i]);
        add_row(s->island, i, y, &s->w[i], &s->size[i]);
        const double off = IMP_CONVEX_ACCURATE * fmax(1, s->size[i]);
        good = good && s->w[i] >= -off && (s->w[i] <= off || y[i] == 0);
    }
    return good;
}

/* Is it the one of least sum? */
static bool least(large *s) {
    memset(s->d, 0, (size_t)s->n * sizeof *s->d);
    settle(s, NULL, s->d);
    imp_convex_apply_normal(s->island, s->d, s->r);
    for (int i = 0; i < s->n; i++) {
        const bool closed = s->w[i] <= IMP_CONVEX_OPENING * fmax(1, s->size[i]);
        if (s->pushes[i] && !(fabs(s->r[i] - 1) <= IMP_CONVEX_LEAST)) return false;
        if (closed && !(s->r[i] <= 1 + IMP_CONVEX_LEAST)) return false;
    }
    return true;
}

/* Is there no solution, for certain? On the way through the interior y then grows without bound
 * along impulses that nothing resists. A proximal step from there towards 0 leaves next to nothing
 * of what is resisted, and what it leaves is judged by itself. */
static bool contradictory(large *s, const double *b) {
    double *z = s->start;
    convex_proof proof = {0};
    for (int i = 0; i < s->n; i++)
        s->b[i] = b[i] + most_bias;
    interior(s, z);
    (void)imp_convex_phase1_residual(s->island, s->b, z, s->w);
    if (!choose(s, z, s->w)) return false;
    memcpy(s->r, z, (size_t)s->n * sizeof *z);
    solve(s, z);
    for (int i = 0; i < s->n; i++) {
        z[i] = fmax(0, z[i]);
        proof.work -= b[i] * z[i];
    }
    for (int i = 0; i < s->n; i++) {
        const double root = sqrt(imp_convex_own_block(s->island, i)[0]);
        double sum = 0, size = 0;
        if (root == 0) continue;
        add_row(s->island, i, z, &sum, &size);
        proof.length += z[i] * root;
        proof.moved = fmax(proof.moved, fabs(sum) / root);
        proof.usual = fmax(proof.usual, fabs(b[i]) / root);
    }
    return imp_convex_proves(&proof);
}

/* y (n) <- the first answer that proves itself, else the one that leaves least; v (n) <- its d.
 * Returns its residual. */
static double search(large *s, const double *b, double *y, double *v) {
    double best = INFINITY, *biased = s->start;
    memset(biased, 0, (size_t)s->n * sizeof *biased);
    double epsilon = most_bias;
    for (int k = 0; k < BIASES; k++, epsilon *= less) {
        for (int i = 0; i < s->n; i++)
            s->b[i] = b[i] + epsilon;
        if (k == 0) interior(s, biased);
        newton(s, biased);
        (void)imp_convex_phase1_residual(s->island, s->b, biased, s->w);
        if (!choose(s, biased, s->w)) break;
        memcpy(s->y, biased, (size_t)s->n * sizeof *biased);
        settle(s, b, s->y);
        const bool solved = complementary(s, b, s->y), proven = least(s) && solved;
        const double residual = imp_convex_phase1_residual(s->island, b, s->y, s->w);
        if (residual < best || proven) {
            memcpy(y, s->y, (size_t)s->n * sizeof *y);
            memcpy(v, s->d, (size_t)s->n * sizeof *v);
        }
        best = proven ? residual : fmin(best, residual);
        if (proven) return best;
    }
    return best;
}

imp_status imp_convex_phase1_large(const convex_island *island, const double *b, double *y,
                                   double *v) {
    large s;
    imp_status status = IMP_NO_MEMORY;
    if (allocate(&s, island)) {
        memset(y, 0, (size_t)s.n * sizeof *y);
        memset(v, 0, (size_t)s.n * sizeof *v);
        double speed = 1;
        for (int i = 0; i < s.n; i++)
            speed = fmax(speed, fabs(b[i]));
        const double residual = search(&s, b, y, v);
        if (residual <= 1e-10 * speed)
            status = IMP_OK;
        else
            status = contradictory(&s, b) ? IMP_NO_SOLUTION : IMP_NOT_CONVERGED;
        if (!(residual <= nearly * speed)) memset(y, 0, (size_t)s.n * sizeof *y);
    }
    release(&s);
    return status;
}

/* By the dual active set on the matrix of the normals. */
static imp_status dense(const convex_island *s, const double *b, double *y, double *v) {
    const size_t n = (size_t)s->n;
    double *A = malloc((n * n + n) * sizeof *A + imp_convex_active_workspace(s->n)), *w = A + n * n;
    if (!A) return IMP_NO_MEMORY;
    imp_convex_normal_matrix(s, A);
    const imp_status status = imp_convex_active(s->n, A, b, y, w, v, w + n);
    free(A);
    return status;
}

imp_status imp_convex_phase1(const convex_island *s, const double *b, double *y, double *v) {
    double least = 0;
    memset(y, 0, (size_t)s->n * sizeof *y);
    memset(v, 0, (size_t)s->n * sizeof *v);
    for (int i = 0; i < s->n; i++)
        least = fmin(least, b[i]);
    if (least >= 0) return IMP_OK;
    imp_status status = s->n <= IMP_CONVEX_DENSE ? dense(s, b, y, v) : IMP_NOT_CONVERGED;
    if (status == IMP_NOT_CONVERGED) status = imp_convex_phase1_large(s, b, y, v);
    if (status == IMP_NO_SOLUTION) memset(y, 0, (size_t)s->n * sizeof *y);
    return status;
}
