/* table.h - the rows of a contest: kept from run to run, summed up, and drawn as Dolan-More
 * profiles.
 *
 * A row is that of its problem, solver, tolerance, limit and build: rows under another limit or of
 * another build stay in the file, and are not looked at. */
#ifndef TABLE_H
#define TABLE_H

#include "benchmarks/harness/contest.h"
#include "io/columns.h"

#include <stdio.h>

enum { TABLE_NAME = 96, TABLE_BUILD = 32 };

typedef struct contest_row {
    char problem[TABLE_NAME], solver[TABLE_NAME];
    int contacts;
    double tolerance;
    contest_result result;
} contest_row;

typedef struct contest_table {
    contest_row *rows;
    int count;
    FILE *file;              /* OUT/fclib.tsv, rows are appended */
    double limit;            /* s of CPU per solve */
    char build[TABLE_BUILD]; /* of the program, see contest_build */
    const char *folder;
} contest_table;

/* build <- the version and a hash of the running program, so also of its flags and of what is
 * linked into it. */
void contest_build(char build[TABLE_BUILD]);

/* Reads the rows that OUT/fclib.tsv already has of this limit and build, and opens it for more.
 * NULL, or what is wrong with that file. */
const char *contest_table_open(contest_table *table, const char *folder, double limit,
                               const char *build);

bool contest_table_has(const contest_table *table, const char *problem, const char *solver,
                       double tolerance);

/* Keeps a row, in the file too. */
void contest_table_add(contest_table *table, const char *problem, int contacts, const char *solver,
                       double tolerance, const contest_result *result);

/* Dolan, More (2002): for factors tau = 1 .. 1000 the share of problems a solver has solved within
 * tau times the time of the fastest. Problems nobody solved count for nobody. */
extern const imp_column contest_profile_columns[];
void contest_profile(const contest_table *table, double tolerance, FILE *out);

/* `auto` against the fastest of siconos' solvers over the problems of at least 20 contacts both
 * solve. */
typedef struct contest_duel {
    int problems, losses;     /* solved by both; where ours is slower */
    double factor;            /* geometric mean of siconos' time over ours */
    int ours, theirs, either; /* solved by auto, by some siconos solver; problems tried */
} contest_duel;
contest_duel contest_against_siconos(const contest_table *table, double tolerance, FILE *losses);

/* How a solver's time grows with the contacts, for each kind of problem (the title up to its first
 * '-'): how many were tried and solved, contacts of the largest solved, and the exponent fitted to
 * the times of those solved. */
extern const imp_column contest_growth_columns[];
void contest_growth(const contest_table *table, double tolerance, FILE *out);

/* The JSON, the profiles with their pictures, and the summary on standard output; then everything
 * is closed. */
bool contest_table_end(contest_table *table, const double *tolerance, int tolerances);

#endif
