/* test_blocks_auto.c - which stage of `auto` solves what, by the sweeps and factorisations it took:
 * bounds are some 1.3 times what it takes, so that a stage that ends too early, or goes on too
 * long, is seen. One contact takes none, and of several solutions the most dissipative is taken. */
#include "base/vec3.h"
#include "blocks/blockwise.h"
#include "blocks/moreau.h"
#include "generators/gen.h"
#include "generators/gen_stack.h"
#include "generators/gen_tree.h"
#include "generators/piles.h"
#include "impact.h"
#include "tap.h"

#include <float.h>

typedef struct expectation {
    pile_kind kind;
    int seed, contacts;
    double tolerance;
    int sweeps, factorisations; /* at most */
    const char *by;
} expectation;

enum { DEAR = 3 };
static const expectation expected[] = {
    {PILE_WALL, 11, 600, 1e-8, 960, 0, "mixed sweeps, which go on while their rate is worth it"},
    {PILE_CHAIN, 1, 300, 1e-8, 320, 300, "Newton, as sweeps are left whose rate is not"},
    {PILE_TABLES, 12, 150, 1e-8, 560, 64, "Newton, tried for a few steps"},
    {PILE_SPHERES, 11, 450, 1e-4, 41000, 140,
     "proximal sweeps, for what 250 factorisations would cost, as the try is left"},
    {PILE_SPHERES, 15, 450, 1e-4, 9800, 43, "many short proximal steps"},
    {PILE_BOX, 12, 300, 1e-4, 1260, 212, "Newton after them"},
    {PILE_BOX, 13, 300, 1e-4, 7400, 300, "Newton until it stalls"},
    /* dear: the long form has them */
    {PILE_SPHERES, 6, 600, 1e-4, 48000, 150, "more of them, as the tolerance is near"},
    {PILE_SPHERES, 3, 600, 1e-4, 61000, 135, "sweeps that wander on"},
    {PILE_BOX, 14, 600, 1e-4, 5000, 2500, "Newton from where sweeps were best"},
};

/* Random problems, and those of which many have several solutions. */
static void test_one_contact(void) {
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = 1e-8;
    int several = 0, iterated = 0, dearer = 0, unlike = 0, open = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        const gen_problem g = gen_make(k % 2 ? GEN_SEVERAL : GEN_FREE_BOX_5, k);
        static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5}; /* of the packed W */
        imp_coulomb_set set;
        double W[9], p[3], least = INFINITY, nearest = INFINITY;
        for (int i = 0; i < 9; i++)
            W[i] = g.W[at[i]];
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = g.q, .mu = &g.mu};
        imp_info info = {0};
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK) continue;
        open += imp_solve(&imp_model_auto, &problem, &settings, p, &info) != IMP_OK;
        iterated += info.iterations != 0;
        several += set.count > 1;
        for (int i = 0; i < set.count; i++) {
            const double *s = set.solution[i].p;
            least = fmin(least, imp_problem_energy(&problem, s));
            nearest = fmin(nearest, fabs(s[0] - p[0]) + fabs(s[1] - p[1]) + fabs(s[2] - p[2]));
        }
        unlike += !(nearest <= 1e-12 * (1 + fabs(p[0])));
        dearer += !(imp_problem_energy(&problem, p) <= least + 1e-12 * fabs(least));
    }
    ok(open == 0 && iterated == 0 && unlike == 0, "one contact: one of the solutions, at once");
    ok(several >= 10 && dearer == 0, "  of several (%d problems) the most dissipative", several);
}

/* One contact whose W has axes up to 1e8 apart: what rounding leaves of the velocities of a large
 * impulse is beyond the tolerance, and the solution is the answer all the same. */
static void test_far_axes(void) {
    enum { PROBLEMS = 500 };
    int unsolved = 0, iterated = 0, beyond = 0;
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        const gen_problem g = gen_spd(k, 8, 0.3 + (double)(k % 5));
        const double W[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3],
                             g.W[4], g.W[2], g.W[4], g.W[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = g.q, .mu = &g.mu};
        imp_info info = {0};
        double p[3];
        unsolved += imp_solve(&imp_model_auto, &problem, NULL, p, &info) != IMP_OK;
        iterated += info.iterations != 0;
        beyond += info.residual > imp_blocks_presets.tolerance;
    }
    ok(unsolved == 0 && iterated == 0 && beyond > 0,
       "axes up to 1e8 apart: %d of %d unsolved, %d iterated; %d errors of rounding above the "
       "tolerance",
       unsolved, PROBLEMS, iterated, beyond);
}

/* A recorded block is enumerated where it is symmetric. The mean of one that is not has other
 * solutions: small errors, and beyond the certificate; the iteration finds its own. */
