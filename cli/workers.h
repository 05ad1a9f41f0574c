/* workers.h - items of work spread over processes of this program. */
#ifndef WORKERS_H
#define WORKERS_H

#include "io/error.h"

#include <stdio.h>

typedef struct workers {
    int jobs;   /* processes, >= 1 */
    long items; /* numbered from 0 */
    void *context;
    /* Is there nothing to do for this one? */
    bool (*skip)(void *context, long item);
    /* In a process of its own: writes what comes of an item. A status < 0, with an error, ends
     * all. */
    imp_status (*work)(void *context, long item, FILE *out, imp_error *error);
    /* In this process, item by item as they end: what was written. Another status than IMP_OK ends
     * all. */
    imp_status (*take)(void *context, long item, imp_status status, const char *bytes,
                       size_t length, imp_error *error);
    /* In this process, every half second and after every item. May be NULL. */
    void (*wait)(void *context);
} workers;

/* Does all items. The order in which they are taken depends on the processes, what is taken for an
 * item does not. IMP_OK, the status of `work` or `take` that ended it, IMP_IO (no process can be
 * made, or one died), IMP_NO_MEMORY; no process is left. */
imp_status workers_run(const workers *w, imp_error *error);

/* In a process of `work`: has the program that asked for it ended? */
bool workers_orphaned(void);

#endif
