/* test_course_state.c - the kept state of a course: as it was saved it is taken and saved again as
 * it was; what no course can be in is refused, wherever it stands in it. */
#include "impact.h"
#include "scene/course.h"
#include "tests/rubbing_scene.h"
#include "tests/scratch.h"
#include "tests/tap.h"

#include <stdint.h>

static scene_course_run *begin(const scene *s) {
    static const scene_observer nobody;
    static imp_settings settings;
    const imp_model *model = imp_model_find("coulomb");
    imp_model_presets(model, &settings);
    scene_course_run *c = scene_course_open(s, model, &settings, &nobody);
    if (!c) abort();
    return c;
}

/* The state's bytes, for free(). */
static char *save(scene_course_run *c, size_t *length) {
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, length);
    if (!out || scene_course_save(c, out) != IMP_OK || fclose(out) != 0) abort();
    return bytes;
}

static imp_status load(scene_course_run *c, char *bytes, size_t length) {
    FILE *in = fmemopen(bytes, length, "r");
    if (!in) abort();
    const imp_status status = scene_course_load(c, in);
    fclose(in);
    return status;
}

/* Is the state refused with those 4 bytes at `at`? */
static bool refuses(const scene *s, const char *bytes, size_t length, size_t at, int32_t value) {
    char *other = malloc(length + 1);
    scene_course_run *c = begin(s);
    if (!other) abort();
    memcpy(other, bytes, length);
    memcpy(other + at, &value, sizeof value);
    const imp_status status = load(c, other, length);
    scene_course_close(c);
    free(other);
    return status == IMP_IO;
}

/* -1 in each half of each number: a count or a choice below its range, or not a number. */
static int count_taken(const scene *s, const char *bytes, size_t length) {
    int taken = 0;
    for (size_t at = 0; at + 4 <= length; at += 4)
        taken += !refuses(s, bytes, length, at, -1);
    return taken;
}

static void check(const scene *s) {
    size_t length, same;
    scene_course_run *c = begin(s), *other = begin(s);
    imp_status status;
    ok(scene_course_go_on(c, &status), "it begins");
    char *bytes = save(c, &length);
    ok(load(other, bytes, length) == IMP_OK, "its state is taken");
    char *again = save(other, &same);
    ok(same == length && memcmp(bytes, again, length) == 0, "and saved again as it was");
    int shorter = 0;
    for (size_t n = 1; n < length; n++)
        shorter += load(other, bytes, n) == IMP_IO;
    ok(shorter == (int)length - 1, "cut anywhere: refused");
    const size_t pair = length - sizeof(int32_t);
    ok(!refuses(s, bytes, length, pair, 0) && refuses(s, bytes, length, pair, 1),
       "a pair beyond the last: refused");
    /* twelve words, and two of each body, are counts and choices; a number is spoiled by its upper
     * half alone, two may be no numbers, and one of each body is infinite before its first
     * impact */
    const int taken = count_taken(s, bytes, length), links = imp_tree_links(s->tree),
              numbers = ((int)(length / 4) - 12 - 2 * links) / 2;
    ok(taken == numbers + 2 - links,
       "-1 anywhere: refused but where it is a number's (%d taken, %d numbers)", taken, numbers);
    free(bytes);
    free(again);
    scene_course_close(c);
    scene_course_close(other);
}

int main(void) {
    scene_file file;
    scene s;
    imp_error error;
    if (scene_open(scratch_text("rubbing.json", rubbing_scene), &file, &error) != IMP_OK ||
        scene_build_rubbing(&file, 0, &s, &error) != IMP_OK)
        abort();
    check(&s);
    scene_clear(&s);
    scene_close(&file);
    return tap_done();
}
