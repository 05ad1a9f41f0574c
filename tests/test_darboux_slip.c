/* test_darboux_slip.c - pieces of the Darboux-Keller slip, each from its definition: the diverging
 * ray, the parabola, the stop, stick at the origin. */
enum { ORDER = 22 }; /* of the Taylor series */

#define IMP_ONE_LANE
#include "single/darboux_slip.h"

#include "generators/gen.h"
#include "tap.h"

/* On a ray the slip does not turn: w'.b - w'.A w = 0, and the diverging one is where (lambda E + A)
 * w = b with lambda = its growth, not negative. A: from round to nearly of rank 1; b so long that
 * there is one. */
static void test_diverging(void) {
    double turn = 0, growth = 0;
    bool grows = true;
    for (uint64_t k = 0; k < 4000; k++) {
        gen_stream s = gen_seed(811, k);
        const double flat = gen_power10(&s, -14, 0), at = gen_uniform(&s, 0, 7), c = cos(at),
                     o = sin(at);
        const double size = gen_power10(&s, -3, 3), to = gen_uniform(&s, 0, 7),
                     longer = gen_power10(&s, -8, 1);
        const vec A[3] = {size * (c * c + flat * o * o), size * (1 - flat) * c * o,
                          size * (o * o + flat * c * c)};
        /* b = (1 + longer) A n + longer size n: |A^-1 b| > 1 */
        const double n[2] = {cos(to), sin(to)};
        vec b[2], w[2];
        for (int i = 0; i < 2; i++)
            b[i] = (1 + longer) * (A[i] * n[0] + A[i + 1] * n[1]) + longer * size * n[i];
        const double got = diverging_ray(A, b, true, w), scale = size + hypot(b[0], b[1]);
        const double rest[2] = {b[0] - A[0] * w[0] - A[1] * w[1], b[1] - A[1] * w[0] - A[2] * w[1]};
        turn = tap_worst(turn, fabs(w[0] * rest[1] - w[1] * rest[0]) / scale);
        growth = tap_worst(growth, fabs(w[0] * rest[0] + w[1] * rest[1] - got) / scale);
        grows = grows && got >= 0 && fabs(hypot(w[0], w[1]) - 1) < 1e-15;
    }
    ok(grows && turn < 1e-15 && growth < 1e-15, "diverging rays: turn %.1e, growth off by %.1e",
       turn, growth);
}

/* Every coefficient of the series solves the slip's equations: n x_n = (g x - A12 y + b1 d)_(n-1),
 * the same for y, and d (2x + d) = y^2. */
static void test_taylor(void) {
    double off = 0;
    for (uint64_t k = 0; k < 200; k++) {
        gen_stream s = gen_seed(815, k);
        rates r = {0};
        vec *const rate[] = {&r.A11, &r.A12, &r.A22, &r.b1, &r.b2, &r.g, &r.f};
        for (int i = 0; i < 7; i++)
            *rate[i] = gen_uniform(&s, -1, 1);
        vec x[ORDER + 1], y[ORDER + 1], d[ORDER + 1];
        taylor(&r, x, y, d);
        for (int n = 1; n <= ORDER; n++) {
            const double along = r.g * x[n - 1] - r.A12 * y[n - 1] + r.b1 * d[n - 1];
            const double across = r.f * x[n - 1] - r.A22 * y[n - 1] + r.b2 * d[n - 1];
            double left = 0, size = DBL_MIN;
            for (int i = 0; i <= n; i++) {
                const double terms[2] = {d[i] * (2 * x[n - i] + d[n - i]), y[i] * y[n - i]};
                left += terms[0] - terms[1];
                size += fabs(terms[0]) + fabs(terms[1]);
            }
            off = tap_worst(off, fabs(n * x[n] - along) / (fabs(along) + DBL_MIN));
            off = tap_worst(off, fabs(n * y[n] - across) / (fabs(across) + DBL_MIN));
            off = tap_worst(off, fabs(left) / size);
        }
    }
    ok(off < 1e-13, "Taylor coefficients (%.1e)", off);
}

