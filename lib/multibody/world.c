/* world.c - trees side by side: numbering, states, energies. */
#include "multibody/world.h"

#include "base/finite.h"
#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

void imp_world_free(imp_world *world) {
    if (!world) return;
    for (int t = 0; world->tree && t < world->nt; t++)
        imp_tree_free(world->tree[t]);
    free(world->tree);
    free(world->q_at);
    free(world->v_at);
    free(world->tree_of);
    free(world->link_of);
    free(world->carrier);
    free(world->q);
    free(world->v);
    free(world);
}

static bool allocate(imp_world *w) {
    const size_t nt = (size_t)w->nt, nl = (size_t)w->nl;
    w->tree = calloc(nt + 1, sizeof(imp_tree *)); /* NOLINT(bugprone-sizeof-expression) */
    w->q_at = calloc(nt + 1, sizeof *w->q_at);
    w->v_at = calloc(nt + 1, sizeof *w->v_at);
    w->tree_of = calloc(nl + 1, sizeof *w->tree_of);
    w->link_of = calloc(nl + 1, sizeof *w->link_of);
    w->carrier = calloc(nl + 1, sizeof *w->carrier);
    /* one more: a welded last link has a place, too */
    w->q = calloc((size_t)w->nq + 1, sizeof *w->q);
    w->v = calloc((size_t)w->nv + 1, sizeof *w->v);
    return w->tree && w->q_at && w->v_at && w->tree_of && w->link_of && w->carrier && w->q && w->v;
}

imp_world *imp_world_new(int nt, imp_tree *const *trees) {
    imp_world *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    for (int t = 0; t < nt; t++) {
        w->nl += imp_tree_links(trees[t]);
        w->nq += imp_tree_nq(trees[t]);
        w->nv += imp_tree_nv(trees[t]);
    }
    w->nt = nt;
    if (!allocate(w)) {
        imp_world_free(w);
        return NULL;
    }
    for (int t = 0, link = 0; t < nt; t++) {
        w->tree[t] = trees[t];
        w->q_at[t + 1] = w->q_at[t] + imp_tree_nq(trees[t]);
        w->v_at[t + 1] = w->v_at[t] + imp_tree_nv(trees[t]);
        for (int i = 0; i < imp_tree_links(trees[t]); i++, link++) {
            const imp_link *l = imp_tree_link(trees[t], i);
            w->tree_of[link] = t;
            w->link_of[link] = i;
            const int above = l->parent == IMP_GROUND ? IMP_GROUND : link - i + l->parent;
            w->carrier[link] = l->joint != IMP_WELD  ? link
                               : above == IMP_GROUND ? IMP_GROUND
                                                     : w->carrier[above];
            if (l->joint == IMP_FREE) w->q[w->q_at[t] + l->q_at + 3] = 1;
        }
    }
    return w;
}

imp_world *imp_world_of_bodies(int nb, const imp_link *links, const double *position,
                               imp_status *status) {
    imp_status own = IMP_OK;
    imp_world *world = NULL;
    /* NOLINT(bugprone-sizeof-expression) */
    imp_tree **tree = calloc((size_t)nb + 1, sizeof(imp_tree *));
    if (!tree) own = IMP_NO_MEMORY;
    for (int i = 0; i < nb && own == IMP_OK; i++) {
        imp_link link = links[i];
        link.joint = IMP_FREE;
        link.parent = IMP_GROUND;
        tree[i] = imp_tree_new(1, &link, &own);
        if (own == IMP_OK && !imp_all_finite(position + 3 * (size_t)i, 3)) own = IMP_NOT_FINITE;
    }
    if (own == IMP_OK) {
        world = imp_world_new(nb, tree);
        if (!world) own = IMP_NO_MEMORY;
    }
    if (world)
        for (int i = 0; i < nb; i++)
            memcpy(imp_world_q(world, i), position + 3 * (size_t)i, 3 * sizeof *position);
    else
        for (int i = 0; tree && i < nb; i++)
            imp_tree_free(tree[i]);
    free(tree);
    if (status) *status = own;
    return world;
}

void imp_world_place(imp_world *w) {
    for (int t = 0; t < w->nt; t++)
        imp_tree_place(w->tree[t], w->q + w->q_at[t], w->v + w->v_at[t]);
}

static const imp_link *link_of(const imp_world *w, int link) {
    return imp_tree_link(w->tree[w->tree_of[link]], w->link_of[link]);
}

double *imp_world_q(const imp_world *w, int link) {
    return w->q + w->q_at[w->tree_of[link]] + link_of(w, link)->q_at;
}

double *imp_world_v(const imp_world *w, int link) {
    return w->v + w->v_at[w->tree_of[link]] + link_of(w, link)->v_at;
}

bool imp_world_rigid(const imp_world *w, int a, int b) {
    return (a == IMP_GROUND ? a : w->carrier[a]) == (b == IMP_GROUND ? b : w->carrier[b]);
}

const imp_link_state *imp_world_state(const imp_world *w, int link) {
    return imp_tree_state(w->tree[w->tree_of[link]], w->link_of[link]);
}

void imp_world_point(const imp_world *w, int link, const double local[3], double point[3]) {
    if (link == IMP_GROUND)
        memmove(point, local, 3 * sizeof *point);
    else
        imp_tree_point(w->tree[w->tree_of[link]], w->link_of[link], local, point);
}

void imp_world_point_velocity(const imp_world *w, int link, const double point[3],
                              double velocity[3]) {
    if (link == IMP_GROUND)
        memset(velocity, 0, 3 * sizeof *velocity);
    else
        imp_tree_point_velocity(w->tree[w->tree_of[link]], w->link_of[link], point, velocity);
}

void imp_world_direction(const imp_world *w, int link, const double local[3], double direction[3]) {
    if (link == IMP_GROUND)
        memmove(direction, local, 3 * sizeof *direction);
    else
        apply3(imp_world_state(w, link)->rotation, local, direction);
}

double imp_world_kinetic(const imp_world *w) {
    double energy = 0;
    for (int t = 0; t < w->nt; t++)
        energy += imp_tree_kinetic(w->tree[t]);
    return energy;
}

double imp_world_potential(const imp_world *w, const double gravity[3]) {
    double energy = 0;
    for (int t = 0; t < w->nt; t++)
        energy += imp_tree_potential(w->tree[t], gravity);
    return energy;
}
