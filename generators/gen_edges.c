/* gen_edges.c - the classes of gen_edges.h. */
#include "gen_edges.h"
#include "gen_impacts.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Positive, or negative as well. */
static double tiny(gen_stream *s, bool both) {
    const double x = ldexp(gen_uniform(s, 0.5, 1), (int)gen_uniform(s, -1073, -1022));
    return both ? gen_sign(s) * x : x;
}

static gen_problem subnormal(gen_stream *s, uint64_t index) {
    gen_problem p = gen_spd(index, 1, gen_uniform(s, 0, 2));
    const unsigned which = 1 + (unsigned)gen_uniform(s, 0, 31); /* a bit each */
    if (which & 1) p.q[0] = -tiny(s, false);
    if (which & 2) p.q[1] = tiny(s, true);
    if (which & 4 && (which & 3) != 3) p.q[2] = tiny(s, true);
    if (which & 8) p.mu = tiny(s, false);
    if (which & 16) { /* all three: W stays positive */
        p.W[1] = tiny(s, true);
        p.W[2] = tiny(s, true);
        p.W[4] = tiny(s, true);
    }
    return p;
}

static gen_problem parabola(gen_stream *s, uint64_t index) {
    gen_problem p = gen_make(index % 2 ? GEN_FREE_BOX_5 : GEN_SPD_4, index);
    const double at = p.W[0] / sqrt(p.W[1] * p.W[1] + p.W[2] * p.W[2]);
    const double ulps = floor(gen_uniform(s, -4, 5)), off = gen_sign(s) * gen_power10(s, -16, -8);
    p.mu = at * (1 + (gen_uniform(s, 0, 1) < 0.5 ? ulps * DBL_EPSILON : off));
    p.q[0] = -gen_power10(s, -16, 0);
    return p;
}

static gen_problem ties(gen_stream *s, uint64_t index) {
    gen_problem p = gen_impact(GEN_IMPACT_DYADIC, index);
    const int kind = (int)gen_uniform(s, 0, 4);
    if (kind == 0 || kind == 2) p.q[1] = 0;
    if (kind == 1 || kind == 2) p.q[2] = 0;
    p.e = 0;
    return p;
}

static gen_problem threshold(gen_stream *s, uint64_t index) {
    gen_problem p = gen_make(index % 2 ? GEN_FREE_BOX_5 : GEN_SPD_4, index);
    static const double near[] = {0, 0x1p-1074, DBL_MIN, 0x1p-105, 0x1p-54, 0x1p-53, 0x1p-52};
    enum { MANY = sizeof near / sizeof *near };
    p.q[0] = gen_sign(s) * near[(int)gen_uniform(s, 0, MANY)];
    return p;
}

static gen_problem tangents(gen_stream *s, uint64_t index) {
    gen_problem p = gen_make(index % 2 ? GEN_FREE_BOX_5 : GEN_SPD_4, index);
    const double by = gen_power10(s, -3, 3);
    p.W[1] *= by;
    p.W[2] /= by;
    p.W[3] *= by * by;
    p.W[5] /= by * by;
    p.q[1] *= by;
    p.q[2] /= by;
    return p;
}

gen_problem gen_edge_make(gen_edge c, uint64_t index) {
    gen_stream s = gen_seed(1100 + (uint64_t)c, index);
    switch (c) {
    case GEN_EDGE_SUBNORMAL: return subnormal(&s, index);
    case GEN_EDGE_PARABOLA: return parabola(&s, index);
    case GEN_EDGE_TIES: return ties(&s, index);
    case GEN_EDGE_THRESHOLD: return threshold(&s, index);
    case GEN_EDGE_TANGENTS: return tangents(&s, index);
    case GEN_EDGES: break;
    }
    return (gen_problem){.W = {1, 0, 0, 1, 0, 1}};
}

const char *gen_edge_name(gen_edge c) {
    static const char *const names[GEN_EDGES] = {"subnormal", "parabola", "ties", "threshold",
                                                 "tangents"};
    return c < GEN_EDGES ? names[c] : "?";
}
