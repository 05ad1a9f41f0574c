/* momentum.c - the momentum balance of a flow:
 *
 *     sum m v after = sum m v before, of those that stay + of those that enter + N m g dt +
 *     impulses of the shapes
 *
 * Impulses between particles cancel; nothing of the solver is used but velocities and what the
 * shapes gave. */
#include "benchmarks/experiments/momentum.h"

#include "base/worse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b) {
    const imp_sphere *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* The particles by id; NULL without memory. */
static imp_sphere *particles(const imp_granular *g, int *n) {
    *n = imp_granular_count(g);
    imp_sphere *s = calloc((size_t)*n + 1, sizeof *s);
    for (int i = 0; s && i < *n; i++)
        s[i] = imp_granular_sphere(g, i);
    if (s) qsort(s, (size_t)*n, sizeof *s, by_id);
    return s;
}

static double mass(const imp_sphere *s) {
    return 4 * 3.14159265358979323846 / 3 * s->density * s->radius * s->radius * s->radius;
}

/* What is known of the momentum, less what is there, over the sum of m |v|. */
static double imbalance(const imp_flow *flow, const imp_granular_report *step,
                        const imp_sphere *before, int n, const imp_sphere *after, int m,
                        momentum_balance *balance) {
    double p[3] = {0}, size = 0;
    for (int k = 0; k < m; k++) {
        const imp_sphere *was = bsearch(&after[k], before, (size_t)n, sizeof *before, by_id);
        double old[3];
        if (was)
            memcpy(old, was->velocity, sizeof old);
        else
            imp_inflow_disturb(&flow->inflow, after[k].id, old);
        balance->inserted += !was;
        for (int x = 0; x < 3; x++) {
            p[x] += mass(&after[k]) * (old[x] + flow->settings.step * flow->settings.gravity[x] -
                                       after[k].velocity[x]);
            size += mass(&after[k]) * fabs(old[x]);
        }
    }
    for (int s = 0; s < flow->shapes; s++)
        for (int x = 0; x < 3; x++)
            p[x] += step->shape_impulse[s][x];
    balance->deleted += step->deleted;
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / size;
}

momentum_balance momentum_of(const imp_flow *flow, int steps) {
    momentum_balance balance = {0};
    imp_status status;
    imp_granular *g = imp_flow_start(flow, false, &status);
    int n = 0, m = 0;
    imp_sphere *before = g ? particles(g, &n) : NULL;
    bool good = before != NULL;
    for (int k = 0; good && k < steps; k++) {
        imp_granular_report step;
        good = imp_granular_step(g, &step) == IMP_OK;
        imp_sphere *after = good ? particles(g, &m) : NULL;
        good = after != NULL;
        if (good)
            balance.error =
                imp_worse(balance.error, imbalance(flow, &step, before, n, after, m, &balance));
        free(before);
        before = after;
        n = m;
    }
    free(before);
    imp_granular_free(g);
    if (!good) balance.error = NAN;
    return balance;
}
