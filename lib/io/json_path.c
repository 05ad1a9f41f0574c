/* json_path.c - places in a JSON document, typed reading, and messages that name the place. */
#include "io/json_path.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where `place` is in a file that was read from `begin` on: its line, and how many characters of
 * UTF-8 stand before it in the line. */
static void locate(FILE *in, off_t begin, off_t place, int *line, int *before) {
    *line = 1;
    *before = 0;
    if (place == begin || fseeko(in, begin, SEEK_SET) != 0) return;
    for (off_t k = begin; k < place; k++) {
        const int c = getc(in);
        *line += c == '\n';
        *before = c == '\n' ? 0 : *before + ((c & 0xc0) != 0x80);
    }
}

static imp_status unreadable(const char *file, imp_error *error) {
    return imp_error_set(error, IMP_IO, "%s: cannot be read", file);
}

static imp_status no_memory(const char *file, imp_error *error) {
    return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file);
}

/* Bytes on their way to jansson: of a file, or of a text. */
typedef struct source {
    FILE *in;
    const char *text; /* where `in` is NULL */
    bool lacked;      /* was there want of memory? */
} source;

/* One at a time. jansson leaves out the bytes of a word that it has no memory for and goes on: it
 * gets no more then. */
static size_t next_byte(void *byte, size_t room, void *from) {
    source *s = from;
    (void)room;
    s->lacked = s->lacked || errno == ENOMEM;
    if (s->lacked) return 0;
    const int c = s->in ? getc(s->in) : *s->text ? (unsigned char)*s->text++ : EOF;
    *(unsigned char *)byte = (unsigned char)c;
    return c != EOF;
}

/* NULL: no JSON, or want of memory, which jansson itself takes for that. */
static json_t *parse(source *s, size_t flags, json_error_t *fault) {
    errno = 0;
    json_t *value =
        json_load_callback(next_byte, s, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | flags, fault);
    s->lacked = s->lacked || errno == ENOMEM;
    if (!s->lacked) return value;
    json_decref(value);
    return NULL;
}

/* One text, which begins at `start` of the file that was read from `begin` on; `more` may
 * follow. */
static imp_status load(FILE *in, const char *file, bool more, off_t begin, off_t start,
                       json_t **root, imp_error *error) {
    json_error_t fault;
    source s = {.in = in};
    int line, before;
    json_t *value = parse(&s, JSON_REJECT_DUPLICATES | (more ? JSON_DISABLE_EOF_CHECK : 0), &fault);
    if (ferror(in)) {
        json_decref(value);
        return unreadable(file, error);
    }
    if (s.lacked) return no_memory(file, error);
    if (!value) {
        locate(in, begin, start, &line, &before);
        return imp_error_set(
            error, IMP_BAD_ARGUMENT, "%s:%d:%d: %s, expected JSON", file, line + fault.line - 1,
            (fault.line > 1 ? 0 : before) + (fault.column > 0 ? fault.column : 1), fault.text);
    }
    *root = value;
    return IMP_OK;
}

imp_status imp_json_load(FILE *in, const char *file, json_t **root, imp_error *error) {
    return load(in, file, false, 0, 0, root, error);
}

/* Is there more than blanks? *place <- where. False also where it cannot be read. */
static bool more_follows(FILE *in, off_t *place) {
    int c;
    do
        c = getc(in);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    if (c != EOF) ungetc(c, in);
    *place = ftello(in);
    return c != EOF;
}

imp_status imp_json_load_lines(FILE *in, const char *file, json_t **root, imp_error *error) {
    const off_t begin = ftello(in);
    off_t place = begin;
    json_t *next = NULL, *list = NULL;
    int line, before;
    imp_status status = load(in, file, true, begin, begin, &next, error);
    if (status != IMP_OK) return status;
    bool more = more_follows(in, &place);
    if (more && !json_is_object(next)) {
        json_decref(next);
        locate(in, begin, place, &line, &before);
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s:%d:%d: end of file expected", file, line,
                             before + 1);
    }
    if (more) {
        list = json_array();
        imp_json_push(&list, next);
        next = NULL;
    }
    while (more) {
        status = load(in, file, true, begin, place, &next, error);
        if (status == IMP_OK) imp_json_push(&list, next);
        if (status == IMP_OK && !list) status = no_memory(file, error);
        next = NULL;
        more = status == IMP_OK && more_follows(in, &place);
    }
    if (status == IMP_OK && ferror(in)) status = unreadable(file, error);
    if (status == IMP_OK) {
        *root = list ? list : next;
        return IMP_OK;
    }
    json_decref(list);
    json_decref(next);
    return status;
}

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
        const imp_json member = imp_json_member(at, key);
        return imp_json_refuse(&member, "unknown key, expected %s", list_of(keys).bytes);
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

/* Is the key the number of one of the array's items? */
static bool find_item(const json_t *array, const char *key, size_t *index) {
    char *end;
    if (!json_is_array(array) || *key < '0' || *key > '9') return false;
    *index = strtoul(key, &end, 10);
    return !*end && *index < json_array_size(array);
}

/* What stands there; an object is put where a member is missing. NULL: no place for it. */
static json_t *step_into(json_t *at, const char *key) {
    size_t index;
    if (find_item(at, key, &index)) return json_array_get(at, index);
    if (!json_object_get(at, key)) (void)json_object_set_new(at, key, json_object());
    return json_object_get(at, key);
}

static bool put_at(json_t *at, const char *key, json_t *value) {
    size_t index;
    return (find_item(at, key, &index) ? json_array_set_new(at, index, value)
                                       : json_object_set_new(at, key, value)) == 0;
}

imp_status imp_json_assign(json_t *root, const char *assignment, imp_error *error) {
    const char *equals = strchr(assignment, '=');
    char path[256], *key = path, *dot;
    const size_t length = equals ? (size_t)(equals - assignment) : 0;
    if (length == 0 || length >= sizeof path)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "setting: \"%.60s\", expected key=value",
                             assignment);
    memcpy(path, assignment, length);
    path[length] = 0;
    json_t *at = root;
    errno = 0; /* jansson does not say what it lacked */
    for (; (dot = strchr(key, '.')) != NULL; key = dot + 1) {
        *dot = 0;
        at = step_into(at, key);
    }
    source s = {.text = equals + 1, .lacked = errno == ENOMEM};
    json_t *value = s.lacked ? NULL : parse(&s, 0, NULL);
    if (!value && !s.lacked) value = json_string(equals + 1);
    if (put_at(at, key, value)) return IMP_OK;
    if (s.lacked || errno == ENOMEM) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "setting: \"%.60s\", expected key=value, key a member of an object or the "
                         "number of an item",
                         assignment);
}
