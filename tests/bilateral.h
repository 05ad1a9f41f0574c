/* bilateral.h - constraints under construction, and what a problem becomes under them. */
#ifndef BILATERAL_H
#define BILATERAL_H

#include "generators/gen.h"
#include "generators/gen_linkage.h"
#include "impact.h"
#include "tap.h"

enum { CONTACTS = GEN_MOST_CONTACTS, JOINTS = 8, ROWS = 6 * JOINTS };

/* Constraints under construction. */
typedef struct rows {
    int count, terms;
    imp_term term[IMP_PAIR_TERMS * JOINTS];
    double rate[ROWS];
} rows;

static inline imp_constraints as_given(const rows *r) {
    return (imp_constraints){.rows = r->count, .terms = r->terms, .term = r->term, .rate = r->rate};
}

static inline void join(rows *r, const imp_body *bodies, imp_pair_kind kind, int a, int b,
                        const double point[3], const double axis[3]) {
    imp_pair pair = {.kind = kind, .a = a, .b = b};
    int added;
    memcpy(pair.point, point, sizeof pair.point);
    if (axis) memcpy(pair.axis, axis, sizeof pair.axis);
    r->terms += imp_pair_terms(&pair, bodies, r->count, r->term + r->terms, &added);
    r->count += added;
}

/* A problem, what it becomes, and what follows from impulses. */
typedef struct reduced {
    imp_status status;
    int row, rank;
    imp_bilateral *made;
    imp_operator W;
    double q[3 * CONTACTS];
} reduced;

static inline reduced reduce(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                             const rows *r) {
    const imp_constraints given = as_given(r);
    reduced it = {.row = -2};
    it.status = imp_bilateral_new(nb, bodies, nc, contacts, &given, &it.made, it.q, &it.row);
    if (it.status != IMP_OK) return it;
    it.W = imp_operator_factored(imp_bilateral_factored(it.made));
    it.rank = imp_bilateral_rank(it.made);
    return it;
}

static inline void dense_of(const reduced *it, double *W) {
    imp_operator_write(&it->W, W);
}

/* The largest difference of two arrays over the largest entry of the second. */
static inline double off(const double *got, const double *want, int n) {
    double worst = 0, size = 0;
    for (int i = 0; i < n; i++) {
        worst = tap_worst(worst, fabs(got[i] - want[i]));
        size = fmax(size, fabs(want[i]));
    }
    return size > 0 ? worst / size : worst;
}

/* The linkage's joints as rows to which others may be added. */
static inline rows joints_of(const gen_linkage *f) {
    rows r = {.count = GEN_LINKAGE_ROWS, .terms = f->terms};
    memcpy(r.term, f->term, sizeof f->term);
    return r;
}

#endif
