/* darboux_stretch.c - the events of the impact along a curved stretch of slip: changes of phase,
 * and the stop.
 *
 * A stretch gives every quantity as an analytic function of its parameter, in pieces on which u_z
 * is monotone; the events of Mirtich reworked, section 4, are roots of these functions instead of
 * tests after each small step. */
#include "single/darboux_process.h"

#include <math.h>

static imp_instant at(const imp_stretch *S, double s) {
    return S->along_ray ? imp_ray_at(S, s) : imp_series_at(S, s);
}

static double work_between(const imp_stretch *S, const imp_instant *from, const imp_instant *to) {
    return S->along_ray ? imp_ray_work(S, from, to) : imp_series_integral(S, 0, from->s, to->s);
}

/* What a root is sought of. */
typedef enum quantity { NORMAL_VELOCITY, NORMAL_IMPULSE, WORK, STRAIN } quantity;

typedef struct jet {
    /* a quantity, gained since `from` for the integrals, and two derivatives by s */
    double value, first, second;
} jet;

static jet jet_of(const imp_process *p, const imp_stretch *S, quantity q, const imp_instant *from,
                  const imp_instant *t) {
    switch (q) {
    case NORMAL_VELOCITY: return (jet){t->uz, t->uz1, t->uz2};
    case NORMAL_IMPULSE: return (jet){t->pz, t->pz1, t->pz2};
    case WORK:
        return (jet){work_between(S, from, t), t->uz * t->pz1, t->uz1 * t->pz1 + t->uz * t->pz2};
    case STRAIN: break;
    }
    const double open = 1 / (1 - p->a * t->uz), u = t->uz * open;
    return (jet){imp_series_integral(S, p->a, from->s, t->s), u * t->pz1,
                 open * open * t->uz1 * t->pz1 + u * t->pz2};
}

/* The instant in (from, to] at which a monotone quantity reaches the target; `end` is its value at
 * `to`. Halley steps in a bracket; their error is about (F F''/2F'^2)^2 of the value F they remove,
 * so that a small step from a small value needs no check. */
static imp_instant reached(const imp_process *p, const imp_stretch *S, quantity q,
                           const imp_instant *from, const imp_instant *to, double target,
                           double end) {
    const jet begin = jet_of(p, S, q, from, from);
    const double sign = end > begin.value ? 1 : -1, missing = sign * (target - begin.value);
    if (!(missing > 0)) return *from;
    if (!(sign * (end - target) > 0)) return *to;
    double low = from->s, high = to->s;
    const double whole = to->pz - from->pz; /* motion is nearly straight in p_z */
    const double dp =
        parabola(missing, sign * begin.first / from->pz1, sign * (end - begin.value), whole);
    double s = low + parabola(dp, from->pz1, whole, high - low);
    imp_instant t = *from;
    for (int i = 0; i < 80; i++) {
        if (!(s > low && s < high)) s = 0.5 * (low + high);
        if (!(s > low && s < high)) break;
        t = at(S, s);
        const jet F = jet_of(p, S, q, from, &t);
        const double error = F.value - target, newton = error / F.first,
                     bend = 0.5 * newton * F.second / F.first;
        if (error == 0) return t;
        if (sign * error < 0)
            low = s;
        else
            high = s;
        const double next = s - newton / (1 - bend);
        if (fabs(next - s) <= 1e-15 * s) break;
        if (next > low && next < high && fabs(error) <= 1e-5 * missing && fabs(bend) <= 1e-5)
            return at(S, next);
        s = next;
    }
    return t;
}

/* The state at an instant of the stretch. */
static void place(imp_process *p, const imp_stretch *S, const imp_instant *t) {
    const double *w = S->w;
    p->r = t->r;
    p->w[0] = w[0] * t->c - w[1] * t->n;
    p->w[1] = w[1] * t->c + w[0] * t->n;
    p->uz = t->uz;
    p->pz = S->pz + t->pz;
    p->pt[0] = S->pt[0] - p->mu * (w[0] * t->X - w[1] * t->Y);
    p->pt[1] = S->pt[1] - p->mu * (w[1] * t->X + w[0] * t->Y);
}

/* How much u_z changes at the rate of the steeper end, at least: it may bend as an exponential
 * does, and then its pole is nearer in s than its change by s would have it. */
static double swing(const imp_instant *from, const imp_instant *to) {
    const double steepest = larger(fabs(from->uz1), fabs(to->uz1));
    return larger(fabs(to->uz - from->uz), (to->s - from->s) * steepest);
}

/* The end of a piece from t on, short against the distance of u_z from its pole 1/a; t: there is
 * none, it is at the pole. */
