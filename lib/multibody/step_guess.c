/* step_guess.c - the impulses of the last step as a first guess of the next, contact by contact.
 *
 * A contact is known again by its pair of shapes; its impulse is kept in the world's axes, since
 * the contact frame turns with the bodies. */
#include "multibody/step_internal.h"

#include <stdlib.h>
#include <string.h>

static int by_pair(const void *a, const void *b) {
    const long long x = ((const imp_step_push *)a)->pair, y = ((const imp_step_push *)b)->pair;
    return (x > y) - (x < y);
}

bool imp_step_remember(imp_stepper *s) {
    imp_step_store *store = s->store;
    const int count = s->problem.nc;
    store->pushes = 0;
    if (count == 0) return true;
    if (!imp_step_grow(&store->pushed, (size_t)count * sizeof(imp_step_push))) return false;
    imp_step_push *push = store->pushed.at;
    store->pushes = count;
    for (int i = 0; i < count; i++) {
        const double *frame = s->near.item[i].contact.frame, *p = s->p + 3 * (size_t)i;
        push[i].pair = s->near.item[i].pair;
        for (int k = 0; k < 3; k++)
            push[i].impulse[k] = frame[k] * p[0] + frame[3 + k] * p[1] + frame[6 + k] * p[2];
    }
    qsort(push, (size_t)count, sizeof *push, by_pair);
    return true;
}

void imp_step_recall(imp_stepper *s) {
    const imp_step_store *store = s->store;
    memset(s->p, 0, 3 * (size_t)s->near.count * sizeof *s->p);
    if (store->pushes == 0) return;
    for (int i = 0; i < s->near.count; i++) {
        const imp_step_push wanted = {.pair = s->near.item[i].pair};
        const imp_step_push *push =
            bsearch(&wanted, store->pushed.at, (size_t)store->pushes, sizeof *push, by_pair);
        const double *frame = s->near.item[i].contact.frame;
        for (int r = 0; push && r < 3; r++)
            for (int k = 0; k < 3; k++)
                s->p[3 * i + r] += frame[3 * r + k] * push->impulse[k];
    }
}
