/* plus_spread.c - where rolling is redundant: the impulse of least norm inside the cones.
 *
 * Uchida, Sherman, Delp (2015), Table 1: the least-norm impulse of the equations may leave a cone
 * although another impulse of the same equations stays inside; the table asks for the least norm
 * among the latter. With the unknowns x of plus_solve.c in a convex set K (the cone of a
 * compressing contact that rolls, the disc of an expanding one, the half line of a sliding one) the
 * problem min |x|^2/2, M x = b, x in K has the dual
 *     max over y of  b'y - |z|^2/2 + dist(z, K)^2/2,  z = M'y,      x = P_K(z),
 * whose gradient is b - M P_K(M'y): solved by Newton's method on the projection's derivative, with
 * a line search. */
#include "contact/friction_cone.h"
#include "linear/cof.h"
#include "plus/plus_internal.h"

#include <string.h>

enum { NEWTON_STEPS = 60, HALVINGS = 30 };
/* least norms: an impulse so far away is not rolling any more, and no use */
static const double FAR = 1e3;

typedef enum block_kind { HALF_LINE, DISC, CONE } block_kind;

/* Unknowns of one contact. */
typedef struct block {
    block_kind kind;
    int size;
    double bound; /* radius of the disc, mu of the cone */
} block;

static block block_at(const plus *s, int j) {
    const int i = s->unknown[j] / 3;
    if (s->motion[i] != 'r') return (block){HALF_LINE, 1, 0};
    if (s->phase[i] == 'X') return (block){DISC, 2, s->mu[i] * s->pushed[i]};
    return (block){CONE, 3, s->mu[i]};
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
    double *y, *z, *x, *gradient; /* (m) */
    double value;
} dual;

/* Minus the dual's value at y and its gradient; DM (m x m) unless NULL <- the projection's
 * derivative times M'. */
static void evaluate(const plus *s, dual *d, double *DM) {
    const int m = s->m;
    d->value = 0;
    for (int j = 0; j < m; j++) {
        d->z[j] = 0;
        for (int k = 0; k < m; k++)
            d->z[j] += s->M[(size_t)j * m + k] * d->y[k];
        d->value -= s->rhs[j] * d->y[j];
    }
    for (int j = 0, size; j < m; j += size) {
        const block b = block_at(s, j);
        double D[9];
        size = b.size;
        project(b, d->z + j, d->x + j, D);
        for (int r = 0; r < size; r++) {
            d->value += d->x[j + r] * (d->z[j + r] - 0.5 * d->x[j + r]);
            for (int k = 0; DM && k < m; k++) {
                double sum = 0;
                for (int c = 0; c < size; c++)
                    sum += D[size * r + c] * s->M[(size_t)(j + c) * m + k];
                DM[(size_t)k * m + j + r] = sum;
            }
        }
    }
    double *restrict gradient = d->gradient;
    for (int k = 0; k < m; k++)
        gradient[k] = -s->rhs[k];
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++)
            gradient[k] += s->M[(size_t)j * m + k] * d->x[j];
}

/* H <- M D M' with a little on its diagonal, for directions in which nothing moves. */
static void hessian(const plus *s, const double *DM, double *H) {
    const int m = s->m;
    double trace = 0;
    for (int c = 0; c < m; c++) {
        double *restrict column = H + (size_t)c * m;
        memset(column, 0, (size_t)m * sizeof *column);
        for (int j = 0; j < m; j++)
            for (int r = 0; r < m; r++)
                column[r] += s->M[(size_t)j * m + r] * DM[(size_t)c * m + j];
        trace += column[c];
    }
    for (int r = 0; r < m; r++)
        H[(size_t)r * m + r] += 1e-13 * trace + DBL_MIN;
}

bool imp_plus_spread(plus *s) {
    const int m = s->m;
    double *at = s->spread;
    dual d = {.y = at, .z = at + m, .x = at + 2 * m, .gradient = at + 3 * m}, next = d;
    next.y = at + 4 * m;
    double *step = at + 5 * m, *DM = s->jacobian;
    const double size = plus_largest(s->rhs, m), far = FAR * plus_largest(s->x, m);
    memset(d.y, 0, (size_t)m * sizeof *d.y);
    for (int iteration = 0; iteration < NEWTON_STEPS; iteration++) {
        evaluate(s, &d, DM);
        s->effort += 2.0 * m * m * m; /* the Hessian, and its solution */
        const double misfit = plus_largest(d.gradient, m);
        if (misfit <= 1e-14 * size) break;
        if (d.value < -0.5 * far * far) /* by duality nothing in K is nearer than `far` */
            return false;
        hessian(s, DM, s->hessian);
        memcpy(step, d.gradient, (size_t)m * sizeof *step);
        imp_cof_solve(m, s->hessian, 1, step, s->work);
        double slope = 0, share = 1;
        bool lower = false;
        for (int k = 0; k < m; k++)
            slope -= d.gradient[k] * step[k];
        const double value = d.value;
        for (int halving = 0; halving < HALVINGS && !lower; halving++, share *= 0.5) {
            for (int k = 0; k < m; k++)
                next.y[k] = d.y[k] - share * step[k];
            evaluate(s, &next, NULL);
            s->effort += 2.0 * m * (m + 10); /* 10: projections */
            if (!isfinite(next.value)) continue;
            lower = next.value <= value + 1e-4 * share * slope &&
                    next.value < value - 1e-15 * fabs(value);
            /* where the value no longer tells */
            lower = lower || plus_largest(next.gradient, m) <= 0.5 * misfit;
        }
        if (!lower) break;
        memcpy(d.y, next.y, (size_t)m * sizeof *d.y);
    }
    evaluate(s, &d, NULL);
    if (!(plus_largest(d.gradient, m) <= 1e-12 * size)) return false;
    imp_plus_expand(s, d.x);
    return true;
}
