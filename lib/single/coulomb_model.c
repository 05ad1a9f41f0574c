/* coulomb_model.c - Coulomb's law as an impact model: one of its solutions, by a rule the caller
 * chooses.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half: the law alone may leave several impulses
 * possible (section 4.1), so that a model which returns one must say by which rule. */
#include "single/batch.h"

#include <stddef.h>
#include <string.h>

static const char *const choices[] = {
    [IMP_MOST_DISSIPATIVE] = "most-dissipative",
    [IMP_MIDDLE] = "middle",
    [IMP_LEAST_DISSIPATIVE] = "least-dissipative",
    [IMP_ZERO_FIRST] = "zero-first",
    [IMP_SLIP_SLOWEST] = "slip-slowest",
    [IMP_SLIP_FASTEST] = "slip-fastest",
    NULL,
};

static const imp_key keys[] = {
    {"choice", "-", offsetof(imp_coulomb_settings, choice), IMP_MOST_DISSIPATIVE, 0, 0, choices,
     "which of several solutions; the most dissipative (the stick, if there is one) where the "
     "wanted kind is missing"},
    {0},
};

int imp_coulomb_choose(const imp_coulomb_set *set, imp_coulomb_choice choice) {
    const int last = set->count - 1;
    int first_slip = 0, last_slip = 0; /* kappa, and with it the speed, rises from row to row */
    for (int i = last; i >= 0; i--)
        if (set->solution[i].kind == IMP_SLIP) first_slip = i;
    for (int i = 0; i <= last; i++)
        if (set->solution[i].kind == IMP_SLIP) last_slip = i;
    const imp_coulomb_kind end = set->solution[last].kind;
    switch (choice) {
    case IMP_MIDDLE: return last / 2;
    case IMP_LEAST_DISSIPATIVE: return last;
    case IMP_ZERO_FIRST: return end == IMP_ZERO || end == IMP_SEGMENT ? last : 0;
    case IMP_SLIP_SLOWEST: return first_slip;
    case IMP_SLIP_FASTEST: return last_slip;
    default: return 0;
    }
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)work;
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    imp_coulomb_set set = {0};
    const imp_status status = imp_coulomb_enumerate(W, problem->q, problem->mu[0], &set);
    if (status < 0) return status;
    const imp_coulomb_settings *s = settings;
    const int chosen = set.count ? imp_coulomb_choose(&set, (imp_coulomb_choice)s->choice) : 0;
    /* zeros when not representable */
    memcpy(p, set.solution[chosen].p, sizeof set.solution[chosen].p);
    info->solutions = set.count;
    return status;
}

enum { AT_ONCE = 256, OTHERS = IMP_COULOMB_MOST - 1 };

/* Columns from `first` on. */
static imp_batch_columns part_of(const imp_batch_columns *c, size_t first) {
    imp_batch_columns part = {.mu = c->mu + first,
                              .e = c->e ? c->e + first : NULL,
                              .residual = c->residual + first,
                              .status = c->status + first};
    for (int k = 0; k < 6; k++)
        part.W[k] = c->W[k] + first;
    for (int k = 0; k < 3; k++) {
        part.q[k] = c->q[k] + first;
        part.p[k] = c->p[k] + first;
    }
    return part;
}

/* p and residual of problem i <- those of the chosen solution. */
static void choose(const imp_batch_columns *c, size_t i, imp_coulomb_choice choice) {
    const imp_coulomb_brief *brief = &c->all->brief[i];
    imp_coulomb_set set = {.count = brief->count};
    if (c->status[i] < 0 || set.count < 2) return;
    for (int s = 0; s < set.count; s++)
        set.solution[s].kind = (imp_coulomb_kind)brief->kind[s];
    const int other = imp_coulomb_choose(&set, choice) - 1;
    if (other < 0) return;
    c->residual[i] = c->all->residual[other][i];
    for (int k = 0; k < 3; k++)
        c->p[k][i] = c->all->p[other][k][i];
}

static imp_status batch(const imp_batch_columns *columns, size_t n, const void *settings) {
    const imp_coulomb_settings *s = settings;
    /* the first of them */
    if (s->choice == IMP_MOST_DISSIPATIVE) return imp_coulomb_batch(columns, n, NULL);
    /* asks for no problem, but for all columns */
    const imp_status status = imp_coulomb_batch(columns, 0, NULL);
    if (status != IMP_OK) return status;
    double p[OTHERS][3][AT_ONCE], residual[OTHERS][AT_ONCE];
    imp_coulomb_brief brief[AT_ONCE];
    imp_coulomb_columns all = {.brief = brief};
    for (int o = 0; o < OTHERS; o++) {
        all.residual[o] = residual[o];
        for (int k = 0; k < 3; k++)
            all.p[o][k] = p[o][k];
    }
    for (size_t first = 0; first < n; first += AT_ONCE) {
        const size_t count = n - first < AT_ONCE ? n - first : AT_ONCE;
        imp_batch_columns part = part_of(columns, first);
        part.all = &all;
        (void)imp_coulomb_batch(&part, count, NULL);
        for (size_t i = 0; i < count; i++)
            choose(&part, i, (imp_coulomb_choice)s->choice);
    }
    return IMP_OK;
}

const imp_model imp_model_coulomb = {
    .name = "coulomb",
    .title = "Signorini and Coulomb on impulses, purely inelastic",
    .citation = "Preclik, Eibl, Ruede 2017, Fig. 1 (lower half) and section 4",
    .law = &imp_law_coulomb,
    .takes = IMP_NEVER_GAINS_ENERGY,
    .keys = keys,
    .solve = solve,
    .batch = batch,
};
