/* tree_bodies.c - links that are one rigid body. */
#include "base/vec3.h"
#include "multibody/tree_internal.h"

#include <string.h>

void imp_tree_merge(const carried *part, carried *body) {
    const double mass = body->mass + part->mass;
    if (mass > 0) {
        const double reduced = body->mass * part->mass / mass;
        double d[3];
        sub3(part->centre, body->centre, d);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                body->inertia[3 * i + j] += reduced * ((i == j ? dot3(d, d) : 0) - d[i] * d[j]);
        add3(part->mass / mass, d, body->centre);
    }
    for (int i = 0; i < 9; i++)
        body->inertia[i] += part->inertia[i];
    body->mass = mass;
}

/* What a link carries, from its frame to its parent's. */
static void to_parent(const imp_link *l, carried *c) {
    double R[9], centre[3], inertia[9];
    rotation3(l->turn, R);
    apply3(R, c->centre, centre);
    congruent3(R, c->inertia, inertia);
    memcpy(c->centre, centre, sizeof centre);
    add3(1, l->offset, c->centre);
    memcpy(c->inertia, inertia, sizeof inertia);
}

/* trace and shape of a body from its inertia. */
static void find_shape(imp_free_body *body) {
    body->trace = body->inertia[0] + body->inertia[4] + body->inertia[8];
    for (int k = 0; k < 9; k++)
        body->shape.A[k] = body->inertia[k] / body->trace;
    imp_solver3_prepare(&body->shape);
}

void imp_tree_find_bodies(imp_tree *tree) {
    for (int i = 0; i < tree->nl; i++) { /* in the frames of the links */
        const imp_link *l = &tree->link[i];
        tree->carried[i].mass = l->mass;
        memcpy(tree->carried[i].centre, l->com, sizeof l->com);
        memcpy(tree->carried[i].inertia, l->inertia, sizeof l->inertia);
        tree->alone[i] = true; /* nothing moves against it */
    }
    for (int i = tree->nl - 1; i >= 0; i--) {
        const imp_link *l = &tree->link[i];
        if (l->parent == IMP_GROUND) continue;
        if (l->joint != IMP_WELD || !tree->alone[i]) tree->alone[l->parent] = false;
        if (l->joint != IMP_WELD) continue;
        to_parent(l, &tree->carried[i]);
        imp_tree_merge(&tree->carried[i], &tree->carried[l->parent]);
    }
    for (int i = 0; i < tree->nl; i++) {
        const imp_link *l = &tree->link[i];
        const carried *c = &tree->carried[i];
        tree->alone[i] = tree->alone[i] && l->joint == IMP_FREE;
        if (!tree->alone[i]) {
            const bool moves = l->joint != IMP_WELD;
            tree->swings[tree->part_of[i]] = tree->swings[tree->part_of[i]] || moves;
            tree->jointed = tree->jointed || moves;
            continue;
        }
        imp_free_body *body = &tree->body[tree->bodies++];
        body->link = i;
        body->mass = c->mass;
        body->centred = imp_origin(c->centre);
        body->own = memcmp(c->inertia, l->inertia, sizeof c->inertia) == 0;
        body->round = imp_round(c->inertia);
        memcpy(body->com, c->centre, sizeof body->com);
        memcpy(body->inertia, c->inertia, sizeof body->inertia);
        find_shape(body);
    }
}

void imp_tree_hold(imp_tree *tree, int link) {
    while (tree->link[link].parent != IMP_GROUND)
        link = tree->link[link].parent;
    for (int i = 0; i < tree->bodies; i++)
        tree->body[i].held = tree->body[i].held || tree->body[i].link == link;
}
