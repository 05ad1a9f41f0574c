/* convex.h - contact as convex programs: the frictionless impact and the two-phase model with
 * friction.
 *
 * Drumwright, Shell (2010), "Modeling contact friction and joint friction in dynamic robotic
 * simulation using the principle of maximum dissipation". Phase I lets the normal impulses alone
 * end the approach (QP3); kappa is their sum. Phase II spends at most kappa on normal impulses,
 * redistributed, and friction inside the cones, so that the least kinetic energy is left (QP1).
 * Phase III is Poisson's restitution with phase I once more. */
#ifndef IMP_CONVEX_H
#define IMP_CONVEX_H

#include "contact/model.h"
#include "linear/sparse.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Settings of the model `drumwright`. */
typedef struct imp_convex_settings {
    /* kg, viscous friction of every contact of a problem that has none of its own */
    double mu_v;
    double kappa; /* N s, bound on the sum of all normal impulses; < 0: phase I's least
                              sum, one per island */
    /* largest KKT residual of an answer that counts as solved, in units of the data */
    double tolerance;
    double max_iterations; /* of the interior-point method */
    /* most contacts whose impulses are made exact by Newton steps: an island's, or of a larger one
     * those that press, and those they move that are kept shut */
    double polish;
} imp_convex_settings;

/* What imp_convex did, and what it is to record. */
typedef struct imp_convex_report {
    int islands;    /* sets of contacts coupled through W */
    int iterations; /* interior-point steps, all islands */
    /* islands that kept phase I's answer because phase II did not reach the tolerance */
    int fallbacks;
    double kappa;       /* N s, summed over the islands */
    double restitution; /* least share of phase III applied in any island: below 1 where all of it
                        would create energy */
    double residual;    /* largest KKT residual, relative to the data of its island */
    double *multiplier; /* (nc) in: room or NULL; out: N s, multipliers of the rows u_n >= -gap of
                           phase II, >= 0 */
    /* in: where to record the phases and the multipliers of imp_law_convex, or NULL */
    imp_path *path;
    const volatile int *cancel; /* in: as in imp_info, or NULL */
} imp_convex_report;

/* p (3nc, N s) <- the three phases; `report` may be NULL. Of an operator that is assembled
 * (imp_operator_assembly) systems in the bodies' coordinates are solved for large islands.
 * IMP_OK: the answer's KKT residual is at most the tolerance. IMP_NOT_CONVERGED: phase II stalled
 * in some island; that island keeps phase I's answer (no penetration, no friction, no energy
 * gained), and report->fallbacks counts it; or phase I of many contacts holds to 1e-6 only.
 * IMP_NO_SOLUTION: phase I has none: gaps or approach velocities contradict each other (bodies that
 * cannot yield); or the settings' kappa is proven to be less than any p with u_n >= -gap needs; p
 * is 0 in that island. Never more than five times the settings' iterations and as many polishing
 * steps per island. Allocates; IMP_NO_MEMORY. IMP_BAD_FRICTION for a negative mu_v of the problem,
 * IMP_NOT_FINITE for it and for gaps, IMP_BAD_ARGUMENT for M and H of sizes that do not fit. p is
 * untouched on a status < 0. Assumes a problem that imp_problem_check accepts. Thread-safe. */
imp_status imp_convex(const imp_problem *problem, const imp_convex_settings *settings, double *p,
                      imp_convex_report *report);

/* The same with phases I and III only: friction is left out whatever mu says. */
imp_status imp_frictionless(const imp_problem *problem, double *p, imp_convex_report *report);

/* `drumwright`: the three phases with the convex sum cone (the paper's squared viscous cone is not
 * convex). `frictionless`: phases I and III; takes mu = 0 only. */
extern const imp_model imp_model_drumwright, imp_model_frictionless;

/* Law of QP1, island by island. Residuals: signorini (u_n >= 0, p_n >= 0), cone (|p_to| <= mu p_n +
 * mu_v |q_to|), energy (none gained), and by the answer's path sum (sum p_n <= kappa; phase I's y
 * by its complementarity, and what its sum, kappa, may be above the least) and stationarity (the
 * duality gap of p, which bounds the energy above the least rigorously whatever the multipliers
 * are: energy_excess, velocity_excess). Its path: three vectors of multipliers, y (N s), the
 * witness v of its sum (kg) and lambda of the rows u_n >= 0 (N s); one step with e = 0, three with
 * e > 0: signorini to stationarity hold of the first, path of the second (theta e_i times the
 * first's normal impulse), share of theta (1, or the energy is at its limit 0), friction and
 * restitution of the third (QP3 from the velocities that the whole expansion reaches; its impulse
 * too is multiplied by theta). Without a path: from-model. Signorini and energy hold of the whole
 * answer besides. With gaps every row is u_n >= -gap; energy is not held against overlaps, and
 * restitution beside them is not judged. W must be symmetric positive semidefinite. */
extern const imp_law imp_law_convex;

/* Law of QP3, with gaps as above; it judges mu = 0 only. Residuals: signorini, friction (p_to = 0),
 * restitution (complementarity), energy (none gained); with restitution by the path's three steps
 * as above, or from-model. */
extern const imp_law imp_law_frictionless;

IMP_PUBLIC_END

#endif
