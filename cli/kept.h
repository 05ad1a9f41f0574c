/* kept.h - what came of the items of a long run, in a file, so that the run can be interrupted
 * and go on. */
#ifndef KEPT_H
#define KEPT_H

#include "cli/cli.h"

#include <stdio.h>

typedef struct kept kept;

/* Opens `path`, which is made where it is missing; NULL: an unnamed file. `title`, one line, says
 * what run it belongs to: a file with another title is refused. Takes what is whole in it. NULL
 * with an error: IMP_IO, IMP_BAD_ARGUMENT (another run's, or one that goes on), IMP_NO_MEMORY. */
kept *kept_open(const char *path, const char *title, long items, imp_error *error);
void kept_close(kept *k); /* NULL is fine */

bool kept_has(const kept *k, long item);
long kept_count(const kept *k);    /* of items it has */
bool kept_unsolved(const kept *k); /* has one of them a status other than IMP_OK? */

/* Adds what came of an item; it is in the file then. IMP_OK, IMP_IO. */
imp_status kept_add(kept *k, long item, imp_status status, const char *bytes, size_t length,
                    imp_error *error);

/* The bytes of an item it has, ended by NUL; they are its own until the next call. NULL with an
 * error: IMP_IO, IMP_NO_MEMORY. */
const char *kept_read(kept *k, long item, size_t *length, imp_error *error);

/* Writes the bytes of all items, in their order; errors of `out` are ferror's. IMP_OK, IMP_IO. */
imp_status kept_write(kept *k, FILE *out, imp_error *error);

/* The title of a run: "# impact NAME VERSION SUM", the sum of all that decides what the command of
 * that name writes: the scene as it was read, numbers of its own, what is set and varied, and the
 * models, ended by NULL. false without memory. */
bool kept_title(const char *name, const struct json_t *scene, const char *numbers, const options *o,
                const imp_model *const *models, char title[80]);

#endif
