/* swing.c - a time step of links that hang on each other: their momenta go on, not their
 * velocities.
 *
 * With L(q, v) the kinetic energy, and a free attitude R moved by exp(h w), the sum of h L(q_k,
 * v_k) over steps q_k+1 = q_k + h v_k is stationary. Of joints that is H v* = p + h dL/dq (q, v*),
 * which is the momentum p at the next place (symplectic Euler); dL/dq of a joint is the rate of its
 * twist S against the momentum of what it carries. Of a free link's spin it is dexp^-1(h w)' L* = L
 * + h P x v*, L the angular momentum about its origin. What contacts and joints add to p makes v+
 * of v* by H alone; the rest of h dL/dq (q, v+) goes to the momenta at the end. So the energy
 * wanders by the order of h but does not drift, and the linear and angular momentum of a mechanism
 * that floats change by impulses from outside alone, to rounding. Marsden, West (2001), "Discrete
 * mechanics and variational integrators"; Bou-Rabee, Marsden (2009), "Hamilton-Pontryagin
 * integrators on Lie groups". */
#include "base/vec3.h"
#include "multibody/tree_internal.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 100 };
/* Share of v'H v, the square of that of v. */
static const double ROUNDING = 1e-26;

/* (nv) What turning() adds at v*, from imp_tree_swing to imp_tree_swing_leave. */
static double *turns_of(const imp_tree *tree) {
    return tree->momentum + 4 * (size_t)tree->nv;
}

/* Velocities of the links of a part by v (nv), and their momenta with all they carry. */
static void carry(imp_tree *tree, imp_tree_part part, const double *v) {
    static const carried ground;
    for (int i = part.link; i < part.link_end; i++) {
        const imp_link *l = &tree->link[i];
        const imp_link_state *s = &tree->state[i];
        const carried *p = l->parent == IMP_GROUND ? &ground : &tree->carried[l->parent];
        carried *c = &tree->carried[i];
        double arm[3] = {0}, rate[3];
        if (l->parent != IMP_GROUND) sub3(s->origin, tree->state[l->parent].origin, arm);
        memcpy(c->velocity, p->velocity, sizeof c->velocity);
        memcpy(c->spin, p->spin, sizeof c->spin);
        add_cross3(p->spin, arm, c->velocity);
        if (l->joint == IMP_REVOLUTE) add3(v[l->v_at], s->axis, c->spin);
        if (l->joint == IMP_PRISMATIC) add3(v[l->v_at], s->axis, c->velocity);
        if (l->joint == IMP_FREE) {
            memcpy(c->velocity, v + l->v_at, sizeof c->velocity);
            memcpy(c->spin, v + l->v_at + 3, sizeof c->spin);
        }
        memcpy(rate, c->velocity, sizeof rate);
        sub3(s->com, s->origin, arm);
        add_cross3(c->spin, arm, rate);
        for (int k = 0; k < 3; k++)
            c->linear[k] = l->mass * rate[k];
        apply3(s->inertia, c->spin, c->angular);
        add_cross3(arm, c->linear, c->angular);
    }
    for (int i = part.link_end - 1; i >= part.link; i--) {
        const int parent = tree->link[i].parent;
        if (parent == IMP_GROUND) continue;
        double arm[3];
        sub3(tree->state[i].origin, tree->state[parent].origin, arm);
        add3(1, tree->carried[i].linear, tree->carried[parent].linear);
        add3(1, tree->carried[i].angular, tree->carried[parent].angular);
        add_cross3(arm, tree->carried[i].linear, tree->carried[parent].angular);
    }
}

/* change <- dexp^-1(x)' L - L of x = h w: the momentum L seen half a turn on. */
static void half_turn(double h, const double spin[3], const double L[3], double change[3]) {
    const double x[3] = {h * spin[0], h * spin[1], h * spin[2]}, angle = norm3(x), half = angle / 2;
    /* (1 - half cot half) / angle^2; 1/12 to an error of angle^2 / 720 */
    const double square = angle > 1e-6 ? (1 - half / tan(half)) / (angle * angle) : 1. / 12;
    double twice[3];
    cross3(x, L, change);
    cross3(x, change, twice);
    for (int k = 0; k < 3; k++)
        change[k] = change[k] / 2 + square * twice[k];
}

