/* test_darboux_path.c - the path of the Darboux-Keller impact: the note's examples, its points, its
 * derivatives. */
#include "benchmarks/harness/impact_compare.h"
#include "generators/gen_impacts.h"
#include "impact.h"
#include "one_impact.h"
#include "single/darboux_process.h"
#include "tap.h"

static const char *const law_names[] = {"stronge", "poisson", "newton"};

/* ---- the note's examples ---- */

/* The counter-example: u_n(p_n) has three roots, a maximum between the first two and a minimum
 * before the third. */
static void test_note(void) {
    const double W[6] = {4, 4, -7, 20, -23, 31}, q[3] = {-0.22, 630, -780};
    double p[3];
    imp_darboux_path path = {.capacity = 0};
    (void)imp_darboux(W, q, 0.5, 0.9, IMP_STRONGE, p, &path, NULL);
    static const double roots[3] = {14.59602510161087300738706819, 29.83059960795966473954355725,
                                    55.98069369758609332117873743};
    ok(path.segments == 4, "the note's counter-example compresses twice");
    for (int i = 0; i < 3 && i < path.segments; i++)
        is_near(path.segment[i].p_n, roots[i], 0, 1e-13, "root %d of u_n(p_n)", i + 1);
    is_near(p[0], 60.8115435520, 0, 1e-11, "its p_n");
    const double u[3] = {3.19135, -18.3050, -63.7566};
    is_vec(path.u, u, 3, 0, 1e-6, "its final velocity, as the note's figure shows it");
    /* the extrema from their definition: du_n/dp_n = 0 on the path that stops there */
    static const double extremum[2] = {22.51048665, 50.6866423};
    imp_darboux_point points[400];
    imp_darboux_path fine = {.points = points, .capacity = 400};
    (void)imp_darboux(W, q, 0.5, 0.9, IMP_STRONGE, p, &fine, NULL);
    int found = 0;
    int count = 0; /* an event may be written twice */
    for (int i = 0; i < fine.count; i++)
        if (count == 0 || points[i].p[0] > points[count - 1].p[0] + 1e-9)
            points[count++] = points[i];
    for (int i = 1; i + 1 < count; i++) {
        const double before = points[i].u[0] - points[i - 1].u[0],
                     after = points[i + 1].u[0] - points[i].u[0];
        if (before * after < 0 && found < 2) {
            is_near(points[i].p[0], extremum[found], 1, 0, "u_n turns near p_n = %g",
                    extremum[found]);
            found++;
        }
    }
    ok(found == 2, "u_n has a maximum and a minimum in between");
}

/* A slender double pendulum strikes the floor: rods of length and mass 1 at 20 and 30 degrees,
 * rates -0.1 and -0.2 (Kane and Levinson's example). dE/E0 of the three laws; only Newton's can
 * gain. */
static void test_kane(void) {
    static const double want[5][5] = {{0.5, 0.5, -0.447, -0.455, -0.263},
                                      {0.5, 1.0, -0.309, -0.387, 0.469},
                                      {0.7, 0.5, -0.474, -0.483, 0.588},
                                      {0.7, 0.7, -0.429, -0.462, 2.112},
                                      {1.0, 1.0, -0.389, -0.468, 5.350}};
    const double degree = acos(-1) / 180, a = 20 * degree, b = 30 * degree, rate[2] = {-0.1, -0.2};
    const double M[3] = {4.0 / 3, 0.5 * cos(a - b), 1.0 / 3}, det = M[0] * M[2] - M[1] * M[1];
    const double inverse[3] = {M[2] / det, -M[1] / det, M[0] / det};
    /* of the tip, x to the right and y upwards */
    const double Jt[2] = {cos(a), cos(b)}, Jn[2] = {sin(a), sin(b)};
    const double tt =
        inverse[0] * Jt[0] * Jt[0] + 2 * inverse[1] * Jt[0] * Jt[1] + inverse[2] * Jt[1] * Jt[1];
    const double nn =
        inverse[0] * Jn[0] * Jn[0] + 2 * inverse[1] * Jn[0] * Jn[1] + inverse[2] * Jn[1] * Jn[1];
    const double nt = inverse[0] * Jn[0] * Jt[0] + inverse[1] * (Jn[0] * Jt[1] + Jn[1] * Jt[0]) +
                      inverse[2] * Jn[1] * Jt[1];
    const double E0 =
        0.5 * (M[0] * rate[0] * rate[0] + 2 * M[1] * rate[0] * rate[1] + M[2] * rate[1] * rate[1]);
    gen_problem g = {.W = {nn, nt, 0, tt, 0, 1}};
    g.q[0] = Jn[0] * rate[0] + Jn[1] * rate[1];
    g.q[1] = Jt[0] * rate[0] + Jt[1] * rate[1];
    for (int i = 0; i < 5; i++)
        for (int law = 0; law < 3; law++) {
            double p[3];
            (void)imp_darboux(g.W, g.q, want[i][0], want[i][1], (imp_darboux_law)law, p, NULL,
                              NULL);
            is_near(energy(&g, p) / E0, want[i][2 + law], 6e-4, 0,
                    "double pendulum, mu %g, e %g, %s: dE/E0", want[i][0], want[i][1],
                    law_names[law]);
        }
}

