/* test_fclib.c - FCLIB files: round trips, both forms, the collection where it is present, damaged
 * and foreign files.
 */
#include "collection.h"
#include "generators/gen.h"
#include "impact.h"
#include "scratch.h"

#include <hdf5.h>
#include <sys/stat.h>

static imp_status read_path(const char *path, imp_fclib *problem, imp_error *error) {
    imp_input input;
    *error = (imp_error){0};
    imp_status status = imp_input_open(&input, path, error);
    if (status != IMP_OK) return status;
    status = imp_fclib_read(&input, problem, error);
    imp_input_close(&input);
    return status;
}

static imp_status write_path(const char *path, const imp_fclib *problem, imp_error *error) {
    imp_output output;
    imp_status status = imp_output_open(&output, path, error);
    if (status == IMP_OK) status = imp_fclib_write(output.file, path, problem, error);
    if (status == IMP_OK) return imp_output_commit(&output, error);
    imp_output_abandon(&output);
    return status;
}

static bool same_matrix(const imp_sparse *a, const imp_sparse *b) {
    if (a->rows != b->rows || a->columns != b->columns) return false;
    if (!a->start || !b->start) return a->start == b->start;
    const size_t count = (size_t)a->start[a->columns];
    return memcmp(a->start, b->start, ((size_t)a->columns + 1) * sizeof(int)) == 0 &&
           memcmp(a->row, b->row, count * sizeof(int)) == 0 &&
           memcmp(a->value, b->value, count * sizeof(double)) == 0;
}

static bool same_vector(const double *a, const double *b, int n) {
    return a && b ? memcmp(a, b, (size_t)n * sizeof *a) == 0 : a == b;
}

static bool same(const imp_fclib *a, const imp_fclib *b) {
    return a->nc == b->nc && a->dof == b->dof && same_matrix(&a->W, &b->W) &&
           same_matrix(&a->M, &b->M) && same_matrix(&a->H, &b->H) &&
           same_vector(a->q, b->q, 3 * a->nc) && same_vector(a->f, b->f, a->dof) &&
           same_vector(a->w, b->w, 3 * a->nc) && same_vector(a->mu, b->mu, a->nc) &&
           same_vector(a->guess, b->guess, 3 * a->nc) &&
           same_vector(a->solution, b->solution, 3 * a->nc) && strcmp(a->title, b->title) == 0 &&
           strcmp(a->description, b->description) == 0 && strcmp(a->math_info, b->math_info) == 0;
}

static double *random_vector(gen_stream *s, int n) {
    double *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = gen_normal(s);
    return x;
}

/* A made global problem: `bodies` point masses on a line, each touching the next; masses in 2 x 2
 * coupled blocks. */
static imp_fclib made(int bodies) {
    gen_stream s = gen_seed(902, (uint64_t)bodies);
    const int dof = 3 * bodies, nc = bodies - 1;
    int row[600], column[600], count = 0;
    double value[600];
    imp_fclib problem = {.nc = nc,
                         .dof = dof,
                         .title = strdup("made"),
                         .description = calloc(1, 5000),
                         .math_info = strdup("point masses on a line")};
    memset(problem.description, 'x', 4999); /* none of a file's texts is too long */
    for (int i = 0; i < dof; i++) {
        row[count] = column[count] = i;
        value[count++] = 2 + gen_uniform(&s, 0, 1);
        if (i % 2 == 1) {
            row[count] = column[count + 1] = i - 1;
            column[count] = row[count + 1] = i;
            value[count] = value[count + 1] = gen_uniform(&s, -1, 1);
            count += 2;
        }
    }
    imp_sparse_from_triplets(dof, dof, count, row, column, value, &problem.M);
    count = 0;
    for (int c = 0; c < nc; c++)
        for (int r = 0; r < 3; r++)
            for (int side = 0; side < 2; side++) {
                row[count] = 3 * (c + side) + r;
                column[count] = 3 * c + r;
                value[count++] = side ? 1 : -1;
            }
    imp_sparse_from_triplets(dof, 3 * nc, count, row, column, value, &problem.H);
    problem.f = random_vector(&s, dof);
    problem.w = random_vector(&s, 3 * nc);
    problem.guess = random_vector(&s, 3 * nc);
    problem.solution = random_vector(&s, 3 * nc);
    problem.mu = random_vector(&s, nc);
    for (int i = 0; i < nc; i++)
        problem.mu[i] = fabs(problem.mu[i]);
    return problem;
}

