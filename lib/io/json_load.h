/* json_load.h - texts into JSON: of a file, of a file of lines, and one value's by assignment. All
 * functions are thread-safe. */
#ifndef IMP_JSON_LOAD_H
#define IMP_JSON_LOAD_H

#include "io/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Does a file that begins so hold JSON: an object, an array, or null, true or false alone? */
bool imp_json_recognise(const unsigned char *head, size_t n);

/* Reads one whole JSON text from `in` into *root, which the caller gives to json_decref. Doubled
 * keys, numbers beyond double and nesting deeper than jansson's 2048 are faults like any other
 * syntax: "FILE:LINE:COLUMN: ...", columns counted in characters. IMP_OK, IMP_BAD_ARGUMENT, IMP_IO,
 * IMP_NO_MEMORY; *root untouched on an error. */
imp_status imp_json_load(FILE *in, const char *file, json_t **root, imp_error *error);

/* The same of a file that may be JSON lines: several objects, one behind another, become a list, so
 * that what is written line by line (io/dump.h, impact_dump.h, the answers of a solver) is read as
 * a list of it. */
imp_status imp_json_load_lines(FILE *in, const char *file, json_t **root, imp_error *error);

/* Overwrites one value of the document by "key=value" or "key.key=value"; of an array, the key is
 * the number of an item that is there. Objects on the way that are missing are made. The value is
 * JSON, or a text where it is none. IMP_OK, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
imp_status imp_json_assign(json_t *root, const char *assignment, imp_error *error);

#endif
