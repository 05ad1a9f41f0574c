/* gen_edge.h - contacts next to where another number or another kind of Coulomb solutions begins:
 * a fold of two slips, or a stick at the rim of its cone. */
#ifndef GEN_EDGE_H
#define GEN_EDGE_H

#include "gen.h"

/* Which of the data was moved onto the edge. */
typedef enum gen_edge_datum {
    GEN_EDGE_FRICTION,
    GEN_EDGE_APPROACH, /* q_n */
    GEN_EDGE_SLIP,     /* q_t */
    GEN_EDGE_COUPLING, /* W_nt */
    GEN_EDGE_DATA
} gen_edge_datum;

/* "mu", "q_n", "q_t", "W_nt". */
const char *gen_edge_name(gen_edge_datum datum);

/* Problem `index`: the datum is at most two doubles from where imp_coulomb_enumerate sees the kinds
 * of solutions change. The same on every machine. */
gen_problem gen_edge(gen_edge_datum datum, uint64_t index);

#endif
