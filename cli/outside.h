/* outside.h - somebody's solver as a model of this run: a program that is asked in JSON lines, or a
 * plugin. It sees the problem alone; what it answers is judged by a law of the library. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "cli/contained.h"
#include "contact/model.h"

typedef struct outside_terms {
    const char *command, *plugin; /* one of them; the other is NULL */
    const char *law;              /* NULL: the plugin's */
    double tolerance;             /* the largest residual of an `ok` */
    double seconds, bytes;        /* it may have for a problem; bytes 0: no limit */
} outside_terms;

/* The solver of this run, once; NULL with one line in *error. The terms must outlive it. Besides
 * the statuses of a model its answers have IMP_CRASHED, IMP_TIMED_OUT and IMP_BAD_ANSWER. */
const imp_model *outside_open(const outside_terms *terms, imp_error *error);

/* What was wrong with the last answer, in one line; NULL: nothing, or there is no such solver. */
const char *outside_fault(void);

void outside_close(void);

/* How solvers are asked: fronts of one contract. */
typedef struct outside_front {
    /* Sees whether the solver is one. name: what it calls itself; law: the law that it names, or
     * empty. */
    imp_status (*open)(const outside_terms *terms, char name[64], char law[64], imp_error *error);
    /* p (3nc) <- its answer, all finite; untouched where the status is < 0, with one line in *fault
     * that says why. takes: the model of this run. > 0: it says itself that p is no solution, and p
     * may be untouched. */
    imp_status (*ask)(const outside_terms *terms, const imp_model *takes,
                      const imp_problem *problem, double *p, imp_info *info, imp_error *fault);
    void (*close)(void);
} outside_front;

extern const outside_front outside_program, outside_plugin;

#endif
