/* dump.h - a contact problem written to a file that `impact solve` reads with the same bits. */
#ifndef IMP_DUMP_H
#define IMP_DUMP_H

#include "contact/model.h"
#include "io/error.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

struct json_t;

/* Writes the problem to the file `path` as JSON with 17 digits: dense up to 8 contacts, by blocks
 * beyond, whatever kind its operator is; a singular W of one contact (imp_operator_singular) as the
 * G it is made of. Kept are the bits of the blocks of W and of all that stands beside it, but not
 * the kind of the operator: a solver that goes by that, as by the G of bodies, answers the file
 * within its tolerance, others with the same bits. id, and model with settings, may be NULL; of the
 * settings only those that differ from the presets are written, so that a dump made with presets
 * can be given to any model. Numbers that are not finite become null, which the reader refuses by
 * place. The file appears whole or not at all. IMP_OK, IMP_IO, IMP_NO_MEMORY, IMP_BAD_ARGUMENT (no
 * problem), IMP_NOT_SYMMETRIC, IMP_NOT_POSITIVE (such a W, used as given or not, which the reader
 * would refuse; no file). Thread-safe. */
imp_status imp_problem_dump(const char *path, const char *id, const imp_problem *problem,
                            const imp_model *model, const void *settings, imp_error *error);

/* Writes the JSON object `source` that a problem was read from instead, with these settings. The
 * same statuses. Thread-safe. */
imp_status imp_problem_dump_source(const char *path, const struct json_t *source,
                                   const imp_model *model, const void *settings, imp_error *error);

/* The same as a JSON object, with a first guess of p (3nc; NULL: none). A new reference, NULL
 * without memory. */
struct json_t *imp_problem_json(const char *id, const imp_problem *problem, const double *guess,
                                const imp_model *model, const void *settings);

IMP_PUBLIC_END

#endif
