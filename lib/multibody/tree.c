/* tree.c - links joined in trees: building, placing, moving (Featherstone 2008, chapters 4 and
 * 5). */
#include "multibody/tree_internal.h"
#include "base/finite.h"
#include "base/vec3.h"
#include "contact/delassus_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const int coordinates[] = {
    [IMP_WELD] = 0, [IMP_REVOLUTE] = 1, [IMP_PRISMATIC] = 1, [IMP_FREE] = 7};
static const int freedoms[] = {
    [IMP_WELD] = 0, [IMP_REVOLUTE] = 1, [IMP_PRISMATIC] = 1, [IMP_FREE] = 6};

static bool is_unit(const double *x, int n) {
    double square = 0;
    for (int i = 0; i < n; i++)
        square += x[i] * x[i];
    return fabs(square - 1) <= 2e-6;
}

static imp_status check(int i, const imp_link *l) {
    if (!imp_finite(l->offset) || !imp_finite(l->turn) || !imp_finite(l->axis) ||
        !isfinite(l->mass) || !imp_finite(l->com) || !imp_finite(l->inertia))
        return IMP_NOT_FINITE;
    if ((int)l->joint < IMP_WELD || l->joint > IMP_FREE || l->parent < IMP_GROUND ||
        l->parent >= i || l->mass < 0)
        return IMP_BAD_ARGUMENT;
    const bool hung = l->joint == IMP_FREE
                          ? l->parent == IMP_GROUND
                          : is_unit(l->turn, 4) && (l->joint == IMP_WELD || is_unit(l->axis, 3));
    return hung ? imp_inertia_check(l->inertia) : IMP_BAD_ARGUMENT;
}

int imp_tree_last_dof(const imp_tree *tree, int link) {
    while (link != IMP_GROUND && freedoms[tree->link[link].joint] == 0)
        link = tree->link[link].parent;
    return link == IMP_GROUND ? -1 : tree->link[link].v_at + freedoms[tree->link[link].joint] - 1;
}

static bool is_centred(const imp_tree *tree, imp_tree_part part) {
    const imp_link *l = &tree->link[part.link];
    return part.link_end - part.link == 1 && l->joint == IMP_FREE && imp_origin(l->com);
}

/* Numbers the coordinates; returns the tree's sizes in its own fields. */
static void number(imp_tree *tree) {
    for (int i = 0; i < tree->nl; i++) {
        imp_link *l = &tree->link[i];
        l->q_at = tree->nq;
        l->v_at = tree->nv;
        tree->nq += coordinates[l->joint];
        tree->nv += freedoms[l->joint];
    }
}

/* Cuts the tree into parts: one ends before a link on the ground behind which none hangs on links
 * before it. */
static void cut(imp_tree *tree) {
    for (int i = tree->nl - 1, lowest = tree->nl; i >= 0; i--) { /* part_of: 1 where one begins */
        const imp_link *l = &tree->link[i];
        lowest = l->parent != IMP_GROUND && l->parent < lowest ? l->parent : lowest;
        tree->part_of[i] = l->parent == IMP_GROUND && lowest >= i;
    }
    for (int i = 0; i < tree->nl; i++) {
        const imp_link *l = &tree->link[i];
        if (tree->part_of[i])
            tree->part[tree->parts++] = (imp_tree_part){i, i, l->q_at, 0, l->v_at, 0};
        imp_tree_part *part = &tree->part[tree->parts - 1];
        part->link_end = i + 1;
        part->q_end = l->q_at + coordinates[l->joint];
        part->v_end = l->v_at + freedoms[l->joint];
        tree->part_of[i] = tree->parts - 1;
    }
}

/* Which degrees of freedom H couples, and room for the factors. */
static bool couple(imp_tree *tree) {
    size_t used = 0;
    tree->factor = calloc((size_t)tree->parts + 1, sizeof *tree->factor);
    tree->centred = calloc((size_t)tree->parts + 1, sizeof *tree->centred);
    tree->factored = calloc((size_t)tree->parts + 1, sizeof *tree->factored);
    if (!tree->factor || !tree->centred || !tree->factored) return false;
    for (int k = 0; k < tree->parts; k++) {
        const imp_tree_part part = tree->part[k];
        const size_t n = (size_t)(part.v_end - part.v);
        tree->factor[k] = used;
        used += n * n;
        tree->centred[k] = is_centred(tree, part);
        const int of_rotations[6] = {-1, -1, -1, -1, part.v + 3, part.v + 4};
        if (tree->centred[k]) memcpy(tree->before + part.v, of_rotations, sizeof of_rotations);
    }
    tree->L = calloc(used + 1, sizeof *tree->L);
    return tree->L;
}

