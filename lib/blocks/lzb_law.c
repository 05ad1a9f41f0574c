/* lzb_law.c - the certificate of the distributing law: the process once more, from potential
 * energies as the law states it, by the extrapolated leapfrog (Verlet; Gragg, Bulirsch, Stoer).
 *
 * The state is r = E^(1/(1+eta)), u and P, E the work that a contact holds: where E is 0 its rate
 * is not, r' = -u K^(1/(1+eta)) (1+eta)^(-1/(1+eta)). Between kinks of the rates r'' depends on r
 * alone, and a step ends at the first kink; one that may have passed two is tried shorter. */
#include "blocks/lzb.h"

#include "base/length.h"
#include "base/worse.h"
#include "contact/local.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 5 }; /* 1, 2, .. leaps: order 10 */

typedef struct process {
    const imp_lzb_system *s;
    size_t n, states;
    double *y;             /* (3n) r, u, P */
    double *level[LEVELS]; /* (3n each) the extrapolation's last row */
    double *scale;         /* (3n) errors that count as one */
    double *first, *now;   /* (2n each) forces F, and N F: at y, and along a step */
    double *force, *pace;  /* (n) F = force r^eta, r' = -pace u */
    double *rate;          /* (n) r' over -u in this step */
    double *way;           /* (n) -1 approaches in it, 1 parts, 0 neither */
    double *due;           /* (n) > 0: past a kink at its end, before it was cut */
    double h, error;       /* of the last step: its length; over what is allowed */
    double tried;          /* steps, those on the way to a kink too */
} process;

static bool plastic(const process *c, size_t i) {
    return c->s->e[i] < IMP_LZB_PLASTIC;
}

/* push (2n) <- F, N F at r (n). */
static void forces(const process *c, const double *r, double *push) {
    const size_t n = c->n;
    for (size_t i = 0; i < n; i++)
        push[i] = c->force[i] * imp_lzb_power(r[i], c->s->eta);
    imp_lzb_push(c->s, push, push + n);
}

/* What holds from y on until the next kink; a contact that stands still goes where it is pushed. */
static void set_rates(process *c) {
    forces(c, c->y, c->first);
    for (size_t i = 0; i < c->n; i++) {
        const double e = plastic(c, i) ? 1 : c->s->e[i];
        const double u = c->y[c->n + i], to = u == 0 ? c->first[c->n + i] : u;
        const double apart = c->y[i] > 0 ? c->pace[i] / (e * e) : 0;
        c->way[i] = to > 0 ? 1 : to < 0 ? -1 : 0;
        c->rate[i] = to > 0 ? apart : c->pace[i];
    }
}

/* How far contact i is past a kink of its rate with the state `at`: the one where it ceases to
 * approach, or begins, as a share of its own speed; the one where it ends, of how much it may hold.
 * Below 0 it is not. */
static double turned(const process *c, size_t i, const double *at) {
    const bool same = c->s->e[i] >= 1 && (c->y[i] > 0 || c->way[i] < 0);
    return same || c->way[i] == 0 ? -INFINITY : -c->way[i] * at[c->n + i] / c->s->own[i];
}

static double ended(const process *c, size_t i, const double *at) {
    const bool holds = c->y[i] > 0 || c->way[i] < 0;
    return holds ? -3e-13 * at[i] / c->scale[i] : -INFINITY;
}

static double past(const process *c, size_t i, const double *at) {
    return fmax(turned(c, i, at), ended(c, i, at));
}

/* Of those that are past one at the end of the whole step, and were before it at y. */
static double furthest(const process *c, const double *at) {
    double most = -INFINITY;
    for (size_t i = 0; i < c->n; i++)
        if (c->due[i] > 0) most = fmax(most, past(c, i, at));
    return most;
}

/* Has a contact that y is at a kink of passed another after the step? */
static bool strays(const process *c) {
    for (size_t i = 0; i < c->n; i++)
        if (past(c, i, c->y) >= 0 && past(c, i, c->level[0]) > 1e-14) return true;
    return false;
}

/* u, P of `to` after h of those forces. */
static void kick(const process *c, const double *push, double h, double *to) {
    for (size_t i = 0; i < c->n; i++) {
        to[c->n + i] += h * push[c->n + i];
        to[2 * c->n + i] += h * push[i];
    }
}

/* to <- y after h, by `count` leaps. */
static void leap(const process *c, double h, int count, double *to) {
    const double small = h / count;
    memcpy(to, c->y, c->states * sizeof *to);
    kick(c, c->first, small / 2, to);
    for (int k = 1; k <= count; k++) {
        for (size_t i = 0; i < c->n; i++)
            to[i] -= small * c->rate[i] * to[c->n + i];
        forces(c, to, c->now);
        kick(c, c->now, k < count ? small : small / 2, to);
    }
}

