/* gram.h - G where W = G'G is known: what a contact has of it, whether it is kept by contacts or by
 * columns. Internal. */
#ifndef IMP_GRAM_H
#define IMP_GRAM_H

#include "linear/factored.h"

/* One of them, or neither: W as a Gram matrix is not known. */
typedef struct imp_gram {
    const imp_factored *factored;
    const imp_sparse *sparse; /* all three columns of a contact have entries in the same rows */
} imp_gram;

static inline imp_gram imp_gram_of(const imp_operator *W) {
    const imp_assembled *assembled = imp_operator_assembly(W);
    return (imp_gram){imp_operator_factor(W), assembled ? assembled->G : NULL};
}

static inline int imp_gram_known(imp_gram g) {
    return g.factored || g.sparse;
}

/* Coordinates of the bodies; 0, too, where it is not known. */
static inline int imp_gram_rows(imp_gram g) {
    return g.factored ? g.factored->rows : g.sparse ? g.sparse->rows : 0;
}

/* What a contact has of G: in the row row[k] and the direction r G[k by_entry + r by_direction]. */
typedef struct imp_gram_entries {
    int first, count; /* the number of the first one among all contacts' */
    const int *row;   /* ascending */
    const double *G;
    size_t by_entry, by_direction;
} imp_gram_entries;

/* None where G is not known. */
static inline imp_gram_entries imp_gram_contact(imp_gram g, int c) {
    if (g.factored) {
        const imp_factored *f = g.factored;
        const int first = f->start[c];
        return (imp_gram_entries){
            first, f->start[c + 1] - first, f->row + first, f->G + 3 * (size_t)first, 3, 1};
    }
    if (!g.sparse) return (imp_gram_entries){0};
    const int first = g.sparse->start[3 * c], count = g.sparse->start[3 * c + 1] - first;
    return (imp_gram_entries){
        first / 3, count, g.sparse->row + first, g.sparse->value + first, 1, (size_t)count};
}

/* How many all contacts have, where G is known. */
static inline int imp_gram_count(imp_gram g) {
    return g.factored ? g.factored->start[g.factored->nc] : g.sparse->start[g.sparse->columns] / 3;
}

#endif
