/* json_text.c - JSON text (RFC 8259) into jansson's values.
 *
 * jansson's own reader drops bytes of a number or a word, or calls them a wrong token, where it gets no memory; here
 * want of memory is never taken for a fault of the text. Stricter than the RFC as jansson is: no key twice, no number
 * beyond double, no NUL in words, UTF-8 only, nesting of at most 2048. Every number becomes a real. */
#include "io/json_path.h"
#include "io/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 2048, SHOWN = 40 };

typedef struct reader {
    FILE *in;
    int c;            /* the byte at hand, EOF */
    int line, column; /* of it, from 1; columns in characters */
    int row, from;    /* line and column where the token at hand began */
    char *text;       /* of the token, ended by NUL */
    size_t length, room;
    int depth;
    const char *fault; /* what is wrong with the text; NULL: nothing, or no memory */
} reader;

static json_t *read_value(reader *r);

static void advance(reader *r) {
    if (r->c == '\n') {
        r->line++;
        r->column = 0;
    }
    r->c = getc(r->in);
    if (r->c == EOF || (r->c & 0xc0) != 0x80) r->column++;
}

static void skip_blanks(reader *r) {
    while (r->c == ' ' || r->c == '\t' || r->c == '\n' || r->c == '\r')
        advance(r);
}

/* The first fault counts. Returns false. */
static bool fault(reader *r, const char *what) {
    if (!r->fault) r->fault = what;
    return false;
}

static bool add(reader *r, int c) {
    if (r->length + 1 >= r->room) {
        const size_t room = 2 * r->room + 64;
        char *text = realloc(r->text, room);
        if (!text) return false;
        r->text = text;
        r->room = room;
    }
    r->text[r->length++] = (char)c;
    r->text[r->length] = 0;
    return true;
}

static bool take(reader *r) {
    const bool good = add(r, r->c);
    advance(r);
    return good;
}

static void mark(reader *r) {
    r->row = r->line;
    r->from = r->column;
}

static void begin(reader *r) {
    mark(r);
    r->length = 0;
}

/* A character as UTF-8. */
static bool add_character(reader *r, unsigned code) {
    if (code < 0x80) return add(r, (int)code);
    if (code < 0x800) return add(r, (int)(0xc0 | code >> 6)) && add(r, (int)(0x80 | (code & 63)));
    if (code < 0x10000)
        return add(r, (int)(0xe0 | code >> 12)) && add(r, (int)(0x80 | (code >> 6 & 63))) &&
               add(r, (int)(0x80 | (code & 63)));
    return add(r, (int)(0xf0 | code >> 18)) && add(r, (int)(0x80 | (code >> 12 & 63))) &&
           add(r, (int)(0x80 | (code >> 6 & 63))) && add(r, (int)(0x80 | (code & 63)));
}

/* The four digits behind \u. */
static bool read_hexadecimal(reader *r, unsigned *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        if (r->c == EOF || !isxdigit(r->c)) return fault(r, "wrong \\u in a text");
        *code = 16 * *code + (unsigned)(r->c <= '9' ? r->c - '0' : (r->c | 32) - 'a' + 10);
        advance(r);
    }
    return true;
}

