/* quasi_definite.c - AMD's ordering and LDL's up-looking factors (Davis 2005, Algorithm 849), both of SuiteSparse. */
#include "multi/quasi_definite.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <suitesparse/amd.h>
#include <suitesparse/ldl.h>

struct quasi_definite {
    int n;
    const int *start, *row;
    int *order, *place;                   /* (n) the permutation and its inverse */
    int *L_start, *parent, *count, *flag; /* (n + 1), (n), (n), (n) */
    int *pattern, *L_row;                 /* (n), (entries of L) */
    double *L, *D, *y;                    /* (entries of L), (n), (n) */
};

quasi_definite *quasi_definite_new(int n, const int *start, const int *row) {
    const size_t m = (size_t)n;
    quasi_definite *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    *q = (quasi_definite){.n = n, .start = start, .row = row, .order = malloc((7 * m + 1) * sizeof(int))};
    bool good = q->order != NULL;
    if (good) {
        q->place = q->order + m;
        q->parent = q->place + m;
        q->count = q->parent + m;
        q->flag = q->count + m;
        q->pattern = q->flag + m;
        q->L_start = q->pattern + m;
        good = amd_order(n, start, row, q->order, NULL, NULL) >= AMD_OK;
    }
    if (good) {
        ldl_symbolic(n, (int *)(size_t)start, (int *)(size_t)row, q->L_start, q->parent, q->count, q->flag, q->order,
                     q->place);
        const size_t entries = (size_t)q->L_start[n];
        q->L_row = malloc((entries + 1) * sizeof *q->L_row);
        q->L = malloc((entries + 1 + 2 * m) * sizeof *q->L);
        good = q->L_start[n] >= 0 && q->L_row && q->L;
        q->D = q->L + entries + 1;
        q->y = q->D + m;
    }
    if (good) return q;
    quasi_definite_free(q);
    return NULL;
}

void quasi_definite_free(quasi_definite *q) {
    if (!q) return;
    free(q->order);
    free(q->L_row);
    free(q->L);
    free(q);
}

bool quasi_definite_factor(quasi_definite *q, const double *value) {
    const int done =
        ldl_numeric(q->n, (int *)(size_t)q->start, (int *)(size_t)q->row, (double *)(size_t)value, q->L_start,
                    q->parent, q->count, q->L_row, q->L, q->D, q->y, q->pattern, q->flag, q->order, q->place);
    for (int i = 0; i < done; i++)
        if (!isfinite(q->D[i])) return false;
    return done == q->n;
}

void quasi_definite_solve(quasi_definite *q, double *b) {
    ldl_perm(q->n, q->y, b, q->order);
    ldl_lsolve(q->n, q->y, q->L_start, q->L_row, q->L);
    ldl_dsolve(q->n, q->y, q->D);
    ldl_ltsolve(q->n, q->y, q->L_start, q->L_row, q->L);
    ldl_permt(q->n, b, q->y, q->order);
}
