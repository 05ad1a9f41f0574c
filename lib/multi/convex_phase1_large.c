/* convex_phase1_large.c - phase I of islands beyond the reach of pivoting.
 *
 * Accelerated projected gradient with restart (Nesterov; O'Donoghue, Candes 2015) finds who pushes, nearly; proximal
 * steps make it exact: y <- the solution of 0 <= z _|_ (A_N + delta E) z + b - delta y >= 0. Each has a positive
 * definite matrix, so that active sets, exchanged by blocks with single exchanges as a safeguard, end (Judice, Pires
 * 1994); few proximal steps reach a solution of A_N itself, singular or not. b is raised by a tiny multiple of 1 first,
 * which turns the choice among several solutions to the one of least sum, and the last steps are made with b itself. */
#include "multi/convex_phase1.h"

#include "multi/quasi_definite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRADIENT_STEPS = 300, EXCHANGES = 200, PROXIMAL_STEPS = 60, PATIENCE = 8 };

static const double delta = 1e-8; /* of the mean diagonal of W: small steps to the solution, regular matrices */
static const double bias = 1e-8;  /* added to b, in units of the largest velocity */

typedef struct large {
    const convex_island *island;
    int n;
    int *start, *row;  /* pattern of A_N */
    double *value;     /* (start[n]) A_PP + delta E, unit rows elsewhere */
    double *b;         /* (n) of the current proximal step, without - delta y */
    double *w, *z, *c; /* (n) */
    bool *pushes;      /* (n) the active set P */
    quasi_definite *factor;
} large;

static bool allocate(large *s, const convex_island *island) {
    const size_t n = (size_t)island->n, entries = (size_t)island->start[n];
    *s = (large){.island = island, .n = island->n, .start = island->start, .row = island->column};
    s->value = malloc((entries + 6 * n) * sizeof *s->value);
    s->pushes = calloc(n, sizeof *s->pushes);
    s->factor = imp_quasi_definite_new(s->n, s->start, s->row); /* block rows of a symmetric W are its columns */
    if (!s->value || !s->pushes || !s->factor) return false;
    s->b = s->value + entries;
    s->w = s->b + n;
    s->z = s->w + n;
    s->c = s->z + n;
    return true;
}

static void release(large *s) {
    imp_quasi_definite_free(s->factor);
    free(s->value);
    free(s->pushes);
}

/* y from 0 by projected gradients on 1/2 y'Ay + b'y. */
static void gradient(large *s, double *y) {
    double bound = 0, momentum = 1;
    double *ahead = s->z, *previous = s->c;
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            sum += fabs(s->island->block[9 * (size_t)k]);
        bound = fmax(bound, sum);
    }
    memset(y, 0, (size_t)s->n * sizeof *y);
    memset(ahead, 0, (size_t)s->n * sizeof *ahead);
    for (int step = 0; step < GRADIENT_STEPS && bound > 0; step++) {
        double turn = 0, worst = 0;
        imp_convex_apply_normal(s->island, ahead, s->w);
        memcpy(previous, y, (size_t)s->n * sizeof *y);
        for (int i = 0; i < s->n; i++) {
            const double w = s->w[i] + s->b[i];
            y[i] = fmax(0, ahead[i] - w / bound);
            turn += (ahead[i] - y[i]) * (y[i] - previous[i]);
            worst = fmax(worst, fabs(fmin(ahead[i], w)));
        }
        if (worst < 1e-9) break;
        const double next = turn > 0 ? 1 : (1 + sqrt(1 + 4 * momentum * momentum)) / 2;
        const double carry = turn > 0 ? 0 : (momentum - 1) / next;
        for (int i = 0; i < s->n; i++)
            ahead[i] = y[i] + carry * (y[i] - previous[i]);
        momentum = next;
    }
}

static bool factorise(large *s) {
    for (int i = 0; i < s->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const int j = s->row[k];
            const bool within = s->pushes[i] && s->pushes[j];
            s->value[k] = (within ? s->island->block[9 * (size_t)k] : 0) + (i != j ? 0 : s->pushes[i] ? delta : 1);
        }
    return imp_quasi_definite_factor(s->factor, s->value);
}

/* z <- the impulses of the active set for (A + delta E) z = -c there, once refined; w <- (A + delta E) z + c. */
static void solve_set(large *s) {
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    for (int round = 0; round < 3; round++) {
        imp_convex_apply_normal(s->island, s->z, s->w);
        for (int i = 0; i < s->n; i++)
            s->w[i] += delta * s->z[i] + s->c[i];
        if (round == 2) break;
        double *correction = s->value + s->start[s->n] + 4 * (size_t)s->n;
        for (int i = 0; i < s->n; i++)
            correction[i] = s->pushes[i] ? -s->w[i] : 0;
        imp_quasi_definite_solve(s->factor, correction);
        for (int i = 0; i < s->n; i++)
            s->z[i] += s->pushes[i] ? correction[i] : 0;
    }
}

static bool at_fault(const large *s, int i) {
    return s->pushes[i] ? s->z[i] < -1e-13 : s->w[i] < -1e-13;
}

/* z <- the solution of the proximal step from y. */
static bool proximal_step(large *s, const double *y) {
    int fewest = s->n + 1, patience = PATIENCE;
    for (int i = 0; i < s->n; i++)
        s->c[i] = s->b[i] - delta * y[i];
    for (int round = 0; round < EXCHANGES; round++) {
        if (!factorise(s)) return false;
        solve_set(s);
        int count = 0;
        for (int i = 0; i < s->n; i++)
            count += at_fault(s, i);
        if (count == 0) return true;
        patience = count < fewest ? PATIENCE : patience - 1;
        fewest = count < fewest ? count : fewest;
        for (int i = s->n - 1; i >= 0; i--) {
            if (!at_fault(s, i)) continue;
            s->pushes[i] = !s->pushes[i];
            if (patience <= 0) break;
        }
    }
    return false;
}

/* Proximal steps from y until y stays or an active set is not found. */
static void proximal(large *s, double *y) {
    for (int step = 0; step < PROXIMAL_STEPS; step++) {
        double change = 0, size = 0;
        if (!proximal_step(s, y)) return;
        for (int i = 0; i < s->n; i++) {
            const double next = fmax(0, s->z[i]);
            change = fmax(change, fabs(next - y[i]));
            size = fmax(size, next);
            y[i] = next;
        }
        if (change <= 1e-13 * size || !(size < 1e12)) return;
    }
}

imp_status imp_convex_phase1_large(const convex_island *island, const double *b, double *y) {
    large s;
    imp_status status = IMP_NO_MEMORY;
    if (allocate(&s, island)) {
        for (int i = 0; i < s.n; i++)
            s.b[i] = b[i] + bias;
        gradient(&s, y);
        imp_convex_apply_normal(island, y, s.w);
        for (int i = 0; i < s.n; i++)
            s.pushes[i] = y[i] > s.w[i] + s.b[i];
        proximal(&s, y);
        memcpy(s.b, b, (size_t)s.n * sizeof *b);
        proximal(&s, y);
        status = IMP_OK;
    }
    release(&s);
    return status;
}