/* p (nv) <- H v of what a part carries. */
static void momenta(const imp_tree *tree, imp_tree_part part, double *p) {
    for (int i = part.link; i < part.link_end; i++) {
        const imp_link *l = &tree->link[i];
        const carried *c = &tree->carried[i];
        if (l->joint == IMP_REVOLUTE) p[l->v_at] = dot3(tree->state[i].axis, c->angular);
        if (l->joint == IMP_PRISMATIC) p[l->v_at] = dot3(tree->state[i].axis, c->linear);
        if (l->joint != IMP_FREE) continue;
        memcpy(p + l->v_at, c->linear, sizeof c->linear);
        memcpy(p + l->v_at + 3, c->angular, sizeof c->angular);
    }
}

/* p (nv) += h times the rates of the momenta at constant v less those of the bias; of free spins
 * less what a half turn makes of them. */
static void turning(const imp_tree *tree, imp_tree_part part, double h, double *p) {
    for (int i = part.link; i < part.link_end; i++) {
        const imp_link *l = &tree->link[i];
        const imp_link_state *s = &tree->state[i];
        const carried *c = &tree->carried[i];
        double axis[3], moment[3], change[3];
        cross3(c->spin, s->axis, axis); /* its rate */
        cross3(c->velocity, c->linear, moment);
        if (l->joint == IMP_REVOLUTE)
            p[l->v_at] += h * (dot3(axis, c->angular) - dot3(s->axis, moment));
        if (l->joint == IMP_PRISMATIC) p[l->v_at] += h * dot3(axis, c->linear);
        if (l->joint != IMP_FREE) continue;
        half_turn(h, c->spin, c->angular, change);
        add3(-h, moment, p + l->v_at + 3);
        add3(-1, change, p + l->v_at + 3);
    }
}

/* change (nv) <- what turning() adds, with the velocities v. */
static void turned(imp_tree *tree, imp_tree_part part, double h, const double *v, double *change) {
    memset(change + part.v, 0, (size_t)(part.v_end - part.v) * sizeof *change);
    carry(tree, part, v);
    turning(tree, part, h, change);
}

/* v <- v* of a part, on entry a guess; p (nv): its momenta before, with the impulses of the forces;
 * work (2 nv). false: not found. */
static bool solve(imp_tree *tree, int number, double h, const double *p, double *v, double *work) {
    const imp_tree_part part = tree->part[number];
    const int first = part.v;
    const size_t bytes = (size_t)(part.v_end - part.v) * sizeof *p;
    double *rest = work, *step = work + tree->nv, last = INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
        double error = 0, energy = 0; /* of the step, and of v: both as v'H v */
        carry(tree, part, v);
        momenta(tree, part, step);
        memcpy(rest + first, p + first, bytes);
        turning(tree, part, h, rest);
        for (int i = first; i < part.v_end; i++) {
            energy += v[i] * step[i];
            rest[i] = tree->alone[tree->link_of[i]] ? 0 : rest[i] - step[i];
        }
        memcpy(step + first, rest + first, bytes);
        imp_tree_part_solve(tree, number, step);
        for (int i = first; i < part.v_end; i++) {
            error += step[i] * rest[i];
            v[i] += step[i];
        }
        if (error <= ROUNDING * energy) return true;
        if (!(error <= last / 2)) return false; /* it may tend elsewhere */
        last = error;
    }
    return false;
}

/* v (nv) <- v + sign frame, of the free links of a part. */
static void against_frame(const imp_tree *tree, imp_tree_part part, double sign, double *v) {
    for (int i = part.link; i < part.link_end; i++)
        if (tree->link[i].joint == IMP_FREE)
            add3(sign, tree->carried[i].frame, v + tree->link[i].v_at);
}

/* The frame of each free link of a part: in it all that the link carries has no momentum with v.
 * The rest of the step is then the same however fast the whole goes. */
