/* test_friction_cone.c - nearest points of the friction cone and of the disc, from what makes a
 * point the nearest one, and their derivatives against differences. */
#include "contact/friction_cone.h"
#include "generators/gen_tree.h"
#include "tap.h"

#include <float.h>

enum { MANY = 20000 };
static const double rounding = 4 * DBL_EPSILON; /* of a few operations on numbers of at most 1 */

/* The largest difference, relative to |x| = 1, of D h from f(x + h) - f(x - h) halved, h along each
 * of n axes. */
static double misfit(int n, void (*f)(double, const double *, double *), double bound,
                     const double *x, const double *D) {
    const double h = 1e-6;
    double worst = 0;
    for (int c = 0; c < n; c++) {
        double up[3], down[3], high[3], low[3];
        memcpy(up, x, (size_t)n * sizeof *x);
        memcpy(down, x, (size_t)n * sizeof *x);
        up[c] += h;
        down[c] -= h;
        f(bound, up, high);
        f(bound, down, low);
        for (int r = 0; r < n; r++)
            worst = tap_worst(worst, fabs((high[r] - low[r]) / (2 * h) - D[n * r + c]));
    }
    return worst;
}

static void onto_cone(double mu, const double *x, double *y) {
    imp_cone_project(mu, x, y, NULL);
}

static void onto_disc(double radius, const double *x, double *y) {
    imp_disc_project(radius, x, y, NULL, NULL);
}

/* y is the point of a convex cone next to x if it lies in it, x - y in the polar one, and both are
 * orthogonal: here |y_T| <= mu y_n and mu |r_T| <= -r_n for r = x - y. */
static void test_cone(void) {
    double outside = 0, apart = 0, moved = 0, slope = 0;
    int place[3] = {0}; /* inside, at the apex, beside */
    for (uint64_t i = 0; i < MANY; i++) {
        gen_stream s = gen_seed(1201, i);
        const double mu = i % 50 ? gen_power10(&s, -2, 2) : 0;
        double x[3], y[3], same[3], D[9], r[3], along = 0;
        gen_unit(&s, x, 3);
        imp_cone_project(mu, x, y, D);
        memcpy(same, x, sizeof x);
        imp_cone_project(mu, same, same, NULL);
        for (int k = 0; k < 3; k++) {
            r[k] = x[k] - y[k];
            along += r[k] * y[k];
            moved = tap_worst(moved, fabs(same[k] - y[k]));
        }
        const double size = fmax(1, mu), gap = fabs(hypot(x[1], x[2]) - mu * x[0]) / size,
                     other = fabs(mu * hypot(x[1], x[2]) + x[0]) / size;
        outside = tap_worst(outside, (hypot(y[1], y[2]) - mu * y[0]) / size);
        outside = tap_worst(outside, (mu * hypot(r[1], r[2]) + r[0]) / size);
        apart = tap_worst(apart, fabs(along));
        place[memcmp(x, y, sizeof x) == 0 ? 0 : y[0] == 0 && y[1] == 0 && y[2] == 0 ? 1 : 2]++;
        if (gap > 1e-3 && other > 1e-3 && hypot(x[1], x[2]) > 1e-2)
            slope = tap_worst(slope, misfit(3, onto_cone, mu, x, D));
    }
    ok(outside <= rounding && apart <= rounding,
       "cone: y in it, x - y in its polar, orthogonal: %.1e, %.1e", outside, apart);
    ok(moved == 0, "cone: y may be x");
    ok(slope <= 1e-7, "cone: the derivative is that of differences: %.1e", slope);
    ok(place[0] > MANY / 10 && place[1] > MANY / 10 && place[2] > MANY / 10,
       "cone: %d points inside, %d next to its apex, %d beside", place[0], place[1], place[2]);
}

static void test_disc(void) {
    double outside = 0, apart = 0, moved = 0, slope = 0, growth = 0;
    int inside = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        gen_stream s = gen_seed(1202, i);
        const double radius = i % 50 ? gen_uniform(&s, 0, 2) : 0, h = 1e-6;
        double x[2], y[2], same[2], D[4], towards[2], wide[2];
        gen_unit(&s, x, 2);
        imp_disc_project(radius, x, y, D, towards);
        memcpy(same, x, sizeof x);
        imp_disc_project(radius, same, same, NULL, NULL);
        imp_disc_project(radius + h, x, wide, NULL, NULL);
        outside = tap_worst(outside, hypot(y[0], y[1]) - radius);
        apart = tap_worst(apart, fabs(hypot(x[0] - y[0], x[1] - y[1]) - fmax(0, 1 - radius)));
        inside += radius > 1;
        for (int k = 0; k < 2; k++) {
            moved = tap_worst(moved, fabs(same[k] - y[k]));
            if (fabs(radius - 1) > 1e-3)
                growth = tap_worst(growth, fabs((wide[k] - y[k]) / h - towards[k]));
        }
        if (fabs(radius - 1) > 1e-3) slope = tap_worst(slope, misfit(2, onto_disc, radius, x, D));
    }
    ok(outside <= rounding && apart <= rounding,
       "disc: y in it, no nearer to the rim than x is: %.1e, %.1e", outside, apart);
    ok(moved == 0, "disc: y may be x");
    ok(slope <= 1e-7 && growth <= 1e-7,
       "disc: derivatives by x and by the radius are those of differences: %.1e, %.1e", slope,
       growth);
    ok(inside > MANY / 10 && inside < MANY * 9 / 10, "disc: %d of %d points inside", inside, MANY);
}

/* Where a square leaves the range of double, and where there is no friction at all. */
static void test_ends(void) {
    const double none[3] = {0, 0, 0}, tiny[2] = {1e-200, -1e-200};
    double y[3] = {1, 2, 3}, D[9], towards[2];
    imp_cone_project(0, none, y, D);
    ok(y[0] == 0 && y[1] == 0 && y[2] == 0 && isfinite(D[0] + D[4] + D[8]),
       "the apex itself stays");
    imp_cone_project(0, (const double[3]){-2, 0, 0}, y, D);
    ok(y[0] == 0 && y[1] == 0 && y[2] == 0 && D[0] == 0 && D[4] == 0 && D[8] == 0,
       "without friction what lies straight below goes to the apex, too");
    imp_disc_project(0, tiny, y, D, towards);
    ok(y[0] == 0 && y[1] == 0 && D[0] == 0 && D[1] == 0 && D[3] == 0 && towards[0] == 0,
       "a disc without radius keeps nothing");
    imp_disc_project(1e-100, tiny, y, D, towards);
    ok(y[0] == tiny[0] && y[1] == tiny[1] && D[0] == 1 && D[1] == 0 && D[3] == 1,
       "a small one what is inside");
    imp_cone_project(NAN, (const double[3]){1, 1, 0}, y, NULL);
    ok(isnan(y[0] + y[1]), "no number in, no number out");
    imp_disc_project(NAN, (const double[2]){1, 1}, y, NULL, NULL);
    ok(isnan(y[0]), "of the disc neither");
}

int main(void) {
    test_cone();
    test_disc();
    test_ends();
    return tap_done();
}
