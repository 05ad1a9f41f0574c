/* test_optional.c - what a problem may carry besides: viscous friction, gaps, the bodies behind W.
 * Who does not know of it says so. */
#include "convex_verdict.h"
#include "generators/gen.h"
#include "io/io.h"
#include "scratch.h"

enum { MOST = GEN_MOST_CONTACTS };

/* A problem of bodies with gaps of either sign and viscous friction. */
typedef struct carrying {
    gen_many g;
    double mu_v[MOST], gap[MOST];
    imp_operator W;
    imp_problem problem;
} carrying;

static void carry(carrying *c, uint64_t index, int nc) {
    gen_stream s = gen_seed(31, index);
    c->g = gen_bodies(index, nc);
    c->W = imp_operator_dense(nc, c->g.W);
    for (int i = 0; i < nc; i++) {
        c->mu_v[i] = gen_uniform(&s, 0, 0.1);
        c->gap[i] = gen_uniform(&s, -0.1, 0.5);
    }
    c->problem = (imp_problem){
        .nc = nc, .W = &c->W, .q = c->g.q, .mu = c->g.mu, .mu_v = c->mu_v, .gap = c->gap};
}

static void test_check(void) {
    static carrying c;
    int contact;
    carry(&c, 3, 2);
    ok(imp_problem_check(&c.problem, &contact) == IMP_OK,
       "viscous friction and gaps of either sign are data");
    ok(imp_problem_overlaps(&(imp_problem){.nc = 2, .gap = (const double[2]){0, -1e-300}}) &&
           !imp_problem_overlaps(&(imp_problem){.nc = 2, .gap = (const double[2]){0, 1}}) &&
           !imp_problem_overlaps(&(imp_problem){.nc = 2}),
       "gap < 0 is an overlap");
    c.mu_v[1] = -1e-300;
    ok(imp_problem_check(&c.problem, &contact) == IMP_BAD_FRICTION && contact == 1, "mu_v < 0");
    c.mu_v[1] = INFINITY;
    ok(imp_problem_check(&c.problem, &contact) == IMP_NOT_FINITE && contact == 1, "mu_v infinite");
    c.mu_v[1] = 0;
    c.gap[0] = NAN;
    ok(imp_problem_check(&c.problem, &contact) == IMP_NOT_FINITE && contact == 0,
       "a gap that is none");
}

/* One contact at e = 0, mu = 0 in the plane, which every model takes. */
static void test_takes(void) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, zero = 0, some = 0.1,
                        p[3] = {1, 0, 0};
    const imp_operator op = imp_operator_dense(1, W);
    for (const imp_model *const *m = imp_models; *m; m++) {
        const imp_problem plain = {
            .nc = 1, .W = &op, .q = q, .mu = &zero, .mu_v = &zero, .gap = &zero};
        imp_problem viscous = plain, apart = plain, rough = plain, bouncing = plain;
        imp_certificate c;
        const bool convex = *m == &imp_model_drumwright,
                   normals = convex || *m == &imp_model_frictionless;
        viscous.mu_v = &some;
        apart.gap = &some;
        ok(imp_model_takes(*m, &plain) == IMP_OK &&
               imp_certify(&plain, (*m)->law, NULL, p, NULL, &c) == IMP_OK,
           "%s takes zeros", (*m)->name);
        const imp_status of_viscous = convex ? IMP_OK : IMP_UNSUPPORTED,
                         of_gap = normals ? IMP_OK : IMP_UNSUPPORTED;
        ok(imp_model_takes(*m, &viscous) == of_viscous &&
               imp_solve(*m, &viscous, NULL, (double[3]){0}, NULL) == of_viscous &&
               imp_certify(&viscous, (*m)->law, NULL, p, NULL, &c) == of_viscous,
           "viscous friction, %s: %s", (*m)->name, imp_status_text(of_viscous));
        ok(imp_model_takes(*m, &apart) == of_gap &&
               imp_solve(*m, &apart, NULL, (double[3]){0}, NULL) == of_gap &&
               imp_certify(&apart, (*m)->law, NULL, p, NULL, &c) == of_gap,
           "a gap, %s: %s", (*m)->name, imp_status_text(of_gap));
        rough.mu = &some;
        bouncing.e = &some;
        const imp_status of_mu = imp_model_takes(*m, &rough), of_e = imp_model_takes(*m, &bouncing);
        ok(imp_certify(&rough, (*m)->law, NULL, p, NULL, &c) == of_mu &&
               (of_mu == IMP_OK) == !((*m)->takes & IMP_ONLY_FRICTIONLESS),
           "friction, %s and its law: %s", (*m)->name, imp_status_text(of_mu));
        ok(imp_certify(&bouncing, (*m)->law, NULL, p, NULL, &c) == of_e &&
               (of_e == IMP_OK) == (((*m)->takes & IMP_TAKES_RESTITUTION) != 0),
           "restitution, %s and its law: %s", (*m)->name, imp_status_text(of_e));
    }
}

