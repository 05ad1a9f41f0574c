/* scenes.c - what the commands on scenes share: the file, and which of its variants. */
#include "cli/cli.h"
#include "scene/scene.h"

#include <string.h>

/* Of a file of many variants, the first of them. */
static void no_variant(const scene_file *file, const char *asked) {
    char list[300] = "";
    size_t length = 0;
    for (int i = 0; i < file->variants && scene_variant_name(file, i); i++) {
        const char *name = scene_variant_name(file, i);
        const bool room = length + strlen(name) < sizeof list - 20;
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                   i == 0 ? " of " : ", ", room ? name : "...");
        if (!room) break;
    }
    complain_of("%s: no variant \"%.100s\", expected %s%s", file->name, asked,
                *list ? "one" : "none: it names no variants", list);
}

bool asked_variants(const options *o, const scene_file *file, int *first, int *last) {
    *first = 0;
    *last = file->variants - 1;
    if (!o->variant) return true;
    *first = *last = scene_variant_find(file, o->variant);
    if (*first < 0) no_variant(file, o->variant);
    return *first >= 0;
}

int run_scene(const command *self, int argc, char **argv,
              int (*run_file)(const options *o, scene_file *file)) {
    options o;
    int outcome;
    scene_file file;
    imp_error error;
    if (options_read(self, argc, argv, &o, &outcome)) {
        if (scene_open(o.files[0], &file, &error) == IMP_OK) {
            outcome = run_file(&o, &file);
            scene_close(&file);
        } else {
            outcome = complain(&error);
        }
    }
    options_free(&o);
    return outcome;
}
