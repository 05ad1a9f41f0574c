/* Every allocation of what models stand on fails once, alone and with all after it, those of KLU
 * and AMD among them: no memory, outputs as they were, and nothing stays allocated. */
#include "contact/bilateral.h"
#include "contact/delassus.h"
#include "contact/law.h"
#include "generators/gen_linkage.h"
#include "impact.h"
#include "linear/lapack.h"
#include "linear/null_space.h"
#include "linear/quasi_definite.h"
#include "linear/rank.h"
#include "tap.h"

/* The allocator, as shared libraries see it too. */
#include "failing.h"
#if FAILING_HERE
#define FAILING_PRELOADED
#pragma GCC visibility push(default)
#include "failing.c" // NOLINT(bugprone-suspicious-include): not the object that others link
#pragma GCC visibility pop
#endif

enum { BODIES = GEN_LINKAGE_BODIES, CONTACTS = 4, ROWS = 3 * CONTACTS };

/* A linkage whose bodies touch the ground and each other, whose crank's joint rubs. */
static gen_linkage linkage;
static imp_contact contact[CONTACTS];
static imp_term rub;
static double bound = 0.01;
static imp_constraints joints;

static void stand(void) {
    linkage = gen_linkage_of(0.7);
    static const int side[CONTACTS][2] = {{IMP_GROUND, 0}, {0, 1}, {1, 2}, {IMP_GROUND, 2}};
    for (int i = 0; i < CONTACTS; i++) {
        contact[i] = linkage.stop;
        contact[i].a = side[i][0];
        contact[i].b = side[i][1];
        contact[i].point[0] += 0.1 * i;
    }
    rub = (imp_term){.row = 0, .body = 0};
    memcpy(rub.axis + 3, linkage.stop.frame + 3, 3 * sizeof *rub.axis);
    joints = gen_linkage_joints(&linkage);
    joints.rubs = joints.rub_terms = 1;
    joints.rub = &rub;
    joints.bound = &bound;
}

/* W of 30 contacts in a row, each coupled with the next, as triplets; a mass matrix of its rows. */
enum { MANY = 30, SIDE = 3 * MANY, ENTRIES = SIDE * 5 };

static imp_status chain(imp_sparse *W) {
    static int row[ENTRIES], column[ENTRIES];
    static double value[ENTRIES];
    int count = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = i - 3; j <= i + 3; j += 3) {
            if (j < 0 || j >= SIDE) continue;
            row[count] = i;
            column[count] = j;
            value[count++] = i == j ? 4 : -1;
        }
    return imp_sparse_from_triplets(SIDE, SIDE, count, row, column, value, W);
}

static imp_status no_memory_unless(bool good) {
    return good ? IMP_OK : IMP_NO_MEMORY;
}

/* What is tried: each takes what it needs, calls one function of those that allocate, and gives all
 * back. The chain is made outside. */
static imp_sparse W;

static imp_status copies(void) {
    imp_sparse copy, turned, unit, again;
    imp_status status = imp_sparse_copy(&W, &copy);
    if (status == IMP_OK) imp_sparse_clear(&copy);
    if (status == IMP_OK && (status = imp_sparse_transpose(&W, &turned)) == IMP_OK)
        imp_sparse_clear(&turned);
    if (status == IMP_OK && (status = imp_sparse_unit(7, &unit)) == IMP_OK) imp_sparse_clear(&unit);
    if (status == IMP_OK && (status = chain(&again)) == IMP_OK) imp_sparse_clear(&again);
    return status;
}

static imp_status solves(void) {
    double b[SIDE], Wb[SIDE], worst = 0;
    for (int i = 0; i < SIDE; i++)
        b[i] = i;
    const imp_status status = imp_sparse_solve(&W, b);
    if (status != IMP_OK) return status;
    memset(Wb, 0, sizeof Wb);
    imp_sparse_multiply(&W, b, Wb);
    for (int i = 0; i < SIDE; i++)
        worst = tap_worst(worst, fabs(Wb[i] - i));
    return worst < 1e-12 ? IMP_OK : IMP_NOT_CERTIFIED;
}

/* H' W^-1 H with H = 1 is W^-1. Fewer entries are expected than come, so that the list grows. */
static imp_status delassus_of_masses(void) {
    imp_sparse made = {0}, unit;
    double q[SIDE], f[SIDE] = {0}, c[SIDE] = {0}, Wc[SIDE] = {0}, worst = 0;
    imp_status status = imp_sparse_unit(SIDE, &unit);
    if (status != IMP_OK) return status;
    status = imp_sparse_delassus(&W, &unit, f, f, &made, q);
    imp_sparse_clear(&unit);
    if (status != IMP_OK) return made.start ? IMP_NOT_CERTIFIED : status;
    for (int i = 0; i < 3; i++)
        worst = tap_worst(worst, fabs(q[i]));
    for (int k = made.start[0]; k < made.start[1]; k++)
        c[made.row[k]] = made.value[k];
    imp_sparse_multiply(&W, c, Wc); /* the first column */
    for (int i = 0; i < SIDE; i++)
        worst = tap_worst(worst, fabs(Wc[i] - (i == 0)));
    status = worst < 1e-12 && made.start[SIDE] > 64 + SIDE ? IMP_OK : IMP_NOT_CERTIFIED;
    imp_sparse_clear(&made);
    return status;
}

