/* json_load.c - texts into JSON. */
#include "io/json_load.h"
#include "io/json_write.h"
#include "io/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool imp_json_recognise(const unsigned char *head, size_t n) {
    static const char *const words[] = {"null", "true", "false"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t length = strlen(words[k]);
        if (n >= length && memcmp(head, words[k], length) == 0 &&
            (n == length || strchr(" \r\n", head[length])))
            return true;
    }
    return n > 0 && (head[0] == '{' || head[0] == '[');
}

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
    size_t taken;     /* bytes that there were */
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
    s->taken += c != EOF;
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
    if (!value && start == begin && s.taken == 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s:1:1: the file is empty, expected JSON",
                             file);
    if (!value) {
        /* jansson's own words for it name a flag of its callers */
        const bool has_nul = json_error_code(&fault) == json_error_null_character;
        locate(in, begin, start, &line, &before);
        return imp_error_set(
            error, IMP_BAD_ARGUMENT, "%s:%d:%d: %s, expected JSON%s", file, line + fault.line - 1,
            (fault.line > 1 ? 0 : before) + (fault.column > 0 ? fault.column : 1),
            has_nul ? "a text with \\u0000" : fault.text, has_nul ? " without it" : "");
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

/* Is the key the number of one of the array's items? In one spelling, as keys are compared by it:
 * 00 is none. */
static bool find_item(const json_t *array, const char *key, size_t *index) {
    char *end;
    if (!json_is_array(array) || *key < '0' || *key > '9' || (*key == '0' && key[1])) return false;
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
    double number; /* as tables have it: .2, +3 */
    if (!value && !s.lacked)
        value = imp_number_parse(equals + 1, &number) ? json_string(equals + 1) : json_real(number);
    if (put_at(at, key, value)) return IMP_OK;
    json_t *whole = json_string(assignment); /* none of what is not UTF-8 */
    const bool text = whole;
    json_decref(whole);
    if (s.lacked || errno == ENOMEM) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    if (!text)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "setting: \"%.60s\", expected UTF-8",
                             assignment);
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "setting: \"%.60s\", expected key=value, key a member of an object or the "
                         "number of an item",
                         assignment);
}
