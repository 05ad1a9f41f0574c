/* blocks.h - block solvers for many contacts: Gauss-Seidel, and one that chooses its method from
 * what it sees. */
#ifndef IMP_BLOCKS_H
#define IMP_BLOCKS_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* field and scale_free <- both natural errors of an impulse p (3nc, N s), divided by |q|: |a p -
 * P(a p - u - mu |u_t| n)|, P the projection on the friction cone, for a = 1 in SI units, the
 * field's convention, and for a = the mean diagonal of W, which no choice of units changes. u =
 * W p + q is computed anew. field may be NULL. Thread-safe. */
void imp_natural_error(const imp_problem *problem, const double *p, double *field,
                       double *scale_free);

/* Which natural error has to be within the tolerance. */
typedef enum imp_blocks_stop {
    /* recorded problems (imp_operator.as_given: FCLIB files): both; others: the scale-free one */
    IMP_STOP_BY_ORIGIN,
    IMP_STOP_SCALE_FREE,
    IMP_STOP_BOTH
} imp_blocks_stop;

/* Settings of the solvers below, which solve each island of contacts that W couples by itself;
 * imp_blocks_presets has the presets. */
typedef struct imp_blocks_settings {
    double tolerance; /* natural error at most this */
    /* work allowed on an island, in sweeps over its contacts; a factorisation counts by its
     * operations */
    double max_sweeps; /* 1e9 at most, as they are counted in an int */
    double relaxation; /* Gauss-Seidel: p <- p + relaxation (local - p) */
    double parts;      /* Gauss-Seidel inside each of so many parts of an island, damped Jacobi
                          between them; 1: everywhere; as many as contacts: weighted Jacobi */
    double blend;      /* omega, the damping between parts */
    int symmetric;     /* Gauss-Seidel: 1: every other sweep runs backwards */
    /* Coulomb's local law: 0: the solution found first, else 1 + an imp_coulomb_choice; maximum
     * dissipation: an imp_maxdiss_solver, searches of 40 steps */
    int local;
    /* 0: from rest; 1: from the guess in p, where the island's is finite; but not of one contact,
     * all whose solutions `auto` looks at */
    int start;
    int stop;          /* an imp_blocks_stop */
    double tangential; /* Moreau's law: restitution along the tangents, 0 to 1 */
} imp_blocks_settings;

/* The presets of the models below, as a start for settings of one's own. */
extern const imp_blocks_settings imp_blocks_presets;

/* Nonlinear block Gauss-Seidel with the exact one-contact solution of Coulomb's law, or of
 * maximum dissipation (Preclik, Eibl, Ruede 2017, section 3.1), and its blend with Jacobi for
 * several parts; and the automatic choice of methods for Coulomb's law: sweeps with Anderson
 * mixing, proximal steps with a semismooth Newton, and the central path around its folds. Where
 * bodies are known (linear/factored.h) sweeps run over them when that is less work than W's
 * blocks. IMP_OK, of each island by itself: the natural errors that `stop` names, recomputed
 * from W, q and p, are at most the tolerance, but for what rounding of W p + q hides (maximum
 * dissipation: the change of the last sweep), the normals approach by no more, |min(0, u_n)| over
 * |q|, and the law's certificate has no residual above max(1e-9, 100 tolerance). As much of an
 * error as rounding leaves of u is enough, but no more than that bound: 16 DBL_EPSILON |D p| / |q|,
 * D the mean diagonal of each contact's own block of W; where the largest mu is 100 or more, mu
 * times it without a bound. The certificate asks for as much as ever, and approaches do not
 * contradict each other (cone/contradiction.h) where an error above the tolerance is enough.
 * IMP_NOT_CONVERGED: the iterate where the work allowed ended, the automatic choice's best;
 * IMP_NO_SOLUTION, of the automatic choice alone: the same, and approaches contradict each other;
 * IMP_NO_MEMORY, of it also where a stage had none and the others did not get there.
 * info->residual: its error, which rounding may have left above the tolerance. info->iterations:
 * sweeps; both of the island that has most. The iterate and so the answer do not depend on time or
 * threads, unless it is cancelled. With e > 0: docs/models/gauss-seidel.md. */
extern const imp_model imp_model_gauss_seidel_coulomb, imp_model_gauss_seidel_maxdiss,
    imp_model_auto;

/* What the automatic choice did, beyond imp_info. */
typedef struct imp_blocks_report {
    int sweeps, factorisations; /* how many of each */
    double field, scale_free;   /* natural errors of the answer */
} imp_blocks_report;

/* imp_model_auto's solver, of all contacts as one island. W may be asymmetric; info as in
 * imp_model.solve, report may be NULL. Statuses as above, but IMP_NOT_CONVERGED for
 * IMP_NO_SOLUTION: imp_contradiction is not asked; IMP_UNSUPPORTED: e, gap or mu_v is not 0. */
imp_status imp_blocks_auto(const imp_problem *problem, const imp_blocks_settings *settings,
                           double *p, imp_blocks_report *report, imp_info *info);

IMP_PUBLIC_END

#endif
