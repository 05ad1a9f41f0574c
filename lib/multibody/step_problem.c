/* step_problem.c - the contact problem of a time step: J and M sparse by trees, W by blocks, q =
 * J'v*. */
#include "multibody/loop_rows.h"
#include "multibody/step_internal.h"

#include "base/two_lanes.h"
#include "multibody/tree_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_step_grow(imp_step_memory *memory, size_t bytes) {
    if (memory->at && bytes <= memory->bytes) return true;
    free(memory->at);
    memory->at = malloc(bytes + bytes / 2);
    memory->bytes = memory->at ? bytes + bytes / 2 : 0;
    return memory->at;
}

static imp_step_touch touched(const imp_world *w, const imp_contact *c) {
    int a = c->a == IMP_GROUND ? -1 : w->tree_of[c->a],
        b = c->b == IMP_GROUND ? -1 : w->tree_of[c->b];
    if (a >= 0 && w->tree[a]->nv == 0) a = -1;
    if (b >= 0 && w->tree[b]->nv == 0) b = -1;
    if (a == b) b = -1;
    const int first = a < 0 || (b >= 0 && b < a) ? b : a, second = first == a ? b : a;
    return (imp_step_touch){
        (a >= 0) + (b >= 0),
        {first, second},
        {first < 0 ? 0 : w->tree[first]->nv, second < 0 ? 0 : w->tree[second]->nv}};
}

/* Which trees each contact touches. Where one touches others than in the step before, the pattern
 * is to be laid out anew. */
static imp_status find_touches(imp_stepper *s) {
    const imp_world *w = s->world;
    imp_step_store *store = s->store;
    if (store->laid_out != s->near.count) store->laid_out = 0;
    if (!imp_step_grow(&store->touches, (size_t)s->near.count * sizeof(imp_step_touch)))
        return IMP_NO_MEMORY;
    store->touch = store->touches.at;
    for (int i = 0; i < s->near.count; i++) {
        const imp_contact *c = &s->near.item[i].contact;
        if (c->a < IMP_GROUND || c->a >= w->nl || c->b < IMP_GROUND || c->b >= w->nl ||
            c->a == c->b)
            return IMP_BAD_ARGUMENT;
        const imp_step_touch touch = touched(w, c);
        if (touch.count == 0) return IMP_BAD_ARGUMENT;
        if (store->laid_out > 0 && memcmp(&touch, &store->touch[i], sizeof touch) == 0) continue;
        store->laid_out = 0;
        store->touch[i] = touch;
    }
    return IMP_OK;
}

bool imp_step_mass(const imp_world *w, imp_sparse *M) {
    const size_t nv = (size_t)w->nv;
    size_t count = 0;
    for (int t = 0; t < w->nt; t++)
        count += (size_t)w->tree[t]->nv * (size_t)w->tree[t]->nv;
    if (count >= INT_MAX) return false;
    *M = (imp_sparse){w->nv, w->nv, malloc((nv + 1) * sizeof(int)),
                      malloc((count + 1) * sizeof(int)), malloc((count + 1) * sizeof(double))};
    if (!M->start || !M->row || !M->value) return false;
    int at = 0;
    for (int j = 0, t = 0; j < w->nv; j++) {
        while (w->v_at[t + 1] <= j)
            t++;
        M->start[j] = at;
        for (int i = w->v_at[t]; i < w->v_at[t + 1]; i++)
            M->row[at++] = i;
    }
    M->start[w->nv] = at;
    return true;
}

static void fill_mass(imp_stepper *s) {
    const imp_world *w = s->world;
    for (int t = 0; t < w->nt; t++)
        imp_tree_mass_matrix(w->tree[t], s->M.value + s->M.start[w->v_at[t]]);
}

/* Where J has entries: of each contact the degrees of freedom of one tree, then of the other. */
static void lay_out_rows(imp_stepper *s) {
    int *row = s->J.row;
    s->J.start[0] = 0;
    for (int c = 0; c < s->J.columns; c++) {
        const imp_step_touch *touch = &s->store->touch[c / 3];
        for (int k = 0; k < touch->count; k++)
            for (int d = 0; d < touch->nv[k]; d++)
                *row++ = s->world->v_at[touch->tree[k]] + d;
        s->J.start[c + 1] = (int)(row - s->J.row);
    }
}

