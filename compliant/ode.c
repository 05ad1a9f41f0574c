/* ode.c - what of the compliant motion is integrated, and its right-hand side. */
#include "compliant/ode.h"

#include "base/vec3.h"

#include <gsl/gsl_errno.h>

#include <stdlib.h>
#include <string.h>

compliant_layout compliant_layout_of(const compliant_system *system) {
    const int nq = imp_tree_nq(system->tree), nv = imp_tree_nv(system->tree), n = system->npairs;
    int size = 0;
    for (int i = 0; i < n; i++)
        if (system->pairs[i].law.give > 0) size = 3;
    const int impulse = nq + nv + size * n, dim = impulse + 3 * n + 2;
    return (compliant_layout){.nq = nq,
                              .nv = nv,
                              .npairs = n,
                              .spring_size = size,
                              .v = nq,
                              .spring = nq + nv,
                              .impulse = impulse,
                              .damped = dim - 2,
                              .rubbed = dim - 1,
                              .dim = dim,
                              .time = dim,
                              .depth = dim + 1,
                              .force = dim + 1 + n,
                              .width = dim + 1 + 4 * n};
}

/* Where things begin in y, from the parts and pairs in it. */
static void lay_out(compliant_ode *ode) {
    int used = 0;
    for (int side = 0; side < 2; side++) {
        if (side == 1) ode->v = used;
        for (int k = 0; k < ode->parts; k++) {
            const imp_tree_part p = imp_tree_part_at(ode->system->tree, ode->part[k]);
            compliant_piece *piece = &ode->piece[side * ode->parts + k];
            *piece = side == 0 ? (compliant_piece){used, p.q, p.q_end - p.q}
                               : (compliant_piece){used, ode->at.v + p.v, p.v_end - p.v};
            used += piece->count;
        }
    }
    ode->spring = used;
    ode->impulse = ode->spring + ode->at.spring_size * ode->pairs;
    ode->damped = ode->impulse + 3 * ode->pairs;
    ode->rubbed = ode->damped + 1;
    ode->dim = ode->rubbed + 1;
}

imp_status compliant_ode_init(compliant_ode *ode, const compliant_system *system) {
    const compliant_layout at = compliant_layout_of(system);
    const int parts = imp_tree_parts(system->tree);
    const size_t np = (size_t)parts, state = (size_t)(at.nq + at.nv) + 1;
    *ode = (compliant_ode){.system = system, .at = at, .parts = parts, .pairs = at.npairs};
    ode->pressing = calloc((size_t)at.npairs + 1, sizeof *ode->pressing);
    ode->grip = calloc((size_t)at.npairs + 1, sizeof *ode->grip);
    ode->pair = calloc((size_t)at.npairs + 1, sizeof *ode->pair);
    ode->scale = calloc(3 * (size_t)at.dim, sizeof *ode->scale);
    ode->part = calloc(np + 1, sizeof *ode->part);
    ode->piece = calloc(2 * np + 1, sizeof *ode->piece);
    ode->asleep = calloc(np + 1, sizeof *ode->asleep);
    ode->still = calloc(np + 1, sizeof *ode->still);
    ode->follow = calloc(np + 1, sizeof *ode->follow);
    ode->follows = calloc(np + 1, sizeof *ode->follows);
    ode->since = calloc(np + 1 + 3 * state, sizeof *ode->since);
    if (!ode->pressing || !ode->grip || !ode->pair || !ode->scale || !ode->part || !ode->piece ||
        !ode->asleep || !ode->still || !ode->follow || !ode->follows || !ode->since) {
        compliant_ode_clear(ode);
        return IMP_NO_MEMORY;
    }
    ode->unit = ode->scale + at.dim;
    ode->moved = ode->unit + at.dim;
    ode->coasting = ode->since + np + 1;
    ode->whole = ode->coasting + state;
    ode->rate = ode->whole + state;
    for (int k = 0; k < parts; k++)
        ode->part[k] = k;
    for (int i = 0; i < at.npairs; i++)
        ode->pair[i] = i;
    lay_out(ode);
    return IMP_OK;
}

void compliant_ode_clear(compliant_ode *ode) {
    free(ode->pressing);
    free(ode->grip);
    free(ode->pair);
    free(ode->scale);
    free(ode->part);
    free(ode->piece);
    free(ode->asleep);
    free(ode->still);
    free(ode->follow);
    free(ode->follows);
    free(ode->since);
    *ode = (compliant_ode){0};
}

/* Does a part that nothing touches move in closed form? One body about its own origin, without spin
 * or with the same inertia about every axis. */
static bool coasts(const compliant_ode *ode, imp_tree_part part, const double *v) {
    const imp_link *l = imp_tree_link(ode->system->tree, part.link);
    const double *I = l->inertia, *w = v + part.v + 3;
    if (ode->system->loops) return false; /* what is joined moves with others */
    if (part.link_end - part.link != 1 || l->joint != IMP_FREE || norm3(l->com) > 0) return false;
    return norm3(w) == 0 || (I[0] == I[4] && I[4] == I[8] && I[1] == 0 && I[2] == 0 && I[5] == 0 &&
                             I[3] == 0 && I[6] == 0 && I[7] == 0);
}

