/* test_compliant_flight.c - compliant runs of several balls, most of which fly by themselves most
 * of the time: no touch of theirs is missed, and the run ends when nothing meets any more. */
#include "compliant/run.h"
#include "generators/gen.h"
#include "tap.h"

static const double still[3] = {0, 0, 0};

static const imp_link unit_ball = {.parent = IMP_GROUND,
                                   .joint = IMP_FREE,
                                   .mass = 1,
                                   .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};

/* Equal balls on a line, elastic, from soft to hard and from slow to fast: whoever meets exchanges
 * velocities, so that they end sorted, and as many pairs met as stood in the wrong order. Runs in
 * which three touch at once are left out. Most balls fly by themselves most of the time. */
typedef struct line {
    imp_tree *tree;
    compliant_system system;
    double q[7 * 6], v[6 * 6], sorted[6], fastest;
    int inversions;
} line;

enum { LINE = 6 };

static line line_of(gen_stream *stream) {
    imp_link links[LINE];
    compliant_sphere spheres[LINE];
    line l = {.inversions = 0};
    double at = 0;
    for (int i = 0; i < LINE; i++) {
        const double stiffness = pow(10, gen_uniform(stream, 4, 9));
        links[i] = unit_ball;
        spheres[i] = (compliant_sphere){
            .link = i, .radius = 0.05, .material = {stiffness, 0, 0, 0, 0, 0, 0}};
        l.q[7 * i] = at;
        l.q[7 * i + 3] = 1;
        at += 0.1 + pow(10, gen_uniform(stream, -3.5, 0));
        l.v[6 * i] =
            pow(10, gen_uniform(stream, -2, 0)) * (gen_uniform(stream, -1, 1) > 0 ? 1 : -1);
        l.fastest = fmax(l.fastest, fabs(l.v[6 * i]));
        int place = i;
        for (; place > 0 && l.sorted[place - 1] > l.v[6 * i]; place--, l.inversions++)
            l.sorted[place] = l.sorted[place - 1];
        l.sorted[place] = l.v[6 * i];
    }
    l.tree = imp_tree_new(LINE, links, NULL);
    compliant_system_init(&l.system, l.tree, still, LINE, spheres, 0, NULL, 0.01);
    return l;
}

static bool overlapping(const compliant_result *r) {
    for (int i = 1; i < r->nspells; i++)
        for (int k = 0; k < i; k++)
            if (!(r->spells[k].end < r->spells[i].start)) return true;
    return false;
}

static void test_line(void) {
    gen_stream stream = gen_seed(75, 1);
    int judged = 0, touches = 0, other = 0;
    double worst = 0;
    for (int n = 0; n < 60; n++) {
        line l = line_of(&stream);
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        set.until = 400;
        set.apart = -1;
        set.history = false;
        const imp_status status = compliant_run(&l.system, &set, l.q, l.v, &r);
        if (status != IMP_OK || !overlapping(&r)) {
            judged++;
            touches += r.nspells;
            other += status != IMP_OK || r.nspells != l.inversions;
            for (int i = 0; status == IMP_OK && i < LINE; i++)
                worst = tap_worst(worst, fabs(r.y[r.layout.v + 6 * i] - l.sorted[i]) / l.fastest);
        }
        compliant_result_clear(&r);
        compliant_system_clear(&l.system);
        imp_tree_free(l.tree);
    }
    ok(judged > 20 && touches > 100 && other == 0,
       "balls on a line: in %d of %d runs as many of %d touches as there must be", judged - other,
       judged, touches);
    ok(worst < 1e-8, "and they end sorted by velocity (%.1e)", worst);
}

/* Balls that move along x, by radius, stiffness, mass, place, velocity, and how far beside the
 * line. */
typedef struct ball {
    double radius, stiffness, mass, x, v, y;
} ball;

