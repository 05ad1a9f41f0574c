/* lzb_system.c - what the process of lzb.h and its certificate read of a problem. */
#include "blocks/lzb.h"

#include "base/exact.h"

#include <math.h>
#include <stdlib.h>

const imp_lzb_settings imp_lzb_presets = {
    .exponent = 1.5, .grade = 1, .tolerance = 1e-10, .max_steps = 1e5};

bool imp_lzb_open(imp_lzb_system *s, const imp_problem *problem, const imp_lzb_settings *settings) {
    const size_t n = (size_t)problem->nc;
    double block[9], trace = 0, speed = 0;
    *s = (imp_lzb_system){
        .n = problem->nc, .N = calloc(n * n + 3 * n, sizeof *s->N), .eta = settings->exponent};
    if (!s->N) return false;
    s->q = s->N + n * n;
    s->K = s->q + n;
    s->e = s->K + n;
    s->moves = true;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            problem->W->kind->block(problem->W, (int)i, (int)j, block);
            s->N[i * n + j] = block[0];
        }
        s->q[i] = problem->q[3 * i];
        s->e[i] = problem->e ? problem->e[i] : 0;
        s->K[i] = i == 0 ? 1 : s->K[i - 1] * settings->grade;
        trace = fmax(trace, s->N[i * n + i]);
        speed = fmax(speed, -s->q[i]);
        if (s->q[i] < 0 && !(s->N[i * n + i] > 0)) s->moves = false;
    }
    s->mass = imp_exponent(trace);
    s->speed = imp_exponent(speed);
    imp_shift(s->N, n * n, -s->mass);
    imp_shift(s->q, n, -s->speed);
    s->most = ldexp(speed, -s->speed);
    return true;
}

void imp_lzb_close(imp_lzb_system *s) {
    free(s->N);
}

double imp_lzb_power(double x, double eta) {
    if (!(x > 0)) return 0;
    return eta == 1.5 ? x * sqrt(x) : eta == 1 ? x : eta == 2 ? x * x : pow(x, eta);
}

/* K x^(eta+1) / (eta+1) = speed^2 / 2N */
double imp_lzb_reach(const imp_lzb_system *s, int i, double speed) {
    const double N = s->N[(size_t)i * (size_t)(s->n + 1)], K = s->K[i];
    if (!(N > 0)) return 1;
    const double binades =
        (2 * imp_exponent(speed) - imp_exponent(N) - imp_exponent(K)) / (s->eta + 1);
    return ldexp(1, (int)floor(binades));
}
