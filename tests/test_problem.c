/* What is a contact problem and what is not: every fault has its status, limits hold just inside
 * and just outside. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

/* Two contacts whose numbers tests may spoil. */
typedef struct two {
    double W[36], q[6], mu[2], e[2];
    imp_operator as_operator;
    imp_problem problem;
} two;

static void two_make(two *t) {
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 6; i++) {
        t->W[7 * i] = 2;
        t->q[i] = -1;
    }
    t->W[3] = t->W[18] = 0.5; /* the contacts interact */
    t->mu[0] = t->mu[1] = 0.5;
    t->as_operator = imp_operator_dense(2, t->W);
    t->problem = (imp_problem){.nc = 2, .W = &t->as_operator, .q = t->q, .mu = t->mu, .e = t->e};
}

static void test_vectors(void) {
    static const struct {
        const char *what;
        int at; /* offset in doubles from W */
        double value;
        imp_status status;
        int contact;
    } cases[] = {
        {"a diagonal entry is NaN", 7 * 4, NAN, IMP_NOT_FINITE, 1},
        {"a diagonal block holds Inf", 1, INFINITY, IMP_NOT_FINITE, 0},
        {"a coupling is NaN", 4, NAN, IMP_NOT_FINITE, -1},
        {"a coupling is -Inf", 24, -INFINITY, IMP_NOT_FINITE, -1},
        {"q is NaN", 36 + 4, NAN, IMP_NOT_FINITE, 1},
        {"q is Inf", 36, INFINITY, IMP_NOT_FINITE, 0},
        {"mu is NaN", 42, NAN, IMP_NOT_FINITE, 0},
        {"mu is Inf", 43, INFINITY, IMP_NOT_FINITE, 1},
        {"mu is negative", 43, -0x1p-1074, IMP_BAD_FRICTION, 1},
        {"mu is -0", 43, -0.0, IMP_OK, -1},
        {"mu is huge", 43, 1e300, IMP_OK, -1},
        {"e is NaN", 44, NAN, IMP_NOT_FINITE, 0},
        {"e is negative", 45, -0x1p-1074, IMP_BAD_RESTITUTION, 1},
        {"e is 1", 45, 1, IMP_OK, -1},
        {"e is just above 1", 45, 1 + 0x1p-52, IMP_BAD_RESTITUTION, 1},
        {"a diagonal entry is negative", 7 * 3, -1e-300, IMP_NOT_POSITIVE, 1},
        {"a diagonal block is asymmetric by 1.1e-12", 1, 2.2e-12, IMP_NOT_SYMMETRIC, 0},
        {"a diagonal block is asymmetric by 0.9e-12", 1, 1.8e-12, IMP_OK, -1},
        {"a coupling is asymmetric by 1.1e-12", 4, 2.2e-12, IMP_NOT_SYMMETRIC, -1},
        {"a coupling is asymmetric by 0.9e-12", 4, 1.8e-12, IMP_OK, -1},
    };
    two t;
    int contact = 7;
    two_make(&t);
    ok(imp_problem_check(&t.problem, &contact) == IMP_OK && contact == -1,
       "two contacts are a problem");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        two_make(&t);
        double *const arrays[] = {t.W, t.q, t.mu, t.e};
        const int starts[] = {0, 36, 42, 44};
        int which = 3;
        while (cases[k].at < starts[which])
            which--;
        arrays[which][cases[k].at - starts[which]] = cases[k].value;
        const imp_status got = imp_problem_check(&t.problem, &contact);
        if (!ok(got == cases[k].status && contact == cases[k].contact, "%s: %s, contact %d",
                cases[k].what, imp_status_text(cases[k].status), cases[k].contact))
            diag("got %s, contact %d", imp_status_text(got), contact);
    }
}

/* A recorded W need not be symmetric: a coupling may be spoilt on one side alone, in any row. */
static void test_recorded(void) {
    for (int at = 0; at < 36; at++) {
        two t;
        two_make(&t);
        t.as_operator.as_given = 1;
        t.W[at] = INFINITY;
        ok(imp_problem_check(&t.problem, NULL) == IMP_NOT_FINITE, "recorded, entry %d is Inf", at);
    }
}

