/* plus_subject.h - random problems for the tests of PLUS and its relatives, and calls for them. */
#ifndef PLUS_SUBJECT_H
#define PLUS_SUBJECT_H

#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { CONTACTS = GEN_MOST_CONTACTS, ROWS = 3 * CONTACTS };

/* A problem with everything it points to, and what a call for it needs. */
typedef struct subject {
    int nc;
    double W[ROWS * ROWS], q[ROWS], mu[CONTACTS], e[CONTACTS];
    imp_operator op;
    imp_problem problem;
} subject;

static inline void point(subject *s) {
    s->op = imp_operator_dense(s->nc, s->W);
    s->problem = (imp_problem){.nc = s->nc, .W = &s->op, .q = s->q, .mu = s->mu, .e = s->e};
}

static inline void make_bodies(subject *s, uint64_t index, int nc) {
    gen_stream stream = gen_seed(17, index);
    const gen_many many = gen_bodies(index, nc);
    s->nc = nc;
    memcpy(s->W, many.W, sizeof many.W);
    memcpy(s->q, many.q, sizeof many.q);
    memcpy(s->mu, many.mu, sizeof many.mu);
    for (int i = 0; i < nc; i++)
        s->e[i] = gen_uniform(&stream, 0, 1);
    point(s);
}

static inline void make_single(subject *s, gen_class c, uint64_t index) {
    const gen_problem g = gen_make(c, index);
    gen_stream stream = gen_seed(18, index);
    const double *W = g.W, full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    s->nc = 1;
    memcpy(s->W, full, sizeof full);
    memcpy(s->q, g.q, sizeof g.q);
    s->mu[0] = g.mu;
    s->e[0] = gen_uniform(&stream, 0, 1);
    point(s);
}

static inline imp_plus_settings coarse(void) {
    imp_plus_settings settings = imp_plus_settings_default();
    settings.theta_max = 0.1;
    return settings;
}

static inline imp_status plus(const subject *s, const imp_plus_settings *settings, double *p,
                              imp_plus_history *history) {
    void *work = malloc(imp_plus_workspace(s->nc));
    const imp_status status = imp_plus(&s->problem, settings, p, work, history, NULL);
    free(work);
    return status;
}

static inline double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = tap_worst(most, fabs(x[i]));
    return most;
}

/* |a - b| relative to the largest entry of b. */
static inline double distance(const double *a, const double *b, int n) {
    double d[ROWS];
    for (int i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    const double most = largest(d, n);
    if (!isfinite(most)) return INFINITY;
    return most > 0 ? most / largest(b, n) : 0;
}

#endif
