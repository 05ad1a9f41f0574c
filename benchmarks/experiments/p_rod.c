/* p_rod.c - Preclik, Eibl, Ruede (2017), section 4.2 and Fig. 6: Painleve's rod, grazing along a
 * plane: its forces, and its impulses. */
#include "base/worse.h"
#include "benchmarks/experiments/one.h"
#include "benchmarks/harness/report.h"
#include "base/vec3.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* The rod of mass 1 kg and length 2 m at the angle theta, its lower tip on the ground, moving at v
 * = (-1, rise, 0) m/s; it cannot spin about its own axis. The rod is side B, n = e_y, t = e_x, o =
 * e_z. */
static one_contact rod(double theta, double mu, double rise) {
    const imp_body body = {.inv_mass = 1,
                           .inv_inertia = {0, 0, 0, 0, 3, 0, 0, 0, 3},
                           .position = {cos(theta), sin(theta), 0},
                           .orientation = {cos(theta / 2), 0, 0, sin(theta / 2)},
                           .velocity = {-1, rise, 0}};
    const imp_contact contact = {.a = IMP_GROUND, .b = 0, .frame = {0, 1, 0, 1, 0, 0, 0, 0, 1}};
    return one_assemble(&body, &contact, mu);
}

static bool maxdiss(const one_contact *c, double p[3]) {
    return imp_maxdiss(c->W, c->q, c->mu, 0, p, NULL) == IMP_OK;
}

/* Where the pole of the rod's conic is: the printed mu*, from the assembled W. */
static double threshold(double theta) {
    const one_contact c = rod(theta, 0, 0);
    return c.W[0] / hypot(c.W[1], c.W[2]);
}

/* The same from the solver's answers alone: 0 below, not 0 above, closed in on by bisection. */
static double threshold_of_answers(double theta) {
    double low = 0, high = 1e3;
    for (int i = 0; i < 80; i++) {
        const double mu = 0.5 * (low + high);
        const one_contact c = rod(theta, mu, 0);
        double p[3];
        if (!maxdiss(&c, p)) return NAN;
        if (p[0] > 0)
            high = mu;
        else
            low = mu;
    }
    return high;
}

static void threshold_rows(report *r) {
    static const struct {
        double theta, mu, impulse[2], E;
        const char *name;
    } want[] = {
        {0.3,
         4.4134162748909778,
         {0.21174092752313826, 0.93450085559112936},
         -0.46725042779556468,
         "0.3"},
        {0.5,
         2.6227511255645327,
         {0.31555161930296119, 0.82761336470055239},
         -0.4138066823502762,
         "0.5"},
        {0.9,
         1.4781209363065359,
         {0.36519286157932319, 0.53979921449009235},
         -0.26989960724504618,
         "0.9"},
        {1.1071487177940905, 4.0 / 3, {0.3, 0.4}, -0.2, "atan 2"},
        {1.2,
         1.3757566331997129,
         {0.2532986927066816, 0.34847735667203294},
         -0.17423867833601647,
         "1.2"},
        {1.4,
         2.1625968729366965,
         {0.12562055630846434, 0.27166662224925319},
         -0.1358333111246266,
         "1.4"},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        report_near(r, INDEPENDENT,
                    report_text(r, "μ*(%s), where the solver's answer leaves 0", want[i].name),
                    want[i].mu, threshold_of_answers(want[i].theta), 1e-13, NULL);
        const one_contact c = rod(want[i].theta, 1.2 * want[i].mu, 0);
        double p[3];
        if (!maxdiss(&c, p)) p[0] = p[1] = p[2] = NAN;
        report_vector(r, INDEPENDENT, report_text(r, "Λ0 at θ = %s, (n, t), N s", want[i].name),
                      want[i].impulse, p, 2, 1e-13, NULL);
        report_near(r, INDEPENDENT, report_text(r, "energy of Λ0 at θ = %s, J", want[i].name),
                    want[i].E, one_energy(c.W, c.q, p), 1e-13, NULL);
    }
}

static void minimum_rows(report *r) {
    const double golden = 0.61803398874989485;
    double low = 0.5, high = 1.5;
    while (high - low > 1e-10) {
        const double width = golden * (high - low), left = high - width, right = low + width;
        if (threshold(left) < threshold(right))
            high = right;
        else
            low = left;
    }
    report_near(r, INDEPENDENT, "least μ*", 4.0 / 3, threshold(0.5 * (low + high)), 1e-13, NULL);
    report_near(r, INDEPENDENT, "the angle where it is, rad", 1.1071487177940905,
                0.5 * (low + high), 1e-7,
                "½ acos(-3/5) = atan 2; a flat minimum is seen to the square root of rounding");
    const one_contact c = rod(0.9, 0, 0);
    const double cosine = cos(1.8);
    report_differs(r, "m A_oo at θ = 0.9", report_text(r, "%.4g", 1 + 3 * cosine * cosine), c.W[5],
                   4 - 1e-13, 4 + 1e-13,
                   "the paper prints 1 + 3 (cos² - sin²)²; a rod turns alike about both axes "
                   "across it, so the entry does "
                   "not depend on θ. In-plane results are not touched by it");
}

