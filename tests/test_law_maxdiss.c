/* test_law_maxdiss.c - the certificate of maximum dissipation: what it accepts, what it rejects,
 * and that its bounds bound. */
#include "generators/gen.h"
#include "contact/local.h"
#include "impact.h"
#include "tap.h"

#include <float.h>

enum { PROBLEMS = 4000 };

static imp_certificate certify(const gen_problem *g, const double p[3]) {
    gen_dense dense;
    imp_certificate c = {.worst = NAN};
    gen_dense_of(g, &dense);
    imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, NULL, &c);
    return c;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The reduced form: z on the plane (W p)_n = plane, |z| <= reach + e.z. */
typedef struct reduced {
    double H[3], g[2], e[2], reach;
} reduced;

static reduced reduce(const gen_problem *k) {
    const double *W = k->W, plane = -(1 + k->e) * k->q[0];
    const double tilt[2] = {W[1] / W[0], W[2] / W[0]};
    return (reduced){{W[3] - W[1] * tilt[0], W[4] - W[1] * tilt[1], W[5] - W[2] * tilt[1]},
                     {-k->q[1] + tilt[0] * k->q[0], -k->q[2] + tilt[1] * k->q[0]},
                     {-k->mu * tilt[0], -k->mu * tilt[1]},
                     k->mu * plane / W[0]};
}

static void on_plane(const gen_problem *g, double zt, double zo, double p[3]) {
    p[0] = (-(1 + g->e) * g->q[0] - g->W[1] * zt - g->W[2] * zo) / g->W[0];
    p[1] = zt;
    p[2] = zo;
}

/* A sliding solution of Coulomb's law, (H + kappa) z = g, |z| = reach + e.z, by bisection in log
 * kappa. */
static bool coulomb_slip(const gen_problem *g, double p[3]) {
    const reduced r = reduce(g);
    double low = -60, high = 60, z[2] = {0, 0};
    for (int i = 0; i < 200; i++) {
        const double kappa = exp(0.5 * (low + high)), h0 = r.H[0] + kappa, h2 = r.H[2] + kappa;
        const double det = h0 * h2 - r.H[1] * r.H[1];
        z[0] = (h2 * r.g[0] - r.H[1] * r.g[1]) / det;
        z[1] = (h0 * r.g[1] - r.H[1] * r.g[0]) / det;
        *(hypot(z[0], z[1]) > r.reach + r.e[0] * z[0] + r.e[1] * z[1] ? &low : &high) =
            0.5 * (low + high);
    }
    on_plane(g, z[0], z[1], p);
    return high < 59 && low > -59;
}

/* The certificate of a sliding problem's answer, of that answer turned by `angle` along the conic,
 * ... */