static void test_round_trip(void) {
    imp_error error;
    imp_fclib global = made(9), local, again;
    ok(write_path(scratch_path("global.hdf5"), &global, &error) == IMP_OK,
       "a global problem is written");
    ok(read_path(scratch_path("global.hdf5"), &again, &error) == IMP_OK && same(&global, &again),
       "and read back the same");
    imp_fclib_clear(&again);
    ok(imp_fclib_local(&global, &local) == IMP_OK, "its local form");
    ok(write_path(scratch_path("local.hdf5"), &local, &error) == IMP_OK, "is written");
    ok(read_path(scratch_path("local.hdf5"), &again, &error) == IMP_OK && same(&local, &again),
       "and read back the same");

    /* W = H' M^-1 H by another way: M (H W^-1 ...) is not needed, M v = H r + f and u = H'v + w for
     * a random r. */
    double v[27], u[24];
    memcpy(v, global.f, sizeof v);
    imp_sparse_multiply(&global.H, global.solution, v);
    double load[27];
    memcpy(load, v, sizeof load);
    imp_sparse_solve(&global.M, v);
    double back[27] = {0};
    imp_sparse_multiply(&global.M, v, back);
    is_vec(back, load, 27, 0, 1e-14, "M v = H r + f");
    memcpy(u, global.w, sizeof u);
    imp_sparse_multiply_transposed(&global.H, v, u);
    imp_blocks *blocks = imp_blocks_new(&local.W);
    const imp_operator W = imp_operator_blocks(blocks);
    double local_u[24];
    imp_operator_apply(&W, local.solution, local.q, local_u);
    is_vec(local_u, u, 24, 0, 1e-13, "u = W r + q of the local form is H'v + w of the global one");
    imp_blocks_free(blocks);
    imp_fclib_clear(&again);
    imp_fclib_clear(&local);
    imp_fclib_clear(&global);
}

/* A mass matrix of which one triangle is stored is read as both. */
static void test_triangle(void) {
    imp_error error;
    imp_fclib global = made(9), again;
    imp_sparse whole;
    if (imp_sparse_copy(&global.M, &whole) != IMP_OK) abort();
    for (int upper = 0; upper < 2; upper++) {
        for (int j = 0; j < whole.columns; j++)
            for (int k = whole.start[j]; k < whole.start[j + 1]; k++)
                global.M.value[k] =
                    (upper ? whole.row[k] > j : whole.row[k] < j) ? 0 : whole.value[k];
        free(global.guess);
        free(global.solution); /* nothing is solved with half of it */
        global.guess = global.solution = NULL;
        ok(write_path(scratch_path("half.hdf5"), &global, &error) == IMP_OK &&
               read_path(scratch_path("half.hdf5"), &again, &error) == IMP_OK &&
               same_matrix(&again.M, &whole),
           "the %s triangle alone: both", upper ? "upper" : "lower");
        imp_fclib_clear(&again);
    }
    imp_sparse_clear(&whole);
    imp_fclib_clear(&global);
}

/* Of more coordinates than a body has, which M couples: 2 on the diagonal, -1 beside it, less
 * a bit more and a bit less than the least eigenvalue, 2 - 2 cos(pi / 101) = 9.67e-4. */
