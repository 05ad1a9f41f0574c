/* shrink.c - a problem with a fault, made smaller while it has the same fault. Greedy: each change
 * that keeps it stays; until none does, or enough was tried. */
#include "campaign/campaign.h"

#include "base/clock.h"
#include "contact/problem.h"
#include "io/dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRIES = 4000,
    ENTRIES = 24 /* rows of W up to which its entries are tried one by one */
};
static const double longest = 30; /* s */

/* A problem over arrays of its own. */
typedef struct draft {
    int nc;
    double *W, *q, *mu, *e, *mu_v, *gap; /* (3nc x 3nc), (3nc), (nc) each */
} draft;

typedef struct shrinking {
    const campaign_lot *lot;
    campaign_lot *scratch;
    int row;
    const imp_model *model;
    const char *what;
    int tries;
    double begun;
    bool as_given;    /* W is a recorded one */
    draft best, next; /* the smallest with the fault; a change of it */
} shrinking;

/* The arrays for nc contacts, one behind the other. */
static void lay(draft *d, int nc) {
    const size_t n = (size_t)nc;
    d->nc = nc;
    d->q = d->W + 9 * n * n;
    d->mu = d->q + 3 * n;
    d->e = d->mu + n;
    d->mu_v = d->e + n;
    d->gap = d->mu_v + n;
}

static bool draft_make(draft *d, int nc) {
    const size_t n = (size_t)nc;
    d->W = calloc(9 * n * n + 7 * n, sizeof *d->W);
    if (d->W) lay(d, nc);
    return d->W != NULL;
}

/* to <- from; contact `without` is left out, -1: none. */
static void draft_copy(draft *to, const draft *from, int without) {
    const int n = 3 * from->nc;
    lay(to, from->nc - (without >= 0));
    for (int i = 0; i < from->nc; i++) {
        if (i == without) continue;
        const int k = i - (without >= 0 && i > without);
        to->mu[k] = from->mu[i];
        to->e[k] = from->e[i];
        to->mu_v[k] = from->mu_v[i];
        to->gap[k] = from->gap[i];
        memcpy(to->q + 3 * (size_t)k, from->q + 3 * (size_t)i, 3 * sizeof *to->q);
    }
    double *W = to->W;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (r / 3 != without && c / 3 != without) *W++ = from->W[r * n + c];
}

static bool any(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0) return true;
    return false;
}

static imp_problem problem_of(const shrinking *s, const draft *d, imp_operator *W) {
    *W = imp_operator_dense(d->nc, d->W);
    W->as_given = s->as_given;
    return (imp_problem){.nc = d->nc,
                         .W = W,
                         .q = d->q,
                         .mu = d->mu,
                         .e = any(d->e, d->nc) ? d->e : NULL,
                         .mu_v = any(d->mu_v, d->nc) ? d->mu_v : NULL,
                         .gap = any(d->gap, d->nc) ? d->gap : NULL};
}

/* Has it the fault? */
static bool fails(shrinking *s, const draft *d) {
    imp_operator W;
    const imp_problem problem = problem_of(s, d, &W);
    s->tries++;
    if (imp_problem_check(&problem, NULL) != IMP_OK) return false;
    if (s->model && imp_model_takes(s->model, &problem) != IMP_OK) return false;
    memset(s->scratch, 0, sizeof *s->scratch);
    s->scratch->inquiry = s->lot->inquiry;
    s->scratch->planted = s->lot->planted;
    s->scratch->at = s->lot->at;
    s->scratch->again = s->what;
    s->lot->inquiry->again(s->scratch, s->row, &problem, s->model);
    return s->scratch->found;
}

static bool is_over(const shrinking *s) {
    return s->tries >= MOST_TRIES || imp_seconds(CLOCK_MONOTONIC) - s->begun > longest;
}

/* The change in s->next stays where it has the fault. */
static bool stays(shrinking *s) {
    const draft other = s->best;
    if (is_over(s) || !fails(s, &s->next)) return false;
    s->best = s->next;
    s->next = other;
    return true;
}

static bool drop_contacts(shrinking *s) {
    bool any_dropped = false;
    for (int i = s->best.nc - 1; i >= 0 && s->best.nc > 1; i--) {
        draft_copy(&s->next, &s->best, i);
        any_dropped = stays(s) || any_dropped;
    }
    return any_dropped;
}

/* x with so many binary digits, 0: 0. */
static double rounded(double x, int digits) {
    int exponent;
    const double m = frexp(x, &exponent);
    return digits == 0 ? 0 : ldexp(nearbyint(ldexp(m, digits)), exponent - digits);
}

