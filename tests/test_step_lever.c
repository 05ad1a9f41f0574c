/* test_step_lever.c - steps of a lever on a hinge whose tips are in the ground and have to come out
 * of it within the step: whether impulses inside the friction cones do that, and which, as the one
 * motion that the hinge leaves says. */
#include "base/vec3.h"
#include "generators/gen.h"
#include "impact.h"
#include "io/dump.h"
#include "tap.h"

#include <jansson.h>

enum { TIPS = 2 };

/* A lever, and a ball that comes down elsewhere. */
typedef struct posed {
    imp_link link[2];
    imp_guard touch[TIPS + 1]; /* of the lever's tips, then of the ball */
    double inertia, rate;      /* of the lever about its hinge */
} posed;

static void draw_direction(gen_stream *s, double d[3]) {
    for (int k = 0; k < 3; k++)
        d[k] = gen_normal(s);
    const double length = norm3(d);
    for (int k = 0; k < 3; k++)
        d[k] /= length;
}

/* Each tip stands by 1 to 10 mm in a ground of its own. */
static posed draw(gen_stream *s, int tips) {
    posed d = {.link = {{.parent = IMP_GROUND, .joint = IMP_REVOLUTE, .turn = {1}},
                        {.parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1}},
               .rate = gen_uniform(s, -1, 1)};
    double arm[3];
    d.link[0].mass = gen_uniform(s, 0.5, 2);
    draw_direction(s, d.link[0].axis);
    for (int k = 0; k < 3; k++) {
        d.link[0].com[k] = gen_uniform(s, -0.5, 0.5);
        d.link[0].inertia[4 * k] = 0.1;
        d.link[1].inertia[4 * k] = 0.4;
    }
    for (int i = 0; i < tips; i++) {
        imp_guard *tip = &d.touch[i];
        *tip = (imp_guard){.plane = IMP_GROUND, .mu = gen_uniform(s, 0, 2)};
        draw_direction(s, tip->normal);
        for (int k = 0; k < 3; k++)
            tip->point[k] = tip->centre[k] = gen_uniform(s, -1, 1);
        add3(gen_uniform(s, 1e-3, 1e-2), tip->normal, tip->point);
    }
    d.touch[tips] =
        (imp_guard){.link = 1, .radius = 1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 1};
    cross3(d.link[0].axis, d.link[0].com, arm);
    d.inertia = 0.1 + d.link[0].mass * dot3(arm, arm);
    return d;
}

