/* gen.c - the problem classes of gen.h. */
#include "gen.h"

#include <math.h>
#include <string.h>

/* Draws are sequenced one by one: C leaves the order within an initializer list or a product to the
 * compiler. */

/* packed <- R' M R for a symmetric 3 x 3 M. */
static void rotated(const double M[9], const double R[9], double packed[6]) {
    double MR[9], full[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            MR[3 * i + j] = M[3 * i] * R[j] + M[3 * i + 1] * R[3 + j] + M[3 * i + 2] * R[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            full[3 * i + j] = R[i] * MR[j] + R[3 + i] * MR[3 + j] + R[6 + i] * MR[6 + j];
    const double upper[6] = {full[0], full[1], full[2], full[4], full[5], full[8]};
    memcpy(packed, upper, sizeof upper);
}

/* M <- E / m - [x] I^-1 [x]: one free body of mass m and principal inertia I struck at x. */
static void body_delassus(double m, const double I[3], const double x[3], double M[9]) {
    const double X[9] = {0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? 1 / m : 0;
            for (int k = 0; k < 3; k++)
                sum -= X[3 * i + k] * X[3 * k + j] / I[k];
            M[3 * i + j] = sum;
        }
}

static void scale_trace(double W[6]) { /* trace(W)/3 = 1 */
    const double s = 3 / (W[0] + W[3] + W[5]);
    for (int i = 0; i < 6; i++)
        W[i] *= s;
}

static void scale_length(double q[3]) {
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3; i++)
        q[i] /= length;
}

static void closing_normal(gen_stream *s, double q[3]) {
    q[0] = -fabs(gen_normal(s));
    q[1] = gen_normal(s);
    q[2] = gen_normal(s);
    scale_length(q);
}

static void free_box_matrix(gen_stream *s, double W[6]) {
    double half[3], I[3], x[3], M[9], R[9];
    for (int i = 0; i < 3; i++)
        half[i] = gen_exp(2.3 * gen_uniform(s, -1, 1));
    for (int i = 0; i < 3; i++)
        I[i] = (half[(i + 1) % 3] * half[(i + 1) % 3] + half[(i + 2) % 3] * half[(i + 2) % 3]) / 3;
    const int face = (int)gen_uniform(s, 0, 3);
    for (int i = 0; i < 3; i++)
        x[i] = half[i] * gen_uniform(s, -1, 1);
    x[face] = copysign(half[face], gen_uniform(s, -1, 1));
    body_delassus(1, I, x, M);
    gen_rotation(s, R);
    rotated(M, R, W);
    scale_trace(W);
}

static void six_point_matrix(gen_stream *s, double W[6]) {
    double m[3], d[3], x[3], M[9], R[9], sum = 0;
    for (int i = 0; i < 3; i++) {
        m[i] = gen_power10(s, -2, 2);
        d[i] = gen_power10(s, -1, 1);
        /* exponentials share the unit simplex uniformly */
        x[i] = -gen_log(gen_uniform(s, 0, 1));
        sum += x[i];
    }
    for (int i = 0; i < 3; i++)
        x[i] = copysign(x[i] / sum * d[i], gen_uniform(s, -1, 1));
    const double I[3] = {2 * (m[1] * d[1] * d[1] + m[2] * d[2] * d[2]),
                         2 * (m[0] * d[0] * d[0] + m[2] * d[2] * d[2]),
                         2 * (m[0] * d[0] * d[0] + m[1] * d[1] * d[1])};
    body_delassus(2 * (m[0] + m[1] + m[2]), I, x, M);
    gen_rotation(s, R);
    rotated(M, R, W);
}

static void spd_matrix(gen_stream *s, double most_decades, double W[6]) {
    const double k = gen_uniform(s, 0, most_decades), part = gen_uniform(s, 0, 1);
    double R[9];
    const double M[9] = {1,
                         0,
                         0,
                         0,
                         gen_exp(-2.302585092994045684 * k * part),
                         0,
                         0,
                         0,
                         gen_exp(-2.302585092994045684 * k)};
    gen_rotation(s, R);
    rotated(M, R, W);
    scale_trace(W);
}

gen_problem gen_six_point(uint64_t index, double mu) {
    gen_stream s = gen_seed(GEN_SIX_POINT, index);
    gen_problem p = {.mu = mu};
    six_point_matrix(&s, p.W);
    scale_trace(p.W);
    closing_normal(&s, p.q);
    return p;
}

gen_problem gen_spd(uint64_t index, double most_decades, double mu) {
    gen_stream s = gen_seed(GEN_SPD_1 + 1000 * (uint64_t)most_decades, index);
    gen_problem p = {.mu = mu};
    spd_matrix(&s, most_decades, p.W);
    closing_normal(&s, p.q);
    return p;
}

static double length_of(const double v[2]) { /* hypot's last bit is the machine's */
    return sqrt(v[0] * v[0] + v[1] * v[1]);
}

static double sign(gen_stream *s) {
    return copysign(1, gen_uniform(s, -1, 1));
}

static double adverse_eccentricity(gen_stream *s) {
    switch ((int)gen_uniform(s, 0, 6)) {
    case 0: return 0;
    case 1: return gen_power10(s, -12, -1);
    case 2: return 1 - gen_power10(s, -16, -1);
    case 3: return 1;
    case 4: return 1 + gen_power10(s, -16, 0);
    default: return gen_power10(s, 0, 5);
    }
}

/* zhat: near the vertex axis, near the +e axis, at the stick boundary, on the mirrored branch, or
 * anywhere. */
static void adverse_target(gen_stream *s, const double axis[2], double ecc, double p, double z[2]) {
    const double x = gen_normal(s), y = gen_normal(s);
    double direction[2] = {x, y}, length = gen_power10(s, -3, 3);
    const int kind = (int)gen_uniform(s, 0, 5);
    double near = gen_power10(s, -12, -1);
    near *= sign(s);
    if (kind < 2) { /* 0: -e, 1: +e */
        const double side = kind == 0 ? -1 : 1;
        direction[0] = side * axis[0] - near * axis[1];
        direction[1] = side * axis[1] + near * axis[0];
    }
    const double norm = length_of(direction);
    direction[0] /= norm;
    direction[1] /= norm;
    /* |z| = p / leave that way */
    const double leave = 1 - ecc * (axis[0] * direction[0] + axis[1] * direction[1]);
    if (kind == 2 && leave > 0) length = p / leave * (1 + gen_power10(s, -15, -1));
    if (kind == 3 && leave < 0) length = p / -leave * (1 + gen_power10(s, -6, 1));
    z[0] = length * direction[0];
    z[1] = length * direction[1];
}

/* Is H of the rounded problem still positive definite, its condition number of the order of 1e8,
 * and W no closer to singular than 1e-13? If so, says whether the rounded problem lies in the
 * excluded corner. */
static int measure(gen_problem *problem) {
    const double *W = problem->W, *q = problem->q;
    const long double a = W[1], b = W[2], tt = W[3] - a * a / W[0], to = W[4] - a * b / W[0],
                      oo = W[5] - b * b / W[0];
    const long double determinant = tt * oo - to * to;
    /* its smaller eigenvalue, within a factor of two */
    const long double least = determinant / (tt + oo);
    if (!(tt > 0 && oo > 0 && least > 1e-9L * (tt + oo) && least > 1e-13L * (W[0] + W[3] + W[5])))
        return 0;
    const long double gt = a * q[0] / W[0] - q[1], go = b * q[0] / W[0] - q[2];
    const long double zt = (oo * gt - to * go) / determinant,
                      zo = (tt * go - to * gt) / determinant;
    const long double z = sqrtl(zt * zt + zo * zo), p = -problem->mu * (long double)q[0] / W[0];
    problem->excluded =
        z / p > 1e12L && fabsl(1 - problem->mu * sqrtl(a * a + b * b) / W[0]) < 1e-15L;
    return 1;
}

/* The reduced form (H, zhat, e, p) of a chosen hard kind, written back as W = [[1, a'], [a, H + a
 * a']], q. */
static gen_problem adversarial(gen_stream *s) {
    gen_problem result = {0};
    do {
        const double condition = gen_power10(s, 0, 8), turn = gen_uniform(s, 0, 6.283185307179586);
        /* some direction: (c, n) on the unit circle */
        const double c = 1 / sqrt(1 + turn * turn), n = turn * c;
        double H[3] = {c * c + n * n / condition, c * n * (1 - 1 / condition),
                       n * n + c * c / condition};
        const double ecc = adverse_eccentricity(s);
        double axis[2] = {1, 0};
        if (gen_uniform(s, 0, 1) < 0.2) { /* axis-aligned ties */
            H[1] = 0;
            if (gen_uniform(s, 0, 1) < 0.5) {
                axis[0] = 0;
                axis[1] = sign(s);
            }
        } else {
            axis[0] = gen_normal(s);
            axis[1] = gen_normal(s);
            const double length = length_of(axis);
            axis[0] /= length;
            axis[1] /= length;
        }
        const double mu = gen_power10(s, -1, 2), p = gen_power10(s, -15, 0);
        const double a[2] = {-ecc * axis[0] / mu, -ecc * axis[1] / mu}, bn = p / mu; /* W_nn = 1 */
        double z[2];
        adverse_target(s, axis, ecc, p, z);
        const double W_scale = gen_power10(s, -8, 8), q_scale = gen_power10(s, -12, 6);
        const double W[6] = {
            1, a[0], a[1], H[0] + a[0] * a[0], H[1] + a[0] * a[1], H[2] + a[1] * a[1]};
        const double b[3] = {bn, H[0] * z[0] + H[1] * z[1] + a[0] * bn,
                             H[1] * z[0] + H[2] * z[1] + a[1] * bn};
        for (int i = 0; i < 6; i++)
            result.W[i] = W[i] * W_scale;
        for (int i = 0; i < 3; i++)
            result.q[i] = -b[i] * q_scale;
        result.mu = mu;
    } while (!measure(&result));
    return result;
}

static void speed_box(gen_stream *s, gen_problem *p) {
    double half[3], I[3], x[3], M[9], n[3];
    for (int i = 0; i < 3; i++)
        half[i] = 0.2 + gen_uniform(s, 0, 1);
    for (int i = 0; i < 3; i++) {
        I[i] = (half[(i + 1) % 3] * half[(i + 1) % 3] + half[(i + 2) % 3] * half[(i + 2) % 3]) / 3;
        x[i] = half[i] * gen_uniform(s, -1, 1);
        n[i] = gen_normal(s);
    }
    body_delassus(1, I, x, M);
    scale_length(n);
    n[0] += copysign(1, n[0]); /* Householder reflection that takes the first axis to -+n */
    const double nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    double R[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = (i == j) - 2 * n[i] * n[j] / nn;
    rotated(M, R, p->W);
    p->q[0] = -gen_uniform(s, 0, 1);
    p->q[1] = gen_uniform(s, -2, 2);
    p->q[2] = gen_uniform(s, -2, 2);
    p->mu = gen_uniform(s, 0, 1);
}

static gen_problem free_box(gen_stream *s, double most_mu) {
    gen_problem p = {0};
    free_box_matrix(s, p.W);
    closing_normal(s, p.q);
    p.mu = gen_uniform(s, 0, most_mu);
    return p;
}

static gen_problem spd(gen_stream *s, double most_decades) {
    gen_problem p = {0};
    spd_matrix(s, most_decades, p.W);
    closing_normal(s, p.q);
    p.mu = gen_power10(s, -3, 2);
    return p;
}

static gen_problem painleve(gen_stream *s) {
    for (;;) {
        const gen_problem p = free_box(s, 5);
        if (p.W[0] <= p.mu * length_of(p.W + 1)) return p;
    }
}

static gen_problem units(gen_stream *s) {
    gen_problem p = free_box(s, 5);
    const double W_scale = gen_power10(s, -6, 6), q_scale = gen_power10(s, -6, 3);
    for (int i = 0; i < 6; i++)
        p.W[i] *= W_scale;
    for (int i = 0; i < 3; i++)
        p.q[i] *= q_scale;
    return p;
}

static gen_problem bodies(gen_stream *s, int count) {
    gen_problem p = {0};
    for (int k = 0; k < count; k++) {
        double W[6];
        six_point_matrix(s, W);
        for (int i = 0; i < 6; i++)
            p.W[i] += W[i];
    }
    scale_trace(p.W);
    closing_normal(s, p.q);
    p.mu = gen_power10(s, -3, 2);
    return p;
}

gen_problem gen_make(gen_class c, uint64_t index) {
    gen_stream s = gen_seed(c, index);
    gen_problem p = {0};
    switch (c) {
    case GEN_SPHERE:
        p = (gen_problem){.W = {1, 0, 0, 3.5, 0, 3.5}};
        closing_normal(&s, p.q);
        p.mu = gen_uniform(&s, 0, 1);
        break;
    case GEN_FREE_BOX_1: p = free_box(&s, 1); break;
    case GEN_FREE_BOX_5: p = free_box(&s, 5); break;
    case GEN_SIX_POINT: p = bodies(&s, 1); break;
    case GEN_TWO_BODY: p = bodies(&s, 2); break;
    case GEN_SPD_1: p = spd(&s, 1); break;
    case GEN_SPD_4: p = spd(&s, 4); break;
    case GEN_SPD_8: p = spd(&s, 8); break;
    case GEN_PAINLEVE: p = painleve(&s); break;
    case GEN_TINY_CLOSING:
        p = spd(&s, 8);
        p.q[0] = -gen_power10(&s, -16, -1);
        break;
    case GEN_ZERO_CLOSING:
        p = spd(&s, 8);
        p.q[0] = 0;
        break;
    case GEN_OPENING:
        p = spd(&s, 8);
        p.q[0] = -p.q[0];
        break;
    case GEN_UNITS: p = units(&s); break;
    case GEN_SEVERAL:
        p = spd(&s, 6);
        p.mu = gen_uniform(&s, 0, 5);
        break;
    case GEN_ADVERSARIAL: p = adversarial(&s); break;
    case GEN_SPEED_BOX: speed_box(&s, &p); break;
    case GEN_CLASSES: break;
    }
    return p;
}

const char *gen_name(gen_class c) {
    static const char *const names[GEN_CLASSES] = {
        "sphere", "free-box-1", "free-box-5",  "six-point",    "two-body",     "spd-1",
        "spd-4",  "spd-8",      "painleve",    "tiny-closing", "zero-closing", "opening",
        "units",  "several",    "adversarial", "speed-box"};
    return c < GEN_CLASSES ? names[c] : "?";
}

gen_problem gen_turned(const gen_problem *g, double c, double s) {
    const double *W = g->W;
    gen_problem r = *g;
    r.W[1] = c * W[1] + s * W[2];
    r.W[2] = c * W[2] - s * W[1];
    r.W[3] = c * c * W[3] + 2 * c * s * W[4] + s * s * W[5];
    r.W[4] = c * s * (W[5] - W[3]) + (c * c - s * s) * W[4];
    r.W[5] = s * s * W[3] - 2 * c * s * W[4] + c * c * W[5];
    r.q[1] = c * g->q[1] + s * g->q[2];
    r.q[2] = c * g->q[2] - s * g->q[1];
    return r;
}
