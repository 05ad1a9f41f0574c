/* html.c - what the page is written with: templates with named places, and escaped text. */
#include "benchmarks/harness/html.h"

#include "benchmarks/harness/state.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *file_text(const char *path) {
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!in || getdelim(&text, &room, '\0', in) < 0)
        report_die("%s: %s", path, in ? "empty" : strerror(errno));
    fclose(in);
    return text;
}

static const html_place *place_named(const html_place *places, const char *name, size_t length) {
    for (; places->name; places++)
        if (strncmp(places->name, name, length) == 0 && places->name[length] == '\0') return places;
    return NULL;
}

void html_fill(FILE *out, const char *path, const html_place *places, const void *context) {
    char *text = file_text(path), *at = text;
    for (char *open; (open = strstr(at, "{{")) != NULL;) {
        const char *name = open + 2, *close = strstr(name, "}}");
        const html_place *place = close ? place_named(places, name, (size_t)(close - name)) : NULL;
        if (!place) report_die("%s: no place is called %.20s", path, name);
        fwrite(at, 1, (size_t)(open - at), out);
        place->write(out, context);
        at = open + (close - open) + 2;
    }
    fputs(at, out);
    free(text);
}

static void put_escaped(FILE *out, char c) {
    switch (c) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    case '"': fputs("&quot;", out); break;
    default: putc(c, out);
    }
}

void html_escaped(FILE *out, const char *text) {
    for (; *text; text++)
        put_escaped(out, *text);
}

void html_number(FILE *out, const char *text) {
    for (const char *at = text; *at; at++) {
        const char before = at > text ? at[-1] : ' ';
        const bool sign = *at == '-' && (isdigit((unsigned char)at[1]) || at[1] == '.') &&
                          (strchr(" [(,=/", before) ||
                           (before == 'e' && at - text > 1 && isdigit((unsigned char)at[-2])));
        if (sign)
            fputs("\u2212", out);
        else
            put_escaped(out, *at);
    }
}

void html_cell(FILE *out, const char *class, const char *text) {
    fprintf(out, "<td class=\"%s\">", class);
    html_escaped(out, text);
    fputs("</td>", out);
}

void html_number_cell(FILE *out, const char *text) {
    fputs("<td class=\"n\">", out);
    html_number(out, text);
    fputs("</td>", out);
}
