/* seeds.h - the same flow from several seeds: what of it is the flow, and what is chance. */
#ifndef SEEDS_H
#define SEEDS_H

#include "benchmarks/harness/report.h"
#include "impact.h"

/* What one run is put down to: means over the samples, unless it says otherwise; of power and depth
 * over every step, which scatter most. */
enum {
    SEEDS_FRACTION, /* of the room without the obstacle */
    SEEDS_LOADED,   /* contacts per particle with an impulse, at both its ends */
    SEEDS_SPEED,    /* m/s, of the spheres' centres */
    SEEDS_PEAK,     /* m/s, the largest mean velocity over a cell of 1 mm with 5 spheres or more, in
                       the last frame: in as many last samples together as give a cell the height of
                       the paper's, 2 cm */
    SEEDS_SPIN,     /* rad/s, |spin| */
    /* W, dissipated in contacts: work of the moving shapes less the gain in kinetic energy */
    SEEDS_POWER,
    SEEDS_DEPTH,       /* m, the deepest penetration of a step, mean over all steps */
    SEEDS_PENETRATION, /* m, the deepest of the whole run */
    SEEDS_VALUES
};

typedef struct seeds_run {
    imp_granular_law law;
    uint64_t seed;
    bool good; /* it came to its end */
    double value[SEEDS_VALUES];
    /* One contact at a time, the others held: over all loaded contacts of some samples. */
    /* counts; differing: the laws' answers differ by more than 1e-6 */
    double loaded, sliding, differing;
    double coupled;    /* count: mu |W_n,to| / W_nn above SEEDS_COUPLED */
    double difference; /* sum over the differing of |p - p'| / |p| */
    double largest;    /* of mu |W_n,to| / W_nn */
} seeds_run;

#define SEEDS_COUPLED 0.1

/* Runs each of n with its law and seed, until flow->until, sampling every `every` steps after
 * `from` (s); on as many threads as there are. Sets all but law and seed. r, told how far it is,
 * may be NULL. */
void seeds_measure(report *r, const imp_flow *flow, double from, int every, seeds_run *runs, int n);

typedef struct seeds_spread {
    double mean, deviation, least, largest; /* deviation: of one run */
} seeds_spread;

/* Of one value over n runs. */
seeds_spread seeds_spread_of(const seeds_run *runs, int n, int value);

/* Student's t of two means that n runs each and their scatter give (Welch 1947), the freedom it
 * has, and the |t| that chance exceeds in a share of cases. 0 where there is neither difference nor
 * scatter. */
double seeds_t(const seeds_spread *a, const seeds_spread *b, int n, double *freedom);
double seeds_t_limit(double freedom, double share);

#endif
