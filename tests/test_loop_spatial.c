/* test_loop_spatial.c - a universal joint of free bodies, whose loop closes because its axes meet:
 * 17 of its 20 rows imply the others as long as they are kept, and seem not to in the middle of a
 * step. Against its closed form, in steps as long as those of other loops. */
#include "base/vec3.h"
#include "committed_scene.h"
#include "compliant/way.h"
#include "generators/gen.h"
#include "scene/course.h"
#include "scratch.h"
#include "tap.h"

static const double inertia[2] = {0.02, 0.05}; /* kg m^2, of the shafts about their axes */
static const double bend = 0.7;                /* rad, between them */
static const double rate = 6, until = 1.5;     /* rad/s, s */

static const double a[3] = {1, 0, 0}; /* the driving shaft's axis */

static void axis_b(double b[3]) {
    b[0] = cos(bend), b[1] = 0, b[2] = sin(bend);
}

/* The arms of the cross where the driving shaft is at the angle: its own, and the other's. */
static void arms(double angle, double first[3], double second[3]) {
    double b[3];
    axis_b(b);
    first[0] = 0, first[1] = cos(angle), first[2] = sin(angle);
    cross3(b, first, second);
    const double length = norm3(second);
    for (int k = 0; k < 3; k++)
        second[k] /= length;
}

/* The driven shaft's rate over the driving one's: what they turn against each other is about the
 * arms. */
static double ratio(double angle) {
    double first[3], second[3], b[3], n[3];
    axis_b(b);
    arms(angle, first, second);
    cross3(first, second, n);
    return dot3(a, n) / dot3(b, n);
}

/* kg m^2, of the whole about the driving shaft. */
static double whole(double angle) {
    return inertia[0] + inertia[1] * ratio(angle) * ratio(angle);
}

/* s, to the angle from 0, with the energy of the start. */
static double time_to(double angle) {
    enum { CELLS = 2000 };
    double sum = 0;
    for (int k = 0; k <= CELLS; k++) { /* Simpson's rule */
        const int weight = k == 0 || k == CELLS ? 1 : k % 2 ? 4 : 2;
        sum += weight * sqrt(whole(angle * k / CELLS) / whole(0));
    }
    return sum * angle / (3 * CELLS) / rate;
}

/* The joint, where its middle bearing rubs with the torque `friction`, N m. */
static bool open_joint(double friction, scene *s) {
    char text[4000];
    double b[3], first[3], second[3];
    scene_file file;
    imp_error error = {0};
    axis_b(b);
    arms(0, first, second);
    const double spin = rate * ratio(0);
    snprintf(
        text, sizeof text,
        "{\"kind\": \"scene\", \"bodies\": {\"driving\": {\"mass\": 1, \"inertia\": [%g, 0.1, "
        "0.1], \"position\": [-0.3, 0, 0], \"spin\": [%.17g, 0, 0]}, \"cross\": {\"mass\": 1e-10, "
        "\"inertia\": [1e-11, 1e-11, 1e-11], \"position\": [0.2, 0.1, -0.3], \"spin\": [%.17g, 0, "
        "0]}, \"driven\": {\"mass\": 1, \"inertia\": [%g, 0.1, 0.1], \"orientation\": [%.17g, 0, "
        "%.17g, 0], \"position\": [%.17g, 0, %.17g], \"spin\": [%.17g, 0, %.17g]}}, \"joints\": "
        "[{\"joint\": \"revolute\", \"a\": \"ground\", \"b\": \"driving\", \"at\": [0, 0, 0], "
        "\"axis\": [1, 0, 0]}, {\"joint\": \"revolute\", \"a\": \"driving\", \"b\": \"cross\", "
        "\"at\": [0.3, 0, 0], \"axis\": [%.17g, %.17g, %.17g]}, {\"joint\": \"revolute\", \"a\": "
        "\"cross\", \"b\": \"driven\", \"at\": [-0.2, -0.1, 0.3], \"axis\": [%.17g, %.17g, "
        "%.17g], \"friction\": %g}, {\"joint\": \"revolute\", \"a\": \"ground\", \"b\": "
        "\"driven\", \"at\": [0, 0, "
        "0], \"axis\": [%.17g, 0, %.17g]}]}",
        inertia[0], rate, rate, inertia[1], cos(bend / 2), -sin(bend / 2), 0.3 * b[0], 0.3 * b[2],
        spin * b[0], spin * b[2], first[0], first[1], first[2], second[0], second[1], second[2],
        friction, b[0], b[2]);
    imp_status status = scene_open(scratch_text("scene.json", text), &file, &error);
    if (status == IMP_OK) status = scene_build_rubbing(&file, 0, s, &error);
    ok(status == IMP_OK, "a universal joint, friction %g N m %s", friction, error.text);
    scene_close(&file);
    return status == IMP_OK;
}

/* Do rows that others imply count again, where they no longer do? q (nq) is overwritten. */
static int rank_opened(const scene *s, double *q) {
    q[2] += 1e-4; /* m, the driving shaft, out of its bearing */
    imp_tree_place(s->tree, q, NULL);
    imp_tree_factor(s->tree);
    imp_loops_factor(s->loops);
    return imp_loops_rank(s->loops);
}

