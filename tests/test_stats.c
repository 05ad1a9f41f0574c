/* test_stats.c - intervals of counted frequencies, against closed forms and against their
 * definition. */
#include "benchmarks/harness/stats.h"
#include "generators/gen.h"
#include "tests/tap.h"

/* P(at least k of n), summed. */
static double at_least(long k, long n, double p) {
    double sum = 0;
    for (long j = k; j <= n; j++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)j + 1) - lgamma((double)(n - j) + 1) +
                   (double)j * log(p) + (double)(n - j) * log1p(-p));
    return sum;
}

int main(void) {
    is_near(stats_probability(0, 10, 0.95).low, 0, 0, 0, "none of ten: low");
    is_near(stats_probability(0, 10, 0.95).high, 1 - pow(0.025, 0.1), 0, 1e-12,
            "none of ten: high");
    is_near(stats_probability(10, 10, 0.95).low, pow(0.025, 0.1), 0, 1e-12, "ten of ten: low");
    is_near(stats_probability(10, 10, 0.95).high, 1, 0, 0, "ten of ten: high");
    is_near(stats_probability(1, 1000000, 0.95).low, -log1p(-0.025) / 1e6, 0, 1e-5,
            "one of a million: low");
    for (long k = 1; k < 40; k += 6) {
        const stats_interval p = stats_probability(k, 40, 0.99);
        is_near(at_least(k, 40, p.low), 0.005, 0, 1e-9, "%ld of 40: low leaves 0.005 above", k);
        is_near(1 - at_least(k + 1, 40, p.high), 0.005, 0, 1e-9,
                "%ld of 40: high leaves 0.005 below", k);
    }

    /* Two samples of one source: rejected at most as often as the level says, and not much less. */
    long rejected = 0, pairs = 4000;
    for (long i = 0; i < pairs; i++) {
        gen_stream s = gen_seed(4000, (uint64_t)i);
        long k = 0, j = 0;
        for (int t = 0; t < 300; t++)
            k += gen_uniform(&s, 0, 1) < 0.2;
        for (int t = 0; t < 500; t++)
            j += gen_uniform(&s, 0, 1) < 0.2;
        const stats_interval range = stats_second_sample(k, 300, 500, 0.95);
        const double f = (double)j / 500;
        rejected += !(range.low <= f && f <= range.high);
    }
    ok((double)rejected <= 0.05 * 1.25 * (double)pairs, "95 %%: %ld of %ld true pairs rejected",
       rejected, pairs);
    ok((double)rejected >= 0.02 * (double)pairs, "and the interval is not idle");
    const stats_interval none = stats_second_sample(0, 100000, 300000, 0.999);
    ok(none.low <= 0 && none.high > 0 && none.high < 1e-4, "none of 1e5: up to %.2g in 3e5",
       none.high);
    const stats_interval many = stats_second_sample(1000, 100000, 100000, 0.999);
    ok(many.low < 0.0095 && many.high > 0.0105 && many.low > 0.008 && many.high < 0.012,
       "1000 of 1e5: [%.4f, %.4f]", many.low, many.high);
    return tap_done();
}
