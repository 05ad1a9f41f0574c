/* reduced.c - the reduced form of one contact (Preclik, Eibl, Ruede 2017, section 3). */
#include "reduced.h"

reduced reduced_make(const quad W[6], const quad q[3], quad mu, quad plane) {
    reduced r = {.Ann = W[0],
                 .a = {W[1], W[2]},
                 .T = {W[3], W[4], W[5]},
                 .b = {-q[0], -q[1], -q[2]},
                 .plane = plane,
                 .mu = mu};
    r.H[0] = r.T[0] - r.a[0] * r.a[0] / r.Ann;
    r.H[1] = r.T[1] - r.a[0] * r.a[1] / r.Ann;
    r.H[2] = r.T[2] - r.a[1] * r.a[1] / r.Ann;
    for (int i = 0; i < 2; i++) {
        r.g[i] = r.b[i + 1] - r.a[i] * r.b[0] / r.Ann;
        r.e[i] = -r.mu * r.a[i] / r.Ann;
    }
    r.p = r.mu * r.plane / r.Ann;
    r.ecc = length2(r.e);
    const quad det = r.H[0] * r.H[2] - r.H[1] * r.H[1];
    r.target[0] = (r.H[2] * r.g[0] - r.H[1] * r.g[1]) / det;
    r.target[1] = (r.H[0] * r.g[1] - r.H[1] * r.g[0]) / det;
    r.length = length2(r.target);
    return r;
}

reduced reduced_from_double(const double W[6], const double q[3], double mu, double plane) {
    const quad wide_W[6] = {W[0], W[1], W[2], W[3], W[4], W[5]}, wide_q[3] = {q[0], q[1], q[2]};
    return reduced_make(wide_W, wide_q, mu, plane);
}

static oracle_solution solution_of(const reduced *r, const char *kind, const quad x[3], quad un,
                                   quad multiplier) {
    const quad z[2] = {x[1], x[2]};
    quad Tz[2], u[3] = {un}, energy = 0;
    times2(r->T, z, Tz);
    for (int i = 0; i < 2; i++)
        u[i + 1] = r->a[i] * x[0] + Tz[i] - r->b[i + 1];
    for (int i = 0; i < 3; i++)
        energy += x[i] * (u[i] - r->b[i]) / 2;
    oracle_solution s = {
        .kind = kind, .energy = (long double)energy, .multiplier = (long double)multiplier};
    for (int i = 0; i < 3; i++) {
        s.p[i] = (long double)x[i];
        s.u[i] = (long double)u[i];
    }
    return s;
}

oracle_solution reduced_at(const reduced *r, const char *kind, const quad z[2], quad multiplier) {
    const quad x[3] = {(r->plane - dot2(r->a, z)) / r->Ann, z[0], z[1]};
    return solution_of(r, kind, x, r->plane - r->b[0], multiplier);
}

oracle_solution reduced_nothing(const reduced *r, const char *kind) {
    const quad x[3] = {0};
    return solution_of(r, kind, x, -r->b[0], 0);
}
