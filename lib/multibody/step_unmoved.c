/* step_unmoved.c - contacts of a time step along whose axes joints let nothing move. */
#include "multibody/loop_rows.h"
#include "multibody/step_internal.h"

#include "multibody/tree_internal.h"

#include <math.h>
#include <string.h>

/* Of a row of J, relative to the places and directions that its entries are differences of. */
static const double NO_ROW = 1e-13;
/* What loops leave of an entry of W, relative to it: above, it is not looked at for rounding. */
static const double SMALL = 1e-10;

/* A body that nothing is joined to moves along every row. */
static bool is_free_body(const imp_tree *tree) {
    return tree->nv == 6 && tree->link[tree->link_of[0]].joint == IMP_FREE;
}

/* Are a tree's entries of a row of contact c the rounding of places and directions? Those of a free
 * link that carries both sides cancel exactly. */
static bool no_row(const imp_tree *tree, const imp_contact *c, const double *row) {
    for (int d = 0; d < tree->nv; d++) {
        const int link = tree->link_of[d];
        if (row[d] == 0) continue;
        double size = 1;
        if (tree->link[link].joint == IMP_FREE) return false;
        if (tree->link[link].joint == IMP_REVOLUTE)
            size = norm3(c->point) + norm3(tree->state[link].origin);
        if (!(fabs(row[d]) <= NO_ROW * size)) return false;
    }
    return true;
}

void imp_step_leave_out_rows(imp_stepper *s, int i) {
    const imp_step_touch *touch = &s->store->touch[i];
    const size_t stride = (size_t)touch->nv[0] + (size_t)touch->nv[1];
    size_t from = (size_t)s->J.start[3 * i];
    for (int k = 0; k < touch->count; k++)
        if (is_free_body(s->world->tree[touch->tree[k]])) return;
    for (int r = 0; r < 3; r++, from += stride) {
        double *row = s->J.value + from;
        bool none = true;
        for (int k = 0, at = 0; k < touch->count && none; at += touch->nv[k++])
            none = no_row(s->world->tree[touch->tree[k]], &s->near.item[i].contact, row + at);
        if (!none) continue;
        memset(row, 0, stride * sizeof *row);
        memset(s->store->half.value + from, 0, stride * sizeof *row);
        s->store->q_free[3 * (size_t)i + (size_t)r] = 0;
    }
}

bool imp_step_leave_out_row(imp_stepper *s, const imp_loops *loops, int r) {
    imp_step_store *store = s->store;
    const size_t nv = (size_t)s->world->nv;
    double block[9], *half = store->half.value + (size_t)r * nv;
    store->W.kind->block(&store->W, r / 3, r / 3, block);
    const double left = block[4 * (r % 3)];
    double whole = 0;
    for (size_t k = 0; k < nv; k++)
        whole += half[k] * half[k];
    if (left == 0 || left > SMALL * whole) return false;
    const double rounding = imp_loops_rounding(loops, &s->near.item[r / 3].contact, half);
    if (!(left <= rounding * rounding)) return false;
    memset(half, 0, nv * sizeof *half);
    store->q_free[r] = 0;
    return true;
}

void imp_step_leave_overlaps(imp_stepper *s) {
    for (int i = 0; i < s->near.count; i++) {
        double block[9];
        if (s->gap[i] >= 0) continue;
        s->store->W.kind->block(&s->store->W, i, i, block);
        if (block[0] == 0) s->gap[i] = 0;
    }
}
