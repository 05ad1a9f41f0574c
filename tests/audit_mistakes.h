/* audit_mistakes.h - what solvers do wrong, planted in right answers. */
#ifndef AUDIT_MISTAKES_H
#define AUDIT_MISTAKES_H

#include "audit_toy.h"

static void reverse(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i++)
        a->p[i] = -a->p[i];
}

static void reverse_friction(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i++)
        if (i % 3 > 0) a->p[i] = -a->p[i];
}

static double factor;

static void scale(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i++)
        a->p[i] *= factor;
}

static void round_off(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i++)
        a->p[i] = (double)(float)a->p[i];
}

/* (t, n, -o), y up. */
static void put_y_up(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i += 3) {
        const double n = a->p[i];
        a->p[i] = a->p[i + 1];
        a->p[i + 1] = n;
        a->p[i + 2] = -a->p[i + 2];
    }
}

/* -n: of a normal that points to the other body. */
static void reverse_normal(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i += 3)
        a->p[i] = -a->p[i];
}

/* (-n, t, -o): the same, right-handed. */
static void turn_over(const answered *a) {
    reverse_normal(a);
    for (int i = 0; i < 3 * a->problem->nc; i += 3)
        a->p[i + 2] = -a->p[i + 2];
}

static double mirror;

static void turn(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i += 3) {
        const double t = a->p[i + 1], o = mirror * a->p[i + 2];
        a->p[i + 1] = cos(0.3) * t - sin(0.3) * o;
        a->p[i + 2] = sin(0.3) * t + cos(0.3) * o;
    }
}

/* All normals, then pairs of tangents. */
static void put_normals_first(const answered *a) {
    const int nc = a->problem->nc;
    double *apart = malloc(3 * (size_t)nc * sizeof *apart);
    if (!apart) exit(1);
    for (int i = 0; i < 3 * nc; i++)
        apart[i % 3 == 0 ? i / 3 : nc + 2 * (i / 3) + i % 3 - 1] = a->p[i];
    memcpy(a->p, apart, 3 * (size_t)nc * sizeof *apart);
    free(apart);
}

static void put_each_axis_first(const answered *a) {
    const int nc = a->problem->nc;
    double *apart = malloc(3 * (size_t)nc * sizeof *apart);
    if (!apart) exit(1);
    for (int i = 0; i < 3 * nc; i++)
        apart[i % 3 * nc + i / 3] = a->p[i];
    memcpy(a->p, apart, 3 * (size_t)nc * sizeof *apart);
    free(apart);
}

static void put_last_contact_first(const answered *a) {
    for (int i = 0, j = a->problem->nc - 1; i < j; i++, j--)
        for (int k = 0; k < 3; k++) {
            const double p = a->p[3 * i + k];
            a->p[3 * i + k] = a->p[3 * j + k];
            a->p[3 * j + k] = p;
        }
}

static double before; /* 1: with q */

static void give_velocity(const answered *a) {
    double u[3];
    a->problem->W->kind->row(a->problem->W, 0, -1, a->p, u, NULL);
    for (int k = 0; k < 3; k++)
        a->p[k] = u[k] + before * a->problem->q[k];
}

/* Each problem by another factor: that of no scale. */
static void scale_by_mass(const answered *a) {
    double W[9];
    a->problem->W->kind->block(a->problem->W, 0, 0, W);
    for (int k = 0; k < 3; k++)
        a->p[k] *= W[0];
}

static void push_friction(const answered *a) {
    for (int i = 0; i < 3 * a->problem->nc; i++)
        if (i % 3 > 0) a->p[i] *= 1.1;
}

/* Sweeps over contacts with friction of each tangent by itself, or against the slip that q has;
 * where that jams the answer stays as it is. */
static void sweep(const answered *a, bool against_q) {
    enum { SWEEPS = 100000 };
    const imp_problem *problem = a->problem;
    const size_t bytes = 3 * (size_t)problem->nc * sizeof *a->p;
    double change = 1, right[24];
    memcpy(right, a->p, bytes);
    memset(a->p, 0, bytes);
    for (int k = 0; k < SWEEPS && change > 1e-15; k++) {
        change = 0;
        for (int c = 0; c < 3 * problem->nc; c++) {
            const int i = c / 3, axis = c % 3;
            const double *q = problem->q + 3 * i, slip = hypot(q[1], q[2]),
                         limit = problem->mu[i] * a->p[3 * i],
                         bounce = problem->e && q[0] < 0 ? problem->e[i] * q[0] : 0;
            double W[9], u[3], p = a->p[c];
            problem->W->kind->block(problem->W, i, i, W);
            problem->W->kind->row(problem->W, i, -1, a->p, u, NULL);
            p -= (u[axis] + q[axis] + (axis == 0 ? bounce : 0)) / W[4 * axis];
            if (axis == 0)
                p = fmax(0, p);
            else if (against_q)
                p = slip > 0 ? -limit * q[axis] / slip : 0;
            else
                p = fmax(-limit, fmin(p, limit));
            if (!isfinite(p)) {
                memcpy(a->p, right, bytes);
                return;
            }
            change = fmax(change, fabs(p - a->p[c]) / (fabs(p) + 1e-300));
            a->p[c] = p;
        }
    }
    if (!(change <= 1e-15)) memcpy(a->p, right, bytes);
}

static void rub_by_tangents(const answered *a) {
    sweep(a, false);
}

static void rub_before(const answered *a) {
    sweep(a, true);
}

#endif
