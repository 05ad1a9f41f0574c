/* Approaches that are next to nothing beside the slip, down to denormal ones: what is called solved
 * is certified. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { EACH = 6000 };

/* Problem k: mu anywhere, or with the eccentricity within some roundings of 1. */
static gen_problem make(uint64_t k) {
    gen_stream stream = gen_seed(83, k);
    gen_problem g = gen_spd(k, 6, gen_power10(&stream, -2, 2));
    g.q[0] = (k % 3 == 2 ? 1 : -1) * gen_power10(&stream, -323, -150);
    if (k % 2) g.mu = g.W[0] / hypot(g.W[1], g.W[2]) * (1 + 1e-15 * gen_uniform(&stream, -1, 1));
    return g;
}

int main(void) {
    double worst[2] = {0}, p[3];
    int solved[2] = {0};
    for (uint64_t k = 0; k < EACH; k++) {
        const gen_problem g = make(k);
        imp_coulomb_set set;
        if (imp_maxdiss(g.W, g.q, g.mu, 0, p, NULL) == IMP_OK) {
            solved[0]++;
            worst[0] = tap_worst(worst[0], gen_residual(&g, &imp_law_maxdiss, p));
        }
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK) continue;
        solved[1]++;
        for (int i = 0; i < set.count; i++)
            worst[1] = tap_worst(worst[1], gen_residual(&g, &imp_law_coulomb, set.solution[i].p));
    }
    ok(solved[0] > EACH / 2 && worst[0] <= 1e-10, "maxdiss: %d of %d solved, within %.1e",
       solved[0], EACH, worst[0]);
    ok(solved[1] > EACH / 2 && worst[1] <= 1e-10, "coulomb: %d of %d solved, within %.1e",
       solved[1], EACH, worst[1]);
    return tap_done();
}