static void rejections(void) {
    static double coulomb[PROBLEMS], turned[PROBLEMS], flipped[PROBLEMS], accepted[PROBLEMS],
        scaled[PROBLEMS];
    int n = 0, slips = 0, worse = 0, unjudged = 0;
    for (uint64_t i = 0; n < PROBLEMS; i++) {
        gen_problem g =
            gen_make((gen_class[]){GEN_FREE_BOX_1, GEN_SIX_POINT, GEN_SPD_1, GEN_SPD_4}[i % 4], i);
        if (i % 8 >= 4) g.e = 0.5;
        double p[3], wrong[3];
        imp_info info;
        if (imp_maxdiss(g.W, g.q, g.mu, g.e, p, &info) != IMP_OK || info.leaf < IMP_LEAF_ELLIPSE)
            continue;
        accepted[n] = certify(&g, p).worst;
        const reduced r = reduce(&g);
        const double angle = atan2(p[2], p[1]) + 1e-6,
                     radius = r.reach / (1 - r.e[0] * cos(angle) - r.e[1] * sin(angle));
        on_plane(&g, radius * cos(angle), radius * sin(angle), wrong);
        turned[n] = certify(&g, wrong).worst;
        on_plane(&g, -p[1], -p[2], wrong);
        flipped[n] = certify(&g, wrong).worst;
        for (int j = 0; j < 3; j++)
            wrong[j] = p[j] * (1 - 1e-9);
        scaled[n] = certify(&g, wrong).worst;
        if (g.e == 0 && coulomb_slip(&g, wrong)) {
            const imp_certificate c = certify(&g, wrong);
            coulomb[slips++] = c.worst;
            worse += c.energy > certify(&g, p).energy;
            unjudged += isnan(c.worst);
        }
        unjudged += isnan(accepted[n]) || isnan(turned[n]) || isnan(flipped[n]) || isnan(scaled[n]);
        n++;
    }
    ok(unjudged == 0, "each answer and each wrong one has a certificate");
    double *const sample[] = {accepted, turned, flipped, scaled};
    for (int k = 0; k < 4; k++)
        qsort(sample[k], (size_t)n, sizeof(double), compare);
    qsort(coulomb, (size_t)slips, sizeof(double), compare);
    ok(accepted[n - 1] <= 1e-14, "accepts all of %d answers, worst %.2g", n, accepted[n - 1]);
    ok(turned[0] > 1e-11 && turned[n / 2] > 1e-7,
       "rejects all turned by 1e-6: least %.2g, median %.2g", turned[0], turned[n / 2]);
    ok(flipped[0] > 1e-3, "rejects all with friction the wrong way: least %.2g", flipped[0]);
    ok(scaled[0] > 1e-13 && scaled[n / 2] > 1e-10,
       "rejects all shortened by 1e-9: least %.2g, median %.2g", scaled[0], scaled[n / 2]);
    ok(slips > n / 3 && coulomb[slips / 20] > 1e-5 && coulomb[slips / 2] > 1e-3,
       "rejects Coulomb's slips: 5 %% below %.2g, median %.2g of %d", coulomb[slips / 20],
       coulomb[slips / 2], slips);
    ok(worse > slips * 0.99, "which dissipate less in %d of %d", worse, slips);
}

/* Preclik's Table 1 (its frame): three Coulomb solutions, none of them x*. */
static void table1(void) {
    const gen_problem g = {{0.86199070079243309, 0.067283787287539674, 0.21418622456684301,
                            0.72042364853594655, 0.016803312596771157, 0.057566013870303803},
                           {-0.059937099051674719, 0.71205273673389566, 0.04503143398862389},
                           3.7,
                           0,
                           0};
    const double coulomb[3][3] = {
        {0.11994538121471183, -0.43901625580930408, -0.064971628380433264},
        {0.29197278653545116, -0.88708912675452227, -0.61653830438327943},
        {1.5581245739426653, -0.99291108899782606, -5.6789131902173746}};
    const double best[3] = {1.6030977636851235, -1.0818613451421007, -5.8319648689408054};
    const imp_certificate c = certify(&g, best);
    ok(c.worst <= 1e-14, "Table 1: x* accepted, %.2g", c.worst);
    ok(c.energy_excess <= 1e-13, "and proven optimal to %.2g J of %.3g J", c.energy_excess,
       c.energy);
    for (int i = 0; i < 3; i++) {
        const imp_certificate d = certify(&g, coulomb[i]);
        ok(imp_certificate_residual(&d, "stationarity") > 1e-4 &&
               imp_certificate_residual(&d, "restitution") < 1e-14 &&
               imp_certificate_residual(&d, "cone") < 1e-14,
           "Table 1: Coulomb's x%d rejected for its stationarity alone, %.2g", i + 1,
           imp_certificate_residual(&d, "stationarity"));
        ok(d.energy_excess >= d.energy - c.energy, "and its excess of %.3g J bounded by %.3g J",
           d.energy - c.energy, d.energy_excess);
    }
}