/* At mu = mu* every impulse between 0 and Lambda_0 is a Coulomb solution. */
static void segment_rows(report *r) {
    one_contact c = rod(0.9, threshold(0.9), 0);
    double whole[3], worst = 0;
    if (!one_stick(c.W, c.q, whole)) whole[0] = NAN;
    for (int k = 0; k <= 8; k++) {
        const double part[3] = {whole[0] * k / 8, whole[1] * k / 8, whole[2] * k / 8};
        worst = imp_worse(worst, one_certify(&c, 0, &imp_law_coulomb, part).worst);
    }
    report_at_most(r, STATED_IN_SOURCE, "μ = μ*: worst Coulomb residual along the segment 0 .. Λ0",
                   1e-14, worst, "nine impulses; infinitely many solutions, as the paper says");
    imp_coulomb_set set = {0};
    const imp_status status = imp_coulomb_enumerate(c.W, c.q, c.mu, &set);
    const char *kinds = "";
    for (int i = 0; i < set.count; i++)
        kinds = report_text(r, "%s%s%s", kinds, i ? ", " : "",
                            imp_coulomb_kind_text(set.solution[i].kind));
    report_shown(r, INDEPENDENT, "μ = μ* rounded to double: what the enumeration says", "segment",
                 report_text(r, "%s (%s)", kinds, imp_status_text(status)),
                 "the segment exists at one real number, which is no double");
    one_contact grazing = rod(0.9, 1.1 * threshold(0.9), 1e-6),
                closing = rod(0.9, 1.1 * threshold(0.9), -1e-6);
    double p[3], none[3];
    const bool solved = maxdiss(&grazing, none) && maxdiss(&closing, p);
    report_judge(r, INDEPENDENT, "μ = 1.1 μ*, velocity ±1e-6 m/s along n: the impulse jumps",
                 "0 and (0.365, 0.540)",
                 report_text(r, "%.3g and (%.3f, %.3f)", none[0], p[0], p[1]), "printed digits",
                 solved && none[0] == 0 && fabs(p[0] - 0.365) <= 5e-4 && fabs(p[1] - 0.540) <= 5e-4,
                 "the model is discontinuous at b_n = 0 beyond μ*; the paper does not say so");
}

/* Is p the impulse Lambda_0, which stops the tip? */
static bool is_stick(const one_contact *c, const double p[3], const double stick[3]) {
    double u[3];
    one_velocity(c->W, c->q, p, u);
    return fabs(p[0] - stick[0]) <= 1e-13 && hypot(u[0], u[1]) <= 1e-13;
}

/* Over the plane (theta, mu): is the answer 0 below mu*, Lambda_0 above, and are those all Coulomb
 * solutions? */
static void map(report *r) {
    const int columns = report_full(r) ? 600 : 150, lines = report_full(r) ? 500 : 125;
    report_rows *table = report_table(r, "p_rod_map", "theta:9\tmu:9\tlambda_n:9\tcoulomb:17");
    long wrong_best = 0, wrong_set = 0;
    for (int i = 0; i < columns; i++) {
        const double theta = 0.5 * pi * (i + 0.5) / columns, edge = threshold(theta);
        for (int k = 0; k < lines; k++) {
            const double mu = 5.0 * (k + 0.5) / lines;
            const one_contact c = rod(theta, mu, 0);
            double p[3], stick[3];
            imp_coulomb_set set;
            if (!maxdiss(&c, p) || imp_coulomb_enumerate(c.W, c.q, mu, &set) != IMP_OK) {
                wrong_best++;
                continue;
            }
            one_stick(c.W, c.q, stick);
            wrong_best += mu < edge ? p[0] != 0 : !is_stick(&c, p, stick);
            wrong_set += mu < edge ? set.count != 1 || set.solution[0].kind != IMP_ZERO
                                   : set.count != 2 || set.solution[0].kind != IMP_STICK ||
                                         !is_stick(&c, set.solution[0].p, stick) ||
                                         set.solution[1].kind != IMP_ZERO;
            report_row(table, NULL, theta, mu, p[0], set.count);
        }
        report_gap(table);
    }
    report_rows *curve = report_table(r, "p_rod_curve", "theta:9\tmu_star:9");
    for (int i = 1; i < 400; i++)
        report_row(curve, NULL, 0.5 * pi * i / 400, threshold(0.5 * pi * i / 400));
    report_count(r, STATED_IN_SOURCE, "grid points where x* is not 0 below μ*, Λ0 above", 0,
                 wrong_best,
                 report_text(r, "%d × %d points of 0 < θ < π/2, 0 < μ < 5", columns, lines));
    report_count(r, STATED_IN_SOURCE,
                 "grid points where the Coulomb solutions are not {0} below, {0, Λ0} above", 0,
                 wrong_set, "both stand: x* is the one that dissipates");
    report_figure(r, "p_rod_map",
                  "Maximum dissipation gives the grazing rod no impulse below μ*(θ) "
                  "(blank), and Λ0 above. Over the plane of angle and friction; colour: "
                  "the normal component of Λ0 for m = v0 = 1. Coulomb-like friction has "
                  "the one solution 0 below, the two solutions 0 and Λ0 above, and all "
                  "between them on the curve.");
}

