/* table.h - tables of lines: `#` comments, one header row, columns found by name in any order.
 *
 * Lines end with LF or CRLF, the last one with or without; empty lines are skipped. Every row has
 * as many fields as the header. Columns nobody asked for are ignored, but one that is named as a
 * wanted one that is missing, in other capitals or with blanks, is refused. Control characters (a
 * binary file) and lines of a megabyte are refused. Memory does not grow with the number of
 * rows. */
#ifndef IMP_TABLE_H
#define IMP_TABLE_H

#include "io/columns.h"
#include "io/stream.h"

enum { IMP_TABLE_COLUMNS = 18, IMP_TABLE_LINE = 1 << 20 };

typedef struct imp_table {
    const imp_input *input;
    const imp_column *wanted;
    char separator; /* of fields: a tab or a comma */
    long line;      /* of the current row, from 1 */
    int columns;    /* of the header */
    int *meaning;   /* (columns) index into wanted, -1: ignored */
    char *buffer; /* (IMP_TABLE_LINE + 1) bytes read, of which begin .. end are still to be split */
    size_t begin, end;
    bool exhausted;                 /* nothing left in the file behind the buffer */
    char *field[IMP_TABLE_COLUMNS]; /* the current row: text per wanted column; NULL where an
                                       optional one is absent */
    int at[IMP_TABLE_COLUMNS];      /* where the text stands in the line, bytes from 1 */
} imp_table;

/* Reads up to and with the header; the input stands at its start and must outlive the table. A file
 * without a header, a wanted column missing, misspelt or twice, one of json_only (names ended by
 * NULL; may be NULL), which JSON alone holds: IMP_BAD_ARGUMENT. IMP_IO, IMP_NO_MEMORY. The caller
 * calls imp_table_close either way. */
imp_status imp_table_open(imp_table *table, const imp_input *input, const imp_column *wanted,
                          const char *const *json_only, char separator, imp_error *error);

/* Reads the next row; *more is false behind the last. */
imp_status imp_table_next(imp_table *table, bool *more, imp_error *error);

/* The number in wanted column k of the current row. */
imp_status imp_table_number(const imp_table *table, int k, double *x, imp_error *error);

/* Refuses that field: "FILE:LINE:COLUMN: NAME is "TEXT", expected <expected>". Returns
 * IMP_BAD_ARGUMENT. */
imp_status imp_table_expected(const imp_table *table, int k, const char *expected,
                              imp_error *error);

void imp_table_close(imp_table *table);

/* Can a field of a row be this text? Tabs and ends of lines would break the row, and other control
 * characters are refused where it is read. */
bool imp_table_holds(const char *text);

#endif
