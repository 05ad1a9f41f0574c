/* test_scene_joints.c - scenes whose joints close loops: what is refused, two forms of one
 * mechanism in every quantity that a comparison has, and motion that keeps the joints. */
#include "scene/course.h"
#include "scene/steps.h"
#include "scratch.h"
#include "tap.h"

#define BODIES                                                                                     \
    "{\"kind\": \"scene\", \"bodies\": {"                                                          \
    "\"a\": {\"mass\": 1, \"ball\": 0.1}, \"b\": {\"mass\": 1, \"ball\": 0.1, \"position\": "      \
    "[1, 0, 0]}}"

static void test_refused(void) {
    static const struct {
        const char *joints, *complaint;
    } row[] = {
        {"1", "$.joints: 1, expected an array"},
        {"[{\"a\": \"a\", \"b\": \"b\"}]", "$.joints[0].joint: missing"},
        {"[{\"joint\": \"glue\", \"a\": \"a\", \"b\": \"b\"}]", "$.joints[0].joint: \"glue\""},
        {"[{\"joint\": \"ball\", \"a\": \"c\", \"b\": \"b\", \"at\": [0, 0, 0]}]",
         "$.joints[0].a: \"c\", expected \"ground\" or the name of a body"},
        {"[{\"joint\": \"ball\", \"a\": \"a\", \"b\": \"a\", \"at\": [0, 0, 0]}]",
         "$.joints[0].b: the same as a"},
        {"[{\"joint\": \"ball\", \"a\": \"a\", \"b\": \"b\"}]", "$.joints[0].at: missing"},
        {"[{\"joint\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"at\": [0, 0, 0], \"radius\": 1}]",
         "$.joints[0].radius: unknown key"},
        {"[{\"joint\": \"slider\", \"a\": \"a\", \"b\": \"b\", \"at\": [0, 0, 0]}]",
         "$.joints[0].axis: missing"},
        {"[{\"joint\": \"slider\", \"a\": \"a\", \"b\": \"b\", \"at\": [0, 0, 0], \"axis\": "
         "[0, 0, 0]}]",
         "$.joints[0].axis: [0, 0, 0], expected a direction"},
        {"[{\"joint\": \"rolling\", \"a\": \"ground\", \"b\": \"b\"}]",
         "$.joints[0].radius: missing"},
        /* ends that no turn of a ball brings together */
        {"[{\"joint\": \"ball\", \"a\": \"ground\", \"b\": \"b\", \"at\": [0, 0, 0], \"meets\": "
         "[0, 0, 0]}, {\"joint\": \"ball\", \"a\": \"ground\", \"b\": \"b\", \"at\": [3, 0, 0], "
         "\"meets\": [0, 1, 0]}]",
         "$.joints: joints that no near pose closes"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[2000];
        scene_file file;
        scene s;
        imp_error error = {0};
        snprintf(text, sizeof text, BODIES ", \"joints\": %s}", row[i].joints);
        scene_open(scratch_text("scene.json", text), &file, &error);
        const imp_status status = scene_build(&file, 0, &s, &error);
        ok(status == IMP_BAD_ARGUMENT && strstr(error.text, row[i].complaint), "refused: %s",
           error.text);
        scene_close(&file);
    }
}

/* A variant of a scene of benchmarks/scenes. */
static bool open_scene(const char *name, const char *variant, scene *s) {
    char path[200];
    scene_file file;
    imp_error error = {0};
    snprintf(path, sizeof path, "benchmarks/scenes/%s.json", name);
    imp_status status = scene_open(path, &file, &error);
    const int number = status == IMP_OK && variant ? scene_variant_find(&file, variant) : 0;
    if (status == IMP_OK) status = scene_build(&file, number, s, &error);
    if (status != IMP_OK) ok(false, "%s: %s", name, error.text);
    scene_close(&file);
    return status == IMP_OK;
}

static double apart(const double *a, const double *b, int n) {
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = tap_worst(worst, fabs(a[i] - b[i]));
    return worst;
}

/* What the joints miss at a moment's place with a velocity. */
static imp_loops_errors errors_of(const scene *s, const scene_moment *m, const double *v) {
    imp_loops_errors errors;
    imp_tree_place(s->tree, m->q, v);
    imp_loops_judge(s->loops, &errors);
    return errors;
}

/* A crank's and a rocker's rate, of either form: the spins of bodies 0 and 2 about -y. */
static void rates(const scene *s, const scene_moment *m, const double *v, double rate[2]) {
    imp_tree_place(s->tree, m->q, v);
    rate[0] = -imp_tree_state(s->tree, 0)->spin[1];
    rate[1] = -imp_tree_state(s->tree, 2)->spin[1];
}

/* The linkage as two trees and a loop, and as free bodies and four joints: free motion up to the
 * stop, problem, answers of models, and the compliant run after it. */
static void test_forms(void) {
    static const char *const models[] = {"plus", "poisson", "moreau", "gauss-seidel-coulomb",
                                         "auto"};
    enum { MODELS = sizeof models / sizeof *models };
    scene form[2];
    scene_moment moment[2];
    double rate[2][MODELS + 1][2], kept = 0, closed = 0;
    bool good = true;
    for (int f = 0; f < 2; f++) {
        compliant_result run;
        scene_outcome after;
        if (!open_scene("four-bar", f ? "free bodies" : "tree and loop", &form[f]) ||
            scene_touch(&form[f], &moment[f]) != IMP_OK)
            abort();
        scene_outcome_init(&after, &moment[f]);
        for (int k = 0; k < MODELS; k++) {
            const imp_model *model = imp_model_find(models[k]);
            imp_problem problem = moment[f].problem;
            if (!(model->takes & IMP_TAKES_RESTITUTION)) problem.e = NULL;
            good = imp_solve(model, &problem, NULL, after.p, NULL) == IMP_OK &&
                   scene_outcome_from_impulse(&form[f], &moment[f], &after) == IMP_OK && good;
            kept = tap_worst(kept, errors_of(&form[f], &moment[f], after.v).velocity);
            rates(&form[f], &moment[f], after.v, rate[f][k]);
        }
        good = scene_compliant(&form[f], &moment[f], &form[f].run, &after, &run) == IMP_OK && good;
        closed = tap_worst(closed, run.drift);
        imp_tree_place(form[f].tree, run.y, after.v);
        imp_loops_errors errors;
        imp_loops_judge(form[f].loops, &errors);
        kept = tap_worst(kept, errors.velocity);
        closed = tap_worst(closed, errors.position);
        rate[f][MODELS][0] = -imp_tree_state(form[f].tree, 0)->spin[1];
        rate[f][MODELS][1] = -imp_tree_state(form[f].tree, 2)->spin[1];
        compliant_result_clear(&run);
        scene_outcome_clear(&after);
    }
    ok(good, "a linkage in two forms meets its stop in each");
    const double W = apart(moment[0].W, moment[1].W, 9), u = apart(moment[0].u, moment[1].u, 3),
                 time = fabs(moment[0].time - moment[1].time);
    ok(W < 1e-10 && u < 1e-10 && time < 1e-12, "at one time (%.1e), W %.1e, u %.1e", time, W, u);
    double models_off = 0;
    for (int k = 0; k < MODELS; k++)
        models_off = tap_worst(models_off, apart(rate[0][k], rate[1][k], 2));
    ok(models_off < 1e-10, "models answer the same: rates to %.1e", models_off);
    const double compliant_off = apart(rate[0][MODELS], rate[1][MODELS], 2);
    ok(compliant_off < 1e-10, "compliant contact, too: rates to %.1e", compliant_off);
    ok(kept < 1e-12, "velocities keep the joints: %.1e", kept);
    ok(closed < 1e-12, "places do, and drift by no more in a step: %.1e", closed);
    const int nv = moment[1].nv;
    ok(nv == 18 && moment[0].nv == 3, "of %d and %d degrees of freedom before", nv, moment[0].nv);
    for (int f = 0; f < 2; f++) {
        scene_moment_clear(&moment[f]);
        scene_clear(&form[f]);
    }
}

/* Without its rows a scene is as without the key. */
static void test_none(void) {
    static const char *const ground =
        ", \"ground\": [{\"point\": [0, 0, -1]}], \"material\": {\"friction\": 0.3}";
    scene s[2];
    scene_moment m[2];
    bool good = true;
    for (int f = 0; f < 2; f++) {
        scene_file file;
        imp_error error = {0};
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"kind\": \"scene\", \"bodies\": {\"a\": {\"mass\": 1, \"ball\": 0.1, "
                 "\"velocity\": [1, 0, -2], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, "
                 "0]]}]}}%s%s}",
                 ground, f ? ", \"joints\": []" : "");
        scene_open(scratch_text("scene.json", text), &file, &error);
        good = scene_build(&file, 0, &s[f], &error) == IMP_OK && good;
        scene_close(&file);
        good = scene_touch(&s[f], &m[f]) == IMP_OK && good;
    }
    ok(good && m[0].time == m[1].time && memcmp(m[0].W, m[1].W, 9 * sizeof(double)) == 0 &&
           memcmp(m[0].u, m[1].u, 3 * sizeof(double)) == 0,
       "no joints: the same problem to the bit");
    for (int f = 0; f < 2; f++) {
        scene_moment_clear(&m[f]);
        scene_clear(&s[f]);
    }
}

