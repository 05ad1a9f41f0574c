/* error.c - one line of text for people. */
#include "io/error.h"

#include <stdio.h>
#include <string.h>

imp_status imp_error_vset(imp_error *error, imp_status status, const char *format,
                          va_list arguments) {
    if (!error) return status;
    error->status = status;
    const int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    if (length >= (int)sizeof error->text) memcpy(error->text + sizeof error->text - 4, "...", 4);
    for (unsigned char *c = (unsigned char *)error->text; *c; c++)
        if (*c < 0x20 || *c == 0x7f) *c = '?';
    return status;
}

imp_status imp_error_set(imp_error *error, imp_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    imp_error_vset(error, status, format, arguments);
    va_end(arguments);
    return status;
}
