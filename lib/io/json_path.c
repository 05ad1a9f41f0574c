/* json_path.c - places in a JSON document, typed reading, and messages that name the place. */
#include "io/json_path.h"
#include "base/length.h"
#include "io/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

imp_json imp_json_root(json_t *value, const char *file, imp_error *error) {
    return (imp_json){.value = value, .file = file, .error = error};
}

imp_json imp_json_member(const imp_json *at, const char *key) {
    return (imp_json){.value = json_object_get(at->value, key),
                      .parent = at,
                      .key = key,
                      .file = at->file,
                      .error = at->error};
}

imp_json imp_json_item(const imp_json *at, size_t index) {
    return (imp_json){json_array_get(at->value, index), at, NULL, index, at->file, at->error};
}

bool imp_json_stands(const imp_json *at) {
    return at->value && !json_is_null(at->value);
}

/* Text that grows; what does not fit is dropped. */
typedef struct text {
    char bytes[256];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void append(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, format, arguments);
    va_end(arguments);
    if (n > 0) t->length += (size_t)n;
    if (t->length >= sizeof t->bytes) t->length = sizeof t->bytes - 1;
}

static bool is_plain_word(const char *key) {
    return *key &&
           key[strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] ==
               0;
}

static void append_path(text *t, const imp_json *at) {
    if (!at->parent) {
        append(t, "$");
        return;
    }
    append_path(t, at->parent);
    if (!at->key)
        append(t, "[%zu]", at->index);
    else if (is_plain_word(at->key))
        append(t, ".%s", at->key);
    else
        append(t, "[\"%.60s\"]", at->key);
}

static void append_value(text *t, const json_t *value) {
    if (!value) {
        append(t, "missing");
        return;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT: append(t, "an object"); break;
    case JSON_ARRAY: append(t, "an array of %zu", json_array_size(value)); break;
    case JSON_STRING: append(t, "\"%.60s\"", json_string_value(value)); break;
    case JSON_INTEGER:
    case JSON_REAL: append(t, "%.17g", json_number_value(value)); break;
    case JSON_TRUE: append(t, "true"); break;
    case JSON_FALSE: append(t, "false"); break;
    case JSON_NULL: append(t, "null"); break;
    }
}

__attribute__((format(printf, 3, 0))) static bool refuse(const imp_json *at, const char *found,
                                                         const char *format, va_list arguments) {
    text path = {{0}, 0};
    append_path(&path, at);
    char why[IMP_ERROR_TEXT];
    vsnprintf(why, sizeof why, format, arguments);
    imp_error_set(at->error, IMP_BAD_ARGUMENT, "%s: %s: %s%s%s", at->file, path.bytes, found,
                  *found ? ", expected " : "", why);
    return false;
}

bool imp_json_expected(const imp_json *at, const char *format, ...) {
    text found = {{0}, 0};
    append_value(&found, at->value);
    va_list arguments;
    va_start(arguments, format);
    refuse(at, found.bytes, format, arguments);
    va_end(arguments);
    return false;
}

bool imp_json_refuse(const imp_json *at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    refuse(at, "", format, arguments);
    va_end(arguments);
    return false;
}

bool imp_json_no_direction(const imp_json *at) {
    double v[3];
    return imp_json_vector(at, 3, v) &&
           imp_json_refuse(at, "[%g, %g, %g], expected a direction", v[0], v[1], v[2]);
}

bool imp_json_direction(const imp_json *at, double v[3]) {
    if (!imp_json_vector(at, 3, v)) return false;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0x1p-500 && length < 0x1p500)) length = imp_length3(v); /* squares round */
    if (!(length > 0 && isfinite(length))) return imp_json_no_direction(at);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

bool imp_json_no_memory(const imp_json *at) {
    imp_json_refuse(at, "no memory");
    if (at->error) at->error->status = IMP_NO_MEMORY;
    return false;
}

