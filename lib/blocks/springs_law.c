/* springs_law.c - the certificate of springs.h: the process once more, by an implicit Runge-Kutta
 * method (Hairer, Wanner 1996, IV.6: SDIRK, L-stable, order four), Newton's iteration in each
 * stage, with friction that is nearer to Coulomb's: mu F tanh(|u_t| / d). */
#include "blocks/springs.h"

#include "base/worse.h"
#include "blocks/lzb.h"
#include "contact/local.h"
#include "linear/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5 };

/* The method's matrix: what of the rates each stage adds; the last is the answer. */
static const double a[STAGES][STAGES] = {{1 / 4.0},
                                         {1 / 2.0, 1 / 4.0},
                                         {17 / 50.0, -1 / 25.0, 1 / 4.0},
                                         {371 / 1360.0, -137 / 2720.0, 15 / 544.0, 1 / 4.0},
                                         {25 / 24.0, -49 / 48.0, 125 / 16.0, -85 / 12.0, 1 / 4.0}};
/* The last row less the weights of an answer of order three. */
static const double estimate[STAGES] = {25 / 24.0 - 59 / 48.0, -49 / 48.0 + 17 / 96.0,
                                        125 / 16.0 - 225 / 32.0, 0, 1 / 4.0};

/* A state is x (n), then P (3n). */
typedef struct process {
    const imp_springs *s;
    size_t n, states;
    double *y;             /* (states) */
    double *start;         /* (states) the rates there */
    double *stage[STAGES]; /* (states each) the rates */
    double *next, *left;   /* (states) after a step; of Newton's iteration, and its error */
    double *from;          /* (states) of a stage, without its own rates */
    double *u;             /* (3n) */
    double *J;             /* (states x states) how the rates change with the state, column-major */
    double *A;             /* (states x states) 1 - h J / 4, and its factors */
    int *row;              /* (states) */
    double slip, tolerance, error;
} process;

/* Friction over mu F and the slip, of length r: tanh(r / d) / r; *bend <- its derivative over r. */
static double grip(double r, double d, double *bend) {
    const double x = r / d;
    if (x < 1e-3) {
        *bend = -2 / (3 * d * d * d);
        return (1 - x * x / 3) / d;
    }
    const double rise = tanh(x), share = rise / r;
    *bend = ((1 - rise) * (1 + rise) / d - share) / (r * r);
    return share;
}

/* f (3) <- the force of contact i with velocity u and indentation x; by_x (3), by_u (3 x 3,
 * row-major) <- how it changes with them, where asked for. */
static void force(const process *c, size_t i, double x, const double *u, double *f, double *by_x,
                  double *by_u) {
    const imp_springs *s = c->s;
    const double elastic = s->K[i] * imp_lzb_power(x, s->eta);
    const double factor = 1 - s->damping[i] * u[0], mu = s->mu[i];
    const bool pushes = factor > 0;
    double bend;
    const double share = mu * grip(sqrt(u[1] * u[1] + u[2] * u[2]), c->slip, &bend);
    f[0] = pushes ? elastic * factor : 0;
    f[1] = -share * f[0] * u[1];
    f[2] = -share * f[0] * u[2];
    if (!by_x) return;
    by_x[0] = pushes ? s->K[i] * imp_springs_slope(x, s->eta) * factor : 0;
    by_u[0] = pushes ? -elastic * s->damping[i] : 0;
    by_u[1] = by_u[2] = 0;
    for (size_t k = 1; k < 3; k++) {
        by_x[k] = -share * u[k] * by_x[0];
        by_u[3 * k] = -share * u[k] * by_u[0];
        for (size_t l = 1; l < 3; l++)
            by_u[3 * k + l] = -f[0] * ((k == l) * share + mu * bend * u[k] * u[l]);
    }
}

static void rates(const process *c, const double *y, double *rate) {
    imp_springs_velocity(c->s, y + c->n, c->u);
    for (size_t i = 0; i < c->n; i++) {
        rate[i] = -c->u[3 * i];
        force(c, i, y[i], c->u + 3 * i, rate + c->n + 3 * i, NULL, NULL);
    }
}

