/* test_coulomb_edges.c - Coulomb solutions where something is exactly on an edge: boundaries, the
 * Painleve rod and its continuum, q_n = 0, no friction, the ends of the range. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

#include <float.h>

static const char *kinds(const imp_coulomb_set *set) {
    static char text[100];
    *text = 0;
    for (int i = 0; i < set->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 imp_coulomb_kind_text(set->solution[i].kind));
    return text;
}

/* Enumerates and expects these kinds in this order, proven or not, and this index of maximum
 * dissipation. */
static imp_coulomb_set expect(const char *name, const double W[6], const double q[3], double mu,
                              const char *want, bool proven, int maxdiss) {
    imp_coulomb_set set = {0};
    const imp_status status = imp_coulomb_enumerate(W, q, mu, &set);
    const bool fits = status == (proven ? IMP_OK : IMP_NOT_CERTIFIED) && set.proven == proven;
    if (!ok(fits && strcmp(kinds(&set), want) == 0 && set.maxdiss == maxdiss, "%s: %s", name, want))
        diag("got %s (%s), maximum dissipation %d", kinds(&set), imp_status_text(status),
             set.maxdiss);
    return set;
}

static void rod(void) {
    static const struct {
        double theta, mu, impulse[3], energy;
    } row[] = {{0.3,
                4.4134162748909778,
                {0.21174092752313826, 0.93450085559112936, 0},
                -0.46725042779556468},
               {0.5,
                2.6227511255645327,
                {0.31555161930296119, 0.82761336470055239, 0},
                -0.4138066823502762},
               {0.9,
                1.4781209363065359,
                {0.36519286157932319, 0.53979921449009235, 0},
                -0.26989960724504618},
               {1.1071487177940905, 4.0 / 3, {0.3, 0.4, 0}, -0.2},
               {1.2,
                1.3757566331997129,
                {0.2532986927066816, 0.34847735667203294, 0},
                -0.17423867833601647},
               {1.4,
                2.1625968729366965,
                {0.12562055630846434, 0.27166662224925319, 0},
                -0.1358333111246266}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double c = cos(row[i].theta), s = sin(row[i].theta), mu = row[i].mu,
                     q[3] = {0, -1, 0};
        const double W[6] = {1 + 3 * c * c, -3 * s * c, 0, 1 + 3 * s * s, 0, 4};
        expect("rod below mu*", W, q, mu * (1 - 1e-9), "zero", true, 0);
        const imp_coulomb_set above =
            expect("rod above mu*", W, q, mu * (1 + 1e-9), "stick zero", true, 0);
        is_vec(above.solution[0].p, row[i].impulse, 3, 0, 1e-14, "Lambda_0 at theta = %g",
               row[i].theta);
        is_near(above.solution[0].energy, row[i].energy, 0, 1e-14, "its energy");
        /* mu* is no double: all that can be said is that the data are a continuum to rounding */
        const imp_coulomb_set at = expect("rod at mu*", W, q, mu, "segment segment", false, 0);
        is_vec(at.solution[0].p, row[i].impulse, 3, 0, 1e-14, "one end of the segment");
        ok(at.solution[1].p[0] == 0 && at.solution[1].p[1] == 0 && at.solution[1].energy == 0,
           "the other end is 0");
        const double away[3] = {1e-3, -1, 0}, towards[3] = {-1e-3, -1, 0};
        expect("rod leaving, mu = 1.1 mu*", W, away, 1.1 * mu, "stick slip zero", true, 2);
        expect("rod closing, mu = 0.9 mu*", W, towards, 0.9 * mu, "slip", true, 0);
    }
}

