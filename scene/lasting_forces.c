/* lasting_forces.c - contacts that last: their forces by their modes, and what those do. */
#include "scene/lasting.h"

#include "base/vec3.h"
#include "linear/lapack.h"

#include <math.h>
#include <string.h>

/* Of the largest singular value of rows that are each measured by what they are of: below it they
 * say the same twice. */
static const double RANK = 1e-10;
/* Of the numbers that an acceleration is a sum of: less is none, ten times what a decision takes
 * for that. */
static const double STANDS = 1e-7;
/* Of what forces would do to their own contacts: below it they do nothing. */
static const double NOTHING = 1e-8;
/* Of a velocity and what takes it out: less is 0 and not its rounding, which the next step would
 * take out to its own, and so on, until squares underflow. */
static const double CANCELS = 1e-12;

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
    if (l->held[j] != SCENE_SLIDES) return 0;
    return l->side[j] == 0 ? scene_lasting_against(l, j) : -l->side[j] * l->s->mu_c[l->joint[j]];
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
    l->loose = m - rank;
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

/* Forces that move nothing have no W f, but for rounding, which is all that is left of it in the
 * row of a joint at a dead centre. */
static bool moves_bodies(const scene_lasting *l, const double *f) {
    const int rows = scene_lasting_rows(l);
    double size = 0;
    for (int r = 0; r < rows; r++)
        size += f[r] * f[r] * scene_lasting_diagonal(l, r);
    for (int r = 0; r < rows; r++) {
        const double none = NOTHING * sqrt(size * scene_lasting_diagonal(l, r));
        if (r >= 3 * l->nc && !scene_lasting_moves(l, r - 3 * l->nc)) continue;
        if (fabs(scene_lasting_felt(l, f, r)) > none) return true;
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

/* Of the numbers that forces f (n) add up to there. */
static double felt_size(const scene_lasting *l, const double *f, int row) {
    const int rows = scene_lasting_rows(l);
    double size = 0;
    for (int k = 0; k < rows; k++)
        size += fabs(l->W[(size_t)row * (size_t)rows + (size_t)k] * f[k]);
    return size;
}

bool scene_lasting_alike(const scene_lasting *l, const double *f, const double *other,
                         const double *scale, double within) {
    for (int i = 0; i < l->nc; i++) {
        double a[3], b[3];
        scene_lasting_acceleration(l, f, i, a);
        scene_lasting_acceleration(l, other, i, b);
        sub3(a, b, a);
        if (!(norm3(a) <= within * scale[i])) return false;
    }
    for (int j = 0; j < l->joints; j++) {
        if (!scene_lasting_moves(l, j)) continue; /* whatever the forces */
        const double apart = scene_lasting_joint_acceleration(l, f, j) -
                             scene_lasting_joint_acceleration(l, other, j);
        const double size = scene_lasting_joint_scale(l, j) + felt_size(l, f, 3 * l->nc + j);
        if (!(fabs(apart) <= within * size)) return false;
    }
    return true;
}

bool scene_lasting_stands(const scene_lasting *l) {
    for (int i = 0; i < l->nc && l->loose; i++) {
        double a[3], size[3];
        if (l->mode[i] != SCENE_STICKS) continue;
        scene_lasting_acceleration(l, l->f, i, a);
        for (int k = 0; k < 3; k++)
            size[k] = fabs(l->b[3 * i + k]) + felt_size(l, l->f, 3 * i + k);
        if (!(norm3(a) <= STANDS * norm3(size))) return false;
    }
    for (int j = 0; j < l->joints && l->loose; j++) {
        const double a = scene_lasting_joint_acceleration(l, l->f, j),
                     size = scene_lasting_joint_scale(l, j) + felt_size(l, l->f, 3 * l->nc + j);
        if (l->held[j] == SCENE_STICKS && !(fabs(a) <= STANDS * size)) return false;
    }
    return true;
}

/* q, v <- such that loops are closed. */
static imp_status project(const scene_lasting *l, double *q, double *v) {
    return l->s->loops ? imp_loops_project(l->s->loops, q, v, NULL) : IMP_OK;
}

/* v <- without the velocities that the modes forbid; q <- with the gaps as they were found. What
 * others no longer imply has not been held so far: its velocity is the motion itself, and stays. */
static imp_status correct(scene_lasting *l, double *q, double *v) {
    imp_tree *tree = l->s->tree;
    double *excess = l->slip + 3 * l->nc; /* (n) */
    imp_status status = solve_least(l, false, l->u);
    if (status == IMP_OK && l->loose < l->as_loose) return project(l, q, v);
    if (status == IMP_OK) status = push(l, l->rate);
    if (status != IMP_OK) return status;
    for (int k = 0; k < l->nv; k++) {
        const double size = fabs(v[k]) + fabs(l->rate[k]);
        v[k] += l->rate[k];
        if (fabs(v[k]) <= CANCELS * size) v[k] = 0;
    }
    for (int i = 0; i < 3 * l->nc; i++)
        excess[i] =
            i % 3 ? 0 : -compliant_look(&l->s->system, l->pair[i / 3]).depth - l->gap[i / 3];
    memset(excess + 3 * l->nc, 0, (size_t)l->joints * sizeof *excess);
    status = solve_least(l, false, excess);
    if (status == IMP_OK) status = push(l, l->rate);
    if (status != IMP_OK) return status;
    imp_tree_advance(tree, 1, l->rate, q);
    return project(l, q, v);
}

imp_status scene_lasting_correct(scene_lasting *l, double *q, double *v) {
    imp_tree_place(l->s->tree, q, v);
    imp_status status = scene_lasting_look(l);
    if (status == IMP_OK) status = correct(l, q, v);
    if (status == IMP_OK) imp_tree_place(l->s->tree, q, v);
    return status;
}
