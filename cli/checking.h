/* checking.h - what `impact check` knows of the problems and answers that it holds together, of a
 * file or of a folder. */
#ifndef CHECKING_H
#define CHECKING_H

#include "cli/judge.h"

typedef struct checking {
    const command *self;
    options o;
    judging by;
    bool asks;                /* an outside solver */
    imp_solutions *solutions; /* NULL: it is asked, or there are none */
    const char *file;         /* of a folder, the one that is looked at; NULL: no folder */
    const char *problems;     /* their file, for messages */
    const char *given;        /* the same of the answers */
    imp_error missing;        /* why it has no solutions */
    double *asked;            /* (3 room) N s, its last answer */
    int room;                 /* contacts */
    size_t count[VERDICTS];
    double worst;    /* residual of all that were judged */
    int left_out;    /* entries of a folder that are no problem files */
    int alone;       /* files of answers in its other folder that belong to no file of problems */
    imp_error first; /* the name of the first */
} checking;

/* The answer that stands in the file of answers, of which each is taken once. */
imp_status checking_find(checking *k, const imp_case *c, given_answer *given, imp_error *error);

/* Has the output room for --facts, where they are asked for? IMP_BAD_ARGUMENT in a table. */
imp_status checking_facts(const checking *k, bool table, imp_error *error);

/* The verdict of one problem: of its answer, which is found or asked for. A pass's answer. */
imp_status checking_answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                           imp_error *error);

/* Totals on standard error: standard output is for the verdicts alone. Returns the outcome, by
 * which there are none where nothing was written. */
int checking_finish(const checking *k, int outcome);

/* `impact check FOLDER`. */
int check_folder(checking *k);

#endif
