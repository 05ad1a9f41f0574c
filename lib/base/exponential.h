/* exponential.h - exp and log from + - * / alone: the same bits on every machine, which those of
 * libm are not (docs/machines.md). Internal. */
#ifndef IMP_EXPONENTIAL_H
#define IMP_EXPONENTIAL_H

#include "base/exact.h"

/* ln 2 in two parts; the first has 33 bits, so that its multiples by exponents are exact. */
#define IMP_LN2_HIGH 0x1.62e42feep-1
#define IMP_LN2_LOW  0x1.a39ef35793c76p-33

/* e^x within two units in the last place: x = k ln 2 + r, |r| <= ln 2 / 2, and the series at r. */
static inline double imp_exp(double x) {
    if (!(x > -746 && x < 710)) return exp(x); /* 0, infinity or NaN */
    const double k = floor(x * 1.4426950408889634 + 0.5),
                 r = x - k * IMP_LN2_HIGH - k * IMP_LN2_LOW;
    double sum = 1;
    for (int n = 15; n > 0; n--)
        sum = 1 + r * sum / n;
    return imp_ldexp(sum, (int)k);
}

/* ln x within two units in the last place of the larger of its two parts: x = 2^k m, m between
 * sqrt(1/2) and sqrt(2), ln m = 2 artanh(f), f = (m - 1)/(m + 1). */
static inline double imp_log(double x) {
    /* cppcheck-suppress invalidFunctionArg */
    if (!(0 * x < x)) return log(x); /* not positive and finite: -infinity, infinity or NaN */
    int k = imp_exponent(x);
    double m = imp_ldexp(x, -k);
    if (m < 0.7071067811865476) {
        m *= 2;
        k--;
    }
    const double f = (m - 1) / (m + 1), square = f * f;
    double sum = 0;
    for (int n = 21; n > 1; n -= 2)
        sum = square * (sum + 1.0 / n);
    return k * IMP_LN2_HIGH + (2 * (f + f * sum) + k * IMP_LN2_LOW);
}

#endif
