/* loop_rows.c - rows of points: an axis a of A times the way r from A's point to B's; rows of
 * directions: an axis a of A times one b of B, which are at right angles; rolling: the velocity of
 * B against A along an axis of A, where a ball of B is nearest to the plane. */
#include "multibody/loop_rows.h"

#include "base/exact.h"
#include "base/vec3.h"
#include "multibody/tree_internal.h"

#include <math.h>
#include <string.h>

/* A row: axis i of A, and j of B; NONE: it is one of points. */
enum { NONE = -1 };
typedef struct row {
    int i, j;
} row;

static const struct {
    int rows;
    row row[IMP_LOOP_MOST];
} kinds[] = {
    [IMP_LOOP_BALL] = {3, {{0, NONE}, {1, NONE}, {2, NONE}}},
    [IMP_LOOP_REVOLUTE] = {5, {{0, NONE}, {1, NONE}, {2, NONE}, {1, 0}, {2, 0}}},
    [IMP_LOOP_SLIDER] = {5, {{1, NONE}, {2, NONE}, {1, 0}, {2, 0}, {1, 2}}},
    [IMP_LOOP_WELD] = {6, {{0, NONE}, {1, NONE}, {2, NONE}, {1, 0}, {2, 0}, {1, 2}}},
    [IMP_LOOP_ROLLING] = {2, {{1, NONE}, {2, NONE}}},
};

int imp_loop_rows(imp_loop_kind kind) {
    return kinds[kind].rows;
}

/* A vector fixed to a side, or between two, with its first two derivatives. */
typedef struct moving {
    double x[3], rate[3], second[3];
} moving;

static moving fixed(const imp_loop_side *s, const double x[3]) {
    moving m;
    memcpy(m.x, x, sizeof m.x);
    cross3(s->spin, x, m.rate);
    cross3(s->spin, m.rate, m.second);
    add_cross3(s->spin_rate, x, m.second);
    return m;
}

/* (x . y)''. */
static double second_of(const moving *x, const moving *y) {
    return dot3(x->second, y->x) + 2 * dot3(x->rate, y->rate) + dot3(x->x, y->second);
}

static imp_loop_side side_of(const imp_tree *tree, const imp_loop *loop, int which) {
    imp_loop_side s = {.link = which ? loop->b : loop->a};
    memcpy(s.point, loop->at[which], sizeof s.point);
    memcpy(s.axes, loop->axes[which], sizeof s.axes);
    imp_tree_point(tree, s.link, loop->at[which], s.point);
    if (s.link == IMP_GROUND) return s;
    const imp_link_state *state = imp_tree_state(tree, s.link);
    for (int i = 0; i < 3; i++)
        apply3(state->rotation, loop->axes[which] + 3 * i, s.axes + 3 * i);
    memcpy(s.spin, state->spin, sizeof s.spin);
    return s;
}

imp_loop_place imp_loop_look(const imp_tree *tree, const imp_loop *loop) {
    imp_loop_place p = {loop, {side_of(tree, loop, 0), side_of(tree, loop, 1)}};
    if (loop->kind == IMP_LOOP_ROLLING) {
        add3(-loop->radius, p.side[0].axes, p.side[1].point);
        memcpy(p.side[0].point, p.side[1].point, sizeof p.side[0].point);
    }
    for (int k = 0; k < 2; k++)
        imp_tree_point_velocity(tree, p.side[k].link, p.side[k].point, p.side[k].velocity);
    return p;
}

void imp_loop_accelerate(const imp_tree *tree, imp_loop_place *place) {
    for (int k = 0; k < 2; k++) {
        imp_loop_side *s = &place->side[k];
        if (s->link == IMP_GROUND) continue;
        imp_tree_point_acceleration(tree, s->link, s->point, s->acceleration);
        memcpy(s->spin_rate, tree->carried[s->link].spin_rate, sizeof s->spin_rate);
    }
}

static row row_of(const imp_loop_place *place, int r) {
    return kinds[place->loop->kind].row[r];
}

bool imp_loop_turns(const imp_loop_place *place, int r) {
    return row_of(place, r).j != NONE;
}

double imp_loop_miss(const imp_loop_place *place, int r) {
    const imp_loop_side *A = &place->side[0], *B = &place->side[1];
    const row own = row_of(place, r);
    double way[3];
    if (own.j != NONE) return dot3(A->axes + 3 * own.i, B->axes + 3 * own.j);
    if (place->loop->kind == IMP_LOOP_ROLLING) return 0;
    sub3(B->point, A->point, way);
    return dot3(A->axes + 3 * own.i, way);
}

