/* test_hinged.c - contacts that joints leave two directions, so that impulses along a third move
 * nothing: what the most dissipative one is. */
#include "blocks/blocks.h"
#include "sequential_subject.h"

/* m/s, beside velocities near 1 */
static const double STOPPED = 1e-9;

enum { FREE = 3 }; /* coordinates of a mechanism */

/* nc contacts of a mechanism, W = G'G, q = G'v; every other one meets links that two coordinates
 * alone move. */
static situation hinged(gen_stream *g, int nc, double G[FREE][ROWS]) {
    situation s = {.nc = nc};
    const int n = 3 * nc;
    for (int k = 0; k < FREE; k++)
        for (int i = 0; i < n; i++)
            G[k][i] = k < 2 || i / 3 % 2 == 1 ? gen_normal(g) : 0;
    for (int k = 0; k < FREE; k++) {
        const double v = gen_normal(g);
        for (int i = 0; i < n; i++) {
            s.q[i] += G[k][i] * v;
            for (int j = 0; j < n; j++)
                s.W[i * n + j] += G[k][i] * G[k][j];
        }
    }
    for (int i = 0; i < nc; i++)
        s.mu[i] = gen_uniform(g, 0.1, 1);
    return s;
}

/* The most of mu p_n - |p_to|, over 1 + |p|, of all p that stop a contact: p and the multiples of
 * z, which moves nothing. The numerator is concave. */
static double deepest(double mu, const double p[3], const double z[3]) {
    double low = -1e4, high = 1e4, most = 0;
    for (int k = 0; k < 200; k++) {
        const double at[2] = {low + (high - low) / 3, high - (high - low) / 3};
        double depth[2];
        for (int i = 0; i < 2; i++) {
            const double n = p[0] + at[i] * z[0], t = p[1] + at[i] * z[1], o = p[2] + at[i] * z[2];
            depth[i] = mu * n - hypot(t, o);
            most = depth[i] / (1 + fabs(n) + hypot(t, o));
        }
        *(depth[0] < depth[1] ? &low : &high) = at[depth[0] < depth[1] ? 0 : 1];
    }
    return most;
}

/* p <- a stop of the contact by its two coordinates, the least; z <- what moves nothing. */
static void find_stops(const situation *s, double G[FREE][ROWS], double p[3], double z[3]) {
    const double *a = G[0], *b = G[1];
    double A[2][2] = {{0}}, c[2] = {0}; /* G q = A (G p), A = G G', for G p = -v */
    for (int k = 0; k < 3; k++) {
        z[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        A[0][0] += a[k] * a[k];
        A[0][1] += a[k] * b[k];
        A[1][1] += b[k] * b[k];
        c[0] -= a[k] * s->q[k];
        c[1] -= b[k] * s->q[k];
    }
    const double det = A[0][0] * A[1][1] - A[0][1] * A[0][1];
    for (int twice = 0; twice < 2; twice++) { /* c <- A^-2 G (-q), p = G'c */
        const double first = (A[1][1] * c[0] - A[0][1] * c[1]) / det;
        c[1] = (A[0][0] * c[1] - A[0][1] * c[0]) / det;
        c[0] = first;
    }
    for (int k = 0; k < 3; k++)
        p[k] = a[k] * c[0] + b[k] * c[1];
}

/* How fast the first contact is after p, beside one that does not move. */
static double speed_after(const situation *s, const double *p) {
    double speed = 0;
    for (int i = 0; i < 3; i++) {
        double u = s->q[i];
        for (int k = 0; k < 3; k++)
            u += s->W[3 * s->nc * i + k] * p[k];
        speed = fmax(speed, fabs(u));
    }
    return speed;
}

/* The most dissipative impulse stops the contact if any in its cone does, be it by a push along
 * what moves nothing; what rounding makes of W there is no slip. */
static void test_hinged(void) {
    int held = 0, let = 0, wrong = 0, unseen = 0;
    for (uint64_t k = 0; k < 1000; k++) {
        gen_stream g = gen_seed(613, k);
        double G[FREE][ROWS], p[ROWS], stop[3], z[3];
        situation s = hinged(&g, 2, G);
        for (int i = 0; i < 36; i++)
            if (i / 6 > 2 || i % 6 > 2) s.W[i] = 0;
        for (int i = 0; i < 6; i++)
            s.q[i] = i > 2 ? 0 : s.q[i];
        find_stops(&s, G, stop, z);
        const double depth = deepest(s.mu[0], stop, z);
        if (fabs(depth) < 1e-3 || s.q[0] > -1e-2) continue;
        const imp_status status = solve(&s, IMP_FASTEST, p, NULL);
        *(depth > 0 ? &held : &let) += 1;
        wrong += status != IMP_OK || (depth > 0) != (speed_after(&s, p) < STOPPED);
        p[0] *= 1.001;
        unseen += depth > 0 && speed_after(&s, p) < STOPPED;
    }
    ok(wrong == 0 && held > 100 && let > 100,
       "two directions: %d contacts held where anything in the cone does, %d not, %d wrong", held,
       let, wrong);
    ok(unseen == 0, "and a push of a thousandth more is seen");
}

/* Each blow and each sweep asks for the impulse of such a contact, whose velocity is what is left
 * of larger ones, or which others push open. */
static void test_beside_others(void) {
    imp_blocks_settings dissipative = imp_blocks_presets;
    dissipative.local = 1 + IMP_MOST_DISSIPATIVE;
    int refused = 0, lost = 0;
    for (uint64_t k = 0; k < 400; k++) {
        gen_stream g = gen_seed(614, k);
        double G[FREE][ROWS], p[ROWS];
        const situation s = hinged(&g, 2 + (int)(k % 3), G);
        imp_operator W;
        const imp_problem problem = situation_problem(&s, &W);
        refused += solve(&s, IMP_FASTEST, p, NULL) == IMP_NOT_CERTIFIED;
        const imp_model *sweeps = &imp_model_gauss_seidel_coulomb;
        lost += imp_solve(sweeps, &problem, NULL, p, NULL) == IMP_OK &&
                imp_solve(sweeps, &problem, &dissipative, p, NULL) != IMP_OK;
    }
    ok(refused == 0, "sequential: %d of 400 refused", refused);
    ok(lost == 0, "gauss-seidel-coulomb: with the most dissipative impulses %d of 400 lost", lost);
}

int main(void) {
    test_hinged();
    test_beside_others();
    return tap_done();
}
