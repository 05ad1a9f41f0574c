/* siconos.h - the friction solvers of siconos/numerics as contestants, where that library is
 * installed.
 *
 * Acary, Bremond, Huber et al., siconos (Apache-2.0; Debian: libsiconos-numerics-dev). Found by the
 * Makefile's compile probe; without it the list is empty. Never part of libimpact. */
#ifndef SICONOS_PEER_H
#define SICONOS_PEER_H

#include "contact/problem.h"

typedef struct siconos_solver {
    const char *name; /* "siconos-nsgs-nsn", NULL ends the list */
    int id, inner;    /* of the solver and its one-contact solver, -1: its own default */
    int blocks;       /* 1: W as 3 x 3 blocks, 0: compressed columns */
} siconos_solver;

extern const siconos_solver siconos_solvers[];

/* The problem in siconos' own terms; NULL where it is not installed. Not freed: a contestant is a
 * process of its own.
 */
struct FrictionContactProblem *siconos_prepare(const imp_problem *problem,
                                               const siconos_solver *solver);

/* r (3nc) <- the solution from r = 0, as far as siconos gets in so many iterations. Returns its own
 * verdict: 0 is solved. u (3nc) is work. */
int siconos_solve(struct FrictionContactProblem *problem, const siconos_solver *solver,
                  double tolerance, int iterations, double *r, double *u);

#endif
