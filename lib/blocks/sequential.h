/* sequential.h - sequential impulses: simultaneous impacts as blows on one contact after another.
 *
 * Mirtich, Impulse-based dynamic simulation of rigid body systems (1996); Guendelman, Bridson,
 * Fedkiw, Nonconvex rigid bodies with stacking (2003). A contact that approaches is given the
 * impulse of an impact on it alone, as if the others were open; then another one, until none
 * approaches. Which comes next is not physics, and the answer depends on it (Uchida, Sherman, Delp
 * 2015, section 3a):
 *   fastest   the one that approaches fastest, the first of equal ones: a rule of ours that no
 *             numbering changes but where some are equally fast;
 *   listed    in the order of the list, over and over, passing those that do not approach.
 *
 * One blow, from the velocity v before it to u = v + W_ii x: Newton's restitution and Coulomb's
 * friction (Guendelman 2003): u_n = -e v_n, and no slip, or friction mu x_n against the slip. They
 * take the slip before the blow, and friction may then leave no impulse that ends the approach;
 * here it is the slip after, so that a blow is Moreau's law of one contact (moreau.h), which always
 * has an answer: of several the most dissipative. Mirtich resolves each blow as a process with
 * Stronge's restitution.
 *
 * In a row of balls with e = 1 blows are the binary collisions of balls a little apart, and exact.
 * With e = 0 they are block Gauss-Seidel without taking back: contacts may be left open. A body
 * between two walls that bounces is never done, and friction may create energy as with Moreau. */
#ifndef IMP_SEQUENTIAL_H
#define IMP_SEQUENTIAL_H

#include "contact/model.h"

typedef enum imp_sequential_order { IMP_FASTEST, IMP_LISTED } imp_sequential_order;

typedef struct imp_sequential_settings {
    double tolerance; /* an approach, relative to the terms of its velocity, that is none */
    double max_steps; /* blows allowed */
    int order;        /* an imp_sequential_order */
} imp_sequential_settings;

/* IMP_NOT_CONVERGED: contacts approach still after max_steps blows, which p is; or one does that no
 * impulse moves. IMP_OVERFLOW: friction creates energy blow by blow; p is those before the one that
 * cannot be represented. info->iterations: blows. The path has one step a blow: phase C of the
 * contact that is struck, O of the others. */
extern const imp_model imp_model_sequential;

/* Every step solves its contact, the one whose turn it is, from the velocities that the steps
 * before it left; they add up to p, after which none approaches. Residuals: signorini and cone, of
 * the whole; sum; order; and of each step those of imp_law_moreau. */
extern const imp_law imp_law_sequential;

#endif