/* Columns of J and of L'^-1 J, and q = J'v. */
static void fill_rows(imp_stepper *s) {
    const imp_world *w = s->world;
    for (int i = 0; i < s->near.count; i++) {
        const imp_step_touch *touch = &s->store->touch[i];
        const imp_contact *c = &s->near.item[i].contact;
        const int stride = touch->nv[0] + touch->nv[1];
        double *q = s->store->q_free + 3 * (size_t)i;
        memset(q, 0, 3 * sizeof *q);
        for (int k = 0, from = s->J.start[3 * i]; k < touch->count; from += touch->nv[k++]) {
            const int tree = touch->tree[k];
            const bool has_a = c->a != IMP_GROUND && w->tree_of[c->a] == tree,
                       has_b = c->b != IMP_GROUND && w->tree_of[c->b] == tree;
            imp_tree_contact_rows(w->tree[tree], c, has_a ? w->link_of[c->a] : IMP_GROUND,
                                  has_b ? w->link_of[c->b] : IMP_GROUND, (size_t)stride,
                                  s->J.value + from, s->store->half.value + from, q);
        }
        imp_step_leave_out_rows(s, i);
    }
}

/* list (lists[nt]): the contacts of each tree, ascending; lists (nt + 1): where they start. */
static void list_contacts(const imp_stepper *s, int *lists, int *list) {
    const imp_step_touch *touch = s->store->touch;
    const int nt = s->world->nt;
    int all = 0;
    memset(lists, 0, ((size_t)nt + 1) * sizeof *lists);
    for (int i = 0; i < s->near.count; i++) {
        for (int k = 0; k < touch[i].count; k++)
            lists[touch[i].tree[k] + 1]++;
        all += touch[i].count;
    }
    for (int t = 0; t < nt; t++)
        lists[t + 1] += lists[t];
    for (int i = s->near.count; i-- > 0;)
        for (int k = 0; k < touch[i].count; k++)
            list[--lists[touch[i].tree[k] + 1]] = i;
    for (int t = 0; t < nt; t++) /* the starts have moved by one place */
        lists[t] = lists[t + 1];
    lists[nt] = all;
}

/* columns <- the contacts that share a tree with contact i, ascending; how many. */
static int coupled(const imp_stepper *s, const int *lists, const int *list, int i, int *columns) {
    const imp_step_touch *touch = &s->store->touch[i];
    const int *tree = touch->tree;
    int at[2] = {lists[tree[0]], touch->count > 1 ? lists[tree[1]] : 0};
    const int end[2] = {lists[tree[0] + 1], touch->count > 1 ? lists[tree[1] + 1] : 0};
    int count = 0;
    while (at[0] < end[0] || at[1] < end[1]) {
        const int first = at[0] < end[0] ? list[at[0]] : INT_MAX,
                  second = at[1] < end[1] ? list[at[1]] : INT_MAX;
        const int next = first < second ? first : second;
        at[0] += first == next;
        at[1] += second == next;
        columns[count++] = next;
    }
    return count;
}

/* x . y of six numbers, in two halves of the sum. */
static inline two_lanes six(const double *x, const double *y) {
    return two_of(x) * two_of(y) + two_of(x + 2) * two_of(y + 2) + two_of(x + 4) * two_of(y + 4);
}

/* block (3 x 3) += X Y', of rows of six numbers, each `stride` after the one before. */
static inline void add_six(const double *X, int stride_x, const double *Y, int stride_y,
                           double *block) {
    two_lanes sum[9];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            sum[3 * a + b] = six(X + a * stride_x, Y + b * stride_y);
    for (int e = 0; e < 8; e += 2) { /* two entries at once */
        const two_lanes *s = sum + e, entries = two_of(block + e) + ((two_lanes){s[0][0], s[1][0]} +
                                                                     (two_lanes){s[0][1], s[1][1]});
        memcpy(block + e, &entries, sizeof entries);
    }
    block[8] += sum[8][0] + sum[8][1];
}

