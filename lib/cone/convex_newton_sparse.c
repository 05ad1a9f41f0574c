/* convex_newton_sparse.c - the Newton systems of the interior point, sparse.
 *
 * With v = M^-1 H (dx - E dl), the change of the bodies' velocities, and N = H E, the system of
 * convex_newton.h becomes
 *
 *     [ B   H'   0            1 ] [dx]   [r_x]
 *     [ H  -M   -N            0 ] [v ] = [ 0 ]
 *     [ 0  -N'  -(D + A_N)    0 ] [dl]   [r_l]
 *     [ 1'  0    0           -d ] [dt]   [r_t]
 *
 * with A_N = N' M^-1 N: still quasi-definite, and as sparse as the contacts. Eliminating dx first
 * would leave a positive definite matrix of the bodies alone, but B tends to 0 at sticking
 * contacts. Without M and H the rows of v are missing and W stands in their place. */
#include "cone/convex_newton_sparse.h"

#include "base/exact.h"
#include "linear/quasi_definite.h"
#include "linear/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct convex_sparse {
    const convex_island *island;
    int n, bodies;    /* contacts; rows of v, 0 without M and H */
    imp_sparse K;     /* the pattern with the values that never change */
    double *value;    /* (entries) of the matrix to factorise */
    int *at_B, *at_D; /* (9n), (n + 1) where those entries stand in K */
    int *diagonal;    /* (size) where the diagonal stands */
    double *work;     /* (size) */
    quasi_definite *factor;
};

static void add_both(imp_triplets *t, int row, int column, double value) {
    imp_triplets_add(t, row, column, value);
    if (row != column) imp_triplets_add(t, column, row, value);
}

bool imp_convex_bodies_open(convex_bodies *bodies, const imp_sparse *M, const imp_sparse *H) {
    const size_t rows = (size_t)M->rows;
    *bodies = (convex_bodies){.M = M, .H = H, .number = malloc((4 * rows + 1) * sizeof(int))};
    if (!bodies->number) return false;
    bodies->row = bodies->number + rows;
    bodies->stack = bodies->row + rows;
    bodies->exponent = bodies->stack + rows;
    for (int k = 0; k < M->rows; k++) {
        bodies->number[k] = -1;
        bodies->exponent[k] = 0;
        for (int entry = M->start[k]; entry < M->start[k + 1]; entry++)
            if (M->row[entry] == k) bodies->exponent[k] = imp_exponent(M->value[entry]);
    }
    return true;
}

void imp_convex_bodies_close(convex_bodies *bodies) {
    free(bodies->number);
}

/* Those of the column's rows that are new get the next numbers, from `count` on; how many have one
 * then. */
static int number_column(convex_bodies *b, const imp_sparse *matrix, int column, int count,
                         int *depth) {
    for (int k = matrix->start[column]; k < matrix->start[column + 1]; k++) {
        const int row = matrix->row[k];
        if (b->number[row] >= 0) continue;
        b->number[row] = count;
        b->row[count++] = row;
        b->stack[(*depth)++] = row;
    }
    return count;
}

/* Numbers the rows that the island's contacts touch, directly or through M; how many. */
static int number_rows(const convex_island *s, convex_bodies *b) {
    int depth = 0, count = 0;
    for (int i = 0; i < 3 * s->n; i++)
        count = number_column(b, b->H, 3 * s->contact[i / 3] + i % 3, count, &depth);
    while (depth > 0) {
        depth--;
        count = number_column(b, b->M, b->stack[depth], count, &depth);
    }
    return count;
}

static void forget_rows(convex_bodies *b, int count) {
    for (int k = 0; k < count; k++)
        b->number[b->row[k]] = -1;
}

/* The power of two that velocities of this row are divided by, so that its mass or moment is near
 * 1, beside which the shifts of the diagonal are small whatever the units. */
static int row_exponent(const convex_bodies *b, const convex_island *s, int row) {
    const int exponent = b->exponent[row] + s->W_exponent;
    return -(exponent - (exponent & 1)) / 2;
}

