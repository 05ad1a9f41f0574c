/* loop.c - loops of a tree: rows C = G L^-1 in coordinates where H is the identity, what they leave
 * of velocities, accelerations and impulses, and the way back to where they are kept. */
#include "multibody/loop.h"

#include "base/finite.h"
#include "base/vec3.h"
#include "base/worse.h"
#include "contact/frame.h"
#include "multibody/loop_internal.h"
#include "multibody/loop_rows.h"
#include "multibody/tree_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row is nothing but rounding below this of how its joint's sides move against each other. */
static const double NO_ROW = 1e-12;
/* Positions are kept to this of what they are differences of. */
static const double CLOSED = 1e-14;
enum { MOST_PROJECTIONS = 50 };

imp_status imp_loop_of(const imp_tree *tree, imp_loop_kind kind, int a, int b,
                       const double point[3], const double *meets, const double axis[3],
                       double radius, imp_loop *loop) {
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int links = imp_tree_links(tree);
    const bool directed = kind != IMP_LOOP_BALL && kind != IMP_LOOP_WELD;
    imp_loop made = {.kind = kind, .a = a, .b = b, .radius = radius};
    if ((int)kind < IMP_LOOP_BALL || kind > IMP_LOOP_ROLLING || a < IMP_GROUND || b < IMP_GROUND ||
        a >= links || b >= links || a == b || (kind == IMP_LOOP_ROLLING && radius <= 0))
        return IMP_BAD_ARGUMENT;
    if (!imp_all_finite(point, 3) || (meets && !imp_all_finite(meets, 3)) ||
        (kind == IMP_LOOP_ROLLING && !isfinite(radius)))
        return IMP_NOT_FINITE;
    memcpy(made.axes[0], upright, sizeof upright);
    const imp_status status = directed ? imp_frame_from_normal(axis, made.axes[0]) : IMP_OK;
    if (status != IMP_OK) return status;
    memcpy(made.at[0], point, sizeof made.at[0]);
    memcpy(made.at[1], point, sizeof made.at[1]);
    memcpy(made.axes[1], made.axes[0], sizeof made.axes[1]);
    for (int side = 0; side < 2; side++) { /* out of a's frame, into b's */
        const int link = side ? b : a;
        if (link == IMP_GROUND) continue;
        const imp_link_state *s = imp_tree_state(tree, link);
        void (*const turn)(const double[9], const double[3], double[3]) =
            side ? apply3_transposed : apply3;
        double arm[3];
        if (side) {
            sub3(made.at[1], s->origin, arm);
            turn(s->rotation, arm, made.at[1]);
        } else {
            imp_tree_point(tree, link, point, made.at[1]);
        }
        for (int i = 0; i < 3; i++) {
            memcpy(arm, made.axes[1] + 3 * i, sizeof arm);
            turn(s->rotation, arm, made.axes[1] + 3 * i);
        }
    }
    if (meets) memcpy(made.at[1], meets, sizeof made.at[1]);
    *loop = made;
    return IMP_OK;
}

imp_loops *imp_loops_new(imp_tree *tree, int count, const imp_loop *loop) {
    imp_loops *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->tree = tree;
    s->count = count;
    for (int i = 0; i < count; i++)
        s->rows += imp_loop_rows(loop[i].kind);
    const size_t rows = (size_t)s->rows, nv = (size_t)imp_tree_nv(tree);
    s->loop = calloc((size_t)count + 1, sizeof *s->loop);
    s->G = calloc(rows * nv + 1, sizeof *s->G);
    s->whole = calloc(rows + 1, sizeof *s->whole);
    s->implied = calloc(rows + 1, sizeof *s->implied);
    s->work = calloc(5 * nv + 6 * rows + 1, sizeof *s->work);
    if (!s->loop || !s->G || !s->whole || !s->implied || !s->work) {
        imp_loops_free(s);
        return NULL;
    }
    if (count) memcpy(s->loop, loop, (size_t)count * sizeof *loop);
    for (int i = 0; i < count; i++) {
        if (loop[i].a != IMP_GROUND) imp_tree_hold(tree, loop[i].a);
        if (loop[i].b != IMP_GROUND) imp_tree_hold(tree, loop[i].b);
    }
    return s;
}

