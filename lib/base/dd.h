/* dd.h - double-double arithmetic: a number as the unevaluated sum hi + lo of two doubles, about 32 digits.
 *
 * Dekker (1971), "A floating-point technique for extending the available precision"; Knuth, TAOCP vol. 2, 4.2.2.
 * Used where a sign decides how many solutions there are: the data of a contact are exact doubles, so the sign is a
 * fact about them. Every operation is right to a few 2^-105 of the absolute values that enter it (not of a result that
 * cancels), as long as nothing leaves 2^-900 .. 2^960. Internal. */
#ifndef IMP_DD_H
#define IMP_DD_H

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "double-double needs each operation rounded to double");

typedef struct dd {
    double hi, lo; /* |lo| <= half a unit in the last place of hi: hi is the number rounded */
} dd;

/* a + b exactly */
static inline dd dd_sum(double a, double b) {
    const double hi = a + b, back = hi - a;
    return (dd){hi, (a - (hi - back)) + (b - back)};
}

/* a + b exactly, |a| >= |b| */
static inline dd dd_tidy(double a, double b) {
    const double hi = a + b;
    return (dd){hi, b - (hi - a)};
}

/* a b exactly: each factor is cut into two halves of 26 bits */
static inline dd dd_product(double a, double b) {
    const double p = a * b, cut_a = 134217729 * a, cut_b = 134217729 * b;
    const double a1 = cut_a - (cut_a - a), a2 = a - a1, b1 = cut_b - (cut_b - b), b2 = b - b1;
    return (dd){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline dd dd_neg(dd a) {
    return (dd){-a.hi, -a.lo};
}

static inline dd dd_add(dd a, dd b) {
    const dd s = dd_sum(a.hi, b.hi);
    return dd_tidy(s.hi, s.lo + (a.lo + b.lo));
}

static inline dd dd_sub(dd a, dd b) {
    return dd_add(a, dd_neg(b));
}

static inline dd dd_mul(dd a, dd b) {
    const dd p = dd_product(a.hi, b.hi);
    return dd_tidy(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a b for a double b */
static inline dd dd_times(dd a, double b) {
    const dd p = dd_product(a.hi, b);
    return dd_tidy(p.hi, p.lo + a.lo * b);
}

/* a b for a power of two b, exactly */
static inline dd dd_shift(dd a, double b) {
    return (dd){a.hi * b, a.lo * b};
}

static inline dd dd_div(dd a, dd b) {
    const double q = a.hi / b.hi;
    const dd rest = dd_sub(a, dd_times(b, q));
    return dd_tidy(q, rest.hi / b.hi);
}

/* a >= 0 */
static inline dd dd_sqrt(dd a) {
    if (!(a.hi > 0)) return (dd){0, 0};
    const double root = sqrt(a.hi);
    const dd rest = dd_sub(a, dd_product(root, root));
    return dd_tidy(root, rest.hi / (2 * root));
}

/* x_1 y_1 + x_2 y_2 and x_1 y_2 - x_2 y_1 */
static inline dd dd_dot(const dd x[2], const dd y[2]) {
    return dd_add(dd_mul(x[0], y[0]), dd_mul(x[1], y[1]));
}

static inline dd dd_cross(const dd x[2], const dd y[2]) {
    return dd_sub(dd_mul(x[0], y[1]), dd_mul(x[1], y[0]));
}

#endif