/* What a course has seen: the largest error of its joints, and its impacts. */
typedef struct seen {
    const scene *s;
    imp_loops_errors worst;
    int impacts, moves;
    double energy; /* J, of its free motion: by how much it changes */
    double last;
    bool moving; /* since its last impact */
} seen;

static double energy_of(const scene *s) {
    return imp_tree_kinetic(s->tree) + imp_tree_potential(s->tree, s->system.gravity);
}

static void see(seen *w) {
    imp_loops_errors errors;
    imp_loops_judge(w->s->loops, &errors);
    w->worst.position = tap_worst(w->worst.position, errors.position);
    w->worst.velocity = tap_worst(w->worst.velocity, errors.velocity);
}

static void moves(void *context, double t) {
    seen *w = context;
    const double energy = energy_of(w->s);
    (void)t;
    if (w->moving) w->energy = tap_worst(w->energy, fabs(energy - w->last));
    w->moves += w->moving;
    w->moving = true;
    w->last = energy;
    see(w);
}

static void strikes(void *context, const scene_struck *what) {
    seen *w = context;
    (void)what;
    w->impacts++;
    w->moving = false;
    see(w);
}

/* From impact to impact joints stay closed, and free motion keeps its energy. */
static void test_course(const char *name, const char *variant, int impacts) {
    const imp_model *model = imp_model_find("plus");
    scene s;
    scene_course_end end = SCENE_COURSE_STOPPED;
    double time = 0;
    if (!open_scene(name, variant, &s)) return;
    seen w = {.s = &s};
    const scene_observer observer = {.moves = moves, .strikes = strikes, .context = &w};
    imp_settings settings;
    scene_model_settings(&s, model, &settings);
    const imp_status status = scene_course(&s, model, &settings, &observer, &end, &time);
    ok(status == IMP_OK && end == SCENE_COURSE_TIME && w.impacts >= impacts,
       "%s, %s: a course with %d impacts: %s", name, variant, w.impacts,
       scene_course_end_text(end));
    ok(w.worst.position < 1e-12 && w.worst.velocity < 1e-12,
       "which keeps its joints: %.1e, velocities %.1e", w.worst.position, w.worst.velocity);
    ok(w.moves > 10 && w.energy < 1e-8, "and between impacts its energy: %.1e J a step", w.energy);
    scene_clear(&s);
}

