/* gen_impacts.h - the classes of single impacts that try the Darboux-Keller process, besides those
 * of gen.h.
 *
 * Problem k of a class is the same on every machine. Restitution is 0, 1 or U(0,1). */
#ifndef GEN_IMPACTS_H
#define GEN_IMPACTS_H

#include "gen.h"

typedef enum gen_impact_class {
    GEN_IMPACT_BODY, /* box with a contact on a random face, mu 10^U(-2.5,0.5) */
    GEN_IMPACT_THIN, /* six mass points spread over decades: W nearly singular */
    GEN_IMPACT_SPD,  /* condition number of W up to 1e8 */
    /* W_nn < mu |W_n,to| and slow approach: u_n may fall, two compressions */
    GEN_IMPACT_STEEP,
    GEN_IMPACT_GRAZE,      /* STEEP with the first maximum of u_n at 0 (1 +- 10^U(-12,-2)) */
    GEN_IMPACT_BOUNDARY,   /* stick at the edge of stability: mu = |M^-1 b| (1 +- 10^U(-16,-1)) */
    GEN_IMPACT_AT_REST,    /* no slip at the start */
    GEN_IMPACT_TINY_SLIP,  /* slip 10^U(-60,-4) of the approach */
    GEN_IMPACT_HUGE_SLIP,  /* slip 10^U(2,9) of the approach */
    GEN_IMPACT_NEAR_RAY,   /* slip starts 10^U(-16,-2) rad beside a ray of constant direction */
    GEN_IMPACT_DOUBLE_RAY, /* two rays nearly coincide */
    GEN_IMPACT_REVERSE,    /* slip starts almost opposite to the diverging ray */
    GEN_IMPACT_PLANAR,     /* the plane (n, t) */
    GEN_IMPACT_DYADIC,     /* small integers: ties */
    GEN_IMPACT_SPHERE,     /* W = diag(1, 3.5, 3.5) */
    GEN_IMPACT_FRICTIONLESS,
    GEN_IMPACT_CLASSES
} gen_impact_class;

const char *gen_impact_name(gen_impact_class c);
gen_problem gen_impact(gen_impact_class c, uint64_t index);

#endif
