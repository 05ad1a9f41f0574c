/* test_worlds.c - random worlds of generators/gen_world.h, mechanisms among them, step by step: in
 * other units to the same bits; turned, in the mirror and with all in another order the same
 * motion. */
#include "base/vec3.h"
#include "generators/gen_world.h"
#include "impact.h"
#include "tap.h"

enum { WORLDS = 12, STEPS = 16 };

static const char *const classes[GEN_WORLD_CLASSES] = {
    "balls", "boxes", "heaps", "mechanisms afloat", "mechanisms on the ground"};

typedef struct moving {
    gen_world g;
    imp_shapes shapes;
    imp_step_settings settings;
    imp_settings own;
    imp_stepper *s;
} moving;

static bool begin(moving *m, const gen_world *g) {
    imp_blocks_settings blocks = imp_blocks_presets;
    blocks.tolerance = 1e-12;
    memcpy(&m->own, &blocks, sizeof blocks);
    m->g = *g;
    m->s = gen_world_open(&m->g, &m->shapes, &m->settings);
    m->settings.model = &imp_model_auto;
    m->settings.own = &m->own;
    return m->s != NULL;
}

static void end(moving *m) {
    if (!m->s) return;
    imp_world *w = m->s->world;
    imp_shapes_clear(&m->shapes);
    imp_stepper_free(m->s);
    imp_world_free(w);
    m->s = NULL;
}

/* Without friction or restitution velocities after a step are the only ones. */
static void smooth(gen_world *g) {
    g->e = 0;
    for (int i = 0; i < g->balls; i++)
        g->ball[i].mu = 0;
    for (int i = 0; i < g->guards; i++)
        g->guard[i].mu = 0;
    memset(g->mu_c, 0, sizeof g->mu_c);
    memset(g->mu_v, 0, sizeof g->mu_v);
}

/* |y - x as it is seen, `times` as large| */
static double off(const gen_world_view *view, bool axial, double times, const double x[3],
                  const double y[3]) {
    double seen[3], square = 0;
    gen_world_vector(view, axial, x, seen);
    for (int k = 0; k < 3; k++)
        square += (y[k] - times * seen[k]) * (y[k] - times * seen[k]);
    return sqrt(square);
}

/* Places, velocities and spins of b against those of a as they are seen, in the units of a. */
static double apart(const moving *a, const moving *b, const gen_world_view *view) {
    const double L = view->length, T = view->time;
    double worst = 0;
    for (int i = 0; i < a->s->world->nl; i++) {
        const int j = gen_world_link(&a->g, view, i);
        const imp_link_state *x = imp_world_state(a->s->world, i),
                             *y = imp_world_state(b->s->world, j);
        double u[3], v[3];
        imp_world_point_velocity(a->s->world, i, x->com, u);
        imp_world_point_velocity(b->s->world, j, y->com, v);
        worst = tap_worst(worst, off(view, false, L, x->com, y->com) / L);
        worst = tap_worst(worst, off(view, false, L / T, u, v) * T / L);
        worst = tap_worst(worst, off(view, true, 1 / T, x->spin, y->spin) * T);
    }
    return worst;
}

/* The worst of STEPS steps; *touched counts worlds in which contacts press. */
static double follow(const gen_world *g, const gen_world_view *view, int *touched) {
    static moving a, b;
    const gen_world seen = gen_world_seen(g, view);
    const bool begun = begin(&a, g) && begin(&b, &seen);
    double worst = begun ? 0 : INFINITY;
    bool presses = false;
    for (int n = 0; begun && n < STEPS && worst < INFINITY; n++) {
        if (imp_step(a.s, &a.settings) != IMP_OK || imp_step(b.s, &b.settings) != IMP_OK)
            worst = INFINITY;
        imp_world_place(a.s->world);
        imp_world_place(b.s->world);
        presses = presses || imp_stepper_normal(a.s) > 0;
        worst = fmax(worst, apart(&a, &b, view));
    }
    *touched += presses;
    end(&a);
    end(&b);
    return worst;
}

/* Powers of two, of masses and of lengths squared those of four: all roundings are the same. */
static void test_units(gen_world_class class) {
    const gen_world_view view = {.turn = {1}, .length = 0x1p-5, .mass = 0x1p6, .time = 0x1p3};
    int touched = 0;
    double worst = 0;
    for (uint64_t k = 0; k < WORLDS; k++) {
        const gen_world g = gen_world_make(class, 7000 + k);
        worst = tap_worst(worst, follow(&g, &view, &touched));
    }
    ok(worst == 0 && touched > WORLDS / 4, "%s in other units: the same bits (%.1g; %d touch)",
       classes[class], worst, touched);
}

static void test_views(gen_world_class class) {
    const gen_world_view views[] = {
        {.turn = {0.8, 0.36, 0, 0.48}, .length = 1, .mass = 1, .time = 1},
        {.turn = {1}, .length = 1, .mass = 1, .time = 1, .mirror = true},
        {.turn = {1}, .length = 1, .mass = 1, .time = 1, .backwards = true}};
    static const char *const how[] = {"turned", "in the mirror", "backwards"};
    for (int view = 0; view < 3; view++) {
        int touched = 0;
        double worst = 0;
        for (uint64_t k = 0; k < WORLDS; k++) {
            gen_world g = gen_world_make(class, 8000 + k);
            smooth(&g);
            worst = tap_worst(worst, follow(&g, &views[view], &touched));
        }
        ok(worst < 1e-8 && touched > WORLDS / 4, "%s %s: the same motion (%.1g; %d touch)",
           classes[class], how[view], worst, touched);
    }
}

/* What is asked of a place or a direction may be put where it came from. */
static void test_in_place(gen_world_class class) {
    static moving a;
    const gen_world g = gen_world_make(class, 9000);
    bool same = begin(&a, &g) && imp_step(a.s, &a.settings) == IMP_OK;
    for (int i = IMP_GROUND; same && i < a.s->world->nl; i++) {
        double x[3][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, y[3][3];
        imp_world_point(a.s->world, i, x[0], y[0]);
        imp_world_direction(a.s->world, i, x[1], y[1]);
        imp_world_point_velocity(a.s->world, i, x[2], y[2]);
        imp_world_point(a.s->world, i, x[0], x[0]);
        imp_world_direction(a.s->world, i, x[1], x[1]);
        imp_world_point_velocity(a.s->world, i, x[2], x[2]);
        same = memcmp(x, y, sizeof x) == 0;
    }
    ok(same, "%s: points, directions and velocities in place", classes[class]);
    end(&a);
}

int main(void) {
    for (int class = 0; class < GEN_WORLD_CLASSES; class ++) {
        test_units((gen_world_class) class);
        test_views((gen_world_class) class);
        test_in_place((gen_world_class) class);
    }
    return tap_done();
}
