/* race.h - solvers side by side on fresh problems: who solves what, how long each takes, and whom
 * each loses to. */
#ifndef AUDIT_RACE_H
#define AUDIT_RACE_H

#include "audit/answer.h"
#include "generators/fresh.h"
#include "io/error.h"

enum { RACE_MOST = 64, RACE_FACTORS = 5 };

/* What one solver loses to another: problems that it leaves and the other solves, and those on
 * which it is slower, with the sum of the logarithms of its time over the other's. */
typedef struct race_loss {
    long unsolved, slower;
    double log_factor;
} race_loss;

typedef struct race_row {
    long solved, failed, timed_out; /* by residuals, whatever it says; failed: the others in time */
    long wrong;                     /* said solved, and was not; among those failed */
    long within[RACE_FACTORS];      /* solved so fast (Dolan, More 2002) */
    /* sum of log(t + shift): t the time of a solved problem, or the limit */
    double log_time;
    race_loss to[RACE_MOST];     /* each of the others */
    char reason[IMP_ERROR_TEXT]; /* why a solver outside first gave no answer; "": it always did */
} race_row;

typedef struct race_report {
    long problems, left_out; /* raced; not taken by all laws and models of the library */
    race_row row[RACE_MOST];
} race_report;

typedef struct race_terms {
    int solvers;
    const audit_solver *solver; /* (solvers) with the same limits */
    const fresh_class *const *classes;
    uint64_t seed;
    long count; /* problems of each class */
    void (*progress)(void *context, long done, long all);
    /* of every problem raced, the answers (solvers); best: s of the fastest, 0: nobody solved it */
    void (*each)(void *context, const fresh_class *class, uint64_t number, int contacts,
                 const audit_answer *answers, double best);
    void *context;
} race_terms;

/* Runs it, `each` in the end. A time is the least of three, with all other problems between them,
 * or of one where that is long. IMP_OK, IMP_NO_MEMORY. */
imp_status race_run(const race_terms *terms, race_report *report);

/* s, the shifted geometric mean of its times. */
double race_mean(const race_report *report, const race_row *row);

#endif
