/* test_change_point.c - linkages that pass a change point: a parallelogram laid flat, where it
 * could fold. Motion is smooth there, so that it goes straight on; lengths that differ make it
 * fold. */
#include "generators/gen.h"
#include "scene/course.h"
#include "scratch.h"
#include "tap.h"

static const double crank = 0.4, base = 0.9; /* m */

/* A crank and a rocker as long, and a coupler longer than their base by the share `more`. */
typedef struct linkage {
    double angle, rate, mass[3], more;
    double friction; /* N m, of each joint */
    double until, max_step;
    bool chain; /* instead of free bodies */
} linkage;

static int print_body(char *to, size_t room, const linkage *l, int i, const double end[2][2],
                      double rate) {
    static const char *const name[] = {"crank", "coupler", "rocker"};
    const double x = end[1][0] - end[0][0], z = end[1][1] - end[0][1], length = hypot(x, z),
                 turn = -atan2(z, x), inertia = l->mass[i] * length * length / 12;
    /* of the middle: what the crank's end has, and half of how the other moves beside that */
    const double tip = i == 1 ? -l->rate * crank * sin(l->angle) : 0,
                 rise = i == 1 ? l->rate * crank * cos(l->angle) : 0;
    return snprintf(to, room,
                    "%s\"%s\": {\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], \"position\": "
                    "[%.17g, 0, %.17g], \"orientation\": [%.17g, 0, %.17g, 0], \"velocity\": "
                    "[%.17g, 0, %.17g], \"spin\": [0, %.17g, 0]}",
                    i ? ", " : "", name[i], l->mass[i], inertia, inertia, inertia,
                    0.5 * (end[0][0] + end[1][0]), 0.5 * (end[0][1] + end[1][1]), cos(turn / 2),
                    sin(turn / 2), tip - 0.5 * rate * z, rise + 0.5 * rate * x, -rate);
}

static void print_free(char *to, size_t room, const linkage *l) {
    const double coupler = base * (1 + l->more),
                 tip[2] = {crank * cos(l->angle), crank * sin(l->angle)};
    /* the rocker's end: on circles about the crank's end and about (base, 0) */
    const double dx = base - tip[0], dz = -tip[1], apart = hypot(dx, dz),
                 along = (coupler * coupler - crank * crank + apart * apart) / (2 * apart),
                 across = sqrt(coupler * coupler - along * along) * (tip[1] > 0 ? 1 : -1),
                 top[2] = {tip[0] + (along * dx - across * dz) / apart,
                           tip[1] + (along * dz + across * dx) / apart};
    const double rod[3][2][2] = {{{0, 0}, {tip[0], tip[1]}},
                                 {{tip[0], tip[1]}, {top[0], top[1]}},
                                 {{base, 0}, {top[0], top[1]}}};
    /* rates of coupler and rocker: tip' + coupler x rate = rocker x rate */
    const double cx = top[0] - tip[0], cz = top[1] - tip[1], rx = top[0] - base, rz = top[1],
                 det = cz * rx - cx * rz, vx = -l->rate * tip[1], vz = l->rate * tip[0],
                 rate[3] = {l->rate, (vx * rx + vz * rz) / det, (vx * cx + vz * cz) / det};
    size_t at = (size_t)snprintf(to, room, "{\"kind\": \"scene\", \"bodies\": {");
    for (int i = 0; i < 3; i++)
        at += (size_t)print_body(to + at, room - at, l, i, rod[i], rate[i]);
    const char *const pin =
        "%s{\"joint\": \"revolute\", \"a\": \"%s\", \"b\": \"%s\", \"at\": [%.17g, 0, 0], "
        "\"meets\": [%.17g, 0, 0], \"axis\": [0, 1, 0], \"friction\": %.17g}";
    at += (size_t)snprintf(to + at, room - at, "}, \"joints\": [");
    at += (size_t)snprintf(to + at, room - at, pin, "", "ground", "crank", 0.0, -crank / 2,
                           l->friction);
    at += (size_t)snprintf(to + at, room - at, pin, ", ", "crank", "coupler", crank / 2,
                           -coupler / 2, l->friction);
    at += (size_t)snprintf(to + at, room - at, pin, ", ", "coupler", "rocker", coupler / 2,
                           crank / 2, l->friction);
    at += (size_t)snprintf(to + at, room - at, pin, ", ", "ground", "rocker", base, -crank / 2,
                           l->friction);
    snprintf(to + at, room - at, "]");
}

