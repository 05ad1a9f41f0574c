/* convex.c - the convex models on random problems of several contacts and on stacks of boxes: every
 * answer against what Drumwright and Shell (2010), section 3, promise, relative, to the 1e-6 of
 * `ok`. */
#include "campaign/campaign.h"
#include "generators/gen.h"
#include "generators/gen_stack.h"
#include "impact.h"

#include <math.h>
#include <string.h>

enum { UNSOLVED = CAMPAIGN_OWN, ENERGY, CONTACT, SUM, CONE, LEAST, PHASE1, BOUNCE };
static const double limit = 1e-6;

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false},
    {"unsolved", false}, /* of the convex model: it says so */
    {"energy", true},    /* added: property 1 */
    {"contact", true},   /* penetration and adhesion: 2 */
    {"sum", true},       /* kappa: 3 */
    {"cone", true},      /* 4 */
    {"least", true},     /* energy above the least, pairs of multipliers: 5 */
    {"phase I", true},   /* its complementarity */
    {"bounce", true},    /* with restitution: energy, certificate */
    {NULL, false}};

/* One or two loose bodies, as gen_loose makes them. */
typedef struct loose_class {
    const char *name;
    uint64_t stream;
    int most;
    double most_mu, decades;
} loose_class;

static const loose_class loose[] = {{"of D-App", 0x0d, 6, 1.5, 0},
                                    {"mu <= 3", 11, 8, 3, 0},
                                    {"masses", 12, 8, 3, 6},
                                    {"heavier", 13, 6, 1.5, 6}};
static const char *const contacts[GEN_MOST_CONTACTS] = {"1", "2", "3", "4", "5", "6", "7", "8"};
enum {
    LOOSE = sizeof loose / sizeof *loose,
    STACK_ROW = GEN_MOST_CONTACTS + LOOSE,
    ROWS,
    MOST_CONTACTS = GEN_STACK_CONTACTS
};

static const char *row(int k) {
    return k < GEN_MOST_CONTACTS ? contacts[k]
           : k < STACK_ROW       ? loose[k - GEN_MOST_CONTACTS].name
           : k == STACK_ROW      ? "stacks"
                                 : NULL;
}

/* Energy gained, relative to the energy that went through the contacts. */
static double gained(const imp_problem *problem, const double *p) {
    double through = 0;
    for (int i = 0; i < 3 * problem->nc; i++)
        through += fabs(p[i] * problem->q[i]);
    const double energy = imp_problem_energy(problem, p);
    return energy > 0 ? energy / through : 0;
}

/* A problem in work: how its answers come out. */
typedef struct trial {
    campaign_lot *lot;
    int row;
    const imp_problem *problem;
    imp_convex_settings settings;
    double p[3 * MOST_CONTACTS];
    imp_certificate c;
    const char *what; /* the first fault; NULL: none */
} trial;

static void note(trial *t, int column, double value, const char *what) {
    campaign_worst(t->lot, t->row, column, value);
    if (!(value <= limit) && !t->what) t->what = what;
}

/* Solved? Velocities of bodies always leave a solution: it may be missed, where W is singular but
 * for its rounding, but not denied. */
static bool solved(trial *t, imp_status status) {
    if (status == IMP_OK) return true;
    campaign_count(t->lot, t->row, UNSOLVED, true);
    if (status != IMP_NOT_CONVERGED && status != IMP_NOT_CERTIFIED && !t->what)
        t->what = "a solution is denied";
    return false;
}

/* The convex model; an answer that it calls right judged along its path, as it came out of
 * campaign_answer. */
static bool solve(trial *t) {
    imp_path path = {0};
    const bool known = solved(t, imp_solve_certified(&imp_model_drumwright, t->problem,
                                                     &t->settings, t->p, &path, NULL, NULL));
    if (known) campaign_answer(t->lot, t->p, 3 * t->problem->nc, 1);
    if (known && imp_certify(t->problem, imp_model_drumwright.law, &t->settings, t->p, &path,
                             &t->c) != IMP_OK)
        t->c = (imp_certificate){.worst = INFINITY}; /* each residual counts as missing */
    imp_path_clear(&path);
    return known;
}

