/* committed_scene.h - opens a scene of benchmarks/scenes for a test, which ends where it cannot. */
#ifndef COMMITTED_SCENE_H
#define COMMITTED_SCENE_H

#include "scene/scene.h"
#include "tap.h"

/* The variant of benchmarks/scenes/NAME.json, which the caller clears; NULL: the first. */
static scene committed_scene(const char *name, const char *variant) {
    char path[200];
    scene_file file;
    scene s = {0};
    imp_error error;
    snprintf(path, sizeof path, "benchmarks/scenes/%s.json", name);
    if (scene_open(path, &file, &error) != IMP_OK) {
        ok(false, "%s", error.text);
        exit(tap_done());
    }
    const int i = variant ? scene_variant_find(&file, variant) : 0;
    if (i < 0 || scene_build(&file, i, &s, &error) != IMP_OK) {
        ok(false, "%s %s: %s", name, variant ? variant : "",
           i < 0 ? "no such variant" : error.text);
        exit(tap_done());
    }
    scene_close(&file);
    return s;
}

#endif