static void test_recorded_block(void) {
    const double mu = 2.71727, q[3] = {-2.72005e-06, 0.44223, -0.925067},
                 recorded[9] = {.592179598,  .4062915996,  .03343601634, .4062914977, .9827460184,
                                .3152060892, .03343624954, .3152063063,  .6716696664};
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        double W[9], p[3];
        for (int k = 0; k < 9; k++)
            W[k] = symmetric ? (recorded[k] + recorded[k % 3 * 3 + k / 3]) / 2 : recorded[k];
        imp_operator op = imp_operator_dense(1, W);
        op.as_given = 1;
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
        imp_certificate c;
        imp_info info = {0};
        const imp_status status =
            imp_solve_certified(&imp_model_auto, &problem, NULL, p, NULL, &c, &info);
        ok(status == IMP_OK && c.worst < 1e-12 && (info.iterations == 0) == symmetric,
           "a recorded block, %s: %s, %d sweeps, certificate %.1e",
           symmetric ? "symmetric" : "its own", imp_status_text(status), info.iterations, c.worst);
    }
}

/* An iterate that ran away beyond doubles is taken for no answer. */
static void test_run_away(void) {
    const double W[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0.5;
    const double impulse[3] = {INFINITY, -INFINITY, 0};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    blockwise *b = imp_blockwise_new(&problem, true);
    if (b) imp_blockwise_set(b, impulse);
    ok(b && isinf(imp_blockwise_judged(b, imp_blockwise_error(b))),
       "the error of infinite impulses is infinite");
    imp_blockwise_free(b);
}

/* Contacts of a mechanism that a direction inside the cone does not move, with velocities that the
 * rest of W cannot stop, as gaps make them. W's rounding moves that direction, so that a stick of
 * 1e16 N s solves the problem that W is, and no double shows its velocities: auto takes another
 * solution, or none. */
static void test_wedged(void) {
    const double shown =
        1e-10; /* of |W| |p| over |q|: six digits and more of velocities are left */
    int sticks = 0, hidden = 0, others = 0, missed = 0;
    for (uint64_t k = 0; k < 2000; k++) {
        gen_stream s = gen_seed(913, k);
        double stuck[3], across[2][3], W[9], packed[6], q[3], p[3], size = 0, speed = 0;
        gen_unit(&s, stuck, 3);
        stuck[0] = fabs(stuck[0]) + 0.5;
        const double mu = gen_uniform(&s, 1, 2) * hypot(stuck[1], stuck[2]) / stuck[0];
        gen_unit(&s, across[1], 3);
        cross3(stuck, across[1], across[0]);
        cross3(stuck, across[0], across[1]);
        for (int i = 0; i < 9; i++)
            W[i] = across[0][i / 3] * across[0][i % 3] + 0.3 * across[1][i / 3] * across[1][i % 3];
        gen_unit(&s, q, 3);
        q[0] *= 0.1;
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
        imp_coulomb_set set;
        imp_operator_packed(&op, 0, packed);
        if (imp_coulomb_enumerate(packed, q, mu, &set) != IMP_OK) continue;
        const double *other = NULL; /* the most dissipative */
        for (int i = 0; i < set.count && !other; i++)
            if (norm3(set.solution[i].p) < 1e3) other = set.solution[i].p;
        const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, p, NULL);
        if (status == IMP_NOT_POSITIVE) continue; /* by its rounding */
        const bool solved = status == IMP_OK;
        for (int i = 0; i < 9; i++)
            size = fmax(size, fabs(W[i] * p[i % 3]));
        speed = norm3(q);
        sticks += norm3(set.solution[0].p) > 1e12;
        hidden += solved && !(DBL_EPSILON * size <= shown * speed);
        others += other != NULL;
        missed += other && !(solved && memcmp(p, other, sizeof p) == 0);
    }
    ok(sticks > 200 && hidden == 0, "wedged, %d times a stick beyond digits: %d times the answer",
       sticks, hidden);
    ok(others > 100 && missed == 0, "  another solution %d times, %d times missed", others, missed);
}

/* Contacts that open or only touch, and those without friction, whose answer auto sees without
 * enumeration: the most dissipative of the enumeration, to the bit. Friction wedges some shut. */
static void test_plain_contact(void) {
    int same = 0, trials = 0, wedged = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        gen_problem g = gen_make(k % 2 ? GEN_SEVERAL : GEN_FREE_BOX_5, k);
        const double *w = g.W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = g.q, .mu = &g.mu};
        imp_coulomb_set set;
        double p[3];
        if (k % 3 == 0)
            g.mu = 0;
        else
            g.q[0] = k % 3 == 1 ? 0 : 1e-3 * fabs(g.q[0]);
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK) continue;
        const double *want = set.solution[imp_coulomb_choose(&set, IMP_MOST_DISSIPATIVE)].p;
        const imp_status status =
            imp_blocks_auto(&problem, &imp_blocks_presets, p, NULL, &(imp_info){0});
        trials++;
        wedged += g.q[0] >= 0 && want[0] > 0;
        same += status == IMP_OK && p[0] == want[0] && p[1] == want[1] && p[2] == want[2];
    }
    ok(same == trials && trials > 3000, "plain to see: as enumerated, %d of %d", same, trials);
    ok(wedged >= 10, "  where friction wedges them (%d) not so", wedged);
}