/* J <- at y. */
static void linearise(const process *c) {
    const size_t n = c->n, m = 3 * n, all = c->states;
    memset(c->J, 0, all * all * sizeof *c->J);
    imp_springs_velocity(c->s, c->y + n, c->u);
    for (size_t i = 0; i < n; i++) {
        double f[3], by_x[3], by_u[9];
        force(c, i, c->y[i], c->u + 3 * i, f, by_x, by_u);
        const double *const W = c->s->W + 3 * i * m;
        for (size_t j = 0; j < m; j++)
            c->J[(n + j) * all + i] = -W[j];
        for (size_t k = 0; k < 3; k++) {
            const size_t at = n + 3 * i + k;
            c->J[i * all + at] = by_x[k];
            for (size_t j = 0; j < m; j++)
                c->J[(n + j) * all + at] = by_u[3 * k] * W[j] + by_u[3 * k + 1] * W[m + j] +
                                           by_u[3 * k + 2] * W[2 * m + j];
        }
    }
}

/* How large a change of the state c->next is, over what is allowed: of indentations and of
 * velocities. */
static double size_of(const process *c, const double *change) {
    const size_t n = c->n, m = 3 * n;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(c->next[i]) + 1e-3 * c->s->depth[i];
        worst = imp_worse(worst, fabs(change[i]) / (c->tolerance * size));
        for (size_t k = 0; k < 3; k++) {
            double moved = 0;
            for (size_t j = 0; j < m; j++)
                moved += c->s->W[(3 * i + k) * m + j] * change[n + j];
            worst = imp_worse(worst, fabs(moved) / (c->tolerance * c->s->approach));
        }
    }
    return worst;
}

/* next <- the state of stage k, stage[k] its rates; false where Newton's iteration does not get
 * there. */
static bool solve_stage(process *c, double h, int k) {
    const size_t all = c->states;
    memcpy(c->from, c->y, all * sizeof *c->from);
    for (int l = 0; l < k; l++)
        for (size_t i = 0; i < all; i++)
            c->from[i] += h * a[k][l] * c->stage[l][i];
    double before = INFINITY, size = INFINITY;
    for (int round = 0; round < 12 && !(size < 0.01); round++) {
        rates(c, c->next, c->left);
        for (size_t i = 0; i < all; i++)
            c->left[i] = c->from[i] + h / 4 * c->left[i] - c->next[i];
        imp_eliminate_again((int)all, c->A, c->row, c->left);
        for (size_t i = 0; i < all; i++)
            c->next[i] += c->left[i];
        size = size_of(c, c->left);
        if (!(size < before)) return false;
        before = 0.8 * size;
    }
    for (size_t i = 0; i < all; i++)
        c->stage[k][i] = (c->next[i] - c->from[i]) / (h / 4);
    return size < 0.01;
}

/* Of the step: how far the answer of order three is from it; and, since no stage is as early as y,
 * how far the rates there are from the parabola through those at a quarter, half and three quarters
 * of the step, which a kink before the first of them leaves behind. */
static void note_error(process *c, double h) {
    double *const *const k = c->stage;
    for (size_t i = 0; i < c->states; i++)
        c->left[i] = h * (estimate[0] * k[0][i] + estimate[1] * k[1][i] + estimate[2] * k[2][i] +
                          estimate[4] * k[4][i]);
    c->error = size_of(c, c->left);
    for (size_t i = 0; i < c->states; i++)
        c->left[i] = h / 16 * (c->start[i] - 3 * k[0][i] + 3 * k[3][i] - k[1][i]);
    c->error = imp_worse(c->error, size_of(c, c->left));
}

