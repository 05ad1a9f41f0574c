/* campaign.h - problems by the million, each answer held against what it must be: inquiries, their
 * lots, and the log that a campaign goes on from.
 *
 * An inquiry poses problems by number. A lot is a run of numbers, done in a process of its own, so
 * that a crash or a hang costs one problem and is counted. The same seed and lot give the same
 * counts. */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "contact/model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CAMPAIGN_ROWS = 32, CAMPAIGN_COLUMNS = 12 };

typedef struct campaign_column {
    const char *name;
    bool worst; /* the largest of a number; else a count */
} campaign_column;

typedef struct campaign_lot campaign_lot;

typedef struct campaign_inquiry {
    const char *name, *about;       /* "maxdiss"; one line */
    const char *(*row)(int row);    /* names: classes or models; NULL after the last */
    const campaign_column *columns; /* ended by one without a name; [0] counts problems,
                                              [1] faults: campaign_fault does */
    long lot;                       /* problems of a lot, some seconds of work */
    double goal;                    /* problems that a whole campaign is for */
    /* Poses problem `number`; where problems are posed together instead, `pose` does a run of
     * them. */
    void (*one)(campaign_lot *lot, uint64_t number);
    void (*pose)(campaign_lot *lot, uint64_t first, long count);
    /* Poses a problem that campaign_fault was given, or a smaller one, again; NULL: it is not made
     * smaller. */
    void (*again)(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model);
} campaign_inquiry;

enum { CAMPAIGN_PROBLEMS, CAMPAIGN_FAULTS, CAMPAIGN_OWN }; /* columns of every inquiry */

/* Rows of inquiries that ask every model of the library, and how many there are. */
const char *campaign_model_row(int row);
uint64_t campaign_models(void);

/* All inquiries, ended by NULL. */
extern const campaign_inquiry *const campaign_inquiries[];

/* A lot while it is done, in memory that outlives its process. */
struct campaign_lot {
    const campaign_inquiry *inquiry;
    const char *folder; /* for the problems of faults; NULL: none are kept */
    bool planted;       /* a test of the inquiry: campaign_answer spoils some answers */
    uint64_t at;        /* the number of the problem in work */
    const char *again;  /* a fault that a problem is posed again for: it is looked out for, and
                           none is counted; NULL: not so */
    bool found;         /* that fault */
    int kept;           /* problems written to the folder */
    uint64_t kept_at;   /* the number of the last of them */
    double cell[CAMPAIGN_ROWS][CAMPAIGN_COLUMNS];
};

/* Begins problem `number`, of this row: counts it. */
void campaign_begin(campaign_lot *lot, int row, uint64_t number);

/* cell += 1, or the larger of both; of a NaN, INFINITY. */
void campaign_count(campaign_lot *lot, int row, int column, bool happened);
void campaign_worst(campaign_lot *lot, int row, int column, double value);

/* An answer on its way to the judge: with `planted` every 101st problem's is spoiled by a
 * thousandth of its largest number (or of `size`, of an answer 0). What then calls no fault has
 * missed a wrong answer. */
void campaign_answer(campaign_lot *lot, double *p, int n, double size);

/* Problem `number` of this row has a fault: counts it and, of the first few of a lot, writes
 * FOLDER/INQUIRY-ROW-NUMBER.json for `impact solve` (model may be NULL: the problem alone), names
 * it on standard error, and keeps beside the first, as ...-small.json, what campaign_shrink makes
 * of it. */
void campaign_fault(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model,
                    const char *what);

/* The problem made smaller while it has the same fault: fewer contacts, zeros, rounder numbers, W
 * and q of ordinary size. Written to the file `path`; false: it cannot be made smaller. */
bool campaign_shrink(const campaign_lot *lot, int row, const imp_problem *problem,
                     const imp_model *model, const char *what, const char *path);

/* ---- the log: one line a lot, appended; what a campaign goes on from ---- */

/* The code that an inquiry runs, as a hash of its objects (campaign/code.pl); ended by NULL. */
typedef struct campaign_code {
    const char *inquiry, *code;
} campaign_code;

extern const campaign_code campaign_codes[];

const char *campaign_code_of(const campaign_inquiry *inquiry);

/* A lot that is done. */
typedef struct campaign_done {
    const campaign_inquiry *inquiry;
    uint64_t seed;
    long lot;
    double seconds, processor; /* by the clock, and of processors */
    const char *ended;         /* "whole", "crashed", "hung" */
    uint64_t at;               /* where it crashed or hung */
} campaign_done;

/* What a log holds of one inquiry, done by the code that it runs. */
typedef struct campaign_sums {
    double cell[CAMPAIGN_ROWS][CAMPAIGN_COLUMNS], seconds, processor;
    long lots, crashed, hung, seeds;
    long others;       /* lines of other code, of which nothing else is taken */
    uint64_t seed[64]; /* the first of them */
    bool *is_done;     /* (room) lot by lot, of the seed asked for */
    long room;
} campaign_sums;

/* Appends a lot and sees it on the disk. false: errno says why. */
bool campaign_log(FILE *log, const campaign_done *done, const campaign_lot *lot);

/* *sums <- what the log (path; none: nothing) says of an inquiry, `seed` the one of is_done.
 * A last line that is not whole is passed over. Free with campaign_sums_clear. IMP_OK, IMP_IO,
 * IMP_NO_MEMORY, IMP_BAD_ARGUMENT (a line that no campaign of this version wrote, or a lot of
 * `seed` that a line before has, too; *line says which). */
imp_status campaign_read(const char *path, const campaign_inquiry *inquiry, uint64_t seed,
                         campaign_sums *sums, long *line);
void campaign_sums_clear(campaign_sums *sums);
/* That status of reading a log, in a line on standard error. */
void campaign_refuse_log(const char *path, long line, imp_status status);
long campaign_faults(const campaign_sums *sums); /* crashes and hangs among them */

/* The log (path) with the whole lots of an inquiry and a seed, by the code of now, in one line, and
 * what an inquiry did by other code in one each, whose lots never count again; all else as it is:
 * lots that crashed, and from the 65th seed on. It is read the same. Statuses of campaign_read. */
imp_status campaign_compact(FILE *to, const char *path, long *line);

/* Its rows, for people. */
void campaign_print(FILE *to, const campaign_inquiry *inquiry, const campaign_sums *sums);
/* Its line of the table in docs/trust.md, and the lines above those. */
void campaign_line(FILE *to, const campaign_inquiry *inquiry, const campaign_sums *sums);
extern const char campaign_head[];
/* A line for each inquiry and other code that the log (path) holds lots of, of a table or of a log:
 * problems, faults, core-hours. false: it cannot be read. */
bool campaign_other_code(FILE *to, const char *path, bool table);

#endif
