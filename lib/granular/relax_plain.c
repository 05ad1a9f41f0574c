/* relax_plain.c - the closed one-contact solution a contact at a time, for any CPU. */
#define IMP_ONE_LANE
#include "granular/relax_lanes.h"

double imp_relax_closed(const body *a, const body *b, const double n[3], double bias, double p[3]) {
    stage s;
    meet_two(a, b, s.m);
    try(&s, n, bias, p);
    slide(&s, n, a->friction, p);
    return s.m[3];
}

static void relax(const bodies *b, block *blocks, int n) {
    const vec friction = friction_of(b, blocks);
    for (block *k = blocks; k < blocks + n; k++)
        for (int l = 0; l < WIDTH; l++)
            if (!is_idle(k, l)) relax_one(b->body, k, l, friction);
}

double imp_relax_plain(const bodies *b, imp_granular_law law, work what, block *blocks, int n) {
    (void)law;
    if (what == LOOK) return look(b, blocks, n);
    if (what == WARM)
        warm(b, blocks, n);
    else
        relax(b, blocks, n);
    return 0;
}
