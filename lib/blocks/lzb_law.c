/* lzb_law.c - the certificate of the distributing law: the process once more, from potential
 * energies as the law states it, by the extrapolated midpoint rule (Gragg, Bulirsch, Stoer).
 *
 * The state is u, P and r = E^(1/(1+eta)), E the work that a contact holds: where E is 0 its rate
 * is not, r' = -u K^(1/(1+eta)) (1+eta)^(-1/(1+eta)). Steps that pass a kink of the rates are cut
 * before it, until what is left of them is nothing. */
#include "blocks/lzb.h"

#include "base/exact.h"
#include "contact/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4 }; /* 2, 4, .. midpoint steps: order 8 */

typedef struct process {
    const imp_lzb_system *s;
    size_t n, states;
    double *y;             /* (3n) r, u, P */
    double *level[LEVELS]; /* (3n each) the extrapolation's last row */
    double *rate, *a, *b;  /* (3n each) */
    double *force, *pace;  /* (n) F = force r^eta, r' = -pace u */
    double *scale;         /* (3n) */
} process;

static bool plastic(const process *c, size_t i) {
    return c->s->e[i] < IMP_LZB_PLASTIC;
}

/* c->rate <- the rates of y. */
static void rates(const process *c, const double *y) {
    const size_t n = c->n;
    double *r = c->rate, *F = r + 2 * n;
    for (size_t i = 0; i < n; i++) {
        const double u = y[n + i], e = c->s->e[i], back = plastic(c, i) ? 1 : e * e;
        F[i] = c->force[i] * imp_lzb_power(y[i], c->s->eta);
        /* to below 0 where the contact ends within the step */
        const bool held = y[i] > 0 || c->y[i] > 0;
        r[i] = u < 0 ? -c->pace[i] * u : held ? -c->pace[i] * u / back : 0;
    }
    for (size_t i = 0; i < n; i++) {
        r[n + i] = 0;
        for (size_t j = 0; j < n; j++)
            r[n + i] += c->s->N[i * n + j] * F[j];
    }
}

