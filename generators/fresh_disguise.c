/* fresh_disguise.c - a contact problem written in another way: other order, axes and units. */
#include "fresh.h"

#include <math.h>
#include <stdlib.h>

static void turn_drawn(gen_stream *s, bool planar, double turn[3]) {
    double x = gen_normal(s), y = gen_normal(s);
    const bool quarter = gen_uniform(s, 0, 1) < 0.5;
    if (planar || (quarter && fabs(x) > fabs(y)))
        y = 0;
    else if (quarter)
        x = 0;
    const double length = sqrt(x * x + y * y);
    turn[0] = x / length;
    turn[1] = y / length;
    turn[2] = gen_sign(s);
}

static bool writing_drawn(int nc, bool planar, gen_stream *s, fresh_writing *t) {
    t->nc = nc;
    t->order = malloc(2 * (size_t)nc * sizeof *t->order);
    t->turn = malloc(3 * (size_t)nc * sizeof *t->turn);
    if (!t->order || !t->turn) return false;
    t->place = t->order + nc;
    for (int i = 0; i < nc; i++) {
        t->order[i] = i;
        turn_drawn(s, planar, t->turn + 3 * (size_t)i);
    }
    for (int i = nc - 1; i > 0; i--) {
        const int j = (int)gen_uniform(s, 0, i + 1), other = t->order[j];
        t->order[j] = t->order[i];
        t->order[i] = other;
    }
    for (int i = 0; i < nc; i++)
        t->place[t->order[i]] = i;
    t->w = ldexp(1, (int)gen_uniform(s, -20, 21));
    t->v = ldexp(1, (int)gen_uniform(s, -10, 11));
    return true;
}

/* What is not asked for stays as it was. */
static void keep(unsigned ways, fresh_writing *t) {
    for (int i = 0; i < t->nc; i++) {
        double *turn = t->turn + 3 * (size_t)i;
        if (!(ways & FRESH_ORDER)) t->order[i] = t->place[i] = i;
        if (ways & FRESH_QUARTERS) { /* the nearer axis */
            const bool other = fabs(turn[1]) > fabs(turn[0]);
            turn[0] = other ? 0 : copysign(1, turn[0]);
            turn[1] = other ? copysign(1, turn[1]) : 0;
        }
        if (!(ways & FRESH_FRAMES)) turn[0] = 1, turn[1] = 0;
        turn[2] = ways & FRESH_MIRROR ? -1 : 1;
    }
    if (!(ways & FRESH_MASS)) t->w = 1;
    if (!(ways & FRESH_UNITS)) t->v = 1;
}

static void turned(const double turn[3], const double x[3], double y[3]) {
    y[0] = x[0];
    y[1] = turn[0] * x[1] + turn[1] * x[2];
    y[2] = turn[2] * (turn[0] * x[2] - turn[1] * x[1]);
}

static void turned_back(const double turn[3], const double y[3], double x[3]) {
    x[0] = y[0];
    x[1] = turn[0] * y[1] - turn[2] * turn[1] * y[2];
    x[2] = turn[1] * y[1] + turn[2] * turn[0] * y[2];
}

/* block <- W_ij of the new problem; of two that mirror each other always from the same one. */
static void block_of(const imp_problem *from, const fresh_writing *t, int i, int j,
                     double block[9]) {
    if (i > j) {
        double mirror[9];
        block_of(from, t, j, i, mirror);
        for (int k = 0; k < 9; k++)
            block[k] = mirror[3 * (k % 3) + k / 3];
        return;
    }
    double old[9], half[9], columns[9];
    from->W->kind->block(from->W, t->order[i], t->order[j], old);
    for (int r = 0; r < 3; r++) /* W T_j' */
        turned(t->turn + 3 * (size_t)j, old + 3 * (size_t)r, half + 3 * (size_t)r);
    for (int c = 0; c < 3; c++) { /* T_i of its columns */
        const double column[3] = {half[c], half[3 + c], half[6 + c]};
        turned(t->turn + 3 * (size_t)i, column, columns + 3 * (size_t)c);
    }
    for (int k = 0; k < 9; k++) {
        const int r = k / 3, c = k % 3;
        block[k] = t->w * (i == j && r > c ? columns[3 * r + c] : columns[3 * c + r]);
    }
}