/* As long as its base alone. */
static void print_chain(char *to, size_t room, const linkage *l) {
    const char *const body =
        "\"%s\": {\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], \"com\": [%.17g, 0, 0], "
        "\"joint\": \"revolute\", \"parent\": \"%s\", \"at\": [%.17g, 0, 0], \"axis\": [0, -1, 0], "
        "\"angle\": %.17g, \"rate\": %.17g, \"friction\": %.17g}";
    const double degrees = l->angle * 180 / acos(-1.0);
    size_t at = (size_t)snprintf(to, room, "{\"kind\": \"scene\", \"bodies\": {");
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"crank", "coupler", "rocker"}, *const parent[] = {
                                                                              "ground", "crank",
                                                                              "ground"};
        const double length = i == 1 ? base : crank, inertia = l->mass[i] * length * length / 12,
                     from[] = {0, crank, base};
        const int sign = i == 1 ? -1 : 1;
        at += (size_t)snprintf(to + at, room - at, "%s", i ? ", " : "");
        at += (size_t)snprintf(to + at, room - at, body, name[i], l->mass[i], inertia, inertia,
                               inertia, length / 2, parent[i], from[i], sign * degrees,
                               sign * l->rate, l->friction);
    }
    snprintf(to + at, room - at,
             "}, \"joints\": [{\"joint\": \"revolute\", \"a\": \"coupler\", \"b\": \"rocker\", "
             "\"at\": [%.17g, 0, 0], \"meets\": [%.17g, 0, 0], \"axis\": [0, 1, 0]}]",
             base, crank);
}

typedef struct finish {
    scene_course_end end;
    char why[200];
    double crank, coupler; /* rad, as they are turned */
    double energy;         /* J, now; at the start: before */
    double before;
} finish;

static double turned(const scene *s, int link) {
    const double *R = imp_tree_state(s->tree, link)->rotation;
    return atan2(R[6], R[0]);
}

static finish run(const linkage *l) {
    char text[4000];
    scene_file file;
    scene s;
    imp_error error = {0};
    finish f = {SCENE_COURSE_UNSOLVED, "", NAN, NAN, NAN, NAN};
    (l->chain ? print_chain : print_free)(text, sizeof text, l);
    const size_t at = strlen(text);
    snprintf(text + at, sizeof text - at, ", \"run\": {\"until\": %.17g", l->until);
    if (l->max_step > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", \"max_step\": %.17g",
                 l->max_step);
    snprintf(text + strlen(text), sizeof text - strlen(text), "}}");
    imp_status status = scene_open(scratch_text("scene.json", text), &file, &error);
    if (status == IMP_OK) status = scene_build_rubbing(&file, 0, &s, &error);
    if (status != IMP_OK) {
        diag("%s", error.text);
        return f;
    }
    const imp_model *model = imp_model_find("auto");
    imp_settings settings;
    scene_model_settings(&s, model, &settings);
    imp_tree_place(s.tree, s.q, s.v);
    f.before = imp_tree_kinetic(s.tree);
    const scene_observer nobody = {0};
    scene_course_run *c = scene_course_open(&s, model, &settings, &nobody);
    while (c && scene_course_go_on(c, &status))
        continue;
    if (c && status == IMP_OK && scene_course_over(c)) {
        double time;
        f.end = scene_course_ended(c, &time);
        if (f.end != SCENE_COURSE_TIME) snprintf(f.why, sizeof f.why, "%s", scene_course_why(c));
        f.crank = turned(&s, 0);
        f.coupler = turned(&s, 1);
        f.energy = imp_tree_kinetic(s.tree);
    }
    scene_course_close(c);
    scene_clear(&s);
    scene_close(&file);
    return f;
}

static linkage drawn(uint64_t k) {
    const double pi = acos(-1.0);
    gen_stream s = gen_seed(3901, k);
    linkage l = {.angle = gen_uniform(&s, 0.02, pi - 0.02), .rate = gen_sign(&s)};
    l.rate *= gen_uniform(&s, 0.5, 10);
    for (int i = 0; i < 3; i++)
        l.mass[i] = gen_uniform(&s, 0.3, 3);
    l.until = gen_uniform(&s, 1, 2) * pi / fabs(l.rate); /* once or twice through */
    return l;
}

