/* newton_system.c - memory, factorisation and its cost: over bodies by fronts (linear/frontal.h),
 * whose pattern is one for all steps; by contacts by KLU. */
#include "blocks/newton_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void imp_newton_system_clear(newton_system *s) {
    if (s->factor) klu_free_numeric(&s->factor, &s->common);
    if (s->order) klu_free_symbolic(&s->order, &s->common);
    imp_frontal_free(s->fronts);
    imp_sparse_clear(&s->matrix);
    imp_factored_free(s->own);
    free(s->place);
    free(s->R);
    free(s->index);
    free(s->rhs);
    free(s->seen);
    *s = (newton_system){0};
}

/* Over bodies where that is the smaller system, and always where W is not at hand as columns. */
bool imp_newton_system_new(newton_system *s, blockwise *b) {
    static const double most = 1 << 28; /* entries */
    const size_t nc = (size_t)b->nc, n = 3 * nc;
    *s = (newton_system){.sweep_work = imp_blockwise_work(b)};
    s->over_bodies = b->over_bodies || (b->gram.factored && b->gram.factored->rows < 3 * b->nc);
    const size_t rows = s->over_bodies ? (size_t)imp_gram_rows(b->gram) : n;
    klu_defaults(&s->common);
    s->R = malloc((3 * n + 9 * nc) * sizeof *s->R);
    s->index = malloc(2 * nc * sizeof *s->index);
    s->rhs = malloc((rows + 1) * sizeof *s->rhs);
    s->seen = malloc((rows + 1) * sizeof *s->seen);
    s->bodies = b->gram.factored;
    if (s->over_bodies && !s->bodies && imp_factored_of(b->gram.sparse, &s->own) == IMP_OK)
        s->bodies = s->own;
    if (!s->R || !s->index || !s->rhs || !s->seen || (s->over_bodies && !s->bodies)) {
        imp_newton_system_clear(s);
        b->no_memory = true;
        return false;
    }
    s->dp = s->R + n;
    s->du = s->dp + n;
    s->D = s->du + n;
    s->pattern_index = s->index + nc;
    memset(s->pattern_index, 0xff, nc * sizeof *s->pattern_index);
    if (!s->over_bodies) return true;
    const bool reached = imp_newton_bodies_entries(s->bodies) <= most;
    if (reached && imp_newton_bodies_pattern(s))
        s->fronts = imp_frontal_new(s->matrix.rows, s->matrix.start, s->matrix.row);
    if (s->fronts) return true;
    imp_newton_system_clear(s);
    if (reached) b->no_memory = true;
    return false;
}

/* What a step over bodies costs, in sweeps: the operations of its factorisation, the numbers moved,
 * and the matrix put together. Weights from timings against sweeps on systems of 250 to 3750
 * unknowns. */
static double fronts_cost(const newton_system *s) {
    const double given = s->matrix.start[s->matrix.columns];
    return (0.6 * imp_frontal_work(s->fronts) + 8 * imp_frontal_entries(s->fronts) + 60 * given) /
           s->sweep_work;
}

/* What one by contacts costs, in sweeps: its operations, the entries it searches and moves, and the
 * search for an order where the pattern is new. Weights from timings of KLU against sweeps on
 * systems of 140 to 3000 unknowns. */
static double lu_cost(const newton_system *s, double flops, double entries, bool new_pattern) {
    const double given = s->matrix.start[s->matrix.columns];
    return (2.6 * flops + 24 * (entries + given) + (new_pattern ? 200 * given : 0)) / s->sweep_work;
}

double imp_newton_expected(newton_system *s) {
    return s->over_bodies && !s->own ? fronts_cost(s) : 0;
}

/* Factorises the assembled system: anew, or with the pivots of the last one where the pattern is
 * the same. */
static bool factorise(newton_system *s, bool new_pattern) {
    if (new_pattern || !s->order) {
        if (s->factor) klu_free_numeric(&s->factor, &s->common);
        if (s->order) klu_free_symbolic(&s->order, &s->common);
        s->order = klu_analyze(s->matrix.rows, s->matrix.start, s->matrix.row, &s->common);
        if (!s->order) return false;
    }
    if (s->factor && !klu_refactor(s->matrix.start, s->matrix.row, s->matrix.value, s->order,
                                   s->factor, &s->common))
        klu_free_numeric(&s->factor, &s->common);
    if (!s->factor)
        s->factor =
            klu_factor(s->matrix.start, s->matrix.row, s->matrix.value, s->order, &s->common);
    if (!s->factor) return false;
    klu_flops(s->order, s->factor, &s->common);
    s->work += lu_cost(s, s->common.flops, s->factor->lnz + s->factor->unz, new_pattern);
    return true;
}

bool imp_newton_factorise(newton_system *s, blockwise *b) {
    bool new_pattern = false;
    if (s->over_bodies) {
        imp_newton_bodies_assemble(s, b);
        s->work += fronts_cost(s);
        return imp_frontal_factor(s->fronts, s->matrix.value);
    }
    const bool assembled = imp_newton_contacts_assemble(s, b, &new_pattern);
    if (assembled && (s->matrix.rows == 0 || factorise(s, new_pattern))) return true;
    if (!assembled || s->common.status == KLU_OUT_OF_MEMORY) b->no_memory = true;
    return false;
}

void imp_newton_direction(newton_system *s, const blockwise *b) {
    void (*const pose)(newton_system *, const blockwise *) =
        s->over_bodies ? imp_newton_bodies_pose : imp_newton_contacts_pose;
    void (*const take)(newton_system *, const blockwise *) =
        s->over_bodies ? imp_newton_bodies_take : imp_newton_contacts_take;
    pose(s, b);
    if (s->over_bodies)
        imp_frontal_solve(s->fronts, s->rhs);
    else if (s->matrix.rows > 0)
        klu_solve(s->order, s->factor, s->matrix.rows, 1, s->rhs, &s->common);
    take(s, b);
}

void imp_newton_velocities(newton_system *s, const blockwise *b) {
    if (s->over_bodies)
        imp_newton_bodies_velocities(s, b);
    else
        imp_newton_contacts_velocities(s, b);
}

/* The sign of a permutation, -1 to the number of its cycles of even length; `seen` has room for
 * n. */
static int permutation_sign(const int *permutation, int n, bool *seen) {
    int sign = 1;
    for (int i = 0; i < n; i++)
        seen[i] = false;
    for (int i = 0; i < n; i++)
        for (int k = i, first = 1; !seen[k]; k = permutation[k], first = 0) {
            seen[k] = true;
            if (!first) sign = -sign;
        }
    return sign;
}

int imp_newton_sign(const newton_system *s) {
    const int n = s->matrix.rows;
    if (s->over_bodies) return imp_frontal_sign(s->fronts);
    if (n == 0) return 1;
    const double *diagonal = s->factor->Udiag; /* rows are scaled by what is positive */
    int sign =
        permutation_sign(s->factor->Pnum, n, s->seen) * permutation_sign(s->order->Q, n, s->seen);
    for (int i = 0; i < n; i++)
        if (diagonal[i] < 0) sign = -sign;
    return sign;
}
