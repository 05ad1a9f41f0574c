/* lasting.c - contacts that last: where they are, what they do without a force, and how they
 * slip. */
#include "scene/lasting.h"

#include "base/vec3.h"
#include "scene/impact.h"
#include "scene/speeds.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of what counts as still: what rounding leaves of a slip, or of a joint's rate. */
static const double ROUNDED = 1e-7;

static double *take(double **room, size_t count) {
    double *x = *room;
    *room += count;
    return x;
}

imp_status scene_lasting_make(scene_lasting *l, const scene *s, int count) {
    *l = (scene_lasting){.s = s, .nc = count, .nv = imp_tree_nv(s->tree)};
    const int loops = s->loops ? imp_loops_count(s->loops) : 0;
    l->joints = s->rubs;
    const size_t nc = (size_t)count, nv = (size_t)l->nv, nj = (size_t)l->joints, rows = 3 * nc + nj,
                 square = rows * rows, links = (size_t)imp_tree_links(s->tree),
                 metric = nj > 0 ? nv * nv : 0;
    double *room = calloc(4 * square + (rows + 2 * nj) * nv + 12 * rows + 4 * nc + 3 * nj + 3 * nv +
                              metric + 2 * links + 2,
                          sizeof *room);
    l->joint = calloc(nj + 1, sizeof *l->joint);
    l->held = calloc(nj + 1, sizeof *l->held);
    l->pair = calloc(nc + 1, sizeof *l->pair);
    l->mode = calloc(nc + 1, sizeof *l->mode);
    l->dead = calloc(nc + 1, sizeof *l->dead);
    l->contact = calloc(nc + 1, sizeof *l->contact);
    l->W = room;
    if (!room || !l->pair || !l->mode || !l->dead || !l->contact || !l->joint || !l->held) {
        scene_lasting_clear(l);
        return IMP_NO_MEMORY;
    }
    take(&room, square);
    l->u = take(&room, rows);
    l->b = take(&room, rows);
    l->f = take(&room, rows);
    l->slip = take(&room, 2 * rows); /* and what `correct` takes out */
    l->own = take(&room, nc + nj);
    l->gap = take(&room, nc);
    l->moves = take(&room, 2 * nc);
    l->still = take(&room, links);
    l->slow = take(&room, links);
    l->still_joint = take(&room, nj);
    l->side = take(&room, nj);
    l->row = take(&room, nj * nv);
    l->gives = take(&room, nj * nv);
    l->H = take(&room, metric);
    l->free = take(&room, nv);
    l->rate = take(&room, nv);
    l->work = room;
    for (int k = 0, j = 0; k < l->nv + loops; k++)
        if (s->mu_c[k] != 0 || s->mu_v[k] != 0) l->joint[j++] = k;
    return IMP_OK;
}

imp_status scene_lasting_init(scene_lasting *l, const scene *s) {
    const imp_status status = scene_lasting_make(l, s, scene_pairs(s, NULL, NULL));
    if (status != IMP_OK) return status;
    scene_pairs(s, l->pair, l->contact);
    for (int i = 0; i < l->nc; i++)
        l->gap[i] = -compliant_look(&s->system, l->pair[i]).depth;
    return IMP_OK;
}

void scene_lasting_clear(scene_lasting *l) {
    free(l->W);
    free(l->pair);
    free(l->mode);
    free(l->dead);
    free(l->contact);
    free(l->joint);
    free(l->held);
    *l = (scene_lasting){0};
}

int scene_lasting_count(const scene_lasting *l) {
    int count = 0;
    for (int i = 0; i < l->nc; i++)
        count += l->mode[i] != SCENE_OPEN;
    return count;
}

/* What a point that moves with `velocity` sees change of a link's own velocity there, m/s^2. */
static void change_at(const imp_tree *tree, int link, const double point[3],
                      const double velocity[3], double change[3]) {
    double own[3], apart[3];
    imp_tree_point_acceleration(tree, link, point, change);
    if (link == IMP_GROUND) return;
    imp_tree_point_velocity(tree, link, point, own);
    sub3(velocity, own, apart);
    add_cross3(imp_tree_state(tree, link)->spin, apart, change);
}

