/* one.c - one contact on bare arrays, and the plane in which the papers draw it. */
#include "benchmarks/experiments/one.h"
#include "base/vec3.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

void one_velocity(const double W[6], const double q[3], const double p[3], double u[3]) {
    u[0] = W[0] * p[0] + W[1] * p[1] + W[2] * p[2] + q[0];
    u[1] = W[1] * p[0] + W[3] * p[1] + W[4] * p[2] + q[1];
    u[2] = W[2] * p[0] + W[4] * p[1] + W[5] * p[2] + q[2];
}

double one_energy(const double W[6], const double q[3], const double p[3]) {
    double u[3];
    one_velocity(W, q, p, u);
    return 0.5 * (p[0] * (u[0] + q[0]) + p[1] * (u[1] + q[1]) + p[2] * (u[2] + q[2]));
}

bool one_stick(const double W[6], const double q[3], double p[3]) {
    const double d1 = W[0], l2 = W[1] / d1, l3 = W[2] / d1; /* W = L D L' */
    const double d2 = W[3] - l2 * W[1], m3 = (W[4] - l3 * W[1]) / d2,
                 d3 = W[5] - l3 * W[2] - m3 * m3 * d2;
    const double y1 = -q[0], y2 = -q[1] - l2 * y1, y3 = -q[2] - l3 * y1 - m3 * y2;
    p[2] = y3 / d3;
    p[1] = y2 / d2 - m3 * p[2];
    p[0] = y1 / d1 - l2 * p[1] - l3 * p[2];
    return d1 > 0 && d2 > 0 && d3 > 0;
}

imp_certificate one_certify(const one_contact *c, double e, const imp_law *law, const double p[3]) {
    const double *W = c->W, full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    const imp_operator op = imp_operator_dense(1, full);
    const imp_problem problem = {.nc = 1, .W = &op, .q = c->q, .mu = &c->mu, .e = &e};
    imp_certificate certificate = {0};
    if (imp_certify(&problem, law, NULL, p, NULL, &certificate) != IMP_OK)
        certificate.worst = INFINITY;
    return certificate;
}

one_contact one_assemble(const imp_body *body, const imp_contact *contact, double mu) {
    double W[9], q[3];
    if (imp_delassus_dense(1, body, 1, contact, W, q) != IMP_OK)
        return (one_contact){.W = {NAN, NAN, NAN, NAN, NAN, NAN}, .q = {NAN, NAN, NAN}, .mu = mu};
    one_contact c = {.q = {q[0], q[1], q[2]}, .mu = mu};
    pack3(W, c.W);
    return c;
}

one_plane one_reduce(const one_contact *c) {
    const double *W = c->W, bn = -c->q[0];
    one_plane s = {
        .H = {W[3] - W[1] * W[1] / W[0], W[4] - W[1] * W[2] / W[0], W[5] - W[2] * W[2] / W[0]},
        .g = {-c->q[1] - W[1] * bn / W[0], -c->q[2] - W[2] * bn / W[0]},
        .e = {-c->mu * W[1] / W[0], -c->mu * W[2] / W[0]},
        .size = c->mu * bn / W[0]};
    s.eccentricity = hypot(s.e[0], s.e[1]);
    return s;
}

double one_plane_energy(const one_plane *s, const double z[2]) {
    return 0.5 * (s->H[0] * z[0] * z[0] + 2 * s->H[1] * z[0] * z[1] + s->H[2] * z[1] * z[1]) -
           s->g[0] * z[0] - s->g[1] * z[1];
}

void one_plane_minimum(const one_plane *s, double z[2]) {
    const double det = s->H[0] * s->H[2] - s->H[1] * s->H[1];
    z[0] = (s->H[2] * s->g[0] - s->H[1] * s->g[1]) / det;
    z[1] = (s->H[0] * s->g[1] - s->H[1] * s->g[0]) / det;
}

static void draw_contour(report_rows *table, const one_plane *s, double level, const char *series) {
    double z0[2];
    one_plane_minimum(s, z0);
    const double least = one_plane_energy(s, z0);
    if (!(level > least)) return;
    /* H = L L' */
    const double radius = sqrt(2 * (level - least)), l11 = sqrt(s->H[0]), l21 = s->H[1] / l11;
    const double l22 = sqrt(s->H[2] - l21 * l21);
    for (int k = 0; k <= 240; k++) {
        const double y = radius * sin(2 * pi * k / 240) / l22,
                     x = (radius * cos(2 * pi * k / 240) - l21 * y) / l11;
        report_row(table, series, z0[0] + x, z0[1] + y);
    }
    report_gap(table);
}

void one_plane_draw(report_rows *table, const one_plane *s, const double *levels, int count,
                    double reach) {
    for (int i = 0; i < count; i++)
        draw_contour(table, s, levels[i], "contour");
    draw_contour(table, s, 0, "zero");
    /* From one end of the conic to the other: the axis of the pericentre is -e, the ends lie about
     * +e. */
    const double turn = s->eccentricity > 0 ? atan2(-s->e[1], -s->e[0]) : 0;
    for (int k = 0; k <= 2000; k++) {
        const double alpha = turn + pi * (k - 1000) / 1000, c = cos(alpha), n = sin(alpha);
        const double open = 1 - s->e[0] * c - s->e[1] * n;
        if (!(open * reach >= s->size)) continue;
        report_row(table, "conic", s->size / open * c, s->size / open * n);
    }
    report_gap(table);
}
