/* trial_run.c - an engine runs a scene, and what came of it is a row. */
#include "benchmarks/peers/engines/trial.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>

static const double failed = 0.1; /* a larger error is a failure */

void trial_read(const peer_engine *e, void *world, int bodies, trial_state x, trial_state v) {
    for (int i = 0; i < bodies; i++)
        e->read(world, i, x[i], v[i]);
}

void trial_row(const char *question, const char *name, const peer_engine *e, double ns,
               double error) {
    printf("%s\t%s\t%s\t", question, name, e->name);
    if (!isnan(ns)) printf("%.4g", ns);
    printf("\t%.2g\t%d\t\n", error, error <= failed ? 0 : 100);
    fflush(stdout);
}

double trial_run(const peer_engine *e, const peer_scene *s, int steps, trial_state x,
                 trial_state v) {
    double least = NAN;
    for (int repeat = 0; repeat < 3 && !(least * steps > 3e8); repeat++) {
        void *world = e->open(s);
        if (!world) return NAN;
        const double from = imp_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        for (int k = 0; k < steps; k++)
            e->step(world);
        least = fmin(least, (imp_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - from) / steps);
        trial_read(e, world, s->bodies, x, v);
        e->close(world);
    }
    return least;
}
