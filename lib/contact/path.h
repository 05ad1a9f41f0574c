/* path.h - how an answer came about, where its impulse alone does not show that a law was obeyed.
 *
 * Of a law that is a process the path holds the steps: the impulse of each interval or phase, what
 * every contact did in it. Of a law that is a minimum it holds the multipliers. A solver records
 * it, a certificate checks it step by step from W, q and the settings and trusts none of it. */
#ifndef IMP_PATH_H
#define IMP_PATH_H

#include "base/status.h"
#include "base/public.h"

#include <stdbool.h>
#include <stddef.h>

IMP_PUBLIC_BEGIN

/* The steps of an answer and its multipliers. {0} is empty; memory is freed by imp_path_clear. */
typedef struct imp_path {
    int nc;     /* contacts; set by the first step or multipliers */
    int steps;  /* how many */
    int *round; /* (steps) compression-expansion round, from 1 */
    /* (steps) part of the impulse computed for the step that was applied, [0, 1] */
    double *share;
    double *impulse; /* (steps x 3nc) N s; together they are the answer */
    char *phase;     /* (steps x nc) C compressing, X expanding, O observing */
    /* (steps x nc) s sliding, r rolling, i impending slip, - no friction, no push, or a law that
     * does not say (those in phases) */
    char *motion;
    int multipliers;    /* vectors of multipliers */
    double *multiplier; /* (multipliers x nc), named by the law that reads them */
    int room;           /* steps there is memory for */
} imp_path;

/* Appends a step of nc contacts: the round, from 1, the share in [0, 1], impulse (3nc, N s),
 * phase and motion (nc each). IMP_BAD_ARGUMENT where nc is not the path's, IMP_NO_MEMORY; the
 * path is as before then. */
imp_status imp_path_add(imp_path *path, int nc, int round, double share, const double *impulse,
                        const char *phase, const char *motion);

/* Room for `count` vectors of multipliers of nc contacts, zero; NULL without memory, or where nc is
 * not that of the path's steps, and those there were stay. They are replaced otherwise. */
double *imp_path_multipliers(imp_path *path, int count, int nc);

/* Is every number of it finite? */
bool imp_path_finite(const imp_path *path);

/* Empties the path and frees what it holds. A path that is all zero is an empty one. NULL is
 * fine. */
void imp_path_clear(imp_path *path);

IMP_PUBLIC_END

#endif
