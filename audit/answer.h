/* answer.h - what a solver answers to a problem, beside what it says of it and how long it took:
 * the residuals of its law are computed here. */
#ifndef AUDIT_ANSWER_H
#define AUDIT_ANSWER_H

#include "contact/model.h"

#include <stdbool.h>

/* Somebody's solver: a model of the library, which is taken at the word of imp_solve, or one
 * outside (a model of a run of the program), at its own. */
typedef struct audit_solver {
    const imp_model *model;
    imp_settings settings;
    bool outside;
    double tolerance; /* the largest residual of a right answer */
    double seconds;   /* it may have for a problem; 0 or less: no limit */
} audit_solver;

/* What it said against what is. */
typedef enum audit_outcome {
    AUDIT_RIGHT,       /* said solved, and is */
    AUDIT_MODEST,      /* said failed, and is right */
    AUDIT_HONEST,      /* said failed, and is; or one outside that it does not take it */
    AUDIT_FALSE,       /* said solved, and is not */
    AUDIT_NO_ANSWER,   /* crashed, timed out, or what came is no answer */
    AUDIT_UNSUPPORTED, /* a model of the library, or the law, does not take the problem */
    AUDIT_NOT_JUDGED,  /* the law cannot be decided */
    AUDIT_OUTCOMES
} audit_outcome;

/* "right", "modest", "honest", "false", "no-answer", "unsupported", "not-judged". */
const char *audit_outcome_text(audit_outcome outcome);

typedef struct audit_answer {
    audit_outcome outcome;
    imp_status said;
    /* the largest residual of its impulse and that residual's name; NAN and "": there is none,
     * INFINITY: velocities that are no numbers */
    double residual;
    const char *worst;
    double seconds; /* by the clock: of imp_solve with its certificate, of one outside without */
} audit_answer;

/* Is its impulse right, whatever was said of it? */
bool audit_is_right(const audit_answer *answer);

/* Room for an impulse of nc contacts, in *p of *room contacts, which begins with NULL and 0 and is
 * the caller's to free; what was there is lost. False without memory. */
bool audit_room(int nc, double **p, int *room);

/* Asks; p (3nc, N s) <- its impulse where there is a residual, otherwise 0. Assumes a problem that
 * imp_problem_check accepts. IMP_OK, or IMP_NO_MEMORY. A model of the library that takes longer
 * than it may is ended by SIGALRM, which is this function's meanwhile; one call at a time. */
imp_status audit_ask(const audit_solver *solver, const imp_problem *problem, double *p,
                     audit_answer *answer);

/* The largest residual of p by the solver's law; INFINITY where p decides nothing. */
double audit_residual(const audit_solver *solver, const imp_problem *problem, const double *p);

/* The name of the certificate's largest residual; "" where it has none. */
const char *audit_worst(const imp_certificate *certificate);

#endif
