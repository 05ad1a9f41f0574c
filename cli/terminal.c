/* terminal.c - tables in columns that fit a terminal. */
#include "cli/terminal.h"
#include "base/clock.h"
#include "base/plain.h"
#include "io/number.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* Rows that wait for each other's widths; columns; between two of them; characters of a number from
 * which on it is written with SHOWN digits; widths that are believed. */
enum { ROWS = 200, COLUMNS = 128, GAP = 2, LONG = 9, SHOWN = 6, NARROW = 20, WIDE = 10000 };

typedef struct sheet {
    FILE *to;
    bool coloured;
    char *line; /* what has come of the line that has not ended */
    size_t length, room;
    char *header, *row[ROWS]; /* of the table that is being written; NULL: none */
    int rows, columns;
    int width[COLUMNS]; /* characters, of all rows so far */
    bool number[COLUMNS];
    bool written; /* the header, with these widths */
    double since; /* when rows were written last, s */
} sheet;

/* One cell of a row, as it is shown. */
typedef struct cell {
    char text[1 << 10];
    int characters;
} cell;

static int terminal_width(FILE *terminal) {
    const char *given = getenv("COLUMNS");
    struct winsize size;
    double columns;
    if (given && !imp_number_parse(given, &columns) && columns >= NARROW && columns <= WIDE)
        return (int)columns;
    if (ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROW)
        return size.ws_col;
    return 80;
}

static bool wants_colour(void) {
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    return !(none && *none) && kind && strcmp(kind, "dumb") != 0;
}

/* The k-th field of a row, *length bytes; empty behind its last. */
static const char *field(const char *row, int k, size_t *length) {
    for (; k > 0 && row; k--)
        if ((row = strchr(row, '\t')) != NULL) row++;
    *length = row ? strcspn(row, "\t") : 0;
    return row ? row : "";
}

static bool begins_character(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80; /* of UTF-8 */
}

static void read_cell(const char *row, int k, bool shorten, cell *c) {
    size_t length;
    double x;
    const char *from = field(row, k, &length);
    if (length > sizeof c->text - 1) length = sizeof c->text - 1;
    memcpy(c->text, from, length);
    c->text[length] = '\0';
    if (shorten && length > LONG && strpbrk(c->text, ".e") && !imp_number_parse(c->text, &x))
        snprintf(c->text, sizeof c->text, "%.*g", SHOWN, x);
    imp_make_plain(c->text);
    c->characters = 0;
    for (const char *t = c->text; *t; t++)
        c->characters += begins_character(*t);
}

/* Ends a text that is longer than that many characters in an ellipsis. */
static void cut(cell *c, int most) {
    static const char dots[] = "...";
    if (c->characters <= most) return;
    char *end = c->text;
    for (int kept = 0; kept < most - 3 || !begins_character(*end); end++)
        kept += begins_character(*end);
    memcpy(end, dots, sizeof dots);
    c->characters = most;
}

static const char *colour_of(const char *word) {
    static const char *const good[] = {"ok", NULL}, *const bad[] = {"rejected", "unsolved",
                                                                    "failed", NULL};
    for (const char *const *w = good; *w; w++)
        if (strcmp(word, *w) == 0) return "\033[32m";
    for (const char *const *w = bad; *w; w++)
        if (strcmp(word, *w) == 0) return "\033[31m";
    return NULL;
}

static void write_cell(const sheet *s, const cell *c, int k, bool heads, bool last, int width) {
    const int blank = width - c->characters;
    const char *colour = !s->coloured ? NULL : heads ? "\033[1m" : colour_of(c->text);
    fprintf(s->to, "%*s%s%s%s", s->number[k] ? blank : 0, "", colour ? colour : "", c->text,
            colour ? "\033[0m" : "");
    if (!last) fprintf(s->to, "%*s", (s->number[k] ? 0 : blank) + GAP, "");
}

/* The first column and those from `from` up to `to`. */
static void write_line(const sheet *s, const char *row, const int *width, int from, int to) {
    cell c;
    for (int k = 0; k < to; k = k == 0 ? from : k + 1) {
        read_cell(row, k, k > 0 && row != s->header, &c);
        cut(&c, width[k]);
        write_cell(s, &c, k, row == s->header, to == 1 || k == to - 1, width[k]);
    }
    fputc('\n', s->to);
}

/* How far from a column on the columns fit beside the first; one that is wider than all that is
 * left is cut. */
