/* stats.c - exact intervals of counted frequencies, by GSL's distribution functions. */
#include "benchmarks/harness/stats.h"

#include <gsl/gsl_cdf.h>
#include <stdbool.h>

stats_interval stats_probability(long k, long n, double level) {
    const double tail = 0.5 * (1 - level);
    return (stats_interval){
        .low = k > 0 ? gsl_cdf_beta_Pinv(tail, (double)k, (double)(n - k + 1)) : 0,
        .high = k < n ? gsl_cdf_beta_Qinv(tail, (double)(k + 1), (double)(n - k)) : 1,
    };
}

/* Would k here and j there be an odd split of k + j? */
static bool admitted(long k, long j, double share, double tail) {
    const unsigned total = (unsigned)(k + j), here = (unsigned)k;
    const double at_most = gsl_cdf_binomial_P(here, share, total);
    const double at_least = here > 0 ? gsl_cdf_binomial_Q(here - 1, share, total) : 1;
    return at_most > tail && at_least > tail;
}

/* The last admitted j from `inside`, which is, to `outside`. */
static long last_admitted(long k, long inside, long outside, double share, double tail) {
    if (admitted(k, outside, share, tail)) return outside;
    while (outside - inside > 1 || inside - outside > 1) {
        const long middle = inside + (outside - inside) / 2;
        if (admitted(k, middle, share, tail))
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

stats_interval stats_second_sample(long k, long n, long m, double level) {
    const double share = (double)n / ((double)n + (double)m), tail = 0.5 * (1 - level);
    const long middle = (long)((double)k * (double)m / (double)n);
    return (stats_interval){
        .low = (double)last_admitted(k, middle, 0, share, tail) / (double)m,
        .high = (double)last_admitted(k, middle, m, share, tail) / (double)m,
    };
}