static void inelastic(trial *t) {
    if (!solve(t)) return;
    note(t, ENERGY, gained(t->problem, t->p), "gains energy");
    note(t, CONTACT, imp_certificate_residual(&t->c, "signorini"), "penetrates");
    note(t, SUM, imp_certificate_residual(&t->c, "sum"), "breaks kappa");
    note(t, CONE, imp_certificate_residual(&t->c, "cone"), "leaves a cone");
    note(t, LEAST, imp_certificate_residual(&t->c, "stationarity"), "energy above the least");
    note(t, LEAST, imp_certificate_residual(&t->c, "slip"), "friction is not against the slip");
    note(t, LEAST, imp_certificate_residual(&t->c, "complementarity"), "pairs of multipliers");
}

static void frictionless(trial *t) {
    static const double none[MOST_CONTACTS] = {0};
    imp_problem smooth = *t->problem;
    smooth.mu = none;
    if (!solved(t, imp_frictionless(t->problem, t->p, NULL))) return;
    if (imp_certify(&smooth, &imp_law_frictionless, NULL, t->p, NULL, &t->c) != IMP_OK)
        t->c.worst = INFINITY;
    note(t, PHASE1, t->c.worst, "phase I is not complementary");
    note(t, ENERGY, gained(t->problem, t->p), "phase I gains energy");
}

static void bouncing(trial *t) {
    if (solve(t))
        note(t, BOUNCE, fmax(t->c.worst, gained(t->problem, t->p)), "bouncing, breaks the law");
    if (solved(t, imp_frictionless(t->problem, t->p, NULL)))
        note(t, BOUNCE, gained(t->problem, t->p), "bouncing, phase I gains energy");
}

/* First with e = 0. */
static void put(campaign_lot *lot, int row, const imp_problem *problem) {
    imp_problem inert = *problem;
    trial t = {.lot = lot, .row = row, .problem = &inert};
    imp_model_presets(&imp_model_drumwright, &t.settings);
    t.settings.mu_v = row < GEN_MOST_CONTACTS && lot->at / ROWS % 5 == 0 ? 0.1 : 0;
    inert.e = NULL;
    inelastic(&t);
    frictionless(&t);
    t.problem = problem;
    bouncing(&t);
    if (t.what) campaign_fault(lot, row, problem, &imp_model_drumwright, t.what);
}

/* Of every third of gen_bodies all bodies but one are at rest. */
static void bodies(campaign_lot *lot, uint64_t number, int row, const double *e) {
    const int kind = row - GEN_MOST_CONTACTS;
    const uint64_t index = number / ROWS;
    double own[GEN_MOST_CONTACTS];
    memcpy(own, e, sizeof own);
    const loose_class *l = kind < 0 ? NULL : &loose[kind];
    gen_many g = l ? gen_loose(l->stream, index, l->most, l->most_mu, l->decades, own)
                   : gen_bodies(index, row + 1);
    if (!l && index / 3 % 3 == 0) gen_strike(&g, (int)(index / 9 % (uint64_t)g.nb));
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = own};
    campaign_begin(lot, row, number);
    put(lot, row, &problem);
}

/* 1 to 5 boxes of 1 kg, the topmost up to 1e8 times as heavy. */
static void stack(campaign_lot *lot, uint64_t number, const double *e) {
    static gen_stack g;
    gen_stream s = gen_seed(2011, number / ROWS);
    const int boxes = 1 + (int)(number / ROWS % GEN_STACK_BOXES);
    double mass[GEN_STACK_BOXES] = {1, 1, 1, 1, 1};
    mass[boxes - 1] = gen_power10(&s, -4, 8);
    gen_stack_of(&s, boxes, mass, gen_uniform(&s, 0, 1.5), &g);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
    campaign_begin(lot, STACK_ROW, number);
    put(lot, STACK_ROW, &problem);
}

static void one(campaign_lot *lot, uint64_t number) {
    const int row = (int)(number % ROWS);
    const uint64_t index = number / ROWS;
    gen_stream s = gen_seed(2010, index);
    double e[MOST_CONTACTS];
    for (int i = 0; i < MOST_CONTACTS; i++)
        e[i] = index % 3 == 0 ? 1 : gen_uniform(&s, 0, 1);
    if (row == STACK_ROW)
        stack(lot, number, e);
    else
        bodies(lot, number, row, e);
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    (void)model;
    put(lot, row, problem);
}

const campaign_inquiry campaign_convex = {
    .name = "convex",
    .about = "the convex model and its phase I, 1 to 8 contacts, and stacks of 1 to 5 boxes: the "
             "promises of its source",
    .row = row,
    .columns = columns,
    .lot = 600,
    .goal = 1e7,
    .one = one,
    .again = again};
