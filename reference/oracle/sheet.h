/* sheet.h - a small tab-separated table in memory, kept as text so that it can be written back as
 * it was. */
#ifndef SHEET_H
#define SHEET_H

typedef struct sheet {
    int rows, columns;
    char *head;  /* the comment lines before the header, as they stand */
    char **name; /* (columns) */
    char **cell; /* (rows x columns) */
} sheet;

/* Reads a table; NULL when it cannot be opened or is not rectangular. */
sheet *sheet_read(const char *path);

/* The cell of a row in the column of that name; aborts when there is no such column: a mistake of
 * the program. */
const char *sheet_text(const sheet *s, int row, const char *name);
long double sheet_number(const sheet *s, int row, const char *name);

/* Puts a number (17 digits) there. */
void sheet_set(sheet *s, int row, const char *name, long double value);

/* Writes it back; 0, or -1 when that failed. */
int sheet_write(const sheet *s, const char *path);

void sheet_free(sheet *s);

#endif
