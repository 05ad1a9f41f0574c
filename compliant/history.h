/* history.h - rows of a compliant run: time, state, and what every pair does. */
#ifndef COMPLIANT_HISTORY_H
#define COMPLIANT_HISTORY_H

#include "compliant/ode.h"

typedef struct compliant_history {
    int rows, capacity, width;
    double *data; /* (rows x width) */
} compliant_history;

/* Appends the whole state at time t, `rubbed` without what springs hold. IMP_OK, IMP_NO_MEMORY. */
imp_status compliant_history_add(compliant_history *history, const compliant_ode *ode, double t,
                                 const double *whole);

static inline const double *compliant_history_row(const compliant_history *history, int row) {
    return history->data + (size_t)row * (size_t)history->width;
}

void compliant_history_clear(compliant_history *history);

#endif
