/* plus_accept.c - does an impulse solve the interval? Table 1 of Uchida, Sherman, Delp (2015). */
#include "plus/plus_internal.h"

bool imp_plus_opposes(const plus *s, int i, double tolerance) {
    const double *d = s->slip + 2 * i, *v = s->v + 3 * i, *w = s->Wpi + 3 * i;
    const double t = v[1] + w[1], o = v[2] + w[2], size = plus_speed(s);
    return fabs(d[0] * o - d[1] * t) <= tolerance * size &&
           d[0] * t + d[1] * o >= -tolerance * size;
}

bool imp_plus_arrives(const plus *s, bool ends) {
    for (int i = 0; i < s->nc; i++) {
        const double n = s->v[3 * i] + s->Wpi[3 * i] - s->aim[3 * i];
        const double gap = s->phase[i] != 'C' ? 0 : s->active[i] ? fabs(n) : ends ? -n : 0;
        if (plus_beyond_speed(s, gap, 1e-10)) return false;
        if (s->motion[i] == 's' || s->phase[i] == 'O' || s->pi[3 * i] == 0) continue;
        const double t = s->v[3 * i + 1] + s->Wpi[3 * i + 1],
                     o = s->v[3 * i + 2] + s->Wpi[3 * i + 2];
        if (s->motion[i] == 'r' && plus_beyond_speed(s, fabs(t) + fabs(o), 1e-10)) return false;
        if (s->motion[i] == 'i' && !imp_plus_opposes(s, i, 1e-10)) return false;
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
