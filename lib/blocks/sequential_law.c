/* sequential_law.c - the certificate of sequential impulses: blow by blow along the path. */
#include "blocks/sequential.h"

#include "blocks/sequence.h"
#include "contact/local.h"

#include <math.h>
#include <stdlib.h>

/* The contact that step k strikes: the one in phase C, all others at rest. -1: there is no such. */
static int struck(const imp_path *path, int k) {
    const size_t nc = (size_t)path->nc, at = (size_t)k * nc;
    int found = -1;
    for (size_t i = 0; i < nc; i++) {
        const double *x = path->impulse + 3 * (at + i);
        if (path->phase[at + i] == 'C') {
            if (found >= 0) return -1;
            found = (int)i;
        } else if (x[0] != 0 || x[1] != 0 || x[2] != 0)
            return -1;
    }
    return found;
}

static const double ROUNDING = 1e-9; /* of a velocity's terms: tells a faster approach from a tie */

/* Was it the turn of contact i after `last`? It approached, and nothing that the order puts before
 * it approached: faster than it did, or at all. True: but for rounding another was as fast, which
 * may be the first of equal ones. */
static bool note_order(const imp_sequence *s, int order, int last, int i, imp_certificate *result) {
    const int nc = s->problem->nc;
    const double own = s->u[3 * (size_t)i];
    bool tie = false;
    imp_certificate_note(result, "order", imp_relative(own, imp_sequence_size(s, i)), i);
    for (int k = 0; k < nc; k++) {
        const int j = order == IMP_LISTED ? (last + 1 + k) % nc : k;
        if (order == IMP_LISTED && j == i) break;
        const double missed =
            order == IMP_LISTED ? -s->u[3 * (size_t)j] : own - s->u[3 * (size_t)j];
        const double other = imp_sequence_size(s, j),
                     size = order == IMP_LISTED ? other : fmax(imp_sequence_size(s, i), other);
        imp_certificate_note(result, "order", imp_relative(missed, size), j);
        if (order == IMP_FASTEST && j != i)
            tie = tie || (j < i ? missed >= -ROUNDING * size : missed > 0);
    }
    return tie;
}

/* The blow x on contact i obeys Moreau's law of one contact. */
static void note_blow(const imp_sequence *s, int i, const double x[3], imp_certificate *result) {
    const imp_problem *problem = s->problem;
    const double *u = s->u + 3 * (size_t)i, *size = s->size + 3 * (size_t)i;
    const double owed = problem->e ? -problem->e[i] * u[0] : 0; /* it approaches: note_order */
    imp_local c = {.mu = problem->mu[i]};
    problem->W->kind->block(problem->W, i, i, c.A);
    for (int r = 0; r < 3; r++) {
        c.v[r] = u[r];
        c.p[r] = x[r];
        c.size[r] = size[r];
        for (int k = 0; k < 3; k++)
            c.size[r] += fabs(c.A[3 * r + k] * x[k]);
    }
    c.v[0] -= owed;
    c.size[0] += fabs(owed);
    if (problem->nc > 1) imp_local_merge(&c);
    imp_coulomb_note(&c, i, result);
}

/* p against the sum of the blows. all (6nc, zero before) <- the sum, and that of absolutes. */
static void note_sum(const imp_problem *problem, const double *p, const imp_path *path, double *all,
                     imp_certificate *result) {
    const size_t n = 3 * (size_t)problem->nc;
    for (size_t k = 0; k < (size_t)path->steps; k++)
        for (size_t r = 0; r < n; r++) {
            all[r] += path->impulse[k * n + r];
            all[n + r] += fabs(path->impulse[k * n + r]);
        }
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        const double *sum = all + 3 * (size_t)i, most = fmax(c.push, imp_largest(sum + n, 3, 1)),
                     d[3] = {c.p[0] - sum[0], c.p[1] - sum[1], c.p[2] - sum[2]};
        imp_certificate_note(result, "sum", imp_local_missum(&c, d, sum + n, most), i);
    }
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    const int order = settings ? ((const imp_sequential_settings *)settings)->order : IMP_FASTEST;
    imp_local_note_whole(problem, p, result);
    if (!path || path->steps == 0) {
        result->unjudged = imp_no_path;
        return IMP_OK;
    }
    imp_sequence s;
    const bool open = imp_sequence_open(&s, problem);
    double *all = calloc(6 * (size_t)problem->nc, sizeof *all);
    if (open && all) {
        note_sum(problem, p, path, all, result);
        for (int k = 0, last = problem->nc - 1; k < path->steps; k++) {
            const int i = struck(path, k);
            imp_certificate_note(result, "order", i < 0 ? INFINITY : 0, 0);
            if (i < 0) break;
            const double *x = path->impulse + 3 * ((size_t)k * (size_t)problem->nc + (size_t)i);
            if (note_order(&s, order, last, i, result)) result->unjudged = imp_chose;
            note_blow(&s, i, x, result);
            imp_sequence_strike(&s, i, x);
            last = i;
        }
    }
    free(all);
    imp_sequence_close(&s);
    return open && all ? IMP_OK : IMP_NO_MEMORY;
}

const imp_law imp_law_sequential = {
    .name = "sequential",
    .statement =
        "blows on one contact after another, each from u_n to -e u_n with friction against "
        "the slip after it, until none approaches",
    .certify = certify,
    .may_gain = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
