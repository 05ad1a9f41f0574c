/* What bodies, joints, operators and certificates are told beside good data: each argument spoiled
 * in turn, and what stands at the edge of what they take. */
#include "contact/bilateral.h"
#include "contact/delassus.h"
#include "contact/local.h"
#include "generators/gen_linkage.h"
#include "impact.h"
#include "linear/bounded.h"
#include "tap.h"

enum { BODIES = GEN_LINKAGE_BODIES };

static void test_bodies(void) {
    const gen_linkage linkage = gen_linkage_of(0.7);
    imp_contact c = linkage.stop;
    double W[9], q[3] = {7, 7, 7};
    ok(imp_delassus_dense(-1, linkage.body, 1, &c, W, q) == IMP_BAD_ARGUMENT, "-1 bodies");
    ok(imp_delassus_dense(BODIES, NULL, 1, &c, W, q) == IMP_BAD_ARGUMENT, "bodies that are none");
    ok(imp_delassus_dense(BODIES, linkage.body, 0, &c, W, q) == IMP_BAD_ARGUMENT, "no contacts");
    ok(imp_delassus_dense(BODIES, linkage.body, 1, NULL, W, q) == IMP_BAD_ARGUMENT,
       "contacts that are none");
    static const int sides[5][2] = {{-2, 0}, {BODIES, 0}, {0, -2}, {0, BODIES}, {1, 1}};
    imp_factored *made = NULL;
    int start[2];
    for (int k = 0; k < 5; k++) {
        c.a = sides[k][0];
        c.b = sides[k][1];
        ok(imp_delassus_dense(BODIES, linkage.body, 1, &c, W, q) == IMP_BAD_ARGUMENT &&
               imp_delassus_factored(BODIES, linkage.body, 1, &c, &made, q) == IMP_BAD_ARGUMENT &&
               imp_delassus_count(BODIES, linkage.body, 1, &c, start) == -1 && !made && q[0] == 7,
           "a contact of body %d with body %d", c.a, c.b);
    }
}

/* A linkage whose crank rubs, with one number of its constraints spoiled. */
typedef struct rubbing {
    gen_linkage linkage;
    imp_term rub;
    double bound, rate[GEN_LINKAGE_ROWS];
    imp_constraints joints;
} rubbing;

static void rub(rubbing *r) {
    memset(r, 0, sizeof *r);
    r->linkage = gen_linkage_of(0.7);
    memcpy(r->rub.axis + 3, r->linkage.stop.frame + 3, 3 * sizeof *r->rub.axis);
    r->bound = 0.01;
    r->joints = gen_linkage_joints(&r->linkage);
    r->joints.rubs = r->joints.rub_terms = 1;
    r->joints.rub = &r->rub;
    r->joints.bound = &r->bound;
}

static imp_status made_of(const rubbing *r, int nb, imp_bilateral **made) {
    double q[3];
    return imp_bilateral_new(nb, r->linkage.body, 1, &r->linkage.stop, &r->joints, made, q, NULL);
}

static void test_terms(void) {
    static const struct {
        const char *what;
        imp_status status;
    } faults[] = {{"-1 rows", IMP_BAD_ARGUMENT},          {"-1 terms", IMP_BAD_ARGUMENT},
                  {"no terms", IMP_BAD_ARGUMENT},         {"a term of row -1", IMP_BAD_ARGUMENT},
                  {"of a row beyond", IMP_BAD_ARGUMENT},  {"of body -1", IMP_BAD_ARGUMENT},
                  {"of a body beyond", IMP_BAD_ARGUMENT}, {"of no direction", IMP_NOT_FINITE},
                  {"no bounds", IMP_BAD_ARGUMENT},        {"a bound NaN", IMP_NOT_FINITE},
                  {"a bound below 0", IMP_BAD_FRICTION},  {"a rate NaN", IMP_NOT_FINITE},
                  {"-1 bodies", IMP_BAD_ARGUMENT}};
    for (int k = 0; k < (int)(sizeof faults / sizeof *faults); k++) {
        rubbing r;
        imp_bilateral *made = NULL;
        rub(&r);
        r.joints.rate = r.rate;
        if (k == 0) r.joints.rows = -1;
        if (k == 1) r.joints.terms = -1;
        if (k == 2) r.joints.term = NULL;
        if (k == 3) r.rub.row = -1;
        if (k == 4) r.rub.row = 1;
        if (k == 5) r.rub.body = -1;
        if (k == 6) r.rub.body = BODIES;
        if (k == 7) r.rub.axis[2] = INFINITY;
        if (k == 8) r.joints.bound = NULL;
        if (k == 9) r.bound = NAN;
        if (k == 10) r.bound = -1;
        if (k == 11) r.rate[3] = NAN;
        ok(made_of(&r, k == 12 ? -1 : BODIES, &made) == faults[k].status && !made, "%s",
           faults[k].what);
    }
}

