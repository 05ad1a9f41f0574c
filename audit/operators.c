/* operators.c - is an answer right for another Delassus operator than that of its problem? */
#include "audit/operators.h"

#include <math.h>
#include <string.h>

/* Of W the diagonal blocks alone, or the diagonal alone. */
typedef struct parted {
    const imp_operator *W;
    bool diagonal;
} parted;

static void parted_block(const imp_operator *W, int i, int j, double block[9]) {
    const parted *of = W->data;
    of->W->kind->block(of->W, i, j, block);
    for (int k = 0; k < 9; k++)
        if (i != j || (of->diagonal && k % 4 > 0)) block[k] = 0;
}

static void parted_row(const imp_operator *W, int i, int skip, const double *p, double sum[3],
                       double size[3]) {
    double block[9];
    parted_block(W, i, skip == i ? -1 : i, block);
    for (int r = 0; r < 3; r++) {
        double terms[3];
        for (int k = 0; k < 3; k++)
            terms[k] = block[3 * r + k] * p[3 * i + k];
        sum[r] = terms[0] + terms[1] + terms[2];
        if (size) size[r] = fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2]);
    }
}

static int parted_columns(const imp_operator *W, int i, int *columns) {
    (void)W;
    *columns = i;
    return 1;
}

/* W with more on its diagonal: a number (1/kg) and a share of the entry, of each contact's normal,
 * or of all its axes. */
typedef struct softened {
    const imp_operator *W;
    double number, share;
    int axes; /* 1 or 3 */
} softened;

static void softened_block(const imp_operator *W, int i, int j, double block[9]) {
    const softened *of = W->data;
    of->W->kind->block(of->W, i, j, block);
    for (int k = 0; k < of->axes && i == j; k++)
        block[4 * k] += of->number + of->share * block[4 * k];
}

static void softened_row(const imp_operator *W, int i, int skip, const double *p, double sum[3],
                         double size[3]) {
    const softened *of = W->data;
    double block[9];
    of->W->kind->row(of->W, i, skip, p, sum, size);
    of->W->kind->block(of->W, i, i, block);
    for (int k = 0; k < of->axes && skip != i; k++) {
        const double more = (of->number + of->share * block[4 * k]) * p[3 * i + k];
        sum[k] += more;
        if (size) size[k] += fabs(more);
    }
}

static int softened_columns(const imp_operator *W, int i, int *columns) {
    const softened *of = W->data;
    return of->W->kind->columns(of->W, i, columns);
}

/* An answer, and whose. */
typedef struct judged {
    const audit_solver *solver;
    const imp_problem *problem;
    const double *p;
} judged;

static bool is_right_by(const judged *a, const imp_operator_kind *kind, const void *data) {
    const imp_operator W = {a->problem->nc, kind, data, a->problem->W->as_given};
    imp_problem another = *a->problem;
    another.W = &W;
    return audit_residual(a->solver, &another, a->p) <= a->solver->tolerance;
}

static bool is_right_parted(const judged *a, bool diagonal) {
    static const imp_operator_kind kind = {"parted", parted_block, parted_row, parted_columns};
    return is_right_by(a, &kind, &(parted){a->problem->W, diagonal});
}

static bool is_right_softened(const judged *a, double number, double share, int axes) {
    static const imp_operator_kind kind = {"softened", softened_block, softened_row,
                                           softened_columns};
    return is_right_by(a, &kind, &(softened){a->problem->W, number, share, axes});
}

/* 1/kg; W_nn of one contact to *normal. */
static double mean_of_diagonal(const imp_operator *W, int contact, double *normal) {
    double sum = 0, block[9];
    for (int i = 0; i < W->nc; i++) {
        W->kind->block(W, i, i, block);
        sum += block[0] + block[4] + block[8];
        if (i == contact) *normal = block[0];
    }
    return sum / (3.0 * W->nc);
}

audit_operators audit_other_operators(const audit_solver *solver, const imp_problem *problem,
                                      const double *p, int most, double clearly) {
    const judged a = {solver, problem, p};
    audit_operators found = {is_right_parted(&a, false), is_right_parted(&a, true), {0}};
    const double q_n = problem->q[3 * most], p_n = p[3 * most],
                 own = problem->e ? problem->e[most] : 0,
                 gap = problem->gap ? problem->gap[most] : 0;
    double push[3], normal = 0;
    const double mean = mean_of_diagonal(problem->W, most, &normal);
    problem->W->kind->row(problem->W, most, -1, p, push, NULL);
    if (!(p_n > 0)) return found;
    /* u_n + c p_n = -e q_n */
    const double c = -(push[0] + q_n + own * fmin(q_n, 0) + gap) / p_n;
    if (!(c > clearly * normal)) return found;
    const bool all_axes = is_right_softened(&a, c, 0, 3);
    if (all_axes) found.soft[AUDIT_BY_MEAN] = c / mean;
    /* a share along normals alone would be another approach where W couples no axes */
    if (all_axes || is_right_softened(&a, c, 0, 1)) found.soft[AUDIT_BY_NUMBER] = c;
    if (is_right_softened(&a, 0, c / normal, 3)) found.soft[AUDIT_BY_ENTRY] = c / normal;
    return found;
}
