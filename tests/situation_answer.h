/* situation_answer.h - what a model answers to a situation, its velocities and energy recomputed,
 * and whether that is as its law and the definitions of cone and gap want it. */
#ifndef SITUATION_ANSWER_H
#define SITUATION_ANSWER_H

#include "generators/gen_situation.h"
#include "impact.h"
#include "tap.h"

enum { MOST = SITUATION_MOST };

/* What solving to rounding leaves of a residual for one contact, and solving to a tolerance for
 * several. */
static const double exact = 1e-9, iterated = 1e-6;

typedef struct answer {
    imp_status status;
    double p[MOST], u[MOST];
    /* 1/2 p'Wp + p'q, and the sum of |p_k q_k| that it is to be seen beside */
    double energy, stake;
} answer;

/* Solves and recomputes u and the energy from their definition. path may be NULL. */
static answer solve_along(const imp_model *model, const situation *s, const void *settings,
                          imp_path *path) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    const int n = 3 * s->nc;
    answer a = {0};
    a.status = imp_solve_certified(model, &problem, settings, a.p, path, NULL, NULL);
    for (int i = 0; i < n; i++) {
        a.u[i] = s->q[i];
        for (int j = 0; j < n; j++)
            a.u[i] += s->W[i * n + j] * a.p[j];
        a.energy += a.p[i] * (a.u[i] + s->q[i]) / 2;
        a.stake += fabs(a.p[i] * s->q[i]);
    }
    return a;
}

static answer solve_with(const imp_model *model, const situation *s, const void *settings) {
    return solve_along(model, s, settings, NULL);
}

static answer solve(const imp_model *model, const situation *s) {
    return solve_with(model, s, NULL);
}

/* The same with every speed among the settings at its lowest: what a model does differently below a
 * speed, to blunt stick or restitution, is off. */
static answer solve_sharp(const imp_model *model, const situation *s) {
    imp_settings settings;
    imp_model_presets(model, &settings);
    for (const imp_key *key = model->keys; key && key->name; key++)
        if (strcmp(key->unit, "m/s") == 0)
            memcpy(settings.bytes + key->offset, &key->low, sizeof key->low);
    return solve_with(model, s, &settings);
}

static bool lawful_along(const imp_model *model, const situation *s, const double *p,
                         const imp_path *path) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    imp_certificate c;
    if (imp_certify(&problem, model->law, NULL, p, path, &c) != IMP_OK) return false;
    /* a path may make another choice */
    return (path || !c.unjudged) && c.worst <= (s->nc > 1 ? iterated : exact);
}

static bool lawful(const imp_model *model, const situation *s, const double *p) {
    return lawful_along(model, s, p, NULL);
}

/* The cone and, where the model promises it, the gap, from their definition. */
static bool feasible(const imp_model *model, const situation *s, const answer *a) {
    const bool parts = model->law != &imp_law_single_phase && model->law != &imp_law_poisson;
    const double tolerance = s->nc > 1 ? iterated : exact;
    const int n = 3 * s->nc;
    double push = 0;
    for (int i = 0; i < n; i++)
        push = tap_worst(push, fabs(a->p[i]));
    for (int i = 0; i < s->nc; i++) {
        const double *p = a->p + (size_t)3 * i, limit = s->mu[i] * p[0];
        double size = fabs(s->q[3 * i]);
        for (int j = 0; j < n; j++)
            size += fabs(s->W[3 * i * n + j] * a->p[j]);
        if (!(p[0] >= -tolerance * push &&
              hypot(p[1], p[2]) <= limit + tolerance * push * fmax(1, s->mu[i]) &&
              (!parts || a->u[3 * i] >= -tolerance * size)))
            return false;
    }
    return true;
}

#endif