/* part = slope x + curve x^2, from slopes of either sign and curves of either, near 0 and far. */
static void test_parabola(void) {
    double off = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        gen_stream s = gen_seed(812, k);
        const double width = gen_power10(&s, -3, 3), slope = gen_uniform(&s, 0.01, 1);
        const double curve = gen_uniform(&s, -0.49, 5) * slope / width,
                     x = width * gen_uniform(&s, 0.001, 1);
        const double got =
            parabola(x * (slope + curve * x), slope, width * (slope + curve * width), width);
        off = tap_worst(off, fabs(got - x) / x);
        const double still = parabola(curve * x * x, 0, curve * width * width, width);
        off = tap_worst(off, curve > 0 ? fabs(still - x) / x : fabs(still - width) / width);
    }
    ok(off < 1e-12, "parabolas are followed back (%.1e)", off);
}

/* Where u_z = uz + rise p, Newton's law misses velocity, Poisson's impulse, Stronge's work. */
static void test_stop(void) {
    double off = 0;
    for (uint64_t k = 0; k < 1000; k++) {
        gen_stream s = gen_seed(813, k);
        const double p = gen_uniform(&s, 0.1, 2), uz = gen_uniform(&s, 0, 2),
                     rise = gen_uniform(&s, 0.1, 3);
        off = tap_worst(off, fabs(stopping_distance(IMP_NEWTON, rise * p, uz, rise) - p));
        off = tap_worst(off, fabs(stopping_distance(IMP_POISSON, p, uz, rise) - p));
        off = tap_worst(
            off, fabs(stopping_distance(IMP_STRONGE, uz * p + rise * p * p / 2, uz, rise) - p));
        const double falls = uz / (4 * p); /* u_z falls, and the work is reached before it is 0 */
        off = tap_worst(
            off, fabs(stopping_distance(IMP_STRONGE, uz * p - falls * p * p / 2, uz, -falls) - p));
    }
    ok(off < 1e-13, "stops (%.1e)", off);
    ok(isinf(stopping_distance(IMP_NEWTON, 1, 1, 0)) &&
           isinf(stopping_distance(IMP_STRONGE, 1, 0.5, -1)),
       "what is never reached is no stop");
    ok(stopping_distance(IMP_STRONGE, 0, 1, 1) == 0 && stopping_distance(IMP_NEWTON, -1, 1, 1) == 0,
       "nothing misses");
}

/* M c = b, and the rise 1 / (K^-1)_zz by the determinants of K and M. */
static void test_origin(void) {
    double off = 0;
    for (uint64_t k = 0; k < 1000; k++) {
        gen_stream s = gen_seed(814, k);
        const vec M[3] = {1 + gen_uniform(&s, 0, 1), gen_uniform(&s, -0.9, 0.9),
                          1 + gen_uniform(&s, 0, 1)};
        const vec b[2] = {gen_uniform(&s, -0.4, 0.4), gen_uniform(&s, -0.4, 0.4)}, K33 = 2;
        vec c[2];
        const double rise = stick_at_origin(M, b, K33, c), det = M[0] * M[2] - M[1] * M[1];
        const double whole =
            K33 * det - b[0] * (M[2] * b[0] - M[1] * b[1]) - b[1] * (M[0] * b[1] - M[1] * b[0]);
        off = tap_worst(off, fabs(M[0] * c[0] + M[1] * c[1] - b[0]) +
                                 fabs(M[1] * c[0] + M[2] * c[1] - b[1]));
        off = tap_worst(off, fabs(rise - whole / det));
    }
    ok(off < 1e-14, "stick at the origin (%.1e)", off);
}

int main(void) {
    test_diverging();
    test_taylor();
    test_parabola();
    test_stop();
    test_origin();
    return tap_done();
}