static void test_arguments(void) {
    two t;
#define REFUSED(change)                                                                            \
    do {                                                                                           \
        two_make(&t);                                                                              \
        change;                                                                                    \
        ok(imp_problem_check(&t.problem, NULL) == IMP_BAD_ARGUMENT, "%s: bad argument", #change);  \
    } while (0)
    REFUSED(t.problem.nc = 0);
    REFUSED(t.problem.nc = -1);
    REFUSED(t.problem.nc = 3);
    REFUSED(t.problem.W = NULL);
    REFUSED(t.as_operator.kind = NULL);
    REFUSED(t.as_operator.nc = 1);
    REFUSED(t.problem.q = NULL);
    REFUSED(t.problem.mu = NULL);
#undef REFUSED
    ok(imp_problem_check(NULL, NULL) == IMP_BAD_ARGUMENT, "no problem: bad argument");
    two_make(&t);
    t.problem.e = NULL;
    ok(imp_problem_check(&t.problem, NULL) == IMP_OK, "e may be left out");
}

static imp_status check_dense(int nc, const double *W) {
    const double q[3 * GEN_MOST_CONTACTS] = {0}, mu[GEN_MOST_CONTACTS] = {0};
    const imp_operator as_operator = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &as_operator, .q = q, .mu = mu};
    return imp_problem_check(&problem, NULL);
}