static void test_mass(void) {
    enum { MANY = 100 };
    static int row[3 * MANY], column[3 * MANY];
    static double value[3 * MANY];
    for (int k = 0; k < 2; k++) {
        int count = 0;
        imp_sparse M;
        for (int i = 0; i < MANY; i++)
            for (int j = i > 0 ? i - 1 : 0; j < MANY && j <= i + 1; j++, count++) {
                row[count] = i;
                column[count] = j;
                value[count] = i == j ? 2 - (k ? 9.68e-4 : 9.66e-4) : -1;
            }
        if (imp_sparse_from_triplets(MANY, MANY, count, row, column, value, &M) != IMP_OK) abort();
        ok(imp_fclib_check_mass(&M) == (k ? IMP_NOT_POSITIVE : IMP_OK),
           "a hundred coupled coordinates: %s", k ? "not positive" : "a mass matrix");
        imp_sparse_clear(&M);
    }
}

/* W = G'G by the factor against H'M^-1 H by sparse columns: block by block, by rows, and as blocks
 * written out. */
static void test_posed(void) {
    imp_fclib global = made(9), local;
    imp_fclib_posed posed;
    ok(imp_fclib_pose(&global, &posed) == IMP_OK && posed.factored,
       "a global problem keeps its bodies");
    imp_fclib_local(&global, &local);
    imp_blocks *blocks = imp_blocks_new(&local.W);
    const imp_operator W = imp_operator_blocks(blocks),
                       free_of_blocks = imp_operator_factored(posed.factored);
    double dense[3][24 * 24], sum[24], other[24], size[3], skipped[3], whole[3];
    const imp_operator *kinds[3] = {&W, &free_of_blocks, &posed.W};
    for (int k = 0; k < 3; k++)
        imp_problem_dense(&(imp_problem){.nc = 8, .W = kinds[k], .q = NULL, .mu = NULL}, dense[k]);
    is_vec(dense[1], dense[0], 24 * 24, 1e-15, 1e-14, "G'G = H'M^-1 H block by block");
    is_vec(dense[2], dense[0], 24 * 24, 1e-15, 1e-14, "and written out");
    imp_operator_apply(&W, local.solution, NULL, sum);
    imp_operator_apply(&free_of_blocks, local.solution, NULL, other);
    is_vec(other, sum, 24, 0, 1e-13, "G'(G p) = W p");
    W.kind->row(&W, 3, 4, local.solution, whole, NULL);
    free_of_blocks.kind->row(&free_of_blocks, 3, 4, local.solution, skipped, size);
    is_vec(skipped, whole, 3, 0, 1e-13, "a row without one contact");
    ok(size[0] >= fabs(skipped[0]) && size[1] >= fabs(skipped[1]), "and the size of its terms");
    ok(imp_operator_asymmetry(&free_of_blocks) == 0, "symmetric to the last bit");
    imp_sparse crooked;
    imp_factored *none;
    imp_sparse_copy(&global.M, &crooked);
    crooked.value[1] *= 1.001;
    ok(imp_factored_new(&crooked, &global.H, &none) == IMP_UNSUPPORTED && !none,
       "an asymmetric M has no factor");
    for (int k = 0; k < crooked.start[crooked.columns]; k++)
        crooked.value[k] = -global.M.value[k];
    ok(imp_factored_new(&crooked, &global.H, &none) == IMP_NOT_POSITIVE && !none,
       "a negative M neither");
    imp_sparse_clear(&crooked);
    imp_blocks_free(blocks);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&local);
    imp_fclib_clear(&global);
}

