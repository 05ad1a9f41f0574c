/* stats.h - what a counted frequency says: exact intervals from the binomial distribution (Clopper
 * and Pearson 1934).
 */
#ifndef STATS_H
#define STATS_H

typedef struct stats_interval {
    double low, high;
} stats_interval;

/* The probabilities that k of n leaves open at a level such as 0.95, two-sided. */
stats_interval stats_probability(long k, long n, double level);

/* The frequencies that a second sample of m from the same source may show beside our k of n: those
 * the exact conditional test (k of k + j falls in the first sample with probability n / (n + m))
 * does not reject. */
stats_interval stats_second_sample(long k, long n, long m, double level);

#endif
