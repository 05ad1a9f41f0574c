/* loop.h - joints that close loops in a tree of rigid bodies, joints between free bodies (the
 * maximal form), and rolling without slip: rows G(q) v = 0 over the tree's degrees of freedom.
 *
 *     H v' + bias = tau + G' lambda,  G v' + G' v = 0   (G' v: what the rows' own turning adds)
 *     H (v+ - v) = J' p + G' lambda,  G v+ = 0
 *
 * Rows are eliminated orthogonally in the metric of H (linear/null_space.h), as those of free
 * bodies are (contact/bilateral.h): rows may depend on each other, as those of planar loops of
 * revolute joints do, and nothing but lambda is touched by that. What an integrator lets positions
 * drift by is taken back by projection, the least motion by that metric (Hairer, Lubich, Wanner
 * 2006, section IV.4): no constants as Baumgarte's, and no energy for springs.
 *
 * Source: Featherstone (2008), chapter 8 (loop joints); Drumwright, Shell (2010), eq. 5, and
 * Uchida, Sherman, Delp (2015), section 2(b), keep these rows within an impact. */
#ifndef IMP_LOOP_H
#define IMP_LOOP_H

#include "linear/factored.h"
#include "multibody/tree.h"
#include "base/public.h"

#include <stdbool.h>

IMP_PUBLIC_BEGIN

/* What a joint keeps of how two links stand to each other. */
typedef enum imp_loop_kind {
    IMP_LOOP_BALL,     /* a point of b stays at a point of a */
    IMP_LOOP_REVOLUTE, /* the same, and an axis through it */
    IMP_LOOP_SLIDER,   /* b slides along an axis of a, and does not turn against it */
    IMP_LOOP_WELD,     /* b does not move against a */
    IMP_LOOP_ROLLING   /* a ball of b does not slip on a plane of a, wherever it is over it */
} imp_loop_kind;

/* A joint between two links of a tree; made by imp_loop_of. */
typedef struct imp_loop {
    imp_loop_kind kind; /* what it keeps */
    int a, b;           /* links, one of them may be IMP_GROUND */
    double at[2][3]; /* m, the joint in the frame of a, of b; of rolling the ball's centre in b's */
    double axes[2][9]; /* rows: the joint's axis or the plane's normal, and two across, in a's
                          frame; those of b that are along them */
    double radius;     /* m, of the ball that rolls */
} imp_loop;

/* *loop <- a joint of links a and b as the tree is placed. point (m) and axis (any length; of a
 * revolute joint, a slider, a plane) are in a's frame; meets (m) is the point in b's frame, NULL:
 * the one that is there now. radius: of rolling. IMP_OK, IMP_BAD_ARGUMENT (no kind, links out
 * of range or the same, no direction, radius not > 0), IMP_NOT_FINITE. */
imp_status imp_loop_of(const imp_tree *tree, imp_loop_kind kind, int a, int b,
                       const double point[3], const double *meets, const double axis[3],
                       double radius, imp_loop *loop);

/* Loops of one tree, which must outlive them. */
typedef struct imp_loops imp_loops;

/* `count` loops, copied, and what they are: how many, loop i, and how many rows they have. NULL
 * without memory. */
imp_loops *imp_loops_new(imp_tree *tree, int count, const imp_loop *loops);
void imp_loops_free(imp_loops *loops);
int imp_loops_count(const imp_loops *loops);
const imp_loop *imp_loops_at(const imp_loops *loops, int i);
int imp_loops_rows(const imp_loops *loops);

/* Eliminates the rows at the tree's present place; after imp_tree_factor there. IMP_OK,
 * IMP_NOT_FINITE, IMP_NO_MEMORY, IMP_NOT_CERTIFIED: a row almost depends on others (between 1e-12
 * and 1e-9 of it is independent), a place where the loops begin to lock or to come free. */
imp_status imp_loops_factor(imp_loops *loops);

/* Where loops are closed by their lengths alone (the joints of a universal joint), rows depend on
 * each other wherever all are kept, and seem independent as soon as rounding or a step opens them.
 * implied: those that do at the last imp_loops_factor, which has left none out, at a place where
 * they are kept, are left out from the next on. false: none is. IMP_OK, IMP_NO_MEMORY,
 * IMP_NOT_FINITE; none is left out then. */
