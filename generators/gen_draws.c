/* gen_draws.c - the generator of gen.h, and the elementary functions behind it. */
#include "gen.h"

#include <math.h>
#include <string.h>

static uint64_t next(gen_stream *s) { /* splitmix64: a counter put through a mixing function */
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

gen_stream gen_seed(uint64_t family, uint64_t index) {
    gen_stream s = {family * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du};
    s.state = next(&s) ^ (index * 0xda942042e4dd58b5u);
    s.state = next(&s);
    return s;
}

double gen_uniform(gen_stream *s, double low, double high) {
    return low + (high - low) * ((double)(next(s) >> 12) + 0.5) * 0x1p-52; /* exact, never 0 or 1 */
}

double gen_sign(gen_stream *s) {
    return gen_uniform(s, -1, 1) < 0 ? -1 : 1;
}

/* libm differs in the last bit between machines; these two do not. */
double gen_exp(double x) {
    const double k = nearbyint(x * 1.4426950408889634);
    const double r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    double sum = 1;
    for (int i = 18; i > 0; i--)
        sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

double gen_log(double x) {
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    const double y = (m - 1) / (m + 1), y2 = y * y;
    double sum = 0;
    for (int i = 25; i > 0; i -= 2)
        sum = sum * y2 + 1.0 / i;
    return 2 * y * sum + exponent * 0.69314718055994531;
}

double gen_normal(gen_stream *s) { /* Marsaglia's polar method */
    for (;;) {
        const double a = gen_uniform(s, -1, 1), b = gen_uniform(s, -1, 1), r = a * a + b * b;
        if (r > 0 && r < 1) return a * sqrt(-2 * gen_log(r) / r);
    }
}

double gen_power10(gen_stream *s, double low, double high) {
    return gen_exp(2.302585092994045684 * gen_uniform(s, low, high));
}

void gen_rotation(gen_stream *s, double R[9]) {
    double q[4], norm = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = gen_normal(s);
        norm += q[i] * q[i];
    }
    norm = sqrt(norm);
    const double w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}
