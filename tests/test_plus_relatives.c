/* test_plus_relatives.c - single-phase, newton, poisson; restitution, statuses, many contacts. */
#include "plus_subject.h"

static void test_relative(const imp_model *model, int nc, int least) {
    int solved = 0, count = 150;
    double law = 0;
    for (int k = 0; k < count; k++) {
        subject s;
        double p[ROWS];
        imp_certificate certificate;
        imp_path path = {0};
        make_bodies(&s, (uint64_t)k, nc);
        const imp_status status =
            imp_solve_certified(model, &s.problem, NULL, p, &path, NULL, NULL);
        if (status == IMP_OK) {
            const bool judged =
                imp_certify(&s.problem, model->law, NULL, p, &path, &certificate) == IMP_OK &&
                !certificate.unjudged;
            law = tap_worst(law, judged ? certificate.worst : INFINITY);
            solved++;
        }
        imp_path_clear(&path);
    }
    ok(solved >= least && law < 1e-11, "%s, %d contacts: %d of %d solved, each certified (%.1e)",
       model->name, nc, solved, count, law);
}

/* Bodies 1e19 apart in mass: rounding of the light one's unknowns is more than what a turn of the
 * slip changes of the heavy one's. */
static void test_masses(void) {
    subject s = {.nc = 2,
                 .W = {0x1.e58b54e6ec282p+145,  0x1.12fc7c5eaf5bfp+143,  0x1.618fd4f0442a2p+144,
                       0x1.09007bede4549p+111,  0x1.33510c936c8bep+110,  0x1.b72516f1cdefep+111,
                       0x1.12fc7c5eaf5bfp+143,  0x1.0b72f420ff2c5p+146,  -0x1.3b5ee222dd125p+144,
                       -0x1.06907929d6e7fp+113, -0x1.8ee55b9c38f46p+111, 0x1.ecfe39a5df965p+113,
                       0x1.618fd4f0442a2p+144,  -0x1.3b5ee222dd125p+144, 0x1.ee0d02baf7788p+145,
                       0x1.830ea205510e2p+112,  0x1.b2353e9b5e9acp+111,  -0x1.51fdc3da732c4p+109,
                       0x1.09007bede4549p+111,  -0x1.06907929d6e7fp+113, 0x1.830ea205510e2p+112,
                       0x1.7858d8df2989ap+81,   -0x1.266c38a15428dp+79,  -0x1.10a729e31e04p+81,
                       0x1.33510c936c8bep+110,  -0x1.8ee55b9c38f46p+111, 0x1.b2353e9b5e9acp+111,
                       -0x1.266c38a15428dp+79,  0x1.c4f7e7ad49d7bp+81,   0x1.f7a9303f48e2fp+80,
                       0x1.b72516f1cdefep+111,  0x1.ecfe39a5df965p+113,  -0x1.51fdc3da732c4p+109,
                       -0x1.10a729e31e04p+81,   0x1.f7a9303f48e2fp+80,   0x1.78d98cadc7256p+82},
                 .q = {-0x1.4284cc0f4ccf6p-1, -0x1.f3df26ca2b7e8p-3, -0x1.4c84b4b055ac8p-1,
                       -0x1.d6aa71e837bdcp-2, 0x1.5229d1bef798p-5, 0x1.846688470659p-1},
                 .mu = {0x1.afbb986d6bfcp-5, 0x1.eff6a91ec4e85p-1}};
    const imp_model *const models[] = {&imp_model_newton, &imp_model_poisson};
    double p[6];
    point(&s);
    for (int m = 0; m < 2; m++)
        ok(imp_solve(models[m], &s.problem, NULL, p, NULL) == IMP_OK,
           "%s, masses 1e19 apart: solved and certified", models[m]->name);
}

/* N s, NAN where the model does not solve it. */
static double normal_impulse(const imp_model *model, const subject *s) {
    double p[3];
    return imp_solve(model, &s->problem, NULL, p, NULL) == IMP_OK ? p[0] : NAN;
}

/* One frictionless contact: every hypothesis on restitution says the same. Friction: newton ends at
 * u_n = -e q_n, poisson pushes (1 + e) times its compression. */
