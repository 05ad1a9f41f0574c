/* general.c - the one-contact problem of a block given to the library's general solvers, which know nothing of spheres.
 *
 * Slow; it shows that the closed form is what they answer. */
#include "granular/granular_internal.h"
#include "contact/frame.h"
#include "base/vec3.h"
#include "single/single.h"

/* p (3, world) <- the solution with everything else as it is; unchanged where the solver has none. */
static void solve(imp_granular_law law, const body *a, const body *b, const double n[3], double bias, double p[3]) {
    const double an = a->inv_mass + b->inv_mass, W[6] = {an, 0, 0, 3.5 * an, 0, 3.5 * an};
    double frame[9], sum[3], u[3], own[3], q[3], x[3];
    if (imp_frame_from_normal(n, frame) != IMP_OK) return;
    for (int i = 0; i < 3; i++) {
        sum[i] = a->q[i] + b->q[i];
        u[i] = b->v[i] - a->v[i];
    }
    add_cross3(n, sum, u);
    apply3(frame, u, q);
    apply3(frame, p, own);
    q[0] += bias - an * own[0];
    q[1] -= 3.5 * an * own[1];
    q[2] -= 3.5 * an * own[2];
    if (law == IMP_GRANULAR_COULOMB_GENERAL) {
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(W, q, a->friction, &set) < IMP_OK || set.count < 1) return;
        apply3_transposed(frame, set.solution[0].p, p);
    } else if (imp_maxdiss(W, q, a->friction, 0, x, NULL) >= IMP_OK) {
        apply3_transposed(frame, x, p);
    }
}

void imp_granular_relax_general(imp_granular_law law, body *bodies, block *blocks, int n) {
    for (block *k = blocks; k < blocks + n; k++)
        for (int l = 0; l < LANES; l++) {
            if (is_idle(k, l)) continue;
            body *a = &bodies[k->a[l]], *b = &bodies[k->b[l]];
            const double normal[3] = {k->n[0][l], k->n[1][l], k->n[2][l]};
            double p[3] = {k->p[0][l], k->p[1][l], k->p[2][l]}, d[3], c[3];
            solve(law, a, b, normal, k->bias[l], p);
            for (int x = 0; x < 3; x++) {
                d[x] = p[x] - k->p[x][l];
                k->p[x][l] = p[x];
            }
            cross3(normal, d, c);
            add3(-a->inv_mass, d, a->v);
            add3(-2.5 * a->inv_mass, c, a->q);
            add3(b->inv_mass, d, b->v);
            add3(-2.5 * b->inv_mass, c, b->q);
        }
}
