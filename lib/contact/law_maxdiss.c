/* law_maxdiss.c - the certificate of maximum dissipation, contact by contact.
 *
 * Preclik, Eibl, Ruede (2017), eq. (3): minimise 1/2 x'Ax - x'b over |z| <= mu x_n with a_n.x = b_n (colliding) or x =
 * 0 (separating). Written in the tangential impulse z with H = T - a a'/A_nn, g = b_to - a b_n/A_nn, the conic is |z|
 * <= p + e.z, p = mu plane/A_nn, e = -mu a/A_nn, its outward normal N = z/|z| - e, and the KKT conditions are s +
 * lambda N = 0, s = Hz - g, lambda >= 0. Restitution moves the plane to (1 + e) b_n and leaves g alone (a choice of
 * ours that cannot create energy; the paper leaves it open). The two bounds hold for every feasible z and every lambda
 * >= 0, by duality, with R = g - Hz - lambda N: 1/2 |z - z*|_H^2 <= f(z) - f(z*) <= 1/2 R'H^-1 R + lambda (p + e.z -
 * |z|). */
#include "contact/law.h"

#include <math.h>

/* The local problem in units of its own: trace(A) and the largest |b| between 1/2 and a few. */
typedef struct scaled {
    double A[9], b[3], x[3], size[3], mu, plane; /* paper's sign: b = -v */
    double a[2], H[3], g[2], e[2], p, ecc;       /* reduced form; H = (tt, to, oo) */
    int A_exponent, b_exponent;
} scaled;

static scaled scale(const imp_local *c) {
    scaled s = {.mu = c->mu};
    (void)frexp(c->A[0] + c->A[4] + c->A[8], &s.A_exponent);
    (void)frexp(fmax(fabs(c->v[0]), fmax(fabs(c->v[1]), fabs(c->v[2]))), &s.b_exponent);
    for (int i = 0; i < 9; i++)
        s.A[i] = ldexp(c->A[i], -s.A_exponent);
    for (int i = 0; i < 3; i++) {
        s.b[i] = -ldexp(c->v[i], -s.b_exponent);
        s.size[i] = ldexp(c->size[i], -s.b_exponent);
        s.x[i] = ldexp(c->p[i], s.A_exponent - s.b_exponent);
    }
    const double Ann = s.A[0];
    s.plane = (1 + c->e) * s.b[0];
    s.a[0] = s.A[1];
    s.a[1] = s.A[2];
    s.H[0] = s.A[4] - s.a[0] * s.a[0] / Ann;
    s.H[1] = s.A[5] - s.a[0] * s.a[1] / Ann;
    s.H[2] = s.A[8] - s.a[1] * s.a[1] / Ann;
    for (int i = 0; i < 2; i++) {
        s.g[i] = s.b[i + 1] - s.a[i] * s.b[0] / Ann;
        s.e[i] = -s.mu * s.a[i] / Ann;
    }
    s.p = s.mu * s.plane / Ann;
    s.ecc = hypot(s.e[0], s.e[1]);
    return s;
}

/* On the degenerate cone (plane = 0) the only feasible directions are the rays of |z| = e.z; x = 0 is the answer when
 * no ray descends. */
static double apex_residual(const scaled *s, double size) {
    if (s->ecc < 1) return 0;
    const double root = sqrt(s->ecc * s->ecc - 1);
    double worst = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double ray[2] = {(s->e[0] + side * root * s->e[1]) / (s->ecc * s->ecc),
                               (s->e[1] - side * root * s->e[0]) / (s->ecc * s->ecc)};
        worst = fmax(worst, (s->g[0] * ray[0] + s->g[1] * ray[1]) / size);
    }
    return worst;
}

typedef struct stationarity {
    double residual;
    double lambda; /* multiplier of the conic, scaled units */
} stationarity;

