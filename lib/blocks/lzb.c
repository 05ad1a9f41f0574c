/* lzb.c - the process of Liu, Zhao and Brogliato, in the time of the springs, by Runge and Kutta's
 * steps of adaptive size (Dormand, Prince 1980). */
#include "blocks/lzb.h"

#include "base/worse.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7 };

typedef struct process {
    const imp_lzb_system *s;
    size_t n, states;
    double *y;         /* (3n) indentations x, impulses P, velocities u */
    double *next;      /* (3n) after a step */
    double *k[STAGES]; /* (3n each) k[0] are the rates of y */
    double *at;        /* (3n) */
    double *scale;     /* (3n) errors that count as one */
    double *due;       /* (n) > 0: past a kink at the end of the step, before it was cut */
    double h;
    double taken, error; /* of the last step: its length; over what is allowed */
} process;

static bool plastic(const process *c, size_t i) {
    return c->s->e[i] < IMP_LZB_PLASTIC;
}

/* k <- the rates of y. A plastic contact is let go between steps. */
static void rates(const process *c, const double *y, double *k) {
    const size_t n = c->n;
    double *F = k + n;
    for (size_t i = 0; i < n; i++) {
        const double u = y[2 * n + i], e = plastic(c, i) ? 1 : c->s->e[i];
        /* to below 0 where the contact ends within the step */
        k[i] = u < 0 ? -u : y[i] > 0 || c->y[i] > 0 ? -u / (e * e) : 0;
        F[i] = c->s->K[i] * imp_lzb_power(y[i], c->s->eta);
    }
    imp_lzb_push(c->s, F, k + 2 * n);
}

/* next <- y after a step of h. */
static void step(process *c, double h) {
    static const double a[STAGES][STAGES - 1] = {
        {0},
        {1 / 5.0},
        {3 / 40.0, 9 / 40.0},
        {44 / 45.0, -56 / 15.0, 32 / 9.0},
        {19372 / 6561.0, -25360 / 2187.0, 64448 / 6561.0, -212 / 729.0},
        {9017 / 3168.0, -355 / 33.0, 46732 / 5247.0, 49 / 176.0, -5103 / 18656.0},
        {35 / 384.0, 0, 500 / 1113.0, 125 / 192.0, -2187 / 6784.0, 11 / 84.0}};
    static const double off[STAGES] = {71 / 57600.0,      0,          -71 / 16695.0, 71 / 1920.0,
                                       -17253 / 339200.0, 22 / 525.0, -1 / 40.0};
    c->taken = h;
    c->error = 0;
    for (int j = 1; j < STAGES; j++) {
        double *const to = j == STAGES - 1 ? c->next : c->at;
        double *const *const k = c->k;
        for (size_t i = 0; i < c->states; i++) {
            double sum = a[j][0] * k[0][i];
            for (int l = 1; l < j; l++)
                sum += a[j][l] * k[l][i];
            to[i] = c->y[i] + h * sum;
        }
        rates(c, to, c->k[j]);
    }
    for (size_t i = 0; i < c->states; i++) {
        double error = 0;
        for (int j = 0; j < STAGES; j++)
            error += off[j] * c->k[j][i];
        c->error = imp_worse(c->error, fabs(h * error) / c->scale[i]);
    }
}

/* How far contact i is past a kink of its rate after the step, as a share of its own speed:
 * pressed, and giving back less than it takes, it has ceased to approach, or begun again. Below 0
 * it is not. */
static double past(const process *c, size_t i) {
    const double before = c->y[2 * c->n + i], after = c->next[2 * c->n + i];
    if (c->s->e[i] >= 1 || before == 0 || !(c->y[i] > 0) || !(c->next[i] > 0)) return -INFINITY;
    return (before < 0 ? after : -after) / c->s->own[i];
}

/* Of those that are past one at the end of the whole step. */
static double furthest(const process *c) {
    double most = -INFINITY;
    for (size_t i = 0; i < c->n; i++)
        if (c->due[i] > 0) most = fmax(most, past(c, i));
    return most;
}

