/* lasting.c - contacts that last: where they are, what they do without a force, and their forces by
 * their modes. */
#include "scene/lasting.h"

#include "base/vec3.h"
#include "linear/lapack.h"
#include "scene/impact.h"
#include "scene/speeds.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest singular value of rows that are each measured by what they are of: below it they
 * say the same twice. */
static const double RANK = 1e-10;
/* Of what forces would do to their own contacts: below it they do nothing. */
static const double ALIKE = 1e-8;

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
    double *room = calloc(4 * square + (rows + 2 * nj) * nv + 12 * rows + 2 * nc + 3 * nj + 3 * nv +
                              metric + 2 * links + 2,
                          sizeof *room);
    l->joint = calloc(nj + 1, sizeof *l->joint);
    l->held = calloc(nj + 1, sizeof *l->held);
    l->pair = calloc(nc + 1, sizeof *l->pair);
    l->mode = calloc(nc + 1, sizeof *l->mode);
    l->contact = calloc(nc + 1, sizeof *l->contact);
    l->W = room;
    if (!room || !l->pair || !l->mode || !l->contact || !l->joint || !l->held) {
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
    scene_fill_immobile(l->nc, l->W, l->u, l->b);
    scene_lasting_join(l);
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

static int unknowns(const scene_lasting *l, int i) {
    return l->mode[i] == SCENE_OPEN ? 0 : l->mode[i] == SCENE_STICKS ? 3 : 1;
}

static int all_unknowns(const scene_lasting *l) {
    int m = 0;
    for (int i = 0; i < l->nc; i++)
        m += unknowns(l, i);
    for (int j = 0; j < l->joints; j++)
        m += l->held[j] == SCENE_STICKS;
    return m;
}

/* column (3) <- the force of each unknown of a contact: its three parts, or the normal one with the
 * friction it brings. Returns how many. */
static int columns_of(const scene_lasting *l, int i, bool rough, double column[3][3]) {
    memset(column, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++)
        column[k][k] = 1;
    if (rough && l->mode[i] == SCENE_SLIDES) {
        const double mu = scene_lasting_friction(l, i);
        double d[2];
        scene_lasting_direction(l, i, d);
        for (int k = 0; k < 2; k++)
            column[0][1 + k] = -mu * d[k];
    }
    return unknowns(l, i);
}

/* The dry friction of a joint that slides; while it sticks it is unknown. */
static double sliding(const scene_lasting *l, int j) {
    return l->held[j] == SCENE_SLIDES ? -l->side[j] * l->s->mu_c[l->joint[j]] : 0;
}

/* A (m) <- what the unknown forces do in a row (n) of W. */
static void row_of(const scene_lasting *l, bool rough, const double *W, double *A) {
    double column[3][3];
    for (int i = 0; i < l->nc; i++)
        for (int c = 0, count = columns_of(l, i, rough, column); c < count; c++)
            *A++ = dot3(W + 3 * i, column[c]);
    for (int j = 0; j < l->joints; j++)
        if (l->held[j] == SCENE_STICKS) *A++ = W[3 * l->nc + j];
}

/* A (m x m): what the unknown forces do to the accelerations that the modes forbid; right (m):
 * minus `of` (n) in those rows, and what joints that slide do there. Returns m. */
static int assemble(const scene_lasting *l, bool rough, const double *of, double *A,
                    double *right) {
    const size_t rows = (size_t)scene_lasting_rows(l);
    const int m = all_unknowns(l), contacts = 3 * l->nc;
    for (int r = 0, at = 0; r < (int)rows; r++) {
        const double *W = l->W + (size_t)r * rows;
        const bool forbidden =
            r < contacts ? r % 3 < unknowns(l, r / 3) : l->held[r - contacts] == SCENE_STICKS;
        if (!forbidden) continue;
        right[at] = -of[r];
        for (int j = 0; j < l->joints && rough; j++)
            right[at] -= W[contacts + j] * sliding(l, j);
        row_of(l, rough, W, A + (size_t)at++ * (size_t)m);
    }
    return m;
}

/* f (n) <- the forces of the unknowns x. */
static void spread(const scene_lasting *l, bool rough, const double *x, double *f) {
    double column[3][3];
    for (int i = 0; i < l->nc; i++) {
        const int count = columns_of(l, i, rough, column);
        memset(f + 3 * i, 0, 3 * sizeof *f);
        for (int c = 0; c < count; c++, x++)
            add3(*x, column[c], f + 3 * i);
    }
    for (int j = 0; j < l->joints; j++)
        f[3 * l->nc + j] = l->held[j] == SCENE_STICKS ? *x++ : rough ? sliding(l, j) : 0;
}

/* In its place: rows are LAPACK's columns. */
static void transpose(int n, double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double *a = A + (size_t)i * (size_t)n + j, *b = A + (size_t)j * (size_t)n + i;
            const double kept = *a;
            *a = *b;
            *b = kept;
        }
}

/* by (m) <- what makes rows of bodies of any mass, of contacts and of joints comparable, and their
 * unknowns: what is of this size gives accelerations alike, and what of the others is rounding is
 * not rounding of theirs. */
static void measure(const scene_lasting *l, double *by) {
    for (int i = 0; i < l->nc; i++)
        for (int k = unknowns(l, i); k > 0; k--)
            *by++ = l->own[i] > 0 ? 1 / sqrt(l->own[i]) : 1;
    for (int j = 0; j < l->joints; j++)
        if (l->held[j] == SCENE_STICKS) *by++ = 1 / sqrt(l->own[l->nc + j]);
}