void imp_loops_free(imp_loops *s) {
    if (!s) return;
    imp_null_space_free(s->space);
    free(s->loop);
    free(s->G);
    free(s->whole);
    free(s->implied);
    free(s->work);
    free(s);
}

int imp_loops_count(const imp_loops *s) {
    return s->count;
}

const imp_loop *imp_loops_at(const imp_loops *s, int i) {
    return &s->loop[i];
}

int imp_loops_rows(const imp_loops *s) {
    return s->rows;
}

int imp_loops_rank(const imp_loops *s) {
    return s->space ? imp_null_space_rank(s->space) : 0;
}

/* x (nv) <- L'^-1 of a row; its length. */
static double rooted(const imp_tree *tree, double *x) {
    double square = 0;
    imp_tree_solve_half(tree, 1, 0, x);
    for (int k = 0; k < tree->nv; k++)
        square += x[k] * x[k];
    return sqrt(square);
}

/* Row r of a joint, as C' has it, to x (nv), and what its joint's sides do without each other to
 * *whole; zero where it is rounding. G (nv) <- as it is. False where its numbers overflow. */
static bool root_row(const imp_loops *s, const imp_loop_place *place, int r, double *G, double *x,
                     double *whole) {
    const size_t nv = (size_t)s->tree->nv;
    double any = 0, *other = s->work;
    for (int along = 0; along < 3; along++) {
        memset(other, 0, nv * sizeof *other);
        imp_loop_any(s->tree, place, r, along, other);
        any = imp_worse(any, rooted(s->tree, other));
    }
    memset(G, 0, nv * sizeof *G);
    imp_loop_derivative(s->tree, place, r, G);
    memcpy(x, G, nv * sizeof *x);
    if (!isfinite(any)) return false;
    *whole = any;
    if (rooted(s->tree, x) > NO_ROW * any) return true;
    *whole = 0;
    memset(x, 0, nv * sizeof *x);
    memset(G, 0, nv * sizeof *G);
    return true;
}

/* *A (nv x columns) <- what stands in X (columns x nv). IMP_OK, IMP_NO_MEMORY. */
static imp_status sparse_of(int nv, int columns, const double *X, imp_sparse *A) {
    const size_t n = (size_t)nv, room = (size_t)columns * n + 1;
    int used = 0;
    *A = (imp_sparse){nv, columns, calloc((size_t)columns + 1, sizeof(int)),
                      calloc(room, sizeof(int)), calloc(room, sizeof(double))};
    if (!A->start || !A->row || !A->value) {
        imp_sparse_clear(A);
        return IMP_NO_MEMORY;
    }
    for (int j = 0; j < columns; j++) {
        for (int k = 0; k < nv; k++) {
            if (X[(size_t)j * n + (size_t)k] == 0) continue;
            A->row[used] = k;
            A->value[used++] = X[(size_t)j * n + (size_t)k];
        }
        A->start[j + 1] = used;
    }
    return IMP_OK;
}

