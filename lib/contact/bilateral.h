/* bilateral.h - bodies in contact under bilateral constraints G v = g: joints and loops of them,
 * and any other rows over the bodies' velocities, holonomic or not.
 *
 * Such constraints hold at every instant of an impact, so they are eliminated before any model
 * looks: with A = G M^-1 G' and its pseudo-inverse A+,
 *
 *     M (v+ - v) = H p + G' lambda,  G v+ = g
 *     W = H'(M^-1 - M^-1 G' A+ G M^-1) H,  q = H'(v - M^-1 G' A+ (G v - g)),
 *
 * and contacts of one law or another are solved as without them. Rows may depend on each other, as
 * those of planar loops of revolute joints do; W, q and v+ are not touched by that, lambda is then
 * the one of least sum A_ii lambda_i^2. Velocities before the impact need not satisfy the rows:
 * what they miss is caught at once.
 *
 * Joints may rub: an impulse x_i along a rate w_i = F_i v+ of at most bound_i opposes it, x_i =
 * -bound_i sign w_i, or holds it at 0. That is a least of kinetic energy within the bounds
 * (multibody/joint_friction.h has it for a step), here under the contacts' impulses p:
 *
 *     M (v+ - v) = H p + G' lambda + F'x
 *
 * and what contacts see of x is another q.
 *
 * Source: Drumwright, Shell (2010), eq. 5, and Uchida, Sherman, Delp (2015), sections 2(b) and
 * 3(b), keep these rows in the system of every interval. Departure: they are projected out once,
 * orthogonally (linear/null_space.h), A is not formed. */
#ifndef IMP_BILATERAL_H
#define IMP_BILATERAL_H

#include "contact/delassus.h"

IMP_PUBLIC_BEGIN

/* What a row holds of one body: axis . (velocity of its centre of mass, spin), world. */
typedef struct imp_term {
    int row, body;  /* body: never IMP_GROUND */
    double axis[6]; /* -, and m where the row is a velocity */
} imp_term;

/* G v = g: each row the sum of its terms. */
typedef struct imp_constraints {
    int rows, terms;      /* how many of each */
    const imp_term *term; /* (terms) in any order */
    const double *rate;   /* (rows) g, m/s or rad/s; NULL: 0 */
    int rubs, rub_terms;  /* joints that rub, and the terms of their rates */
    const imp_term *rub;  /* (rub_terms) row: the joint's number */
    const double *bound;  /* (rubs) N m s, of sliders N s, >= 0 */
} imp_constraints;

/* Two bodies joined: in a point, about an axis through it, along an axis, or rigidly. */
typedef enum imp_pair_kind {
    IMP_PAIR_BALL,
    IMP_PAIR_REVOLUTE,
    IMP_PAIR_SLIDER,
    IMP_PAIR_WELD
} imp_pair_kind;

/* A joint between two bodies, at the instant of the impact. */
typedef struct imp_pair {
    imp_pair_kind kind; /* what it leaves free */
    int a, b;           /* bodies, one of them may be IMP_GROUND */
    double point[3];    /* m, world */
    double axis[3];     /* of any length, world: of a revolute, a slider */
} imp_pair;

enum { IMP_PAIR_TERMS = 12 };

/* Writes the terms of a joint, its rows counted from `row`, and returns how many terms; *rows <-
 * how many rows: 3 of a ball, 5 of a revolute joint and of a slider, 6 of a rigid joint. First come
 * those of b's velocity at the point against a's, along x, y, z, or along the two axes orthogonal
 * to a slider's; then those of b's spin against a's, along the two axes orthogonal to a revolute's,
 * or along x, y, z. The orthogonal axes are those of imp_frame_from_normal. 0 where the axis has no
 * direction. Thread-safe. */
int imp_pair_terms(const imp_pair *pair, const imp_body *bodies, int row, imp_term *term,
                   int *rows);

/* Writes the terms of the rate at which b turns against a about the axis of a revolute joint, or
 * slides along that of a slider, and returns how many: those of joint `number`. 0 where it is
 * neither or the axis has no direction. Thread-safe. */
int imp_pair_rate(const imp_pair *pair, const imp_body *bodies, int number, imp_term *term);

/* Bodies in contact under constraints that are eliminated; made by imp_bilateral_new. */
typedef struct imp_bilateral imp_bilateral;

