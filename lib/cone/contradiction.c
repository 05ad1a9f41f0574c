/* contradiction.c - z from the frictionless impact on A_N + ridge E, which always has an answer y:
 * where A_N has none, y grows as z / ridge. The z >= 0 of least z'A_N z + ridge |z - y|^2 keeps of
 * y what nothing resists, and next to nothing else. What it proves is then looked at by itself. */
#include "cone/contradiction.h"

#include "base/exact.h"
#include "base/length.h"
#include "cone/convex_active.h"
#include "cone/convex_island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double epsilon = 1e-9; /* of the largest diagonal entry of A_N */
static const double beyond = 1e12;

/* sqrt(W_nn) of contact i. */
static double root(const convex_island *s, int i) {
    return sqrt(imp_convex_own_block(s, i)[0]);
}

/* Negative: what of contact i's approach its gap does not let through. */
static double approach(const convex_island *s, int i) {
    return s->q[3 * (size_t)i] + s->gap[i];
}

/* Do impulses x along the normals, which move the contacts by Wx, prove it? */
static bool proves(const convex_island *s, const double *x, const double *Wx) {
    double work = 0, moved = 0, usual = 0;
    for (int i = 0; i < s->n; i++) {
        const double *u = Wx + 3 * (size_t)i, q = approach(s, i), by_itself = root(s, i);
        work -= x[3 * (size_t)i] * q;
        if (by_itself == 0) continue; /* nothing moves it */
        moved = fmax(moved, (fabs(u[0]) + s->mu[i] * imp_length(u[1], u[2])) / by_itself);
        usual = fmax(usual, fabs(q) / by_itself);
    }
    return work > beyond * usual * moved;
}

/* z (nc) <- the impulses y (n) of an island's contacts, as parts of the largest. */
static void tell(const convex_island *s, const double *y, double *z) {
    const double largest = imp_largest(y, (size_t)s->n, 1);
    for (int i = 0; i < s->n; i++)
        z[s->contact[i]] = y[i] / largest;
}

static imp_status contradiction_of(const convex_island *s, double *z) {
    const size_t n = (size_t)s->n;
    if (n > IMP_CONVEX_DENSE) return IMP_NOT_CONVERGED;
    double *A = calloc(1, (n * n + 10 * n) * sizeof *A + imp_convex_active_workspace(s->n));
    if (!A) return IMP_NO_MEMORY;
    double *b = A + n * n, *y = b + n, *w = y + n, *v = w + n, *x = v + n, *Wx = x + 3 * n;
    imp_convex_normal_matrix(s, A);
    const double largest = imp_largest(A, n, n + 1), ridge = epsilon * (largest > 0 ? largest : 1);
    for (size_t i = 0; i < n; i++) {
        A[i * (n + 1)] += ridge;
        b[i] = approach(s, (int)i);
    }
    bool found = imp_convex_active(s->n, A, b, y, w, v, Wx + 3 * n) == IMP_OK;
    for (size_t i = 0; i < n; i++)
        b[i] = -ridge * y[i];
    found = found && imp_convex_active(s->n, A, b, y, w, v, Wx + 3 * n) == IMP_OK;
    for (size_t i = 0; i < n; i++)
        x[3 * i] = y[i];
    imp_convex_apply(s, x, Wx);
    found = found && proves(s, x, Wx);
    if (found && z) tell(s, y, z);
    free(A);
    return found ? IMP_NO_SOLUTION : IMP_NOT_CONVERGED;
}

imp_status imp_contradiction(const imp_problem *problem, double *z) {
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
        status = s ? contradiction_of(s, z) : IMP_NO_MEMORY;
        imp_convex_island_free(s);
    }
    imp_parts_close(&parts);
    free(label);
    return status;
}
