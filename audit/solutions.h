/* solutions.h - which of the solutions of its law an impulse is, and how far from another. */
#ifndef AUDIT_SOLUTIONS_H
#define AUDIT_SOLUTIONS_H

#include "contact/model.h"
#include "contact/problem.h"
#include "single/single.h"

/* *set <- all solutions of the problem; returns the row of p, which the law accepts: the nearest by
 * components of W p. A point of a continuum is its nearer end. -1 where the count is not certain,
 * or the problem has several contacts or restitution. */
int audit_solution(const imp_problem *problem, const double *p, imp_coulomb_set *set);

/* Does friction of the law have axes, as a pyramid's? */
bool audit_has_axes(const imp_law *law);

/* Is p, which the law accepts, its only answer? false where that is not known: of several contacts,
 * of a pyramid, which has several answers that nobody counts, and where Coulomb's law has several
 * and the law takes any of them. */
bool audit_is_only(const imp_law *law, const imp_problem *problem, const double *p);

/* *apart <- how far apart two answers p and other (3nc each, N s) are, by the island of contacts in
 * which they are the most: the norm of the velocities W (p - other) over the sum of those of W p, W
 * other and q. The norm's square is the sum of 3 |v_i|^2 / (2 trace(W_ii)) (J): an energy, as
 * residuals of iterations are, which leave contacts of light bodies less sharp. Components that are
 * rounding of the problem's largest q do not count. IMP_OK, IMP_NO_MEMORY. */
imp_status audit_apart(const imp_problem *problem, const double *p, const double *other,
                       double *apart);

#endif
