/* coulomb.c - all solutions of Signorini's and Coulomb's laws for one purely inelastic contact.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half, and section 4. The paper shows by example that
 * there may be several; here all are found, and their number is proved for each problem (slips.c);
 * where there is but one it is most often known at once (coulomb_lanes.h, which this search is the
 * rare tail of). Departures: units are chosen per problem, by powers of two, so that any scale of
 * the data works; a continuum of solutions, which the Painleve rod of section 4.2 has at mu = mu*,
 * is given by its two ends. */
#include "single/slips.h"
#include "base/exact.h"
#include "single/coulomb_batch.h"

#include <stdbool.h>

/* The contact in units of its own, b = -q: A_nn in [1/4, 1), trace(T) in [1/2, 1), largest |b| in
 * [1/2, 1). The normal and the tangential impulse have different units, which multiplies mu.
 * Power-of-two units leave every bit alone. */
typedef struct contact {
    double A, a[2], T[3], b[3]; /* W_nn; W_nt, W_no; W_tt, W_to, W_oo; -q */
    /* f |z| <= m A_nn x_n is the cone, the larger of f and m near 1 */
    double f, m;
    imp_slips slips; /* with kappa multiplied by A_nn */
    double g_unit;   /* the curve's g is A_nn g divided by this */
    /* p_n, p_to, kappa, u_to = 2^(..) times the scaled ones */
    int normal, tangential, kappa, slide;
    int energy;
} contact;

const char *imp_coulomb_kind_text(imp_coulomb_kind kind) {
    static const char *const text[] = {"zero", "stick", "slip", "segment", "ray"};
    return (unsigned)kind <= IMP_RAY ? text[kind] : "unknown";
}

static imp_status check(const double W[6], const double q[3], double mu) {
    double sum = 0 * mu; /* NaN when one of them is not finite */
    for (int i = 0; i < 6; i++)
        sum += 0 * W[i];
    for (int i = 0; i < 3; i++)
        sum += 0 * q[i];
    if (sum != 0) return IMP_NOT_FINITE;
    if (mu < 0) return IMP_BAD_FRICTION;
    return W[0] > 0 && W[3] > 0 && W[5] > 0 ? IMP_OK : IMP_NOT_POSITIVE;
}

static int exponent(double x) { /* |x| < 2^exponent, or very small for 0 */
    return x != 0 ? imp_exponent(x) : -4000;
}

static int larger_of(int a, int b) {
    return a > b ? a : b;
}

static void choose_units(const double W[6], const double q[3], double mu, contact *c) {
    const int T = larger_of(exponent(0.5 * W[3] + 0.5 * W[5]) + 1, -1000),
              nn = larger_of(exponent(W[0]), -1000);
    const int A = nn + ((nn ^ T) & 1); /* T + A is even */
    const int apart = (T - A) / 2;     /* a normal unit is 2^apart tangential ones */
    const int to = larger_of(exponent(q[1]), exponent(q[2])),
              q_unit = larger_of(exponent(q[0]) + apart, to);
    const int b = q_unit > -4000 + 1100 ? q_unit : 0, slope = exponent(mu) + apart;
    const double unit_nt = imp_ldexp(1, -(A + T) / 2), unit_T = imp_ldexp(1, -T);
    c->A = imp_ldexp(W[0], -A);
    c->a[0] = W[1] * unit_nt;
    c->a[1] = W[2] * unit_nt;
    for (int i = 0; i < 3; i++)
        c->T[i] = W[3 + i] * unit_T;
    c->b[0] = imp_ldexp(-q[0], apart - b);
    c->b[1] = imp_ldexp(-q[1], -b);
    c->b[2] = imp_ldexp(-q[2], -b);
    c->m = imp_ldexp(mu, slope > 0 ? apart - slope : apart);
    c->f = slope > 0 ? imp_ldexp(c->A, -slope) : c->A;
    c->tangential = b - T;
    c->normal = b - T + apart;
    c->kappa = T;
    c->slide = b;
    c->energy = 2 * b - T;
}

/* The curve of slips; false when H is not positive definite. */
static bool reduce(contact *c) {
    slip_curve *s = &c->slips.curve;
    dd H[3];
    slip_begin(s, c->A, c->a, c->T, c->b, H);
    if (!(H[0].hi > 0 && H[2].hi > 0 && s->det.hi > 0x1p-400)) return false;
    const int g_exponent = larger_of(larger_of(exponent(s->g[0].hi), exponent(s->g[1].hi)), -900);
    const double shrink = imp_ldexp(1, -g_exponent);
    c->g_unit = imp_ldexp(1, g_exponent);
    for (int i = 0; i < 2; i++)
        s->g[i] = dd_shift(s->g[i], shrink);
    c->slips.f = c->f;
    (void)slip_end(s, c->A, c->a, c->T, c->b, H, c->m, c->f, shrink);
    imp_slips_complete(&c->slips);
    return true;
}

static dd length(const dd z[2]) {
    const double fit = fabs(z[0].hi) + fabs(z[1].hi) < 0x1p-300 ? 0x1p600 : 1;
    const dd y[2] = {dd_shift(z[0], fit), dd_shift(z[1], fit)};
    return dd_shift(dd_sqrt(dd_dot(y, y)), 1 / fit);
}

