/* blocks_internal.h - what the block solvers' files share. Private to lib/multi. */
#ifndef IMP_BLOCKS_INTERNAL_H
#define IMP_BLOCKS_INTERNAL_H

#include "multi/blocks.h"
#include "multi/blockwise.h"

/* Does `stop` ask for the field's error as well as for the scale-free one? */
bool imp_blocks_field_too(const imp_problem *problem, const imp_blocks_settings *settings);

/* Gauss-Seidel with a local law, and its blend with Jacobi, for e = 0. */
imp_status imp_gauss_seidel(const imp_problem *problem, const imp_blocks_settings *settings, local_law law, double *p,
                            imp_info *info);

#endif