/* to <- y after h, by `count` steps of the midpoint rule. */
static void midpoint(const process *c, double h, int count, double *to) {
    const double small = h / count;
    double *before = c->a, *now = c->b;
    memcpy(before, c->y, c->states * sizeof *before);
    rates(c, before);
    for (size_t i = 0; i < c->states; i++)
        now[i] = before[i] + small * c->rate[i];
    for (int k = 1; k < count; k++) {
        rates(c, now);
        for (size_t i = 0; i < c->states; i++) {
            const double next = before[i] + 2 * small * c->rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    memcpy(to, now, c->states * sizeof *to);
}

/* level[0] <- y after h; the error over what is allowed. */
static double extrapolate(process *c, double h) {
    double worst = 0;
    for (int j = 0; j < LEVELS; j++) {
        midpoint(c, h, 2 * (j + 1), c->level[j]);
        for (int l = j - 1; l >= 0; l--) { /* level[l] takes in the one after it */
            const double ratio = (double)(j + 1) / (l + 1), per = 1 / (ratio * ratio - 1);
            for (size_t i = 0; i < c->states; i++) {
                const double more = (c->level[l + 1][i] - c->level[l][i]) * per;
                if (j == LEVELS - 1 && l == 0) worst = fmax(worst, fabs(more) / c->scale[i]);
                c->level[l][i] = c->level[l + 1][i] + more;
            }
        }
    }
    return worst;
}

/* Where `before` turns to `after`, of other signs, as a share of the step. */
static double crossing(double before, double after) {
    return before / (before - after);
}

/* The share of the step before a kink of the rates, by a straight line: a contact begins or ceases
 * to approach, or ends. 1: there is none. */
static double kink(const process *c) {
    const double *end = c->level[0], none = 1e-14;
    double share = 1;
    for (size_t i = 0; i < c->n; i++) {
        const double u = c->y[c->n + i], v = end[c->n + i], r = c->y[i];
        const bool parts = u < -none && v > none && r > 0, meets = u > none && v < -none;
        if ((parts && c->s->e[i] < 1) || (meets && (r <= 0 || c->s->e[i] < 1)))
            share = fmin(share, crossing(u, v));
        if (r > 0 && end[i] < 0) share = fmin(share, crossing(r, end[i]));
    }
    return share;
}

static bool over(const process *c, double least) {
    for (size_t i = 0; i < c->n; i++) {
        const double r = c->y[i], E = r * imp_lzb_power(r, c->s->eta);
        if (c->y[c->n + i] < -least || c->s->N[i * (c->n + 1)] * E > least * least) return false;
    }
    return true;
}

static bool begin(process *c, const imp_lzb_system *s) {
    const size_t n = (size_t)s->n, m = 3 * n;
    *c =
        (process){.s = s, .n = n, .states = m, .y = calloc((LEVELS + 5) * m + 2 * n, sizeof *c->y)};
    if (!c->y) return false;
    for (int j = 0; j < LEVELS; j++)
        c->level[j] = c->y + m * (size_t)(j + 1);
    c->rate = c->level[LEVELS - 1] + m;
    c->a = c->rate + m;
    c->b = c->a + m;
    c->scale = c->b + m;
    c->force = c->scale + m;
    c->pace = c->force + n;
    for (size_t i = 0; i < n; i++) {
        const double N = s->N[i * (n + 1)] > 0 ? s->N[i * (n + 1)] : 1, root = 1 / (1 + s->eta);
        c->y[n + i] = s->q[i];
        c->force[i] = pow(1 + s->eta, s->eta * root) * pow(s->K[i], root);
        c->pace[i] = pow(s->K[i], root) * pow(1 + s->eta, -root);
        c->scale[i] = 3e-12 * pow(s->most * s->most / N, root);
        c->scale[n + i] = 3e-12 * s->most;
        c->scale[2 * n + i] = 3e-12 * s->most / N;
    }
    return true;
}

/* The step is taken; contacts that ended hold nothing, and plastic ones that cease to approach. */
static void take(process *c) {
    memcpy(c->y, c->level[0], c->states * sizeof *c->y);
    for (size_t i = 0; i < c->n; i++)
        if (c->y[i] < 0 || (plastic(c, i) && c->y[c->n + i] > -1e-14)) c->y[i] = 0;
}

/* Follows the process to its end; false where it has none in `most` steps. */
static bool follow(process *c, double tolerance, double most) {
    double h = INFINITY;
    for (size_t i = 0; i < c->n; i++)
        h = fmin(h, 0.1 * imp_lzb_reach(c->s, (int)i, c->s->most));
    const double tiny = 1e-15 * h;
    double usual = h; /* the step before it was cut at a kink */
    for (double k = 0; !over(c, tolerance * c->s->most); k++) {
        if (!(k < most)) return false;
        const double error = extrapolate(c, h), share = kink(c);
        if (!(error <= 1)) {
            usual = h *= 0.5;
        } else if (share < 1 && h > tiny) {
            h *= fmin(fmax(0.999 * share, 0.001), 0.9);
        } else {
            take(c);
            h = share < 1 ? usual : error < 2e-3 ? 2 * h : h;
            usual = fmax(usual, h);
        }
    }
    return true;
}

/* How far p is from the impulses P of the process, as a velocity of the contact over its terms. */
static void note_distance(const imp_problem *problem, const imp_lzb_system *s, const double *p,
                          const double *P, imp_certificate *result) {
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        const double off = fabs(p[3 * (size_t)i] - ldexp(P[i], s->speed - s->mass));
        imp_certificate_note(result, "distribution", imp_relative(c.A[0] * off, c.size[0]), i);
    }
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    (void)path;
    const imp_lzb_settings *own = settings ? settings : &imp_lzb_presets;
    imp_lzb_system s;
    process c = {0};
    const bool room = imp_lzb_open(&s, problem, own) && begin(&c, &s);
    if (room) {
        imp_local_note_whole(problem, p, result);
        if (follow(&c, fmin(own->tolerance, 1e-11), own->max_steps))
            note_distance(problem, &s, p, c.y + 2 * c.n, result);
        else
            result->unjudged = "the process does not come to an end";
    }
    free(c.y);
    imp_lzb_close(&s);
    return room ? IMP_OK : IMP_NO_MEMORY;
}

const imp_law imp_law_lzb = {
    .name = "lzb",
    .statement = "springs with energetic restitution share out the impulse by the work they hold, "
                 "until all is given back and nothing approaches",
    .certify = certify};
