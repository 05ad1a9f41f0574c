/* test_scene_limit.c - the rigid limit of committed scenes, two ways; how runs approach it. */
#include "base/vec3.h"
#include "scene/compare.h"
#include "committed_scene.h"
#include "tap.h"

/* The rigid limit of one contact two ways: runs of rising stiffness extrapolated, and the
 * Darboux-Keller process stopped by the compliant law; and both against its computation in
 * quadruple precision (case pub-box-twocomp-S). */
static void test_limit(void) {
    static const char *const row[][2] = {{"brick-point", "mu 0.125"},
                                         {"brick-point", "mu 0.225"},
                                         {"brick-point", "mu 0.325"},
                                         {"pendulum", "relative angles"},
                                         {"pendulum", "absolute angles"},
                                         {"note", NULL},
                                         {"box", "100 TPa"}};
    static const double box[3] = {3.268352989280171632872104e-01, 2.594828195434473068785022e-01,
                                  1.394195659265083457868162e-01};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scene s = committed_scene(row[i][0], row[i][1]);
        scene_moment m;
        scene_outcome process, runs;
        double exact, doubt, still[6] = {0};
        scene_touch(&s, &m);
        scene_outcome_init(&process, &m);
        scene_outcome_init(&runs, &m);
        const double speed = scene_velocity_distance(&m, m.v, still);
        ok(scene_limit(&s, &m, &process, &exact) == IMP_OK && exact == 0, "%s: the process ends",
           s.title);
        ok(scene_limit_extrapolated(&s, &m, &runs, &doubt) == IMP_OK && doubt < 1e-6 * speed,
           "%s: the runs converge", s.title);
        const double off = scene_velocity_distance(&m, process.v, runs.v);
        ok(off <= doubt, "%s: they agree to %.1e, within the doubt of %.1e", s.title, off / speed,
           doubt / speed);
        is_vec(runs.p, process.p, 3, 0, 1e-6, "%s: in the impulse too", s.title);
        if (strcmp(row[i][0], "box") == 0)
            is_vec(process.p, box, 3, 0, 1e-11, "and so does the oracle");
        scene_outcome_clear(&process);
        scene_outcome_clear(&runs);
        scene_moment_clear(&m);
        scene_clear(&s);
    }
}

/* u (m/s) at the one contact after the impact, in the limit, with friction of more than one
 * coefficient; what it is before it in `before`. */
