/* complain.c - one line on standard error. */
#include "cli/cli.h"

int complain(const imp_error *error) {
    fprintf(stderr, "impact: %s\n", error->text);
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
