/* certify.c - anybody's answer against a law; where its path does not decide, against the library's
 * own answers. */
#include "contact/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* two answers this near are the same choice, as in imp_model.bound */
static const double holds = 1e-9;

/* *room <- the settings, NULL: presets, with a tolerance a ten thousandth as large, or the least
 * that the model takes. False: it has none. */
static bool sharpen(const imp_model *model, const void *settings, imp_settings *room) {
    static const double share = 1e-4;
    imp_model_presets(model, room);
    if (settings) memcpy(room, settings, model->settings_size);
    for (const imp_key *key = model->keys; key && key->name; key++) {
        if (key->choices || strcmp(key->name, "tolerance") != 0) continue;
        double tolerance;
        memcpy(&tolerance, room->bytes + key->offset, sizeof tolerance);
        return imp_model_set(model, room, "tolerance", fmax(key->low, share * tolerance));
    }
    return false;
}

typedef struct holding {
    const imp_problem *problem;
    const double *p;
    double *own;                   /* (3nc) an answer of the library's */
    const imp_certificate *result; /* what is noted so far */
    imp_certificate nearest; /* beside the nearest answer of the library's; worst: of it alone */
} holding;

/* Notes the distance of p from the model's answer, if it is the nearest yet. *solved: the model's
 * status. */
static imp_status hold_against(holding *h, const imp_model *model, const void *settings,
                               imp_status *solved) {
    imp_certificate tried = *h->result, proof;
    tried.worst = 0; /* of the distance alone */
    memset(h->own, 0, 3 * (size_t)h->problem->nc * sizeof *h->own);
    *solved = imp_solve_certified(model, h->problem, settings, h->own, NULL, &proof, NULL);
    if (*solved != IMP_OK) return *solved == IMP_NO_MEMORY ? IMP_NO_MEMORY : IMP_OK;
    imp_status status = imp_certificate_note_distance(&tried, h->problem, h->p, h->own);
    if (status != IMP_OK) return status;
    imp_certificate_note(&tried, "from-model", proof.worst, proof.contact);
    if (model->law->may_gain)
        status = imp_certificate_note_energy(&tried, h->problem, h->p, h->own);
    if (tried.worst < h->nearest.worst || !(h->nearest.worst < INFINITY)) h->nearest = tried;
    return status;
}

/* The same, and where that is not near of a sharper answer: it is off by a multiple of its
 * tolerance, and p may be right to more digits. */
static imp_status hold_against_both(holding *h, const imp_model *model, const void *settings,
                                    imp_status *solved) {
    imp_settings sharp;
    imp_status unused;
    const imp_status status = hold_against(h, model, settings, solved);
    if (status != IMP_OK || *solved == IMP_BAD_ARGUMENT || h->nearest.worst <= holds ||
        !sharpen(model, settings, &sharp))
        return status;
    return hold_against(h, model, &sharp, &unused);
}

/* Notes the distance of p from the nearest answer of the models that promise this law, but no less
 * than what that answer leaves along its own path, and of a law that may gain the energy gained
 * beyond that answer's. Nothing where there is none. */
static imp_status compare(const imp_problem *problem, const imp_law *law, const void *settings,
                          const double *p, imp_certificate *result) {
    holding h = {.problem = problem,
                 .p = p,
                 .own = malloc(3 * (size_t)problem->nc * sizeof *p),
                 .result = result,
                 .nearest = {.worst = INFINITY}};
    imp_status status = h.own ? IMP_OK : IMP_NO_MEMORY, solved;
    for (const imp_model *const *model = imp_models; status == IMP_OK && *model; model++) {
        if ((*model)->law != law) continue;
        status = hold_against_both(&h, *model, settings, &solved);
        /* the settings are those of one model of the law, and another may have more */
        if (status == IMP_OK && solved == IMP_BAD_ARGUMENT)
            status = hold_against_both(&h, *model, NULL, &solved);
    }
    free(h.own);
    if (status != IMP_OK || h.nearest.count == 0) return status;
    if (result->unjudged == imp_chose && !(h.nearest.worst <= holds)) return IMP_OK;
    h.nearest.worst = fmax(h.nearest.worst, result->worst);
    if (h.nearest.worst == result->worst) h.nearest.contact = result->contact;
    if (h.nearest.unjudged == imp_no_path || h.nearest.unjudged == imp_chose)
        h.nearest.unjudged = NULL;
    *result = h.nearest;
    return IMP_OK;
}

/* Of a law that runs a process of its own, which is as exact as the model's tolerance: an answer
 * that is near is held against a sharper one. */
static imp_status hold_sharply(const imp_problem *problem, const imp_law *law, const void *settings,
                               const double *p, const imp_path *path, imp_certificate *result) {
    static const double near = 1e-5;
    imp_settings sharp;
    imp_status status = IMP_OK;
    if (!law->certify || result->unjudged || result->worst <= holds || result->worst > near)
        return IMP_OK;
    for (const imp_model *const *model = imp_models; status == IMP_OK && *model; model++) {
        imp_certificate tried;
        if ((*model)->law != law || !sharpen(*model, settings, &sharp)) continue;
        status = imp_certify_along(problem, law, &sharp, p, path, &tried);
        if (status == IMP_OK && !tried.unjudged && tried.worst < result->worst) *result = tried;
    }
    return status;
}

imp_status imp_certify(const imp_problem *problem, const imp_law *law, const void *settings,
                       const double *p, const imp_path *path, imp_certificate *result) {
    imp_certificate found;
    if (!result) return IMP_BAD_ARGUMENT;
    imp_status status = imp_certify_along(problem, law, settings, p, path, &found);
    if (status == IMP_OK && (found.unjudged == imp_no_path || found.unjudged == imp_chose))
        status = compare(problem, law, settings, p, &found);
    else if (status == IMP_OK)
        status = hold_sharply(problem, law, settings, p, path, &found);
    if (status == IMP_OK) *result = found;
    return status;
}
