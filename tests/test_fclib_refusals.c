/* test_fclib_refusals.c - FCLIB files that hold no contact problem, or not as FCLIB says: refused
 * in one line that names the data set and says what was expected. */
#include "impact.h"
#include "io/fclib.h"
#include "read_path.h"
#include "scratch.h"
#include "tap.h"
#include "two_masses.h"

#include <hdf5.h>

static imp_fclib local_of(int joints) {
    imp_fclib global = masses(joints), local;
    if (imp_fclib_local(&global, &local) != IMP_OK) abort();
    imp_fclib_clear(&global);
    return local;
}

static const char *file_of(imp_fclib *problem) {
    imp_error error;
    const char *path = scratch_path("file.hdf5");
    FILE *out = fopen(path, "wb");
    if (!out || imp_fclib_write(out, path, problem, &error) != IMP_OK || fclose(out) != 0) abort();
    imp_fclib_clear(problem);
    return path;
}

static void refuses(const char *path, imp_status want, const char *says) {
    imp_error error = {0};
    const imp_status status = read_path(path, &error);
    const size_t name = strlen(path);
    ok(status == want && error.status == status && strlen(error.text) > name &&
           strcmp(error.text + name, says) == 0,
       "refused%s", error.text + (*error.text ? name : 0));
    ok(read_path(path, NULL) == status, "and without words");
}

/* An M that bodies with joints cannot have, bodies without can have as little; to rounding it is
 * what it should be. */
static void check_mass(void) {
    static const struct {
        double upper, lower; /* M_01, M_10, beside M_00 = M_11 = 1 */
        const char *says;
    } couplings[] = {
        {0.5, 0.4, ": /fclib_global/M: not symmetric, expected a mass matrix"},
        {0.5, 0.5 + 2e-12, ": /fclib_global/M: not symmetric, expected a mass matrix"},
        {0.5, 0.5 + 5e-13, NULL},
        {1e-13, -1e-13, NULL},
        {1.5, 1.5, ": /fclib_global/M: not positive definite, expected a mass matrix"}};
    for (int k = 0; k < 10; k++) {
        imp_fclib p = masses(k % 2 ? JOINTS : 0);
        int row[DOF + 2], column[DOF + 2];
        double value[DOF + 2];
        for (int i = 0; i < DOF; i++) {
            row[i] = column[i] = i;
            value[i] = 1;
        }
        row[DOF] = column[DOF + 1] = 0;
        row[DOF + 1] = column[DOF] = 1;
        value[DOF] = couplings[k / 2].upper;
        value[DOF + 1] = couplings[k / 2].lower;
        imp_sparse_clear(&p.M);
        if (imp_sparse_from_triplets(DOF, DOF, DOF + 2, row, column, value, &p.M) != IMP_OK)
            abort();
        const char *path = file_of(&p);
        imp_error error = {0};
        if (couplings[k / 2].says)
            refuses(path, IMP_BAD_ARGUMENT, couplings[k / 2].says);
        else
            ok(read_path(path, &error) == IMP_OK, "asymmetric by rounding: %s", error.text);
    }
    imp_fclib p = masses(0);
    p.M.value[2] = -1;
    refuses(file_of(&p), IMP_BAD_ARGUMENT, couplings[4].says);
}

