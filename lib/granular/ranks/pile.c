/* pile.c - bytes that grow, for one rank or for some of them. */
#include "granular/ranks/pile.h"
#include "granular/work.h"

#include <stdlib.h>
#include <string.h>

bool imp_pile_add(pile *p, const void *data, size_t n) {
    if (n == 0) return true;
    if (n > p->room - p->used) {
        const size_t wanted = 2 * (p->used + n);
        unsigned char *more = realloc(p->bytes, wanted);
        if (!more) return false;
        p->bytes = more;
        p->room = wanted;
    }
    memcpy(p->bytes + p->used, data, n);
    p->used += n;
    return true;
}

bool imp_pile_take(void *into, const void *data, size_t n) {
    return imp_pile_add(into, data, n);
}

static pile *pile_for(piles *all, int rank) {
    for (int k = all->n - 1; k >= 0; k--)
        if (all->rank[k] == rank) return &all->pile[k];
    int room = all->room;
    if (!imp_grow(&all->rank, &room, all->n + 1, sizeof *all->rank) ||
        !imp_grow(&all->pile, &all->room, all->n + 1, sizeof *all->pile))
        return NULL;
    all->rank[all->n] = rank;
    all->pile[all->n] = (pile){0};
    return &all->pile[all->n++];
}

bool imp_piles_add(piles *all, int rank, const void *data, size_t n) {
    pile *to = pile_for(all, rank);
    return to && imp_pile_add(to, data, n);
}

void imp_piles_free(piles *all) {
    for (int k = 0; k < all->n; k++)
        free(all->pile[k].bytes);
    free(all->pile);
    free(all->rank);
}
