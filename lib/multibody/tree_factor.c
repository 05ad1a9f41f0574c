/* tree_factor.c - H = L'L of a tree's mass matrix, part by part, which keeps the zeros of branches
 * (Featherstone 2008, section 6.5), and solves by it.
 */
#include "multibody/tree_internal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* A part's factor as its loops see it: row k of degree of freedom first + k. */
typedef struct factor {
    int n, first;
    const int *before; /* of first + k; less `first` it is the row */
    double *L;
} factor;

static factor factor_of(const imp_tree *tree, int part) {
    const imp_tree_part own = tree->part[part];
    return (factor){own.v_end - own.v, own.v, tree->before + own.v, tree->L + tree->factor[part]};
}

static bool is_pivot(double x) {
    return x > 0 && x <= DBL_MAX;
}

/* Of what is none: mass is missing, or the place has none that is a number. */
static imp_status no_pivot(double x) {
    return isfinite(x) ? IMP_NOT_POSITIVE : IMP_NOT_FINITE;
}

/* L (6 x 6) in place of the mass matrix of a centred body, whose rotations alone are coupled. */
static imp_status factor_centred(double *L) {
    double *row3 = L + 3 * 6, *row4 = L + 4 * 6, *row5 = L + 5 * 6;
    if (!is_pivot(row5[5])) return no_pivot(row5[5]);
    row5[5] = sqrt(row5[5]);
    row5[4] /= row5[5];
    row5[3] /= row5[5];
    row4[4] -= row5[4] * row5[4];
    row4[3] -= row5[4] * row5[3];
    row3[3] -= row5[3] * row5[3];
    if (!is_pivot(row4[4])) return no_pivot(row4[4]);
    row4[4] = sqrt(row4[4]);
    row4[3] /= row4[4];
    row3[3] -= row4[3] * row4[3];
    if (!is_pivot(row3[3])) return no_pivot(row3[3]);
    if (!is_pivot(L[0])) return no_pivot(L[0]);
    row3[3] = sqrt(row3[3]);
    L[0] = L[7] = L[14] = sqrt(L[0]); /* the mass */
    return IMP_OK;
}

imp_status imp_tree_part_factor(imp_tree *tree, int part) {
    if (tree->factored[part]) return IMP_OK;
    const factor f = factor_of(tree, part);
    imp_tree_part_mass(tree, part, f.L, (size_t)f.n);
    if (tree->centred[part]) {
        const imp_status status = factor_centred(f.L);
        tree->factored[part] = status == IMP_OK;
        return status;
    }
    for (int k = f.n - 1; k >= 0; k--) {
        double *row = f.L + k * f.n;
        if (!is_pivot(row[k])) return no_pivot(row[k]);
        row[k] = sqrt(row[k]);
        for (int i = f.before[k] - f.first; i >= 0; i = f.before[i] - f.first)
            row[i] /= row[k];
        for (int i = f.before[k] - f.first; i >= 0; i = f.before[i] - f.first)
            for (int j = i; j >= 0; j = f.before[j] - f.first)
                f.L[i * f.n + j] -= row[i] * row[j];
    }
    return IMP_OK;
}

imp_status imp_tree_factor(imp_tree *tree) {
    imp_status status = IMP_OK;
    for (int k = 0; k < tree->parts && status == IMP_OK; k++)
        status = imp_tree_part_factor(tree, k);
    return status;
}

/* x (n) <- L^-1 x of it. */
static void solve_rest_centred(const double *L, double *x) {
    const double *row4 = L + 4 * 6, *row5 = L + 5 * 6;
    const two_lanes first = two_of(x) / (two_lanes){L[0], L[0]},
                    next = two_of(x + 2) / (two_lanes){L[0], L[3 * 7]};
    memcpy(x, &first, sizeof first);
    memcpy(x + 2, &next, sizeof next);
    x[4] = (x[4] - row4[3] * x[3]) / row4[4];
    x[5] = (x[5] - row5[4] * x[4] - row5[3] * x[3]) / row5[5];
}

/* x (n) <- L'^-1 x, that of a part that is not centred. */
static void solve_half_branches(const factor *f, double *x) {
    for (int k = f->n - 1; k >= 0; k--) {
        const double *row = f->L + k * f->n;
        x[k] /= row[k];
        for (int j = f->before[k] - f->first; j >= 0; j = f->before[j] - f->first)
            x[j] -= row[j] * x[k];
    }
}

/* x (n) <- L^-1 x of it. */
static void solve_rest_branches(const factor *f, double *x) {
    for (int k = 0; k < f->n; k++) {
        const double *row = f->L + k * f->n;
        for (int j = f->before[k] - f->first; j >= 0; j = f->before[j] - f->first)
            x[k] -= row[j] * x[j];
        x[k] /= row[k];
    }
}

/* Of a part with the factor f, x (n) its own. */
static inline void solve_half(const imp_tree *tree, int part, const factor *f, double *x) {
    if (tree->centred[part])
        imp_centred_solve_half(f->L, x, x);
    else
        solve_half_branches(f, x);
}

static inline void solve_rest(const imp_tree *tree, int part, const factor *f, double *x) {
    if (tree->centred[part])
        solve_rest_centred(f->L, x);
    else
        solve_rest_branches(f, x);
}

void imp_tree_solve_half(const imp_tree *tree, int count, size_t stride, double *x) {
    for (int part = 0; part < tree->parts; part++) {
        const factor f = factor_of(tree, part);
        double *own = x + f.first;
        for (int i = 0; i < count; i++, own += stride)
            solve_half(tree, part, &f, own);
    }
}

void imp_tree_solve_rest(const imp_tree *tree, double *x) {
    for (int part = 0; part < tree->parts; part++) {
        const factor f = factor_of(tree, part);
        solve_rest(tree, part, &f, x + f.first);
    }
}

void imp_tree_part_solve(const imp_tree *tree, int part, double *x) {
    const factor f = factor_of(tree, part);
    solve_half(tree, part, &f, x + f.first);
    solve_rest(tree, part, &f, x + f.first);
}

void imp_tree_solve(const imp_tree *tree, double *x) {
    for (int part = 0; part < tree->parts; part++)
        imp_tree_part_solve(tree, part, x);
}
