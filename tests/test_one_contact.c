/* What the codes of one contact are told beside good data: each number and each column spoiled in
 * turn, choices between solutions in batches, forces that begin along one axis. */
#include "batch_columns.h"
#include "tap.h"

/* Number k of a planar problem (W, q, mu, e) replaced. */
static imp_status planar_with(int k, double value, double p[2]) {
    double x[7] = {1, 0.2, 3, -1, 1, 0.5, 0.5};
    x[k] = value;
    return imp_planar(x, x + 3, x[5], x[6], IMP_STRONGE, p);
}

static void test_planar(void) {
    double p[2] = {7, 8};
    for (int k = 0; k < 7; k++)
        ok(planar_with(k, NAN, p) == IMP_NOT_FINITE && planar_with(k, -INFINITY, p) < 0,
           "planar: number %d is no number", k);
    ok(planar_with(6, -0.1, p) == IMP_BAD_RESTITUTION, "planar: e below 0");
    ok(planar_with(0, 0, p) == IMP_NOT_POSITIVE && p[0] == 7 && p[1] == 8,
       "planar: no normal mobility; p is left alone");
    const double W[3] = {1, 0, 1e-200}, q[2] = {-1e150, 1e150};
    ok(imp_planar(W, q, 1e300, 0, IMP_STRONGE, p) == IMP_OVERFLOW && p[0] == 0 && p[1] == 0,
       "planar: the friction alone has no double");
}

/* Number k of a force and what it is judged by (W, v, b, f, mu) replaced. */
static imp_status forces_with(int k, double value, imp_certificate *c) {
    double x[16] = {1, 0.25, 0, 3, 0, 3, 0, 5, 0, -9, 0, 0, 9, 0, 0, 0.5};
    x[k] = value;
    return imp_forces_certify(x, x + 6, x + 9, x[15], x + 12, c);
}

static void test_forces(void) {
    imp_certificate c = {.worst = 7};
    bool refused = true;
    for (int k = 0; k < 16; k++)
        refused = refused && forces_with(k, NAN, &c) == IMP_NOT_FINITE && c.worst == 7;
    ok(refused, "forces: each number that is none is refused");
    ok(forces_with(6, 1, &c) == IMP_OK && c.worst == 1, "a force where the contact leaves");
    const double W[6] = {1, 0, 0, 3, 0, 3}, rest[3] = {0}, none[3] = {0}, away[3] = {1, 0, 0};
    ok(imp_forces_certify(W, away, rest, 0.5, none, &c) == IMP_OK && c.worst == 0,
       "none where it leaves");
    for (int k = 1; k < 3; k++) { /* pushed beyond friction along one axis */
        double b[3] = {-1, 0, 0}, slow[3] = {0};
        imp_force_set set;
        b[k] = 5;
        slow[k] = 1;
        ok(imp_forces(W, rest, b, 0.5, &set) == IMP_OK && set.count == 1 &&
               set.motion == IMP_STARTS_TO_SLIDE && set.force[0].a[k] == 3.5,
           "forces: it starts to slide along axis %d", k);
        ok(imp_forces(W, slow, b, 0.5, &set) == IMP_OK && set.motion == IMP_SLIDES_ON,
           "or slides on");
        double f[3] = {1, 0, 0};
        f[k] = -0.5;
        ok(imp_forces_certify(W, slow, b, 0.5, f, &c) == IMP_OK && c.worst == 0,
           "against the slip");
        f[k] = 0.5;
        ok(imp_forces_certify(W, slow, b, 0.5, f, &c) == IMP_OK && c.worst > 0.5, "not along it");
    }
    const double light[6] = {1e-200, 0, 0, 1e-200, 0, 1e-200}, hard[3] = {-1e200, 0, 0};
    imp_force_set set = {.count = 77};
    ok(imp_forces(light, rest, hard, 0.5, &set) == IMP_OVERFLOW && set.count == 77,
       "forces: a rest that no double holds up");
}

/* The batch of a model without column k: 0 to 5 W, to 8 q, to 11 p, then mu, residual, status. */
static imp_status batch_without(batch *b, int k) {
    imp_batch_columns c = columns_of(b, 0);
    if (k < 6) c.W[k] = NULL;
    if (k >= 6 && k < 9) c.q[k - 6] = NULL;
    if (k >= 9 && k < 12) c.p[k - 9] = NULL;
    if (k == 12) c.mu = NULL;
    if (k == 13) c.residual = NULL;
    if (k == 14) c.status = NULL;
    return imp_coulomb_batch(&c, 8, NULL);
}