imp_status imp_loops_factor(imp_loops *s) {
    const size_t nv = (size_t)s->tree->nv;
    double *C = calloc((size_t)s->rows * nv + 1, sizeof *C);
    imp_sparse Ct = {0};
    imp_null_space *space = NULL;
    int row = 0;
    imp_status status = C ? IMP_OK : IMP_NO_MEMORY;
    for (int i = 0; status == IMP_OK && i < s->count; i++) {
        const imp_loop_place place = imp_loop_look(s->tree, &s->loop[i]);
        for (int r = 0; r < imp_loop_rows(s->loop[i].kind); r++, row++) {
            double *G = s->G + (size_t)row * nv;
            memset(G, 0, nv * sizeof *G);
            s->whole[row] = 0;
            if (s->implied[row]) continue;
            if (!root_row(s, &place, r, G, C + (size_t)row * nv, &s->whole[row]))
                status = IMP_NOT_FINITE;
        }
    }
    if (status == IMP_OK) status = sparse_of(s->tree->nv, s->rows, C, &Ct);
    if (status == IMP_OK) status = imp_null_space_new(&Ct, &space, &row);
    imp_sparse_clear(&Ct);
    free(C);
    imp_null_space_free(s->space);
    s->space = space;
    return status;
}

/* c, size (rows) of the work, and what one solve needs behind them. */
static double *wanted(const imp_loops *s) {
    return s->work + s->tree->nv;
}

/* x (nv) <- the shortest L-scaled change of velocity that gives the rows what `wanted` says. */
static imp_status least(const imp_loops *s, double *x) {
    double *c = wanted(s), *size = c + s->rows;
    int row;
    return imp_null_space_particular(s->space, c, size, x, &row, size + s->rows);
}

/* Of velocities v (nv), or of how they change: those that row r of a joint is a difference of,
 * along whichever direction most. */
static double parts(const imp_loops *s, const imp_loop_place *place, int r, const double *v) {
    const size_t nv = (size_t)s->tree->nv;
    double most = 0, *x = s->work;
    for (int along = 0; along < 3; along++) {
        double sum = 0;
        memset(x, 0, nv * sizeof *x);
        imp_loop_any(s->tree, place, r, along, x);
        for (size_t k = 0; k < nv; k++)
            sum += fabs(x[k] * v[k]);
        most = imp_worse(most, sum);
    }
    return most;
}

imp_status imp_loops_rate(imp_loops *s, double *rate) {
    static const double nothing[3];
    const int nv = s->tree->nv;
    double *x = s->work, *c = wanted(s), *size = c + s->rows;
    imp_tree_inverse_dynamics(s->tree, nothing, NULL, x); /* accelerations where v' = 0 */
    for (int i = 0, row = 0; i < s->count; i++) {
        imp_loop_place place = imp_loop_look(s->tree, &s->loop[i]);
        imp_loop_accelerate(s->tree, &place);
        for (int r = 0; r < imp_loop_rows(s->loop[i].kind); r++, row++) {
            const double *G = s->G + (size_t)row * (size_t)nv;
            c[row] = size[row] = 0;
            if (s->implied[row]) continue;
            c[row] = -imp_loop_bias(&place, r, &size[row]);
            if (imp_all_zero(G, (size_t)nv)) /* where all rests its bias is rounding of rounding */
                size[row] += parts(s, &place, r, rate);
            for (int k = 0; k < nv; k++) {
                c[row] -= G[k] * rate[k];
                size[row] += fabs(G[k] * rate[k]);
            }
        }
    }
    const imp_status status = least(s, x);
    if (status != IMP_OK) return status;
    imp_tree_solve_rest(s->tree, x);
    for (int k = 0; k < nv; k++)
        rate[k] += x[k];
    return IMP_OK;
}

/* x (nv) <- what v (nv) lacks to keep the rows, L-scaled. */
static imp_status lacking(imp_loops *s, const double *v, double *x) {
    const int nv = s->tree->nv;
    double *c = wanted(s), *size = c + s->rows;
    for (int row = 0; row < s->rows; row++) {
        const double *G = s->G + (size_t)row * (size_t)nv;
        c[row] = size[row] = 0;
        for (int k = 0; k < nv; k++) {
            c[row] -= G[k] * v[k];
            size[row] += fabs(G[k] * v[k]);
        }
    }
    return least(s, x);
}

