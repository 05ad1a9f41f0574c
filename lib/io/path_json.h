/* path_json.h - the path of an answer in JSON:
 *
 *     {"steps": [{"round": 1, "share": 1, "impulse": [3n], "phase": "CO", "motion": "s-"}, ...],
 *      "multipliers": [[n], ...]}
 *
 * phase and motion have a letter for each contact (contact/path.h); either list may be left out
 * where it is empty. */
#ifndef IMP_PATH_JSON_H
#define IMP_PATH_JSON_H

#include "contact/path.h"
#include "io/json_path.h"

/* A new reference, NULL without memory. Thread-safe. */
json_t *imp_path_json(const imp_path *path);

/* path (empty before, the caller's to clear after) <- the path of nc contacts at that place.
 * IMP_BAD_ARGUMENT with the place's error filled, IMP_NO_MEMORY. Thread-safe. */
imp_status imp_path_read(const imp_json *at, int nc, imp_path *path);

#endif