/* The same continuum with data that are exact: e.u = 1 along (1, 0), an eigenvector of H = E. */
static void exact_continuum(void) {
    const double W[6] = {1, -1, 0, 2, 0, 1}, q[3] = {0, -1, 0}, back[3] = {0, 1, 0},
                 off[3] = {0, -1, -0.5};
    const imp_coulomb_set set = expect("exact continuum", W, q, 1, "segment segment", true, 0);
    gen_problem g = {.mu = 1, .q = {0, -1, 0}};
    memcpy(g.W, W, sizeof W);
    gen_dense d;
    gen_dense_of(&g, &d);
    for (int k = 0; k <= 4; k++) { /* every impulse between the ends is a solution */
        double p[3];
        imp_certificate c = {.worst = INFINITY};
        for (int i = 0; i < 3; i++)
            p[i] = set.solution[0].p[i] + 0.25 * k * (set.solution[1].p[i] - set.solution[0].p[i]);
        imp_certify(&d.problem, &imp_law_coulomb, NULL, p, NULL, &c);
        is_near(c.worst, 0, 0, 0, "a point on the segment");
    }
    expect("one rounding below", W, q, nextafter(1, 0), "segment segment", false, 0);
    expect("1e-13 below", W, q, 1 - 1e-13, "zero", true, 0);
    expect("1e-13 above", W, q, 1 + 1e-13, "stick zero", true, 0);
    const double turned[6] = {1, -1, 0, 2, 0x1p-60, 1};
    expect("2^-60 beside the eigenvector", turned, q, 1, "segment segment", false, 0);
    expect("away from the ray", W, back, 1, "zero", true, 0);
    expect("beside the ray", W, off, 1, "zero", true, -1);
    const double closing[3] = {-1e-17, -1, 0}, opening[3] = {1e-17, -1, 0};
    expect("q_n = -1e-17", W, closing, 1, "stick", true, 0);
    expect("q_n = +1e-17", W, opening, 1, "zero", true, 0);
    /* g on one ray, so that a slip there vanishes into p = 0; one on the other ray, r = 10/17 along
     * (3, 4)/5 */
    const double both[6] = {1, -1, -0.5, 6, -1.5, 1.25}, other[3] = {10. / 17, 6. / 17, 8. / 17};
    const imp_coulomb_set vanishing = expect("a slip vanishes", both, q, 1, "slip zero", false, -1);
    is_vec(vanishing.solution[0].p, other, 3, 0, 1e-15, "the other is found");
    is_near(vanishing.solution[0].kappa, 0.5, 0, 1e-15, "its kappa");
}

/* Two slips at exactly the same place, p = (5, 3, 4): data are small fractions, so that the double
 * root is a fact. No arithmetic that rounds can tell it from two or none: it is given once, and not
 * certified. */
static void exact_double_roots(void) {
    static const struct {
        const char *name, *kinds;
        int at;
        double W[6], q[3], kappa;
    } row[] = {
        {"beside a stick",
         "stick slip",
         1,
         {5, -15, 10, 45.625, -30.625, 20.9375},
         {-20, 60.25, -42.375},
         0.125},
        {"before a slip",
         "slip slip",
         0,
         {5, -15, 10, 50.125, -35.875, 27.0625},
         {-20, 67.75, -51.125},
         0.125},
        {"after a slip", "slip slip", 1, {5, -5, 0, 5.125, -0.5, 2.125}, {-10, 9, -10.5}, 0.875},
    };
    const double meeting[3] = {5, 3, 4};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const imp_coulomb_set set =
            expect(row[i].name, row[i].W, row[i].q, 1, row[i].kinds, false, i == 0 ? 0 : -1);
        const imp_coulomb_solution *x = &set.solution[row[i].at];
        is_vec(x->p, meeting, 3, 0, 1e-13, "where they meet");
        is_near(x->kappa, row[i].kappa, 0, 1e-13, "with which kappa");
    }
    /* q_n = 0 and eccentricity 1: the two rays of the cone are one, z = (1, 0) touches it with
     * kappa = 2 */
    const double W[6] = {1, -1, 0, 3, 1, 2}, q[3] = {0, -4, -1}, ray[3] = {1, 1, 0};
    const imp_coulomb_set set = expect("the rays are one", W, q, 1, "slip zero", false, -1);
    is_vec(set.solution[0].p, ray, 3, 0, 1e-13, "on the ray");
}

