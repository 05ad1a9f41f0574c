/* test_darboux_oracle.c - the Darboux-Keller solver against other methods: quadrature along the
 * hodograph, the note's Euler loop and its quartic, Taylor series in angle functions. */
#include "benchmarks/harness/impact_rows.h"
#include "generators/gen_impacts.h"
#include "impact.h"
#include "reference/oracle/mirtich_euler.h"
#include "single/darboux_check.h"
#include "tap.h"

static double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The oracle itself on the reference rows. */
static void test_oracle(void) {
    static impact_row rows[IMPACT_ROWS];
    const int count = impact_rows_read("reference/data/mirtich_darboux.tsv", rows, IMPACT_ROWS);
    double worst = 0;
    int compressions_off = 0;
    for (int i = 0; i < count; i++) {
        impact_answer answer;
        int compressions = 0, phases = 0;
        const bool solved =
            impact_by_hodograph(&rows[i].problem, rows[i].law, &answer, &compressions);
        const double distance = impact_distance(rows[i].problem.q, &answer, &rows[i].answer);
        worst = tap_worst(worst, solved ? distance / fmax(1, rows[i].condition) : INFINITY);
        for (const char *c = rows[i].phases; *c; c++) /* a C that does not follow a C */
            phases += *c == 'C' && (c - rows[i].phases < 3 || c[-3] != 'C');
        compressions_off += phases != compressions;
    }
    ok(count == 212 && worst <= 4e-13,
       "quadrature along the hodograph meets %d reference impacts to %.1e", count, worst);
    ok(compressions_off == 0, "and counts their compressions");
}

/* Every class: the solver and the oracle within 4e-13 of each other, or as far as the condition
 * allows. */
static void test_random(void) {
    enum { EACH = 120 };
    double worst = 0;
    int doubled = 0, above = 0;
    for (int c = 0; c < GEN_IMPACT_CLASSES; c++)
        for (uint64_t i = 0; i < EACH; i++) {
            gen_problem g = gen_impact((gen_impact_class)c, 100000 + i);
            gen_stream s = gen_seed(900, i);
            if (i % 4 == 3) /* a small work is not to come as a difference of large ones */
                g.e = gen_power10(&s, -8, -1);
            const imp_darboux_law law = (imp_darboux_law)(i % 3);
            impact_answer mine, theirs;
            int compressions = 0;
            const bool solved = impact_by_library(&g, law, &mine, NULL) == IMP_OK &&
                                impact_by_hodograph(&g, law, &theirs, &compressions);
            double distance = solved ? impact_distance(g.q, &mine, &theirs) : INFINITY;
            if (distance > 1e-13 && solved)
                distance /= fmax(1, impact_condition(&g, law, 1e13 * distance));
            worst = tap_worst(worst, distance);
            above += compressions > 2;
            doubled += compressions == 2;
            if (distance > 4e-13)
                diag("%s %d: %.2g", gen_impact_name((gen_impact_class)c), 100000 + (int)i,
                     distance);
        }
    ok(worst <= 4e-13, "%d random impacts to %.1e max(1, condition)", EACH * GEN_IMPACT_CLASSES,
       worst);
    ok(doubled > 5 && above == 0, "%d of them with two compressions, none with more", doubled);
}

/* The tangential impulse at a p_n along the way, by the third method. */
static void test_trail(void) {
    double worst = 0;
    int lost = 0;
    for (uint64_t i = 0; i < 400; i++) {
        const gen_problem g = gen_impact(i % 2 ? GEN_IMPACT_BODY : GEN_IMPACT_STEEP, 5000 + i);
        double p[3];
        imp_trail trail;
        (void)imp_darboux(g.W, g.q, g.mu, g.e, (imp_darboux_law)(i % 3), p, NULL, NULL);
        lost += !imp_darboux_trail(g.W, g.q, g.mu, p[0], &trail);
        worst = tap_worst(worst, hypot(p[1] - trail.p[0], p[2] - trail.p[1]) / length(p));
    }
    ok(lost == 0 && worst < 1e-12, "Taylor series in angle functions pass the answers at %.1e",
       worst);
}