/* Whoever judges takes anybody's numbers. */
static void test_judge(void) {
    static double velocity[6 * BODIES], lambda[GEN_LINKAGE_ROWS];
    const double p[3] = {0};
    double x = 0;
    rubbing r;
    imp_bilateral *made = NULL;
    imp_bilateral_errors e;
    rub(&r);
    if (!ok(made_of(&r, BODIES, &made) == IMP_OK, "a crank that rubs")) return;
    ok(imp_bilateral_bodies(made) == BODIES && imp_bilateral_rows(made) == GEN_LINKAGE_ROWS &&
           imp_bilateral_rubs(made) == 1,
       "its counts");
    ok(imp_bilateral_rub(made, p, &x) == IMP_OK && fabs(x) == r.bound, "it rubs with its bound");
    ok(imp_bilateral_recover(made, p, &x, velocity, lambda, &e) == IMP_OK &&
           imp_bilateral_worst(&e) < 1e-12,
       "and holds");
    x = -x;
    (void)imp_bilateral_recover(made, p, &x, velocity, lambda, &e);
    ok(e.slip > 1e-6 && e.gain > 0 && e.bound == 0, "not the other way, which gains energy");
    x = -2 * x;
    (void)imp_bilateral_recover(made, p, &x, velocity, lambda, &e);
    ok(fabs(e.bound - 0.5) < 1e-12, "not beyond its bound");
    (void)imp_bilateral_recover(made, p, NULL, velocity, lambda, &e);
    ok(e.slip > 1e-6 && e.bound == 0 && e.momentum < 1e-12, "and not without");
    velocity[0] = NAN;
    ok(imp_bilateral_judge(made, p, &x, velocity, lambda, &e) == IMP_OK && isinf(e.momentum),
       "a velocity that is none is no answer");
    velocity[0] = 1e308;
    velocity[6] = -1e308;
    ok(imp_bilateral_judge(made, p, &x, velocity, lambda, &e) == IMP_OK &&
           isinf(imp_bilateral_worst(&e)),
       "nor one beyond double");
    imp_bilateral_free(made);
    /* the ground's joints carry all off along x */
    for (const imp_term *t = r.joints.term; t < r.joints.term + r.joints.terms; t++)
        r.rate[t->row] += 1e-3 * t->axis[0];
    r.joints.rate = r.rate;
    x = 0.01;
    if (!ok(made_of(&r, BODIES, &made) == IMP_OK, "driven")) return;
    (void)imp_bilateral_recover(made, p, &x, velocity, lambda, &e);
    ok(e.gain == 0 && e.velocity < 1e-12, "driven joints are not held to their energy");
    imp_bilateral_free(made);
}

/* A crank that rubs on a body which only turns as it is told, beside one that nothing holds. */
static void test_held(void) {
    enum { HELD = BODIES, LOOSE, ALL };
    static double velocity[6 * ALL], lambda[GEN_LINKAGE_ROWS];
    const double p[3] = {0}, q_of[2] = {0.5, 2}; /* of the crank's rate */
    for (int k = 0; k < 2; k++) {
        rubbing r;
        imp_body body[ALL] = {0};
        imp_term rubs[2];
        imp_bilateral *made = NULL;
        imp_bilateral_errors e;
        double q[3], x = 0;
        rub(&r);
        memcpy(body, r.linkage.body, sizeof r.linkage.body);
        rubs[0] = rubs[1] = r.rub;
        rubs[1].body = HELD;
        for (int i = HELD; i < ALL; i++)
            body[i].orientation[0] = 1;
        for (int i = 0; i < 3; i++) {
            rubs[1].axis[3 + i] = -rubs[0].axis[3 + i];
            body[HELD].spin[i] = q_of[k] * body[0].spin[i];
            body[LOOSE].velocity[i] = 1 + i;
        }
        body[LOOSE].inv_mass = 1;
        r.joints.rub = rubs;
        r.joints.rub_terms = 2;
        const double rate = r.rub.axis[3] * body[0].spin[0] + r.rub.axis[4] * body[0].spin[1] +
                            r.rub.axis[5] * body[0].spin[2];
        ok(imp_bilateral_new(ALL, body, 1, &r.linkage.stop, &r.joints, &made, q, NULL) == IMP_OK &&
               imp_bilateral_rub(made, p, &x) == IMP_OK && fabs(x) == r.bound &&
               x * rate * (q_of[k] - 1) > 0,
           "a crank that turns at %g of what it rubs on is taken along", 1 / q_of[k]);
        ok(imp_bilateral_recover(made, p, &x, velocity, lambda, &e) == IMP_OK &&
               e.momentum < 1e-12 && e.velocity < 1e-12 && e.slip < 1e-12 &&
               memcmp(velocity + 6 * HELD, body[HELD].velocity, 3 * sizeof(double)) == 0 &&
               memcmp(velocity + 6 * HELD + 3, body[HELD].spin, 3 * sizeof(double)) == 0 &&
               memcmp(velocity + 6 * LOOSE, body[LOOSE].velocity, 3 * sizeof(double)) == 0,
           "and what is held, or loose, keeps its velocity");
        imp_bilateral_free(made);
        body[LOOSE].velocity[0] = velocity[6 * LOOSE] = 1.5e308;
        made = NULL;
        if (k == 0)
            ok(imp_bilateral_new(ALL, body, 1, &r.linkage.stop, &r.joints, &made, q, NULL) ==
                       IMP_OK &&
                   imp_bilateral_judge(made, p, &x, velocity, lambda, &e) == IMP_OK &&
                   isinf(e.momentum),
               "of velocities whose sum is beyond double none is judged to be kept");
        imp_bilateral_free(made);
    }
}

