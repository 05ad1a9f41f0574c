/* solution_file.h - impulses from a file, to be held against problems: a table `id p1 p2 p3`, JSON
 * answers, or the solution of an FCLIB file. */
#ifndef IMP_SOLUTION_FILE_H
#define IMP_SOLUTION_FILE_H

#include "contact/path.h"
#include "io/error.h"
#include "io/problem_file.h"
#include "base/public.h"

#include <stddef.h>

IMP_PUBLIC_BEGIN

/* The impulses of a file. */
typedef struct imp_solutions imp_solutions;

/* Reads them all. A table's rows are told apart by id; JSON holds an object with "p" ([3n], or null
 * where nothing was answered), perhaps "id", "path" (docs/formats.md), "lambda", "velocities" and
 * "joint_friction", or a list of such objects or one a line, told apart by position; an FCLIB file
 * holds the first and only one, and l for lambda. Other columns are ignored, and in JSON the other
 * keys of answers and of problems, so that what `impact solve` wrote can be read; a key that is
 * none of these is refused. A row whose three impulses are all empty is one without an answer. A
 * doubled id is refused. *solutions is given to imp_solutions_free. Statuses as
 * imp_problem_file_open. */
imp_status imp_solutions_read(const char *path, imp_solutions **solutions, imp_error *error);

/* The same of those that stand beside the problems of a file that is open, which is back at its
 * first problem either way: what can be read only once, a pipe, is not opened again. */
imp_status imp_solutions_read_beside(imp_problem_file *file, imp_solutions **solutions,
                                     imp_error *error);

/* *p <- the impulse (3 nc, N s) for the problem of that id (NULL: it has none) and position, NULL
 * where the file says there is none. Each can be taken once. Not in the file, of another id, of
 * another length, beside a u of another, or taken before: IMP_BAD_ARGUMENT. */
imp_status imp_solutions_take(imp_solutions *solutions, const char *id, size_t position, int nc,
                              const double **p, imp_error *error);

/* Was the impulse for the problem of that id and position taken before? By a file of problems that
 * has an id twice it is. */
bool imp_solutions_taken(const imp_solutions *solutions, const char *id, size_t position);

/* The path that stands beside the impulse of that id and position, NULL where there is none. What
 * this and the next three give belongs to *solutions, as the impulses do. */
const imp_path *imp_solutions_path(const imp_solutions *solutions, const char *id, size_t position);

/* The impulses of constraints that stand beside it, *count of them; NULL where there are none. */
const double *imp_solutions_lambda(const imp_solutions *solutions, const char *id, size_t position,
                                   size_t *count);

/* The same of joints that rub. */
const double *imp_solutions_joint_friction(const imp_solutions *solutions, const char *id,
                                           size_t position, size_t *count);

/* The velocities of bodies after the impact that stand beside it, 6 for each body, *count of them;
 * NULL where there are none. */
const double *imp_solutions_velocities(const imp_solutions *solutions, const char *id,
                                       size_t position, size_t *count);

/* IMP_BAD_ARGUMENT when a solution has not been taken: it belongs to no problem. */
imp_status imp_solutions_all_taken(const imp_solutions *solutions, imp_error *error);

/* All can be taken again. */
void imp_solutions_rewind(imp_solutions *solutions);

/* NULL is fine. */
void imp_solutions_free(imp_solutions *solutions);

IMP_PUBLIC_END

#endif
