/* newton_contacts.c - the Newton direction by the closed contacts.
 *
 * Open contacts have D = 0: their dp = R is known, and (E + D W) dp = R is solved on the closed
 * ones. */
#include "blocks/newton_system.h"

#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

/* B (9, row-major) <- block k of the columns, in their units. */
static void block_of(const blockwise *b, int k, double B[9]) {
    for (int e = 0; e < 9; e++)
        B[e] = b->one * b->columns.block[9 * (size_t)k + (size_t)(3 * (e % 3) + e / 3)];
}

/* Room for `count` entries in `columns` columns of the contact-space system. */
static bool make_room(newton_system *s, int nc, int columns, int count) {
    if (s->matrix.start && s->room >= count) {
        s->matrix.rows = s->matrix.columns = columns;
        return true;
    }
    imp_sparse_clear(&s->matrix);
    s->room = count;
    s->matrix =
        (imp_sparse){columns, columns, malloc((3 * (size_t)nc + 1) * sizeof(int)),
                     malloc((size_t)count * sizeof(int)), malloc((size_t)count * sizeof(double))};
    if (s->matrix.start && s->matrix.row && s->matrix.value) return true;
    imp_sparse_clear(&s->matrix);
    return false;
}

/* Scalar columns 3j .. 3j+2 of block column c: rows D_i W_ic of the closed neighbours, identity on
 * the diagonal. */
static void put_block(newton_system *s, const double B[9], int i, const int at[3], bool diagonal) {
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++) {
            s->matrix.row[at[k] + r] = 3 * i + r;
            s->matrix.value[at[k] + r] = B[3 * r + k] + (diagonal && r == k);
        }
}

/* E + D W on the closed contacts, by columns. */
static bool assemble(newton_system *s, const blockwise *b) {
    const imp_blocks *W = &b->columns;
    int closed = 0, blocks = 0;
    for (int c = 0; c < b->nc; c++)
        if (s->index[c] >= 0) s->index[c] = closed++;
    for (int c = 0; c < b->nc; c++) {
        if (s->index[c] < 0) continue;
        blocks++; /* its own, stored or not */
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            blocks += s->index[W->column[k]] >= 0 && W->column[k] != c;
    }
    if (closed == 0) {
        s->matrix.rows = 0;
        return true;
    }
    if (!make_room(s, b->nc, 3 * closed, 9 * blocks)) return false;
    int at = 0;
    for (int c = 0; c < b->nc; c++) {
        if (s->index[c] < 0) continue;
        int height = 3;
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            height += s->index[W->column[k]] >= 0 && W->column[k] != c ? 3 : 0;
        int place[3];
        for (int k = 0; k < 3; k++) {
            s->matrix.start[3 * s->index[c] + k] = at + k * height;
            place[k] = at + k * height;
        }
        double B[9];
        multiply3(s->D + 9 * (size_t)c, b->contact[c].A, B);
        put_block(s, B, s->index[c], place, true);
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            const int i = W->column[k];
            if (s->index[i] < 0 || i == c) continue;
            for (int l = 0; l < 3; l++)
                place[l] += 3;
            double W_ic[9];
            block_of(b, k, W_ic);
            multiply3(s->D + 9 * (size_t)i, W_ic, B);
            put_block(s, B, s->index[i], place, false);
        }
        at += 3 * height;
    }
    s->matrix.start[3 * closed] = at;
    return true;
}

bool imp_newton_contacts_assemble(newton_system *s, const blockwise *b, bool *anew) {
    const size_t bytes = (size_t)b->nc * sizeof *s->index;
    if (!assemble(s, b)) return false;
    *anew = memcmp(s->index, s->pattern_index, bytes) != 0;
    if (*anew) memcpy(s->pattern_index, s->index, bytes);
    return true;
}

void imp_newton_contacts_pose(newton_system *s, const blockwise *b) {
    for (int c = 0; c < b->nc; c++)
        if (s->index[c] >= 0)
            memcpy(s->rhs + 3 * (size_t)s->index[c], s->R + 3 * (size_t)c, 3 * sizeof *s->rhs);
    for (int c = 0; c < b->nc; c++) { /* what the open contacts' known dp does to the closed ones */
        if (s->index[c] >= 0) continue;
        for (int k = b->columns.start[c]; k < b->columns.start[c + 1]; k++) {
            const int i = b->columns.column[k];
            if (s->index[i] < 0) continue;
            double W[9], v[3] = {0, 0, 0};
            block_of(b, k, W);
            imp_newton_add(W, s->R + 3 * (size_t)c, 1, v);
            imp_newton_add(s->D + 9 * (size_t)i, v, -1, s->rhs + 3 * (size_t)s->index[i]);
        }
    }
}

/* dp on the closed contacts; open ones have dp = R. */
void imp_newton_contacts_take(newton_system *s, const blockwise *b) {
    memcpy(s->dp, s->R, 3 * (size_t)b->nc * sizeof *s->dp);
    for (int c = 0; c < b->nc; c++)
        if (s->index[c] >= 0)
            memcpy(s->dp + 3 * (size_t)c, s->rhs + 3 * (size_t)s->index[c], 3 * sizeof *s->rhs);
}

void imp_newton_contacts_velocities(newton_system *s, const blockwise *b) {
    memset(s->du, 0, 3 * (size_t)b->nc * sizeof *s->du);
    for (int c = 0; c < b->nc; c++) {
        const double *dp = s->dp + 3 * (size_t)c;
        for (int k = b->columns.start[c]; k < b->columns.start[c + 1]; k++) {
            double B[9];
            block_of(b, k, B);
            imp_newton_add(B, dp, 1, s->du + 3 * (size_t)b->columns.column[k]);
        }
    }
}