static const double gravity = 9.81; /* m/s^2 */

/* From the rod's centre to its tip, m. */
static void arm_of(double theta, double arm[3]) {
    arm[0] = -cos(theta);
    arm[1] = -sin(theta);
    arm[2] = 0;
}

/* The forces of the rod whose tip moves at v = (n, t, o), m/s, while it spins, rad/s: without one
 * its tip accelerates by gravity and the centripetal term. */
static imp_status forces(const one_contact *c, double theta, double spin, const double v[3],
                         imp_force_set *set) {
    const double omega[3] = {0, 0, spin};
    double arm[3], turn[3], inward[3];
    arm_of(theta, arm);
    cross3(omega, arm, turn);
    cross3(omega, turn, inward);
    return imp_forces(c->W, v, (const double[3]){inward[1] - gravity, inward[0], inward[2]}, c->mu,
                      set);
}

/* The same after an impulse p (n, t, o) on the rod that slid without spin. */
static imp_status forces_after(const one_contact *c, double theta, const double p[3],
                               imp_force_set *set) {
    const double push[3] = {p[1], p[0], p[2]};
    double arm[3], moment[3], v[3];
    arm_of(theta, arm);
    cross3(arm, push, moment);
    imp_velocity_after(c->W, c->q, p, v);
    return forces(c, theta, 3 * moment[2], v, set);
}

enum { NONE, SLIDES, OPENS, TWO, STRANGE }; /* the regions of the map */

static int region_of(const imp_force_set *set) {
    if (set->count == 0 && set->motion == IMP_IMPACT_WITHOUT_COLLISION) return NONE;
    if (set->count == 1 && set->motion == IMP_SLIDES_ON) return SLIDES;
    if (set->count == 1 && set->motion == IMP_SEPARATES) return OPENS;
    return set->count == 2 && set->motion == IMP_UNDETERMINED ? TWO : STRANGE;
}

/* Over the plane (theta, mu), of a rod that spins at sqrt(1.25 g): how many forces, against the
 * signs of A and b_n in closed form. */
static void force_map(report *r) {
    enum { COLUMNS = 150, LINES = 125 };
    const double spin2 = 1.25 * gravity;
    report_rows *table = report_table(r, "p_rod_forces", "theta:9\tmu:9\tregion:2");
    long wrong = 0, counts[STRANGE + 1] = {0};
    double off = 0;
    for (int i = 0; i < COLUMNS; i++) {
        const double theta = 0.5 * pi * (i + 0.5) / COLUMNS, c = cos(theta), s = sin(theta);
        for (int k = 0; k < LINES; k++) {
            const double mu = 5.0 * (k + 0.5) / LINES, A = 1 + 3 * c * (c - mu * s),
                         b = spin2 * s - gravity;
            const one_contact rods = rod(theta, mu, 0);
            imp_force_set set = {.count = -1};
            const imp_status status = forces(&rods, theta, sqrt(spin2), rods.q, &set);
            const int want = A > 0   ? (b > 0 ? OPENS : SLIDES)
                             : b > 0 ? TWO
                                     : NONE,
                      region = region_of(&set);
            wrong += status != IMP_OK || region != want;
            counts[region]++;
            const double f = set.count > 0 ? set.force[0].f[0] : 0;
            if (want == SLIDES || want == TWO) /* the force that presses comes first */
                off = imp_worse(off, fabs(f * A + b) /
                                         (fabs(f) * (1 + 3 * c * c + 3 * mu * s * c) + fabs(b)));
            report_row(table, NULL, theta, mu, region);
        }
        report_gap(table);
    }
    report_rows *curve = report_table(r, "p_rod_edge", "theta:9\tmu:9");
    for (int i = 1; i < 400; i++) {
        const double theta = 0.5 * pi * i / 400, c = cos(theta);
        report_row(curve, NULL, theta, (c + 1 / (3 * c)) / sin(theta));
    }
    report_count(r, INDEPENDENT,
                 "grid points where the forces are not those of the signs of A and b_n", 0, wrong,
                 report_text(r, "none %ld, one that presses %ld, zero alone %ld, two %ld",
                             counts[NONE], counts[SLIDES], counts[OPENS], counts[TWO]));
    report_at_most(r, INDEPENDENT, "worst |A f_n + b_n|, relative to what makes it up", 1e-13, off,
                   "A = 1 + 3 cos θ (cos θ - μ sin θ), b_n = ω² sin θ - g for m = l / 2 = 1");
    report_figure(r, "p_rod_forces",
                  "A rod sliding on its tip has no contact force above μ*(θ) where b_n < "
                  "0, two where b_n > 0, and one elsewhere. It spins at ω² = 1.25 g; "
                  "where there are two, the rod may press on the ground or leave it. "
                  "Colours: computed with proof from the assembled rod; lines: closed "
                  "form.");
}

