/* texts.c - settings by `--set` and in JSON, and what a program outside answers. */
#include "fuzz/targets.h"

#include "impact.h"
#include "io/settings.h"
#include "outside/outside.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] =
    "{\"kind\": \"scene\", \"title\": \"\", \"material\": {\"stiffness\": 1e6, \"friction\": 0.3},"
    "\"ground\": [{\"point\": [0, 0, 0], \"normal\": [0, 0, 1]}], \"bodies\": {\"ball\":"
    "{\"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0, 0.2], \"velocity\": [1, 0, -1],"
    "\"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}}, \"run\": {\"until\": 1},"
    "\"variants\": {\"a\": {}, \"b\": {\"material\": {\"friction\": 0.1}}}}";

/* One assignment to every model, and its settings written and read again: the same. */
static void assign_models(const char *text) {
    for (const imp_model *const *m = imp_models; *m; m++) {
        imp_settings settings, again;
        imp_error error = {IMP_OK, ""};
        imp_model_presets(*m, &settings);
        imp_model_presets(*m, &again);
        if (!fuzz_ok(imp_settings_assign(*m, &settings, text, &error), &error)) continue;
        json_t *object = imp_json_of_settings(*m, &settings);
        const imp_json top = imp_json_root(object, "settings", &error);
        fuzz_promise(object && imp_json_settings(&top, *m, &again));
        json_t *other = imp_json_of_settings(*m, &again);
        fuzz_promise(json_equal(object, other));
        json_decref(object);
        json_decref(other);
    }
}

/* Each line is one assignment. */
void fuzz_settings(const uint8_t *data, size_t size) {
    scene_file file;
    imp_error error = {IMP_OK, ""};
    char *text = strndup((const char *)data, size), *rest = text;
    fuzz_promise(text && scene_open(fuzz_file((const uint8_t *)ball, strlen(ball)), &file,
                                    &error) == IMP_OK);
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        assign_models(line);
        (void)fuzz_ok(scene_assign(&file, imp_models, line, &error), &error);
    }
    for (int v = 0; v < file.variants; v++) {
        scene s;
        if (fuzz_ok(scene_build(&file, v, &s, &error), &error)) scene_clear(&s);
    }
    scene_close(&file);
    free(text);
}

/* A line that answers the first problem, of two contacts. */
void fuzz_protocol(const uint8_t *data, size_t size) {
    enum { NC = 2 };
    double p[3 * NC] = {0};
    imp_info info = {0};
    imp_error fault = {IMP_OK, ""};
    char *line = fuzz_copy(data, size);
    const imp_status status = outside_read_answer(line, size, 1, NC, p, &info, &fault);
    (void)fuzz_ok(status, &fault);
    for (int i = 0; status >= 0 && i < 3 * NC; i++)
        fuzz_promise(isfinite(p[i]));
    free(line);
}
