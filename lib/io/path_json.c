/* path_json.c - the path of an answer, written and read. */
#include "io/path_json.h"
#include "io/json_write.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

json_t *imp_path_json(const imp_path *path) {
    const size_t nc = (size_t)path->nc;
    json_t *object = json_object(), *steps = json_array(), *multipliers = json_array();
    for (size_t k = 0; k < (size_t)path->steps; k++) {
        json_t *step = json_object();
        imp_json_put(&step, "round", json_integer(path->round[k]));
        imp_json_put(&step, "share", imp_json_of(path->share[k]));
        imp_json_put(&step, "impulse", imp_json_of_vector(path->impulse + 3 * nc * k, 3 * nc));
        imp_json_put(&step, "phase", json_stringn(path->phase + nc * k, nc));
        imp_json_put(&step, "motion", json_stringn(path->motion + nc * k, nc));
        imp_json_push(&steps, step);
    }
    for (size_t k = 0; k < (size_t)path->multipliers; k++)
        imp_json_push(&multipliers, imp_json_of_vector(path->multiplier + nc * k, nc));
    imp_json_put(&object, "steps", steps);
    imp_json_put(&object, "multipliers", multipliers);
    return object;
}

/* A text of one of `letters` for each of nc contacts. */
static bool read_letters(const imp_json *at, size_t nc, const char *letters, const char **text) {
    if (!imp_json_text(at, text)) return false;
    if (strlen(*text) == nc && strspn(*text, letters) == nc) return true;
    return imp_json_expected(at, "%zu of the letters %s", nc, letters);
}

static imp_status read_step(const imp_json *at, int nc, double *impulse, imp_path *path) {
    static const char *const keys[] = {"round", "share", "impulse", "phase", "motion", NULL};
    const imp_json round = imp_json_member(at, "round"), share = imp_json_member(at, "share"),
                   vector = imp_json_member(at, "impulse"), phase = imp_json_member(at, "phase"),
                   motion = imp_json_member(at, "motion");
    const char *phases, *motions;
    int number;
    double part;
    const bool good = imp_json_object(at, keys) && imp_json_whole(&round, 1, INT_MAX, &number) &&
                      imp_json_number_in(&share, 0, 1, &part) &&
                      imp_json_vector(&vector, 3 * (size_t)nc, impulse) &&
                      read_letters(&phase, (size_t)nc, "CXO", &phases) &&
                      read_letters(&motion, (size_t)nc, "sri-", &motions);
    return good ? imp_path_add(path, nc, number, part, impulse, phases, motions) : IMP_BAD_ARGUMENT;
}

static imp_status read_steps(const imp_json *steps, int nc, imp_path *path) {
    size_t count;
    if (!imp_json_array(steps, &count)) return IMP_BAD_ARGUMENT;
    double *impulse = malloc(3 * (size_t)nc * sizeof *impulse);
    imp_status status = impulse ? IMP_OK : IMP_NO_MEMORY;
    for (size_t k = 0; k < count && status == IMP_OK; k++) {
        const imp_json step = imp_json_item(steps, k);
        status = read_step(&step, nc, impulse, path);
    }
    free(impulse);
    return status;
}

imp_status imp_path_read(const imp_json *at, int nc, imp_path *path) {
    static const char *const keys[] = {"steps", "multipliers", NULL};
    const imp_json steps = imp_json_member(at, "steps"),
                   multipliers = imp_json_member(at, "multipliers");
    size_t count = 0;
    if (!imp_json_object(at, keys)) return IMP_BAD_ARGUMENT;
    if (steps.value) {
        const imp_status status = read_steps(&steps, nc, path);
        if (status != IMP_OK) return status;
    }
    if (!multipliers.value) return IMP_OK;
    if (!imp_json_array(&multipliers, &count)) return IMP_BAD_ARGUMENT;
    if (count == 0) return IMP_OK;
    double *multiplier = imp_path_multipliers(path, (int)count, nc);
    if (!multiplier) return IMP_NO_MEMORY;
    return imp_json_matrix(&multipliers, count, (size_t)nc, multiplier) ? IMP_OK : IMP_BAD_ARGUMENT;
}