/* next <- y after h; false where there is none. */
static bool step(process *c, double h) {
    const size_t all = c->states;
    for (size_t k = 0; k < all * all; k++)
        c->A[k] = -h / 4 * c->J[k];
    for (size_t i = 0; i < all; i++) {
        c->A[i * (all + 1)] += 1;
        c->left[i] = 0;
    }
    if (!imp_eliminate((int)all, c->A, c->row, c->left)) return false;
    memcpy(c->next, c->y, all * sizeof *c->next);
    for (int k = 0; k < STAGES; k++)
        if (!solve_stage(c, h, k)) return false;
    note_error(c, h);
    return true;
}

static bool begin(process *c, const imp_springs *s, double tolerance) {
    const size_t n = (size_t)s->n, all = 4 * n;
    *c = (process){.s = s, .n = n, .states = all, .tolerance = tolerance};
    c->y = calloc((STAGES + 5) * all + 3 * n + 2 * all * all, sizeof *c->y);
    c->row = calloc(all, sizeof *c->row);
    if (!c->y || !c->row) return false;
    c->start = c->y + all;
    for (int k = 0; k < STAGES; k++)
        c->stage[k] = c->start + all * (size_t)(k + 1);
    c->next = c->stage[STAGES - 1] + all;
    c->left = c->next + all;
    c->from = c->left + all;
    c->u = c->from + all;
    c->J = c->u + 3 * n;
    c->A = c->J + all * all;
    c->slip = tolerance * s->approach;
    return true;
}

/* A step from y that is good enough, of about *h, to what y becomes; *h <- the next one's. Returns
 * its length, 0 where h or the tries, `left`, run out. */
static double advance(process *c, double *h, double *left) {
    while (*h > 0 && (*left)-- > 0) {
        const double length = *h;
        const bool good = step(c, length) && c->error <= 1;
        /* next to h error^(-1/4) */
        const double next = length * fmin(fmax(0.9 / sqrt(sqrt(fmax(c->error, 1e-4))), 0.2), 5);
        *h = good ? next : fmin(next, 0.5 * length);
        if (!good) continue;
        memcpy(c->y, c->next, c->states * sizeof *c->y);
        memcpy(c->start, c->stage[STAGES - 1], c->states * sizeof *c->start);
        return length;
    }
    return 0;
}

/* Where nothing moves: do springs press on, by more in a touch's time than answers may be off?
 * Without restitution they are as good as let go. */
static bool holds(const process *c) {
    const imp_springs *s = c->s;
    const double least = 100 * c->tolerance * s->approach; /* the model's bound */
    rates(c, c->y, c->left);
    for (size_t i = 0; i < c->n; i++)
        if (s->W[3 * i * (3 * c->n + 1)] * c->left[c->n + 3 * i] * s->time > least) return true;
    return false;
}

/* Follows the process from its begin to its end; false where it has none in so many steps. *held <-
 * does it end between springs that press on? */
static bool run(process *c, double left, bool *held) {
    const imp_springs *s = c->s;
    double h = INFINITY, length = 1;
    bool rests = false;
    for (size_t i = 0; i < c->n; i++)
        h = fmin(h, 0.01 * s->depth[i] / s->approach);
    rates(c, c->y, c->start);
    while (length > 0) {
        linearise(c); /* u, too */
        const bool rested = rests;
        rests = imp_springs_rests(s, c->tolerance, c->y, c->u);
        if (imp_springs_apart(s, c->tolerance, c->y, c->u)) return true;
        if (rests && rested && length > s->time) {
            *held = holds(c);
            return true;
        }
        length = advance(c, &h, &left);
    }
    return false;
}

/* A problem's process, and what is known of each contact's island. */
typedef struct followed {
    const imp_problem *problem;
    const imp_springs_settings *settings;
    double *model;    /* (3nc) N s, the impulses */
    double *approach; /* (nc) m/s, the fastest; 0: nothing happens */
    double *room;     /* (3nc) */
    bool *held;       /* (nc) does it end between springs that press on? */
} followed;

static bool followed_init(followed *f, const imp_problem *problem,
                          const imp_springs_settings *settings) {
    const size_t nc = (size_t)problem->nc;
    *f = (followed){.problem = problem, .settings = settings};
    f->model = calloc(7 * nc, sizeof *f->model);
    f->held = calloc(nc, sizeof *f->held);
    if (!f->model || !f->held) return false;
    f->approach = f->model + 3 * nc;
    f->room = f->approach + nc;
    return true;
}