static void test_columns(batch *b) {
    bool refused = imp_coulomb_batch(NULL, 8, NULL) == IMP_BAD_ARGUMENT;
    clear_answers(b);
    for (int k = 0; k < 15; k++)
        refused = refused && batch_without(b, k) == IMP_BAD_ARGUMENT;
    ok(refused && b->p[0][0] == untouched, "a batch without one of its columns");
    for (int i = 0; i < 8; i++) {
        const gen_problem g = gen_make(GEN_SEVERAL, (uint64_t)i);
        put(b, i, &g);
        b->e[i] = i % 2 ? -0.5 : 0;
    }
    const imp_batch_columns c = columns_of(b, 0);
    ok(imp_coulomb_batch(&c, 8, NULL) == IMP_OK && b->status[0] == IMP_OK &&
           b->status[1] == IMP_BAD_RESTITUTION,
       "e below 0 is refused of each problem");
}

/* Batches of the model that chooses among Coulomb's solutions: the impulses that it chooses of each
 * problem alone, to rounding, and with their residuals. */
static void test_choices(batch *b) {
    enum { N = 600 };
    static const char *const choices[] = {"most-dissipative", "middle",       "least-dissipative",
                                          "zero-first",       "slip-slowest", "slip-fastest"};
    const imp_model *model = &imp_model_coulomb;
    for (int i = 0; i < N; i++) {
        gen_problem g = gen_make(i % 2 ? GEN_PAINLEVE : GEN_SIX_POINT, (uint64_t)i);
        g.e = 0;
        if (i % 4 < 2) g.q[0] = fabs(g.q[0]); /* it opens, and may jam */
        if (i == 300) g.mu = -1;
        put(b, i, &g);
    }
    double first[N] = {0};
    for (int k = 0; k < 6; k++) {
        const imp_coulomb_settings settings = {(imp_coulomb_choice)k};
        imp_batch_columns columns = columns_of(b, 0);
        if (k % 2) columns.e = NULL;
        clear_answers(b);
        const imp_status status = model->batch(&columns, N, &settings);
        double worst = 0, residual = 0;
        int others = 0, statuses = 0;
        for (int i = 0; i < N; i++) {
            const gen_problem g = get(b, i);
            const double full[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3],
                                    g.W[4], g.W[2], g.W[4], g.W[5]};
            const imp_operator W = imp_operator_dense(1, full);
            const imp_problem problem = {.nc = 1, .W = &W, .q = g.q, .mu = &g.mu};
            double p[3] = {0};
            statuses += imp_solve(model, &problem, &settings, p, NULL) != b->status[i];
            if (b->status[i] < 0) continue;
            const double size = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
            for (int j = 0; j < 3 && size > 0; j++)
                worst = tap_worst(worst, fabs(p[j] - b->p[j][i]) / size);
            residual = tap_worst(residual, b->residual[i]);
            others += k > 0 && b->p[0][i] != first[i];
            if (k == 0) first[i] = b->p[0][i];
        }
        ok(status == IMP_OK && statuses == 0 && worst < 1e-12 && residual < 1e-12 &&
               (k == 0 || others > 5),
           "%s: %.1e from the model, residuals %.1e, %d others than the first", choices[k], worst,
           residual, others);
    }
    const imp_coulomb_settings middle = {IMP_MIDDLE};
    imp_batch_columns columns = columns_of(b, 0);
    ok(model->batch(&columns, 0, &middle) == IMP_OK, "no problems: nothing to solve");
    columns.q[1] = NULL;
    ok(model->batch(&columns, 0, &middle) == IMP_BAD_ARGUMENT,
       "but columns are asked for, as of any batch");
}

static void test_others(batch *b) {
    ok(strcmp(imp_maxdiss_leaf_text((imp_maxdiss_leaf)99), "none") == 0, "no such leaf");
    imp_maxdiss_settings settings;
    imp_model_presets(&imp_model_maxdiss, &settings);
    settings.solver = IMP_BISECTION;
    for (int i = 0; i < 4; i++) {
        gen_problem g = gen_make(GEN_FREE_BOX_1, (uint64_t)i);
        if (i == 2) g.mu = -1;
        put(b, i, &g);
    }
    clear_answers(b);
    imp_batch_columns columns = columns_of(b, 0);
    columns.e = NULL;
    ok(imp_model_maxdiss.batch(&columns, 4, &settings) == IMP_OK && b->status[1] == IMP_OK &&
           b->residual[1] < 1e-6 && b->status[2] == IMP_BAD_FRICTION &&
           b->residual[2] == untouched && b->p[0][2] == untouched,
       "a batch by the search: what is refused leaves residual and impulse as they were");
    const double W[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                          0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5}, p[6] = {1, 0, 0, 1, 0, 0};
    const imp_operator two = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &two, .q = q, .mu = mu};
    imp_certificate c;
    ok(imp_certify_along(&problem, &imp_law_darboux_stronge, NULL, p, NULL, &c) == IMP_UNSUPPORTED,
       "a law of one contact does not judge two");
}

int main(void) {
    batch *b = batch_new();
    test_planar();
    test_forces();
    test_columns(b);
    test_choices(b);
    test_others(b);
    free(b);
    return tap_done();
}
