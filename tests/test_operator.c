/* The dense and the block-sparse operator answer what the definition says. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { NC = 5, N = 3 * NC, MOST_ROWS = IMP_FACTORED_MOST + 2 };

/* A random W, asymmetric on purpose (recorded ones may be), with a pattern of 3 x 3 blocks that are
 * zero. */
typedef struct sample {
    double W[N * N], p[N], q[N];
    int start[NC + 1], column[NC * NC];
    double block[9 * NC * NC];
} sample;

static sample make(uint64_t index) {
    sample s = {0};
    gen_stream g = gen_seed(700, index);
    int k = 0;
    for (int i = 0; i < NC; i++) {
        for (int j = 0; j < NC; j++) {
            if (i != j && gen_uniform(&g, 0, 1) < 0.5) continue;
            for (int e = 0; e < 9; e++)
                s.block[9 * k + e] = s.W[(3 * i + e / 3) * N + 3 * j + e % 3] = gen_normal(&g);
            s.column[k++] = j;
        }
        s.start[i + 1] = k;
    }
    for (int i = 0; i < N; i++) {
        s.p[i] = gen_normal(&g);
        s.q[i] = gen_normal(&g);
    }
    return s;
}

/* sum_j W_ij x_j over the columns of all contacts but `skip`, from the definition. */
static double row_times(const sample *s, int row, int skip, bool absolute) {
    double sum = 0;
    for (int j = 0; j < N; j++)
        if (j / 3 != skip)
            sum += absolute ? fabs(s->W[row * N + j] * s->p[j]) : s->W[row * N + j] * s->p[j];
    return sum;
}

static void test_kind(const sample *s, const imp_operator *W) {
    const char *name = W->kind->name;
    double u[N], want[N], zero[N] = {0};
    for (int i = 0; i < N; i++)
        want[i] = row_times(s, i, -1, false) + s->q[i];
    imp_operator_apply(W, s->p, s->q, u);
    is_vec(u, want, N, 0, 1e-15, "%s: u = W p + q", name);
    for (int i = 0; i < N; i++)
        want[i] -= s->q[i];
    imp_operator_apply(W, s->p, NULL, u);
    is_vec(u, want, N, 0, 1e-15, "%s: without q, u = W p", name);
    imp_operator_apply(W, zero, s->q, u);
    is_vec(u, s->q, N, 0, 0, "%s: without p, u = q exactly", name);
    bool blocks = true, rows = true, sizes = true, columns = true;
    for (int i = 0; i < NC; i++) {
        int column[NC] = {0}, k = 0;
        const int count = W->kind->columns(W, i, column);
        for (int j = 0; j < NC; j++) {
            /* those named, ascending; a block that is not named is zero */
            const bool named = k < count && column[k] == j;
            double sum = 0;
            for (int e = 0; e < 9; e++)
                sum += fabs(s->W[(3 * i + e / 3) * N + 3 * j + e % 3]);
            columns = columns && (named || (sum == 0 && j != i));
            k += named;
        }
        columns = columns && k == count;
        for (int j = 0; j < NC; j++) {
            double B[9], sum[3], size[3];
            W->kind->block(W, i, j, B);
            for (int e = 0; e < 9; e++)
                blocks = blocks && B[e] == s->W[(3 * i + e / 3) * N + 3 * j + e % 3];
            W->kind->row(W, i, j, s->p, sum, size);
            for (int r = 0; r < 3; r++) {
                rows = rows && tap_near(sum[r], row_times(s, 3 * i + r, j, false), 1e-14, 0);
                sizes = sizes && tap_near(size[r], row_times(s, 3 * i + r, j, true), 1e-14, 0);
            }
        }
    }
    ok(columns, "%s: the columns of a row are named, ascending, and no other block counts", name);
    ok(blocks, "%s: every block is the matrix's, zeros included", name);
    ok(rows, "%s: a row leaves out the contact it is told to", name);
    ok(sizes, "%s: sizes are sums of absolute values", name);
}

