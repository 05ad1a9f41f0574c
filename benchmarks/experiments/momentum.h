/* momentum.h - where the momentum of a flow goes: what enters, leaves, weighs and is pushed by
 * shapes, step by step. */
#ifndef MOMENTUM_H
#define MOMENTUM_H

#include "impact.h"

typedef struct momentum_balance {
    /* largest |change - what is known of it| of a step, over the sum of m |v| */
    double error;
    int inserted, deleted; /* particles, over the steps */
} momentum_balance;

/* Of so many steps of spheres without offset from the start of the flow. NaN: something failed. */
momentum_balance momentum_of(const imp_flow *flow, int steps);

#endif
