/* loop_friction.c - friction of joints where loops hold: their impulses within bounds, projected as
 * those of contacts are. */
#include "linear/bounded.h"
#include "multibody/loop_internal.h"
#include "multibody/loop_rows.h"
#include "multibody/tree_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The joints that rub. */
typedef struct rubbing {
    int n;
    int *joint;          /* (n) a degree of freedom, or nv + a loop's number */
    double *Y;           /* (n x nv) what the rows leave of L'^-1 F' */
    double *A;           /* (n x n) */
    double *rate, *size; /* (n) at v, and of its parts */
    double *bound, *x, *slope;
    void *work;
} rubbing;

void imp_loops_slip(const imp_loops *s, int i, double *row) {
    const imp_loop_kind kind = s->loop[i].kind;
    memset(row, 0, (size_t)s->tree->nv * sizeof *row);
    if (kind != IMP_LOOP_REVOLUTE && kind != IMP_LOOP_SLIDER) return;
    const imp_loop_place place = imp_loop_look(s->tree, &s->loop[i]);
    imp_loop_free(s->tree, &place, row);
}

double imp_loops_slip_bias(imp_loops *s, int i) {
    static const double nothing[3];
    const imp_loop_kind kind = s->loop[i].kind;
    if (kind != IMP_LOOP_REVOLUTE && kind != IMP_LOOP_SLIDER) return 0;
    imp_loop_place place = imp_loop_look(s->tree, &s->loop[i]);
    imp_tree_inverse_dynamics(s->tree, nothing, NULL, s->work); /* accelerations where v' = 0 */
    imp_loop_accelerate(s->tree, &place);
    return imp_loop_free_bias(&place);
}

static int count_bounds(const imp_loops *s, const double *bound) {
    int n = 0;
    for (int k = 0; k < s->tree->nv + s->count; k++)
        n += bound[k] > 0;
    return n;
}

static double *take(double **room, size_t count) {
    double *x = *room;
    *room += count;
    return x;
}

static imp_status acquire(const imp_loops *s, const double *bound, rubbing *r) {
    const size_t n = (size_t)count_bounds(s, bound), nv = (size_t)s->tree->nv;
    double *room = calloc(n * nv + n * n + 5 * n + 1, sizeof *room);
    *r = (rubbing){.n = (int)n, .Y = room, .joint = calloc(n + 1, sizeof *r->joint)};
    r->work = malloc(imp_bounded_workspace((int)n) + 1);
    if (!room || !r->joint || !r->work) return IMP_NO_MEMORY;
    take(&room, n * nv);
    r->A = take(&room, n * n);
    r->rate = take(&room, n);
    r->size = take(&room, n);
    r->bound = take(&room, n);
    r->x = take(&room, n);
    r->slope = take(&room, n);
    for (int k = 0, i = 0; k < s->tree->nv + s->count; k++)
        if (bound[k] > 0) r->bound[i] = bound[k], r->joint[i++] = k;
    return IMP_OK;
}

static void release(rubbing *r) {
    free(r->Y);
    free(r->joint);
    free(r->work);
}

/* Y, A and the rates at v. */
static void fill(const imp_loops *s, const double *v, rubbing *r) {
    const size_t nv = (size_t)s->tree->nv;
    for (int i = 0; i < r->n; i++) {
        double *Y = r->Y + (size_t)i * nv;
        const int own = r->joint[i] - s->tree->nv;
        if (own >= 0)
            imp_loops_slip(s, own, Y);
        else
            Y[r->joint[i]] = 1;
        for (size_t k = 0; k < nv; k++) {
            r->rate[i] += Y[k] * v[k];
            r->size[i] += fabs(Y[k] * v[k]);
        }
        imp_tree_solve_half(s->tree, 1, 0, Y);
        imp_null_space_keep(s->space, Y, s->work);
    }
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < nv; k++)
                sum += r->Y[(size_t)i * nv + k] * r->Y[(size_t)j * nv + k];
            r->A[i * r->n + j] = r->A[j * r->n + i] = sum;
        }
}

/* v <- v + L^-1 Y'x, kept within the rows. */
static imp_status move(imp_loops *s, const rubbing *r, double *v) {
    const size_t nv = (size_t)s->tree->nv;
    double *moved = calloc(nv + 1, sizeof *moved);
    if (!moved) return IMP_NO_MEMORY;
    for (int i = 0; i < r->n; i++)
        for (size_t k = 0; k < nv; k++)
            moved[k] += r->Y[(size_t)i * nv + k] * r->x[i];
    imp_tree_solve_rest(s->tree, moved);
    for (size_t k = 0; k < nv; k++)
        moved[k] += v[k];
    const imp_status status = imp_loops_velocity(s, moved);
    if (status == IMP_OK) memcpy(v, moved, nv * sizeof *v);
    free(moved);
    return status;
}

imp_status imp_loops_friction(imp_loops *s, const double *bound, double *v, double *x) {
    rubbing r;
    imp_status status = acquire(s, bound, &r), moved = IMP_NO_MEMORY;
    if (status == IMP_OK) {
        fill(s, v, &r);
        status = imp_bounded_least(r.n, r.A, r.rate, r.size, r.bound, r.x, r.slope, r.work, NULL);
        moved = move(s, &r, v);
    }
    if (moved == IMP_OK) {
        memset(x, 0, (size_t)(s->tree->nv + s->count) * sizeof *x);
        for (int i = 0; i < r.n; i++)
            x[r.joint[i]] = r.x[i];
    }
    release(&r);
    return moved == IMP_OK ? status : moved;
}
