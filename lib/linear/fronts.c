/* fronts.c - the walk over the fronts of a sparse factor, from the leaves of their tree on and
 * back. */
#include "linear/fronts.h"

#include <stdlib.h>
#include <string.h>

bool imp_fronts_open(fronts *q, int n, const int *start, const int *row) {
    const quasi_definite_plan *p = &q->plan;
    *q = (fronts){.start = start, .row = row};
    if (!imp_quasi_definite_make_plan(n, start, row, &q->plan)) return false;
    q->L = malloc((p->panel[p->fronts] + p->stack + p->work + (size_t)n + 1) * sizeof *q->L);
    q->local = malloc((3 * (size_t)n + 1) * sizeof *q->local);
    if (!q->L || !q->local) return false;
    q->stack = q->L + p->panel[p->fronts];
    q->work = q->stack + p->stack;
    q->y = q->work + p->work;
    q->open = q->local + n;
    return true;
}

void imp_fronts_close(fronts *q) {
    imp_quasi_definite_unplan(&q->plan);
    free(q->L);
    free(q->local);
}

static front front_at(const fronts *q, int f, double *left) {
    const quasi_definite_plan *p = &q->plan;
    front a = {.number = f, .begin = p->first[f], .width = p->first[f + 1] - p->first[f]};
    a.height = (int)(p->below[f + 1] - p->below[f]);
    a.rows = a.width + a.height;
    a.below = p->row + p->below[f];
    a.panel = q->L + p->panel[f];
    a.left = left;
    return a;
}

/* Makes the front empty, and known where its rows are. */
static void begin(fronts *q, const front *a) {
    memset(a->panel, 0, (size_t)a->rows * (size_t)a->width * sizeof *a->panel);
    memset(a->left, 0, (size_t)a->height * (size_t)a->height * sizeof *a->left);
    for (int j = 0; j < a->width; j++)
        q->local[a->begin + j] = j;
    for (int k = 0; k < a->height; k++)
        q->local[a->below[k]] = a->width + k;
}

bool imp_fronts_factor(fronts *q, const fronts_kind *kind, const double *value) {
    const quasi_definite_plan *p = &q->plan;
    double *top = q->stack;
    int depth = 0, *place = q->open + p->fronts; /* of a child's rows */
    for (int f = 0; f < p->fronts; f++) {
        const front a = front_at(q, f, top);
        double *bottom = top;
        begin(q, &a);
        kind->gather_matrix(q, value, &a);
        for (int c = 0; c < p->children[f]; c++) {
            front child = front_at(q, q->open[--depth], NULL);
            bottom -= (size_t)child.height * (size_t)child.height;
            child.left = bottom;
            for (int i = 0; i < child.height; i++)
                place[i] = q->local[child.below[i]];
            kind->gather_child(q, &a, &child, place);
        }
        if (!kind->eliminate(q, &a)) return false;
        top = bottom + (size_t)a.height * (size_t)a.height;
        if (a.height == 0) continue;
        memmove(bottom, a.left, (size_t)(top - bottom) * sizeof *bottom);
        q->open[depth++] = f;
    }
    return true;
}

void imp_fronts_solve(fronts *q, const fronts_kind *kind, double *b) {
    const quasi_definite_plan *p = &q->plan;
    double *y = q->y, *below = q->work;
    for (int i = 0; i < p->n; i++)
        y[i] = b[p->order[i]];
    for (int f = 0; f < p->fronts; f++) {
        const front a = front_at(q, f, NULL);
        kind->forward(q, &a, y + a.begin, below);
        for (int k = 0; k < a.height; k++)
            y[a.below[k]] -= below[k];
    }
    for (int f = p->fronts - 1; f >= 0; f--) {
        const front a = front_at(q, f, NULL);
        for (int k = 0; k < a.height; k++)
            below[k] = y[a.below[k]];
        kind->backward(q, &a, y + a.begin, below);
    }
    for (int i = 0; i < p->n; i++)
        b[p->order[i]] = y[i];
}
