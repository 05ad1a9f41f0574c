/* The checked way into a model: what it refuses, what it hands on, what it guarantees. A model made
 * for the test. */
#include "blocks/springs.h"
#include "impact.h"
#include "tap.h"

#include <limits.h>
#include <stddef.h>

typedef struct fake_settings {
    double tolerance;
    int order;
} fake_settings;

static const char *const orders[] = {"forward", "backward", NULL};
static const imp_key fake_keys[] = {
    {"tolerance", "-", offsetof(fake_settings, tolerance), 1e-8, 0, 1, NULL, "when to stop"},
    {"order", "-", offsetof(fake_settings, order), 1, 0, 0, orders, "which way"},
    {0},
};

/* p_n <- tolerance, p_t <- order, p_o <- 0 or what does not fit a double; the workspace is used to
 * its last byte. */
static imp_status fake_solve(const imp_problem *problem, const void *settings, double *p,
                             void *work, imp_info *info) {
    const fake_settings *s = settings;
    if (s->tolerance == 0.25) {
        p[0] = 1; /* imp_solve puts back what stood there */
        return IMP_NOT_POSITIVE;
    }
    memset(work, 0xff, 8 * (size_t)problem->nc);
    for (int i = 0; i < problem->nc; i++) {
        p[3 * i] = s->tolerance;
        p[3 * i + 1] = s->order;
        p[3 * i + 2] = s->tolerance >= 0.5 && s->tolerance < 0.75 && i == problem->nc - 1 ? NAN : 0;
    }
    info->iterations = 3;
    if (s->tolerance == 0.0078125 && info->path) {
        double *multiplier = imp_path_multipliers(info->path, 1, problem->nc);
        if (!multiplier) return IMP_NO_MEMORY;
        multiplier[0] = 1000;
    }
    const bool doubts = s->tolerance == 0.015625 || s->tolerance == 0.90625;
    if (doubts && imp_path_add(info->path, problem->nc, 1, 1, p, "CC", "--") != IMP_OK)
        return IMP_NO_MEMORY;
    if (doubts || s->tolerance == 0.00390625) return IMP_NO_SOLUTION;
    return s->tolerance == 0.75 || s->tolerance == 0.625 ? IMP_NOT_CONVERGED : IMP_OK;
}

static size_t fake_workspace(const imp_problem *problem, const void *settings) {
    (void)settings;
    return 8 * (size_t)problem->nc;
}

/* The fake's law: no impulse out of the plane but what its path shows, and a residual of the first
 * impulse's size. */
static imp_status fake_certify(const imp_problem *problem, const void *settings, const double *p,
                               const imp_path *path, imp_certificate *result) {
    (void)problem;
    (void)settings;
    imp_certificate_note(result, "size",
                         path && path->multipliers ? path->multiplier[0] * p[0] : 10 * p[0], 0);
    if (p[0] == 0.0625) result->unjudged = "a size that nobody can judge";
    if (p[0] == 0.03125 || p[0] == 0) result->unjudged = imp_no_path;
    return IMP_OK;
}

static const imp_law fake_law = {.name = "fake",
                                 .statement = "small impulses",
                                 .certify = fake_certify,
                                 .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};

static double fake_bound(const void *settings) {
    (void)settings;
    return 1.5 * 0.875;
}

static imp_model fake = {.name = "fake",
                         .title = "a model made for this test",
                         .law = &fake_law,
                         .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
                         .keys = fake_keys,
                         .workspace = fake_workspace,
                         .solve = fake_solve,
                         .bound = fake_bound};

/* Two contacts that stay in the plane (n, t), with friction and restitution. */
static double W[36] = {[0] = 2, [7] = 2, [14] = 2, [21] = 2, [28] = 2, [35] = 2},
              q[6] = {-1, 1, 0, -1, 0, 0};
static double mu[2] = {0.5, 0}, e[2] = {0, 0.5};
static imp_operator as_operator;
static imp_problem problem;

static void reset(int nc) {
    as_operator = imp_operator_dense(nc, W);
    problem = (imp_problem){.nc = nc, .W = &as_operator, .q = q, .mu = mu, .e = e};
    mu[0] = 0.5;
    e[1] = 0.5;
    q[2] = 0;
    fake.takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION;
}

