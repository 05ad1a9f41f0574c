/* complain.c - one line on standard error; want of memory goes before all else. */
#include "cli/cli.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t failed;
static pid_t watched;
static void (*end)(void);

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory || bytes == 0) return memory;
    failed = 1;
    if (getpid() != watched) _exit(EXIT_BAD);
    end();
    return NULL;
}

void memory_watch(void (*ended)(void)) {
    watched = getpid();
    end = ended;
    json_set_alloc_funcs(allocate, free);
}

bool memory_failed(void) {
    return failed;
}

static char *const *assigned; /* NULL: nothing */

void complain_of_assigned(char *const *assign) {
    assigned = assign;
}

/* Does "key=value" give what the JSON path behind "$." leads to: that key, a member of it, or an
 * object or array that holds it? An item is .0 in the one, [0] in the other. */
static bool gives(const char *assign, const char *path) {
    const char *key = assign;
    for (;; key++, path++) {
        path += *path == ']';
        const bool whole = !*key || *key == '=', led = !*path || strchr(": ,", *path);
        const char step = *path == '[' ? '.' : *path;
        if (whole || led) return key > assign && (whole ? led || step == '.' : *key == '.');
        if (*key != step) return false;
    }
}

/* Is its value the one that is said behind the path? */
static bool is_said(const char *assign, const char *path) {
    const char *value = strchr(assign, '='), *said = strstr(path, ": ");
    if (!value || !said) return false;
    said += said[2] == '"' ? 3 : 2;
    const size_t length = strlen(++value);
    return length > 0 && strncmp(said, value, length) == 0 && strchr(",\"", said[length]);
}

/* The "key=value" of the command line that the text speaks of; NULL: it speaks of a file. Of
 * several the last that gives the value which is said, as one behind it may not have been read yet;
 * otherwise the last, which counts. */
static const char *origin(const char *text) {
    const char *path = strstr(text, "$."), *last = NULL, *said = NULL;
    for (char *const *a = assigned; path && a && *a; a++) {
        if (!gives(*a, path + 2)) continue;
        last = *a;
        if (is_said(*a, path)) said = *a;
    }
    return said ? said : last;
}

bool complain_unheard;

static char last[2 * IMP_ERROR_TEXT]; /* the last complaint */

int complain(const imp_error *error) {
    const char *from = failed ? NULL : origin(error->text);
    imp_error said = {.text = ""};
    if (from) imp_error_set(&said, error->status, " (from the command line: --set %.100s)", from);
    snprintf(last, sizeof last, "%s%s", failed ? "no memory" : error->text, said.text);
    if (!complain_unheard) fprintf(stderr, "impact: %s\n", last);
    return EXIT_BAD;
}

void complain_as(int rank) {
    fprintf(stderr, "impact: rank %d: %s\n", rank, last);
}

int complain_of(const char *format, ...) {
    imp_error error;
    va_list arguments;
    va_start(arguments, format);
    imp_error_vset(&error, IMP_BAD_ARGUMENT, format, arguments);
    va_end(arguments);
    return complain(&error);
}

void warn_of(const char *format, ...) {
    imp_error error;
    va_list arguments;
    va_start(arguments, format);
    imp_error_vset(&error, IMP_OK, format, arguments);
    va_end(arguments);
    if (!complain_unheard) fprintf(stderr, "impact: warning: %s\n", error.text);
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
