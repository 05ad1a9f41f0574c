/* The curve of slips against the same polynomials with 113 bits: its noise bounds their rounding,
 * and not by much. */
#define IMP_ONE_LANE
#include "generators/gen.h"
#include "single/slip_curve.h"
#include "tap.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;

static quad whole(dd x) {
    return (quad)x.hi + x.lo;
}

/* L and y of the header at k, by definition. */
static void definition(double A, const double a[2], const double T[3], const double b[3], double m,
                       quad k, quad *L, quad y[2]) {
    quad H[3], g[2];
    for (int i = 0; i < 3; i++)
        H[i] = (quad)A * T[i] - (quad)a[i / 2] * a[(i + 1) / 2];
    for (int i = 0; i < 2; i++)
        g[i] = (quad)A * b[1 + i] - (quad)a[i] * b[0];
    y[0] = (H[2] + k) * g[0] - H[1] * g[1];
    y[1] = (H[0] + k) * g[1] - H[1] * g[0];
    *L = m * (b[0] * ((H[0] + k) * (H[2] + k) - H[1] * H[1]) - a[0] * y[0] - a[1] * y[1]);
}

static quad size(quad x) {
    return x < 0 ? -x : x;
}

/* What rounding did to phi at k, over the noise that is allowed there. */
static double share_of_noise(const slip_curve *s, double f, double k, quad L, const quad y[2]) {
    const quad line = whole(s->constant) + k * (whole(s->linear) + k * whole(s->square));
    quad off = size(line - L);
    for (int i = 0; i < 2; i++)
        off += f * size(whole(s->w[i]) + k * whole(s->g[i]) - y[i]);
    return (double)(off / (s->noise[0] + (quad)k * (s->noise[1] + (quad)k * s->noise[2])));
}

/* b_n is `closing` times the problem's; cancels: g is rounding. */
static void test_noise(double closing, bool cancels, const char *name) {
    double worst = 0, k[] = {0, 1e-8, 1, 1e8};
    for (int i = 0; i < 20000; i++) {
        gen_stream stream = gen_seed(82, (uint64_t)i);
        const gen_problem p = gen_spd((uint64_t)i, 8, gen_power10(&stream, -2, 2));
        const double A = p.W[0], *a = p.W + 1, *T = p.W + 3, b_n = -closing * p.q[0];
        const double b[3] = {b_n, cancels ? a[0] * b_n / A : -p.q[1],
                             cancels ? a[1] * b_n / A : -p.q[2]};
        slip_curve s;
        dd H[3];
        slip_begin(&s, A, a, T, b, H);
        (void)slip_end(&s, A, a, T, b, H, p.mu, A, 1);
        for (int j = 0; j < 4; j++) {
            quad L, y[2];
            const double at = k[j] * s.trace.hi;
            definition(A, a, T, b, p.mu, at, &L, y);
            worst = tap_worst(worst, share_of_noise(&s, A, at, L, y));
        }
    }
    ok(worst <= 1 && worst > 0x1p-10,
       "%s: rounding of the curve is up to %.1e of what its noise allows", name, worst);
}

int main(void) {
    test_noise(1, false, "closing");
    test_noise(-1, false, "opening");
    test_noise(1e-20, false, "nearly at rest");
    test_noise(0, false, "at rest");
    test_noise(1, true, "nearly a head-on blow");
    return tap_done();
}
#else
int main(void) {
    return skip_all("no 128-bit numbers");
}
#endif