/* The rate of a joint about or along what it leaves free. */
static void test_rates(void) {
    const imp_body body = {.inv_mass = 1, .orientation = {1, 0, 0, 0}};
    imp_pair pair = {.a = IMP_GROUND, .axis = {0, 0, 2}};
    imp_term term[2];
    for (int kind = 0; kind < 4; kind++) {
        pair.kind = (imp_pair_kind)kind;
        const int count = imp_pair_rate(&pair, &body, 0, term);
        const bool turns = pair.kind == IMP_PAIR_REVOLUTE, slides = pair.kind == IMP_PAIR_SLIDER;
        ok(count == (turns || slides) && (count == 0 || fabs(term[0].axis[turns ? 5 : 2]) == 1),
           "pair %d leaves %d free", kind, count);
    }
    pair.kind = IMP_PAIR_REVOLUTE;
    pair.axis[2] = 0;
    ok(imp_pair_rate(&pair, &body, 0, term) == 0, "an axis without direction");
}

static void test_certificates(void) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q"};
    imp_certificate c = {0};
    for (int k = 0; k <= IMP_RESIDUALS; k++)
        imp_certificate_note(&c, names[k], k, k);
    ok(c.count == IMP_RESIDUALS && c.worst == IMP_RESIDUALS && c.contact == IMP_RESIDUALS &&
           c.residual[IMP_RESIDUALS - 1].value == IMP_RESIDUALS - 1,
       "a residual too many counts for the worst alone");
    double W[36] = {0}, q[6] = {-1, 0, 0, -1, 0, 0};
    const double mu[2] = {0}, p[6] = {1, 0, 0, 1, 0, 0}, none[6] = {0};
    const imp_operator two = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &two, .q = q, .mu = mu};
    imp_certificate d = {0};
    ok(imp_certificate_note_distance(&d, &problem, p, none) == IMP_OK && d.count == 1 &&
           d.worst == 0,
       "of what nothing moves every impulse is as far as none");
    ok(imp_certify_along(&problem, NULL, NULL, p, NULL, &d) == IMP_BAD_ARGUMENT &&
           imp_certify_along(&problem, &imp_law_coulomb, NULL, NULL, NULL, &d) ==
               IMP_BAD_ARGUMENT &&
           imp_certify_along(&problem, &imp_law_coulomb, NULL, p, NULL, NULL) == IMP_BAD_ARGUMENT,
       "a law, an impulse and a certificate are wanted");
    double answer[6];
    ok(imp_solve(NULL, &problem, NULL, answer, NULL) == IMP_BAD_ARGUMENT &&
           imp_solve(&imp_model_plus, &problem, NULL, NULL, NULL) == IMP_BAD_ARGUMENT,
       "a model, and where its impulse goes");
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 6; k++)
            W[7 * k] = 1;
        W[7 * r] = -1;
        const imp_operator recorded = {two.nc, two.kind, two.data, 1};
        const imp_problem as_given = {.nc = 2, .W = &recorded, .q = q, .mu = mu};
        ok(imp_problem_check(&problem, NULL) == IMP_NOT_POSITIVE &&
               imp_problem_check(&as_given, NULL) == IMP_NOT_POSITIVE,
           "a mobility below 0 in row %d", r);
    }
    for (int k = 0; k < 6; k++)
        W[7 * k] = 1;
    W[1] = W[6] = 2;
    const imp_operator twisted = {two.nc, two.kind, two.data, 1};
    const imp_problem odd = {.nc = 2, .W = &twisted, .q = q, .mu = mu};
    double impulses[6];
    ok(imp_solve(&imp_model_anitescu, &odd, NULL, impulses, NULL) == IMP_UNSUPPORTED,
       "recorded, symmetric and not positive: not for a model that leans on it");
    imp_path path = {0};
    const double impulse[3] = {1, 0, 0};
    ok(imp_path_add(&path, 0, 1, 1, impulse, "C", "S") == IMP_BAD_ARGUMENT, "steps of no contact");
    ok(imp_path_add(&path, 1, 1, NAN, impulse, "C", "S") == IMP_OK && !imp_path_finite(&path),
       "a step whose share is none");
    ok(imp_path_add(&path, 2, 1, 1, p, "CC", "SS") == IMP_BAD_ARGUMENT && path.steps == 1,
       "a step of other contacts");
    imp_path_clear(&path);
    double number = 7;
    ok(!imp_model_set(&(imp_model){.name = "toy"}, &number, "cap", 1) && number == 7,
       "a model without settings");
    imp_local local = {.size = {1, 2, 3}};
    imp_local_merge(&local);
    ok(local.push == 0 && local.size[0] == 3, "a contact that nothing moves has no push");
}