static void test_restitution(void) {
    const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase, &imp_model_newton,
                                       &imp_model_poisson};
    subject s;
    double p[3], u[3];
    make_single(&s, GEN_FREE_BOX_1, 3);
    s.mu[0] = 0;
    s.e[0] = 0.6;
    s.q[0] = -0.5; /* m/s: fast enough for the least restitution */
    const double approach[] = {0.2, 0.05, 0.005}, expected[] = {0.6, 0.8, 0}, constant = 0.6;
    for (int k = 0; k < 3; k++) {
        s.q[0] = -approach[k];
        for (int m = 0; m < 4; m++) {
            is_near(normal_impulse(models[m], &s),
                    -(1 + (m < 2 ? expected[k] : constant)) * s.q[0] / s.W[0], 0, 1e-14,
                    "%s at %g m/s: the restitution of that speed", models[m]->name, approach[k]);
        }
    }
    s.q[0] = -0.5;
    s.mu[0] = 0.3;
    const imp_status status = imp_solve(&imp_model_newton, &s.problem, NULL, p, NULL);
    imp_operator_apply(&s.op, p, s.q, u);
    is_near(status == IMP_OK ? u[0] : NAN, -0.6 * s.q[0], 0, 1e-13,
            "newton with friction: u_n = -e q_n");
    s.e[0] = 0;
    const double compression = normal_impulse(&imp_model_poisson, &s);
    s.e[0] = 0.6;
    is_near(normal_impulse(&imp_model_poisson, &s), 1.6 * compression, 0, 1e-13,
            "poisson with friction: p_n = (1 + e) times the compression's");
}

static void test_statuses(void) {
    subject s;
    double p[ROWS], q[3] = {-1, 0, NAN};
    const double W[6] = {1, 0, 0, 1, 0, 1}, singular[6] = {1, 1, 0, 1, 0, 1};
    imp_plus_settings settings = coarse();
    imp_plus_interval first;
    imp_plus_history history = {.capacity = 1, .interval = &first};
    make_bodies(&s, 1, 4);
    ok(plus(&s, &settings, p, &history) == IMP_OK && history.count > 1,
       "a history may be too short, and partial");
    settings.theta_max = 2;
    ok(plus(&s, &settings, p, NULL) == IMP_BAD_ARGUMENT,
       "theta_max beyond a right angle is refused");
    settings = coarse();
    settings.v_capture = NAN;
    ok(plus(&s, &settings, p, NULL) == IMP_BAD_ARGUMENT, "a speed that is no number is refused");
    settings = coarse();
    settings.active_set = IMP_EXHAUSTIVE;
    make_bodies(&s, 1, 7);
    ok(plus(&s, &settings, p, NULL) == IMP_UNSUPPORTED,
       "seven contacts are too many for all combinations");
    settings = coarse();
    const double kept = p[0] = 42;
    ok(imp_plus_single(W, q, 0.5, 0, &settings, p, NULL, NULL) == IMP_NOT_FINITE && p[0] == kept,
       "NaN is refused");
    q[2] = 0;
    ok(imp_plus_single(singular, q, 0.5, 0, &settings, p, NULL, NULL) == IMP_NOT_POSITIVE,
       "a singular W is refused");
    ok(imp_plus_single(W, q, -1, 0, &settings, p, NULL, NULL) == IMP_BAD_FRICTION,
       "negative friction is refused");
    ok(imp_plus_single(W, q, 0.5, 2, &settings, p, NULL, NULL) == IMP_BAD_RESTITUTION,
       "e = 2 is refused");
    ok(imp_plus_workspace(0) == 0 && imp_plus_workspace(INT32_MAX) == 0,
       "sizes out of range have no workspace");
    q[0] = 1;
    ok(imp_plus_single(W, q, 0.5, 0, &settings, p, NULL, NULL) == IMP_OK && p[0] == 0,
       "what separates is left alone");
    imp_settings presets;
    const imp_plus_settings paper = imp_plus_settings_default();
    memset(&presets, 0, sizeof presets);
    imp_model_presets(&imp_model_plus, &presets);
    ok(memcmp(&presets, &paper, offsetof(imp_plus_settings, active_set)) == 0 &&
           ((const imp_plus_settings *)(const void *)&presets)->active_set == IMP_HEURISTIC,
       "the model's presets are the paper's Table A1");
}

