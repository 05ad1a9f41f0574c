/* model.c - the checked way into any model. */
#include "contact/model_internal.h"

#include "base/finite.h"
#include "linear/factored.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

bool imp_model_set(const imp_model *model, void *settings, const char *name, double value) {
    for (const imp_key *key = model->keys; key && key->name; key++)
        if (!key->choices && strcmp(key->name, name) == 0) {
            memcpy((unsigned char *)settings + key->offset, &value, sizeof value);
            return true;
        }
    return false;
}

bool imp_key_takes(const imp_key *key, double value) {
    const double step = strcmp(key->unit, IMP_PAIRS) == 0   ? 2
                        : strcmp(key->unit, IMP_COUNT) == 0 ? 1
                                                            : 0;
    return value >= key->low && value <= key->high && (step == 0 || fmod(value, step) == 0);
}

bool imp_model_settings_valid(const imp_model *model, const void *settings) {
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
            if (!imp_key_takes(key, value)) return false;
        }
    }
    return true;
}

/* No velocity, and no impulse in the plane (n, t) that would cause one, out of that plane. */
static bool is_planar(const imp_problem *problem) {
    for (int i = 0; i < problem->nc; i++) {
        if (problem->q[3 * (size_t)i + 2] != 0) return false;
        for (int j = 0; j < problem->nc; j++) {
            double B[9];
            problem->W->kind->block(problem->W, i, j, B);
            if (B[6] != 0 || B[7] != 0) return false;
        }
    }
    return true;
}

imp_status imp_model_takes(const imp_model *model, const imp_problem *problem) {
    if (problem->nc > 1 && !(model->takes & IMP_TAKES_MANY)) return IMP_UNSUPPORTED;
    for (int i = 0; i < problem->nc; i++) {
        if (problem->e && problem->e[i] != 0 && !(model->takes & IMP_TAKES_RESTITUTION))
            return IMP_UNSUPPORTED;
        if (problem->mu[i] != 0 && (model->takes & IMP_ONLY_FRICTIONLESS)) return IMP_UNSUPPORTED;
    }
    if ((model->takes & IMP_ONLY_PLANAR) && !is_planar(problem)) return IMP_UNSUPPORTED;
    if (!imp_law_reads(model->law, problem)) return IMP_UNSUPPORTED;
    if (!(model->takes & IMP_TAKES_MANY) &&
        imp_operator_singular(problem->W, model->takes & IMP_ONLY_PLANAR ? 2 : 3))
        return IMP_UNSUPPORTED;
    if (!problem->W->as_given || (model->takes & IMP_TAKES_ASYMMETRIC)) return IMP_OK;
    /* a recorded W may well be one that mechanics would give */
    imp_operator demanding = *problem->W;
    imp_problem held = *problem;
    demanding.as_given = 0;
    held.W = &demanding;
    const imp_status status = imp_problem_check(&held, NULL);
    return status == IMP_NOT_SYMMETRIC || status == IMP_NOT_POSITIVE ? IMP_UNSUPPORTED : status;
}

double imp_model_bound(const imp_model *model, const void *settings) {
    imp_settings presets;
    return model->bound ? model->bound(imp_model_chosen(model, settings, &presets)) : 1e-9;
}

imp_status imp_model_answer(const imp_model *model, const imp_problem *problem,
                            const void *settings, double *p, void *work, imp_info *info,
                            bool *found) {
    const imp_status status = model->solve(problem, settings, p, work, info);
    *found = status >= 0 && imp_all_finite(p, 3 * (size_t)problem->nc);
    if (status < 0 || *found) return status;
    memset(p, 0, 3 * (size_t)problem->nc * sizeof *p);
    return status == IMP_OK ? IMP_OVERFLOW : status;
}

/* That with a workspace of its own, recording the path. */
static imp_status run(const imp_model *model, const imp_problem *problem, const void *settings,
                      double *p, imp_path *path, imp_info *info, bool *found) {
    const size_t size = model->workspace ? model->workspace(problem, settings) : 0;
    void *work = size ? malloc(size) : NULL;
    if (size && !work) return IMP_NO_MEMORY;
    info->path = path;
    const imp_status status = imp_model_answer(model, problem, settings, p, work, info, found);
    info->path = NULL;
    free(work);
    return status;
}

