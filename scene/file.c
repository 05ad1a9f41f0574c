/* file.c - scene files and their variants, which are merge patches (RFC 7396). */
#include "scene/scene.h"
#include "scene/build.h"

#include "io/json_load.h"
#include "io/settings.h"
#include "io/stream.h"

#include <stdlib.h>
#include <string.h>

/* The keys of a scene that may be assigned: all but its kind and its variants. */
static const char *const scene_keys[] = {"title",    "source", "gravity", "material", "transition",
                                         "ground",   "bodies", "joints",  "run",      "impact",
                                         "contacts", "bores",  "lattice", "step",     NULL};

/* A copy of what jansson calls one; NULL where it lacks members, which without memory are left
 * out. */
static json_t *whole_copy(json_t *copy, const json_t *of) {
    if (json_equal(copy, of)) return copy;
    json_decref(copy);
    return NULL;
}

/* target <- target patched; a new reference, NULL without memory. */
static json_t *merged(json_t *target, json_t *patch) {
    if (!json_is_object(patch)) return json_incref(patch);
    json_t *result = json_is_object(target) ? whole_copy(json_copy(target), target) : json_object();
    const char *key;
    json_t *value;
    json_object_foreach(patch, key, value) {
        if (!result) break;
        if (json_is_null(value)) {
            json_object_del(result, key);
            continue;
        }
        json_t *member = merged(json_object_get(result, key), value);
        if (!member || json_object_set_new(result, key, member) != 0) {
            json_decref(result);
            return NULL;
        }
    }
    return result;
}

static bool check_names(const imp_json *variants) {
    const char *name;
    json_t *ignored;
    json_object_foreach(variants->value, name, ignored) {
        const imp_json one = imp_json_member(variants, name);
        if (!scene_read_name(&one, name)) return false;
    }
    return true;
}

imp_status scene_open(const char *path, scene_file *file, imp_error *error) {
    *file = (scene_file){0};
    imp_input input;
    imp_status status = imp_input_open(&input, path, error);
    if (status != IMP_OK) return status;
    file->name = strdup(input.name);
    status = file->name ? imp_json_load(input.file, file->name, &file->root, error)
                        : imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", path);
    imp_input_close(&input);
    if (status == IMP_OK) {
        static const char *const kinds[] = {"scene", NULL};
        const imp_json root = imp_json_root(file->root, file->name, error),
                       kind = imp_json_member(&root, "kind"),
                       variants = imp_json_member(&root, "variants");
        int ignored;
        bool good = json_is_object(root.value)
                        ? imp_json_choice(&kind, kinds, &ignored)
                        : imp_json_expected(&root, "an object with \"kind\": \"scene\"");
        if (good && variants.value && json_object_size(variants.value) == 0)
            good = imp_json_expected(&variants, "an object with at least one member");
        good = good && check_names(&variants);
        file->variants = variants.value ? (int)json_object_size(variants.value) : 1;
        status = good ? IMP_OK : IMP_BAD_ARGUMENT;
    }
    if (status != IMP_OK) scene_close(file);
    return status;
}

void scene_close(scene_file *file) {
    scene_unassign(file, 0);
    free(file->assign);
    json_decref(file->root);
    free(file->name);
    *file = (scene_file){0};
}

const char *scene_variant_name(const scene_file *file, int variant) {
    const char *key;
    json_t *ignored;
    json_object_foreach(json_object_get(file->root, "variants"), key, ignored) {
        if (variant-- == 0) return key;
    }
    return NULL;
}

int scene_variant_find(const scene_file *file, const char *name) {
    for (int i = 0; i < file->variants; i++) {
        const char *other = scene_variant_name(file, i);
        if (other && strcmp(other, name) == 0) return i;
    }
    return -1;
}

static imp_status keep(scene_file *file, char *assignment, imp_error *error) {
    char **more =
        assignment ? realloc(file->assign, (size_t)(file->assigned + 1) * sizeof *more) : NULL;
    if (!more) {
        free(assignment);
        return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    }
    file->assign = more;
    file->assign[file->assigned++] = assignment;
    return IMP_OK;
}

/* Do settings of that name go to one of the first `count` models already? */
static bool is_named(const imp_model *const models[], int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(scene_settings_name(models[i]), name) == 0) return true;
    return false;
}

