/* tree_internal.h - what the files of the tree share. */
#ifndef IMP_TREE_INTERNAL_H
#define IMP_TREE_INTERNAL_H

#include "base/two_lanes.h"
#include "base/vec3.h"
#include "multibody/tree.h"

#include <stdbool.h>
#include <string.h>

/* Composite and scratch quantities of a link, world axes. */
typedef struct carried {
    /* the link and all it carries as one body: kg, m, kg m^2 about centre */
    double mass, centre[3], inertia[9];
    double acceleration[3], spin_rate[3]; /* of the origin, m/s^2; rad/s^2 */
    double force[3], torque[3];           /* through the joint, N; about the origin, N m */
    /* with velocities that are not those of the place: the origin's, m/s, rad/s; the momenta of the
     * link and all it carries, kg m/s, and about the origin, kg m^2/s */
    double velocity[3], spin[3], linear[3], angular[3];
    /* of a free link and all it carries: the velocity against which a step has its momenta, m/s,
     * and where the centre of mass goes in it, m */
    double frame[3], goal[3];
} carried;

/* A (3 x 3) prepared for x = A^-1 b: its minors and determinant. */
typedef struct imp_solver3 {
    double A[9], minor[9], determinant;
} imp_solver3;

/* The rest of it made from A. */
static inline void imp_solver3_prepare(imp_solver3 *s) {
    /* cppcheck-suppress ctuuninitvar ; A is there */
    const double *A = s->A;
    for (int i = 0; i < 3; i++)
        cross3(A + (i + 1) % 3 * 3, A + (i + 2) % 3 * 3, s->minor + 3 * i);
    s->determinant = dot3(A, s->minor);
}

/* x <- A^-1 b, of any A that has it. */
static inline void imp_solver3_solve(const imp_solver3 *s, const double b[3], double x[3]) {
    const double *minor = s->minor;
    for (int k = 0; k < 3; k++)
        x[k] = (b[0] * minor[k] + b[1] * minor[3 + k] + b[2] * minor[6 + k]) / s->determinant;
}

/* A free link and what is welded to it, against which nothing moves: one rigid body. */
typedef struct imp_free_body {
    int link;
    bool centred;                    /* com is the link's origin */
    bool own;                        /* inertia is the link's own */
    bool round;                      /* all its moments of inertia are the same */
    bool held;                       /* by joints that are not the tree's */
    double mass, com[3], inertia[9]; /* kg; m; kg m^2 about com, in the link's frame */
    double trace;                    /* kg m^2, of it */
    imp_solver3 shape;               /* inertia over trace */
    /* of this step, in the world's axes: kg m^2/s about com, with what forces add; the spin v* */
    double momentum[3], spin[3];
} imp_free_body;

struct imp_tree {
    int nl, nq, nv;
    imp_link *link;        /* (nl) */
    imp_link_state *state; /* (nl) */
    carried *carried;      /* (nl) */
    int *link_of;          /* (nv) the link a degree of freedom belongs to */
    int parts;
    imp_tree_part *part; /* (parts) */
    int *part_of;        /* (nl) */
    int *before;         /* (nv) the next degree of freedom towards the ground that H couples it
                              with, -1: none */
    double *q;      /* (nq) as last placed: of free links alone, the others' are not looked at */
    double *v;      /* (nv) as last placed */
    double *L;      /* the factors of the parts, lower triangles of their own size, behind each
                              other; zero between branches */
    size_t *factor; /* (parts) where each begins */
    int bodies;
    imp_free_body *body; /* (bodies) */
    int tumbles;         /* the free link for which imp_tree_spin, or imp_tree_move after it, was
                    IMP_UNSUPPORTED; IMP_GROUND: none */
    bool *alone;         /* (nl) the free link of such a body */
    bool jointed;        /* one of the parts swings */
    bool *swings;        /* (parts) links move against others, or against the ground, in it */
    bool *variational;   /* (parts) by imp_tree_swing this step is */
    double *momentum;    /* (5 nv) of imp_tree_swing and imp_tree_move, and their scratch */
    bool *centred;       /* (parts) one free body that turns about its own origin: H couples neither
                              translations nor these with rotations */
    bool *factored;      /* (parts) L has the factor of a centred one, whose moments of inertia have
                              not turned since */
};

/* All of it. */
static inline imp_tree_part imp_tree_whole(const imp_tree *tree) {
    return (imp_tree_part){0, tree->nl, 0, tree->nq, 0, tree->nv};
}

/* It is the origin. */
static inline bool imp_origin(const double com[3]) {
    return com[0] == 0 && com[1] == 0 && com[2] == 0;
}

/* Is every axis a principal one? */
static inline bool imp_round(const double I[9]) {
    return I[0] == I[4] && I[0] == I[8] && I[1] == 0 && I[2] == 0 && I[5] == 0;
}

/* body += part, as one rigid body; of both what they carry, their mass, centre and inertia. */
void imp_tree_merge(const carried *part, carried *body);