static imp_status blocks(void) {
    imp_blocks *made = imp_blocks_new(&W), *again = NULL;
    if (made) {
        const imp_operator op = imp_operator_blocks(made);
        again = imp_blocks_of(&op);
    }
    const bool good = made && again;
    imp_blocks_free(made);
    imp_blocks_free(again);
    return no_memory_unless(good);
}

static imp_status facts(void) {
    double dense[ROWS * ROWS] = {0};
    for (int i = 0; i < ROWS; i++)
        dense[i * (ROWS + 1)] = i < 5;
    const imp_operator op = imp_operator_dense(CONTACTS, dense);
    imp_operator_facts found = {.rank = -7};
    const imp_status status = imp_operator_facts_of(&op, &found);
    return status == IMP_OK ? (found.rank == 5 ? IMP_OK : IMP_NOT_CERTIFIED)
                            : (found.rank == -7 ? status : IMP_NOT_CERTIFIED);
}

static imp_status factors(void) {
    imp_sparse unit;
    imp_factored *made = NULL;
    imp_status status = imp_sparse_unit(SIDE, &unit);
    if (status == IMP_OK) {
        status = imp_factored_new(&unit, &W, &made);
        imp_sparse_clear(&unit);
    }
    imp_factored_free(made);
    return status;
}

static imp_status root(void) {
    const double block[9] = {2, 1, 0, 1, 2, 0, 0, 0, 0};
    imp_factored *made = NULL;
    const imp_status status = imp_factored_root(block, &made);
    imp_factored_free(made);
    return status;
}

static imp_status quasi_definite_factors(void) {
    quasi_definite *made = imp_quasi_definite_new(SIDE, W.start, W.row);
    const bool good = made && imp_quasi_definite_factor(made, W.value);
    imp_quasi_definite_free(made);
    return no_memory_unless(good);
}

/* Columns of W under some of its own rows. */
static imp_status null_space(void) {
    imp_null_space *made = NULL;
    imp_sparse few = W, left;
    int row;
    few.columns = SIDE / 2;
    imp_status status = imp_null_space_new(&few, &made, &row);
    if (status == IMP_OK && (status = imp_null_space_project(made, &W, &left)) == IMP_OK)
        imp_sparse_clear(&left);
    imp_null_space_free(made);
    return status;
}

static imp_status bodies_in_blocks(void) {
    static int start[CONTACTS + 1], column[CONTACTS * CONTACTS];
    static double block[9 * CONTACTS * CONTACTS], q[ROWS];
    if (imp_delassus_count(BODIES, linkage.body, CONTACTS, contact, start) < 0)
        return IMP_NO_MEMORY;
    return imp_delassus_blocks(BODIES, linkage.body, CONTACTS, contact, start, column, block, q);
}

static imp_status bodies_in_factors(void) {
    double q[ROWS];
    imp_factored *made = NULL;
    const imp_status status =
        imp_delassus_factored(BODIES, linkage.body, CONTACTS, contact, &made, q);
    imp_factored_free(made);
    return status;
}

/* Joints that rub are eliminated, and what follows without an impulse is found and judged. */
static imp_status joined(void) {
    static double p[ROWS], x, velocity[6 * BODIES], lambda[GEN_LINKAGE_ROWS];
    imp_bilateral *made = NULL;
    imp_bilateral_errors errors;
    double q[ROWS];
    imp_status status =
        imp_bilateral_new(BODIES, linkage.body, CONTACTS, contact, &joints, &made, q, NULL);
    if (status == IMP_OK) status = imp_bilateral_rub(made, p, &x);
    if (status == IMP_OK) status = imp_bilateral_recover(made, p, &x, velocity, lambda, &errors);
    if (status == IMP_OK && !(imp_bilateral_worst(&errors) < 1e-9)) status = IMP_NOT_CERTIFIED;
    imp_bilateral_free(made);
    return status;
}

static imp_status path(void) {
    const double impulse[3] = {1, 0, 0};
    imp_path made = {0};
    imp_status status = IMP_OK;
    for (int k = 0; k < 40 && status == IMP_OK; k++)
        status = imp_path_add(&made, 1, 1, 0.5, impulse, "C", "S");
    if (status == IMP_OK) status = no_memory_unless(imp_path_multipliers(&made, 2, 1) != NULL);
    imp_path_clear(&made);
    return status;
}

static imp_status least_squares(void) {
    double A[4] = {2, 1, 1, 3}, b[2] = {3, 4}, value[2];
    int rank;
    const imp_status status = imp_lapack_least(2, A, b, value, 1e-9, &rank);
    return status != IMP_OK || fabs(b[0] - 1) + fabs(b[1] - 1) < 1e-12 ? status : IMP_NOT_CERTIFIED;
}

