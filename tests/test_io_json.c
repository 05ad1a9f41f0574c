/* test_io_json.c - typed JSON reading: what it accepts, and that every fault is named with its
 * place. */
#include "io/io.h"
#include "io/json_load.h"
#include "io/json_path.h"
#include "scratch.h"
#include "tap.h"

/* Loads a text as file "f". */
static imp_status load(const char *text, json_t **root, imp_error *error) {
    FILE *in = fopen(scratch_text("f.json", text), "rb");
    if (!in) abort();
    const imp_status status = imp_json_load(in, "f", root, error);
    fclose(in);
    return status;
}

static void refuses_syntax(const char *text, const char *want) {
    json_t *root = NULL;
    imp_error error = {0};
    ok(load(text, &root, &error) == IMP_BAD_ARGUMENT && !root &&
           strncmp(error.text, want, strlen(want)) == 0,
       "%.30s -> %s", text, error.text);
    json_decref(root);
}

typedef enum want {
    NUMBER,
    POSITIVE,
    FRACTION,
    WHOLE,
    VECTOR,
    MATRIX,
    BOOLEAN,
    TEXT,
    CHOICE,
    OBJECT,
    ARRAY
} want;

/* Reads member a of the text. */
static bool read_as(want kind, const imp_json *at, double x[9]) {
    static const char *const words[] = {"most", "least", NULL}, *const keys[] = {"b", "c", NULL};
    bool boolean;
    int whole;
    size_t n;
    const char *text;
    switch (kind) {
    case NUMBER: return imp_json_number(at, x);
    case POSITIVE: return imp_json_positive(at, x);
    case FRACTION: return imp_json_number_in(at, 0, 1, x);
    case WHOLE: return imp_json_whole(at, 0, 7, &whole);
    case VECTOR: return imp_json_vector(at, 3, x);
    case MATRIX: return imp_json_matrix(at, 3, 3, x);
    case BOOLEAN: return imp_json_boolean(at, &boolean);
    case TEXT: return imp_json_text(at, &text);
    case CHOICE: return imp_json_choice(at, words, &whole);
    case OBJECT: return imp_json_object(at, keys);
    case ARRAY: return imp_json_array(at, &n);
    }
    return false;
}

/* `says` NULL: accepted. */
static void reads(want kind, const char *text, const char *says) {
    json_t *root = NULL;
    imp_error error = {0};
    double x[9];
    if (load(text, &root, &error) != IMP_OK) abort();
    const imp_json top = imp_json_root(root, "f", &error), a = imp_json_member(&top, "a");
    const bool good = read_as(kind, &a, x);
    if (says)
        ok(!good && error.status == IMP_BAD_ARGUMENT && strcmp(error.text, says) == 0, "%s -> %s",
           text, error.text);
    else
        ok(good, "%s", text);
    json_decref(root);
}

static void check_syntax(void) {
    refuses_syntax("", "f:1:1: the file is empty, expected JSON");
    refuses_syntax("{\"a\": 1", "f:1:7: ");
    refuses_syntax("[1,\n2,\n  x]", "f:3:");
    refuses_syntax("{\"a\": 1, \"a\": 2}", "f:1:12: duplicate object key");
    refuses_syntax("[1e999]", "f:1:6: real number overflow");
    refuses_syntax("[NaN]", "f:1:4: ");
    refuses_syntax("[Infinity]", "f:1:9: ");
    refuses_syntax("[0x10]", "f:1:3: ");
    refuses_syntax("[1] 2", "f:1:5: end of file expected");
    refuses_syntax("[\"\xff\"]", "f:1:");
    char *deep = malloc(1000001);
    memset(deep, '[', 1000000);
    deep[1000000] = 0;
    refuses_syntax(deep, "f:1:2049: maximum parsing depth reached");
    free(deep);
    json_t *root;
    imp_error error;
    ok(load("[1, 100000000000000000000000, 2.0]", &root, &error) == IMP_OK,
       "a whole number beyond 64 bits is a number");
    const imp_json top = imp_json_root(root, "f", &error);
    double x[3];
    ok(imp_json_vector(&top, 3, x) && x[1] == 1e23, "with its value");
    json_decref(root);
}

