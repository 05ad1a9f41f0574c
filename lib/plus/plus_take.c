/* plus_take.c - an impact taken over: the workspace, the units, the islands of contacts that W
 * couples. */
#include "linear/cof.h"
#include "linear/islands.h"
#include "plus/plus_internal.h"

#include <string.h>

enum { ISLAND = (sizeof(plus_island) + sizeof(double) - 1) / sizeof(double) };

/* What the workspace is cut into: doubles, then ints, then chars. */
static size_t count_doubles(int nc) {
    const size_t n = 3 * (size_t)nc;
    return 4 * n * n + n * (size_t)nc + 22 * n + 15 * (size_t)nc + 4 * n + imp_cof_work((int)n, 4) +
           ISLAND * (size_t)nc;
}

size_t imp_plus_workspace(int nc) {
    if (nc < 1 || nc > PLUS_MOST_CONTACTS) return 0;
    const size_t n = 3 * (size_t)nc;
    return count_doubles(nc) * sizeof(double) + (3 * n + 2 * (size_t)nc) * sizeof(int) +
           8 * (size_t)nc;
}

static double *cut(double **at, size_t count) {
    double *here = *at;
    *at += count;
    return here;
}

static void lay_out(plus *s, int nc, void *work) {
    const size_t n = 3 * (size_t)nc, c = (size_t)nc;
    double *at = work, **const from = &at;
    s->nc = nc;
    s->n = 3 * nc;
    s->W = cut(from, n * n);
    s->M = cut(from, n * n);
    s->hessian = cut(from, n * n);
    s->jacobian = cut(from, n * n);
    s->along = cut(from, n * c);
    s->given = cut(from, n);
    s->image = (const double **)cut(from, n);
    s->row_scale = cut(from, n);
    s->q = cut(from, n);
    s->p = cut(from, 2 * n);
    s->v = s->p + n;
    s->next = cut(from, 2 * n);
    s->pi = cut(from, n);
    s->Wpi = cut(from, n);
    s->rhs = cut(from, n);
    s->x = cut(from, n);
    s->spread = cut(from, 6 * n);
    s->pushed = cut(from, c);
    s->pushing = cut(from, c);
    s->restitution = cut(from, c);
    s->aim = cut(from, n);
    s->ray = cut(from, c);
    s->hold = cut(from, c);
    s->slip = cut(from, 2 * c);
    s->try_slip = cut(from, 2 * c);
    s->settled = cut(from, n);
    s->angle = cut(from, 2 * c);
    s->marked_slip = cut(from, 2 * c);
    s->work = cut(from, 4 * n + imp_cof_work((int)n, 4));
    s->chosen = cut(from, 2 * n + 2 * c);
    s->island = (plus_island *)(void *)cut(from, ISLAND * c);
    s->unknown = (int *)((double *)work + count_doubles(nc));
    s->basis_of = s->unknown + n;
    s->basis_row = s->basis_of + n;
    s->impending = s->basis_row + n;
    s->label = s->impending + c;
    s->phase = (char *)(s->label + c);
    s->motion = s->phase + c;
    s->active = s->motion + c;
    s->marked_motion = s->active + c;
    s->marked_active = s->marked_motion + c;
    s->phases = s->marked_active + c;
    s->chosen_motion = s->phases + c;
    s->chosen_active = s->chosen_motion + c;
}

/* W (n x n, column-major) <- w times `given` (row-major); scale (n) <- 1 / largest entry of its
 * rows. */
static inline __attribute__((always_inline)) void take_operator(int n, const double *restrict given,
                                                                double w, double *restrict W,
                                                                double *restrict scale) {
    for (int r = 0; r < n; r++, given += n) {
        for (int c = 0; c < n; c++)
            W[(size_t)c * n + r] = given[c] * w;
        const double largest = plus_largest(given, n) * w;
        scale[r] = largest > 0 ? 1 / largest : 1;
    }
}

/* Takes the problem over in units in which the largest diagonal entry of W and the fastest
 * component are near 1. */
static void take(plus *s, const imp_problem *problem) {
    const int n = s->n;
    const double *given = s->M; /* row-major */
    imp_operator_write(problem->W, s->M);
    double most = 0;
    for (int r = 0; r < n; r++)
        most = imp_larger(most, given[(size_t)r * n + r]);
    const int a = imp_factor_exponent(most), b = imp_factor_exponent(plus_largest(problem->q, n));
    const double w = imp_ldexp(1, -a), u = imp_ldexp(1, -b);
    if (n == PLUS_FACE)
        take_operator(PLUS_FACE, given, w, s->W, s->row_scale);
    else
        take_operator(n, given, w, s->W, s->row_scale);
    for (int r = 0; r < n; r++) {
        s->q[r] = s->v[r] = u * problem->q[r];
        s->p[r] = s->aim[r] = 0;
    }
    for (int i = 0; i < s->nc; i++) {
        s->pushing[i] = 0;
        s->ray[i] = 1 / sqrt(1 + problem->mu[i] * problem->mu[i]);
        s->hold[i] = problem->mu[i] * s->settings->static_ratio;
    }
    s->fastest = plus_largest(s->v, n);
    s->mu = problem->mu;
    s->e = problem->e;
    s->velocity_unit = imp_ldexp(1, b);
    s->impulse_unit = imp_ldexp(1, b - a);
    s->impulse_exponent = b - a;
    s->effort = 0;
    s->in_units = s->unlike = false;
}

/* Which contacts W couples; false without memory. */
static bool part(plus *s, const imp_operator *W) {
    s->islands = imp_islands(W, s->label);
    if (s->islands < 0) return false;
    s->own = s->island;
    memset(s->island, 0, (size_t)s->islands * sizeof *s->island);
    for (int i = 0; i < s->nc; i++) {
        plus_island *own = s->island + s->label[i];
        own->contacts++;
        own->unit = imp_larger(own->unit, plus_largest(s->v + 3 * i, 3));
    }
    for (int k = 0, before = 0; k < s->islands; before += 3 * s->island[k++].contacts) {
        plus_island *own = s->island + k;
        own->unit = imp_ldexp(1, imp_factor_exponent(own->unit));
        /* four are mostly the corners of a face, redundant */
        own->basis = (plus_basis){
            .wanted = own->contacts == 4, .of = s->basis_of + before, .row = s->basis_row + before};
    }
    return true;
}

bool imp_plus_take(plus *s, const imp_problem *problem, void *work) {
    lay_out(s, problem->nc, work);
    take(s, problem);
    return part(s, problem->W);
}