static void boundaries(void) {
    const double E[6] = {1, 0, 0, 1, 0, 1}, q[3] = {-1, -3, -4};
    expect("stick on the boundary, 3-4-5", E, q, 5, "stick", true, 0);
    expect("one rounding less friction", E, q, nextafter(5, 0), "slip", true, 0);
    expect("one rounding more friction", E, q, nextafter(5, 6), "stick", true, 0);
    const double sphere[6] = {1, 0, 0, 3.5, 0, 3.5}, head[3] = {-1, 0, 0}, none[3] = {0, 0, 0},
                 minus[3] = {-0.0, 1, 0};
    expect("a blow without slip", sphere, head, 0.5, "stick", true, 0);
    expect("no motion", sphere, none, 0.5, "zero", true, 0);
    expect("q_n = -0", sphere, minus, 0.5, "zero", true, 0);
    imp_coulomb_set set = expect("no friction", sphere, q, 0, "slip", true, 0);
    ok(isinf(set.solution[0].kappa) && set.solution[0].p[0] == 1 && set.solution[0].p[1] == 0,
       "no friction: p = (1, 0, 0)");
    is_near(set.solution[0].u[1], -3, 0, 0, "no friction: the slip stays");
    expect("no friction, no slip", sphere, head, 0, "stick", true, 0);
    const double resting[3] = {0, 1, 1}, opening[3] = {1, 1, 1};
    expect("no friction, resting", sphere, resting, 0, "zero", true, 0);
    expect("no friction, opening", sphere, opening, 0, "zero", true, 0);
}

/* Where signs are decided by the last bits there are, or by none: what is found is a solution, and
 * what may be missing is said. */
static void last_bits(void) {
    static const struct {
        const char *name;
        gen_problem g;
        const char *kinds;
        bool proven;
        int maxdiss;
    } row[] = {
        {"a slip 1e95 times the approach, H on the edge of the cone",
         {{8, 2, 4, 2, -1, 6}, {-2, 0, 1.2073775140545149e+95}, 2, 0, 0},
         "stick",
         false,
         0},
        {"the same that opens",
         {{8, 2, 4, 2, -1, 6}, {2, 0, 1.2073775140545149e+95}, 2, 0, 0},
         "stick slip zero",
         true,
         2},
        {"an approach below 1e-307 of the slip",
         {{2.7026847940581468e+18, -1.4193566846446915e+17, -38516548534736616,
           3.455110593121729e+18, -1.8224072440156431e+18, 6.4299427916161638e+18},
          {-9.6205429786310929e-191, 1.1074219947507176e+133, -1.330091438400618e+133},
          0.052501373231895798,
          0,
          0},
         "slip",
         false,
         0},
        {"a slip that would be at infinity",
         {{6, 2, 3, 8, 4, 5}, {-9.6639198818904931e-281, 0, 2}, 2, 0, 0},
         "",
         false,
         -1},
        {"the same that opens", {{6, 2, 3, 8, 4, 5}, {1e-280, 0, 2}, 2, 0, 0}, "zero", false, 0},
        {"nearly a continuum",
         {{8, -8, 2, 9, -1, 2}, {-3.3895633761090083e-89, -1, -1}, 1, 0, 0},
         "stick slip",
         false,
         0},
        {"nearly a continuum that opens",
         {{8, -8, 2, 9, -1, 2}, {3.3895633761090083e-89, -1, -1}, 1, 0, 0},
         "stick zero",
         false,
         1},
        {"resting, a slip far from rest",
         {{2.208496480959834, -1.0642615777075861, -0.24445537046201793, 0.53571004601279504,
           0.18519042883545703, 0.25579347302737088},
          {0, -0.066058435041608396, -0.41034025468454466},
          16.187440202735651,
          0,
          0},
         "slip zero",
         true,
         -1},
        {"a stick on the boundary, phi rising",
         {{2, 2, 0, 4, 0, 1}, {-1.5, -1.5, -1.5}, 2, 0, 0},
         "stick",
         true,
         0},
        {"two slips that may be three",
         {{17, 8, -13, 10, 0, 19}, {-0.5, -1, -1.5}, 1, 0, 0},
         "slip slip",
         false,
         -1},
        {"two slips at one place, kappa = 1/3, which is no double",
         {{4, 2, 0, 2, 1, 2}, {0, 2, 1.5}, 2, 0, 0},
         "slip zero",
         false,
         -1},
        {"resting, phi level where it starts",
         {{9, -6, -6, 6, 3, 5}, {0, -2, -1}, 1, 0, 0},
         "zero",
         true,
         0},
    };
    double worst = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const gen_problem *g = &row[i].g;
        const imp_coulomb_set set =
            expect(row[i].name, g->W, g->q, g->mu, row[i].kinds, row[i].proven, row[i].maxdiss);
        for (int k = 0; k < set.count; k++)
            worst = tap_worst(worst, gen_residual(g, &imp_law_coulomb, set.solution[k].p));
    }
    ok(worst <= 1e-15, "what is found are solutions: residual %.1e", worst);
    /* rise = 0, and at the slip phi is 1e-31 of the terms that make it up; its kappa by rational
     * arithmetic */
    const double W[6] = {4, -1, -1, 4, -1, 2}, q[3] = {0x1p-205, 0, -0.5};
    const imp_coulomb_set set =
        expect("phi lost beside its terms", W, q, 4, "stick slip zero", true, 2);
    is_near(set.solution[1].kappa, 5.669105827657463e+30, 0, 1e-3,
            "what is left of it tells kappa");
}