/* Several texts one behind another: a fault is named by its place in the file. */
static void refuses_lines(const char *text, const char *says) {
    json_t *root = NULL;
    imp_error error = {0};
    FILE *in = fopen(scratch_text("f.jsonl", text), "rb");
    if (!in) abort();
    ok(imp_json_load_lines(in, "f", &root, &error) == IMP_BAD_ARGUMENT && !root &&
           strncmp(error.text, says, strlen(says)) == 0,
       "one behind another: %s", error.text);
    fclose(in);
}

static void check_lines(void) {
    refuses_lines("{\"a\": 1}\n{\"b\" 2}", "f:2:6: ':' expected near '2'");
    refuses_lines("{\"a\": 1} {\"b\" 2}", "f:1:15: ':' expected near '2'");
    refuses_lines("{\"a\": 1}\n{\"\xc3\xa9\": 1} {\"b\" 2}", "f:2:15: ':' expected near '2'");
    refuses_lines("{\"a\": 1} {\n \"b\" 2}", "f:2:6: ':' expected near '2'");
    refuses_lines("[1]\n\n  {}", "f:3:3: end of file expected");
    refuses_lines("\"\xc3\xa9\" 1", "f:1:5: end of file expected");
}

/* {"list": [1, {}], "number": 1} after the assignment, or what it is refused with. */
static void changes(const char *assignment, const char *gives) {
    json_t *root = json_pack("{s:[i,{}], s:i}", "list", 1, "number", 1);
    imp_error error = {0};
    const imp_status status = imp_json_assign(root, assignment, &error);
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS);
    ok(status == IMP_OK
           ? strcmp(text, gives) == 0
           : status == IMP_BAD_ARGUMENT && error.status == status && strcmp(error.text, gives) == 0,
       "%.40s: %s", assignment, status == IMP_OK ? text : error.text);
    ok(imp_json_assign(root, assignment, NULL) == status, "and without words");
    free(text);
    json_decref(root);
}

static void check_assignments(void) {
#define NO_PLACE ", expected key=value, key a member of an object or the number of an item"
    char longer[300];
    memset(longer, 'x', sizeof longer);
    memcpy(longer + 280, "=1", 3);
    changes("number=2", "{\"list\":[1,{}],\"number\":2.0}");
    changes("list.0=[]", "{\"list\":[[],{}],\"number\":1}");
    changes("list.1.a=b c", "{\"list\":[1,{\"a\":\"b c\"}],\"number\":1}");
    changes("list.1.a.b=", "{\"list\":[1,{\"a\":{\"b\":\"\"}}],\"number\":1}");
    changes("number", "setting: \"number\", expected key=value");
    changes("=1", "setting: \"=1\", expected key=value");
    changes("number.a=1", "setting: \"number.a=1\"" NO_PLACE);
    changes("number.a.b=1", "setting: \"number.a.b=1\"" NO_PLACE);
    changes("list.2=1", "setting: \"list.2=1\"" NO_PLACE);
    changes("list.00=1", "setting: \"list.00=1\"" NO_PLACE);
    changes("list.01.a=1", "setting: \"list.01.a=1\"" NO_PLACE);
    changes("list.0x=1", "setting: \"list.0x=1\"" NO_PLACE);
    changes("list.x=1", "setting: \"list.x=1\"" NO_PLACE);
    changes("list.:=1", "setting: \"list.:=1\"" NO_PLACE);
    changes("list.3.a=1", "setting: \"list.3.a=1\"" NO_PLACE);
    changes("number=\xff", "setting: \"number=\xff\", expected UTF-8");
    changes(longer, "setting: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\", "
                    "expected key=value");
}

