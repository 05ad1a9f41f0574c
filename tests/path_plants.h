/* path_plants.h - answers of restitution in phases whose path was tampered with, p adjusted so that
 * steps add up. */
#ifndef PATH_PLANTS_H
#define PATH_PLANTS_H

#include "generators/gen.h"
#include "impact.h"
#include "replay.h"
#include "tap.h"

#include <string.h>

enum { PLANT_ROWS = 3 * GEN_MOST_CONTACTS };

/* A random problem of 1 to 6 contacts with every kind of restitution: one for all, one each, 0 and
 * 1 mixed; every third of several contacts has its last contact twice. */
typedef struct plant_case {
    gen_many g;
    double e[GEN_MOST_CONTACTS];
    imp_operator W;
    imp_problem problem;
} plant_case;

static inline void plant_case_make(plant_case *c, const imp_model *model, uint64_t k) {
    gen_stream s = gen_seed(4242, k);
    c->g = gen_bodies(k, 1 + (int)(k % 6));
    gen_many *g = &c->g;
    const int n = 3 * g->nc, last = n - 3;
    if (g->nc > 2 && k % 3 == 0) {
        for (int r = 0; r < n; r++)
            for (int i = 0; i < 3; i++)
                g->W[r * n + last + i] = g->W[r * n + i];
        for (int r = 0; r < n; r++)
            for (int i = 0; i < 3; i++)
                g->W[(last + i) * n + r] = g->W[i * n + r];
        memcpy(g->q + last, g->q, 3 * sizeof *g->q);
        g->mu[g->nc - 1] = g->mu[0];
    }
    const double one = gen_uniform(&s, 0, 1);
    for (int i = 0; i < g->nc; i++) {
        const double own = gen_uniform(&s, 0, 1);
        c->e[i] = k % 4 == 0 ? one : k % 4 == 1 ? own : k % 4 == 2 ? (own < 0.5 ? 0 : 1) : 1;
        if (model->takes & IMP_ONLY_FRICTIONLESS) g->mu[i] = 0;
    }
    c->W = imp_operator_dense(g->nc, g->W);
    c->problem = (imp_problem){.nc = g->nc, .W = &c->W, .q = g->q, .mu = g->mu, .e = c->e};
}

/* What two impulses differ by in the mass norm, over what one of them and the free velocities come
 * to. */
static inline double plant_difference(const plant_case *c, const double *p, const double *r) {
    const int n = 3 * c->g.nc;
    double apart = 0, whole = 0;
    for (int i = 0; i < n; i++) {
        whole += c->g.q[i] * c->g.q[i] / c->g.W[(i - i % 3) * (n + 1)];
        for (int j = 0; j < n; j++) {
            apart += (p[i] - r[i]) * c->g.W[i * n + j] * (p[j] - r[j]);
            whole += p[i] * c->g.W[i * n + j] * p[j];
        }
    }
    return whole > 0 ? sqrt(fmax(0, apart) / whole) : 0;
}

typedef enum plant_kind {
    PLANT_ALL_LARGER,     /* every step a hundredth more */
    PLANT_FIRST_LARGER,   /* the compression a hundredth more, the expansion with it */
    PLANT_SWAPPED,        /* first and third step exchanged */
    PLANT_MORE_EXPANSION, /* the expansion a tenth more */
    PLANT_LESS_EXPANSION, /* the expansion a tenth less */
    PLANT_LESS_OF_BOTH,   /* expansion and third step a tenth less */
    PLANT_PLASTIC,        /* the compression alone */
    PLANT_ACROSS_FIRST,   /* 1 % of mu p_n across, in the compression */
    PLANT_ACROSS_SECOND,  /* in the expansion */
    PLANT_ACROSS_THIRD,   /* in the third step */
    PLANT_NOT_SUM,        /* steps that leave a hundredth of p out */
    PLANT_FOURTH_STEP,    /* a hundredth of p as a step more */
    PLANT_OTHER_PHASE,    /* the expansion called a compression */
    PLANT_REVERSED_THIRD, /* the third step pulls */
    PLANT_KINDS
} plant_kind;

static const char *const plant_names[] = {
    "all-steps-larger",   "a-larger-compression", "steps-swapped",     "more-expansion",
    "less-expansion",     "less-of-both",         "compression-alone", "across-at-first",
    "across-in-second",   "across-at-last",       "steps-do-not-add",  "a-fourth-step",
    "another-phase-name", "a-pull-at-last"};

static inline void plant_across(const plant_case *c, const double *p, double *step) {
    for (int i = 0; i < c->g.nc; i++) {
        const double *own = p + 3 * i, friction = hypot(own[1], own[2]);
        const double little = 0.01 * fmax(c->g.mu[i], 0.1) * own[0];
        step[3 * i + 1] += friction > 0 ? -little * own[2] / friction : little;
        step[3 * i + 2] += friction > 0 ? little * own[1] / friction : 0;
    }
}

static inline void plant_scale(double *step, int n, double by) {
    for (int i = 0; i < n; i++)
        step[i] *= by;
}

