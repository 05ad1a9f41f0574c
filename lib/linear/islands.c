/* islands.c - contacts that share a block of W which is not 0, directly or through others. */
#include "linear/islands.h"

#include "base/finite.h"
#include "linear/join.h"

#include <stdlib.h>

enum { FEW = 16 }; /* contacts whose sets go on the stack */

int imp_islands(const imp_operator *W, int *label) {
    const imp_blocks *stored = imp_operator_stored(W);
    const int nc = W->nc;
    int few[2 * FEW], *parent = nc > FEW ? malloc(2 * (size_t)nc * sizeof *parent) : few,
                      *columns = parent + nc, count = 0, left = nc;
    if (!parent) return -1;
    for (int i = 0; i < nc; i++)
        parent[i] = i;
    for (int i = 0; i < nc && left > 1; i++) {
        const int *column = stored ? stored->column + stored->start[i] : columns,
                  found = stored ? stored->start[i + 1] - stored->start[i]
                                 : W->kind->columns(W, i, columns);
        int root = imp_join_first(parent, i);
        for (int k = 0; k < found; k++) {
            double other[9];
            const double *block =
                stored ? stored->block + 9 * (size_t)(stored->start[i] + k) : other;
            if (imp_join_first(parent, column[k]) == root) continue;
            if (!stored) W->kind->block(W, i, column[k], other);
            if (imp_all_zero(block, 9)) continue;
            imp_join(parent, i, column[k]);
            root = imp_join_first(parent, i);
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
