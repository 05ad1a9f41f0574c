/* read_path.h - opens a file of problems, and lets it be: what is it taken for? */
#ifndef READ_PATH_H
#define READ_PATH_H

#include "io/problem_file.h"

/* The error, which may be NULL, is of this file alone. */
static inline imp_status read_path(const char *path, imp_error *error) {
    imp_problem_file *file;
    if (error) *error = (imp_error){0};
    const imp_status status = imp_problem_file_open(path, &file, error);
    if (status == IMP_OK) imp_problem_file_close(file);
    return status;
}

#endif
