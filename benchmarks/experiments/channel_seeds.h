/* channel_seeds.h - what the seed alone does to the channel. */
#ifndef CHANNEL_SEEDS_H
#define CHANNEL_SEEDS_H

#include "benchmarks/experiments/seeds.h"

/* The row that shows a value (SEEDS_...) in `unit` of the channel at a fifth of its size from
 * several seeds, run once for all callers. */
void channel_seeds_row(report *r, int value, const char *name, double unit);

#endif
