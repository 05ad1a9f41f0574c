/* stream.h - files that can be read again, and files written whole or not at all. */
#ifndef IMP_STREAM_H
#define IMP_STREAM_H

#include "io/error.h"
#include "base/public.h"

#include <stdint.h>
#include <stdio.h>

IMP_PUBLIC_BEGIN

enum { IMP_STREAM_NAME = 256, IMP_STREAM_HEAD = 64 };

/* "name: what: the system's reason", from errno. Returns IMP_IO, so that a function ends with it.
 * Thread-safe. */
imp_status imp_error_system(imp_error *error, const char *name, const char *what);

/* Something to read that can be read again from its start. */
typedef struct imp_input {
    FILE *file;                 /* open for reading */
    int64_t start;              /* where its content begins, bytes */
    char name[IMP_STREAM_NAME]; /* for messages; "standard input" for "-" */
} imp_input;

/* Opens a path, "-" for standard input. What cannot be rewound (a pipe, a terminal) is first copied
 * to an unnamed temporary file. A directory is refused, and a device
 * that has something to read, which might never end. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT (no
 * path). Standard input belongs to one reader at a time. */
imp_status imp_input_open(imp_input *input, const char *path, imp_error *error);
imp_status imp_input_rewind(imp_input *input, imp_error *error);

/* head <- the first bytes of the content that are not blank, *n <- how many (0: there are none);
 * then rewinds. */
imp_status imp_input_peek(imp_input *input, unsigned char head[IMP_STREAM_HEAD], size_t *n,
                          imp_error *error);

/* Closes it, but for standard input. One that was never opened must not be closed. */
void imp_input_close(imp_input *input);

/* Something to write that appears whole or not at all: a temporary file in the target's folder,
 * which gets the target's name when it is complete. It has no name before, so that nothing is left
 * of a process that ends while it writes, however it does. For an instant at the end, until it
 * takes the target's place, and all the time where the system has no files without a name, it is
 * TARGET.PROCESS-NUMBER.part, of a long name its first 200 bytes.
 * The new file has the owner (where the system allows) and the permissions of the one it replaces.
 * A symbolic link leads to the target, which need not be there yet.
 * A target with several names (hard links) stays one file: the complete temporary is copied into
 * it, so that all names have the new content; that step alone is not all or nothing, and where it
 * fails the temporary is left. A stream of the caller's and whatever is no regular file (/dev/null,
 * a named pipe) are written directly, unless the stream's content is to wait. */
typedef struct imp_output {
    FILE *file;      /* to write to; errors may be left for imp_output_commit to notice */
    char *path;      /* the target, for messages; symbolic links resolved */
    bool replaces;   /* the target, when it is complete; not written directly */
    char *temporary; /* its name until then; NULL: it has none */
    char way[32];    /* to the file without a name */
    bool shared;     /* the target has several names */
    FILE *borrowed;  /* the caller's stream, which stays open; NULL: none */
} imp_output;

/* Opens for a path. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT (no path). */
imp_status imp_output_open(imp_output *output, const char *path, imp_error *error);

/* Writes to an open stream (standard output); `name` is for messages. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_output_borrow(imp_output *output, FILE *stream, const char *name, imp_error *error);

/* The same, but nothing reaches the stream before imp_output_commit: it waits in an unnamed
 * temporary file. IMP_OK, IMP_IO, IMP_NO_MEMORY. */
imp_status imp_output_spool(imp_output *output, FILE *stream, const char *name, imp_error *error);

/* Completes the file: IMP_OK means that all of it is on the disk under the target's name. On IMP_IO
 * the target is as it was, unless copying into one of several names failed. Either way the output
 * is closed. */
imp_status imp_output_commit(imp_output *output, imp_error *error);

/* Closes and leaves no trace of it. */
void imp_output_abandon(imp_output *output);

IMP_PUBLIC_END

#endif
