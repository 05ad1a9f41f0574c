/* outsiders.h - solvers outside the library on the command line of a program that loops over
 * models. */
#ifndef OUTSIDERS_H
#define OUTSIDERS_H

#include "benchmarks/harness/usage.h"
#include "outside/list.h"

#include <stdbool.h>

/* What such a program says of the options in its usage. */
#define OUTSIDERS_USAGE                                                                            \
    "[--exec COMMAND|--plugin FILE [--law NAME]]... [--time-limit S] [--memory-limit MIB]"

typedef struct outsiders {
    outside_list list; /* limits: 10 s and a tolerance of 1e-9 by outsiders_init */
    const imp_model *model[OUTSIDE_MOST + 1]; /* once they are open, ended by NULL */
} outsiders;

outsiders outsiders_init(void);

/* Takes --exec, --plugin, --law, --time-limit (s), --memory-limit (MiB) or --tol with its value
 * (NULL: there is none); ends the program where it is none of them, or the value is none. */
void outsiders_take(outsiders *o, const usage *about, const char *option, const char *value);

/* Starts them; false after one line on standard error, which begins with the name of the
 * program. */
bool outsiders_open(outsiders *o, const char *program);

#endif