imp_status imp_loops_velocity(imp_loops *s, double *v) {
    double *x = s->work;
    const imp_status status = lacking(s, v, x);
    if (status != IMP_OK) return status;
    imp_tree_solve_rest(s->tree, x);
    for (int k = 0; k < s->tree->nv; k++) {
        /* what cancels is 0 and not its rounding: where joints hold a body altogether no other
           motion is there for that to be small beside */
        const double size = fabs(v[k]) + fabs(x[k]);
        v[k] += x[k];
        if (fabs(v[k]) <= NO_ROW * size) v[k] = 0;
    }
    return IMP_OK;
}

imp_status imp_loops_left(const imp_loops *s, int columns, const double *X, imp_factored **W) {
    imp_sparse half = {0}, left = {0};
    *W = NULL;
    imp_status status = sparse_of(s->tree->nv, columns, X, &half);
    if (status == IMP_OK) status = imp_null_space_project(s->space, &half, &left);
    if (status == IMP_OK) status = imp_factored_of(&left, W);
    imp_sparse_clear(&half);
    imp_sparse_clear(&left);
    return status;
}

double imp_loops_rest(const imp_tree *tree, const imp_contact *c, double W, double q) {
    double sum = 0, arm[3];
    for (int side = 0; side < 2; side++) {
        const int link = side ? c->b : c->a;
        if (link == IMP_GROUND) continue;
        const imp_link_state *s = imp_tree_state(tree, link);
        sub3(c->point, s->origin, arm);
        sum += norm3(s->velocity) + norm3(s->spin) * norm3(arm);
    }
    return W == 0 && fabs(q) <= NO_ROW * sum ? 0 : q;
}

double imp_loops_rounding(const imp_loops *s, const imp_contact *c, const double *half) {
    const size_t nv = (size_t)s->tree->nv;
    double square = 0, turns = 0, *x = s->work;
    for (size_t k = 0; k < nv; k++)
        square += half[k] * half[k];
    for (int side = 0; side < 2; side++) {
        const int link = side ? c->b : c->a;
        double most = 0;
        if (link == IMP_GROUND) continue;
        for (int k = 0; k < 3; k++) {
            const double couple[3] = {k == 0, k == 1, k == 2};
            memset(x, 0, nv * sizeof *x);
            imp_tree_twist(s->tree, link, couple, x);
            most = imp_worse(most, rooted(s->tree, x));
        }
        turns += (norm3(c->point) + norm3(imp_tree_state(s->tree, link)->origin)) * most;
    }
    return NO_ROW * (sqrt(square) + turns);
}

imp_status imp_loops_delassus(imp_loops *s, int nc, const imp_contact *contacts, double *W,
                              double *q, double *work) {
    const int rows = 3 * nc, nv = s->tree->nv;
    imp_factored *left = NULL;
    imp_status status = imp_tree_delassus(s->tree, nc, contacts, W, q, work);
    if (status == IMP_OK) status = imp_loops_left(s, rows, work, &left);
    if (status == IMP_OK) status = lacking(s, s->tree->v, s->work);
    if (status == IMP_OK) {
        const imp_operator operator= imp_operator_factored(left);
        imp_operator_write(&operator, W);
        for (int r = 0; r < rows; r++) { /* J L^-1 times the change */
            for (int k = 0; k < nv; k++)
                q[r] += work[(size_t)r * (size_t)nv + (size_t)k] * s->work[k];
            q[r] =
                imp_loops_rest(s->tree, &contacts[r / 3], W[(size_t)r * (size_t)(rows + 1)], q[r]);
        }
    }
    imp_factored_free(left);
    return status;
}

