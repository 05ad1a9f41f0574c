/* factored.c - G = L^-1 H by small dense Cholesky factors, and W = G'G as an operator. */
#include "linear/factored.h"

#include "base/finite.h"
#include "linear/gram.h"
#include "linear/join.h"
#include "linear/symmetric_part.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void imp_factored_free(imp_factored *f) {
    if (!f) return;
    free(f->start);
    free(f->row);
    free(f->G);
    free(f->first);
    free(f->contact);
    free(f->entry);
    free(f);
}

/* The coordinates that M couples, group by group: group g is order[start[g]] ..
 * order[start[g+1]-1], ascending. */
typedef struct groups {
    int count;
    int *of;         /* (rows) group of a coordinate; the next three lie behind it */
    int *place;      /* (rows) its place there */
    int *start;      /* (rows + 1) */
    int *order;      /* (rows) */
    size_t *L_start; /* (rows) where the factor of a group begins */
    double *L;       /* lower triangles, row-major squares */
} groups;

static void groups_clear(groups *g) {
    free(g->of);
    free(g->L_start);
    free(g->L);
}

/* Groups numbered by their first coordinate. */
static imp_status find_groups(const imp_sparse *M, groups *g) {
    const size_t n = (size_t)M->rows;
    int *parent = calloc(n + 1, sizeof *parent);
    *g = (groups){.of = calloc(4 * n + 1, sizeof(int)), .L_start = calloc(n + 1, sizeof(size_t))};
    if (!parent || !g->of || !g->L_start) {
        free(parent);
        return IMP_NO_MEMORY;
    }
    g->place = g->of + n;
    g->order = g->place + n;
    g->start = g->order + n;
    for (int i = 0; i < M->rows; i++)
        parent[i] = i;
    for (int j = 0; j < M->columns; j++)
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            imp_join(parent, j, M->row[k]);
    for (int i = 0; i < M->rows; i++) {
        const int first = imp_join_first(parent, i);
        g->of[i] = first == i ? g->count++ : g->of[first];
        g->place[i] = g->start[g->of[i] + 1]++;
    }
    free(parent);
    for (int k = 0; k < g->count; k++) {
        if (g->start[k + 1] > IMP_FACTORED_MOST) return IMP_UNSUPPORTED;
        g->start[k + 1] += g->start[k];
    }
    for (int i = 0; i < M->rows; i++)
        g->order[g->start[g->of[i]] + g->place[i]] = i;
    return IMP_OK;
}

/* A (n x n, its lower triangle) <- its Cholesky factor. */
static bool cholesky(double *A, int n) {
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            A[j * n + j] -= A[j * n + k] * A[j * n + k];
        if (!(A[j * n + j] > 0)) return false;
        A[j * n + j] = sqrt(A[j * n + j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                A[i * n + j] -= A[i * n + k] * A[j * n + k];
            A[i * n + j] /= A[j * n + j];
        }
    }
    return true;
}

static imp_status factorise_groups(const imp_sparse *M, groups *g) {
    size_t total = 0;
    for (int k = 0; k < g->count; k++) {
        const size_t size = (size_t)(g->start[k + 1] - g->start[k]);
        g->L_start[k] = total;
        total += size * size;
    }
    g->L = calloc(total + 1, sizeof *g->L);
    if (!g->L) return IMP_NO_MEMORY;
    for (int j = 0; j < M->columns; j++) {
        const int group = g->of[j], size = g->start[group + 1] - g->start[group];
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            g->L[g->L_start[group] + (size_t)(g->place[M->row[k]] * size + g->place[j])] =
                M->value[k];
    }
    for (int k = 0; k < g->count; k++)
        if (!cholesky(g->L + g->L_start[k], g->start[k + 1] - g->start[k])) return IMP_NOT_POSITIVE;
    return IMP_OK;
}

/* x (size x 3) <- L^-1 x. */
static void forward(const double *L, int size, double *x) {
    for (int i = 0; i < size; i++)
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < i; k++)
                x[3 * i + r] -= L[i * size + k] * x[3 * k + r];
            x[3 * i + r] /= L[i * size + i];
        }
}

