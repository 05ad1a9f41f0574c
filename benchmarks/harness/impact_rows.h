/* impact_rows.h - the reference impacts of reference/data/mirtich_darboux.tsv, in the project's
 * frame. */
#ifndef IMPACT_ROWS_H
#define IMPACT_ROWS_H

#include "benchmarks/harness/impact_compare.h"

enum { IMPACT_ROWS = 4096, IMPACT_EVENTS = 8 };

typedef struct impact_row {
    char id[40], phases[64]; /* "sC,kC,kD" */
    imp_darboux_law law;
    gen_problem problem;
    impact_answer answer;
    int events;
    double p_n[IMPACT_EVENTS]; /* N s, at the end of each segment */
    double condition, energy;  /* energy J */
} impact_row;

/* Reads a table of impacts; returns how many rows, -1 when the file cannot be read or a row is not
 * one. */
int impact_rows_read(const char *file, impact_row *rows, int most);

/* The class of a row: its id without the number, "real" of "pub-real-0003". */
void impact_row_class(const impact_row *row, char name[40]);

#endif