static void add_bodies(const convex_sparse *p, const convex_bodies *b, imp_triplets *t) {
    const convex_island *s = p->island;
    const imp_sparse *M = b->M, *H = b->H;
    const int *number = b->number;
    const int v = 3 * p->n, l = v + p->bodies;
    for (int i = 0; i < 3 * p->n; i++) {
        const int column = 3 * s->contact[i / 3] + i % 3;
        for (int k = H->start[column]; k < H->start[column + 1]; k++) {
            const double value = imp_ldexp(H->value[k], row_exponent(b, s, H->row[k]));
            add_both(t, v + number[H->row[k]], i, value);
            if (i % 3 == 0) add_both(t, v + number[H->row[k]], l + i / 3, -value);
        }
    }
    for (int j = 0; j < p->bodies; j++) {
        const int own = row_exponent(b, s, b->row[j]) + s->W_exponent;
        for (int k = M->start[b->row[j]]; k < M->start[b->row[j] + 1]; k++)
            imp_triplets_add(t, v + number[M->row[k]], v + j,
                             -imp_ldexp(M->value[k], own + row_exponent(b, s, M->row[k])));
    }
    for (int i = 0; i < p->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            imp_triplets_add(t, l + i, l + s->column[k], -s->block[9 * (size_t)k]);
}

static void add_matrix(const convex_sparse *p, imp_triplets *t) {
    const convex_island *s = p->island;
    for (int i = 0; i < p->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            for (int r = 0; r < 3; r++) {
                const double *row = s->block + 9 * (size_t)k + 3 * (size_t)r;
                for (int c = 0; c < 3; c++)
                    imp_triplets_add(t, 3 * i + r, 3 * s->column[k] + c, row[c]);
                add_both(t, 3 * i + r, 3 * p->n + s->column[k], -row[0]);
            }
}

/* B, D and the sum as entries of value 0 and 1; then what never changes. */
static void collect(const convex_sparse *p, const convex_bodies *bodies, imp_triplets *t) {
    const int l = 3 * p->n + p->bodies, size = l + p->n + 1;
    for (int k = 0; k < 9 * p->n; k++)
        imp_triplets_add(t, 3 * (k / 9) + k % 9 / 3, 3 * (k / 9) + k % 3, 0);
    for (int k = 3 * p->n; k < size; k++)
        imp_triplets_add(t, k, k, 0);
    for (int i = 0; i < p->n; i++)
        add_both(t, size - 1, 3 * i, 1);
    if (bodies)
        add_bodies(p, bodies, t);
    else
        add_matrix(p, t);
}

static bool assemble(convex_sparse *p, const convex_bodies *bodies) {
    const int size = 4 * p->n + 1 + p->bodies;
    imp_triplets t = {0};
    collect(p, bodies, &t);
    return imp_triplets_end(&t, size, size, &p->K) == IMP_OK;
}

static bool prepare(convex_sparse *p) {
    const size_t n = (size_t)p->n, size = (size_t)p->K.columns;
    p->value = malloc((size_t)p->K.start[size] * sizeof *p->value);
    p->at_B = malloc((10 * n + 1 + size) * sizeof *p->at_B);
    p->work = malloc(size * sizeof *p->work);
    p->factor = imp_quasi_definite_new((int)size, p->K.start, p->K.row);
    if (!p->value || !p->at_B || !p->work || !p->factor) return false;
    p->at_D = p->at_B + 9 * n;
    p->diagonal = p->at_D + n + 1;
    for (int k = 0; k < 9 * p->n; k++)
        p->at_B[k] = imp_sparse_find(&p->K, 3 * (k / 9) + k % 9 / 3, 3 * (k / 9) + k % 3);
    for (int k = 0; k < (int)size; k++)
        p->diagonal[k] = imp_sparse_find(&p->K, k, k);
    memcpy(p->at_D, p->diagonal + 3 * n + p->bodies, (n + 1) * sizeof *p->at_D);
    return true;
}

convex_sparse *imp_convex_sparse_new(const convex_island *island, convex_bodies *bodies) {
    convex_sparse *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    *p = (convex_sparse){.island = island, .n = island->n};
    if (bodies) p->bodies = number_rows(island, bodies);
    const bool good = assemble(p, bodies) && prepare(p);
    if (bodies) forget_rows(bodies, p->bodies);
    if (good) return p;
    imp_convex_sparse_free(p);
    return NULL;
}

void imp_convex_sparse_free(convex_sparse *p) {
    if (!p) return;
    imp_quasi_definite_free(p->factor);
    imp_sparse_clear(&p->K);
    free(p->value);
    free(p->at_B);
    free(p->work);
    free(p);
}

bool imp_convex_sparse_factor(convex_sparse *p, const double *B, const double *D, double shift) {
    memcpy(p->value, p->K.value, (size_t)p->K.start[p->K.columns] * sizeof *p->value);
    for (int k = 0; k < 9 * p->n; k++)
        p->value[p->at_B[k]] += B[k];
    for (int i = 0; i <= p->n; i++)
        p->value[p->at_D[i]] -= D[i];
    for (int k = 0; k < p->K.columns; k++)
        p->value[p->diagonal[k]] += k < 3 * p->n ? shift : -shift;
    return imp_quasi_definite_factor(p->factor, p->value);
}

void imp_convex_sparse_solve(convex_sparse *p, double *r) {
    const size_t x = 3 * (size_t)p->n, rest = (size_t)p->n + 1;
    memcpy(p->work, r, x * sizeof *r);
    memset(p->work + x, 0, (size_t)p->bodies * sizeof *r);
    memcpy(p->work + x + p->bodies, r + x, rest * sizeof *r);
    imp_quasi_definite_solve(p->factor, p->work);
    memcpy(r, p->work, x * sizeof *r);
    memcpy(r + x, p->work + x + p->bodies, rest * sizeof *r);
}
