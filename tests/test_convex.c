/* test_convex.c - the convex models: kappa and its islands, restitution, and input that has no
 * answer. */
#include "convex_verdict.h"
#include "generators/gen.h"

/* Two separate bodies: the impulse the first saves is not spent on the second; with one kappa it
 * is. */
static void test_islands(void) {
    const double W[36] = {1.5, 0.4, 0, 0, 0, 0, 0.4, 2, 0, 0, 0,   0, 0, 0, 1.5, 0, 0, 0,
                          0,   0,   0, 1, 0, 0, 0,   0, 0, 0, 3.5, 0, 0, 0, 0,   0, 0, 3.5};
    const double q[6] = {-1, -2, 0, 0, 1, 0}, mu[2] = {0.5, 0.5};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_convex_settings settings = convex_presets();
    imp_convex_report report = {0};
    double p[6];
    ok(imp_convex(&problem, &settings, p, &report) == IMP_OK && report.islands == 2, "two islands");
    ok(p[3] == 0 && p[4] == 0, "a body that nothing approaches stays as it is");
    settings.kappa = 2.0 / 3 * (1 + 0x1p-40);
    ok(imp_convex(&problem, &settings, p, &report) == IMP_OK && report.islands == 1,
       "one kappa over both");
    is_near(p[3], 0.023391812865837434, 1e-10, 0, "launches the second body");
}

/* Restitution without the second solve would create energy here: A_N = [[1, -.9], [-.9, 1]], e =
 * (1, 0). */
static void test_restitution(void) {
    double W[36] = {0}, p[6], u[6];
    const double q[6] = {-0.1, 0, 0, -0.1, 0, 0}, mu[2] = {0, 0}, e[2] = {1, 0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = -0.9;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    imp_certificate certificate;
    ok(imp_solve_certified(&imp_model_frictionless, &problem, NULL, p, NULL, &certificate, NULL) ==
           IMP_OK,
       "unequal restitution");
    is_near(imp_problem_energy(&problem, p), -0.005, 1e-12, 0,
            "keeps the energy below what it was");
    imp_operator_apply(&op, p, q, u);
    ok(u[0] >= -1e-15 && u[3] >= -1e-15, "and the contacts apart");
    ok(certificate.worst < 1e-14, "certified");
}

/* Steps that run out, settings out of range, data that are none. */
static void test_limits(void) {
    const gen_many g = gen_bodies(11, 6);
    const imp_operator op = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
    imp_convex_settings settings = convex_presets();
    imp_convex_report report = {0};
    double p[18], y[18];
    settings.max_iterations = 1;
    settings.polish = 0;
    imp_frictionless(&problem, y, NULL);
    ok(imp_convex(&problem, &settings, p, &report) == IMP_NOT_CONVERGED && report.fallbacks == 1,
       "one step is not enough");
    is_vec(p, y, 18, 0, 0, "the answer is phase I's then");
    settings = convex_presets();
    ok(imp_convex(&problem, &settings, p, &report) == IMP_OK && report.kappa > 0,
       "with enough it is solved");
    for (int share = 0; share < 2; share++) {
        settings.kappa = share * 1e-3 * report.kappa;
        ok(imp_convex(&problem, &settings, p, NULL) == IMP_NO_SOLUTION,
           "a kappa that cannot be met has no solution");
        is_vec(p, (double[18]){0}, 18, 0, 0, "and p is 0");
    }
    settings.mu_v = -1;
    ok(imp_solve(&imp_model_drumwright, &problem, &settings, p, NULL) == IMP_BAD_ARGUMENT,
       "mu_v < 0 is refused");
    double muv[6] = {0, 0, NAN, 0, 0, 0};
    imp_problem unknown = problem;
    unknown.mu_v = muv;
    settings = convex_presets();
    ok(imp_convex(&unknown, &settings, p, NULL) == IMP_NOT_FINITE, "NaN in mu_v is refused");
}

/* A sphere between two plates that close on it, or that it is in too deep: W and the gaps
 * contradict each other. */
static void test_contradictions(void) {
    static const char *const models[] = {"drumwright", "anitescu", "frictionless"};
    double W[36] = {0}, p[6], q[6] = {-1, 1, 0, -1, 1, 0};
    const double mu[2] = {0.5, 0.5}, none[2] = {0}, gap[2] = {-0.1, -0.1}, open[2] = {2, 2};
    for (int i = 0; i < 6; i++)
        for (int j = i % 3; j < 6; j += 3)
            W[6 * i + j] = i % 3 == 0 ? (i == j ? 1 : -1) : (i == j ? 3.5 : -1.5);
    const imp_operator op = imp_operator_dense(2, W);
    for (int k = 0; k < 3; k++) {
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = k == 2 ? none : mu};
        const imp_status status = imp_solve(imp_model_find(models[k]), &problem, NULL, p, NULL);
        bool finite = true;
        for (int i = 0; i < 6; i++)
            finite = finite && isfinite(p[i]);
        ok(status > 0 && finite, "plates that close, %s: %s", models[k], imp_status_text(status));
    }
    imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .gap = open};
    imp_convex_settings settings = convex_presets();
    ok(imp_convex(&problem, &settings, p, NULL) == IMP_OK && p[0] == 0,
       "with room between them they may");
    q[0] = q[3] = 0;
    problem.gap = gap;
    ok(imp_convex(&problem, &settings, p, NULL) == IMP_NO_SOLUTION && p[0] == 0,
       "overlaps on both sides");
    ok(imp_frictionless(&problem, p, NULL) == IMP_NO_SOLUTION && p[0] == 0,
       "without friction, too");
}