/* QP1 with gaps: its conditions from their definition, and its certificate along the path; neither
 * holds of the same answer when a contact that pushes may approach less, or more. */
static void test_conic(void) {
    static carrying c;
    int solved = 0, accepted = 0, less = 0, more = 0, pushing = 0;
    double worst = 0;
    for (uint64_t k = 0; k < 300; k++) {
        double p[3 * MOST], lambda[MOST] = {0};
        imp_path path = {0};
        imp_certificate found;
        const imp_convex_settings settings = convex_presets();
        carry(&c, 500 + k, 1 + (int)(k % MOST));
        imp_convex_report report = {.multiplier = lambda};
        /* overlaps may contradict each other */
        if (imp_convex(&c.problem, &settings, p, &report) != IMP_OK) continue;
        const convex_verdict v = convex_judge(&c.problem, c.mu_v, report.kappa, p, lambda);
        if (report.islands == 1) worst = tap_worst(worst, convex_worst(&v));
        solved++;
        accepted += imp_solve_certified(&imp_model_drumwright, &c.problem, NULL, p, &path, &found,
                                        NULL) == IMP_OK;
        int pushes = 0;
        /* in phase I, whose rows hold with equality */
        for (int i = 1; i < c.problem.nc && path.multipliers == 3; i++)
            if (path.multiplier[i] > path.multiplier[pushes]) pushes = i;
        if (path.multipliers == 3 && path.multiplier[pushes] > 1e-3) {
            pushing++;
            c.gap[pushes] -= 0.01;
            less += imp_certify(&c.problem, &imp_law_convex, NULL, p, &path, &found) == IMP_OK &&
                    found.worst > 1e-5;
            c.gap[pushes] += 0.02;
            more += imp_certify(&c.problem, &imp_law_convex, NULL, p, &path, &found) == IMP_OK &&
                    found.worst > 1e-5;
        }
        imp_path_clear(&path);
    }
    ok(solved > 250 && worst < 1e-9, "QP1 with gaps: %d solved, its conditions hold to %.1e",
       solved, worst);
    ok(accepted == solved, "%d certified", accepted);
    ok(pushing > 150 && less == pushing && more == pushing,
       "of %d answers to other gaps %d and %d are refused", pushing, less, more);
}

