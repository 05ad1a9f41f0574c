/* plus_point.c - impending slip of one contact as a quartic, all roots of it.
 *
 * Uchida, Sherman, Delp (2015), eq. (2.9), second line: friction opposes the slip at the END of the
 * interval. The authors solve s x u_to = 0 by Newton's method; that equation has spurious roots
 * where friction pushes along the slip, and Newton's method may miss the root there is. With u_n =
 * 0 the end slip is rational in s, with one denominator D:
 *     D u_to = r - mu H s,   r = v_to A_nn - v_n A_to,n,   H = v_to A_n,to - v_n A_to,to,   D =
 *     A_nn - mu A_n,to s,
 * and with a given normal impulse P (expansion) it is linear: D = 1, r = v_to + A_to,n P, H = P
 * A_to,to. Hence
 *     s x (r - mu H s) = 0
 * is a trigonometric polynomial of degree 2, a quartic in the tangent of half the angle. Its roots
 * are isolated by those of its derivatives on two half circles, so none is missed; kept are those
 * with s . u_to >= 0 and p_n >= 0. */
#include "plus/plus_internal.h"

/* Value and slope of c[0] + c[1] t + ... + c[degree] t^degree. */
static double polynomial(const double *c, int degree, double t, double *slope) {
    double value = c[degree], d = 0;
    for (int i = degree - 1; i >= 0; i--) {
        d = d * t + value;
        value = value * t + c[i];
    }
    *slope = d;
    return value;
}

/* The root between low and high, where the polynomial has opposite signs: Newton, kept inside by
 * bisection. */
static double bracketed_root(const double *c, int degree, double low, double high, double at_low) {
    double t = 0.5 * (low + high);
    for (int i = 0; i < 100; i++) {
        double slope;
        const double value = polynomial(c, degree, t, &slope);
        if (value == 0) return t;
        if ((value > 0) == (at_low > 0))
            low = t;
        else
            high = t;
        double next = t - value / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - t) <= 0x1p-53) return next;
        t = next;
    }
    return t;
}

/* The value at -1 or 1, where the half circles meet: 0 where it could be but for rounding. A body
 * that moves in a plane slides along an axis, and with the sign that rounding gives its root would
 * lie beyond the end of either half. */
static double at_end(const double *c, int degree, double t) {
    double size = 0, ignored;
    for (int i = 0; i <= degree; i++)
        size += fabs(c[i]);
    const double value = polynomial(c, degree, t, &ignored);
    return fabs(value) <= 0x1p-46 * size ? 0 : value;
}

/* The roots of a parabola in (-1, 1), ascending. */
static int parabola_roots(const double *c, double *root) {
    const double half = -0.5 * c[1], square = half * half - c[0] * c[2];
    if (!(square >= 0)) return 0;
    const double sum = half + copysign(sqrt(square), half);
    if (sum == 0) return 0;
    const double a = c[0] / sum, b = c[2] != 0 ? sum / c[2] : INFINITY;
    const double low = a < b ? a : b, high = a < b ? b : a;
    int count = 0;
    if (low > -1 && low < 1) root[count++] = low;
    if (high > -1 && high < 1) root[count++] = high;
    return count;
}

/* Roots in [-1, 1], ascending; at most `degree`. Between two roots of the derivative the polynomial
 * is monotone. */
static int roots(const double *c, int degree, double *root) {
    if (degree == 2) return parabola_roots(c, root);
    double derivative[4] = {0}, turn[4] = {0}, ignored;
    for (int i = 0; i < degree; i++)
        derivative[i] = (i + 1) * c[i + 1];
    const int turns = roots(derivative, degree - 1, turn);
    int count = 0;
    double low = -1, at_low = at_end(c, degree, low);
    for (int i = 0; i <= turns; i++) {
        const double high = i < turns ? turn[i] : 1,
                     at_high = i < turns ? polynomial(c, degree, high, &ignored)
                                         : at_end(c, degree, high);
        if (at_low == 0)
            root[count++] = low;
        else if ((at_low > 0) != (at_high > 0) && at_high != 0)
            root[count++] = bracketed_root(c, degree, low, high, at_low);
        low = high;
        at_low = at_high;
    }
    if (at_low == 0 && count < degree) root[count++] = low;
    return count;
}

