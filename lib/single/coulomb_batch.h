/* coulomb_batch.h - the kernels of the batch Coulomb enumeration, one per instruction set, and the
 * two ways in which imp_coulomb_enumerate solves a problem. Internal to lib/single. */
#ifndef IMP_COULOMB_BATCH_H
#define IMP_COULOMB_BATCH_H

#include "single/batch_kernel.h"

/* Problems a kernel takes at once; some 20 kB of intermediate values. */
enum { IMP_COULOMB_CHUNK = 64 };

extern const imp_batch_kernel imp_coulomb_kernel_plain, imp_coulomb_kernel_avx2,
    imp_coulomb_kernel_avx512;

/* What the kernels do, for one problem: where its only solution is beyond doubt, *set is that.
 * false: it is not, and *set is untouched. */
typedef bool imp_coulomb_solver(const double W[6], const double q[3], double mu,
                                imp_coulomb_set *set);
imp_coulomb_solver imp_coulomb_only;
extern imp_coulomb_solver *const imp_coulomb_only_fused; /* the same for such a CPU; NULL: this
                                                            build has none */

/* The documented behaviour of imp_coulomb_enumerate, by a search for all zeros of the curve of
 * slips. */
imp_status imp_coulomb_search(const double W[6], const double q[3], double mu,
                              imp_coulomb_set *set);

#endif
