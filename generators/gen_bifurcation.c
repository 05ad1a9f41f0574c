/* gen_bifurcation.c - problems on the edges of Coulomb's law, by bisection of one datum down to two
 * neighbouring doubles. */
#include "gen_bifurcation.h"

#include "single/single.h"

#include <math.h>

const char *gen_bifurcation_name(gen_bifurcation_datum datum) {
    static const char *const name[] = {"mu", "q_n", "q_t", "W_nt"};
    return (unsigned)datum < GEN_BIFURCATION_DATA ? name[datum] : "unknown";
}

static double *place(gen_problem *g, gen_bifurcation_datum datum) {
    switch (datum) {
    case GEN_BIFURCATION_APPROACH: return &g->q[0];
    case GEN_BIFURCATION_SLIP: return &g->q[1];
    case GEN_BIFURCATION_COUPLING: return &g->W[1];
    default: return &g->mu;
    }
}

/* The kinds of its solutions as one number, 0 where it has none or is none. */
static int kinds(gen_problem g, gen_bifurcation_datum datum, double value) {
    imp_coulomb_set set = {0};
    int all = 0;
    *place(&g, datum) = value;
    if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) < 0) return 0;
    for (int i = 0; i < set.count; i++)
        all = 10 * all + 1 + (int)set.solution[i].kind;
    return all;
}

/* *low, *high <- neighbours between which the kinds change; false where they do not, or where data
 * between are none. */
static bool bisect(const gen_problem *g, gen_bifurcation_datum datum, double *low, double *high) {
    const int first = kinds(*g, datum, *low), last = kinds(*g, datum, *high);
    if (first == last || first == 0 || last == 0) return false;
    while (nextafter(*low, *high) != *high) {
        const double middle = *low + (*high - *low) / 2;
        const int there = kinds(*g, datum, middle);
        if (there == 0) return false;
        *(there == first ? low : high) = middle;
    }
    return true;
}

gen_problem gen_bifurcation(gen_bifurcation_datum datum, uint64_t index) {
    static const gen_class classes[] = {GEN_SEVERAL,  GEN_SPD_4,   GEN_SIX_POINT,
                                        GEN_PAINLEVE, GEN_OPENING, GEN_FREE_BOX_5};
    enum { CLASSES = sizeof classes / sizeof *classes };
    gen_stream s = gen_seed(1004 + (uint64_t)datum, index);
    for (;;) {
        const uint64_t draw = (uint64_t)gen_uniform(&s, 0, 1e9);
        gen_problem g = gen_make(classes[index % CLASSES], draw);
        double low = *place(&g, datum), high = low * gen_power10(&s, -1, 1);
        if (low == 0 || !bisect(&g, datum, &low, &high)) continue;
        double at = gen_uniform(&s, 0, 1) < 0.5 ? low : high;
        const double away = at == low ? 2 * low - high : 2 * high - low;
        for (int steps = (int)gen_uniform(&s, 0, 3); steps > 0; steps--)
            at = nextafter(at, away);
        *place(&g, datum) = at;
        return g;
    }
}
