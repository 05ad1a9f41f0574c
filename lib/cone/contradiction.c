/* contradiction.c - z from the frictionless impact on A_N + ridge E, which always has an answer y:
 * where A_N has none, y grows as z / ridge. The z >= 0 of least z'A_N z + ridge |z - y|^2 keeps of
 * y what nothing resists, and next to nothing else. What it proves is then looked at by itself. */
#include "cone/contradiction.h"

#define IMP_ONE_LANE
#include "base/dd.h"
#include "base/exact.h"
#include "base/length.h"
#include "cone/contradiction_internal.h"
#include "cone/convex_active.h"
#include "cone/convex_island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double epsilon = 1e-9; /* of the largest diagonal entry of A_N */
/* 1e12 would take a body for a wall that is so many times as heavy as what it meets; rounding of W
 * leaves 1e15 of real ones */
static const double beyond = 1e14;
/* of the largest velocity: between rounding of bodies' velocities, 1e-13 (contact/delassus.h), and
 * what closes slowly in earnest */
static const double unsure = 1e-12;

/* sqrt(W_nn) of contact i. */
static double own_root(const convex_island *s, int i) {
    return sqrt(imp_convex_own_block(s, i)[0]);
}

static int descending(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first < second) - (first > second);
}

/* Negative: what of contact i's approach its gap does not let through. */
static double approach(const convex_island *s, int i) {
    return s->q[3 * (size_t)i] + s->gap[i];
}

/* What impulses along the normals do: of an answer p, (W z)'p >= work. */
typedef struct effort {
    double work, terms; /* on the approaches; the terms that it is the sum of */
    double hidden;      /* what it may be where nothing approaches: of velocities that are unsure */
    double moved;       /* the most of W z, by what moves each contact alone */
    double length;      /* the sum of z, by the same */
    double stops;       /* of (W z)'p, the terms of p's normals and of the friction that these bear;
                           0 without p */
} effort;

/* Of x (3n) along the normals, which move the contacts by Wx; p (3n), or NULL. */
static effort effort_of(const convex_island *s, const double *x, const double *Wx,
                        const double *p) {
    effort z = {0};
    const double least = unsure * imp_largest(s->q, 3 * (size_t)s->n, 1);
    for (int i = 0; i < s->n; i++) {
        const size_t at = 3 * (size_t)i;
        const double q = x[at] * approach(s, i), by_itself = own_root(s, i),
                     u = fabs(Wx[at]) + s->mu[i] * imp_length(Wx[at + 1], Wx[at + 2]);
        z.work -= q;
        z.terms += fabs(q);
        z.hidden += x[at] * least;
        if (by_itself == 0) continue; /* nothing moves it */
        z.moved = fmax(z.moved, u / by_itself);
        z.length += x[at] * by_itself;
        z.stops += p ? u * fabs(p[at]) : 0;
    }
    return z;
}

/* Wx (3n) <- W x, of x along the normals, rounded once: of what cancels rounding would be taken for
 * all that resists, or hide it. */
static void apply(const convex_island *s, const double *x, double *Wx) {
    for (int i = 0; i < s->n; i++) {
        dd sum[3] = {{0, 0}, {0, 0}, {0, 0}};
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const double own = x[3 * (size_t)s->column[k]];
            for (int r = 0; own != 0 && r < 3; r++)
                sum[r] = dd_add(sum[r], dd_product(s->block[9 * (size_t)k + 3 * (size_t)r], own));
        }
        for (int r = 0; r < 3; r++)
            Wx[3 * (size_t)i + (size_t)r] = sum[r].hi;
    }
}

/* Do they prove it? Their work is no rounding, neither of its terms nor of velocities, as where
 * bodies at rest are jammed and what z presses beside them is dust; and normal impulses would have
 * to be `beyond` what stops the contacts that they press, z's mean of it; or p, taken for an
 * answer, does less than half of the work that every answer does. Of an answer that leaves `off`
 * of approaches as much work says nothing. */
static bool proves(const effort *z, double off) {
    if (!(z->work > fmax(IMP_ACTIVE_ROUNDING, off) * z->terms && z->work > z->hidden)) return false;
    return z->moved == 0 || z->work * z->length > beyond * z->terms * z->moved ||
           (off >= 0 && z->work > 2 * z->stops);
}

/* z (nc) <- the impulses x (3n) of an island's contacts, as parts of the largest. */
static void tell(const convex_island *s, const double *x, double *z) {
    const double largest = imp_largest(x, (size_t)s->n, 3);
    for (int i = 0; i < s->n; i++)
        z[s->contact[i]] = x[3 * (size_t)i] / largest;
}

/* x (3n) <- impulses along the normals of the contacts chosen, which are `part`, that next to
 * nothing resists. Each proximal step leaves of y what resists by `ridge` over that: the first what
 * is large, those after it what is large beside slow approaches. A: scratch. Shown? */