static void centre_velocity(const imp_tree *tree, const compliant_sphere *ball, double v[3]) {
    double centre[3];
    imp_tree_point(tree, ball->link, ball->centre, centre);
    imp_tree_point_velocity(tree, ball->link, centre, v);
}

/* b (3) of a contact from the accelerations of the last inverse dynamics: the change of n . u, and
 * of u along the surface where that is 0. The point of touch goes with B's centre and, on a ball,
 * with the normal, which turns. */
static void free_acceleration(const scene_lasting *l, int i) {
    const compliant_system *s = &l->s->system;
    const imp_tree *tree = l->s->tree;
    const compliant_pair *p = &s->pairs[l->pair[i]];
    const compliant_sphere *B = &s->spheres[p->b];
    const imp_contact *c = &l->contact[i];
    const double *n = c->frame;
    double moves[3], turns[3] = {0}, at_a[3], at_b[3], u[3];
    centre_velocity(tree, B, moves);
    if (p->plane < 0) {
        const compliant_sphere *A = &s->spheres[p->a];
        double other[3];
        centre_velocity(tree, A, other);
        sub3(moves, other, turns);
        add3(-dot3(turns, n), n, turns);
        for (int k = 0; k < 3; k++)
            turns[k] /= A->radius + B->radius;
    }
    add3(-B->radius, turns, moves);
    change_at(tree, c->a, c->point, moves, at_a);
    change_at(tree, c->b, c->point, moves, at_b);
    sub3(at_b, at_a, at_b);
    apply3_transposed(c->frame, l->u + 3 * i, u);
    apply3(c->frame, at_b, l->b + 3 * i);
    l->b[3 * i] += dot3(turns, u);
}

imp_status scene_lasting_look(scene_lasting *l) {
    static const double none[3] = {0};
    imp_tree *tree = l->s->tree;
    imp_status status = IMP_OK;
    for (int i = 0; i < l->nc; i++) {
        const compliant_touch touch = compliant_look(&l->s->system, l->pair[i]);
        l->contact[i] = compliant_contact(&l->s->system, l->pair[i], &touch);
    }
    imp_loops *loops = l->s->loops;
    status = scene_factor(l->s);
    if (status == IMP_OK && l->nc > 0)
        status = loops ? imp_loops_delassus(loops, l->nc, l->contact, l->W, l->u, l->work)
                       : imp_tree_delassus(tree, l->nc, l->contact, l->W, l->u, l->work);
    if (status == IMP_OK) status = scene_lasting_joints(l);
    if (status != IMP_OK) return status;
    scene_lasting_measure(l);
    imp_tree_inverse_dynamics(tree, l->s->system.gravity, NULL, l->free);
    for (int k = 0; k < l->nv; k++)
        l->free[k] = -l->free[k];
    scene_lasting_viscous(l, l->free);
    imp_tree_solve(tree, l->free);
    if (loops) status = imp_loops_rate(loops, l->free);
    if (status != IMP_OK) return status;
    imp_tree_inverse_dynamics(tree, none, l->free, l->work);
    for (int i = 0; i < l->nc; i++)
        free_acceleration(l, i);
    scene_lasting_join(l);
    scene_fill_immobile(l->nc, scene_lasting_rows(l), l->W, l->u, l->b, l->moves);
    return IMP_OK;
}

double scene_lasting_still(const scene_lasting *l, int i) {
    return scene_larger(l->still, l->contact[i].a, l->contact[i].b);
}

double scene_lasting_slow(const scene_lasting *l, int i) {
    return scene_larger(l->slow, l->contact[i].a, l->contact[i].b);
}

