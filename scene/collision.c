/* collision.c - the compliant outcome of an impact: its impulses, and its velocities as those of
 * where the bodies stood at the touch, as those of models are. */
#include "scene/impact.h"

#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

/* A link with all that is welded to it, where the tree is placed. */
typedef struct rigid {
    double mass;                 /* kg; 0: it is welded to another */
    double arm[3];               /* m, of its centre of mass, from the link's origin */
    double inertia[9];           /* kg m^2 about that */
    double velocity[3], spin[3]; /* of that; rad/s */
} rigid;

/* The link that it is welded to in the end, the one on the ground for those that stand there. */
static int carrier(const imp_tree *tree, int link) {
    while (imp_tree_link(tree, link)->joint == IMP_WELD &&
           imp_tree_link(tree, link)->parent != IMP_GROUND)
        link = imp_tree_link(tree, link)->parent;
    return link;
}

/* From the origin of what carries the link, to its centre of mass. */
static void arm_of(const imp_tree *tree, int link, int on, double arm[3]) {
    const imp_link_state *state = imp_tree_state(tree, link);
    if (on == link)
        apply3(state->rotation, imp_tree_link(tree, link)->com, arm);
    else
        sub3(state->com, imp_tree_state(tree, on)->origin, arm);
}

/* all (links) <- what moves rigidly. */
static void gather(const imp_tree *tree, rigid *all) {
    const int links = imp_tree_links(tree);
    double arm[3];
    memset(all, 0, (size_t)links * sizeof *all);
    for (int i = 0; i < links; i++) {
        const int on = carrier(tree, i);
        arm_of(tree, i, on, arm);
        all[on].mass += imp_tree_link(tree, i)->mass;
        add3(imp_tree_link(tree, i)->mass, arm, all[on].arm);
    }
    for (int i = 0; i < links; i++)
        for (int k = 0; k < 3 && all[i].mass > 0; k++)
            all[i].arm[k] /= all[i].mass;
    for (int i = 0; i < links; i++) {
        const double mass = imp_tree_link(tree, i)->mass;
        rigid *r = &all[carrier(tree, i)];
        arm_of(tree, i, (int)(r - all), arm);
        sub3(arm, r->arm, arm);
        for (int k = 0; k < 9; k++)
            r->inertia[k] += imp_tree_state(tree, i)->inertia[k] - mass * arm[k / 3] * arm[k % 3] +
                             (k % 4 == 0 ? mass * dot3(arm, arm) : 0);
    }
}

/* Of all, their velocities as the tree is placed. */
static void set_motion(const imp_tree *tree, rigid *all) {
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link_state *state = imp_tree_state(tree, i);
        memcpy(all[i].spin, state->spin, sizeof state->spin);
        cross3(state->spin, all[i].arm, all[i].velocity);
        add3(1, state->velocity, all[i].velocity);
    }
}

/* The part of the momenta of `of` (n) that a coordinate moves, which `moves` is to do alone at
 * speed 1: both of the same place. */
static double momentum_along(int n, const rigid *moves, const rigid *of) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double turning[3];
        apply3(of[i].inertia, of[i].spin, turning);
        sum += of[i].mass * dot3(moves[i].velocity, of[i].velocity) + dot3(moves[i].spin, turning);
    }
    return sum;
}

/* unit (nv) <- x at coordinate number k of each part of the tree that has so many. Returns how many
 * have. */
static int set_units(const imp_tree *tree, int k, double x, double *unit) {
    int count = 0;
    for (int p = 0; p < imp_tree_parts(tree); p++) {
        const imp_tree_part part = imp_tree_part_at(tree, p);
        if (part.v + k >= part.v_end) continue;
        unit[part.v + k] = x;
        count++;
    }
    return count;
}

/* tau (nv) <- the momenta of all (links) along each coordinate, at q: a coordinate of each part of
 * the tree at a time. now (links) are of that place; unit (nv) is 0. */
static void momenta(imp_tree *tree, const double *q, const rigid *all, rigid *now, double *unit,
                    double *tau) {
    for (int k = 0; set_units(tree, k, 1, unit) > 0; k++) {
        imp_tree_place(tree, q, unit);
        set_motion(tree, now);
        for (int p = 0; p < imp_tree_parts(tree); p++) {
            const imp_tree_part part = imp_tree_part_at(tree, p);
            if (part.v + k < part.v_end)
                tau[part.v + k] =
                    momentum_along(part.link_end - part.link, now + part.link, all + part.link);
        }
        set_units(tree, k, 0, unit);
    }
}

/* v (nv) <- the velocities `end` of the place q as the bodies would have them at the touch. */
static imp_status velocity_at_touch(const scene *s, const scene_moment *moment, const double *q,
                                    const double *end, double *v) {
    const int nv = moment->nv, links = imp_tree_links(s->tree);
    rigid *ended = calloc(2 * (size_t)links + 1, sizeof *ended),
          *now = ended ? ended + links : NULL;
    double *unit = calloc(2 * (size_t)nv + 1, sizeof *unit), *work = unit ? unit + nv : NULL;
    imp_status status = ended && unit ? IMP_OK : IMP_NO_MEMORY;
    memcpy(v, end, (size_t)nv * sizeof *v);
    if (status == IMP_OK) {
        imp_tree_place(s->tree, q, end);
        gather(s->tree, ended);
        set_motion(s->tree, ended);
        imp_tree_place(s->tree, moment->q, end);
        gather(s->tree, now);
        set_motion(s->tree, now);
    }
    for (int i = 0; status == IMP_OK && i < links; i++) { /* what is missing, of the touch */
        sub3(ended[i].velocity, now[i].velocity, ended[i].velocity);
        sub3(ended[i].spin, now[i].spin, ended[i].spin);
        memcpy(ended[i].inertia, now[i].inertia, sizeof now[i].inertia);
    }
    if (status == IMP_OK) momenta(s->tree, moment->q, ended, now, unit, work);
    if (status == IMP_OK) status = scene_factor(s);
    if (status == IMP_OK) imp_tree_solve(s->tree, work);
    for (int k = 0; status == IMP_OK && k < nv; k++)
        v[k] += work[k];
    if (status == IMP_OK && s->loops) status = imp_loops_velocity(s->loops, v);
    free(ended);
    free(unit);
    return status;
}

imp_status scene_compliant(const scene *s, const scene_moment *moment,
                           const compliant_settings *settings, scene_outcome *outcome,
                           compliant_result *result) {
    compliant_result own;
    compliant_settings rest = *settings;
    rest.until -= moment->time;
    rest.to_touch = false;
    imp_status status = compliant_run(&s->system, &rest, moment->q, moment->v, &own);
    if (status >= 0) {
        const imp_status moved =
            velocity_at_touch(s, moment, own.y, own.y + own.layout.v, outcome->v);
        if (moved != IMP_OK) status = moved;
        for (int i = 0; i < moment->nc; i++)
            apply3(moment->contact[i].frame, own.y + own.layout.impulse + 3 * moment->pair[i],
                   outcome->p + 3 * i);
    }
    if (result)
        *result = own;
    else
        compliant_result_clear(&own);
    return status;
}