/* *made <- the contact problem of nb bodies and nc contacts under constraints: W
 * (imp_bilateral_factored) and q (3nc).
 * IMP_OK; the statuses of imp_delassus_factored, IMP_BAD_ARGUMENT and IMP_NOT_FINITE also of terms,
 * rates and bounds, IMP_BAD_FRICTION of a bound < 0; IMP_NO_SOLUTION where rows contradict each
 * other beyond 1e-12 of what they are made of; IMP_NOT_CERTIFIED where a row almost depends on
 * others, so that double does not tell whether it does: between 1e-12 and 1e-9 of it is
 * independent. *row (may be NULL) is the row at fault, -1: none. *made NULL then, q untouched. The
 * bodies' data are copied. Free with imp_bilateral_free. Thread-safe. */
imp_status imp_bilateral_new(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                             const imp_constraints *constraints, imp_bilateral **made, double *q,
                             int *row);
void imp_bilateral_free(imp_bilateral *bilateral);

/* W = G'G over the coordinates that the constraints leave; belongs to *bilateral. */
const imp_factored *imp_bilateral_factored(const imp_bilateral *bilateral);

/* How many bodies and rows there are; how many rows are independent of each other. */
int imp_bilateral_bodies(const imp_bilateral *bilateral);
int imp_bilateral_rows(const imp_bilateral *bilateral);
int imp_bilateral_rank(const imp_bilateral *bilateral);

/* How many joints rub. */
int imp_bilateral_rubs(const imp_bilateral *bilateral);

/* x (rubs; N m s, of sliders N s) <- the impulses of joints that rub under impulses p (3nc, N s) of
 * the contacts: IMP_OK, IMP_NOT_CONVERGED (of the active sets of joints), IMP_NO_MEMORY. Where
 * joints hold each other x is one of several, the velocities are not; a joint whose rate rows
 * prescribe rubs by its bound, and moves nothing. Thread-safe. */
imp_status imp_bilateral_rub(const imp_bilateral *bilateral, const double *p, double *x);

/* q (3nc) += what x changes at the contacts, 0 where that is within 1e-12 of what it is a
 * difference of: joints have stopped there. Thread-safe. */
void imp_bilateral_rubbed(const imp_bilateral *bilateral, const double *x, double *q);

/* How well an answer holds, recomputed from bodies, contacts and rows. */
typedef struct imp_bilateral_errors {
    double velocity; /* |G v+ - g|, of the row that is missed most */
    double momentum; /* |v+ - v - M^-1(H p + G' lambda + F'x)|, of the body that is missed most */
    /* of joints that rub: how far |x| is above its bound, of that; what it lacks of the most that
     * it could dissipate, |bound |w| + x w| over bound and w's parts, or the smaller of |w| over
     * its parts and of what |x| is short of the bound, of that; where no row has a rate, the
     * energy that all impulses together gain, of the sizes of their works */
    double bound, slip, gain;
} imp_bilateral_errors;

/* velocity (6nb: velocity and spin of each body) and lambda (rows; N s or N m s) <- what follows
 * from the impulses p (3nc) at the contacts and x (rubs; NULL: none rubs) of joints that rub;
 * errors (may be NULL) as imp_bilateral_judge, which comes last: where it lacks memory alone, the
 * others are there. IMP_OK, IMP_NO_MEMORY. Thread-safe. */
imp_status imp_bilateral_recover(const imp_bilateral *bilateral, const double *p, const double *x,
                                 double *velocity, double *lambda, imp_bilateral_errors *errors);

/* The largest of them. Thread-safe. */
double imp_bilateral_worst(const imp_bilateral_errors *errors);

/* errors <- of anybody's p, x, velocity and lambda, by the definitions above, each relative to the
 * sum of the absolute values that it is a difference of. Of lambda these are the values that follow
 * from p and x: of redundant rows it may be as large as one likes. Nothing else of the elimination
 * is used. 1e-13 of what impulses alone give is rounding: of a row or joint the largest of its
 * island, of a body its own, or what both the fastest body and the largest in energy of its island
 * leave. IMP_OK, IMP_NO_MEMORY. Thread-safe. */
imp_status imp_bilateral_judge(const imp_bilateral *bilateral, const double *p, const double *x,
                               const double *velocity, const double *lambda,
                               imp_bilateral_errors *errors);

IMP_PUBLIC_END

#endif
