/* families.h - families of problems that any model is put to: problem k of a family, restricted to
 * what the model takes. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "generators/gen_impacts.h"
#include "generators/gen_situation.h"

typedef situation family_maker(const imp_model *model, uint64_t k);

static inline situation family_row(const imp_model *model, const gen_problem *g) {
    situation s = situation_of(g->W, g->q, g->mu, g->e);
    situation_restrict(&s, model);
    return s;
}

/* All classes of one contact, those made to be hard among them. */
static inline gen_problem family_class(uint64_t k) {
    return gen_make((gen_class)(k % GEN_CLASSES), k / GEN_CLASSES);
}

static inline situation family_hard(const imp_model *model, uint64_t k) {
    const gen_problem g = family_class(k);
    return family_row(model, &g);
}

static inline situation family_impacts(const imp_model *model, uint64_t k) {
    const gen_problem g =
        gen_impact((gen_impact_class)(k % GEN_IMPACT_CLASSES), k / GEN_IMPACT_CLASSES);
    return family_row(model, &g);
}

/* Without friction, approach or slip, one by one and together. */
static inline situation family_edges(const imp_model *model, uint64_t k) {
    gen_problem g = family_class(k);
    if (k % 3 == 0) g.mu = 0;
    if (k % 5 == 0) g.q[0] = 0;
    if (k % 7 == 0) g.q[1] = g.q[2] = 0;
    return family_row(model, &g);
}

/* Both ends of the range that is promised. */
static inline situation family_scales(const imp_model *model, uint64_t k) {
    static const double unit[] = {1e-150, 1e-75, 1, 1e75, 1e150};
    gen_problem g = family_class(k);
    for (int i = 0; i < 6; i++)
        g.W[i] *= unit[k % 5];
    for (int i = 0; i < 3; i++)
        g.q[i] *= unit[k / 5 % 5];
    return family_row(model, &g);
}

typedef struct family {
    const char *name;
    family_maker *make;
    bool several; /* of several contacts */
} family;

static const family families[] = {
    {"one contact", situation_one, false}, {"hard problems", family_hard, false},
    {"impacts", family_impacts, false},    {"edges", family_edges, false},
    {"scales", family_scales, false},      {"several contacts", situation_many, true},
};

enum { FAMILIES = sizeof families / sizeof *families };

static inline bool family_takes(const family *f, const imp_model *model) {
    return !f->several || (model->takes & IMP_TAKES_MANY);
}

#endif
