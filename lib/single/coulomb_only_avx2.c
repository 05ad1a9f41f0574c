/* coulomb_only_avx2.c - the only Coulomb solution of one problem, with fused multiply-add; the
 * Makefile compiles it for such a CPU. */
#if defined(__AVX2__) && defined(__FMA__)
#include "single/coulomb_only.h"

imp_coulomb_solver *const imp_coulomb_only_fused = only_solution;
#else
#include "single/coulomb_batch.h"

imp_coulomb_solver *const imp_coulomb_only_fused = NULL;
#endif
