/* maxdiss.c - one contact: the impulse of maximum dissipation. The solver is that of
 * maxdiss_lanes.h with one lane, and beside it what is rare: refusals, b_n = 0, extreme scales, and
 * slides that are hard to settle.
 *
 * Preclik, Eibl, Ruede (2017). Departures: eq. (9) chooses between the two rays of b_n = 0 by the
 * side of the cone axis the free minimiser lies on, which is wrong in the metric of H: both rays
 * are evaluated here. The degenerate parabola's ray is -(A_nt, A_no), as eq. (9) has it, not
 * +(A_nt, A_no). */
#define IMP_ONE_LANE
#include "single/maxdiss_lanes.h"
#include "single/maxdiss_search.h"
#include "base/dd.h"
#include "base/exact.h"
#include "base/length.h"

#include <limits.h>

/* (mu^2 |a|^2 - A_nn^2)/A_nn^2: at b_n = 0 its sign decides between no impulse and a finite one. */
static double exact_opening(const contact *c) {
    if (!(fabs(c->opening) < 0.5)) return c->opening;
    const dd m[2] = {dd_product(c->mu, c->a[0]), dd_product(c->mu, c->a[1])};
    return dd_sub(dd_dot(m, m), dd_product(c->Ann, c->Ann)).hi * c->per * c->per;
}

/* b_n = 0 and not sticking: the cone |z| <= e.z is the point z = 0 (ellipse), or bounded by two
 * rays, along which the energy is least at r = u.g/(u'Hu), or at 0. */
static imp_maxdiss_leaf solve_resting(const contact *c, double x[3]) {
    const double opening = exact_opening(c);
    x[0] = x[1] = x[2] = 0;
    if (opening < 0) return IMP_LEAF_APEX;
    const double width = sqrt(opening), ee = opening + 1;
    double most = 0; /* twice the energy lost */
    for (int side = -1; side <= 1; side += 2) {
        const double u0 = (c->e[0] + side * width * c->e[1]) / ee,
                     u1 = (c->e[1] - side * width * c->e[0]) / ee;
        const double gu = larger(u0 * c->g[0] + u1 * c->g[1], 0);
        const double r = gu / (c->H[0] * u0 * u0 + 2 * c->H[1] * u0 * u1 + c->H[2] * u1 * u1);
        if (r * gu <= most) continue;
        most = r * gu;
        x[0] = r / c->mu;
        x[1] = r * u0;
        x[2] = r * u1;
    }
    return most > 0 ? IMP_LEAF_RAY : IMP_LEAF_RAY_APEX;
}

/* Do the conditions hold to rounding? w - lambda N is measured against the larger of the data and
 * lambda (1 + |e|), as in the certificate; lambda > 0 must not be the rounding of N alone, nor the
 * energy above that of z = 0. */
static bool conditions_hold(const contact *c, const double H[3], double p, double x, double y) {
    const double allowed = 1e-13;
    const conditions k = conditions_at(c, H, p, x, y);
    const double *g = c->g, *e = c->e, N = sqrt(k.NN), w = fabs(k.w[0]) + fabs(k.w[1]);
    const double size = fabs(g[0]) + fabs(g[1]) + (fabs(H[0]) + fabs(H[1])) * fabs(x) +
                        (fabs(H[1]) + fabs(H[2])) * fabs(y);
    return k.press > 0x1p-51 * w * (1 + fabs(e[0]) + fabs(e[1])) &&
           (g[0] + k.w[0]) * x + (g[1] + k.w[1]) * y >= 0 &&
           fabs(k.across) * k.NN <= allowed * N * larger(size * k.NN, k.press) &&
           fabs(k.outside) <= allowed * (k.r + fabs(e[0] * x) + fabs(e[1] * y));
}

/* x_to <- the point of the slide near it: of Newton's method the last where the conditions hold;
 * false, and x_to as it was, where there is none. */