/* A contact beside two pairs that are 1e-5 as fast, whose errors are nothing beside the tolerance
 * of all velocities: the certificate is refuted by the pair that is worse at first and closer bound
 * later. */
static void test_refuted_elsewhere(void) {
    enum { N = 15 };
    static const double coupling[2] = {0.9, 0.99}, rest[2] = {0.5, 0.05}, mu[5] = {0};
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};
    double W[N * N] = {0}, q[N] = {-1};
    for (int i = 0; i < N; i++)
        W[i * N + i] = 1;
    for (int k = 0; k < 2; k++) {
        const int a = 3 + 6 * k, b = a + 3;
        W[a * N + b] = W[b * N + a] = coupling[k];
        q[a] = -1e-5;
        q[b] = -1e-5 * (coupling[k] + rest[k]);
    }
    const imp_operator op = imp_operator_dense(5, W);
    const imp_problem problem = {.nc = 5, .W = &op, .q = q, .mu = mu};
    for (int m = 0; m < 2; m++) {
        imp_blocks_settings settings = imp_blocks_presets;
        imp_certificate certificate = {0};
        imp_info info = {0};
        double p[N];
        settings.tolerance = 1e-4;
        ok(imp_solve(models[m], &problem, &settings, p, &info) == IMP_OK &&
               imp_certify(&problem, &imp_law_coulomb, NULL, p, NULL, &certificate) == IMP_OK &&
               certificate.worst <= 100 * settings.tolerance,
           "%s: no contact is refuted, however slow: %.1e", models[m]->name, certificate.worst);
    }
}

/* Balls, whose answer is in closed form, and contacts that only look like a ball's: one entry is
 * off by rounding, by 1e-10, or by much. The answer of each is that of the enumeration; of a ball
 * the last bits tell that it was not asked. */
static void test_balls(void) {
    enum { PROBLEMS = 4000 };
    double worst[4] = {0};
    int unsolved = 0, balls = 0, closed = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        static const double off[4] = {0, 0x1p-51, 1e-10, 0.3};
        gen_stream s = gen_seed(733, (uint64_t)k);
        const int kind = k % 4;
        const double n = gen_power10(&s, -6, 6), t = n * gen_uniform(&s, 1, 3.5),
                     mu = k % 3 == 0 ? gen_power10(&s, -8, 8) : gen_uniform(&s, 0, 1);
        double packed[6] = {n, 0, 0, t, 0, t}, p[3];
        static const int place[5] = {1, 2, 3, 4, 5};
        packed[place[k / 4 % 5]] += off[kind] * n;
        const double W[9] = {packed[0], packed[1], packed[2], packed[1], packed[3],
                             packed[4], packed[2], packed[4], packed[5]},
                     q[3] = {gen_uniform(&s, -1, 0.2), gen_normal(&s), k % 7 ? gen_normal(&s) : 0};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(packed, q, mu, &set) != IMP_OK ||
            imp_solve(&imp_model_auto, &problem, NULL, p, NULL) != IMP_OK) {
            unsolved++;
            continue;
        }
        const double *as = set.solution[imp_coulomb_choose(&set, IMP_MOST_DISSIPATIVE)].p;
        const double size = fabs(as[0]) + fabs(as[1]) + fabs(as[2]), slip = hypot(q[1], q[2]),
                     limit = mu * -q[0] / n * t, per = slip > limit ? limit / slip / t : 1 / t;
        if (kind == 0 && q[0] < 0) {
            balls++;
            closed += fabs(p[1] + per * q[1]) <= 1e-15 * size && p[0] == -q[0] / n;
        }
        for (int i = 0; i < 3; i++)
            if (p[i] != as[i]) worst[kind] = fmax(worst[kind], fabs(p[i] - as[i]) / size);
    }
    ok(unsolved == 0, "%d balls and what looks like one, %d unsolved", PROBLEMS, unsolved);
    ok(closed == balls && balls > 700, "%d balls, %d in closed form", balls, closed);
    ok(worst[0] < 1e-14 && worst[1] < 1e-14, "as enumerated: %.0e, off by rounding %.0e", worst[0],
       worst[1]);
    ok(worst[2] < 1e-14 && worst[3] < 1e-14, "off by 1e-10 %.0e, by .3 %.0e", worst[2], worst[3]);
}

/* Contacts of a body that turns about an axis alone, told as a hinge tells them, q by rounding off
 * what they can move: they stop it by the impulses that takes, not by those that rounding holds
 * against one another. */
