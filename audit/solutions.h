/* solutions.h - which of the solutions of Coulomb's law for one contact an impulse is. */
#ifndef AUDIT_SOLUTIONS_H
#define AUDIT_SOLUTIONS_H

#include "contact/problem.h"
#include "single/single.h"

/* *set <- all solutions of the problem; returns the row of p, which the law accepts: the nearest by
 * components of W p. A point of a continuum is its nearer end. -1 where the count is not certain,
 * or the problem has several contacts or restitution. */
int audit_solution(const imp_problem *problem, const double *p, imp_coulomb_set *set);

#endif
