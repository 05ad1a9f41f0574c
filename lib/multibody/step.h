/* step.h - the time stepper: semi-implicit, contacts with look-ahead, any event model.
 *
 * One step of length h from (q, v):
 *     v* = v + h H^-1 (force - bias), gravity and gyroscopic terms in the bias, then friction of
 *     the joints (QP4); contacts that may close are listed, with their distance phi; the model
 *     gives impulses p so that N v+ >= -max(phi, least_gap) / h,  v+ = v* + H^-1 J' p;
 *     q+ = q moved for h with v+, attitudes by the exponential.
 *
 * The model is given the contact problem with q_n + phi / h for q_n, and so stops no more than what
 * would cross the gap. Positions enter h early: with e = 0 a contact ends the step at phi = 0 to
 * first order. What is left of its approach, -phi / h, the next step stops: with friction that the
 * normal couples with, an impact in two parts is not that in one, and depends on phi, whatever h. A
 * contact that closes within the step and has e > 0 is given q_n itself, and e for the share of q_n
 * that it had before the step, so that it leaves with -e N v, up to h |q_n| before it touches, and
 * what rests does not bounce; unless pushing out of an overlap is faster, which then happens
 * without restitution. With phi >= 0 and a model that never gains energy, contacts do not: from v*
 * to v+, dE <= -p_n' phi / h over the other contacts. phi is along the normal at q: balls that
 * would pass each other within h collide.
 *
 * v* of a free body, a free link with what is welded to it against which nothing moves: forces and
 * contacts change its angular momentum at q, then it turns freely, by the implicit midpoint of
 * Euler's equations over parts of the step of a radian at most, and the centre goes straight; spin
 * and velocity of the origin at q+ are those in the end. What contacts exchange with a body of
 * uneven moments is so not what they do to v*, but that and dL . (w - w*) for the spin w before the
 * step: the order of omega h of it, gained or lost. Without a couple energy and angular momentum
 * are kept to rounding. Of what joints that close loops hold v* alone is so, and only where the
 * centre is the origin: energy and the size of the angular momentum are kept, its direction to
 * omega h, and otherwise the linear momentum drifts by the order of h.
 * Under gravity a flight takes m g^2 h^2 / 2 in each step, which the bounce gives back. Beyond 2^20
 * rad in a step, with what couple and contacts add, and with moments of inertia that no body has, a
 * tumble may be IMP_UNSUPPORTED.
 *
 * v* of links in joints: a variational Euler step (Marsden, West 2001), whose momenta, with what
 * contacts and friction of the joints add to them, and not whose velocities are those at q+. So a
 * mechanism that floats changes its linear and angular momentum, to rounding, by impulses from
 * outside alone, and without these its centre of mass goes straight. Without friction and contacts
 * the energy wanders by the order of omega h, but does not drift. Where links swing by more than
 * about a radian in a step, or carry an angular momentum of more than a share of their own inertia
 * about the joint over h (a quarter, it was seen), no such v* may be found, which
 * imp_stepper.by_rates counts, and beside joints that close loops, and with explicit_bias, none is
 * asked for: there the bias is that of the step's beginning, and what turns by an angle omega h in
 * a step may gain of the order (omega h)^2 of its energy, until it outgrows double
 * (IMP_NOT_FINITE). A smaller h helps, and light links on heavy ones. Over a few swings that may be
 * the nearer of the two.
 *
 * Joints that close loops (loop.h) hold for v* and v+ with their rows at q, so that contacts see
 * what they leave of W, and friction of joints acts within them (imp_loops_friction); what q+
 * drifts off them, of the order h^2, is projected out.
 *
 * Drumwright, Shell (2010), QP2; Anitescu, Potra (1997). Departure: as printed QP2 has phi in the
 * rows N v+ >= -phi / h alone and minimises 1/2 v+'M v+. That spends normal impulses that phase I
 * has asked for on bodies that are still apart, and the answer depends on how far contacts are
 * looked for (report, D-Fig5). */
#ifndef IMP_STEP_H
#define IMP_STEP_H

#include "contact/model.h"
#include "linear/sparse.h"
#include "multibody/loop.h"
#include "multibody/nearby.h"
#include "base/public.h"

#include <stdio.h>

IMP_PUBLIC_BEGIN

/* Adds the contacts that matter to the list, for a step of h (s); the world is placed at q with the
 * velocities v*. IMP_OK, or the error that the step ends with. */
typedef imp_status imp_detect(void *data, const imp_world *world, double h, imp_nearby_list *list);

/* How many pairs overlap after the step that were not listed before it: they will be listed by the
 * next imp_detect, until `list` is NULL, which forgets them. IMP_OK, or the error that the step
 * ends with. After 30 rounds those still found are left to the next step. */
typedef imp_status imp_detect_late(void *data, const imp_world *world, const imp_nearby_list *list,
                                   int *found);

