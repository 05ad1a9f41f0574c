/* test_length.c - the length of (x, y) against the exact sum of squares, and at the ends of the
 * range. */
#define IMP_ONE_LANE
#include "base/dd.h"
#include "base/length.h"
#include "generators/gen.h"
#include "tests/tap.h"

/* |length^2 - (x^2 + y^2)| / (2 length^2): the relative error of the length, squares taken
 * exactly. */
static double missed(double x, double y) {
    const double length = imp_length(x, y);
    const dd square = dd_add(dd_product(x, x), dd_product(y, y)),
             left = dd_sub(dd_product(length, length), square);
    return fabs(left.hi) / (2 * square.hi);
}

int main(void) {
    gen_stream s = gen_seed(7400, 0);
    double worst = 0;
    bool even = true, exact = true;
    for (int k = 0; k < 200000; k++) {
        const double x = gen_uniform(&s, -1, 1) * exp2(gen_uniform(&s, -30, 30)),
                     y = gen_uniform(&s, -1, 1) * exp2(gen_uniform(&s, -30, 30));
        worst = tap_worst(worst, missed(x, y));
        const double length = imp_length(x, y);
        even = even && length == imp_length(y, x) && length == imp_length(-x, y) &&
               ldexp(length, 900) == imp_length(ldexp(x, 900), ldexp(y, 900)) &&
               ldexp(length, -900) == imp_length(ldexp(x, -900), ldexp(y, -900));
    }
    /* 2^-53 is the rounding of the corrected root, the rest that of the correction; a root alone
     * reaches 1.8 2^-53 */
    ok(worst <= 0x1.2p-53, "within one unit in the last place, 200000 pairs (%.3g)", worst);
    ok(even, "the same for (y, x), (-x, y), and with the scale at 2^900 and 2^-900");
    for (int a = 1; a < 30; a++)
        for (int b = a + 1; b < 30; b += 7)
            if (imp_length(b * b - a * a, 2 * a * b) != b * b + a * a) exact = false;
    ok(exact, "Pythagorean triples are exact");
    ok(imp_length(0, 0) == 0 && imp_length(-3, 0) == 3 && imp_length(0, 5e-324) == 5e-324,
       "along an axis it is the other number, to the smallest");
    ok(imp_length(3e-323, 4e-323) == 5e-323, "numbers without all their digits");
    ok(imp_length(1.2e308, 1.2e308) < INFINITY && imp_length(1.7e308, 1.7e308) == INFINITY,
       "infinite only where it cannot be held");
    ok(imp_length(NAN, -INFINITY) == INFINITY && imp_length(INFINITY, NAN) == INFINITY &&
           imp_length(1, -INFINITY) == INFINITY && isnan(imp_length(NAN, 1)) &&
           isnan(imp_length(1, NAN)) && isnan(imp_length(0, NAN)),
       "infinite where one of them is, NaN where one is");
    return tap_done();
}