static void test_takes(void) {
    reset(2);
    ok(imp_model_takes(&fake, &problem) == IMP_OK,
       "several contacts with friction and restitution are taken");
    fake.takes = IMP_TAKES_RESTITUTION;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED, "not without IMP_TAKES_MANY");
    fake.takes = IMP_TAKES_MANY;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED, "not without IMP_TAKES_RESTITUTION");
    e[1] = 0;
    ok(imp_model_takes(&fake, &problem) == IMP_OK, "unless it is all zero");
    problem.e = NULL;
    ok(imp_model_takes(&fake, &problem) == IMP_OK, "or left out");
    fake.takes = IMP_TAKES_MANY | IMP_ONLY_FRICTIONLESS;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED,
       "friction is refused by a frictionless model");
    mu[0] = 0;
    ok(imp_model_takes(&fake, &problem) == IMP_OK, "mu = 0 is not");
    fake.takes = IMP_TAKES_MANY | IMP_ONLY_PLANAR;
    ok(imp_model_takes(&fake, &problem) == IMP_OK, "a planar problem is taken by a planar model");
    q[2] = 1e-300;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED, "velocity out of the plane is not");
    q[2] = 0;
    for (int row = 2; row < 6; row += 3)
        for (int column = 0; column < 6; column++) {
            /* out of the plane itself anything goes */
            W[6 * row + column] += 1e-300 + (column == row);
            const imp_status want = column % 3 == 2 ? IMP_OK : IMP_UNSUPPORTED;
            ok(imp_model_takes(&fake, &problem) == want, "impulse %d, velocity %d out of the plane",
               column, row);
            W[6 * row + column] = column == row ? 2 : 0;
        }
}

/* One contact of a body that cannot turn about, whose W has no inverse; and what a recorded W would
 * be as one of mechanics. */
static void test_kinds(void) {
    const imp_body bead = {
        .inv_mass = 0, .inv_inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .orientation = {1, 0, 0, 0}};
    const imp_contact contact = {
        .a = IMP_GROUND, .b = 0, .point = {1, 0, 0}, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    imp_factored *made = NULL;
    double at[3];
    reset(1);
    ok(imp_delassus_factored(1, &bead, 1, &contact, &made, at) == IMP_OK, "a body on a pin");
    const imp_operator pinned = imp_operator_factored(made);
    problem.W = &pinned;
    ok(imp_model_takes(&fake, &problem) == IMP_OK, "its W is taken by a model of many contacts");
    fake.takes = IMP_TAKES_RESTITUTION;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED, "and not by one of a single contact");
    imp_factored_free(made);
    reset(2);
    as_operator.as_given = 1;
    ok(imp_model_takes(&fake, &problem) == IMP_OK, "recorded, and as mechanics gives it");
    W[3] = 0.5;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED, "recorded, and not symmetric");
    W[18] = 0.5;
    W[0] = 0.1;
    ok(imp_model_takes(&fake, &problem) == IMP_UNSUPPORTED, "recorded, and not positive");
    W[3] = W[18] = 0;
    W[0] = 2;
    W[9] = NAN;
    ok(imp_model_takes(&fake, &problem) == IMP_NOT_FINITE, "recorded, and not finite");
    W[9] = 0;
}

/* A recorded W of so many contacts that it is not looked at as a whole: two of them are coupled. */
static void test_many(void) {
    enum { MANY = 1001, BLOCKS = MANY + 2 };
    static int start[MANY + 1], column[BLOCKS];
    static double block[9 * BLOCKS], still[3 * MANY];
    int count = 0;
    for (int i = 0; i < MANY; i++) {
        for (int j = 0; j < (i < 2 ? 2 : 1); j++, count++) {
            column[count] = i < 2 ? j : i;
            for (int k = 0; k < 3; k++)
                block[9 * count + 4 * k] = column[count] == i ? 2 : 0.5;
        }
        start[i + 1] = count;
    }
    imp_blocks blocks = {.nc = MANY, .start = start, .column = column, .block = block};
    imp_operator recorded = imp_operator_blocks(&blocks);
    recorded.as_given = 1;
    const imp_problem many = {.nc = MANY, .W = &recorded, .q = still, .mu = still};
    reset(2);
    ok(imp_model_takes(&fake, &many) == IMP_OK, "many contacts, recorded as mechanics gives them");
    block[9] = 0.25;
    ok(imp_model_takes(&fake, &many) == IMP_UNSUPPORTED, "many, and not symmetric");
    fake.takes |= IMP_TAKES_ASYMMETRIC;
    ok(imp_model_takes(&fake, &many) == IMP_OK, "taken by a model that needs no symmetry");
    recorded.as_given = 0;
    ok(imp_problem_check(&many, NULL) == IMP_NOT_SYMMETRIC, "which is no problem that is demanded");
    block[9] = NAN;
    ok(imp_problem_check(&many, NULL) == IMP_NOT_FINITE, "nor is one with an entry that is none");
}