static stationarity stationarity_of(const scaled *s) {
    const double *x = s->x, z[2] = {x[1], x[2]}, length = hypot(z[0], z[1]), shift = (s->b[0] - s->plane) / s->A[0];
    double slip[2], size = 0; /* s of the header: the slip a plane moved by restitution would not have caused */
    for (int i = 0; i < 2; i++) {
        const double *row = s->A + 3 * (i + 1);
        slip[i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] - s->b[i + 1] + s->a[i] * shift;
        size = hypot(size, s->size[i + 1] + fabs(s->a[i] * shift));
    }
    stationarity result = {0, 0};
    if (s->mu == 0 || size == 0) return result;
    if (s->plane == 0 && length == 0) {
        result.residual = apex_residual(s, size);
        return result;
    }
    const double stick = hypot(slip[0], slip[1]) / size;
    result.residual = stick;
    if (length == 0) return result;
    const double u[2] = {z[0] / length, z[1] / length}, N[2] = {u[0] - s->e[0], u[1] - s->e[1]};
    const double NN = N[0] * N[0] + N[1] * N[1], sN = slip[0] * N[0] + slip[1] * N[1], limit = s->mu * x[0];
    const double lambda = NN > 0 ? fmax(0, -sN / NN) : 0;
    const double gap = lambda > 0 ? fmax(0, limit - length) / fmax(limit, length) : 0;
    const double slide =
        hypot(slip[0] + lambda * N[0], slip[1] + lambda * N[1]) / fmax(size, lambda * (1 + s->ecc)) + gap;
    result.residual = fmin(stick, slide);
    result.lambda = lambda;
    if (s->plane == 0 && NN > 0) { /* the multiplier may be infinite: only motion along the ray counts */
        const double ray = (fabs(slip[0] * u[0] + slip[1] * u[1]) + fmax(0, sN / sqrt(NN))) / size;
        result.residual = fmin(result.residual, ray);
    }
    return result;
}

/* The bounds of the header, for z drawn back into the conic (a star about 0) by at most rounding. */
static void note_bounds(const scaled *s, double lambda, imp_certificate *result) {
    double z[2] = {s->x[1], s->x[2]}, length = hypot(z[0], z[1]);
    const double room = s->p + s->e[0] * z[0] + s->e[1] * z[1], fit = length > room ? room / length : 1;
    if (!(fit >= 0)) return;
    z[0] *= fit;
    z[1] *= fit;
    length *= fit;
    double R[2] = {s->g[0] - s->H[0] * z[0] - s->H[1] * z[1], s->g[1] - s->H[1] * z[0] - s->H[2] * z[1]};
    for (int i = 0; i < 2 && length > 0; i++)
        R[i] -= lambda * (z[i] / length - s->e[i]);
    const double det = s->H[0] * s->H[2] - s->H[1] * s->H[1];
    if (!(det > 0)) return;
    const double quadratic = (s->H[2] * R[0] * R[0] - 2 * s->H[1] * R[0] * R[1] + s->H[0] * R[1] * R[1]) / det;
    const double slack = fmax(0, s->p + s->e[0] * z[0] + s->e[1] * z[1] - length);
    const double excess = 0.5 * fmax(0, quadratic) + lambda * slack;
    result->energy_excess = ldexp(excess, 2 * s->b_exponent - s->A_exponent);
    result->velocity_excess = sqrt(2 * excess) * ldexp(1, s->b_exponent) * sqrt(ldexp(1, -s->A_exponent));
}

static void certify_contact(const imp_local *local, int i, imp_certificate *result) {
    const scaled s = scale(local);
    const double *x = s.x, size = s.size[0];
    const double normal = s.A[0] * x[0] + s.A[1] * x[1] + s.A[2] * x[2]; /* a_n.x */
    const double scale_normal = fabs(s.A[0] * x[0]) + fabs(s.A[1] * x[1]) + fabs(s.A[2] * x[2]);
    const double push = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
    const double limit = s.mu * x[0], length = hypot(x[1], x[2]);
    const double signorini = push > 0 ? fmax(0, -x[0]) / push : 0;
    const double cone = length > 0 ? fmax(0, length - limit) / fmax(fabs(limit), length) : 0;
    const double pressure = scale_normal > 0 ? fmax(0, -normal) / fmax(scale_normal, size) : 0;
    double restitution, stationary = 0;
    if (s.b[0] < 0) { /* separating: no impulse */
        restitution = push > 0 ? scale_normal / fmax(size, scale_normal) : 0;
    } else {
        const stationarity result_z = stationarity_of(&s);
        restitution =
            size > 0 ? fabs(normal - s.plane) / (fmax(size, scale_normal) + fabs(s.plane)) / fmax(1, s.ecc) : push;
        stationary = result_z.residual;
        if (s.plane > 0) note_bounds(&s, result_z.lambda, result);
    }
    imp_certificate_note(result, "signorini", signorini, i);
    imp_certificate_note(result, "restitution", restitution, i);
    imp_certificate_note(result, "cone", cone, i);
    imp_certificate_note(result, "pressure", pressure, i);
    imp_certificate_note(result, "stationarity", stationary, i);
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p, imp_certificate *result) {
    (void)settings;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        certify_contact(&local, i, result);
    }
    if (problem->nc > 1) result->energy_excess = result->velocity_excess = INFINITY; /* the bounds are one contact's */
    return IMP_OK;
}

const imp_law imp_law_maxdiss = {
    "maxdiss", "least energy over the friction cone at maximum compression, no impulse on a separating contact",
    certify};