/* Where rounding is directed, what is beyond double is the largest double and no infinity. */
static bool fits(double x) {
    return fabs(x) < DBL_MAX;
}

/* Holds what run() left in p against the law; `ok` only within the model's bound. A path that is
 * the law's throughout is an answer although no search took one of its steps for one. */
static imp_status judge(const imp_model *model, const imp_problem *problem, const void *settings,
                        imp_status status, const double *p, const imp_path *path,
                        imp_certificate *certificate) {
    const imp_status judged =
        imp_certify_along(problem, model->law, settings, p, path, certificate);
    if (judged == IMP_NO_MEMORY) return IMP_NO_MEMORY;
    const bool nothing =
        certificate->unjudged == imp_no_path && imp_all_zero(p, 3 * (size_t)problem->nc);
    /* no path to nothing; the choice is the model's own */
    if (nothing || certificate->unjudged == imp_chose) certificate->unjudged = NULL;
    const bool doubts = status == IMP_NO_SOLUTION && path->steps > 0;
    if (status != IMP_OK && !doubts) return status;
    if (judged != IMP_OK || !fits(certificate->energy) || !fits(certificate->worst))
        return doubts ? status : IMP_OVERFLOW;
    if (!certificate->unjudged && certificate->worst <= imp_model_bound(model, settings))
        return IMP_OK;
    return doubts ? status : IMP_NOT_CERTIFIED;
}

enum { FEW = 8 }; /* contacts whose impulses go on the stack */

imp_status imp_solve_until(const volatile int *cancel, const imp_model *model,
                           const imp_problem *problem, const void *settings, double *p,
                           imp_path *path, imp_certificate *certificate, imp_info *info) {
    if (!model || !p) return IMP_BAD_ARGUMENT;
    imp_settings presets;
    imp_info ignored;
    imp_path own = {0};
    imp_certificate unread;
    bool found = false;
    if (!certificate) certificate = &unread;
    if (!info) info = &ignored;
    if (!path) path = &own;
    imp_path_clear(path);
    *certificate = (imp_certificate){0};
    imp_status status = imp_model_takes(model, problem);
    if (status != IMP_OK) return status;
    if (settings && !imp_model_settings_valid(model, settings)) return IMP_BAD_ARGUMENT;
    settings = imp_model_chosen(model, settings, &presets);
    *info = (imp_info){.cancel = cancel};
    const size_t bytes = 3 * (size_t)problem->nc * sizeof *p;
    /* p, for an error after it was written */
    double few[3 * FEW], *before = problem->nc > FEW ? malloc(bytes) : few;
    if (!before) return IMP_NO_MEMORY;
    memcpy(before, p, bytes);
    status = run(model, problem, settings, p, path, info, &found);
    info->cancel = NULL;
    /* who has ended the solve waits for no certificate of what is no answer */
    if (found && (status == IMP_OK || !cancel || !*cancel))
        status = judge(model, problem, settings, status, p, path, certificate);
    if (status < 0) memcpy(p, before, bytes);
    if (before != few) free(before);
    imp_path_clear(&own);
    return status;
}

imp_status imp_solve_certified(const imp_model *model, const imp_problem *problem,
                               const void *settings, double *p, imp_path *path,
                               imp_certificate *certificate, imp_info *info) {
    if (!model || !p) return IMP_BAD_ARGUMENT;
    imp_path_clear(path);
    if (certificate) *certificate = (imp_certificate){0};
    const imp_status status = imp_problem_check(problem, NULL);
    return status == IMP_OK
               ? imp_solve_until(NULL, model, problem, settings, p, path, certificate, info)
               : status;
}

imp_status imp_solve(const imp_model *model, const imp_problem *problem, const void *settings,
                     double *p, imp_info *info) {
    return imp_solve_certified(model, problem, settings, p, NULL, NULL, info);
}
