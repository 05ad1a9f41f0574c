/* json_write.h - JSON that is made to be written: values, what they are put into, and the line
 * that it becomes. All functions are thread-safe. */
#ifndef IMP_JSON_WRITE_H
#define IMP_JSON_WRITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Writes a document in one line, all digits of its numbers. False without memory, or where value is
 * NULL for want of it; what else goes wrong is ferror's. */
bool imp_json_write(const json_t *value, FILE *out);

/* A number with all its digits, null where it is not finite. A new reference, NULL
 * without memory. */
json_t *imp_json_of(double x);
json_t *imp_json_of_vector(const double *x, size_t n);

/* The same of a text of any bytes: where it is not UTF-8, which JSON must be, its bytes beyond
 * ASCII become '?'. */
json_t *imp_json_of_text(const char *words);

/* Adds a member to an object, an item to an array, taking the reference of `value`. Where that
 * fails, or value is NULL, the whole is given up and *object or *array becomes NULL, so that one
 * check at the end of many will do. */
void imp_json_put(json_t **object, const char *key, json_t *value);
void imp_json_push(json_t **array, json_t *value);

#endif