static double furthest_after(void *data, double h) {
    process *c = data;
    step(c, h);
    return furthest(c);
}

/* Ends the step of h at the first kink within it; returns how far past it contacts are there,
 * INFINITY where there is none. */
static double cut(process *c, double h) {
    double at_start = -INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        c->due[i] = past(c, i);
        if (c->due[i] > 0) at_start = fmax(at_start, -fabs(c->y[2 * c->n + i]) / c->s->own[i]);
    }
    return at_start == -INFINITY ? INFINITY
                                 : imp_lzb_turn(furthest_after, c, h, at_start, furthest(c));
}

/* May one have come to a kink within the step and gone back, or be past it where the step was cut
 * for another, and not at the end of the whole? */
static bool skips(const process *c) {
    const size_t u = 2 * c->n;
    for (size_t i = 0; i < c->n; i++) {
        const double sign = (c->y[u + i] < 0 ? 1 : -1) / c->s->own[i],
                     at[2] = {sign * c->y[u + i], past(c, i)},
                     slope[2] = {sign * c->k[0][u + i], sign * c->k[STAGES - 1][u + i]};
        if (at[1] == -INFINITY) continue;
        if (at[1] < 0 ? imp_lzb_touches(at, slope, c->taken) : at[1] > 1e-14 && !(c->due[i] > 0))
            return true;
    }
    return false;
}

/* Contacts at the kink go on from it with u = 0 to the bit: an expansion that gives back little is
 * quick, and would magnify what is left of u. Plastic ones are let go. */
static void stop(process *c, double kink) {
    kink = fmin(kink, -1e-14);
    for (size_t i = 0; i < c->n; i++) {
        if (past(c, i) < kink) continue;
        c->next[2 * c->n + i] = 0;
        if (plastic(c, i)) c->next[i] = 0;
    }
}

/* y <- next, whose rates are at hand where it is as the step left it. */
static void take(process *c, bool changed) {
    for (size_t i = 0; i < c->n; i++)
        if (c->next[i] < 0) {
            c->next[i] = 0;
            changed = true;
        }
    double *const before = c->y, *const first = c->k[0];
    c->y = c->next;
    c->next = before;
    c->k[0] = c->k[STAGES - 1];
    c->k[STAGES - 1] = first;
    if (changed) rates(c, c->y, c->k[0]);
}

/* Nothing approaches, and no spring holds what would move it. */
static bool over(const process *c, double tolerance) {
    for (size_t i = 0; i < c->n; i++) {
        const double least = tolerance * c->s->own[i], held = c->s->N[i * (c->n + 1)] * c->s->K[i] *
                                                              c->y[i] *
                                                              imp_lzb_power(c->y[i], c->s->eta);
        if (c->y[2 * c->n + i] < -least || held > least * least) return false;
    }
    return true;
}

/* *room is the caller's to free. */
static bool begin(process *c, double **room, const imp_lzb_system *s, double tolerance) {
    const size_t n = (size_t)s->n, m = 3 * n;
    *room = calloc((4 + STAGES) * m + n, sizeof **room);
    if (!*room) return false;
    *c = (process){.s = s, .n = n, .states = m, .y = *room, .h = INFINITY};
    c->next = c->y + m;
    c->at = c->next + m;
    c->scale = c->at + m;
    for (int j = 0; j < STAGES; j++)
        c->k[j] = c->scale + m * (size_t)(j + 1);
    c->due = c->k[STAGES - 1] + m;
    for (size_t i = 0; i < n; i++) {
        const double own = s->own[i], N = s->N[i * (n + 1)];
        c->y[2 * n + i] = s->q[i];
        /* errors of many steps add up */
        c->scale[i] = 0.01 * tolerance * imp_lzb_reach(s, (int)i, own);
        c->scale[n + i] = 0.01 * tolerance * own / (N > 0 ? N : 1);
        c->scale[2 * n + i] = 0.01 * tolerance * own;
        c->h = fmin(c->h, 0.01 * imp_lzb_reach(s, (int)i, s->most));
    }
    rates(c, c->y, c->k[0]);
    return true;
}

