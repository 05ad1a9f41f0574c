/* scenes.c - what the commands on scenes share: the file, and which of its variants. */
#include "cli/cli.h"
#include "scene/scene.h"

bool asked_variants(const options *o, const scene_file *file, int *first, int *last) {
    *first = 0;
    *last = file->variants - 1;
    if (!o->variant) return true;
    *first = *last = scene_variant_find(file, o->variant);
    if (*first < 0) complain_of("%s: no variant \"%.100s\"", file->name, o->variant);
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