/* ---- the path ---- */

/* Points of the path: each increment of u is W times that of p, friction opposes the slip of its
 * middle, the ends are the start and the answer. */
static void test_points(void) {
    enum { ROOM = 600 };
    static imp_darboux_point at[ROOM];
    int wrong = 0, cut = 0, count = 0;
    for (uint64_t i = 0; i < 90; i++) {
        gen_problem g = gen_impact(i % 2 ? GEN_IMPACT_STEEP : GEN_IMPACT_BODY, i);
        double p[3], bare[3];
        imp_darboux_path path = {.points = at, .capacity = ROOM};
        if (i % 9 == 0) g.mu = 0;
        (void)imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, p, &path, NULL);
        (void)imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, bare, NULL, NULL);
        cut += path.count == ROOM;
        count += path.count;
        double size = 0, u[3];
        for (int k = 0; k < path.count; k++)
            size = fmax(size, length(at[k].u));
        const double apart[3] = {p[0] - bare[0], p[1] - bare[1], p[2] - bare[2]};
        bool good = path.count >= 2 && length(apart) <= 1e-13 * length(p) && length(at[0].p) == 0;
        for (int k = 0; k < path.count; k++) {
            velocity(&g, at[k].p, u);
            const double off[3] = {u[0] - at[k].u[0], u[1] - at[k].u[1], u[2] - at[k].u[2]};
            good = good && length(off) <= 1e-11 * size;
            if (k == 0) continue;
            const double d[3] = {at[k].p[0] - at[k - 1].p[0], at[k].p[1] - at[k - 1].p[1],
                                 at[k].p[2] - at[k - 1].p[2]};
            const double v[2] = {at[k].u[1] + at[k - 1].u[1], at[k].u[2] + at[k - 1].u[2]},
                         slip = hypot(v[0], v[1]);
            good = good && d[0] >= 0 &&
                   hypot(d[1], d[2]) <= g.mu * d[0] * (1 + 1e-9) + 1e-13 * length(p);
            if (slip > 1e-6 * size)
                good = good && d[1] * v[0] + d[2] * v[1] <= 1e-13 * length(p) * slip;
        }
        for (int k = 0; k < 3 && good; k++)
            good = fabs(at[path.count - 1].p[k] - p[k]) <= 1e-14 * length(p);
        wrong += !good;
    }
    ok(wrong == 0,
       "u = W p + q at every point, increments in the cone and against the slip (%d points)",
       count);
    ok(cut == 0, "600 points are room enough");
    imp_darboux_path little = {.points = at, .capacity = 3};
    const gen_problem g = gen_impact(GEN_IMPACT_BODY, 1);
    double p[3];
    ok(imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, p, &little, NULL) == IMP_OK &&
           little.count == 3,
       "too little room cuts the path, not the answer");
}

/* Newton's law stops at u_n = -e q_n: with the e of a point of the path, at that point; where a
 * step ends, to the bit. */
static void test_stops(void) {
    enum { ROOM = 600 };
    static imp_darboux_point at[ROOM];
    double worst = 0;
    int count = 0, same = 0;
    for (uint64_t i = 0; i < 40; i++) {
        gen_problem g = gen_impact(GEN_IMPACT_BODY, i);
        imp_darboux_path path = {.points = at, .capacity = ROOM};
        double p[3], last = 0;
        g.q[0] = -1;
        (void)imp_darboux(g.W, g.q, g.mu, 1, IMP_NEWTON, p, &path, NULL);
        for (int k = 0; k + 1 < path.count; k++) {
            const double e = at[k].u[0];
            if (!(e > last && e <= 1)) continue;
            last = e;
            (void)imp_darboux(g.W, g.q, g.mu, e, IMP_NEWTON, p, NULL, NULL);
            const double off[3] = {p[0] - at[k].p[0], p[1] - at[k].p[1], p[2] - at[k].p[2]};
            worst = tap_worst(worst, length(off) / length(p));
            same += memcmp(p, at[k].p, sizeof p) == 0;
            count++;
        }
    }
    ok(count > 500 && worst < 1e-13, "%d points of paths, stopped at each: to %.1e", count, worst);
    ok(same > count / 10, "%d of them to the bit", same);
}

