/* u_budget.c - Uchida, Sherman, Delp (2015), section 5: PLUS when only so many rounds are allowed.
 */
#include "base/worse.h"
#include "benchmarks/harness/report.h"
#include "generators/gen.h"
#include "lib/impact.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20, ROWS = 3 * MOST, INTERVALS = 4096, CAPS = 6, PROBLEMS = 300, KINDS = 4 };

typedef struct impact {
    int nc;
    double W[ROWS * ROWS], q[ROWS], mu[MOST], e[MOST];
} impact;

/* A row of so many balls of 1 kg, the first of which comes at 1 m/s; e = 1, no friction. */
static void row_of_balls(int balls, impact *s) {
    const int n = 3 * (balls - 1);
    *s = (impact){.nc = balls - 1, .q = {-1}};
    for (int i = 0; i < n; i++) {
        s->e[i / 3] = 1;
        s->W[i * n + i] = 2;
        if (i + 3 < n) s->W[i * n + i + 3] = s->W[(i + 3) * n + i] = -1;
    }
}

static void at_random(int nc, uint64_t k, impact *s) {
    const gen_many bodies = gen_bodies(k, nc);
    s->nc = nc;
    memcpy(s->W, bodies.W, 9 * (size_t)nc * (size_t)nc * sizeof *s->W);
    memcpy(s->q, bodies.q, 3 * (size_t)nc * sizeof *s->q);
    memcpy(s->mu, bodies.mu, (size_t)nc * sizeof *s->mu);
    for (int i = 0; i < nc; i++)
        s->e[i] = 0.4;
}

/* u <- W p + q. */
static void velocities(const impact *s, const double *p, double *u) {
    for (int i = 0; i < 3 * s->nc; i++) {
        u[i] = s->q[i];
        for (int j = 0; j < 3 * s->nc; j++)
            u[i] += s->W[i * 3 * s->nc + j] * p[j];
    }
}

/* p'W p. */
static double square(const impact *s, const double *p) {
    double u[ROWS], sum = 0;
    velocities(s, p, u);
    for (int i = 0; i < 3 * s->nc; i++)
        sum += p[i] * (u[i] - s->q[i]);
    return sum;
}

/* What is left of an impact that ends after some rounds. */
typedef struct ending {
    double approach; /* the fastest one after, over the fastest before */
    double gain;     /* of energy, over the most that the impact could lose */
    double off;      /* of the velocities from those of the whole impact, over its change */
} ending;

static ending judge_end(const impact *s, const double *p, const double *whole) {
    double u[ROWS], d[ROWS], before = 0, after = 0, energy = square(s, p) / 2;
    velocities(s, p, u);
    for (int i = 0; i < 3 * s->nc; i++) {
        d[i] = p[i] - whole[i];
        energy += p[i] * s->q[i];
        if (i % 3 == 0) before = fmax(before, -s->q[i]);
        if (i % 3 == 0) after = imp_worse(after, -u[i]);
    }
    const double change = square(s, whole);
    return (ending){after / before, energy / change, sqrt(imp_worse(0, square(s, d)) / change)};
}

/* PLUS with e = 0 from the velocities that p leaves; p receives what it adds. */
static bool end_inelastically(const impact *s, const imp_plus_settings *settings, double *p) {
    double u[ROWS] = {0}, more[ROWS] = {0}, none[MOST] = {0};
    velocities(s, p, u);
    bool approaches = false;
    for (int i = 0; i < s->nc; i++)
        approaches = approaches || u[3 * i] < -1e-12;
    if (!approaches) return true;
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    const imp_problem rest = {.nc = s->nc, .W = &W, .q = u, .mu = s->mu, .e = none};
    if (imp_solve(&imp_model_plus, &rest, settings, more, NULL) != IMP_OK) return false;
    for (int i = 0; i < 3 * s->nc; i++)
        p[i] += more[i];
    return true;
}

/* All that one impact comes to under each cap, from one round on. */
typedef struct capped {
    int rounds; /* of the whole; 0: nothing approaches; -1: it has no answer, or an end has none */
    double sum; /* of the impulses of all rounds, off the whole, of its largest */
    ending stopped[CAPS], ended[CAPS];
} capped;

static capped cap(const impact *s) {
    static double pi[INTERVALS * ROWS];
    static imp_plus_interval interval[INTERVALS];
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    const imp_problem problem = {.nc = s->nc, .W = &W, .q = s->q, .mu = s->mu, .e = s->e};
    imp_plus_settings settings = imp_plus_settings_default();
    imp_plus_history history = {.capacity = INTERVALS, .interval = interval, .pi = pi};
    imp_info info = {0};
    double whole[ROWS];
    capped c = {.rounds = -1};
    double total[ROWS] = {0}, off = 0, most = 0;
    settings.v_capture = settings.v_plastic = 0;
    void *work = malloc(imp_plus_workspace(s->nc));
    const imp_status status =
        work ? imp_plus(&problem, &settings, whole, work, &history, &info) : IMP_NO_MEMORY;
    free(work);
    if (status != IMP_OK || history.count > INTERVALS) return c;
    for (int a = 0; a < 3 * s->nc; a++) {
        for (int i = 0; i < history.count; i++)
            total[a] += pi[i * 3 * s->nc + a];
        off = imp_worse(off, fabs(total[a] - whole[a]));
        most = fmax(most, fabs(whole[a]));
    }
    c.sum = most > 0 ? off / most : off;
    for (int k = 0; k < CAPS; k++) {
        double p[ROWS] = {0};
        for (int i = 0; i < history.count && interval[i].round <= k + 1; i++)
            for (int a = 0; a < 3 * s->nc; a++)
                p[a] += pi[i * 3 * s->nc + a];
        c.stopped[k] = judge_end(s, p, whole);
        if (!end_inelastically(s, &settings, p)) return c;
        c.ended[k] = judge_end(s, p, whole);
    }
    c.rounds = info.rounds;
    return c;
}

