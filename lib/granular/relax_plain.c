/* relax_plain.c - the closed one-contact solution a contact at a time, for any CPU. */
#define IMP_ONE_LANE
#include "granular/relax_lanes.h"

double imp_relax_closed(const body *a, const body *b, const double n[3], double bias, double p[3]) {
    stage s = {0};
    meet_two(a, b, s.m);
    try(&s, n, bias, p);
    slide(&s, n, a->friction, p);
    return s.m[3];
}

imp_relax_kernel *const imp_relax_plain = kernel;
