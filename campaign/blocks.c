/* blocks.c - is "ok" true? Random bodies of 2 to 8 contacts, heaps of up to 60, bodies of 1 to 7 as
 * a file may record them, asymmetric or indefinite, bodies that joints leave one to three motions,
 * walls that close, stacks of boxes of any masses, levers in the ground, and jams that are hit,
 * through the block solvers; errors from the definition: the natural map of each island (e = 0);
 * approach, cones and energy (e > 0); what is left of the speed of few motions, all or nothing of
 * one; no answer between such walls, nor of levers that their friction keeps there, and none denied
 * of bodies that nothing drives: z that moves none does no work on what they do. */
#include "campaign/campaign.h"

#include "benchmarks/harness/natural_error.h"
#include "cone/contradiction.h"
#include "generators/gen.h"
#include "generators/gen_jam.h"
#include "generators/gen_stack.h"
#include "generators/piles.h"
#include "impact.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* By the number; the others: bodies. */
enum { HEAP, RECORDED, HELD, WALLS, STACK, LEVER, JAM, KINDS = 8 };
enum { MOST = 60, HELD_CONTACTS = 4, UNSOLVED = CAMPAIGN_OWN, ERROR };
enum {
    BODIES_ROW = 0,
    BOUNCING_ROW = 2,
    HEAP_ROW = 4,
    RECORDED_ROW = 6,
    HELD_ROW = 8,
    WALLS_ROW = 10,
    STACK_ROW = 12,
    LEVER_ROW = 14,
    JAM_ROW = 16
};

static const double tolerance = 1e-10;

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"unsolved", false}, {"error", true}, {NULL, false}};

/* Rows: models on bodies at e = 0, bouncing, on heaps, on recorded W, held, between walls,
 * in stacks, levers, and jams. */
static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};

static const char *row(int k) {
    static const char *const names[] = {
        "auto",       "gauss-seidel-coulomb", "auto-bouncing", "gauss-seidel-bouncing",
        "auto-heaps", "gauss-seidel-heaps",   "auto-recorded", "gauss-seidel-recorded",
        "auto-held",  "gauss-seidel-held",    "auto-walls",    "gauss-seidel-walls",
        "auto-stack", "gauss-seidel-stack",   "auto-lever",    "gauss-seidel-lever",
        "auto-jam",   "gauss-seidel-jam"};
    return k < (int)(sizeof names / sizeof *names) ? names[k] : NULL;
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

/* What rounding of these impulses is in velocities, relative to |q|: what it hides of the natural
 * map as it is, by W p + q, whose sums another order makes another, and by a p, a the mean
 * diagonal, which leaves its cone by it; and how much lib/blocks/blocks.h takes for it, but for its
 * bound. */
typedef struct rounding {
    double hidden, told;
} rounding;

static rounding rounding_of(const imp_problem *problem, const double *p) {
    double terms = 0, push = 0, own = 0, trace = 0, speed = 0;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        const double mean = (local.A[0] + local.A[4] + local.A[8]) / 3;
        terms = hypot(terms, local.size[0]);
        trace += mean;
        for (int r = 0; r < 3; r++) {
            push = hypot(push, p[3 * i + r]);
            own = hypot(own, mean * p[3 * i + r]);
            speed = hypot(speed, problem->q[3 * i + r]);
        }
    }
    if (speed == 0) return (rounding){0, 0};
    const double a = trace / problem->nc;
    return (rounding){DBL_EPSILON * (terms + a * push) / speed, 16 * DBL_EPSILON * own / speed};
}

/* Twice the energy of bodies whose contacts have the velocities u, |L^-1 u|^2, L the factor of W
 * by the largest pivots; *motions <- how many there are. */
static double energy_of(const imp_problem *problem, const double *u, int *motions) {
    enum { ROWS = 3 * HELD_CONTACTS };
    const int n = 3 * problem->nc;
    double A[ROWS * ROWS], rest[ROWS], energy = 0, first = 0;
    imp_problem_dense(problem, A);
    memcpy(rest, u, (size_t)n * sizeof *rest);
    for (*motions = 0; *motions < n; ++*motions) {
        int at = 0;
        for (int i = 1; i < n; i++)
            if (A[i * n + i] > A[at * n + at]) at = i;
        const double pivot = A[at * n + at], r = rest[at];
        if (*motions == 0) first = pivot;
        if (!(pivot > 1e-9 * first)) break;
        energy += r * r / pivot;
        double column[ROWS];
        for (int i = 0; i < n; i++)
            column[i] = A[i * n + at] / pivot;
        for (int i = 0; i < n; i++) {
            rest[i] -= column[i] * r;
            for (int j = 0; j < n; j++)
                A[i * n + j] -= column[i] * column[j] * pivot;
        }
    }
    return energy;
}

