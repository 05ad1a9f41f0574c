/* problem.h - one contact problem: an instant, nc contacts, u = W p + q.
 *
 * Conventions of the whole project: contact frame (n, t, o), normal first, n from body A to body B;
 * u = v_B - v_A at the contact point, u_n > 0 separates; the impulse p acts on B. Preclik, Eibl,
 * Ruede (2017) write A = W, b = -q, x = p. Papers that put the normal last are permuted (x, y, z)
 * -> (n, t, o) = (z, x, y). */
#ifndef IMP_PROBLEM_H
#define IMP_PROBLEM_H

#include "linear/operator.h"
#include "base/status.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* A contact problem, of arrays that the caller owns. */
typedef struct imp_problem {
    int nc;                /* number of contacts */
    const imp_operator *W; /* (3nc x 3nc) Delassus operator, 1/kg */
    const double *q;       /* (3nc) free relative velocity (p = 0), m/s; q_n < 0 closes */
    const double *mu;      /* (nc) friction coefficient, >= 0 */
    const double *e;       /* (nc) restitution coefficient in [0, 1]; NULL means 0 everywhere */
    /* What few models take (imp_law.reads): NULL, or 0 at all contacts, is nothing. */
    const double *mu_v; /* (nc) kg, viscous friction, >= 0: |p_to| <= mu p_n + mu_v |q_to| */
    const double *gap;  /* (nc) m/s, distance over time step, negative of an overlap: u_n >= -gap */
} imp_problem;

/* Are these data a contact problem? IMP_OK, or the first fault found: IMP_BAD_ARGUMENT (nc < 1, a
 * NULL, a W of another nc, stored blocks without a diagonal one), IMP_NOT_FINITE (NaN or Inf in W,
 * q, mu, e, mu_v, gap), IMP_BAD_FRICTION (mu < 0 or mu_v < 0), IMP_BAD_RESTITUTION (e outside [0,
 * 1]), IMP_NOT_SYMMETRIC (W_ij against W_ji beyond 1e-12 of sqrt(W_ii W_jj)), IMP_NOT_POSITIVE (one
 * contact: not positive definite; several: an eigenvalue below -1e-10 trace(W); W = G'G over bodies
 * is neither, and of one contact may be singular, as constraints leave it: imp_model_takes).
 * *contact (may be NULL) is the contact at fault, -1 where no single one is. Of an operator given
 * as recorded only finite entries and diagonals that are not negative are demanded. The eigenvalue
 * test factorises the dense matrix: it is made up to 3nc = 3000. Allocates; IMP_NO_MEMORY.
 * Thread-safe. */
imp_status imp_problem_check(const imp_problem *problem, int *contact);

/* The same for everything but the numbers in W: shape and vectors, in time proportional to nc.
 * Thread-safe. */
imp_status imp_problem_check_vectors(const imp_problem *problem, int *contact);

/* Does a contact overlap (gap < 0)? Pushing it out may create energy. Thread-safe. */
int imp_problem_overlaps(const imp_problem *problem);

/* Energy change of the bodies under the impulse p (3nc), J: 1/2 p'Wp + p'q. Thread-safe. */
double imp_problem_energy(const imp_problem *problem, const double *p);

/* W (3nc x 3nc row-major, 1/kg) <- the operator written out. Thread-safe. */
void imp_problem_dense(const imp_problem *problem, double *W);

IMP_PUBLIC_END

#endif
