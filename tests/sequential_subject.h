/* sequential_subject.h - sequential impulses in either order: what their tests ask of them. */
#ifndef SEQUENTIAL_SUBJECT_H
#define SEQUENTIAL_SUBJECT_H

#include "blocks/sequential.h"
#include "generators/gen_situation.h"
#include "impact.h"
#include "tap.h"

enum { ROWS = SITUATION_MOST };

static inline imp_settings with_order(imp_sequential_order order) {
    imp_settings settings;
    imp_sequential_settings own; /* written as what it is, not through the union */
    imp_model_presets(&imp_model_sequential, &settings);
    memcpy(&own, &settings, sizeof own);
    own.order = order;
    memcpy(&settings, &own, sizeof own);
    return settings;
}

/* p <- the answer; the path too, where one is given (cleared by the caller). */
static inline imp_status solve(const situation *s, imp_sequential_order order, double *p,
                               imp_path *path) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    const imp_settings settings = with_order(order);
    memset(p, 0, ROWS * sizeof *p);
    return imp_solve_certified(&imp_model_sequential, &problem, &settings, p, path, NULL, NULL);
}

static inline double worst(const situation *s, imp_sequential_order order, const double *p,
                           const imp_path *path) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    const imp_settings settings = with_order(order);
    imp_certificate c;
    if (imp_certify(&problem, imp_model_sequential.law, &settings, p, path, &c) != IMP_OK)
        return NAN;
    return c.unjudged ? NAN : c.worst;
}

#endif
