/* plus_accept.c - does an impulse solve the interval? Table 1 of Uchida, Sherman, Delp (2015). */
#include "plus/plus_internal.h"

double imp_plus_violation(const plus *s, int i) {
    const double *pi = s->pi + 3 * i;
    if (s->phase[i] == 'O' || (s->phase[i] == 'C' && !s->active[i])) return 0;
    const double pull = s->phase[i] == 'C' ? -pi[0] : 0;
    const double outside =
        s->motion[i] == 'r' ? sqrt(pi[1] * pi[1] + pi[2] * pi[2]) - s->hold[i] * pi[0] : 0;
    const double most = pull > outside ? pull : outside;
    return most > 0 ? most : 0;
}

bool imp_plus_opposes(const plus *s, int i, double tolerance) {
    const double *d = s->slip + 2 * i, *v = s->v + 3 * i, *w = s->Wpi + 3 * i;
    const double t = v[1] + w[1], o = v[2] + w[2],
                 size = fmax(plus_largest(s->v, s->n), plus_largest(s->Wpi, s->n));
    return fabs(d[0] * o - d[1] * t) <= tolerance * size &&
           d[0] * t + d[1] * o >= -tolerance * size;
}

bool imp_plus_solves(const plus *s, bool ends) {
    const double push = plus_largest(s->pi, s->n),
                 speed = fmax(plus_largest(s->v, s->n), plus_largest(s->Wpi, s->n));
    for (int i = 0; i < s->nc; i++) {
        if (imp_plus_violation(s, i) > 1e-11 * push) return false;
        const double n = s->v[3 * i] + s->Wpi[3 * i] - s->aim[i];
        const double t = s->v[3 * i + 1] + s->Wpi[3 * i + 1],
                     o = s->v[3 * i + 2] + s->Wpi[3 * i + 2];
        if (s->phase[i] == 'C' && s->active[i] && fabs(n) > 1e-10 * speed) return false;
        if (ends && s->phase[i] == 'C' && n < -1e-10 * speed) return false;
        if (s->phase[i] == 'O' || s->pi[3 * i] == 0) continue;
        if (s->motion[i] == 'r' && fabs(t) + fabs(o) > 1e-10 * speed) return false;
        if (s->motion[i] == 'i' && !imp_plus_opposes(s, i, 1e-10)) return false;
    }
    return true;
}

bool imp_plus_accept(plus *s) {
    return imp_plus_solves(s, true) ||
           (s->redundant && imp_plus_spread(s) && imp_plus_solves(s, true));
}
