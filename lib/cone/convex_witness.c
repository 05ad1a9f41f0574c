/* convex_witness.c - what shows that phase I's impulses have the least sum: see convex_law.c.
 *
 * v with (A_N v)_i = 1 where contact i pushes and <= 1 where it may (w_i = 0), the dual of the
 * least sum, minimises 1/2 v'A_N v - 1'v with v_i free where i pushes, <= 0 where it only may, 0
 * elsewhere. Semismooth Newton steps, each a proximal one, for A_N may be singular. Small islands
 * are factorised dense, without BLAS. */
#include "linear/dense.h"
#include "cone/convex_phase1.h"
#include "linear/quasi_definite.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 60 };

static const double proximal = 1e-10; /* added to the diagonal of A_N, relative to the island's
                                         largest, near 1 */
static const double pushing = 1e-10;  /* impulse beyond it, relative to the largest: it pushes */
/* w up to it, relative to the sum it comes from: the contact may push */
static const double closed = 1e-8;
static const double enough = 1e-13; /* of the conditions, relative to 1 */

typedef struct witness {
    const convex_island *island;
    quasi_definite *factor;       /* NULL where the dense one serves */
    double *dense;                /* (n x n), NULL where the sparse one serves */
    double *value, *lift, *right; /* (entries of A_N), (n), (n) */
    double *D;                    /* (n) `proximal`, added to the diagonal of A_N */
    char *role;                   /* (n) p pushes, m may push, 0 neither */
    bool *counts;                 /* (n) rows and columns of the Newton step */
} witness;

static void release(witness *s) {
    imp_quasi_definite_free(s->factor);
    free(s->dense);
    free(s->value);
    free(s->role);
    free(s->counts);
}

static bool allocate(witness *s, const convex_island *island) {
    const size_t n = (size_t)island->n, entries = (size_t)island->start[n];
    *s = (witness){.island = island};
    s->value = malloc((entries + 3 * n) * sizeof *s->value);
    s->role = calloc(n, 1);
    s->counts = malloc(n * sizeof *s->counts);
    if (island->n <= IMP_DENSE_OWN)
        s->dense = malloc(n * n * sizeof *s->dense);
    else
        s->factor = imp_quasi_definite_new(island->n, island->start, island->column);
    if (!s->value || !s->role || !s->counts || !(s->factor || s->dense)) return false;
    s->lift = s->value + entries;
    s->right = s->lift + n;
    s->D = s->right + n;
    for (size_t i = 0; i < n; i++)
        s->D[i] = proximal;
    return true;
}

/* What each contact does under phase I's y, with opening velocities A_N y + b. */
static void assign(witness *s, const double *b, const double *y) {
    const convex_island *island = s->island;
    double most = 0;
    for (int i = 0; i < island->n; i++)
        most = fmax(most, y[i]);
    for (int i = 0; i < island->n; i++) {
        double w = b[i], size = fabs(b[i]);
        for (int k = island->start[i]; k < island->start[i + 1]; k++) {
            const double part = island->block[9 * (size_t)k] * y[island->column[k]];
            w += part;
            size += fabs(part);
        }
        s->role[i] = y[i] > pushing * most ? 'p' : w <= closed * size ? 'm' : 0;
    }
}

static bool factorise(witness *s) {
    const convex_island *island = s->island;
    imp_convex_normal_part(island, s->counts, s->D, s->value);
    if (s->factor) return imp_quasi_definite_factor(s->factor, s->value);
    const size_t n = (size_t)island->n;
    memset(s->dense, 0, n * n * sizeof *s->dense);
    for (size_t i = 0; i < n; i++)
        for (int k = island->start[i]; k < island->start[i + 1]; k++)
            s->dense[i * n + (size_t)island->column[k]] = s->value[k]; /* symmetric */
    return imp_cholesky(island->n, s->dense);
}

/* x (n) <- the factor's solution for it. */
static void substitute(witness *s, double *x) {
    if (s->factor) {
        imp_quasi_definite_solve(s->factor, x);
        return;
    }
    imp_cholesky_forward(s->island->n, s->dense, 1, x);
    imp_cholesky_backward(s->island->n, s->dense, x);
}

/* How far v breaks the conditions; lift <- A_N v. */
static double broken(witness *s, const double *v) {
    double worst = 0;
    imp_convex_apply_normal(s->island, v, s->lift);
    for (int i = 0; i < s->island->n; i++) {
        const double spare = 1 - s->lift[i];
        if (s->role[i] == 'p') worst = fmax(worst, fabs(spare));
        if (s->role[i] == 'm') worst = fmax(worst, -spare);
        if (isnan(spare)) worst = INFINITY;
    }
    return worst;
}

/* v <- the next one, on the set that its lift shows; false where the set has no factor. */
static bool step(witness *s, double *v) {
    const int n = s->island->n;
    for (int i = 0; i < n; i++) {
        s->counts[i] = s->role[i] == 'p' || (s->role[i] == 'm' && v[i] + 1 - s->lift[i] < 0);
        if (!s->counts[i]) v[i] = 0;
    }
    if (!factorise(s)) return false;
    imp_convex_apply_normal(s->island, v, s->lift);
    for (int i = 0; i < n; i++)
        s->right[i] = s->counts[i] ? 1 - s->lift[i] : 0;
    substitute(s, s->right);
    for (int i = 0; i < n; i++)
        v[i] += s->right[i];
    return true;
}

imp_status imp_convex_witness(const convex_island *island, const double *b, const double *y,
                              double *v) {
    const size_t n = (size_t)island->n;
    witness s;
    double *tried = calloc(n, sizeof *tried), least = INFINITY;
    const bool good = allocate(&s, island) && tried;
    memset(v, 0, n * sizeof *v);
    if (good) assign(&s, b, y);
    for (int k = 0; good && k < MOST_STEPS && least > enough; k++) {
        const double worst = broken(&s, tried);
        if (worst < least) {
            least = worst;
            memcpy(v, tried, n * sizeof *v);
        }
        if (least > enough && !step(&s, tried)) break;
    }
    release(&s);
    free(tried);
    return good ? IMP_OK : IMP_NO_MEMORY;
}
