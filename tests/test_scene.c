/* test_scene.c - the committed scenes: the printed numbers of the four examples, the contact
 * problem at the touch. */
#include "compliant/merson.h"
#include "base/vec3.h"
#include "scene/compare.h"
#include "committed_scene.h"
#include "tap.h"

#include <ctype.h>

static bool impulses_unique(const scene_moment *moment) {
    bool unique;
    return scene_impulses_unique(moment, &unique) == IMP_OK && unique;
}

/* The compliant outcome of a scene, and the numbers the table names. */
typedef struct watched {
    scene s;
    scene_moment touch;
    compliant_result r;
    char name[40], variant[40];
} watched;

static void watch(watched *w, const char *name, const char *variant) {
    snprintf(w->name, sizeof w->name, "%s", name);
    snprintf(w->variant, sizeof w->variant, "%s", variant);
    w->s = committed_scene(name, variant);
    imp_status status = scene_touch(&w->s, &w->touch);
    if (status == IMP_OK) status = compliant_run(&w->s.system, &w->s.run, w->s.q, w->s.v, &w->r);
    if (!ok(status == IMP_OK && w->r.end == COMPLIANT_APART, "%s, %s: runs until apart", name,
            variant))
        exit(tap_done());
    const double *y = w->r.y;
    const double energy = w->r.kinetic + w->r.potential + w->r.elastic + y[w->r.layout.damped] +
                          y[w->r.layout.rubbed];
    is_near(energy, w->r.energy0, 0, 1e-9, "%s, %s: energy is accounted for", name, variant);
}

static void unwatch(watched *w) {
    if (!*w->name) return;
    compliant_result_clear(&w->r);
    scene_moment_clear(&w->touch);
    scene_clear(&w->s);
    *w->name = 0;
}

/* The pairs that pressed, of largest impulse first where two kinds do. */
static int pressed(const watched *w, bool least) {
    int found = -1;
    for (int i = 0; i < w->s.system.npairs; i++) {
        const double *p = w->r.y + w->r.layout.impulse;
        if (w->r.deepest[i] > 0 && (found < 0 || (p[3 * i + 2] > p[3 * found + 2]) != least))
            found = i;
    }
    return found;
}

static double quantity(const watched *w, const char *what) {
    const compliant_layout *at = &w->r.layout;
    const double *y = w->r.y;
    if (!y || !w->r.deepest || !w->touch.u) return NAN;
    const int lead = pressed(w, false), trail = pressed(w, true);
    imp_tree_place(w->s.tree, y, y + at->v);
    const compliant_touch touch = compliant_look(&w->s.system, lead);
    const double velocity[3] = {touch.slip[0], touch.slip[1], -touch.rate};
    if (strcmp(what, "depth_mm") == 0 || strcmp(what, "depth_lead_mm") == 0)
        return 1e3 * w->r.deepest[lead];
    if (strcmp(what, "depth_trail_mm") == 0) return 1e3 * w->r.deepest[trail];
    if (strcmp(what, "pz_lead") == 0) return y[at->impulse + 3 * lead + 2];
    if (strcmp(what, "pz_trail") == 0) return y[at->impulse + 3 * trail + 2];
    if (strcmp(what, "touch_time") == 0) return w->touch.time;
    if (strcmp(what, "touch_vx") == 0) return w->touch.u[1];
    if (strcmp(what, "touch_vz") == 0) return w->touch.u[0];
    if (what[0] == 'v' && isdigit((unsigned char)what[1])) return y[at->v + 6 * (what[1] - '1')];
    if (what[0] == 'v') return velocity[what[1] - 'x'];
    if (what[0] == 'p') return y[at->impulse + 3 * lead + what[1] - 'x'];
    return NAN;
}

