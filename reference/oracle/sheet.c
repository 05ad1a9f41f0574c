/* sheet.c - tables of reference/data: read whole, changed by cell, written back. */
#include "sheet.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *block, size_t size) {
    void *result = realloc(block, size);
    if (!result) abort();
    return result;
}

static char *copied(const char *text) {
    const size_t size = strlen(text) + 1;
    return memcpy(grown(NULL, size), text, size);
}

/* Cuts a line at its tabs into `field` (grown as needed); returns how many. */
static int split(char *line, char ***field, int used) {
    int count = 0;
    for (char *rest = line, *text; (text = strsep(&rest, "\t")); count++) {
        *field = grown(*field, (size_t)(used + count + 1) * sizeof **field);
        (*field)[used + count] = copied(text);
    }
    return count;
}

sheet *sheet_read(const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    sheet *s = grown(NULL, sizeof *s);
    *s = (sheet){.head = copied("")};
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    while (getline(&line, &room, in) > 0) {
        if (line[0] == '#') {
            const size_t before = strlen(s->head), more = strlen(line) + 1;
            s->head = grown(s->head, before + more);
            memcpy(s->head + before, line, more);
            continue;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (!s->name) {
            s->columns = split(line, &s->name, 0);
        } else {
            good = good && split(line, &s->cell, s->rows * s->columns) == s->columns;
            s->rows++;
        }
    }
    free(line);
    (void)fclose(in);
    if (good && s->name) return s;
    sheet_free(s);
    return NULL;
}

static char **cell_at(const sheet *s, int row, const char *name) {
    for (int k = 0; k < s->columns; k++)
        if (strcmp(s->name[k], name) == 0)
            return &s->cell[(size_t)row * (size_t)s->columns + (size_t)k];
    abort();
}

const char *sheet_text(const sheet *s, int row, const char *name) {
    return *cell_at(s, row, name);
}

long double sheet_number(const sheet *s, int row, const char *name) {
    return strtold(sheet_text(s, row, name), NULL);
}

void sheet_set(sheet *s, int row, const char *name, long double value) {
    char text[32], **cell = cell_at(s, row, name);
    (void)snprintf(text, sizeof text, "%.17Lg", value);
    free(*cell);
    *cell = copied(text);
}

int sheet_write(const sheet *s, const char *path) {
    FILE *out = fopen(path, "w");
    if (!out) return -1;
    (void)fputs(s->head, out);
    for (int k = 0; k < s->columns; k++)
        (void)fprintf(out, "%s%c", s->name[k], k + 1 < s->columns ? '\t' : '\n');
    for (int i = 0; i < s->rows * s->columns; i++)
        (void)fprintf(out, "%s%c", s->cell[i], (i + 1) % s->columns ? '\t' : '\n');
    const bool failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

void sheet_free(sheet *s) {
    if (!s) return;
    for (int i = 0; s->cell && i < s->rows * s->columns; i++)
        free(s->cell[i]);
    for (int k = 0; s->name && k < s->columns; k++)
        free(s->name[k]);
    free(s->cell);
    free(s->name);
    free(s->head);
    free(s);
}
