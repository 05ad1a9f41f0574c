/* law_maxdiss.c - the certificate of maximum dissipation, contact by contact.
 *
 * Preclik, Eibl, Ruede (2017), eq. (3): minimise 1/2 x'Ax - x'b over |z| <= mu x_n, z = x_to, with
 * a_n.x = b_n where the contact closes and x = 0 where it separates. With the normal impulse
 * eliminated, H = T - a a'/A_nn and g = b_to - a b_n/A_nn, the set is |z| <= p + e.z, p = mu
 * plane/A_nn, e = -mu a/A_nn, with the outward normal N = z/|z| - e, and the optimality conditions
 * are s + lambda N = 0, s = Hz - g, lambda >= 0. Restitution moves the plane to (1 + e) b_n and
 * leaves g alone (a choice of ours that cannot create energy; the paper leaves it open).
 *
 * The bounds. For every x the energy is a constant + (a_n.x - b_n)^2/(2 A_nn) + f(z), f = 1/2 z'Hz
 * - g'z. The Lagrangian f + lambda (|z| - p - e.z) is convex with Hessian >= H, so with R = g - Hz
 * - lambda N, for every z and lambda >= 0, f(z) - f(z*) <= 1/2 |R|^2 + lambda (p + e.z - |z|),   |z
 * - z*|_H <= |R| + sqrt(|R|^2 + 2 (lambda (p + e.z - |z|) + d)), |R| in the metric of H^-1, d = 0
 * for feasible z, else what drawing z back into the conic costs. Rounding is added, so that they
 * hold as computed. */
#include "contact/local.h"

#include "base/length.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Rounding of the quantities of the reduced form, relative to the sum of the absolute values that
 * make them up. */
static const double rounding = 8 * DBL_EPSILON;

/* In units of `scaled`: smaller friction of a lone contact may have lost digits, and does not
 * change the slip. */
static const double FAINT = 0x1p-900;

/* The local problem in units of its own: trace(A) near 1, the largest velocity near 2^200, so that
 * a b_n denormal in comparison is still a normal number. */
typedef struct scaled {
    imp_local c;                      /* in these units */
    double b[3], plane;               /* the paper's sign: b = -v */
    double a[2], H[3], g[2], e[2], p; /* reduced form; H = (tt, to, oo) */
    double opening;                   /* |e|^2 - 1 */
    /* p_to, |p_to|, mu p_n; all in N s where the friction is too small for these units */
    double z[2], length, limit;
    int A_exponent, b_exponent;
} scaled;

static scaled scale(const imp_local *c) {
    scaled s = {.A_exponent = imp_exponent(c->A[0] + c->A[4] + c->A[8]),
                .b_exponent = imp_exponent(imp_largest(c->size, 3, 1)) - 200};
    s.c = imp_local_in_units(c, s.A_exponent, s.b_exponent);
    for (int i = 0; i < 3; i++)
        s.b[i] = -s.c.v[i];
    const double Ann = s.c.A[0];
    s.plane = (1 + c->e) * s.b[0];
    s.a[0] = s.c.A[1];
    s.a[1] = s.c.A[2];
    s.H[0] = s.c.A[4] - s.a[0] * s.a[0] / Ann;
    s.H[1] = s.c.A[5] - s.a[0] * s.a[1] / Ann;
    s.H[2] = s.c.A[8] - s.a[1] * s.a[1] / Ann;
    for (int i = 0; i < 2; i++) {
        s.g[i] = s.b[i + 1] - s.a[i] * s.b[0] / Ann;
        s.e[i] = -s.c.mu * s.a[i] / Ann;
    }
    s.p = s.c.mu * s.plane / Ann;
    s.opening = s.e[0] * s.e[0] + s.e[1] * s.e[1] - 1;
    const bool faint = s.c.push == 0 && fabs(s.c.p[1]) < FAINT && fabs(s.c.p[2]) < FAINT;
    const double *x = faint ? c->p : s.c.p;
    s.z[0] = x[1];
    s.z[1] = x[2];
    s.length = imp_length(x[1], x[2]);
    s.limit = c->mu * x[0];
    return s;
}

static bool is_parabola(const scaled *s) {
    return fabs(s->opening) <= 2 * rounding;
}

/* On the degenerate cone (plane = 0) the only feasible directions are the wedge |z| <= e.z; x = 0
 * is the answer when it is a point (ellipse; to rounding, parabola) or when neither of its rays
 * descends. */