/* A run of n <= LINE balls; clear *r. */
static imp_status run_balls(int n, const ball *b, double apart, double until, compliant_result *r) {
    imp_link links[LINE];
    compliant_sphere spheres[LINE];
    compliant_system system;
    double q[7 * LINE] = {0}, v[6 * LINE] = {0};
    for (int i = 0; i < n; i++) {
        links[i] = unit_ball;
        links[i].mass = b[i].mass;
        spheres[i] = (compliant_sphere){
            .link = i, .radius = b[i].radius, .material = {b[i].stiffness, 0, 0, 0, 0, 0, 0}};
        q[7 * i] = b[i].x;
        q[7 * i + 1] = b[i].y;
        q[7 * i + 3] = 1;
        v[6 * i] = b[i].v;
    }
    imp_tree *tree = imp_tree_new(n, links, NULL);
    compliant_system_init(&system, tree, still, n, spheres, 0, NULL, 0.01);
    compliant_settings set = compliant_settings_default();
    set.until = until;
    set.apart = apart;
    const imp_status status = compliant_run(&system, &set, q, v, r);
    compliant_system_clear(&system);
    imp_tree_free(tree);
    return status;
}

/* Two balls have met and fly apart, two others come nearer so slowly that nobody looks at them for
 * long: the run waits for them where they are near. */
static void test_slow_pair(void) {
    for (int far = 0; far < 2; far++) {
        const double gap = far ? 1.5e-3 : 0.5e-3;
        const ball balls[4] = {{0.05, 1e9, 1, 0, 1, 0},
                               {0.05, 1e9, 1, 0.1002, 0, 0},
                               {0.05, 1e9, 1, 5, 1e-3, 0},
                               {0.05, 1e9, 1, 5.1 + gap, 0, 0}};
        compliant_result r;
        const imp_status status = run_balls(4, balls, 1e-3, 2, &r);
        ok(status == IMP_OK && r.end == COMPLIANT_APART && r.nspells == (far ? 1 : 2),
           "a slow pair %g mm apart: %d touches", 1e3 * gap, r.nspells);
        if (!far && r.nspells == 2)
            is_near(r.spells[1].start, 0.5, 1e-9, 0, "at the time of its touch");
        compliant_result_clear(&r);
    }
}

/* Two balls have met and fly apart, two others are near and pass each other: the run waits for
 * them, and the collision was over before. */
static void test_passing_pair(void) {
    const ball balls[4] = {{0.05, 1e9, 1, 0, 1, 0},
                           {0.05, 1e9, 1, 0.1002, 0, 0},
                           {0.05, 1e9, 1, 5, 1e-2, 0},
                           {0.05, 1e9, 1, 5.008, 0, 0.1005}};
    compliant_result r;
    const imp_status status = run_balls(4, balls, 1e-3, 2, &r);
    ok(status == IMP_OK && r.end == COMPLIANT_APART && r.nspells == 1,
       "a pair that passes: %d touch", r.nspells);
    ok(r.nspells == 1 && r.time == r.spells[0].end, "and the collision ends at %g s", r.time);
    const int last = r.history.rows - 1;
    ok(last > 0 && compliant_history_row(&r.history, last)[r.layout.time] == r.time,
       "with its history");
    compliant_result_clear(&r);
}

/* One ball flies towards another while others make events all the time, or steps that are longer
 * than the look ahead: the touch is found in time. */
static void test_touch_among_others(void) {
    const ball rattling[5] = {{0.05, 1e9, 1e6, 0, 0, 0},
                              {0.05, 1e9, 1, 0.1004, 2, 0},
                              {0.05, 1e9, 1e6, 0.2008, 0, 0},
                              {0.05, 1e9, 1, 5, 1, 0},
                              {0.05, 1e9, 1, 5.3, 0, 0}},
               soft[4] = {{0.5, 30, 1, -10, 1, 0},
                          {0.5, 30, 1, -8.9995, -1, 0},
                          {0.005, 1e9, 1, 5, 1, 0},
                          {0.005, 1e9, 1, 5.05, 0, 0}};
    for (int k = 0; k < 2; k++) {
        const int n = k ? 4 : 5;
        compliant_result r;
        const imp_status status = run_balls(n, k ? soft : rattling, 0.1, 0.3, &r);
        double found = NAN;
        const int pair = n * (n - 1) / 2 - 1; /* the last two */
        for (int i = 0; i < r.nspells; i++)
            if (r.spells[i].pair == pair) found = r.spells[i].start;
        ok(status == IMP_OK && r.nspells > (k ? 1 : 100), "%s: %d touches, steps of %.2g s",
           k ? "among soft ones" : "among many", r.nspells, r.time / (double)r.steps);
        is_near(found, k ? 0.04 : 0.2, 1e-9, 0, "and that of the other two");
        compliant_result_clear(&r);
    }
}

