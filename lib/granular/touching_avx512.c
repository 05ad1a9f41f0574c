/* touching_avx512.c - the search for 8 pairs at once; the Makefile compiles it for such a CPU. */
#ifdef __AVX512F__
#include "granular/touching_lanes.h"

imp_find *const imp_find_avx512 = find;
#else
#include "granular/touching.h"

imp_find *const imp_find_avx512 = NULL;
#endif