/* What documents have seldom. */
static void check_more_values(void) {
    imp_error error;
    double x;
    bool yes;
    json_t *root = json_pack("{s:i, s:b, s:b}", "number", 3, "yes", 1, "no", 0);
    const imp_json top = imp_json_root(root, "f", &error), number = imp_json_member(&top, "number"),
                   is = imp_json_member(&top, "yes"), no = imp_json_member(&top, "no");
    ok(!imp_json_number_in(&number, -INFINITY, 2, &x) &&
           strcmp(error.text, "f: $.number: 3, expected a number <= 2") == 0,
       "%s", error.text);
    ok(!imp_json_matrix(&number, 2, 3, &x) &&
           strcmp(error.text, "f: $.number: 3, expected an array of 2 rows of 3 numbers") == 0,
       "%s", error.text);
    ok(!imp_json_number(&no, &x) && strcmp(error.text, "f: $.no: false, expected a number") == 0,
       "%s", error.text);
    ok(imp_json_boolean(&is, &yes) && yes && imp_json_boolean(&no, &yes) && !yes, "true and false");
    const imp_json silent = imp_json_root(root, "f", NULL);
    ok(!imp_json_no_memory(&silent) && !imp_json_no_memory(&number) &&
           error.status == IMP_NO_MEMORY && strcmp(error.text, "f: $.number: no memory") == 0,
       "%s", error.text);
    imp_json place = top;
    static imp_json deep[60];
    for (int k = 0; k < 60; k++) {
        deep[k] = imp_json_member(&place, "a long name");
        deep[k].parent = k ? &deep[k - 1] : &top;
    }
    ok(!imp_json_number(&deep[59], &x) && strlen(error.text) < IMP_ERROR_TEXT &&
           strstr(error.text, "missing, expected a number"),
       "a way too long for a line");
    json_decref(root);
}

static void check_values(void) {
    reads(NUMBER, "{\"a\": -1.5e3}", NULL);
    reads(NUMBER, "{\"a\": 3}", NULL);
    reads(NUMBER, "{\"a\": \"3\"}", "f: $.a: \"3\", expected a number");
    reads(NUMBER, "{\"a\": null}", "f: $.a: null, expected a number");
    reads(NUMBER, "{}", "f: $.a: missing, expected a number");
    reads(NUMBER, "{\"a\": [1]}", "f: $.a: an array of 1, expected a number");
    reads(POSITIVE, "{\"a\": 1e-300}", NULL);
    reads(POSITIVE, "{\"a\": 0}", "f: $.a: 0, expected a number > 0");
    reads(POSITIVE, "{\"a\": true}", "f: $.a: true, expected a number > 0");
    reads(FRACTION, "{\"a\": 1}", NULL);
    reads(FRACTION, "{\"a\": 1.5}", "f: $.a: 1.5, expected a number from 0 to 1");
    reads(WHOLE, "{\"a\": 7.0}", NULL);
    reads(WHOLE, "{\"a\": 2.5}", "f: $.a: 2.5, expected a whole number from 0 to 7");
    reads(WHOLE, "{\"a\": 1e300}",
          "f: $.a: 1.0000000000000001e+300, expected a whole number from 0 to 7");
    reads(VECTOR, "{\"a\": [1, 2, 3]}", NULL);
    reads(VECTOR, "{\"a\": [1, 2]}", "f: $.a: an array of 2, expected an array of 3 numbers");
    reads(VECTOR, "{\"a\": [1, {}, 3]}", "f: $.a[1]: an object, expected a number");
    reads(MATRIX, "{\"a\": [[1,2,3],[1,2,3],[1,2,3]]}", NULL);
    reads(MATRIX, "{\"a\": [[1,2,3],[1,2],[1,2,3]]}",
          "f: $.a[1]: an array of 2, expected an array of 3 numbers");
    reads(MATRIX, "{\"a\": [[1,2,3],[1,2,3],[1,\"x\",3]]}",
          "f: $.a[2][1]: \"x\", expected a number");
    reads(BOOLEAN, "{\"a\": false}", NULL);
    reads(BOOLEAN, "{\"a\": 0}", "f: $.a: 0, expected true or false");
    reads(TEXT, "{\"a\": \"x\"}", NULL);
    reads(TEXT, "{\"a\": 1}", "f: $.a: 1, expected a text");
    reads(CHOICE, "{\"a\": \"least\"}", NULL);
    reads(CHOICE, "{\"a\": \"last\"}", "f: $.a: \"last\", expected most or least");
    reads(OBJECT, "{\"a\": {\"c\": 1}}", NULL);
    reads(OBJECT, "{\"a\": {\"d\": 1}}", "f: $.a.d: unknown key, expected b or c");
    reads(OBJECT, "{\"a\": {\"d \\n.\": 1}}", "f: $.a[\"d ?.\"]: unknown key, expected b or c");
    reads(OBJECT, "{\"a\": 2}", "f: $.a: 2, expected an object");
    reads(ARRAY, "{\"a\": []}", NULL);
    reads(ARRAY, "{\"a\": {}}", "f: $.a: an object, expected an array");
}

