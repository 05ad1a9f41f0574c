/* coulomb_quad.c - every solution of the Coulomb-like purely inelastic contact in quadruple
 * precision.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half. A slip has (H + kappa I) z = g and |z| = p + e.z
 * with kappa > 0. With y = adj(H + kappa I) g and L = p det(H + kappa I) + e.y it is a root of
 * |y|^2 = L^2, a quartic in kappa, with L > 0. All its positive roots are found (roots.c); nothing
 * is known beforehand about their number. */
#include "reduced.h"

#include <stdlib.h>

/* |y|^2 - L^2 in units where trace(H) = 1, ascending powers of kappa/trace. */
static void slip_quartic(const reduced *r, quad trace, quad c[QUAD_DEGREE + 1]) {
    const quad H[3] = {r->H[0] / trace, r->H[1] / trace, r->H[2] / trace}, *g = r->g;
    const quad size = length2(g) + r->p * trace;
    const quad h[2] = {g[0] / size, g[1] / size}, p = r->p * trace / size; /* y = y0 + kappa h */
    const quad y0[2] = {H[2] * h[0] - H[1] * h[1], H[0] * h[1] - H[1] * h[0]};
    const quad l0 = p * (H[0] * H[2] - H[1] * H[1]) + dot2(r->e, y0), l1 = p + dot2(r->e, h);
    c[0] = dot2(y0, y0) - l0 * l0;
    c[1] = 2 * (dot2(y0, h) - l0 * l1);
    c[2] = dot2(h, h) - l1 * l1 - 2 * l0 * p;
    c[3] = -2 * l1 * p;
    c[4] = -p * p;
}

static int by_energy(const void *a, const void *b) {
    const long double x = ((const oracle_solution *)a)->energy,
                      y = ((const oracle_solution *)b)->energy;
    return (x > y) - (x < y);
}

/* z and L/det for one kappa: (H + kappa I)^-1 g, and what |z| must be. */
static quad slip_at(const reduced *r, quad kappa, quad z[2]) {
    const quad H[3] = {r->H[0] + kappa, r->H[1], r->H[2] + kappa}, det = H[0] * H[2] - H[1] * H[1];
    z[0] = (H[2] * r->g[0] - H[1] * r->g[1]) / det;
    z[1] = (H[0] * r->g[1] - H[1] * r->g[0]) / det;
    return r->p + dot2(r->e, z);
}

int reduced_coulomb(const reduced *r, oracle_solution solution[ORACLE_MOST]) {
    const quad trace = r->H[0] + r->H[2];
    int count = 0;
    if (r->plane <= 0) solution[count++] = reduced_nothing(r, "zero");
    if (r->length <= r->p + dot2(r->e, r->target) && (r->length > 0 || r->plane > 0))
        solution[count++] = reduced_at(r, "stick", r->target, 0);
    quad c[QUAD_DEGREE + 1], reversed[QUAD_DEGREE + 1], root[QUAD_DEGREE];
    slip_quartic(r, trace, c);
    for (int i = 0; i <= QUAD_DEGREE; i++)
        reversed[i] = c[QUAD_DEGREE - i];
    for (int chart = 0; chart < 2; chart++) { /* kappa up to trace(H), then its inverse */
        const int found = quad_roots(chart ? reversed : c, 0, 1, root);
        if (found < 0) return -1;
        for (int k = 0; k < found; k++) {
            if (chart && root[k] == 1) continue;
            const quad kappa = trace * (chart ? 1 / root[k] : root[k]);
            quad z[2];
            if (slip_at(r, kappa, z) > 0) solution[count++] = reduced_at(r, "slip", z, kappa);
        }
    }
    qsort(solution, (size_t)count, sizeof *solution, by_energy);
    return count;
}

int oracle_coulomb(const double W[6], const double q[3], double mu,
                   oracle_solution solution[ORACLE_MOST]) {
    const reduced r = reduced_from_double(W, q, mu, -q[0]);
    return reduced_coulomb(&r, solution);
}
