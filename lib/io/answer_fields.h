/* answer_fields.h - the keys of an answer in JSON, and of what type each is. */
#ifndef IMP_IO_ANSWER_FIELDS_H
#define IMP_IO_ANSWER_FIELDS_H

#include "io/json_path.h"

/* Has the object at `at` keys of answers and of problems alone, those of answers of their types?
 * What a reader has no use for is looked at too: a file that holds it otherwise is not what its
 * writer took it for. Keys of problems are left to the reader of problems. */
bool imp_answer_fields(const imp_json *at);

/* Are lambda, velocities and joint_friction, where they stand beside p, lists of numbers? */
bool imp_answer_lists(const imp_json *at);

#endif