/* level[0] <- y after h. */
static void extrapolate(process *c, double h) {
    c->h = h;
    c->error = 0;
    c->tried++;
    for (int j = 0; j < LEVELS; j++) {
        leap(c, h, j + 1, c->level[j]);
        for (int l = j - 1; l >= 0; l--) { /* level[l] takes in the one after it */
            const double ratio = (double)(j + 1) / (l + 1), per = 1 / (ratio * ratio - 1);
            for (size_t i = 0; i < c->states; i++) {
                const double more = (c->level[l + 1][i] - c->level[l][i]) * per;
                if (j == LEVELS - 1 && l == 0)
                    c->error = imp_worse(c->error, fabs(more) / c->scale[i]);
                c->level[l][i] = c->level[l + 1][i] + more;
            }
        }
    }
}

static double furthest_after(void *data, double h) {
    process *c = data;
    extrapolate(c, h);
    return furthest(c, c->level[0]);
}

/* Ends the step of h at the first kink within it; returns how far past it contacts are there,
 * INFINITY where there is none. */
static double cut(process *c, double h) {
    for (size_t i = 0; i < c->n; i++)
        c->due[i] = past(c, i, c->y) < 0 ? past(c, i, c->level[0]) : 0;
    const double at_end = furthest(c, c->level[0]);
    return at_end > 0 ? imp_lzb_turn(furthest_after, c, h, furthest(c, c->y), at_end) : INFINITY;
}

/* May a contact have come to a kink within the step and gone back, or be past one where the step
 * was cut for another, and not at the end of the whole? It would have been let go, or begun to give
 * back less than it took. */
static bool skips(const process *c) {
    const double *const end = c->level[0];
    forces(c, end, c->now);
    for (size_t i = 0; i < c->n; i++) {
        const double at[2] = {turned(c, i, c->y), turned(c, i, end)},
                     per = -c->way[i] / c->s->own[i],
                     slope[2] = {per * c->first[c->n + i], per * c->now[c->n + i]};
        if (!(at[0] < 0 && at[0] > -INFINITY)) continue;
        if (at[1] < 0 ? imp_lzb_touches(at, slope, c->h) : at[1] > 1e-14 && !(c->due[i] > 0))
            return true;
    }
    return false;
}

static bool over(const process *c, double tolerance) {
    for (size_t i = 0; i < c->n; i++) {
        const double r = c->y[i], E = r * imp_lzb_power(r, c->s->eta);
        const double least = tolerance * c->s->own[i];
        if (c->y[c->n + i] < -least || c->s->N[i * (c->n + 1)] * E > least * least) return false;
    }
    return true;
}

static bool begin(process *c, const imp_lzb_system *s) {
    const size_t n = (size_t)s->n, m = 3 * n;
    *c =
        (process){.s = s, .n = n, .states = m, .y = calloc((LEVELS + 2) * m + 9 * n, sizeof *c->y)};
    if (!c->y) return false;
    for (int j = 0; j < LEVELS; j++)
        c->level[j] = c->y + m * (size_t)(j + 1);
    c->scale = c->level[LEVELS - 1] + m;
    c->first = c->scale + m;
    c->now = c->first + 2 * n;
    c->force = c->now + 2 * n;
    c->pace = c->force + n;
    c->rate = c->pace + n;
    c->way = c->rate + n;
    c->due = c->way + n;
    for (size_t i = 0; i < n; i++) {
        const double N = s->N[i * (n + 1)] > 0 ? s->N[i * (n + 1)] : 1, root = 1 / (1 + s->eta);
        c->y[n + i] = s->q[i];
        c->force[i] = pow(1 + s->eta, s->eta * root) * pow(s->K[i], root);
        c->pace[i] = pow(s->K[i], root) * pow(1 + s->eta, -root);
        c->scale[i] = 3e-13 * pow(s->own[i] * s->own[i] / N, root);
        c->scale[n + i] = 3e-13 * s->own[i];
        c->scale[2 * n + i] = 3e-13 * s->own[i] / N;
    }
    return true;
}

/* The step is taken. Contacts past `kink` stand still to the bit, since an expansion that gives
 * back little would magnify what is left of u, or have ended; plastic ones are let go. */