static int fitting(const sheet *s, int all, int width[COLUMNS], int from) {
    const int least = all / 2;
    if (from == 1 && width[0] > least && s->columns > 1 && width[0] + GAP + width[1] > all)
        width[0] = least;
    int used = width[0], to = from;
    while (to < s->columns && used + GAP + width[to] <= all)
        used += GAP + width[to++];
    if (to == from && to < s->columns) width[to++] = all - used - GAP;
    return to;
}

static void measure(sheet *s, const char *row) {
    cell c;
    double x;
    for (int k = 0; k < s->columns; k++) {
        read_cell(row, k, k > 0 && row != s->header, &c);
        if (c.characters > s->width[k]) {
            s->width[k] = c.characters;
            s->written = false;
        }
        if (row != s->header && *c.text && imp_number_parse(c.text, &x)) s->number[k] = false;
    }
}

/* Writes the rows that wait, under a header where it is needed. */
static void write_rows(sheet *s) {
    int width[COLUMNS];
    for (int i = 0; i < s->rows; i++)
        measure(s, s->row[i]);
    memcpy(width, s->width, sizeof width);
    const int all = terminal_width(s->to);
    for (int from = 1, to; s->header && (from < s->columns || from == 1); from = to) {
        to = fitting(s, all, width, from);
        if (from > 1) fputc('\n', s->to);
        if (!s->written || from > 1 || to < s->columns) write_line(s, s->header, width, from, to);
        for (int i = 0; i < s->rows; i++)
            write_line(s, s->row[i], width, from, to);
    }
    for (int i = 0; i < s->rows; i++)
        free(s->row[i]);
    s->rows = 0;
    s->written = true;
    s->since = imp_seconds(CLOCK_MONOTONIC);
    fflush(s->to);
}

static void end_table(sheet *s) {
    if (s->header) write_rows(s);
    free(s->header);
    s->header = NULL;
}

static bool begin_table(sheet *s, const char *line) {
    s->header = strdup(line);
    s->columns = 1;
    for (const char *t = line; (t = strchr(t, '\t')) != NULL && s->columns < COLUMNS; t++)
        s->columns++;
    for (int k = 0; k < COLUMNS; k++) {
        s->width[k] = 0;
        s->number[k] = k > 0;
    }
    s->written = false;
    s->since = imp_seconds(CLOCK_MONOTONIC);
    if (s->header) measure(s, s->header);
    return s->header != NULL;
}

/* One whole line, without its end. */
static bool take_line(sheet *s, char *line) {
    if (!strchr(line, '\t')) {
        end_table(s);
        imp_make_plain(line);
        return fputs(line, s->to) != EOF && fputc('\n', s->to) != EOF;
    }
    if (!s->header) return begin_table(s, line);
    s->row[s->rows] = strdup(line);
    if (!s->row[s->rows]) return false;
    s->rows++;
    if (s->rows == ROWS || imp_seconds(CLOCK_MONOTONIC) - s->since > 1) write_rows(s);
    return true;
}

static bool keep(sheet *s, const char *text, size_t length) {
    if (s->length + length + 1 > s->room) {
        const size_t room = 2 * (s->length + length + 1);
        char *line = realloc(s->line, room);
        if (!line) return false;
        s->line = line;
        s->room = room;
    }
    memcpy(s->line + s->length, text, length);
    s->length += length;
    s->line[s->length] = '\0';
    return true;
}

static ssize_t put(void *cookie, const char *text, size_t size) {
    sheet *s = cookie;
    for (const char *from = text, *end; from < text + size; from = end) {
        const char *newline = memchr(from, '\n', (size_t)(text + size - from));
        end = newline ? newline + 1 : text + size;
        if (!keep(s, from, (size_t)((newline ? newline : end) - from))) return 0;
        if (!newline) continue;
        const bool taken = take_line(s, s->line);
        s->length = 0;
        if (!taken || ferror(s->to)) return 0;
    }
    return (ssize_t)size;
}

static int end(void *cookie) {
    sheet *s = cookie;
    end_table(s);
    if (s->length > 0) {
        imp_make_plain(s->line);
        fputs(s->line, s->to);
    }
    const int failed = fflush(s->to) != 0 || ferror(s->to) ? EOF : 0;
    free(s->line);
    free(s);
    return failed;
}

FILE *terminal_open(FILE *terminal) {
    sheet *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (sheet){.to = terminal, .coloured = wants_colour()};
    FILE *file = fopencookie(s, "w", (cookie_io_functions_t){.write = put, .close = end});
    if (file)
        setvbuf(file, NULL, _IOLBF, BUFSIZ);
    else
        free(s);
    return file;
}
