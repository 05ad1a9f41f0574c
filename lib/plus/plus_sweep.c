/* plus_sweep.c - motions, directions and active contacts of an interval found by sweeping over the
 * contacts.
 *
 * Used where Algorithm 1 of Uchida, Sherman, Delp (2015) declares contacts to be in impending slip
 * whose equations then have no solution: another choice of motions may have one. For an expanding
 * round, where normal impulses are given, it always has: rolling inside the discs or slipping
 * against the end slip are the optimality conditions of min pi'W pi/2 + pi'v over discs, which is
 * convex. Block Gauss-Seidel solves one contact after the other (rolling, impending slip, no push)
 * until the impulses settle; plus_impending.c then makes the answer exact.
 *
 * Where all contacts oppose the slip at the end (newton, poisson), it need not: that slip goes with
 * how redundant contacts share their push, and the least norm shares it otherwise, or pulls. There,
 * at last, sweeps go on to rounding. */
#include "plus/plus_internal.h"

#include <string.h>

enum { SWEEPS = 400, LAST_SWEEPS = 4000, LAST_EFFORT = 100000000 };
/* of scaled units, in which fastest and most mobile are of order one: sweeps that diverge */
static const double FAR = 1e60;

/* p <- the impulse of a contact that rolls, u = A p + v, with u_n = 0, or p_n = push >= 0 where
 * given. */
static void roll(const double A[9], const double v[3], double push, double p[3]) {
    double S[4], c[2];
    for (int r = 0; r < 2; r++) {
        const double *row = A + 3 * (r + 1), l = row[0] / A[0];
        c[r] = push >= 0 ? v[r + 1] + row[0] * push : v[r + 1] - l * v[0];
        for (int k = 0; k < 2; k++)
            S[2 * r + k] = row[k + 1] - (push >= 0 ? 0 : l * A[k + 1]);
    }
    const double det = S[0] * S[3] - S[1] * S[2];
    p[1] = det > 0 ? (S[1] * c[1] - S[3] * c[0]) / det : 0;
    p[2] = det > 0 ? (S[2] * c[0] - S[0] * c[1]) / det : 0;
    p[0] = push >= 0 ? push : -(v[0] + A[1] * p[1] + A[2] * p[2]) / A[0];
}

/* Contact i with all others held: its new impulse p. */
static void solve_contact(plus *s, int i, double p[3]) {
    double A[9], v[3];
    const double *pi = s->pi + 3 * i, mu = s->mu[i], *d = s->slip + 2 * i;
    for (int r = 0; r < 3; r++) {
        v[r] = s->v[3 * i + r] + s->Wpi[3 * i + r] - s->aim[3 * i + r];
        for (int c = 0; c < 3; c++) {
            A[3 * r + c] = s->W[(size_t)(3 * i + c) * s->n + 3 * i + r];
            v[r] -= A[3 * r + c] * pi[c];
        }
    }
    memcpy(p, pi, 3 * sizeof *p);
    if (!(A[0] > 0)) return;
    const bool expanding = s->phase[i] == 'X', slides = s->motion[i] == 's' || s->motion[i] == '-';
    if (slides && expanding) return;
    if (slides) {
        const double w_n = A[0] - mu * (A[1] * d[0] + A[2] * d[1]);
        if (!(w_n > 0)) return;
        p[0] = fmax(0, -v[0] / w_n);
        p[1] = -mu * p[0] * d[0];
        p[2] = -mu * p[0] * d[1];
        return;
    }
    if (!expanding && v[0] >= 0) {
        memset(p, 0, 3 * sizeof *p);
        return;
    }
    roll(A, v, expanding ? s->pushed[i] : -1, p);
    if (p[1] * p[1] + p[2] * p[2] <= mu * mu * p[0] * p[0] && p[0] >= 0) return;
    s->effort += PLUS_POINT_EFFORT;
    (void)imp_plus_impending_point(A, v, mu, expanding ? s->pushed[i] : -1, p);
}

/* Multiplications of a sweep: along columns, several at a time. */
static double sweep_effort(const plus *s) {
    return 0.75 * s->n * s->own->contacts;
}