/* |x| <= bound, and no slope that leads on, of the least that was found. */
static bool is_least(int n, const double *x, const double *slope, const double *bound,
                     double rounding) {
    bool good = true;
    for (int i = 0; i < n; i++)
        good = good && fabs(x[i]) <= bound[i] &&
               (fabs(slope[i]) <= rounding || (fabs(x[i]) == bound[i] && x[i] * slope[i] < 0));
    return good;
}

static void test_bounded(void) {
    double work[64], x[2], slope[2];
    int rounds = -1;
    /* the second is the first but for rounding: it stays where it is */
    const double A[4] = {1, 1, 1, 1 + 1e-13}, c[2] = {-2, -2 - 1e-13}, size[2] = {0},
                 wide[2] = {5, 5}, shut[2] = {5, 0};
    ok(imp_bounded_workspace(2) <= sizeof work, "room");
    ok(imp_bounded_least(2, A, c, size, wide, x, slope, work, &rounds) == IMP_OK &&
           is_least(2, x, slope, wide, 1e-12) && fabs(x[0] + x[1] - 2) < 1e-12 && rounds > 0,
       "columns that depend on each other: %d rounds", rounds);
    const double twice[4] = {1, 1, 1, 1};
    ok(imp_bounded_least(2, twice, c, size, wide, x, slope, work, &rounds) == IMP_OK &&
           is_least(2, x, slope, wide, 1e-12) && fabs(x[0] + x[1] - 2) < 1e-12 && rounds > 0,
       "columns that are the same: %d rounds", rounds);
    const double one[4] = {1, 0.5, 0.5, 1}, pull[2] = {-2, -9};
    ok(imp_bounded_least(2, one, pull, size, shut, x, slope, work, NULL) == IMP_OK && x[0] == 2 &&
           x[1] == 0,
       "one that may not move does not");
    const double flat[4] = {1, 0, 0, 0}, off[2] = {-2, -1};
    ok(imp_bounded_least(2, flat, off, size, wide, x, slope, work, NULL) == IMP_OK && x[0] == 2 &&
           x[1] == 0,
       "nor one that nothing answers");
    const double rounded[4] = {4, 4, 4, 6}, opposed[2] = {0, -2}, third[2] = {1 / 3.0, 1 / 3.0};
    ok(imp_bounded_least(2, rounded, opposed, size, third, x, slope, work, NULL) == IMP_OK &&
           x[0] == -third[0] && x[1] == third[1],
       "a step that rounds beyond a bound ends on it");
    const double turned[4] = {1, 2, 2, 1}; /* no least */
    ok(imp_bounded_least(2, turned, pull, size, wide, x, slope, work, NULL) == IMP_OK &&
           fabs(x[0]) <= 5 && fabs(x[1]) <= 5,
       "a function that is not convex stays within bounds");
}

int main(void) {
    test_bodies();
    test_terms();
    test_judge();
    test_held();
    test_rates();
    test_certificates();
    test_bounded();
    return tap_done();
}
