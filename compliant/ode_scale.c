/* ode_scale.c - the scales of the compliant motion. */
#include "compliant/ode.h"

#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

/* What one pair says about the scales: the speed at which it meets, its gap, its effective mass
 * along the normal. */
typedef struct meeting {
    double speed, gap, mass;
} meeting;

/* kg, of a part of the tree: its mass, and what its inertia makes of it at an arm. */
static double bulk(const imp_tree *tree, imp_tree_part part, double arm) {
    double sum = 0;
    for (int i = part.link; i < part.link_end; i++) {
        const imp_link *l = imp_tree_link(tree, i);
        sum += l->mass + (l->inertia[0] + l->inertia[4] + l->inertia[8]) / (arm * arm);
    }
    return sum;
}

/* m/s, of the surfaces against each other: each at its own, since in the middle of a gap a spin has
 * as long an arm as the gap, and what is far would speak for those that meet. */
static double speed_of(const compliant_system *s, int pair, const compliant_touch *touch) {
    const compliant_pair *p = &s->pairs[pair];
    double point[2][3], a[3] = {0}, b[3];
    compliant_surfaces(s, pair, touch, point);
    if (p->plane < 0) imp_tree_point_velocity(s->tree, s->spheres[p->a].link, point[0], a);
    imp_tree_point_velocity(s->tree, s->spheres[p->b].link, point[1], b);
    sub3(b, a, b);
    return norm3(b);
}

/* Of a factorised tree; row, x (nv each) are scratch. Along a normal that joints hold, or nearly,
 * nothing moves, and the effective mass is no scale: what is behind it can be no heavier than all
 * that is joined to it, at an arm of the sphere. */
static meeting meet(const compliant_ode *ode, int pair, double *row, double *x) {
    const compliant_system *s = ode->system;
    const compliant_touch touch = compliant_look(s, pair);
    const double *n = touch.normal, minus[3] = {-n[0], -n[1], -n[2]};
    const int part[2] = {compliant_ode_part(ode, pair, 0), compliant_ode_part(ode, pair, 1)};
    const compliant_sphere *sphere = &s->spheres[s->pairs[pair].b];
    const double arm = sphere->radius + norm3(sphere->half);
    double W = 0, most = 0;
    for (int side = 0; side < 2; side++) {
        if (part[side] < 0) continue;
        const imp_tree_part own = imp_tree_part_at(s->tree, part[side]);
        memset(row + own.v, 0, (size_t)(own.v_end - own.v) * sizeof *row);
    }
    for (int side = 0; side < 2; side++)
        if (part[side] >= 0)
            imp_tree_push(s->tree, s->spheres[side ? s->pairs[pair].b : s->pairs[pair].a].link,
                          touch.point, side ? n : minus, row);
    for (int side = 0; side < 2; side++) {
        if (part[side] < 0 || (side == 1 && part[0] == part[1])) continue;
        const imp_tree_part own = imp_tree_part_at(s->tree, part[side]);
        memcpy(x + own.v, row + own.v, (size_t)(own.v_end - own.v) * sizeof *row);
        imp_tree_part_solve(s->tree, part[side], x);
        most += bulk(s->tree, own, arm);
        for (int k = own.v; k < own.v_end; k++)
            W += row[k] * x[k];
    }
    return (meeting){speed_of(s, pair, &touch), fmax(0, -touch.depth), W * most > 1 ? 1 / W : most};
}

imp_status compliant_ode_scale(compliant_ode *ode, const double *q, const double *v, double speed0,
                               double depth0) {
    const compliant_system *s = ode->system;
    const compliant_layout at = ode->at;
    imp_tree_place(s->tree, q, v);
    const imp_status status = imp_tree_factor(s->tree);
    if (status != IMP_OK) return status;
    double *row = calloc(3 * (size_t)at.nv + 1, sizeof *row), *other = row + at.nv,
           *lever = other + at.nv;
    if (!row) return IMP_NO_MEMORY;
    const double fall = norm3(s->gravity);
    double speed = speed0, gap = INFINITY, heaviest = 0;
    for (int i = 0; i < s->npairs; i++) {
        const meeting m = meet(ode, i, row, other);
        /* m, under own weight */
        const double sag = compliant_resting_depth(&s->pairs[i].law, m.mass * fall);
        speed = fmax(speed, fmax(m.speed, sqrt(fall * sag)));
        heaviest = fmax(heaviest, m.mass);
        gap = fmin(gap, m.gap);
    }
    if (isfinite(gap)) speed = fmax(speed, sqrt(2 * fall * gap));
    if (s->npairs == 0) speed = fmax(speed, sqrt(fall)); /* through 1 m, see depth */
    ode->speed = speed;
    ode->depth = INFINITY;
    for (int i = 0; i < s->npairs; i++) {
        const meeting m = meet(ode, i, row, other);
        ode->depth = fmin(ode->depth, compliant_stopping_depth(&s->pairs[i].law, m.mass, speed));
        for (int k = 0; k < 3; k++)
            ode->scale[at.impulse + 3 * i + k] = m.mass * speed;
    }
    if (!isfinite(ode->depth)) ode->depth = 1; /* nothing can touch */
    ode->depth = fmax(ode->depth, depth0);
    for (int i = 0; i < at.spring_size * at.npairs; i++)
        /* 1 where nothing gives: zero throughout */
        ode->scale[at.spring + i] = s->pairs[i / 3].law.give > 0
                                        ? compliant_grip_scale(&s->pairs[i / 3].law, ode->depth)
                                        : 1;
    ode->scale[at.damped] = ode->scale[at.rubbed] = heaviest > 0 ? heaviest * speed * speed : 1;
    /* m per unit of v: the largest effect of each degree of freedom on a contact; 1 where none */
    for (int i = 0; i < s->npairs; i++) {
        const compliant_touch touch = compliant_look(s, i);
        compliant_lever(s, i, &touch, lever, row);
    }
    for (int k = 0; k < at.nv; k++)
        if (lever[k] == 0) lever[k] = 1;
    for (int i = 0; i < imp_tree_links(s->tree); i++) {
        const imp_link *l = imp_tree_link(s->tree, i);
        const double *own = lever + l->v_at;
        if (l->joint == IMP_REVOLUTE || l->joint == IMP_PRISMATIC)
            ode->scale[l->q_at] = ode->depth / own[0];
        /* a quaternion turns by half the angle */
        for (int k = 0; k < 7 && l->joint == IMP_FREE; k++)
            ode->scale[l->q_at + k] =
                k < 3 ? ode->depth / own[k] : 0.5 * ode->depth / fmax(own[3], fmax(own[4], own[5]));
    }
    for (int k = 0; k < at.nv; k++)
        ode->scale[at.v + k] = speed / lever[k];
    compliant_ode_collect(ode, ode->scale, ode->unit);
    free(row);
    return IMP_OK;
}
