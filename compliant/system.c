/* system.c - which spheres may touch, how they do, and the forces between them. */
#include "compliant/system.h"

#include "base/vec3.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The link itself, or the one it is welded to in the end. */
static int anchor(const imp_tree *tree, int link) {
    while (link != IMP_GROUND && imp_tree_link(tree, link)->joint == IMP_WELD)
        link = imp_tree_link(tree, link)->parent;
    return link;
}

/* Can two links move against each other, and are they not neighbours at a joint? Ground is every
 * free link's neighbour, and that does not count. */
static bool may_touch(const imp_tree *tree, int a, int b) {
    a = anchor(tree, a);
    b = anchor(tree, b);
    if (a == b) return false;
    for (int k = 0; k < 2; k++) {
        const int child = k ? a : b, other = k ? b : a;
        if (child == IMP_GROUND || imp_tree_link(tree, child)->joint == IMP_FREE) continue;
        if (anchor(tree, imp_tree_link(tree, child)->parent) == other) return false;
    }
    return true;
}

/* The pairs, NULL: only how many there are; counting stops beyond COMPLIANT_PAIRS. */
static int list_pairs(const compliant_system *s, double transition, compliant_pair *pairs) {
    int count = 0;
    for (int b = 0; b < s->nspheres && count <= COMPLIANT_PAIRS; b++) {
        const compliant_sphere *B = &s->spheres[b];
        for (int p = 0; p < s->nplanes && anchor(s->tree, B->link) != IMP_GROUND; p++, count++)
            if (pairs)
                pairs[count] = (compliant_pair){
                    p, -1, b,
                    compliant_law_of(&s->planes[p].material, &B->material, B->radius, transition)};
        for (int a = 0; a < b && count <= COMPLIANT_PAIRS; a++) {
            const compliant_sphere *A = &s->spheres[a];
            if (!may_touch(s->tree, A->link, B->link)) continue;
            const double radius = A->radius * B->radius / (A->radius + B->radius);
            if (pairs)
                pairs[count] = (compliant_pair){
                    -1, a, b, compliant_law_of(&A->material, &B->material, radius, transition)};
            count++;
        }
    }
    return count;
}

imp_status compliant_system_init(compliant_system *system, imp_tree *tree, const double gravity[3],
                                 int nspheres, const compliant_sphere *spheres, int nplanes,
                                 const compliant_plane *planes, double transition) {
    *system = (compliant_system){.tree = tree, .nspheres = nspheres, .nplanes = nplanes};
    memcpy(system->gravity, gravity, sizeof system->gravity);
    system->spheres = calloc((size_t)nspheres + 1, sizeof *spheres);
    system->planes = calloc((size_t)nplanes + 1, sizeof *planes);
    if (!system->spheres || !system->planes) {
        compliant_system_clear(system);
        return IMP_NO_MEMORY;
    }
    if (nspheres) memcpy(system->spheres, spheres, (size_t)nspheres * sizeof *spheres);
    if (nplanes) memcpy(system->planes, planes, (size_t)nplanes * sizeof *planes);
    system->npairs = list_pairs(system, transition, NULL);
    const bool many = system->npairs > COMPLIANT_PAIRS;
    if (!many) system->pairs = calloc((size_t)system->npairs + 1, sizeof *system->pairs);
    if (!system->pairs) {
        compliant_system_clear(system);
        return many ? IMP_BAD_ARGUMENT : IMP_NO_MEMORY;
    }
    list_pairs(system, transition, system->pairs);
    return IMP_OK;
}

void compliant_system_clear(compliant_system *system) {
    free(system->spheres);
    free(system->planes);
    free(system->pairs);
    *system = (compliant_system){0};
}

/* t->turn: the normal's turning, which is that of the line of centres, and the mean spin about it.
 * A plane's normal stands still. */
