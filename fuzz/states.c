/* states.c - what simulations go on from: the bytes of a state that was kept, with others laid over
 * them. */
#include "fuzz/targets.h"

#include "granular/granular.h"
#include "granular/setup.h"
#include "impact.h"
#include "io/flow_file.h"
#include "scene/course.h"
#include "tests/rubbing_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of `data` over the first `room` of a state, from a place that its first two say. */
static void lay_over(char *state, size_t room, const uint8_t *data, size_t size) {
    if (size <= 2 || room == 0) return;
    const size_t at = (data[0] + 256u * data[1]) % room, left = room - at;
    memcpy(state + at, data + 2, size - 2 < left ? size - 2 : left);
}

static const char cube[] =
    "{\"kind\": \"flow\", \"title\": \"\", \"step\": 1e-4, \"until\": 1, \"gravity\": [0, 0, -10],"
    "\"friction\": 0.3, \"box\": {\"low\": [0, 0, 0], \"high\": [0.02, 0.02, 0.02]},"
    "\"threads\": 1, \"shapes\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 0, 1],"
    "\"velocity\": [0, 0, 0]}, \"friction\": 0.3}], \"spheres\": {\"radius\": 0.001,"
    "\"density\": 2500, \"spacing\": 0.0025, \"speed\": 0, \"disturbance\": 0.1, \"seed\": 2},"
    "\"fill\": {\"low\": [0.002, 0.002, 0.001], \"high\": [0.018, 0.018, 0.008]}}";

/* A flow to load checkpoints into. */
static imp_granular *start_cube(void) {
    imp_flow flow;
    imp_error error = {IMP_OK, ""};
    imp_status status = IMP_OK;
    const char *path = fuzz_file((const uint8_t *)cube, strlen(cube));
    fuzz_promise(imp_flow_read(path, NULL, &flow, &error) == IMP_OK);
    imp_granular *g = imp_flow_start(&flow, false, &status);
    fuzz_promise(g);
    return g;
}

/* The checksum behind the state is made right, so that the content is looked at. */
void fuzz_checkpoint(const uint8_t *data, size_t size) {
    enum { SUM = sizeof(uint64_t) };
    char *bytes = NULL;
    size_t length = 0;
    const char *why = NULL;
    imp_granular *g = start_cube();
    FILE *out = open_memstream(&bytes, &length);
    fuzz_promise(out);
    fuzz_steps(g, 2);
    const bool saved = imp_granular_save(g, out) == IMP_OK;
    fuzz_promise(fclose(out) == 0 && saved && length > SUM);
    lay_over(bytes, length - SUM, data, size);
    const uint64_t sum = imp_hash(IMP_HASH_SEED, bytes, length - SUM);
    memcpy(bytes + length - SUM, &sum, SUM);
    FILE *in = fmemopen(bytes, length, "r");
    const imp_status status = imp_granular_load(g, in, &why);
    fuzz_promise(status != IMP_BAD_ARGUMENT || why);
    if (status == IMP_OK) fuzz_steps(g, 2);
    fclose(in);
    free(bytes);
    imp_granular_free(g);
}

static void go_on(scene_course_run *c, int rounds) {
    imp_status status = IMP_OK;
    while (rounds-- > 0 && scene_course_go_on(c, &status))
        ;
}

static scene_course_run *start_course(const scene *s) {
    static const scene_observer nobody;
    const imp_model *model = imp_model_find("coulomb");
    static imp_settings settings;
    imp_model_presets(model, &settings);
    scene_course_run *c = scene_course_open(s, model, &settings, &nobody);
    fuzz_promise(c);
    return c;
}

/* Built once. */
static const scene *rubbing(void) {
    static scene s;
    static bool built;
    scene_file file;
    imp_error error = {IMP_OK, ""};
    if (built) return &s;
    const char *path = fuzz_file((const uint8_t *)rubbing_scene, strlen(rubbing_scene));
    fuzz_promise(scene_open(path, &file, &error) == IMP_OK &&
                 scene_build_rubbing(&file, 0, &s, &error) == IMP_OK);
    scene_close(&file);
    built = true;
    return &s;
}

/* The state after the first decision, in which the ball is held. */
void fuzz_course(const uint8_t *data, size_t size) {
    char *bytes = NULL;
    size_t length = 0;
    const scene *s = rubbing();
    scene_course_run *kept = start_course(s), *other = start_course(s);
    FILE *out = open_memstream(&bytes, &length);
    go_on(kept, 1);
    fuzz_promise(out && scene_course_save(kept, out) == IMP_OK && fclose(out) == 0);
    lay_over(bytes, length, data, size);
    FILE *in = fmemopen(bytes, length, "r");
    if (scene_course_load(other, in) == IMP_OK) go_on(other, 2);
    fclose(in);
    free(bytes);
    scene_course_close(kept);
    scene_course_close(other);
}
