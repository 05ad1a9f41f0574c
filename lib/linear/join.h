/* join.h - disjoint sets of numbers, each known by its least member. Internal. */
#ifndef IMP_JOIN_H
#define IMP_JOIN_H

/* The least member of the set of i; parent[i] = i at first. */
static inline int imp_join_first(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* The sets of i and j become one. */
static inline void imp_join(int *parent, int i, int j) {
    const int a = imp_join_first(parent, i), b = imp_join_first(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

#endif
