/* test_blocks_anderson.c - Anderson mixing of affine maps p <- t + R (p - t) with R diagonal: as
 * many differences as R has distinct numbers give the fixed point t, whatever was mixed before. */
#include "blocks/blockwise.h"
#include "linear/anderson.h"

#include "impact.h"
#include "tap.h"

#include <string.h>

enum { NC = 2, N = 3 * NC };

static blockwise *subject(void) {
    static double W[N * N], q[N], mu[NC];
    for (int i = 0; i < N; i++) {
        W[i * N + i] = 1;
        q[i] = i % 3 == 0 ? -1 : 0.1;
    }
    W[1] = W[N] = W[3 * N + 4] = W[4 * N + 3] = 0.25; /* the state, u = W p + q, is not p + q */
    const imp_operator op = imp_operator_dense(NC, W);
    const imp_problem problem = {.nc = NC, .W = &op, .q = q, .mu = mu};
    blockwise *b = imp_blockwise_new(&problem, false);
    if (!b) exit(1);
    return b;
}

/* One application of the map and the mixture after it. Returns the residual that it told. */
static double apply(anderson *a, blockwise *b, const double rate[N], const double target[N]) {
    imp_anderson_before(a, b->p);
    for (int i = 0; i < N; i++)
        b->p[i] = target[i] + rate[i] * (b->p[i] - target[i]);
    imp_blockwise_refresh(b);
    return imp_anderson_after(a, b->p, b->state);
}

static double off(const double *x, const double *y) {
    double most = 0;
    for (int i = 0; i < N; i++)
        most = tap_worst(most, fabs(x[i] - y[i]));
    return most;
}

/* |state - (W p + q)| */
static double state_off(blockwise *b) {
    double state[N];
    memcpy(state, b->state, sizeof state);
    imp_blockwise_refresh(b);
    return off(state, b->state);
}

static const double target[N] = {1, -2, 3, 0.5, 0.25, -1};
/* distinct: as many as ANDERSON_MEMORY */
static const double five[N] = {0.9, 0.6, 0.3, -0.2, -0.5, 0.9};

static void begin(blockwise *b) {
    memset(b->p, 0, N * sizeof *b->p);
    imp_blockwise_refresh(b);
}

/* Applications until the iterate is the fixed point, from p = 0. */
static int applications(anderson *a, blockwise *b, const double rate[N]) {
    begin(b);
    for (int k = 1; k <= 100; k++) {
        apply(a, b, rate, target);
        if (off(b->p, target) < 1e-6) return k;
    }
    return 101;
}

int main(void) {
    static const double six[N] = {0.9, 0.6, 0.3, -0.2, -0.5, 0.75};
    blockwise *b = subject();
    double plain[N], *weight;
    anderson *a = imp_anderson_new(N, N, &weight);
    if (!a || b->over_bodies || b->states != N) exit(1);
    for (int i = 0; i < N; i++)
        weight[i] = b->contact[i / 3].weight * b->contact[i / 3].weight;

    begin(b);
    const double changed = sqrt(0.01 + 0.64 + 4.41 + 0.36 + 0.140625 + 0.01);
    is_near(apply(a, b, five, target), changed * b->contact[0].weight, 0, 1e-14,
            "the residual is the norm of what the map changed, as a velocity");
    for (int i = 0; i < N; i++)
        plain[i] = (1 - five[i]) * target[i];
    ok(off(b->p, plain) < 1e-15, "the first image stays as it is");
    for (int k = 2; k <= 6; k++)
        apply(a, b, five, target);
    ok(off(b->p, target) < 1e-6, "five differences give a fixed point of five rates (off by %.1e)",
       off(b->p, target));
    ok(state_off(b) < 1e-14, "the state is mixed alike");

    imp_anderson_forget(a);
    const int first = applications(a, b, five);
    ok(first == 6, "from another start after forgetting: %d applications", first);
    imp_anderson_forget(a);
    const int more = applications(a, b, six);
    ok(more > 6 && more <= 20, "six rates take old differences away for new ones: %d applications",
       more);

    /* differences 1e9 as large, and what is known of them */
    static const double two[N] = {0.9, 0.5, 0.9, 0.5, 0.9, 0.5},
                        far[N] = {1e9, -2e9, 3e9, 1e9, -1e9, 2e9};
    imp_anderson_forget(a);
    begin(b);
    for (int k = 0; k < 5; k++)
        apply(a, b, six, far);
    imp_anderson_forget(a);
    const int after_far = applications(a, b, two);
    ok(after_far == 3, "whatever their size was: %d applications", after_far);

    double p[N];
    imp_anderson_forget(a);
    begin(b);
    for (int k = 0; k < 4; k++)
        apply(a, b, six, target);
    for (int i = 0; i < N; i++)
        p[i] = b->p[i] = -20;
    const double residual = apply(a, b, two, target);
    for (int i = 0; i < N; i++)
        plain[i] = target[i] + two[i] * (p[i] - target[i]);
    ok(off(b->p, plain) < 1e-13, "where it grew by more than 2 too (to %.1e)", residual);
    for (int k = 0; k < 2; k++)
        apply(a, b, two, target);
    ok(off(b->p, target) < 1e-5, "and the history begins there: off by %.1e two applications later",
       off(b->p, target));

    imp_anderson_free(a);
    imp_blockwise_free(b);
    return tap_done();
}