/* What the numbers say is no contact problem. */
static void check_content(void) {
    imp_error error = {0};
    imp_fclib p = masses(JOINTS);
    ok(read_path(file_of(&p), &error) == IMP_OK, "global with joints, as it is: %s", error.text);
    p = local_of(JOINTS);
    ok(read_path(file_of(&p), &error) == IMP_OK, "local, as it is: %s", error.text);
    p = masses(0);
    p.mu[1] = -1;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_global/vectors/mu[1]: -1, expected a number >= 0");
    p = masses(0);
    p.M.value[2] = 0;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_global/M: not positive definite, expected a mass matrix");
    p = masses(JOINTS);
    p.M.value[2] = 0;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_global/M: not positive definite, expected a mass matrix");
    p = masses(JOINTS); /* the same velocity, given twice */
    p.G.row[1] = p.G.row[0];
    p.b[1] = 1;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_global/G: rows that contradict each other, expected constraints that some "
            "velocities keep");
    p = local_of(JOINTS);
    p.R.value[1] = 0;
    p.V.value[1] = 0;
    p.s[1] = 1;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_local/R: rows that contradict each other, expected constraints that some "
            "velocities keep");
    p = local_of(JOINTS);
    p.R.value[1] = -1;
    refuses(
        file_of(&p), IMP_BAD_ARGUMENT,
        ": /fclib_local/R: not symmetric positive semidefinite with W and V, expected it to be");
    p = local_of(JOINTS);
    p.R.value[1] = 0; /* what V there says, nothing keeps */
    refuses(
        file_of(&p), IMP_BAD_ARGUMENT,
        ": /fclib_local/R: not symmetric positive semidefinite with W and V, expected it to be");
    p = local_of(0);
    p.W.value[3] = -1;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_local: W is not positive semidefinite at contact 1, expected it to be");
    p = local_of(0);
    p.mu[0] = -0.25;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_local/vectors/mu[0]: -0.25, expected a number >= 0");
    p = masses(0);
    p.M.value[4] = 1e-308;
    p.H.value[4] = 1e10;
    p.w[4] = 0;
    refuses(file_of(&p), IMP_BAD_ARGUMENT,
            ": /fclib_global: W or q is beyond 1.8e308, expected numbers below");
}

/* R from all of its entries. */
static void put_matrix(imp_sparse *A, int n, const double *entries) {
    int row[JOINTS * JOINTS], column[JOINTS * JOINTS];
    double value[JOINTS * JOINTS];
    for (int k = 0; k < n * n; k++) {
        row[k] = k / n;
        column[k] = k % n;
        value[k] = entries[k];
    }
    imp_sparse_clear(A);
    if (imp_sparse_from_triplets(n, n, n * n, row, column, value, A) != IMP_OK) abort();
}

static void check_dependence(void) {
    static const double almost[4] = {1, 1 - 3e-11, 1 - 3e-11, 1}, unequal[4] = {1, 0.5, 0.25, 1},
                        indefinite[4] = {1, 2, 2, 1}, hollow[4] = {0, 1, 1, 1};
    const struct {
        const double *R;
        const char *says;
    } list[] = {{almost,
                 ": /fclib_local/R: rows that almost depend on each other, expected them to "
                 "or not to"},
                {unequal, ": /fclib_local/R: not symmetric positive semidefinite with W and V, "
                          "expected it to be"},
                {indefinite, ": /fclib_local/R: not symmetric positive semidefinite with W and V, "
                             "expected it to be"},
                {hollow, ": /fclib_local/R: not symmetric positive semidefinite with W and V, "
                         "expected it to be"}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        imp_fclib p = local_of(JOINTS);
        put_matrix(&p.R, JOINTS, list[k].R);
        refuses(file_of(&p), IMP_BAD_ARGUMENT, list[k].says);
    }
}

/* Structure: an object is taken away, or another put in its place. */
static hid_t open_file(const char *path) {
    return H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
}

typedef enum change { AWAY, TEXT, FLAT, TWO, NONE, INFINITE, GROUP, SHORT } change;

