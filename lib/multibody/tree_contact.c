/* tree_contact.c - contact problems of a tree: W = J H^-1 J', q = J v, and impulses applied to its
 * velocity. */
#include "multibody/tree_internal.h"
#include "base/vec3.h"

#include <string.h>

/* half (nv) <- a row of J, q += J v. */
static inline void take_row(const double *v, int nv, const double *J, double *half, double *q) {
    double sum = *q;
    for (int k = 0; k < nv; k++)
        sum += J[k] * v[k];
    *q = sum;
    for (int k = 0; k < nv; k++)
        half[k] = J[k];
}

/* The rows of one free body that turns about its own centre; sign: 1 of b, -1 of a. */
static void centred_rows(const imp_tree *tree, const imp_contact *c, double sign, size_t stride,
                         double *J, double *half, double q[3]) {
    const double *L = tree->L, *v = tree->v;
    double arm[3];
    sub3(c->point, tree->state[0].origin, arm);
    for (size_t r = 0; r < 3; r++, J += stride, half += stride) {
        const double *n = c->frame + 3 * r;
        double row[6] = {sign * n[0], sign * n[1], sign * n[2]}, sum = q[r];
        cross3(arm, row, row + 3);
        for (int k = 0; k < 6; k++)
            sum += row[k] * v[k];
        q[r] = sum;
        memcpy(J, row, sizeof row);
        imp_centred_solve_half(L, row, half);
    }
}

void imp_tree_contact_rows(const imp_tree *tree, const imp_contact *c, int a, int b, size_t stride,
                           double *J, double *half, double q[3]) {
    if (tree->parts == 1 && tree->centred[0]) {
        centred_rows(tree, c, a == IMP_GROUND ? 1 : -1, stride, J, half, q);
        return;
    }
    for (size_t r = 0; r < 3; r++, J += stride) {
        const double *n = c->frame + 3 * r, minus[3] = {-n[0], -n[1], -n[2]};
        memset(J, 0, (size_t)tree->nv * sizeof *J);
        if (b != IMP_GROUND) imp_tree_push(tree, b, c->point, n, J);
        if (a != IMP_GROUND) imp_tree_push(tree, a, c->point, minus, J);
        take_row(tree->v, tree->nv, J, half + r * stride, q + r);
    }
    imp_tree_solve_half(tree, 3, stride, half);
}

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
    memset(q, 0, rows * sizeof *q);
    for (int i = 0; i < nc; i++) { /* rows of J L^-1: W = (J L^-1) (J L^-1)' */
        const imp_contact *c = &contacts[i];
        double *row = work + 3 * (size_t)i * nv;
        imp_tree_contact_rows(tree, c, c->a, c->b, nv, row, row, q + 3 * (size_t)i);
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
