/* complain.c - one line on standard error; want of memory goes before all else. */
#include "cli/cli.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t failed;

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory && bytes > 0) failed = 1;
    return memory;
}

void memory_watch(void) {
    json_set_alloc_funcs(allocate, free);
}

bool memory_failed(void) {
    return failed;
}

int complain(const imp_error *error) {
    fprintf(stderr, "impact: %s\n", failed ? "no memory" : error->text);
    return EXIT_BAD;
}

int complain_of(const char *format, ...) {
    imp_error error;
    va_list arguments;
    va_start(arguments, format);
    imp_error_vset(&error, IMP_BAD_ARGUMENT, format, arguments);
    va_end(arguments);
    return complain(&error);
}

const char *time_text(double seconds, char text[32]) {
    const bool soon = seconds < 600, today = seconds < 36000;
    snprintf(text, 32, "%.0f %s",
             soon    ? seconds
             : today ? seconds / 60
                     : seconds / 3600,
             soon    ? "s"
             : today ? "min"
                     : "h");
    return text;
}
