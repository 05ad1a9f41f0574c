/* fclib.c - FCLIB problems in and out of HDF5. */
#include "io/fclib.h"

#include "io/fclib_bilateral.h"
#include "io/hdf5_image.h"
#include "linear/triplets.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int imp_fclib_recognise(const unsigned char *bytes, size_t n) {
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return n >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

static imp_status refuse(hdf5_image *image, const char *path, const char *why) {
    return imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path, "%s", why);
}

/* The arrays of a stored matrix. nz >= 0: triplets with COLUMNS in p and ROWS in i (CSparse's
 * order; fclib.h's comment says the reverse); -1: compressed columns; -2: compressed rows. nzmax
 * may exceed the number of entries. */
typedef struct stored {
    int m, n, nz, nzmax, entries;
    int *p, *i;
    double *x;
} stored;

/* Of a matrix's whole numbers, one that is not from `least` to `most`. */
static imp_status refuse_entry(hdf5_image *image, const char *path, const char *name, int k,
                               int value, int least, int most) {
    char at[HDF5_PATH];
    snprintf(at, sizeof at, "%s/%s[%d]", path, name, k);
    return imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, at, "%d, expected %d to %d", value, least,
                           most);
}

/* Compressed starts: from 0, never falling, as many entries as are stored; spelled out as an index
 * per entry. */
static imp_status expand_starts(hdf5_image *image, const char *path, stored *s) {
    const int lines = s->nz == -1 ? s->n : s->m;
    for (int j = 0; j <= lines; j++) {
        const int least = j > 0 ? s->p[j - 1] : 0, most = j > 0 ? s->nzmax : 0;
        if (s->p[j] < least || s->p[j] > most)
            return refuse_entry(image, path, "p", j, s->p[j], least, most);
    }
    s->entries = s->p[lines];
    int *line = malloc(((size_t)s->entries + 1) * sizeof *line);
    if (!line) return imp_hdf5_no_memory(image);
    for (int j = 0; j < lines; j++)
        for (int k = s->p[j]; k < s->p[j + 1]; k++)
            line[k] = j;
    free(s->p);
    s->p = line;
    return IMP_OK;
}

/* Are all of these within a matrix so wide or high? */
static void check_indices(hdf5_image *image, const char *path, const char *name, int count,
                          const int *index, int size) {
    for (int k = 0; image->status == IMP_OK && k < count; k++)
        if (index[k] < 0 || index[k] >= size)
            refuse_entry(image, path, name, k, index[k], 0, size - 1);
}

/* The arrays of a matrix of as many rows and columns as the vectors of the problem have entries. */
static imp_status read_stored(hdf5_image *image, const char *path, int rows, int columns,
                              stored *s) {
    imp_hdf5_read_int(image, path, "m", &s->m);
    imp_hdf5_read_int(image, path, "n", &s->n);
    imp_hdf5_read_int(image, path, "nz", &s->nz);
    if (imp_hdf5_read_int(image, path, "nzmax", &s->nzmax) != IMP_OK) return image->status;
    if (s->m != rows || s->n != columns)
        return imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path,
                               "%d x %d, expected %d x %d by the vectors", s->m, s->n, rows,
                               columns);
    if (s->nzmax < 0) return refuse_entry(image, path, "nzmax", 0, s->nzmax, 0, INT_MAX);
    if (s->nz < -2 || s->nz > s->nzmax)
        return refuse_entry(image, path, "nz", 0, s->nz, -2, s->nzmax);
    int starts = s->nz >= 0 ? s->nz : 1 + (s->nz == -1 ? s->n : s->m);
    s->entries = s->nz;
    if (imp_hdf5_read_ints(image, path, "p", &starts, &s->p) == IMP_OK && s->nz < 0)
        expand_starts(image, path, s);
    check_indices(image, path, "p", s->entries, s->p, s->nz == -2 ? s->m : s->n);
    imp_hdf5_read_ints(image, path, "i", &s->entries, &s->i);
    check_indices(image, path, "i", s->entries, s->i, s->nz == -2 ? s->n : s->m);
    return imp_hdf5_read_doubles(image, path, "x", &s->entries, &s->x);
}

