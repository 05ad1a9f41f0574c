/* stats.c - exact intervals of counted frequencies, by GSL's distribution functions. */
#include "benchmarks/harness/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

/* The p at which at least k of n have the probability `tail`: increasing in p, closed in on by
 * bisection of log p (GSL's own inverse fails for some small p). */
static double probability_of(long k, long n, double tail) {
    double low = 1e-18, high = 1;
    for (int i = 0; i < 200; i++) {
        const double p = sqrt(low) * sqrt(high);
        if (gsl_cdf_beta_P(p, (double)k, (double)(n - k + 1)) < tail)
            low = p;
        else
            high = p;
    }
    return high;
}

stats_interval stats_probability(long k, long n, double level) {
    const double tail = 0.5 * (1 - level);
    return (stats_interval){
        .low = k > 0 ? probability_of(k, n, tail) : 0,
        .high = k < n ? probability_of(k + 1, n, 1 - tail) : 1,
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

double stats_exponent(int n, const double *x, const double *y, int *used) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    *used = 0;
    for (int i = 0; i < n; i++) {
        const double u = log(x[i]), v = log(y[i]);
        if (!isfinite(u) || !isfinite(v)) continue;
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
        (*used)++;
    }
    const double spread = *used * sxx - sx * sx;
    return spread > 1e-12 * *used * sxx ? (*used * sxy - sx * sy) / spread : NAN;
}

stats_interval stats_exponent_range(int n, const double *x, const double *y, double level) {
    int used;
    double mean[2] = {0}, square = 0, spread = 0;
    const double slope = stats_exponent(n, x, y, &used);
    if (used < 3) return (stats_interval){NAN, NAN};
    for (int i = 0; i < n; i++)
        if (isfinite(log(x[i])) && isfinite(log(y[i]))) {
            mean[0] += log(x[i]) / used;
            mean[1] += log(y[i]) / used;
        }
    for (int i = 0; i < n; i++)
        if (isfinite(log(x[i])) && isfinite(log(y[i]))) {
            const double u = log(x[i]) - mean[0], off = log(y[i]) - mean[1] - slope * u;
            square += off * off;
            spread += u * u;
        }
    const double half =
        gsl_cdf_tdist_Pinv(0.5 * (1 + level), used - 2) * sqrt(square / (used - 2) / spread);
    return (stats_interval){slope - half, slope + half};
}