static void test_turning(void) {
    scene s;
    compliant_result run;
    imp_loops_errors missed;
    if (!open_joint(0, &s)) return;
    imp_tree_place(s.tree, s.q, s.v);
    imp_tree_factor(s.tree);
    imp_loops_factor(s.loops);
    const double before = imp_tree_kinetic(s.tree);
    ok(imp_loops_rank(s.loops) == 17, "of whose 20 rows %d are independent",
       imp_loops_rank(s.loops));
    compliant_settings settings = s.run;
    settings.until = until;
    const imp_status status = compliant_run(&s.system, &settings, s.q, s.v, &run);
    ok(status == IMP_OK && run.end == COMPLIANT_TIME, "turns for %g s", until);
    /* 1700; 40000 where stages have all rows */
    ok(run.evaluations < 5000, "in steps as of other loops: %ld evaluations", run.evaluations);
    imp_tree_place(s.tree, run.y, run.y + run.layout.v);
    imp_loops_judge(s.loops, &missed);
    const double after = imp_tree_kinetic(s.tree);
    const double *R = imp_tree_state(s.tree, 0)->rotation;
    double angle = atan2(R[7], R[4]);
    while (time_to(angle) < until - 0.5 * time_to(2 * acos(-1.0)))
        angle += 2 * acos(-1.0);
    const double off = time_to(angle) - until;
    ok(missed.position < 1e-13 && missed.velocity < 1e-13, "it stays closed: %.1e, %.1e",
       missed.position, missed.velocity);
    ok(fabs(after / before - 1) < 1e-11, "keeps its energy to %.1e", after / before - 1);
    ok(fabs(off) < 1e-8, "and is at %.3f rad in time, to %.1e s", angle, off);
    const int rank = rank_opened(&s, run.y);
    ok(rank > 17, "opened by hand, %d rows are independent after it", rank);
    compliant_result_clear(&run);
    scene_clear(&s);
}

/* rad, that the middle bearing turns while the driving shaft goes from 0 to the angle. */
static double way_to(double angle) {
    enum { CELLS = 20000 };
    double sum = 0, first[3], second[3];
    for (int k = 0; k < CELLS; k++) {
        arms(angle * (k + 0.5) / CELLS, first, second);
        sum += fabs(dot3(a, second)) * angle / CELLS;
    }
    return sum;
}

/* A bearing that rubs takes its torque times its way, in steps as long. */
static void test_rubbing(void) {
    scene s;
    scene_course_end end = SCENE_COURSE_STOPPED;
    const double torque = 1e-3, turn = 2 * acos(-1.0);
    double time = 0, q[21];
    if (!open_joint(torque, &s)) return;
    imp_tree_place(s.tree, s.q, s.v);
    const double before = imp_tree_kinetic(s.tree);
    const imp_model *model = imp_model_find("auto");
    imp_settings settings;
    const scene_observer nobody = {0};
    scene_model_settings(&s, model, &settings);
    s.run.until = until;
    s.run.max_steps = 150; /* with all rows in its stages it is at 0.11 s then */
    const imp_status status = scene_course(&s, model, &settings, &nobody, &end, &time);
    ok(status == IMP_OK && end == SCENE_COURSE_TIME, "with a bearing that rubs it turns for %g s",
       time);
    const double taken = before - imp_tree_kinetic(s.tree),
                 *R = imp_tree_state(s.tree, 0)->rotation, part = atan2(R[7], R[4]),
                 way = way_to(part + turn * round((rate * until - part) / turn));
    ok(fabs(taken / (torque * way) - 1) < 1e-6, "which takes %.4g J on its way of %.4g rad", taken,
       way);
    memcpy(q, s.q, sizeof q);
    const int rank = rank_opened(&s, q);
    ok(rank > 17, "and %d rows are independent after it", rank);
    scene_clear(&s);
}

/* Of an error the closing leaves what it leaves of the velocity that the error is of. */
static void test_error(scene *s, const char *what) {
    enum { NQ = 21, NV = 18 };
    compliant_result run;
    gen_stream draws = gen_seed(3902, 0);
    double off = 0, taken = 0, x[NV];
    compliant_settings settings = s->run;
    settings.until = 0.02;
    bool good = compliant_run(&s->system, &settings, s->q, s->v, &run) == IMP_OK;
    const double *q = run.y, *v = run.y + run.layout.v;
    for (int k = 0; k < 20; k++) {
        double error[NV], left[NV], dq[NQ], dv[NV], want[NQ];
        for (int i = 0; i < NV; i++)
            error[i] = left[i] = dv[i] = gen_normal(&draws);
        imp_tree_rate(s->tree, q, error, dq);
        const compliant_way way = compliant_way_new(s->tree, s->loops);
        good = compliant_way_error(&way, q, v, dq, dv, x) == IMP_OK && good;
        good = imp_loops_velocity(s->loops, left) == IMP_OK && good;
        imp_tree_rate(s->tree, q, left, want);
        for (int i = 0; i < NQ; i++)
            off = tap_worst(off, fabs(dq[i] - want[i]));
        for (int i = 0; i < NV; i++) {
            off = tap_worst(off, fabs(dv[i] - left[i]));
            taken = fmax(taken, fabs(error[i] - left[i]));
        }
    }
    ok(good && off < 1e-12 && taken > 1,
       "%s: closing leaves of errors what it does of velocities: %.1e", what, off);
    compliant_result_clear(&run);
    scene_clear(s);
}

int main(void) {
    scene bar = committed_scene("four-bar", "free bodies"), s;
    test_error(&bar, "a four-bar linkage");
    if (open_joint(0, &s)) test_error(&s, "a universal joint");
    test_turning();
    test_rubbing();
    return tap_done();
}
