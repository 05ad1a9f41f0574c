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

static imp_status check(const imp_problem_file *file, const imp_problem *problem,
                        imp_error *error) {
    int contact;
    const imp_status status = imp_problem_check(problem, &contact);
    if (status == IMP_OK) return status;
    if (status == IMP_NO_MEMORY)
        return imp_error_set(error, status, "%s: no memory", file->input.name);
    if (contact < 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: %s, expected a contact problem",
                             file->input.name, imp_status_text(status));
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: contact %d: %s, expected a contact problem",
                         file->input.name, contact, imp_status_text(status));
}

/* Says why it states no problem. */
static imp_status refuse(const imp_problem_file *file, imp_status status, imp_error *error) {
    const imp_fclib *held = &file->fclib->file;
    const char *rows = held->dof > 0 ? "/fclib_global/G" : "/fclib_local/R",
               *why = status == IMP_NO_SOLUTION ? "rows that contradict each other, expected "
                                                  "constraints that some velocities keep"
                      : status == IMP_NOT_CERTIFIED
                          ? "rows that almost depend on each other, expected them to or not to"
                          : "not symmetric positive semidefinite with W and V, expected it to be";
    if (status == IMP_NO_MEMORY)
        return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file->input.name);
    if (status == IMP_NOT_POSITIVE && held->dof > 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: /fclib_global/M: not positive definite, expected a mass matrix",
                             file->input.name);
    if (status == IMP_NOT_SYMMETRIC)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: /fclib_global/M: not symmetric, expected a mass matrix",
                             file->input.name);
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: %s: %s", file->input.name, rows, why);
}

static imp_status open_fclib(imp_problem_file *file, imp_error *error) {
    struct fclib_problem *held = file->fclib = calloc(1, sizeof *held);
    if (!held) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file->input.name);
    imp_status status = imp_fclib_read(&file->input, &held->file, error);
    if (status != IMP_OK) return status;
    status = imp_fclib_pose(&held->file, &held->posed);
    if (status != IMP_OK) return refuse(file, status, error);
    file->slot.now.problem = held->posed.problem;
    file->slot.now.constrained = held->file.bilateral > 0 ? &held->file : NULL;
    return check(file, &file->slot.now.problem, error);
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
