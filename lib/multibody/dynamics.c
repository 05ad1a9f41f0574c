/* dynamics.c - the equations of motion of a tree: composite rigid bodies and recursive Newton-Euler
 * (Featherstone 2008, sections 5.3 and 6.2), with moments about centres of mass.
 */
#include "multibody/tree_internal.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <string.h>

/* The part along degree of freedom `dof` of a link that is not free, of a force that acts at a
 * point, with a couple. */
static double project(const imp_tree *tree, int dof, const double point[3], const double force[3],
                      const double couple[3]) {
    const imp_link *l = &tree->link[tree->link_of[dof]];
    const imp_link_state *s = &tree->state[tree->link_of[dof]];
    if (l->joint == IMP_PRISMATIC) return dot3(s->axis, force);
    double arm[3], moment[3];
    sub3(point, s->origin, arm);
    cross3(arm, force, moment);
    add3(1, couple, moment);
    return dot3(s->axis, moment);
}

/* tau (6) += the parts of a force and a couple along the degrees of freedom of a free link. */
static void project_free(const imp_link_state *s, const double point[3], const double force[3],
                         const double couple[3], double tau[6]) {
    double arm[3], moment[3];
    sub3(point, s->origin, arm);
    cross3(arm, force, moment);
    add3(1, couple, moment);
    add3(1, force, tau);
    add3(1, moment, tau + 3);
}

/* tau += the parts of a force and a couple along all degrees of freedom from `dof` to the ground;
 * tau begins with number `first`. */
static void project_all(const imp_tree *tree, int dof, const double point[3], const double force[3],
                        const double couple[3], int first, double *tau) {
    for (int j = dof; j >= 0; j = tree->before[j]) {
        const imp_link *l = &tree->link[tree->link_of[j]];
        if (l->joint == IMP_FREE) { /* it hangs on the ground */
            project_free(&tree->state[tree->link_of[j]], point, force, couple,
                         tau + l->v_at - first);
            return;
        }
        tau[j - first] += project(tree, j, point, force, couple);
    }
}

double imp_tree_kinetic(const imp_tree *tree) {
    double energy = 0;
    for (int i = 0; i < tree->nl; i++) {
        const imp_link_state *s = &tree->state[i];
        double v[3], momentum[3];
        imp_tree_point_velocity(tree, i, s->com, v);
        apply3(s->inertia, s->spin, momentum);
        energy += 0.5 * tree->link[i].mass * dot3(v, v) + 0.5 * dot3(s->spin, momentum);
    }
    return energy;
}

double imp_tree_potential(const imp_tree *tree, const double gravity[3]) {
    double energy = 0;
    for (int i = 0; i < tree->nl; i++)
        energy -= tree->link[i].mass * dot3(gravity, tree->state[i].com);
    return energy;
}

/* Momentum of all that a link carries when its joint has unit rate: linear, and angular about the
 * composite's centre.
 */
static void momentum(const imp_tree *tree, int i, double linear[3], double angular[3]) {
    const imp_link_state *s = &tree->state[i];
    const carried *body = &tree->carried[i];
    const bool slides = tree->link[i].joint == IMP_PRISMATIC;
    double arm[3], velocity[3];
    sub3(body->centre, s->origin, arm);
    cross3(s->axis, arm, velocity);
    for (int x = 0; x < 3; x++)
        linear[x] = body->mass * (slides ? s->axis[x] : velocity[x]);
    if (slides)
        memset(angular, 0, 3 * sizeof *angular);
    else
        apply3(body->inertia, s->axis, angular);
}

/* H of a free link's own six degrees of freedom: with its centre at c from the origin, m E,
 * -m [c x] and I + m (c'c E - c c'). */
static void fill_free(const imp_tree *tree, int i, double *H, size_t stride) {
    const carried *body = &tree->carried[i];
    const double m = body->mass;
    double c[3];
    sub3(body->centre, tree->state[i].origin, c);
    const double square = dot3(c, c), across[9] = {0,        m * c[2], -m * c[1], -m * c[2], 0,
                                                   m * c[0], m * c[1], -m * c[0], 0};
    for (size_t r = 0; r < 3; r++) {
        double *linear = H + r * stride, *angular = H + (3 + r) * stride;
        for (size_t k = 0; k < 3; k++) {
            linear[k] = r == k ? m : 0;
            linear[3 + k] = across[3 * r + k];
            angular[k] = across[3 * k + r];
            angular[3 + k] = body->inertia[3 * r + k] + m * ((r == k ? square : 0) - c[r] * c[k]);
        }
    }
}

