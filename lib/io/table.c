/* table.c - tables whose fields a tab or a comma separates, one line at a time. */
#include "io/table.h"
#include "io/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* *line <- the next line without its end, NUL-terminated in place; NULL at the end of the file. */
static imp_status next_line(imp_table *t, char **line, size_t *length, imp_error *error) {
    char *end = NULL;
    *line = NULL;
    *length = 0;
    while (!(end = memchr(t->buffer + t->begin, '\n', t->end - t->begin)) && !t->exhausted) {
        memmove(t->buffer, t->buffer + t->begin, t->end - t->begin);
        t->end -= t->begin;
        t->begin = 0;
        if (t->end == IMP_TABLE_LINE)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s:%ld:1: a line of more than %d bytes, expected a table",
                                 t->input->name, t->line + 1, IMP_TABLE_LINE);
        const size_t n = fread(t->buffer + t->end, 1, IMP_TABLE_LINE - t->end, t->input->file);
        if (ferror(t->input->file))
            return imp_error_system(error, t->input->name, "cannot be read");
        t->exhausted = n == 0;
        t->end += n;
    }
    if (!end && t->begin == t->end) return IMP_OK;
    if (!end) end = t->buffer + t->end;
    *line = t->buffer + t->begin;
    *length = (size_t)(end - *line);
    t->begin += *length + (end < t->buffer + t->end);
    if (*length > 0 && end[-1] == '\r') --*length;
    (*line)[*length] = 0;
    t->line++;
    return IMP_OK;
}

static int is_text(char byte) {
    const unsigned char c = (unsigned char)byte;
    return (c >= 0x20 || c == '\t') & (c != 0x7f);
}

bool imp_table_holds(const char *text) {
    while (*text && *text != '\t' && is_text(*text))
        text++;
    return !*text;
}

static imp_status check_bytes(const imp_table *t, const char *line, size_t length,
                              imp_error *error) {
    int strange = 0; /* the whole line first: many bytes at once */
    for (size_t i = 0; i < length; i++)
        strange |= !is_text(line[i]);
    for (size_t i = 0; strange && i < length; i++)
        if (!is_text(line[i]))
            return imp_error_set(error, IMP_BAD_ARGUMENT, "%s:%ld:%zu: byte 0x%02x, expected text",
                                 t->input->name, t->line, i + 1, (unsigned char)line[i]);
    return IMP_OK;
}

/* The next line that is neither empty nor a comment. */
static imp_status next_content(imp_table *t, char **line, size_t *length, imp_error *error) {
    do {
        imp_status status = next_line(t, line, length, error);
        if (status == IMP_OK && *line) status = check_bytes(t, *line, *length, error);
        if (status != IMP_OK) return status;
    } while (*line && (*length == 0 || **line == '#'));
    return IMP_OK;
}

static int find_wanted(const imp_column *wanted, const char *name) {
    for (int k = 0; wanted[k].name; k++)
        if (strcmp(wanted[k].name, name) == 0) return k;
    return -1;
}

/* The same but for capitals and blanks? By one wrong letter any name of one letter is another. */
static bool is_nearly(const char *name, const char *wanted) {
    for (;; name++) {
        if (*name == ' ') continue;
        if (tolower((unsigned char)*name) != tolower((unsigned char)*wanted)) return false;
        if (*wanted++ == 0) return true;
    }
}

/* Is a column of the header, whose names stand behind each other, one that tables do not hold, or a
 * wanted one that is missing? */
static imp_status refuse_strange(const imp_table *t, const char *const *json_only,
                                 const char *header, imp_error *error) {
    const char *name = header;
    for (int c = 0; c < t->columns; c++, name += strlen(name) + 1) {
        for (const char *const *other = json_only; other && *other; other++)
            if (is_nearly(name, *other))
                return imp_error_set(
                    error, IMP_BAD_ARGUMENT,
                    "%s:%ld:%d: column %.60s, expected none: JSON problems alone hold it",
                    t->input->name, t->line, (int)(name - header) + 1, name);
        for (int k = 0; t->wanted[k].name; k++)
            if (t->meaning[c] < 0 && !t->at[k] && is_nearly(name, t->wanted[k].name))
                return imp_error_set(error, IMP_BAD_ARGUMENT,
                                     "%s:%ld:%d: unknown column \"%.60s\" (did you mean "
                                     "\"%s\"?), expected that or another name",
                                     t->input->name, t->line, (int)(name - header) + 1, name,
                                     t->wanted[k].name);
    }
    return IMP_OK;
}