static double apex_residual(const scaled *s, double size) {
    if (s->opening < 0 || is_parabola(s)) return 0;
    const double root = sqrt(s->opening), ee = s->opening + 1;
    double worst = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double ray[2] = {(s->e[0] + side * root * s->e[1]) / ee,
                               (s->e[1] - side * root * s->e[0]) / ee};
        worst = fmax(worst, (s->g[0] * ray[0] + s->g[1] * ray[1]) / size);
    }
    return worst;
}

/* How large the whole ellipse is beside an impulse that counts: no impulse inside is further from
 * the answer. */
static double extent(const scaled *s) {
    return s->c.push > 0 && s->opening < 0 && !is_parabola(s)
               ? s->p / (1 - sqrt(s->opening + 1)) / s->c.push
               : INFINITY;
}

typedef struct stationarity {
    double residual;
    double lambda; /* multiplier of the conic, scaled units */
} stationarity;

static stationarity stationarity_of(const scaled *s) {
    const double *x = s->c.p, *z = s->z, length = s->length, limit = s->limit,
                 shift = (s->b[0] - s->plane) / s->c.A[0];
    /* s of the header: the slip a plane moved by restitution would not have caused */
    double slip[2], size = 0;
    for (int i = 0; i < 2; i++) {
        const double *row = s->c.A + 3 * (i + 1);
        slip[i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] - s->b[i + 1] + s->a[i] * shift;
        size = imp_length(size, s->c.size[i + 1] + fabs(s->a[i] * shift));
    }
    stationarity result = {0, 0};
    /* no friction, or none that a double can show */
    if (s->c.mu == 0 || size == 0 || (x[0] > 0 && limit == 0)) return result;
    if (s->plane == 0 && length == 0) {
        result.residual = apex_residual(s, size);
        return result;
    }
    const double stick = fmin(imp_length(slip[0], slip[1]) / size, extent(s));
    result.residual = stick;
    if (length == 0) return result;
    const double u[2] = {z[0] / length, z[1] / length}, N[2] = {u[0] - s->e[0], u[1] - s->e[1]};
    const double NN = N[0] * N[0] + N[1] * N[1], sN = slip[0] * N[0] + slip[1] * N[1];
    const double lambda = NN > 0 ? fmax(0, -sN / NN) : 0, ecc = sqrt(s->opening + 1);
    const double gap = fmax(0, limit - length) / imp_local_lean(&s->c, length, limit);
    /* over lambda (1 + ecc) where that is more: a relative change of mu or of a by the residual
     * makes up for it, as one of A and b does elsewhere */
    const double slide = imp_length(slip[0] + lambda * N[0], slip[1] + lambda * N[1]) /
                             fmax(size, lambda * (1 + ecc)) +
                         (lambda > 0 ? gap : 0);
    result.residual = fmin(stick, slide);
    result.lambda = lambda;
    if (s->plane == 0) { /* the multiplier may be infinite: only motion along the ray, and out of
                            the wedge, counts */
        const double outwards = is_parabola(s) ? 0 : fmax(0, sN / sqrt(NN));
        result.residual =
            fmin(result.residual, (fabs(slip[0] * u[0] + slip[1] * u[1]) + outwards) / size + gap);
    }
    return result;
}

/* |r| in the metric of H^-1; with `bound` an upper bound of it for entries known in absolute value
 * only. */
static double inverse_norm(const scaled *s, double det, const double r[2], bool bound) {
    const double cross = s->H[1] * r[0] * r[1];
    return sqrt(fmax(0, s->H[2] * r[0] * r[0] + s->H[0] * r[1] * r[1] +
                            2 * (bound ? fabs(cross) : -cross)) /
                det);
}

