/* plus_spread.c - where rolling is redundant: the impulse of least norm inside the cones.
 *
 * Uchida, Sherman, Delp (2015), Table 1: the least-norm impulse of the equations may leave a cone
 * although another impulse of the same equations stays inside; the table asks for the least norm
 * among the latter. With the unknowns x of plus_solve.c in a convex set K (the cone of a
 * compressing contact that rolls, the disc of an expanding one, the half line of a sliding one) the
 * problem min |x|^2/2, M x = b, x in K has the dual
 *     max over y of  b'y - |z|^2/2 + dist(z, K)^2/2,  z = M'y,      x = P_K(z),
 * whose gradient is b - M P_K(M'y): solved by Newton's method on the projection's derivative, with
 * a line search. Where no impulse is in K the dual has no bound; Newton's steps creep along its
 * rays, so y is stretched first: without discs t y has t b'y - t^2 |x|^2/2, best at t = b'y/|x|^2,
 * which is 1 at the solution. Where the equations leave a line of impulses, as those of two points
 * on an edge do, the part of it in K has an end that is found outright. */
#include "contact/friction_cone.h"
#include "linear/cof.h"
#include "linear/dense.h"
#include "plus/plus_internal.h"

#include <string.h>

enum { NEWTON_STEPS = 60, HALVINGS = 30 };
/* least norms: an impulse so far away is not rolling any more, and no use */
static const double FAR = 1e3;
/* Of the Hessian's trace, times the misfit: where contacts at the apex leave it singular the step
 * keeps the gradient's part in its null space, and near the solution it is Newton's. */
static const double DAMPING = 1e-6;

typedef enum block_kind { HALF_LINE, DISC, CONE } block_kind;

/* Unknowns of one contact. */
typedef struct block {
    block_kind kind;
    int size;
    double bound; /* radius of the disc, coefficient of the cone */
} block;

static block block_at(const plus *s, int j) {
    const int i = s->unknown[j] / 3;
    if (s->motion[i] != 'r') return (block){HALF_LINE, 1, 0};
    if (s->phase[i] == 'X') return (block){DISC, 2, s->hold[i] * s->pushed[i]};
    return (block){CONE, 3, s->hold[i]};
}

/* x <- P_K(z), D (9, row-major of the block's size) <- its derivative. */
static void project(block k, const double *z, double *x, double *D) {
    double towards[2]; /* the bound is given: not used */
    if (k.kind == CONE)
        imp_cone_project(k.bound, z, x, D);
    else if (k.kind == DISC)
        imp_disc_project(k.bound, z, x, D, towards);
    else {
        D[0] = z[0] < 0 ? 0 : 1;
        x[0] = z[0] < 0 ? 0 : z[0];
    }
}

typedef struct dual {
    double *y, *gradient; /* (equations) */
    double *z, *x;        /* (m) */
    double value;
} dual;

/* DM (rows x size, m apart) <- (D M')', the M of one contact's unknowns (rows x size). */
static void derive(int size, const double D[9], int rows, const double *M, int m,
                   double *restrict DM) {
    for (int k = 0; k < rows; k++, M++, DM += m)
        if (size == 3)
            for (int r = 0; r < 3; r++)
                DM[r] = D[3 * r] * M[0] + D[3 * r + 1] * M[rows] + D[3 * r + 2] * M[2 * rows];
        else if (size == 2)
            for (int r = 0; r < 2; r++)
                DM[r] = D[2 * r] * M[0] + D[2 * r + 1] * M[rows];
        else
            DM[0] = D[0] * M[0];
}

/* Minus the dual's value at y and its gradient; DM (m x equations) unless NULL <- the projection's
 * derivative times M'. */
static void evaluate(const plus *s, dual *d, double *DM) {
    const int m = s->m, rows = s->equations;
    d->value = 0;
    for (int k = 0; k < rows; k++)
        d->value -= s->rhs[k] * d->y[k];
    for (int j = 0; j < m; j++)
        d->z[j] = imp_dense_dot(s->M + (size_t)j * rows, d->y, rows);
    for (int j = 0, size; j < m; j += size) {
        const block b = block_at(s, j);
        double D[9];
        size = b.size;
        project(b, d->z + j, d->x + j, D);
        for (int r = 0; r < size; r++)
            d->value += d->x[j + r] * (d->z[j + r] - 0.5 * d->x[j + r]);
        if (DM) derive(size, D, rows, s->M + (size_t)j * rows, m, DM + j);
    }
    double *restrict gradient = d->gradient;
    for (int k = 0; k < rows; k++)
        gradient[k] = -s->rhs[k];
    for (int j = 0; j < m; j++)
        for (int k = 0; k < rows; k++)
            gradient[k] += s->M[(size_t)j * rows + k] * d->x[j];
}

/* The lower triangle of H (equations x equations) <- M D M' with `share` of its trace on its
 * diagonal, for directions in which nothing moves. */
static void hessian(const plus *s, const double *DM, double share, double *H) {
    const int m = s->m, rows = s->equations;
    double trace = 0;
    for (int c = 0; c < rows; c++) {
        double *restrict column = H + (size_t)c * rows;
        memset(column, 0, (size_t)rows * sizeof *column);
        for (int j = 0; j < m; j++)
            for (int r = c; r < rows; r++)
                column[r] += s->M[(size_t)j * rows + r] * DM[(size_t)c * m + j];
        trace += column[c];
    }
    for (int r = 0; r < rows; r++)
        H[(size_t)r * rows + r] += share * trace + DBL_MIN;
}

