/* table.h - the rows of a contest: kept from run to run, summed up, and drawn as Dolan-More profiles. */
#ifndef TABLE_H
#define TABLE_H

#include "benchmarks/harness/contest.h"

#include <stdio.h>

enum { TABLE_NAME = 96 };

typedef struct contest_row {
    char problem[TABLE_NAME], solver[TABLE_NAME];
    int contacts;
    double tolerance;
    contest_result result;
} contest_row;

typedef struct contest_table {
    contest_row *rows;
    int count;
    FILE *file; /* OUT/fclib.tsv, rows are appended */
    const char *folder;
} contest_table;

/* Reads the rows OUT/fclib.tsv already has, and opens it for more. False: it cannot be. */
bool contest_table_open(contest_table *table, const char *folder);

bool contest_table_has(const contest_table *table, const char *problem, const char *solver, double tolerance);

/* Keeps a row, in the file too. */
void contest_table_add(contest_table *table, const char *problem, int contacts, const char *solver, double tolerance,
                       const contest_result *result);

/* Dolan, More (2002): for factors tau = 1 .. 1000 the share of problems a solver has solved within tau times the time
 * of the fastest. Rows `solver tau share`; problems nobody solved count for nobody. */
void contest_profile(const contest_table *table, double tolerance, FILE *out);

/* `auto` against the fastest of siconos' solvers over the problems of at least 20 contacts both solve. */
typedef struct contest_duel {
    int problems, losses;     /* solved by both; where ours is slower */
    double factor;            /* geometric mean of siconos' time over ours */
    int ours, theirs, either; /* solved by auto, by some siconos solver; problems tried */
} contest_duel;
contest_duel contest_against_siconos(const contest_table *table, double tolerance, FILE *losses);

/* The JSON, the profiles with their pictures, and the summary on standard output; then everything is closed. */
bool contest_table_end(contest_table *table, const double *tolerance, int tolerances);

#endif