/* Every printed number: off by one in its last digit at most. */
static void test_printed(void) {
    FILE *in = fopen("reference/data/uchida2015_compliant.tsv", "r");
    char line[400], name[40], variant[40], what[40], number[40];
    watched w = {0};
    int numbers = 0;
    while (in && fgets(line, sizeof line, in)) {
        if (*line == '#' || sscanf(line, "%39[^\t]\t%39[^\t]\t%39[^\t]\t%39[^\n]", name, variant,
                                   what, number) != 4)
            continue;
        if (strcmp(name, "scene") == 0) continue;
        if (strcmp(name, w.name) != 0 || strcmp(variant, w.variant) != 0) {
            unwatch(&w);
            watch(&w, name, variant);
        }
        const char *point = strchr(number, '.');
        const double digit = pow(10, -(double)(point ? strlen(point + 1) : 0)),
                     value = quantity(&w, what);
        is_near(value, atof(number), 1.5 * digit, 0, "%s, %s: %s = %s (%.8g)", name, variant, what,
                number, value);
        numbers++;
    }
    if (in) fclose(in);
    unwatch(&w);
    ok(numbers == 67, "all %d printed numbers were read", numbers);
}

/* Mirror images press alike; balls conserve momentum to rounding of the integration. */
static void test_symmetry(void) {
    watched w = {0};
    watch(&w, "brick-face", "flat");
    const double *p = w.r.y + w.r.layout.impulse;
    double worst = 0, across = 0;
    int pairs = 0;
    for (int i = 0; i < w.s.system.npairs; i++)
        for (int j = 0; j < i; j++) {
            const double *a = w.s.system.spheres[w.s.system.pairs[i].b].centre,
                         *b = w.s.system.spheres[w.s.system.pairs[j].b].centre;
            if (!(w.r.deepest[i] > 0) || a[0] != b[0] || a[1] != -b[1] || a[2] != b[2]) continue;
            worst = tap_worst(worst, fabs(p[3 * i] - p[3 * j]) + fabs(p[3 * i + 2] - p[3 * j + 2]));
            across = tap_worst(across, fabs(p[3 * i + 1]) + fabs(p[3 * j + 1]));
            pairs += p[3 * i + 2] > 0;
        }
    ok(pairs == 2 && worst < 1e-12 && across < 1e-12,
       "the brick's two sides press alike: %.1e, %.1e", worst, across);
    unwatch(&w);
    watch(&w, "cradle", "gap 10 um");
    double momentum = 0;
    for (int i = 0; i < 5; i++)
        momentum += w.r.y[w.r.layout.v + 6 * i];
    is_near(momentum, -2, 1e-13, 0, "the cradle keeps its momentum");
    unwatch(&w);
}

/* Example 1 at the accuracy of the paper: less work than its authors' integrator, and close to the
 * answer. */
static void test_work(void) {
    static const struct {
        const char *variant;
        long authors;
        double p[3];
    } row[] = {{"mu 0.125", 179, {1.28281, -1.14942, 14.71978}},
               {"mu 0.225", 794, {1.83356, -2.41397, 15.79049}},
               {"mu 0.325", 3327, {1.83337, -2.41754, 15.82242}}};
    for (int i = 0; i < 3; i++) {
        scene s = committed_scene("brick-point", row[i].variant);
        compliant_result r;
        s.run.accuracy = 1e-5;
        s.run.stepper = compliant_step_merson;
        const imp_status status = compliant_run(&s.system, &s.run, s.q, s.v, &r);
        double p[3] = {0};
        for (int k = 0; k < s.system.npairs; k++)
            add3(1, r.y + r.layout.impulse + 3 * k, p);
        ok(status == IMP_OK && r.evaluations < row[i].authors,
           "%s: %ld evaluations at 1e-5, the authors %ld", row[i].variant, r.evaluations,
           row[i].authors);
        is_vec(p, row[i].p, 3, 0, 1e-5, "%s: and the impulse to 1e-5", row[i].variant);
        compliant_result_clear(&r);
        scene_clear(&s);
    }
}