/* Appends the solution with tangential impulse z and velocity u_to, both in the contact's units. */
static void append(imp_coulomb_set *set, const contact *c, imp_coulomb_kind kind, const dd z[2],
                   const double u[2], double kappa) {
    const bool ellipse = c->m * (fabs(c->a[0]) + fabs(c->a[1])) <= c->f;
    const dd room =
        dd_sub((dd){c->b[0], 0}, dd_add(dd_times(z[0], c->a[0]), dd_times(z[1], c->a[1])));
    /* from the plane where that does not cancel, from the cone elsewhere */
    dd x = dd_div(room, (dd){c->A, 0});
    if (kind == IMP_STICK && !ellipse) {
        const dd share = dd_shift(c->slips.curve.constant, c->g_unit);
        x = dd_div(share, dd_mul(dd_product(c->m, c->A), c->slips.curve.det));
    }
    if (!ellipse) {
        /* with friction above 1e25 rounding leaves less of a stick's share than the cone asks */
        const dd rim = dd_div(dd_times(length(z), c->f), dd_product(c->m, c->A));
        if (kind == IMP_SLIP || x.hi < 0.5 * rim.hi) x = rim;
    }
    const dd work =
        dd_add(dd_times(x, c->b[0]), dd_add(dd_times(z[0], c->b[1]), dd_times(z[1], c->b[2])));
    const dd slide = dd_add(dd_times(z[0], u[0]), dd_times(z[1], u[1]));
    set->solution[set->count++] = (imp_coulomb_solution){
        .kind = kind,
        .p = {imp_ldexp(x.hi, c->normal), imp_ldexp(z[0].hi, c->tangential),
              imp_ldexp(z[1].hi, c->tangential)},
        .u = {0, imp_ldexp(u[0], c->slide), imp_ldexp(u[1], c->slide)},
        .kappa = imp_ldexp(kappa, c->kappa),
        /* 1/2 p.(u + q), scaled until the set is complete */
        .energy = 0.5 * dd_sub(slide, work).hi,
    };
}

/* The solution of (A_nn H + k) z = A_nn g: a stick for k = 0. */
static void append_at(imp_coulomb_set *set, const contact *c, double k) {
    const slip_curve *s = &c->slips.curve;
    const double kappa = k / c->A;
    dd z[2];
    for (int i = 0; i < 2; i++) {
        if (k < 0x1p300) {
            const dd D =
                dd_add(c->slips.curve.det, dd_times(dd_add(c->slips.curve.trace, (dd){k, 0}), k));
            z[i] = dd_div(dd_add(s->w[i], dd_times(s->g[i], k)), D);
        } else {
            z[i] = (dd){s->g[i].hi / k, 0};
        }
        z[i] = dd_shift(z[i], c->g_unit);
    }
    append(set, c, k > 0 ? IMP_SLIP : IMP_STICK, z,
           (const double[2]){0 - kappa * z[0].hi, 0 - kappa * z[1].hi}, kappa);
}

/* The slip of a zero so far out, 1 / share, that z = share g: mu b_n is nearly nothing beside
 * |g|. */
static void append_far(imp_coulomb_set *set, const contact *c, double share) {
    const slip_curve *s = &c->slips.curve;
    const double unit = c->g_unit / c->A;
    const dd z[2] = {{share * s->g[0].hi * c->g_unit, 0}, {share * s->g[1].hi * c->g_unit, 0}};
    append(set, c, IMP_SLIP, z, (const double[2]){0 - unit * s->g[0].hi, 0 - unit * s->g[1].hi},
           share > 0 ? 1 / share / c->A : INFINITY);
}

/* Is every impulse between 0 and the sticking one a solution? For b_n = 0: g along a ray of the
 * cone and along an eigenvector of H. *certain <- not only to the rounding of the data. */
static bool continuum(const contact *c, bool *certain) {
    const imp_slips *s = &c->slips;
    const double g = s->ends[1] / s->f, G = s->ends[1],
                 size = c->m * (fabs(c->a[0]) + fabs(c->a[1])) * g + G;
    const double cross = sqrt(s->turn / s->f), square = s->curve.trace.hi * g * g,
                 off = fabs(s->rise);
    if (!(off <= 0x1p-48 * size && cross <= 0x1p-48 * square)) return false;
    *certain = off <= 0x1p-95 * size && cross <= 0x1p-95 * square;
    return true;
}

/* Signs and zeros of the curve -> the solutions other than p = 0. Returns whether their number is
 * certain. */