/* What one contact's W tells of its G: W again, as far as it is positive semidefinite. */
static void test_root(void) {
    static const double none[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    for (int rank = 0; rank <= 3; rank++) {
        gen_stream g = gen_seed(11, (uint64_t)rank);
        double G[9], W[9] = {0}, block[9], off = 0;
        imp_factored *root;
        for (int i = 0; i < 9; i++)
            G[i] = i < 3 * rank ? gen_normal(&g) : 0;
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                W[i] += G[3 * k + i / 3] * G[3 * k + i % 3];
        const imp_status status = imp_factored_root(W, &root);
        ok(status == IMP_OK, "rank %d has a root", rank);
        if (status != IMP_OK) continue;
        const imp_operator product = imp_operator_factored(root);
        product.kind->block(&product, 0, 0, block);
        for (int i = 0; i < 9; i++)
            off = tap_worst(off, fabs(block[i] - W[i]));
        ok(off <= 1e-14 && imp_operator_singular(&product, 3) == (rank < 3),
           "of that rank, to %.0e", off);
        imp_factored_free(root);
        /* as bodies make it, which tell it from one that is given */
        int one[2] = {0, 1}, own[1] = {0}, start[4] = {0, 3, 6, 9},
            row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
        double columns[9];
        for (int i = 0; i < 9; i++)
            columns[i] = G[3 * (i % 3) + i / 3];
        const imp_sparse product_of = {3, 3, start, row, columns};
        const imp_assembled bodies = {.blocks = {1, one, own, W}, .G = &product_of};
        const imp_operator assembled = imp_operator_assembled(&bodies);
        ok(imp_operator_singular(&assembled, 3) == (rank < 3), "assembled from bodies, too");
    }
    imp_factored *root;
    ok(imp_factored_root(none, &root) == IMP_NOT_POSITIVE && !root,
       "with a negative eigenvalue it has none");
}

/* Of G whose rows, or columns, are nearly the same: two rows leave two directions, three of them
 * three as long as the entries of W tell them from rounding. */
static void test_nearly_the_same(void) {
    enum { DRAWN = 20000 };
    int missed = 0, invented = 0;
    gen_stream s = gen_seed(12, 0);
    for (int k = 0; k < DRAWN; k++) {
        double W[2][9] = {{0}};
        double own[3], G[3][3];
        const double apart = gen_power10(&s, -5, 0);
        for (int i = 0; i < 3; i++)
            own[i] = gen_normal(&s);
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < 3; i++) {
                const double x = k % 2 ? own[i] : own[r];
                G[r][i] = r < 2 ? x + apart * gen_normal(&s) : gen_normal(&s);
            }
        for (int rows = 2; rows <= 3; rows++)
            for (int i = 0; i < 9; i++)
                for (int r = 0; r < rows; r++)
                    W[rows - 2][i] += G[r][i / 3] * G[r][i % 3];
        missed += !imp_block_singular(W[0], 3);
        invented += apart > 1e-3 && imp_block_singular(W[1], 3);
    }
    ok(missed == 0, "of %d blocks with two directions all are singular (%d are not)", DRAWN,
       missed);
    ok(invented < DRAWN / 1000, "hardly any with three (%d)", invented);
}

/* A matrix of n rows, its diagonal 4 and 1 beside it to the left, and to the right in `both`. */
static void staircase(int n, bool both, imp_sparse *made) {
    int row[3 * MOST_ROWS], column[3 * MOST_ROWS], count = 0;
    double value[3 * MOST_ROWS];
    for (int i = 0; i < n; i++)
        for (int j = i > 0 ? i - 1 : 0; j < n && j <= i + both; j++) {
            row[count] = i;
            column[count] = j;
            value[count++] = i == j ? 4 : 1;
        }
    (void)imp_sparse_from_triplets(n, n, count, row, column, value, made);
}

/* What W cannot be made of. */
/* A row with a block for each of more contacts than fit. */
static int too_many(const imp_operator *W, int i, int *columns) {
    (void)W, (void)i, (void)columns;
    return 1 << 30;
}

static void test_too_many(void) {
    static const imp_operator_kind endless = {.name = "endless", .columns = too_many};
    const imp_operator W = {.nc = 3, .kind = &endless};
    ok(!imp_blocks_of(&W), "more blocks than int counts have no room");
}

static void test_singular(void) {
    int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double value[] = {1, 2, 2, 4}, b[2] = {1, 1};
    const imp_sparse M = {2, 2, start, row, value};
    ok(imp_sparse_solve(&M, b) == IMP_NOT_POSITIVE, "a singular matrix is not solved with");
}