/* Energy and velocity in excess of the answer's, for a closing contact with plane > 0. */
static void note_bounds(const scaled *s, double lambda, imp_certificate *result) {
    const double *a = s->a, *z = s->c.p + 1, Ann = s->c.A[0], b = s->b[0],
                 length = imp_length(z[0], z[1]);
    const double T[3] = {s->c.A[4] + a[0] * a[0] / Ann, fabs(s->c.A[5]) + fabs(a[0] * a[1] / Ann),
                         s->c.A[8] + a[1] * a[1] / Ann}; /* what H is the difference of */
    const double det =
        s->H[0] * s->H[2] - s->H[1] * s->H[1] - rounding * (T[0] * T[2] + T[1] * T[1]);
    if (!(det > 0 && s->H[0] > 0)) return;
    const double along = s->e[0] * z[0] + s->e[1] * z[1], room = s->p + along;
    const double slack = room - length + rounding * (s->p + fabs(along) + length);
    /* fit z lies in the conic, a star about 0 */
    const double fit = length > room ? s->p / (length - along) : 1;
    double R[2], error[2], drawn = 0; /* drawn: f(fit z) - f(z) */
    for (int i = 0; i < 2; i++) {
        const double Hz = s->H[i] * z[0] + s->H[i + 1] * z[1],
                     N = length > 0 ? z[i] / length - s->e[i] : 0;
        const double size =
            T[i] * fabs(z[0]) + T[i + 1] * fabs(z[1]) + fabs(s->b[i + 1]) + fabs(a[i] * b / Ann);
        R[i] = s->g[i] - Hz - lambda * N;
        error[i] = rounding * (size + lambda * (1 + fabs(s->e[i])));
        if (fit < 1)
            drawn +=
                (fit - 1) * z[i] * (0.5 * (1 + fit) * Hz - s->g[i]) + rounding * fabs(z[i]) * size;
    }
    const double norm =
        s->c.mu > 0 ? inverse_norm(s, det, R, false) + inverse_norm(s, det, error, true) : 0;
    const double normal = Ann * s->c.p[0] + a[0] * z[0] + a[1] * z[1];
    const double off = fabs(normal - s->plane) + rounding * s->c.size[0];
    const double plane = off * (off + 2 * fabs(s->plane - b)) / (2 * Ann);
    const double excess = fmax(0, 0.5 * norm * norm + lambda * slack) + plane;
    const double distance =
        norm + sqrt(norm * norm + 2 * fmax(0, lambda * slack + drawn)) + off / sqrt(Ann);
    result->energy_excess = imp_ldexp(excess, 2 * s->b_exponent - s->A_exponent);
    result->velocity_excess =
        distance * imp_ldexp(1, s->b_exponent) * sqrt(imp_ldexp(1, -s->A_exponent));
}

void imp_maxdiss_note(const imp_local *local, int i, imp_certificate *result) {
    const scaled s = scale(local);
    const double *x = s.c.p, size = s.c.size[0];
    const double normal = s.c.A[0] * x[0] + s.c.A[1] * x[1] + s.c.A[2] * x[2]; /* a_n.x */
    const double normal_size =
        fabs(s.c.A[0] * x[0]) + fabs(s.c.A[1] * x[1]) + fabs(s.c.A[2] * x[2]);
    const double largest = imp_largest(x, 3, 1);
    const double pressure = size > 0 ? fmax(0, -normal) / size : 0;
    double restitution = 0, stationary = 0;
    /* q_n, which has lost digits beside the slip: nothing can be said */
    const bool lost = local->v[0] != 0 && fabs(s.b[0]) < 0x1p-1000;
    if (lost) {
        restitution = INFINITY;
    } else if (s.b[0] < 0) { /* separating: no impulse */
        restitution = fmax(normal_size / size, imp_local_impulse(&s.c));
    } else {
        const stationarity z = stationarity_of(&s);
        if (size > 0) restitution = fabs(normal - s.plane) / (size + s.plane);
        stationary = z.residual;
        if (s.plane > 0 && (s.c.mu > 0 || s.length == 0)) note_bounds(&s, z.lambda, result);
    }
    if (largest == 0 && !lost &&
        /* nothing else is feasible */
        (s.b[0] < 0 || (s.plane == 0 && s.opening < 0 && !is_parabola(&s))))
        result->energy_excess = result->velocity_excess = 0;
    /* that nothing approaches is said by restitution and pressure */
    imp_certificate_note(result, "signorini", imp_local_signorini(&s.c, 0), i);
    imp_certificate_note(result, "restitution", restitution, i);
    imp_certificate_note(result, "cone", imp_local_cone(&s.c, s.length, s.limit), i);
    imp_certificate_note(result, "pressure", pressure, i);
    imp_certificate_note(result, "stationarity", stationary, i);
}

const imp_law imp_law_maxdiss = {.name = "maxdiss",
                                 .statement = "least energy over the friction cone at maximum "
                                              "compression, no impulse on a separating contact",
                                 .note = imp_maxdiss_note,
                                 .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