/* W <- 3 x 3 with the eigenvalues (1, 1, low), turned so that nothing is diagonal, times scale. */
static void turned(double low, double scale, double W[9]) {
    const double v[3] = {2 / 3.0, -1 / 3.0, 2 / 3.0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            W[3 * i + j] = scale * ((i == j) + (low - 1) * v[i] * v[j]);
}

static void test_definite(void) {
    static const double scales[] = {1e-150, 1, 1e150};
    double W[9];
    for (int k = 0; k < 3; k++) {
        turned(1e-12, scales[k], W);
        ok(check_dense(1, W) == IMP_OK,
           "one contact, W times %g, smallest eigenvalue 1e-12: positive", scales[k]);
        turned(-1e-12, scales[k], W);
        ok(check_dense(1, W) == IMP_NOT_POSITIVE, "one contact, W times %g, eigenvalue -1e-12: not",
           scales[k]);
    }
    const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, saddle[9] = {1, 0, 0, 0, 1, 2, 0, 2, 1};
    const double nothing[9] = {0}, normal_less[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
    ok(check_dense(1, flat) == IMP_NOT_POSITIVE && check_dense(1, nothing) == IMP_NOT_POSITIVE &&
           check_dense(1, normal_less) == IMP_NOT_POSITIVE &&
           check_dense(1, saddle) == IMP_NOT_POSITIVE,
       "one contact: singular and indefinite W are refused");
}

/* Two contacts: eigenvalues 1 (five times) and `low`, with trace 5 + low, turned over both
 * contacts. */
static void test_semidefinite(void) {
    static const double scales[] = {1e-150, 1, 1e150};
    static const struct {
        double low;
        imp_status status;
    } cases[] = {{0, IMP_OK},
                 {-0.9 * 5e-10, IMP_OK},
                 {-1.1 * 5e-10, IMP_NOT_POSITIVE},
                 {-1, IMP_NOT_POSITIVE}};
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 4; k++) {
            double W[36];
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    W[6 * i + j] = scales[s] * ((i == j) + (cases[k].low - 1) / 6);
            ok(check_dense(2, W) == cases[k].status,
               "two contacts, W times %g, smallest eigenvalue %g: %s", scales[s], cases[k].low,
               imp_status_text(cases[k].status));
        }
    const double nothing[36] = {0};
    ok(check_dense(2, nothing) == IMP_OK, "W = 0 of two contacts is semidefinite");
    double huge[36];
    for (int i = 0; i < 36; i++)
        huge[i] = i % 7 ? 0 : 1.7e308;
    ok(check_dense(2, huge) == IMP_OK, "a trace that would overflow does not");
    bool all = true;
    for (uint64_t k = 0; k < 300; k++) {
        const gen_many p = gen_bodies(k, 2 + (int)(k % 7));
        all = all && check_dense(p.nc, p.W) == IMP_OK;
    }
    ok(all, "300 random sets of bodies, four-point boxes among them, are problems");
}

static void test_energy(void) {
    double worst = 0;
    for (uint64_t k = 0; k < 200; k++) {
        const gen_many m = gen_bodies(k, 2 + (int)(k % 7));
        const int n = 3 * m.nc;
        const imp_operator W = imp_operator_dense(m.nc, m.W);
        const imp_problem problem = {.nc = m.nc, .W = &W, .q = m.q, .mu = m.mu};
        gen_stream s = gen_seed(704, k);
        double p[3 * GEN_MOST_CONTACTS];
        for (int i = 0; i < n; i++)
            p[i] = gen_normal(&s);
        long double energy = 0, size = 0;
        for (int i = 0; i < n; i++) {
            energy += (long double)p[i] * m.q[i];
            size += fabsl((long double)p[i] * m.q[i]);
            for (int j = 0; j < n; j++) {
                energy += 0.5L * p[i] * m.W[i * n + j] * p[j];
                size += fabsl(0.5L * p[i] * m.W[i * n + j] * p[j]);
            }
        }
        worst =
            tap_worst(worst, fabs(imp_problem_energy(&problem, p) - (double)energy) / (double)size);
    }
    ok(worst < 1e-15, "energy = 1/2 p'Wp + p'q");
    static const struct {
        double W, q, p, energy;
    } extremes[] = {{2, -4, 2, -4},
                    {2e-150, -4e-150, 2, -4e-150},
                    {2e150, -4e150, 2, -4e150},
                    {2e-150, -4e-75, 2e75, -4},
                    {2e150, -4e-3, 2e-153, -4e-156},
                    {2e-100, -4e60, 2e160, -4e220},
                    {2, -4, 0, 0}};
    for (int k = 0; k < 7; k++) {
        const double W[9] = {extremes[k].W, 0, 0, 0, extremes[k].W, 0, 0, 0, extremes[k].W};
        const double q[3] = {extremes[k].q}, p[3] = {extremes[k].p}, mu = 1;
        const imp_operator as_operator = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &as_operator, .q = q, .mu = &mu};
        is_near(imp_problem_energy(&problem, p), extremes[k].energy, 0, 1e-15,
                "energy at W %g, q %g", W[0], q[0]);
    }
    for (int k = 0; k < 3; k++) {
        const double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, mu = 1;
        double q[3] = {0}, p[3] = {0};
        q[k] = -4;
        p[k] = 2;
        const imp_operator as_operator = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &as_operator, .q = q, .mu = &mu};
        ok(imp_problem_energy(&problem, p) == -4, "energy of an impulse along axis %d alone", k);
    }
}

