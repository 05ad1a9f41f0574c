/* springs.c - the process of springs.h by a Rosenbrock method of order four (Hairer, Wanner,
 * Solving Ordinary Differential Equations II (1996), IV.7: RODAS), with steps of adaptive size. */
#include "blocks/springs.h"

#include "base/worse.h"
#include "blocks/lzb.h"
#include "linear/dense.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 6 };

/* The stages' sums of those before them: of where each is asked, and, over h, of its equation. */
static const double diagonal = 0.25; /* gamma */
static const double at_stage[STAGES][STAGES - 1] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}};
static const double in_stage[STAGES][STAGES - 1] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054}};

/* A state is x (n), then P (3n). */
typedef struct process {
    const imp_springs *s;
    size_t n, rows, states;
    double *y, *next;      /* states, before and after a step */
    double *stage[STAGES]; /* what they add to it */
    double *u;             /* (3n) */
    double *slope;         /* (3n) how P' changes with x */
    double *turn;          /* (9n) a block a contact: how P' changes with u */
    double *A;             /* (3n x 3n) the stages' equations, column-major, and their factors */
    int *row;              /* (3n) */
    double slip;           /* d */
    double tolerance;
    double error; /* of the last step, over what is allowed */
} process;

/* rate (4n) <- the rates of y; where slope is asked for, slope and turn, too. */
static void rates(const process *c, const double *y, double *rate, double *slope) {
    const imp_springs *s = c->s;
    imp_springs_velocity(s, y + c->n, c->u);
    for (size_t i = 0; i < c->n; i++) {
        const double *const u = c->u + 3 * i;
        const double damped = fmax(0, 1 - s->damping[i] * u[0]);
        const double spring = s->K[i] * imp_lzb_power(y[i], s->eta), F = spring * damped;
        const double square = u[1] * u[1] + u[2] * u[2], d = c->slip * c->slip;
        const double length = sqrt(sqrt(square * square + d * d));
        const double bent = square / (length * length);
        const double way[3] = {1, -s->mu[i] * u[1] / length, -s->mu[i] * u[2] / length};
        rate[i] = -u[0];
        for (size_t k = 0; k < 3; k++)
            rate[c->n + 3 * i + k] = F * way[k];
        if (!slope) continue;
        const double by_x = s->K[i] * imp_springs_slope(y[i], s->eta) * damped;
        const double by_u = damped > 0 ? -s->damping[i] * spring : 0;
        for (size_t k = 0; k < 3; k++) {
            double *const turn = c->turn + 9 * i + 3 * k;
            slope[3 * i + k] = by_x * way[k];
            turn[0] = by_u * way[k];
            for (size_t l = 1; l < 3; l++)
                turn[l] = k == 0 ? 0
                                 : -s->mu[i] * F / length *
                                       ((k == l) - bent * (u[k] / length) * (u[l] / length));
        }
    }
}

/* A <- 1/(gamma h) - dP'/dP, from which x is eliminated: x' = -u_n. */
static void set_equations(const process *c, double h) {
    const double g = 1 / (diagonal * h);
    for (size_t i = 0; i < c->rows; i++) {
        const double *const turn = c->turn + 3 * i;
        const double *const W = c->s->W + 3 * (i / 3) * c->rows;
        const double first = turn[0] - c->slope[i] / g;
        for (size_t j = 0; j < c->rows; j++)
            c->A[j * c->rows + i] = (i == j ? g : 0) - first * W[j] - turn[1] * W[c->rows + j] -
                                    turn[2] * W[2 * c->rows + j];
    }
}

/* b (4n) <- the stage of that right-hand side; `factored`: A is. False: A is singular. */
static bool solve_stage(const process *c, double h, bool factored, double *b) {
    const double g = 1 / (diagonal * h);
    double *const P = b + c->n;
    for (size_t i = 0; i < c->rows; i++)
        P[i] += c->slope[i] * b[i / 3] / g;
    if (factored)
        imp_eliminate_again((int)c->rows, c->A, c->row, P);
    else if (!imp_eliminate((int)c->rows, c->A, c->row, P))
        return false;
    for (size_t i = 0; i < c->n; i++) {
        const double *const W = c->s->W + 3 * i * c->rows;
        for (size_t j = 0; j < c->rows; j++)
            b[i] -= W[j] * P[j];
        b[i] /= g;
    }
    return true;
}

/* The error of the step: indentations beside themselves, since a gap may be little, and a
 * thousandth of what the fastest approach makes; velocities beside that, slips too: where they end
 * is a matter of d. */
static void note_error(process *c) {
    const double *const off = c->stage[STAGES - 1], *const P = off + c->n;
    c->error = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double size = fabs(c->next[i]) + 1e-3 * c->s->depth[i];
        c->error = imp_worse(c->error, fabs(off[i]) / (c->tolerance * size));
    }
    for (size_t i = 0; i < c->rows; i++) {
        double moved = 0;
        for (size_t j = 0; j < c->rows; j++)
            moved += c->s->W[i * c->rows + j] * P[j];
        c->error = imp_worse(c->error, fabs(moved) / (c->tolerance * c->s->approach));
    }
}

