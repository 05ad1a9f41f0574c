/* rows.h - rows of a table that wait to be solved together, and are written in their order. */
#ifndef ROWS_H
#define ROWS_H

#include "cli/cli.h"

typedef struct rows rows;

/* For a model that has a batch, with its settings; NULL without memory. The memory does not grow
 * with the table. */
rows *rows_new(const imp_model *model, const imp_settings *settings);
void rows_free(rows *r); /* NULL is fine */

/* Keeps one problem, and solves and writes what has been kept when there is no room for more. */
imp_status rows_add(rows *r, const imp_case *c, answers *a, imp_error *error);

/* Solves and writes what is kept. */
void rows_flush(rows *r, answers *a);

#endif