static bool is_among(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

static text list_of(const char *const *words) {
    text list = {{0}, 0};
    for (size_t i = 0; words[i]; i++)
        append(&list, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    return list;
}

bool imp_json_object(const imp_json *at, const char *const *keys) {
    if (!json_is_object(at->value)) return imp_json_expected(at, "an object");
    const char *key;
    json_t *ignored;
    json_object_foreach(at->value, key, ignored) {
        if (is_among(key, keys)) continue;
        char hint[80];
        const imp_json member = imp_json_member(at, key);
        return imp_json_refuse(&member, "unknown key%s, expected %s", imp_suggest(key, keys, hint),
                               list_of(keys).bytes);
    }
    return true;
}

bool imp_json_array(const imp_json *at, size_t *n) {
    if (!json_is_array(at->value)) return imp_json_expected(at, "an array");
    *n = json_array_size(at->value);
    return true;
}

static bool has_items(const imp_json *at, size_t n) {
    return json_is_array(at->value) && json_array_size(at->value) == n;
}

bool imp_json_array_of(const imp_json *at, size_t n) {
    return has_items(at, n) || imp_json_expected(at, "an array of %zu", n);
}

bool imp_json_number(const imp_json *at, double *x) {
    return imp_json_number_in(at, -INFINITY, INFINITY, x);
}

bool imp_json_number_in(const imp_json *at, double low, double high, double *x) {
    const double value = json_number_value(at->value);
    if (json_is_number(at->value) && isfinite(value) && value >= low && value <= high) {
        *x = value;
        return true;
    }
    if (isinf(low) && isinf(high)) return imp_json_expected(at, "a number");
    if (isinf(high)) return imp_json_expected(at, "a number >= %g", low);
    if (isinf(low)) return imp_json_expected(at, "a number <= %g", high);
    return imp_json_expected(at, "a number from %g to %g", low, high);
}

bool imp_json_positive(const imp_json *at, double *x) {
    const double value = json_number_value(at->value);
    if (!json_is_number(at->value) || !(value > 0)) return imp_json_expected(at, "a number > 0");
    return imp_json_number(at, x);
}

bool imp_json_whole(const imp_json *at, int low, int high, int *x) {
    const double value = json_number_value(at->value);
    if (json_is_number(at->value) && value >= low && value <= high && value == floor(value)) {
        *x = (int)value;
        return true;
    }
    return imp_json_expected(at, "a whole number from %d to %d", low, high);
}

bool imp_json_vector(const imp_json *at, size_t n, double *x) {
    if (!has_items(at, n)) return imp_json_expected(at, "an array of %zu numbers", n);
    for (size_t i = 0; i < n; i++) {
        const imp_json item = imp_json_item(at, i);
        if (!imp_json_number(&item, &x[i])) return false;
    }
    return true;
}

bool imp_json_matrix(const imp_json *at, size_t rows, size_t columns, double *x) {
    if (!has_items(at, rows))
        return imp_json_expected(at, "an array of %zu rows of %zu numbers", rows, columns);
    for (size_t i = 0; i < rows; i++) {
        const imp_json row = imp_json_item(at, i);
        if (!imp_json_vector(&row, columns, x + i * columns)) return false;
    }
    return true;
}

bool imp_json_boolean(const imp_json *at, bool *x) {
    if (!json_is_boolean(at->value)) return imp_json_expected(at, "true or false");
    *x = json_is_true(at->value);
    return true;
}

bool imp_json_text(const imp_json *at, const char **x) {
    if (!json_is_string(at->value)) return imp_json_expected(at, "a text");
    *x = json_string_value(at->value);
    return true;
}

bool imp_json_choice(const imp_json *at, const char *const *words, int *x) {
    for (int i = 0; json_is_string(at->value) && words[i]; i++)
        if (strcmp(json_string_value(at->value), words[i]) == 0) {
            *x = i;
            return true;
        }
    return imp_json_expected(at, "%s", list_of(words).bytes);
}
