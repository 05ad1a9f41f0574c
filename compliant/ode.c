/* ode.c - right-hand side and scales of the compliant motion. */
#include "compliant/ode.h"

#include "base/vec3.h"

#include <gsl/gsl_errno.h>

#include <stdlib.h>
#include <string.h>

imp_status compliant_ode_init(compliant_ode *ode, const compliant_system *system) {
    const int nq = imp_tree_nq(system->tree), nv = imp_tree_nv(system->tree);
    *ode = (compliant_ode){.system = system, .nq = nq, .nv = nv, .v = nq, .impulse = nq + nv};
    ode->damped = ode->impulse + 3 * system->npairs;
    ode->rubbed = ode->damped + 1;
    ode->dim = ode->rubbed + 1;
    ode->pressing = calloc((size_t)system->npairs + 1, sizeof *ode->pressing);
    ode->scale = calloc((size_t)ode->dim, sizeof *ode->scale);
    if (ode->pressing && ode->scale) return IMP_OK;
    compliant_ode_clear(ode);
    return IMP_NO_MEMORY;
}

void compliant_ode_clear(compliant_ode *ode) {
    free(ode->pressing);
    free(ode->scale);
    *ode = (compliant_ode){0};
}

void compliant_ode_place(const compliant_ode *ode, const double *y) {
    imp_tree_place(ode->system->tree, y, y + ode->v);
}

double compliant_ode_stored(const compliant_ode *ode) {
    double energy = 0;
    for (int i = 0; i < ode->system->npairs; i++)
        if (ode->pressing[i])
            energy +=
                compliant_stored(&ode->system->pairs[i].law, compliant_look(ode->system, i).depth);
    return energy;
}

int compliant_ode_slope(double t, const double y[], double slope[], void *params) {
    (void)t;
    compliant_ode *ode = params;
    const compliant_system *s = ode->system;
    ode->evaluations++;
    for (int i = 0; i < ode->dim; i++)
        if (!isfinite(y[i])) return GSL_FAILURE;
    compliant_ode_place(ode, y);
    imp_tree_rate(s->tree, y, y + ode->v, slope);
    double *rate = slope + ode->v;
    imp_tree_inverse_dynamics(s->tree, s->gravity, NULL, rate);
    for (int i = 0; i < ode->nv; i++)
        rate[i] = -rate[i];
    memset(slope + ode->impulse, 0, (size_t)(ode->dim - ode->impulse) * sizeof *slope);
    for (int i = 0; i < s->npairs; i++) {
        if (!ode->pressing[i]) continue;
        const compliant_pair *pair = &s->pairs[i];
        const compliant_touch touch = compliant_look(s, i);
        double *force = slope + ode->impulse + 3 * i, minus[3], normal;
        compliant_force(&pair->law, &touch, force, &normal);
        for (int k = 0; k < 3; k++)
            minus[k] = -force[k];
        imp_tree_push(s->tree, s->spheres[pair->b].link, touch.point, force, rate);
        if (pair->plane < 0)
            imp_tree_push(s->tree, s->spheres[pair->a].link, touch.point, minus, rate);
        slope[ode->damped] += (normal - compliant_hertz(&pair->law, touch.depth)) * touch.rate;
        slope[ode->rubbed] -= dot3(force, touch.slip);
    }
    if (imp_tree_factor(s->tree) != IMP_OK) return GSL_FAILURE;
    imp_tree_solve(s->tree, rate);
    return GSL_SUCCESS;
}

/* What one pair says about the scales: the speed at which it meets, its gap, its effective mass
 * along the normal. */
typedef struct meeting {
    double speed, gap, mass;
} meeting;

static meeting meet(const compliant_ode *ode, int pair, double *work) {
    const compliant_touch touch = compliant_look(ode->system, pair);
    const imp_contact contact = compliant_contact(ode->system, pair, &touch);
    /* they stay where a joint moves no mass: the first evaluation refuses that */
    double W[9] = {1}, u[3] = {0};
    (void)imp_tree_delassus(ode->system->tree, 1, &contact, W, u, work);
    return (meeting){norm3(u), fmax(0, -touch.depth), 1 / W[0]};
}