/* The rod without spin: no force above mu*, and what is there after either Coulomb impulse. */
static void force_rows(report *r) {
    enum { COLUMNS = 150, LINES = 125 };
    long before = 0, after = 0;
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < LINES; k++) {
            const double theta = 0.5 * pi * (i + 0.5) / COLUMNS, mu = 5.0 * (k + 0.5) / LINES;
            const one_contact c = rod(theta, mu, 0);
            const bool jams = mu > threshold(theta);
            imp_force_set set = {.count = -1};
            double p[3];
            before += forces(&c, theta, 0, c.q, &set) != IMP_OK || set.count != !jams;
            if (!jams) continue;
            after += !maxdiss(&c, p) || forces_after(&c, theta, p, &set) != IMP_OK ||
                     set.count < 1 || set.force[0].motion == IMP_SLIDES_ON;
        }
    report_count(r, STATED_IN_SOURCE,
                 "grid points where there is no force below μ*, or one above it", 0, before,
                 report_text(r, "%d × %d points, the rod without spin", COLUMNS, LINES));
    report_count(r, STATED_IN_SOURCE, "those above μ* where Λ0 leaves a contact without a force", 0,
                 after, "its tip rests then, and the rod spins");
    one_contact c = rod(0.9, 0, 0);
    const double edge = threshold(0.9);
    imp_force_set below = {.count = -1}, above = {.count = -1};
    c.mu = nextafter(edge, 0);
    const imp_status low = forces(&c, 0.9, 0, c.q, &below);
    c.mu = nextafter(edge, 5);
    const imp_status high = forces(&c, 0.9, 0, c.q, &above);
    report_judge(r, INDEPENDENT, "the doubles on either side of μ*(0.9): forces", "1 and 0, proven",
                 report_text(r, "%d and %d", below.count, above.count), "equal, status ok",
                 low == IMP_OK && high == IMP_OK && below.count == 1 && above.count == 0, NULL);
}

static void sketch(report *r) {
    const double theta = 0.9;
    const one_contact c = rod(theta, 2, 0);
    double p[3];
    if (!maxdiss(&c, p)) p[0] = p[1] = p[2] = NAN;
    report_rows *table = report_table(r, "p_fig6", "series\tx:9\ty:9\tdx:9\tdy:9");
    report_row(table, "rod", 0, 0, 2 * cos(theta), 2 * sin(theta));
    report_row(table, "velocity", cos(theta), sin(theta), -0.6, 0);
    report_row(table, "impulse", 0, 0, p[1], p[0]);
    for (int k = 0; k <= 40; k++)
        report_row(table, "angle", 0.45 * cos(theta * k / 40), 0.45 * sin(theta * k / 40), 0, 0);
    report_figure(r, "p_fig6",
                  "The impulse of maximum dissipation (red, 1 m per N s) brings the tip "
                  "of the grazing rod to rest. The rod at θ = 0.9 grazes to the left, μ = "
                  "2.");
}

static void run(report *r) {
    threshold_rows(r);
    minimum_rows(r);
    segment_rows(r);
    sketch(r);
    map(r);
    force_rows(r);
    force_map(r);
}

const experiment experiment_p_rod = {
    "P-4.2", "Painlevé's rod (Fig. 6)",
    "A slender rod slides along a plane without closing or separating. Above μ*(θ) there is no "
    "finite contact force "
    "and "
    "an impulse must act: Coulomb-like friction still admits 0, maximum dissipation answers with "
    "Λ0, which ends the "
    "slip. Printed wrongly: the matrix is in the order (t, n, o), and its (o, o) entry is 4/m.",
    run};