static imp_status read_matrix(hdf5_image *image, const char *path, int rows, int columns,
                              imp_sparse *matrix) {
    stored s = {0};
    if (image->status == IMP_OK && read_stored(image, path, rows, columns, &s) == IMP_OK) {
        const int *row = s.nz == -2 ? s.p : s.i, *column = s.nz == -2 ? s.i : s.p;
        if (imp_sparse_from_triplets(s.m, s.n, s.entries, row, column, s.x, matrix) != IMP_OK)
            imp_hdf5_no_memory(image);
    }
    free(s.p);
    free(s.i);
    free(s.x);
    return image->status;
}

/* A vector, of n entries where n is not negative. *count <- how many; may be NULL. */
static imp_status read_vector(hdf5_image *image, const char *group, const char *name, int n,
                              double **values, int *count) {
    int held = -1;
    char at[HDF5_PATH];
    if (imp_hdf5_read_doubles(image, group, name, &held, values) != IMP_OK) return image->status;
    imp_hdf5_join(at, group, name);
    if (n >= 0 && held != n)
        return imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, at, "%d entries, expected %d", held, n);
    if (held < 1) return refuse(image, at, "no entries, expected some");
    if (count) *count = held;
    return IMP_OK;
}

/* mu, whose entries are as many as contacts; who else says how many there are may know better. */
static void read_friction(hdf5_image *image, const char *group, imp_fclib *problem) {
    char at[HDF5_PATH];
    read_vector(image, group, "mu", -1, &problem->mu, &problem->nc);
    for (int i = 0; image->status == IMP_OK && i < problem->nc; i++) {
        snprintf(at, sizeof at, "%s/mu[%d]", group, i);
        if (problem->mu[i] < 0)
            imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, at, "%g, expected a number >= 0",
                            problem->mu[i]);
    }
}

/* mu and a vector of three entries per contact, which says how many contacts there are. Of it, of
 * mu and of the matrix with a column for each entry the one is refused that the others are
 * against. */
static void read_by_contact(hdf5_image *image, const char *group, const char *name,
                            const char *matrix, imp_fclib *problem, double **values) {
    int columns = 0, rows = 0;
    char at[HDF5_PATH];
    read_friction(image, group, problem);
    imp_hdf5_read_int(image, matrix, "n", &columns);
    const int contacts = problem->nc;
    const bool agree = columns % 3 == 0 && columns / 3 == contacts;
    if (read_vector(image, group, name, agree ? columns : -1, values, &rows) != IMP_OK) return;
    problem->nc = rows / 3;
    if (rows % 3 != 0)
        imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, imp_hdf5_join(at, group, name),
                        "%d entries, expected three per contact", rows);
    else if (contacts != problem->nc)
        imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, imp_hdf5_join(at, group, "mu"),
                        "%d entries, expected %d", contacts, problem->nc);
}

/* How many entries a vector has to have by the sizes of two matrices; -1 where they differ, and one
 * of them is refused. */
static int agreed(hdf5_image *image, const char *one, const char *size, const char *other,
                  const char *size_of_other) {
    int a = 0, b = 0;
    imp_hdf5_read_int(image, one, size, &a);
    imp_hdf5_read_int(image, other, size_of_other, &b);
    return a == b && a > 0 ? a : -1;
}

/* The vectors say how large the problem is, before anything of that size is made. */
static void read_local(hdf5_image *image, imp_fclib *problem) {
    read_by_contact(image, "/fclib_local/vectors", "q", "/fclib_local/W", problem, &problem->q);
    const int rows = 3 * problem->nc;
    read_matrix(image, "/fclib_local/W", rows, rows, &problem->W);
    if (!imp_hdf5_has(image, "/fclib_local/V") && !imp_hdf5_has(image, "/fclib_local/R")) return;
    read_vector(image, "/fclib_local/vectors", "s",
                agreed(image, "/fclib_local/V", "n", "/fclib_local/R", "n"), &problem->s,
                &problem->bilateral);
    read_matrix(image, "/fclib_local/V", rows, problem->bilateral, &problem->V);
    read_matrix(image, "/fclib_local/R", problem->bilateral, problem->bilateral, &problem->R);
}

