/* plus.c - PLUS on random problems of 1 to 6 contacts: with its heuristic active set and with the
 * exhaustive one, each held against its law along its path; one contact by the solver for one and,
 * beside a contact that nothing happens at, by that for several. */
#include "campaign/campaign.h"
#include "generators/gen.h"
#include "impact.h"

#include <math.h>
#include <string.h>

enum { MOST = 6, SIZE = 3 * MOST, ROWS = MOST + 2 };
enum { UNSOLVED = CAMPAIGN_OWN, EXHAUSTIVE, DIFFER, APART, RESIDUAL, CODES };

static const campaign_column columns[] = {
    {"problems", false},   {"faults", false}, {"unsolved", false}, /* by the heuristic choice */
    {"exhaustive", false}, /* unsolved by the exhaustive one */
    {"differ", false},     /* two answers, each right */
    {"apart", true}, /* the velocities of these, of the change that the exhaustive one makes */
    {"residual", true},    {"codes", true}, /* apart by the two solvers, relative */
    {NULL, false}};

static const double limit = 1e-9; /* what `ok` of PLUS promises */

/* Contacts of bodies in heaps; of two loose bodies, and with masses up to 1e6 apart. */
static const char *row(int k) {
    static const char *const names[ROWS] = {"1", "2", "3", "4", "5", "6", "loose", "masses"};
    return k < ROWS ? names[k] : NULL;
}

/* A problem in work. */
typedef struct trial {
    campaign_lot *lot;
    int row;
    const imp_problem *problem;
    const char *what; /* the first fault; NULL: none */
} trial;

static void expect(trial *t, bool good, const char *what) {
    if (!good && !t->what) t->what = what;
}

/* p (3nc) <- the answer by this choice, judged along its path; false: there is none. */
static bool solve(trial *t, int active_set, double *p) {
    imp_plus_settings settings = imp_plus_settings_default();
    imp_certificate c = {.worst = INFINITY};
    imp_path path = {0};
    settings.active_set = active_set;
    settings.theta_max = 0.1;
    const imp_status status =
        imp_solve_certified(&imp_model_plus, t->problem, &settings, p, &path, NULL, NULL);
    if (status == IMP_OK) {
        campaign_answer(t->lot, p, 3 * t->problem->nc, 1);
        const imp_status judged = imp_certify(t->problem, &imp_law_plus, &settings, p, &path, &c);
        campaign_worst(t->lot, t->row, RESIDUAL, c.worst);
        expect(t, judged == IMP_OK && c.worst <= limit, "breaks the law along its path");
    }
    imp_path_clear(&path);
    expect(t, status >= 0, imp_status_text(status));
    return status == IMP_OK;
}

/* |a - b| over |b| in the norm of the masses, of which W is the inverse. */
static double apart(const imp_problem *problem, const double *a, const double *b) {
    const int n = 3 * problem->nc;
    double d[SIZE] = {0}, Wd[SIZE], Wb[SIZE], off = 0, all = 0;
    for (int i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    imp_operator_apply(problem->W, d, NULL, Wd);
    imp_operator_apply(problem->W, b, NULL, Wb);
    for (int i = 0; i < n; i++) {
        off += d[i] * Wd[i];
        all += b[i] * Wb[i];
    }
    return all > 0 ? sqrt(fmax(0, off) / all) : sqrt(fmax(0, off));
}

static void compare_choices(trial *t, const double *p, const double *whole) {
    const double off = apart(t->problem, p, whole);
    if (!(off > 1e-6)) return;
    campaign_count(t->lot, t->row, DIFFER, true);
    campaign_worst(t->lot, t->row, APART, off);
    /* of one contact there is nothing to choose */
    expect(t, t->problem->nc > 1, "one contact, another answer by the exhaustive choice");
}

/* One contact beside one that opens and shares no body with it. */
static void compare_codes(trial *t, const double *p) {
    double W[36] = {0}, q[6] = {0}, mu[2], e[2] = {0}, both[6];
    const imp_operator as_operator = imp_operator_dense(2, W);
    const imp_problem two = {.nc = 2, .W = &as_operator, .q = q, .mu = mu, .e = e};
    imp_plus_settings settings = imp_plus_settings_default();
    settings.theta_max = 0.1;
    for (int i = 0; i < 9; i++) {
        double block[9];
        t->problem->W->kind->block(t->problem->W, 0, 0, block);
        W[i / 3 * 6 + i % 3] = W[(i / 3 + 3) * 6 + i % 3 + 3] = block[i];
    }
    memcpy(q, t->problem->q, 3 * sizeof *q);
    q[3] = fabs(q[0]);
    mu[0] = mu[1] = t->problem->mu[0];
    if (t->problem->e) e[0] = t->problem->e[0];
    const imp_status status = imp_solve(&imp_model_plus, &two, &settings, both, NULL);
    expect(t, status == IMP_OK && both[3] == 0, "unsolved beside a contact that opens");
    if (t->what) return;
    const double off = apart(t->problem, both, p);
    campaign_worst(t->lot, t->row, CODES, off);
    expect(t, off <= limit, "another answer by the solver for several contacts");
}

static void put(campaign_lot *lot, int row, const imp_problem *problem) {
    trial t = {.lot = lot, .row = row, .problem = problem};
    double p[SIZE], whole[SIZE];
    const bool one = solve(&t, IMP_HEURISTIC, p), other = solve(&t, IMP_EXHAUSTIVE, whole);
    campaign_count(lot, row, UNSOLVED, !one);
    campaign_count(lot, row, EXHAUSTIVE, !other);
    if (one && other) compare_choices(&t, p, whole);
    if (one && problem->nc == 1) compare_codes(&t, p);
    if (t.what) campaign_fault(lot, row, problem, &imp_model_plus, t.what);
}

/* Six contacts take a hundred times as long as one: there are fewer of them. */
static int drawn(uint64_t number) {
    static const int share[ROWS] = {16, 12, 10, 8, 4, 2, 6, 6}; /* of 64 */
    int at = (int)(number % 64), row = 0;
    while (at >= share[row])
        at -= share[row++];
    return row;
}

static void one(campaign_lot *lot, uint64_t number) {
    const int row = drawn(number);
    gen_stream s = gen_seed(2015, number);
    double e[GEN_MOST_CONTACTS];
    for (int i = 0; i < GEN_MOST_CONTACTS; i++)
        e[i] = gen_uniform(&s, 0, 1);
    const gen_many g = row < MOST ? gen_bodies(number, row + 1)
                                  : gen_loose(14, number, MOST, 1.5, row == MOST ? 0 : 6, e);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
    campaign_begin(lot, row, number);
    put(lot, row, &problem);
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    (void)model;
    put(lot, row, problem);
}

const campaign_inquiry campaign_plus = {
    .name = "plus",
    .about =
        "PLUS on 1 to 6 contacts: heuristic and exhaustive active sets, along their paths; two "
        "solvers of one contact",
    .row = row,
    .columns = columns,
    .lot = 640,
    .goal = 1e7,
    .one = one,
    .again = again};