/* next <- y after h; false where there is none. */
static bool step(process *c, double h) {
    for (int k = 0; k < STAGES; k++) {
        double *const stage = c->stage[k];
        memcpy(c->next, c->y, c->states * sizeof *c->next);
        for (int l = 0; l < k; l++)
            for (size_t i = 0; i < c->states; i++)
                c->next[i] += at_stage[k][l] * c->stage[l][i];
        rates(c, c->next, stage, k == 0 ? c->slope : NULL);
        if (k == 0) set_equations(c, h);
        for (int l = 0; l < k; l++)
            for (size_t i = 0; i < c->states; i++)
                stage[i] += in_stage[k][l] / h * c->stage[l][i];
        if (!solve_stage(c, h, k > 0, stage)) return false;
    }
    for (size_t i = 0; i < c->states; i++) /* the last stage is the error of what it is added to */
        c->next[i] += c->stage[STAGES - 1][i];
    note_error(c);
    return true;
}

/* *room is the caller's to free. */
static bool begin(process *c, double **room, const imp_springs *s, double tolerance) {
    const size_t n = (size_t)s->n, m = 3 * n, states = 4 * n;
    *c = (process){.s = s, .n = n, .rows = m, .states = states, .tolerance = tolerance};
    *room = calloc((2 + STAGES) * states + 2 * m + 9 * n + m * m, sizeof **room);
    c->row = calloc(m, sizeof *c->row);
    if (!*room || !c->row) return false;
    c->y = *room;
    c->next = c->y + states;
    for (int k = 0; k < STAGES; k++)
        c->stage[k] = c->next + states * (size_t)(k + 1);
    c->u = c->stage[STAGES - 1] + states;
    c->slope = c->u + m;
    c->turn = c->slope + m;
    c->A = c->turn + 9 * n;
    c->slip = 10 * tolerance * s->approach;
    return true;
}

typedef struct asked {
    const imp_springs_settings *settings;
    imp_info *info;
} asked;

static imp_status run(process *c, const asked *to) {
    double h = INFINITY, last = 0; /* the next step, the last one */
    bool rested = false;           /* before that */
    int made = 0;
    for (size_t i = 0; i < c->n; i++)
        h = fmin(h, 0.01 * c->s->depth[i] / c->s->approach);
    for (;;) {
        imp_springs_velocity(c->s, c->y + c->n, c->u);
        const bool rests = imp_springs_rests(c->s, c->tolerance, c->y, c->u);
        if (imp_springs_apart(c->s, c->tolerance, c->y, c->u) ||
            (rests && rested && last > c->s->time))
            return IMP_OK;
        bool good = false;
        while (!good) {
            if (made >= to->settings->max_steps || !(h > 0) ||
                (to->info->cancel && *to->info->cancel))
                return IMP_NOT_CONVERGED;
            made++;
            if (to->info->iterations < INT_MAX) to->info->iterations++;
            last = h;
            good = step(c, h) && c->error <= 1;
            /* next to h error^(-1/4) */
            const double next = h * fmin(fmax(0.9 / sqrt(sqrt(fmax(c->error, 1e-4))), 0.2), 5);
            h = good ? next : fmin(next, 0.5 * h);
        }
        rested = rests;
        double *const before = c->y;
        c->y = c->next;
        c->next = before;
    }
}

/* What changes its contact's velocity by less than the approach rounds is no push, as the equations
 * of a step leave of contacts that only follow: it would be all there is to judge them by. */
static void drop_dust(const imp_springs *s, size_t n, double *P) {
    for (size_t i = 0; i < n; i++)
        if (fabs(P[3 * i]) * s->W[3 * i * (3 * n + 1)] <= DBL_EPSILON * s->approach)
            memset(P + 3 * i, 0, 3 * sizeof *P);
}

static imp_status follow(const imp_springs *s, void *data, double *P) {
    const asked *const to = data;
    process c;
    double *room;
    imp_status status = IMP_NO_MEMORY;
    if (begin(&c, &room, s, to->settings->tolerance)) {
        status = run(&c, to);
        memcpy(P, c.y + c.n, c.rows * sizeof *P);
        drop_dust(s, c.n, P);
    }
    free(room);
    free(c.row);
    return status;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)work;
    const size_t n = 3 * (size_t)problem->nc;
    asked to = {settings, info};
    double *sum = calloc(n, sizeof *sum);
    const imp_status status =
        sum ? imp_springs_all(problem, settings, follow, &to, sum) : IMP_NO_MEMORY;
    if (status >= 0) memcpy(p, sum, n * sizeof *p);
    free(sum);
    return status;
}

/* A residual of a tenth is no answer, whatever was asked for. */
static double bound(const void *settings) {
    return fmax(1e-9, fmin(0.1, 1000 * ((const imp_springs_settings *)settings)->tolerance));
}

static const imp_key keys[] = {
    {"exponent", "-", offsetof(imp_springs_settings, exponent), 1.5, 1, 10, NULL,
     "of the springs' force: 1.5 Hertz, 1 linear"},
    {"grade", "-", offsetof(imp_springs_settings, grade), 1, 1e-3, 1e3, NULL,
     "stiffness of a contact over that of the one before it in the list"},
    {"tolerance", "-", offsetof(imp_springs_settings, tolerance), 1e-10, 1e-12, 1e-3, NULL,
     "error of velocities in a step, relative to the fastest approach"},
    {"max_steps", IMP_COUNT, offsetof(imp_springs_settings, max_steps), 1e4, 1, 1e9, NULL,
     "steps allowed, of each island"},
    {0},
};

const imp_model imp_model_springs = {
    .name = "springs",
    .title = "the rigid limit of compliant contact: stiff springs that dissipate, with friction",
    .citation = "Hunt, Crossley 1975",
    .law = &imp_law_springs,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY,
    .keys = keys,
    .settings_size = sizeof(imp_springs_settings),
    .solve = solve,
    .bound = bound,
};
