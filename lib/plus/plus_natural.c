/* plus_natural.c - the impulses of an interval as a zero of its natural map.
 *
 * Where sweeps creep, as they do up a stack, and Newton's method on the directions of impending
 * slip has the wrong motions. The law of an interval is, contact by contact,
 *     x = P(x - u):
 * u is what is left of the velocity at its end, P the projection on the push that a contact may
 * have (p_n >= 0) and, where it does not slide, on the disc of friction that the push before P
 * allows (Alart, Curnier 1991). Unlike the projection on the cone that is the law of impending
 * slip, too. Zeros are found by Newton's method on the least squares of the misfit, with a line
 * search; impulses and velocities are in units in which the blocks of W have one trace. W being
 * singular where contacts are redundant, the misfit has minima that are no zeros. From those
 * proximal steps lead away: with a share of x - x', x' from the step before, added to u, W is
 * regular; the share goes from 1 towards 0 by tens, and back where Newton's method fails.
 *
 * Departure from Table 1 of Uchida, Sherman, Delp (2015): where contacts are redundant the impulse
 * is the one that was found, and not the least with its motions, which may pull or turn a slip. */
#include "contact/friction_cone.h"
#include "linear/dense.h"
#include "plus/plus_internal.h"

#include <string.h>

/* of all proximal steps, a thirtieth of the work that an impact is given; of one; as in
 * plus_spread.c */
enum { MOST_STEPS = 1000, NEWTON_STEPS = 15, HALVINGS = 30 };
static const double DAMPING = 1e-6;
static const double SOLVED = 1e-13; /* of the largest velocity: a few roundings of sums */

typedef struct natural {
    double *unit;  /* (m) N s, scaled, of a unit of an unknown; 1 of the lightest contact */
    double per;    /* 1 / trace of a block of W in these units */
    double *y, *F; /* (m) unknowns in these units, and their misfit */
    double *next, *step, *gradient;
    double *centre; /* (m) y from the proximal step before */
    double *E;      /* (3 m) the derivatives of P, 3 j on that of the block from unknown j on */
    double share;   /* of y - centre that is added to the velocity */
    double size;    /* the largest velocity that is to be brought to its aim */
    int left;       /* Newton's steps */
} natural;

/* Unknowns of a contact, from unknown j on: the push of one that slides, the friction of one that
 * expands, or both. */
static int block_size(const plus *s, int j) {
    const int i = s->unknown[j] / 3;
    return s->motion[i] != 'r' ? 1 : s->phase[i] == 'X' ? 2 : 3;
}

/* x <- P(z), E (row-major of the block's size) <- its derivative. */
static void project(const plus *s, int j, double unit, const double *z, double *x, double *E) {
    const int i = s->unknown[j] / 3, size = block_size(s, j);
    double D[4], towards[2];
    if (size == 2) {
        imp_disc_project(s->mu[i] * s->pushed[i] / unit, z, x, E, towards);
        return;
    }
    const double mu = z[0] > 0 ? s->mu[i] : 0;
    memset(E, 0, (size_t)(size * size) * sizeof *E);
    E[0] = z[0] > 0 ? 1 : 0;
    x[0] = z[0] > 0 ? z[0] : 0;
    if (size == 1) return;
    imp_disc_project(mu * x[0], z + 1, x + 1, D, towards);
    for (int r = 0; r < 2; r++) {
        E[3 * r + 3] = mu * towards[r];
        E[3 * r + 4] = D[2 * r];
        E[3 * r + 5] = D[2 * r + 1];
    }
}

/* F <- the misfit at y, E as above; pi and Wpi are those of y then. Returns the square of F. */
static double evaluate(plus *s, natural *a, const double *y) {
    for (int j = 0; j < s->m; j++)
        s->x[j] = a->unit[j] * y[j];
    imp_plus_expand(s, s->x);
    s->effort += (double)s->m * s->n;
    for (int j = 0, size; j < s->m; j += size) {
        double z[3] = {0}, x[3] = {0};
        size = block_size(s, j);
        for (int k = 0; k < size; k++) {
            const int r = s->unknown[j + k];
            z[k] = y[j + k] - a->per * a->unit[j] * (s->v[r] + s->Wpi[r] - s->aim[r]) -
                   a->share * (y[j + k] - a->centre[j + k]);
        }
        project(s, j, a->unit[j], z, x, a->E + 3 * j);
        for (int k = 0; k < size; k++)
            a->F[j + k] = y[j + k] - x[k];
    }
    return imp_dense_dot(a->F, a->F, s->m);
}

/* J (m x m), column-major <- I - E + E times W of the unknowns. */
static void differentiate(const plus *s, const natural *a, double *J) {
    const int m = s->m;
    for (int c = 0; c < m; c++, J += m)
        for (int j = 0, size; j < m; j += size) {
            const double *E = a->E + 3 * j;
            size = block_size(s, j);
            for (int k = 0; k < size; k++) {
                double sum = j + k == c ? 1 : 0;
                for (int l = 0; l < size; l++) {
                    const double w =
                        a->per * a->unit[j] * s->image[c][s->unknown[j + l]] * a->unit[c];
                    sum += E[size * k + l] * (w - (j + l == c ? 1 - a->share : 0));
                }
                J[j + k] = sum;
            }
        }
}