/* W_nt of a contact that no normal impulse moves is off by a share of the largest entry. */
static void test_massless(void) {
    const double W[9] = {0, 1, 0, 0.5, 4, 0, 0, 0, 2};
    const imp_operator one = imp_operator_dense(1, W);
    is_near(imp_operator_asymmetry(&one), 0.5 / 4, 0, 1e-15,
            "asymmetry beside a 0 of the diagonal");
    const double holes[9] = {1, NAN, 0, 0, 1, 0, 0, 0, 1}, gap[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    const imp_operator holed = imp_operator_dense(1, holes), gapped = imp_operator_dense(1, gap);
    imp_operator_facts facts;
    ok(imp_operator_asymmetry(&holed) == INFINITY && imp_operator_asymmetry(&gapped) == INFINITY &&
           imp_operator_facts_of(&holed, &facts) == IMP_NOT_FINITE,
       "an entry that is no number is as far from its mirror as any, and no lack of memory");
}

/* Sizes that are none, and a system of none. */
static void test_sizes(void) {
    imp_sparse none;
    ok(imp_sparse_from_triplets(-1, 3, 0, NULL, NULL, NULL, &none) == IMP_BAD_ARGUMENT &&
           imp_sparse_from_triplets(3, -1, 0, NULL, NULL, NULL, &none) == IMP_BAD_ARGUMENT &&
           imp_sparse_unit(-1, &none) == IMP_BAD_ARGUMENT && !none.start &&
           imp_sparse_from_triplets(3, 3, -1, NULL, NULL, NULL, &none) == IMP_BAD_ARGUMENT &&
           !none.start,
       "fewer than no rows, columns or triplets");
    imp_sparse W;
    ok(imp_sparse_unit(0, &none) == IMP_OK && imp_sparse_solve(&none, NULL) == IMP_OK &&
           imp_sparse_delassus(&none, &none, NULL, NULL, &W, NULL) == IMP_OK && W.rows == 0,
       "no unknowns are solved for");
    imp_sparse_clear(&W);
    imp_sparse_clear(&none);
}

/* Masses and directions that belong to other systems. */
static void test_shapes(void) {
    const int sizes[4][4] = {{6, 6, 3, 6}, {3, 3, 6, 3}, {3, 6, 3, 3}, {3, 3, 3, 4}};
    for (int k = 0; k < 4; k++) {
        const int *s = sizes[k], first[3] = {0, 1, 2};
        const double ones[3] = {1, 1, 1};
        imp_sparse M, H, W;
        imp_factored *made = NULL;
        ok(imp_sparse_from_triplets(s[0], s[1], 3, first, first, ones, &M) == IMP_OK &&
               imp_sparse_from_triplets(s[2], s[3], 3, first, first, ones, &H) == IMP_OK &&
               imp_factored_new(&M, &H, &made) == IMP_BAD_ARGUMENT && !made &&
               imp_sparse_delassus(&M, &H, NULL, NULL, &W, NULL) ==
                   (k < 3 ? IMP_BAD_ARGUMENT : IMP_OK) &&
               (k < 3) == !W.start,
           "M %d x %d beside H %d x %d", s[0], s[1], s[2], s[3]);
        imp_sparse_clear(&M);
        imp_sparse_clear(&H);
        imp_sparse_clear(&W);
    }
}

static void test_refusals(void) {
    imp_sparse M, H;
    imp_factored *made = NULL;
    staircase(6, false, &M);
    ok(imp_factored_new(&M, &M, &made) == IMP_UNSUPPORTED && !made,
       "masses whose entries have no mirror");
    M.columns = 3;
    ok(!imp_blocks_new(&M), "blocks of a matrix that is not square");
    M.columns = 6;
    ok(imp_sparse_unit(6, &H) == IMP_OK && imp_factored_new(&H, &M, &made) == IMP_OK,
       "a factor of two contacts");
    const imp_operator two = imp_operator_factored(made);
    ok(!imp_operator_singular(&two, 3), "which is for nobody to call singular");
    imp_factored_free(made);
    imp_sparse_clear(&M);
    imp_sparse_clear(&H);
    const int turn_row[3] = {1, 2, 0}, turn_column[3] = {0, 1, 2};
    const double ones[3] = {1, 1, 1};
    ok(imp_sparse_from_triplets(3, 3, 3, turn_row, turn_column, ones, &M) == IMP_OK &&
           imp_sparse_unit(3, &H) == IMP_OK && imp_factored_new(&M, &H, &made) == IMP_UNSUPPORTED &&
           !made,
       "masses that turn rows");
    imp_sparse_clear(&M);
    imp_sparse_clear(&H);
    staircase(4, false, &M);
    ok(!imp_blocks_new(&M), "blocks of four rows");
    imp_sparse_clear(&M);
    test_shapes();
    const int counts[2] = {63, MOST_ROWS};
    for (int k = 0; k < 2; k++) { /* three to a contact; the more are too many for one body */
        staircase(counts[k], true, &M);
        ok(imp_sparse_unit(counts[k], &H) == IMP_OK &&
               imp_factored_new(&M, &H, &made) == (k ? IMP_UNSUPPORTED : IMP_OK),
           "%d coordinates that depend on each other", counts[k]);
        imp_factored_free(made);
        imp_sparse_clear(&M);
        imp_sparse_clear(&H);
    }
}

static bool same_ints(const int *a, const int *b, int n) {
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* W = G'G of G itself is what unit masses make of it, whatever rows the columns of a contact have,
 * and values of 0 among them. */
static void test_of_rows(void) {
    enum { ROWS = 7, COLUMNS = 12 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        gen_stream g = gen_seed(701, seed);
        int row[ROWS * COLUMNS], column[ROWS * COLUMNS], count = 0;
        double value[ROWS * COLUMNS];
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            if (gen_uniform(&g, 0, 1) < 0.6) continue;
            row[count] = k % ROWS;
            column[count] = k / ROWS;
            value[count++] = gen_uniform(&g, 0, 1) < 0.4 ? 0 : gen_normal(&g);
        }
        imp_sparse G, unit;
        imp_factored *a = NULL, *b = NULL;
        const bool good =
            imp_sparse_from_triplets(ROWS, COLUMNS, count, row, column, value, &G) == IMP_OK &&
            imp_sparse_unit(ROWS, &unit) == IMP_OK && imp_factored_of(&G, &a) == IMP_OK &&
            imp_factored_new(&unit, &G, &b) == IMP_OK;
        const int n = good ? b->start[b->nc] : 0;
        ok(good && a->nc == b->nc && a->rows == b->rows &&
               same_ints(a->start, b->start, b->nc + 1) && same_ints(a->row, b->row, n) &&
               same_ints(a->first, b->first, b->rows + 1) && same_ints(a->contact, b->contact, n) &&
               same_ints(a->entry, b->entry, n) &&
               memcmp(a->G, b->G, 3 * (size_t)n * sizeof *a->G) == 0,
           "a factor of rows, %d of %d entries", n, count);
        imp_factored_free(a);
        imp_factored_free(b);
        if (seed == 0) {
            G.columns = 4;
            ok(imp_factored_of(&G, &a) == IMP_BAD_ARGUMENT && !a, "columns that are no contacts");
        }
        imp_sparse_clear(&G);
        imp_sparse_clear(&unit);
    }
}

int main(void) {
    test_root();
    test_nearly_the_same();
    test_of_rows();
    test_sizes();
    test_refusals();
    test_too_many();
    test_massless();
    test_singular();
    for (uint64_t k = 0; k < 3; k++) {
        const sample s = make(k);
        const imp_blocks blocks = {NC, s.start, s.column, s.block};
        const imp_operator dense = imp_operator_dense(NC, s.W),
                           sparse = imp_operator_blocks(&blocks);
        test_kind(&s, &dense);
        test_kind(&s, &sparse);
        double by_dense[N], by_blocks[N];
        imp_operator_apply(&dense, s.p, s.q, by_dense);
        imp_operator_apply(&sparse, s.p, s.q, by_blocks);
        ok(memcmp(by_dense, by_blocks, sizeof by_dense) == 0, "both kinds agree to the last bit");
        memcpy(by_blocks, s.q, sizeof by_blocks);
        imp_operator_apply(&sparse, s.p, by_blocks, by_blocks);
        ok(memcmp(by_dense, by_blocks, sizeof by_dense) == 0, "also where q was");
    }
    return tap_done();
}
