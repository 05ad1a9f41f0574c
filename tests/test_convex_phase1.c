/* test_convex_phase1.c - the frictionless impact: the dense method against Lemke's, the sparse one
 * against the dense, least sums, contradictions, that few contacts are solved without allocating,
 * and that an island asks for memory of its own size. */
#include "benchmarks/harness/instrumented.h"
#include "generators/gen.h"
#include "impact.h"
#include "cone/convex_active.h"
#include "cone/convex_phase1.h"
#include "tap.h"

#include <limits.h>
#include <string.h>

/* Every allocation of the program is counted; the sanitisers have an allocator of their own. */
#if defined(__GLIBC__) && !INSTRUMENTED
#define COUNTED 1
static long allocations;
static size_t asked;                     /* bytes */
extern void *__libc_malloc(size_t size); /* NOLINT(bugprone-reserved-identifier) */
void *malloc(size_t size) {
    allocations++;
    asked += size;
    return __libc_malloc(size);
}
#else
#define COUNTED 0
static long allocations;
static size_t asked;
#endif

enum { N = 40 };

typedef struct dense_problem {
    int n;
    double A[N * N], b[N];
} dense_problem;

/* A = G G' with G (n x rank) of small whole numbers, so that dependence is exact; b = G v, or any
 * b. */
static dense_problem make(uint64_t index, bool reachable) {
    gen_stream s = gen_seed(31, index);
    dense_problem d = {.n = 1 + (int)gen_uniform(&s, 0, N)};
    const int rank = 1 + (int)gen_uniform(&s, 0, 12);
    double G[N][12], v[12];
    for (int k = 0; k < 12; k++)
        v[k] = floor(gen_uniform(&s, -4, 5)) + (index % 3 ? 0.37 : 0);
    for (int i = 0; i < d.n; i++) {
        for (int k = 0; k < rank; k++)
            G[i][k] = floor(gen_uniform(&s, -2, 3));
        d.b[i] = reachable ? 0 : floor(gen_uniform(&s, -3, 8));
        for (int k = 0; k < rank && reachable; k++)
            d.b[i] += G[i][k] * v[k];
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += G[i][k] * G[j][k];
            d.A[i * d.n + j] = d.A[j * d.n + i] = sum;
        }
    }
    return d;
}

static void column(const void *data, int j, double *m) {
    const dense_problem *d = data;
    memcpy(m, d->A + j * d->n, (size_t)d->n * sizeof *m);
}

static double residual(const dense_problem *d, const double *y) {
    const imp_lcp lcp = {d->n, d->b, column, d};
    double work[2 * N];
    return imp_lcp_residual(&lcp, y, work);
}

static double sum_of(const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += y[i];
    return sum;
}

static void test_dense(void) {
    enum { COUNT = 3000 };
    int solved = 0, none = 0, unequal = 0, undecided = 0, more = 0, wrong = 0;
    double worst = 0;
    void *work = malloc(imp_convex_active_workspace(N)), *lemke = malloc(imp_lemke_workspace(N));
    for (uint64_t k = 0; k < COUNT; k++) {
        const dense_problem d = make(k, k % 2);
        double y[N], w[N], v[N], z[N] = {0};
        const imp_lcp lcp = {d.n, d.b, column, &d};
        int pivots;
        const imp_status status = imp_convex_active(d.n, d.A, d.b, y, w, v, work);
        const imp_status other = imp_lemke(&lcp, 10000, NULL, z, lemke, &pivots);
        const bool right = other == IMP_OK && residual(&d, z) <= 1e-9;
        /* on b = G v it may end wrongly */
        const bool known = right || (other == IMP_NO_SOLUTION && k % 2 == 0);
        unequal += known && (status == IMP_OK) != (other == IMP_OK);
        undecided += status != IMP_OK && status != IMP_NO_SOLUTION;
        none += status == IMP_NO_SOLUTION;
        wrong += status != IMP_OK && k % 2;
        if (status != IMP_OK) continue;
        solved++;
        worst = tap_worst(worst, residual(&d, y) / (1 + sum_of(y, d.n)));
        more += right && sum_of(y, d.n) > sum_of(z, d.n) * (1 + 1e-9) + 1e-9;
    }
    ok(solved > COUNT / 2 && none > COUNT / 20, "%d singular problems have answers, %d have none",
       solved, none);
    ok(wrong == 0, "of b = G v there is always one");
    ok(unequal == 0 && undecided == 0, "Lemke's method says the same of every one");
    ok(worst <= 1e-13, "complementary to %.1e", worst);
    ok(more == 0, "and never has a smaller sum");
    free(work);
    free(lemke);
}

