/* loop_rows.h - the rows of one joint that closes a loop: what they miss, and their derivatives. */
#ifndef IMP_LOOP_ROWS_H
#define IMP_LOOP_ROWS_H

#include "multibody/loop.h"

#include <stdbool.h>

enum { IMP_LOOP_MOST = 6 }; /* rows of a joint */

/* A side of a joint at the tree's place, world axes. */
typedef struct imp_loop_side {
    int link;
    double point[3], axes[9];
    double velocity[3], spin[3];          /* of the material at `point` */
    double acceleration[3], spin_rate[3]; /* the same where v' = 0; imp_loop_accelerate */
} imp_loop_side;

/* Both sides of a joint; of rolling, both points are where the ball is nearest to the plane. */
typedef struct imp_loop_place {
    const imp_loop *loop;
    imp_loop_side side[2];
} imp_loop_place;

int imp_loop_rows(imp_loop_kind kind);
imp_loop_place imp_loop_look(const imp_tree *tree, const imp_loop *loop);
/* Fills accelerations; after imp_tree_inverse_dynamics without gravity and with rate NULL. */
void imp_loop_accelerate(const imp_tree *tree, imp_loop_place *place);

/* Row r of a joint: is it one of directions, with no length? What it misses in position. */
bool imp_loop_turns(const imp_loop_place *place, int r);
double imp_loop_miss(const imp_loop_place *place, int r);
/* m, how large the numbers are that the joints' points are made of, and no less than the radii of
 * gyration: one for all, since a chain's rounding is that of its longest arms wherever it closes.
 */
double imp_loops_reach(const imp_tree *tree, int count, const imp_loop *loops);

/* row (nv) += the derivative of what it misses: row . v is its rate. `along` 0, 1, 2 in place of
 * the row's own direction: how the joint's sides move against each other at all. */
void imp_loop_derivative(const imp_tree *tree, const imp_loop_place *place, int r, double *row);
void imp_loop_any(const imp_tree *tree, const imp_loop_place *place, int r, int along, double *row);

/* row (nv) += that of b's rate against a about a revolute's axis, or along a slider's. */
void imp_loop_free(const imp_tree *tree, const imp_loop_place *place, double *row);

/* What that rate changes by where v' = 0; after imp_loop_accelerate. */
double imp_loop_free_bias(const imp_loop_place *place);

/* The second derivative of what it misses where v' = 0, and its size. */
double imp_loop_bias(const imp_loop_place *place, int r, double *size);

/* Of a row of a contact, as L'^-1 of it stands in half (nv): the square root of what rounding of
 * the places leaves of its entry of W where joints let nothing move along it. */
double imp_loops_rounding(const imp_loops *loops, const imp_contact *contact, const double *half);

/* q, a relative velocity at a contact whose entry of W is given: one that no impulse changes is 0
 * within rounding of the velocities that it is a difference of. */
double imp_loops_rest(const imp_tree *tree, const imp_contact *contact, double W, double q);

#endif