static imp_instant piece(const imp_process *p, const imp_stretch *S, const imp_instant *t,
                         const imp_instant *until) {
    const double room = 1 - p->a * t->uz;
    if (room < 1e-14) return *t;
    imp_instant next = *until;
    while (p->a * swing(t, &next) > 0.3 * room) {
        const double middle = 0.5 * (t->s + next.s);
        if (!(middle > t->s && middle < next.s)) return *t;
        next = at(S, middle);
    }
    return next;
}

/* The strain integral of the compliant law over [from, until]; true when it returns to zero, at
 * `until` then. At the pole it diverges: nothing is left. */
static bool strain(imp_process *p, const imp_stretch *S, const imp_instant *from,
                   imp_instant *until) {
    imp_instant t = *from;
    while (t.s < until->s) {
        const imp_instant next = piece(p, S, &t, until);
        const double gain = imp_series_integral(S, p->a, t.s, next.s);
        const bool stops = p->opening && p->strain + gain >= 0;
        if (stops || !(next.s > t.s)) {
            *until = stops ? reached(p, S, STRAIN, &t, &next, -p->strain, gain) : t;
            return true;
        }
        p->strain += gain;
        t = next;
    }
    return false;
}

/* Points for those who draw. A stretch along a ray is long, and most of its bend lies at its
 * beginning. */
static void trace(const imp_process *p, const imp_stretch *S, const imp_instant *from,
                  const imp_instant *until) {
    const int points = S->along_ray ? 60 : 12;
    for (int i = 1; i <= points; i++) {
        const double part = (double)i / points;
        imp_process between = *p;
        const imp_instant t =
            at(S, from->s + (until->s - from->s) * (S->along_ray ? part * part * part : part));
        place(&between, S, &t);
        imp_process_point(&between);
    }
}

/* Moves `from` to `until`, between which u_z is monotone and does not cross zero, or to where the
 * law stops: true. */
static bool pass(imp_process *p, const imp_stretch *S, imp_instant *from, imp_instant until) {
    const double goal = imp_process_goal(p);
    bool stops = false;
    if (p->law == IMP_COMPLIANT) {
        stops = strain(p, S, from, &until);
    } else if (p->opening && p->law == IMP_NEWTON && until.uz >= goal) {
        until = reached(p, S, NORMAL_VELOCITY, from, &until, goal, until.uz);
        stops = true;
    } else if (p->opening && p->law == IMP_POISSON && S->pz + until.pz >= goal) {
        until = reached(p, S, NORMAL_IMPULSE, from, &until, goal - S->pz, until.pz);
        stops = true;
    }
    if (p->works) {
        const double before = p->work[p->opening], gain = work_between(S, from, &until);
        p->work[p->opening] = before + gain;
        if (p->opening && p->law == IMP_STRONGE && before + gain >= goal) {
            until = reached(p, S, WORK, from, &until, goal - before, gain);
            p->work[1] = goal;
            stops = true;
        }
    }
    if (p->path && p->path->points) trace(p, S, from, &until);
    *from = until;
    return stops;
}

/* The end of piece i; where a diverging ray has no more, one that leaves room for the stop, further
 * each time. */
static imp_instant end_of(const imp_process *p, const imp_stretch *S, int i,
                          const imp_instant *from) {
    if (i < S->ends) return S->end[i];
    const double h = S->ray.K33 - S->ray.mu * S->ray.b[0],
                 rise = fabs(p->uz_start) + fabs(from->uz);
    return imp_ray_at(S, from->s + 2 * (rise / h + from->pz) / from->pz1);
}

bool imp_process_follow(imp_process *p, const imp_stretch *S) {
    imp_instant from = S->start;
    const bool endless = S->along_ray && S->ray.k[0] > 0;
    for (int i = 0; i < S->ends || endless; i++) {
        if (i > 100) {
            p->endless = true;
            return true;
        }
        const imp_instant to = end_of(p, S, i, &from);
        for (;;) {
            const bool crosses = p->opening ? to.uz < 0 : to.uz > 0;
            const imp_instant until =
                crosses ? reached(p, S, NORMAL_VELOCITY, &from, &to, 0, to.uz) : to;
            if (pass(p, S, &from, until)) {
                place(p, S, &from);
                imp_process_mark(p, 's');
                return true;
            }
            if (!crosses) break;
            place(p, S, &from);
            p->uz = 0;
            if (imp_process_cross(p, 's')) return true;
        }
    }
    place(p, S, &from);
    if (S->along_ray) imp_process_mark(p, 's'); /* at the origin */
    return false;
}