/* QP3 with gaps is QP3 of q_n + gap: complementary, and the same impulses. */
static void test_normals(void) {
    static carrying c;
    int solved = 0, refused = 0, pushing = 0;
    double worst = 0, apart = 0, certificate = 0;
    for (uint64_t k = 0; k < 300; k++) {
        double p[3 * MOST], other[3 * MOST], q[3 * MOST], u[3 * MOST];
        const int nc = 1 + (int)(k % MOST);
        imp_certificate found;
        carry(&c, 900 + k, nc);
        memset(c.g.mu, 0, sizeof c.g.mu);
        c.problem.mu_v = NULL;
        imp_problem shifted = c.problem;
        memcpy(q, c.g.q, 3 * (size_t)nc * sizeof *q);
        for (int i = 0; i < nc; i++)
            q[3 * i] += c.gap[i];
        shifted.q = q;
        shifted.gap = NULL;
        if (imp_solve_certified(&imp_model_frictionless, &c.problem, NULL, p, NULL, &found, NULL) !=
            IMP_OK)
            continue;
        solved++;
        certificate = tap_worst(certificate, found.worst);
        imp_operator_apply(&c.W, p, c.g.q, u);
        if (imp_solve(&imp_model_frictionless, &shifted, NULL, other, NULL) != IMP_OK)
            worst = INFINITY;
        int pushes = 0;
        for (int i = 0; i < nc; i++) {
            worst = tap_worst(worst, fabs(fmin(p[3 * i], u[3 * i] + c.gap[i])));
            apart = tap_worst(apart, fabs(p[3 * i] - other[3 * i]));
            if (p[3 * i] > p[3 * pushes]) pushes = i;
        }
        if (!(p[3 * pushes] > 1e-3)) continue;
        pushing++;
        c.gap[pushes] += 0.01;
        refused +=
            imp_certify(&c.problem, &imp_law_frictionless, NULL, p, NULL, &found) == IMP_OK &&
            found.worst > 1e-5;
    }
    ok(solved > 250 && worst < 1e-11 && apart < 1e-11 && certificate < 1e-11,
       "QP3 with gaps: %d solved, complementary to %.1e, %.1e from QP3 of shifted approaches",
       solved, worst, apart);
    ok(pushing > 150 && refused == pushing, "of %d answers to other gaps %d are refused", pushing,
       refused);
}

/* Pushing a body out of an overlap makes it faster: no reproach in the certificate, and with
 * restitution no verdict. */
static void test_overlap(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0, 0, 0}, mu = 0, gap = -1, e = 0.5;
    const imp_operator op = imp_operator_dense(1, W);
    imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .gap = &gap};
    static const imp_model *const models[2] = {&imp_model_drumwright, &imp_model_frictionless};
    for (int m = 0; m < 2; m++) {
        double p[3] = {0};
        imp_certificate c;
        problem.e = NULL;
        ok(imp_solve_certified(models[m], &problem, NULL, p, NULL, &c, NULL) == IMP_OK &&
               c.energy > 0.49,
           "%s pushes out, and is certified", models[m]->name);
        is_near(p[0], 1, 1e-12, 0, "with what makes u_n = 1");
        problem.e = &e;
        ok(imp_solve_certified(models[m], &problem, NULL, p, NULL, &c, NULL) == IMP_NOT_CERTIFIED &&
               c.unjudged,
           "with restitution: not judged");
    }
}