/* q and v (of the tree) of a part that is asleep, at time t. */
static void coast(const compliant_ode *ode, int part, double t, double *q, double *v) {
    const imp_tree_part own = imp_tree_part_at(ode->system->tree, part);
    const double *g = ode->system->gravity, *q0 = ode->coasting + own.q,
                 *v0 = ode->coasting + ode->at.v + own.v, gone = t - ode->since[part];
    const double angle[3] = {gone * v0[3], gone * v0[4], gone * v0[5]};
    double turn[4];
    q += own.q;
    v += own.v;
    for (int k = 0; k < 3; k++) {
        q[k] = q0[k] + gone * (v0[k] + 0.5 * gone * g[k]);
        v[k] = v0[k] + gone * g[k];
        v[3 + k] = v0[3 + k];
    }
    if (norm3(angle) == 0) {
        memcpy(q + 3, q0 + 3, 4 * sizeof *q);
        return;
    }
    exponential4(angle, turn);
    multiply4(turn, q0 + 3, q + 3);
}

/* whole (nq + nv) <- q and v of the parts that are awake. */
static void spread(const compliant_ode *ode, const double *y, double *whole) {
    for (const compliant_piece *p = ode->piece; p < ode->piece + 2 * ode->parts; p++)
        memcpy(whole + p->whole, y + p->own, (size_t)p->count * sizeof *y);
}

/* The reverse. */
static void collect(const compliant_ode *ode, const double *whole, double *y) {
    for (const compliant_piece *p = ode->piece; p < ode->piece + 2 * ode->parts; p++)
        memcpy(y + p->own, whole + p->whole, (size_t)p->count * sizeof *y);
}

void compliant_ode_collect(const compliant_ode *ode, const double *whole, double *y) {
    const int size = ode->at.spring_size;
    collect(ode, whole, y);
    for (int k = 0; k < size * ode->pairs; k++)
        y[ode->spring + k] = whole[ode->at.spring + size * ode->pair[k / size] + k % size];
    for (int k = 0; k < ode->pairs; k++)
        memcpy(y + ode->impulse + 3 * k, whole + ode->at.impulse + 3 * ode->pair[k], 3 * sizeof *y);
    memcpy(y + ode->damped, whole + ode->at.damped, 2 * sizeof *y);
}

int compliant_ode_part(const compliant_ode *ode, int pair, int side) {
    const compliant_system *s = ode->system;
    const compliant_pair *p = &s->pairs[pair];
    if (side == 0 && p->plane >= 0) return -1;
    const int link = s->spheres[side ? p->b : p->a].link;
    return link == IMP_GROUND ? -1 : imp_tree_part_of(s->tree, link);
}

static void place_part(const compliant_ode *ode, int part, double t) {
    double *q = ode->whole, *v = q + ode->at.v;
    if (ode->still[part]) return;
    if (ode->asleep[part]) coast(ode, part, t, q, v);
    imp_tree_part_place(ode->system->tree, part, q, v);
}

/* Does a part that is asleep not move at all? */
static bool rests(const compliant_ode *ode, int part) {
    const imp_tree_part own = imp_tree_part_at(ode->system->tree, part);
    const double *v = ode->coasting + ode->at.v + own.v;
    return norm3(ode->system->gravity) == 0 && norm3(v) == 0 && norm3(v + 3) == 0;
}

void compliant_ode_divide(compliant_ode *ode, double t, const double *whole, double *y) {
    const imp_tree *tree = ode->system->tree;
    const int parts = imp_tree_parts(tree);
    ode->parts = ode->pairs = 0;
    for (int k = 0; k < parts; k++)
        ode->asleep[k] = coasts(ode, imp_tree_part_at(tree, k), whole + ode->at.v);
    for (int i = 0; i < ode->at.npairs; i++) {
        if (!ode->pressing[i]) continue;
        ode->pair[ode->pairs++] = i;
        for (int side = 0; side < 2; side++) {
            const int part = compliant_ode_part(ode, i, side);
            if (part >= 0) ode->asleep[part] = false;
        }
    }
    for (int k = 0; k < parts; k++)
        if (ode->asleep[k])
            ode->since[k] = t;
        else
            ode->part[ode->parts++] = k;
    memcpy(ode->coasting, whole, (size_t)ode->at.spring * sizeof *whole);
    for (int k = 0; k < parts; k++) {
        ode->still[k] = false; /* to be placed there */
        if (!ode->asleep[k]) continue;
        place_part(ode, k, t);
        ode->still[k] = rests(ode, k);
    }
    lay_out(ode);
    compliant_ode_collect(ode, whole, y);
    compliant_ode_collect(ode, ode->scale, ode->unit);
}