/* Islands of random bodies: the sparse method gives the velocities of the dense one. */
static void test_sparse(void) {
    enum { COUNT = 300 };
    double worst = 0, sums = 0;
    int islands = 0, failed = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        const gen_many g = gen_bodies(500 + k, 1 + (int)(k % GEN_MOST_CONTACTS));
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        int label[GEN_MOST_CONTACTS];
        const int count = imp_convex_islands(&problem, false, label);
        imp_parts parts;
        if (!imp_parts_open(&parts, &op, label, count)) exit(1);
        for (int i = 0; i < count; i++, islands++) {
            convex_island *s = imp_convex_island_new(&problem, &parts, i, 0);
            double b[GEN_MOST_CONTACTS], y[2][GEN_MOST_CONTACTS] = {{0}}, w[2][GEN_MOST_CONTACTS],
                                         v[GEN_MOST_CONTACTS];
            for (int c = 0; c < s->n; c++)
                b[c] = s->q[3 * c];
            failed += imp_convex_phase1(s, b, y[0], v) != IMP_OK ||
                      imp_convex_phase1_large(s, b, y[1], v) != IMP_OK;
            for (int m = 0; m < 2; m++)
                worst = tap_worst(worst, imp_convex_phase1_residual(s, b, y[m], w[m]));
            for (int c = 0; c < s->n; c++)
                worst = tap_worst(worst, fabs(w[0][c] - w[1][c]));
            sums = tap_worst(sums, fabs(sum_of(y[0], s->n) - sum_of(y[1], s->n)) /
                                       (1 + sum_of(y[0], s->n)));
            imp_convex_island_free(s);
        }
        imp_parts_close(&parts);
    }
    ok(failed == 0 && worst <= 1e-9, "%d islands, dense and sparse: the same velocities (%.1e)",
       islands, worst);
    ok(sums <= 1e-7, "and the same least sum (%.1e)", sums);
}

/* A sphere between two plates: any equal pushes solve phase I, kappa is the least of them. */
static void test_wedge(void) {
    double W[36] = {0};
    const double normal[2][2] = {{1, -1}, {-1, 1}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            W[18 * i + 3 * j] = normal[i][j];
            W[18 * i + 6 + 3 * j + 1] = W[18 * i + 12 + 3 * j + 2] = i == j ? 3.5 : -1.5;
        }
    double q[6] = {-1, 1, 0, 1, 1, 0};
    const double mu[2] = {0.5, 0.5};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    double p[6];
    ok(imp_frictionless(&problem, p, NULL) == IMP_OK, "a sphere between two plates");
    is_near(p[0] + p[3], 1, 1e-14, 0, "pushes no more than it must");
}

/* Three contacts that share one degree of freedom: n, n, and both at once; the least sum uses the
 * lever. */
static void test_least_sum(void) {
    double W[81] = {0}, q[9] = {-1, 0, 0, -1, 0, 0, -2, 0, 0}, p[9];
    const double lever[3] = {1, 1, 2}, mu[3] = {0, 0, 0};
    for (int i = 0; i < 9; i++)
        W[10 * i] = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            W[27 * i + 3 * j] = lever[i] * lever[j];
    const imp_operator op = imp_operator_dense(3, W);
    const imp_problem problem = {.nc = 3, .W = &op, .q = q, .mu = mu};
    ok(imp_frictionless(&problem, p, NULL) == IMP_OK, "one degree of freedom, three contacts");
    is_near(p[0] + p[3] + p[6], 0.5, 1e-13, 0, "the least sum pushes at the longest lever alone");
}

/* More contacts than the dense method takes, on one plate: all of W's normals have rank 3; then two
 * that close. */
static void test_many(void) {
    enum { MANY = IMP_CONVEX_DENSE + 44, ROWS = 3 * MANY };
    double *W = calloc((size_t)ROWS * ROWS, sizeof *W), q[ROWS], p[ROWS], u[ROWS];
    static const double mu[MANY] = {0};
    gen_stream s = gen_seed(8, 8);
    double at[MANY][3];
    for (int i = 0; i < MANY; i++) {
        at[i][0] = 1;
        at[i][1] = gen_uniform(&s, -1, 1);
        at[i][2] = gen_uniform(&s, -1, 1);
    }
    for (int i = 0; i < ROWS; i++) {
        W[(size_t)i * ROWS + (size_t)i] = 1;
        q[i] = i % 3 == 0 ? -1 + 0.3 * at[i / 3][1] : 0;
    }
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < MANY; j++)
            W[(size_t)(3 * i) * ROWS + (size_t)(3 * j)] =
                at[i][0] + 3 * (at[i][1] * at[j][1] + at[i][2] * at[j][2]);
    const imp_operator op = imp_operator_dense(MANY, W);
    const imp_problem problem = {.nc = MANY, .W = &op, .q = q, .mu = mu};
    double worst = 0;
    ok(imp_frictionless(&problem, p, NULL) == IMP_OK, "a plate on %d points", MANY);
    imp_operator_apply(&op, p, q, u);
    for (int i = 0; i < MANY; i++)
        worst = tap_worst(worst, fabs(fmin(p[3 * i], u[3 * i])));
    ok(worst <= 1e-9, "complementary to %.1e", worst);
    for (int i = 0; i < MANY; i++) { /* from above and from below at once */
        q[3 * i] = -1;
        for (int j = 0; j < MANY; j++)
            W[(size_t)(3 * i) * ROWS + (size_t)(3 * j)] = i % 2 == j % 2 ? 1 : -1;
    }
    ok(imp_frictionless(&problem, p, NULL) == IMP_NO_SOLUTION && p[0] == 0,
       "closed on from both sides: none");
    free(W);
}

