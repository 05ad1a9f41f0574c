/* restitution.h - Poisson's restitution on many contacts that cannot create energy, around any
 * inelastic solver.
 *
 * Poisson (1831): the impulse of expansion is e times that of compression. Here in three phases:
 *   compression  p1: the inelastic solution from q, u1 = W p1 + q;
 *   expansion    normal impulses theta e_i p1_n, frictions t_i of least energy with |t_i| <= theta
 *                e_i mu_i p1_n;
 *   separation   p2: the inelastic solution from the velocities reached, for contacts that the
 *                expansion made close.
 * The answer is the sum. theta, one for each island of contacts that W couples (apart.h), is 1
 * unless energy would be gained, else the largest that gains none.
 *
 * Proof that theta exists and nothing is gained. Let d_i = e_i p1_i (with friction), E(x) = 1/2
 * x'Wx + x'q the change of energy under x. Per contact p1_i . u1_i <= 0: u_n p_n = 0, and friction
 * does not push along the slip (Coulomb; for maximum dissipation stationarity on the cone says the
 * same). So p1'u1 <= 0, d'u1 <= 0 and E(p1) = p1'u1 - 1/2 p1'W p1 <= 0. E(p1 + theta d) = E(p1) +
 * theta d'u1 + theta^2/2 d'Wd is convex in theta and not positive at 0: the theta in [0, 1] without
 * gain are an interval from 0. The friction theta e_i p1_t is one of those the expansion minimises
 * over, and every step of its sweeps starts there and lowers the energy: it stays below E(p1 +
 * theta d) <= 0. The separation is an inelastic solution from its own velocities and loses energy
 * as p1 does. For equal e at all contacts theta = 1: E(p1 + e p1) = (1 + e) p1'u1 - 1/2 (1 - e^2)
 * p1'W p1 <= 0. W is symmetric positive semidefinite here. Where p1 is an answer to its tolerance
 * only, p1'u1 may be above 0 by as much: theta is then below 1, and energy is gained by rounding
 * alone.
 *
 * Minimal friction instead of theta e_i p1_t: friction that stopped a slip must not start one
 * backwards. One sphere: u_n = -e q_n, and friction is min(mu p_n, what stops the slip), as every
 * law of restitution has it. */
#ifndef IMP_RESTITUTION_H
#define IMP_RESTITUTION_H

#include "blocks/blocks.h"

/* A solver for e = 0. */
typedef imp_status (*imp_inelastic)(const imp_problem *problem, const imp_blocks_settings *settings,
                                    double *p, imp_info *info);

/* p (3nc, N s) <- the answer of one island for its e; with e = 0 the inelastic solver's own. info
 * adds up both solves. Statuses: the worse of the two solves', IMP_NO_MEMORY. Thread-safe. */
imp_status imp_restitution(const imp_problem *problem, const imp_blocks_settings *settings,
                           imp_inelastic inelastic, double *p, imp_info *info);

/* What the answers promise: Coulomb's law, or maximum dissipation; with e > 0 in three steps of the
 * path (C, X, C). Residuals with e = 0: those of imp_law_coulomb or imp_law_maxdiss, and energy
 * (none gained, relative to sum |p_r||u_r| of absolute terms). With e > 0: signorini and cone of
 * the whole; path (steps add up to p, step 2 is theta e_i times step 1 along each normal); the
 * inelastic law's own of steps 1 and 3, from the velocities that each starts at; cone and least of
 * step 2 (friction within mu times its normal impulse; with that no slip, or friction at the rim
 * against the slip, in m/s over the velocity's terms); share (E(p1 + theta e p1) = 0 where theta <
 * 1, <= 0 where it is 1); energy. All dimensionless. Without a path: from-model, the nearest of the
 * models of the law. */
extern const imp_law imp_law_coulomb_bounce, imp_law_maxdiss_bounce;

#endif
