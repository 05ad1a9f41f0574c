/* test_scene_memory.c - every allocation of reading a scene fails once, alone and with all after
 * it, those of jansson among them: the status and the message say no memory, and nothing stays
 * allocated. What jansson parses of an assignment is spared: a value that it does not read is a
 * text. */
#include "failing.h"
#include "scene/steps.h"
#include "scene/sweep.h"
#include "scratch.h"
#include "tap.h"
#include "whole_scenes.h"

/* What is read of a scene file that is open. */
typedef imp_status reader(scene_file *file, imp_error *error);

static const imp_model *models[2]; /* plus */

static imp_status read_impact(scene_file *file, imp_error *error) {
    scene s;
    const imp_status status = scene_build_rubbing(file, file->variants - 1, &s, error);
    if (status == IMP_OK) scene_clear(&s);
    return status;
}

static imp_status read_steps(scene_file *file, imp_error *error) {
    scene_steps s;
    const imp_status status = scene_steps_build(file, file->variants - 1, &s, error);
    if (status == IMP_OK) scene_steps_clear(&s);
    return status;
}

static imp_status read_assigned(scene_file *file, imp_error *error) {
    imp_status status = scene_assign(file, models, "material.friction=0.35", error);
    if (status == IMP_OK) status = scene_assign(file, models, "theta_max=0.1", error);
    if (status == IMP_OK) status = read_impact(file, error);
    scene_unassign(file, 0);
    return status;
}

static imp_status read_sweep(scene_file *file, imp_error *error) {
    scene_sweep sweep;
    scene_sweep_init(&sweep, file, models, 0, file->variants - 1);
    imp_status status = scene_sweep_add(&sweep, "theta_max=0.1,0.2", error);
    if (status == IMP_OK) status = scene_sweep_add(&sweep, "transition=log:0.1:1:3", error);
    for (long k = 0; k < sweep.points && status == IMP_OK; k++) {
        scene s;
        status = scene_sweep_build(&sweep, k, &s, error);
        if (status == IMP_OK) scene_clear(&s);
    }
    scene_sweep_clear(&sweep);
    return status;
}

/* malloc that does not fail. */
static void *take_memory(size_t bytes) {
    const long at = failing_at, made = failing_made;
    failing_at = -1;
    void *memory = malloc(bytes);
    failing_at = at;
    failing_made = made;
    return memory;
}

/* spared: jansson, and then the C library's asprintf, whose memory is not counted. */
static void try_all(const char *what, const char *text, reader *read, bool spared) {
    scene_file file;
    imp_error error = {0};
    long failed = 0, silent = 0, kept = 0;
    json_set_alloc_funcs(spared ? take_memory : malloc, free);
    if (scene_open(scratch_text("scene.json", text), &file, &error) != IMP_OK) abort();
    const imp_status whole = read(&file, &error); /* what is set up once, is */
    for (int on = 0; on < 2; on++) {
        bool reached = true;
        for (long k = 0; reached; k++) {
            const long before = failing_living;
            error = (imp_error){0};
            failing_from(k, on == 1);
            const imp_status status = read(&file, &error);
            reached = failing_end();
            failed += reached;
            silent += reached && (status != IMP_NO_MEMORY || !strstr(error.text, "no memory"));
            if (reached && (status != IMP_NO_MEMORY || !strstr(error.text, "no memory")))
                note("%ld: %s: %s", k, imp_status_text(status), error.text);
            kept += !spared && failing_living != before;
        }
    }
    scene_close(&file);
    ok(whole == IMP_OK && failed > 0 && silent == 0 && kept == 0,
       "%s: %s, %ld allocations failed, %ld called something else, %ld left something allocated",
       what, imp_status_text(whole), failed, silent, kept);
}

int main(void) {
#if !FAILING_HERE
    return skip_all("an allocator of its own");
#endif
    static char text[8000];
    models[0] = imp_model_find("plus");
    try_all("a scene with an impact", impact_scene, read_impact, false);
    try_all("one that is stepped", steps_scene, read_steps, false);
    try_all("with something assigned", impact_scene, read_assigned, true);
    try_all("a sweep", impact_scene, read_sweep, true);
    snprintf(text, sizeof text,
             "%.*s, \"variants\": {\"a\": {\"title\": null, \"run\": {\"until\": 2}, "
             "\"impact\": {\"settings\": {\"newton\": {}}}}}}",
             (int)(strrchr(impact_scene, '}') - impact_scene), impact_scene);
    try_all("a variant", text, read_impact, false);
    return tap_done();
}
