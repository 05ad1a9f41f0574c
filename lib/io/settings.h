/* settings.h - a model's own settings from JSON and from the command line, by its table of keys. */
#ifndef IMP_IO_SETTINGS_H
#define IMP_IO_SETTINGS_H

#include "contact/model.h"
#include "io/error.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

struct json_t;

/* The settings that differ from the model's presets as a JSON object (empty: none). A new
 * reference, NULL without memory. */
struct json_t *imp_json_of_settings(const imp_model *model, const void *settings);

/* Overwrites one setting from the assignment "key=value"; the value is JSON, a number as tables
 * have it (.5), or a text. IMP_OK, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
imp_status imp_settings_assign(const imp_model *model, void *settings, const char *assignment,
                               imp_error *error);

IMP_PUBLIC_END

/* Between the files of lib. Has the model a setting whose name is the first `length` letters of
 * `name`? */
bool imp_settings_has(const imp_model *model, const char *name, size_t length);

struct imp_json; /* io/json_path.h */

/* Overwrites, in the model's settings struct, what the object at `at` names. Refused: a key the
 * model does not have, a number outside its range, a word that is none of its choices; false then,
 * with the place in the error of `at`, and what stands before it is set. */
bool imp_json_settings(const struct imp_json *at, const imp_model *model, void *settings);

#endif
