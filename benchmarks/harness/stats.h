/* stats.h - what a counted frequency says: exact intervals from the binomial distribution (Clopper
 * and Pearson 1934); and how a cost grows. */
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

/* The exponent of y = c x^exponent by least squares in the logarithms over those of n points where
 * both are positive and finite; NaN where fewer than two x differ. *used: how many. */
double stats_exponent(int n, const double *x, const double *y, int *used);

/* The same exponent, with what the scatter of the points about the line leaves open at a level: by
 * Student's t with two fewer degrees of freedom than points. Both ends NaN where fewer than three
 * points count. */
stats_interval stats_exponent_range(int n, const double *x, const double *y, double level);

#endif
