/* order_steps.h - motions in closed form, and how far the time stepper is from them. */
#ifndef ORDER_STEPS_H
#define ORDER_STEPS_H

#include "benchmarks/experiments/hops.h"
#include "lib/impact.h"

/* A ball that slides on the ground and, from a moment on, rolls. */
typedef struct order_slide {
    double g, mu, radius, speed; /* m/s^2, -, m, m/s at first, without spin */
} order_slide;

/* One body over z = 0, of which one coordinate is looked at. */
typedef struct order_motion {
    const char *name;
    imp_link link;
    double radius, centre[3]; /* m, of its sphere, in the link's frame */
    double e, mu, gravity;    /* m/s^2 */
    int coordinate;           /* of q and v */
    const hops *hops;         /* NULL: it slides */
    order_slide slide;        /* how, where it slides */
    double begin, end;        /* s, the phase: begun from the exact state */
} order_motion;

/* s, when the ball begins to roll; x and its rate and spin at a time. */
double order_slide_rolls(const order_slide *s);
double order_slide_at(const order_slide *s, double t, double *rate, double *spin);

/* Errors over a phase: of x the largest, of x' the mean and the largest. */
typedef enum order_error {
    ORDER_PLACE,
    ORDER_RATE_MEAN,
    ORDER_RATE_MOST,
    ORDER_ERRORS
} order_error;

/* Steps of length h through the phase, from the exact state at begin + late. IMP_OK or what the
 * stepper said. */
imp_status order_run(const order_motion *m, const imp_model *model, double h, double late,
                     double error[ORDER_ERRORS]);

#endif
