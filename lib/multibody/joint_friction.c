/* joint_friction.c - joint friction as a box-constrained quadratic program, by active sets on
 * velocities.
 *
 * Drumwright, Shell (2010), QP4. Departures, all corrections: the bound holds |velocity| (as
 * printed the box is empty for fast negative motion) and the step h (x is an impulse, mu_c a
 * torque), and the objective takes the friction-free new velocity rather than the old one (a
 * resting joint would stay unloaded, and friction could not hold it against gravity).
 *
 * H^-1 is never formed: with joints split into moving M and stuck F,
 *     H_MM v_M = (H free)_M + x_M,   v_F = 0,   x_F = (H (v - free))_F.
 * First all are stuck, so that what friction holds takes no factors. Exchanges take all joints at
 * fault at once while their number falls, else the worst, and after as many of those as there are
 * joints the last one, which ends because H is positive definite (Judice, Pires 1992). */
#include "multibody/joint_friction.h"

#include "base/finite.h"
#include "linear/dense.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PATIENCE = 5 }; /* exchanges of all without fewer faults before those of one */

typedef struct joints {
    int n;
    const double *H, *bound;
    double *momentum; /* (n) H free */
    double *factor;   /* (n x n) */
    double *v, *x;    /* (n) */
    int *moving;      /* (n) -1, 1: sign of the motion; 0: stuck */
    int *member;      /* (n) the moving joints */
} joints;

size_t imp_joint_friction_workspace(int n) {
    const size_t m = (size_t)n;
    return (m * m + 3 * m) * sizeof(double) + 2 * m * sizeof(int);
}

void imp_joint_friction_bound(int n, double h, const double *mu_c, const double *mu_v,
                              const double *velocity, double *bound) {
    for (int i = 0; i < n; i++)
        bound[i] = h * (mu_c[i] + mu_v[i] * fabs(velocity[i]));
}

static imp_status check(int n, const double *H, const double *free_velocity, const double *bound) {
    if (n < 1 || !H || !free_velocity || !bound) return IMP_BAD_ARGUMENT;
    for (int i = 0; i < n; i++) {
        if (!isfinite(free_velocity[i]) || !isfinite(bound[i])) return IMP_NOT_FINITE;
        if (bound[i] < 0) return IMP_BAD_FRICTION;
        for (int j = 0; j < n; j++)
            if (!isfinite(H[(size_t)i * (size_t)n + (size_t)j])) return IMP_NOT_FINITE;
    }
    return IMP_OK;
}

/* v and x of the current sets; false where H_MM is not positive definite. */
static bool solve(joints *s) {
    int m = 0;
    const size_t n = (size_t)s->n;
    for (int i = 0; i < s->n; i++) {
        s->x[i] = -s->moving[i] * s->bound[i];
        s->v[i] = 0;
        if (s->moving[i]) s->member[m++] = i;
    }
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++)
            s->factor[a * m + b] = s->H[(size_t)s->member[a] * n + (size_t)s->member[b]];
    if (!imp_cholesky(m, s->factor)) return false;
    double *right = s->v; /* packed, then spread from the end */
    for (int a = 0; a < m; a++)
        right[a] = s->momentum[s->member[a]] + s->x[s->member[a]];
    imp_cholesky_forward(m, s->factor, 1, right);
    imp_cholesky_backward(m, s->factor, right);
    for (int a = m - 1; a >= 0; a--) {
        const double value = right[a];
        right[a] = 0;
        s->v[s->member[a]] = value;
    }
    for (int i = 0; i < s->n; i++) {
        if (s->moving[i]) continue;
        s->x[i] = -s->momentum[i];
        for (int a = 0; a < m; a++)
            s->x[i] += s->H[(size_t)i * n + (size_t)s->member[a]] * s->v[s->member[a]];
    }
    return true;
}

/* Where joint i belongs: a stuck one beyond its bound starts to move, one that moves against its
 * sign stops. A joint without friction never sticks. The margin keeps a joint held exactly at its
 * bound from rattling in rounding. */
