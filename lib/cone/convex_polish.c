/* convex_polish.c - the answer of an interior point made exact: a regularised Newton method on its
 * KKT conditions.
 *
 * With g = W (x - E lambda) + q the conditions are, by projections,
 *     min(u_n + gap, lambda) = 0,   min(kappa - sum x_n, theta) = 0,   min(x_n, nu) = 0,   nu = g_n
 *     + theta - mu z_0, s - P(s - z) = 0,   s = (mu x_n + viscous, x_to),   z = (z_0, g_to),   P
 *     onto the second-order cone.
 * Solutions form a set (x where W is singular, multipliers where the rows depend on each other):
 * Levenberg-Marquardt steps with the residual as regularisation converge quadratically to a point
 * of it (Fan, Yuan 2005). The least squares are solved by QR of the stacked matrix, so that nothing
 * is squared. */
#include "base/exact.h"
#include "base/length.h"
#include "linear/dense.h"
#include "cone/convex_interior.h"
#include "contact/friction_cone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 40 };

static const double rounding = 1e-15; /* a few of velocities, which are near 1 */

typedef struct polish {
    const convex_island *island;
    int n, unknowns; /* contacts; 5n + 1: x, lambda, z_0, theta */
    const double *W; /* (3n x 3n) */
    double *g, *u;   /* (3n) */
    double *stacked; /* (2 unknowns x unknowns) column-major */
    double *right;   /* (2 unknowns) */
} polish;

/* Columns of the unknowns. */
static int at_lambda(const polish *p) {
    return 3 * p->n;
}
static int at_z0(const polish *p) {
    return 4 * p->n;
}
static int at_theta(const polish *p) {
    return 5 * p->n;
}

static void velocities(const polish *p, const double *v) {
    const size_t rows = 3 * (size_t)p->n;
    const double *lambda = v + at_lambda(p);
    for (size_t i = 0; i < rows; i++) {
        double u = p->island->q[i], less = p->island->lean ? -p->island->lean[i] : 0;
        for (size_t j = 0; j < rows; j++)
            u += p->W[i * rows + j] * v[j];
        for (size_t j = 0; j < (size_t)p->n; j++)
            less += p->W[i * rows + 3 * j] * lambda[j];
        p->u[i] = u;
        p->g[i] = u - less;
    }
}

/* s, and projected <- P(s - z) with its derivative J, unless NULL. */
static void cone_pair(const polish *p, int i, const double *v, double s[3], double projected[3],
                      double *J) {
    const convex_island *island = p->island;
    s[0] = island->mu[i] * v[3 * i] + island->viscous[i];
    s[1] = v[3 * i + 1];
    s[2] = v[3 * i + 2];
    const double difference[3] = {s[0] - v[at_z0(p) + i], s[1] - p->g[3 * i + 1],
                                  s[2] - p->g[3 * i + 2]};
    imp_cone_project(1, difference, projected, J);
}

static double normal_multiplier(const polish *p, int i, const double *v) {
    return p->g[3 * i] + v[at_theta(p)] - p->island->mu[i] * v[at_z0(p) + i];
}

/* F (5n + 1): per contact gap, normal, cone; last the sum. Returns its norm. */
static double conditions(const polish *p, const double *v, double *F) {
    const convex_island *island = p->island;
    double spare = island->kappa, square = 0;
    velocities(p, v);
    for (int i = 0; i < p->n; i++) {
        const convex_rows rows = imp_convex_rows_of(island, i);
        double *f = F + 5 * i, s[3], projected[3];
        const double nu = normal_multiplier(p, i, v);
        spare -= v[3 * i];
        f[0] = fmin(p->u[3 * i] + island->gap[i], v[at_lambda(p) + i]);
        f[1] = rows.normal ? fmin(v[3 * i], nu) : v[3 * i];
        cone_pair(p, i, v, s, projected, NULL);
        for (int r = 0; r < 3; r++)
            f[2 + r] = rows.cone ? s[r] - projected[r] : r == 0 ? v[at_z0(p) + i] : s[r];
    }
    F[5 * p->n] = island->kappa > 0 ? fmin(spare, v[at_theta(p)]) : v[at_theta(p)];
    for (int k = 0; k < p->unknowns; k++)
        square += F[k] * F[k];
    return sqrt(square);
}

/* The product of a pair of which one part is `large`, the other f; what is rounding is none. */
static double product(double f, double large) {
    return fmax(0, fabs(f) - rounding) * fabs(large);
}

