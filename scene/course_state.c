/* course_state.c - the state of a course to a file, and from it. What stands there is looked at: a
 * state that no course can be in is none. */
#include "scene/course_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef scene_course_run course;

/* Counts stay far from the largest int. */
enum { MOST_COUNTED = 1 << 30 };

/* Bytes to a file, or from it. */
static bool carry(FILE *file, bool save, void *x, size_t bytes) {
    if (bytes == 0) return true;
    if (save) return fwrite(x, bytes, 1, file) == 1;
    return fread(x, bytes, 1, file) == 1;
}

/* n finite numbers; read ones that are not: false. */
static bool carry_finite(FILE *file, bool save, double *x, size_t n) {
    if (!carry(file, save, x, n * sizeof *x)) return false;
    for (size_t i = 0; !save && i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* A number below `end` and not below 0. */
static bool carry_below(FILE *file, bool save, int end, int *x) {
    return carry(file, save, x, sizeof *x) && (save || (*x >= 0 && *x < end));
}

static bool carry_flag(FILE *file, bool save, bool *x) {
    int whole = *x;
    if (!carry_below(file, save, 2, &whole)) return false;
    *x = whole;
    return true;
}

static bool carry_modes(FILE *file, bool save, scene_mode *mode, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int whole = (int)mode[i];
        if (!carry_below(file, save, SCENE_STICKS + 1, &whole)) return false;
        mode[i] = (scene_mode)whole;
    }
    return true;
}

/* The numbers among these that are none, or infinite, at times. */
static bool carry_times(course *c, FILE *file, bool save) {
    double *const number[] = {&c->pile, &c->turned};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        if (!carry(file, save, number[k], sizeof *number[k])) return false;
    return true;
}

static bool carry_series(scene_series *series, FILE *file, bool save, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!carry_finite(file, save, &series[i].struck, 1) ||
            !carry(file, save, &series[i].since, sizeof series[i].since) ||
            !(series[i].since >= 0) || !carry_below(file, save, MOST_COUNTED, &series[i].faster) ||
            !carry_below(file, save, MOST_COUNTED, &series[i].crowd))
            return false;
    return true;
}

static bool carry_state(course *c, FILE *file, bool save) {
    const size_t nq = (size_t)imp_tree_nq(c->s->tree), nv = (size_t)imp_tree_nv(c->s->tree),
                 links = (size_t)imp_tree_links(c->s->tree);
    int end = (int)c->end;
    bool good = carry_finite(file, save, c->q, nq + nv) && carry_flag(file, save, &c->begun) &&
                carry(file, save, &c->steps, sizeof c->steps) && c->steps >= 0 &&
                carry_flag(file, save, &c->over) &&
                carry_below(file, save, SCENE_COURSE_UNDETERMINED + 1, &end) &&
                carry_times(c, file, save) && carry_finite(file, save, c->fastest, links) &&
                carry_finite(file, save, c->recent, links) &&
                carry_finite(file, save, c->quickest, (size_t)c->s->rubs) &&
                carry_series(c->series, file, save, links) &&
                carry_finite(file, save, &c->time, 1) &&
                carry_below(file, save, MOST_COUNTED, &c->rounds);
    if (good) c->end = (scene_course_end)end;
    return good;
}

static bool carry_lasting(scene_lasting *l, FILE *file, bool save) {
    const size_t nc = (size_t)l->nc, nj = (size_t)l->joints,
                 links = (size_t)imp_tree_links(l->s->tree);
    bool good = carry_finite(file, save, l->still, links) &&
                carry_finite(file, save, l->still_joint, nj) &&
                carry_finite(file, save, l->slow, links) && carry_modes(file, save, l->held, nj) &&
                carry_finite(file, save, l->side, nj) && carry_modes(file, save, l->mode, nc) &&
                carry_finite(file, save, l->gap, nc) && carry_finite(file, save, l->slip, 3 * nc);
    good = good && carry_below(file, save, scene_lasting_rows(l) + 1, &l->as_loose);
    for (size_t i = 0; i < nc; i++)
        good = good && carry_below(file, save, 3, &l->dead[i]) &&
               carry_below(file, save, l->s->system.npairs, &l->pair[i]);
    return good;
}

/* Can a course of its scene be there? One that is over by TIME is at its end, and one by ZENO has
 * no contact that lasts, and an instant that impacts tend to. */
static bool is_possible(const course *c) {
    const double until = c->s->run.until, rounding = 4 * DBL_EPSILON * until;
    if (!(c->time >= 0 && c->time <= until + rounding) || c->steps > c->s->run.max_steps)
        return false;
    if (!c->begun && (c->time > 0 || c->over)) return false;
    if (c->over && c->end == SCENE_COURSE_TIME) return c->time >= until - rounding;
    if (c->over && c->end == SCENE_COURSE_ZENO)
        return isfinite(c->pile) && c->pile >= c->time && scene_lasting_count(&c->lasting) == 0;
    return true;
}

imp_status scene_course_save(scene_course_run *c, FILE *file) {
    return carry_state(c, file, true) && carry(file, true, &c->lasting.nc, sizeof c->lasting.nc) &&
                   carry_lasting(&c->lasting, file, true)
               ? IMP_OK
               : IMP_IO;
}

imp_status scene_course_load(scene_course_run *c, FILE *file) {
    int nc = 0;
    if (!carry_state(c, file, false) || !carry_below(file, false, c->s->system.npairs + 1, &nc))
        return IMP_IO;
    scene_lasting_clear(&c->lasting);
    const imp_status status = scene_lasting_make(&c->lasting, c->s, nc);
    if (status != IMP_OK) return status;
    return carry_lasting(&c->lasting, file, false) && is_possible(c) ? IMP_OK : IMP_IO;
}
