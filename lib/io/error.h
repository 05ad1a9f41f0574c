/* error.h - why a file was refused: a status and one line of text for people. */
#ifndef IMP_ERROR_H
#define IMP_ERROR_H

#include "base/status.h"
#include "base/public.h"

#include <stdarg.h>
#include <stdbool.h>

IMP_PUBLIC_BEGIN

enum { IMP_ERROR_TEXT = 512 };

/* Why a file was refused. */
typedef struct imp_error {
    /* IMP_IO (cannot be read or written), IMP_BAD_ARGUMENT (wrong content), IMP_NO_MEMORY; of
     * imp_problem_dump also what it finds wrong with W */
    imp_status status;
    char text[IMP_ERROR_TEXT]; /* "FILE:LINE:COLUMN: what, expected what" or "FILE: $.json.path:
                                  ..."; one line */
} imp_error;

/* Fills *error (may be NULL) as printf would; a text that is too long ends in "...", and control
 * characters, which would break the line or a terminal, become '?'. Returns `status`, so that a
 * reader ends with `return imp_error_set(...)`. Thread-safe. */
__attribute__((format(printf, 3, 4))) imp_status imp_error_set(imp_error *error, imp_status status,
                                                               const char *format, ...);

/* The same with the arguments as a list. */
__attribute__((format(printf, 3, 0))) imp_status imp_error_vset(imp_error *error, imp_status status,
                                                                const char *format,
                                                                va_list arguments);

IMP_PUBLIC_END

#endif