/* The same in a time step: the status of the model, and the world goes on; and a joint that moves
 * no mass. */
static void test_steps(void) {
    const imp_link ball = {.mass = 1, .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
    imp_world *world = imp_world_of_bodies(1, &ball, (const double[3]){0, 0, 0.075}, NULL);
    imp_stepper *stepper = imp_stepper_new(world);
    const imp_guard plates[2] = {
        {.radius = 0.1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.5},
        {.radius = 0.1,
         .plane = IMP_GROUND,
         .point = {0, 0, 0.15},
         .normal = {0, 0, -1},
         .mu = 0.5}};
    imp_shapes shapes = {.guards = 2, .guard = plates, .reach = 0.01};
    imp_step_settings settings = {
        .h = 0.01, .gravity = {0, 0, -9.81}, .detect = imp_shapes_nearby, .detect_data = &shapes};
    for (int k = 0; k < 4; k++) {
        settings.model = k % 2 ? &imp_model_anitescu : &imp_model_drumwright;
        settings.least_gap = k < 2 ? -INFINITY : -5e-4;
        const imp_status status = imp_step(stepper, &settings);
        ok(status > 0 && isfinite(world->q[2]) && isfinite(world->v[2]),
           "%s, overlaps of 25 mm%s: %s", settings.model->name, k < 2 ? "" : " pushed out slowly",
           imp_status_text(status));
    }
    imp_stepper_free(stepper);
    imp_world_free(world);
    const imp_link light = {
        .parent = IMP_GROUND, .joint = IMP_REVOLUTE, .turn = {1}, .axis = {0, 0, 1}};
    imp_tree *tree = imp_tree_new(1, &light, NULL);
    world = tree ? imp_world_new(1, &tree) : NULL;
    stepper = world ? imp_stepper_new(world) : NULL;
    settings.detect = NULL;
    ok(stepper && imp_step(stepper, &settings) == IMP_NOT_POSITIVE && world->q[0] == 0,
       "a joint that moves no mass");
    imp_stepper_free(stepper);
    imp_world_free(world);
}

/* An overlap that pushes a resting body apart gives it energy: restitution adds none to it. */
static void test_overlap_bounces(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0}, mu = 0.5, e = 0.5, gap = -1;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e, .gap = &gap};
    const imp_convex_settings settings = convex_presets();
    double p[3] = {0};
    ok(imp_convex(&problem, &settings, p, NULL) == IMP_OK, "an overlap at rest");
    is_near(p[0], 1, 1e-12, 0, "is undone, and nothing beyond");
}

/* The two models of the law without friction, the second with phase II in between. */
static const imp_model *const smooth[2] = {&imp_model_frictionless, &imp_model_drumwright};

