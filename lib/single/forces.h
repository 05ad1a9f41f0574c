/* forces.h - the force of one touching contact where nothing collides, and what follows: Coulomb's
 * law on accelerations, all solutions.
 *
 * Packed W (nn, nt, no, tt, to, oo) in 1/kg; v (n, t, o) the contact's velocity, m/s; b its
 * acceleration without a contact force, the terms of velocity in it, m/s^2; f the force, N, with
 * a = W f + b. All functions are thread-safe. */
#ifndef IMP_FORCES_H
#define IMP_FORCES_H

#include "single/single.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* What a touching contact does next; v velocity, a acceleration, relative. */
typedef enum imp_motion {
    IMP_SEPARATES,       /* v_n > 0, or v_n = 0 and a_n > 0 */
    IMP_SLIDES_ON,       /* v_n = a_n = 0, v_to != 0 */
    IMP_STARTS_TO_SLIDE, /* v = 0, a_n = 0, a_to != 0 */
    IMP_STICKS,          /* v = 0, a = 0 */
    IMP_COLLIDES,        /* v_n < 0: an impulse acts, and no force */
    /* v_n = 0 and no force obeys the law: an impulse acts although nothing collides (Painleve) */
    IMP_IMPACT_WITHOUT_COLLISION,
    IMP_UNDETERMINED, /* several forces obey the law */
} imp_motion;

/* "separates", "slides-on", "starts-to-slide", "sticks", "collides", "impact-without-collision",
 * "undetermined". */
const char *imp_motion_text(imp_motion motion);

/* A force that obeys the law, and what follows from it. */
typedef struct imp_force {
    /* IMP_ZERO, IMP_STICK, IMP_SLIP (at the limit of friction), IMP_SEGMENT (v = 0), IMP_RAY */
    imp_coulomb_kind kind;
    imp_motion motion; /* under this force */
    double f[3];       /* N */
    double a[3];       /* m/s^2; exactly 0 where the law says so */
    double power;      /* W, f . v <= 0 */
} imp_force;

/* All forces of a contact. */
typedef struct imp_force_set {
    int count; /* rows in `force`, zero last; a continuum stands alone, with its two ends */
    imp_force force[IMP_COULOMB_MOST]; /* (count) */
    imp_motion motion;                 /* what follows */
    int proven; /* 1: the count is certain for the given doubles, by signs without rounding */
    /* 1/kg, of a contact that slides: a_n = A f_n + b_n, A = W_nn - mu (W_nt s_t + W_no s_o), s =
     * v_to / |v_to|; NAN otherwise */
    double A;
} imp_force_set;

/* All forces that obey Signorini's and Coulomb's laws (Preclik, Eibl, Ruede 2017, Fig. 1, upper
 * half, and section 4.2) at a contact of gap 0:
 *     v_n > 0: zero. v_n < 0: none, it collides.
 *     v = 0: a_n >= 0 _|_ f_n >= 0, |f_to| <= mu f_n, |a_to| f_to = -mu f_n a_to: the problem of
 *     imp_coulomb_enumerate, its solutions and its proof.
 *     v_n = 0, v_to != 0: f_to = -mu f_n s, a_n = A f_n + b_n >= 0 _|_ f_n >= 0. A > 0: one.
 *     A <= 0, b_n < 0: none. A < 0, b_n > 0: two. A = b_n = 0: a ray, any f_n. Else zero alone.
 *
 * The sign of A is found without rounding, and f is good to 1e-14 of its size. v_n and v_to are
 * what they are: of a velocity that an impulse left, imp_velocity_after makes the zeros exact.
 * Scales of W, v and b from 1e-150 to 1e150. IMP_OK: complete, and proven to be. IMP_NOT_CERTIFIED:
 * as imp_coulomb_enumerate for v = 0; for a contact that slides: A is within rounding of 0 and its
 * data so far apart (1e30) that the sign is not proven. IMP_OVERFLOW: a force, its acceleration or
 * power is not representable, or but as a denormal. IMP_NOT_FINITE, IMP_BAD_FRICTION,
 * IMP_NOT_POSITIVE as imp_coulomb_enumerate. The set is untouched by the last four. */
imp_status imp_forces(const double W[6], const double v[3], const double b[3], double mu,
                      imp_force_set *set);

/* Holds f against that law, with no regard to who found it. Residuals, dimensionless: signorini
 * (approach or pull; at v_n > 0 any force), restitution (force where it opens), cone, slip
 * (friction against a_to where v_to = 0, against v_to elsewhere). IMP_OK: count, residual, worst
 * and contact of *result are filled, whatever they say; energy is 0, its bounds are INFINITY.
 * IMP_NO_SOLUTION at v_n < 0, where no force is the answer; IMP_NOT_FINITE (W f, too),
 * IMP_BAD_FRICTION: *result untouched. */
imp_status imp_forces_certify(const double W[6], const double v[3], const double b[3], double mu,
                              const double f[3], imp_certificate *result);

/* v <- q + W p, the velocity after an impulse p (N s), where a component below 1e-12 of the sum of
 * the absolute values that make it up is 0. */
void imp_velocity_after(const double W[6], const double q[3], const double p[3], double v[3]);

IMP_PUBLIC_END

#endif
