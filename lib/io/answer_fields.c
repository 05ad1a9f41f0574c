/* answer_fields.c - what may stand in an answer, by the table of docs/formats.md. */
#include "io/answer_fields.h"
#include "io/format.h"
#include "io/suggest.h"

#include <string.h>

/* Of answers of solve, check and enumerate. The first three are the caller's to read. */
#define READ  "p", "path", "id"
#define LISTS "lambda", "joint_friction"
#define ROWS  "velocities"
#define WORDS "model", "law", "status", "reason", "worst", "follows"
#define NUMBERS                                                                                    \
    "energy", "residual", "contact", "energy_excess", "velocity_excess", "error_field",            \
        "error_scale_free", "iterations", "intervals", "rounds", "count", "eccentricity",          \
        "unique_below", "maxdiss", "A"
#define OBJECTS "residuals", "solution"
#define TRUTHS  "proven", "unique"
#define MORE    "u", "solutions", "constraints", "forces"

/* An answer may stand beside its problem. */
static const char *const keys[] = {READ, LISTS,   ROWS,   WORDS,           NUMBERS,
                                   MORE, OBJECTS, TRUTHS, IMP_PROBLEM_KEYS};

static bool is_known(const char *key) {
    const char *const *known = keys;
    while (*known && strcmp(*known, key) != 0)
        known++;
    return *known;
}

/* Every one of numbers. */
static bool check_list(const imp_json *at) {
    size_t n;
    double ignored;
    if (!imp_json_array(at, &n)) return false;
    for (size_t i = 0; i < n; i++) {
        const imp_json item = imp_json_item(at, i);
        if (!imp_json_number(&item, &ignored)) return false;
    }
    return true;
}

/* Six numbers of each body. */
static bool check_rows(const imp_json *at) {
    size_t n;
    double ignored[6];
    if (!imp_json_array(at, &n)) return false;
    for (size_t i = 0; i < n; i++) {
        const imp_json row = imp_json_item(at, i);
        if (!imp_json_vector(&row, 6, ignored)) return false;
    }
    return true;
}

static bool check_number(const imp_json *at) {
    double ignored;
    return imp_json_number(at, &ignored);
}

static bool check_word(const imp_json *at) {
    const char *ignored;
    return imp_json_text(at, &ignored);
}

static bool check_object(const imp_json *at) {
    return json_is_object(at->value) || imp_json_expected(at, "an object");
}

static bool check_truth(const imp_json *at) {
    bool ignored;
    return imp_json_boolean(at, &ignored);
}

static bool check_forces(const imp_json *at) {
    size_t ignored;
    return imp_json_array(at, &ignored);
}

/* How many there are, or they themselves. */
static bool check_solutions(const imp_json *at) {
    return json_is_array(at->value) || json_is_number(at->value) ||
           imp_json_expected(at, "a number or an array");
}

/* How they are kept, or those of a problem that stands there too. */
static bool check_constraints(const imp_json *at) {
    return json_is_array(at->value) || check_object(at);
}

/* Keys of one type, ended by NULL, and what holds them to it. */
typedef struct group {
    const char *keys[24];
    bool (*check)(const imp_json *at);
} group;

/* Does what stands there of the groups, up to one without keys, keep to its type? null: nothing
 * does. */
static bool check_groups(const imp_json *at, const group *groups) {
    for (const group *g = groups; g->keys[0]; g++)
        for (const char *const *key = g->keys; *key; key++) {
            const imp_json member = imp_json_member(at, *key);
            if (imp_json_stands(&member) && !g->check(&member)) return false;
        }
    return true;
}

bool imp_answer_lists(const imp_json *at) {
    static const group groups[] = {{{LISTS}, check_list}, {{ROWS}, check_rows}, {{NULL}, NULL}};
    return check_groups(at, groups);
}

bool imp_answer_fields(const imp_json *at) {
    static const group groups[] = {{{WORDS}, check_word},
                                   {{NUMBERS}, check_number},
                                   {{OBJECTS}, check_object},
                                   {{TRUTHS}, check_truth},
                                   {{"u"}, check_list},
                                   {{"forces"}, check_forces},
                                   {{"constraints"}, check_constraints},
                                   {{"solutions"}, check_solutions},
                                   {{NULL}, NULL}};
    char hint[80];
    const char *key;
    json_t *ignored;
    json_object_foreach(at->value, key, ignored) {
        if (is_known(key)) continue;
        const imp_json member = imp_json_member(at, key);
        return imp_json_refuse(&member,
                               "unknown key%s, expected p, path, lambda, velocities, "
                               "joint_friction or another key of an answer",
                               imp_suggest(key, keys, hint));
    }
    return check_groups(at, groups) && imp_answer_lists(at);
}