static void test_hinged(void) {
    enum { PROBLEMS = 500, MODELS = 3 };
    static const imp_model *const models[MODELS] = {&imp_model_auto, &imp_model_moreau,
                                                    &imp_model_gauss_seidel_coulomb};
    for (int m = 0; m < MODELS; m++) {
        int unsolved = 0;
        double most = 0, gained = 0;
        for (uint64_t k = 0; k < PROBLEMS; k++) {
            gen_stream s = gen_seed(2112, k);
            double G[9] = {0}, W[81], q[9], p[9];
            const double mu[3] = {1, k % 2 ? 0.5 : 1, 0.3};
            const int nc = k % 3 ? 3 : 2, n = 3 * nc;
            for (int i = 0; i < n; i++) {
                G[i] = gen_normal(&s);
                q[i] = -G[i] * (1 + 1e-13 * gen_normal(&s));
            }
            G[0] = fabs(G[0]) + 0.1;
            q[0] = -G[0];
            for (int i = 0; i < n * n; i++)
                W[i] = G[i / n] * G[i % n];
            const imp_operator op = imp_operator_dense(nc, W);
            const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu};
            unsolved += imp_solve(models[m], &problem, NULL, p, NULL) != IMP_OK;
            gained = fmax(gained, fabs(imp_problem_energy(&problem, p) + 0.5));
            for (int i = 0; i < n; i++) /* the first alone takes 1 / G[0] */
                most = fmax(most, fabs(p[i] * G[i]));
        }
        ok(unsolved == 0 && most < 1e4 && gained < 1e-8,
           "%s on a hinge: %d of %d unsolved, pushes up to %.0e of what stops it, energy off by "
           "%.0e",
           models[m]->name, unsolved, PROBLEMS, most, gained);
    }
}

/* Boxes under one a million times as heavy: what holds it up is a million times what moves them,
 * and its rounding is 1e-10 of their velocities and more. */
static void test_loaded(void) {
    enum { STACKS = 40 };
    int solved = 0, rounded = 0;
    double worst = 0;
    for (uint64_t k = 0; k < STACKS; k++) {
        static gen_stack g;
        gen_stream s = gen_seed(2113, k);
        const int boxes = 2 + (int)(k % (GEN_STACK_BOXES - 1));
        double mass[GEN_STACK_BOXES] = {1, 1, 1, 1, 1}, p[3 * GEN_STACK_CONTACTS];
        mass[boxes - 1] = 1e6;
        gen_stack_of(&s, boxes, mass, gen_uniform(&s, 0.4, 1.2), &g);
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        imp_info info = {0};
        if (imp_solve(&imp_model_auto, &problem, NULL, p, &info) != IMP_OK) continue;
        solved++;
        rounded += info.residual > imp_blocks_presets.tolerance;
        worst = fmax(worst, info.residual);
    }
    ok(solved >= STACKS - 2 && rounded > STACKS / 2 && worst <= 100 * imp_blocks_presets.tolerance,
       "%d of %d stacks under a heavy box, %d to rounding: up to %.0e", solved, STACKS, rounded,
       worst);
}

static void test_stages(void) {
    const int all = (int)(sizeof expected / sizeof *expected);
    for (int k = 0; k < tap_many(all - DEAR, all); k++) {
        const expectation *e = &expected[k];
        imp_fclib pile;
        imp_fclib_posed posed;
        if (pile_make(e->kind, (uint64_t)e->seed, e->contacts, &pile) != IMP_OK ||
            imp_fclib_pose(&pile, &posed) != IMP_OK)
            exit(1);
        double *p = calloc(3 * (size_t)pile.nc, sizeof *p), field, scale_free;
        imp_blocks_settings settings = imp_blocks_presets;
        imp_blocks_report report = {0};
        imp_info info = {0};
        settings.tolerance = e->tolerance;
        settings.max_sweeps = 1e5;
        const imp_status status = imp_blocks_auto(&posed.problem, &settings, p, &report, &info);
        imp_natural_error(&posed.problem, p, &field, &scale_free);
        ok(status == IMP_OK && scale_free <= 1.001 * e->tolerance, "%s to %.0e: %s, error %.1e",
           pile.title, e->tolerance, imp_status_text(status), scale_free);
        ok(report.sweeps <= e->sweeps && report.factorisations <= e->factorisations,
           "  by %s: %d sweeps, %d factorisations", e->by, report.sweeps, report.factorisations);
        free(p);
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&pile);
    }
}

int main(void) {
    test_one_contact();
    test_far_axes();
    test_recorded_block();
    test_run_away();
    test_wedged();
    test_plain_contact();
    test_balls();
    test_refuted_elsewhere();
    test_hinged();
    test_loaded();
    test_stages();
    return tap_done();
}
