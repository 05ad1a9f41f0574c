/* loop_subject.h - a tree with joints that close loops, and random ones, for their tests. */
#ifndef LOOP_SUBJECT_H
#define LOOP_SUBJECT_H

#include "base/vec3.h"
#include "generators/gen_tree.h"
#include "impact.h"
#include "tap.h"

enum { MOST = 96, CONTACTS = 3, LOOPS = 8 };

/* At a place and a motion that keep the loops. */
typedef struct closed {
    imp_tree *tree;
    imp_loops *loops;
    double q[MOST], v[MOST];
} closed;

static inline void release(closed *c) {
    imp_loops_free(c->loops);
    imp_tree_free(c->tree);
}

/* A random forest on a free body with a joint that closes a loop; k says of which kind. */
static inline bool draw(uint64_t k, closed *c) {
    gen_stream s = gen_seed(1801, k);
    imp_loop loop;
    double point[3], axis[3];
    *c = (closed){.tree = gen_tree(&s, true)};
    gen_tree_state(&s, c->tree, c->q, c->v);
    imp_tree_place(c->tree, c->q, c->v);
    gen_unit(&s, axis, 3);
    for (int i = 0; i < 3; i++)
        point[i] = gen_uniform(&s, -1, 1);
    /* the ends of two branches, or one and the ground */
    const bool ground = k / 5 % 2;
    imp_status status = imp_loop_of(c->tree, (imp_loop_kind)(k % 5), ground ? IMP_GROUND : 5, 7,
                                    point, NULL, axis, 0.3, &loop);
    if (status == IMP_OK) c->loops = imp_loops_new(c->tree, 1, &loop);
    status = c->loops ? imp_loops_project(c->loops, c->q, c->v, NULL) : IMP_NO_MEMORY;
    if (status == IMP_OK) return true;
    release(c);
    return false;
}

/* What a joint misses, from the placed tree by the meaning of its kind; of rolling the slip. Up to
 * 7 numbers, all zero where it holds; the turn of a joint with one axis is that of the axis. */
static inline int missed(const closed *c, double *miss) {
    const imp_loop *l = imp_loops_at(c->loops, 0);
    double point[2][3], axis[2][9];
    for (int side = 0; side < 2; side++) {
        const int link = side ? l->b : l->a;
        imp_tree_point(c->tree, link, l->at[side], point[side]);
        memcpy(axis[side], l->axes[side], sizeof axis[side]);
        for (int i = 0; link != IMP_GROUND && i < 3; i++)
            apply3(imp_tree_state(c->tree, link)->rotation, l->axes[side] + 3 * i,
                   axis[side] + 3 * i);
    }
    double way[3], n = 0;
    int count = 0;
    sub3(point[1], point[0], way);
    if (l->kind == IMP_LOOP_SLIDER) n = dot3(way, axis[0]);
    if (l->kind == IMP_LOOP_ROLLING) {
        double v[2][3];
        add3(-l->radius, axis[0], point[1]);
        for (int side = 0; side < 2; side++)
            imp_tree_point_velocity(c->tree, side ? l->b : l->a, point[1], v[side]);
        sub3(v[1], v[0], way);
        n = dot3(way, axis[0]);
    }
    for (int i = 0; i < 3; i++)
        miss[count++] = way[i] - n * axis[0][i];
    if (l->kind == IMP_LOOP_BALL || l->kind == IMP_LOOP_ROLLING) return count;
    for (int j = 0; j < (l->kind == IMP_LOOP_REVOLUTE ? 1 : 2); j++)
        for (int i = 0; i < 3; i++)
            miss[count++] = axis[1][3 * j + i] - axis[0][3 * j + i];
    return count;
}

static inline void draw_contacts(gen_stream *s, int links, imp_contact *contact) {
    for (int i = 0; i < CONTACTS; i++) {
        contact[i] = (imp_contact){.a = i ? i : IMP_GROUND, .b = links - 1 - i};
        gen_rotation(s, contact[i].frame);
        for (int k = 0; k < 3; k++)
            contact[i].point[k] = gen_uniform(s, -2, 2);
    }
}

/* The same mechanism where it stands in free bodies: each joint of the tree is a loop, or the
 * ground's. */
static inline bool loosen(const imp_tree *tree, closed *c) {
    imp_link link[LOOPS];
    imp_loop loop[LOOPS];
    const int links = imp_tree_links(tree);
    int loops = 0;
    imp_status status = IMP_OK;
    for (int i = 0; i < links; i++) {
        link[i] = *imp_tree_link(tree, i);
        link[i].joint = IMP_FREE;
        link[i].parent = IMP_GROUND;
    }
    *c = (closed){.tree = imp_tree_new(links, link, NULL)};
    for (int i = 0; i < links; i++) {
        const imp_link_state *s = imp_tree_state(tree, i);
        double *q = c->q + 7 * i, *v = c->v + 6 * i;
        memcpy(q, s->origin, sizeof s->origin);
        quaternion3(s->rotation, q + 3);
        memcpy(v, s->velocity, sizeof s->velocity);
        memcpy(v + 3, s->spin, sizeof s->spin);
    }
    imp_tree_place(c->tree, c->q, c->v);
    for (int i = 0; i < links && status == IMP_OK; i++) {
        static const imp_loop_kind kinds[] = {[IMP_WELD] = IMP_LOOP_WELD,
                                              [IMP_REVOLUTE] = IMP_LOOP_REVOLUTE,
                                              [IMP_PRISMATIC] = IMP_LOOP_SLIDER};
        const imp_link *l = imp_tree_link(tree, i);
        if (l->joint == IMP_FREE) continue;
        double point[3], axis[3];
        apply3_transposed(imp_tree_state(tree, i)->rotation, imp_tree_state(tree, i)->axis, axis);
        memset(point, 0, sizeof point);
        /* told from the link's side, as the joint's other side is where it is */
        status = imp_loop_of(c->tree, kinds[l->joint], i, l->parent, point, NULL, axis, 0,
                             &loop[loops++]);
    }
    c->loops = imp_loops_new(c->tree, loops, loop);
    imp_tree_factor(c->tree);
    return status == IMP_OK && imp_loops_factor(c->loops) == IMP_OK;
}

#endif