static bool read_escape(reader *r) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    unsigned code, low;
    advance(r);
    const char *known = r->c > 0 ? strchr(letters, r->c) : NULL;
    if (known) {
        advance(r);
        return add(r, meant[known - letters]);
    }
    if (r->c != 'u') return fault(r, "wrong escape in a text");
    advance(r);
    if (!read_hexadecimal(r, &code)) return false;
    if (code == 0) return fault(r, "\\u0000 in a text");
    if (code < 0xd800 || code > 0xdfff) return add_character(r, code);
    if (code > 0xdbff || r->c != '\\') return fault(r, "half a surrogate pair in a text");
    advance(r);
    if (r->c != 'u') return fault(r, "half a surrogate pair in a text");
    advance(r);
    if (!read_hexadecimal(r, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return fault(r, "half a surrogate pair in a text");
    return add_character(r, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
}

/* A character of more than one byte, none longer than it need be (Unicode, table 3-7). */
static bool read_character(reader *r) {
    const int first = r->c, more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4) return fault(r, "not UTF-8");
    const int low = first == 0xe0   ? 0xa0
                    : first == 0xf0 ? 0x90
                                    : 0x80,
              high = first == 0xed   ? 0x9f
                     : first == 0xf4 ? 0x8f
                                     : 0xbf;
    if (!take(r)) return false;
    for (int i = 0; i < more; i++) {
        if (r->c < (i ? 0x80 : low) || r->c > (i ? 0xbf : high)) return fault(r, "not UTF-8");
        if (!take(r)) return false;
    }
    return true;
}

/* A text into r->text. */
static bool read_text(reader *r) {
    begin(r);
    advance(r);
    if (!add(r, 0)) return false; /* there is room for an empty one */
    r->length = 0;
    while (r->c != '"') {
        if (r->c == EOF) return fault(r, "the text ends within quotation marks");
        if (r->c < 0x20) return fault(r, "control character in a text");
        if (!(r->c == '\\' ? read_escape(r) : r->c < 0x80 ? take(r) : read_character(r))) return false;
    }
    r->text[r->length] = 0;
    advance(r);
    return true;
}

static bool take_digits(reader *r) {
    if (!isdigit(r->c)) return fault(r, "not a number");
    while (isdigit(r->c))
        if (!take(r)) return false;
    return true;
}

static json_t *read_number(reader *r) {
    double x;
    begin(r);
    if (r->c == '-' && !take(r)) return NULL;
    const bool zero = r->c == '0';
    if (!(zero ? take(r) : take_digits(r))) return NULL;
    if (r->c == '.' && !(take(r) && take_digits(r))) return NULL;
    if (r->c == 'e' || r->c == 'E') {
        if (!take(r) || ((r->c == '+' || r->c == '-') && !take(r)) || !take_digits(r)) return NULL;
    }
    const char *wrong = isalnum(r->c) || r->c == '.' ? "not a number" : NULL;
    if (!wrong && imp_number_parse(r->text, &x)) wrong = "number beyond 1.8e308";
    if (!wrong) return json_real(x);
    fault(r, wrong);
    return NULL;
}

static json_t *read_word(reader *r) {
    begin(r);
    while (isalnum(r->c) && r->length < SHOWN)
        if (!take(r)) return NULL;
    if (r->length > 0 && strcmp(r->text, "true") == 0) return json_true();
    if (r->length > 0 && strcmp(r->text, "false") == 0) return json_false();
    if (r->length > 0 && strcmp(r->text, "null") == 0) return json_null();
    fault(r, r->c == EOF && r->length == 0 ? "the text ends" : "unexpected character");
    return NULL;
}

/* A member: its key, and its value. */
static bool read_member(reader *r, json_t *object) {
    mark(r);
    if (r->c != '"') return fault(r, "no key in quotation marks");
    if (!read_text(r)) return false;
    char *key = strdup(r->text);
    bool good = key != NULL;
    if (good && json_object_get(object, key)) good = fault(r, "a key that stands here twice");
    skip_blanks(r);
    if (good && r->c != ':') good = fault(r, "no colon behind a key");
    if (good) {
        advance(r);
        json_t *value = read_value(r);
        good = value && json_object_set_new_nocheck(object, key, value) == 0;
    }
    free(key);
    return good;
}

static bool read_item(reader *r, json_t *array) {
    json_t *value = read_value(r);
    return value && json_array_append_new(array, value) == 0;
}

/* What stands between brackets, with commas between. */
static json_t *read_list(reader *r, json_t *list, bool (*read)(reader *, json_t *), int end) {
    bool good = list != NULL;
    advance(r);
    skip_blanks(r);
    if (good && r->c != end) {
        good = read(r, list);
        for (skip_blanks(r); good && r->c == ','; skip_blanks(r)) {
            advance(r);
            skip_blanks(r);
            good = read(r, list);
        }
    }
    if (good) mark(r);
    if (good && r->c != end) good = fault(r, r->c == EOF ? "the text ends" : "neither a comma nor a closing bracket");
    if (good) {
        advance(r);
        return list;
    }
    json_decref(list);
    return NULL;
}

static json_t *read_value(reader *r) {
    json_t *value = NULL;
    skip_blanks(r);
    mark(r);
    if (r->c == '"') return read_text(r) ? json_stringn_nocheck(r->text, r->length) : NULL;
    if (r->c == '-' || isdigit(r->c)) return read_number(r);
    if (r->c != '{' && r->c != '[') return read_word(r);
    if (r->depth == DEEPEST) {
        fault(r, "maximum parsing depth reached");
        return NULL;
    }
    r->depth++;
    value = r->c == '{' ? read_list(r, json_object(), read_member, '}') : read_list(r, json_array(), read_item, ']');
    r->depth--;
    return value;
}

imp_status imp_json_load(FILE *in, const char *file, json_t **root, imp_error *error) {
    reader r = {.in = in, .line = 1, .row = 1, .from = 1};
    advance(&r);
    json_t *value = read_value(&r);
    if (value) skip_blanks(&r);
    if (value && r.c != EOF) {
        mark(&r);
        fault(&r, "end of file expected");
    }
    free(r.text);
    if (value && !r.fault && !ferror(in)) {
        *root = value;
        return IMP_OK;
    }
    json_decref(value);
    if (ferror(in)) return imp_error_set(error, IMP_IO, "%s: cannot be read", file);
    if (!r.fault) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file);
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s:%d:%d: %s, expected JSON", file, r.row, r.from, r.fault);
}