/* That of a free link alone that turns about its own centre: m E and I. */
static void fill_centred(double mass, const imp_link_state *s, double *H, size_t stride) {
    for (size_t r = 0; r < 3; r++) {
        double *linear = H + r * stride, *angular = H + (3 + r) * stride;
        for (size_t k = 0; k < 3; k++) {
            linear[k] = r == k ? mass : 0;
            linear[3 + k] = angular[k] = 0;
            angular[3 + k] = s->inertia[3 * r + k];
        }
    }
}

void imp_tree_part_mass(imp_tree *tree, int part, double *H, size_t stride) {
    const imp_tree_part own = tree->part[part];
    if (tree->centred[part]) {
        fill_centred(tree->link[own.link].mass, &tree->state[own.link], H, stride);
        return;
    }
    for (int i = own.link; i < own.link_end; i++) {
        carried *c = &tree->carried[i];
        c->mass = tree->link[i].mass;
        memcpy(c->centre, tree->state[i].com, sizeof c->centre);
        memcpy(c->inertia, tree->state[i].inertia, sizeof c->inertia);
    }
    for (int i = own.link_end - 1; i >= own.link; i--)
        if (tree->link[i].parent != IMP_GROUND)
            imp_tree_merge(&tree->carried[i], &tree->carried[tree->link[i].parent]);
    const size_t n = (size_t)(own.v_end - own.v);
    const bool all = own.link_end - own.link == 1 && tree->link[own.link].joint == IMP_FREE;
    for (size_t k = 0; !all && k < n; k++) /* a free link alone has no zeros between links */
        memset(H + k * stride, 0, n * sizeof *H);
    for (int i = own.link; i < own.link_end; i++) {
        const size_t k = (size_t)(tree->link[i].v_at - own.v);
        double linear[3], angular[3];
        if (tree->link[i].joint == IMP_FREE) fill_free(tree, i, H + k * stride + k, stride);
        if (tree->link[i].joint == IMP_FREE || tree->link[i].joint == IMP_WELD) continue;
        momentum(tree, i, linear, angular);
        project_all(tree, tree->link[i].v_at, tree->carried[i].centre, linear, angular, own.v,
                    H + k * stride);
        for (size_t j = 0; j < k; j++)
            H[j * stride + k] = H[k * stride + j];
    }
}

void imp_tree_mass_matrix(imp_tree *tree, double *H) {
    const size_t nv = (size_t)tree->nv;
    if (tree->parts > 1) memset(H, 0, nv * nv * sizeof *H); /* what is between parts */
    for (int k = 0; k < tree->parts; k++)
        imp_tree_part_mass(tree, k, H + (size_t)tree->part[k].v * (nv + 1), nv);
}

/* Accelerations of link i from its parent's, and the force and torque that its own mass asks
 * for. */