static void put_ints(hid_t file, const char *name, int count, const int *value) {
    char path[100];
    const hsize_t n = (hsize_t)count;
    snprintf(path, sizeof path, "/fclib_global/H/%s", name);
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t held =
        H5Dcreate2(file, path, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (held < 0 || H5Dwrite(held, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
        abort();
    H5Dclose(held);
    H5Sclose(space);
}

/* H, which is not square, by compressed columns (nz = -1) and by compressed rows (-2) is the H of
 * the triplets. */
static void test_compressed(void) {
    for (int nz = -1; nz >= -2; nz--) {
        imp_fclib problem = made(9), again;
        imp_error error = {.text = ""};
        imp_sparse kept;
        const char *path = scratch_path("compressed.hdf5");
        if (nz == -1)
            imp_sparse_copy(&problem.H, &kept);
        else
            imp_sparse_transpose(&problem.H, &kept);
        const int entries = kept.start[kept.columns];
        ok(write_path(path, &problem, &error) == IMP_OK, "written %s", error.text);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT),
                    values = H5Dopen2(file, "/fclib_global/H/x", 0);
        put_ints(file, "nz", 1, &nz);
        put_ints(file, "p", kept.columns + 1, kept.start);
        put_ints(file, "i", entries, kept.row);
        H5Dwrite(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, kept.value);
        H5Dclose(values);
        H5Fclose(file);
        ok(read_path(path, &again, &error) == IMP_OK && same(&problem, &again),
           "read from nz = %d %s", nz, error.text);
        imp_fclib_clear(&again);
        imp_sparse_clear(&kept);
        imp_fclib_clear(&problem);
    }
}

static void test_sparse(void) {
    const int row[] = {2, 0, 2, 1, 2}, column[] = {0, 0, 2, 1, 0};
    const double value[] = {1, 2, 3, 4, 5};
    imp_sparse A, T, none;
    ok(imp_sparse_from_triplets(3, 3, 5, row, column, value, &A) == IMP_OK && A.start[3] == 4 &&
           A.row[0] == 0 && A.row[1] == 2 && A.value[1] == 6,
       "triplets are sorted and repeated ones added up");
    imp_sparse_transpose(&A, &T);
    const double x[3] = {1, 10, 100};
    double y[3] = {0}, z[3] = {0};
    imp_sparse_multiply(&A, x, y);
    imp_sparse_multiply_transposed(&T, x, z);
    ok(y[0] == 2 && y[1] == 40 && y[2] == 306 && memcmp(y, z, sizeof y) == 0, "products");
    const int outside[] = {3};
    ok(imp_sparse_from_triplets(3, 3, 1, outside, column, value, &none) == IMP_BAD_ARGUMENT &&
           !none.start,
       "an index outside is refused");
    imp_sparse_clear(&A);
    imp_sparse_clear(&T);
}

static unsigned char *whole(const char *path, size_t *size) {
    struct stat about;
    stat(path, &about);
    *size = (size_t)about.st_size;
    unsigned char *bytes = malloc(*size);
    FILE *file = fopen(path, "rb");
    *size = fread(bytes, 1, *size, file);
    fclose(file);
    return bytes;
}

static void put(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
}

/* One clear line, or a problem that is still one: never a crash, never a line break. */
static bool survives(const char *path, int *refused) {
    imp_fclib problem = {0};
    imp_error error = {0};
    const imp_status status = read_path(path, &problem, &error);
    if (status != IMP_OK) ++*refused;
    const bool good = status == IMP_OK ? problem.nc > 0
                                       : error.text[0] && !strchr(error.text, '\n') && !problem.mu;
    imp_fclib_clear(&problem);
    return good;
}

static double attribute(hid_t file, const char *name) {
    double value = NAN;
    const hid_t held = H5Aopen_by_name(file, "/solution", name, H5P_DEFAULT, H5P_DEFAULT);
    if (held < 0 || H5Aread(held, H5T_NATIVE_DOUBLE, &value) < 0) value = NAN;
    if (held >= 0) H5Aclose(held);
    return value;
}

/* Is the text attribute exactly this one, with its end? */
static bool says(hid_t file, const char *name, const char *want) {
    char text[100] = "";
    const hid_t held = H5Aopen_by_name(file, "/solution", name, H5P_DEFAULT, H5P_DEFAULT);
    if (held < 0) return false;
    const hid_t type = H5Aget_type(held);
    const size_t size = H5Tget_size(type);
    const bool good =
        size == strlen(want) + 1 && H5Aread(held, type, text) >= 0 && strcmp(text, want) == 0;
    H5Tclose(type);
    H5Aclose(held);
    return good;
}

/* An answer in a file: its solution, and what W is like. */
static void test_answer(void) {
    imp_fclib problem = made(9);
    imp_fclib_posed posed;
    imp_answer answer;
    imp_error error = {.text = ""};
    imp_operator_facts facts;
    double p[24], u[24];
    if (imp_fclib_pose(&problem, &posed) != IMP_OK) abort();
    imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL, &answer);
    FILE *out = fopen(scratch_path("answer.hdf5"), "wb");
    if (!out) abort();
    const imp_status status = imp_answer_write_fclib(&problem, &imp_model_auto, &posed.problem,
                                                     &answer, true, out, "answer", &error);
    ok(fclose(out) == 0 && status == IMP_OK, "an answer is written %s", error.text);
    imp_operator_facts_of(posed.problem.W, &facts);
    const hid_t file = H5Fopen(scratch_path("answer.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    ok(says(file, "model", "auto") && says(file, "status", imp_status_text(answer.status)),
       "who answered, and how");
    ok(attribute(file, "energy") == answer.certificate.energy, "its energy is an attribute");
    ok(facts.rows == 24 && attribute(file, "W_rows") == 24 &&
           attribute(file, "W_rank") == facts.rank &&
           attribute(file, "W_redundancy") == facts.redundancy &&
           attribute(file, "W_condition") == facts.condition &&
           attribute(file, "W_asymmetry") == facts.asymmetry,
       "rank, redundancy, condition and asymmetry of W too");
    if (file >= 0) H5Fclose(file);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&problem);
}

static void test_damage(void) {
    size_t size;
    unsigned char *bytes = whole(scratch_path("global.hdf5"), &size);
    char path[300];
    snprintf(path, sizeof path, "%s", scratch_path("damaged.hdf5"));
    gen_stream s = gen_seed(903, 0);
    int refused = 0, bad = 0;
    for (int k = 0; k < 60; k++) {
        put(path, bytes, (size_t)gen_uniform(&s, 0, (double)size - 1));
        bad += !survives(path, &refused);
    }
    ok(bad == 0 && refused == 60, "60 truncated files: each refused with one line");
    for (int k = 0; k < 600; k++) {
        unsigned char *copy = malloc(size);
        memcpy(copy, bytes, size);
        for (int flips = 0; flips < 1 + k % 4; flips++)
            copy[(size_t)gen_uniform(&s, 0, (double)size)] = (unsigned char)gen_uniform(&s, 0, 256);
        put(path, copy, size);
        bad += !survives(path, &refused);
        free(copy);
    }
    ok(bad == 0 && refused > 80, "600 files with changed bytes: none crashes (%d refused)",
       refused - 60);
    free(bytes);
    put(path, (const unsigned char *)"", 0);
    ok(survives(path, &refused), "an empty file is refused");
    imp_fclib problem;
    imp_error error;
    ok(read_path(scratch_path("."), &problem, &error) == IMP_IO && strstr(error.text, "directory"),
       "a directory is refused");
}

static bool comes_back(const char *name, const imp_fclib *problem) {
    const char *path = scratch_path("again.hdf5");
    imp_fclib again = {0};
    imp_fclib_posed posed;
    imp_error error;
    (void)name;
    bool good = write_path(path, problem, &error) == IMP_OK &&
                read_path(path, &again, &error) == IMP_OK && same(problem, &again);
    good = good && imp_fclib_pose(problem, &posed) == IMP_OK && posed.problem.nc == problem->nc;
    if (good) imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&again);
    return good;
}

static void test_collection(void) {
    static const char *const without[] = {"pack1728", NULL};
    int bad;
    const int files = collection_each(without, comes_back, &bad);
    if (files < 0)
        skip("no collection of FCLIB problems here (IMPACT_DATA)");
    else
        ok(files > 30 && bad == 0,
           "%d files of the collection: read, posed, written and read back the same", files);
}

int main(void) {
    test_sparse();
    test_compressed();
    test_round_trip();
    test_posed();
    test_triangle();
    test_mass();
    test_answer();
    test_damage();
    test_collection();
    return tap_done();
}
