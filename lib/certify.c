/* certify.c - anybody's answer against a law; where its path does not decide, against the library's
 * own answers. */
#include "contact/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* two answers this near are the same choice, as in imp_model.bound */
static const double holds = 1e-9;

/* Notes the distance of p from the nearest answer of the models that promise this law, but no less
 * than what that answer leaves along its own path, and of a law that may gain the energy gained
 * beyond that answer's. Nothing where there is none. */
static imp_status compare(const imp_problem *problem, const imp_law *law, const void *settings,
                          const double *p, imp_certificate *result) {
    const size_t bytes = 3 * (size_t)problem->nc * sizeof *p;
    double *own = malloc(bytes);
    imp_status status = own ? IMP_OK : IMP_NO_MEMORY;
    imp_certificate nearest = {.worst = INFINITY};
    for (const imp_model *const *model = imp_models; status == IMP_OK && *model; model++) {
        if ((*model)->law != law) continue;
        imp_certificate tried = *result;
        tried.worst = 0; /* of the distance alone */
        memset(own, 0, bytes);
        imp_certificate proof;
        imp_status solved = imp_solve_certified(*model, problem, settings, own, NULL, &proof, NULL);
        /* the settings are those of one model of the law, and another may have more */
        if (solved == IMP_BAD_ARGUMENT)
            solved = imp_solve_certified(*model, problem, NULL, own, NULL, &proof, NULL);
        if (solved == IMP_NO_MEMORY) status = IMP_NO_MEMORY;
        if (solved == IMP_OK) status = imp_certificate_note_distance(&tried, problem, p, own);
        if (solved != IMP_OK || status != IMP_OK) continue;
        imp_certificate_note(&tried, "from-model", proof.worst, proof.contact);
        if (law->may_gain) status = imp_certificate_note_energy(&tried, problem, p, own);
        if (tried.worst < nearest.worst || !(nearest.worst < INFINITY)) nearest = tried;
    }
    free(own);
    if (status != IMP_OK || nearest.count == 0) return status;
    if (result->unjudged == imp_chose && !(nearest.worst <= holds)) return IMP_OK;
    nearest.worst = fmax(nearest.worst, result->worst);
    if (nearest.worst == result->worst) nearest.contact = result->contact;
    if (nearest.unjudged == imp_no_path || nearest.unjudged == imp_chose) nearest.unjudged = NULL;
    *result = nearest;
    return IMP_OK;
}

imp_status imp_certify(const imp_problem *problem, const imp_law *law, const void *settings,
                       const double *p, const imp_path *path, imp_certificate *result) {
    imp_certificate found;
    if (!result) return IMP_BAD_ARGUMENT;
    imp_status status = imp_certify_along(problem, law, settings, p, path, &found);
    if (status == IMP_OK && (found.unjudged == imp_no_path || found.unjudged == imp_chose))
        status = compare(problem, law, settings, p, &found);
    if (status == IMP_OK) *result = found;
    return status;
}
