/* dump.c - a contact problem as JSON. */
#include "io/dump.h"
#include "io/json_path.h"
#include "io/settings.h"
#include "io/stream.h"

#include <string.h>

enum { DENSE_CONTACTS = 8 };

static json_t *dense_json(const imp_operator *W) {
    json_t *rows = json_array();
    for (int i = 0; i < 3 * W->nc; i++) {
        double row[3 * DENSE_CONTACTS], block[9];
        for (int j = 0; j < W->nc; j++) {
            W->kind->block(W, i / 3, j, block);
            memcpy(row + 3 * j, block + 3 * (i % 3), 3 * sizeof *row);
        }
        json_array_append_new(rows, imp_json_of_vector(row, 3 * (size_t)W->nc));
    }
    return rows;
}

static bool is_mirror(const double a[9], const double b[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (a[3 * r + c] != b[3 * c + r]) return false;
    return true;
}

/* Every block on or above the diagonal that is not zero, and those below that are not the mirror to the last bit. */
static json_t *blocks_json(const imp_operator *W) {
    static const double zero[9] = {0};
    json_t *blocks = json_array();
    for (int i = 0; i < W->nc; i++)
        for (int j = 0; j < W->nc; j++) {
            double block[9], mirror[9];
            W->kind->block(W, i, j, block);
            W->kind->block(W, j, i, mirror);
            const bool both_zero = is_mirror(block, zero) && is_mirror(mirror, zero);
            if (i != j && (both_zero || (i > j && is_mirror(block, mirror)))) continue;
            json_t *item = json_array();
            json_array_append_new(item, json_integer(i));
            json_array_append_new(item, json_integer(j));
            json_array_append_new(item, imp_json_of_vector(block, 9));
            json_array_append_new(blocks, item);
        }
    return blocks;
}

static json_t *problem_json(const char *id, const imp_problem *problem, const imp_model *model, const void *settings) {
    const imp_operator *W = problem->W;
    const size_t n = (size_t)problem->nc;
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string("problem"));
    if (id) json_object_set_new(object, "id", json_string(id));
    json_object_set_new(object, "n", json_integer(problem->nc));
    if (problem->nc <= DENSE_CONTACTS)
        json_object_set_new(object, "W", dense_json(W));
    else
        json_object_set_new(object, "blocks", blocks_json(W));
    json_object_set_new(object, "q", imp_json_of_vector(problem->q, 3 * n));
    json_object_set_new(object, "mu", imp_json_of_vector(problem->mu, n));
    if (problem->e) json_object_set_new(object, "e", imp_json_of_vector(problem->e, n));
    json_t *own = model && settings ? imp_json_of_settings(model, settings) : NULL;
    if (json_object_size(own) > 0)
        json_object_set_new(object, "settings", own);
    else
        json_decref(own);
    return object;
}

imp_status imp_problem_dump(const char *path, const char *id, const imp_problem *problem, const imp_model *model,
                            const void *settings, imp_error *error) {
    if (!path || !problem || problem->nc < 1 || !problem->W || !problem->q || !problem->mu)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: no problem, expected one to write", path ? path : "dump");
    imp_output out;
    json_t *object = problem_json(id, problem, model, settings);
    imp_status status = object ? imp_output_open(&out, path, error) : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    if (status == IMP_OK) {
        json_dumpf(object, out.file, JSON_COMPACT | JSON_REAL_PRECISION(17));
        fputc('\n', out.file);
        status = imp_output_commit(&out, error);
    }
    json_decref(object);
    return status;
}
