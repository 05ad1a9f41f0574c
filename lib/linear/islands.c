/* islands.c - contacts that share a block of W which is not 0, directly or through others. */
#include "linear/islands.h"

#include "base/finite.h"
#include "linear/join.h"

#include <stdlib.h>

enum { FEW = 16 }; /* contacts whose sets go on the stack */

int imp_islands(const imp_operator *W, int *label) {
    const int nc = W->nc;
    int few[2 * FEW], *parent = nc > FEW ? malloc(2 * (size_t)nc * sizeof *parent) : few,
                      *columns = parent + nc, count = 0, left = nc;
    if (!parent) return -1;
    for (int i = 0; i < nc; i++)
        parent[i] = i;
    for (int i = 0; i < nc && left > 1; i++) {
        const int found = W->kind->columns(W, i, columns);
        for (int k = 0; k < found; k++) {
            double block[9];
            if (imp_join_first(parent, i) == imp_join_first(parent, columns[k])) continue;
            W->kind->block(W, i, columns[k], block);
            if (imp_all_zero(block, 9)) continue;
            imp_join(parent, i, columns[k]);
            left--;
        }
    }
    for (int i = 0; i < nc; i++) {
        const int root = imp_join_first(parent, i);
        label[i] = root == i ? count++ : label[root];
    }
    if (parent != few) free(parent);
    return count;
}
