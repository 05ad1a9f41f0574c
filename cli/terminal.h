/* terminal.h - what standard output gets where it is a terminal. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

/* A stream in front of a terminal: lines with tabs are rows of a table, the first of them its
 * header, and stand in columns that fit the terminal's width (COLUMNS, where it is set); others
 * pass as they are, but control characters of either are '?'. Numbers have six digits there,
 * beginning with the second column; columns that do not fit stand in blocks below, each with the
 * first one before it; and words that no width holds end in three dots. Bold and in colour, but
 * where NO_COLOR says otherwise or TERM is dumb. fclose ends it, and tells whether all was written;
 * NULL without memory. */
FILE *terminal_open(FILE *terminal);

#endif