imp_status imp_loops_imply(imp_loops *loops, bool implied);

/* How many rows are independent of each other, at the last imp_loops_factor. */
int imp_loops_rank(const imp_loops *loops);

/* What rounding leaves, relative to it, of a velocity that the rows leave free, at the last
 * imp_loops_factor: 1e-16 and more, and like the inverse of the distance from where a row comes to
 * depend on the others, or to vanish. */
double imp_loops_doubt(imp_loops *loops);

/* The rest is after imp_loops_factor at the same place. IMP_NO_SOLUTION: rows contradict each
 * other beyond 1e-12 of what they are made of; then, and without memory, nothing is changed. */

/* rate (nv) <- v' under the rows, from that without them, H^-1 (tau - bias). The tree is placed
 * with its velocities. IMP_OK, IMP_NO_SOLUTION, IMP_NO_MEMORY. */
imp_status imp_loops_rate(imp_loops *loops, double *rate);

/* v (nv) <- the nearest velocity that keeps the rows: what an impulse J' p has changed becomes what
 * it changes under the rows. IMP_OK, IMP_NO_SOLUTION, IMP_NO_MEMORY. */
imp_status imp_loops_velocity(imp_loops *loops, double *v);

/* As imp_tree_delassus for nc contacts under the rows: W (3nc x 3nc, 1/kg), and q (3nc, m/s) of
 * the nearest velocity that keeps them. work (3nc nv). IMP_NO_SOLUTION and IMP_NO_MEMORY besides:
 * W and q are then those without the rows. */
imp_status imp_loops_delassus(imp_loops *loops, int nc, const imp_contact *contacts, double *W,
                              double *q, double *work);

/* *W <- X' P X, what the rows leave (P) of columns L'^-1 x, given as X (columns x nv): the Delassus
 * operator of contacts whose rows these are. H = L'L is imp_tree_factor's. IMP_OK, IMP_NO_MEMORY.
 * Free with imp_factored_free. */
imp_status imp_loops_left(const imp_loops *loops, int columns, const double *X, imp_factored **W);

/* Joints of loops that have one way to move, about their axis (revolute) or along it (slider), may
 * rub there. row (nv) <- that of joint i where the tree is placed: row . v is the rate of b against
 * a, rad/s or m/s; zero for joints of other kinds. */
void imp_loops_slip(const imp_loops *loops, int i, double *row);

/* What that rate changes by where v' = 0, rad/s^2 or m/s^2: the rate of the row times v. */
double imp_loops_slip_bias(imp_loops *loops, int i);

/* v (nv), which keeps the rows, <- with friction of the joints over a time step, within the rows
 * (imp_joint_friction has the law; here 1/2 x'A x + x'c is least, with A what the rows leave of the
 * inverse inertia along the joints that rub, c their rates at v). bound (nv + loops, N m s or N s,
 * >= 0) of each degree of freedom of the tree, then of the loops' own joints; x (nv + loops) <- the
 * impulses. Where joints hold each other, as in a planar loop at rest, x is one of several, v is
 * not. IMP_OK; IMP_NOT_CONVERGED: v and x are of the last iterate; IMP_NO_SOLUTION, IMP_NO_MEMORY:
 * they are unchanged. */
imp_status imp_loops_friction(imp_loops *loops, const double *bound, double *v, double *x);

/* How far the rows are from being kept, recomputed from the placed tree; INFINITY: its place or its
 * motion is no finite number. */
typedef struct imp_loops_errors {
    double position; /* m; of directions the sine: the largest. Rolling has none */
    /* the largest of points, or of directions, over the largest speeds that such are differences
       of */
    double velocity;
} imp_loops_errors;
void imp_loops_judge(const imp_loops *loops, imp_loops_errors *errors);

/* q (nq), v (nv) <- the nearest that keep the rows, where the tree is placed then, factorised with
 * its loops. v NULL: only q. drift (may be NULL) <- the error of position before. IMP_OK;
 * IMP_NOT_CONVERGED, IMP_NO_SOLUTION: no place near that closes the loops; IMP_NOT_POSITIVE,
 * IMP_NOT_FINITE, IMP_NOT_CERTIFIED, IMP_NO_MEMORY. q and v unchanged then. */
imp_status imp_loops_project(imp_loops *loops, double *q, double *v, double *drift);

IMP_PUBLIC_END

#endif