static void put(hid_t file, const char *at, change what) {
    const hsize_t flat[2] = {2, 3}, two = 2, none = 0, one = 1;
    double values[ROWS] = {1, 1, 1, 1, 1, 1};
    hid_t space, type = H5T_NATIVE_DOUBLE;
    if (H5Ldelete(file, at, H5P_DEFAULT) < 0) abort();
    if (what == AWAY) return;
    if (what == GROUP) {
        H5Gclose(H5Gcreate2(file, at, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        return;
    }
    space = what == FLAT    ? H5Screate_simple(2, flat, NULL)
            : what == TWO   ? H5Screate_simple(1, &two, NULL)
            : what == NONE  ? H5Screate_simple(1, &none, NULL)
            : what == SHORT ? H5Screate_simple(1, &one, NULL)
                            : H5Screate(H5S_SCALAR);
    if (what == TEXT) type = H5T_C_S1;
    if (what == INFINITE) values[0] = INFINITY;
    const hid_t data = H5Dcreate2(file, at, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (what != NONE) H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Sclose(space);
}

static void check_structure(void) {
    static const struct {
        const char *at;
        change what;
        const char *says;
    } list[] = {
        {"/fclib_global", AWAY, ": /: expected a group fclib_local or fclib_global"},
        {"/fclib_global/spacedim", AWAY, ": /fclib_global/spacedim: missing data set"},
        {"/fclib_global/spacedim", GROUP, ": /fclib_global/spacedim: missing data set"},
        {"/fclib_global/spacedim", TWO, ": /fclib_global/spacedim: wrong type, expected integers"},
        {"/fclib_global/vectors", TWO, ": /fclib_global/vectors/mu: damaged"},
        {"/fclib_global/vectors/w", AWAY, ": /fclib_global/vectors/w: missing data set"},
        {"/fclib_global/vectors/w", TEXT,
         ": /fclib_global/vectors/w: wrong type, expected floating point"},
        {"/fclib_global/vectors/w", FLAT,
         ": /fclib_global/vectors/w: a table, expected one dimension"},
        {"/fclib_global/vectors/w", TWO, ": /fclib_global/vectors/w: 2 entries, expected 6"},
        {"/fclib_global/vectors/w", NONE, ": /fclib_global/vectors/w: 0 entries, expected 6"},
        {"/fclib_global/vectors/b", NONE, ": /fclib_global/vectors/b: no entries, expected some"},
        {"/fclib_global/vectors/w", INFINITE,
         ": /fclib_global/vectors/w[0]: not finite, expected a number"},
        {"/fclib_global/vectors/f", TWO, ": /fclib_global/vectors/f: 2 entries, expected 6"},
        {"/fclib_global/vectors/mu", SHORT, ": /fclib_global/vectors/mu: 1 entries, expected 2"},
        {"/fclib_global/M/x", TWO, ": /fclib_global/M/x: 2 entries, expected 6"},
        {"/fclib_global/M", AWAY, ": /fclib_global/M/m: missing data set"},
        {"/fclib_global/H/i", AWAY, ": /fclib_global/H/i: missing data set"},
        {"/fclib_global/G", TWO, ": /fclib_global/G/m: damaged"},
        {"/fclib_global/vectors/b", AWAY, ": /fclib_global/vectors/b: missing data set"},
        {"/solution", SHORT, ": /solution/r: damaged"},
        {"/solution/l", SHORT, ": /solution/l: 1 entries, expected 2"},
        {"/guesses/1", SHORT, ": /guesses/1/r: damaged"},
        {"/guesses/1/r", TWO, ": /guesses/1/r: 2 entries, expected 6"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        imp_fclib p = masses(JOINTS);
        p.guess = calloc(ROWS, sizeof *p.guess);
        p.solution = calloc(ROWS, sizeof *p.solution);
        const char *path = file_of(&p);
        const hid_t file = open_file(path);
        put(file, list[k].at, list[k].what);
        H5Fclose(file);
        refuses(path, IMP_BAD_ARGUMENT, list[k].says);
    }
}

static void set_int(hid_t file, const char *at, int value) {
    const hid_t data = H5Dopen2(file, at, H5P_DEFAULT);
    if (H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0) abort();
    H5Dclose(data);
}

static void set_ints(hid_t file, const char *at, hsize_t count, const int *values) {
    const hid_t space = H5Screate_simple(1, &count, NULL);
    if (H5Ldelete(file, at, H5P_DEFAULT) < 0) abort();
    const hid_t data =
        H5Dcreate2(file, at, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Sclose(space);
}

/* W by its columns (-1) and by its rows (-2), which of a diagonal one are the same. */
static void check_compressed(void) {
    static const int right[ROWS + 1] = {0, 1, 2, 3, 4, 5, 6},
                                  late[ROWS + 1] = {1, 1, 2, 3, 4, 5, 6},
                                  falls[ROWS + 1] = {0, 2, 1, 3, 4, 5, 6},
                                  beyond[ROWS + 1] = {0, 1, 2, 3, 4, 5, 9},
                                  outside[ROWS] = {0, 1, 2, 3, 4, 6};
    static const char *const says[] = {"", ": /fclib_local/W/p[0]: 1, expected 0 to 0",
                                       ": /fclib_local/W/p[2]: 1, expected 2 to 6",
                                       ": /fclib_local/W/p[6]: 9, expected 5 to 6",
                                       ": /fclib_local/W/i[5]: 6, expected 0 to 5"};
    for (int form = -1; form >= -2; form--)
        for (int wrong = 0; wrong < 5; wrong++) {
            imp_fclib p = local_of(0);
            const char *path = file_of(&p);
            const hid_t file = open_file(path);
            set_int(file, "/fclib_local/W/nz", form);
            set_ints(file, "/fclib_local/W/p", ROWS + 1,
                     wrong == 1   ? late
                     : wrong == 2 ? falls
                     : wrong == 3 ? beyond
                                  : right);
            if (wrong == 4) set_ints(file, "/fclib_local/W/i", ROWS, outside);
            H5Fclose(file);
            imp_error error = {0};
            if (wrong == 0)
                ok(read_path(path, &error) == IMP_OK, "compressed: %s", error.text);
            else
                refuses(path, IMP_BAD_ARGUMENT, says[wrong]);
        }
    imp_fclib p = local_of(0);
    const char *path = file_of(&p);
    hid_t file = open_file(path);
    set_int(file, "/fclib_local/W/nz", -3);
    H5Fclose(file);
    refuses(path, IMP_BAD_ARGUMENT, ": /fclib_local/W/nz[0]: -3, expected -2 to 6");
    file = open_file(path);
    set_int(file, "/fclib_local/W/nzmax", -1);
    H5Fclose(file);
    refuses(path, IMP_BAD_ARGUMENT, ": /fclib_local/W/nzmax[0]: -1, expected 0 to 2147483647");
    file = open_file(path);
    set_int(file, "/fclib_local/spacedim", 2);
    H5Fclose(file);
    refuses(path, IMP_UNSUPPORTED, ": /fclib_local/spacedim: 2 dimensions, expected 3");
}

/* W by triplets, CSparse's columns in p and rows in i. */
static void check_triplets(void) {
    static const int outside[ROWS] = {0, 1, 2, -1, 4, 5};
    static const char *const at[] = {"/fclib_local/W/p", "/fclib_local/W/i"},
                             *const says[] = {": /fclib_local/W/p[3]: -1, expected 0 to 5",
                                              ": /fclib_local/W/i[3]: -1, expected 0 to 5"};
    for (int k = 0; k < 2; k++) {
        imp_fclib p = local_of(0);
        const char *path = file_of(&p);
        const hid_t file = open_file(path);
        set_ints(file, at[k], ROWS, outside);
        H5Fclose(file);
        refuses(path, IMP_BAD_ARGUMENT, says[k]);
    }
}

/* Of a vector, of others and of matrices, which say how large a problem is, that one is refused
 * that the others are against. */
static void check_sizes(void) {
    static const struct {
        bool local;
        const char *at;
        int size; /* 0: of a vector, that becomes shorter */
        const char *says;
    } list[] = {
        {false, "/fclib_global/H/n", 3, ": /fclib_global/H: 6 x 3, expected 6 x 6 by the vectors"},
        {false, "/fclib_global/H/m", 5, ": /fclib_global/H: 5 x 6, expected 6 x 6 by the vectors"},
        {false, "/fclib_global/M/m", 5, ": /fclib_global/M: 5 x 6, expected 6 x 6 by the vectors"},
        {false, "/fclib_global/M/n", 5, ": /fclib_global/M: 6 x 5, expected 6 x 6 by the vectors"},
        {false, "/fclib_global/G/n", 1, ": /fclib_global/G: 6 x 1, expected 6 x 2 by the vectors"},
        {true, "/fclib_local/W/m", 5, ": /fclib_local/W: 5 x 6, expected 6 x 6 by the vectors"},
        {true, "/fclib_local/W/n", 3, ": /fclib_local/W: 6 x 3, expected 6 x 6 by the vectors"},
        {true, "/fclib_local/V/n", 1, ": /fclib_local/V: 6 x 1, expected 6 x 2 by the vectors"},
        {true, "/fclib_local/R/m", 1, ": /fclib_local/R: 1 x 2, expected 2 x 2 by the vectors"},
        {true, "/fclib_local/vectors/q", 0, ": /fclib_local/vectors/q: 2 entries, expected 6"},
        {true, "/fclib_local/vectors/s", 0, ": /fclib_local/vectors/s: 1 entries, expected 2"},
        {true, "/fclib_local/vectors/mu", 0, ": /fclib_local/vectors/mu: 1 entries, expected 2"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        imp_fclib p = list[k].local ? local_of(JOINTS) : masses(JOINTS);
        const char *path = file_of(&p);
        const hid_t file = open_file(path);
        if (list[k].size > 0)
            set_int(file, list[k].at, list[k].size);
        else
            put(file, list[k].at, strstr(list[k].at, "/q") ? TWO : SHORT);
        H5Fclose(file);
        refuses(path, IMP_BAD_ARGUMENT, list[k].says);
    }
    imp_fclib p = masses(0); /* neither can be told from the other */
    const char *path = file_of(&p);
    const hid_t file = open_file(path);
    put(file, "/fclib_global/vectors/w", TWO);
    set_int(file, "/fclib_global/H/n", 3);
    H5Fclose(file);
    refuses(path, IMP_BAD_ARGUMENT,
            ": /fclib_global/vectors/w: 2 entries, expected three per contact");
}

/* Titles: of a length that varies, of several lines, none, of another kind. */
static void check_titles(void) {
    static const char *const words = "two\nmasses";
    for (int kind = 0; kind < 4; kind++) {
        imp_fclib p = masses(0);
        const char *path = file_of(&p);
        const hid_t file = open_file(path), type = H5Tcopy(H5T_C_S1);
        const hsize_t two = 2;
        const hid_t space = kind == 2 ? H5Screate_simple(1, &two, NULL) : H5Screate(H5S_SCALAR);
        const char *texts[2] = {words, words};
        H5Tset_size(type, kind == 3 ? (size_t)1 << 20 : H5T_VARIABLE);
        H5Ldelete(file, "/fclib_global/info/title", H5P_DEFAULT);
        if (kind > 0) {
            const hid_t data = H5Dcreate2(file, "/fclib_global/info/title", type, space,
                                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            if (kind < 3) H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
            H5Dclose(data);
        }
        H5Sclose(space);
        H5Tclose(type);
        H5Fclose(file);
        imp_problem_file *read = NULL;
        imp_error error = {0};
        const bool good = imp_problem_file_open(path, &read, &error) == IMP_OK;
        const char *title = good ? imp_problem_file_fclib(read)->title : NULL;
        ok(good && (kind == 1 ? title && strcmp(title, words) == 0 : !title), "a title%s%s",
           kind == 1 ? "" : " that is none", error.text);
        imp_problem_file_close(read);
    }
}

int main(void) {
    check_mass();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    check_content();
    check_dependence();
    check_structure();
    check_compressed();
    check_triplets();
    check_sizes();
    check_titles();
    return tap_done();
}
