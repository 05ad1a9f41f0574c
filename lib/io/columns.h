/* columns.h - tables written: their columns are declared once, and the header and every row follow
 * the declaration.
 *
 *     static const imp_column columns[] = {IMP_WORDS("id"), IMP_AXES("p", "N s"), IMP_COLUMNS_END};
 *     imp_write_header(columns, out);
 *     imp_write_row(columns, out, IMP_TEXT(id), IMP_VECTOR(p));
 *
 * A number that is not finite, and what a row does not say, is an empty field: here and nowhere
 * else. */
#ifndef IMP_COLUMNS_H
#define IMP_COLUMNS_H

#include "base/public.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

IMP_PUBLIC_BEGIN

/* Digits that read back as the same double, and all of a whole number. */
enum { IMP_EXACT = 17 };

/* One column of a table. */
typedef struct imp_column {
    const char *name; /* NULL ends a list of columns */
    const char *unit; /* NULL: none, or told by the name */
    int digits;       /* significant ones of a number; 0: a column of texts */
    bool optional;    /* in a table that is read: it may be absent */
} imp_column;

/* clang-format off */
/* Columns in a list: of texts; of numbers in a unit, of so many digits; of whole numbers; of three
 * numbers name1, name2, name3 along n, t, o. */
#define IMP_WORDS(name)                 {name, NULL, 0, false}
#define IMP_NUMBERS(name, unit, digits) {name, unit, digits, false}
#define IMP_COUNTS(name)                IMP_NUMBERS(name, NULL, IMP_EXACT)
#define IMP_AXES(name, unit) \
    IMP_NUMBERS(name "1", unit, IMP_EXACT), IMP_NUMBERS(name "2", unit, IMP_EXACT),                \
        IMP_NUMBERS(name "3", unit, IMP_EXACT)
/* The end of the list. */
#define IMP_COLUMNS_END                 {NULL, NULL, 0, false}
/* clang-format on */

/* A field: a text or a number. */
typedef struct imp_cell {
    const char *text; /* NULL: none */
    double number;    /* not finite: none */
} imp_cell;

/* Fields of a row: a text, a number, a vector of three. */
#define IMP_TEXT(x)   ((imp_cell){(x), NAN})
#define IMP_NUMBER(x) ((imp_cell){NULL, (x)})
#define IMP_VECTOR(x) IMP_NUMBER((x)[0]), IMP_NUMBER((x)[1]), IMP_NUMBER((x)[2])

/* The columns' names in a line. */
void imp_write_header(const imp_column *columns, FILE *out);

/* A line of `count` fields, one for each column from the first; those of the columns behind are
 * empty. What would break the row in a text, a control character, is a ?. A number under a column
 * of texts, or a text under numbers, is none. Errors are ferror's. Thread-safe. */
void imp_write_cells(const imp_column *columns, FILE *out, int count, const imp_cell *cells);

#ifndef __cplusplus
/* How many fields, and the fields: two arguments of imp_write_cells. Of C alone: C++ has an array
 * of them for imp_write_cells. */
#define IMP_CELLS(...)                                                                             \
    (int)(sizeof((const imp_cell[]){__VA_ARGS__}) / sizeof(imp_cell)), (const imp_cell[]) {        \
        __VA_ARGS__                                                                                \
    }
/* A line of fields, each made by one of the words above. */
#define imp_write_row(columns, out, ...) imp_write_cells(columns, out, IMP_CELLS(__VA_ARGS__))
#endif

IMP_PUBLIC_END

#endif
