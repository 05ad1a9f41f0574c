/* blocks.c - is "ok" true? Random bodies of 2 to 8 contacts, heaps of up to 60, bodies of 1 to 7 as
 * a file may record them, asymmetric or indefinite, bodies that a joint leaves one motion, and
 * walls that close, through the block solvers; errors from the definition: the natural map of each
 * island (e = 0); approach, cones and energy (e > 0); all or nothing of the energy of one motion;
 * no answer between such walls. */
#include "campaign/campaign.h"

#include "benchmarks/harness/natural_error.h"
#include "cone/contradiction.h"
#include "generators/gen.h"
#include "generators/piles.h"
#include "impact.h"

#include <float.h>
#include <math.h>

enum { HEAP, RECORDED, HELD, WALLS, KINDS = 7 }; /* by the number; the others: bodies */
enum { MOST = 60, UNSOLVED = CAMPAIGN_OWN, ERROR };
enum {
    BODIES_ROW = 0,
    BOUNCING_ROW = 2,
    HEAP_ROW = 4,
    RECORDED_ROW = 6,
    HELD_ROW = 8,
    WALLS_ROW = 10
};

static const double tolerance = 1e-10;

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"unsolved", false}, {"error", true}, {NULL, false}};

/* Rows: models on bodies at e = 0, bouncing, on heaps, on recorded W, held, and between walls. */
static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};

static const char *row(int k) {
    static const char *const names[] = {
        "auto",       "gauss-seidel-coulomb", "auto-bouncing", "gauss-seidel-bouncing",
        "auto-heaps", "gauss-seidel-heaps",   "auto-recorded", "gauss-seidel-recorded",
        "auto-held",  "gauss-seidel-held",    "auto-walls",    "gauss-seidel-walls"};
    return k < 12 ? names[k] : NULL;
}

/* Approach relative to |q|, as the tolerance is; cone to the largest impulse; energy to the sum of
 * its terms. */
static double bounce_error(const imp_problem *problem, const double *p) {
    enum { SIZE = 3 * GEN_MOST_CONTACTS };
    const int n = 3 * problem->nc;
    const double *q = problem->q, *mu = problem->mu;
    double W[SIZE * SIZE], worst = 0, energy = 0, stake = 0, push = 0, speed = 0;
    imp_problem_dense(problem, W);
    for (int i = 0; i < n; i++) {
        push = fmax(push, fabs(p[i]));
        speed = hypot(speed, q[i]);
    }
    for (int i = 0; i < n; i++) {
        double Wp = 0, size = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            Wp += W[i * n + j] * p[j];
            size += fabs(W[i * n + j] * p[j]);
        }
        energy += p[i] * (0.5 * Wp + q[i]);
        stake += fabs(p[i]) * size;
        if (i % 3 == 0) worst = fmax(worst, -(Wp + q[i]) / speed);
        if (i % 3 == 0 && push > 0)
            worst = fmax(worst, (hypot(p[i + 1], p[i + 2]) - mu[i / 3] * p[i]) /
                                    (push * fmax(1, mu[i / 3])));
    }
    return stake > 0 ? fmax(worst, energy / stake) : worst;
}

/* What rounding of W p + q hides of an error: another order of the same sums has another one. */
static double hidden(const imp_problem *problem, const double *p) {
    double terms = 0, speed = 0;
    for (int i = 0; i < problem->nc; i++) {
        terms = hypot(terms, imp_local_problem(problem, p, i).size[0]);
        for (int r = 0; r < 3; r++)
            speed = hypot(speed, problem->q[3 * i + r]);
    }
    return speed > 0 ? DBL_EPSILON * terms / speed : 0;
}

/* Of a body with one motion, whose energy is that of any contact's velocity: an impact takes all of
 * it or nothing. Relative. */
static double odd_energy(const imp_problem *problem, const double *p) {
    double most = 0, energy = 0;
    for (int i = 0; i < problem->nc; i++) {
        double A[9];
        problem->W->kind->block(problem->W, i, i, A);
        for (int r = 0; r < 3; r++) {
            const double q = problem->q[3 * i + r];
            if (A[4 * r] > most) most = A[4 * r], energy = 0.5 * q / A[4 * r] * q;
        }
    }
    const double taken = -imp_problem_energy(problem, p);
    return energy > 0 ? fmin(fabs(taken), fabs(taken - energy)) / energy : 0;
}

static void ask(campaign_lot *lot, int row, const imp_problem *problem) {
    const imp_model *model = models[row % 2];
    const bool bounces = row / 2 == BOUNCING_ROW / 2;
    double p[3 * MOST];
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = tolerance;
    settings.max_sweeps = 20000;
    const imp_status status = imp_solve(model, problem, &settings, p, NULL);
    if (status == IMP_NOT_CERTIFIED)
        campaign_fault(lot, row, problem, model, "taken for an answer, and not certified");
    if (status != IMP_OK) {
        campaign_count(lot, row, UNSOLVED, true);
        return;
    }
    campaign_answer(lot, p, 3 * problem->nc, 1);
    if (row / 2 == WALLS_ROW / 2 && imp_contradiction(problem, NULL) == IMP_NO_SOLUTION)
        campaign_fault(lot, row, problem, model, "ok where there is no answer");
    if (row / 2 == HELD_ROW / 2 && !(odd_energy(problem, p) <= 1e-6))
        campaign_fault(lot, row, problem, model, "ok, and another energy than the motion's");
    const double error = bounces ? bounce_error(problem, p) : natural_error_apart(problem, p);
    campaign_worst(lot, row, ERROR, error);
    if (!(error <= (bounces ? 1e-8 : 1.001 * tolerance + hidden(problem, p))))
        campaign_fault(lot, row, problem, model, "ok is wrong");
}