static void limit_under(const char *name, const char *variant, double mu_dynamic, double mu_static,
                        double mu_viscous, double before[3], double u[3]) {
    scene s = committed_scene(name, variant);
    scene_moment m;
    scene_outcome limit, plastic;
    double doubt;
    for (int i = 0; i < s.system.npairs; i++) {
        s.system.pairs[i].law.mu_dynamic = mu_dynamic;
        s.system.pairs[i].law.mu_static = mu_static;
        s.system.pairs[i].law.mu_viscous = mu_viscous;
    }
    scene_touch(&s, &m);
    scene_outcome_init(&limit, &m);
    scene_outcome_init(&plastic, &m);
    const bool process = mu_viscous == 0;
    ok(scene_limit(&s, &m, &limit, &doubt) == IMP_OK && (doubt == 0) == process, "%s: %s", s.title,
       process ? "in closed form" : "extrapolated");
    ok(scene_plastic(&s, &m, &plastic) == (process ? IMP_OK : IMP_UNSUPPORTED),
       "%s: end of compression", s.title);
    memcpy(before, m.u, 3 * sizeof *before);
    apply3(m.W, limit.p, u);
    add3(1, m.u, u);
    scene_outcome_clear(&limit);
    scene_outcome_clear(&plastic);
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* Static and viscous friction last in the limit. Slip v of a solid ball: dv = -7/2 (mu + c v) dp_n
 * per kg. What static friction can hold does not slip. */
static void test_limit_of_friction(void) {
    const double mu = 0.1, c = 0.05;
    double before[3], after[3];
    limit_under("ball", "backspin, slides", mu, mu, c, before, after);
    const double p = (1 + compliant_restitution(0.1, -before[0])) * -before[0],
                 slip = hypot(before[1], before[2]),
                 left = (slip + mu / c) * exp(-3.5 * c * p) - mu / c;
    is_near(hypot(after[1], after[2]), left, 0, 1e-6, "viscous friction: slip of the closed form");
    limit_under("brick-point", "straight down, mu 0.02", 0.02, 2, 0, before, after);
    is_near(hypot(after[1], after[2]), 0, 1e-5 * -before[0], 0, "static friction holds");
}

/* A slip that only comes near zero is held by static friction while the transition speed is above
 * it, at 1/64 of the scene's still, and at 1/128 it is not. */
static void test_held_by_transition(void) {
    static const char *const key[] = {"bodies.brick.turns=[[\"x\", 70.693], [\"y\", -99.552]]",
                                      "bodies.brick.velocity=[1.1615, 1.9025, -2.0347]",
                                      "bodies.brick.spin=[-2.648, 16.001, 0.53]",
                                      "material.friction=0.54016",
                                      "material.static_friction=2.12781",
                                      "material.dissipation=0.17178",
                                      "transition=0.01494"};
    const imp_model *const none[] = {NULL};
    scene_file file;
    scene s;
    imp_error error;
    scene_open("benchmarks/scenes/brick-point.json", &file, &error);
    bool assigned = true;
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        assigned = scene_assign(&file, none, key[i], &error) == IMP_OK && assigned;
    ok(assigned && scene_build(&file, 0, &s, &error) == IMP_OK, "a brick with static friction");
    scene_close(&file);
    scene_moment m;
    scene_outcome limit, outcome;
    double doubt;
    scene_touch(&s, &m);
    scene_outcome_init(&limit, &m);
    scene_outcome_init(&outcome, &m);
    double own = INFINITY;
    scene_outcome runs;
    scene_outcome_init(&runs, &m);
    ok(scene_limit(&s, &m, &limit, &doubt) == IMP_OK && doubt == 0, "it has a limit, exactly");
    const imp_status extrapolated = scene_limit_extrapolated(&s, &m, &runs, &own);
    for (int i = 0; i < s.system.npairs; i++) {
        s.system.pairs[i].law.stiffness *= pow(128, 2.5);
        s.system.pairs[i].law.transition /= 128;
    }
    scene_compliant(&s, &m, &s.run, &outcome, NULL);
    const double speed = scene_velocity_distance(&m, m.v, NULL),
                 off = scene_velocity_distance(&m, limit.v, outcome.v),
                 far = scene_velocity_distance(&m, limit.v, runs.v);
    ok(extrapolated >= 0 && far > 0.1 * speed && far <= own && own < speed,
       "runs that it holds are %.1e off, in a doubt of %.1e", far / speed, own / speed);
    ok(off <= doubt + 1e-4 * speed, "a stiff run is off it by %.1e, doubt %.1e", off / speed,
       doubt / speed);
    scene_outcome_clear(&limit);
    scene_outcome_clear(&outcome);
    scene_outcome_clear(&runs);
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* A slip that comes near zero: two extrapolations agree to 9e-7 of the speed before by chance, 4e-4
 * from the limit, which the process has. */
static void test_agreement_by_chance(void) {
    static const char *const key[] = {
        "bodies.brick={\"mass\": 2.16590, \"inertia\": [0.0384206, 0.0356192, 0.0237976],"
        " \"com\": [-0.205384, 0.200229, 0.285691], \"position\": [0, 0, 0.05],"
        " \"velocity\": [-0.0711843, 0.142268, -0.233835], \"spin\": [2.18492, -0.190460, "
        "-1.27541],"
        " \"spheres\": [{\"radius\": 0.05, \"at\": [[0, 0, 0]]}]}",
        "material={\"stiffness\": 1e9, \"friction\": 0.726053}", "transition=0.01"};
    const imp_model *const none[] = {NULL};
    scene_file file;
    scene s;
    imp_error error;
    scene_open("benchmarks/scenes/brick-point.json", &file, &error);
    bool assigned = true;
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        assigned = scene_assign(&file, none, key[i], &error) == IMP_OK && assigned;
    ok(assigned && scene_build(&file, 0, &s, &error) == IMP_OK, "a body of an odd shape");
    scene_close(&file);
    scene_moment m;
    scene_outcome process, runs;
    double exact = INFINITY, doubt = INFINITY;
    scene_touch(&s, &m);
    scene_outcome_init(&process, &m);
    scene_outcome_init(&runs, &m);
    ok(scene_limit(&s, &m, &process, &exact) == IMP_OK && exact == 0 &&
           scene_limit_extrapolated(&s, &m, &runs, &doubt) >= 0,
       "its limit two ways");
    const double speed = scene_velocity_distance(&m, m.v, NULL),
                 off = scene_velocity_distance(&m, process.v, runs.v);
    ok(off <= doubt, "they agree to %.1e, within the doubt of %.1e", off / speed, doubt / speed);
    scene_outcome_clear(&process);
    scene_outcome_clear(&runs);
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* A ball on a box at rest, whose contacts hold and break away: the limit is the same whatever
 * transition speed it is approached from. */
static void test_breakaway(void) {
    scene s = committed_scene("ball-on-box", "face");
    scene_moment m;
    scene_outcome limit[2];
    double doubt[2];
    scene_touch(&s, &m);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < s.system.npairs; i++) {
            s.system.pairs[i].law.mu_static = 1.5 * s.system.pairs[i].law.mu_dynamic;
            s.system.pairs[i].law.transition *= k == 0 ? 1 : 1.0 / 8;
        }
        scene_outcome_init(&limit[k], &m);
        ok(scene_limit(&s, &m, &limit[k], &doubt[k]) >= 0, "%s: a limit", s.title);
    }
    const double speed = scene_velocity_distance(&m, m.v, NULL),
                 off = scene_velocity_distance(&m, limit[0].v, limit[1].v);
    ok(off <= doubt[0] + doubt[1] && fmax(doubt[0], doubt[1]) < 0.01 * speed,
       "%.1e apart, doubts %.1e and %.1e", off / speed, doubt[0] / speed, doubt[1] / speed);
    for (int k = 0; k < 2; k++)
        scene_outcome_clear(&limit[k]);
    scene_moment_clear(&m);
    scene_clear(&s);
}

static bool count(double t, void *steps) {
    (void)t;
    ++*(long *)steps;
    return true;
}

/* The second run of the search needs more steps than there may be, and ends it: no run without
 * static friction is made for a limit that has no doubt to be made larger. */
static void test_search_that_ends(void) {
    scene s = committed_scene("brick-face", "flat");
    scene_moment m;
    scene_outcome limit;
    double doubt = 0;
    long steps = 0;
    for (int i = 0; i < s.system.npairs; i++)
        s.system.pairs[i].law.mu_static = 0.9;
    s.run.max_steps = 500;
    scene_touch(&s, &m);
    scene_outcome_init(&limit, &m);
    s.run.proceed = count;
    s.run.context = &steps;
    ok(scene_limit(&s, &m, &limit, &doubt) == IMP_NOT_CONVERGED && doubt == INFINITY,
       "a run that ends by max_steps leaves no limit");
    ok(s.run.max_steps < steps && steps < 2 * s.run.max_steps, "after two runs: %ld steps of %ld",
       steps, s.run.max_steps);
    scene_outcome_clear(&limit);
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* Example 1, sliding throughout: the distance from the rigid limit falls as E^(-2/5). */
static void test_slope(void) {
    scene s = committed_scene("brick-point", "mu 0.125");
    scene_moment m;
    scene_outcome limit, outcome;
    double doubt, x = 0, y = 0, xx = 0, xy = 0;
    const int n = 5;
    compliant_pair *pairs = s.system.pairs;
    const double hertz = pairs[0].law.stiffness;
    scene_touch(&s, &m);
    scene_outcome_init(&limit, &m);
    scene_outcome_init(&outcome, &m);
    scene_limit(&s, &m, &limit, &doubt);
    for (int k = 0; k < n; k++) { /* E = 1e9 .. 1e13 */
        for (int i = 0; i < s.system.npairs; i++)
            pairs[i].law.stiffness = hertz * pow(10, k - 1);
        scene_compliant(&s, &m, &s.run, &outcome, NULL);
        double off[3];
        sub3(outcome.p, limit.p, off);
        const double u = k - 1, v = log10(norm3(off));
        note("E = 1e%d Pa: off by %.4g N s", 9 + k, norm3(off));
        x += u, y += v, xx += u * u, xy += u * v;
    }
    is_near((n * xy - x * y) / (n * xx - x * x), -0.4, 0.01, 0, "the slope is -2/5");
    scene_outcome_clear(&limit);
    scene_outcome_clear(&outcome);
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* The note's mobility as three sliders: nothing turns, so stiffness drops out of the answer. */
static void test_frozen(void) {
    static const double W[9] = {4, 4, -7, 4, 20, -23, -7, -23, 31}, q[3] = {-0.22, 630, -780};
    scene s = committed_scene("note", NULL);
    scene_moment m;
    scene_outcome soft, hard;
    scene_touch(&s, &m);
    is_vec(m.W, W, 9, 1e-12, 0, "three sliders have the note's W");
    is_vec(m.u, q, 3, 1e-10, 0, "and its velocity");
    scene_outcome_init(&soft, &m);
    scene_outcome_init(&hard, &m);
    imp_status status = scene_compliant(&s, &m, &s.run, &soft, NULL);
    s.system.pairs[0].law.stiffness *= 1e4;
    if (status == IMP_OK) status = scene_compliant(&s, &m, &s.run, &hard, NULL);
    ok(status == IMP_OK && soft.p[0] > 0, "both runs end");
    is_vec(soft.p, hard.p, 3, 0, 1e-9, "1e4 times the stiffness, the same impulse");
    scene_outcome_clear(&soft);
    scene_outcome_clear(&hard);
    scene_moment_clear(&m);
    scene_clear(&s);
}

int main(void) {
    test_limit();
    test_limit_of_friction();
    test_held_by_transition();
    test_agreement_by_chance();
    if (tap_many(0, 1)) test_breakaway(); /* some seconds */
    test_search_that_ends();
    test_slope();
    test_frozen();
    return tap_done();
}