/* The worst ends of all. */
typedef struct bounds {
    double approach, gain, stopped, sum;
} bounds;

static void note(const capped *c, bounds *b) {
    b->sum = imp_worse(b->sum, c->sum);
    for (int k = 0; k < CAPS; k++) {
        b->approach = imp_worse(b->approach, c->ended[k].approach);
        b->gain = imp_worse(b->gain, imp_worse(c->ended[k].gain, c->stopped[k].gain));
        b->stopped = imp_worse(b->stopped, c->stopped[k].approach);
    }
}

/* Random impacts: rows of the 90th percentiles by the cap. Returns how many have no answer. */
static int many(report *r, report_rows *t, int nc, bounds *b) {
    static double stopped[CAPS][PROBLEMS], ended[CAPS][PROBLEMS], approach[CAPS][PROBLEMS];
    static impact s;
    size_t solved = 0;
    int beyond = 0, unsolved = 0;
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        at_random(nc, k, &s);
        const capped c = cap(&s);
        unsolved += c.rounds < 0;
        if (c.rounds <= 0) continue;
        note(&c, b);
        beyond += c.rounds > 2;
        for (int a = 0; a < CAPS; a++) {
            stopped[a][solved] = c.stopped[a].off;
            ended[a][solved] = c.ended[a].off;
            approach[a][solved] = c.stopped[a].approach;
        }
        solved++;
    }
    for (int a = 0; a < CAPS && solved > 0; a++) {
        gsl_sort(stopped[a], 1, solved);
        gsl_sort(ended[a], 1, solved);
        gsl_sort(approach[a], 1, solved);
        report_row(t, report_text(r, "%d contacts at random", nc), a + 1,
                   gsl_stats_quantile_from_sorted_data(approach[a], 1, solved, 0.9),
                   gsl_stats_quantile_from_sorted_data(stopped[a], 1, solved, 0.9),
                   gsl_stats_quantile_from_sorted_data(ended[a], 1, solved, 0.9));
    }
    report_shown(r, NO_REFERENCE,
                 report_text(r, "%d contacts at random: impacts of more than two rounds", nc), "",
                 report_text(r, "%d of %zu", beyond, solved),
                 "e = 0.4; the others of 300 approach nowhere, or are not solved");
    return unsolved;
}

static void run(report *r) {
    static const int balls[] = {3, 5, 8, 13, 21}, contacts[KINDS] = {2, 3, 4, 5};
    static impact s;
    report_rows *t =
        report_table(r, "u_budget", "impacts\trounds:6\tapproach:4\tstopped:4\tended:4");
    bounds b = {0};
    int as_many = 0, unsolved = 0;
    double fall = 0;
    for (int k = 0; k < 5; k++) {
        row_of_balls(balls[k], &s);
        const capped c = cap(&s);
        as_many += c.rounds == balls[k];
        note(&c, &b);
        for (int a = 0; a < CAPS && balls[k] == 8; a++)
            report_row(t, "row of eight balls", a + 1, c.stopped[a].approach, c.stopped[a].off,
                       c.ended[a].off);
        for (int a = 1; a < CAPS; a++)
            fall = imp_worse(fall, c.ended[a].off - c.ended[a - 1].off);
    }
    report_count(r, INDEPENDENT, "rows of 3, 5, 8, 13 and 21 balls: as many rounds as balls", 5,
                 as_many, "“substantial if many impact rounds are necessary”");
    for (int k = 0; k < KINDS; k++) {
        unsolved += many(r, t, contacts[k], &b);
        report_progress(r, (k + 1.0) / KINDS);
    }
    report_at_most(r, OWN_BOUND, "random impacts of 1200 that PLUS, or an end, does not solve", 60,
                   unsolved, "random impacts without an answer: U-Active");
    report_at_most(r, OWN_BOUND, "sum over all rounds against the whole impulse", 1e-12, b.sum,
                   "of its largest");
    report_judge(r, OWN_BOUND, "stopped at the cap: fastest approach left, of that before", "some",
                 report_text(r, "%.2f", b.stopped), "at least 0.5, finite",
                 b.stopped >= 0.5 && isfinite(b.stopped), "bodies go on into each other");
    report_at_most(r, OWN_BOUND, "ended with e = 0 at the cap: fastest approach left", 1e-9,
                   b.approach, NULL);
    report_at_most(r, OWN_BOUND, "energy that either way gains, of the impact's change", 1e-9,
                   b.gain, NULL);
    report_at_most(r, OWN_BOUND, "rows of balls ended so: what a round more makes worse", 1e-12,
                   fall, "of the velocities, off those of all rounds");
    report_show_table(
        r, "u_budget",
        "Impacts of which only so many rounds are computed: the fastest approach that is left, of "
        "that before; velocities off those of all rounds, of their change, where it stops there, "
        "and where one more solve without restitution stops what still approaches. At random: 90 "
        "of 100 impacts are below.");
}

const experiment experiment_u_budget = {
    "U-Budget", "PLUS with a limited number of rounds (section 5)",
    "“In practice, it may be necessary to limit the number of rounds permitted in a single impulse "
    "calculation; research is required to determine how to compute the best possible impulse "
    "within a limited computational budget.” One way is tried: the last solve is made without "
    "restitution. Whether a better one exists is left open.",
    run};