static void followed_clear(followed *f) {
    free(f->model);
    free(f->held);
}

static imp_status follow(const imp_springs *s, void *data, double *P) {
    followed *f = data;
    process c;
    imp_status status = IMP_NO_MEMORY;
    if (begin(&c, s, 10 * f->settings->tolerance)) {
        bool held = false;
        double fastest = 0;
        /* this method takes more steps than the solver's */
        status = run(&c, 2 * f->settings->max_steps, &held) ? IMP_OK : IMP_NOT_CONVERGED;
        memcpy(P, c.y + c.n, 3 * c.n * sizeof *P);
        for (size_t i = 0; i < c.n; i++)
            fastest = fmax(fastest, -f->problem->q[3 * (size_t)s->contact[i]]);
        for (size_t i = 0; i < c.n; i++) {
            f->approach[s->contact[i]] = fastest;
            f->held[s->contact[i]] = held;
        }
    }
    free(c.y);
    free(c.row);
    return status;
}

/* How far the velocities of p are from those of the process, and, but where its springs hold on,
 * how far pushes are, which redundant contacts share as the springs have it. Over the largest sum
 * of terms that a velocity of the contact is made of; of a lone one along the normal over its own,
 * along the tangents without their q, beside which friction may be little; and over no less than a
 * thousandth of the fastest approach, to which the process is as exact as its tolerance. */
static void note_distance(const followed *f, const double *p, imp_certificate *result) {
    const imp_problem *problem = f->problem;
    const imp_operator *W = problem->W;
    double *const d = f->room;
    for (size_t k = 0; k < 3 * (size_t)problem->nc; k++)
        d[k] = p[k] - f->model[k];
    for (int i = 0; i < problem->nc; i++) {
        double off[3], size[3], A[9];
        W->kind->block(W, i, i, A);
        W->kind->row(W, i, -1, d, off, NULL);
        W->kind->row(W, i, -1, p, (double[3]){0}, size);
        for (int k = 0; k < (problem->nc > 1 ? 3 : 1); k++)
            size[k] += fabs(problem->q[3 * (size_t)i + (size_t)k]);
        size[1] = size[2] = imp_largest(size, 3, 1);
        if (problem->nc > 1) size[0] = size[1];
        for (int k = 0; k < 3; k++) {
            size[k] = fmax(size[k], 1e-3 * f->approach[i]);
            imp_certificate_note(result, "from-model", imp_relative(fabs(off[k]), size[k]), i);
        }
        const double pushed = f->held[i] ? 0 : fabs(A[0] * d[3 * (size_t)i]);
        imp_certificate_note(result, "distribution", imp_relative(pushed, size[0]), i);
    }
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    (void)path;
    imp_springs_settings own =
        settings ? *(const imp_springs_settings *)settings : imp_springs_presets;
    followed f;
    const imp_status status = followed_init(&f, problem, &own)
                                  ? imp_springs_all(problem, &own, follow, &f, f.model)
                                  : IMP_NO_MEMORY;
    if (status != IMP_NO_MEMORY) {
        imp_local_note_whole(problem, p, result);
        if (status == IMP_OK)
            note_distance(&f, p, result);
        else if (status == IMP_UNSUPPORTED)
            result->unjudged = "a contact 1e200 times as stiff, or as soft, as the first";
        else
            result->unjudged = "the process does not come to an end";
    }
    followed_clear(&f);
    return status == IMP_NO_MEMORY ? IMP_NO_MEMORY : IMP_OK;
}

const imp_law imp_law_springs = {
    .name = "springs",
    .statement = "stiff springs with Hunt and Crossley's dissipation and Coulomb friction, until "
                 "nothing presses and nothing approaches",
    .certify = certify,
    .reads = IMP_READS_RESTITUTION | IMP_READS_FRICTION};
