/* tree_contact.c - contact problems of a tree: W = J H^-1 J', q = J v, and impulses applied to its
 * velocity. */
#include "multibody/tree_internal.h"
#include "base/vec3.h"

#include <string.h>

imp_status imp_tree_delassus(imp_tree *tree, int nc, const imp_contact *contacts, double *W,
                             double *q, double *work) {
    const size_t rows = 3 * (size_t)(nc > 0 ? nc : 0), nv = (size_t)tree->nv;
    if (nc < 1) return IMP_BAD_ARGUMENT;
    for (int i = 0; i < nc; i++) {
        const imp_contact *c = &contacts[i];
        if (c->a < IMP_GROUND || c->a >= tree->nl || c->b < IMP_GROUND || c->b >= tree->nl ||
            c->a == c->b)
            return IMP_BAD_ARGUMENT;
    }
    const imp_status status = imp_tree_factor(tree);
    if (status != IMP_OK) return status;
    memset(work, 0, rows * nv * sizeof *work);
    for (size_t r = 0; r < rows; r++) { /* a row of J, then of J L^-1: W = (J L^-1) (J L^-1)' */
        const imp_contact *c = &contacts[r / 3];
        const double *n = c->frame + 3 * (r % 3), minus[3] = {-n[0], -n[1], -n[2]};
        double *row = work + r * nv;
        imp_tree_push(tree, c->b, c->point, n, row);
        imp_tree_push(tree, c->a, c->point, minus, row);
        q[r] = 0;
        for (size_t k = 0; k < nv; k++)
            q[r] += row[k] * tree->v[k];
        imp_tree_solve_half(tree, row);
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t s = 0; s <= r; s++) {
            double sum = 0;
            for (size_t k = 0; k < nv; k++)
                sum += work[r * nv + k] * work[s * nv + k];
            W[r * rows + s] = W[s * rows + r] = sum;
        }
    return IMP_OK;
}

void imp_tree_impulse(const imp_tree *tree, int nc, const imp_contact *contacts, const double *p,
                      double *v, double *work) {
    memset(work, 0, (size_t)tree->nv * sizeof *work);
    for (int i = 0; i < nc; i++) {
        const imp_contact *c = &contacts[i];
        double impulse[3], minus[3];
        apply3_transposed(c->frame, p + 3 * (size_t)i, impulse);
        for (int k = 0; k < 3; k++)
            minus[k] = -impulse[k];
        imp_tree_push(tree, c->b, c->point, impulse, work);
        imp_tree_push(tree, c->a, c->point, minus, work);
    }
    imp_tree_solve(tree, work);
    for (int k = 0; k < tree->nv; k++)
        v[k] += work[k];
}