/* An answer whose law wants a path, without one: held against the models' own. */
static imp_status comparison(void) {
    static const double dense[9] = {2, 0.5, 0, 0.5, 3, 0, 0, 0, 3}, q[3] = {-1, 0.5, 0}, mu = 0.3;
    const imp_operator op = imp_operator_dense(1, dense);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    static const double p[3] = {0.5, -0.1, 0};
    imp_certificate found = {.count = -7};
    const imp_status status =
        imp_certify(&problem, imp_model_single_phase.law, NULL, p, NULL, &found);
    if (status != IMP_OK) return found.count == -7 ? status : IMP_NOT_CERTIFIED;
    return !found.unjudged && found.worst > 0.01 ? IMP_OK : IMP_NOT_CERTIFIED;
}

/* The energy that impulses of more contacts than fit the stack gain. */
static imp_status gain(void) {
    imp_blocks *made = imp_blocks_new(&W);
    if (!made) return IMP_NO_MEMORY;
    const imp_operator op = imp_operator_blocks(made);
    double q[SIDE], p[SIDE], mu[MANY] = {0};
    for (int i = 0; i < SIDE; i++)
        q[i] = p[i] = 1;
    const imp_problem problem = {.nc = MANY, .W = &op, .q = q, .mu = mu};
    imp_certificate found = {0};
    const imp_status status = imp_certificate_note_energy(&found, &problem, p, NULL);
    imp_blocks_free(made);
    return status == IMP_OK && !(found.worst > 0.1) ? IMP_NOT_CERTIFIED : status;
}

typedef struct part {
    const char *name;
    imp_status (*run)(void);
    bool spares; /* KLU keeps room that it cannot shrink: the answer is there */
} part;

static const part parts[] = {{"copies of sparse matrices", copies, false},
                             {"solving by KLU", solves, true},
                             {"W of masses", delassus_of_masses, true},
                             {"blocks", blocks, false},
                             {"rank", facts, false},
                             {"factors of W", factors, false},
                             {"the root of a block", root, false},
                             {"quasi-definite factors", quasi_definite_factors, false},
                             {"a null space", null_space, false},
                             {"bodies in blocks", bodies_in_blocks, false},
                             {"bodies in factors", bodies_in_factors, false},
                             {"joints that rub", joined, false},
                             {"a path", path, false},
                             {"least squares by LAPACK", least_squares, false},
                             {"an answer beside the library's", comparison, false},
                             {"energy gained by many", gain, false}};

/* One run in which allocation k fails; false: there is none so late. */
static bool try_one(const part *of, long k, bool on, long *other, long *kept) {
    const long before = failing_living;
    failing_from(k, on);
    const imp_status status = of->run();
    const bool reached = failing_end();
    *other += status != (reached ? IMP_NO_MEMORY : IMP_OK) && !(of->spares && status == IMP_OK);
    *kept += failing_living != before;
    return reached;
}

static void try_part(const part *of) {
    long failed = 0, other = 0, kept = 0;
    ok(of->run() == IMP_OK, "%s", of->name); /* what is set up once, is */
    for (int on = 0; on < 2; on++)
        for (long k = 0; try_one(of, k, on == 1, &other, &kept); k++)
            failed++;
    ok(failed > 0 && other == 0 && kept == 0,
       "%s: %ld allocations failed, %ld with another status, %ld left something allocated",
       of->name, failed, other, kept);
}

/* Steps of a ball that bounces ask for none, from the first on. */
static void step_without(void) {
    const imp_link ball = {.mass = 1, .inertia = {0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004}};
    imp_guard guard = {
        .radius = 0.1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.5, .e = 0.5};
    imp_shapes shapes = {.guards = 1, .guard = &guard, .reach = 1e-3};
    imp_world *world = imp_world_of_bodies(1, &ball, (const double[3]){0, 0, 0.1}, NULL);
    imp_stepper *stepper = world ? imp_stepper_new(world) : NULL;
    if (!stepper) abort();
    memcpy(imp_world_v(world, 0), (const double[6]){0.3, 0, -1, 0, 0, 0}, 6 * sizeof(double));
    const imp_step_settings settings = {.h = 1e-3,
                                        .gravity = {0, 0, -9.81},
                                        .model = &imp_model_auto,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    int contacts = 0, solved = 0;
    failing_from(-1, false);
    for (int k = 0; k < 3; k++) {
        solved += imp_step(stepper, &settings) == IMP_OK;
        contacts += stepper->problem.nc;
    }
    const long made = failing_made;
    (void)failing_end();
    ok(solved == 3 && contacts > 0 && made == 0,
       "three steps of a ball, %d contacts: %ld allocations", contacts, made);
    imp_stepper_free(stepper);
    imp_world_free(world);
}

int main(void) {
#if !FAILING_HERE
    return skip_all("an allocator of its own");
#endif
    stand();
    if (!ok(chain(&W) == IMP_OK, "a chain")) return tap_done();
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        try_part(&parts[k]);
    imp_sparse_clear(&W);
    step_without();
    return tap_done();
}