imp_tree *imp_tree_new(int nl, const imp_link *links, imp_status *status) {
    imp_status ignored;
    if (!status) status = &ignored;
    *status = nl < 1 || nl > 1 << 20 || !links ? IMP_BAD_ARGUMENT : IMP_OK;
    for (int i = 0; i < nl && *status == IMP_OK; i++)
        *status = check(i, &links[i]);
    if (*status != IMP_OK) return NULL;
    *status = IMP_NO_MEMORY;
    imp_tree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    const size_t count = (size_t)nl;
    tree->nl = nl;
    tree->link = malloc(count * sizeof *tree->link);
    tree->state = calloc(count, sizeof *tree->state);
    tree->carried = calloc(count, sizeof *tree->carried);
    tree->part = calloc(count, sizeof *tree->part);
    tree->part_of = calloc(count, sizeof *tree->part_of);
    tree->body = calloc(count, sizeof *tree->body);
    tree->alone = calloc(count, sizeof *tree->alone);
    tree->swings = calloc(count, sizeof *tree->swings);
    tree->variational = calloc(count, sizeof *tree->variational);
    if (tree->link && tree->part && tree->part_of) {
        memcpy(tree->link, links, count * sizeof *links);
        number(tree);
        cut(tree);
    }
    const size_t nv = (size_t)tree->nv;
    tree->link_of = calloc(nv + 1, sizeof *tree->link_of);
    tree->before = calloc(nv + 1, sizeof *tree->before);
    tree->q = calloc((size_t)tree->nq + 1, sizeof *tree->q);
    tree->v = calloc(nv + 1, sizeof *tree->v);
    tree->momentum = calloc(5 * nv + 1, sizeof *tree->momentum);
    if (!tree->link || !tree->part || !tree->part_of || !tree->body || !tree->alone ||
        !tree->swings || !tree->variational || !tree->state || !tree->carried || !tree->link_of ||
        !tree->before || !tree->q || !tree->v || !tree->momentum) {
        imp_tree_free(tree);
        return NULL;
    }
    for (int i = 0; i < nl; i++)
        for (int k = 0; k < freedoms[links[i].joint]; k++) {
            const int dof = tree->link[i].v_at + k;
            tree->link_of[dof] = i;
            tree->before[dof] = k ? dof - 1 : imp_tree_last_dof(tree, links[i].parent);
        }
    for (int i = 0; i < nl; i++) /* what quaternions of 0 make */
        for (int k = 0; k < 9; k++)
            tree->state[i].rotation[k] = tree->state[i].inertia[k] = NAN;
    imp_tree_find_bodies(tree);
    if (!couple(tree)) {
        imp_tree_free(tree);
        return NULL;
    }
    *status = IMP_OK;
    return tree;
}

void imp_tree_free(imp_tree *tree) {
    if (!tree) return;
    free(tree->link);
    free(tree->part);
    free(tree->part_of);
    free(tree->state);
    free(tree->carried);
    free(tree->link_of);
    free(tree->before);
    free(tree->q);
    free(tree->v);
    free(tree->L);
    free(tree->factor);
    free(tree->centred);
    free(tree->factored);
    free(tree->body);
    free(tree->alone);
    free(tree->swings);
    free(tree->variational);
    free(tree->momentum);
    free(tree);
}

int imp_tree_links(const imp_tree *tree) {
    return tree->nl;
}

int imp_tree_nq(const imp_tree *tree) {
    return tree->nq;
}

int imp_tree_nv(const imp_tree *tree) {
    return tree->nv;
}

const imp_link *imp_tree_link(const imp_tree *tree, int i) {
    return &tree->link[i];
}

int imp_tree_parts(const imp_tree *tree) {
    return tree->parts;
}

imp_tree_part imp_tree_part_at(const imp_tree *tree, int part) {
    return tree->part[part];
}

int imp_tree_part_of(const imp_tree *tree, int link) {
    return tree->part_of[link];
}

const imp_link_state *imp_tree_state(const imp_tree *tree, int i) {
    return &tree->state[i];
}

const double *imp_tree_velocity(const imp_tree *tree) {
    return tree->v;
}

/* Pose and motion of a link that is not free. */
static void place_jointed(const imp_tree *tree, const imp_link *l, const double *q,
                          imp_link_state *s) {
    static const imp_link_state ground = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const imp_link_state *p = l->parent == IMP_GROUND ? &ground : &tree->state[l->parent];
    double turn[4], local[9], arm[3];
    memcpy(turn, l->turn, sizeof turn);
    if (l->joint == IMP_REVOLUTE) {
        const double angle[3] = {q[l->q_at] * l->axis[0], q[l->q_at] * l->axis[1],
                                 q[l->q_at] * l->axis[2]};
        double twist[4];
        exponential4(angle, twist);
        multiply4(turn, twist, turn);
    }
    rotation3(turn, local);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s->rotation[3 * i + j] = p->rotation[3 * i] * local[j] +
                                     p->rotation[3 * i + 1] * local[3 + j] +
                                     p->rotation[3 * i + 2] * local[6 + j];
    apply3(p->rotation, l->offset, arm);
    apply3(s->rotation, l->axis, s->axis);
    if (l->joint == IMP_PRISMATIC) add3(q[l->q_at], s->axis, arm);
    for (int i = 0; i < 3; i++) {
        s->origin[i] = p->origin[i] + arm[i];
        s->velocity[i] = p->velocity[i];
        s->spin[i] = p->spin[i];
    }
    add_cross3(p->spin, arm, s->velocity);
    if (l->joint == IMP_REVOLUTE) add3(tree->v[l->v_at], s->axis, s->spin);
    if (l->joint == IMP_PRISMATIC) add3(tree->v[l->v_at], s->axis, s->velocity);
}