/* A singular W, and in the third round an interval without a solution: more of the same intervals
 * do not help. */
static void test_stuck(void) {
    subject s = {
        .nc = 3,
        .W = {2.00570745870986,    0.8283311977194586,   -1.9519094822272611, -0.7293728511082684,
              1.6195405732124992,  0.6849287801877784,   -1.3241212942983813, 0.5144335779672305,
              -1.021406410955091,  0.8283311977194586,   6.71576921662777,    -2.627208131307322,
              -2.337405434624802,  -1.6626852074148333,  0.3223988282197831,  -1.2944921619931207,
              -2.4428726667757106, -0.4959450836875232,  -1.9519094822272611, -2.627208131307322,
              3.785114988310494,   0.47606069737922174,  1.2205941511393168,  -1.3532645428288586,
              1.855771230653775,   -0.38370225737471014, 0.7709612272036108,  -0.7293728511082684,
              -2.337405434624802,  0.47606069737922174,  4.5171294470062495,  -2.9907232187186383,
              2.883812361647078,   0.03069290826503776,  -0.3341393379906986, 3.4906745780071127,
              1.6195405732124992,  -1.6626852074148333,  1.2205941511393168,  -2.9907232187186383,
              7.884995293057256,   -1.6514843757509399,  0.19086099684283664, 1.5398053503002052,
              -0.4521699251648936, 0.6849287801877784,   0.3223988282197831,  -1.3532645428288586,
              2.883812361647078,   -1.6514843757509399,  4.351497035984776,   -1.1962882366167344,
              -0.5409178557340562, 4.210266055850523,    -1.3241212942983813, -1.2944921619931207,
              1.855771230653775,   0.03069290826503776,  0.19086099684283664, -1.1962882366167344,
              1.1792500953677727,  0.043677164666784674, 0.3104964174585628,  0.5144335779672305,
              -2.4428726667757106, -0.38370225737471014, -0.3341393379906986, 1.5398053503002052,
              -0.5409178557340562, 0.043677164666784674, 2.2368684557497396,  -0.7365503168723305,
              -1.021406410955091,  -0.4959450836875232,  0.7709612272036108,  3.4906745780071127,
              -0.4521699251648936, 4.210266055850523,    0.3104964174585628,  -0.7365503168723305,
              8.87261049333745},
        .q = {-0.5413551266847654, -0.7369284062970978, 0.5182007272075744, -1.8518771554876257,
              0.3582386415043124, 0.1714549148518189, 0.2281069870750544, 1.1731006450915276,
              -1.1211053456410427},
        .mu = {1.4121010098431912, 1.2526056808261368, 1.4415664148591083},
        .e = {1, 1, 1}};
    double p[ROWS];
    imp_info info;
    point(&s);
    const imp_status status = imp_solve(&imp_model_plus, &s.problem, NULL, p, &info);
    ok(status == IMP_NO_SOLUTION && info.intervals < 1000, "stuck: %s after %d intervals",
       imp_status_text(status), info.intervals);
    ok(largest(p, 9) > 1 && largest(p, 9) < 10, "and the impulse so far is kept");
}

/* Many redundant contacts, beyond the small factorisation: a grid of points under a box that lands
 * and rolls. */
