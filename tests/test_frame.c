/* Contact frames are orthonormal, right-handed and along the normal, whatever the normal. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

static const double eps = 0x1p-52;

/* Largest departure from what a frame of normal v must be: F F' = E, det F = 1, first row along
 * v. */
static double fault(const double v[3], const double F[9]) {
    double worst = 0, big = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double dot =
                F[3 * i] * F[3 * j] + F[3 * i + 1] * F[3 * j + 1] + F[3 * i + 2] * F[3 * j + 2];
            worst = tap_worst(worst, fabs(dot - (i == j)));
        }
    const double det = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
                       F[2] * (F[3] * F[7] - F[4] * F[6]);
    worst = tap_worst(worst, fabs(det - 1));
    long double w[3], length = 0;
    for (int i = 0; i < 3; i++) {
        w[i] = (long double)v[i] / big;
        length += w[i] * w[i];
    }
    for (int i = 0; i < 3; i++)
        worst = tap_worst(worst, (double)fabsl(F[i] - w[i] / sqrtl(length)));
    return worst;
}

/* Departure of the tangent from the rule that docs/formats.md states, (1 - n_x^2 / c, -n_x n_y / c,
 * -s n_x), c = 1 + |n_z|, s the sign of n_z. */
static double off_the_rule(const double F[9]) {
    const double c = 1 + fabs(F[2]), s = signbit(F[2]) ? -1 : 1;
    return fmax(fabs(F[3] - (1 - F[0] * F[0] / c)),
                fmax(fabs(F[4] + F[0] * F[1] / c), fabs(F[5] + s * F[0])));
}

static void test_special(void) {
    static const double normals[][3] = {{0, 0, 1},
                                        {0, 0, -1},
                                        {0, 0, -5},
                                        {0, 0, 1e-300},
                                        {0, 0, -0x1p-1074},
                                        {1, 0, 0},
                                        {-1, 0, 0},
                                        {0, 1, 0},
                                        {0, -1, 0},
                                        {1, 0, -0.0},
                                        {0, 1, -0.0},
                                        {-0.0, -0.0, -1},
                                        {1, 1, 0},
                                        {1, 1, -1e-300},
                                        {1e-9, 0, -1},
                                        {1e-9, 1e-9, 1},
                                        {1e-17, -1e-17, -1},
                                        {1e308, 1e308, 1e308},
                                        {1e308, -1e308, -1e-308},
                                        {1e-308, 2e-308, -3e-308},
                                        {0x1p-1074, 0, 0},
                                        {0x1p-1074, 0x1p-1074, -0x1p-1074},
                                        {1e154, 1, 1e-154},
                                        {3, 4, -0.0}};
    const int n = (int)(sizeof normals / sizeof *normals);
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double F[9];
        const imp_status status = imp_frame_from_normal(normals[i], F);
        const double off =
            status == IMP_OK ? tap_worst(fault(normals[i], F), off_the_rule(F)) : INFINITY;
        if (off > 4 * eps)
            diag("normal %g %g %g: off by %g", normals[i][0], normals[i][1], normals[i][2], off);
        worst = tap_worst(worst, off);
    }
    ok(worst <= 4 * eps,
       "poles, axes, signed zeros, subnormal and huge normals: %d frames to 4 eps", n);
}

static void test_random(void) {
    double worst = 0, worst_scaled = 0, worst_pole = 0;
    gen_stream s = gen_seed(701, 0);
    for (int k = 0; k < 20000; k++) {
        double v[3], F[9];
        for (int i = 0; i < 3; i++)
            v[i] = gen_normal(&s);
        (void)imp_frame_from_normal(v, F);
        worst = tap_worst(worst, tap_worst(fault(v, F), off_the_rule(F)));
        const double pole[3] = {v[0] * gen_power10(&s, -20, 0), v[1] * gen_power10(&s, -20, 0),
                                copysign(1, v[2])};
        (void)imp_frame_from_normal(pole, F);
        worst_pole = tap_worst(worst_pole, fault(pole, F));
        for (int i = 0; i < 3; i++)
            v[i] *= gen_power10(&s, -300, 300);
        (void)imp_frame_from_normal(v, F);
        worst_scaled = tap_worst(worst_scaled, fault(v, F));
    }
    note("worst: %.2g, towards the poles %.2g, with wild scales %.2g", worst, worst_pole,
         worst_scaled);
    ok(worst <= 6 * eps, "random normals");
    ok(worst_pole <= 6 * eps, "normals close to +-z");
    ok(worst_scaled <= 6 * eps, "components from 1e-300 to 1e300");
}

static void test_tangent(void) {
    double worst = 0, leave = 0;
    gen_stream s = gen_seed(702, 0);
    for (int k = 0; k < 20000; k++) {
        double n[3], t[3], F[9];
        const double tilt = gen_power10(&s, -7, 3), along = gen_normal(&s),
                     scale = gen_power10(&s, -250, 250);
        for (int i = 0; i < 3; i++)
            n[i] = gen_normal(&s);
        double across[9];
        (void)imp_frame_from_normal(n, across);
        for (int i = 0; i < 3; i++) /* sine of the angle to the normal down to about 1e-7 */
            t[i] = (along * across[i] + tilt * across[3 + i]) * scale;
        if (imp_frame_from_tangent(n, t, F) != IMP_OK) {
            worst = INFINITY;
            continue;
        }
        worst = tap_worst(worst, fault(n, F));
        const double sine = tilt / hypot(tilt, along); /* the tangent is known to eps / sine */
        double off = 0;
        for (int i = 0; i < 3; i++)
            off = tap_worst(off, fabs(F[3 + i] - across[3 + i]));
        leave = tap_worst(leave, off * sine);
    }
    note("worst %.2g, tangent off by %.2g / sine", worst, leave);
    ok(worst <= 8 * eps,
       "a frame along a chosen tangent is orthonormal however close the tangent to the normal");
    ok(leave <= 8 * eps, "its first tangent is the chosen one's part across the normal");
}

static void test_refusals(void) {
    const double F0[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, z[3] = {0, 0, 1}, x[3] = {1, 0, 0},
                 zero[3] = {0, -0.0, 0};
    const double almost[3] = {9e-9, 0, 1}, enough[3] = {1.1e-8, 0, 1};
    double F[9];
    memcpy(F, F0, sizeof F);
    ok(imp_frame_from_normal(zero, F) == IMP_BAD_ARGUMENT, "a zero normal is refused");
    ok(imp_frame_from_tangent(z, zero, F) == IMP_BAD_ARGUMENT, "a zero tangent is refused");
    ok(imp_frame_from_tangent(z, almost, F) == IMP_BAD_ARGUMENT,
       "a tangent along the normal is refused");
    for (int i = 0; i < 3; i++) {
        double bad[3] = {1, 1, 1};
        bad[i] = i == 1 ? INFINITY : NAN;
        ok(imp_frame_from_normal(bad, F) == IMP_NOT_FINITE &&
               imp_frame_from_tangent(x, bad, F) == IMP_NOT_FINITE &&
               imp_frame_from_tangent(bad, x, F) == IMP_NOT_FINITE,
           "component %d not finite is refused", i);
    }
    ok(memcmp(F, F0, sizeof F) == 0, "and the frame is untouched");
    ok(imp_frame_from_tangent(z, enough, F) == IMP_OK && fault(z, F) <= 8 * eps,
       "just enough of a tangent is taken");
}

int main(void) {
    test_special();
    test_random();
    test_tangent();
    test_refusals();
    return tap_done();
}