/* Across a gap each side has a point of its own, whichever of them gives more. */
static void test_surfaces(void) {
    const imp_link links[2] = {unit_ball, unit_ball};
    const compliant_sphere spheres[2] = {
        {.link = 0, .radius = 0.1, .material = {.stiffness = 1e9}},
        {.link = 1, .radius = 0.3, .material = {.stiffness = 1e7}}};
    const double q[14] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1}, v[12] = {0};
    imp_tree *tree = imp_tree_new(2, links, NULL);
    compliant_system system;
    double point[2][3];
    compliant_system_init(&system, tree, still, 2, spheres, 0, NULL, 0.01);
    imp_tree_place(tree, q, v);
    const compliant_touch touch = compliant_look(&system, 0);
    compliant_surfaces(&system, 0, &touch, point);
    const double x[2] = {fmin(point[0][0], point[1][0]), fmax(point[0][0], point[1][0])};
    is_vec(x, (double[2]){0.1, 1.7}, 2, 0, 1e-15, "each surface where it is, 1.6 m apart");
    ok((point[0][0] < point[1][0]) == (system.spheres[system.pairs[0].a].link == 0),
       "and each side its own");
    compliant_system_clear(&system);
    imp_tree_free(tree);
}

/* A ball that spins far away, or tumbles there, is nothing to two others that meet: they exchange
 * their velocities to the same accuracy in as few steps, however far it is. */
static void test_spectator(void) {
    for (int tumbles = 0; tumbles < 2; tumbles++)
        for (int decade = 0; decade <= 5; decade++) {
            const double radius = 0.1;
            imp_link links[3] = {unit_ball, unit_ball, unit_ball};
            compliant_sphere spheres[3];
            compliant_system system;
            double q[7 * 3] = {0}, v[6 * 3] = {1};
            for (int i = 0; i < 3; i++) {
                spheres[i] = (compliant_sphere){
                    .link = i, .radius = radius, .material = {1e9, 0, 0.3, 0.3, 0, 0, 0}};
                q[7 * i + 3] = 1;
            }
            if (tumbles) links[2].inertia[0] *= 3;
            q[7] = 0.201;
            q[7 * 2 + 1] = 0.3 + radius * pow(10, decade);
            v[6 * 2 + 4] = 10, v[6 * 2 + 5] = 100;
            imp_tree *tree = imp_tree_new(3, links, NULL);
            compliant_system_init(&system, tree, still, 3, spheres, 0, NULL, 0.01);
            compliant_settings set = compliant_settings_default();
            compliant_result r;
            set.until = 0.1;
            set.history = false;
            const imp_status status = compliant_run(&system, &set, q, v, &r);
            const char *does = tumbles ? "tumbles" : "spins";
            if (ok(status == IMP_OK && r.nspells == 1 && r.steps < 60,
                   "a ball %s 1e%d radii away: %ld steps", does, decade, r.steps)) {
                const double after[2] = {r.y[r.layout.v], r.y[r.layout.v + 6]};
                is_vec(after, (double[2]){0, 1}, 2, 0, 1e-10, "and two exchange velocities");
            }
            compliant_result_clear(&r);
            compliant_system_clear(&system);
            imp_tree_free(tree);
        }
}

/* A ball at the tip of an arm, or on a slide, on its way to a wall. */
enum { ARM, FAR_PIN, TURNS, SLIDE, LONG_WAY, KINDS, RUNS = 60 };