/* By both models, the first of this row. */
static void ask_both(campaign_lot *lot, int row, uint64_t number, const imp_problem *problem) {
    for (int m = 0; m < 2; m++) {
        campaign_begin(lot, row + m, number);
        ask(lot, row + m, problem);
    }
}

static void bodies(campaign_lot *lot, uint64_t number) {
    const gen_many g = gen_bodies(1000000 + number, 2 + (int)(number % 7));
    const bool bounces = number % 2;
    gen_stream s = gen_seed(911, number);
    double e[GEN_MOST_CONTACTS];
    for (int i = 0; i < g.nc; i++)
        e[i] = bounces ? gen_uniform(&s, 0, 1) : 0;
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
    ask_both(lot, bounces ? BOUNCING_ROW : BODIES_ROW, number, &problem);
}

/* Of some 4 to 60 contacts; what became larger is left out. */
static void heap(campaign_lot *lot, uint64_t number) {
    gen_stream s = gen_seed(912, number);
    const int contacts = (int)gen_power10(&s, 0.6, 1.78);
    imp_fclib file;
    imp_fclib_posed posed;
    if (pile_make((pile_kind)(number / KINDS % PILE_KINDS), number, contacts, &file) != IMP_OK)
        return;
    if (imp_fclib_pose(&file, &posed) == IMP_OK) {
        if (posed.problem.nc <= MOST) ask_both(lot, HEAP_ROW, number, &posed.problem);
        imp_fclib_posed_clear(&posed);
    }
    imp_fclib_clear(&file);
}

/* W of bodies with an error of its own in each entry, as files have that round or measure: of the
 * last digit to all but the first; of every third the diagonal is less by as much, so that W may be
 * indefinite. */
static void recorded(campaign_lot *lot, uint64_t number) {
    const gen_many g = gen_bodies(2000000 + number, 1 + (int)(number / KINDS % 7));
    gen_stream s = gen_seed(914, number);
    const int n = 3 * g.nc;
    const double off = gen_power10(&s, -16, -1), less = number / KINDS % 3 == 0 ? off : 0;
    double W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS];
    for (int i = 0; i < n * n; i++)
        W[i] = g.W[i] * (1 + off * gen_uniform(&s, -1, 1) - (i % (n + 1) == 0 ? less : 0));
    imp_operator given = imp_operator_dense(g.nc, W);
    given.as_given = 1;
    const imp_problem problem = {.nc = g.nc, .W = &given, .q = g.q, .mu = g.mu};
    ask_both(lot, RECORDED_ROW, number, &problem);
}

/* 2 to 4 contacts of a body that a joint leaves one motion, its velocity 1; q is off what the
 * contacts can move by what such joints leave of it, 1e-16 to 1e-12. */
static void held(campaign_lot *lot, uint64_t number) {
    enum { HELD_CONTACTS = 4 };
    gen_stream s = gen_seed(915, number);
    const int nc = 2 + (int)(number / KINDS % (HELD_CONTACTS - 1)), n = 3 * nc;
    const double off = gen_power10(&s, -16, -12), way = number / KINDS % 2 ? 1 : -1;
    double G[3 * HELD_CONTACTS] = {0}, W[9 * HELD_CONTACTS * HELD_CONTACTS], q[3 * HELD_CONTACTS],
                 mu[HELD_CONTACTS];
    for (int i = 0; i < n; i++) {
        G[i] = gen_normal(&s);
        q[i] = way * G[i] * (1 + off * gen_normal(&s));
    }
    for (int i = 0; i < nc; i++)
        mu[i] = gen_uniform(&s, 0.1, 1.5);
    for (int i = 0; i < n * n; i++)
        W[i] = G[i / n] * G[i % n];
    const imp_operator op = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu};
    ask_both(lot, HELD_ROW, number, &problem);
}

/* A body between two walls that close, the one at 1e-6 to 1e-2 of its slip, the other no faster. */
static void walls(campaign_lot *lot, uint64_t number) {
    gen_stream s = gen_seed(916, number);
    const double spin = gen_uniform(&s, 0.1, 3), closing = gen_power10(&s, -6, -2),
                 x = gen_normal(&s), y = gen_normal(&s);
    const double mu[2] = {gen_uniform(&s, 0, 1), gen_uniform(&s, 0, 1)},
                 q[6] = {-closing, x, y, -closing * gen_uniform(&s, 0, 1), -x, y};
    double W[36] = {0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = i % 3 ? 1 + spin : 1;
    W[3] = W[18] = -1;
    W[10] = W[25] = spin - 1;
    W[17] = W[32] = 1 - spin;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    ask_both(lot, WALLS_ROW, number, &problem);
}

static void one(campaign_lot *lot, uint64_t number) {
    switch (number % KINDS) {
    case HEAP: heap(lot, number); break;
    case RECORDED: recorded(lot, number); break;
    case HELD: held(lot, number); break;
    case WALLS: walls(lot, number); break;
    default: bodies(lot, number);
    }
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    (void)model;
    ask(lot, row, problem);
}

const campaign_inquiry campaign_blocks = {
    .name = "blocks",
    .about =
        "is ok true? bodies, heaps of up to 60 contacts, recorded W, bodies with one motion, walls "
        "that close, by the block solvers",
    .row = row,
    .columns = columns,
    .lot = 400,
    .goal = 1e6,
    .one = one,
    .again = again};
