/* slot.c - where a problem that is read stands: its numbers, and W over them. */
#include "io/format.h"

#include <stdlib.h>

static bool grow(void **room, size_t *have, size_t want, size_t size) {
    if (want <= *have) return true;
    free(*room);
    *room = malloc(want * size);
    *have = *room ? want : 0;
    return *room != NULL;
}

void imp_slot_release(imp_slot *slot) {
    imp_factored_free(slot->factored);
    imp_bilateral_free(slot->bilateral);
    slot->factored = NULL;
    slot->bilateral = NULL;
    slot->now.bilateral = NULL;
}

double *imp_slot_reserve(imp_slot *slot, int nc, int count) {
    const size_t n = (size_t)nc, entries = count < 0 ? 9 * n * n : 9 * (size_t)count;
    void *numbers = slot->numbers, *structure = slot->structure;
    imp_slot_release(slot);
    const bool good =
        grow(&numbers, &slot->numbers_room, entries + 13 * n, sizeof *slot->numbers) &&
        (count < 0 || grow(&structure, &slot->structure_room, n + 1 + (size_t)count, sizeof(int)));
    slot->numbers = numbers;
    slot->structure = structure;
    if (!good) return NULL;
    slot->q = slot->numbers + entries;
    slot->mu = slot->q + 3 * n;
    slot->e = slot->mu + n;
    slot->more = slot->e + n;
    slot->b = slot->more + 2 * n;
    slot->guess = slot->b + 3 * n;
    if (count < 0) {
        slot->W = imp_operator_dense(nc, slot->numbers);
    } else {
        slot->blocks = (imp_blocks){nc, slot->structure, slot->structure + n + 1, slot->numbers};
        slot->W = imp_operator_blocks(&slot->blocks);
    }
    slot->now.problem =
        (imp_problem){.nc = nc, .W = &slot->W, .q = slot->q, .mu = slot->mu, .e = slot->e};
    return slot->numbers;
}

static void stand_behind(imp_slot *slot, const imp_factored *factored, bool alone) {
    slot->reduced = (imp_reduced){slot->blocks, factored};
    slot->W = alone ? imp_operator_factored(factored) : imp_operator_reduced(&slot->reduced);
}

void imp_slot_take_factor(imp_slot *slot, imp_factored *factored, bool alone) {
    imp_factored_free(slot->factored); /* G of no rows, whose W has a root of its own */
    slot->factored = factored;
    stand_behind(slot, factored, alone);
}

void imp_slot_take_bilateral(imp_slot *slot, imp_bilateral *bilateral, bool alone) {
    slot->bilateral = bilateral;
    slot->now.bilateral = bilateral;
    stand_behind(slot, imp_bilateral_factored(bilateral), alone);
}