double imp_loops_reach(const imp_tree *tree, int count, const imp_loop *loops) {
    double origin = 0, arm = 0;
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link *l = imp_tree_link(tree, i);
        const double *I = l->inertia, gyration = sqrt(fmax(0, (I[0] + I[4] + I[8]) / l->mass));
        origin = fmax(origin, imp_largest(imp_tree_state(tree, i)->origin, 3, 1));
        arm = fmax(arm, imp_largest(l->com, 3, 1));
        if (isfinite(gyration)) arm = fmax(arm, gyration);
    }
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            arm = fmax(arm, imp_largest(loops[i].at[side], 3, 1));
    return origin + arm;
}

/* out += that of a unit force or couple along a direction between the sides, at B's point. */
static void push(const imp_tree *tree, const imp_loop_place *p, bool turns,
                 const double direction[3], double *out) {
    const double minus[3] = {-direction[0], -direction[1], -direction[2]};
    for (int k = 0; k < 2; k++) {
        const double *along = k ? direction : minus;
        if (p->side[k].link == IMP_GROUND) continue;
        if (turns)
            imp_tree_twist(tree, p->side[k].link, along, out);
        else
            imp_tree_push(tree, p->side[k].link, p->side[1].point, along, out);
    }
}

void imp_loop_derivative(const imp_tree *tree, const imp_loop_place *p, int r, double *out) {
    const row own = row_of(p, r);
    const double *a = p->side[0].axes + 3 * own.i;
    double couple[3];
    if (own.j != NONE) cross3(p->side[1].axes + 3 * own.j, a, couple);
    push(tree, p, own.j != NONE, own.j != NONE ? couple : a, out);
}

void imp_loop_any(const imp_tree *tree, const imp_loop_place *p, int r, int along, double *out) {
    push(tree, p, imp_loop_turns(p, r), p->side[0].axes + 3 * along, out);
}

void imp_loop_free(const imp_tree *tree, const imp_loop_place *p, double *out) {
    const bool turns = p->loop->kind == IMP_LOOP_REVOLUTE;
    push(tree, p, turns, p->side[0].axes, out);
}

/* The way from A's point to B's as it moves. */
static moving way_of(const imp_loop_place *p) {
    moving way = {{0}, {0}, {0}};
    sub3(p->side[1].point, p->side[0].point, way.x);
    sub3(p->side[1].velocity, p->side[0].velocity, way.rate);
    sub3(p->side[1].acceleration, p->side[0].acceleration, way.second);
    return way;
}

/* d/dt of t . (v_B - v_A) at the ball's nearest point, which moves through the material of both
 * bodies: it stands -radius n from the ball's centre, and n turns with A. */
static double rolling_bias(const imp_loop_place *p, const double t[3]) {
    const imp_loop_side *A = &p->side[0], *B = &p->side[1];
    const double radius = p->loop->radius;
    const moving along = fixed(A, t), normal = fixed(A, A->axes), way = way_of(p);
    double moves[3], to_centre[3], change[3], through[3];
    for (int k = 0; k < 3; k++)
        to_centre[k] = radius * normal.x[k];
    memcpy(moves, B->velocity, sizeof moves);
    add_cross3(B->spin, to_centre, moves);
    add3(-radius, normal.rate, moves); /* of the point */
    memcpy(change, way.second, sizeof change);
    sub3(moves, B->velocity, through);
    add_cross3(B->spin, through, change);
    sub3(A->velocity, moves, through);
    add_cross3(A->spin, through, change);
    return dot3(along.rate, way.rate) + dot3(t, change);
}

double imp_loop_free_bias(const imp_loop_place *p) {
    const imp_loop_side *A = &p->side[0], *B = &p->side[1];
    const moving axis = fixed(A, A->axes), way = way_of(p);
    double spin[3], change[3];
    if (p->loop->kind == IMP_LOOP_SLIDER) return second_of(&axis, &way);
    sub3(B->spin, A->spin, spin);
    sub3(B->spin_rate, A->spin_rate, change);
    return dot3(axis.rate, spin) + dot3(axis.x, change);
}

double imp_loop_bias(const imp_loop_place *p, int r, double *size) {
    const imp_loop_side *A = &p->side[0], *B = &p->side[1];
    const row own = row_of(p, r);
    const double *t = A->axes + 3 * own.i;
    const double spins = norm3(A->spin) + norm3(B->spin);
    if (own.j != NONE) {
        const moving a = fixed(A, t), b = fixed(B, B->axes + 3 * own.j);
        *size = spins * spins + norm3(A->spin_rate) + norm3(B->spin_rate);
        return second_of(&a, &b);
    }
    *size = norm3(A->acceleration) + norm3(B->acceleration) +
            spins * (norm3(A->velocity) + norm3(B->velocity));
    if (p->loop->kind == IMP_LOOP_ROLLING) return rolling_bias(p, t);
    const moving a = fixed(A, t), way = way_of(p);
    return second_of(&a, &way);
}
