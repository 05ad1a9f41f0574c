/* report.c - what experiments call: tables and what the page shows; rows.c has the rows. */
#include "benchmarks/harness/state.h"

#include <math.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void report_complain(const report *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs(r->terminal ? "\r\033[Kreport: " : "report: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

bool report_full(const report *r) {
    return r->full;
}

section *report_running(report *r) {
    return &r->sections[r->section_count - 1];
}

/* ---- files ---- */

FILE *report_create(const char *path) {
    char *part;
    if (asprintf(&part, "%s.part", path) < 0) report_die("out of memory");
    FILE *file = fopen(part, "w");
    if (!file) report_die("%s: %s", part, strerror(errno));
    free(part);
    return file;
}

void report_commit(FILE *file, const char *path) {
    char *part;
    if (asprintf(&part, "%s.part", path) < 0) report_die("out of memory");
    const bool written = !ferror(file);
    if (fclose(file) != 0 || !written || rename(part, path) != 0)
        report_die("%s: %s", path, strerror(errno));
    free(part);
}

report_rows *report_table(report *r, const char *name, const char *columns) {
    imp_column column[TABLE_COLUMNS + 1] = {{0}};
    for (int k = 0; columns; k++) {
        if (k == TABLE_COLUMNS) report_die("%s: more than %d columns", name, TABLE_COLUMNS);
        const size_t length = strcspn(columns, "\t"), word = strcspn(columns, ":\t");
        column[k].name = report_text(r, "%.*s", (int)word, columns);
        if (word < length) column[k].digits = atoi(columns + word + 1);
        columns = columns[length] ? columns + length + 1 : NULL;
    }
    return report_table_of(r, name, column);
}

report_rows *report_table_of(report *r, const char *name, const imp_column *columns) {
    if (r->open_count == OPEN_TABLES) report_die("more than %d tables open at once", OPEN_TABLES);
    section *s = report_running(r);
    s->tables = report_grow(s->tables, s->table_count, sizeof *s->tables);
    s->tables[s->table_count++] = report_text(r, "%s", name);
    report_rows *rows = &r->open[r->open_count++];
    *rows = (report_rows){.path = report_text(r, "%s/data/%s.tsv", r->directory, name)};
    for (; columns->name; columns++) {
        if (rows->columns == TABLE_COLUMNS)
            report_die("%s: more than %d columns", name, TABLE_COLUMNS);
        rows->column[rows->columns++] = *columns;
    }
    rows->file = report_create(rows->path);
    fprintf(rows->file, "# %s: %s\n", s->experiment->id, s->experiment->title);
    imp_write_header(rows->column, rows->file);
    return rows;
}

FILE *report_stream(report_rows *rows) {
    return rows->file;
}

void report_fields(report_rows *rows, int count, const imp_cell *cells) {
    if (count != rows->columns)
        report_die("%s: a row of %d, expected %d", rows->path, count, rows->columns);
    for (int k = 0; k < count; k++)
        if (rows->column[k].digits > 0 ? cells[k].text != NULL : isfinite(cells[k].number))
            report_die("%s: %s of the other kind, a text or a number", rows->path,
                       rows->column[k].name);
    imp_write_cells(rows->column, rows->file, count, cells);
}

void report_numbers(report_rows *rows, const char *text, int count, const double *x) {
    imp_cell cells[TABLE_COLUMNS + 1] = {IMP_TEXT(text)};
    const int first = text ? 1 : 0;
    if (count > TABLE_COLUMNS) report_die("%s: a row of %d numbers", rows->path, count);
    for (int k = 0; k < count; k++)
        cells[first + k] = IMP_NUMBER(x[k]);
    report_fields(rows, first + count, cells);
}

void report_gap(report_rows *rows) {
    fputc('\n', rows->file);
}

int report_drawn(const report_rows *rows, const char *series, const char *column, int most,
                 double *x) {
    int place = 0, count = 0;
    while (place < rows->columns && strcmp(rows->column[place].name, column) != 0)
        place++;
    if (place == rows->columns) report_die("%s: no column \"%s\"", rows->path, column);
    char *part, *line = NULL;
    size_t size = 0;
    if (asprintf(&part, "%s.part", rows->path) < 0) report_die("out of memory");
    FILE *file = fflush(rows->file) == 0 ? fopen(part, "r") : NULL;
    if (!file) report_die("%s: %s", part, strerror(errno));
    for (int lines = 0; getline(&line, &size, file) >= 0; lines++) {
        char *rest = line, *first = strsep(&rest, "\t\n"), *field = first;
        if (lines < 2 || *first == '\0' || (series && strcmp(first, series) != 0)) continue;
        for (int k = 0; k < place && field; k++)
            field = strsep(&rest, "\t\n");
        if (count < most) x[count] = field && *field ? strtod(field, NULL) : NAN;
        count++;
    }
    free(line);
    free(part);
    (void)fclose(file);
    return count;
}

void report_commit_tables(report *r) {
    while (r->open_count > 0) {
        r->open_count--;
        report_commit(r->open[r->open_count].file, r->open[r->open_count].path);
    }
}

/* ---- what the page shows ---- */

static item *add_item(report *r, item_kind kind, const char *name, const char *text) {
    section *s = report_running(r);
    s->items = report_grow(s->items, s->item_count, sizeof *s->items);
    item *added = &s->items[s->item_count++];
    *added = (item){.kind = kind,
                    .name = name ? report_text(r, "%s", name) : NULL,
                    .text = report_text(r, "%s", text)};
    return added;
}

static item *draw(report *r, const char *name, const char *caption) {
    report_commit_tables(r);
    item *figure = add_item(r, ITEM_FIGURE, name, caption);
    figure->fault = report_draw(r, name);
    return figure;
}

static void complain_of_missing(const report *r, const item *figure) {
    if (figure->fault) report_complain(r, "figure %s is missing: %s", figure->name, figure->fault);
}

void report_figure(report *r, const char *name, const char *caption) {
    complain_of_missing(r, draw(r, name, caption));
}

void report_motion(report *r, const char *name, const char *caption) {
    bool missing = false;
    item *figure = draw(r, name, caption);
    figure->moves = true;
    if (!figure->fault) figure->still = report_draw_frames(r, name, &missing);
    if (figure->still && !missing) figure->fault = figure->still;
    complain_of_missing(r, figure);
}

void report_show_table(report *r, const char *name, const char *caption) {
    report_commit_tables(r);
    add_item(r, ITEM_TABLE, name, caption);
}

void report_say(report *r, const char *text) {
    add_item(r, ITEM_TEXT, NULL, text);
}

void report_skip(report *r, const char *why) {
    report_running(r)->skipped = report_text(r, "%s", why);
}