/* A symmetric matrix of which one triangle is stored <- both, as of LMGC90's bodies of finite
 * elements. */
static void read_both_triangles(hdf5_image *image, imp_sparse *M) {
    imp_triplets entries = {0};
    bool above = false, below = false;
    for (int j = 0; j < M->columns; j++)
        for (int k = M->start[j]; k < M->start[j + 1]; k++) {
            const int i = M->row[k];
            above = above || (i < j && M->value[k] != 0);
            below = below || (i > j && M->value[k] != 0);
            imp_triplets_add(&entries, i, j, M->value[k]);
            if (i != j) imp_triplets_add(&entries, j, i, M->value[k]);
        }
    imp_sparse whole;
    if (imp_triplets_end(&entries, M->rows, M->columns, &whole) != IMP_OK) {
        imp_hdf5_no_memory(image);
    } else if (above != below) {
        imp_sparse_clear(M);
        *M = whole;
    } else {
        imp_sparse_clear(&whole);
    }
}

static void read_global(hdf5_image *image, imp_fclib *problem) {
    read_by_contact(image, "/fclib_global/vectors", "w", "/fclib_global/H", problem, &problem->w);
    read_vector(image, "/fclib_global/vectors", "f",
                agreed(image, "/fclib_global/M", "m", "/fclib_global/H", "m"), &problem->f,
                &problem->dof);
    if (read_matrix(image, "/fclib_global/M", problem->dof, problem->dof, &problem->M) == IMP_OK)
        read_both_triangles(image, &problem->M);
    read_matrix(image, "/fclib_global/H", problem->dof, 3 * problem->nc, &problem->H);
    if (!imp_hdf5_has(image, "/fclib_global/G")) return;
    read_vector(image, "/fclib_global/vectors", "b", -1, &problem->b, &problem->bilateral);
    read_matrix(image, "/fclib_global/G", problem->dof, problem->bilateral, &problem->G);
}

static imp_status read_problem(hdf5_image *image, imp_fclib *problem) {
    const bool local = imp_hdf5_has(image, "/fclib_local");
    if (!local && !imp_hdf5_has(image, "/fclib_global") && image->status == IMP_OK)
        refuse(image, "/", "expected a group fclib_local or fclib_global");
    const char *root = local ? "/fclib_local" : "/fclib_global",
               *info = local ? "/fclib_local/info" : "/fclib_global/info";
    int dimension = 0;
    if (imp_hdf5_read_int(image, root, "spacedim", &dimension) != IMP_OK) return image->status;
    if (dimension != 3)
        return imp_hdf5_refuse(image, IMP_UNSUPPORTED,
                               local ? "/fclib_local/spacedim" : "/fclib_global/spacedim",
                               "%d dimensions, expected 3", dimension);
    (local ? read_local : read_global)(image, problem);
    if (imp_hdf5_has(image, "/guesses/1/r"))
        read_vector(image, "/guesses/1", "r", 3 * problem->nc, &problem->guess, NULL);
    if (imp_hdf5_has(image, "/solution/r"))
        read_vector(image, "/solution", "r", 3 * problem->nc, &problem->solution, NULL);
    if (problem->bilateral > 0 && imp_hdf5_has(image, "/solution/l"))
        read_vector(image, "/solution", "l", problem->bilateral, &problem->multipliers, NULL);
    imp_hdf5_read_text(image, info, "title", &problem->title);
    imp_hdf5_read_text(image, info, "description", &problem->description);
    return imp_hdf5_read_text(image, info, "math_info", &problem->math_info);
}

imp_status imp_fclib_read(imp_input *input, imp_fclib *problem, imp_error *error) {
    hdf5_image image;
    *problem = (imp_fclib){0};
    imp_status status = imp_hdf5_image_open(&image, input, error);
    if (status == IMP_OK) status = read_problem(&image, problem);
    imp_hdf5_image_close(&image);
    if (status != IMP_OK) imp_fclib_clear(problem);
    return status;
}