/* wrong (3nc) and `tampered` (cleared by the caller) <- the plant of p and its three-step path. */
static inline void plant_make(const plant_case *c, plant_kind kind, const double *p,
                              const imp_path *path, double *wrong, imp_path *tampered) {
    const int nc = c->g.nc, n = 3 * nc;
    double step[4][PLANT_ROWS] = {{0}};
    char phase[4][GEN_MOST_CONTACTS], motion[GEN_MOST_CONTACTS];
    int steps = 3;
    memset(motion, '-', sizeof motion);
    for (int k = 0; k < 4; k++)
        memset(phase[k], k == 1 && kind != PLANT_OTHER_PHASE ? 'X' : 'C', sizeof phase[k]);
    for (int k = 0; k < 3; k++)
        memcpy(step[k], path->impulse + k * n, (size_t)n * sizeof(double));
    if (kind == PLANT_ALL_LARGER || kind == PLANT_FIRST_LARGER)
        for (int k = 0; k < (kind == PLANT_ALL_LARGER ? 3 : 2); k++)
            plant_scale(step[k], n, 1.01);
    if (kind == PLANT_SWAPPED)
        for (int i = 0; i < n; i++) {
            const double first = step[0][i];
            step[0][i] = step[2][i];
            step[2][i] = first;
        }
    if (kind == PLANT_MORE_EXPANSION) plant_scale(step[1], n, 1.1);
    if (kind == PLANT_LESS_EXPANSION || kind == PLANT_LESS_OF_BOTH) plant_scale(step[1], n, 0.9);
    if (kind == PLANT_LESS_OF_BOTH) plant_scale(step[2], n, 0.9);
    if (kind == PLANT_PLASTIC) steps = 1;
    if (kind >= PLANT_ACROSS_FIRST && kind <= PLANT_ACROSS_THIRD)
        plant_across(c, p, step[kind - PLANT_ACROSS_FIRST]);
    if (kind == PLANT_REVERSED_THIRD)
        for (int i = 0; i < n; i += 3)
            step[2][i] -= 0.01 * step[0][i];
    memset(wrong, 0, (size_t)n * sizeof *wrong);
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < n; i++)
            wrong[i] += step[k][i];
    if (kind == PLANT_NOT_SUM || kind == PLANT_FOURTH_STEP) {
        for (int i = 0; i < n; i++) {
            step[3][i] = 0.01 * wrong[i];
            wrong[i] *= 1.01;
        }
        if (kind == PLANT_FOURTH_STEP) steps = 4;
    }
    for (int k = 0; k < steps; k++)
        (void)imp_path_add(tampered, nc, 1, 1, step[k], phase[k], motion);
    double *multiplier =
        path->multipliers ? imp_path_multipliers(tampered, path->multipliers, nc) : NULL;
    if (multiplier)
        memcpy(multiplier, path->multiplier, (size_t)(path->multipliers * nc) * sizeof *multiplier);
}

/* Is p accepted along the path? */
static inline bool plant_accepted(const plant_case *c, const imp_model *model, const double *p,
                                  const imp_path *path) {
    imp_certificate found;
    return imp_certify(&c->problem, model->law, NULL, p, path, &found) == IMP_OK &&
           !found.unjudged && found.worst <= fmax(1e-6, imp_model_bound(model, NULL));
}

/* Is the plant a lie? Of a name always, of an exchange where the steps differ, else where the
 * answer does. */
static inline bool plant_lies(const plant_case *c, plant_kind kind, const double *p,
                              const imp_path *path, const double *wrong) {
    if (kind == PLANT_SWAPPED)
        return plant_difference(c, path->impulse, path->impulse + (size_t)6 * (size_t)c->g.nc) >
               1e-4;
    return kind == PLANT_OTHER_PHASE || plant_difference(c, p, wrong) > 1e-4;
}

/* Plants of one kind. */
typedef struct plant_tally {
    int tried, accepted;
} plant_tally;

/* The first `count` problems: the model's own answers by their path, and every plant. */
static inline void plant_test(const imp_model *model, uint64_t count) {
    plant_tally tally[PLANT_KINDS] = {{0, 0}};
    int solved = 0, refused = 0;
    for (uint64_t k = 0; k < count; k++) {
        plant_case c;
        imp_path path = {0};
        double p[PLANT_ROWS] = {0}, wrong[PLANT_ROWS] = {0};
        plant_case_make(&c, model, k);
        const bool ok_ =
            imp_solve_certified(model, &c.problem, NULL, p, &path, NULL, NULL) == IMP_OK;
        solved += ok_;
        if (ok_ && !plant_accepted(&c, model, p, &path))
            keep_for_replay(&c.problem, model, "refused", refused++);
        for (int kind = 0; ok_ && path.steps == 3 && kind < PLANT_KINDS; kind++) {
            imp_path tampered = {0};
            plant_make(&c, (plant_kind)kind, p, &path, wrong, &tampered);
            if (plant_lies(&c, (plant_kind)kind, p, &path, wrong)) {
                tally[kind].tried++;
                if (plant_accepted(&c, model, wrong, &tampered) && tally[kind].accepted++ == 0)
                    keep_for_replay(&c.problem, model, plant_names[kind], (int)k);
            }
            imp_path_clear(&tampered);
        }
        imp_path_clear(&path);
    }
    ok(solved >= (int)(count - count / 50) && refused == 0,
       "%s: %d of %d solved, all certified by their path", model->name, solved, (int)count);
    for (int kind = 0; kind < PLANT_KINDS; kind++) {
        const bool frictionless = model->takes & IMP_ONLY_FRICTIONLESS;
        if (frictionless && kind >= PLANT_ACROSS_FIRST && kind <= PLANT_ACROSS_THIRD &&
            !tally[kind].tried)
            continue;
        ok(tally[kind].tried > 0 && tally[kind].accepted == 0, "%s: %s: %d of %d rejected",
           model->name, plant_names[kind], tally[kind].tried - tally[kind].accepted,
           tally[kind].tried);
    }
}

#endif