static void test_solve(void) {
    double p[6] = {9, 9, 9, 9, 9, 9};
    const double presets[6] = {1e-8, 1, 0, 1e-8, 1, 0}, own[6] = {0.125, 0, 0, 0.125, 0, 0};
    const double untouched[6] = {9, 9, 9, 9, 9, 9};
    imp_info info = {.rounds = 5};
    reset(2);
    ok(imp_solve_until(NULL, NULL, &problem, NULL, p, NULL, NULL, NULL) == IMP_BAD_ARGUMENT &&
           imp_solve_until(NULL, &fake, &problem, NULL, NULL, NULL, NULL, NULL) == IMP_BAD_ARGUMENT,
       "no model, or nowhere to write to");
    ok(imp_solve(&fake, &problem, NULL, p, &info) == IMP_OK && memcmp(p, presets, sizeof p) == 0,
       "without settings the presets hold: numbers and choices");
    ok(info.iterations == 3 && info.rounds == 0,
       "info starts from zero and holds what the model says");
    fake_settings s = {0.125, 0};
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_OK && memcmp(p, own, sizeof p) == 0,
       "one's own settings");
    static const struct {
        fake_settings settings;
        const char *what;
    } bad[] = {{{-0x1p-1074, 0}, "below its range"},
               {{1 + 0x1p-52, 0}, "above its range"},
               {{NAN, 0}, "NaN"},
               {{0.125, -1}, "a choice before the first"},
               {{0.125, 2}, "a choice after the last"}};
    for (int k = 0; k < 5; k++) {
        memcpy(p, untouched, sizeof p);
        ok(imp_solve(&fake, &problem, &bad[k].settings, p, NULL) == IMP_BAD_ARGUMENT &&
               memcmp(p, untouched, sizeof p) == 0,
           "a setting %s is refused", bad[k].what);
    }
    s.tolerance = 0.25;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NOT_POSITIVE &&
           memcmp(p, untouched, sizeof p) == 0,
       "a model's own error comes through");
    q[1] = NAN;
    ok(imp_solve(&fake, &problem, NULL, p, NULL) == IMP_NOT_FINITE &&
           memcmp(p, untouched, sizeof p) == 0,
       "bad data are refused before the model sees them");
    q[1] = 1;
    fake.takes = 0;
    ok(imp_solve(&fake, &problem, NULL, p, NULL) == IMP_UNSUPPORTED &&
           memcmp(p, untouched, sizeof p) == 0,
       "and what it does not take");
    reset(2);
    ok(imp_solve(NULL, &problem, NULL, p, NULL) == IMP_BAD_ARGUMENT &&
           imp_solve(&fake, NULL, NULL, p, NULL) == IMP_BAD_ARGUMENT &&
           imp_solve(&fake, &problem, NULL, NULL, NULL) == IMP_BAD_ARGUMENT,
       "no model, no problem, no place for the answer");
    s.tolerance = 0.75;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NOT_CONVERGED && p[0] == 0.75,
       "an outcome keeps its best answer");
    s.tolerance = 0.875;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NOT_CERTIFIED && p[0] == 0.875,
       "an answer whose certificate is beyond the bound is not ok");
    s.tolerance = 0.0625;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NOT_CERTIFIED,
       "nor one that nobody could judge");
    s.tolerance = 0.03125;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NOT_CERTIFIED,
       "nor one whose path is wanted and is not there");
    s.tolerance = 0;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_OK, "but no impulse needs no path");
    s.tolerance = 0.0078125;
    imp_path path = {0};
    imp_certificate certificate;
    ok(imp_solve_certified(&fake, &problem, &s, p, &path, &certificate, NULL) ==
               IMP_NOT_CERTIFIED &&
           certificate.worst == 7.8125 && path.multipliers == 1 && path.multiplier[0] == 1000,
       "the path decides, and is handed out with the certificate");
    s.tolerance = 0.125;
    ok(imp_solve_certified(&fake, &problem, &s, p, &path, &certificate, NULL) == IMP_OK &&
           path.multipliers == 0 && certificate.worst == 1.25,
       "and starts empty at every solve");
    imp_path_clear(&path);
    s.tolerance = 0.015625;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_OK,
       "a solver that doubts an answer whose path holds is overruled");
    s.tolerance = 0.90625;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NO_SOLUTION,
       "not where the path does not hold");
    s.tolerance = 0.00390625;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NO_SOLUTION, "nor where there is none");
    s.tolerance = 0.5;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_OVERFLOW,
       "an answer that is not finite is never ok");
    bool none = true;
    for (int k = 0; k < 3 * problem.nc; k++)
        none = none && p[k] == 0;
    ok(none, "and no impulse is left of it");
    s.tolerance = 0.625;
    ok(imp_solve(&fake, &problem, &s, p, NULL) == IMP_NOT_CONVERGED && p[0] == 0 && p[5] == 0,
       "nor of one that said itself that it is none");
}