/* lever (nv) <- m per unit of v: the largest effect of each degree of freedom on a contact point; 1
 * where none. */
static void levers(const compliant_ode *ode, double *lever, double *row) {
    const compliant_system *s = ode->system;
    memset(lever, 0, (size_t)ode->nv * sizeof *lever);
    for (int i = 0; i < 6 * s->npairs; i++) { /* pair, side, axis */
        const compliant_pair *pair = &s->pairs[i / 6];
        const compliant_touch touch = compliant_look(s, i / 6);
        if (i / 3 % 2 == 1 && pair->plane >= 0) continue;
        const double axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        memset(row, 0, (size_t)ode->nv * sizeof *row);
        imp_tree_push(s->tree, s->spheres[i / 3 % 2 ? pair->a : pair->b].link, touch.point, axis,
                      row);
        for (int k = 0; k < ode->nv; k++)
            lever[k] = fmax(lever[k], fabs(row[k]));
    }
    for (int k = 0; k < ode->nv; k++)
        if (lever[k] == 0) lever[k] = 1;
}

imp_status compliant_ode_scale(compliant_ode *ode, const double *q, const double *v,
                               double speed0) {
    const compliant_system *s = ode->system;
    double *work = calloc(5 * (size_t)ode->nv + 1, sizeof *work);
    if (!work) return IMP_NO_MEMORY;
    imp_tree_place(s->tree, q, v);
    const double fall = norm3(s->gravity);
    double speed = speed0, gap = INFINITY, heaviest = 0;
    for (int i = 0; i < s->npairs; i++) {
        const meeting m = meet(ode, i, work);
        /* m, under own weight */
        const double sag = pow(m.mass * fall / s->pairs[i].law.hertz, 2.0 / 3);
        speed = fmax(speed, fmax(m.speed, sqrt(fall * sag)));
        heaviest = fmax(heaviest, m.mass);
        gap = fmin(gap, m.gap);
    }
    if (isfinite(gap)) speed = fmax(speed, sqrt(2 * fall * gap));
    ode->speed = speed;
    ode->depth = INFINITY;
    for (int i = 0; i < s->npairs; i++) { /* 1/2 m speed^2 = 2/5 hertz depth^2.5 */
        const meeting m = meet(ode, i, work);
        ode->depth =
            fmin(ode->depth, pow(1.25 * m.mass * speed * speed / s->pairs[i].law.hertz, 0.4));
        for (int k = 0; k < 3; k++)
            ode->scale[ode->impulse + 3 * i + k] = m.mass * speed;
    }
    if (!isfinite(ode->depth)) ode->depth = 1; /* nothing can touch */
    ode->scale[ode->damped] = ode->scale[ode->rubbed] = heaviest > 0 ? heaviest * speed * speed : 1;
    double *lever = work + 3 * ode->nv;
    levers(ode, lever, work + 4 * ode->nv);
    for (int i = 0; i < imp_tree_links(s->tree); i++) {
        const imp_link *l = imp_tree_link(s->tree, i);
        const double *at = lever + l->v_at;
        if (l->joint == IMP_REVOLUTE || l->joint == IMP_PRISMATIC)
            ode->scale[l->q_at] = ode->depth / at[0];
        /* a quaternion turns by half the angle */
        for (int k = 0; k < 7 && l->joint == IMP_FREE; k++)
            ode->scale[l->q_at + k] =
                k < 3 ? ode->depth / at[k] : 0.5 * ode->depth / fmax(at[3], fmax(at[4], at[5]));
    }
    for (int k = 0; k < ode->nv; k++)
        ode->scale[ode->v + k] = speed / lever[k];
    free(work);
    return IMP_OK;
}