void compliant_ode_unite(const compliant_ode *ode, double t, const double *y, double *whole) {
    spread(ode, y, whole);
    for (int k = 0; k < imp_tree_parts(ode->system->tree); k++)
        if (ode->asleep[k]) coast(ode, k, t, whole, whole + ode->at.v);
    const int size = ode->at.spring_size;
    for (int k = 0; k < size * ode->pairs; k++)
        whole[ode->at.spring + size * ode->pair[k / size] + k % size] = y[ode->spring + k];
    for (int k = 0; k < ode->pairs; k++)
        memcpy(whole + ode->at.impulse + 3 * ode->pair[k], y + ode->impulse + 3 * k, 3 * sizeof *y);
    memcpy(whole + ode->at.damped, y + ode->damped, 2 * sizeof *y);
}

void compliant_ode_place(const compliant_ode *ode, double t, const double *y) {
    spread(ode, y, ode->whole);
    for (int k = 0; k < ode->parts; k++)
        place_part(ode, ode->part[k], t);
    for (int k = 0; k < ode->followed; k++)
        place_part(ode, ode->follow[k], t);
}

void compliant_ode_place_all(const compliant_ode *ode, double t, const double *y) {
    spread(ode, y, ode->whole);
    for (int k = 0; k < imp_tree_parts(ode->system->tree); k++)
        place_part(ode, k, t);
}

void compliant_ode_place_pair(const compliant_ode *ode, double t, const double *y, int pair) {
    spread(ode, y, ode->whole);
    for (int side = 0; side < 2; side++) {
        const int part = compliant_ode_part(ode, pair, side);
        if (part >= 0) place_part(ode, part, t);
    }
}

/* The forces of pair number k of y on its parts: rate (nv) += what they push. */
static void push_pair(const compliant_ode *ode, int k, const double *y, double *slope,
                      double *rate) {
    const compliant_system *s = ode->system;
    const int i = ode->pair[k];
    if (!ode->pressing[i]) return;
    const compliant_pair *pair = &s->pairs[i];
    const compliant_touch touch = compliant_look(s, i);
    double *force = slope + ode->impulse + 3 * k, minus[3], normal;
    const int at = ode->spring + ode->at.spring_size * k;
    compliant_ode_force(ode, i, &touch, y + at, force, &normal);
    if (pair->law.give > 0) {
        const compliant_hold hold = compliant_ode_hold(ode, i, &touch);
        compliant_grip_rate(&hold, y + at, slope + at);
    }
    for (int x = 0; x < 3; x++)
        minus[x] = -force[x];
    imp_tree_push(s->tree, s->spheres[pair->b].link, touch.point, force, rate);
    if (pair->plane < 0) imp_tree_push(s->tree, s->spheres[pair->a].link, touch.point, minus, rate);
    slope[ode->damped] += (normal - compliant_elastic(&pair->law, touch.depth)) * touch.rate;
    slope[ode->rubbed] -= dot3(force, touch.slip);
}

int compliant_ode_slope(double t, const double y[], double slope[], void *params) {
    (void)t;
    compliant_ode *ode = params;
    const compliant_system *s = ode->system;
    double *q = ode->whole, *v = q + ode->at.v, *rate = ode->rate + ode->at.v;
    ode->evaluations++;
    for (int i = 0; i < ode->dim; i++)
        if (!isfinite(y[i])) return GSL_FAILURE;
    spread(ode, y, q);
    for (int k = 0; k < ode->parts; k++) {
        const imp_tree_part part = imp_tree_part_at(s->tree, ode->part[k]);
        imp_tree_part_place(s->tree, ode->part[k], q, v);
        imp_tree_part_rate(s->tree, ode->part[k], q, v, ode->rate);
        imp_tree_part_inverse_dynamics(s->tree, ode->part[k], s->gravity, NULL, rate);
        for (int i = part.v; i < part.v_end; i++)
            rate[i] = -rate[i];
    }
    memset(slope + ode->spring, 0, (size_t)(ode->dim - ode->spring) * sizeof *slope);
    for (int k = 0; k < ode->pairs; k++)
        push_pair(ode, k, y, slope, rate);
    for (int k = 0; k < ode->parts; k++) {
        if (imp_tree_part_factor(s->tree, ode->part[k]) != IMP_OK) return GSL_FAILURE;
        imp_tree_part_solve(s->tree, ode->part[k], rate);
    }
    imp_status status = s->loops ? imp_loops_factor(s->loops) : IMP_OK;
    if (status == IMP_OK && s->loops) status = imp_loops_rate(s->loops, rate);
    ode->lacked = ode->lacked || status == IMP_NO_MEMORY;
    if (status != IMP_OK) return GSL_FAILURE;
    collect(ode, ode->rate, slope);
    return GSL_SUCCESS;
}

void compliant_ode_drift(const compliant_ode *ode, const double *y, double *drift) {
    spread(ode, y, ode->whole);
    for (int k = 0; k < ode->parts; k++) {
        imp_tree_part_rate(ode->system->tree, ode->part[k], ode->whole, ode->whole + ode->at.v,
                           ode->rate);
        memcpy(drift + ode->piece[k].own, ode->rate + ode->piece[k].whole,
               (size_t)ode->piece[k].count * sizeof *drift);
    }
}
