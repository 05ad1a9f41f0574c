/* history.c - rows of a compliant run. */
#include "compliant/history.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static imp_status reserve(compliant_history *h) {
    if (h->rows < h->capacity) return IMP_OK;
    const int capacity = h->capacity ? 2 * h->capacity : 64;
    if (h->capacity > INT_MAX / 2) return IMP_NO_MEMORY;
    double *data = realloc(h->data, (size_t)capacity * (size_t)h->width * sizeof *data);
    if (!data) return IMP_NO_MEMORY;
    h->data = data;
    h->capacity = capacity;
    return IMP_OK;
}

imp_status compliant_history_add(compliant_history *history, const compliant_ode *ode, double t,
                                 const double *whole) {
    const compliant_layout at = ode->at;
    history->width = at.width;
    const imp_status status = reserve(history);
    if (status != IMP_OK) return status;
    double *row = history->data + (size_t)history->rows++ * (size_t)at.width;
    memcpy(row, whole, (size_t)at.dim * sizeof *row);
    row[at.time] = t;
    imp_tree_place(ode->system->tree, whole, whole + at.v);
    row[at.rubbed] -= compliant_ode_strained(ode, whole);
    for (int i = 0; i < at.npairs; i++) {
        const compliant_touch touch = compliant_look(ode->system, i);
        double *force = row + at.force + 3 * i;
        row[at.depth + i] = touch.depth;
        memset(force, 0, 3 * sizeof *force);
        if (ode->pressing[i])
            compliant_ode_force(ode, i, &touch, whole + at.spring + at.spring_size * i, force,
                                NULL);
    }
    return IMP_OK;
}

void compliant_history_clear(compliant_history *history) {
    free(history->data);
    *history = (compliant_history){0};
}
