/* convex_island.c - splits a contact problem into its islands and scales each. */
#include "cone/convex_island.h"
#include "base/length.h"
#include "base/exact.h"
#include "base/finite.h"
#include "linear/islands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int imp_convex_islands(const imp_problem *problem, bool together, int *label) {
    if (!together) return imp_islands(problem->W, label);
    memset(label, 0, (size_t)problem->nc * sizeof *label);
    return 1;
}

void imp_convex_island_free(convex_island *s) {
    if (!s) return;
    free(s->start);
    free(s->column);
    free(s->block);
    free(s->q);
    free(s->lean);
    free(s);
}

/* Block rows of what W has of island number `island`. */
static bool extract_rows(convex_island *s, const imp_parts *parts, int island) {
    const imp_operator *W = parts->W;
    const int *columns = parts->columns, *place = parts->place;
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        int total = 0;
        for (int i = 0; i < s->n; i++) {
            const int found = W->kind->columns(W, s->contact[i], parts->columns);
            for (int k = 0; k < found; k++) {
                double block[9];
                if (parts->label[columns[k]] != island) continue;
                W->kind->block(W, s->contact[i], columns[k], block);
                if (place[columns[k]] != i && imp_all_zero(block, 9)) continue;
                if (pass) {
                    s->column[total] = place[columns[k]];
                    memcpy(s->block + 9 * (size_t)total, block, sizeof block);
                }
                total++;
            }
            s->start[i + 1] = total;
        }
        if (pass) break;
        s->column = malloc(((size_t)total + 1) * sizeof *s->column);
        s->block = calloc(9 * ((size_t)total + 1), sizeof *s->block);
        if (!s->column || !s->block) return false;
    }
    return true;
}

/* Powers of two out of W, the velocities and the impulses. */
static void scale(convex_island *s) {
    double trace = 0, speed = 0;
    for (int i = 0; i < s->n; i++) {
        const double *own = imp_convex_own_block(s, i);
        for (int r = 0; r < 3; r++)
            trace += own[4 * r] / (3.0 * s->n);
        speed = fmax(speed, fmax(imp_largest(s->q + 3 * (size_t)i, 3, 1), fabs(s->gap[i])));
    }
    s->W_exponent = imp_exponent(trace);
    const int q_exponent = imp_exponent(speed);
    s->impulse_exponent = q_exponent - s->W_exponent;
    imp_shift(s->block, 9 * (size_t)s->start[s->n], -s->W_exponent);
    imp_shift(s->q, 3 * (size_t)s->n, -q_exponent);
    imp_shift(s->gap, (size_t)s->n, -q_exponent);
    for (int i = 0; i < s->n; i++) {
        const double *q = s->q + 3 * (size_t)i;
        s->viscous[i] = imp_ldexp(s->viscous[i], s->W_exponent) * imp_length(q[1], q[2]);
    }
}

void imp_convex_island_rescale(convex_island *s, int exponent) {
    s->impulse_exponent += exponent;
    s->W_exponent -= exponent;
    s->kappa = imp_ldexp(s->kappa, -exponent);
    imp_shift(s->block, 9 * (size_t)s->start[s->n], exponent);
    imp_shift(s->viscous, (size_t)s->n, -exponent);
}

/* Of n contacts, without blocks of W. */
static convex_island *allocate(size_t n) {
    convex_island *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (convex_island){
        .n = (int)n, .start = calloc(n + 1, sizeof *s->start), .q = malloc(7 * n * sizeof *s->q)};
    if (!s->start || !s->q) {
        imp_convex_island_free(s);
        return NULL;
    }
    s->mu = s->q + 3 * n;
    s->viscous = s->mu + n;
    s->gap = s->viscous + n;
    s->e = s->gap + n;
    return s;
}

convex_island *imp_convex_island_new(const imp_problem *problem, const imp_parts *parts, int k,
                                     double mu_v) {
    const size_t n = (size_t)(parts->first[k + 1] - parts->first[k]);
    convex_island *s = allocate(n);
    if (!s) return NULL;
    s->contact = parts->contact + parts->first[k];
    for (size_t at = 0; at < n; at++) {
        const int i = s->contact[at];
        memcpy(s->q + 3 * at, problem->q + 3 * (size_t)i, 3 * sizeof *s->q);
        s->mu[at] = problem->mu[i];
        s->viscous[at] = imp_convex_viscous(problem, mu_v, i);
        s->gap[at] = problem->gap ? problem->gap[i] : 0;
        s->e[at] = problem->e ? problem->e[i] : 0;
    }
    if (!extract_rows(s, parts, k)) {
        imp_convex_island_free(s);
        return NULL;
    }
    scale(s);
    return s;
}

