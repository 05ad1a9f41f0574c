/* contest.h - one solver on one problem in a process of its own: time, verdict, and errors
 * recomputed here.
 *
 * A contestant that crashes, prints or does not end harms nobody: it runs in a child with a limit
 * on its CPU time and without a standard output. Its word is not taken: the errors are those of the
 * impulses it left. */
#ifndef CONTEST_H
#define CONTEST_H

#include "benchmarks/peers/siconos.h"
#include "contact/model.h"

#include <stdbool.h>

typedef struct contestant {
    const char *name;
    const imp_model *model;     /* one of ours, or NULL */
    const siconos_solver *peer; /* one of siconos', or NULL */
    bool outside;               /* the model is a solver outside (outside/outside.h) */
} contestant;

enum { CONTEST_MOST = 64, CONTEST_STATUS = 24 };

/* Every model of the table that takes several contacts, then the peers. Returns how many. */
int contest_all(contestant list[CONTEST_MOST]);

typedef struct contest_result {
    char status[CONTEST_STATUS]; /* the solver's word: "ok", ..., "time", "crash" */
    bool solved;                 /* by the errors recomputed from the impulses */
    double field, scale_free;    /* natural-map errors of Coulomb's law, NaN: no impulses */
    double residual;             /* of our models' own law; NaN for peers */
    double milliseconds;         /* the least by the clock of the repeats, or their mean CPU time
                                    where that is less and counts; setting up W in the solver's
                                    own terms not counted */
    int iterations;
    bool outside; /* a solver outside, of whose program nobody knows whether it is still the same */
} contest_result;

/* Runs a contestant with this tolerance and at most `limit` seconds of CPU, which begin when W is
 * set up in the solver's own terms. Solved: both natural errors at most 1.001 times the tolerance
 * for models of Coulomb's law; the certificate of its own law for other models; the field's error
 * alone at most twice the tolerance for peers, who know only that one. A solver outside has its own
 * limits and is not told the tolerance; its time is by the clock, of question and answer. */
contest_result contest_run(const imp_problem *problem, const contestant *who, double tolerance,
                           double limit);

#endif