/* The stepper after a step of 5 ms, and its status; with the ball where there is `ball`. */
static imp_stepper *step(posed *d, int tips, bool ball, const imp_model *model,
                         imp_status *status) {
    imp_tree *tree[2] = {imp_tree_new(1, d->link, NULL)};
    if (ball) tree[1] = imp_tree_new(1, d->link + 1, NULL);
    imp_world *w = imp_world_new(1 + ball, tree);
    imp_stepper *s = imp_stepper_new(w);
    imp_shapes shapes = {.guards = tips + ball, .guard = d->touch, .reach = 1};
    const imp_step_settings settings = {.h = 5e-3,
                                        .model = model,
                                        .least_gap = -1,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    w->v[0] = d->rate;
    if (ball) {
        double *q = w->q + w->q_at[1], *v = w->v + w->v_at[1];
        q[2] = q[3] = v[0] = 1;
        v[2] = -1;
    }
    *status = imp_step(s, &settings);
    imp_shapes_clear(&shapes);
    return s;
}

static void close_step(imp_stepper *s) {
    imp_world *w = s->world;
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Is there no approach, so that nothing pushes, or an impulse of one of the tips that stops its
 * own, at friction's limit against what slip that leaves, and no other's is left then? p (3). */
static bool comes_out(const imp_stepper *s, int tips, double inertia, double p[3]) {
    const double *J = s->J.value, *q = s->problem.q; /* three entries of J each, of one row */
    bool can = true;
    memset(p, 0, 3 * sizeof *p);
    for (int i = 0; i < tips; i++)
        can = can && q[3 * i] + s->gap[i] >= 0;
    for (int i = 0; i < 3 * tips && !can; i += 3) {
        const double mu = s->problem.mu[i / 3], change = -(q[i] + s->gap[i / 3]) / J[i],
                     t = q[i + 1] + J[i + 1] * change, o = q[i + 2] + J[i + 2] * change,
                     slip = hypot(t, o),
                     push = inertia * change / (J[i] - mu * (J[i + 1] * t + J[i + 2] * o) / slip);
        bool closes = false;
        for (int k = 0; k < 3 * tips; k += 3)
            closes = closes || (k != i && q[k] + s->gap[k / 3] + J[k] * change < 0);
        if (closes || !(push >= 0)) continue;
        p[0] = push;
        p[1] = -mu * push * t / slip;
        p[2] = -mu * push * o / slip;
        can = true;
    }
    return can;
}

/* Do impulses p of this step keep what approaches out, within friction? */
static bool holds(const imp_stepper *s) {
    const imp_problem *problem = &s->problem;
    double u[3 * (TIPS + 1)], worst = 0;
    imp_operator_apply(problem->W, s->p, problem->q, u);
    for (int i = 0; i < problem->nc; i++) {
        const double *p = s->p + 3 * i, rim = hypot(p[1], p[2]) - problem->mu[i] * p[0];
        worst = tap_worst(worst, -(u[3 * i] + s->gap[i]));
        worst = tap_worst(worst, rim);
    }
    return worst <= 1e-9;
}

static void test_law(const char *name, int tips, bool ball) {
    const int levers = tap_many(120, 2000);
    const imp_model *model = imp_model_find(name);
    gen_stream stream = gen_seed(803, (uint64_t)tips);
    int come_out = 0, found = 0, denied = 0;
    double off = 0;
    for (int k = 0; k < levers; k++) {
        posed d = draw(&stream, tips);
        imp_status status;
        double p[3], apart[3];
        imp_stepper *s = step(&d, tips, ball, model, &status);
        const bool can = s->problem.nc == tips + ball && comes_out(s, tips, d.inertia, p);
        come_out += can;
        found += can && status == IMP_OK && holds(s);
        denied += !can && status > 0;
        if (tips == 1 && can && status == IMP_OK) {
            sub3(s->p, p, apart);
            off = tap_worst(off, norm3(apart) / (norm3(p) > 0 ? norm3(p) : 1));
        }
        close_step(s);
    }
    ok(come_out > levers / 20 && found == come_out && off < 1e-6,
       "%s: of %d levers of %d tips%s %d come out, %d found, off by %.0e", name, levers, tips,
       ball ? " beside a ball" : "", come_out, found, off);
    ok(come_out < levers * 9 / 10 && denied == levers - come_out,
       "%s: %d jam, %d of them are not called solved", name, levers - come_out, denied);
}

/* Tips that touch the ground: the lever stops, and the problem is one for imp_solve, too. */
static void test_stops(void) {
    enum { LEVERS = 500 };
    gen_stream stream = gen_seed(804, 0);
    int stopped = 0;
    for (int k = 0; k < LEVERS; k++) {
        posed d = draw(&stream, 1);
        imp_status status;
        memcpy(d.touch[0].point, d.touch[0].centre, sizeof d.touch[0].point);
        imp_stepper *s = step(&d, 1, false, &imp_model_gauss_seidel_coulomb, &status);
        const double left = s->problem.q[0] < 0 ? 0 : d.rate;
        stopped += status == IMP_OK && fabs(s->world->v[0] - left) <= 1e-9 &&
                   imp_problem_check(&s->problem, NULL) == IMP_OK;
        close_step(s);
    }
    ok(stopped == LEVERS, "of %d levers that touch the ground %d stop, or go on if they leave it",
       LEVERS, stopped);
}

/* A model of one contact whose W has to be definite. */
static void test_refused(void) {
    gen_stream stream = gen_seed(803, 0);
    posed d = draw(&stream, 1);
    imp_status status;
    imp_stepper *s = step(&d, 1, false, &imp_model_maxdiss, &status);
    ok(status == IMP_UNSUPPORTED && s->world->v[0] == d.rate && s->world->q[0] == 0,
       "maxdiss, which takes no singular W: refused, the world as it was");
    close_step(s);
}

/* A dump has G, whose product is W. */
static void test_dumped(void) {
    gen_stream stream = gen_seed(803, 9);
    posed d = draw(&stream, 1);
    imp_status status;
    imp_stepper *s = step(&d, 1, false, &imp_model_auto, &status);
    json_t *object = imp_problem_json(NULL, &s->problem, NULL, NULL, NULL);
    const json_t *G = json_object_get(object, "G");
    double W[9], product[9] = {0}, off = 0;
    imp_problem_dense(&s->problem, W);
    for (size_t k = 0; k < json_array_size(G); k++)
        for (size_t i = 0; i < 9; i++)
            product[i] += json_number_value(json_array_get(json_array_get(G, k), i / 3)) *
                          json_number_value(json_array_get(json_array_get(G, k), i % 3));
    for (int i = 0; i < 9; i++)
        off = tap_worst(off, fabs(product[i] - W[i]) / W[0]);
    ok(json_array_size(G) == 1 && off <= 1e-15, "its problem is dumped by its G, to %.0e", off);
    json_decref(object);
    close_step(s);
}

int main(void) {
    test_law("auto", 1, false);
    test_law("auto", 1, true);
    test_law("auto", TIPS, false);
    test_law("moreau", 1, true);
    test_law("gauss-seidel-coulomb", 1, false);
    test_stops();
    test_refused();
    test_dumped();
    return tap_done();
}
