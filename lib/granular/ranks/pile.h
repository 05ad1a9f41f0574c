/* pile.h - bytes that grow, for one rank or for some of them. */
#ifndef IMP_GRANULAR_PILE_H
#define IMP_GRANULAR_PILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pile {
    size_t used, room;
    unsigned char *bytes;
} pile;

/* Adds n bytes; false: no memory. The second is what a transport calls, `into` a pile. */
bool imp_pile_add(pile *p, const void *data, size_t n);
bool imp_pile_take(void *into, const void *data, size_t n);

/* Piles for some of the ranks. */
typedef struct piles {
    int n, room;
    int *rank;
    pile *pile;
} piles;

bool imp_piles_add(piles *all, int rank, const void *data, size_t n);
void imp_piles_free(piles *all);

#endif
