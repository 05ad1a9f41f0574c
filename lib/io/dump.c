/* dump.c - a contact problem as JSON. */
#include "io/dump.h"
#include "base/finite.h"
#include "io/json_write.h"
#include "io/settings.h"
#include "io/stream.h"
#include "linear/gram.h"

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
        imp_json_push(&rows, imp_json_of_vector(row, 3 * (size_t)W->nc));
    }
    return rows;
}

/* Rows of G, W = G'G, of one contact. */
static json_t *product_json(const imp_operator *W) {
    const imp_gram_entries of = imp_gram_contact(imp_gram_of(W), 0);
    json_t *rows = json_array();
    for (size_t k = 0; k < (size_t)of.count; k++) {
        double row[3];
        for (size_t r = 0; r < 3; r++)
            row[r] = of.G[k * of.by_entry + r * of.by_direction];
        imp_json_push(&rows, imp_json_of_vector(row, 3));
    }
    return rows;
}

static bool is_mirror(const double a[9], const double b[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (a[3 * r + c] != b[3 * c + r]) return false;
    return true;
}

/* Every block on or above the diagonal that is not zero, and those below that are not the mirror to
 * the last bit. */
static json_t *blocks_json(const imp_operator *W) {
    json_t *blocks = json_array();
    for (int i = 0; i < W->nc; i++)
        for (int j = 0; j < W->nc; j++) {
            double block[9], mirror[9];
            W->kind->block(W, i, j, block);
            W->kind->block(W, j, i, mirror);
            const bool both_zero = imp_all_zero(block, 9) && imp_all_zero(mirror, 9);
            if (i != j && (both_zero || (i > j && is_mirror(block, mirror)))) continue;
            json_t *item = json_array();
            imp_json_push(&item, json_integer(i));
            imp_json_push(&item, json_integer(j));
            imp_json_push(&item, imp_json_of_vector(block, 9));
            imp_json_push(&blocks, item);
        }
    return blocks;
}

/* Adds the settings that differ from the presets, where some do. */
static void put_settings(json_t **object, const imp_model *model, const void *settings) {
    if (!model || !settings) return;
    json_t *own = imp_json_of_settings(model, settings);
    if (own && json_object_size(own) == 0)
        json_decref(own);
    else
        imp_json_put(object, "settings", own);
}

json_t *imp_problem_json(const char *id, const imp_problem *problem, const double *guess,
                         const imp_model *model, const void *settings) {
    const imp_operator *W = problem->W;
    const size_t n = (size_t)problem->nc;
    json_t *object = json_object();
    imp_json_put(&object, "kind", json_string("problem"));
    if (id) imp_json_put(&object, "id", imp_json_of_text(id));
    imp_json_put(&object, "n", json_integer(problem->nc));
    if (imp_operator_singular(W, 3)) /* which W itself tells within rounding only */
        imp_json_put(&object, "G", product_json(W));
    else if (problem->nc <= DENSE_CONTACTS)
        imp_json_put(&object, "W", dense_json(W));
    else
        imp_json_put(&object, "blocks", blocks_json(W));
    imp_json_put(&object, "q", imp_json_of_vector(problem->q, 3 * n));
    imp_json_put(&object, "mu", imp_json_of_vector(problem->mu, n));
    if (problem->e) imp_json_put(&object, "e", imp_json_of_vector(problem->e, n));
    if (problem->mu_v) imp_json_put(&object, "mu_v", imp_json_of_vector(problem->mu_v, n));
    if (problem->gap) imp_json_put(&object, "gap", imp_json_of_vector(problem->gap, n));
    if (guess) imp_json_put(&object, "guess", imp_json_of_vector(guess, 3 * n));
    put_settings(&object, model, settings);
    return object;
}

/* Writes the object, which is given up. */
static imp_status write(const char *path, json_t *object, imp_error *error) {
    imp_output out;
    if (!object) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    imp_status status = imp_output_open(&out, path, error);
    if (status == IMP_OK) {
        const bool written = imp_json_write(object, out.file);
        fputc('\n', out.file);
        if (written) {
            status = imp_output_commit(&out, error);
        } else {
            imp_output_abandon(&out);
            status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
        }
    }
    json_decref(object);
    return status;
}

/* IMP_NOT_SYMMETRIC or IMP_NOT_POSITIVE where the reader would refuse W, though it is used as given
 * here; one contact's singular W it takes for G'G. */
static imp_status check_operator(const imp_problem *problem) {
    imp_operator W = *problem->W;
    imp_problem plain = *problem;
    W.as_given = false;
    plain.W = &W;
    imp_status status = imp_problem_check(&plain, NULL);
    if (status == IMP_NOT_POSITIVE && problem->nc == 1) {
        double block[9];
        imp_factored *root;
        W.kind->block(&W, 0, 0, block);
        status = imp_factored_root(block, &root);
        imp_factored_free(root);
    }
    return status == IMP_NOT_SYMMETRIC || status == IMP_NOT_POSITIVE ? status : IMP_OK;
}

imp_status imp_problem_dump(const char *path, const char *id, const imp_problem *problem,
                            const imp_model *model, const void *settings, imp_error *error) {
    if (!path || !problem || problem->nc < 1 || !problem->W || !problem->q || !problem->mu)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: no problem, expected one to write",
                             path ? path : "dump");
    const imp_status status = check_operator(problem);
    if (status != IMP_OK)
        return imp_error_set(error, status,
                             "%s: W is not symmetric positive semidefinite, expected one that "
                             "JSON holds",
                             path);
    return write(path, imp_problem_json(id, problem, NULL, model, settings), error);
}

imp_status imp_problem_dump_source(const char *path, const json_t *source, const imp_model *model,
                                   const void *settings, imp_error *error) {
    json_t *object = json_deep_copy(source);
    (void)json_object_del(object, "settings");
    put_settings(&object, model, settings);
    return write(path, object, error);
}
