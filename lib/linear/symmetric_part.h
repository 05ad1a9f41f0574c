/* symmetric_part.h - the symmetric part of what is symmetric but for rounding. Internal. */
#ifndef IMP_SYMMETRIC_PART_H
#define IMP_SYMMETRIC_PART_H

#include "linear/sparse.h"

/* *part <- half of M + M' of a square M, with all of its diagonal. IMP_OK, IMP_NOT_SYMMETRIC (M_ij
 * and M_ji differ by more than 1e-12 of sqrt(M_ii M_jj)), IMP_NO_MEMORY; *part is empty then.
 * Thread-safe. */
imp_status imp_sparse_symmetric_part(const imp_sparse *M, imp_sparse *part);

#endif