/* A wheel that must not slip does not, whatever the kerb does. */
static void test_rolling(void) {
    scene s;
    scene_moment m = {0};
    scene_outcome after = {0};
    if (!open_scene("wheel", "does not slip on the ground", &s)) return;
    bool good = scene_touch(&s, &m) == IMP_OK && scene_outcome_init(&after, &m) == IMP_OK;
    good = good && imp_solve(imp_model_find("plus"), &m.problem, NULL, after.p, NULL) == IMP_OK &&
           scene_outcome_from_impulse(&s, &m, &after) == IMP_OK;
    if (good) imp_tree_place(s.tree, m.q, after.v);
    const imp_link_state *wheel = imp_tree_state(s.tree, 1);
    const double slip = wheel->velocity[0] - 0.3 * wheel->spin[1];
    ok(good && fabs(slip) < 1e-13 && fabs(after.v[0] - m.v[0]) > 0.01,
       "a wheel does not slip after the kerb: %.1e m/s at %.3g", slip, wheel->velocity[0]);
    scene_outcome_clear(&after);
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* Steps that are far too long: what they leave of the joints is said, and projected out. */
static void test_drift(void) {
    scene s;
    compliant_result run;
    imp_loops_errors errors;
    if (!open_scene("four-bar", "free bodies", &s)) return;
    compliant_settings rough = s.run;
    rough.accuracy = 0.1;
    rough.stepper = gsl_odeiv2_step_rkf45;
    rough.apart = -1;
    const imp_status status = compliant_run(&s.system, &rough, s.q, s.v, &run);
    imp_tree_place(s.tree, run.y, run.y + run.layout.v);
    imp_loops_judge(s.loops, &errors);
    ok(status == IMP_OK && run.drift > 1e-10 && run.drift < 1e-2,
       "rough steps drift off the joints, by %.1e", run.drift);
    ok(errors.position < 1e-12 && errors.velocity < 1e-12, "and come back: %.1e, velocities %.1e",
       errors.position, errors.velocity);
    compliant_result_clear(&run);
    scene_clear(&s);
}

/* A wheel that joints keep from rising: what no impulse changes is 0, not rounding. */
static void test_immobile(void) {
    scene s;
    scene_moment m;
    if (!open_scene("wheel", "carriage on rails", &s)) return;
    const bool good = scene_touch(&s, &m) == IMP_OK && m.nc == 2;
    double p[6];
    ok(good && m.W[0] == 0 && m.u[0] == 0 && m.u[3] < -0.1 &&
           imp_solve(imp_model_find("plus"), &m.problem, NULL, p, NULL) == IMP_OK,
       "a contact that joints hold has a velocity of 0");
    scene_moment_clear(&m);
    scene_clear(&s);
}

/* A stepped linkage at the end of its free swing, and on the way: the largest drift of a step, what
 * the joints miss after it, and what v+ misses of the rows at q. */
typedef struct stepped {
    double crank; /* rad */
    double drift, position, velocity;
    double contact; /* m/s, v+ at the contact against W p + q */
} stepped;

/* false: not run. */
static bool step_through(const char *variant, double h, double until, stepped *into) {
    scene_steps s;
    imp_error error = {0};
    *into = (stepped){0};
    if (scene_steps_open("benchmarks/scenes/four-bar-steps.json", variant, &s, &error) != IMP_OK) {
        ok(false, "%s: %s", variant, error.text);
        return false;
    }
    imp_tree *tree = s.world->tree[0];
    double q[64];
    bool good = true;
    s.settings.h = h;
    for (int k = 0; k < lround(until / h) && good; k++) {
        imp_loops_errors errors;
        memcpy(q, s.world->q, (size_t)s.world->nq * sizeof *q);
        good = imp_step(s.stepper, &s.settings) == IMP_OK;
        imp_loops_judge(s.loops, &errors);
        into->position = tap_worst(into->position, errors.position);
        into->drift = tap_worst(into->drift, s.stepper->drift);
        imp_tree_place(tree, q, s.world->v);
        imp_loops_judge(s.loops, &errors);
        into->velocity = tap_worst(into->velocity, errors.velocity);
        const imp_contact *c = &s.stepper->near.item[0].contact;
        double point[3], v[3], u[3];
        imp_operator_apply(s.stepper->problem.W, s.stepper->p, s.stepper->problem.q, u);
        memcpy(point, c->point, sizeof point);
        imp_tree_point_velocity(tree, c->b, point, v);
        for (int i = 0; i < 3; i++)
            into->contact =
                tap_worst(into->contact, fabs(c->frame[3 * i] * v[0] + c->frame[3 * i + 1] * v[1] +
                                              c->frame[3 * i + 2] * v[2] - u[i]));
        imp_world_place(s.world);
    }
    const double *R = imp_world_state(s.world, 0)->rotation;
    into->crank = atan2(R[6], R[0]);
    scene_steps_clear(&s);
    return good;
}

/* Steps of either form go to the swing integrated to 1e-10 like h, drift like h^2 a step. */
static void test_steps(void) {
    static const char *const forms[] = {"tree and loop", "free bodies"};
    const double until = 0.025; /* s, before the stop */
    scene s;
    compliant_result run;
    if (!open_scene("four-bar", NULL, &s)) return;
    compliant_settings settings = s.run;
    settings.until = until;
    const imp_status status = compliant_run(&s.system, &settings, s.q, s.v, &run);
    const double crank = run.y[0];
    compliant_result_clear(&run);
    scene_clear(&s);
    for (int f = 0; f < 2; f++) {
        stepped at[3];
        double off[3];
        bool good = status == IMP_OK;
        for (int k = 0; k < 3; k++) {
            good = step_through(forms[f], ldexp(1e-3, -k), until, &at[k]) && good;
            off[k] = fabs(at[k].crank - crank);
        }
        ok(good && off[2] < 1e-4 && fabs(off[0] / off[1] - 2) < 0.1 &&
               fabs(off[1] / off[2] - 2) < 0.1,
           "steps of %s converge at the first order: %.1e %.1e %.1e rad", forms[f], off[0], off[1],
           off[2]);
        ok(at[2].drift > 0 && fabs(at[0].drift / at[1].drift - 4) < 0.5 &&
               fabs(at[1].drift / at[2].drift - 4) < 0.5,
           "they drift at the second: %.1e %.1e %.1e", at[0].drift, at[1].drift, at[2].drift);
        stepped whole;
        good = step_through(forms[f], 1e-3, 0.3, &whole);
        ok(good && whole.position < 1e-12 && whole.velocity < 1e-12,
           "over two impacts joints are kept: %.1e, velocities %.1e", whole.position,
           whole.velocity);
        ok(whole.contact < 1e-12, "and the contact moves as its problem says: %.1e m/s",
           whole.contact);
    }
}

int main(void) {
    test_steps();
    test_drift();
    test_immobile();
    test_refused();
    test_forms();
    test_none();
    test_course("four-bar", "tree and loop", 2);
    test_course("four-bar", "free bodies", 2);
    test_course("wheel", "held by friction", 1);
    test_rolling();
    return tap_done();
}