void imp_loops_judge(const imp_loops *s, imp_loops_errors *errors) {
    const size_t nv = (size_t)s->tree->nv;
    double missed[2] = {0}, size[2] = {0}, *G = s->work; /* of points, of directions */
    *errors = (imp_loops_errors){0};
    for (int i = 0; i < s->count; i++) {
        const imp_loop_place place = imp_loop_look(s->tree, &s->loop[i]);
        for (int r = 0; r < imp_loop_rows(s->loop[i].kind); r++) {
            const int turns = imp_loop_turns(&place, r);
            double rate = 0;
            size[turns] = imp_worse(size[turns], parts(s, &place, r, s->tree->v));
            errors->position = imp_worse(errors->position, fabs(imp_loop_miss(&place, r)));
            memset(G, 0, nv * sizeof *G);
            imp_loop_derivative(s->tree, &place, r, G);
            for (size_t k = 0; k < nv; k++)
                rate += G[k] * s->tree->v[k];
            missed[turns] = imp_worse(missed[turns], fabs(rate));
        }
    }
    for (int turns = 0; turns < 2; turns++)
        if (size[turns] > 0)
            errors->velocity = imp_worse(errors->velocity, missed[turns] / size[turns]);
}

/* What the rows miss at the tree's place, for `least`. Returns the largest share of what a row is a
 * difference of, not finite where that is not; *drift: the largest itself. */
static double look_for_misses(const imp_loops *s, double *drift) {
    const double length = imp_loops_reach(s->tree, s->count, s->loop);
    double *c = wanted(s), *size = c + s->rows, worst = 0;
    *drift = 0;
    for (int i = 0, row = 0; i < s->count; i++) {
        const imp_loop_place place = imp_loop_look(s->tree, &s->loop[i]);
        for (int r = 0; r < imp_loop_rows(s->loop[i].kind); r++, row++) {
            c[row] = -imp_loop_miss(&place, r);
            size[row] = imp_loop_turns(&place, r) ? 1 : length;
            *drift = imp_worse(*drift, fabs(c[row]));
            const double share = c[row] == 0 ? 0 : fabs(c[row]) / size[row];
            worst = imp_worse(worst, share);
            if (s->implied[row]) c[row] = 0; /* closed with the others */
        }
    }
    return isfinite(length) ? worst : length;
}

static imp_status place(imp_loops *s, const double *q, const double *v) {
    imp_tree_place(s->tree, q, v);
    const imp_status status = imp_tree_factor(s->tree);
    return status == IMP_OK ? imp_loops_factor(s) : status;
}

/* q <- a place that closes the loops, by Newton's method with the least steps. */
static imp_status close_loops(imp_loops *s, double *q, double *drift) {
    double last = INFINITY;
    for (int k = 0; k < MOST_PROJECTIONS; k++) {
        double missed;
        imp_status status = place(s, q, NULL);
        const double miss = look_for_misses(s, &missed);
        if (k == 0 && drift) *drift = missed;
        if (status != IMP_OK || miss <= CLOSED) return status;
        if (miss < 1e-12 && !(miss < 0.5 * last)) return IMP_OK; /* no nearer by rounding */
        last = miss;
        status = least(s, s->work);
        if (status != IMP_OK) return status;
        imp_tree_solve_rest(s->tree, s->work);
        imp_tree_advance(s->tree, 1, s->work, q);
    }
    return IMP_NOT_CONVERGED;
}

imp_status imp_loops_project(imp_loops *s, double *q, double *v, double *drift) {
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv;
    double *moved = malloc((nq + nv + 1) * sizeof *moved), *speed = moved ? moved + nq : NULL;
    if (!moved) return IMP_NO_MEMORY;
    memcpy(moved, q, nq * sizeof *q);
    memset(speed, 0, nv * sizeof *speed);
    if (v) memcpy(speed, v, nv * sizeof *v);
    imp_status status = close_loops(s, moved, drift);
    if (status == IMP_OK && v) status = imp_loops_velocity(s, speed);
    if (status == IMP_OK) {
        memcpy(q, moved, nq * sizeof *q);
        if (v) memcpy(v, speed, nv * sizeof *v);
        imp_tree_place(s->tree, q, v);
    }
    free(moved);
    return status;
}