/* First order in the step: halving it halves the error (the note's counter-example, final u to ten
 * digits). */
static void test_euler(void) {
    const double W[6] = {4, 4, -7, 20, -23, 31}, q[3] = {-0.22, 630, -780};
    double p[3], error[4];
    imp_darboux_path path = {.capacity = 0};
    (void)imp_darboux(W, q, 0.5, 0.9, IMP_STRONGE, p, &path, NULL);
    static const double published[3] = {0.86, 0.084, 0.012};
    for (int i = 0; i < 3; i++) {
        mirtich_euler r;
        const bool ended = mirtich_euler_impact(W, q, 0.5, 0.9, pow(10, -1 - i), 1000000, &r);
        const double off[3] = {r.u[0] - path.u[0], r.u[1] - path.u[1], r.u[2] - path.u[2]};
        error[i] = ended ? length(off) : INFINITY;
        is_near(error[i], published[i], 0.006 * published[i] + 4e-4, 0,
                "the note's Euler loop, delta 1e-%d", i + 1);
    }
    ok(error[0] / error[1] > 8 && error[1] / error[2] > 5, "its error falls with the step");
    double worst = 0;
    for (uint64_t i = 0; i < 40; i++) {
        gen_problem g = gen_impact(GEN_IMPACT_BODY, i);
        mirtich_euler r;
        (void)imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, p, NULL, NULL);
        const bool ended = mirtich_euler_impact(g.W, g.q, g.mu, g.e, p[0] * 1e-5, 10000000, &r);
        const double off[3] = {r.p[0] - p[0], r.p[1] - p[1], r.p[2] - p[2]};
        worst = tap_worst(worst, ended ? length(off) / length(p) : INFINITY);
    }
    ok(worst < 3e-3, "on 40 random impacts it comes within %.1e with 1e5 steps", worst);
}

/* Fig. 4 of the note: four rays of constant sliding, one of them diverging. */
static void test_rays(void) {
    const double W[6] = {10, 1, 6, 20, 0, 4}, degree = acos(-1) / 180;
    static const double want[4] = {86.669, 209.082, 281.352, 322.897};
    double theta[5];
    bool diverging[5];
    const int count = mirtich_rays(W, 0.7, theta, diverging);
    ok(count == 4, "the note's quartic has four real roots");
    for (int i = 0; i < 4; i++) {
        bool found = false;
        for (int k = 0; k < count; k++) {
            const double angle = fmod(theta[k] / degree + 360, 360);
            found = found || (fabs(angle - want[i]) < 6e-4 && diverging[k] == (i == 0));
        }
        ok(found, "a ray at %.3f degrees%s", want[i], i ? "" : ", diverging");
    }
    /* an impact without slip leaves along the diverging ray */
    int off = 0, count_off = 0;
    for (uint64_t i = 0; i < 200; i++) {
        gen_problem g = gen_impact(GEN_IMPACT_REVERSE, i);
        g.q[1] = g.q[2] = 0;
        double p[3];
        (void)imp_darboux(g.W, g.q, g.mu, 0.5, IMP_STRONGE, p, NULL, NULL);
        const int rays = mirtich_rays(g.W, g.mu, theta, diverging);
        for (int k = 0; k < rays; k++)
            if (diverging[k]) {
                const double along = -(p[1] * cos(theta[k]) + p[2] * sin(theta[k]));
                off += !(fabs(along - g.mu * p[0]) <= 1e-9 * g.mu * p[0]);
                count_off++;
            }
    }
    ok(off == 0 && count_off == 200,
       "200 impacts from rest slip along the quartic's only diverging root");
}

int main(void) {
    test_oracle();
    test_random();
    test_trail();
    test_euler();
    test_rays();
    return tap_done();
}