static bool search(const convex_island *s, const convex_island *part, const int *chosen,
                   const double *p, double off, double *A, double *x) {
    enum { STEPS = 3 };
    const size_t n = (size_t)part->n;
    double *b = A + n * n, *y = b + n, *w = y + n, *v = w + n, *Wx = x + 3 * (size_t)s->n;
    imp_convex_normal_matrix(part, A);
    const double largest = imp_largest(A, n, n + 1), ridge = epsilon * (largest > 0 ? largest : 1);
    for (size_t i = 0; i < n; i++) {
        A[i * (n + 1)] += ridge;
        b[i] = approach(part, (int)i);
    }
    if (imp_convex_active(part->n, A, b, y, w, v, v + n) != IMP_OK) return false;
    for (int k = 0; k < STEPS; k++) {
        for (size_t i = 0; i < n; i++)
            b[i] = -ridge * y[i];
        if (imp_convex_active(part->n, A, b, y, w, v, v + n) != IMP_OK) return false;
        for (size_t i = 0; i < n; i++)
            x[3 * (size_t)chosen[i]] = y[i];
        apply(s, x, Wx);
        const effort z = effort_of(s, x, Wx, p);
        if (proves(&z, off)) return true;
    }
    return false;
}

/* What p (3n) presses contact i with, as a velocity; 0 where it is no number. */
static double pressed(const convex_island *s, const double *p, int i) {
    return imp_larger(0, fabs(p[3 * (size_t)i]) * own_root(s, i));
}

/* chosen (most, ascending) <- the contacts that p (3n) presses most; of many alike the first. size
 * (n): scratch. */
static void choose_pressed(const convex_island *s, const double *p, int most, double *size,
                           int *chosen) {
    int count = 0, ties = most;
    for (int i = 0; i < s->n; i++)
        size[i] = pressed(s, p, i);
    qsort(size, (size_t)s->n, sizeof *size, descending);
    const double least = size[most - 1];
    for (int i = 0; i < most; i++)
        ties -= size[i] > least;
    for (int i = 0; i < s->n; i++) {
        const double own = pressed(s, p, i);
        if (own > least || (own == least && ties-- > 0)) chosen[count++] = i;
    }
}

/* own (3n) <- what the island has of p (3nc, N s), in its units. */
static void gather(const convex_island *s, const double *p, double *own) {
    for (int i = 0; i < s->n; i++)
        memcpy(own + 3 * (size_t)i, p + 3 * (size_t)s->contact[i], 3 * sizeof *own);
    imp_shift(own, 3 * (size_t)s->n, -s->impulse_exponent);
}

static imp_status contradiction_of(const convex_island *s, const double *p, double off, double *z) {
    const size_t n = (size_t)s->n, most = n < IMP_CONVEX_DENSE ? n : IMP_CONVEX_DENSE;
    if (n > most && !p) return IMP_NOT_CONVERGED;
    /* x, W x, p, what chooses among contacts; the dense system */
    double *x = calloc(1, (10 * n + most * most + 4 * most) * sizeof *x +
                              imp_convex_active_workspace((int)most));
    double *own = x ? x + 6 * n : NULL, *size = x ? x + 9 * n : NULL, *A = x ? x + 10 * n : NULL;
    int chosen[IMP_CONVEX_DENSE] = {0};
    for (size_t i = 0; i < most; i++)
        chosen[i] = (int)i;
    if (x && p) gather(s, p, own);
    if (x && n > most) choose_pressed(s, own, (int)most, size, chosen);
    convex_island *part = x ? imp_convex_island_part(s, chosen, (int)most) : NULL;
    imp_status status = part ? IMP_NOT_CONVERGED : IMP_NO_MEMORY;
    if (part && search(s, part, chosen, p ? own : NULL, off, A, x)) {
        status = IMP_NO_SOLUTION;
        if (z) tell(s, x, z);
    }
    imp_convex_island_free(part);
    free(x);
    return status;
}

imp_status imp_contradiction_beside(const imp_problem *problem, const double *p, double off,
                                    double *z) {
    const imp_status fault = imp_problem_check_vectors(problem, NULL);
    if (fault != IMP_OK) return fault;
    if (z) memset(z, 0, (size_t)problem->nc * sizeof *z);
    if (problem->W->as_given) return IMP_NOT_CONVERGED;
    int *label = malloc((size_t)problem->nc * sizeof *label);
    const int islands = label ? imp_convex_islands(problem, false, label) : -1;
    imp_parts parts = {0};
    const bool good = islands >= 0 && imp_parts_open(&parts, problem->W, label, islands);
    imp_status status = good ? IMP_NOT_CONVERGED : IMP_NO_MEMORY;
    for (int k = 0; k < islands && status == IMP_NOT_CONVERGED; k++) {
        convex_island *s = imp_convex_island_new(problem, &parts, k, 0);
        status = s ? contradiction_of(s, p, off, z) : IMP_NO_MEMORY;
        imp_convex_island_free(s);
    }
    imp_parts_close(&parts);
    free(label);
    return status;
}

imp_status imp_contradiction(const imp_problem *problem, double *z) {
    return imp_contradiction_beside(problem, NULL, -1, z);
}