static void take(process *c, double kink) {
    double *const end = c->level[0];
    kink = kink == INFINITY ? kink : fmin(kink, -1e-14);
    for (size_t i = 0; i < c->n; i++) {
        const bool stands = turned(c, i, end) >= kink;
        if ((stands && plastic(c, i)) || ended(c, i, end) >= kink) end[i] = 0;
        if (stands) end[c->n + i] = 0;
        end[i] = fmax(end[i], 0);
    }
    memcpy(c->y, end, c->states * sizeof *c->y);
    /* what goes through a light body is as much as the heavy ones beside it take: no error counts
     * that is below what the sums of some leaps round of it */
    for (size_t i = 2 * c->n; i < c->states; i++)
        c->scale[i] = fmax(c->scale[i], 32 * DBL_EPSILON * fabs(c->y[i]));
    set_rates(c);
}

/* Follows the process to its end; false where it has none in `most` steps. */
static bool run(process *c, double tolerance, double most) {
    double h = INFINITY;
    for (size_t i = 0; i < c->n; i++)
        h = fmin(h, 0.1 * imp_lzb_reach(c->s, (int)i, c->s->most));
    set_rates(c);
    while (!over(c, tolerance)) {
        if (!(c->tried < most) || !(h > 0)) return false;
        extrapolate(c, h);
        const double kink = cut(c, h);
        const double next = h * fmin(fmax(0.9 * pow(c->error, -0.1), 0.1), 5);
        if (!(c->error <= 1) || strays(c) || skips(c)) {
            h = fmin(next, 0.5 * h);
        } else {
            take(c, kink);
            if (kink == INFINITY) h = next;
        }
    }
    return true;
}

static imp_status follow(const imp_lzb_system *s, void *data, double *P) {
    const imp_lzb_settings *const own = data;
    process c;
    imp_status status = IMP_NO_MEMORY;
    if (begin(&c, s)) {
        /* few steps of the solver's are no fewer of this method's */
        const double most = fmax(own->max_steps, imp_lzb_presets.max_steps);
        status = run(&c, fmin(own->tolerance, 1e-11), most) ? IMP_OK : IMP_NOT_CONVERGED;
        memcpy(P, c.y + 2 * c.n, c.n * sizeof *P);
    }
    free(c.y);
    return status;
}

/* How far p is from the impulses P of the process: as the velocity that the contact's own makes
 * along its normal, or all of them do, over the terms of that velocity. d (3nc) is room. */
static void note_distance(const imp_problem *problem, const double *p, const double *P, double *d,
                          imp_certificate *result) {
    const imp_operator *W = problem->W;
    memcpy(d, p, 3 * (size_t)problem->nc * sizeof *d);
    for (int i = 0; i < problem->nc; i++)
        d[3 * (size_t)i] -= P[i];
    for (int i = 0; i < problem->nc; i++) {
        double A[9], off[3], size[3];
        W->kind->block(W, i, i, A);
        W->kind->row(W, i, -1, d, off, NULL);
        W->kind->row(W, i, -1, p, (double[3]){0}, size);
        double own[3];
        for (int r = 0; r < 3; r++)
            own[r] = size[r] + fabs(problem->q[3 * (size_t)i + (size_t)r]);
        for (int r = 0; r < 3; r++) { /* what it does to a slip, too */
            const double moved = fmax(fabs(A[3 * r] * d[3 * (size_t)i]), fabs(off[r]));
            imp_certificate_note(result, "distribution",
                                 imp_relative(moved, r == 0 ? own[0] : imp_largest(own, 3, 1)), i);
        }
    }
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    (void)path;
    imp_lzb_settings own = settings ? *(const imp_lzb_settings *)settings : imp_lzb_presets;
    double *P = calloc(4 * (size_t)problem->nc, sizeof *P);
    const imp_status status = P ? imp_lzb_all(problem, &own, follow, &own, P) : IMP_NO_MEMORY;
    if (status != IMP_NO_MEMORY) {
        imp_local_note_whole(problem, p, result);
        if (status == IMP_OK)
            note_distance(problem, p, P, P + problem->nc, result);
        else if (status == IMP_UNSUPPORTED)
            result->unjudged = "a contact 1e200 times as stiff, or as soft, as the first";
        else
            result->unjudged = "the process does not come to an end";
    }
    free(P);
    return status == IMP_NO_MEMORY ? IMP_NO_MEMORY : IMP_OK;
}

const imp_law imp_law_lzb = {
    .name = "lzb",
    .statement = "springs with energetic restitution share out the impulse by the work they hold, "
                 "until all is given back and nothing approaches",
    .certify = certify,
    .reads = IMP_READS_RESTITUTION};