/* Of bodies with few motions: how far their speed is from what an impact may leave, relative to
 * what it was: no more than that; of one motion all or nothing. With what rounding hides of it,
 * which is much where contacts wedge without need. */
static double odd_speed(const imp_problem *problem, const double *p) {
    double u[3 * HELD_CONTACTS];
    int motions;
    imp_operator_apply(problem->W, p, problem->q, u);
    const double before = energy_of(problem, problem->q, &motions);
    const double after = energy_of(problem, u, &motions);
    if (before == 0) return 0;
    const double left = sqrt(after / before);
    const double off = motions == 1 ? fmin(left, fabs(left - 1)) : left - 1;
    return fmax(0, off) + rounding_of(problem, p).hidden;
}

/* Is there an impulse that keeps a lone contact of one motion from closing, W = g g', at friction's
 * limit against the slip that leaves? */
static bool lifts(const imp_problem *problem) {
    const double *q = problem->q, mu = problem->mu[0];
    double W[9];
    problem->W->kind->block(problem->W, 0, 0, W);
    const double change = -q[0] / W[0], t = q[1] + W[1] * change, o = q[2] + W[2] * change;
    return q[0] >= 0 || W[0] > mu * (W[1] * t + W[2] * o) / hypot(t, o);
}

/* ok, of a lone contact of one or two motions, and there is none, or rounding of its impulses is a
 * thousandth of the velocities and more: those that are next to none are large, but not so. */
static const char *wrong_lever(const imp_problem *problem, const double *p) {
    double W[9];
    problem->W->kind->block(problem->W, 0, 0, W);
    const bool one = W[0] * W[4] - W[1] * W[1] <= 1e-12 * W[0] * W[4] &&
                     W[0] * W[8] - W[2] * W[2] <= 1e-12 * W[0] * W[8];
    if (one && !lifts(problem)) return "ok where friction keeps it there";
    return rounding_of(problem, p).hidden <= 1e-3 ? NULL : "ok by impulses without digits";
}

/* Are they bodies that nothing drives? */
static bool by_themselves(int row) {
    const int first = row / 2 * 2;
    return first == BODIES_ROW || first == BOUNCING_ROW || first == HEAP_ROW ||
           first == STACK_ROW || first == JAM_ROW;
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
    if (status == IMP_NO_SOLUTION && by_themselves(row))
        campaign_fault(lot, row, problem, model, "an answer is denied");
    if (status != IMP_OK) {
        campaign_count(lot, row, UNSOLVED, true);
        return;
    }
    campaign_answer(lot, p, 3 * problem->nc, 1);
    if (row / 2 == WALLS_ROW / 2 && imp_contradiction(problem, NULL) == IMP_NO_SOLUTION)
        campaign_fault(lot, row, problem, model, "ok where there is no answer");
    if (row / 2 == HELD_ROW / 2 && !(odd_speed(problem, p) <= 1e-6))
        campaign_fault(lot, row, problem, model, "ok, and a speed that no impact leaves");
    const char *wrong = row / 2 == LEVER_ROW / 2 ? wrong_lever(problem, p) : NULL;
    if (wrong) campaign_fault(lot, row, problem, model, wrong);
    const double error = bounces ? bounce_error(problem, p) : natural_error_apart(problem, p);
    campaign_worst(lot, row, ERROR, error);
    const rounding r = rounding_of(problem, p);
    const double bound = fmax(1.001 * tolerance, fmin(r.told, 100 * tolerance)) + r.hidden;
    if (!(error <= (bounces ? 1e-8 : bound)))
        campaign_fault(lot, row, problem, model, "ok is wrong");
}

/* By both models, the first of this row. */
static void ask_both(campaign_lot *lot, int row, uint64_t number, const imp_problem *problem) {
    for (int m = 0; m < 2; m++) {
        campaign_begin(lot, row + m, number);
        ask(lot, row + m, problem);
    }
}