static const struct {
    const char *what;
    double bound; /* of the rate after it; rounding takes its share */
} kinds[KINDS] = {{"arms", 1e-8},
                  {"arms on a far pin", 1e-7},
                  {"arms after many turns", 1e-4},
                  {"balls far on a slide", 1e-4},
                  {"balls after a long way", 1e-5}};

/* The rate after one meeting with the wall over that before, + 1; `end` of the run. NAN: none. */
static double off_wall(int kind, gen_stream *s, compliant_end *end) {
    const bool slides = kind == SLIDE || kind == LONG_WAY;
    const double length = slides ? 1 : gen_power10(s, 0, 2), from = gen_uniform(s, 0.2, 1.2),
                 speed = gen_power10(s, -2, 1), m = gen_power10(s, -3, 0),
                 far = gen_uniform(s, 0, 1e3), near = length * gen_power10(s, -7, -2),
                 gap = kind == LONG_WAY ? far : near, radius = 0.05,
                 pin = kind == FAR_PIN ? far : 0, inertia = 0.35 * m * length * length,
                 q = kind == TURNS   ? 200 * acos(-1) * floor(far)
                     : kind == SLIDE ? 100 * far
                                     : 0,
                 rate = slides ? speed : speed / length;
    const imp_link link = {.parent = IMP_GROUND,
                           .joint = slides ? IMP_PRISMATIC : IMP_REVOLUTE,
                           .offset = {0, pin, 0},
                           .turn = {slides ? 1 : cos(from / 2), 0, 0, slides ? 0 : sin(from / 2)},
                           .axis = {0, slides, !slides},
                           .mass = m,
                           .inertia = {inertia, 0, 0, 0, inertia, 0, 0, 0, inertia}};
    const compliant_material is = {.stiffness = gen_power10(s, 9, 11)};
    const compliant_sphere tip = {.centre = {length, 0, 0}, .radius = radius, .material = is};
    const double height = slides ? q : length * sin(from);
    const compliant_plane wall = {{0, pin + height + radius + gap, 0}, {0, -1, 0}, is};
    imp_tree *tree = imp_tree_new(1, &link, NULL);
    compliant_system system;
    compliant_settings set = compliant_settings_default();
    compliant_result r;
    compliant_system_init(&system, tree, still, 1, &tip, 1, &wall, 0.01);
    set.until = slides ? 2 * (gap / speed + 1) : 2 / rate;
    set.history = false;
    const imp_status status = compliant_run(&system, &set, &q, &rate, &r);
    const double off =
        status == IMP_OK && r.nspells == 1 ? r.y[r.layout.v] / rate + 1 : (double)NAN;
    *end = r.end;
    compliant_result_clear(&r);
    compliant_system_clear(&system);
    imp_tree_free(tree);
    return off;
}

/* However long the arm, far the pin, many the turns and long the way there: the touch is where it
 * begins, and the rebound elastic; or rounding of the place is said to hide what it yields. */
static void test_far_wall(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        int met = 0, hidden = 0;
        double worst = 0;
        for (uint64_t n = 0; n < RUNS; n++) {
            gen_stream stream = gen_seed(75 + (uint64_t)kind, n);
            compliant_end end;
            const double off = off_wall(kind, &stream, &end);
            met += !isnan(off);
            hidden += end == COMPLIANT_STIFF;
            if (end != COMPLIANT_STIFF) worst = tap_worst(worst, fabs(off));
        }
        ok(met + hidden == RUNS && met > RUNS / 3,
           "%s: %d meet their wall once, of %d it is hidden", kinds[kind].what, met, hidden);
        ok(worst < kinds[kind].bound, "and come back as fast as they went (%.1e)", worst);
    }
}

int main(void) {
    test_line();
    test_slow_pair();
    test_passing_pair();
    test_touch_among_others();
    test_surfaces();
    test_spectator();
    test_far_wall();
    return tap_done();
}