/* In the workspace given, and in units of any size the same bits. */
static void test_workspace(void) {
    const gen_many g = gen_bodies(77, 8);
    imp_operator op = imp_operator_dense(g.nc, g.W);
    double W[9 * 64], q[24], p[24], scaled[24], zero[8] = {0}, e[8];
    imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = zero};
    imp_info info = {0};
    int changed = 0;
    for (int i = 0; i < 8; i++)
        e[i] = 0.5;
    void *work = malloc(imp_model_frictionless.workspace(&problem, NULL));
    for (int bounce = 0; bounce < 2; bounce++) {
        problem.e = bounce ? e : NULL;
        const long before = allocations;
        const imp_status status = imp_model_frictionless.solve(&problem, NULL, p, work, &info);
        ok(status == IMP_OK && allocations - before <= (COUNTED ? 0 : LONG_MAX),
           COUNTED ? "solved without allocating" : "solved");
    }
    for (int i = 0; i < 9 * g.nc * g.nc; i++)
        W[i] = g.W[i] * 0x1p400;
    for (int i = 0; i < 3 * g.nc; i++)
        q[i] = g.q[i] * 0x1p-300;
    op = imp_operator_dense(g.nc, W);
    problem.q = q;
    imp_model_frictionless.solve(&problem, NULL, scaled, work, &info);
    for (int i = 0; i < 3 * g.nc; i++)
        changed += p[i] != ldexp(scaled[i], 700);
    ok(changed == 0 && imp_problem_energy(&problem, scaled) < 0, "units change no bit");
    free(work);
    problem.nc = IMP_CONVEX_DENSE + 1;
    ok(imp_model_frictionless.workspace(&problem, NULL) == 0, "more contacts need no workspace");
}

/* Bytes asked for to solve a problem of `count` equal bodies apart, each closing on the ground at
 * `each` points. */
static size_t asked_apart(int count, int each) {
    enum { MOST = 128 };
    static int row[18 * MOST], column[18 * MOST];
    static double value[18 * MOST], q[3 * MOST], p[3 * MOST];
    static double mu[MOST];
    const int nc = count * each;
    int entries = 0;
    for (int k = 0; k < 18 * nc; k++) { /* three columns of six a contact */
        const int axis = k / 6 % 3, coordinate = k % 6, at = k / 18 % each;
        row[entries] = 6 * (k / 18 / each) + coordinate;
        column[entries] = k / 6;
        value[entries++] = coordinate < 3 ? coordinate == axis : sin(1 + at + 7 * k % 18);
    }
    for (int i = 0; i < 3 * nc; i++)
        q[i] = i % 3 == 0 ? -1 : 0.5;
    for (int i = 0; i < nc; i++)
        mu[i] = 0.3;
    imp_sparse M, H, W;
    if (imp_sparse_unit(6 * count, &M) != IMP_OK ||
        imp_sparse_from_triplets(6 * count, 3 * nc, entries, row, column, value, &H) != IMP_OK ||
        imp_sparse_delassus(&M, &H, NULL, NULL, &W, NULL) != IMP_OK)
        exit(1);
    imp_blocks *blocks = imp_blocks_new(&W);
    if (!blocks) exit(1);
    const imp_assembled assembled = {*blocks, &M, &H, NULL};
    const imp_operator op = imp_operator_assembled(&assembled);
    const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu};
    imp_convex_report report = {0};
    const imp_convex_settings settings = {
        .kappa = -1, .tolerance = 1e-7, .max_iterations = 100, .polish = 32};
    const size_t before = asked;
    const imp_status status = imp_convex(&problem, &settings, p, &report);
    const size_t during = asked - before;
    ok(status == IMP_OK && report.islands == count, "%d islands of %d contacts", count, each);
    imp_blocks_free(blocks);
    imp_sparse_clear(&M);
    imp_sparse_clear(&H);
    imp_sparse_clear(&W);
    return during;
}

/* Twice the islands, dense or sparse ones, take no more than twice the memory. */
static void test_apart(void) {
    const size_t small = asked_apart(60, 1), twice = asked_apart(120, 1);
    const size_t sparse = asked_apart(2, 30), sparse_twice = asked_apart(4, 30);
    ok(twice <= 2 * small, "small islands: %zu bytes, then %zu", small, twice);
    ok(sparse_twice <= 2 * sparse, "large ones: %zu bytes, then %zu", sparse, sparse_twice);
}

int main(void) {
    test_dense();
    test_sparse();
    test_wedge();
    test_least_sum();
    test_many();
    test_workspace();
    test_apart();
    return tap_done();
}
