/* maxdiss.c - one contact: the impulse of maximum dissipation.
 *
 * Preclik, Eibl, Ruede (2017), eqs. (3) and (6) to (9), the structogram of Fig. 3. With A = W, b = -q and the plane
 * a_n.x = b_n of maximum compression, the normal impulse is eliminated: over the tangential impulse z
 *     min 1/2 z'Hz - g'z  over  |z| <= p + e.z,
 *     H = T - a a'/A_nn,  g = b_to - a b_n/A_nn,  p = mu b_n/A_nn,  e = -mu a/A_nn.
 *
 * Departures. Eq. (9) chooses between the two rays of b_n = 0 by the side of the cone axis the free minimiser lies on,
 * which is wrong in the metric of H: both rays are evaluated here. The degenerate parabola's ray is -(A_nt, A_no), as
 * eq. (9) has it, not +(A_nt, A_no). Of the quartic only the root that is wanted is sought (maxdiss_slide.c).
 * Restitution e moves the plane to (1 + e) b_n and leaves the energy as it is: z = 0 stays feasible, so the energy
 * changes by at most -(1 - e^2) b_n^2/(2 A_nn), never upwards; the paper leaves restitution open. */
#include "single/maxdiss_slide.h"
#include "single/batch.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Powers of two bring W and q to scales where no product under- or overflows. They are exact: an answer does not depend
 * on its units. */
enum {
    MOST_SHIFT = 1000, /* so that 2^k and 2^-k both exist */
    ROOM = 200         /* largest |q| near 2^200: room below it for a q_n that is denormal in comparison */
};

static inline int clamp_shift(int k) {
    return k < -MOST_SHIFT ? -MOST_SHIFT : k > MOST_SHIFT ? MOST_SHIFT : k;
}

static inline int shift_of(double x) { /* about log2 x, for any x >= 0 */
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return clamp_shift((int)(bits >> 52) - 1023);
}

