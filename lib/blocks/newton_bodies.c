/* newton_bodies.c - the Newton direction in the coordinates of the bodies.
 *
 * With W = one G'G, y = one G dp solves (E + one G D G') y = one G R, and dp = R - D G'y: a system
 * of the size of the bodies instead of the contacts, with one pattern for all steps. That is the
 * hyperstatic case. */
#include "blocks/newton_system.h"

#include <stdlib.h>
#include <string.h>

double imp_newton_bodies_entries(const imp_factored *f) {
    double all = f->rows;
    for (int c = 0; c < f->nc; c++)
        all += (double)(f->start[c + 1] - f->start[c]) * (f->start[c + 1] - f->start[c]);
    return all;
}

bool imp_newton_bodies_pattern(newton_system *s) {
    const imp_factored *f = s->bodies;
    const size_t count = (size_t)imp_newton_bodies_entries(f);
    int *row = calloc(count + 1, sizeof *row), *column = calloc(count + 1, sizeof *column), k = 0;
    double *zero = calloc(count + 1, sizeof *zero);
    s->place = malloc((count + 1) * sizeof *s->place);
    bool good = row && column && zero && s->place;
    for (; good && k < f->rows; k++)
        row[k] = column[k] = k;
    for (int c = 0; good && c < f->nc; c++)
        for (int i = f->start[c]; i < f->start[c + 1]; i++)
            for (int j = f->start[c]; j < f->start[c + 1]; j++, k++) {
                row[k] = f->row[i];
                column[k] = f->row[j];
            }
    good = good &&
           imp_sparse_from_triplets(f->rows, f->rows, k, row, column, zero, &s->matrix) == IMP_OK;
    for (int i = 0; good && i < k; i++)
        s->place[i] = imp_sparse_find(&s->matrix, row[i], column[i]);
    free(row);
    free(column);
    free(zero);
    return good;
}

/* one G_c D G_c' of a contact that touches `size` coordinates, to where it goes. */
static void add_products(newton_system *s, const double *G, int size, const double D[9], double one,
                         const int *place) {
    for (int a = 0; a < size; a++) {
        double T[3];
        for (int l = 0; l < 3; l++)
            T[l] = one * (G[3 * a] * D[l] + G[3 * a + 1] * D[3 + l] + G[3 * a + 2] * D[6 + l]);
        for (int b = 0; b < size; b++)
            s->matrix.value[*place++] +=
                T[0] * G[3 * b] + T[1] * G[3 * b + 1] + T[2] * G[3 * b + 2];
    }
}

void imp_newton_bodies_assemble(newton_system *s, const blockwise *b) {
    const imp_factored *f = s->bodies;
    const int *place = s->place + f->rows;
    memset(s->matrix.value, 0, (size_t)s->matrix.start[f->rows] * sizeof *s->matrix.value);
    for (int i = 0; i < f->rows; i++)
        s->matrix.value[s->place[i]] = 1;
    for (int c = 0; c < f->nc; c++) {
        const int size = f->start[c + 1] - f->start[c];
        const double *G = f->G + 3 * (size_t)f->start[c];
        if (s->index[c] >= 0) add_products(s, G, size, s->D + 9 * (size_t)c, b->one, place);
        place += size * size;
    }
}

/* v (3) <- G_c' y for the solution y that rhs holds. */
static void velocity(const newton_system *s, const imp_factored *f, int c, double v[3]) {
    v[0] = v[1] = v[2] = 0;
    for (int k = f->start[c]; k < f->start[c + 1]; k++)
        for (int r = 0; r < 3; r++)
            v[r] += f->G[3 * (size_t)k + (size_t)r] * s->rhs[f->row[k]];
}

void imp_newton_bodies_pose(newton_system *s, const blockwise *b) {
    const imp_factored *f = s->bodies;
    memset(s->rhs, 0, (size_t)f->rows * sizeof *s->rhs);
    for (int c = 0; c < f->nc; c++) {
        const double *R = s->R + 3 * (size_t)c;
        for (int k = f->start[c]; k < f->start[c + 1]; k++) {
            const double *G = f->G + 3 * (size_t)k;
            s->rhs[f->row[k]] += b->one * (G[0] * R[0] + G[1] * R[1] + G[2] * R[2]);
        }
    }
}

void imp_newton_bodies_take(newton_system *s, const blockwise *b) {
    const imp_factored *f = s->bodies;
    memcpy(s->dp, s->R, 3 * (size_t)b->nc * sizeof *s->dp);
    for (int c = 0; c < b->nc; c++) {
        double v[3];
        if (s->index[c] < 0) continue;
        velocity(s, f, c, v);
        imp_newton_add(s->D + 9 * (size_t)c, v, -1, s->dp + 3 * (size_t)c);
    }
}

/* y = one G dp, so that W dp = G'y. */
void imp_newton_bodies_velocities(newton_system *s, const blockwise *b) {
    for (int c = 0; c < b->nc; c++)
        velocity(s, s->bodies, c, s->du + 3 * (size_t)c);
}
