/* speeds.c - how fast the bodies of a scene move, each beside those that it is coupled with. */
#include "scene/speeds.h"

#include "base/vec3.h"

/* m/s: the faster of a ball's centre and of its surface about it. */
static double ball_speed(const imp_tree *tree, const compliant_sphere *ball) {
    double centre[3], v[3];
    imp_tree_point(tree, ball->link, ball->centre, centre);
    imp_tree_point_velocity(tree, ball->link, centre, v);
    return fmax(norm3(v), norm3(imp_tree_state(tree, ball->link)->spin) * ball->radius);
}

double scene_speed(const scene *s) {
    double fastest = 0;
    for (int i = 0; i < imp_tree_links(s->tree); i++)
        fastest = fmax(fastest, norm3(imp_tree_state(s->tree, i)->velocity));
    for (int i = 0; i < s->system.nspheres; i++) {
        const compliant_sphere *ball = &s->system.spheres[i];
        if (ball->link != IMP_GROUND) fastest = fmax(fastest, ball_speed(s->tree, ball));
    }
    return fastest;
}

void scene_speeds(const scene *s, double *speed) {
    for (int i = 0; i < imp_tree_links(s->tree); i++)
        speed[i] = norm3(imp_tree_state(s->tree, i)->velocity);
    for (int i = 0; i < s->system.nspheres; i++) {
        const compliant_sphere *ball = &s->system.spheres[i];
        if (ball->link == IMP_GROUND) continue;
        speed[ball->link] = fmax(speed[ball->link], ball_speed(s->tree, ball));
    }
}

/* Not welded to the ground. */
static bool moves(const imp_tree *tree, int link) {
    while (link != IMP_GROUND && imp_tree_link(tree, link)->joint == IMP_WELD)
        link = imp_tree_link(tree, link)->parent;
    return link != IMP_GROUND;
}

/* Gives both the larger. Was one smaller? */
static bool level(const imp_tree *tree, int a, int b, double *of) {
    if (!moves(tree, a) || !moves(tree, b)) return false;
    const double least = fmin(of[a], of[b]), most = fmax(of[a], of[b]);
    if (!(least < most)) return false; /* or not a number */
    of[a] = of[b] = most;
    return true;
}

void scene_couple(const scene *s, int nc, const imp_contact *contact, double *of) {
    const int loops = s->loops ? imp_loops_count(s->loops) : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < imp_tree_links(s->tree); i++)
            changed = level(s->tree, imp_tree_link(s->tree, i)->parent, i, of) || changed;
        for (int i = 0; i < loops; i++) {
            const imp_loop *l = imp_loops_at(s->loops, i);
            changed = level(s->tree, l->a, l->b, of) || changed;
        }
        for (int i = 0; i < nc; i++)
            changed = level(s->tree, contact[i].a, contact[i].b, of) || changed;
    }
}