imp_status scene_assign(scene_file *file, const imp_model *const models[], const char *assignment,
                        imp_error *error) {
    const size_t length = strcspn(assignment, "=."), whole = strcspn(assignment, "=");
    imp_status status = IMP_OK;
    bool found = false;
    for (int i = 0; models[i] && length == whole && status == IMP_OK; i++) {
        char *own = NULL;
        const char *name = scene_settings_name(models[i]);
        if (!imp_settings_has(models[i], assignment, length)) continue;
        found = true;
        if (is_named(models, i, name)) continue;
        if (asprintf(&own, "impact.settings.%s.%s", name, assignment) < 0) own = NULL;
        status = keep(file, own, error);
    }
    if (found) return status;
    for (int i = 0; scene_keys[i]; i++)
        if (strlen(scene_keys[i]) == length && strncmp(scene_keys[i], assignment, length) == 0)
            return keep(file, strdup(assignment), error);
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "setting: \"%.60s\", expected a setting of a model that is asked or a key "
                         "of the scene, as material.friction=0.3",
                         assignment);
}

void scene_unassign(scene_file *file, int count) {
    while (file->assigned > count)
        free(file->assign[--file->assigned]);
}

/* *root <- a copy with what is assigned. */
static imp_status assign_all(const scene_file *file, json_t **root, imp_error *error) {
    if (file->assigned == 0) return IMP_OK;
    json_t *own = whole_copy(json_deep_copy(*root), *root);
    if (!own) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file->name);
    json_decref(*root);
    *root = own;
    imp_status status = IMP_OK;
    for (int i = 0; i < file->assigned && status == IMP_OK; i++)
        status = imp_json_assign(own, file->assign[i], error);
    return status;
}

/* A patch has what a scene has, but for what tells the file. */
static bool is_patch(const imp_json *own) {
    const imp_json kind = imp_json_member(own, "kind"), variants = imp_json_member(own, "variants");
    if (!json_is_object(own->value)) return imp_json_expected(own, "an object");
    if (kind.value) return imp_json_refuse(&kind, "in a variant, expected beside \"variants\"");
    if (variants.value) return imp_json_refuse(&variants, "in a variant, expected none");
    return true;
}

imp_status scene_read_variant(const scene_file *file, int variant,
                              imp_status (*read)(const imp_json *at, const char *name, void *to),
                              void *to, imp_error *error) {
    const char *name = scene_variant_name(file, variant);
    json_t *patch = name ? json_object_get(json_object_get(file->root, "variants"), name) : NULL;
    json_t *root = patch ? merged(file->root, patch) : json_incref(file->root);
    char label[256];
    snprintf(label, sizeof label, name ? "%s (%s)" : "%s%s", file->name, name ? name : "");
    imp_error local = {0};
    if (!error) error = &local;
    imp_status status = root ? assign_all(file, &root, error)
                             : imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", label);
    const imp_json whole = imp_json_root(file->root, file->name, error),
                   variants = imp_json_member(&whole, "variants"),
                   own = imp_json_member(&variants, name ? name : ""),
                   at = imp_json_root(root, label, error);
    if (status == IMP_OK && patch && !is_patch(&own)) status = IMP_BAD_ARGUMENT;
    if (status == IMP_OK) status = read(&at, name, to);
    json_decref(root);
    return status;
}

static imp_status read_scene(const imp_json *at, const char *name, void *s) {
    return scene_read(at, name, false, s);
}

static imp_status read_rubbing(const imp_json *at, const char *name, void *s) {
    return scene_read(at, name, true, s);
}

static imp_status build(const scene_file *file, int variant,
                        imp_status (*read)(const imp_json *at, const char *name, void *to),
                        scene *s, imp_error *error) {
    *s = (scene){0};
    const imp_status status = scene_read_variant(file, variant, read, s, error);
    if (status != IMP_OK) scene_clear(s);
    return status;
}

imp_status scene_build(const scene_file *file, int variant, scene *s, imp_error *error) {
    return build(file, variant, read_scene, s, error);
}

imp_status scene_build_rubbing(const scene_file *file, int variant, scene *s, imp_error *error) {
    return build(file, variant, read_rubbing, s, error);
}
