/* lzb.c - the process of Liu, Zhao and Brogliato, in the time of the springs, by Runge and Kutta's
 * steps of adaptive size (Dormand, Prince 1980). */
#include "blocks/lzb.h"

#include "base/exact.h"
#include "base/finite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7 };

typedef struct process {
    const imp_lzb_system *s;
    size_t n;
    double *y;         /* (2n) indentations x, impulses P */
    double *next;      /* (2n) after a step */
    double *k[STAGES]; /* (2n each) */
    double *at, *u;    /* (2n), (n) */
    double *scale;     /* (2n) errors that count as one */
    double h;
} process;

/* u (n) <- N P + q. */
static void velocity(const process *c, const double *y) {
    const double *P = y + c->n;
    for (size_t i = 0; i < c->n; i++) {
        c->u[i] = c->s->q[i];
        for (size_t j = 0; j < c->n; j++)
            c->u[i] += c->s->N[i * c->n + j] * P[j];
    }
}

static bool plastic(const process *c, size_t i) {
    return c->s->e[i] < IMP_LZB_PLASTIC;
}

/* k <- the rates of y. A plastic contact is let go between steps. */
static void rates(const process *c, const double *y, double *k) {
    velocity(c, y);
    for (size_t i = 0; i < c->n; i++) {
        const double u = c->u[i], e = plastic(c, i) ? 1 : c->s->e[i];
        /* to below 0 where the contact ends within the step */
        k[i] = u < 0 ? -u : y[i] > 0 || c->y[i] > 0 ? -u / (e * e) : 0;
        k[c->n + i] = c->s->K[i] * imp_lzb_power(y[i], c->s->eta);
    }
}

/* next <- y after a step of h; returns the error over what is allowed. */
static double step(process *c, double h) {
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
    double worst = 0;
    for (int j = 0; j < STAGES; j++) {
        double *to = j == STAGES - 1 ? c->next : c->at;
        for (size_t i = 0; i < 2 * c->n; i++) {
            double sum = 0;
            for (int l = 0; l < j; l++)
                sum += a[j][l] * c->k[l][i];
            to[i] = c->y[i] + h * sum;
        }
        rates(c, to, c->k[j]);
    }
    for (size_t i = 0; i < 2 * c->n; i++) {
        double error = 0;
        for (int j = 0; j < STAGES; j++)
            error += off[j] * c->k[j][i];
        worst = fmax(worst, fabs(h * error) / c->scale[i]);
    }
    return worst;
}

/* How fast the first plastic contact that is pressed parts after the step. */
static double parting(const process *c) {
    double most = -INFINITY;
    velocity(c, c->next);
    for (size_t i = 0; i < c->n; i++)
        if (plastic(c, i) && c->y[i] > 0) most = fmax(most, c->u[i]);
    return most;
}

/* Shortens the step of h to where the first plastic contact stops to approach, and lets it go: the
 * regula falsi of Illinois. */
static void let_go(process *c, double h) {
    double low = 0, high = h, at_high = parting(c), at_low;
    if (at_high <= 0) return;
    (void)step(c, 0);
    at_low = parting(c);
    for (int k = 0, side = 0; k < 60 && high - low > 1e-15 * h && at_high > 1e-15; k++) {
        const double middle = high - at_high * (high - low) / (at_high - at_low);
        (void)step(c, middle);
        const double found = parting(c);
        if (found > -1e-15) {
            high = middle, at_high = found;
            if (side == 1) at_low /= 2;
            side = 1;
        } else {
            low = middle, at_low = found;
            if (side == -1) at_high /= 2;
            side = -1;
        }
    }
    (void)step(c, high);
    velocity(c, c->next);
    for (size_t i = 0; i < c->n; i++)
        if (plastic(c, i) && c->u[i] > -1e-14) c->next[i] = 0;
}

/* Has a contact that ended within the step met again? */
static bool meets_again(const process *c) {
    velocity(c, c->next);
    for (size_t i = 0; i < c->n; i++)
        if (c->next[i] < 0 && c->u[i] < 0) return true;
    return false;
}

