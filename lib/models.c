/* models.c - the table of models, in the order in which they are shown. To add one: its file, its
 * test, a line here, a row in the README. */
#include "contact/model.h"

#include <string.h>

/* Each is the imp_model_<name> of its own file. */
#define MODELS(X)                                                                                  \
    X(maxdiss)                                                                                     \
    X(coulomb)                                                                                     \
    X(darboux_stronge)                                                                             \
    X(darboux_poisson)                                                                             \
    X(darboux_newton)                                                                              \
    X(planar_stronge)                                                                              \
    X(planar_poisson)                                                                              \
    X(planar_newton)                                                                               \
    X(plus)                                                                                        \
    X(single_phase)                                                                                \
    X(newton)                                                                                      \
    X(poisson)                                                                                     \
    X(moreau)                                                                                      \
    X(sequential)                                                                                  \
    X(lzb)                                                                                         \
    X(springs)                                                                                     \
    X(anitescu)                                                                                    \
    X(drumwright)                                                                                  \
    X(frictionless)                                                                                \
    X(gauss_seidel_maxdiss)                                                                        \
    X(gauss_seidel_coulomb)                                                                        \
    X(auto)

#define DECLARATION(name) extern const imp_model imp_model_##name;
#define ROW(name)         &imp_model_##name,

MODELS(DECLARATION)

const imp_model *const imp_models[] = {MODELS(ROW) NULL};

const imp_model *imp_model_find(const char *name) {
    for (const imp_model *const *m = imp_models; name && *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}