/* The groups that contact c touches, ascending; `seen` marks them by contact. */
static int touched_groups(const imp_sparse *H, const groups *g, int c, int *seen, int *list) {
    int count = 0;
    for (int k = H->start[3 * c]; k < H->start[3 * c + 3]; k++) {
        const int group = g->of[H->row[k]];
        if (seen[group] == c) continue;
        seen[group] = c;
        int at = count++;
        for (; at > 0 && list[at - 1] > group; at--)
            list[at] = list[at - 1];
        list[at] = group;
    }
    return count;
}

/* Rows of G of one contact into f from `at` on; rows that are zero are left out. Returns where they
 * end. */
static int contact_rows(const imp_sparse *H, const groups *g, int c, int touched, const int *list,
                        imp_factored *f, int at) {
    for (int t = 0; t < touched; t++) {
        const int group = list[t], first = g->start[group], size = g->start[group + 1] - first;
        double x[3 * IMP_FACTORED_MOST] = {0};
        for (int r = 0; r < 3; r++)
            for (int k = H->start[3 * c + r]; k < H->start[3 * c + r + 1]; k++)
                if (g->of[H->row[k]] == group) x[3 * g->place[H->row[k]] + r] = H->value[k];
        forward(g->L + g->L_start[group], size, x);
        for (int i = 0; i < size; i++) {
            if (imp_all_zero(x + 3 * i, 3)) continue;
            f->row[at] = first + i;
            memcpy(f->G + 3 * (size_t)at++, x + 3 * i, 3 * sizeof *x);
        }
    }
    return at;
}

static bool fill_rows(const imp_sparse *H, const groups *g, imp_factored *f) {
    const size_t nc = (size_t)f->nc;
    int *seen = malloc(((size_t)g->count + 1) * sizeof *seen),
        *list = malloc(((size_t)g->count + 1) * sizeof *list);
    f->start = calloc(nc + 1, sizeof *f->start);
    bool good = seen && list && f->start;
    double most = 0;
    for (int pass = 0; good; pass++) {
        memset(seen, 0xff, (size_t)g->count * sizeof *seen);
        for (int c = 0; c < f->nc; c++) {
            const int touched = touched_groups(H, g, c, seen, list);
            if (pass == 1) f->start[c + 1] = contact_rows(H, g, c, touched, list, f, f->start[c]);
            for (int t = 0; pass == 0 && t < touched; t++)
                most += g->start[list[t] + 1] - g->start[list[t]];
        }
        if (pass == 1) break;
        good = most < INT_MAX / 3 && (f->row = calloc((size_t)most + 1, sizeof *f->row)) &&
               (f->G = malloc((3 * (size_t)most + 1) * sizeof *f->G));
    }
    free(seen);
    free(list);
    return good;
}

/* The same by coordinates. */
static bool transpose(imp_factored *f) {
    const size_t count = (size_t)f->start[f->nc];
    f->first = calloc((size_t)f->rows + 2, sizeof *f->first);
    f->contact = malloc((count + 1) * sizeof *f->contact);
    f->entry = malloc((count + 1) * sizeof *f->entry);
    if (!f->first || !f->contact || !f->entry) return false;
    for (size_t k = 0; k < count; k++)
        f->first[f->row[k] + 2]++;
    for (int i = 0; i < f->rows; i++)
        f->first[i + 2] += f->first[i + 1];
    for (int c = 0; c < f->nc; c++)
        for (int k = f->start[c]; k < f->start[c + 1]; k++) {
            const int at = f->first[f->row[k] + 1]++;
            f->contact[at] = c;
            f->entry[at] = k;
        }
    return true;
}

imp_status imp_factored_new(const imp_sparse *M, const imp_sparse *H, imp_factored **made) {
    *made = NULL;
    if (M->rows != M->columns || M->rows != H->rows || H->columns % 3) return IMP_BAD_ARGUMENT;
    groups g = {0};
    imp_sparse part = {0};
    imp_factored *f = calloc(1, sizeof *f);
    imp_status status = f ? imp_sparse_symmetric_part(M, &part) : IMP_NO_MEMORY;
    if (status == IMP_NOT_SYMMETRIC) status = IMP_UNSUPPORTED;
    if (status == IMP_OK) status = find_groups(&part, &g);
    if (status == IMP_OK) status = factorise_groups(&part, &g);
    if (status == IMP_OK) {
        f->nc = H->columns / 3;
        f->rows = H->rows;
        if (!fill_rows(H, &g, f) || !transpose(f)) status = IMP_NO_MEMORY;
    }
    groups_clear(&g);
    imp_sparse_clear(&part);
    if (status == IMP_OK)
        *made = f;
    else
        imp_factored_free(f);
    return status;
}