/* ---- stretches ---- */

/* The process on a random body, slipping in a random direction, in units of W's trace. */
static imp_process random_process(uint64_t index) {
    const gen_problem g = gen_impact(index % 2 ? GEN_IMPACT_BODY : GEN_IMPACT_STEEP, index);
    gen_stream s = gen_seed(91, index);
    const double trace = g.W[0] + g.W[3] + g.W[5], angle = gen_uniform(&s, 0, 6.3);
    imp_process p = {.K33 = g.W[0] / trace,
                     .mu = g.mu,
                     .works = true,
                     .law = IMP_STRONGE,
                     .e = g.e,
                     .uz_start = -1};
    for (int i = 0; i < 3; i++) {
        p.M[i] = g.W[3 + i] / trace;
        p.A[i] = p.mu * p.M[i];
    }
    for (int i = 0; i < 2; i++)
        p.b[i] = g.W[1 + i] / trace;
    p.scale = p.mu * (p.M[0] + p.M[2]) + hypot(p.b[0], p.b[1]);
    p.steepest = p.K33 + p.mu * hypot(p.b[0], p.b[1]);
    p.turns = p.mu * hypot(p.b[0], p.b[1]) > p.K33;
    for (int i = 0; i < 2 && p.turns; i++) { /* mu b.w = K33 */
        const double away = acos(p.K33 / (p.mu * hypot(p.b[0], p.b[1]))),
                     at = atan2(p.b[1], p.b[0]);
        p.turn[i][0] = cos(at + (i ? away : -away));
        p.turn[i][1] = sin(at + (i ? away : -away));
    }
    p.uz = -1;
    p.r = gen_power10(&s, -1, 1);
    p.w[0] = cos(angle);
    p.w[1] = sin(angle);
    return p;
}

/* Pieces of a Taylor series end where u_z turns: u_z' = 0 there, to the rounding of the
 * direction. */
static void test_turns(void) {
    double worst = 0;
    int turns = 0;
    for (uint64_t i = 0; i < 6000; i++) {
        const imp_process p = random_process(i);
        const rates k = imp_process_rates(&p, p.w);
        imp_stretch S = {.pz = 0};
        imp_series_begin(&p, &k, &S);
        for (int e = 0; e + 1 < S.ends; e++, turns++)
            worst = tap_worst(worst, fabs(S.end[e].uz1) / (p.steepest * fabs(S.end[e].pz1)));
    }
    ok(turns > 100 && worst < 1e-13, "u_z turns at %d ends of pieces, to %.1e", turns, worst);
}

/* What Halley's method takes for first and second derivatives by s, against differences. */
static void test_derivatives(void) {
    const double step = 1e-4;
    double off[4] = {0};
    int rays = 0, series = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        imp_process p = random_process(i);
        const rates k = imp_process_rates(&p, p.w);
        imp_stretch S = {.pz = 0};
        const bool ray = imp_ray_begin(&p, &k, &S);
        if (!ray) imp_series_begin(&p, &k, &S);
        ray ? rays++ : series++;
        const double end = ray ? 0.9 : S.end[S.ends - 1].s;
        for (int at = 1; at <= 3; at++) {
            const double s = end * at / 4, h = step * end;
            imp_instant t[3];
            for (int j = 0; j < 3; j++)
                t[j] = ray ? imp_ray_at(&S, s + h * (j - 1)) : imp_series_at(&S, s + h * (j - 1));
            const double by[4][2] = {{t[1].pz1, (t[2].pz - t[0].pz) / (2 * h)},
                                     {t[1].pz2, (t[2].pz1 - t[0].pz1) / (2 * h)},
                                     {t[1].uz1, (t[2].uz - t[0].uz) / (2 * h)},
                                     {t[1].uz2, (t[2].uz1 - t[0].uz1) / (2 * h)}};
            const double size[4] = {fabs(t[1].pz1), fabs(t[1].pz1) / end + fabs(t[1].pz2),
                                    p.steepest * fabs(t[1].pz1),
                                    p.steepest * (fabs(t[1].pz1) / end + fabs(t[1].pz2))};
            for (int d = 0; d < 4; d++)
                off[d] = tap_worst(off[d], fabs(by[d][0] - by[d][1]) / size[d]);
        }
    }
    ok(rays > 100 && series > 100, "%d stretches along rays, %d by Taylor series", rays, series);
    for (int d = 0; d < 4; d++)
        ok(off[d] < 1e-6, "%s: within %.1e of differences",
           (const char *[]){"p_z'", "p_z''", "u_z'", "u_z''"}[d], off[d]);
}

int main(void) {
    test_note();
    test_kane();
    test_points();
    test_stops();
    test_turns();
    test_derivatives();
    return tap_done();
}
