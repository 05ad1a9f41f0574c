/* fclib_bilateral.h - what the files of FCLIB share: velocities before the impact, and bilateral
 * constraints, eliminated and found again; in the local form V'r + R l + s = 0. Internal. */
#ifndef IMP_FCLIB_BILATERAL_H
#define IMP_FCLIB_BILATERAL_H

#include "io/fclib.h"
#include "linear/null_space.h"

#include <stdbool.h>

/* Of a local problem with constraints, *W (3nc x 3nc) <- W - V R+ V' and q (3nc) <- q - V R+ s, R+
 * the pseudo-inverse of R by its eigenvalues, R scaled to a diagonal of ones: those below 1e-12 are
 * of rows that depend on others. IMP_OK, IMP_UNSUPPORTED (R is not symmetric to 1e-12),
 * IMP_NOT_POSITIVE (R, or it with V, a row of which is nothing that R l can be), IMP_NOT_CERTIFIED
 * (an eigenvalue from 1e-12 to 1e-10), IMP_NO_SOLUTION (s is nothing that R l can meet),
 * IMP_NO_MEMORY; *W empty then. */
imp_status imp_fclib_eliminate(const imp_fclib *local, imp_sparse *W, double *q);

/* l (bilateral) <- -R+ (V'r + s), the shortest in the scale of R, of a global file over its bodies
 * where imp_fclib_hold has it, with v (dof), which may be NULL; and *error <- by how much it misses
 * the constraints, as imp_fclib_judge has it.
 * Statuses as above, and IMP_OVERFLOW where that is no number. */
imp_status imp_fclib_constrain(const imp_fclib *file, const imp_fclib *local, const double *r,
                               double *l, double *v, double *error);

/* v (dof) <- M^-1 (H r + G l + f) of a global file; l NULL: without constraints. Statuses of
 * imp_sparse_solve. */
imp_status imp_fclib_velocity(const imp_fclib *file, const double *r, const double *l, double *v);

/* q (3nc) <- H'M^-1 f + w of a global file, 0 where that is rounding of what is there at its
 * contact in any direction. IMP_OK, the statuses of imp_sparse_solve, IMP_NO_MEMORY. */
imp_status imp_fclib_free_velocity(const imp_fclib *file, double *q);

/* The same as it is summed up, and size (3nc) of the numbers in it. */
imp_status imp_fclib_free_parts(const imp_fclib *file, double *q, double *size);

/* Is q of row i such a share of what there is at its contact in any direction, or less? */
bool imp_fclib_cancels(const double *q, const double *size, int i, double share);

/* x (columns) += the absolute values of A'y's parts. */
void imp_fclib_add_sizes(const imp_sparse *A, const double *y, double *x);

/* Of a global file with M = LL': L^-1 H and L^-1 G, and what the latter leave. */
typedef struct imp_fclib_rooted {
    imp_sparse H, C;
    imp_null_space *space;
} imp_fclib_rooted;

/* IMP_OK, IMP_UNSUPPORTED (a local form, an M that imp_factored_new does not take), the statuses of
 * imp_null_space_new; clear it afterwards. */
imp_status imp_fclib_rooted_of(const imp_fclib *file, imp_fclib_rooted *rooted);
void imp_fclib_rooted_clear(imp_fclib_rooted *rooted);

/* c and size (bilateral) <- -(G'v + b) of v = M^-1 f, and the sum of its absolute parts. */
imp_status imp_fclib_missed_rows(const imp_fclib *file, double *c, double *size);

/* l (bilateral) and v (dof; may be NULL) <- the impulses of a global file's constraints, without R,
 * and the velocities that keep these: M v = H r + G l + f, G'v + b = 0, v not by a difference of
 * impulses, which of rows that almost depend are large. Statuses of imp_fclib_rooted_of. */
imp_status imp_fclib_hold(const imp_fclib *file, const double *r, double *l, double *v);

#endif
