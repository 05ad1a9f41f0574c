/* problem_file.h - contact problems from files: tables, JSON and FCLIB HDF5, told apart by their
 * content.
 *
 * A table holds one-contact problems, one per row: `id mu W11 W12 W13 W22 W23 W33 q1 q2 q3` and
 * optionally `e`, `b1 b2 b3` (m/s^2) and `W21 W31 W32`, the axes 1, 2, 3 being n, t, o. A JSON file
 * holds one problem or a list, which may also be one problem a line:
 *
 *     {"W": [[3n x 3n]], "q": [3n], "mu": [n], "e": [n]}
 *     {"n": n, "blocks": [[i, j, [9 numbers]], ...], "q": [3n], "mu": [n], "e": [n]}
 *     {"G": [[3n], ...], "q": [3n], "mu": [n], "e": [n]}               W = G'G, 1/sqrt(kg)
 *     {"bodies": [...], "contacts": [...], "constraints": [...]}             docs/formats.md
 *
 * everywhere with optional "kind": "problem", "id": text, "n", "guess": [3n] (N s), "p": [3n] (N s;
 * somebody's answer, which solution_file.h reads), "b": [3n] (m/s^2, for forces), "settings" of the
 * model, and for models that take them "mu_v" (kg), "gap" (m/s) and "kappa" (N s; as the setting of
 * that name). "mu", "e", "mu_v" and "gap" may be one number for all contacts, and a contact among
 * bodies may have its own; "e" absent means 0. Blocks are row-major, contacts count from 0; [i, j]
 * implies its mirror [j, i], which may be given too when it agrees; every diagonal block is needed.
 * An FCLIB file holds one problem; its W is taken as recorded (imp_operator.as_given).
 * The bodies of JSON and those of a global FCLIB problem stay behind W (linear/factored.h): W is
 * then blocks that know them, or, where a body has so many contacts that blocks would be far more,
 * the bodies alone. */
#ifndef IMP_PROBLEM_FILE_H
#define IMP_PROBLEM_FILE_H

#include "contact/bilateral.h"
#include "contact/model.h"
#include "io/error.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* A file of problems that is open. */
typedef struct imp_problem_file imp_problem_file;

/* A problem as it stands in a file. */
typedef struct imp_case {
    const char *id;      /* of the table's row, or JSON's "id", or its position as text */
    bool named;          /* the id stands in the file */
    size_t position;     /* in the file, from 0 */
    imp_problem problem; /* one that imp_problem_check accepts */
    const double *guess; /* (3nc) N s, a first guess of p that stands beside it; NULL: none */
    /* the constraints between its bodies, which W and q are already what is left by; NULL: none */
    const imp_bilateral *bilateral;
    /* the same of an FCLIB file, as it stands there; NULL: another file, or none */
    const struct imp_fclib *constrained;
    const double *b; /* (3nc) m/s^2, acceleration without contact forces (single/forces.h);
                            NULL: it does not stand there */
    double kappa;    /* N s, bound on the sum of the normal impulses; < 0: none stands there */
} imp_case;

/* Opens the file `path`, "-" for standard input; *file is given to imp_problem_file_close.
 * IMP_OK, IMP_IO, IMP_BAD_ARGUMENT, IMP_NO_MEMORY; *file is NULL on an error. Thread-safe, but
 * for standard input, and for FCLIB files where HDF5 is built as in Debian: one call on any of
 * them at a time. */
imp_status imp_problem_file_open(const char *path, imp_problem_file **file, imp_error *error);

/* *next <- the next problem, validated; NULL behind the last. It belongs to the file and lives
 * until the next call.
 * A table uses constant memory. Statuses as for opening; a fault of the content has the place in
 * its text. */
imp_status imp_problem_file_next(imp_problem_file *file, const imp_case **next, imp_error *error);

/* Back to the first problem. */
imp_status imp_problem_file_rewind(imp_problem_file *file, imp_error *error);

/* settings <- the model's presets, overwritten by the "settings" that stand in the file beside the
 * current problem.
 * A key the model does not have, or a value outside its range, is IMP_BAD_ARGUMENT. */
imp_status imp_problem_file_settings(const imp_problem_file *file, const imp_model *model,
                                     imp_settings *settings, imp_error *error);

/* Is it a table; is it a JSON list; is it an FCLIB file? */
bool imp_problem_file_is_table(const imp_problem_file *file);
bool imp_problem_file_is_list(const imp_problem_file *file);
bool imp_problem_file_is_fclib(const imp_problem_file *file);

/* The name of the file for messages. */
const char *imp_problem_file_name(const imp_problem_file *file);

/* What an FCLIB file holds, as it stands there; NULL for other files. Belongs to the file. */
const struct imp_fclib *imp_problem_file_fclib(const imp_problem_file *file);

/* The JSON object that the current problem is, where its W comes from bodies; NULL otherwise.
 * Belongs to the file. */
const struct json_t *imp_problem_file_bodies(const imp_problem_file *file);

/* NULL is fine. */
void imp_problem_file_close(imp_problem_file *file);

IMP_PUBLIC_END

#endif
