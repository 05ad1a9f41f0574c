/* contained.h - somebody else's process, contained: in a process group of its own, under limits of
 * time and memory, so that whatever it does it can be ended, and costs nobody else anything. What
 * it starts and leaves the group, as daemons do, is not followed. */
#ifndef CONTAINED_H
#define CONTAINED_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What it may have at most: bytes of a file that it writes, files open at once, and processes and
 * threads of its user, those of others among them (root's are not limited). */
enum { CONTAINED_FILE = 1 << 30, CONTAINED_OPEN = 1024, CONTAINED_PROCESSES = 4096 };

/* What it says: an answer, and behind that what came with it. */
typedef struct contained_text {
    char *data;
    size_t length; /* of the answer; a 0 stands in the place of the end of its line */
    size_t taken, came,
        room; /* bytes: of the answer with its end, in all, that there is room for */
} contained_text;

/* All zero is none. */
typedef struct contained {
    pid_t pid;    /* it, and its process group; 0: none */
    int to, from; /* its standard input and output */
    contained_text said;
    bool fresh; /* it has taken all of a request and answered: it may be asked again */
    size_t put; /* bytes of the request that have been written */
} contained;

/* How an exchange ended. */
typedef enum contained_end {
    CONTAINED_ANSWERED,
    CONTAINED_ENDED,   /* it ended, or closed its output, before it had answered */
    CONTAINED_LATE,    /* the time was up */
    CONTAINED_ENDLESS, /* more than was to come */
    CONTAINED_NO_MEMORY
} contained_end;

/* Starts it: `inside` runs in it and does not return. Before it lets go of the file descriptor 3,
 * which a successful exec does by itself, it may write an errno there. bytes: memory that it may
 * have, 0: no limit. IMP_OK, or IMP_IO with one line in *error that begins with `name`. */
imp_status contained_start(contained *c, const char *name, double bytes,
                           void (*inside)(void *context), void *context, imp_error *error);

/* Gives it the request and waits so many seconds, 0: without a limit, for the answer, c->said: the
 * next line of all that it says, or so many bytes where exact > 0. No answer is longer than `most`.
 * Which line that is does not depend on when it came: one too many is the answer to the next
 * request. */
contained_end contained_ask(contained *c, const char *request, size_t length, double seconds,
                            size_t exact, size_t most);

/* Did it end without a fault of this request: by itself with exit status 0, or before it had read
 * anything of it? */
bool contained_left(const contained *c);

/* What an exchange that brought no answer comes to: IMP_CRASHED, IMP_TIMED_OUT, IMP_BAD_ANSWER or
 * IMP_NO_MEMORY, with the line that says it. Asked before contained_stop. */
imp_status contained_fault(contained_end end, const contained *c, double seconds, imp_error *fault);

/* Ends it and all of its group; patience: s, how long it may take to end by itself, its input being
 * closed. */
void contained_stop(contained *c, double patience);

/* The process groups of all that run, 0: none; for a signal's handler, which may kill them. */
enum { CONTAINED_GROUPS = 32 };
extern volatile pid_t contained_group[CONTAINED_GROUPS];

#endif