/* Triplets, the form every reader of the collection takes. */
static imp_status write_matrix(hdf5_image *image, const char *path, const imp_sparse *matrix) {
    const int count = matrix->start[matrix->columns];
    int *column = malloc(((size_t)count + 1) * sizeof *column);
    if (!column) return imp_hdf5_no_memory(image);
    for (int j = 0; j < matrix->columns; j++)
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; k++)
            column[k] = j;
    imp_hdf5_write_group(image, path);
    imp_hdf5_write_ints(image, path, "m", 1, &matrix->rows);
    imp_hdf5_write_ints(image, path, "n", 1, &matrix->columns);
    imp_hdf5_write_ints(image, path, "nz", 1, &count);
    imp_hdf5_write_ints(image, path, "nzmax", 1, &count);
    imp_hdf5_write_ints(image, path, "p", count, column);
    imp_hdf5_write_ints(image, path, "i", count, matrix->row);
    imp_hdf5_write_doubles(image, path, "x", count, matrix->value);
    free(column);
    return image->status;
}

/* The solution group of a problem with its local form: r, u = W r + V l + q, l, and for the global
 * form v = M^-1 (H r + G l + f), of which with constraints u is H'v + w: their l may be large. */
static imp_status write_motion(hdf5_image *image, const char *group, const imp_fclib *problem,
                               imp_fclib *local, const double *r, double *v, double *l) {
    double error = 0;
    imp_status status = l   ? imp_fclib_constrain(problem, local, r, l, v, &error)
                        : v ? imp_fclib_velocity(problem, r, NULL, v)
                            : IMP_OK;
    if (status != IMP_OK) return status;
    if (l && v) {
        memcpy(local->q, problem->w, 3 * (size_t)problem->nc * sizeof *local->q);
        imp_sparse_multiply_transposed(&problem->H, v, local->q);
    } else {
        imp_sparse_multiply(&local->W, r, local->q);
        if (l) imp_sparse_multiply(&local->V, l, local->q);
    }
    imp_hdf5_write_group(image, group);
    imp_hdf5_write_doubles(image, group, "r", 3 * problem->nc, r);
    imp_hdf5_write_doubles(image, group, "u", 3 * problem->nc, local->q);
    if (v) imp_hdf5_write_doubles(image, group, "v", problem->dof, v);
    if (l) imp_hdf5_write_doubles(image, group, "l", problem->bilateral, l);
    if (l) imp_hdf5_mark_double(image, group, "error_constraints", error);
    return image->status;
}

static imp_status write_answer(hdf5_image *image, const char *group, const imp_fclib *problem,
                               const double *r) {
    const size_t dof = (size_t)problem->dof, rows = (size_t)problem->bilateral;
    imp_fclib local;
    imp_status status = imp_fclib_local(problem, &local);
    double *room = malloc((dof + rows + 1) * sizeof *room);
    if (status == IMP_OK && !room) status = IMP_NO_MEMORY;
    if (status == IMP_OK)
        status = write_motion(image, group, problem, &local, r, dof > 0 ? room : NULL,
                              rows > 0 ? room + dof : NULL);
    free(room);
    imp_fclib_clear(&local);
    return status;
}

static imp_status write_mark(hdf5_image *image, const imp_fclib_mark *mark) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"error_field", mark->field},
                   {"error_scale_free", mark->scale_free},
                   {"residual", mark->residual},
                   {"energy", mark->energy},
                   {"W_rows", mark->facts.rows},
                   {"W_rank", mark->facts.rank >= 0 ? (double)mark->facts.rank : NAN},
                   {"W_redundancy", mark->facts.redundancy},
                   {"W_condition", mark->facts.condition},
                   {"W_asymmetry", mark->facts.asymmetry}};
    const size_t count = sizeof numbers / sizeof *numbers - (mark->with_facts ? 0 : 5);
    imp_hdf5_mark_text(image, "/solution", "model", mark->model);
    imp_hdf5_mark_text(image, "/solution", "status", mark->status);
    for (size_t k = 0; k < count; k++)
        if (isfinite(numbers[k].value))
            imp_hdf5_mark_double(image, "/solution", numbers[k].name, numbers[k].value);
    return image->status;
}

