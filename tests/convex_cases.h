/* convex_cases.h - reads the convex problems with known answers, and turns them into the library's
 * order of unknowns.
 */
#ifndef CONVEX_CASES_H
#define CONVEX_CASES_H

#include "tap.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_CONTACTS = 16, CASE_ROWS = 3 * CASE_CONTACTS };

typedef struct convex_case {
    char id[80], kind[8];
    /* contacts or joints; unknowns in the file's order */
    int n, rows;
    double A[CASE_ROWS * CASE_ROWS], b[CASE_ROWS];       /* (rows x rows) 1/kg, (rows) m/s */
    double mu[CASE_CONTACTS], muv[CASE_CONTACTS], kappa; /* -, kg, N s */
    double x[CASE_ROWS], bplus[CASE_ROWS], dE;           /* N s, m/s, J */
    bool x_unique;
} convex_case;

static inline int case_numbers(char *text, double *to, int most) {
    int n = 0;
    for (char *at = text, *end; n < most; at = end, n++) {
        to[n] = strtod(at, &end);
        if (end == at) break;
    }
    return n;
}

/* The next case; false at the end of the file, or at a line it cannot read (then `id` is empty). */
static inline bool case_read(FILE *file, convex_case *c) {
    enum { COLUMNS = 13 };
    char *line = NULL, *cell[COLUMNS];
    size_t room = 0;
    bool found = false;
    while (!found && getline(&line, &room, file) > 0)
        found = line[0] != '#' && strncmp(line, "id\t", 3) != 0 && line[0] != '\n';
    memset(c, 0, sizeof *c);
    if (found) {
        char *rest = line;
        int columns = 0;
        while (columns < COLUMNS && (cell[columns] = strsep(&rest, "\t\n")))
            columns++;
        c->n = columns == COLUMNS ? atoi(cell[2]) : 0;
        c->rows = columns == COLUMNS && strcmp(cell[1], "QP1") == 0 ? 3 * c->n : c->n;
        const bool good = c->n > 0 && c->n <= CASE_CONTACTS &&
                          case_numbers(cell[4], c->b, CASE_ROWS) == c->rows &&
                          case_numbers(cell[3], c->A, CASE_ROWS * CASE_ROWS) == c->rows * c->rows &&
                          case_numbers(cell[9], c->bplus, CASE_ROWS) == c->rows;
        if (good) {
            snprintf(c->id, sizeof c->id, "%s", cell[0]);
            snprintf(c->kind, sizeof c->kind, "%s", cell[1]);
            case_numbers(cell[5], c->mu, CASE_CONTACTS);
            case_numbers(cell[6], c->muv, CASE_CONTACTS);
            case_numbers(cell[7], &c->kappa, 1);
            case_numbers(cell[8], c->x, CASE_ROWS);
            case_numbers(cell[10], &c->dE, 1);
            c->x_unique = atoi(cell[11]) == 1;
        }
    }
    free(line);
    return found;
}

/* The table, open to be read. NULL where it is missing: a failure where it is needed, else
 * skipped. */
static inline FILE *case_open(const char *path, bool needed) {
    FILE *file = fopen(path, "r");
    if (!file && needed) ok(false, "%s opens", path);
    if (!file && !needed) skip("no further cases here");
    return file;
}

/* Where unknown k of the file (all N, all S, all T; QP3: normals alone) stands among the contacts'
 * (n, t, o). */
static inline int case_place(const convex_case *c, int k) {
    return 3 * (k % c->n) + k / c->n;
}

/* W (3n x 3n) and q (3n) in contact order; what QP3 leaves out is a unit matrix and rest. */
static inline void case_problem(const convex_case *c, double *W, double *q) {
    const int rows = 3 * c->n;
    memset(W, 0, (size_t)(rows * rows) * sizeof *W);
    memset(q, 0, (size_t)rows * sizeof *q);
    for (int i = 0; i < rows; i++)
        W[i * (rows + 1)] = 1;
    for (int i = 0; i < c->rows; i++) {
        q[case_place(c, i)] = c->b[i];
        for (int j = 0; j < c->rows; j++)
            W[case_place(c, i) * rows + case_place(c, j)] = c->A[i * c->rows + j];
    }
}

#endif
