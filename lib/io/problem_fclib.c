/* problem_fclib.c - the contact problem of an FCLIB file. */
#include "io/fclib.h"
#include "io/format.h"

#include <stdlib.h>

/* What the file holds, and the problem it states. */
struct fclib_problem {
    imp_fclib file;
    imp_fclib_posed posed;
};

static bool claims(const unsigned char *head, size_t n) {
    return imp_fclib_recognise(head, n) != 0;
}

static void close_fclib(imp_problem_file *file) {
    struct fclib_problem *held = file->fclib;
    if (!held) return;
    imp_fclib_posed_clear(&held->posed);
    imp_fclib_clear(&held->file);
    free(held);
    file->fclib = NULL;
}

static imp_status open_fclib(imp_problem_file *file, imp_error *error) {
    struct fclib_problem *held = file->fclib = calloc(1, sizeof *held);
    if (!held) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file->input.name);
    imp_status status = imp_fclib_read(&file->input, &held->file, error);
    if (status == IMP_OK)
        status = imp_fclib_state(&held->file, file->input.name, &held->posed, error);
    if (status != IMP_OK) return status;
    file->slot.now.problem = held->posed.problem;
    file->slot.now.constrained = held->file.bilateral > 0 ? &held->file : NULL;
    return IMP_OK;
}

static imp_status next_fclib(imp_problem_file *file, bool *more, imp_error *error) {
    const char *title = file->fclib->file.title;
    (void)error;
    *more = file->position == 0;
    file->slot.now.guess = file->fclib->file.guess;
    if (title && *title && imp_table_holds(title)) file->slot.now.id = title;
    return IMP_OK;
}

const imp_fclib *imp_problem_file_fclib(const imp_problem_file *file) {
    return file->fclib ? &file->fclib->file : NULL;
}

const imp_format imp_format_fclib = {.name = "FCLIB",
                                     .claims = claims,
                                     .open = open_fclib,
                                     .next = next_fclib,
                                     .close = close_fclib};
