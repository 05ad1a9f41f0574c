/* u_loop.c - Uchida, Sherman, Delp (2015), sections 2(b) and 3(b): bilateral constraints within an
 * impact, on a closed loop whose answer has a closed form. */
#include "base/worse.h"
#include "benchmarks/experiments/experiments.h"
#include "generators/gen_linkage.h"
#include "impact.h"

#include <math.h>

enum { PLACES = 60 };

/* auto last: it iterates. */
static const struct {
    const char *model;
    double e, mu;
} ways[] = {{"plus", 0.5, 0},       {"poisson", 0.5, 0},    {"newton", 0.5, 0},
            {"single-phase", 0, 0}, {"drumwright", 0, 0.5}, {"auto", 0, 0.5}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Largest errors over all places. */
typedef struct worst {
    int solved;
    double rate;     /* of the crank against -e before, over the rate before */
    double velocity; /* the rows, imp_bilateral_judge */
    double momentum;
} worst;

static double off(const double *got, const double *want, int n) {
    double error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        error = imp_worse(error, fabs(got[i] - want[i]));
        size = imp_worse(size, fabs(want[i]));
    }
    return error / size;
}

/* The only motion is that of the crank, so u_n = -e q_n stops or turns all of it, with whatever
 * friction. */
static void solve(const gen_linkage *g, const imp_bilateral *b, const imp_problem *of, int way,
                  worst *all) {
    const imp_model *model = imp_model_find(ways[way].model);
    imp_problem problem = *of;
    double p[3], velocity[6 * GEN_LINKAGE_BODIES], lambda[GEN_LINKAGE_ROWS];
    imp_bilateral_errors errors;
    imp_settings settings;
    imp_model_presets(model, &settings);
    (void)imp_model_set(model, &settings, "v_capture", 0); /* plus: e at every speed */
    (void)imp_model_set(model, &settings, "v_plastic", 0);
    problem.mu = &ways[way].mu;
    problem.e = &ways[way].e;
    if (imp_solve(model, &problem, &settings, p, NULL) != IMP_OK ||
        imp_bilateral_recover(b, p, NULL, velocity, lambda, &errors) != IMP_OK)
        return;
    const double *across = g->stop.frame + 3, *spin = velocity + 3,
                 rate = spin[0] * across[0] + spin[1] * across[1] + spin[2] * across[2];
    all->solved++;
    all->rate = imp_worse(all->rate, fabs(rate + ways[way].e * g->rate) / fabs(g->rate));
    all->velocity = imp_worse(all->velocity, errors.velocity);
    all->momentum = imp_worse(all->momentum, errors.momentum);
}

/* The rows after an impact without contact that began with a coupler 0.1 m/s too fast. */
static double caught_rows(const gen_linkage *kept) {
    static const double none[3] = {0};
    gen_linkage g = *kept;
    const imp_constraints joints = gen_linkage_joints(&g);
    double q[3], velocity[6 * GEN_LINKAGE_BODIES], lambda[GEN_LINKAGE_ROWS];
    imp_bilateral *b;
    imp_bilateral_errors errors = {.velocity = INFINITY};
    g.body[1].velocity[0] += 0.1;
    if (imp_bilateral_new(GEN_LINKAGE_BODIES, g.body, 1, &g.stop, &joints, &b, q, NULL) != IMP_OK)
        return INFINITY;
    (void)imp_bilateral_recover(b, none, NULL, velocity, lambda, &errors);
    imp_bilateral_free(b);
    return errors.velocity;
}

