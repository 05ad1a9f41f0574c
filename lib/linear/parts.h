/* parts.h - the islands of an operator, contacts that W couples, each as an operator of its own.
 * Internal. */
#ifndef IMP_PARTS_H
#define IMP_PARTS_H

#include "linear/gram.h"

#include <stdbool.h>

/* Which contacts each island has. */
typedef struct imp_parts {
    const imp_operator *W; /* the whole; must outlive this */
    imp_gram gram;         /* its G */
    bool stored;           /* islands have blocks, not G alone */
    int count;             /* islands */
    const int *label;      /* (nc) the island of a contact, in order of their first contacts */
    int *first;            /* (count + 1) where each begins in contact */
    int *contact;          /* (nc) island by island, ascending in each */
    int *place;            /* (nc) a contact's number in its island */
    int *columns;          /* (nc) scratch */
    int *numbers;          /* NULL until an island of W = G'G is opened; then memory of: */
    int *rows;             /* (count) how many rows of G an island touches */
    int *row;              /* which of them each entry of G is in, contact by contact */
} imp_parts;

/* label (nc), count: of imp_islands; label must outlive this. False without memory; imp_parts_close
 * is due all the same. */
bool imp_parts_open(imp_parts *parts, const imp_operator *W, const int *label, int count);
void imp_parts_close(imp_parts *parts);

/* One island's W, of the kind that the whole is, in memory of its own; of the kinds that keep
 * neither blocks nor G its blocks. Of an assembled one G is there, M and H are not. */
typedef struct imp_part {
    imp_operator W;
    imp_reduced reduced;
    imp_assembled assembled;
    imp_blocks blocks;
    void *room; /* which they are in */
    imp_factored *factored;
    imp_sparse G;
} imp_part;

/* Island number k, one at a time: `parts` is written to. False without memory; imp_part_close is
 * due all the same. */
bool imp_part_open(imp_part *part, imp_parts *parts, int k);
void imp_part_close(imp_part *part);

#endif
