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

    /* y = 7 x^1.5 with residuals 1, -2, 1 in the logarithm at x = e^-1, 1, e: the slope stays, its
     * error is sqrt(6 / 1 / 2), t = 12.7062047 with one degree of freedom. */
    const double x[] = {exp(-1), 1, exp(1)},
                 y[] = {7 * exp(-1.5 + 1), 7 * exp(-2), 7 * exp(1.5 + 1)};
    const stats_interval slope = stats_exponent_range(3, x, y, 0.95);
    is_near(0.5 * (slope.low + slope.high), 1.5, 1e-14, 0, "the exponent, in the middle");
    is_near(0.5 * (slope.high - slope.low), 12.706204736432 * sqrt(3), 0, 1e-10,
            "and what is open");
    const stats_interval two = stats_exponent_range(2, x, y, 0.95);
    ok(isnan(two.low) && isnan(two.high), "two points leave all open");

    /* Lines of 8 points with normal scatter: 95 in 100 intervals hold the exponent. */
    long held = 0, lines = 2000;
    for (long i = 0; i < lines; i++) {
        gen_stream s = gen_seed(4100, (uint64_t)i);
        double u[8], v[8];
        for (int k = 0; k < 8; k++) {
            u[k] = pow(2, k);
            v[k] = pow(u[k], -2) * exp(0.3 * gen_normal(&s));
        }
        const stats_interval range = stats_exponent_range(8, u, v, 0.95);
        held += range.low <= -2 && -2 <= range.high;
    }
    ok(fabs((double)held / (double)lines - 0.95) < 0.02, "95 %%: %ld of %ld intervals hold", held,
       lines);
    return tap_done();
}
