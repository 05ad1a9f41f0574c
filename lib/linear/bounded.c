/* bounded.c - active sets of a quadratic program in a box: one unknown is freed at a time, the one
 * that its slope pulls most from where it stands, and those that meet their bounds on the way to
 * the least of the free ones stay there. */
#include "linear/bounded.h"

#include "linear/dense.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Of a diagonal: an unknown whose own part beside the free ones is less depends on them. Of the
 * numbers that the slope of a move is a sum of, where the free ones make up for an unknown that
 * depends on them: less leads nowhere. */
static const double DEPENDS = 1e-12;

typedef struct box {
    int n, members;
    const double *A, *c, *size, *bound;
    double *x, *slope;
    double *total;   /* (n) of the numbers that a slope is a sum of */
    double *factor;  /* (n x n) of the free ones */
    double *target;  /* (n) what they tend to */
    int *member;     /* (n) the free ones, in the order in which they came */
    bool *is_member; /* (n) */
    bool *waits;     /* (n) its slope leads nowhere by rounding, until something changes */
} box;

size_t imp_bounded_workspace(int n) {
    const size_t m = (size_t)n;
    return (m * m + 2 * m) * sizeof(double) + m * sizeof(int) + 2 * m * sizeof(bool);
}

static double at(const box *s, int i, int j) {
    return s->A[(size_t)i * (size_t)s->n + (size_t)j];
}

/* slope <- A x + c. Returns the unknown that is pulled most from where it stands, -1: none is by
 * more than rounding. */
static int look(box *s) {
    int worst = -1;
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        double slope = s->c[i], total = s->size[i];
        for (int j = 0; j < s->n; j++) {
            slope += at(s, i, j) * s->x[j];
            total += fabs(at(s, i, j) * s->x[j]);
        }
        s->slope[i] = slope;
        s->total[i] = total;
        const bool held =
            (s->x[i] >= s->bound[i] && slope < 0) || (s->x[i] <= -s->bound[i] && slope > 0);
        if (held || s->is_member[i] || s->waits[i] || s->bound[i] == 0) continue;
        if (fabs(slope) <= 64 * DBL_EPSILON * total || at(s, i, i) <= 0) continue;
        const double pull = slope * slope / at(s, i, i);
        if (pull > most) most = pull, worst = i;
    }
    return worst;
}

/* factor <- of the first m free unknowns; false where there is none. */
static bool factorise(box *s, int m) {
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++)
            s->factor[a * m + b] = at(s, s->member[a], s->member[b]);
    return imp_cholesky(m, s->factor);
}

/* target <- of the free unknowns, those of the least with the others as they are. False where the
 * last one depends on the others. */
static bool aim(box *s) {
    const int m = s->members;
    for (int a = 0; a < m; a++) {
        const int i = s->member[a];
        s->target[a] = -s->c[i];
        for (int j = 0; j < s->n; j++)
            if (!s->is_member[j]) s->target[a] -= at(s, i, j) * s->x[j];
    }
    if (!factorise(s, m)) return false;
    const double last = s->factor[m * m - 1];
    if (last * last <= DEPENDS * at(s, s->member[m - 1], s->member[m - 1])) return false;
    imp_cholesky_forward(m, s->factor, 1, s->target);
    imp_cholesky_backward(m, s->factor, s->target);
    return true;
}

/* target <- where the last of the free unknowns leads, which depends on the others: these make up
 * for it, so that their slopes stay. Its own part being less than DEPENDS of its diagonal, the
 * function falls all the way. False where the slope is rounding. */
static bool follow(box *s) {
    const int m = s->members - 1, last = s->member[m];
    double slope = s->slope[last], total = s->total[last];
    for (int a = 0; a < m; a++)
        s->target[a] = at(s, s->member[a], last);
    if (!factorise(s, m)) return false;
    imp_cholesky_forward(m, s->factor, 1, s->target);
    imp_cholesky_backward(m, s->factor, s->target);
    for (int a = 0; a < m; a++) {
        slope -= s->target[a] * s->slope[s->member[a]];
        total += fabs(s->target[a]) * s->total[s->member[a]];
    }
    const double step = -slope / (DEPENDS * at(s, last, last));
    for (int a = 0; a < m; a++)
        s->target[a] = s->x[s->member[a]] - step * s->target[a];
    s->target[m] = s->x[last] + step;
    return fabs(slope) > DEPENDS * total;
}

static void drop(box *s, int a) {
    s->is_member[s->member[a]] = false;
    memmove(s->member + a, s->member + a + 1, (size_t)(s->members - a - 1) * sizeof *s->member);
    s->members--;
}

/* Goes from x towards the targets as far as the bounds allow; those met are free no more. True:
 * all the way. */
static bool advance(box *s) {
    double share = 1;
    for (int a = 0; a < s->members; a++) {
        const double from = s->x[s->member[a]], bound = s->bound[s->member[a]];
        if (fabs(s->target[a]) > bound)
            share = fmin(share, (copysign(bound, s->target[a]) - from) / (s->target[a] - from));
    }
    share = fmax(0, share);
    int met = 0;
    for (int a = s->members - 1; a >= 0; a--) {
        const int i = s->member[a];
        const double from = s->x[i], to = s->target[a], bound = copysign(s->bound[i], to),
                     next = from + share * (to - from);
        const bool meets = fabs(to) > s->bound[i] && (bound - from) / (to - from) <= share;
        s->x[i] = meets || fabs(next) > s->bound[i] ? bound : next; /* or rounded beyond it */
        if (!meets) continue;
        drop(s, a);
        met++;
    }
    return met == 0;
}

/* Frees an unknown and goes to the least of the free ones. It is free no more where it depends on
 * the others that are. */
static void free_one(box *s, int i) {
    const double bound = s->bound[i], from = s->x[i];
    s->is_member[i] = true;
    s->member[s->members++] = i;
    bool independent = aim(s);
    const bool leads = independent || follow(s);
    const double to = s->target[s->members - 1];
    if (!leads || (fabs(from) >= bound && (to - from) * from >= 0)) {
        drop(s, s->members - 1);
        s->waits[i] = true;
        return;
    }
    memset(s->waits, 0, (size_t)s->n * sizeof *s->waits);
    while (!advance(s) && s->members > 0 && (independent = aim(s))) {
    }
    if (!independent) drop(s, s->members - 1);
}

imp_status imp_bounded_least(int n, const double *A, const double *c, const double *size,
                             const double *bound, double *x, double *slope, void *work,
                             int *rounds) {
    const size_t m = (size_t)n;
    box s = {.n = n, .A = A, .c = c, .size = size, .bound = bound, .x = x, .slope = slope};
    s.total = work;
    s.factor = s.total + m;
    s.target = s.factor + m * m;
    s.member = (int *)(void *)(s.target + m);
    s.is_member = (bool *)(void *)(s.member + m);
    s.waits = s.is_member + m;
    memset(x, 0, m * sizeof *x);
    memset(s.is_member, 0, 2 * m * sizeof *s.is_member);
    const int most = 100 + 20 * n;
    int round = 0, next = look(&s);
    for (; next >= 0 && round < most; round++) {
        free_one(&s, next);
        next = look(&s);
    }
    if (rounds) *rounds = round;
    return next < 0 ? IMP_OK : IMP_NOT_CONVERGED;
}