/* The same of a free one. False: it has not turned, and stands where it stood or at its centre. */
static bool place_free(imp_tree *tree, const imp_link *l, const double *q, imp_link_state *s) {
    const double *to = q + l->q_at;
    double *known = tree->q + l->q_at;
    memcpy(s->velocity, tree->v + l->v_at, sizeof s->velocity);
    memcpy(s->spin, tree->v + l->v_at + 3, sizeof s->spin);
    /* where it stands is most often known from the step before */
    if (memcmp(known, to, 7 * sizeof *to) == 0) return false;
    const bool turned = memcmp(known + 3, to + 3, 4 * sizeof *to) != 0;
    memcpy(known, to, 7 * sizeof *to);
    memcpy(s->origin, to, sizeof s->origin);
    if (turned) rotation3(to + 3, s->rotation);
    if (turned || !imp_origin(l->com)) return true;
    memcpy(s->com, to, sizeof s->com);
    return false;
}

static void place(imp_tree *tree, imp_tree_part part, const double *q, const double *v) {
    const size_t bytes = (size_t)(part.v_end - part.v) * sizeof *v;
    if (v)
        memcpy(tree->v + part.v, v + part.v, bytes);
    else
        memset(tree->v + part.v, 0, bytes);
    for (int i = part.link; i < part.link_end; i++) {
        const imp_link *l = &tree->link[i];
        imp_link_state *s = &tree->state[i];
        double arm[3];
        if (l->joint != IMP_FREE)
            place_jointed(tree, l, q, s);
        else if (!place_free(tree, l, q, s))
            continue;
        apply3(s->rotation, l->com, arm);
        for (int k = 0; k < 3; k++)
            s->com[k] = s->origin[k] + arm[k];
        if (imp_round(l->inertia) && isfinite(s->rotation[0] + s->rotation[4] + s->rotation[8])) {
            memcpy(s->inertia, l->inertia, sizeof s->inertia);
        } else {
            congruent3(s->rotation, l->inertia, s->inertia);
            tree->factored[tree->part_of[i]] = false;
        }
    }
}

void imp_tree_place(imp_tree *tree, const double *q, const double *v) {
    place(tree, imp_tree_whole(tree), q, v);
}

void imp_tree_part_place(imp_tree *tree, int part, const double *q, const double *v) {
    place(tree, tree->part[part], q, v);
}

static void rates(const imp_tree *tree, imp_tree_part part, const double *q, const double *v,
                  double *rate) {
    for (int i = part.link; i < part.link_end; i++) {
        const imp_link *l = &tree->link[i];
        if (freedoms[l->joint] == 1) rate[l->q_at] = v[l->v_at];
        if (l->joint != IMP_FREE) continue;
        const double *w = v + l->v_at + 3;
        const double half[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
        memcpy(rate + l->q_at, v + l->v_at, 3 * sizeof *rate);
        multiply4(half, q + l->q_at + 3, rate + l->q_at + 3);
    }
}

void imp_tree_rate(const imp_tree *tree, const double *q, const double *v, double *rate) {
    rates(tree, imp_tree_whole(tree), q, v, rate);
}

void imp_tree_part_rate(const imp_tree *tree, int part, const double *q, const double *v,
                        double *rate) {
    rates(tree, tree->part[part], q, v, rate);
}

static void advance(const imp_link *l, double h, const double *v, double *q) {
    if (freedoms[l->joint] == 1) q[l->q_at] += h * v[l->v_at];
    if (l->joint != IMP_FREE) return;
    add3(h, v + l->v_at, q + l->q_at);
    imp_attitude_advance(h, v + l->v_at + 3, q + l->q_at + 3);
}

void imp_tree_advance(const imp_tree *tree, double h, const double *v, double *q) {
    for (int i = 0; i < tree->nl; i++)
        advance(&tree->link[i], h, v, q);
}

void imp_tree_advance_jointed(const imp_tree *tree, double h, const double *v, double *q) {
    for (int i = 0; i < tree->nl; i++)
        if (!tree->alone[i]) advance(&tree->link[i], h, v, q);
}

void imp_tree_point(const imp_tree *tree, int link, const double local[3], double world[3]) {
    if (link == IMP_GROUND) {
        memmove(world, local, 3 * sizeof *world);
        return;
    }
    apply3(tree->state[link].rotation, local, world);
    add3(1, tree->state[link].origin, world);
}

void imp_tree_point_velocity(const imp_tree *tree, int link, const double world[3],
                             double velocity[3]) {
    double arm[3] = {0};
    if (link != IMP_GROUND) sub3(world, tree->state[link].origin, arm);
    memset(velocity, 0, 3 * sizeof *velocity);
    if (link == IMP_GROUND) return;
    add3(1, tree->state[link].velocity, velocity);
    add_cross3(tree->state[link].spin, arm, velocity);
}