typedef struct asked {
    const imp_lzb_settings *settings;
    imp_info *info;
} asked;

static imp_status run(process *c, const asked *to) {
    int made = 0;
    while (!over(c, to->settings->tolerance)) {
        if (made >= to->settings->max_steps || (to->info->cancel && *to->info->cancel))
            return IMP_NOT_CONVERGED;
        made++;
        if (to->info->iterations < INT_MAX) to->info->iterations++;
        const double h = c->h;
        step(c, h);
        const double kink = cut(c, h);
        const bool was_cut = kink < INFINITY, good = c->error <= 1 && !skips(c);
        /* next to h error^(-1/5), by roots alone */
        const double next = h * fmin(fmax(0.8 / sqrt(sqrt(c->error)), 0.2), 5);
        c->h = !good ? fmin(next, 0.5 * h) : was_cut ? h : next;
        if (!(c->h > 0)) return IMP_NOT_CONVERGED;
        if (good && was_cut) stop(c, kink);
        if (good) take(c, was_cut);
    }
    return IMP_OK;
}

static imp_status follow(const imp_lzb_system *s, void *data, double *P) {
    const asked *const to = data;
    if (s->n == 1) { /* whatever the spring */
        P[0] = -(1 + s->e[0]) * s->q[0] / s->N[0];
        return IMP_OK;
    }
    process c;
    double *room;
    imp_status status = IMP_NO_MEMORY;
    if (begin(&c, &room, s, to->settings->tolerance)) {
        status = run(&c, to);
        if (status == IMP_OK) imp_lzb_give_back(c.n, s->N, s->q, c.y + c.n);
        memcpy(P, c.y + c.n, c.n * sizeof *P);
    }
    free(room);
    return status;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)work;
    const size_t nc = (size_t)problem->nc;
    asked to = {settings, info};
    double *P = calloc(nc, sizeof *P);
    const imp_status status = P ? imp_lzb_all(problem, settings, follow, &to, P) : IMP_NO_MEMORY;
    if (status >= 0) {
        memset(p, 0, 3 * nc * sizeof *p);
        for (size_t i = 0; i < nc; i++)
            p[3 * i] = P[i];
    }
    free(P);
    return status;
}

static double bound(const void *settings) {
    return fmax(1e-9, 10 * ((const imp_lzb_settings *)settings)->tolerance);
}

static const imp_key keys[] = {
    {"exponent", "-", offsetof(imp_lzb_settings, exponent), 1.5, 1, 10, NULL,
     "of the springs' force: 1.5 Hertz, 1 linear"},
    {"grade", "-", offsetof(imp_lzb_settings, grade), 1, 1e-3, 1e3, NULL,
     "stiffness of a contact over that of the one before it in the list"},
    {"tolerance", "-", offsetof(imp_lzb_settings, tolerance), 1e-10, 1e-13, 1e-3, NULL,
     "error of velocities, relative to the fastest approach of the island"},
    {"max_steps", IMP_COUNT, offsetof(imp_lzb_settings, max_steps), 1e5, 1, 1e9, NULL,
     "steps allowed, of each island"},
    {0},
};

const imp_model imp_model_lzb = {
    .name = "lzb",
    .title = "springs' energies share out the impulse of simultaneous impacts, no friction",
    .citation = "Liu, Zhao, Brogliato 2008",
    .law = &imp_law_lzb,
    .takes =
        IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_ONLY_FRICTIONLESS | IMP_NEVER_GAINS_ENERGY,
    .keys = keys,
    .settings_size = sizeof(imp_lzb_settings),
    .solve = solve,
    .bound = bound,
};
