/* traced.h - a program run with its calls to the system counted, of which one fails or is its
 * last. */
#ifndef CAMPAIGN_TRACED_H
#define CAMPAIGN_TRACED_H

#include <stdbool.h>

/* Kinds of calls; only those on files below the folder, in /tmp, and on standard output count,
 * and not those of other programs that it runs. */
enum {
    TRACED_OPEN = 1,
    TRACED_READ = 2,
    TRACED_WRITE = 4,
    TRACED_SYNC = 8,
    TRACED_RENAME = 16,
    TRACED_CLOSE = 32,
    TRACED_ALL = 63
};

typedef enum traced_act {
    TRACED_COUNT,       /* does nothing */
    TRACED_FAIL,        /* the call is not made (close: it is) and returns the error */
    TRACED_SHORT,       /* a read or write of half of its bytes */
    TRACED_KILL_BEFORE, /* kill -9 in place of the call */
    TRACED_KILL_AFTER   /* once it is done */
} traced_act;

typedef struct traced {
    const char *folder;     /* where it runs, by its absolute path; it has standard output in `out`,
                               standard error in `err` */
    const char *const *set; /* NAME=VALUE of its environment, ended by NULL */
    unsigned kinds;         /* 0: it is not traced */
    traced_act act;
    long at; /* the call, from 0, of those kinds */
    int error;
    long calls; /* <- made of those kinds */
    int status; /* <- as of waitpid */
} traced;

/* May processes be traced here? Containers may forbid it. */
bool traced_possible(void);

/* Runs arguments[0] to its end, or 20 s of processor time (SIGXCPU). false: no process, or its
 * calls cannot be traced here. */
bool traced_run(traced *run, char *const *arguments);

#endif