/* How a step is made. */
typedef struct imp_step_settings {
    double h;            /* s */
    double gravity[3];   /* m/s^2 */
    const double *force; /* (nv; N, N m) applied along the degrees of freedom; NULL: none */
    /* (nv; N m, N m s/rad) friction of the joints; both NULL: none. 0 of free links, of which it
     * opposes the velocity and the spin otherwise. With loops their own joints follow,
     * (nv + loops) */
    const double *mu_c, *mu_v;
    /* that friction as torques -(mu_c sgn v + mu_v v) of the velocity before the step, sgn 0 = 0
     * (their Eq. 6), in place of QP4 */
    bool explicit_friction;
    /* links in joints by the forces of turning and swinging at the beginning, as in the papers */
    bool explicit_bias;
    imp_loops *loops; /* joints besides those of the tree, of a world of one tree; NULL: none */
    const imp_model *model;  /* of contacts, one that takes many */
    const imp_settings *own; /* of the model; NULL: presets. With `start` = guess it goes on from
                                  the last step */
    double least_gap;        /* m, <= 0: deeper overlaps are pushed out no faster than this one, and
                                  not at all those that joints let nothing part */
    imp_detect *detect;      /* NULL: no contacts */
    imp_detect_late *late;   /* NULL: pairs that were not foreseen are left to the next step */
    void *detect_data;       /* given to both */
} imp_step_settings;

/* A world that is stepped, and what the last step was. */
typedef struct imp_stepper {
    imp_world *world;     /* the caller's */
    imp_nearby_list near; /* contacts of the last step */
    imp_problem problem;  /* their problem at v*, q without the gaps, W assembled from M and J; nc =
                             0: no contact */
    double *gap;          /* (nc) m/s, max(phi, least_gap) / h */
    double *p;            /* (3nc) N s, the answer; before it the last step's, a guess for models
                             that take one */
    imp_sparse M, J;      /* (nv x nv) and (nv x 3nc): W = J' M^-1 J */
    double rubbed;        /* J, what the friction of the joints took in the last step: minus its
                      impulses times the mean of the velocities before and after */
    int by_rates;  /* parts of trees that swing for which the last step found no v* (above) */
    int tumbles;   /* the free link that turns too far for the last step (above), which was
                      IMP_UNSUPPORTED; IMP_GROUND: none */
    double drift;  /* m or sine: how far loops had come apart, before they were closed again */
    int solves;    /* of the last step: 1, or more with pairs that came late */
    imp_info info; /* of its last solve */
    struct imp_step_store *store; /* the stepper's own */
} imp_stepper;

/* NULL without memory. The world must outlive the stepper. Different worlds may be stepped in
 * parallel. */
imp_stepper *imp_stepper_new(imp_world *world);
void imp_stepper_free(imp_stepper *stepper);

/* One step. IMP_OK; a status of the model > 0: the step was made with the model's best answer
 * (where it has none, no impulse); < 0 (bad argument, also settings beyond the model's bounds and a
 * free link's quaternion whose square is 0 or no double; no memory, unsupported, IMP_NOT_POSITIVE:
 * a joint moves no mass; IMP_UNSUPPORTED also of loops that lock, or that no near place closes;
 * IMP_BAD_FRICTION: of contacts or joints, below 0; IMP_BAD_RESTITUTION: of contacts, outside [0,
 * 1]; IMP_NOT_FINITE: a place, a velocity, a gap, a gap over h or friction of a joint is no finite
 * number, or the motion has outgrown double): the world is as it was. On return the world is placed
 * at its state. */
imp_status imp_step(imp_stepper *stepper, const imp_step_settings *settings);

/* What the next step begins with, to and from a file, to go on from there in another process of
 * the same build, with the same bits: q and v of the world, and the impulses that are a guess.
 * IMP_OK, IMP_NO_MEMORY, IMP_IO (reading: what is there is not of such a world; the stepper is
 * then not to be used). */
imp_status imp_stepper_save(imp_stepper *stepper, FILE *file);
imp_status imp_stepper_load(imp_stepper *stepper, FILE *file);

/* A step in three parts, for those who put other solvers to the problem: up to stepper->problem and
 * gap, the world placed at q with v*; stepper->p by the model; and from stepper->p on. Statuses as
 * of imp_step; after an error of the first or the last part the world is as it was. */
imp_status imp_step_prepare(imp_stepper *stepper, const imp_step_settings *settings);
imp_status imp_step_solve(imp_stepper *stepper, const imp_step_settings *settings);
imp_status imp_step_finish(imp_stepper *stepper, const imp_step_settings *settings);

/* The sum of the normal impulses of the last step, N s. */
double imp_stepper_normal(const imp_stepper *stepper);

IMP_PUBLIC_END

#endif