static void write_local(hdf5_image *image, const imp_fclib *problem) {
    write_matrix(image, "/fclib_local/W", &problem->W);
    imp_hdf5_write_doubles(image, "/fclib_local/vectors", "q", 3 * problem->nc, problem->q);
    if (problem->bilateral == 0) return;
    write_matrix(image, "/fclib_local/V", &problem->V);
    write_matrix(image, "/fclib_local/R", &problem->R);
    imp_hdf5_write_doubles(image, "/fclib_local/vectors", "s", problem->bilateral, problem->s);
}

static void write_global(hdf5_image *image, const imp_fclib *problem) {
    write_matrix(image, "/fclib_global/M", &problem->M);
    write_matrix(image, "/fclib_global/H", &problem->H);
    imp_hdf5_write_doubles(image, "/fclib_global/vectors", "f", problem->dof, problem->f);
    imp_hdf5_write_doubles(image, "/fclib_global/vectors", "w", 3 * problem->nc, problem->w);
    if (problem->bilateral == 0) return;
    write_matrix(image, "/fclib_global/G", &problem->G);
    imp_hdf5_write_doubles(image, "/fclib_global/vectors", "b", problem->bilateral, problem->b);
}

/* A text of the group info, which has all three. */
static void write_words(hdf5_image *image, const char *info, const char *name, const char *words) {
    imp_hdf5_write_text(image, info, name, words ? words : "");
}

static imp_status write_problem(hdf5_image *image, const imp_fclib *problem) {
    const bool local = problem->dof == 0;
    const char *root = local ? "/fclib_local" : "/fclib_global",
               *vectors = local ? "/fclib_local/vectors" : "/fclib_global/vectors",
               *info = local ? "/fclib_local/info" : "/fclib_global/info";
    const int dimension = 3, one = 1;
    imp_hdf5_write_group(image, root);
    imp_hdf5_write_group(image, vectors);
    (local ? write_local : write_global)(image, problem);
    imp_hdf5_write_doubles(image, vectors, "mu", problem->nc, problem->mu);
    imp_hdf5_write_ints(image, root, "spacedim", 1, &dimension);
    imp_hdf5_write_group(image, info);
    write_words(image, info, "title", problem->title);
    write_words(image, info, "description", problem->description);
    write_words(image, info, "math_info", problem->math_info);
    imp_status status = image->status;
    if (status == IMP_OK && problem->guess) {
        imp_hdf5_write_group(image, "/guesses");
        if (imp_hdf5_write_ints(image, "/guesses", "number_of_guesses", 1, &one) == IMP_OK)
            status = write_answer(image, "/guesses/1", problem, problem->guess);
    }
    if (status == IMP_OK && problem->solution)
        status = write_answer(image, "/solution", problem, problem->solution);
    else if (status == IMP_OK && problem->mark.model)
        status = imp_hdf5_write_group(image, "/solution");
    return status == IMP_OK && problem->mark.model ? write_mark(image, &problem->mark) : status;
}

imp_status imp_fclib_write(FILE *out, const char *name, const imp_fclib *problem,
                           imp_error *error) {
    hdf5_image image;
    imp_status status = imp_hdf5_image_create(&image, name, error);
    if (status == IMP_OK) status = write_problem(&image, problem);
    if (status == IMP_NO_MEMORY) imp_hdf5_no_memory(&image);
    if (status != IMP_OK && image.status == IMP_OK) /* of the local form or its constraints */
        imp_error_set(error, status, "%s: %s", name, imp_status_text(status));
    if (status == IMP_OK) status = imp_hdf5_image_save(&image, out);
    imp_hdf5_image_close(&image);
    return status;
}