/* Overlaps that close: the expansion adds no energy to what the compression leaves. Nothing says
 * how much it may be, and the answer says that it is not judged. */
static void test_overlap_closes(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0, e = 1, gap = -0.1;
    const imp_operator one = imp_operator_dense(1, W);
    const imp_problem single = {.nc = 1, .W = &one, .q = q, .mu = &mu, .e = &e, .gap = &gap};
    double worst = -INFINITY;
    int tried = 0;
    for (int m = 0; m < 2; m++) {
        double p[3] = {0};
        imp_certificate c = {0};
        const imp_status status = imp_solve_certified(smooth[m], &single, NULL, p, NULL, &c, NULL);
        ok(status == IMP_NOT_CERTIFIED && c.unjudged && c.worst < 1e-12,
           "%s of an overlap that closes, e = 1: %s", smooth[m]->name, imp_status_text(status));
        is_near(p[0], 2, 1e-12, 0, "  bounces as fast as it came, and no faster");
    }
    for (uint64_t k = 0; k < 200; k++) {
        const gen_many g = gen_bodies(1200 + k, 1 + (int)(k % GEN_MOST_CONTACTS));
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        gen_stream s = gen_seed(12, k);
        double gaps[GEN_MOST_CONTACTS], es[GEN_MOST_CONTACTS], none[GEN_MOST_CONTACTS] = {0};
        for (int i = 0; i < g.nc; i++) {
            gaps[i] = gen_uniform(&s, -0.5, 0.5);
            es[i] = gen_uniform(&s, 0, 1);
        }
        const imp_problem plain = {.nc = g.nc, .W = &op, .q = g.q, .mu = none, .gap = gaps};
        imp_problem bounces = plain;
        bounces.e = es;
        imp_convex_report report = {0};
        double y[3 * GEN_MOST_CONTACTS];
        (void)imp_frictionless(&plain, y, &report);
        if (report.islands > 1) continue; /* each gains by itself */
        for (int m = 0; m < 2; m++) {
            double p[3 * GEN_MOST_CONTACTS], more[3 * GEN_MOST_CONTACTS];
            if (imp_solve(smooth[m], &plain, NULL, p, NULL) != IMP_OK) continue;
            if (imp_solve(smooth[m], &bounces, NULL, more, NULL) < 0) worst = INFINITY;
            const double gain =
                imp_problem_energy(&bounces, more) - fmax(0, imp_problem_energy(&plain, p));
            double stake = 1;
            for (int i = 0; i < 3 * g.nc; i++)
                stake += fabs(more[i] * g.q[i]);
            worst = tap_worst(worst, gain / stake);
            tried++;
        }
    }
    ok(tried > 300 && worst <= 1e-12,
       "nor do many gain more than without restitution (%.1e of their work)", worst);
}

/* A kappa that is as good as none: its multiplier, which is rounding, is not held to all of it; a
 * wrong answer is no less wrong. */
static void test_slack_kappa(void) {
    static const double bounds[] = {1, 1e10, 1e12, 1e15, 1e30, 1e300};
    const double W[9] = {2, -1, 0, -1, 3, 0.5, 0, 0.5, 4}, q[3] = {-1, 2, 1}, mu = 0.5;
    double two[36] = {0}, both[6];
    for (int i = 0; i < 9; i++)
        two[6 * (i / 3) + i % 3] = two[6 * (3 + i / 3) + 3 + i % 3] = W[i];
    two[3] = two[18] = -0.5;
    for (int i = 0; i < 6; i++)
        both[i] = q[i % 3] * (i < 3 ? 1 : 0.25);
    for (int k = 0; k < 12; k++) {
        const imp_operator op = k % 2 ? imp_operator_dense(2, two) : imp_operator_dense(1, W);
        const imp_problem problem = {
            .nc = 1 + k % 2, .W = &op, .q = k % 2 ? both : q, .mu = (double[2]){mu, mu}};
        imp_convex_settings settings = convex_presets();
        settings.kappa = bounds[k / 2];
        imp_path path = {0};
        imp_certificate c;
        double p[6];
        const imp_status status =
            imp_solve_certified(&imp_model_drumwright, &problem, &settings, p, &path, &c, NULL);
        ok(status == IMP_OK, "kappa %g, %d: %.1e", settings.kappa, problem.nc, c.worst);
        p[1] *= 1 - 1e-6;
        path.impulse[1] = p[1];
        const imp_status judged = imp_certify(&problem, &imp_law_convex, &settings, p, &path, &c);
        ok(judged == IMP_OK && c.worst > 1e-8, "not friction a millionth less: %.1e", c.worst);
        imp_path_clear(&path);
    }
}