static void accelerate(imp_tree *tree, int i, const double gravity[3], const double *rate) {
    const imp_link *l = &tree->link[i];
    const imp_link_state *s = &tree->state[i];
    carried *c = &tree->carried[i];
    for (int k = 0; k < 3; k++) { /* the ground falls upwards, which is gravity */
        c->acceleration[k] = -gravity[k];
        c->spin_rate[k] = 0;
    }
    if (l->joint == IMP_FREE && rate) {
        add3(1, rate + l->v_at, c->acceleration);
        add3(1, rate + l->v_at + 3, c->spin_rate);
    } else if (l->parent != IMP_GROUND) {
        const carried *p = &tree->carried[l->parent];
        const imp_link_state *ps = &tree->state[l->parent];
        double arm[3], turn[3];
        memcpy(c->acceleration, p->acceleration, sizeof c->acceleration);
        memcpy(c->spin_rate, p->spin_rate, sizeof c->spin_rate);
        sub3(s->origin, ps->origin, arm);
        cross3(ps->spin, arm, turn);
        add_cross3(p->spin_rate, arm, c->acceleration);
        add_cross3(ps->spin, turn, c->acceleration);
    }
    if (l->joint == IMP_REVOLUTE) {
        double turn[3];
        cross3(s->spin, s->axis, turn); /* = parent's spin x axis */
        add3(tree->v[l->v_at], turn, c->spin_rate);
        if (rate) add3(rate[l->v_at], s->axis, c->spin_rate);
    } else if (l->joint == IMP_PRISMATIC) {
        double turn[3];
        cross3(s->spin, s->axis, turn);
        add3(2 * tree->v[l->v_at], turn, c->acceleration);
        if (rate) add3(rate[l->v_at], s->axis, c->acceleration);
    }
    double arm[3] = {0}, turn[3], spin_momentum[3];
    const bool apart = !imp_origin(l->com);
    memcpy(c->force, c->acceleration, sizeof c->force);
    if (apart) {
        sub3(s->com, s->origin, arm);
        cross3(s->spin, arm, turn);
        add_cross3(c->spin_rate, arm, c->force);
        add_cross3(s->spin, turn, c->force);
    }
    for (int k = 0; k < 3; k++)
        c->force[k] *= l->mass;
    apply3(s->inertia, c->spin_rate, c->torque);
    apply3(s->inertia, s->spin, spin_momentum);
    add_cross3(s->spin, spin_momentum, c->torque);
    if (apart) add_cross3(arm, c->force, c->torque);
}

static void inverse_dynamics(imp_tree *tree, imp_tree_part part, const double gravity[3],
                             const double *rate, double *tau) {
    for (int i = part.link; i < part.link_end; i++)
        accelerate(tree, i, gravity, rate);
    for (int i = part.link_end - 1; i >= part.link; i--) {
        const imp_link *l = &tree->link[i];
        const carried *c = &tree->carried[i];
        if (l->joint == IMP_REVOLUTE) tau[l->v_at] = dot3(tree->state[i].axis, c->torque);
        if (l->joint == IMP_PRISMATIC) tau[l->v_at] = dot3(tree->state[i].axis, c->force);
        if (l->joint == IMP_FREE) {
            memcpy(tau + l->v_at, c->force, sizeof c->force);
            memcpy(tau + l->v_at + 3, c->torque, sizeof c->torque);
        }
        if (l->parent == IMP_GROUND) continue;
        carried *p = &tree->carried[l->parent];
        double arm[3];
        sub3(tree->state[i].origin, tree->state[l->parent].origin, arm);
        add3(1, c->force, p->force);
        add3(1, c->torque, p->torque);
        add_cross3(arm, c->force, p->torque);
    }
}

void imp_tree_inverse_dynamics(imp_tree *tree, const double gravity[3], const double *rate,
                               double *tau) {
    inverse_dynamics(tree, imp_tree_whole(tree), gravity, rate, tau);
}

void imp_tree_point_acceleration(const imp_tree *tree, int link, const double world[3],
                                 double acceleration[3]) {
    double arm[3], turn[3];
    memset(acceleration, 0, 3 * sizeof *acceleration);
    if (link == IMP_GROUND) return;
    const imp_link_state *s = &tree->state[link];
    const carried *c = &tree->carried[link];
    sub3(world, s->origin, arm);
    cross3(s->spin, arm, turn);
    memcpy(acceleration, c->acceleration, sizeof c->acceleration);
    add_cross3(c->spin_rate, arm, acceleration);
    add_cross3(s->spin, turn, acceleration);
}

void imp_tree_part_inverse_dynamics(imp_tree *tree, int part, const double gravity[3],
                                    const double *rate, double *tau) {
    inverse_dynamics(tree, tree->part[part], gravity, rate, tau);
}

void imp_tree_push(const imp_tree *tree, int link, const double world[3], const double force[3],
                   double *tau) {
    static const double none[3];
    if (link != IMP_GROUND && tree->link[link].joint == IMP_FREE)
        project_free(&tree->state[link], world, force, none, tau + tree->link[link].v_at);
    else
        project_all(tree, imp_tree_last_dof(tree, link), world, force, none, 0, tau);
}

void imp_tree_twist(const imp_tree *tree, int link, const double couple[3], double *tau) {
    static const double none[3];
    if (link == IMP_GROUND) return;
    project_all(tree, imp_tree_last_dof(tree, link), imp_tree_state(tree, link)->origin, none,
                couple, 0, tau);
}