/* Of every third all bodies but one are at rest. */
static void bodies(campaign_lot *lot, uint64_t number) {
    gen_many g = gen_bodies(1000000 + number, 2 + (int)(number % 7));
    const bool bounces = number % 2;
    if (number / KINDS % 3 == 0) gen_strike(&g, (int)(number / KINDS / 3 % (uint64_t)g.nb));
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

/* 2 to 4 contacts of bodies that joints leave one motion, or, of every other problem, two or three;
 * q is off what the contacts can move by what such joints leave of it, 1e-16 to 1e-12. */
static void held(campaign_lot *lot, uint64_t number) {
    enum { MOTIONS = 3, ROWS = 3 * HELD_CONTACTS };
    gen_stream s = gen_seed(915, number);
    const uint64_t index = number / KINDS;
    const int nc = 2 + (int)(index % (HELD_CONTACTS - 1)), n = 3 * nc,
              motions = index % 2 ? 1 : 2 + (int)(index / 2 % 2);
    const double off = gen_power10(&s, -16, -12);
    double G[ROWS * MOTIONS] = {0}, W[ROWS * ROWS], q[ROWS], mu[HELD_CONTACTS], v[MOTIONS];
    for (int k = 0; k < motions; k++)
        v[k] = gen_normal(&s);
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int k = 0; k < motions; k++) {
            G[motions * i + k] = gen_normal(&s);
            q[i] += G[motions * i + k] * v[k];
        }
        q[i] *= 1 + off * gen_normal(&s);
    }
    for (int i = 0; i < nc; i++)
        mu[i] = gen_uniform(&s, 0.1, 1.5);
    for (int i = 0; i < n * n; i++) {
        W[i] = 0;
        for (int k = 0; k < motions; k++)
            W[i] += G[motions * (i / n) + k] * G[motions * (i % n) + k];
    }
    const imp_operator op = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu};
    ask_both(lot, HELD_ROW, number, &problem);
}

/* A body between two walls that close, the one at 1e-8 to 1e-2 of its slip, the other no faster. */
static void walls(campaign_lot *lot, uint64_t number) {
    gen_stream s = gen_seed(916, number);
    const double spin = gen_uniform(&s, 0.1, 3), closing = gen_power10(&s, -8, -2),
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

/* 1 to 5 boxes, each of 1e-4 to 1e4 kg; of every other stack 1 kg but for the topmost. */
static void stack(campaign_lot *lot, uint64_t number) {
    static gen_stack g;
    gen_stream s = gen_seed(917, number);
    const uint64_t index = number / KINDS;
    const int boxes = 1 + (int)(index % GEN_STACK_BOXES);
    double mass[GEN_STACK_BOXES];
    for (int i = 0; i < boxes; i++)
        mass[i] = index % 2 && i < boxes - 1 ? 1 : gen_power10(&s, -4, 4);
    gen_stack_of(&s, boxes, mass, gen_uniform(&s, 0, 1.5), &g);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    ask_both(lot, STACK_ROW, number, &problem);
}

/* A contact that a hinge, or two, leave one motion or two, and that closes by more than they
 * move: it has to come out of an overlap. */
static void lever(campaign_lot *lot, uint64_t number) {
    gen_stream s = gen_seed(918, number);
    const int motions = 1 + (int)(number / KINDS % 2);
    const double apart = number / KINDS / 2 % 2 ? gen_power10(&s, -4, 0) : 1;
    int start[4], row[6];
    double G[6], q[3] = {-gen_uniform(&s, 0, 1)};
    const double mu = gen_uniform(&s, 0, 1.5);
    for (int k = 0; k < motions; k++) {
        const double v = gen_normal(&s);
        for (int i = 0; i < 3; i++) {
            G[motions * i + k] = gen_normal(&s) * (k > 0 ? apart : 1);
            row[motions * i + k] = k;
            q[i] += G[motions * i + k] * v;
        }
    }
    for (int i = 0; i <= 3; i++)
        start[i] = motions * i;
    imp_factored *product;
    if (imp_factored_of(&(imp_sparse){motions, 3, start, row, G}, &product) != IMP_OK) return;
    const imp_operator W = imp_operator_factored(product);
    const imp_problem problem = {.nc = 1, .W = &W, .q = q, .mu = &mu};
    ask_both(lot, LEVER_ROW, number, &problem);
    imp_factored_free(product);
}

static void jam(campaign_lot *lot, uint64_t number) {
    static gen_jam g;
    gen_stream s = gen_seed(919, number);
    const int index = (int)(number / KINDS % 1000);
    gen_jam_of(&s, 1 + index % GEN_JAM_ROWS, 2 + index / GEN_JAM_ROWS % (GEN_JAM_WIDTH - 1),
               index % 2, gen_uniform(&s, 0, 1), &g);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    ask_both(lot, JAM_ROW, number, &problem);
}

static void one(campaign_lot *lot, uint64_t number) {
    switch (number % KINDS) {
    case HEAP: heap(lot, number); break;
    case RECORDED: recorded(lot, number); break;
    case HELD: held(lot, number); break;
    case WALLS: walls(lot, number); break;
    case STACK: stack(lot, number); break;
    case LEVER: lever(lot, number); break;
    case JAM: jam(lot, number); break;
    default: bodies(lot, number);
    }
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    (void)model;
    ask(lot, row, problem);
}

const campaign_inquiry campaign_blocks = {
    .name = "blocks",
    .about = "is ok true? bodies, heaps of up to 60 contacts, recorded W, bodies with one to three "
             "motions, walls that close, stacks of any masses, levers in the ground, jams that are "
             "hit, by the block solvers",
    .row = row,
    .columns = columns,
    .lot = 400,
    .goal = 1e6,
    .one = one,
    .again = again};
