/* rows.h - the rows of a table through the batch solver: collected, solved together, written in their order. */
#ifndef ROWS_H
#define ROWS_H

#include "cli/cli.h"

typedef struct rows rows;

/* Is there a batch solver for the model? */
bool rows_take(const imp_model *model);

/* For a model that it takes, with its settings; NULL without memory. The memory does not grow with the table. */
rows *rows_new(const imp_model *model, const imp_settings *settings);
void rows_free(rows *r); /* NULL is fine */

/* Keeps one problem, and solves and writes what has been kept when there is no room for more. */
imp_status rows_add(rows *r, const imp_case *c, answers *a, imp_error *error);

/* Solves and writes what is kept. */
void rows_flush(rows *r, answers *a);

#endif