static bool has_disc(const plus *s) {
    for (int j = 0, size; j < s->m; j += size) {
        const block b = block_at(s, j);
        size = b.size;
        if (b.kind == DISC) return true;
    }
    return false;
}

/* y <- t y where that is far; false where it is not. */
static bool stretch(const plus *s, dual *d) {
    const double by = imp_dense_dot(s->rhs, d->y, s->equations),
                 square = imp_dense_dot(d->x, d->x, s->m);
    if (!(square > 0 && by > 2 * square)) return false;
    for (int k = 0; k < s->equations; k++)
        d->y[k] *= by / square;
    return true;
}

/* How far x is inside the set of its contact, and the slope of that along z: concave. */
static double depth(block b, const double *x, const double *z, double *slope) {
    const double *f = b.kind == CONE ? x + 1 : x, *g = b.kind == CONE ? z + 1 : z;
    *slope = z[0];
    if (b.kind == HALF_LINE) return x[0];
    const double length = sqrt(f[0] * f[0] + f[1] * f[1]),
                 grows = length > 0 ? (f[0] * g[0] + f[1] * g[1]) / length : 0;
    *slope = (b.kind == CONE ? b.bound * z[0] : 0) - grows;
    return (b.kind == CONE ? b.bound * x[0] : b.bound) - length;
}

/* Newton's step along z from x (m) into a set that x is outside of by more than `rounding`; 0 if it
 * is in all, infinite where z leads into none. */
static double into_set(const plus *s, const double *x, const double *z, double rounding) {
    for (int j = 0, size; j < s->m; j += size) {
        const block b = block_at(s, j);
        double slope;
        const double inside = depth(b, x + j, z + j, &slope);
        size = b.size;
        if (inside < -rounding) return slope != 0 ? -inside / slope : INFINITY;
    }
    return 0;
}

/* Where one unknown is redundant, the impulses of the equations are a line, x + t z with x of least
 * norm: the least |t| whose point is in K. Depths being concave, no step from outside a set leads
 * beyond the near end of its part of the line, and a step back says that two sets have no part in
 * common. */
static bool spread_line(plus *s, double *z) {
    const int m = s->m;
    const double size = plus_largest(s->x, m);
    double *x = z + m, t = 0;
    s->effort += (double)m * m * m;
    memcpy(x, s->x, (size_t)m * sizeof *x);
    for (int iteration = 0; iteration < NEWTON_STEPS; iteration++) {
        const double step = into_set(s, x, z, DBL_EPSILON * (size + fabs(t)));
        if (fabs(step) <= 2 * DBL_EPSILON * fabs(t)) {
            imp_plus_expand(s, x);
            return true;
        }
        t += step;
        if (!(step * t > 0 && fabs(t) <= FAR * size)) return false;
        for (int j = 0; j < m; j++)
            x[j] = s->x[j] + t * z[j];
    }
    return false;
}

bool imp_plus_spread(plus *s) {
    const int m = s->m, rows = s->equations;
    if (rows == m - 1 && imp_cof_line(m, s->M, s->spread, s->work))
        return spread_line(s, s->spread);
    const bool stretches = !has_disc(s);
    double *at = s->spread;
    dual d = {.y = at, .z = at + m, .x = at + 2 * m, .gradient = at + 3 * m}, next = d;
    next.y = at + 4 * m;
    double *step = at + 5 * m, *DM = s->jacobian;
    const double size = plus_largest(s->rhs, rows), far = FAR * plus_largest(s->x, m);
    memset(d.y, 0, (size_t)rows * sizeof *d.y);
    evaluate(s, &d, DM);
    for (int iteration = 0; iteration < NEWTON_STEPS; iteration++) {
        if (plus_cancelled(s)) return false;
        if (stretches && stretch(s, &d)) evaluate(s, &d, DM);
        /* the Hessian, and its solution */
        s->effort += (double)(m + rows) * rows * rows;
        const double misfit = plus_largest(d.gradient, rows);
        if (misfit <= 1e-14 * size) break;
        if (d.value < -0.5 * far * far) /* by duality nothing in K is nearer than `far` */
            return false;
        hessian(s, DM, 1e-13 + DAMPING * fmin(1, misfit / size), s->hessian);
        memcpy(step, d.gradient, (size_t)rows * sizeof *step);
        if (!imp_cholesky(rows, s->hessian)) return false;
        imp_cholesky_forward(rows, s->hessian, 1, step);
        imp_cholesky_backward(rows, s->hessian, step);
        double slope = 0, share = 1;
        int halving = 0;
        bool lower = false;
        for (int k = 0; k < rows; k++)
            slope -= d.gradient[k] * step[k];
        const double value = d.value;
        for (; halving < HALVINGS && !lower; halving++, share *= 0.5) {
            for (int k = 0; k < rows; k++)
                next.y[k] = d.y[k] - share * step[k];
            evaluate(s, &next, halving == 0 ? DM : NULL); /* mostly the whole step is lower */
            s->effort += 2.0 * rows * (m + 10);           /* 10: projections */
            if (!isfinite(next.value)) continue;
            lower = next.value <= value + 1e-4 * share * slope &&
                    next.value < value - 1e-15 * fabs(value);
            /* where the value no longer tells */
            lower = lower || plus_largest(next.gradient, rows) <= 0.5 * misfit;
        }
        if (!lower) break;
        memcpy(d.y, next.y, (size_t)rows * sizeof *d.y);
        d.value = next.value; /* the rest is shared */
        if (halving > 1) evaluate(s, &d, DM);
    }
    evaluate(s, &d, NULL);
    if (!(plus_largest(d.gradient, rows) <= 1e-12 * size)) return false;
    imp_plus_expand(s, d.x);
    return true;
}