/* Fills body, alone and swings, once all have memory and the links are cut into parts. */
void imp_tree_find_bodies(imp_tree *tree);

/* Joints that are not the tree's hold this link; not IMP_GROUND. */
void imp_tree_hold(imp_tree *tree, int link);

/* The last degree of freedom at or below (towards the ground) a link, -1: none. */
int imp_tree_last_dof(const imp_tree *tree, int link);

/* H (square, its rows `stride` apart) <- the mass matrix of one part. */
void imp_tree_part_mass(imp_tree *tree, int part, double *H, size_t stride);

/* after (nv): on entry before + h v' of the rates at `before`; of each free body whose origin is
 * its centre of mass the spin <- that at the end by the implicit midpoint of Euler's equations, as
 * seen from the attitude at the beginning. Of the others, too, unless they are held, by their
 * forces (nv; N, N m) and gravity (m/s^2), and the velocity of the origin <- that which leaves the
 * centre its own, for imp_tree_move. IMP_UNSUPPORTED: one tumbles by more than 2^20 rad in h, with
 * what its couple adds, or its moments are those of no body. */
imp_status imp_tree_spin(imp_tree *tree, double h, const double gravity[3], const double *force,
                         const double *before, double *after);

/* after (nv), of what is no free body: on entry before + h v' of the rates at `before`, on return
 * the velocities v* of a variational Euler step with forces (nv; N, N m) and gravity (m/s^2), for
 * imp_tree_move; as on entry where they are not asked for, and where none were found (step.h), as
 * in how many parts is returned. After imp_tree_factor. */
int imp_tree_swing(imp_tree *tree, bool asked, double h, const double gravity[3],
                   const double *force, const double *before, double *after);

/* attitude (4) <- that after h with this spin (rad/s, world axes). */
static inline void imp_attitude_advance(double h, const double spin[3], double attitude[4]) {
    const double angle[3] = {h * spin[0], h * spin[1], h * spin[2]};
    double twist[4];
    exponential4(angle, twist);
    multiply4(twist, attitude, attitude);
    normalise4(attitude);
}

/* imp_tree_advance of all links but those of free bodies. */
void imp_tree_advance_jointed(const imp_tree *tree, double h, const double *v, double *q);

/* q <- q moved for h with v, as imp_tree_advance; of free bodies that are not held the centre of
 * mass goes straight, and v <- spin and velocity of the origin at the end; of other links v <- that
 * which has their momenta at the end, where imp_tree_swing was asked for it. The tree is placed at
 * q on entry. IMP_NOT_POSITIVE: a joint moves no mass there; IMP_UNSUPPORTED as of imp_tree_spin,
 * with what contacts add. */
imp_status imp_tree_move(imp_tree *tree, double h, double *v, double *q);

/* imp_tree_move of links that are no free bodies: before and after q has moved. */
void imp_tree_swing_leave(imp_tree *tree, double h, const double *v);
imp_status imp_tree_swing_arrive(imp_tree *tree, double *q, double *v);

/* x (nv) <- L'^-1 x, the first half of H^-1 = L^-1 L'^-1, of as many x, each `stride` after the
 * one before; after imp_tree_factor. */
void imp_tree_solve_half(const imp_tree *tree, int count, size_t stride, double *x);

/* The same of one x (6) with the factor L (6 x 6) of a centred part: y (6, may be x) <- L'^-1 x. */
static inline void imp_centred_solve_half(const double *L, const double *x, double *y) {
    const double *row3 = L + 3 * 6, *row4 = L + 4 * 6, *row5 = L + 5 * 6;
    const two_lanes of_first = {L[0], L[0]}, of_ends = {L[0], row5[5]}, /* two divisions at once */
        first = two_of(x) / of_first, ends = (two_lanes){x[2], x[5]} / of_ends;
    const double y4 = (x[4] - row5[4] * ends[1]) / row4[4],
                 y3 = (x[3] - row5[3] * ends[1] - row4[3] * y4) / row3[3];
    const two_lanes middle = {ends[0], y3}, last = {y4, ends[1]};
    memcpy(y, &first, sizeof first);
    memcpy(y + 2, &middle, sizeof middle);
    memcpy(y + 4, &last, sizeof last);
}

/* x (nv) <- L^-1 x, the other half. */
void imp_tree_solve_rest(const imp_tree *tree, double *x);

/* The three rows of a contact of its links a and b (IMP_GROUND: none of this tree), each `stride`
 * after the one before: J (3 x nv) <- those of J, half (may be J) <- L'^-1 of them, q (3) += J v;
 * after imp_tree_factor. */
void imp_tree_contact_rows(const imp_tree *tree, const imp_contact *c, int a, int b, size_t stride,
                           double *J, double *half, double q[3]);

/* tau (nv) += J' couple, of a couple (N m, or N m s) on a link. */
void imp_tree_twist(const imp_tree *tree, int link, const double couple[3], double *tau);

#endif