static int ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The new columns of row i, into `columns`; returns how many. */
static int columns_of(const imp_problem *from, const fresh_writing *t, int i, int *columns) {
    const int count = from->W->kind->columns(from->W, t->order[i], columns);
    for (int k = 0; k < count; k++)
        columns[k] = t->place[columns[k]];
    qsort(columns, (size_t)count, sizeof *columns, ascending);
    return count;
}

static bool room(const imp_problem *from, const fresh_writing *t, fresh_problem *made) {
    const size_t n = (size_t)from->nc;
    size_t count = 0;
    int *columns = malloc(n * sizeof *columns);
    for (int i = 0; columns && i < from->nc; i++)
        count += (size_t)columns_of(from, t, i, columns);
    free(columns);
    if (!columns) return false;
    made->structure = malloc((n + 1 + count) * sizeof *made->structure);
    made->numbers = malloc((9 * count + 5 * n) * sizeof *made->numbers);
    return made->structure && made->numbers;
}

static void write(const imp_problem *from, const fresh_writing *t, fresh_problem *made) {
    const int nc = from->nc;
    int *start = made->structure, *column = start + nc + 1, count = 0;
    double *block = made->numbers;
    for (int i = 0; i < nc; i++) {
        start[i] = count;
        count += columns_of(from, t, i, column + count);
        for (int k = start[i]; k < count; k++)
            block_of(from, t, i, column[k], block + 9 * (size_t)k);
    }
    start[nc] = count;
    double *q = block + 9 * (size_t)count, *mu = q + 3 * (size_t)nc, *e = mu + nc;
    for (int i = 0; i < nc; i++) {
        const int old = t->order[i];
        turned(t->turn + 3 * (size_t)i, from->q + 3 * (size_t)old, q + 3 * (size_t)i);
        for (int r = 0; r < 3; r++)
            q[3 * i + r] *= t->v;
        mu[i] = from->mu[old];
        e[i] = from->e ? from->e[old] : 0;
    }
    made->blocks = (imp_blocks){nc, start, column, block};
    made->W = imp_operator_blocks(&made->blocks);
    made->problem = (imp_problem){.nc = nc, .W = &made->W, .q = q, .mu = mu, .e = e};
}

/* *made <- `from` as *t says, where that was drawn. */
static imp_status made_of(const imp_problem *from, bool drawn, const fresh_writing *t,
                          fresh_problem *made) {
    *made = (fresh_problem){0};
    const bool good = drawn && room(from, t, made);
    if (good)
        write(from, t, made);
    else
        fresh_clear(made);
    return good ? IMP_OK : IMP_NO_MEMORY;
}

imp_status fresh_disguise(const imp_problem *from, bool planar, gen_stream *s,
                          fresh_problem *made) {
    fresh_writing t = {0};
    const bool drawn = writing_drawn(from->nc, planar, s, &t);
    const imp_status status = made_of(from, drawn, &t, made);
    fresh_writing_clear(&t);
    return status;
}

imp_status fresh_rewrite(const imp_problem *from, unsigned ways, gen_stream *s, fresh_problem *made,
                         fresh_writing *how) {
    *how = (fresh_writing){0};
    const bool drawn = writing_drawn(from->nc, ways & FRESH_HALVES, s, how);
    if (drawn) keep(ways, how);
    const imp_status status = made_of(from, drawn, how, made);
    if (status != IMP_OK) fresh_writing_clear(how);
    return status;
}

void fresh_read_back(const fresh_writing *how, const double *p, double *old) {
    for (int i = 0; i < how->nc; i++) {
        double *own = old + 3 * (size_t)how->order[i];
        turned_back(how->turn + 3 * (size_t)i, p + 3 * (size_t)i, own);
        for (int r = 0; r < 3; r++)
            own[r] *= how->w / how->v;
    }
}

void fresh_writing_clear(fresh_writing *how) {
    free(how->order);
    free(how->turn);
    *how = (fresh_writing){0};
}

void fresh_clear(fresh_problem *p) {
    free(p->structure);
    free(p->numbers);
    *p = (fresh_problem){0};
}
