/* test_exponential.c - exp and log of our own against those of the C library in long double, at
 * the ends of the range, and the bits that they must have on every machine. */
#include "base/exponential.h"
#include "generators/gen.h"
#include "tests/tap.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

/* |is - should| in units in the last place of `should`. */
static double units(double is, long double should) {
    const double nearest = fabs((double)should);
    return (double)fabsl(is - should) / (nextafter(nearest, INFINITY) - nearest);
}

/* FNV-1a over the bits of a number. */
static uint64_t add(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 64; i += 8)
        hash = (hash ^ (bits >> i & 0xff)) * UINT64_C(1099511628211);
    return hash;
}

int main(void) {
    gen_stream s = gen_seed(7500, 0);
    double powers = 0, logs = 0;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int k = 0; k < 200000; k++) {
        const double far = gen_uniform(&s, -745, 709), near = gen_uniform(&s, -2, 2),
                     size = gen_uniform(&s, 0.5, 2),
                     any = imp_ldexp(size, (int)gen_uniform(&s, -1073, 1023));
        powers = tap_worst(powers, units(imp_exp(far), expl(far)));
        powers = tap_worst(powers, units(imp_exp(near), expl(near)));
        logs = tap_worst(logs, units(imp_log(any), logl(any)));
        logs = tap_worst(logs, units(imp_log(size), logl(size)));
        hash = add(add(hash, imp_exp(far)), imp_exp(near));
        hash = add(add(hash, imp_log(any)), imp_log(size));
    }
    ok(powers <= 2, "exp within two units in the last place (%.3g)", powers);
    ok(logs <= 2, "log within two units in the last place (%.3g)", logs);
    ok(hash == UINT64_C(0x3885d0e1ac0ae947), "the bits of every machine (%016llx)",
       (unsigned long long)hash);
    ok(imp_exp(0) == 1 && imp_log(1) == 0 && imp_exp(-800) == 0 && imp_exp(710) == INFINITY &&
           imp_log(0) == -INFINITY && imp_log(INFINITY) == INFINITY,
       "at 0 and 1, and beyond the range");
    ok(units(imp_log(DBL_MAX), logl(DBL_MAX)) <= 2 &&
           units(imp_log(0x1p-1074), -1074 * logl(2)) <= 2,
       "at the ends of the range");
    ok(isnan(imp_exp(NAN)) && isnan(imp_log(-1)) && isnan(imp_log(-INFINITY)) &&
           isnan(imp_log(NAN)),
       "NaN is kept");
    return tap_done();
}
