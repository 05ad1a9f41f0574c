/* test_step_lever.c - steps of a lever on a hinge whose tip is in the ground and has to come out of
 * it within the step: whether an impulse inside the friction cone does that, and which, as the one
 * motion that the hinge leaves says. */
#include "base/vec3.h"
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

/* One that stands in the ground by 1 to 10 mm. Returns its moment of inertia about the hinge. */
static double draw(gen_stream *s, imp_link *lever, imp_guard *tip, double *rate) {
    double arm[3], reach[3];
    *lever = (imp_link){
        .parent = IMP_GROUND, .joint = IMP_REVOLUTE, .turn = {1}, .mass = gen_uniform(s, 0.5, 2)};
    *tip = (imp_guard){.plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = gen_uniform(s, 0, 2)};
    for (int k = 0; k < 3; k++) {
        lever->axis[k] = gen_normal(s);
        lever->com[k] = gen_uniform(s, -0.5, 0.5);
        lever->inertia[4 * k] = 0.1;
        tip->centre[k] = gen_uniform(s, -1, 1);
    }
    tip->point[2] = tip->centre[2] + gen_uniform(s, 1e-3, 1e-2);
    const double length = norm3(lever->axis);
    for (int k = 0; k < 3; k++)
        lever->axis[k] /= length;
    cross3(lever->axis, lever->com, arm);
    cross3(lever->axis, tip->centre, reach);
    /* so that it closes, slowly or by itself */
    *rate = (reach[2] < 0 ? 1 : -1) * gen_uniform(s, 0, 1);
    return 0.1 + lever->mass * dot3(arm, arm);
}

/* p (3) <- the impulse that stops the tip's approach and is at friction's limit against what slip
 * that leaves; false: there is none, it would pull. */
static bool stop(const imp_stepper *s, double inertia, double p[3]) {
    const double *J = s->J.value, *q = s->problem.q, mu = s->problem.mu[0],
                 change = -(q[0] + s->gap[0]) / J[0], t = q[1] + J[1] * change,
                 o = q[2] + J[2] * change, slip = hypot(t, o);
    p[0] = inertia * change / (J[0] - mu * (J[1] * t + J[2] * o) / slip);
    p[1] = -mu * p[0] * t / slip;
    p[2] = -mu * p[0] * o / slip;
    return p[0] >= 0;
}

/* A lever, and beside it `balls` that rest on the ground elsewhere, for as many contacts more. */
static void test_law(const char *name, int balls) {
    enum { MOST = 1 };
    const int levers = tap_many(200, 2000);
    gen_stream stream = gen_seed(803, 1);
    int come_out = 0, found = 0, denied = 0, jam = 0;
    double off = 0;
    for (int k = 0; k < levers; k++) {
        imp_link link[1 + MOST] = {{0}, {.parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1}};
        imp_guard touch[1 + MOST] = {
            {0}, {.link = 1, .radius = 1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 1}};
        double rate, p[3], apart[3];
        const double inertia = draw(&stream, &link[0], &touch[0], &rate);
        for (int i = 0; i < 3; i++)
            link[1].inertia[4 * i] = 0.4;
        imp_tree *tree[1 + MOST] = {imp_tree_new(1, link, NULL)};
        if (balls) tree[1] = imp_tree_new(1, link + 1, NULL);
        imp_world *w = imp_world_new(1 + balls, tree);
        imp_stepper *s = imp_stepper_new(w);
        imp_shapes shapes = {.guards = 1 + balls, .guard = touch, .reach = 1};
        const imp_step_settings settings = {.h = 5e-3,
                                            .model = imp_model_find(name),
                                            .least_gap = -1,
                                            .detect = imp_shapes_nearby,
                                            .detect_data = &shapes};
        w->v[0] = rate;
        if (balls) {
            w->q[w->q_at[1] + 2] = 1;
            w->q[w->q_at[1] + 3] = 1;
            w->v[w->v_at[1]] = 1, w->v[w->v_at[1] + 2] = -1;
        }
        const imp_status status = imp_step(s, &settings);
        const bool can = s->problem.nc == 1 + balls && stop(s, inertia, p);
        come_out += can;
        jam += !can;
        found += can && status == IMP_OK;
        denied += !can && status > 0;
        if (can && status == IMP_OK) {
            sub3(s->p, p, apart);
            off = tap_worst(off, norm3(apart) / norm3(p));
        }
        imp_shapes_clear(&shapes);
        imp_stepper_free(s);
        imp_world_free(w);
    }
    ok(come_out > 50 && found == come_out && off < 1e-6,
       "%s: of %d levers%s %d come out, %d found, by impulses off by %.0e", name, levers,
       balls ? " beside a ball" : "", come_out, found, off);
    ok(jam > 50 && denied == jam, "%s: %d jam, %d of them are not called solved", name, jam,
       denied);
}

/* A model of one contact whose W has to be definite. */
static void test_refused(void) {
    gen_stream stream = gen_seed(803, 2);
    imp_link lever;
    imp_guard tip;
    double rate;
    (void)draw(&stream, &lever, &tip, &rate);
    imp_tree *tree = imp_tree_new(1, &lever, NULL);
    imp_world *w = imp_world_new(1, &tree);
    imp_stepper *s = imp_stepper_new(w);
    imp_shapes shapes = {.guards = 1, .guard = &tip, .reach = 1};
    const imp_step_settings settings = {.h = 5e-3,
                                        .model = &imp_model_maxdiss,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    w->v[0] = rate;
    ok(imp_step(s, &settings) == IMP_UNSUPPORTED && w->v[0] == rate && w->q[0] == 0,
       "maxdiss, which takes no singular W: refused, the world as it was");
    imp_shapes_clear(&shapes);
    imp_stepper_free(s);
    imp_world_free(w);
}

int main(void) {
    for (int balls = 0; balls < 2; balls++) {
        test_law("auto", balls);
        test_law("gauss-seidel-coulomb", balls);
        test_law("moreau", balls);
    }
    test_refused();
    return tap_done();
}