/* A model with both kinds of settings. */
typedef struct own_settings {
    double reach;
    int choice;
} own_settings;
static const char *const own_choices[] = {"most", "least", NULL};
static const imp_key own_keys[] = {
    {"reach", "m", offsetof(own_settings, reach), 0.5, 0, 1, NULL, "how far"},
    {"choice", "-", offsetof(own_settings, choice), 0, 0, 0, own_choices, "which"},
    {0}};
static const imp_model own_model = {.name = "own", .keys = own_keys, .law = &imp_law_coulomb};

static void assigns(const char *text, const char *says) {
    own_settings s = {0.25, 0};
    imp_error error = {0};
    const imp_status status = imp_settings_assign(&own_model, &s, text, &error);
    ok(status == IMP_BAD_ARGUMENT && strcmp(error.text, says) == 0 && s.reach == 0.25 &&
           s.choice == 0,
       "%s -> %s", text, error.text);
}

static void check_settings(void) {
    own_settings s;
    imp_model_presets(&own_model, &s);
    ok(imp_settings_assign(&own_model, &s, "reach=0.75", NULL) == IMP_OK && s.reach == 0.75,
       "a number is assigned");
    ok(imp_settings_assign(&own_model, &s, "choice=least", NULL) == IMP_OK && s.choice == 1,
       "a choice is assigned");
    json_t *object = imp_json_of_settings(&own_model, &s);
    ok(json_object_size(object) == 2 && json_real_value(json_object_get(object, "reach")) == 0.75 &&
           strcmp(json_string_value(json_object_get(object, "choice")), "least") == 0,
       "both are written");
    own_settings back;
    imp_error error = {0};
    imp_model_presets(&own_model, &back);
    const imp_json place = imp_json_root(object, "f", &error);
    ok(imp_json_settings(&place, &own_model, &back) && back.reach == s.reach &&
           back.choice == s.choice,
       "and read again");
    json_decref(object);
    imp_model_presets(&own_model, &s);
    object = imp_json_of_settings(&own_model, &s);
    ok(json_object_size(object) == 0, "presets are not written");
    json_decref(object);
    assigns("reach", "setting: \"reach\", expected key=value");
    assigns("reach=2", "setting: $.reach: 2, expected a number from 0 to 1");
    assigns("reach=nan", "setting: $.reach: \"nan\", expected a number from 0 to 1");
    assigns("reach=", "setting: $.reach: \"\", expected a number from 0 to 1");
    assigns("choice=worst", "setting: $.choice: \"worst\", expected most or least");
    assigns("choice=1", "setting: $.choice: 1, expected most or least");
    assigns("rich=1", "setting: $.rich: unknown setting of own (did you mean \"reach\"?), expected "
                      "reach, choice");
    assigns("=1", "setting: \"=1\", expected key=value");
}

static void check_error_text(void) {
    imp_error error;
    char *longer = malloc(2000);
    memset(longer, 'x', 1999);
    longer[1999] = 0;
    imp_error_set(&error, IMP_IO, "a\nb\x1b[%s", longer);
    ok(strlen(error.text) == IMP_ERROR_TEXT - 1 && strncmp(error.text, "a?b?[xxx", 8) == 0 &&
           strcmp(error.text + IMP_ERROR_TEXT - 4, "...") == 0,
       "a message stays one line and ends in dots when too long");
    free(longer);
    imp_error_set(&error, IMP_IO,
                  "\xc2\x80[\x7f] \xc2\x9b\x33\x31m \xc2\xa0 \xc3\x9b \xe2\x82\x9b \xc2!");
    ok(strcmp(error.text, "?[?] ?31m \xc2\xa0 \xc3\x9b \xe2\x82\x9b \xc2!") == 0,
       "control characters beyond ASCII are none of it, other letters are");
    ok(imp_error_set(NULL, IMP_IO, "x") == IMP_IO, "no error wanted is fine");
}

int main(void) {
    check_syntax();
    check_lines();
    check_assignments();
    check_more_values();
    check_values();
    check_settings();
    check_error_text();
    return tap_done();
}
