/* json_write.c - JSON that is made to be written. */
#include "io/json_write.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_json_write(const json_t *value, FILE *out) {
    return (value && json_dumpf(value, out, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0) ||
           ferror(out);
}

json_t *imp_json_of(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *imp_json_of_text(const char *words) {
    errno = 0;
    json_t *whole = json_string(words);
    if (whole || errno == ENOMEM) return whole;
    char *plain = strdup(words);
    for (unsigned char *c = (unsigned char *)plain; c && *c; c++)
        if (*c >= 0x80) *c = '?';
    whole = plain ? json_string(plain) : NULL;
    free(plain);
    return whole;
}

json_t *imp_json_of_vector(const double *x, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++)
        imp_json_push(&array, imp_json_of(x[i]));
    return array;
}

void imp_json_put(json_t **object, const char *key, json_t *value) {
    if (json_object_set_new(*object, key, value) == 0) return;
    json_decref(*object);
    *object = NULL;
}

void imp_json_push(json_t **array, json_t *value) {
    if (json_array_append_new(*array, value) == 0) return;
    json_decref(*array);
    *array = NULL;
}