static void test_grid(void) {
    enum { SIDE = 6, POINTS = SIDE * SIDE };
    const imp_body box = {.inv_mass = 1,
                          .inv_inertia = {6, 0, 0, 0, 6, 0, 0, 0, 6},
                          .orientation = {1},
                          .velocity = {0.01, 0, -1}};
    static imp_contact contact[POINTS];
    static double W[9 * POINTS * POINTS], q[3 * POINTS], mu[POINTS], e[POINTS], p[3 * POINTS];
    for (int i = 0; i < POINTS; i++) {
        const int column = i / SIDE, row = i % SIDE;
        contact[i] = (imp_contact){.a = IMP_GROUND,
                                   .b = 0,
                                   .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0},
                                   .point = {0.2 * column - 0.5, 0.2 * row - 0.5, -0.5}};
        mu[i] = 0.5;
        e[i] = 0.5;
    }
    imp_delassus_dense(1, &box, POINTS, contact, W, q);
    const imp_operator op = imp_operator_dense(POINTS, W);
    const imp_problem problem = {.nc = POINTS, .W = &op, .q = q, .mu = mu, .e = e};
    imp_certificate certificate = {0};
    const imp_status status =
        imp_solve_certified(&imp_model_plus, &problem, NULL, p, NULL, &certificate, NULL);
    static double u[3 * POINTS];
    double total = 0, mirror = 0, slip = 0;
    imp_operator_apply(&op, p, q, u);
    for (int i = 0; i < POINTS; i++) {
        const int other = i - i % SIDE + SIDE - 1 - i % SIDE;
        total += p[3 * i];
        slip = tap_worst(slip, hypot(u[3 * i + 1], u[3 * i + 2]));
        mirror = tap_worst(mirror, fabs(p[3 * i] - p[3 * other]));
    }
    ok(status == IMP_OK && certificate.count > 0 && !certificate.unjudged &&
           certificate.worst < 1e-12,
       "36 points under a box (%.1e)", certificate.worst);
    ok(fabs(total - 1.5) < 1e-12 && slip < 1e-12,
       "they stop its slide and push (1 + e) times what stops it");
    ok(mirror < 1e-12, "and share the load symmetrically (%.1e)", mirror);
}

/* A double pendulum that cannot move along t hits a wall and its slip reverses along o, where the
 * half circles of directions meet: whatever rounding makes of W and q, no root is lost there. */
static void test_seam(void) {
    const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase, &imp_model_newton,
                                       &imp_model_poisson};
    const double mu = 0.3, e = 1;
    gen_stream s = gen_seed(7411, 1);
    int solved[4] = {0};
    for (int k = 0; k < 100; k++) {
        double W[9] = {3.418312866466631,   0, -0.4515017512474102, 0, 3.418312866466631, 0,
                       -0.4515017512474102, 0, 0.06234413414684965};
        double q[3] = {-4.875305514012602, 0, 0.5800986193377369}, p[3];
        W[2] = W[6] *= 1 + 0x1p-50 * gen_uniform(&s, -1, 1);
        W[8] *= 1 + 0x1p-50 * gen_uniform(&s, -1, 1);
        q[2] *= 1 + 0x1p-50 * gen_uniform(&s, -1, 1);
        const imp_operator given = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &given, .q = q, .mu = &mu, .e = &e};
        for (int m = 0; m < 4; m++)
            solved[m] += imp_solve(models[m], &problem, NULL, p, NULL) == IMP_OK;
    }
    for (int m = 0; m < 4; m++)
        ok(solved[m] == 100, "%s, slip that reverses along an axis: %d of 100 solved",
           models[m]->name, solved[m]);
}

enum { MOST = 12 }; /* contacts of a scene */

typedef struct scene {
    int nb, nc;
    imp_body body[3];
    imp_contact contact[MOST];
    double e[MOST];
} scene;

static imp_body block(double mass, double x, double y, double z) { /* moments over mass */
    return (imp_body){
        .inv_mass = 1 / mass,
        .inv_inertia = {1 / (mass * x), 0, 0, 0, 1 / (mass * y), 0, 0, 0, 1 / (mass * z)},
        .orientation = {1, 0, 0, 0}};
}

static void touch(scene *s, int a, int b, const double at[3], const double normal[3], double e) {
    imp_contact *c = &s->contact[s->nc];
    *c = (imp_contact){.a = a, .b = b};
    memcpy(c->point, at, sizeof c->point);
    (void)imp_frame_from_tangent(normal, (const double[3]){0, normal[1] == 0, normal[1] != 0},
                                 c->frame);
    s->e[s->nc++] = e;
}

