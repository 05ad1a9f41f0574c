/* fclib_constraints.h - point masses in a row under constraints, as global problems of FCLIB. */
#ifndef FCLIB_CONSTRAINTS_H
#define FCLIB_CONSTRAINTS_H

#include "generators/gen.h"
#include "impact.h"
#include "io/fclib.h"
#include "io/fclib_bilateral.h"
#include "io/hdf5_image.h"
#include "scratch.h"
#include "tap.h"

enum { BODIES = 5, DOF = 3 * BODIES, NC = BODIES - 1, ROWS = 3 * NC, MOST = 6 };

/* What the file at this path holds, and the contact problem it states. */
static inline imp_status read_posed(const char *path, imp_fclib *problem, imp_fclib_posed *posed) {
    imp_input input;
    imp_error error;
    imp_status status = imp_input_open(&input, path, &error);
    if (status != IMP_OK) return status;
    status = imp_fclib_read(&input, problem, &error);
    imp_input_close(&input);
    return status == IMP_OK ? imp_fclib_pose(problem, posed) : status;
}

static inline void write_file(const char *path, const imp_fclib *problem) {
    imp_error error;
    FILE *out = fopen(path, "wb");
    if (!out || imp_fclib_write(out, path, problem, &error) != IMP_OK || fclose(out) != 0) abort();
}

/* x (count) <- v, u or l of the solution in the file at this path. */
static inline void read_solution(const char *path, const char *name, int count, double *x) {
    imp_error error;
    imp_input input;
    hdf5_image image;
    double *held;
    if (imp_input_open(&input, path, &error) != IMP_OK ||
        imp_hdf5_image_open(&image, &input, &error) != IMP_OK ||
        imp_hdf5_read_doubles(&image, "/solution", name, &count, &held) != IMP_OK)
        abort();
    memcpy(x, held, (size_t)count * sizeof *held);
    free(held);
    imp_hdf5_image_close(&image);
    imp_input_close(&input);
}

/* Point masses in a row, each touching the next; m of their velocities' combinations are given, of
 * which the last is the sum of the first two where `redundant`. */
static inline imp_fclib made(uint64_t index, int m, bool redundant) {
    gen_stream s = gen_seed(905, index);
    int row[DOF * MOST], column[DOF * MOST], count = 0;
    double value[DOF * MOST], dense[DOF * MOST] = {0};
    imp_fclib p = {.nc = NC, .dof = DOF, .bilateral = m, .title = strdup("made")};
    for (int i = 0; i < DOF; i++) {
        row[i] = column[i] = i;
        value[i] = gen_uniform(&s, 0.5, 2);
    }
    imp_sparse_from_triplets(DOF, DOF, DOF, row, column, value, &p.M);
    for (int k = 0; k < 2 * ROWS; k++) {
        row[k] = k % ROWS + (k < ROWS ? 0 : 3);
        column[k] = k % ROWS;
        value[k] = k < ROWS ? -1 : 1;
    }
    imp_sparse_from_triplets(DOF, ROWS, 2 * ROWS, row, column, value, &p.H);
    p.f = calloc(DOF, sizeof *p.f);
    p.w = calloc(ROWS, sizeof *p.w);
    p.b = calloc((size_t)m, sizeof *p.b);
    p.mu = calloc(NC, sizeof *p.mu);
    for (int i = 0; i < DOF; i++)
        p.f[i] = gen_normal(&s);
    for (int j = 0; j < m; j++) {
        p.b[j] = redundant && j == m - 1 ? p.b[0] + p.b[1] : gen_normal(&s);
        for (int i = 0; i < DOF; i++)
            dense[DOF * j + i] =
                redundant && j == m - 1 ? dense[i] + dense[DOF + i] : gen_normal(&s);
    }
    for (int k = 0; k < DOF * m; k++, count++) {
        row[count] = k % DOF;
        column[count] = k / DOF;
        value[count] = dense[k];
    }
    imp_sparse_from_triplets(DOF, m, count, row, column, value, &p.G);
    for (int i = 0; i < NC; i++)
        p.mu[i] = gen_uniform(&s, 0, 1);
    return p;
}

/* What the program makes of its arguments, beside scratch files: its exit status, and whether it
 * says the word. */
static inline int said_by(const char *arguments, const char *word, bool *said) {
    char command[1000], line[4000];
    snprintf(command, sizeof command, "cd '%s' && ../impact %s 2>&1", scratch_path(""),
             arguments);             /* it stands in the build folder */
    FILE *out = popen(command, "r"); /* NOLINT(cert-env33-c): the program under test */
    *said = false;
    while (out && fgets(line, sizeof line, out))
        *said = *said || strstr(line, word) != NULL;
    return out ? WEXITSTATUS(pclose(out)) : -1;
}

#endif
