/* settings.c - a model's own settings, read and written by its table of keys. */
#include "io/settings.h"
#include "io/json_load.h"
#include "io/json_path.h"
#include "io/json_write.h"
#include "io/suggest.h"

#include <string.h>

static const imp_key *find_key(const imp_model *model, const char *name, size_t length) {
    for (const imp_key *key = model->keys; key && key->name; key++)
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0) return key;
    return NULL;
}

bool imp_settings_has(const imp_model *model, const char *name, size_t length) {
    return find_key(model, name, length) != NULL;
}

/* "theta_max, alpha_min" of a model, for messages; "none". */
static void list_keys(const imp_model *model, char text[200]) {
    size_t length = 0;
    snprintf(text, 200, "none");
    for (const imp_key *key = model->keys; key && key->name && length < 150; key++)
        length +=
            (size_t)snprintf(text + length, 200 - length, "%s%.40s", length ? ", " : "", key->name);
}

static bool read_key(const imp_json *at, const imp_key *key, void *settings) {
    unsigned char *to = (unsigned char *)settings + key->offset;
    if (key->choices) {
        int choice;
        if (!imp_json_choice(at, key->choices, &choice)) return false;
        memcpy(to, &choice, sizeof choice);
        return true;
    }
    double value;
    if (!imp_json_number_in(at, key->low, key->high, &value)) return false;
    if (!imp_key_takes(key, value))
        return imp_json_expected(at, "%s number from %g to %g",
                                 strcmp(key->unit, IMP_PAIRS) == 0 ? "an even" : "a whole",
                                 key->low, key->high);
    memcpy(to, &value, sizeof value);
    return true;
}

/* A solver outside the library has the settings of the first model of its law, for that to read;
 * NULL: they are the model's own. */
static const imp_model *owner(const imp_model *model) {
    const imp_model *first = NULL;
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (*m == model) return NULL;
        if (!first && model->law && (*m)->keys == model->keys &&
            strcmp((*m)->law->name, model->law->name) == 0)
            first = *m;
    }
    return first;
}

static bool unknown(const imp_json *at, const imp_model *model) {
    const imp_model *whose = owner(model);
    const char *names[64] = {NULL};
    char known[200], hint[80];
    list_keys(model, known);
    for (size_t k = 0; model->keys && model->keys[k].name && k < 63; k++)
        names[k] = model->keys[k].name;
    imp_suggest(at->key, names, hint);
    if (whose)
        return imp_json_refuse(at, "unknown setting of %s, whose law judges %.60s%s, expected %s",
                               whose->name, model->name, hint, known);
    return imp_json_refuse(at, "unknown setting of %s%s, expected %s", model->name, hint, known);
}

bool imp_json_settings(const imp_json *at, const imp_model *model, void *settings) {
    const char *name;
    json_t *ignored;
    if (!json_is_object(at->value)) return imp_json_expected(at, "an object");
    json_object_foreach(at->value, name, ignored) {
        const imp_json member = imp_json_member(at, name);
        const imp_key *key = find_key(model, name, strlen(name));
        if (!key) return unknown(&member, model);
        if (!read_key(&member, key, settings)) return false;
    }
    return true;
}

json_t *imp_json_of_settings(const imp_model *model, const void *settings) {
    json_t *object = json_object();
    for (const imp_key *key = model->keys; object && key && key->name; key++) {
        const unsigned char *from = (const unsigned char *)settings + key->offset;
        int choice;
        double value;
        json_t *entry;
        if (key->choices) {
            memcpy(&choice, from, sizeof choice);
            if (choice == (int)key->preset) continue;
            entry = json_string(key->choices[choice]);
        } else {
            memcpy(&value, from, sizeof value);
            if (value == key->preset) continue;
            entry = imp_json_of(value);
        }
        imp_json_put(&object, key->name, entry);
    }
    return object;
}

imp_status imp_settings_assign(const imp_model *model, void *settings, const char *assignment,
                               imp_error *error) {
    if (!model || !settings || !assignment)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "setting: none, expected key=value");
    imp_error ignored;
    if (!error) error = &ignored;
    json_t *object = json_object();
    if (!object) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    imp_status status = imp_json_assign(object, assignment, error);
    const imp_json place = imp_json_root(object, "setting", error);
    if (status == IMP_OK && !imp_json_settings(&place, model, settings)) status = error->status;
    json_decref(object);
    return status;
}
