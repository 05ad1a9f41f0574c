/* relax_avx2.c - the closed one-contact solution of 4 contacts at once; the Makefile compiles it
 * for such a CPU. */
#if defined(__AVX2__) && defined(__FMA__)
#include "granular/relax_lanes.h"

imp_relax_kernel *const imp_relax_avx2 = kernel;
#else
#include "granular/relax.h"

imp_relax_kernel *const imp_relax_avx2 = NULL;
#endif