static void turn_of(const compliant_system *system, const compliant_pair *p, compliant_touch *t) {
    const int links[2] = {p->plane >= 0 ? IMP_GROUND : system->spheres[p->a].link,
                          system->spheres[p->b].link};
    double spin = 0, centre[2][3] = {{0}}, velocity[2][3] = {{0}}, apart[3], moving[3];
    for (int side = 0; side < 2; side++) {
        if (links[side] == IMP_GROUND) continue;
        spin += 0.5 * dot3(imp_tree_state(system->tree, links[side])->spin, t->normal);
    }
    for (int side = 0; side < 2 && p->plane < 0; side++) {
        const compliant_sphere *s = &system->spheres[side ? p->b : p->a];
        imp_tree_point(system->tree, s->link, s->centre, centre[side]);
        imp_tree_point_velocity(system->tree, s->link, centre[side], velocity[side]);
    }
    sub3(centre[1], centre[0], apart);
    sub3(velocity[1], velocity[0], moving);
    cross3(apart, moving, t->turn);
    const double square = dot3(apart, apart);
    for (int k = 0; k < 3; k++)
        t->turn[k] = (square > 0 ? t->turn[k] / square : 0) + spin * t->normal[k];
}

compliant_touch compliant_look(const compliant_system *system, int pair) {
    const compliant_pair *p = &system->pairs[pair];
    const compliant_sphere *B = &system->spheres[p->b];
    compliant_touch t;
    double b[3], va[3] = {0}, vb[3];
    imp_tree_point(system->tree, B->link, B->centre, b);
    if (p->plane >= 0) {
        const compliant_plane *A = &system->planes[p->plane];
        double arm[3];
        sub3(b, A->point, arm);
        memcpy(t.normal, A->normal, sizeof t.normal);
        const double height = dot3(arm, t.normal);
        t.depth = B->radius - height;
        memcpy(t.point, b, sizeof b);
        add3(-height - p->law.share * t.depth, t.normal, t.point);
    } else {
        const compliant_sphere *A = &system->spheres[p->a];
        double a[3], apart[3];
        imp_tree_point(system->tree, A->link, A->centre, a);
        sub3(b, a, apart);
        const double distance = norm3(apart);
        for (int k = 0; k < 3; k++)
            t.normal[k] = distance > 0 ? apart[k] / distance : k == 2;
        t.depth = A->radius + B->radius - distance;
        memcpy(t.point, a, sizeof a);
        add3(A->radius - p->law.share * t.depth, t.normal, t.point);
        imp_tree_point_velocity(system->tree, A->link, t.point, va);
    }
    imp_tree_point_velocity(system->tree, B->link, t.point, vb);
    sub3(vb, va, t.slip);
    t.rate = -dot3(t.normal, t.slip);
    add3(t.rate, t.normal, t.slip);
    if (p->law.give > 0)
        turn_of(system, p, &t);
    else
        memset(t.turn, 0, sizeof t.turn);
    return t;
}

imp_contact compliant_contact(const compliant_system *system, int pair,
                              const compliant_touch *touch) {
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    const compliant_pair *p = &system->pairs[pair];
    imp_contact c = {.a = p->plane >= 0 ? IMP_GROUND : system->spheres[p->a].link,
                     .b = system->spheres[p->b].link};
    memcpy(c.point, touch->point, sizeof c.point);
    imp_frame_from_tangent(touch->normal, fabs(touch->normal[0]) < 0.9 ? x : y, c.frame);
    return c;
}

void compliant_force(const compliant_law *law, const compliant_touch *touch, double force[3],
                     double *normal) {
    const double n = compliant_normal(law, touch->depth, touch->rate);
    const double speed = norm3(touch->slip);
    for (int k = 0; k < 3; k++)
        force[k] = n * touch->normal[k];
    if (speed > 0 && n > 0) add3(-n * compliant_friction(law, speed) / speed, touch->slip, force);
    if (normal) *normal = n;
}