/* A (m x m) <- D A D, D the diagonal matrix of `by`; x (m) <- D x. */
static void scale_by(int m, const double *by, double *A, double *x) {
    for (int r = 0; r < m; r++) {
        x[r] *= by[r];
        for (int c = 0; c < m; c++)
            A[(size_t)r * (size_t)m + (size_t)c] *= by[r] * by[c];
    }
}

/* f <- the least forces that take `of` (n) out of the rows of the modes. */
static imp_status solve_least(scene_lasting *l, bool rough, const double *of) {
    const size_t room = (size_t)all_unknowns(l);
    double *A = l->work, *x = A + room * room, *by = x + room;
    const int m = assemble(l, rough, of, A, x);
    int rank = 0;
    for (int k = 0; k < m; k++)
        if (!isfinite(x[k])) return IMP_NOT_FINITE;
    measure(l, by);
    scale_by(m, by, A, x);
    transpose(m, A);
    const imp_status status = m == 0 ? IMP_OK : imp_lapack_least(m, A, x, by + m, RANK, &rank);
    if (status != IMP_OK) return status;
    l->loose = rank < m;
    for (int k = 0; k < m; k++)
        x[k] *= by[k];
    spread(l, rough, x, l->f);
    return IMP_OK;
}

/* change (nv) <- what f does to the tree under its joints: H^-1 J' f. */
static imp_status push(scene_lasting *l, double *change) {
    memset(change, 0, (size_t)l->nv * sizeof *change);
    imp_tree_impulse(l->s->tree, l->nc, l->contact, l->f, change, l->work);
    for (int j = 0; j < l->joints; j++)
        for (int k = 0; k < l->nv; k++)
            change[k] += l->f[3 * l->nc + j] * l->gives[(size_t)j * (size_t)l->nv + (size_t)k];
    return l->s->loops ? imp_loops_velocity(l->s->loops, change) : IMP_OK;
}

imp_status scene_lasting_forces(scene_lasting *l) {
    imp_status status = solve_least(l, true, l->b);
    if (status == IMP_OK) status = push(l, l->rate);
    if (status != IMP_OK) return status;
    for (int k = 0; k < l->nv; k++)
        l->rate[k] += l->free[k];
    return IMP_OK;
}

/* Forces that move nothing have no W f, but for rounding. */
static bool moves_bodies(const scene_lasting *l, const double *f) {
    const size_t rows = (size_t)scene_lasting_rows(l);
    double size = 0;
    for (size_t r = 0; r < rows; r++)
        size += f[r] * f[r] * l->W[r * (rows + 1)];
    for (size_t r = 0; r < rows; r++) {
        double a = 0;
        for (size_t c = 0; c < rows; c++)
            a += l->W[r * rows + c] * f[c];
        if (fabs(a) > ALIKE * sqrt(size * l->W[r * (rows + 1)])) return true;
    }
    return false;
}

imp_status scene_lasting_unique(scene_lasting *l, bool *unique) {
    const size_t rows = (size_t)scene_lasting_rows(l);
    double *A = l->work, *f = A + rows * rows, *V = f + rows;
    *unique = true;
    if (!l->loose) return IMP_OK;
    const int m = assemble(l, true, l->b, A, f);
    double *value = V + (size_t)m * (size_t)m, *by = value + m;
    measure(l, by);
    scale_by(m, by, A, f);
    transpose(m, A);
    const imp_status status = imp_lapack_singular(m, A, value, V);
    transpose(m, V);
    for (int k = 0; k < m && status == IMP_OK; k++) {
        if (value[k] > RANK * value[0]) continue;
        double *x = V + (size_t)k * (size_t)m;
        for (int i = 0; i < m; i++)
            x[i] *= by[i];
        spread(l, true, x, f);
        for (int j = 0; j < l->joints; j++)
            if (l->held[j] == SCENE_SLIDES) f[3 * l->nc + j] = 0; /* it is the same in all */
        *unique = *unique && !moves_bodies(l, f);
    }
    return status;
}

/* v <- without the velocities that the modes forbid; q <- with the gaps as they were found. */
static imp_status correct(scene_lasting *l, double *q, double *v) {
    imp_tree *tree = l->s->tree;
    double *excess = l->slip + 3 * l->nc; /* (n) */
    imp_status status = solve_least(l, false, l->u);
    if (status == IMP_OK) status = push(l, l->rate);
    if (status != IMP_OK) return status;
    for (int k = 0; k < l->nv; k++)
        v[k] += l->rate[k];
    for (int i = 0; i < 3 * l->nc; i++)
        excess[i] =
            i % 3 ? 0 : -compliant_look(&l->s->system, l->pair[i / 3]).depth - l->gap[i / 3];
    memset(excess + 3 * l->nc, 0, (size_t)l->joints * sizeof *excess);
    status = solve_least(l, false, excess);
    if (status == IMP_OK) status = push(l, l->rate);
    if (status != IMP_OK) return status;
    imp_tree_advance(tree, 1, l->rate, q);
    return l->s->loops ? imp_loops_project(l->s->loops, q, v, NULL) : IMP_OK;
}

imp_status scene_lasting_correct(scene_lasting *l, double *q, double *v) {
    imp_tree_place(l->s->tree, q, v);
    imp_status status = scene_lasting_look(l);
    if (status == IMP_OK) status = correct(l, q, v);
    if (status == IMP_OK) imp_tree_place(l->s->tree, q, v);
    return status;
}
