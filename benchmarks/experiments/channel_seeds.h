/* channel_seeds.h - two published values beside what the seed alone does to the channel. */
#ifndef CHANNEL_SEEDS_H
#define CHANNEL_SEEDS_H

#include "benchmarks/experiments/seeds.h"

/* Rows on a value (SEEDS_...) in `unit`, of which the paper gives one number per law: the channel at a fifth of its
 * size from several seeds, run once for all callers, and whether the two numbers are farther apart than two seeds. */
void channel_seeds_rows(report *r, int value, const char *name, double unit, double maxdiss, double coulomb);

#endif
