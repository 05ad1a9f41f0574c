/* sturm.c - real roots of a polynomial by Sturm's theorem (1829) and bisection.
 *
 * The chain is p, p', and negated remainders; the number of sign changes along it at a, less that at b, is the number
 * of distinct roots in (a, b]. */
#include "quad.h"

#include <stdbool.h>

typedef struct polynomial {
    int degree; /* -1: zero */
    quad c[QUAD_DEGREE + 1];
} polynomial;

typedef struct chain {
    int length;
    polynomial p[QUAD_DEGREE + 2];
} chain;

/* Drops leading coefficients that are nothing but rounding beside `noise`, and scales the largest to 1. */
static polynomial tidy(const quad *c, int degree, quad noise) {
    polynomial p = {.degree = degree};
    quad big = 0;
    for (int i = 0; i <= degree; i++)
        big = quad_abs(c[i]) > big ? quad_abs(c[i]) : big;
    while (p.degree >= 0 && quad_abs(c[p.degree]) <= noise)
        p.degree--;
    for (int i = 0; i <= p.degree; i++)
        p.c[i] = c[i] / big;
    return p;
}

static polynomial negated_remainder(const polynomial *a, const polynomial *b) {
    quad r[QUAD_DEGREE + 1], size = 0;
    for (int i = 0; i <= a->degree; i++)
        r[i] = -a->c[i];
    for (int top = a->degree; top >= b->degree; top--) {
        const quad factor = r[top] / b->c[b->degree];
        size = quad_abs(factor) > size ? quad_abs(factor) : size;
        for (int i = 0; i <= b->degree; i++)
            r[top - b->degree + i] -= factor * b->c[i];
    }
    return tidy(r, b->degree - 1, 1e-32L * (1 + size));
}

static chain chain_of(const polynomial *p) {
    chain s = {2, {*p}};
    quad slope[QUAD_DEGREE + 1] = {0};
    for (int i = 1; i <= p->degree; i++)
        slope[i - 1] = i * p->c[i];
    s.p[1] = tidy(slope, p->degree - 1, 0);
    while (s.p[s.length - 1].degree > 0) {
        s.p[s.length] = negated_remainder(&s.p[s.length - 2], &s.p[s.length - 1]);
        if (s.p[s.length].degree < 0) break;
        s.length++;
    }
    return s;
}

static quad value(const polynomial *p, quad x) {
    quad sum = 0;
    for (int i = p->degree; i >= 0; i--)
        sum = sum * x + p->c[i];
    return sum;
}

static int changes(const chain *s, quad x) {
    int count = 0, last = 0;
    for (int k = 0; k < s->length; k++) {
        const quad v = value(&s->p[k], x);
        const int sign = (v > 0) - (v < 0);
        count += sign != 0 && last != 0 && sign != last;
        if (sign != 0) last = sign;
    }
    return count;
}

/* Is the interval down to neighbouring numbers? */
static bool narrow(quad low, quad high) {
    const quad size = quad_abs(low) > quad_abs(high) ? quad_abs(low) : quad_abs(high);
    return high - low <= size * 0x1p-111L || size < 0x1p-3000L;
}

/* One distinct root is in (low, high]. */
static quad refine(const chain *s, quad low, quad high) {
    const quad at_high = value(&s->p[0], high);
    const bool crosses = (value(&s->p[0], low) < 0) != (at_high < 0) && at_high != 0;
    const int at_low = changes(s, low);
    while (!narrow(low, high)) {
        const quad middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        const bool left = crosses ? (value(&s->p[0], middle) < 0) == (at_high < 0) : changes(s, middle) < at_low;
        if (left)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static int isolate(const chain *s, quad low, quad high, quad *root) {
    const int count = changes(s, low) - changes(s, high);
    if (count <= 0) return 0;
    if (count == 1 || narrow(low, high)) { /* roots that 113 bits cannot tell apart count as one */
        root[0] = refine(s, low, high);
        return 1;
    }
    const quad middle = low + (high - low) / 2;
    const int left = isolate(s, low, middle, root);
    return left + isolate(s, middle, high, root + left);
}

int quad_roots(const quad c[QUAD_DEGREE + 1], quad low, quad high, quad root[QUAD_DEGREE]) {
    const polynomial p = tidy(c, QUAD_DEGREE, 0);
    if (p.degree <= 0) return p.degree;
    const chain s = chain_of(&p);
    return isolate(&s, low, high, root);
}