/* step <- Newton's, gradient <- J'F; false where rounding leaves none. */
static bool find_step(plus *s, natural *a, double misfit) {
    const int m = s->m;
    double *J = s->jacobian, *H = s->hessian, trace = 0;
    differentiate(s, a, J);
    s->effort += (double)m * m * m;
    for (int c = 0; c < m; c++) {
        const double *column = J + (size_t)c * m;
        for (int r = c; r < m; r++)
            H[(size_t)c * m + r] = imp_dense_dot(column, J + (size_t)r * m, m);
        trace += H[(size_t)c * m + c];
        a->gradient[c] = a->step[c] = imp_dense_dot(column, a->F, m);
    }
    /* for pushes that move nothing: W is singular where contacts are redundant */
    const double damping = (1e-13 + DAMPING * fmin(1, misfit / a->size)) * trace;
    for (int c = 0; c < m; c++)
        H[(size_t)c * m + c] += damping;
    if (!imp_cholesky(m, H)) return false;
    imp_cholesky_forward(m, H, 1, a->step);
    imp_cholesky_backward(m, H, a->step);
    return true;
}

/* From a->y on; false, with y where it came to, when there is no zero to be seen. */
static bool newton(plus *s, natural *a) {
    const int m = s->m;
    double square = evaluate(s, a, a->y);
    for (int iteration = 0; iteration < NEWTON_STEPS && !plus_cancelled(s); iteration++) {
        const double misfit = plus_largest(a->F, m);
        if (misfit <= SOLVED * a->size) return true;
        if (a->left-- <= 0 || !find_step(s, a, misfit)) return false;
        const double slope = -2 * imp_dense_dot(a->gradient, a->step, m), before = square;
        double share = 1;
        bool lower = false;
        for (int halving = 0; halving < HALVINGS && !lower; halving++, share *= 0.5) {
            for (int j = 0; j < m; j++)
                a->next[j] = a->y[j] - share * a->step[j];
            square = evaluate(s, a, a->next);
            lower = square <= before + 1e-4 * share * slope;
        }
        if (!lower) return false;
        memcpy(a->y, a->next, (size_t)m * sizeof *a->y);
    }
    return plus_largest(a->F, m) <= SOLVED * a->size;
}

/* Is y a zero without a share of itself? */
static bool solved(plus *s, natural *a) {
    const double share = a->share;
    a->share = 0;
    (void)evaluate(s, a, a->y);
    a->share = share;
    return plus_largest(a->F, s->m) <= SOLVED * a->size;
}

/* From no impulse on. */
static bool step_by_step(plus *s, natural *a) {
    const size_t size = (size_t)s->m * sizeof *a->y;
    memset(a->y, 0, size);
    a->left = MOST_STEPS;
    for (a->share = 1; a->left > 0 && !plus_cancelled(s);) {
        memcpy(a->centre, a->y, size);
        const bool good = newton(s, a);
        if (solved(s, a)) return true;
        if (!good && a->share >= 1) return false;
        a->share *= good ? 0.1 : 10;
    }
    return false;
}

static double trace(const plus *s, int i) {
    double sum = 0;
    for (int r = 3 * i; r < 3 * i + 3; r++)
        sum += s->W[(size_t)r * ((size_t)s->n + 1)];
    return sum;
}

/* The unknowns and their units, from pi on. */
static void begin(plus *s, natural *a) {
    const size_t n = (size_t)s->n;
    *a = (natural){.unit = s->rhs,
                   .y = s->spread,
                   .F = s->spread + n,
                   .next = s->spread + 2 * n,
                   .step = s->spread + 3 * n,
                   .gradient = s->spread + 4 * n,
                   .centre = s->spread + 5 * n,
                   .left = MOST_STEPS,
                   .E = s->work};
    memcpy(s->settled, s->pi, n * sizeof *s->pi);
    memset(s->active, 1, (size_t)s->nc);
    imp_plus_assemble(s);
    double most = 0; /* a ratio of traces has no units that round */
    for (int j = 0; j < s->m; j++)
        most = imp_larger(most, trace(s, s->unknown[j] / 3));
    if (!(most > 0)) most = 1;
    a->per = 1 / most;
    for (int j = 0; j < s->m; j++) {
        const int c = s->unknown[j], i = c / 3;
        const double own = trace(s, i);
        a->unit[j] = own > 0 ? sqrt(most / own) : 1;
        a->y[j] = s->settled[c] / (a->unit[j] * (s->motion[i] == 'r' ? 1 : s->ray[i]));
        a->centre[j] = a->y[j];
        a->size =
            imp_larger(a->size, a->per * a->unit[j] * fabs(s->v[c] + s->given[c] - s->aim[c]));
    }
}

bool imp_plus_natural(plus *s) {
    if (plus_cancelled(s)) return false;
    natural a;
    begin(s, &a);
    if (newton(s, &a) || step_by_step(s, &a)) return imp_plus_as_it_is(s) || imp_plus_exact(s);
    memcpy(s->pi, s->settled, (size_t)s->n * sizeof *s->pi);
    imp_plus_multiply(s, s->Wpi);
    return imp_plus_as_it_is(s);
}
