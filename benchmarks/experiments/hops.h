/* hops.h - what falls onto a plane and bounces, in closed form: a ball, and a pendulum that gravity
 * presses into the plane. Their impacts pile up. */
#ifndef HOPS_H
#define HOPS_H

#include <stdbool.h>

enum { HOPS_IMPACTS = 64 };

/* x: the ball's height, m, or the pendulum's angle from the downward vertical, rad. */
typedef struct hops {
    bool swings;
    double g;                   /* of the ball, m/s^2; of the pendulum m g l / I, 1/s^2 */
    double rest;                /* x at a touch */
    double start;               /* x at t = 0, at rest */
    double time[HOPS_IMPACTS];  /* s, of the impacts */
    double speed[HOPS_IMPACTS]; /* x' after each */
    double zeno;                /* s, what the times tend to */
} hops;

/* e, restitution, at most 0.5, so that HOPS_IMPACTS are all that count. */
hops hops_ball(double g, double rest, double start, double e);
/* 0 < rest < start < pi. */
hops hops_pendulum(double g, double rest, double start, double e);

/* x at t >= 0, s; rate (may be NULL): x'. */
double hops_at(const hops *h, double t, double *rate);

/* s, halfway between impact k, from 0, and the next. */
double hops_apex(const hops *h, int k);

#endif
