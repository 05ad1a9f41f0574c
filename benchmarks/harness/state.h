/* state.h - what a report holds while it is made; shared by the files of the harness, not by
 * experiments. */
#ifndef STATE_H
#define STATE_H

#include "benchmarks/harness/report.h"

#include <stddef.h>

/* refuted: a claim of the source does not hold here; differs: a number of the source is not
 * ours. */
typedef enum verdict {
    VERDICT_FAIL,
    VERDICT_PASS,
    VERDICT_SHOWN,
    VERDICT_REFUTED,
    VERDICT_DIFFERS,
    VERDICTS
} verdict;

typedef struct row {
    const char *quantity, *published, *ours, *tolerance, *remark;
    report_reference reference;
    verdict verdict;
} row;

/* As the page and rows.tsv write them. */
const char *report_verdict_word(verdict v);
const char *report_reference_word(report_reference reference);

typedef enum item_kind { ITEM_TEXT, ITEM_FIGURE, ITEM_TABLE } item_kind;

typedef struct item { /* what a section of the page shows, in order */
    item_kind kind;
    const char *name;  /* of the figure or table */
    const char *text;  /* paragraph or caption */
    const char *fault; /* why the figure is missing, NULL when it was drawn */
    bool moves;        /* report_motion */
    const char *still; /* why figures/NAME.webp is missing, NULL when it is there */
} item;

typedef struct kept_run { /* a table of reference/data that an earlier run of this program wrote */
    const char *name, *commit, *command, *note; /* note: "" or what to know of it */
} kept_run;

typedef struct section { /* one experiment that ran */
    const experiment *experiment;
    const char *source; /* the file that it is written in */
    double seconds;     /* by the clock */
    row *rows;
    item *items;
    const char **tables; /* names of its data files */
    kept_run *kept;
    int row_count, item_count, table_count, kept_count;
    const char *skipped; /* why it could not run, NULL when it did */
} section;

typedef struct tally {
    int experiments, skipped, rows, figures, missing;
    int verdict[VERDICTS];         /* rows of each */
    int claims;                    /* refuted, each once: rows of one experiment may share one */
    int passed[REPORT_REFERENCES]; /* rows that pass, by what they are held against */
} tally;

enum { OPEN_TABLES = 16, TABLE_COLUMNS = 24 };

struct report_rows {
    FILE *file;
    const char *path;
    int columns;
    imp_column column[TABLE_COLUMNS + 1];
};

struct report {
    const char *directory;
    bool full, terminal; /* SCALE=full; standard error is a terminal */
    bool partial;        /* only some experiments were asked for */
    int planned;         /* experiments that will run */
    section *sections;
    int section_count;
    char **texts; /* all that report_text made */
    int text_count;
    report_rows open[OPEN_TABLES]; /* tables being written */
    int open_count;
};

/* Ends the program with one line on standard error, status 2. */
__attribute__((noreturn, format(printf, 1, 2))) void report_die(const char *format, ...);

/* One line on standard error, in place of the line of progress. */
__attribute__((format(printf, 2, 3))) void report_complain(const report *r, const char *format,
                                                           ...);

/* The experiment that runs. */
section *report_running(report *r);

/* array with room for one more element of `size` bytes after `count`; ends the program when memory
 * does. */
void *report_grow(void *array, int count, size_t size);

/* A file written as PATH.part, and given its name when it is whole. */
FILE *report_create(const char *path);
void report_commit(FILE *file, const char *path);

/* Closes and names the open tables. */
void report_commit_tables(report *r);

/* Draws plots/NAME.gp; NULL, or why it could not. */
const char *report_draw(report *r, const char *name);

/* Draws its frames and joins them. NULL, or why it could not, with *missing where the program that
 * joins them is not installed. */
const char *report_draw_frames(report *r, const char *name, bool *missing);

tally report_tally(const report *r);

/* Of one experiment. */
tally report_tally_section(const section *s);

/* The headline: how many rows meet what, claims refuted, failures. */
const char *report_summary(report *r);

/* index.html. */
void report_write_page(report *r);

#endif