/* Blocks among the chosen contacts; place (whole->n): -1, or which of them. */
static bool copy_rows(convex_island *s, const convex_island *whole, const int *chosen,
                      const int *place) {
    size_t most = 1, total = 0;
    for (int i = 0; i < s->n; i++)
        most += (size_t)(whole->start[chosen[i] + 1] - whole->start[chosen[i]]);
    s->column = malloc(most * sizeof *s->column);
    s->block = malloc(9 * most * sizeof *s->block);
    if (!s->column || !s->block) return false;
    for (int i = 0; i < s->n; i++) {
        for (int k = whole->start[chosen[i]]; k < whole->start[chosen[i] + 1]; k++) {
            if (place[whole->column[k]] < 0) continue;
            s->column[total] = place[whole->column[k]];
            memcpy(s->block + 9 * total++, whole->block + 9 * (size_t)k, 9 * sizeof *s->block);
        }
        s->start[i + 1] = (int)total;
    }
    return true;
}

convex_island *imp_convex_island_part(const convex_island *whole, const int *chosen, int n) {
    convex_island *s = allocate((size_t)n);
    int *place = malloc((size_t)whole->n * sizeof *place);
    if (s) s->lean = malloc(3 * (size_t)n * sizeof *s->lean);
    bool good = s && s->lean && place;
    if (good) {
        for (int i = 0; i < whole->n; i++)
            place[i] = -1;
        for (int k = 0; k < n; k++) {
            const int i = chosen[k];
            place[i] = k;
            memcpy(s->q + 3 * (size_t)k, whole->q + 3 * (size_t)i, 3 * sizeof *s->q);
            s->mu[k] = whole->mu[i];
            s->viscous[k] = whole->viscous[i];
            s->gap[k] = whole->gap[i];
            s->e[k] = whole->e[i];
        }
        s->kappa = whole->kappa;
        s->impulse_exponent = whole->impulse_exponent;
        s->W_exponent = whole->W_exponent;
        good = copy_rows(s, whole, chosen, place);
    }
    free(place);
    if (good) return s;
    imp_convex_island_free(s);
    return NULL;
}

void imp_convex_apply(const convex_island *s, const double *x, double *y) {
    for (int i = 0; i < s->n; i++) {
        double sum[3] = {0, 0, 0};
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const double *B = s->block + 9 * (size_t)k, *v = x + 3 * (size_t)s->column[k];
            for (int r = 0; r < 3; r++)
                sum[r] += B[3 * r] * v[0] + B[3 * r + 1] * v[1] + B[3 * r + 2] * v[2];
        }
        memcpy(y + 3 * (size_t)i, sum, sizeof sum);
    }
}

void imp_convex_apply_normal(const convex_island *s, const double *x, double *y) {
    for (int i = 0; i < s->n; i++) {
        y[i] = 0;
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            y[i] += s->block[9 * (size_t)k] * x[s->column[k]];
    }
}

void imp_convex_normal_part(const convex_island *s, const bool *within, const double *D,
                            double *value) {
    for (int i = 0; i < s->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const int j = s->column[k];
            const bool both = within[i] && within[j];
            value[k] = both ? s->block[9 * (size_t)k] : 0;
            if (i == j) value[k] = both ? value[k] + D[i] : 1;
        }
}

void imp_convex_normal_matrix(const convex_island *s, double *A) {
    const size_t n = (size_t)s->n;
    memset(A, 0, n * n * sizeof *A);
    for (size_t i = 0; i < n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            A[i * n + (size_t)s->column[k]] = s->block[9 * (size_t)k];
}

void imp_convex_dense(const convex_island *s, double *W) {
    const size_t rows = 3 * (size_t)s->n;
    memset(W, 0, rows * rows * sizeof *W);
    for (size_t i = 0; i < (size_t)s->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            for (size_t r = 0; r < 3; r++)
                memcpy(W + (3 * i + r) * rows + 3 * (size_t)s->column[k],
                       s->block + 9 * (size_t)k + 3 * r, 3 * sizeof *W);
}

double imp_convex_phase1_residual(const convex_island *s, const double *b, const double *y,
                                  double *w) {
    double worst = 0;
    imp_convex_apply_normal(s, y, w);
    for (int i = 0; i < s->n; i++) {
        w[i] += b[i];
        worst = fmax(worst, fabs(fmin(y[i], w[i])));
    }
    return worst;
}
