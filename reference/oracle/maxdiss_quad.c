/* maxdiss_quad.c - maximum dissipation in quadruple precision.
 *
 * Preclik, Eibl, Ruede (2017), eq. (3). On the boundary of the conic |z| = p + e.z the energy is
 * stationary where
 * G(u) = cross((1 - e.u) g - p H u, u - e) vanishes, u = z/|z|. With u = (1 - t^2, 2t)/(1 + t^2)
 * that is a quartic in t, all of whose real roots are found; of the points they give, the one of
 * least energy is the answer. No bracket, no multiplier and no starting value is needed, other than
 * in the library. */
#include "reduced.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef quad quadratic[3];

/* sum += factor a b, two quadratics multiplied into a quartic. */
static void add_product(quad factor, const quadratic a, const quadratic b,
                        quad sum[QUAD_DEGREE + 1]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum[i + j] += factor * a[i] * b[j];
}

/* (1 + t^2)^2 G as a quartic in t. */
static void stationarity(const reduced *r, quad c[QUAD_DEGREE + 1]) {
    const quadratic V[2] = {{1, 0, -1}, {0, 2, 0}}, R = {1, 0, 1};
    quadratic D, F[2], N[2];
    for (int k = 0; k < 3; k++) {
        const quad v[2] = {V[0][k], V[1][k]};
        quad Hv[2];
        times2(r->H, v, Hv);
        D[k] = R[k] - dot2(r->e, v);
        for (int i = 0; i < 2; i++) {
            F[i][k] = D[k] * r->g[i] - r->p * Hv[i];
            N[i][k] = v[i] - r->e[i] * R[k];
        }
    }
    memset(c, 0, (QUAD_DEGREE + 1) * sizeof *c);
    add_product(1, F[0], N[1], c);
    add_product(-1, F[1], N[0], c);
}

/* Newton in z on both conditions, |z| = p + e.z and cross(g - Hz, u - e) = 0: where the conic runs
 * to infinity, z is known better than by any angle. */
static void polish(const reduced *r, quad z[2]) {
    for (int step = 0; step < 3; step++) {
        const quad length = length2(z), u[2] = {z[0] / length, z[1] / length};
        const quad N[2] = {u[0] - r->e[0], u[1] - r->e[1]},
                   across[2] = {-u[1] / length, u[0] / length};
        quad Hz[2], J[2][2];
        times2(r->H, z, Hz);
        const quad w[2] = {r->g[0] - Hz[0], r->g[1] - Hz[1]};
        const quad f[2] = {length - r->p - dot2(r->e, z), cross2(w, N)};
        for (int k = 0; k < 2; k++) {
            const quad d[2] = {k == 0, k == 1}, turn[2] = {-u[1], u[0]};
            const quad du[2] = {across[0] * dot2(turn, d), across[1] * dot2(turn, d)};
            quad Hd[2];
            times2(r->H, d, Hd);
            J[0][k] = N[k];
            J[1][k] = cross2(w, du) - cross2(Hd, N);
        }
        const quad det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
        const quad dz[2] = {(J[1][1] * f[0] - J[0][1] * f[1]) / det,
                            (J[0][0] * f[1] - J[1][0] * f[0]) / det};
        if (!(length2(dz) < length / 1000000)) return;
        z[0] -= dz[0];
        z[1] -= dz[1];
    }
}

static quad energy_of(const reduced *r, const quad z[2]) {
    quad Hz[2];
    times2(r->H, z, Hz);
    return dot2(z, Hz) / 2 - dot2(r->g, z);
}

/* z <- the best stationary point of the boundary; false when there is none (never, by the
 * theory). */
static bool slide(const reduced *r, quad z[2]) {
    quad c[QUAD_DEGREE + 1], reversed[QUAD_DEGREE + 1], root[QUAD_DEGREE], best = 0;
    bool found = false;
    stationarity(r, c);
    for (int i = 0; i <= QUAD_DEGREE; i++)
        reversed[i] = c[QUAD_DEGREE - i];
    for (int chart = 0; chart < 2; chart++) { /* t, then 1/t, each a little beyond [-1, 1] */
        const int count = quad_roots(chart ? reversed : c, -1.25L, 1.25L, root);
        for (int k = 0; k < count; k++) {
            const quad t2 = root[k] * root[k], cosine = (1 - t2) / (1 + t2);
            const quad u[2] = {chart ? -cosine : cosine, 2 * root[k] / (1 + t2)},
                       room = 1 - dot2(r->e, u);
            if (room <= 0) continue;
            quad at[2] = {r->p * u[0] / room, r->p * u[1] / room};
            polish(r, at);
            const quad energy = energy_of(r, at);
            if (found && energy >= best) continue;
            found = true;
            best = energy;
            z[0] = at[0];
            z[1] = at[1];
        }
    }
    return found;
}

