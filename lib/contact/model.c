/* model.c - the checked way into any model. */
#include "contact/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const imp_model *imp_model_find(const char *name) {
    for (const imp_model *const *m = imp_models; name && *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}

void imp_model_presets(const imp_model *model, void *settings) {
    if (model->settings_size > 0) memset(settings, 0, model->settings_size);
    for (const imp_key *key = model->keys; key && key->name; key++) {
        unsigned char *at = (unsigned char *)settings + key->offset;
        const int choice = (int)key->preset;
        if (key->choices)
            memcpy(at, &choice, sizeof choice);
        else
            memcpy(at, &key->preset, sizeof key->preset);
    }
}

/* Every number in its range (no NaN), every choice one of its list. */
static bool settings_valid(const imp_model *model, const void *settings) {
    for (const imp_key *key = model->keys; key && key->name; key++) {
        const unsigned char *at = (const unsigned char *)settings + key->offset;
        double value;
        int choice, choices = 0;
        if (key->choices) {
            memcpy(&choice, at, sizeof choice);
            while (key->choices[choices])
                choices++;
            if (choice < 0 || choice >= choices) return false;
        } else {
            memcpy(&value, at, sizeof value);
            if (!(value >= key->low && value <= key->high)) return false;
        }
    }
    return true;
}

/* No velocity, and no impulse in the plane that would cause one, out of the plane (n, t). */
static bool is_planar(const imp_problem *problem) {
    for (int i = 0; i < problem->nc; i++) {
        if (problem->q[3 * (size_t)i + 2] != 0) return false;
        for (int j = 0; j < problem->nc; j++) {
            double B[9];
            problem->W->kind->block(problem->W, i, j, B);
            if (B[2] != 0 || B[5] != 0 || B[6] != 0 || B[7] != 0) return false;
        }
    }
    return true;
}

imp_status imp_model_takes(const imp_model *model, const imp_problem *problem) {
    if (problem->nc > 1 && !(model->takes & IMP_TAKES_MANY)) return IMP_UNSUPPORTED;
    for (int i = 0; i < problem->nc; i++) {
        if (problem->e && problem->e[i] != 0 && !(model->takes & IMP_TAKES_RESTITUTION)) return IMP_UNSUPPORTED;
        if (problem->mu[i] != 0 && (model->takes & IMP_ONLY_FRICTIONLESS)) return IMP_UNSUPPORTED;
    }
    if ((model->takes & IMP_ONLY_PLANAR) && !is_planar(problem)) return IMP_UNSUPPORTED;
    if (!problem->W->as_given || (model->takes & IMP_TAKES_ASYMMETRIC)) return IMP_OK;
    imp_operator demanding = *problem->W; /* a recorded W may well be one that mechanics would give */
    imp_problem held = *problem;
    demanding.as_given = 0;
    held.W = &demanding;
    const imp_status status = imp_problem_check(&held, NULL);
    return status == IMP_NOT_SYMMETRIC || status == IMP_NOT_POSITIVE ? IMP_UNSUPPORTED : status;
}

imp_status imp_solve(const imp_model *model, const imp_problem *problem, const void *settings, double *p,
                     imp_info *info) {
    if (!model || !p) return IMP_BAD_ARGUMENT;
    imp_settings presets;
    imp_info ignored;
    imp_status status = imp_problem_check(problem, NULL);
    if (status == IMP_OK) status = imp_model_takes(model, problem);
    if (status != IMP_OK) return status;
    if (!settings) {
        imp_model_presets(model, &presets);
        settings = &presets;
    }
    if (!settings_valid(model, settings)) return IMP_BAD_ARGUMENT;
    if (!info) info = &ignored;
    *info = (imp_info){0};
    const size_t size = model->workspace ? model->workspace(problem, settings) : 0;
    void *work = size ? malloc(size) : NULL;
    if (size && !work) return IMP_NO_MEMORY;
    status = model->solve(problem, settings, p, work, info);
    free(work);
    for (size_t k = 0; status == IMP_OK && k < 3 * (size_t)problem->nc; k++)
        if (!isfinite(p[k])) return IMP_OVERFLOW;
    return status;
}