static void test_steppers(void) {
    const gsl_odeiv2_step_type *const steppers[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45,
                                                    compliant_step_merson};
    double p[3][3];
    long made[3];
    bool good = true;
    for (int i = 0; i < 3; i++) {
        scene s = committed_scene("brick-point", "mu 0.225");
        compliant_result r;
        s.run.stepper = steppers[i];
        good = compliant_run(&s.system, &s.run, s.q, s.v, &r) == IMP_OK && good;
        made[i] = r.evaluations;
        memset(p[i], 0, sizeof p[i]);
        for (int k = 0; k < s.system.npairs; k++)
            add3(1, r.y + r.layout.impulse + 3 * k, p[i]);
        compliant_result_clear(&r);
        scene_clear(&s);
    }
    ok(good && p[0][2] > 1 && made[0] != made[1] && made[1] != made[2],
       "three steppers: %ld, %ld, %ld evaluations", made[0], made[1], made[2]);
    is_vec(p[1], p[0], 3, 0, 1e-9, "rkf45 and rk8pd agree at 1e-10");
    is_vec(p[2], p[0], 3, 0, 1e-9, "merson and rk8pd agree at 1e-10");
}

static void test_moment(void) {
    scene s = committed_scene("brick-point", "mu 0.125");
    scene_moment m;
    /* normal last in print: (x, y, z) -> (n, t, o) = (z, x, y) */
    static const double A[9] = {0.5760771651,  -0.0527613579, 0.4476764397,
                                -0.0527613579, 3.9010113137,  0.5603015190,
                                0.4476764397,  0.5603015190,  3.3597275467};
    static const double u[3] = {-5.74, -5, 0},
                        lever[3] = {-0.0267949192, 0.103527618, -0.6277916868};
    double arm[3];
    ok(scene_touch(&s, &m) == IMP_OK && m.nc == 1 && m.time == 0,
       "the brick touches at once with one point");
    is_vec(m.W, A, 9, 1e-10, 0, "its W is the printed one");
    is_vec(m.u, u, 3, 1e-15, 0, "and so is its velocity");
    sub3(m.contact[0].point, m.q, arm);
    is_vec(arm, lever, 3, 1e-10, 0, "and its lever");
    ok(m.mu[0] == 0.125 && m.e[0] == 0.392, "friction and restitution of the scene");
    ok(imp_problem_check(&m.problem, NULL) == IMP_OK && impulses_unique(&m),
       "a good problem of full rank");
    scene_outcome pushed;
    scene_outcome_init(&pushed, &m);
    pushed.p[0] = 3, pushed.p[1] = 1, pushed.p[2] = -2;
    scene_outcome_from_impulse(&s, &m, &pushed);
    const double gain = 0.5 * (pow(scene_velocity_distance(&m, pushed.v, (double[6]){0}), 2) -
                               pow(scene_velocity_distance(&m, m.v, (double[6]){0}), 2));
    is_near(gain, imp_problem_energy(&m.problem, pushed.p), 0, 1e-12,
            "an impulse's energy is that of the problem");
    pushed.v[2] = NAN;
    ok(isnan(scene_velocity_distance(&m, pushed.v, m.v)), "no distance from what is no number");
    scene_outcome_clear(&pushed);
    scene_moment_clear(&m);
    s.impact.restitution = NAN;
    scene_touch(&s, &m);
    is_near(m.e[0], compliant_restitution(0.26, 5.74), 1e-15, 0,
            "without restitution: that of the compliant law");
    scene_moment_clear(&m);
    scene_clear(&s);

    s = committed_scene("brick-face", "flat");
    ok(scene_touch(&s, &m) == IMP_OK && m.nc == 4 && !impulses_unique(&m),
       "four points, no unique impulses");
    scene_moment_clear(&m);
    scene_clear(&s);
    s = committed_scene("cradle", "gap 1 mm");
    ok(scene_touch(&s, &m) == IMP_OK && m.nc == 4 && impulses_unique(&m),
       "the cradle's gaps lie within its proximity");
    is_near(m.time, 0.0005, 1e-15, 0, "and it touches after 1 mm at 2 m/s");
    scene_moment_clear(&m);
    s.impact.proximity = 1e-6;
    ok(scene_touch(&s, &m) == IMP_OK && m.nc == 1, "or do not");
    scene_moment_clear(&m);
    scene_clear(&s);
    s = committed_scene("pendulum", "relative angles");
    ok(scene_touch(&s, &m) == IMP_OK && imp_problem_check(&m.problem, NULL) == IMP_OK &&
           m.u[2] == 0 && m.W[8] > 0,
       "a planar mechanism's problem is a problem");
    scene_moment_clear(&m);
    s.run.until = 0.4;
    ok(scene_touch(&s, &m) == IMP_NO_SOLUTION && !m.W, "no touch before 0.4 s");
    scene_clear(&s);
}

