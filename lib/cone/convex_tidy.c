/* convex_tidy.c - rounding out of an answer of phase II.
 *
 * Certificates measure a contact by what moves it. Where nothing does but rounding of impulses at
 * its neighbours, friction of 1e-16 beside a push of 1 say, that would be all that it is measured
 * by. */
#include "base/exact.h"
#include "cone/convex_interior.h"
#include "contact/friction_cone.h"

#include <math.h>
#include <string.h>

/* Of the island's fastest, velocities that are rounding wherever they are. */
static const double rounding = 3e-15;

/* Is what an impulse along one axis does to contact i, along any, at most `velocity`? */
static bool does_little(const convex_island *s, int i, double impulse, double velocity) {
    const double *W = imp_convex_own_block(s, i);
    return velocity == 0 || (W[0] + W[4] + W[8]) * fabs(impulse) <= velocity;
}

/* Does contact i miss what was dropped, kept - x, more than that share of the terms of its
 * velocities that are left? Where these are rounding, at most `least`, nothing is missed. */
static bool misses(const convex_island *s, int i, const double *x, const double *kept, double share,
                   double least) {
    const double *q = s->q + 3 * (size_t)i;
    double dropped[3] = {0}, terms[3] = {fabs(q[0]) + fabs(s->gap[i]), fabs(q[1]), fabs(q[2])};
    for (int k = s->start[i]; k < s->start[i + 1]; k++)
        for (int a = 0; a < 9; a++) {
            const int c = 3 * s->column[k] + a % 3;
            const double W = s->block[9 * (size_t)k + (size_t)a];
            dropped[a / 3] += W * (kept[c] - x[c]);
            terms[a / 3] += fabs(W * x[c]);
        }
    const double size = imp_largest(terms, 3, 1);
    return size > least && imp_largest(dropped, 3, 1) > share * size;
}

/* Drops the impulses that do next to nothing beside the island's fastest, `speed`; a push only
 * where its friction goes too. Where a slow contact misses one by more than that share it comes
 * back. kept (3n): room. */
static void drop_dust(const convex_island *s, double share, double speed, double *x, double *kept) {
    memcpy(kept, x, 3 * (size_t)s->n * sizeof *kept);
    for (int i = 0; i < s->n; i++) {
        double *p = x + 3 * i;
        for (int r = 1; r < 3; r++)
            if (does_little(s, i, p[r], IMP_CONVEX_EXACT * speed)) p[r] = 0;
        if (p[1] == 0 && p[2] == 0 && does_little(s, i, p[0], IMP_CONVEX_EXACT * speed)) p[0] = 0;
    }
    for (bool again = true; again;) { /* each time one contact more, at least */
        again = false;
        for (int i = 0; i < s->n; i++) {
            double *p = x + 3 * i, *own = kept + 3 * i;
            const bool same = p[0] == own[0] && p[1] == own[1] && p[2] == own[2];
            if (same || !misses(s, i, x, kept, share, rounding * speed)) continue;
            memcpy(p, own, 3 * sizeof *p);
            again = true;
        }
    }
}

void imp_convex_tidy(const convex_island *s, double share, double *x, double *lambda,
                     double *room) {
    const size_t n = (size_t)s->n;
    const double speed = fmax(imp_largest(s->q, 3 * n, 1), imp_largest(s->gap, n, 1));
    for (int i = 0; i < s->n; i++) {
        double *p = x + 3 * i;
        p[0] = s->kappa > 0 ? fmax(0, p[0]) : 0;
        imp_disc_project(s->mu[i] * p[0] + s->viscous[i], p + 1, p + 1, NULL, NULL);
        if (does_little(s, i, lambda[i], rounding * speed)) lambda[i] = 0;
    }
    drop_dust(s, share, speed, x, room);
}