static void slip_in_world(const scene_lasting *l, int i, double slip[3]) {
    const double u[3] = {0, l->u[3 * i + 1], l->u[3 * i + 2]};
    apply3_transposed(l->contact[i].frame, u, slip);
}

void scene_lasting_slip(const scene_lasting *l, int i, double slip[2]) {
    const imp_contact *c = &l->contact[i];
    double own[3], other[3], apart[3], mean[3] = {0};
    int count = 0;
    slip_in_world(l, i, own);
    for (int j = 0; j < l->nc; j++) {
        if (l->contact[j].a != c->a || l->contact[j].b != c->b) continue;
        slip_in_world(l, j, other);
        sub3(other, own, apart);
        if (norm3(apart) > scene_lasting_slow(l, i)) continue;
        add3(1, other, mean);
        count++;
    }
    for (int k = 0; k < 2; k++)
        slip[k] = dot3(c->frame + 3 * (k + 1), mean) / count;
}

void scene_lasting_direction(const scene_lasting *l, int i, double d[2]) {
    double u[2], aim[3];
    apply3(l->contact[i].frame, l->slip + 3 * i, aim);
    const double length = hypot(aim[1], aim[2]);
    d[0] = d[1] = 0;
    if (!(length > 0) || scene_lasting_friction(l, i) == 0) return;
    scene_lasting_slip(l, i, u);
    const double along = (u[0] * aim[1] + u[1] * aim[2]) / length,
                 across = (u[1] * aim[1] - u[0] * aim[2]) / length,
                 share = fmax(0, fmin(1, 2 * fabs(across) / scene_lasting_slow(l, i) - 1)),
                 aside = along < 0 ? -share * across : share * across, speed = hypot(along, aside),
                 c = speed > 0 ? fabs(along) / speed : 1, s = speed > 0 ? aside / speed : 0;
    d[0] = (c * aim[1] - s * aim[2]) / length;
    d[1] = (c * aim[2] + s * aim[1]) / length;
}

void scene_lasting_aim(scene_lasting *l) {
    for (int i = 0; i < l->nc; i++) {
        double d[3] = {0};
        scene_lasting_direction(l, i, d + 1);
        apply3_transposed(l->contact[i].frame, d, l->slip + 3 * i);
    }
}

/* At this rate along its direction, of which rounding may have left less than nothing. */
static bool goes_on(double rate, double still) {
    return rate > -ROUNDED * still;
}

/* One that has no side yet does until it has left its dead centre by more than rounding may take it
 * back. */
static bool joint_goes_on(const scene_lasting *l, int j) {
    const int row = 3 * l->nc + j;
    return l->side[j] == 0
               ? scene_lasting_diagonal(l, row) <= 2 * SCENE_LASTING_DEAD * l->own[l->nc + j]
               : goes_on(l->u[row] * l->side[j], l->still_joint[j]);
}

/* One whose slip was none where tangents are dead, whatever the bodies do, goes on until it has
 * left that place by more than rounding may take it back. */
static bool contact_goes_on(const scene_lasting *l, int i) {
    const int dead = l->dead[i];
    double slip[3];
    apply3(l->contact[i].frame, l->slip + 3 * i, slip);
    if (l->mode[i] == SCENE_SLIDES && norm3(slip) > 0)
        return goes_on(dot3(l->u + 3 * i, slip), scene_lasting_still(l, i) * norm3(slip));
    return dead == 0 || l->moves[2 * i + dead - 1] <= 2 * SCENE_IMMOBILE;
}

bool scene_lasting_slides(const scene_lasting *l) {
    if (l->loose < l->as_loose) return false;
    for (int i = 0; i < l->nc; i++) {
        if (l->mode[i] == SCENE_OPEN || scene_lasting_friction(l, i) == 0) continue;
        if (!contact_goes_on(l, i)) return false;
    }
    for (int j = 0; j < l->joints; j++)
        if (l->held[j] == SCENE_SLIDES && l->s->mu_c[l->joint[j]] > 0 && !joint_goes_on(l, j))
            return false;
    return true;
}