/* Written and read again to the bit; kappa is for models that have such a setting. */
static void test_files(void) {
    static carrying c;
    const char *path = scratch_path("carrying.json");
    imp_problem_file *file = NULL;
    imp_error error = {.text = ""};
    const imp_case *read = NULL;
    carry(&c, 12, 3);
    ok(imp_problem_dump(path, NULL, &c.problem, NULL, NULL, &error) == IMP_OK &&
           imp_problem_file_open(path, &file, &error) == IMP_OK &&
           imp_problem_file_next(file, &read, &error) == IMP_OK,
       "a problem with viscous friction and gaps in a file %s", error.text);
    ok(read && read->problem.mu_v && read->problem.gap &&
           memcmp(read->problem.mu_v, c.mu_v, 3 * sizeof(double)) == 0 &&
           memcmp(read->problem.gap, c.gap, 3 * sizeof(double)) == 0,
       "comes back to the bit");
    imp_problem_file_close(file);
    FILE *out = fopen(path, "w");
    fputs("[{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[-1,0,0],\"mu\":0,\"kappa\":7, \"mu_v\": 0},"
          "{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[-1,0,0],\"mu\":0,\"gap\":-3},"
          "{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[-1,0,0],\"mu\":0,\"kappa\":0}]",
          out);
    fclose(out);
    imp_settings settings;
    ok(imp_problem_file_open(path, &file, &error) == IMP_OK &&
           imp_problem_file_next(file, &read, &error) == IMP_OK,
       "one with kappa %s", error.text);
    ok(imp_problem_file_settings(file, &imp_model_drumwright, &settings, &error) == IMP_OK &&
           ((const imp_convex_settings *)(const void *)&settings)->kappa == 7,
       "is the setting of that name");
    ok(imp_problem_file_settings(file, &imp_model_maxdiss, &settings, &error) == IMP_OK && read &&
           !read->problem.gap,
       "which other models do not have");
    ok(imp_problem_file_next(file, &read, &error) == IMP_OK && !read->problem.mu_v &&
           read->problem.gap[0] == -3,
       "the next one carries its own");
    ok(imp_problem_file_settings(file, &imp_model_drumwright, &settings, &error) == IMP_OK &&
           ((const imp_convex_settings *)(const void *)&settings)->kappa == -1,
       "and no kappa");
    ok(imp_problem_file_next(file, &read, &error) == IMP_OK &&
           imp_problem_file_settings(file, &imp_model_drumwright, &settings, &error) == IMP_OK &&
           ((const imp_convex_settings *)(const void *)&settings)->kappa == 0,
       "none at all is a kappa, too");
    imp_problem_file_close(file);
}

static void test_set(void) {
    imp_settings s;
    imp_model_presets(&imp_model_auto, &s);
    ok(imp_model_set(&imp_model_auto, &s, "max_sweeps", 17) &&
           ((const imp_blocks_settings *)(const void *)&s)->max_sweeps == 17,
       "a number by its name");
    ok(!imp_model_set(&imp_model_auto, &s, "start", 1) &&
           !imp_model_set(&imp_model_auto, &s, "no such", 1) &&
           !imp_model_set(&imp_model_maxdiss, &s, "tolerance", 1),
       "a choice, an unknown name, a model without settings: nothing");
}

/* The batch of a model is its solve; what a batch does not know of is said. */
static void test_batch(void) {
    enum { N = 600 };
    static gen_problem g[N];
    static gen_dense dense[N];
    static imp_problem problem[N];
    static imp_answer answer[N];
    static double p[3 * N], u[3 * N];
    const double viscous = 0.1;
    int models = 0;
    for (int i = 0; i < N; i++) {
        g[i] = gen_spd(4000 + (uint64_t)i, 2, 0.1 * (i % 12));
        gen_dense_of(&g[i], &dense[i]);
        problem[i] = dense[i].problem;
        problem[i].e = NULL;
    }
    problem[N - 1].mu_v = &viscous;
    for (const imp_model *const *m = imp_models; *m; m++) {
        int other = 0;
        double apart = 0;
        imp_settings settings;
        if (!(*m)->batch) continue;
        models++;
        imp_model_presets(*m, &settings);
        imp_answer_solve_batch(*m, N, problem, &settings, p, u, answer);
        for (int i = 0; i < N; i++) {
            double q[3], v[3], size = 0, off = 0;
            imp_answer alone;
            imp_answer_solve(NULL, *m, &problem[i], NULL, NULL, q, v, NULL, &alone);
            other +=
                alone.status != answer[i].status || !alone.p != !answer[i].p || answer[i].nc != 1;
            if (!alone.p || !answer[i].p) continue;
            for (int k = 0; k < 3; k++) {
                size = tap_worst(size, fabs(q[k]));
                off = tap_worst(off, fabs(q[k] - answer[i].p[k]) + fabs(v[k] - answer[i].u[k]));
            }
            apart = tap_worst(apart, off / (1 + size));
            apart = tap_worst(apart, fabs(alone.certificate.energy - answer[i].certificate.energy) /
                                         (1 + size));
        }
        ok(other == 0 && apart < 1e-10,
           "%s: %d answers at once are those one by one (%.1e), %d statuses differ", (*m)->name, N,
           apart, other);
        ok(answer[N - 1].status == IMP_UNSUPPORTED && !answer[N - 1].p, "but for viscous friction");
    }
    ok(models == 5, "five models have a batch (%d)", models);
}