/* Parallelograms, in two forms, with and without joint friction. */
static void test_straight(void) {
    enum { DRAWN = 20 };
    for (int form = 0; form < 4; form++) {
        const bool chain = form % 2, rubs = form / 2;
        double bent = 0, turn = 0, lost = 0;
        int through = 0;
        for (uint64_t k = 0; k < DRAWN; k++) {
            linkage l = drawn(440 + k);
            l.chain = chain;
            l.friction = rubs ? 1e-3 : 0;
            const finish f = run(&l);
            through += f.end == SCENE_COURSE_TIME;
            bent = tap_worst(bent, fabs(f.coupler));
            if (rubs) continue;
            turn = tap_worst(turn,
                             fabs(remainder(f.crank - l.angle - l.rate * l.until, 2 * acos(-1.0))));
            lost = tap_worst(lost, fabs(f.energy / f.before - 1));
        }
        ok(through == DRAWN && bent < 1e-9,
           "%s%s: %d of %d parallelograms through the flat, turned "
           "by %.1e",
           chain ? "chains" : "free bodies", rubs ? " that rub" : "", through, DRAWN, bent);
        if (!rubs)
            ok(turn < 1e-8 && lost < 1e-8, "at the crank's constant rate: %.1e rad, energy %.1e",
               turn, lost);
    }
}

/* A coupler longer or shorter than the base by 1e-9 folds at the flat, as by 1e-5. */
static void test_lengths(void) {
    enum { DRAWN = 6 };
    double off = 0;
    int through = 0, folded = 0;
    for (uint64_t k = 0; k < 2 * DRAWN; k++) {
        double coupler[2];
        linkage l = drawn(100 + k / 2);
        for (int i = 0; i < 2; i++) {
            l.more = (k % 2 ? 1 : -1) * (i ? 1e-5 : 1e-9);
            const finish f = run(&l);
            through += f.end == SCENE_COURSE_TIME;
            coupler[i] = f.coupler;
        }
        folded += fabs(coupler[0]) > 0.1;
        off = tap_worst(off, fabs(coupler[0] - coupler[1]));
    }
    ok(through == 4 * DRAWN && off < 0.02 && folded >= 4,
       "lengths 1e-9 apart go as those 1e-5 apart: to %.1e rad, %d folded", off, folded);
}

/* Steps too short to carry over the point, of free motion and of joints that rub. */
static void test_named(void) {
    int named = 0;
    enum { DRAWN = 10 };
    for (uint64_t k = 0; k < DRAWN; k++) {
        linkage l = drawn(200 + k);
        l.angle = 1e-5;
        l.rate = -fabs(l.rate);
        l.until = 2e-5 / fabs(l.rate);
        l.max_step = 1e-7 / fabs(l.rate);
        l.friction = k % 2 ? 1e-9 : 0;
        const finish f = run(&l);
        named += f.end == SCENE_COURSE_STOPPED && strstr(f.why, "change point");
    }
    ok(named == DRAWN, "steps that end beside it are not trusted: %d of %d", named, DRAWN);
}

/* Rows that are little independent everywhere, because a body is light; steps whose sum is short of
 * the end by its last bit; a start on the point. */
static void test_others(void) {
    linkage light = drawn(201), far = drawn(399);
    light.mass[1] = 1e-14;
    light.angle = 1;
    light.until = 0.5 / fabs(light.rate);
    const finish f = run(&light);
    ok(f.end == SCENE_COURSE_TIME, "a coupler of 1e-14 kg moves: %s", f.why);
    far.chain = true;
    const finish g = run(&far);
    ok(g.end == SCENE_COURSE_TIME, "the end is met to the last bit: %s", g.why);
    far.angle = 0; /* where a row of the chain is zero, which later counts */
    far.until = 1 / far.rate;
    const finish flat = run(&far);
    ok(flat.end == SCENE_COURSE_TIME && fabs(flat.crank - 1) < 1e-9,
       "a chain goes on from where it lies flat: %.9f rad %s", flat.crank, flat.why);
}

int main(void) {
    test_straight();
    test_lengths();
    test_named();
    test_others();
    return tap_done();
}