static imp_status read_header(imp_table *t, const char *const *json_only, char *line,
                              imp_error *error) {
    t->columns = 1;
    for (const char *c = line; *c; c++)
        t->columns += *c == t->separator;
    t->meaning = malloc((size_t)t->columns * sizeof *t->meaning);
    if (!t->meaning) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", t->input->name);
    const char *start = line;
    for (int c = 0; c < t->columns; c++) {
        char *name = strsep(&line, (const char[]){t->separator, 0});
        const int k = find_wanted(t->wanted, name), at = (int)(name - start) + 1;
        t->meaning[c] = k;
        if (k < 0) continue;
        if (t->at[k])
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s:%ld:%d: column %s stands here again, expected it once",
                                 t->input->name, t->line, at, name);
        t->at[k] = at;
    }
    if (refuse_strange(t, json_only, start, error) != IMP_OK) return IMP_BAD_ARGUMENT;
    for (int k = 0; t->wanted[k].name; k++)
        if (!t->at[k] && !t->wanted[k].optional)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s:%ld:1: no column %s, expected a %s-separated header with it",
                                 t->input->name, t->line, t->wanted[k].name,
                                 t->separator == '\t' ? "tab" : "comma");
    return IMP_OK;
}

imp_status imp_table_open(imp_table *table, const imp_input *input, const imp_column *wanted,
                          const char *const *json_only, char separator, imp_error *error) {
    *table = (imp_table){.input = input,
                         .wanted = wanted,
                         .separator = separator,
                         .buffer = malloc(IMP_TABLE_LINE + 1)};
    if (!table->buffer) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", input->name);
    char *line;
    size_t length;
    const imp_status status = next_content(table, &line, &length, error);
    if (status != IMP_OK) return status;
    if (!line)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s:%ld:1: the file ends, expected a header row", input->name,
                             table->line + 1);
    return read_header(table, json_only, line, error);
}

imp_status imp_table_next(imp_table *table, bool *more, imp_error *error) {
    char *line;
    size_t length;
    const imp_status status = next_content(table, &line, &length, error);
    *more = line != NULL;
    if (status != IMP_OK || !line) return status;
    const char *start = line;
    for (int c = 0; line; c++) {
        char *text = line, *tab = memchr(line, table->separator, length - (size_t)(line - start));
        const int at = (int)(text - start) + 1;
        if (tab) *tab = 0;
        line = tab ? tab + 1 : NULL;
        if (c >= table->columns || (!line && c + 1 < table->columns))
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s:%ld:%d: %s than %d fields, expected as many as the header",
                                 table->input->name, table->line, at,
                                 line || c >= table->columns ? "more" : "fewer", table->columns);
        const int k = table->meaning[c];
        if (k < 0) continue;
        table->field[k] = text;
        table->at[k] = at;
    }
    return IMP_OK;
}

imp_status imp_table_expected(const imp_table *table, int k, const char *expected,
                              imp_error *error) {
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s:%ld:%d: %s is \"%.60s\", expected %s",
                         table->input->name, table->line, table->at[k], table->wanted[k].name,
                         table->field[k], expected);
}

imp_status imp_table_number(const imp_table *table, int k, double *x, imp_error *error) {
    const char *expected = imp_number_parse(table->field[k], x);
    return expected ? imp_table_expected(table, k, expected, error) : IMP_OK;
}

void imp_table_close(imp_table *table) {
    free(table->meaning);
    free(table->buffer);
    table->meaning = NULL;
    table->buffer = NULL;
}