static void begin(plus *s) {
    imp_plus_assemble(s); /* pi: what is given outright */
    memcpy(s->Wpi, s->given, (size_t)s->n * sizeof *s->Wpi);
}

/* Impulses by sweeps, from those that are there, until one changes them by a share `little`;
 * returns how many of `most` sweeps are left. Where they diverge none are, and the given impulses
 * stand again. */
static int settle(plus *s, double little, int most) {
    for (int left = most - 1; left >= 0 && !plus_cancelled(s); left--) {
        double change = 0;
        s->effort += sweep_effort(s);
        for (int i = 0; i < s->nc; i++) {
            if (s->phase[i] == 'O') continue;
            double p[3];
            solve_contact(s, i, p);
            for (int k = 0; k < 3; k++) {
                const double by = p[k] - s->pi[3 * i + k],
                             *column = s->W + (size_t)(3 * i + k) * s->n;
                if (by == 0) continue;
                change = fmax(change, fabs(by));
                s->pi[3 * i + k] = p[k];
                for (int r = 0; r < s->n; r++)
                    s->Wpi[r] += column[r] * by;
            }
        }
        if (!(change <= FAR)) {
            begin(s);
            return 0;
        }
        if (change <= little * plus_largest(s->pi, s->n)) return left;
    }
    return 0;
}

/* Reads motions off the impulses: at the edge of the cone and slipping, or rolling. */
static void classify(plus *s) {
    const double push = plus_largest(s->pi, s->n), speed = plus_speed(s);
    for (int i = 0; i < s->nc; i++) {
        const double *pi = s->pi + 3 * i;
        if (s->phase[i] == 'C') s->active[i] = pi[0] > 1e-10 * push;
        if (s->phase[i] == 'O' || s->motion[i] == 's' || s->motion[i] == '-') continue;
        const double friction = sqrt(pi[1] * pi[1] + pi[2] * pi[2]);
        const double x = s->v[3 * i + 1] + s->Wpi[3 * i + 1],
                     y = s->v[3 * i + 2] + s->Wpi[3 * i + 2];
        const bool edge = friction >= (1 - 1e-6) * s->mu[i] * pi[0],
                   slips = sqrt(x * x + y * y) > 1e-7 * speed;
        s->motion[i] = edge && slips ? 'i' : 'r';
        if (s->motion[i] == 'r' || friction == 0) continue;
        s->slip[2 * i] = -pi[1] / friction;
        s->slip[2 * i + 1] = -pi[2] / friction;
    }
}

bool imp_plus_exact(plus *s) {
    memcpy(s->settled, s->pi, (size_t)s->n * sizeof *s->pi);
    classify(s);
    if (imp_plus_impend(s, false) && imp_plus_accept(s)) return true;
    memcpy(s->pi, s->settled, (size_t)s->n * sizeof *s->pi);
    imp_plus_multiply(s, s->Wpi);
    return false;
}

bool imp_plus_as_it_is(plus *s) {
    classify(s);
    for (int i = 0; i < s->nc; i++)
        if (s->phase[i] == 'C' && !s->active[i]) memset(s->pi + 3 * i, 0, 3 * sizeof *s->pi);
    imp_plus_multiply(s, s->Wpi);
    return imp_plus_solves(s, true);
}

bool imp_plus_sweep(plus *s) {
    if (plus_cancelled(s)) return false;
    begin(s);
    static const double little[] = {1e-4, 1e-10}; /* motions are known before the impulses are */
    int left = SWEEPS;
    for (int i = 0; i < 2 && left > 0; i++) {
        left = settle(s, little[i], left);
        if (imp_plus_exact(s)) return true;
    }
    return false;
}

bool imp_plus_sweep_out(plus *s) {
    /* a tenth of a second of many contacts, but as many as the first search has */
    const double most = fmax(SWEEPS, fmin(LAST_SWEEPS, LAST_EFFORT / sweep_effort(s)));
    begin(s);
    const bool settled = settle(s, 1e-15, (int)most) > 0;
    return imp_plus_as_it_is(s) && settled;
}