static void test_find(void) {
    ok(imp_model_find("no such model") == NULL && imp_model_find("") == NULL &&
           imp_model_find(NULL) == NULL,
       "an unknown name finds nothing");
    bool all = imp_models[0] != NULL;
    for (int i = 0; imp_models[i]; i++)
        all = all && imp_model_find(imp_models[i]->name) == imp_models[i];
    ok(all, "every model of the table is found by its name");
}

/* What C hands out to start from is what the model's keys say. */
static void test_presets(void) {
    imp_settings of_plus, of_auto;
    const imp_plus_settings plus = imp_plus_settings_default();
    imp_model_presets(&imp_model_plus, &of_plus);
    imp_model_presets(&imp_model_auto, &of_auto);
    bool same = true;
    for (const imp_key *key = imp_model_plus.keys; key->name; key++) {
        const size_t bytes = key->choices ? sizeof(int) : sizeof(double);
        same = same &&
               memcmp(of_plus.bytes + key->offset, (const char *)&plus + key->offset, bytes) == 0;
    }
    ok(same, "plus: as imp_plus_settings_default");
    same = true;
    for (const imp_key *key = imp_model_auto.keys; key->name; key++) {
        const size_t bytes = key->choices ? sizeof(int) : sizeof(double);
        same = same && memcmp(of_auto.bytes + key->offset,
                              (const char *)&imp_blocks_presets + key->offset, bytes) == 0;
    }
    ok(same, "auto: as imp_blocks_presets");
    same = true; /* as imp_solve takes them for granted */
    for (const imp_model *const *m = imp_models; *m; m++)
        for (const imp_key *key = (*m)->keys; key && key->name; key++) {
            int choices = 0;
            while (key->choices && key->choices[choices])
                choices++;
            same = same && (key->choices ? key->preset >= 0 && key->preset < choices
                                         : imp_key_takes(key, key->preset));
        }
    ok(same, "every preset is one that its key takes");
    same = true; /* two phases count in one int */
    for (const imp_model *const *m = imp_models; *m; m++)
        for (const imp_key *key = (*m)->keys; key && key->name; key++)
            same = same && (strcmp(key->unit, IMP_COUNT) != 0 || key->high <= INT_MAX / 2);
    ok(same, "and no key counts beyond an int");
    for (const imp_model *const *m = imp_models; *m; m++)
        ok(imp_model_bound(*m, NULL) <= 1e-6 &&
               ((*m)->law == &imp_law_convex ||
                imp_model_bound(*m, NULL) <= ((*m)->law == &imp_law_springs ? 2e-7 : 1e-8)),
           "%s: ok means residuals up to %.0e", (*m)->name, imp_model_bound(*m, NULL));
}

int main(void) {
    test_presets();
    test_takes();
    test_kinds();
    test_many();
    test_solve();
    test_find();
    return tap_done();
}
