/* local.h - one contact, the impulses of all others held fixed: what the certificates of all laws
 * measure of it. Internal. */
#ifndef IMP_LOCAL_H
#define IMP_LOCAL_H

#include "contact/law.h"
#include "base/length.h"
#include "base/exact.h"

/* part / whole, 0 where part is not positive. */
static inline double imp_relative(double part, double whole) {
    return part > 0 ? (whole > 0 ? part / whole : INFINITY) : 0;
}

/* u <- A p + v, m/s */
static inline void imp_local_velocity(const imp_local *c, double u[3]) {
    for (int r = 0; r < 3; r++)
        u[r] =
            c->A[3 * r] * c->p[0] + c->A[3 * r + 1] * c->p[1] + c->A[3 * r + 2] * c->p[2] + c->v[r];
}

/* Signorini's inequalities: approach over size_n, pull over push. u_n is what has to be >= 0. */
static inline double imp_local_signorini(const imp_local *c, double u_n) {
    const double push = imp_larger(c->push, imp_largest(c->p, 3, 1));
    return imp_larger(imp_relative(-u_n, c->size[0]), imp_relative(-c->p[0], push));
}

/* What friction is compared with, N s; limit: mu p_n. */
static inline double imp_local_lean(const imp_local *c, double friction, double limit) {
    return imp_larger(c->push, imp_larger(friction, fabs(limit)));
}

/* Friction beyond its limit, which is >= 0. */
static inline double imp_local_cone(const imp_local *c, double friction, double limit) {
    return imp_relative(friction - limit, imp_local_lean(c, friction, limit));
}

/* The smaller of a velocity and an impulse that exclude each other along the normal, the impulse by
 * what it does along any axis: little along the normal may be much along a tangent. */
static inline double imp_local_pair(const imp_local *c, double velocity, double impulse) {
    double most = imp_relative(c->A[0] * fabs(impulse), c->size[0]);
    for (int r = 1; r < 3; r++)
        if (c->size[r] > 0) most = imp_larger(most, fabs(c->A[3 * r] * impulse) / c->size[r]);
    return fmin(imp_relative(fabs(velocity), c->size[0]), most);
}

/* What the contact's impulse does along each axis to every axis, over the size there: the most.
 * What is little along the normal may be much along a tangent that it couples with. Friction
 * counts beside a normal impulse that is next to none, which a large mu makes room for it. */
static inline double imp_local_impulse(const imp_local *c) {
    double most = 0;
    for (int k = 0; k < 9; k++)
        if (c->size[k / 3] > 0)
            most = imp_larger(most, fabs(c->A[k] * c->p[k % 3]) / c->size[k / 3]);
    return most;
}

/* How far p is from what the steps of a path add up to: d (3, N s), all (3) the sums of their
 * absolute values, over `most`; or, where that is more, as a velocity over the largest sum of terms
 * that makes one up, for what is little beside a push may be all of a friction. */
static inline double imp_local_missum(const imp_local *c, const double d[3], const double all[3],
                                      double most) {
    double off = 0, size = 0;
    for (int r = 0; r < 3; r++) {
        const double *row = c->A + 3 * (size_t)r;
        double terms = c->size[r];
        for (int k = 0; k < 3; k++)
            terms += fabs(row[k]) * imp_larger(0, all[k] - fabs(c->p[k]));
        size = imp_larger(size, terms);
        off = imp_larger(off, fabs(row[0] * d[0] + row[1] * d[1] + row[2] * d[2]));
    }
    return imp_larger(imp_relative(imp_largest(d, 3, 1), most), imp_relative(off, size));
}

/* Sizes and push as several contacts have them (law.h). */
static inline void imp_local_merge(imp_local *c) {
    const double trace = c->A[0] + c->A[4] + c->A[8], size = imp_largest(c->size, 3, 1);
    c->size[0] = c->size[1] = c->size[2] = size;
    c->push = trace > 0 ? 3 * size / trace : 0;
}

/* The contact with no size below 1e-4 of its largest: pivots and an interior path leave dust of
 * 1e-13 where nothing else moves, which is no more than 1e-9 then. */
static inline imp_local imp_local_floored(imp_local c) {
    const double least = 1e-4 * imp_largest(c.size, 3, 1);
    for (int r = 0; r < 3; r++)
        c.size[r] = imp_larger(c.size[r], least);
    return c;
}

/* Friction f (2) of a contact that slips with u (2): no slip, or at the limit and against it.
 * Between the two, where a slip is little and friction little short of its limit, their product is
 * less than either by far: there the smaller of the two counts. */
static inline double imp_local_slip(const imp_local *c, const double f[2], const double u[2],
                                    double limit) {
    const double size = imp_length(c->size[1], c->size[2]);
    const double friction = imp_length(f[0], f[1]), lean = imp_local_lean(c, friction, limit);
    const double s = imp_relative(imp_length(u[0], u[1]), size);
    if (!(lean > 0) || s == 0) return 0;
    const double l = limit / lean, idle = fmin(s, (limit - friction) / lean);
    const double off =
        imp_length(s * (f[0] / lean) + l * (u[0] / size), s * (f[1] / lean) + l * (u[1] / size));
    /* Of first order: where slip and limit are both little beside what the contact has of other
     * axes, off is of the product of their shares, s and of the lean. It is divided by as much, but
     * by 1 where either is 1: friction beyond its cone is then less here than there. */
    const double of_lean = imp_larger(friction, fabs(limit)) / lean;
    return imp_larger(idle, fmin(s, off / (s + of_lean - s * of_lean)));
}

/* What p alone shows of an answer in several steps: no approach, no pull, and friction in the cone,
 * which holds sums of what it holds. */
static inline void imp_local_note_whole(const imp_problem *problem, const double *p,
                                        imp_certificate *result) {
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        double u[3];
        imp_local_velocity(&c, u);
        imp_certificate_note(result, "signorini", imp_local_signorini(&c, u[0]), i);
        imp_certificate_note(result, "cone",
                             imp_local_cone(&c, imp_length(c.p[1], c.p[2]), c.mu * c.p[0]), i);
    }
}

/* The residuals of imp_coulomb_note for forces f = c->p (N) and accelerations of a contact that
 * slides with v (2, not 0, m/s): slip is of friction and v. */
void imp_coulomb_note_sliding(const imp_local *c, const double v[2], int i,
                              imp_certificate *result);

/* *local <- imp_local_problem. */
void imp_local_fill(const imp_problem *problem, const double *p, int i, imp_local *local);

/* The local problem in units of 2^W 1/kg and 2^v m/s, in which nothing overflows or vanishes. */
static inline void imp_local_to_units(const imp_local *local, int W, int v, imp_local *c) {
    *c = *local;
    imp_shift(c->A, 9, -W);
    imp_shift(c->v, 3, -v);
    imp_shift(c->size, 3, -v);
    imp_shift(c->p, 3, W - v);
    imp_shift(&c->push, 1, W - v);
    imp_shift(&c->gap, 1, -v);
}

static inline imp_local imp_local_in_units(const imp_local *local, int W, int v) {
    imp_local c;
    imp_local_to_units(local, W, v, &c);
    return c;
}

/* The residuals of imp_certify_along, energy left out, for presets, no path, a problem that is
 * known to be one that the law reads, and contacts known to be one island; it allocates nothing of
 * its own. On an error `result` holds nothing of use. */
imp_status imp_certify_island(const imp_problem *problem, const imp_law *law, const double *p,
                              imp_certificate *result);

#endif
