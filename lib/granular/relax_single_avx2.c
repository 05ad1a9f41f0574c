/* relax_single_avx2.c - the closed one-contact solution in single precision of 8 contacts at once;
 * the Makefile compiles it for such a CPU. */
#if defined(__AVX2__) && defined(__FMA__)
#define IMP_SINGLE_PRECISION
#include "granular/relax_lanes.h"

imp_relax_kernel *const imp_relax_single_avx2 = kernel;
#else
#include "granular/relax.h"

imp_relax_kernel *const imp_relax_single_avx2 = NULL;
#endif