static int wanted(const joints *s, int i) {
    const double most = s->bound[i] + 16 * DBL_EPSILON * (s->bound[i] + fabs(s->momentum[i]));
    if (s->bound[i] == 0) return 1;
    if (s->moving[i]) return s->moving[i] * s->v[i] < 0 ? 0 : s->moving[i];
    return s->x[i] > most ? -1 : s->x[i] < -most ? 1 : 0;
}

static int faults(const joints *s) {
    int count = 0;
    for (int i = 0; i < s->n; i++)
        count += wanted(s, i) != s->moving[i];
    return count;
}

/* How far joint i is from where it may be, as an energy: v^2 H or excess^2 / H, twice, by its own
 * inertia. */
static double amiss(const joints *s, int i) {
    const double H = s->H[(size_t)i * (size_t)s->n + (size_t)i],
                 excess = fabs(s->x[i]) - s->bound[i];
    return s->moving[i] ? H * s->v[i] * s->v[i] : excess * excess / H;
}

typedef enum whom { ALL, WORST, LAST } whom;

/* Moves joints to where they belong: all of them, or one of those at fault. */
static void exchange(joints *s, whom which) {
    int one = -1;
    for (int i = 0; i < s->n; i++) {
        const int next = wanted(s, i);
        if (next == s->moving[i]) continue;
        if (which == ALL)
            s->moving[i] = next;
        else if (one < 0 || which == LAST || amiss(s, i) > amiss(s, one))
            one = i;
    }
    if (one >= 0) s->moving[one] = wanted(s, one);
}

/* x into its bounds, and v <- free + H^-1 x for it; false where H is not positive definite. */
static bool settle_for(joints *s) {
    const size_t n = (size_t)s->n;
    memcpy(s->factor, s->H, n * n * sizeof *s->factor);
    if (!imp_cholesky(s->n, s->factor)) return false;
    for (size_t i = 0; i < n; i++) {
        s->x[i] = fmax(-s->bound[i], fmin(s->bound[i], s->x[i]));
        s->v[i] = s->momentum[i] + s->x[i];
    }
    imp_cholesky_forward(s->n, s->factor, 1, s->v);
    imp_cholesky_backward(s->n, s->factor, s->v);
    return true;
}

imp_status imp_joint_friction(int n, const double *H, const double *free_velocity,
                              const double *bound, double *x, double *velocity, void *work,
                              imp_info *info) {
    imp_status status = check(n, H, free_velocity, bound);
    if (status == IMP_OK && (!x || !velocity || !work)) status = IMP_BAD_ARGUMENT;
    if (status != IMP_OK) return status;
    const size_t m = (size_t)n;
    joints s = {.n = n, .H = H, .bound = bound, .factor = work};
    s.momentum = s.factor + m * m;
    s.v = s.momentum + m;
    s.x = s.v + m;
    s.moving = (int *)(void *)(s.x + m);
    s.member = s.moving + m;
    for (size_t i = 0; i < m; i++) {
        s.momentum[i] = 0;
        for (size_t j = 0; j < m; j++)
            s.momentum[i] += H[i * m + j] * free_velocity[j];
        s.x[i] = -s.momentum[i]; /* holds all joints */
        s.moving[i] = 0;
    }
    if (!imp_all_finite(s.momentum, m)) return IMP_NOT_FINITE;
    exchange(&s, ALL);
    int fewest = n + 1, patience = PATIENCE, rounds = 0;
    const int most = 100 + 10 * n;
    status = IMP_NOT_CONVERGED;
    while (rounds++ < most) {
        if (!solve(&s)) return IMP_NOT_POSITIVE;
        const int count = faults(&s);
        if (count == 0) {
            status = IMP_OK;
            break;
        }
        patience = count < fewest ? PATIENCE : patience - 1;
        fewest = count < fewest ? count : fewest;
        exchange(&s, patience > 0 ? ALL : patience > -n ? WORST : LAST);
    }
    if (status != IMP_OK && !settle_for(&s)) return IMP_NOT_POSITIVE;
    if (!imp_all_finite(s.x, m) || !imp_all_finite(s.v, m)) return IMP_NOT_FINITE;
    for (size_t i = 0; i < m; i++)
        x[i] = fmax(-bound[i], fmin(bound[i], s.x[i]));
    memcpy(velocity, s.v, m * sizeof *velocity);
    if (info) *info = (imp_info){.iterations = rounds};
    return status;
}
