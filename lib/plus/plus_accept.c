/* plus_accept.c - what still approaches, and does an impulse solve the interval? Table 1 of Uchida,
 * Sherman, Delp (2015). */
#include "base/finite.h"
#include "plus/plus_internal.h"

#include <float.h>

/* Sums of W pi round by so much of what their terms add up to. */
static const double ROUNDING = 8 * DBL_EPSILON;

bool imp_plus_approaches(const plus *s, int i, bool pushed) {
    const double *q = s->q + 3 * i, v = s->v[3 * i] - s->aim[3 * i];
    if (v >= -1e-12 * fabs(q[0])) return false; /* mostly it is clear without W p */
    double size[3] = {fabs(q[0]), fabs(q[1]), fabs(q[2])};
    for (int c = 0; pushed && c < s->n; c++) {
        const double p = fabs(s->p[c]), *W = s->W + (size_t)c * s->n + 3 * i;
        for (int r = 0; r < 3; r++)
            size[r] += fabs(W[r]) * p;
    }
    return v < -1e-12 * plus_largest(size, 3);
}

bool imp_plus_approaching(const plus *s) {
    const bool pushed = !imp_all_zero(s->p, (size_t)s->n);
    for (int i = 0; i < s->nc; i++)
        if (s->phase[i] == 'C' && imp_plus_approaches(s, i, pushed)) return true;
    return false;
}

bool imp_plus_misses(const plus *s, int r, double miss) {
    if (!plus_beyond_speed(s, miss, 1e-10)) return false;
    double terms = 0;
    for (int c = 0; c < s->n; c++)
        terms += fabs(s->W[(size_t)c * s->n + r] * s->pi[c]);
    return miss > ROUNDING * terms;
}

bool imp_plus_opposes(const plus *s, int i, double tolerance) {
    const double *d = s->slip + 2 * i, *v = s->v + 3 * i, *w = s->Wpi + 3 * i;
    const double t = v[1] + w[1], o = v[2] + w[2], size = plus_speed(s);
    return fabs(d[0] * o - d[1] * t) <= tolerance * size &&
           d[0] * t + d[1] * o >= -tolerance * size;
}

bool imp_plus_arrives(const plus *s, bool ends) {
    const double *v = s->v, *w = s->Wpi;
    for (int i = 0, nc = s->nc; i < nc; i++, v += 3, w += 3) {
        if (s->phase[i] == 'C') {
            const double n = v[0] + w[0] - s->aim[3 * i], gap = s->active[i] ? fabs(n)
                                                                : ends       ? -n
                                                                             : 0;
            if (imp_plus_misses(s, 3 * i, gap)) return false;
        }
        const char motion = s->motion[i];
        if (motion == 's' || s->phase[i] == 'O' || s->pi[3 * i] == 0) continue;
        for (int r = 1; motion == 'r' && r < 3; r++)
            if (imp_plus_misses(s, 3 * i + r, fabs(v[r] + w[r]))) return false;
        if (motion == 'i' && !imp_plus_opposes(s, i, 1e-10)) return false;
    }
    return true;
}

bool imp_plus_solves(const plus *s, bool ends) {
    for (int i = 0; i < s->nc; i++)
        if (plus_beyond_push(s, plus_violation(s, i), 1e-11)) return false;
    return imp_plus_arrives(s, ends);
}

bool imp_plus_accept(plus *s) {
    return imp_plus_solves(s, true) ||
           (s->redundant && imp_plus_spread(s) && imp_plus_solves(s, true));
}
