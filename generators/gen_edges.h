/* gen_edges.h - single contacts at the edges of arithmetic, besides the classes of gen.h: subnormal
 * numbers, conics within an ulp of a parabola, ties, approaches within an ulp of none, tangents far
 * apart.
 *
 * Problem k of a class is the same on every machine. */
#ifndef GEN_EDGES_H
#define GEN_EDGES_H

#include "gen.h"

typedef enum gen_edge {
    GEN_EDGE_SUBNORMAL, /* subnormal: some of q, not all, or mu, or what couples axes in W */
    GEN_EDGE_PARABOLA,  /* mu |W_n,to| = W_nn (1 +- 10^U(-16,-8)), or some ulps beside it */
    GEN_EDGE_TIES,      /* small integers; sliding along and across axes, head on */
    GEN_EDGE_THRESHOLD, /* q_n = 0, of either sign, or as near as doubles or rounding of q come */
    GEN_EDGE_TANGENTS,  /* W_tt and W_oo up to 1e12 apart, q along with them */
    GEN_EDGES
} gen_edge;

const char *gen_edge_name(gen_edge c);
gen_problem gen_edge_make(gen_edge c, uint64_t index);

#endif