/* What bodies give needs no check, nor has a W whose rows are more than are factored one. */
static void test_unasked(void) {
    enum { MANY = 1001 };
    const imp_body body = {.inv_mass = 1, .orientation = {1, 0, 0, 0}};
    const imp_contact contact = {.a = IMP_GROUND, .b = 0, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    const double mu[MANY] = {0};
    imp_factored *made = NULL;
    double q[3 * MANY] = {0};
    ok(imp_delassus_factored(1, &body, 1, &contact, &made, q) == IMP_OK, "a particle");
    const imp_operator factored = imp_operator_factored(made);
    const imp_problem particle = {.nc = 1, .W = &factored, .q = q, .mu = mu};
    ok(imp_problem_check(&particle, NULL) == IMP_OK, "is a problem");
    imp_factored_free(made);
    static int start[MANY + 1], column[2 * MANY];
    static double block[9 * 2 * MANY];
    int count = 0;
    for (int i = 0; i < MANY; i++) {
        for (int side = 0; side < 2; side++) {
            const int j = i - i % 2 + side;
            if (j >= MANY) continue;
            column[count] = j;
            for (int k = 0; k < 9; k += 4)
                block[9 * count + k] = i == j ? 1 : 2; /* two of a pair: 1 2, 2 1 */
            count++;
        }
        start[i + 1] = count;
    }
    const imp_blocks pairs[2] = {{MANY, start, column, block}, {MANY - 1, start, column, block}};
    for (int k = 0; k < 2; k++) {
        const imp_operator W = imp_operator_blocks(&pairs[k]);
        const imp_problem problem = {.nc = pairs[k].nc, .W = &W, .q = q, .mu = mu};
        ok(imp_problem_check(&problem, NULL) == (k ? IMP_NOT_POSITIVE : IMP_OK),
           "indefinite pairs of %d contacts are %s", pairs[k].nc, k ? "seen" : "not looked for");
    }
}

static void test_dense(void) {
    const gen_many m = gen_bodies(2, 6);
    int start[7], column[36];
    double block[9 * 36], q[18], W[18 * 18];
    (void)imp_delassus_count(m.nb, m.body, m.nc, m.contact, start);
    (void)imp_delassus_blocks(m.nb, m.body, m.nc, m.contact, start, column, block, q);
    const imp_blocks blocks = {m.nc, start, column, block};
    const imp_operator as_operator = imp_operator_blocks(&blocks);
    const imp_problem problem = {.nc = m.nc, .W = &as_operator, .q = m.q, .mu = m.mu};
    imp_problem_dense(&problem, W);
    ok(memcmp(W, m.W, sizeof W) == 0, "a block-sparse W written out is the dense one");
    ok(imp_problem_check(&problem, NULL) == IMP_OK, "and a problem");
}

static void test_texts(void) {
    static const imp_status all[] = {
#define CASE(name, value, text) name,
        IMP_STATUS_LIST(CASE)
#undef CASE
    };
    bool distinct = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < i; j++)
            distinct = distinct && strcmp(imp_status_text(all[i]), imp_status_text(all[j])) != 0;
    ok(distinct && strcmp(imp_status_text(IMP_OK), "ok") == 0,
       "every status has a text of its own");
    ok(strcmp(imp_status_text(IMP_STATUS_END), "unknown") == 0, "what is none is unknown");
}

/* Rows of blocks without their own. */
static void test_missing_block(void) {
    const int start[3] = {0, 1, 2}, columns[2][2] = {{0, 1}, {0, 0}};
    const double block[18] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 2, 0, 0, 0, 2, 0, 0, 0, 2};
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
    for (int k = 0; k < 2; k++) {
        const imp_blocks blocks = {2, start, columns[k], block};
        const imp_operator W = imp_operator_blocks(&blocks);
        const imp_problem problem = {.nc = 2, .W = &W, .q = q, .mu = mu};
        int contact = 7;
        ok(imp_problem_check(&problem, &contact) == (k ? IMP_BAD_ARGUMENT : IMP_OK) &&
               contact == (k ? 1 : -1),
           "rows of blocks, %s of them with its own", k ? "one" : "each");
    }
}

/* imp_blocks_auto says of what it does not read that it does not take it. */
static void test_not_read(void) {
    two t;
    const double some[2] = {0, 0.5};
    double p[6] = {0};
    two_make(&t);
    for (int k = 0; k < 4; k++) {
        imp_problem problem = t.problem;
        if (k == 1) problem.e = some;
        if (k == 2) problem.gap = some;
        if (k == 3) problem.mu_v = some;
        ok(imp_blocks_auto(&problem, &imp_blocks_presets, p, NULL, &(imp_info){0}) ==
               (k ? IMP_UNSUPPORTED : IMP_OK),
           "auto's solver and e, gap, mu_v: %d", k);
    }
}

int main(void) {
    test_missing_block();
    test_not_read();
    test_vectors();
    test_recorded();
    test_arguments();
    test_definite();
    test_semidefinite();
    test_energy();
    test_dense();
    test_unasked();
    test_texts();
    return tap_done();
}