static inline double power_of_two(int k) { /* -1022 <= k <= 1023 */
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double larger(double x, double y) {
    return x > y ? x : y;
}

/* The problem in scaled units. */
typedef struct contact {
    imp_conic conic;
    double mu, Ann, per, a[2]; /* per = 1/A_nn */
    double closing, plane;     /* b_n and (1 + e) b_n */
    int shift;                 /* an impulse in N s is 2^shift times the scaled one */
} contact;

static inline bool all_finite(const double W[6], const double q[3], double mu, double e) {
    double difference = (mu - mu) + (e - e); /* NaN unless all are finite */
    for (int i = 0; i < 6; i++)
        difference += W[i] - W[i];
    for (int i = 0; i < 3; i++)
        difference += q[i] - q[i];
    return difference == 0;
}

/* The reduced form of the file header and its free minimiser H^-1 g; false when W is not positive definite. */
static inline bool reduce(const double W[6], const double q[3], double mu, double e, contact *c) {
    const int W_shift = shift_of(W[3] + W[5]);
    const int q_shift = shift_of(power_of_two(-ROOM) * larger(fabs(q[0]), larger(fabs(q[1]), fabs(q[2]))));
    const double W_unit = power_of_two(-W_shift), q_unit = power_of_two(-q_shift);
    const double Ann = W[0] * W_unit, a0 = W[1] * W_unit, a1 = W[2] * W_unit, per = 1 / Ann;
    const double T0 = W[3] * W_unit, T1 = W[4] * W_unit, T2 = W[5] * W_unit, c0 = W[1] / W[0], c1 = W[2] / W[0];
    const double H0 = T0 - a0 * c0, H1 = T1 - a0 * c1, H2 = T2 - a1 * c1;
    const double b = -q[0] * q_unit, plane = (1 + e) * b;
    const double g0 = -q[1] * q_unit - c0 * b, g1 = -q[2] * q_unit - c1 * b;
    /* Cramer's rule for one entry, then the row of the larger diagonal entry for the other: backward stable, and only
     * one division waits for another */
    const bool swap = H2 > H0;
    const double d0 = swap ? H2 : H0, d1 = swap ? H0 : H2, first = swap ? g1 : g0, second = swap ? g0 : g1;
    const double det = d0 * d1 - H1 * H1, v = (d0 * second - H1 * first) / det, u = (first - H1 * v) * (1 / d0);
    const double m0 = mu * a0, m1 = mu * a1;
    *c = (contact){.conic = {.H = {H0, H1, H2},
                             .g = {g0, g1},
                             .e = {-mu * c0, -mu * c1},
                             .opening = (m0 * m0 + m1 * m1 - Ann * Ann) * per * per,
                             .p = mu * plane * per,
                             .free = {swap ? v : u, swap ? u : v}},
                   .mu = mu,
                   .Ann = Ann,
                   .per = per,
                   .a = {a0, a1},
                   .closing = b,
                   .plane = plane,
                   .shift = q_shift - W_shift};
    return Ann > 0 && d0 > 0 && det > 0;
}

/* (mu^2 |a|^2 - A_nn^2)/A_nn^2 with the rounding errors of its products added back: at b_n = 0 its sign decides between
 * no impulse and a finite one. */
static double exact_opening(const contact *c) {
    double square[2], error[2];
    for (int i = 0; i < 2; i++) {
        const double m = c->mu * c->a[i];
        square[i] = m * m;
        error[i] = fma(m, m, -square[i]) + 2 * m * fma(c->mu, c->a[i], -m);
    }
    const bool swap = square[1] > square[0]; /* the larger first: near a parabola both differences are exact */
    const double nn = c->Ann * c->Ann, difference = square[swap] - nn + square[!swap];
    return (difference + (error[0] + error[1] - fma(c->Ann, c->Ann, -nn))) * c->per * c->per;
}

/* b_n = 0 and not sticking: the cone |z| <= e.z is the point z = 0 (ellipse), or bounded by two rays, along which the
 * energy is least at r = u.g/(u'Hu), or at 0. */
static imp_maxdiss_leaf solve_degenerate(const contact *c, double x[3]) {
    const imp_conic *o = &c->conic;
    const double opening = exact_opening(c);
    x[0] = x[1] = x[2] = 0;
    if (opening < 0) return IMP_LEAF_APEX;
    const double root = sqrt(opening), ee = opening + 1;
    double most = 0; /* twice the energy lost */
    for (int side = -1; side <= 1; side += 2) {
        const double u0 = (o->e[0] + side * root * o->e[1]) / ee, u1 = (o->e[1] - side * root * o->e[0]) / ee;
        const double gu = larger(u0 * o->g[0] + u1 * o->g[1], 0);
        const double r = gu / (o->H[0] * u0 * u0 + 2 * o->H[1] * u0 * u1 + o->H[2] * u1 * u1);
        if (r * gu <= most) continue;
        most = r * gu;
        x[0] = r / c->mu;
        x[1] = r * u0;
        x[2] = r * u1;
    }
    return most > 0 ? IMP_LEAF_RAY : IMP_LEAF_RAY_APEX;
}

static inline double normal_on_plane(const contact *c, const double x[3]) {
    return (c->plane - c->a[0] * x[1] - c->a[1] * x[2]) * c->per;
}

/* Twice f(z). */
static double twice_energy(const imp_conic *o, const double z[2]) {
    return z[0] * (o->H[0] * z[0] + o->H[1] * z[1] - 2 * o->g[0]) +
           z[1] * (o->H[1] * z[0] + o->H[2] * z[1] - 2 * o->g[1]);
}

/* x <- the scaled impulse of a closing contact. False when it could not be certified. */
static inline bool solve_closing(const contact *c, double x[3], imp_maxdiss_leaf *leaf, int *steps) {
    const imp_conic *o = &c->conic;
    const double *z = o->free, within = o->p + o->e[0] * z[0] + o->e[1] * z[1];
    if (c->mu == 0 || (o->p == 0 && c->plane > 0)) { /* p = 0: the friction is below the smallest double */
        *leaf = IMP_LEAF_MU0;
        x[1] = x[2] = 0;
        x[0] = normal_on_plane(c, x);
        return true;
    }
    const double zz = z[0] * z[0] + z[1] * z[1];
    if (within >= 0 && zz <= within * within && zz <= DBL_MAX) {
        *leaf = IMP_LEAF_STICK;
        x[1] = z[0];
        x[2] = z[1];
        x[0] = normal_on_plane(c, x);
        return true;
    }
    if (c->plane == 0) {
        *leaf = solve_degenerate(c, x);
        return true;
    }
    *leaf = o->opening < 0 ? IMP_LEAF_ELLIPSE : o->opening > 0 ? IMP_LEAF_HYPERBOLA : IMP_LEAF_PARABOLA;
    bool good = imp_conic_slide(o, x + 1, steps) && c->mu <= IMP_MAXDISS_FRICTION;
    if (!good) { /* so far out on the conic that the answer for b_n = 0 is close, and feasible */
        double ray[3];
        solve_degenerate(c, ray);
        good = imp_conic_polish(o, ray + 1);
        if (good || !(twice_energy(o, x + 1) <= twice_energy(o, ray + 1))) memcpy(x, ray, sizeof ray);
    }
    /* of the cone and the plane, the equation whose rounding the other can bear; where in doubt, inside the cone */
    const double on_cone = sqrt(x[1] * x[1] + x[2] * x[2]) / c->mu, on_plane = normal_on_plane(c, x);
    x[0] = !good ? larger(on_cone, on_plane) : o->opening > 0 ? on_cone : on_plane;
    return good;
}

/* x to N s. IMP_OVERFLOW when an entry that counts is infinite, or so small that its rounding would show in the
 * certificate: where p is bound to the cone by an equation both p_n and p_to count, elsewhere the largest. */
static inline imp_status unscale(const contact *c, imp_maxdiss_leaf leaf, double x[3]) {
    const double smallest = 0x1p-1032; /* N s; a denormal number with a rounding of 1e-13 */
    const int half = clamp_shift(c->shift);
    const double unit = power_of_two(half), rest = power_of_two(c->shift - half);
    const bool any = c->plane > 0 || x[0] != 0, bound = leaf >= IMP_LEAF_RAY && (x[1] != 0 || x[2] != 0);
    for (int i = 0; i < 3; i++)
        x[i] = x[i] * unit * rest;
    const double normal = fabs(x[0]), friction = larger(fabs(x[1]), fabs(x[2]));
    if (!(normal <= DBL_MAX && fabs(x[1]) <= DBL_MAX && fabs(x[2]) <= DBL_MAX)) {
        x[0] = x[1] = x[2] = 0;
        return IMP_OVERFLOW;
    }
    const double least = bound ? (normal < friction ? normal : friction) : larger(normal, friction);
    return any && least < smallest ? IMP_OVERFLOW : IMP_OK;
}

imp_status imp_maxdiss(const double W[6], const double q[3], double mu, double e, double p[3], imp_info *info) {
    contact c;
    if (!all_finite(W, q, mu, e)) return IMP_NOT_FINITE;
    if (mu < 0) return IMP_BAD_FRICTION;
    if (e < 0 || e > 1) return IMP_BAD_RESTITUTION;
    if (!reduce(W, q, mu, e, &c)) return IMP_NOT_POSITIVE;
    double x[3] = {0, 0, 0};
    imp_maxdiss_leaf leaf = IMP_LEAF_SEPARATING;
    int steps = 0;
    imp_status status = IMP_OK;
    if (c.closing >= 0) {
        const bool good = solve_closing(&c, x, &leaf, &steps);
        status = unscale(&c, leaf, x);
        if (status == IMP_OK && !good) status = IMP_NOT_CERTIFIED;
    }
    for (int i = 0; i < 3; i++)
        p[i] = x[i];
    if (info) *info = (imp_info){.iterations = steps, .leaf = leaf};
    return status;
}

const char *imp_maxdiss_leaf_text(imp_maxdiss_leaf leaf) {
    static const char *const text[] = {"none", "separating", "mu0",           "stick",          "apex",
                                       "ray",  "ray-apex",   "slide-ellipse", "slide-parabola", "slide-hyperbola"};
    return (unsigned)leaf < sizeof text / sizeof *text ? text[leaf] : "none";
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work, imp_info *info) {
    (void)settings;
    (void)work;
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    return imp_maxdiss(W, problem->q, problem->mu[0], problem->e ? problem->e[0] : 0, p, info);
}

static imp_status batch(const imp_batch_columns *columns, size_t n, const void *settings) {
    (void)settings;
    return imp_maxdiss_batch(columns, n, NULL);
}

const imp_model imp_model_maxdiss = {
    .name = "maxdiss",
    .title = "maximum dissipation",
    .citation = "Preclik, Eibl, Ruede 2017, eq. (3)",
    .law = &imp_law_maxdiss,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY,
    .solve = solve,
    .batch = batch,
};
