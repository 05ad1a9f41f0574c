/* error.c - one line of text for people. */
#include "io/error.h"
#include "base/plain.h"

#include <stdio.h>
#include <string.h>

imp_status imp_error_vset(imp_error *error, imp_status status, const char *format,
                          va_list arguments) {
    if (!error) return status;
    error->status = status;
    const int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    if (length >= (int)sizeof error->text) memcpy(error->text + sizeof error->text - 4, "...", 4);
    imp_make_plain(error->text);
    return status;
}

imp_status imp_error_set(imp_error *error, imp_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    imp_error_vset(error, status, format, arguments);
    va_end(arguments);
    return status;
}