static bool polish_long(contact *c) {
    enum { MOST = 6 };
    const double unit = binade(larger(fabs(c->x[1]), fabs(c->x[2]))), p = c->p / unit;
    const double H[3] = {c->H[0] * unit, c->H[1] * unit, c->H[2] * unit};
    double x = c->x[1] / unit, y = c->x[2] / unit;
    bool good = false;
    for (int n = 0;; n++) {
        double d[2];
        if (conditions_hold(c, H, p, x, y)) {
            good = true;
            c->x[1] = x * unit;
            c->x[2] = y * unit;
        }
        const conditions k = conditions_at(c, H, p, x, y);
        if (n == MOST || !(newton_step(&k, H, d) <= 1)) return good;
        x += d[0];
        y += d[1];
    }
}

/* The slide; false when it could not be certified: within rounding of a parabola, far out on it. */
static bool slide(contact *c, int *steps) {
    find_arc(c);
    begin_root(c);
    for (int n = 0; n < MOST_STEPS && c->active; n++, *steps += 1)
        step_root(c);
    end_root(c);
    polish(c, 3);
    if (c->slide) return true;
    c->slide = true;
    return polish_long(c);
}

/* A slide so far out on the conic that the answer for b_n = 0 is close, and feasible. */
static bool slide_far(contact *c) {
    solve_resting(c, c->x);
    const bool good = polish_long(c);
    push(c);
    if (!good) c->x[0] = on_plane(c); /* in doubt, inside the cone */
    return good;
}

/* N s; a denormal number with a rounding of 1e-13 */
static const double SMALLEST = 0x1p-1032;

/* p <- x in N s, times 2^shift. IMP_OVERFLOW when an entry that counts is infinite, or so small
 * that its rounding would show in the certificate: where p is bound to the cone by an equation both
 * p_n and p_to count, elsewhere the largest.
 */
static inline imp_status unscale(const contact *c, const double x[3], bool bound, int shift,
                                 double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = x[i] * c->unit;
    if (shift) { /* at once: the units of c may be beyond double */
        const int exponent = imp_exponent(c->unit) - 1 + shift;
        for (int i = 0; i < 3; i++)
            p[i] = imp_ldexp(x[i], exponent);
    }
    const double normal = fabs(p[0]), friction = larger(fabs(p[1]), fabs(p[2]));
    const double least = smaller(normal, friction), most = larger(normal, friction);
    const bool finite = normal <= DBL_MAX && fabs(p[1]) <= DBL_MAX && fabs(p[2]) <= DBL_MAX;
    if (least >= SMALLEST && finite) return IMP_OK;
    if (!finite) {
        p[0] = p[1] = p[2] = 0;
        return IMP_OVERFLOW;
    }
    const bool pushes = c->plane > 0 || x[0] != 0, slides = bound && (x[1] != 0 || x[2] != 0);
    return pushes && (slides ? least : most) < SMALLEST ? IMP_OVERFLOW : IMP_OK;
}

/* p_to <- of a contact that slides at g with friction too small for its units: it leaves the slip
 * and p_n as they are. IMP_OVERFLOW where digits of it are lost in N s, too; one below the least
 * number is none. */
static imp_status add_faint_friction(const double g[2], double mu, double p[3]) {
    const double slip = imp_length(g[0], g[1]), limit = mu * p[0];
    if (!(slip > 0 && limit > 0)) return IMP_OK;
    p[1] = limit * (g[0] / slip);
    p[2] = limit * (g[1] / slip);
    return limit < SMALLEST ? IMP_OVERFLOW : IMP_OK;
}

/* Why the data cannot be taken as they are. IMP_OK: for their scales alone; *c <- the contact in
 * units in which they can, 2^shift times those of *c in N s. */
static imp_status rescale(const double W[6], const double q[3], double mu, double e, contact *c,
                          int *shift) {
    const double trace = W[3] + W[5], most = larger(fabs(q[0]), larger(fabs(q[1]), fabs(q[2])));
    const int W_shift = trace < 0x1p-400   ? -700
                        : trace >= 0x1p401 ? 700
                                           : 0,
              q_shift = most >= 0x1p801 ? 500 : 0;
    double difference = (mu - mu) + (e - e), V[6], r[3]; /* NaN unless all are finite */
    for (int i = 0; i < 6; i++) {
        difference += W[i] - W[i];
        V[i] = imp_ldexp(W[i], -W_shift);
    }
    for (int i = 0; i < 3; i++) {
        difference += q[i] - q[i];
        r[i] = imp_ldexp(q[i], -q_shift);
    }
    if (difference != 0) return IMP_NOT_FINITE;
    if (mu < 0) return IMP_BAD_FRICTION;
    if (e < 0 || e > 1) return IMP_BAD_RESTITUTION;
    reduce(V, r, mu, e, c);
    *shift = q_shift - W_shift;
    return c->good ? IMP_OK : IMP_NOT_POSITIVE;
}