/* Rows of the columns n, t, o of contact c of G into f from `at` on; rows that are zero are left
 * out. Returns where they end. */
static int merged_rows(const imp_sparse *G, int c, imp_factored *f, int at) {
    const int *start = G->start + 3 * (size_t)c;
    for (int k[3] = {start[0], start[1], start[2]};;) {
        int row = INT_MAX;
        double g[3] = {0};
        for (int r = 0; r < 3; r++)
            if (k[r] < start[r + 1] && G->row[k[r]] < row) row = G->row[k[r]];
        if (row == INT_MAX) return at;
        for (int r = 0; r < 3; r++)
            if (k[r] < start[r + 1] && G->row[k[r]] == row) g[r] = G->value[k[r]++];
        if (g[0] == 0 && g[1] == 0 && g[2] == 0) continue;
        f->row[at] = row;
        memcpy(f->G + 3 * (size_t)at++, g, sizeof g);
    }
}

imp_status imp_factored_of(const imp_sparse *G, imp_factored **made) {
    *made = NULL;
    if (G->columns % 3) return IMP_BAD_ARGUMENT;
    const size_t nc = (size_t)G->columns / 3, most = (size_t)G->start[G->columns];
    imp_factored *f = calloc(1, sizeof *f);
    if (!f) return IMP_NO_MEMORY;
    *f = (imp_factored){.nc = (int)nc,
                        .rows = G->rows,
                        .start = calloc(nc + 1, sizeof *f->start),
                        .row = malloc((most + 1) * sizeof *f->row),
                        .G = malloc((3 * most + 1) * sizeof *f->G)};
    const bool good = f->start && f->row && f->G;
    for (int c = 0; good && c < f->nc; c++)
        f->start[c + 1] = merged_rows(G, c, f, f->start[c]);
    if (good && transpose(f)) {
        *made = f;
        return IMP_OK;
    }
    imp_factored_free(f);
    return IMP_NO_MEMORY;
}

/* Fewer than so many blocks a contact: their upper bound, neighbours counted once for every
 * coordinate they share, over the three coordinates at least that contacts of one body do. */
int imp_factored_many(const imp_factored *f) {
    double bound = 0;
    for (int i = 0; i < f->rows; i++)
        bound += (double)(f->first[i + 1] - f->first[i]) * (f->first[i + 1] - f->first[i]);
    return bound / 3 >= 500.0 * f->nc;
}

/* W_ij = G_i'G_j over the rows that both touch. */
static void factored_block(const imp_operator *W, int i, int j, double block[9]) {
    const imp_factored *f = W->data;
    memset(block, 0, 9 * sizeof *block);
    for (int a = f->start[i], b = f->start[j]; a < f->start[i + 1] && b < f->start[j + 1];) {
        if (f->row[a] != f->row[b]) {
            f->row[a] < f->row[b] ? a++ : b++;
            continue;
        }
        const double *x = f->G + 3 * (size_t)a++, *y = f->G + 3 * (size_t)b++;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                block[3 * r + c] += x[r] * y[c];
    }
}

/* G_i'(G p) on the rows that i touches. */
static void factored_row(const imp_operator *W, int i, int skip, const double *p, double sum[3],
                         double size[3]) {
    const imp_factored *f = W->data;
    memset(sum, 0, 3 * sizeof *sum);
    if (size) memset(size, 0, 3 * sizeof *size);
    for (int k = f->start[i]; k < f->start[i + 1]; k++) {
        double z = 0, z_size = 0;
        for (int t = f->first[f->row[k]]; t < f->first[f->row[k] + 1]; t++) {
            if (f->contact[t] == skip) continue;
            const double *g = f->G + 3 * (size_t)f->entry[t], *pj = p + 3 * (size_t)f->contact[t];
            z += g[0] * pj[0] + g[1] * pj[1] + g[2] * pj[2];
            if (size) z_size += fabs(g[0] * pj[0]) + fabs(g[1] * pj[1]) + fabs(g[2] * pj[2]);
        }
        for (int r = 0; r < 3; r++) {
            sum[r] += f->G[3 * (size_t)k + (size_t)r] * z;
            if (size) size[r] += fabs(f->G[3 * (size_t)k + (size_t)r]) * z_size;
        }
    }
}