/* What numbers are tried as, the simplest first. */
static const int digits[] = {0, 1, 3, 8, 20};
enum { WAYS = sizeof digits / sizeof *digits };

/* `count` numbers from this offset of the arrays, rounded together; of one in W also that which
 * mirrors it. Mobility along an axis stays: without it a problem is another one. */
static bool simplify(shrinking *s, size_t at, size_t count) {
    const size_t n = 3 * (size_t)s->best.nc;
    for (int k = 0; k < WAYS; k++) {
        bool changes = false;
        draft_copy(&s->next, &s->best, -1);
        for (size_t i = at; i < at + count; i++) {
            const bool on_diagonal = i < n * n && i % (n + 1) == 0;
            const double old = s->next.W[i],
                         new = digits[k] > 0 || !on_diagonal ? rounded(old, digits[k]) : old;
            changes = changes || new != old;
            s->next.W[i] = new;
            if (count == 1 && i < n * n && !s->as_given) s->next.W[i % n * n + i / n] = new;
        }
        if (changes && stays(s)) return true;
    }
    return false;
}

/* Each of these numbers. */
static bool simplify_each(shrinking *s, size_t at, size_t count) {
    bool changed = false;
    for (size_t i = at; i < at + count && !is_over(s); i++)
        changed = simplify(s, i, 1) || changed;
    return changed;
}

static bool simplify_all(shrinking *s) {
    const size_t nc = (size_t)s->best.nc, n = 3 * nc, q = n * n, mu = q + n;
    bool changed = simplify(s, mu + nc, 3 * nc); /* e, mu_v, gap */
    changed = simplify(s, mu, nc) || changed;
    changed = simplify(s, q, n) || changed;
    changed = simplify(s, 0, n * n) || changed;
    changed = simplify_each(s, mu, 4 * nc) || changed;
    changed = simplify_each(s, q, n) || changed;
    return (n <= ENTRIES && simplify_each(s, 0, n * n)) || changed;
}

/* These numbers times the power of two that brings the largest to 1/2 .. 1. */
static bool scale(shrinking *s, size_t at, size_t count) {
    double most = 0;
    int exponent;
    draft_copy(&s->next, &s->best, -1);
    for (size_t i = at; i < at + count; i++)
        most = fmax(most, fabs(s->best.W[i]));
    frexp(most, &exponent);
    if (exponent == 0) return false;
    for (size_t i = at; i < at + count; i++)
        s->next.W[i] = ldexp(s->best.W[i], -exponent);
    return stays(s);
}

static void fill(draft *d, const imp_problem *problem) {
    const size_t nc = (size_t)problem->nc;
    imp_problem_dense(problem, d->W);
    memcpy(d->q, problem->q, 3 * nc * sizeof *d->q);
    memcpy(d->mu, problem->mu, nc * sizeof *d->mu);
    if (problem->e) memcpy(d->e, problem->e, nc * sizeof *d->e);
    if (problem->mu_v) memcpy(d->mu_v, problem->mu_v, nc * sizeof *d->mu_v);
    if (problem->gap) memcpy(d->gap, problem->gap, nc * sizeof *d->gap);
}

static void shrink(shrinking *s) {
    for (bool changed = true; changed && !is_over(s);) {
        changed = drop_contacts(s);
        const size_t n = 3 * (size_t)s->best.nc;
        changed = scale(s, 0, n * n) || changed;
        changed = scale(s, n * n, n) || changed;
        changed = simplify_all(s) || changed;
    }
}

bool campaign_shrink(const campaign_lot *lot, int row, const imp_problem *problem,
                     const imp_model *model, const char *what, const char *path) {
    shrinking s = {.lot = lot,
                   .row = row,
                   .model = model,
                   .what = what,
                   .begun = imp_seconds(CLOCK_MONOTONIC),
                   .as_given = problem->W->as_given != 0};
    s.scratch = malloc(sizeof *s.scratch);
    bool good = s.scratch && draft_make(&s.best, problem->nc) && draft_make(&s.next, problem->nc);
    if (good) fill(&s.best, problem);
    good = good && fails(&s, &s.best); /* as it is, but dense */
    if (good) {
        imp_operator W;
        shrink(&s);
        const imp_problem small = problem_of(&s, &s.best, &W);
        good = imp_problem_dump(path, NULL, &small, model, NULL, NULL) == IMP_OK;
    }
    free(s.best.W);
    free(s.next.W);
    free(s.scratch);
    return good;
}
