/* relax_single_avx512vl.c - the same operations as those of relax_single_avx2.c, by a CPU with
 * twice as many registers; the Makefile compiles it for one. */
#ifdef __AVX512VL__
#define IMP_SINGLE_PRECISION
#include "granular/relax_lanes.h"

imp_relax_kernel *const imp_relax_single_avx512vl = kernel;
#else
#include "granular/relax.h"

imp_relax_kernel *const imp_relax_single_avx512vl = NULL;
#endif
