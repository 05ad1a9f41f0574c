/* moreau.h - Moreau's impact law on many contacts, around any solver of Coulomb's law.
 *
 * Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988): Coulomb's law,
 * Signorini and friction, holds between the impulse p and a mean of the velocities before and after
 * the impact, (u + e q) / (1 + e). With a coefficient for the normal, e_i, and one for the
 * tangents, c (Moreau 1994; the setting `tangential`, preset 0), every contact obeys
 *     0 <= p_n  _|_  u_n + e_i q_n >= 0,      |p_t| <= mu p_n,   |v_t| p_t = -mu p_n v_t,
 *     v_t = u_t + c q_t.
 * What pushes bounces off as Newton has it, u_n = -e_i q_n; what is thrown off faster by its
 * neighbours takes no impulse. u = W p + q makes of it Coulomb's law with e = 0 in the velocities
 *     u' = W p + q',   q'_n = q_n + e_i q_n,   q'_t = q_t + c q_t,
 * since u'_n = u_n + e_i q_n and u'_t = v_t: an inelastic solver for q' has the answer.
 *
 * c = 1 is the law of Fremond (Rigid bodies collisions, 1995): friction against the mean slip, that
 * takes energy whatever e_i is, 1/2 p'(u + q) = sum of -1/2 (1 - e_i) p_n |q_n| - 1/2 mu p_n |v_t|
 * where no contact parts before. A contact that sticks slips back, u_t = -q_t.
 *
 * q_n > 0 does not occur with Moreau: a gap that was not negative before and is 0 now has not
 * opened. Where a problem has such a contact, q_n in e_i q_n counts as 0 here: literally the law
 * would let it close again, at e_i q_n. It takes u_n >= 0 as without restitution, and u_n >= 0
 * holds after every impact.
 *
 * Existence. With Moreau's q_n <= 0 and one e, u = -e q satisfies all normals at once. A body
 * wedged between contacts of which one parts, or that have different e_i, may have nowhere to
 * bounce to, and no answer: IMP_NO_SOLUTION where it shows (blocks.h), else IMP_NOT_CONVERGED.
 *
 * Energy. Without friction, where no contact parts before, what pushes has u_n = -e_i q_n, and
 * 1/2 p'(u + q) = sum of -1/2 (1 - e_i) p_n |q_n|: none is gained, whatever the e_i are. A contact
 * that parts before and is pushed has u_n = 0 and adds 1/2 p_n q_n: it may create energy where
 * others bounce. So may friction at the end velocity, which may push along the slip before, at one
 * contact already (Kane, Levinson 1985; Glocker 2013). */
#ifndef IMP_MOREAU_H
#define IMP_MOREAU_H

#include "blocks/restitution.h"

/* p (3nc, N s) <- the inelastic solver's answer for q'. Statuses: the solver's, IMP_NO_MEMORY.
 * Thread-safe. */
imp_status imp_moreau(const imp_problem *problem, const imp_blocks_settings *settings,
                      imp_inelastic inelastic, double *p, imp_info *info);

/* Residuals: those of imp_law_coulomb in u'. p alone decides; several impulses may satisfy it. */
extern const imp_law imp_law_moreau;

/* Around `auto`, with its settings (blocks_models.c). */
extern const imp_model imp_model_moreau;

#endif
