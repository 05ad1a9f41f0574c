/* metric.h - what the gate measures: accuracy, work and instructions of every solver on fixed
 * inputs.
 *
 * A metric is one row of a table; lower is better. Accuracy and work are the same on every machine;
 * instructions are counted by valgrind on the machine's own compiler. `worse` makes every solver
 * measurably worse, for the gate's own test: its impulses are off by 1e-6, its counts and its work
 * double. */
#ifndef METRIC_H
#define METRIC_H

#include "contact/model.h"

#include <stdbool.h>

typedef enum metric_kind {
    METRIC_ACCURACY,
    METRIC_WORK,
    METRIC_INSTRUCTIONS,
    METRIC_KINDS
} metric_kind;

typedef struct metric {
    const char *name; /* "maxdiss/spd-8/residual" */
    metric_kind kind;
    /* of METRIC_INSTRUCTIONS: runs the kernel, its result is not used */
    double (*measure)(bool worse);
    const imp_model *model; /* measured by what follows instead; NULL: none */
    double (*measure_model)(const imp_model *model, bool worse);
} metric;

/* All metrics, ended by one without a name: those of the table in metric.c, then four of each of
 * the library's models, "models/NAME/residual", "unsolved", "work" and "solve". */
const metric *metric_table(void);

double metric_measure(const metric *m, bool worse);

/* "accuracy", ... and how much larger than the baseline a value may be: factor times it plus a
 * floor. */
typedef struct metric_allowance {
    const char *name;
    double factor, floor;
    const char *why;
} metric_allowance;

extern const metric_allowance metric_allowances[METRIC_KINDS];

#endif
