/* solutions.h - which of the solutions of its law an impulse is. */
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

#endif