/* Nothing approaches, and no spring holds what would move it. */
static bool over(const process *c, double tolerance) {
    const double least = tolerance * c->s->most;
    velocity(c, c->y);
    for (size_t i = 0; i < c->n; i++) {
        const double held =
            c->s->N[i * (c->n + 1)] * c->s->K[i] * c->y[i] * imp_lzb_power(c->y[i], c->s->eta);
        if (c->u[i] < -least || held > least * least) return false;
    }
    return true;
}

static bool begin(process *c, const imp_lzb_system *s, double tolerance) {
    const size_t n = (size_t)s->n;
    *c = (process){.s = s, .n = n, .y = calloc((5 + STAGES) * 2 * n, sizeof *c->y), .h = INFINITY};
    if (!c->y) return false;
    c->next = c->y + 2 * n;
    c->at = c->next + 2 * n;
    c->scale = c->at + 2 * n;
    c->u = c->scale + 2 * n;
    for (int j = 0; j < STAGES; j++)
        c->k[j] = c->u + 2 * n * (size_t)(j + 1);
    for (size_t i = 0; i < n; i++) {
        const double reach = imp_lzb_reach(s, (int)i, s->most), N = s->N[i * (n + 1)];
        /* errors of many steps add up */
        c->scale[i] = 0.01 * tolerance * reach;
        c->scale[n + i] = 0.01 * tolerance * s->most / (N > 0 ? N : 1);
        c->h = fmin(c->h, 0.01 * reach);
    }
    return true;
}

static imp_status run(process *c, const imp_lzb_settings *settings, imp_info *info) {
    while (!over(c, settings->tolerance)) {
        if (info->iterations >= settings->max_steps || (info->cancel && *info->cancel))
            return IMP_NOT_CONVERGED;
        info->iterations++;
        const double error = step(c, c->h), h = c->h;
        if (!(error <= 1) || meets_again(c)) {
            c->h = 0.5 * h;
            continue;
        }
        if (error < 0.01) c->h = 2 * h;
        let_go(c, h);
        for (size_t i = 0; i < c->n; i++)
            c->y[i] = fmax(c->next[i], 0);
        memcpy(c->y + c->n, c->next + c->n, c->n * sizeof *c->y);
    }
    return IMP_OK;
}

/* Takes back what the integration gained: P is scaled to P'NP / 2 + P'q = 0. */
static void give_back(const process *c) {
    double *P = c->y + c->n, gained = 0, lost = 0;
    velocity(c, c->y);
    for (size_t i = 0; i < c->n; i++) {
        gained += P[i] * (c->u[i] - c->s->q[i]);
        lost -= 2 * P[i] * c->s->q[i];
    }
    for (size_t i = 0; i < c->n && gained > lost && lost > 0; i++)
        P[i] *= lost / gained;
}

/* p (3nc, zero) <- the impulses of the process. */
static imp_status solve_many(const imp_lzb_system *s, const imp_lzb_settings *settings, double *p,
                             imp_info *info) {
    process c;
    imp_status status = IMP_NO_MEMORY;
    if (begin(&c, s, settings->tolerance)) {
        status = run(&c, settings, info);
        if (status == IMP_OK) give_back(&c);
        imp_shift(c.y + c.n, c.n, s->speed - s->mass);
        for (size_t i = 0; i < c.n; i++)
            p[3 * i] = c.y[c.n + i];
        if (!imp_all_finite(c.y + c.n, c.n)) status = IMP_OVERFLOW;
    }
    free(c.y);
    return status;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)work;
    const size_t n = (size_t)problem->nc;
    imp_lzb_system s;
    const bool open = imp_lzb_open(&s, problem, settings);
    double *sum = calloc(3 * n, sizeof *sum);
    imp_status status = open && sum ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK && !s.moves) status = IMP_NO_SOLUTION;
    if (status == IMP_OK && s.most > 0) {
        if (n == 1) /* whatever the spring */
            sum[0] = ldexp(-(1 + s.e[0]) * s.q[0] / s.N[0], s.speed - s.mass);
        else
            status = solve_many(&s, settings, sum, info);
    }
    if (status >= 0) memcpy(p, sum, 3 * n * sizeof *p);
    free(sum);
    imp_lzb_close(&s);
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
     "error of velocities, relative to the fastest approach"},
    {"max_steps", IMP_COUNT, offsetof(imp_lzb_settings, max_steps), 1e5, 1, 1e9, NULL,
     "steps allowed"},
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