/* An operator with the system it is assembled from. */
static void test_assembled(void) {
    const double one[3] = {1, 1, 1}, q[3] = {-1, 0.3, 0}, mu = 0.5;
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int place[3] = {0, 1, 2}, start[2] = {0, 1}, column = 0;
    imp_sparse M, H, wide;
    ok(imp_sparse_from_triplets(3, 3, 3, place, place, one, &M) == IMP_OK &&
           imp_sparse_from_triplets(3, 3, 3, place, place, one, &H) == IMP_OK &&
           imp_sparse_from_triplets(3, 6, 3, place, place, one, &wide) == IMP_OK,
       "matrices");
    const imp_assembled known = {{1, start, &column, W}, &M, &H, NULL},
                        other = {{1, start, &column, W}, &M, &wide, NULL};
    const imp_operator op = imp_operator_assembled(&known), odd = imp_operator_assembled(&other),
                       plain = imp_operator_blocks(&known.blocks);
    double written[9], p[3];
    imp_operator_write(&op, written);
    ok(memcmp(written, W, sizeof W) == 0 && imp_operator_stored(&op) == &known.blocks,
       "its blocks are W's");
    ok(imp_operator_assembly(&op) == &known && !imp_operator_assembly(&plain) &&
           !imp_operator_factor(&op),
       "and what it is assembled from is known");
    const imp_problem good = {.nc = 1, .W = &op, .q = q, .mu = &mu},
                      bad = {.nc = 1, .W = &odd, .q = q, .mu = &mu};
    const imp_convex_settings settings = convex_presets();
    ok(imp_convex(&good, &settings, p, NULL) == IMP_OK, "which the convex model may use");
    ok(imp_convex(&bad, &settings, p, NULL) == IMP_BAD_ARGUMENT,
       "and refuses where the sizes do not fit");
    imp_sparse_clear(&M);
    imp_sparse_clear(&H);
    imp_sparse_clear(&wide);
}

/* A time step hands viscous friction to the model: one that does not know of it leaves the world as
 * it was. */
static void test_step(void) {
    const imp_link ball = {.mass = 1, .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
    const imp_guard floor = {
        .radius = 0.1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.5, .mu_v = 2};
    imp_world *world = imp_world_of_bodies(1, &ball, (const double[3]){0, 0, 0.1}, NULL);
    imp_stepper *stepper = imp_stepper_new(world);
    imp_shapes shapes = {.guards = 1, .guard = &floor, .reach = 0.01};
    imp_step_settings settings = {
        .h = 0.01, .gravity = {0, 0, -9.81}, .detect = imp_shapes_nearby, .detect_data = &shapes};
    settings.model = &imp_model_plus;
    world->v[0] = 1;
    ok(imp_step(stepper, &settings) == IMP_UNSUPPORTED && world->v[0] == 1 && world->v[2] == 0,
       "PLUS: unsupported");
    settings.model = &imp_model_drumwright;
    ok(imp_step(stepper, &settings) == IMP_OK && stepper->problem.nc == 1, "drumwright takes it");
    is_near(stepper->problem.mu_v[0], 0.02, 1e-15, 0, "times the step");
    imp_stepper_free(stepper);
    imp_world_free(world);
}

int main(void) {
    test_check();
    test_takes();
    test_conic();
    test_normals();
    test_overlap();
    test_files();
    test_set();
    test_batch();
    test_assembled();
    test_step();
    return tap_done();
}
