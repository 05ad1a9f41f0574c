/* json_path.h - typed reading of JSON that says, when something is wrong, where it stands and what
 * was expected.
 *
 * An imp_json is a place in a document: a value of jansson's and the way to it. Places live on the
 * caller's stack and point to the place they were reached from, which must outlive them:
 *
 *     imp_json body = imp_json_item(&bodies, 3), mass = imp_json_member(&body, "mass");
 *     double m;
 *     if (!imp_json_positive(&mass, &m)) return false;      file.json: $.bodies[3].mass: -1,
 *     expected a number > 0
 *
 * Every reader returns false after a fault, with the error of imp_json_root filled; absent members
 * are a fault of the reader that is asked for them, so ask `place.value` first where a member is
 * optional. Numbers are finite doubles; whole numbers may be written 3 or 3.0. All functions are
 * thread-safe. */
#ifndef IMP_JSON_PATH_H
#define IMP_JSON_PATH_H

#include "io/error.h"

#include <jansson.h>

typedef struct imp_json {
    json_t *value;                 /* NULL: absent */
    const struct imp_json *parent; /* NULL: the root */
    const char *key;               /* member of the parent, or NULL: item `index` of the parent */
    size_t index;
    const char *file; /* name for messages */
    imp_error *error; /* receives the fault; may be NULL */
} imp_json;

/* The place at the top of a document; `file` and `error` must outlive every place reached from
 * it. */
imp_json imp_json_root(json_t *value, const char *file, imp_error *error);

/* The member of an object, the item of an array; absent where `at` is not one or does not have
 * it. */
imp_json imp_json_member(const imp_json *at, const char *key);
imp_json imp_json_item(const imp_json *at, size_t index);

/* Does something stand at `at`? Where what is not known may be left out null says the same. */
bool imp_json_stands(const imp_json *at);

/* Refuses the value at `at`: "FILE: $.path: <what was found>, expected <format...>". Returns
 * false. */
__attribute__((format(printf, 2, 3))) bool imp_json_expected(const imp_json *at, const char *format,
                                                             ...);

/* Refuses it with a text of the caller's own: "FILE: $.path: <format...>". Returns false. */
__attribute__((format(printf, 2, 3))) bool imp_json_refuse(const imp_json *at, const char *format,
                                                           ...);

/* Refuses the three numbers at `at`: "FILE: $.path: [0, 0, 0], expected a direction". Returns
 * false. */
bool imp_json_no_direction(const imp_json *at);

/* v (3) <- three numbers, made of length 1, or refused in this way. */
bool imp_json_direction(const imp_json *at, double v[3]);

/* Says that there is no memory for what stands at `at`: IMP_NO_MEMORY. Returns false. */
bool imp_json_no_memory(const imp_json *at);

/* An object without any other keys than these (ended by NULL). */
bool imp_json_object(const imp_json *at, const char *const *keys);

/* An array of any length, or of exactly n items. */
bool imp_json_array(const imp_json *at, size_t *n);
bool imp_json_array_of(const imp_json *at, size_t n);

/* A number; one in [low, high] (either may be infinite); one > 0. */
bool imp_json_number(const imp_json *at, double *x);
bool imp_json_number_in(const imp_json *at, double low, double high, double *x);
bool imp_json_positive(const imp_json *at, double *x);

/* A whole number in [low, high]. */
bool imp_json_whole(const imp_json *at, int low, int high, int *x);

/* An array of exactly n numbers; an array of `rows` arrays of `columns` numbers, stored row by
 * row. */
bool imp_json_vector(const imp_json *at, size_t n, double *x);
bool imp_json_matrix(const imp_json *at, size_t rows, size_t columns, double *x);

/* true or false; a text, owned by the document; one of a NULL-terminated list of words, as its
 * index. */
bool imp_json_boolean(const imp_json *at, bool *x);
bool imp_json_text(const imp_json *at, const char **x);
bool imp_json_choice(const imp_json *at, const char *const *words, int *x);

#endif
