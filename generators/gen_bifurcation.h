/* gen_bifurcation.h - contacts next to where another number or another kind of Coulomb solutions
 * begins: a fold of two slips, or a stick at the rim of its cone. */
#ifndef GEN_BIFURCATION_H
#define GEN_BIFURCATION_H

#include "gen.h"

/* Which of the data was moved onto the edge. */
typedef enum gen_bifurcation_datum {
    GEN_BIFURCATION_FRICTION,
    GEN_BIFURCATION_APPROACH, /* q_n */
    GEN_BIFURCATION_SLIP,     /* q_t */
    GEN_BIFURCATION_COUPLING, /* W_nt */
    GEN_BIFURCATION_DATA
} gen_bifurcation_datum;

/* "mu", "q_n", "q_t", "W_nt". */
const char *gen_bifurcation_name(gen_bifurcation_datum datum);

/* Problem `index`: the datum is at most two doubles from where imp_coulomb_enumerate sees the kinds
 * of solutions change. The same on every machine. */
gen_problem gen_bifurcation(gen_bifurcation_datum datum, uint64_t index);

#endif