typedef struct slip_equation {
    double r[2], H[4]; /* D u_to = r - mu H s */
    double a[3];       /* D = a[0] - a[1] s_t - a[2] s_o */
    double mu, v_n, push;
} slip_equation;

static slip_equation equation_of(const double A[9], const double v[3], double mu, double push) {
    slip_equation e = {.a = {1}, .mu = mu, .v_n = v[0], .push = push};
    for (int i = 0; i < 2; i++) {
        const double *row = A + 3 * (i + 1);
        e.r[i] = push >= 0 ? v[i + 1] + row[0] * push : v[i + 1] * A[0] - v[0] * row[0];
        for (int j = 0; j < 2; j++)
            e.H[2 * i + j] =
                push >= 0 ? push * row[j + 1] : v[i + 1] * A[j + 1] - v[0] * row[j + 1];
    }
    if (!(push >= 0))
        for (int i = 0; i < 3; i++)
            e.a[i] = i == 0 ? A[0] : mu * A[i];
    return e;
}

/* Coefficients in t = tan(angle / 2) of (1 + t^2)^2 s x (r - mu H s) on the half circle around sign
 * * (1, 0). */
static void quartic(const slip_equation *e, double sign, double c[5]) {
    const double r0 = sign * e->r[0], r1 = sign * e->r[1], skew = e->mu * (e->H[3] - e->H[0]);
    c[0] = r1 - e->mu * e->H[2];
    c[1] = -2 * r0 - 2 * skew;
    c[2] = 2 * e->mu * e->H[2] + 4 * e->mu * e->H[1];
    c[3] = -2 * r0 + 2 * skew;
    c[4] = -r1 - e->mu * e->H[2];
}

/* The normal impulse that goes with the direction s, -1 where the end slip would be along
 * friction. */
static double normal_impulse(const slip_equation *e, const double s[2]) {
    const double D = e->a[0] - e->a[1] * s[0] - e->a[2] * s[1];
    const double x = e->r[0] - e->mu * (e->H[0] * s[0] + e->H[1] * s[1]);
    const double y = e->r[1] - e->mu * (e->H[2] * s[0] + e->H[3] * s[1]);
    /* rolling on the very edge of the cone leaves no end slip: rounding must not lose it */
    const double size = fabs(e->r[0]) + fabs(e->r[1]) +
                        e->mu * (fabs(e->H[0]) + fabs(e->H[1]) + fabs(e->H[2]) + fabs(e->H[3]));
    if (!(D > 0) || !(s[0] * x + s[1] * y >= -1e-13 * size)) return -1;
    return e->push >= 0 ? e->push : -e->v_n / D;
}

bool imp_plus_impending_point(const double A[9], const double v[3], double mu, double push,
                              double p[3]) {
    const slip_equation e = equation_of(A, v, mu, push);
    double least = INFINITY, along = -INFINITY;
    for (int half = 0; half < 2; half++) {
        const double sign = half == 0 ? 1 : -1;
        double c[5], t[4];
        quartic(&e, sign, c);
        const int count = roots(c, 4, t);
        for (int i = 0; i < count; i++) {
            const double n = sign / (1 + t[i] * t[i]), s[2] = {(1 - t[i] * t[i]) * n, 2 * t[i] * n};
            const double p_n = normal_impulse(&e, s), stays = s[0] * e.r[0] + s[1] * e.r[1];
            if (p_n < 0 || p_n > least || (p_n == least && stays <= along)) continue;
            least = p_n;
            along = stays;
            p[0] = p_n;
            p[1] = -mu * p_n * s[0];
            p[2] = -mu * p_n * s[1];
        }
    }
    return least < INFINITY;
}