/* Beyond everything physical: friction, q_n and their ratio over the range of double; each answer
 * certified. */
static void extremes(void) {
    static const double mus[] = {0, 1e-250, 1e-100, 1e-12, 1e-8, 1e-4, 1e4, 1e8, 1e12, 1e100};
    static const double normals[] = {-1e-8,   1e-8,   -1e-17,  1e-17,  -1e-30,  1e-30,
                                     -1e-100, 1e-100, -1e-200, 1e-200, -1e-290, 1e-290};
    enum { MUS = sizeof mus / sizeof *mus, NORMALS = sizeof normals / sizeof *normals, EACH = 40 };
    for (int what = 0; what < 2; what++) {
        double worst = 0;
        int odd = 0, several = 0, total = 0;
        for (gen_class c = 0; c < GEN_CLASSES; c++)
            for (int k = 0; k < EACH; k++) {
                gen_problem g = gen_make(c, 9000 + (uint64_t)k);
                if (what == 0)
                    g.mu = mus[k % MUS];
                else
                    g.q[0] = normals[k % NORMALS];
                imp_coulomb_set set = {0};
                const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
                total++;
                several += set.count == 3;
                odd += status != IMP_OK || set.count < 1 || (set.count == 2 && g.q[0] != 0);
                for (int i = 0; i < set.count; i++) {
                    gen_dense d;
                    imp_certificate certificate = {.worst = INFINITY};
                    gen_dense_of(&g, &d);
                    imp_certify(&d.problem, &imp_law_coulomb, NULL, set.solution[i].p, NULL,
                                &certificate);
                    worst = fmax(worst, certificate.worst);
                }
            }
        ok(odd == 0 && several > total / 100, "%s: %d problems, %d with three solutions, %d odd",
           what ? "q_n from 1e-290" : "mu from 0 to 1e100", total, several, odd);
        ok(worst <= 1e-12, "residual %.1e", worst);
    }
}

int main(void) {
    rod();
    exact_continuum();
    exact_double_roots();
    boundaries();
    last_bits();
    extremes();
    return tap_done();
}
