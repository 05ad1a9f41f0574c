/* blocks.c - is "ok" true? Random bodies of 2 to 8 contacts through the block solvers, errors from
 * the definition: the natural map (e = 0); approach, cones and energy (e > 0). */
#include "campaign/campaign.h"

#include "benchmarks/harness/natural_error.h"
#include "generators/gen.h"
#include "impact.h"

#include <math.h>

enum { SIZE = 3 * GEN_MOST_CONTACTS, UNSOLVED = CAMPAIGN_OWN, ERROR };

static const double tolerance = 1e-10;

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"unsolved", false}, {"error", true}, {NULL, false}};

/* Rows: models at e = 0, then bouncing. */
static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};

static const char *row(int k) {
    static const char *const names[] = {"auto", "gauss-seidel-coulomb", "auto-bouncing",
                                        "gauss-seidel-bouncing"};
    return k < 4 ? names[k] : NULL;
}

/* Approach relative to |q|, as the tolerance is; cone to the largest impulse; energy to the sum of
 * its terms. */
static double bounce_error(const gen_many *g, const double *p) {
    const int n = 3 * g->nc;
    double worst = 0, energy = 0, stake = 0, push = 0, speed = 0;
    for (int i = 0; i < n; i++) {
        push = fmax(push, fabs(p[i]));
        speed = hypot(speed, g->q[i]);
    }
    for (int i = 0; i < n; i++) {
        double Wp = 0, size = fabs(g->q[i]);
        for (int j = 0; j < n; j++) {
            Wp += g->W[i * n + j] * p[j];
            size += fabs(g->W[i * n + j] * p[j]);
        }
        energy += p[i] * (0.5 * Wp + g->q[i]);
        stake += fabs(p[i]) * size;
        if (i % 3 == 0) worst = fmax(worst, -(Wp + g->q[i]) / speed);
        if (i % 3 == 0 && push > 0)
            worst = fmax(worst, (hypot(p[i + 1], p[i + 2]) - g->mu[i / 3] * p[i]) /
                                    (push * fmax(1, g->mu[i / 3])));
    }
    return stake > 0 ? fmax(worst, energy / stake) : worst;
}

static void ask(campaign_lot *lot, const gen_many *g, const imp_problem *problem, bool bounces,
                int m) {
    const int k = 2 * bounces + m;
    double p[SIZE];
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = tolerance;
    settings.max_sweeps = 20000;
    if (imp_solve(models[m], problem, &settings, p, NULL) != IMP_OK) {
        campaign_count(lot, k, UNSOLVED, true);
        return;
    }
    campaign_answer(lot, p, 3 * g->nc, 1);
    const double error = bounces ? bounce_error(g, p) : natural_error(problem, p);
    campaign_worst(lot, k, ERROR, error);
    if (!(error <= (bounces ? 1e-8 : 1.001 * tolerance)))
        campaign_fault(lot, k, problem, models[m], "ok is wrong");
}

static void one(campaign_lot *lot, uint64_t number) {
    const gen_many g = gen_bodies(1000000 + number, 2 + (int)(number % 7));
    const bool bounces = number % 2;
    gen_stream s = gen_seed(911, number);
    double e[GEN_MOST_CONTACTS];
    for (int i = 0; i < g.nc; i++)
        e[i] = bounces ? gen_uniform(&s, 0, 1) : 0;
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
    for (int m = 0; m < 2; m++) {
        campaign_begin(lot, 2 * bounces + m, number);
        ask(lot, &g, &problem, bounces, m);
    }
}

static void pose(campaign_lot *lot, uint64_t first, long count) {
    for (long k = 0; k < count; k++)
        one(lot, first + (uint64_t)k);
}

const campaign_inquiry campaign_blocks = {
    .name = "blocks",
    .about = "is ok true? bodies of 2 to 8 contacts by the block solvers",
    .row = row,
    .columns = columns,
    .lot = 1000,
    .goal = 1e6,
    .pose = pose};