/* Impulses of friction count only where there is any: two contacts that nothing couples, whose
 * tangents are one. */
static void test_unique(void) {
    enum { N = 6 };
    double W[N * N] = {0}, mu[2] = {0, 0};
    for (int i = 0; i < N; i++)
        W[i * N + i] = 1;
    for (int k = 0; k < 2; k++)
        W[(3 * k + 1) * N + 3 * k + 2] = W[(3 * k + 2) * N + 3 * k + 1] = 1;
    const scene_moment m = {.nc = 2, .W = W, .mu = mu};
    ok(impulses_unique(&m), "without friction the normal impulses alone are asked for");
    mu[1] = 0.1;
    ok(!impulses_unique(&m), "with friction at one contact its own, too");
    mu[1] = 0;
    W[3] = W[3 * N] = 1;
    ok(!impulses_unique(&m), "normals that are one");
}

/* The rod and the academic body have the mobilities that the paper prints (normal first; what no
 * frame changes). */
static void test_bodies(void) {
    static const char *const rods[] = {"0.5 rad, mu 2",  "0.9 rad, mu 1.2", "0.9 rad, mu 2",
                                       "atan 2, mu 1.2", "atan 2, mu 2",    "1.2 rad, mu 2",
                                       "on its end"};
    static const double angle[] = {
        0.5, 0.9, 0.9, 1.1071487177940905, 1.1071487177940905, 1.2, 1.5707963267948966};
    for (int i = 0; i < 7; i++) {
        scene s = committed_scene("rod", rods[i]);
        scene_moment m;
        const double c = cos(angle[i]), d = sin(angle[i]);
        const double W[9] = {1 + 3 * c * c, -3 * d * c, 0, -3 * d * c, 1 + 3 * d * d, 0, 0, 0, 4};
        ok(scene_touch(&s, &m) == IMP_OK && m.nc == 1, "%s: touches with its tip", s.title);
        is_vec(m.W, W, 9, 1e-12, 0, "%s: its W is that of the paper, the (o, o) entry 4/m",
               s.title);
        scene_moment_clear(&m);
        scene_clear(&s);
    }
    static const char *const bodies[] = {"mu 3.7", "mu 3.58 (Table 1)"};
    static const double x_n[] = {2.7782868279563223, 1.6030977636851235};
    for (int i = 0; i < 2; i++) {
        scene s = committed_scene("academic", bodies[i]);
        scene_moment m;
        double p[3];
        ok(scene_touch(&s, &m) == IMP_OK && m.nc == 1, "%s: touches with one point", s.title);
        is_near(m.W[0], 0.86199070079243309, 0, 1e-13, "%s: A_nn", s.title);
        is_near(m.u[0], -0.059937099051674719, 0, 1e-13, "%s: b_n", s.title);
        is_near(hypot(m.W[1], m.W[2]), hypot(0.069485543076976777, 0.22119513085718579), 0, 1e-13,
                "%s: |(A_nt, A_no)|", s.title);
        is_near(hypot(m.u[1], m.u[2]), hypot(0.73535353918112538, 0.04650501662254124), 0, 1e-13,
                "%s: |b_to|", s.title);
        m.problem.e = NULL;
        ok(imp_solve(imp_model_find("maxdiss"), &m.problem, NULL, p, NULL) == IMP_OK, "%s: solved",
           s.title);
        is_near(p[0], x_n[i], 0, 1e-11, "%s: and the normal impulse of maximum dissipation",
                s.title);
        scene_moment_clear(&m);
        scene_clear(&s);
    }
}

int main(void) {
    test_printed();
    test_symmetry();
    test_work();
    test_steppers();
    test_moment();
    test_unique();
    test_bodies();
    return tap_done();
}
