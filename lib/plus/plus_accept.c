/* plus_accept.c - does an impulse solve the interval? Table 1 of Uchida, Sherman, Delp (2015). */
#include "plus/plus_internal.h"

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
            if (plus_beyond_speed(s, gap, 1e-10)) return false;
        }
        const char motion = s->motion[i];
        if (motion == 's' || s->phase[i] == 'O' || s->pi[3 * i] == 0) continue;
        if (motion == 'r' && plus_beyond_speed(s, fabs(v[1] + w[1]) + fabs(v[2] + w[2]), 1e-10))
            return false;
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
