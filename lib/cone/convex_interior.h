/* convex_interior.h - phase II of one island: the conic program by an interior-point method, and
 * its Newton polish.
 */
#ifndef IMP_CONVEX_INTERIOR_H
#define IMP_CONVEX_INTERIOR_H

#include "cone/convex_island.h"

/* Residual of an answer that is as good as exact, in the island's units. */
#define IMP_CONVEX_EXACT 1e-12

/* An answer with its multipliers; all in the island's units. x, lambda and z0 stand behind each
 * other. */
typedef struct convex_point {
    double *x;       /* (3n) impulses; in: where to start (phase I), out: the answer */
    double *lambda;  /* (n) of the gap rows */
    double *z0;      /* (n) first component of each cone's multiplier */
    double theta;    /* of the sum */
    double residual; /* largest KKT residual: feasibility, stationarity, products of pairs */
    double norm; /* polished: of the KKT conditions written with projections, where a pair is off by
                    its smaller part, which may be as much as the root of its product */
    int iterations;
    bool excluded; /* no x obeys the rows, kappa's among them: the last step's lambda proves it */
    const volatile int *cancel; /* in: as in imp_info, or NULL */
} convex_point;

/* Which rows and unknowns a contact has. Where a set has no interior unknowns are fixed at 0
 * instead: friction without a cone, normals without kappa. */
typedef struct convex_rows {
    bool normal; /* x_n is an unknown, with the row x_n >= 0 */
    bool cone;   /* row |x_to| <= mu x_n + viscous; without it x_to = 0 */
} convex_rows;

convex_rows imp_convex_rows_of(const convex_island *island, int i);

/* Newton systems of the island; see convex_newton.h. */
struct convex_newton;

/* Where an interior point is near enough, in the island's units. */
typedef struct convex_target {
    double rows;     /* feasibility and stationarity */
    double products; /* of the pairs; a direction of friction may be off by the root of one */
    double solved;   /* a residual that is an answer: none is given up for a nearer point */
} convex_target;

/* Goes on until the target is reached or comes no nearer, at most max_iterations times; the answer
 * is the nearest. far: how deep inside all cones to start, in the island's units; 1 suits most,
 * more where multipliers are large. IMP_OK (look at the residual, and at `excluded` where it is no
 * answer's), IMP_NO_MEMORY. */
imp_status imp_convex_interior(const convex_island *island, struct convex_newton *newton,
                               convex_target target, double far, int max_iterations,
                               convex_point *point);

/* Newton's method on the KKT conditions written with projections, regularised. Kept where their
 * norm is less, and no more than the residual; or than `surely`, as the products of the pairs are,
 * which large multipliers make of a small norm. It is the residual then. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_convex_polish(const convex_island *island, double surely, convex_point *point);

/* The same of the contacts that press, where there are at most `most` of them, all others at 0: no
 * impulse, no multiplier. Kept where the residual of the whole island is less. */
imp_status imp_convex_polish_pressing(const convex_island *island, double most,
                                      convex_point *point);

/* Rounding out of the answer x (3n), that certificates see (test_convex_laws, test_convex_rows): no
 * adhesion, nothing beyond kappa = 0, friction inside its cone, no impulse where nothing moves but
 * by rounding, and no multiplier that is no more, lambda (n). share: of what moves a contact, that
 * an answer may miss it by. room (3n). */
void imp_convex_tidy(const convex_island *island, double share, double *x, double *lambda,
                     double *room);

#endif
