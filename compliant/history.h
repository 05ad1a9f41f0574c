/* history.h - rows of a compliant run: time, state, and what every pair does. */
#ifndef COMPLIANT_HISTORY_H
#define COMPLIANT_HISTORY_H

#include "compliant/ode.h"

/* Where things stand in y, and in a row = (y, t, then per pair: depth, force on B (3, world)). */
typedef struct compliant_layout {
    int nq, nv, npairs;
    int v, impulse, damped, rubbed, dim; /* offsets in y (q begins at 0), and its length */
    /* offsets in a row: depth (npairs), force (3 npairs); its length */
    int time, depth, force, width;
} compliant_layout;

compliant_layout compliant_layout_of(const compliant_ode *ode);

typedef struct compliant_history {
    int rows, capacity, width;
    double *data; /* (rows x width) */
} compliant_history;

/* Appends the present state. IMP_OK, IMP_NO_MEMORY. */
imp_status compliant_history_add(compliant_history *history, const compliant_ode *ode, double t,
                                 const double *y);

static inline const double *compliant_history_row(const compliant_history *history, int row) {
    return history->data + (size_t)row * (size_t)history->width;
}

void compliant_history_clear(compliant_history *history);

#endif