static imp_status bounded(const imp_problem *problem, double kappa, double *p) {
    imp_convex_settings settings = convex_presets();
    settings.kappa = kappa;
    return imp_convex(problem, &settings, p, NULL);
}

/* The least kappa of one contact is -q_n / (W_nn + mu |W_nt|): friction that lifts helps. Of
 * several some kappa below phase I's divides those that suffice from those that do not. */
static void test_least_kappa(void) {
    int wrong = 0, denied = 0, undecided = 0, divided = 0;
    for (uint64_t k = 0; k < 300; k++) {
        const gen_many g = gen_bodies(900 + k, k < 200 ? 1 : 2 + (int)(k % 7));
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        double p[3 * GEN_MOST_CONTACTS], high = 0, low = 0;
        (void)imp_frictionless(&problem, p, NULL);
        for (int i = 0; i < g.nc; i++)
            high += p[3 * i];
        if (high == 0) continue;
        if (g.nc == 1) {
            const double least = -g.q[0] / (g.W[0] + g.mu[0] * hypot(g.W[1], g.W[2]));
            wrong += bounded(&problem, 0.9999 * least, p) != IMP_NO_SOLUTION || p[0] != 0;
            wrong += bounded(&problem, 1.0001 * least, p) != IMP_OK;
            continue;
        }
        while (high - low > 1e-3 * high) {
            const double kappa = 0.5 * (low + high);
            const imp_status status = bounded(&problem, kappa, p);
            denied += status == IMP_NO_SOLUTION;
            undecided += status == IMP_NOT_CONVERGED;
            *(status == IMP_OK ? &high : &low) = kappa;
        }
        wrong += bounded(&problem, 0.9 * low, p) == IMP_OK;
        divided++;
    }
    ok(wrong == 0 && denied > 2 * divided && undecided == 0,
       "a kappa that is too small is no-solution (%d; wrong %d, undecided %d)", denied, wrong,
       undecided);
}

/* M that cannot be right: whatever is called solved is solved for W. */
static void test_singular_mass(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.3, 0}, mu = 0.5;
    const int place[3] = {0, 1, 2};
    const double zero[3] = {0}, one[3] = {1, 1, 1};
    const int start[2] = {0, 1}, column = 0;
    imp_sparse M, H;
    const imp_assembled assembled = {{1, start, &column, W}, &M, &H, NULL};
    const imp_operator op = imp_operator_assembled(&assembled);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    double p[3] = {0}, lambda = 0;
    ok(imp_sparse_from_triplets(3, 3, 3, place, place, zero, &M) == IMP_OK &&
           imp_sparse_from_triplets(3, 3, 3, place, place, one, &H) == IMP_OK,
       "a mass matrix of zeros");
    imp_convex_report report = {.multiplier = &lambda};
    for (int k = 0; k < 2; k++) {
        imp_convex_settings settings = convex_presets();
        if (k == 1) settings.polish = 0;
        const imp_status status = imp_convex(&problem, &settings, p, &report);
        const convex_verdict v = convex_judge(&problem, NULL, 1, p, &lambda);
        ok((status == IMP_OK && convex_worst(&v) <= 1e-6) || status == IMP_NOT_CONVERGED,
           "ends with %s", imp_status_text(status));
    }
    imp_sparse_clear(&M);
    imp_sparse_clear(&H);
}

int main(void) {
    test_islands();
    test_restitution();
    test_limits();
    test_contradictions();
    test_steps();
    test_overlap_bounces();
    test_overlap_closes();
    test_singular_mass();
    test_least_kappa();
    test_slack_kappa();
    return tap_done();
}
