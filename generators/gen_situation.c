/* gen_situation.c - problems for any model, and the same problems written in another way. */
#include "gen_situation.h"

#include <math.h>
#include <string.h>

imp_problem situation_problem(const situation *s, imp_operator *W) {
    *W = imp_operator_dense(s->nc, s->W);
    return (imp_problem){.nc = s->nc, .W = W, .q = s->q, .mu = s->mu, .e = s->e};
}

situation situation_of(const double W[6], const double q[3], double mu, double e) {
    return (situation){.nc = 1,
                       .W = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]},
                       .q = {q[0], q[1], q[2]},
                       .mu = {mu},
                       .e = {e}};
}

void situation_restrict(situation *s, const imp_model *model) {
    const int n = 3 * s->nc;
    for (int i = 0; i < s->nc; i++) {
        if (!(model->takes & IMP_TAKES_RESTITUTION)) s->e[i] = 0;
        if (model->takes & IMP_ONLY_FRICTIONLESS) s->mu[i] = 0;
    }
    if (!(model->takes & IMP_ONLY_PLANAR)) return;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 2) s->q[i] = 0;
        for (int j = 0; j < n; j++) /* pinching keeps W semidefinite */
            if ((i % 3 == 2) != (j % 3 == 2)) s->W[i * n + j] = 0;
    }
}

static const double restitutions[] = {0, 0.5, 1, 0.2};

situation situation_one(const imp_model *model, uint64_t k) {
    static const gen_class classes[] = {GEN_FREE_BOX_1, GEN_FREE_BOX_5, GEN_SIX_POINT,
                                        GEN_TWO_BODY,   GEN_SPD_1,      GEN_SPD_4,
                                        GEN_PAINLEVE,   GEN_SPEED_BOX};
    const gen_problem g = gen_make(classes[k % 8], k / 8);
    situation s = situation_of(g.W, g.q, g.mu, restitutions[k / 8 % 4]);
    situation_restrict(&s, model);
    return s;
}

situation situation_many(const imp_model *model, uint64_t k) {
    const gen_many g = gen_bodies(k, 2 + (int)(k % 7));
    situation s = {.nc = g.nc};
    memcpy(s.W, g.W, sizeof g.W);
    memcpy(s.q, g.q, sizeof g.q);
    memcpy(s.mu, g.mu, sizeof g.mu);
    for (int i = 0; i < s.nc; i++)
        s.e[i] = restitutions[k % 4];
    situation_restrict(&s, model);
    return s;
}

static change no_change(void) {
    change c = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .w = 1, .v = 1};
    for (int i = 0; i < GEN_MOST_CONTACTS; i++)
        c.order[i] = i;
    return c;
}

situation situation_changed(const situation *s, const change *c) {
    situation result = {.nc = s->nc};
    const int n = 3 * s->nc;
    for (int i = 0; i < n; i++) {
        const double *Ri = c->R + (size_t)3 * (i % 3);
        const int a = c->order[i / 3];
        for (int k = 0; k < 3; k++)
            result.q[i] += c->v * Ri[k] * s->q[3 * a + k];
        result.mu[i / 3] = s->mu[a];
        result.e[i / 3] = s->e[a];
        for (int j = 0; j <= i; j++) {
            const double *Rj = c->R + (size_t)3 * (j % 3);
            const int b = c->order[j / 3];
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += Ri[k] * s->W[(3 * a + k) * n + 3 * b + l] * Rj[l];
            result.W[i * n + j] = result.W[j * n + i] = c->w * sum;
        }
    }
    return result;
}

void change_undo(const change *c, int nc, const double *changed_p, double *p) {
    for (int i = 0; i < nc; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int l = 0; l < 3; l++)
                sum += c->R[3 * l + k] * changed_p[3 * i + l];
            p[3 * c->order[i] + k] = sum / c->v * c->w;
        }
}

change change_turned(const imp_model *model, const situation *s, uint64_t k) {
    (void)s;
    change c = no_change();
    gen_stream g = gen_seed(707, k);
    double cosine = gen_normal(&g), sine = gen_normal(&g);
    const double length = hypot(cosine, sine);
    cosine /= length;
    sine /= length;
    if (model->takes & IMP_PREFERS_AXES) {
        cosine = 0;
        sine = k % 2 ? 1 : -1;
    }
    if (model->takes & IMP_ONLY_PLANAR) { /* half a turn */
        cosine = -1;
        sine = 0;
    }
    c.R[4] = c.R[8] = cosine;
    c.R[5] = sine;
    c.R[7] = -sine;
    return c;
}

change change_mirrored(const imp_model *model, const situation *s, uint64_t k) {
    change c = no_change();
    (void)model, (void)s;
    c.R[k % 2 ? 4 : 8] = -1;
    return c;
}

change change_mass_unit(const imp_model *model, const situation *s, uint64_t k) {
    static const double scale[] = {1e-6, 1e7, 0x1p-300, 0x1p300};
    change c = no_change();
    (void)model, (void)s;
    c.w = scale[k % 4];
    return c;
}

change change_velocity_unit(const imp_model *model, const situation *s, uint64_t k) {
    static const double scale[] = {1e-7, 1e6, 0x1p-300, 0x1p300};
    change c = no_change();
    (void)model, (void)s;
    c.v = scale[k % 4];
    return c;
}

change change_order(const imp_model *model, const situation *s, uint64_t k) {
    change c = no_change();
    gen_stream g = gen_seed(708, k);
    (void)model;
    for (int i = s->nc - 1; i > 0; i--) {
        const int j = (int)gen_uniform(&g, 0, i + 1), other = c.order[j];
        c.order[j] = c.order[i];
        c.order[i] = other;
    }
    return c;
}
