/* sequential.c - blows on one contact after another. */
#include "blocks/sequential.h"

#include "base/length.h"
#include "base/exact.h"
#include "base/finite.h"
#include "blocks/blockwise.h"
#include "blocks/sequence.h"
#include "single/single.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In units in which W and the velocities of a contact are near 1: a blow beyond LARGE is looked at,
 * and may leave OFF of them. */
static const double LARGE = 1e8, OFF = 1e-6;

/* Does contact i approach? */
static bool approaches(const imp_sequence *s, int i, double tolerance) {
    return s->u[3 * (size_t)i] < -tolerance * imp_sequence_size(s, i);
}

/* The contact whose turn it is after `last`, -1: none approaches. */
static int next_contact(const imp_sequence *s, const imp_sequential_settings *settings, int last) {
    const int nc = s->problem->nc;
    int fastest = -1;
    for (int k = 0; k < nc; k++) {
        const int i = settings->order == IMP_LISTED ? (last + 1 + k) % nc : k;
        if (!approaches(s, i, settings->tolerance)) continue;
        if (settings->order == IMP_LISTED) return i;
        if (fastest < 0 || s->u[3 * (size_t)i] < s->u[3 * (size_t)fastest]) fastest = i;
    }
    return fastest;
}

/* Does x take the normal velocity v from the contact, but for OFF of its terms and rounding? */
static bool stops(const double A[9], const double x[3], double v, double terms) {
    const double n = A[0] * x[0], t = A[1] * x[1], o = A[2] * x[2],
                 rounding = 8 * DBL_EPSILON * (fabs(n) + fabs(t) + fabs(o));
    return fabs(n + t + o + v) <= OFF * fmax(1, terms) + rounding;
}

/* x (3, N s) <- the impact on contact i alone; false: what was found leaves the contact another
 * normal velocity, as where joints leave it two directions and the law has no answer. */
static bool blow(const imp_sequence *s, int i, double x[3]) {
    const imp_problem *problem = s->problem;
    const imp_operator *W = problem->W;
    double A[9], v[3];
    W->kind->block(W, i, i, A);
    memcpy(v, s->u + 3 * (size_t)i, sizeof v);
    if (problem->e) v[0] += problem->e[i] * v[0];
    /* units in which W and v are near 1 */
    const int mass = imp_exponent(A[0] + A[4] + A[8]), speed = imp_exponent(imp_largest(v, 3, 1));
    imp_shift(A, 9, -mass);
    imp_shift(v, 3, -speed);
    /* what joints leave of the velocities of all blows until now */
    const double terms = imp_ldexp(imp_largest(s->size + 3 * (size_t)i, 3, 1), -speed);
    contact_block block = {.mu = problem->mu[i], .still = IMP_UNSURE_VELOCITY * terms};
    memcpy(block.A, A, sizeof block.A);
    imp_contact_block(&block);
    imp_blockwise_local(&block, (local_law)(LOCAL_CHOSEN + IMP_MOST_DISSIPATIVE), v, x);
    const bool found = !(x[0] > LARGE) || stops(A, x, v[0], terms);
    imp_shift(x, 3, speed - mass);
    return found;
}

/* Records the blow x on contact i as step `number`. step (3nc) and words (2 nc) are blank before
 * and after. */
static imp_status record(imp_path *path, const imp_problem *problem, int number, int i,
                         const double x[3], double *step, char *words) {
    if (!path) return IMP_OK;
    char *motion = words + problem->nc;
    const double limit = problem->mu[i] * x[0], friction = imp_length(x[1], x[2]);
    memcpy(step + 3 * (size_t)i, x, 3 * sizeof *x);
    words[i] = 'C';
    /* on the rim to rounding */
    motion[i] = friction == 0 ? '-' : friction < (1 - 1e-12) * limit ? 'r' : 's';
    const imp_status status = imp_path_add(path, problem->nc, number, 1, step, words, motion);
    memset(step + 3 * (size_t)i, 0, 3 * sizeof *x);
    words[i] = 'O';
    motion[i] = '-';
    return status;
}

/* p (3nc, zero before) <- all blows. */
static imp_status strike_all(imp_sequence *s, const imp_sequential_settings *settings, double *p,
                             double *step, char *words, imp_info *info) {
    const imp_problem *problem = s->problem;
    int i = next_contact(s, settings, problem->nc - 1);
    for (; i >= 0; i = next_contact(s, settings, i)) {
        double x[3];
        if (info->iterations >= settings->max_steps || (info->cancel && *info->cancel))
            return IMP_NOT_CONVERGED;
        const bool found = blow(s, i, x);
        if (!imp_all_finite(x, 3)) return IMP_OVERFLOW;
        if (!found || !(x[0] > 0)) return IMP_NOT_CONVERGED;
        const imp_status status =
            record(info->path, problem, info->iterations + 1, i, x, step, words);
        if (status != IMP_OK) return status;
        info->iterations++;
        imp_sequence_strike(s, i, x);
        for (int r = 0; r < 3; r++)
            p[3 * (size_t)i + (size_t)r] += x[r];
    }
    return IMP_OK;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)work;
    const size_t nc = (size_t)problem->nc;
    imp_sequence s;
    const bool open = imp_sequence_open(&s, problem);
    double *sum = calloc(6 * nc, sizeof *sum); /* and the step */
    char *words = malloc(2 * nc);
    imp_status status = open && sum && words ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        memset(words, 'O', nc);
        memset(words + nc, '-', nc);
        status = strike_all(&s, settings, sum, sum + 3 * nc, words, info);
    }
    if (status >= 0) memcpy(p, sum, 3 * nc * sizeof *p);
    free(words);
    free(sum);
    imp_sequence_close(&s);
    return status;
}

static double bound(const void *settings) {
    return fmax(1e-9, 10 * ((const imp_sequential_settings *)settings)->tolerance);
}

static const char *const orders[] = {[IMP_FASTEST] = "fastest", [IMP_LISTED] = "listed", NULL};

static const imp_key keys[] = {
    {"order", "-", offsetof(imp_sequential_settings, order), IMP_FASTEST, 0, 0, orders,
     "which contact is struck next: the one that approaches fastest, or the next of the list"},
    {"tolerance", "-", offsetof(imp_sequential_settings, tolerance), 1e-10, 1e-15, 1e-3, NULL,
     "largest approach that is left, relative to the terms of its velocity"},
    {"max_steps", IMP_COUNT, offsetof(imp_sequential_settings, max_steps), 5e4, 1, 1e8, NULL,
     "blows allowed"},
    {0},
};

const imp_model imp_model_sequential = {
    .name = "sequential",
    .title = "blows on one contact after another until none approaches",
    .citation = "Mirtich 1996; Guendelman, Bridson, Fedkiw 2003",
    .law = &imp_law_sequential,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
    .keys = keys,
    .settings_size = sizeof(imp_sequential_settings),
    .solve = solve,
    .bound = bound,
};
