/* memory.c - memory that is there, or the report ends: lists that grow, texts that live as long as
 * the report. */
#include "benchmarks/harness/state.h"

#include <stdarg.h>
#include <stdlib.h>

void report_die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("report: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *report_grow(void *array, int count, size_t size) {
    if (count & (count - 1)) return array; /* the room is the next power of two */
    void *grown = realloc(array, (count ? 2 * (size_t)count : 1) * size);
    if (!grown) report_die("out of memory");
    return grown;
}

const char *report_text(report *r, const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) report_die("out of memory");
    r->texts = report_grow(r->texts, r->text_count, sizeof *r->texts);
    return r->texts[r->text_count++] = text;
}