/* The largest product of a pair of v, F (5n + 1) being its conditions. */
static double products(const polish *p, const double *v, const double *F) {
    const convex_island *island = p->island;
    double spare = island->kappa, most = 0;
    for (int i = 0; i < p->n; i++) {
        const double *f = F + 5 * i, *x = v + 3 * i, z0 = v[at_z0(p) + i];
        const double gap = p->u[3 * i] + island->gap[i], nu = normal_multiplier(p, i, v);
        spare -= x[0];
        most = fmax(most, product(f[0], fmax(gap, v[at_lambda(p) + i])));
        most = fmax(most, product(f[1], fmax(x[0], nu)));
        if (!imp_convex_rows_of(island, i).cone) continue;
        const double s0 = island->mu[i] * x[0] + island->viscous[i];
        most = fmax(most, fabs(s0 * z0 + x[1] * p->g[3 * i + 1] + x[2] * p->g[3 * i + 2]));
    }
    return fmax(most, product(F[5 * p->n], fmax(spare, v[at_theta(p)])));
}

static double *entry(const polish *p, int row, int column) {
    return p->stacked + (size_t)column * 2 * (size_t)p->unknowns + (size_t)row;
}

/* Row `row` += factor times the derivative of component k of u, or of g with `lambda` too. */
static void add_velocity(const polish *p, int row, int k, double factor, bool lambda) {
    const double *W = p->W + (size_t)k * 3 * (size_t)p->n;
    for (int j = 0; j < 3 * p->n; j++)
        *entry(p, row, j) += factor * W[j];
    for (int j = 0; j < p->n && lambda; j++)
        *entry(p, row, at_lambda(p) + j) -= factor * W[3 * j];
}

static void cone_derivative(const polish *p, int i, const double *v) {
    double s[3], projected[3], J[9];
    cone_pair(p, i, v, s, projected, J);
    for (int r = 0; r < 3; r++) { /* (E - J) ds + J dz */
        const int row = 5 * i + 2 + r;
        for (int c = 0; c < 3; c++) {
            const double ds = (r == c ? 1 : 0) - J[3 * r + c];
            *entry(p, row, 3 * i + c) += c == 0 ? p->island->mu[i] * ds : ds;
            if (c == 0)
                *entry(p, row, at_z0(p) + i) += J[3 * r];
            else
                add_velocity(p, row, 3 * i + c, J[3 * r + c], true);
        }
    }
}

static void derivative(const polish *p, const double *v) {
    const convex_island *island = p->island;
    double spare = island->kappa;
    memset(p->stacked, 0, 2 * (size_t)p->unknowns * (size_t)p->unknowns * sizeof *p->stacked);
    for (int i = 0; i < p->n; i++) {
        const convex_rows rows = imp_convex_rows_of(island, i);
        spare -= v[3 * i];
        if (p->u[3 * i] + island->gap[i] < v[at_lambda(p) + i])
            add_velocity(p, 5 * i, 3 * i, 1, false);
        else
            *entry(p, 5 * i, at_lambda(p) + i) = 1;
        if (!rows.normal || v[3 * i] <= normal_multiplier(p, i, v))
            *entry(p, 5 * i + 1, 3 * i) = 1;
        else {
            add_velocity(p, 5 * i + 1, 3 * i, 1, true);
            *entry(p, 5 * i + 1, at_theta(p)) += 1;
            *entry(p, 5 * i + 1, at_z0(p) + i) -= island->mu[i];
        }
        if (rows.cone) {
            cone_derivative(p, i, v);
            continue;
        }
        *entry(p, 5 * i + 2, at_z0(p) + i) = 1;
        *entry(p, 5 * i + 3, 3 * i + 1) = *entry(p, 5 * i + 4, 3 * i + 2) = 1;
    }
    if (island->kappa > 0 && spare < v[at_theta(p)])
        for (int i = 0; i < p->n; i++)
            *entry(p, 5 * p->n, 3 * i) = -1;
    else
        *entry(p, 5 * p->n, at_theta(p)) = 1;
}

/* trial <- v + the minimiser of |F + J d|^2 + damping^2 |d|^2. */
static bool newton_step(const polish *p, const double *v, const double *F, double damping,
                        double *trial) {
    const int N = p->unknowns;
    derivative(p, v);
    memset(p->right, 0, 2 * (size_t)N * sizeof *p->right);
    for (int k = 0; k < N; k++) {
        *entry(p, N + k, k) = damping;
        p->right[k] = -F[k];
    }
    if (!imp_least_squares(2 * N, N, p->stacked, p->right)) return false;
    for (int k = 0; k < N; k++)
        trial[k] = v[k] + p->right[k];
    return true;
}

/* Steps from v until the conditions hold to rounding or no longer improve. Returns the norm of
 * F. */