static int ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Contacts of the rows that i touches, merged row by row. */
static int factored_columns(const imp_operator *W, int i, int *columns) {
    const imp_factored *f = W->data;
    int count = 0;
    columns[count++] = i;
    for (int k = f->start[i]; k < f->start[i + 1]; k++) {
        const int known = count;
        for (int t = f->first[f->row[k]]; t < f->first[f->row[k] + 1]; t++)
            if (!bsearch(&f->contact[t], columns, (size_t)known, sizeof *columns, ascending))
                columns[count++] = f->contact[t];
        if (count > known) qsort(columns, (size_t)count, sizeof *columns, ascending);
    }
    return count;
}

static const imp_operator_kind factored_kind = {"factored", factored_block, factored_row,
                                                factored_columns};

imp_operator imp_operator_factored(const imp_factored *factored) {
    return (imp_operator){factored->nc, &factored_kind, factored, 0};
}

imp_operator imp_operator_reduced(const imp_reduced *reduced) {
    return (imp_operator){reduced->blocks.nc, &imp_operator_reduced_kind, reduced, 0};
}

const imp_factored *imp_operator_factor(const imp_operator *W) {
    if (W->kind == &factored_kind) return W->data;
    return W->kind == &imp_operator_reduced_kind ? ((const imp_reduced *)W->data)->factored : NULL;
}

/* of what a pivot of G'G is the difference of: a smaller one is rounding */
static const double SINGULAR = 1e-14;

/* By Gauss' elimination: the rounding of a pivot grows with the factors that later rows take of
 * it. */
int imp_block_singular(const double block[9], int n) {
    double B[9], pivot[3], size[3]; /* roots of what pivots are the differences of */
    memcpy(B, block, sizeof B);
    for (int k = 0; k < n; k++) {
        size[k] = sqrt(B[4 * k]);
        for (int i = 0; i < k; i++) {
            const double l = B[3 * i + k] / pivot[i];
            for (int j = k; j < n; j++)
                B[3 * k + j] -= l * B[3 * i + j];
            size[k] += fabs(l) * size[i];
        }
        if (!(B[4 * k] > SINGULAR * size[k] * size[k])) return 1;
        pivot[k] = B[4 * k];
    }
    return 0;
}

imp_status imp_factored_root(const double W[9], imp_factored **made) {
    /* each by itself: their sum may overflow; the second as imp_problem_check has it */
    const double rounding = SINGULAR * fabs(W[0]) + SINGULAR * fabs(W[4]) + SINGULAR * fabs(W[8]),
                 most = 1e-10 * fabs(W[0]) + 1e-10 * fabs(W[4]) + 1e-10 * fabs(W[8]);
    int start[4] = {0, 3, 6, 9}, row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double G[9] = {0}, rest[9]; /* G by columns */
    *made = NULL;
    memcpy(rest, W, sizeof rest);
    for (int k = 0; k < 3; k++) {
        int j = 0;
        for (int i = 1; i < 3; i++)
            if (rest[4 * i] > rest[4 * j]) j = i;
        if (!(rest[4 * j] > rounding)) break;
        for (int i = 0; i < 3; i++)
            G[3 * i + k] = rest[3 * j + i] / sqrt(rest[4 * j]);
        for (int i = 0; i < 9; i++)
            rest[i] -= G[3 * (i / 3) + k] * G[3 * (i % 3) + k];
    }
    for (int i = 0; i < 9; i++)
        if (!(fabs(rest[i]) <= most)) return IMP_NOT_POSITIVE;
    return imp_factored_of(&(imp_sparse){3, 3, start, row, G}, made);
}

int imp_operator_singular(const imp_operator *W, int n) {
    if (W->nc > 1 || !imp_gram_known(imp_gram_of(W))) return 0;
    double B[9];
    W->kind->block(W, 0, 0, B);
    return imp_block_singular(B, n);
}
