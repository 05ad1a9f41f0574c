/* path.c - the steps of an answer, in arrays that grow together. */
#include "contact/path.h"

#include "base/finite.h"

#include <stdlib.h>
#include <string.h>

/* Room for `count` things of `size` bytes; without memory the old one, and *good false. */
static void *resized(void *things, size_t count, size_t size, bool *good) {
    void *larger = realloc(things, count * size);
    *good = *good && larger;
    /* cppcheck-suppress memleak ; it is returned */
    return larger ? larger : things;
}

static bool grow(imp_path *path, size_t nc) {
    const size_t room = 2 * (size_t)path->room + 16;
    bool good = true;
    path->round = resized(path->round, room, sizeof *path->round, &good);
    path->share = resized(path->share, room, sizeof *path->share, &good);
    path->impulse = resized(path->impulse, room * 3 * nc, sizeof *path->impulse, &good);
    path->phase = resized(path->phase, room, nc, &good);
    path->motion = resized(path->motion, room, nc, &good);
    if (good) path->room = (int)room;
    return good;
}

imp_status imp_path_add(imp_path *path, int nc, int round, double share, const double *impulse,
                        const char *phase, const char *motion) {
    const size_t n = (size_t)nc, at = (size_t)path->steps;
    if (nc < 1 || (path->nc != 0 && path->nc != nc)) return IMP_BAD_ARGUMENT;
    if (path->steps == path->room && !grow(path, n)) return IMP_NO_MEMORY;
    path->nc = nc;
    path->round[at] = round;
    path->share[at] = share;
    memcpy(path->impulse + at * 3 * n, impulse, 3 * n * sizeof *impulse);
    memcpy(path->phase + at * n, phase, n);
    memcpy(path->motion + at * n, motion, n);
    path->steps++;
    return IMP_OK;
}

double *imp_path_multipliers(imp_path *path, int count, int nc) {
    if (path->steps > 0 && nc != path->nc) return NULL;
    double *multiplier = calloc((size_t)count * (size_t)nc, sizeof *multiplier);
    if (!multiplier) return NULL;
    free(path->multiplier);
    path->nc = nc;
    path->multipliers = count;
    path->multiplier = multiplier;
    return path->multiplier;
}

bool imp_path_finite(const imp_path *path) {
    const size_t nc = (size_t)path->nc, steps = (size_t)path->steps;
    return imp_all_finite(path->share, steps) && imp_all_finite(path->impulse, 3 * nc * steps) &&
           imp_all_finite(path->multiplier, nc * (size_t)path->multipliers);
}

void imp_path_clear(imp_path *path) {
    if (!path) return;
    free(path->round);
    free(path->share);
    free(path->impulse);
    free(path->phase);
    free(path->motion);
    free(path->multiplier);
    *path = (imp_path){0};
}