/* Four corners at the foot of body b, 1 m above that of a. */
static void stand(scene *s, int a, int b, const double e[4]) {
    static const double up[3] = {0, 0, 1}, corner[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    for (int k = 0; k < 4; k++)
        touch(s, a, b, (const double[3]){corner[k][0], corner[k][1], b}, up, e[k]);
}

static void expect(const scene *s, const imp_model *model, double friction, const char *what) {
    static double W[9 * MOST * MOST], q[3 * MOST], mu[MOST], p[3 * MOST];
    for (int i = 0; i < s->nc; i++)
        mu[i] = friction;
    (void)imp_delassus_dense(s->nb, s->body, s->nc, s->contact, W, q);
    const imp_operator op = imp_operator_dense(s->nc, W);
    const imp_problem problem = {.nc = s->nc, .W = &op, .q = q, .mu = mu, .e = s->e};
    const imp_status status = imp_solve(model, &problem, NULL, p, NULL);
    ok(status == IMP_OK, "%s, %s: %s", model->name, what, imp_status_text(status));
}

/* Answers that are right but for rounding of contacts which hardly push. */
static void test_plain(void) {
    scene corner = {.nb = 1, .body = {block(1, 0.4, 0.4, 0.4)}};
    corner.body[0].velocity[0] = -2;
    for (int k = 0; k < 3; k++) {
        double normal[3] = {0, 0, 0}, at[3] = {0, 0, 0};
        normal[k] = 1;
        at[k] = -1;
        touch(&corner, IMP_GROUND, 0, at, normal, 0);
    }
    expect(&corner, &imp_model_newton, 1, "a ball between three walls hits one");
    expect(&corner, &imp_model_poisson, 1, "a ball between three walls hits one");

    scene brick = {.nb = 1, .body = {block(2, 5 / 12., 5 / 12., 8 / 12.)}};
    brick.body[0].position[2] = 0.5;
    brick.body[0].velocity[1] = -3;
    brick.body[0].velocity[2] = -1;
    stand(&brick, IMP_GROUND, 0, (const double[4]){0.5, 0.5, 0.5, 0.5});
    expect(&brick, &imp_model_poisson, 2, "a brick lands on a face");

    scene stack = {.nb = 3};
    for (int i = 0; i < 3; i++) {
        stack.body[i] = block(i == 1 ? 1 : 2, 5 / 12., 5 / 12., 8 / 12.);
        stack.body[i].position[2] = i + 0.5;
        stack.body[i].velocity[0] = i > 0 ? 2 : 0;
        stack.body[i].velocity[2] = -1;
        stand(&stack, i > 0 ? i - 1 : IMP_GROUND, i, (const double[4]){1, 1, 1, 1});
    }
    stack.body[2].spin[2] = 1;
    expect(&stack, &imp_model_plus, 2, "three bricks fall, one of them turning");
}

/* A body squeezed between a floor and a ceiling at two places: what holds it against the ceiling
 * pushes on the floor, which it leaves at first. All combinations find such an answer. */
static void test_squeezed(void) {
    static const imp_model *const models[] = {&imp_model_newton, &imp_model_poisson,
                                              &imp_model_single_phase};
    static const double at[2][2] = {{0.3320781991145094, -0.40571764423002954},
                                    {0.14369481435360743, 0.1373079374152023}},
                        velocity[3] = {0.3844739317959591, 1.713611659795702, 1.3329527543348505},
                        spin[3] = {2.468085830265681, -1.1892555941095146, -0.3047542598329434},
                        mu[4] = {10, 0, 0.5, 1e-12};
    scene s = {.nb = 1, .body = {block(1, 0.1, 0.1, 0.1)}};
    memcpy(s.body[0].velocity, velocity, sizeof velocity);
    memcpy(s.body[0].spin, spin, sizeof spin);
    for (int i = 0; i < 4; i++) {
        const double side = i % 2 ? -1 : 1, point[3] = {at[i / 2][0], at[i / 2][1], -0.5 * side},
                     normal[3] = {0, 0, side};
        touch(&s, IMP_GROUND, 0, point, normal, 0);
    }
    double W[144], q[12], p[12];
    (void)imp_delassus_dense(s.nb, s.body, s.nc, s.contact, W, q);
    const imp_operator op = imp_operator_dense(s.nc, W);
    const imp_problem problem = {.nc = s.nc, .W = &op, .q = q, .mu = mu, .e = s.e};
    for (int m = 0; m < 3; m++) {
        imp_plus_settings settings = imp_plus_settings_default();
        settings.active_set = IMP_EXHAUSTIVE;
        const imp_status status = imp_solve(models[m], &problem, &settings, p, NULL);
        ok(status == IMP_OK && p[0] > 0 && q[0] > 0, "%s, a squeezed body, by all combinations: %s",
           models[m]->name, imp_status_text(status));
    }
}

/* Two contacts that slide on after two others, which W does not couple with them, are done: what
 * rounding leaves of these is no push that could leave its cone. e = 0. */
static void test_outlasted(void) {
    static const struct {
        const imp_model *model;
        double first[6][6], other, q[12], mu[4]; /* 1/kg, m/s */
    } cases[] = {{&imp_model_single_phase,
                  {{7, 2, -6, -9, 5, 0},
                   {2, 16, -6, 2, 6, -4},
                   {-6, -6, 24, -11, -14, -2},
                   {-9, 2, -11, 33, -1, 0},
                   {5, 6, -14, -1, 27, 1},
                   {0, -4, -2, 0, 1, 4}},
                  0.1,
                  {-2, 14, -6, 5, 20, -2, -1, 0, 0, -7, 0, 0},
                  {1, 0, 0, 0.5}},
                 {&imp_model_plus,
                  {{41, -18, -12, -35, -2, -22},
                   {-18, 25, 4, 17, -4, 3},
                   {-12, 4, 24, 17, 1, 5},
                   {-35, 17, 17, 35, -4, 18},
                   {-2, -4, 1, -4, 19, 2},
                   {-22, 3, 5, 18, 2, 24}},
                  0.3,
                  {13, -13, -2, -17, 11, -10, -2, 0, 0, -5, 0, 0},
                  {1, 1, 0, 0.5}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double W[144] = {0}, p[12];
        for (size_t r = 0; r < 6; r++) {
            memcpy(W + 12 * r, cases[k].first[r], sizeof cases[k].first[r]);
            W[13 * (r + 6)] = cases[k].other;
        }
        W[12 * 6 + 9] = W[12 * 9 + 6] = -0.2 * cases[k].other;
        const imp_operator op = imp_operator_dense(4, W);
        const imp_problem problem = {.nc = 4, .W = &op, .q = cases[k].q, .mu = cases[k].mu};
        const imp_status status = imp_solve(cases[k].model, &problem, NULL, p, NULL);
        ok(status == IMP_OK, "%s, contacts that slide on beside others that are done: %s",
           cases[k].model->name, imp_status_text(status));
    }
}

/* A contact that is done beside one that slides on, as in test_outlasted, whose own pushes nearly
 * cancel: those that rounding asks for are the larger. */
static void test_stiff(void) {
    static const double W[36] = {4, 4,  0,  0,  0,  0, /* n t o of the first */
                                 4, 17, 9,  0,  0,  0, /**/
                                 0, 9,  10, 0,  0,  0, /**/
                                 0, 0,  0,  33, 23, 6, /* of the second */
                                 0, 0,  0,  23, 21, 8, /**/
                                 0, 0,  0,  6,  8,  6};
    static const double q[6] = {-4, 15, -14, -6, 18, 13}, mu[2] = {2, 5};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    double p[6];
    const imp_status status = imp_solve(&imp_model_single_phase, &problem, NULL, p, NULL);
    ok(status == IMP_OK, "single-phase, a contact that is done, of nearly singular W: %s",
       imp_status_text(status));
}

int main(void) {
    test_relative(&imp_model_single_phase, 1, 150);
    test_relative(&imp_model_single_phase, 4, 145);
    test_relative(&imp_model_newton, 1, 150);
    test_relative(&imp_model_newton, 4, 143);
    test_relative(&imp_model_poisson, 4, 145);
    test_masses();
    test_restitution();
    test_statuses();
    test_stuck();
    test_grid();
    test_seam();
    test_plain();
    test_squeezed();
    test_outlasted();
    test_stiff();
    return tap_done();
}