/* One place of the crank: W and q against those of its angle, then the models. */
static bool look(double angle, double *form, double *caught, worst all[WAYS]) {
    const gen_linkage g = gen_linkage_of(angle);
    const imp_constraints joints = gen_linkage_joints(&g);
    imp_bilateral *b;
    double q[3], want_q[3], W[9], want_W[9];
    if (imp_bilateral_new(GEN_LINKAGE_BODIES, g.body, 1, &g.stop, &joints, &b, q, NULL) != IMP_OK)
        return false;
    const imp_operator left = imp_operator_factored(imp_bilateral_factored(b));
    const imp_problem problem = {.nc = 1, .W = &left, .q = q};
    imp_operator_write(&left, W);
    *caught = imp_worse(*caught, caught_rows(&g));
    for (int k = 0; k < 9; k++)
        want_W[k] = g.jacobian[k / 3] * g.jacobian[k % 3] / g.inertia;
    for (int k = 0; k < 3; k++)
        want_q[k] = g.jacobian[k] * g.rate;
    *form = imp_worse(*form, imp_worse(off(W, want_W, 9), off(q, want_q, 3)));
    for (int way = 0; way < WAYS; way++)
        solve(&g, b, &problem, way, &all[way]);
    const bool rank = imp_bilateral_rank(b) == GEN_LINKAGE_RANK;
    imp_bilateral_free(b);
    return rank;
}

static void run(report *r) {
    report_rows *t =
        report_table(r, "u_loop", "model\te:3\tmu:3\tsolved:3\trate:3\trows:3\tmomentum:3");
    worst all[WAYS] = {{0}}, most = {.solved = PLACES};
    double form = 0, caught = 0;
    int ranks = 0;
    for (int k = 0; k < PLACES; k++)
        ranks += look(0.1 + 0.1 * k, &form, &caught, all);
    for (int way = 0; way < WAYS; way++) {
        report_row(t, ways[way].model, ways[way].e, ways[way].mu, all[way].solved, all[way].rate,
                   all[way].velocity, all[way].momentum);
        if (all[way].solved < most.solved) most.solved = all[way].solved;
        if (way < WAYS - 1) most.rate = imp_worse(most.rate, all[way].rate);
        most.velocity = imp_worse(most.velocity, all[way].velocity);
        most.momentum = imp_worse(most.momentum, all[way].momentum);
    }
    report_count(r, INDEPENDENT, "places where 17 of the loop's 20 rows are independent", PLACES,
                 ranks, "a planar loop of joints of three dimensions has 3 of its rows twice");
    report_at_most(r, INDEPENDENT, "W and q against those of the crank's angle", 1e-12, form,
                   "largest error of an entry, over the largest entry");
    report_count(r, OWN_BOUND, "places that every model solves", PLACES, most.solved, NULL);
    report_at_most(r, INDEPENDENT, "crank's rate after the impact against -e of that before", 1e-12,
                   most.rate,
                   "all models but auto; where one motion is free, friction changes nothing");
    report_at_most(r, INDEPENDENT, "and of auto, which iterates", 1e-9, all[WAYS - 1].rate,
                   "the bound of its certificate");
    report_at_most(r, OWN_BOUND, "loop closure: rows' velocity after the impact", 1e-12,
                   most.velocity, "relative to what it is a difference of");
    report_at_most(r, STATED_IN_SOURCE, "the same from velocities that do not keep them", 1e-12,
                   caught, "“even if u did not satisfy the constraints perfectly”");
    report_at_most(r, OWN_BOUND, "momentum: M (v+ - v) against H p + G' lambda", 1e-12,
                   most.momentum, "body by body");
    report_show_table(r, "u_loop",
                      "A four-bar linkage of free bodies and joints, turned in space, at 60 places "
                      "of its crank: its rocker meets a stop. Largest errors over all places.");
}

const experiment experiment_u_loop = {
    "U-Loop", "Bilateral constraints within an impact (sections 2b and 3b)",
    "Bilateral constraints, holonomic or not, stand beside the contacts in eq. (2.1), are "
    "satisfied "
    "at the end of an impact “even if u did not satisfy the constraints perfectly when the impact "
    "began”, and are left out of all that follows. Here they are eliminated once, and the answer "
    "on a closed loop is held against that of its one coordinate.",
    run};
