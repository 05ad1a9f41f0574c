/* coulomb_sets.h - a batch with the columns that only an enumeration of Coulomb solutions has. */
#ifndef COULOMB_SETS_H
#define COULOMB_SETS_H

#include "batch_columns.h"
#include "single/coulomb_batch.h"
#include "tap.h"

enum { MORE = IMP_COULOMB_MOST - 1 };

/* A batch and the columns that only an enumeration has. */
typedef struct sets {
    batch b;
    double p[MORE][3][ROOM], residual[MORE][ROOM];
    imp_coulomb_brief brief[ROOM];
    imp_coulomb_columns all;
} sets;

static inline sets *sets_new(void) {
    sets *s = calloc(1, sizeof *s);
    if (!s) abort();
    return s;
}

static inline imp_batch_columns sets_of(sets *s, int from) {
    imp_batch_columns c = columns_of(&s->b, from);
    s->all = (imp_coulomb_columns){.brief = s->brief + from};
    for (int k = 0; k < MORE; k++) {
        s->all.residual[k] = s->residual[k] + from;
        for (int j = 0; j < 3; j++)
            s->all.p[k][j] = s->p[k][j] + from;
    }
    c.all = &s->all;
    return c;
}

static const imp_coulomb_brief blank = {77, 77, 77, 77, {77, 77, 77}};

static inline void clear_sets(sets *s) {
    clear_answers(&s->b);
    for (int i = 0; i < ROOM; i++) {
        s->brief[i] = blank;
        for (int k = 0; k < MORE; k++)
            s->residual[k][i] = s->p[k][0][i] = s->p[k][1][i] = s->p[k][2][i] = untouched;
    }
}

/* Solution k of problem i; returns its residual. */
static inline double solution(const sets *s, int i, int k, double p[3]) {
    for (int j = 0; j < 3; j++)
        p[j] = k ? s->p[k - 1][j][i] : s->b.p[j][i];
    return k ? s->residual[k - 1][i] : s->b.residual[i];
}

static inline double largest(const double p[3]) {
    return tap_worst(fabs(p[0]), tap_worst(fabs(p[1]), fabs(p[2])));
}

static inline double apart(const double p[3], const double q[3]) {
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return largest(d);
}

/* How far the impulses of the set are from those that the search finds. */
static inline double off_search(const gen_problem *g, const imp_coulomb_set *set) {
    imp_coulomb_set found = {0};
    double most = 0;
    (void)imp_coulomb_search(g->W, g->q, g->mu, &found);
    if (found.count != set->count || found.proven != set->proven || found.unique != set->unique ||
        found.maxdiss != set->maxdiss)
        return INFINITY;
    for (int k = 0; k < set->count; k++) {
        const double size = largest(found.solution[k].p),
                     off = apart(set->solution[k].p, found.solution[k].p);
        if (set->solution[k].kind != found.solution[k].kind) return INFINITY;
        most = tap_worst(most, size > 0 ? off / size : off);
    }
    return most;
}

#endif