/* The impulse of a contact that closes into c->x; false when it could not be certified. A slide by
 * the search that `by` names, NULL: by the solver of this file. */
static inline bool solve_closing(contact *c, const imp_maxdiss_settings *by, imp_maxdiss_leaf *leaf,
                                 int *steps) {
    classify(c);
    *leaf = c->frictionless ? IMP_LEAF_MU0 : IMP_LEAF_STICK;
    bool good = true;
    if (!(c->slide || c->stick || c->frictionless)) {
        *leaf = solve_resting(c, c->x);
        return true;
    }
    if (c->slide) {
        *leaf = c->opening < 0   ? IMP_LEAF_ELLIPSE
                : c->opening > 0 ? IMP_LEAF_HYPERBOLA
                                 : IMP_LEAF_PARABOLA;
        if (by) *steps = search_slide(c, by);
        good = by || (slide(c, steps) && c->mu <= MOST_FRICTION);
        if (!good) return slide_far(c);
    }
    push(c);
    return true;
}

/* p <- 0; the status. */
static imp_status none(double p[3], imp_status status) {
    p[0] = p[1] = p[2] = 0;
    return status;
}

static inline imp_status solve(const double W[6], const double q[3], double mu, double e,
                               const imp_maxdiss_settings *by, double p[3], imp_info *info) {
    contact c;
    imp_maxdiss_leaf leaf = IMP_LEAF_SEPARATING;
    int steps = 0, shift = 0;
    imp_status status = IMP_OK;
    reduce(W, q, mu, e, &c);
    if (!c.good) {
        status = rescale(W, q, mu, e, &c, &shift);
        if (status != IMP_OK) return status;
    }
    if (c.separating) {
        status = none(p, status);
    } else {
        const bool good = solve_closing(&c, by, &leaf, &steps);
        if (!c.slide && fabs(c.b[0]) < LOST && q[0] != 0) return none(p, IMP_OVERFLOW);
        const double x[3] = {c.x[0], c.x[1], c.x[2]};
        status = unscale(&c, x, leaf >= IMP_LEAF_RAY, shift, p);
        if (status == IMP_OK && c.frictionless && mu > 0) {
            const double g[2] = {c.g[0], c.g[1]};
            status = add_faint_friction(g, mu, p);
        }
        if (status == IMP_OK && !good) status = IMP_NOT_CERTIFIED;
    }
    if (info) *info = (imp_info){.iterations = steps, .leaf = leaf};
    return status;
}

imp_status imp_maxdiss(const double W[6], const double q[3], double mu, double e, double p[3],
                       imp_info *info) {
    return solve(W, q, mu, e, NULL, p, info);
}

imp_status imp_maxdiss_by(const double W[6], const double q[3], double mu, double e,
                          const imp_maxdiss_settings *settings, double p[3], imp_info *info) {
    const bool searches = settings && settings->solver != IMP_ANALYTIC;
    if (searches && (settings->solver < 0 || settings->solver > IMP_BISECTION ||
                     !(settings->steps >= 0 && settings->steps <= INT_MAX / 2)))
        return IMP_BAD_ARGUMENT;
    return searches ? solve(W, q, mu, e, settings, p, info) : imp_maxdiss(W, q, mu, e, p, info);
}

const char *imp_maxdiss_leaf_text(imp_maxdiss_leaf leaf) {
    static const char *const text[] = {
        "none", "separating", "mu0",           "stick",          "apex",
        "ray",  "ray-apex",   "slide-ellipse", "slide-parabola", "slide-hyperbola"};
    return (unsigned)leaf < sizeof text / sizeof *text ? text[leaf] : "none";
}
