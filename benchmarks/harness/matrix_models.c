/* matrix_models.c - the models of the matrix: those of the library, and laws that are one of their
 * settings. */
#include "benchmarks/harness/matrix.h"

#include "blocks/sequential.h"
#include "lib/impact.h"

#include <stdlib.h>
#include <string.h>

/* A setting that makes another law of a model. */
static const struct {
    const char *model, *key;
    double value; /* of a word its index */
} laws[] = {
    {"moreau", "tangential", 1},         /* Fremond 1995 */
    {"sequential", "order", IMP_LISTED}, /* Guendelman, Bridson, Fedkiw 2003 */
};

enum { LAWS = sizeof laws / sizeof *laws, KEYS = 16, MODELS = 64 };

/* x <- the model with that key's preset another, called "MODEL KEY=VALUE". */
static void preset(imp_model *x, imp_key keys[KEYS], char name[MATRIX_NAME], int law) {
    *x = *imp_model_find(laws[law].model);
    for (int k = 0; k < KEYS - 1 && x->keys[k].name; k++) {
        keys[k] = x->keys[k];
        if (strcmp(keys[k].name, laws[law].key) != 0) continue;
        keys[k].preset = laws[law].value;
        if (keys[k].choices)
            snprintf(name, MATRIX_NAME, "%s %s=%s", x->name, keys[k].name,
                     keys[k].choices[(int)laws[law].value]);
        else
            snprintf(name, MATRIX_NAME, "%s %s=%g", x->name, keys[k].name, laws[law].value);
    }
    x->keys = keys;
    x->name = name;
}

const imp_model *const *matrix_models(void) {
    static const imp_model *all[MODELS];
    static imp_model made[LAWS];
    static imp_key keys[LAWS][KEYS];
    static char name[LAWS][MATRIX_NAME];
    int count = 0;
    if (all[0]) return all;
    for (; imp_models[count] && count < MODELS - LAWS - 1; count++)
        all[count] = imp_models[count];
    for (int k = 0; k < LAWS; k++) {
        preset(&made[k], keys[k], name[k], k);
        all[count++] = &made[k];
    }
    return all;
}

const imp_model *matrix_model_find(const char *name) {
    for (const imp_model *const *m = matrix_models(); *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}