static double descend(const polish *p, double *v, double *F, double *trial, double *trial_F,
                      int *steps) {
    const size_t bytes = (size_t)p->unknowns * sizeof *v;
    double norm = conditions(p, v, F), damping = norm;
    for (*steps = 0; *steps < MOST_STEPS && norm > rounding && damping < 1; ++*steps) {
        (void)conditions(p, v, F); /* u and g at v */
        if (!newton_step(p, v, F, damping, trial)) break;
        const double next = conditions(p, trial, trial_F);
        if (!(next < norm)) {
            if (norm < 100 * rounding) break; /* what a larger damping would save is noise */
            damping *= 10;
            continue;
        }
        memcpy(v, trial, bytes);
        memcpy(F, trial_F, bytes);
        norm = next;
        damping = fmax(rounding, fmin(norm, damping));
    }
    return norm;
}

/* Multipliers that are not large beside their rows go to 0: where both vanish in the limit
 * (contacts that stick leave neither approach nor a need to be kept from it) the interior point
 * comes near as the square root of its target only, and a step onto the rows lands on multipliers
 * below 0 (test_convex_hard). Returns whether there were any. */
static bool drop_weak(const polish *p, double *v) {
    const double strict = 1e4;
    const size_t rows = 3 * (size_t)p->n;
    double *lambda = v + at_lambda(p), *theta = v + at_theta(p), spare = p->island->kappa;
    bool any = false;
    velocities(p, v);
    for (size_t i = 0; i < (size_t)p->n; i++) {
        const double own = p->W[3 * i * (rows + 1)], row = p->u[3 * i] + p->island->gap[i];
        spare -= v[3 * i];
        if (lambda[i] == 0 || own * lambda[i] > strict * row) continue;
        lambda[i] = 0;
        any = true;
    }
    if (*theta > strict * spare) return any;
    *theta = 0;
    return true;
}

/* Impulses that do little beside velocities near 1 go to 0. Where all is at rest in the end both
 * parts of every pair vanish; the interior point leaves some 1e-6 of them, which Newton's steps
 * only halve. Those that are needed they find again. */
static void drop_idle(const polish *p, double *v) {
    const double little = 1e-6;
    for (int i = 0; i < p->n; i++) {
        const double *W = imp_convex_own_block(p->island, i);
        if ((W[0] + W[4] + W[8]) * imp_largest(v + 3 * i, 3, 1) > little) continue;
        memset(v + 3 * i, 0, 3 * sizeof *v);
    }
    velocities(p, v);
    for (int i = 0; i < p->n; i++)
        if (imp_convex_rows_of(p->island, i).cone && v[3 * i] == 0)
            v[at_z0(p) + i] = imp_length(p->g[3 * i + 1], p->g[3 * i + 2]);
}

imp_status imp_convex_polish(const convex_island *island, double surely, convex_point *point) {
    const size_t n = (size_t)island->n, N = 5 * n + 1, rows = 3 * n;
    double *W = malloc((rows * rows + 2 * rows + 2 * N * N + 2 * N + 4 * N) * sizeof *W);
    if (!W) return IMP_NO_MEMORY;
    polish p = {.island = island, .n = island->n, .unknowns = (int)N, .W = W, .g = W + rows * rows};
    p.u = p.g + rows;
    p.stacked = p.u + rows;
    p.right = p.stacked + 2 * N * N;
    double *v = p.right + 2 * N, *F = v + N, *trial = F + N, *trial_F = trial + N;
    imp_convex_dense(island, W);
    memcpy(v, point->x, 5 * n * sizeof *v);
    v[5 * n] = point->theta;
    point->norm = conditions(&p, v, F);
    double norm = INFINITY;
    /* without the weak multipliers, with them, without idle impulses either */
    for (int way = 0; way < 3 && norm > IMP_CONVEX_EXACT; way++) {
        int steps;
        memcpy(v, point->x, 5 * n * sizeof *v);
        v[5 * n] = point->theta;
        const bool weak = way != 1 && drop_weak(&p, v);
        if (way == 0 && !weak) continue;
        if (way == 2) drop_idle(&p, v);
        norm = descend(&p, v, F, trial, trial_F, &steps);
        point->iterations += steps;
        if (!(norm < point->norm)) continue;
        (void)conditions(&p, v, F); /* descend() leaves those of what it tried last */
        if (norm > point->residual && fmax(norm, products(&p, v, F)) > surely) continue;
        point->norm = point->residual = norm;
        memcpy(point->x, v, 5 * n * sizeof *v);
        point->theta = v[5 * n];
    }
    free(W);
    return IMP_OK;
}
