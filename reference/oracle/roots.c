/* roots.c - all real roots of a polynomial, by Rolle's theorem and bisection.
 *
 * Between two neighbouring roots of the derivative a polynomial is monotone and has at most one
 * root, which a change of sign shows; the roots of the derivative are found in the same way, down
 * to degree one. Unlike Sturm's chain it divides by nothing, so that coefficients of any sizes will
 * do. */
#include "quad.h"

#include <stdbool.h>

static quad value(const quad *c, int degree, quad x) {
    quad sum = 0;
    for (int i = degree; i >= 0; i--)
        sum = sum * x + c[i];
    return sum;
}

/* The change of sign in (low, high], to neighbouring numbers. */
static quad bisect(const quad *c, int degree, quad low, quad high) {
    const bool rising = value(c, degree, high) > 0;
    for (;;) {
        const quad middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return high;
        const quad at = value(c, degree, middle);
        if (at == 0) return middle;
        if ((at > 0) == rising)
            high = middle;
        else
            low = middle;
    }
}

static int roots(const quad *c, int degree, quad low, quad high, quad *root) {
    quad slope[QUAD_DEGREE], turn[QUAD_DEGREE + 1];
    int turns = 0, count = 0;
    if (degree > 1) {
        for (int i = 1; i <= degree; i++)
            slope[i - 1] = i * c[i];
        turns = roots(slope, degree - 1, low, high, turn);
    }
    turn[turns] = high;
    quad from = low, at_from = value(c, degree, low);
    for (int k = 0; k <= turns; k++) {
        const quad at = value(c, degree, turn[k]);
        if (at == 0) {
            if (turn[k] > from) root[count++] = turn[k];
        } else if (at_from != 0 && (at > 0) != (at_from > 0)) {
            root[count++] = bisect(c, degree, from, turn[k]);
        }
        from = turn[k];
        at_from = at;
    }
    return count;
}

int quad_roots(const quad c[QUAD_DEGREE + 1], quad low, quad high, quad root[QUAD_DEGREE]) {
    int degree = QUAD_DEGREE;
    while (degree >= 0 && c[degree] == 0)
        degree--;
    return degree < 0 ? -1 : degree == 0 ? 0 : roots(c, degree, low, high, root);
}