/* plane = 0, ecc >= 1: the conic has shrunk to the cone between two rays (one, for a parabola). */
static bool ray(const reduced *r, quad z[2]) {
    const quad root = quad_sqrt(r->ecc > 1 ? r->ecc * r->ecc - 1 : 0), square = r->ecc * r->ecc;
    quad best = 0;
    for (int side = -1; side <= 1; side += 2) {
        const quad u[2] = {(r->e[0] - side * root * r->e[1]) / square,
                           (r->e[1] + side * root * r->e[0]) / square};
        quad Hu[2];
        times2(r->H, u, Hu);
        const quad gain = dot2(u, r->g), length = gain / dot2(u, Hu);
        if (gain <= 0 || length * gain <= best) continue;
        best = length * gain;
        z[0] = length * u[0];
        z[1] = length * u[1];
    }
    return best > 0;
}

static const char *solve(const reduced *r, quad z[2]) {
    z[0] = z[1] = 0;
    if (r->mu == 0) return "mu0";
    if (r->length <= r->p + dot2(r->e, r->target)) {
        z[0] = r->target[0];
        z[1] = r->target[1];
        return "stick";
    }
    if (r->plane == 0) {
        if (r->ecc < 1) return "apex";
        return ray(r, z) ? "ray" : "ray-apex";
    }
    if (!slide(r, z)) return "none";
    return r->ecc < 1 ? "slide-ellipse" : r->ecc > 1 ? "slide-hyperbola" : "slide-parabola";
}

/* The multiplier of the conic in g - Hz = lambda N. */
static quad multiplier(const reduced *r, const quad z[2]) {
    const quad length = length2(z), N[2] = {z[0] / length - r->e[0], z[1] / length - r->e[1]};
    quad Hz[2];
    times2(r->H, z, Hz);
    const quad w[2] = {r->g[0] - Hz[0], r->g[1] - Hz[1]};
    return dot2(w, N) / dot2(N, N);
}

oracle_solution reduced_maxdiss(const reduced *r) {
    if (r->plane < 0) return reduced_nothing(r, "separating");
    quad z[2];
    const char *leaf = solve(r, z);
    return reduced_at(r, leaf, z, strncmp(leaf, "slide", 5) == 0 ? multiplier(r, z) : 0);
}

oracle_solution oracle_maxdiss(const double W[6], const double q[3], double mu, double plane) {
    const reduced r = reduced_from_double(W, q, mu, plane);
    return reduced_maxdiss(&r);
}

double oracle_maxdiss_condition(const double W[6], const double q[3], double mu, double e,
                                const oracle_solution *best) {
    double data[10], sum = 0;
    long double size = 0;
    memcpy(data, W, 6 * sizeof *data);
    memcpy(data + 6, q, 3 * sizeof *data);
    data[9] = mu;
    for (int k = 0; k < 3; k++)
        size = fmaxl(size, fabsl(best->p[k]));
    for (int i = 0; i < 10; i++) {
        const double datum = data[i];
        long double off = 0;
        for (int m = 0; m < 4; m++) { /* one may lead from the rim into the cone */
            static const double bits[4] = {-1, 1, -ORACLE_ROUNDINGS, ORACLE_ROUNDINGS};
            data[i] = datum * (1 + bits[m] * DBL_EPSILON);
            const oracle_solution other =
                oracle_maxdiss(data, data + 6, data[9], -(1 + e) * data[6]);
            for (int k = 0; k < 3; k++)
                off = fmaxl(off, fabsl(other.p[k] - best->p[k]) / fabs(bits[m]));
        }
        sum += (double)(off / size) / DBL_EPSILON;
        data[i] = datum;
    }
    return sum;
}
