/* relax_avx512.c - the closed one-contact solution of 8 contacts at once; the Makefile compiles it
 * for such a CPU. */
#ifdef __AVX512F__
#include "granular/relax_lanes.h"

imp_relax_kernel *const imp_relax_avx512 = kernel;
#else
#include "granular/relax.h"

imp_relax_kernel *const imp_relax_avx512 = NULL;
#endif