static void each_residual(void) {
    gen_problem g = {{2, 0.5, -0.25, 3, 0.75, 4}, {-1, 0, 0}, 0.5, 0, 0};
    const struct {
        const char *name;
        double q[3], p[3];
    } cases[] = {
        {"signorini", {-1, 0, 0}, {-0.5, 0, 0}},   {"restitution", {-1, 0, 0}, {0.6, 0, 0}},
        {"restitution", {1, 3, 0}, {0.1, 0, 0}},   {"cone", {-1, -3, 1}, {0.4, 0.3, 0}},
        {"cone", {1, 0, 0}, {0, 0.1, 0}},          {"pressure", {-1, 0, 0}, {0.1, -0.9, 0}},
        {"stationarity", {-1, 3, 0}, {0.5, 0, 0}}, {"stationarity", {0, 3, 0}, {0.125, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(g.q, cases[i].q, sizeof g.q);
        const imp_certificate c = certify(&g, cases[i].p);
        ok(imp_certificate_residual(&c, cases[i].name) > 1e-3 &&
               c.worst >= imp_certificate_residual(&c, cases[i].name),
           "%s seen in p = (%g, %g, %g)", cases[i].name, cases[i].p[0], cases[i].p[1],
           cases[i].p[2]);
    }
    const double wild[3] = {NAN, 0, 0};
    gen_dense dense;
    imp_certificate c = {.worst = -1};
    gen_dense_of(&g, &dense);
    ok(imp_certify(&dense.problem, &imp_law_maxdiss, NULL, wild, NULL, &c) == IMP_NOT_FINITE &&
           c.worst == -1,
       "a NaN impulse is a status, the certificate untouched");
}

/* q_n = 0: a ray of the wedge, the apex, and what is neither; at eccentricity 1 to rounding either
 * may be right. */
static void degenerate(void) {
    gen_problem g = {{1, 0.8, 0, 2, 0, 1}, {0, 1, 3}, 2, 0, 0};
    double p[3], other[3], none[3] = {0, 0, 0};
    imp_maxdiss(g.W, g.q, g.mu, 0, p, NULL);
    ok(certify(&g, p).worst <= 1e-15, "hyperbola: the ray");
    memcpy(other, p, sizeof p);
    other[2] = -p[2];
    ok(certify(&g, other).worst > 0.1, "not the other ray");
    ok(certify(&g, none).worst > 0.1, "not the apex");
    g.q[1] = -3;
    g.q[2] = 0.1;
    ok(certify(&g, none).worst == 0, "the apex where no ray descends");
    g.mu = 0.5;
    g.q[1] = 1;
    const imp_certificate c = certify(&g, none);
    ok(c.worst == 0 && c.energy_excess == 0, "ellipse: the apex, nothing else being feasible");
    int bad = 0;
    for (uint64_t i = 0; i < 1000; i++) { /* the parabola, one rounding to either side */
        gen_stream s = gen_seed(81, i);
        gen_problem h = gen_spd(i, 2, 1);
        h.q[0] = 0;
        h.mu = h.W[0] / hypot(h.W[1], h.W[2]) * (1 + DBL_EPSILON * floor(gen_uniform(&s, -2, 3)));
        imp_maxdiss(h.W, h.q, h.mu, 0, p, NULL);
        bad += !(certify(&h, p).worst <= 1e-12);
    }
    ok(bad == 0, "parabola to rounding: both leaves accepted (%d of 1000 not)", bad);
}

/* Where the multiplier, the bounds, or the extent of the ellipse are none. */
static void edges(void) {
    /* eccentricity 1, and friction along the axis: the boundary's normal there is 0 */
    const gen_problem parabola = {{1, -1, 0, 2, 0, 1}, {-1, 0, 0}, 1, 0, 0};
    const double axis[3] = {2, 1, 0}, beyond[3] = {3, 2, 0};
    ok(certify(&parabola, axis).worst <= 1e-15 && isfinite(certify(&parabola, axis).energy_excess),
       "parabola: stuck on its axis");
    const imp_certificate far = certify(&parabola, beyond);
    ok(imp_certificate_residual(&far, "stationarity") > 0.1 &&
           far.worst == imp_certificate_residual(&far, "stationarity"),
       "and no further along it");
    const gen_problem concave = {{1, 2, 2, 1, 4, 1}, {-1, 0, 0}, 0.1, 0, 0};
    const double push[3] = {1, 0, 0};
    ok(isinf(certify(&concave, push).energy_excess) &&
           isinf(certify(&concave, push).velocity_excess),
       "no bounds where energy has no least");
    const gen_problem smooth = {{1, 0, 0, 1, 0, 1}, {-1, 0, 0}, 0, 0, 0};
    const double rubs[3] = {1, 0.1, 0};
    ok(isinf(certify(&smooth, rubs).energy_excess) && certify(&smooth, rubs).worst == 1 &&
           isfinite(certify(&smooth, push).energy_excess),
       "nor of friction where there is none");
    /* beside others: a small ellipse excuses what stands anywhere in it; a parabola, to rounding,
     * and a hyperbola have no end */
    static const double mu[3] = {0.5, 1 - DBL_EPSILON / 2, 2};
    static const char *const conic[3] = {"ellipse", "parabola", "hyperbola"};
    for (int k = 0; k < 3; k++) {
        const imp_local local = {.A = {1, -1, 0, -1, 3, 0, 0, 0, 1},
                                 .v = {-1, 0, 5},
                                 .p = {1},
                                 .size = {6, 6, 6},
                                 .push = 1e6,
                                 .mu = mu[k]};
        imp_certificate c = {0};
        imp_maxdiss_note(&local, 0, &c);
        ok(k ? imp_certificate_residual(&c, "stationarity") > 0.1
             : imp_certificate_residual(&c, "stationarity") < 1e-5,
           "%s beside a push of 1e6: %.1e", conic[k], imp_certificate_residual(&c, "stationarity"));
    }
}

/* What a large mu makes room for: friction beside a normal impulse next to none, on a contact that
 * parts; and impulses off the plane, where the conic is a hyperbola. */
static void rough(void) {
    const gen_problem parting = {{1, 0, 0, 1, 0, 1}, {1, 1, 0}, 1e10, 0, 0};
    const double holds[3] = {1e-10, -1, 0};
    const imp_certificate held = certify(&parting, holds);
    ok(imp_certificate_residual(&held, "restitution") >= 0.5,
       "what parts takes no friction either: %g", imp_certificate_residual(&held, "restitution"));
    const gen_problem hyperbola = {{1, 0.5, 0, 1, 0, 1}, {-1, 0.3, 0}, 1e10, 0, 0};
    const double near[3] = {0.5, -0.55, 0};
    const imp_certificate off = certify(&hyperbola, near);
    is_near(imp_certificate_residual(&off, "restitution"), 0.775 / (1 + 0.5 + 0.275 + 1), 0, 1e-15,
            "nor does eccentricity excuse an approach");
}

/* 1/2 p'Wp + p'q in extended precision; with `absolute` the sum of the absolute values of its
 * terms. */
static long double energy_of(const gen_problem *g, const double p[3], bool absolute) {
    static const int row[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    long double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const long double term = 0.5L * g->W[row[i][j]] * p[i] * p[j];
            sum += absolute ? fabsl(term) : term;
        }
        sum += absolute ? fabsl((long double)p[i] * g->q[i]) : (long double)p[i] * g->q[i];
    }
    return sum;
}

static double distance(const gen_problem *g, const double a[3], const double b[3]) {
    gen_problem still = *g;
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    still.q[0] = still.q[1] = still.q[2] = 0;
    return (double)sqrtl(2 * energy_of(&still, d, false));
}

/* Some point at a random distance from the answer: on the conic, on the plane, or anywhere. */
static void perturbed(const gen_problem *g, const double best[3], int kind, gen_stream *s,
                      double p[3]) {
    const reduced r = reduce(g);
    const double by = gen_power10(s, -12, 1) * hypot(best[1], best[2]),
                 away = gen_uniform(s, 0, 6.3);
    double z[2] = {best[1] + by * cos(away), best[2] + by * sin(away)};
    const double length = hypot(z[0], z[1]), along = r.e[0] * z[0] + r.e[1] * z[1];
    if (kind % 2 == 0 && length > r.reach + along)
        for (int i = 0; i < 2; i++)
            z[i] *= r.reach / (length - along);
    on_plane(g, z[0], z[1], p);
    if (kind == 3) p[0] *= 1 + gen_power10(s, -12, -1);
}

static void bounds(void) {
    int energy = 0, velocity = 0, known = 0, tight = 0, trials = 0;
    for (uint64_t i = 0; i < PROBLEMS; i++) {
        gen_stream s = gen_seed(82, i);
        gen_problem g = gen_make(
            (gen_class[]){GEN_FREE_BOX_5, GEN_SPD_4, GEN_PAINLEVE, GEN_TINY_CLOSING}[i % 4], i);
        g.e = i % 3 ? gen_uniform(&s, 0, 1) : 0;
        double best[3], p[3];
        if (imp_maxdiss(g.W, g.q, g.mu, g.e, best, NULL) != IMP_OK) continue;
        const imp_certificate at = certify(&g, best);
        const long double least = energy_of(&g, best, false), most = energy_of(&g, best, true);
        if (i % 4 < 3) tight += at.energy_excess <= 1e-12 * (double)most;
        for (int k = 0; k < 8; k++) {
            perturbed(&g, best, k % 4, &s, p);
            const imp_certificate c = certify(&g, p);
            /* `best` is rounded */
            const double noise = 4 * DBL_EPSILON * (double)(most + energy_of(&g, p, true));
            trials++;
            known += isfinite(c.energy_excess);
            energy += !(energy_of(&g, p, false) - least <= c.energy_excess + noise);
            velocity +=
                !(distance(&g, p, best) <= (c.velocity_excess + at.velocity_excess) * (1 + 1e-12));
        }
    }
    ok(known > 0.95 * trials, "bounds known for %d of %d points", known, trials);
    ok(energy == 0, "no point has more energy in excess than its bound (%d do)", energy);
    ok(velocity == 0, "or is farther from the answer than its bound (%d are)", velocity);
    ok(tight > 0.99 * PROBLEMS * 3 / 4,
       "%d of %d answers with ordinary q_n are proven optimal to 1e-12", tight, PROBLEMS * 3 / 4);
}

/* Sticking, u = 0 to the last bit, where g is the difference of two thousands and H is 1: q_t one
 * rounding away moves the answer by 1000 eps in the mass norm, which the bound has to cover. */
static void rounded(void) {
    for (int k = 1; k <= 2; k++) {
        gen_problem g = {.W = {1, 0, 0, 1, 0, 1}, .q = {-1, 0, 0}, .mu = 1};
        g.W[k] = 1000;
        g.W[k == 1 ? 3 : 5] += 1e6;
        g.q[k] = -1000;
        const double p[3] = {1, 0, 0}, moved = 1000 * DBL_EPSILON / sqrt(1);
        const imp_certificate c = certify(&g, p);
        ok(c.worst <= 1e-15 && c.velocity_excess >= moved && c.velocity_excess < 1e3 * moved &&
               c.energy_excess >= 0.5 * moved * moved,
           "the bounds cover the rounding of q along axis %d: %.1e of %.1e m/s", k,
           c.velocity_excess, moved);
    }
}

int main(void) {
    rounded();
    rejections();
    table1();
    each_residual();
    degenerate();
    edges();
    rough();
    bounds();
    return tap_done();
}