/* The same of n numbers: those of a free body are six. */
static inline void add_products(const double *X, int stride_x, const double *Y, int stride_y, int n,
                                double *block) {
    for (; n >= 6; n -= 6, X += 6, Y += 6)
        add_six(X, stride_x, Y, stride_y, block);
    for (; n > 0; n--, X++, Y++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                block[3 * a + b] += X[a * stride_x] * Y[b * stride_y];
}

/* W_ij = sum over shared trees of half_i' half_j; a row of `half` has the degrees of freedom of one
 * tree, then those of the other. */
static void fill_block(const imp_stepper *s, int i, int j, double *to) {
    const imp_step_touch *of_i = &s->store->touch[i], *of_j = &s->store->touch[j];
    const int stride_i = of_i->nv[0] + of_i->nv[1], stride_j = of_j->nv[0] + of_j->nv[1];
    const double *X = s->store->half.value + s->J.start[3 * (size_t)i],
                 *Y = s->store->half.value + s->J.start[3 * (size_t)j];
    double block[9] = {0};
    if (of_i->tree[0] == of_j->tree[0] && of_i->tree[1] == of_j->tree[1])
        add_products(X, stride_i, Y, stride_i, stride_i, block);
    else
        for (int k = 0; k < of_i->count; X += of_i->nv[k++]) {
            const int l = of_j->tree[0] != of_i->tree[k];
            if (of_j->tree[l] == of_i->tree[k])
                add_products(X, stride_i, Y + l * of_j->nv[0], stride_j, of_i->nv[k], block);
        }
    memcpy(to, block, sizeof block);
}

/* The blocks on and right of the diagonal; those left of it mirror them. */
static void fill_blocks(imp_stepper *s) {
    const imp_step_store *store = s->store;
    /* of each row, the next block right of the diagonal; columns ascend */
    int *mirrored = s->store->mirrored;
    for (int i = 0; i < s->near.count; i++)
        for (int k = store->start[i]; k < store->start[i + 1]; k++) {
            const int j = store->column[k];
            double *block = store->block + 9 * (size_t)k;
            if (j >= i) {
                fill_block(s, i, j, block);
                if (j == i) mirrored[i] = k + 1;
                continue;
            }
            const double *other = store->block + 9 * (size_t)mirrored[j]++;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    block[3 * a + b] = other[3 * b + a];
        }
}

/* The next `bytes` of the store's memory, where there is a base; NULL where it is only counted. */
static void *next(char *base, size_t *used, size_t bytes) {
    const size_t at = *used;
    *used += (bytes + 15) / 16 * 16;
    return base ? base + at : NULL;
}

/* Everything of a problem in one piece of memory from `base` on; NULL: nothing is placed. Returns
 * its bytes. */
static size_t lay_out(imp_stepper *s, char *base, size_t in_J, size_t blocks) {
    imp_step_store *store = s->store;
    const size_t nc = (size_t)s->near.count;
    size_t used = 0;
    s->J = (imp_sparse){
        s->world->nv, 3 * (int)nc, next(base, &used, (3 * nc + 1) * sizeof *s->J.start),
        next(base, &used, in_J * sizeof *s->J.row), next(base, &used, in_J * sizeof *s->J.value)};
    s->gap = next(base, &used, nc * sizeof *s->gap);
    store->mu_v = next(base, &used, nc * sizeof *store->mu_v);
    s->p = next(base, &used, 3 * nc * sizeof *s->p);
    store->half = s->J;
    store->half.value = next(base, &used, in_J * sizeof *store->half.value);
    store->start = next(base, &used, (nc + 1) * sizeof *store->start);
    store->mirrored = next(base, &used, nc * sizeof *store->mirrored);
    store->column = next(base, &used, blocks * sizeof *store->column);
    store->block = next(base, &used, 9 * blocks * sizeof *store->block);
    store->mu = next(base, &used, nc * sizeof *store->mu);
    store->e = next(base, &used, nc * sizeof *store->e);
    store->q_free = next(base, &used, 3 * nc * sizeof *store->q_free);
    store->q_shifted = next(base, &used, 3 * nc * sizeof *store->q_shifted);
    store->e_shifted = next(base, &used, nc * sizeof *store->e_shifted);
    return used;
}

/* Counts what the problem needs, places its arrays, and says where J and W have entries. */
static bool lay_out_pattern(imp_stepper *s) {
    const imp_world *w = s->world;
    imp_step_store *store = s->store;
    const size_t nc = (size_t)s->near.count;
    size_t in_J = 0, blocks = 0;
    if (!imp_step_grow(&store->lists, ((size_t)w->nt + 1 + 2 * nc) * sizeof(int))) return false;
    int *lists = store->lists.at, *list = lists + w->nt + 1;
    list_contacts(s, lists, list);
    for (int i = 0; i < s->near.count; i++) {
        const imp_step_touch *touch = &store->touch[i];
        for (int k = 0; k < touch->count; k++) {
            const int tree = touch->tree[k];
            in_J += 3 * (size_t)touch->nv[k];
            blocks += (size_t)(lists[tree + 1] - lists[tree]); /* at most */
        }
    }
    if (in_J >= INT_MAX || blocks >= INT_MAX) return false;
    const size_t bytes = lay_out(s, store->arrays.at, in_J, blocks);
    if (!store->arrays.at || bytes > store->arrays.bytes) {
        const bool grown = imp_step_grow(&store->arrays, bytes);
        lay_out(s, store->arrays.at, in_J, blocks);
        if (!grown) return false;
    }
    lay_out_rows(s);
    store->start[0] = 0;
    for (int i = 0; i < s->near.count; i++)
        store->start[i + 1] =
            store->start[i] + coupled(s, lists, list, i, store->column + store->start[i]);
    store->laid_out = s->near.count;
    return true;
}

/* W <- what loops leave of it. */
static imp_status project(imp_stepper *s, const imp_loops *loops) {
    imp_step_store *store = s->store;
    imp_factored_free(store->left);
    const imp_status status = imp_loops_left(loops, s->J.columns, store->half.value, &store->left);
    if (status == IMP_OK) store->W = imp_operator_factored(store->left);
    return status;
}

/* W and q of what loops leave, in a world of one tree. */
static imp_status leave_loops(imp_stepper *s, const imp_loops *loops) {
    imp_step_store *store = s->store;
    const int rows = s->J.columns;
    bool fewer = false;
    imp_status status = project(s, loops);
    for (int r = 0; r < rows && status == IMP_OK; r++)
        fewer = imp_step_leave_out_row(s, loops, r) || fewer;
    if (fewer) status = project(s, loops);
    for (int r = 0; r < rows && status == IMP_OK; r++) {
        double block[9];
        store->W.kind->block(&store->W, r / 3, r / 3, block);
        store->q_free[r] = imp_loops_rest(s->world->tree[0], &s->near.item[r / 3].contact,
                                          block[4 * (r % 3)], store->q_free[r]);
    }
    return status;
}

imp_status imp_step_assemble(imp_stepper *s, const imp_step_settings *settings) {
    imp_step_store *store = s->store;
    const int nc = s->near.count;
    s->problem = (imp_problem){0};
    if (nc == 0) return IMP_OK;
    const imp_status status = find_touches(s);
    if (status != IMP_OK) return status;
    if (store->laid_out == 0 && !lay_out_pattern(s)) return IMP_NO_MEMORY;
    fill_mass(s);
    fill_rows(s);
    if (!settings->loops) fill_blocks(s);
    bool elastic = false; /* e = 0 everywhere is for every model */
    for (int i = 0; i < nc; i++) {
        const imp_nearby *near = &s->near.item[i];
        s->gap[i] = fmax(near->gap, settings->least_gap) / settings->h;
        if (!isfinite(near->gap) || !isfinite(s->gap[i])) return IMP_NOT_FINITE;
        store->mu_v[i] = settings->h * near->mu_v;
        store->mu[i] = near->mu;
        store->e[i] = near->e;
        elastic = elastic || near->e != 0;
    }
    store->assembled = (imp_assembled){
        {nc, store->start, store->column, store->block}, &s->M, &s->J, &store->half};
    store->W = imp_operator_assembled(&store->assembled);
    if (settings->loops) {
        const imp_status left = leave_loops(s, settings->loops);
        if (left != IMP_OK) return left;
    }
    imp_step_leave_overlaps(s);
    s->problem = (imp_problem){.nc = nc,
                               .W = &store->W,
                               .q = store->q_free,
                               .mu = store->mu,
                               .e = elastic ? store->e : NULL,
                               .mu_v = store->mu_v};
    return IMP_OK;
}
