/* plus_dust.c - impulses of an interval that are none.
 *
 * What searches leave where nothing approaches, or where more contacts could push than need to,
 * would be all that a contact at rest is judged by. */
#include "base/rounding.h"
#include "plus/plus_internal.h"

#include <string.h>

/* of the fastest component, now or at the start: a few roundings of one velocity */
static const double DUST = 1e-15;
/* of it: pushes that are tried without; whether they are missed is seen afterwards */
static const double LITTLE = 1e-9;

bool imp_plus_over(plus *s) {
    if (memchr(s->phase, 'X', (size_t)s->nc) || imp_plus_approaching(s)) return false;
    imp_plus_classify(s);
    memset(s->active, 0, (size_t)s->nc);
    memset(s->pi, 0, (size_t)s->n * sizeof *s->pi);
    memset(s->Wpi, 0, (size_t)s->n * sizeof *s->Wpi);
    return true;
}

bool imp_plus_drop_idle(plus *s) {
    for (int k = 0; k < s->n; k++)
        if (fabs(s->Wpi[k]) > PLUS_SEPARATES * s->fastest) return false;
    if (memchr(s->phase, 'X', (size_t)s->nc)) return false;
    double change = 0, approach = 0;
    for (int i = 0; i < s->nc; i++) {
        const double moves = fabs(s->Wpi[3 * i]), nears = -s->v[3 * i];
        change = moves > change ? moves : change;
        approach = s->phase[i] == 'C' && nears > approach ? nears : approach;
    }
    if (change > PLUS_SEPARATES * approach) return false;
    memset(s->pi, 0, (size_t)s->n * sizeof *s->pi);
    memset(s->Wpi, 0, (size_t)s->n * sizeof *s->Wpi);
    return true;
}

/* The largest velocity that the push of contact i changes. */
static double moves(const plus *s, int i) {
    const double *pi = s->pi + 3 * i, *n = s->W + (size_t)3 * i * s->n, *t = n + s->n,
                 *o = t + s->n;
    double most = 0;
    for (int r = 0; r < s->n; r++)
        most = imp_larger(most, fabs(n[r] * pi[0] + t[r] * pi[1] + o[r] * pi[2]));
    return most;
}

/* Pulls, which the searches leave where they are rounding beside the largest push, are none. So are
 * pushes that change velocities by rounding alone where they leave their cone, as what is left of
 * an island that another outlasts may, and in impending slip: their friction has no direction. */
static void drop_dust(plus *s) {
    bool any = false;
    const double dust = DUST * imp_larger(s->own->unit, s->fastest);
    for (int i = 0; i < s->nc; i++) {
        const double push = s->pi[3 * i];
        if (s->phase[i] != 'C' || !s->active[i]) continue;
        if (s->motion[i] != 'i' && plus_violation(s, i) == 0) continue;
        if (push >= 0 && moves(s, i) > dust) continue;
        memset(s->pi + 3 * i, 0, 3 * sizeof *s->pi);
        s->active[i] = 0;
        any = true;
    }
    if (any) imp_plus_multiply(s, s->Wpi);
}

/* Does what does not push approach in the end, beyond rounding of what moves it? Beside what is
 * fastest, as imp_plus_accept() has it, that may be little and yet all that there is. */
static bool leaves_approach(const plus *s) {
    for (int i = 0; i < s->nc; i++) {
        if (s->phase[i] != 'C' || s->active[i]) continue;
        const double *q = s->q + 3 * i;
        double size[3] = {fabs(q[0]), fabs(q[1]), fabs(q[2])};
        for (int c = 0; c < s->n; c++) {
            const double *W = s->W + (size_t)c * s->n + 3 * i;
            for (int r = 0; r < 3; r++)
                size[r] += fabs(W[r]) * (fabs(s->p[c]) + fabs(s->pi[c]));
        }
        const double gap = s->v[3 * i] + s->Wpi[3 * i] - s->aim[3 * i];
        if (gap < -IMP_CANCELLED * plus_largest(size, 3)) return true;
    }
    return false;
}

/* Contacts at rest whose pushes move next to nothing, as more of them could push than need to, are
 * let go where the others solve the interval without them: what they do would be all that others
 * at rest are judged by. Not those of plus, whose waves die away by such pushes. */
static void let_rest(plus *s) {
    const size_t n = (size_t)s->n, nc = (size_t)s->nc;
    const double little = LITTLE * imp_larger(s->own->unit, s->fastest);
    double *pi = s->next, *Wpi = pi + n; /* free until the interval is over */
    bool any = false;
    imp_plus_mark(s);
    for (int i = 0; i < s->nc; i++) {
        if (s->phase[i] != 'C' || !s->active[i] || !plus_rests(s, i) || moves(s, i) > little)
            continue;
        s->active[i] = 0;
        any = true;
    }
    if (!any) return;
    memcpy(pi, s->pi, n * sizeof *pi);
    memcpy(Wpi, s->Wpi, n * sizeof *Wpi);
    if (imp_plus_impend(s, true) && imp_plus_accept(s) && !leaves_approach(s)) return;
    memcpy(s->motion, s->marked_motion, nc);
    memcpy(s->active, s->marked_active, nc);
    memcpy(s->slip, s->marked_slip, 2 * nc * sizeof *s->slip);
    memcpy(s->pi, pi, n * sizeof *pi);
    memcpy(s->Wpi, Wpi, n * sizeof *Wpi);
}

void imp_plus_tidy(plus *s) {
    if (imp_plus_drop_idle(s)) return;
    if (!s->unsolved && s->variant != PLUS) let_rest(s);
    drop_dust(s);
}