static bool append_touching(imp_coulomb_set *set, contact *c, bool unique) {
    imp_slips *s = &c->slips;
    const double b = c->b[0], P = s->curve.square.hi;
    if (s->ends[1] == 0) { /* g = 0: the impulse that stops the normal velocity stops the contact */
        if (b > 0) append_at(set, c, 0);
        return true;
    }
    bool proven = b == 0 || fabs(b) >= DBL_MIN; /* below, its rounding shows beside the slip */
    if (b == 0 && continuum(c, &proven)) {
        append_at(set, c, 0);
        set->solution[set->count - 1].kind = IMP_SEGMENT;
        return proven;
    }
    double root[3];
    bool certain = true;
    const int stick = imp_slip_start(s), side = (b > 0) - (b < 0);
    const bool far = side != 0 && fabs(P) < 0x1p-900;
    if (far) { /* the other zeros do not notice P */
        s->curve.square = (dd){0, 0};
        proven = proven && fabs(s->rise) > 2 * s->curve.noise[1];
    }
    if (stick >= 0) append_at(set, c, 0);
    const int count = imp_slip_roots(s, stick, unique, root, &certain);
    for (int i = 0; i < count; i++)
        append_at(set, c, root[i]);
    if (far && s->rise * side < 0) append_far(set, c, fabs(P / s->rise));
    return proven && certain;
}

/* Is this solution the one of maximum dissipation? A stick is; p = 0 is where it is the least
 * energy over the cone; a slip is where friction points along the normal of the conic: along
 * W_n,to, or where that is nothing (spheres). */
static bool is_maxdiss(const contact *c, const imp_coulomb_solution *x) {
    const double *a = c->a, *p = x->p + 1, aa = a[0] * a[0] + a[1] * a[1];
    if (c->b[0] < 0) return x->kind == IMP_ZERO;
    if (x->kind == IMP_SLIP) {
        double scale;
        const double z[2] = {imp_ldexp(p[0], -c->tangential), imp_ldexp(p[1], -c->tangential)};
        const double off = off_normal(c->m, c->f, a, z[0], z[1], &scale);
        return c->b[0] > 0 && off <= 0x1p-50 * scale;
    }
    if (x->kind != IMP_ZERO) return true;
    /* b_n = 0: does a ray of the degenerate cone lead downhill? u = (-f a +- wide Ja) / (m a.a), Ja
     * = (-a_2, a_1) */
    const double g[2] = {c->slips.curve.g[0].hi, c->slips.curve.g[1].hi},
                 wide2 = c->m * c->m * aa - c->f * c->f;
    const double gain =
        sqrt(fmax(wide2, 0)) * fabs(a[0] * g[1] - a[1] * g[0]) - c->f * (a[0] * g[0] + a[1] * g[1]);
    return wide2 < 0 || gain <= 0x1p-50 * c->m * aa;
}

/* Energies back in J. IMP_OVERFLOW when an impulse is not representable, but as a denormal. */
static imp_status finish(imp_coulomb_set *set, const contact *c) {
    bool fits = true;
    for (int i = 0; i < set->count; i++) {
        imp_coulomb_solution *x = &set->solution[i];
        if (set->maxdiss < 0 && is_maxdiss(c, x)) set->maxdiss = i;
        const bool pushes = x->kind != IMP_ZERO && (x->kind != IMP_SEGMENT || i == 0);
        double largest = 0;
        x->energy = imp_ldexp(x->energy, c->energy);
        for (int j = 0; j < 3; j++) {
            fits = fits && isfinite(x->p[j]) && isfinite(x->u[j]);
            largest = fmax(largest, fabs(x->p[j]));
        }
        fits = fits && !(pushes && largest < DBL_MIN);
    }
    if (!fits) return IMP_OVERFLOW;
    return set->proven ? IMP_OK : IMP_NOT_CERTIFIED;
}

imp_status imp_coulomb_search(const double W[6], const double q[3], double mu,
                              imp_coulomb_set *set) {
    const imp_status fault = check(W, q, mu);
    if (fault != IMP_OK) return fault;
    contact c;
    choose_units(W, q, mu, &c);
    if (!reduce(&c)) return IMP_NOT_POSITIVE;
    if (q[0] != 0 && c.b[0] == 0) return IMP_OVERFLOW; /* nothing beside the slip, but no rest */

    imp_coulomb_set found = {.maxdiss = -1};
    const double push = c.m * sqrt(c.a[0] * c.a[0] + c.a[1] * c.a[1]);
    found.eccentricity = push / c.f;
    found.unique_below = 2 * sqrt(c.slips.curve.det.hi) / c.slips.curve.trace.hi;
    found.unique = c.b[0] > 0 && push <= (1 - 0x1p-48) * found.unique_below * c.f;
    found.proven = append_touching(&found, &c, found.unique);
    if (c.b[0] <= 0) {
        const bool segment = found.count == 1 && found.solution[0].kind == IMP_SEGMENT;
        found.solution[found.count++] = (imp_coulomb_solution){
            .kind = segment ? IMP_SEGMENT : IMP_ZERO, .u = {q[0], q[1], q[2]}};
    }
    const imp_status status = finish(&found, &c);
    if (status != IMP_OVERFLOW) *set = found;
    return status;
}

imp_status imp_coulomb_enumerate(const double W[6], const double q[3], double mu,
                                 imp_coulomb_set *set) {
    const bool common = q[0] != 0 && mu > 0; /* the others are nothing for imp_coulomb_only */
    return common && imp_coulomb_only(W, q, mu, set) ? IMP_OK : imp_coulomb_search(W, q, mu, set);
}