static void choose_frames(imp_tree *tree, imp_tree_part part, const double *v) {
    carry(tree, part, v);
    for (int i = part.link; i < part.link_end; i++) {
        carried *c = &tree->carried[i];
        for (int k = 0; k < 3 && tree->link[i].joint == IMP_FREE; k++)
            c->frame[k] = c->linear[k] / c->mass;
    }
}

int imp_tree_swing(imp_tree *tree, bool asked, double h, const double gravity[3],
                   const double *force, const double *before, double *after) {
    double *p = tree->momentum, *v = p + tree->nv, *work = v + tree->nv;
    int missing = 0;
    for (int number = 0; number < tree->parts; number++) {
        const imp_tree_part part = tree->part[number];
        const size_t bytes = (size_t)(part.v_end - part.v) * sizeof *v;
        tree->variational[number] = false;
        if (!asked || !tree->swings[number]) continue;
        choose_frames(tree, part, before);
        memcpy(v + part.v, before + part.v, bytes);
        against_frame(tree, part, -1, v);
        carry(tree, part, v);
        momenta(tree, part, p);
        for (int i = part.link; i < part.link_end; i++) {
            const double mass = h * tree->link[i].mass,
                         fall[3] = {mass * gravity[0], mass * gravity[1], mass * gravity[2]};
            imp_tree_push(tree, i, tree->state[i].com, fall, p);
        }
        for (int i = part.v; i < part.v_end; i++)
            p[i] += h * force[i];
        memcpy(v + part.v, after + part.v, bytes);
        against_frame(tree, part, -1, v);
        tree->variational[number] = solve(tree, number, h, p, v, work);
        missing += !tree->variational[number];
        if (!tree->variational[number]) continue;
        turned(tree, part, h, v, turns_of(tree));
        against_frame(tree, part, 1, v);
        memcpy(after + part.v, v + part.v, bytes);
    }
    return missing;
}

void imp_tree_swing_leave(imp_tree *tree, double h, const double *v) {
    double *p = tree->momentum, *work = p + tree->nv, *change = work + tree->nv;
    for (int number = 0; number < tree->parts; number++) {
        const imp_tree_part part = tree->part[number];
        if (!tree->variational[number]) continue;
        memcpy(work + part.v, v + part.v, (size_t)(part.v_end - part.v) * sizeof *work);
        against_frame(tree, part, -1, work);
        turned(tree, part, h, work, change);
        momenta(tree, part, p);
        for (int i = part.v; i < part.v_end; i++)
            p[i] += change[i] - turns_of(tree)[i];
        for (int i = part.link; i < part.link_end; i++) {
            carried *c = &tree->carried[i];
            double half[3];
            if (tree->link[i].joint != IMP_FREE) continue;
            half_turn(h, c->spin, c->angular, half);
            add3(1, half, p + tree->link[i].v_at + 3);
            for (int k = 0; k < 3; k++)
                c->goal[k] = c->centre[k] + h * (c->frame[k] + c->linear[k] / c->mass);
        }
    }
}

imp_status imp_tree_swing_arrive(imp_tree *tree, double *q, double *v) {
    imp_status status = IMP_OK;
    double *p = tree->momentum;
    for (int number = 0; number < tree->parts && status == IMP_OK; number++) {
        const imp_tree_part part = tree->part[number];
        if (!tree->variational[number]) continue;
        imp_tree_part_place(tree, number, q, v);
        status = imp_tree_part_factor(tree, number);
        for (int i = part.link; i < part.link_end; i++) {
            const imp_link *l = &tree->link[i];
            double miss[3], moment[3];
            if (l->joint != IMP_FREE) continue;
            sub3(tree->carried[i].goal, tree->carried[i].centre, miss);
            add3(1, miss, q + l->q_at);
            cross3(miss, p + l->v_at, moment); /* the angular momentum is about the origin */
            add3(-1, moment, p + l->v_at + 3);
        }
        imp_tree_part_solve(tree, number, p);
        against_frame(tree, part, 1, p);
        for (int i = part.v; i < part.v_end; i++)
            if (!tree->alone[tree->link_of[i]]) v[i] = p[i];
    }
    return status;
}
