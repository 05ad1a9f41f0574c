/* test_scene_steps.c - scenes for the time stepper: what the committed ones hold, steps of each,
 * and what is refused.
 */
#include "scene/steps.h"
#include "scratch.h"
#include "tap.h"

#include "lib/impact.h"

static bool open_scene(const char *name, const char *variant, scene_steps *s) {
    char path[128];
    imp_error error = {.text = ""};
    snprintf(path, sizeof path, "benchmarks/scenes/%s.json", name);
    const bool good = scene_steps_open(path, variant, s, &error) == IMP_OK;
    ok(good, "%s %s %s", name, variant ? variant : "", error.text);
    return good;
}

static double uniform(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 11) / 9007199254740992.0;
}

/* x = -.3 + .1 (k % 7) + .01 (u1 - .5) and so on, drawn x, y, z per sphere; floor, and walls that
 * face inwards. */
static void test_spheres(void) {
    static const struct {
        const char *variant;
        int count, across;
        double corner, bottom, half_width, reach;
    } row[] = {{"27", 27, 3, -0.1, 0.2, 0.17, 0.005},
               {"96", 96, 4, -0.15, 0.2, 0.22, 0.03},
               {"1001", 1001, 7, -0.3, 0.5, 0.4, 0.005}};
    for (int n = 0; n < 3; n++) {
        scene_steps s;
        if (!open_scene("spheres", row[n].variant, &s)) continue;
        uint64_t state = 12345;
        double off = 0, walls = 0;
        const int layer = row[n].across * row[n].across;
        for (int i = 0; i < s.bodies; i++) {
            const double *q = imp_world_q(s.world, i);
            const int across = i % layer % row[n].across, along = i % layer / row[n].across,
                      up = i / layer;
            const double grid[3] = {row[n].corner + 0.1 * across, row[n].corner + 0.1 * along,
                                    row[n].bottom + 0.1 * up};
            for (int k = 0; k < 3; k++)
                off = tap_worst(off, fabs(q[k] - grid[k] - 0.01 * (uniform(&state) - 0.5)));
        }
        for (int g = 0; g < s.shapes.guards; g++) {
            /* how far the box's middle is before each wall */
            const imp_guard *wall = &s.guard[g];
            double before = 0;
            for (int k = 0; k < 3; k++)
                before -= wall->normal[k] * wall->point[k];
            walls = tap_worst(walls, fabs(before - (g % 5 == 0 ? 0 : row[n].half_width)));
            walls += wall->mu != 0.2 || wall->radius != 0.04 || wall->link != g / 5 ||
                     wall->plane != IMP_GROUND;
        }
        ok(s.bodies == row[n].count && s.shapes.balls == s.bodies && off <= 1e-14,
           "%d spheres in place (%.1e m)", s.bodies, off);
        ok(s.shapes.guards == 5 * s.bodies && walls <= 1e-15, "a floor and four walls each");
        is_near(imp_tree_link(s.world->tree[0], 0)->mass, 0.268083, 5e-7, 0, "mass of one");
        ok(s.settings.h == 0.005 && s.settings.least_gap == -5e-4 && s.ball[0].mu == 0.2 &&
               s.shapes.reach == row[n].reach && (s.settings.late != NULL) == (n == 2),
           "the step");
        scene_steps_clear(&s);
    }
}

/* The parts of an engine begin centred in their play, every row at the clearance, and moving with
 * each other. */
static void test_engines(void) {
    static const struct {
        const char *file, *variant;
        int rows;
    } engine[] = {{"engine", "coast, K = 6", 54},
                  {"engine", "coast, K = 12", 102},
                  {"engine", "driven", 54},
                  {"engine-4", "K = 6", 174}};
    for (int k = 0; k < 4; k++) {
        scene_steps s;
        if (!open_scene(engine[k].file, engine[k].variant, &s)) continue;
        double off = 0, speed = 0;
        s.settings.h = 1e-9; /* nothing falls yet */
        const imp_status status = imp_step_prepare(s.stepper, &s.settings);
        for (int i = 0; i < s.stepper->near.count; i++) {
            off = tap_worst(off, fabs(s.stepper->near.item[i].gap - 1e-4));
            speed = tap_worst(speed, fabs(s.stepper->problem.q[3 * i]));
        }
        ok(status == IMP_OK && s.stepper->problem.nc == engine[k].rows, "%d rows",
           s.stepper->problem.nc);
        ok(off <= 1e-15, "all parts centred (%.1e m)", off);
        ok(speed < 1e-6, "and moving together (%.2g m/s)", speed);
        imp_step_finish(s.stepper, &s.settings);
        scene_steps_clear(&s);
    }
}

/* Ten steps of each of the others: nothing fails, nothing gains energy. */
static void test_motions(void) {
    static const char *const names[] = {"ramp", "painleve", "ten-boxes"};
    for (int k = 0; k < 3; k++) {
        scene_steps s;
        if (!open_scene(names[k], NULL, &s)) continue;
        const double start =
            imp_world_kinetic(s.world) + imp_world_potential(s.world, s.settings.gravity);
        int failed = 0;
        for (int n = 0; n < 10; n++)
            failed += imp_step(s.stepper, &s.settings) != IMP_OK;
        const double gain =
            imp_world_kinetic(s.world) + imp_world_potential(s.world, s.settings.gravity) - start;
        ok(failed == 0 && gain <= 1e-9 && s.stepper->problem.nc > 0,
           "ten steps, energy gained %.1e J", gain);
        scene_steps_clear(&s);
    }
    scene_steps s;
    if (open_scene("ramp", "E", &s)) {
        ok(scene_steps_find(&s, "box") == 0 && scene_steps_find(&s, "ball") == -1,
           "bodies by name");
        ok(s.world->v[0] == 1 && s.world->v[5] == 3 && s.guard[0].mu == 0.54 && s.until == 2,
           "a variant's motion");
        scene_steps_clear(&s);
    }
}

/* Balls of a lattice are solid: mass 4/3 pi r^3 density, moments 2/5 m r^2. */
static void test_lattice(void) {
    const char *path = scratch_text(
        "lattice.json",
        "{\"kind\": \"scene\", \"lattice\": {\"radius\": 0.1, \"density\": 300, "
        "\"across\": [2, 1], \"count\": 3, \"spacing\": 0.3, \"bottom\": 1, \"jitter\": 0, "
        "\"seed\": 1}, \"step\": {\"h\": 0.1, \"until\": 1}}");
    scene_steps s;
    imp_error error = {.text = ""};
    if (!ok(scene_steps_open(path, NULL, &s, &error) == IMP_OK, "a lattice %s", error.text)) return;
    const double mass = 4 * 3.14159265358979324 / 3 * 0.001 * 300, spin[3] = {1, 2, 3};
    for (int b = 0; b < 3; b++)
        memcpy(imp_world_v(s.world, b) + 3, spin, sizeof spin);
    imp_world_place(s.world);
    is_near(imp_world_kinetic(s.world), 3 * 0.5 * 0.4 * mass * 0.01 * 14, 0, 1e-12,
            "balls that spin: 1/2 I w^2");
    is_vec(s.world->q, (const double[]){-0.15, 0, 1}, 3, 1e-15, 0, "the first of them");
    scene_steps_clear(&s);
}

/* A jointed pair under a load: one tree, and the load where the joint is. */
static void test_joint(void) {
    const char *path = scratch_text(
        "joint.json", "{\"kind\": \"scene\", \"bodies\": {"
                      "\"arm\": {\"mass\": 1, \"ball\": 0.1, \"joint\": \"revolute\", \"parent\": "
                      "\"ground\", \"axis\": [0, 0, 1]},"
                      "\"tip\": {\"mass\": 1, \"ball\": 0.1, \"joint\": \"revolute\", \"parent\": "
                      "\"arm\", \"at\": [1, 0, 0],"
                      "        \"axis\": [0, 0, 1], \"angle\": 90}},"
                      "\"step\": {\"h\": 0.1, \"until\": 1, \"load\": {\"tip\": [0.4]}}}");
    scene_steps s;
    imp_error error = {.text = ""};
    ok(scene_steps_open(path, NULL, &s, &error) == IMP_OK, "two joints %s", error.text);
    ok(s.world && s.world->nt == 1 && s.world->nv == 2 && s.force[0] == 0 && s.force[1] == 0.4,
       "one tree, one load");
    ok(imp_step(s.stepper, &s.settings) == IMP_OK && s.world->v[1] > 0, "moves");
    scene_steps_clear(&s);
}

static void test_refused(void) {
#define BALL "\"bodies\": {\"ball\": {\"mass\": 1, \"ball\": 0.1}}"
#define STEP "\"step\": {\"h\": 0.1, \"until\": 1}"
    static const struct {
        const char *text, *complaint;
    } row[] = {
        {BALL, "$.step: missing"},
        {STEP, "$: an object, expected bodies or a lattice"},
        {BALL ", \"step\": {\"h\": 0, \"until\": 1}", "$.step.h: 0, expected a number > 0"},
        {BALL ", \"step\": {\"h\": 1, \"until\": 1, \"model\": \"magic\"}",
         "$.step.model: \"magic\""},
        {BALL ", \"step\": {\"h\": 1, \"until\": 1, \"settings\": {\"x\": 1}}",
         "$.step.settings.x"},
        {BALL ", \"step\": {\"h\": 1, \"until\": 1, \"load\": {\"box\": [1]}}",
         "$.step.load.box: no such body"},
        {BALL ", \"step\": {\"h\": 1, \"until\": 1, \"load\": {\"ball\": [1]}}",
         "$.step.load.ball: an array of 1"},
        {BALL ", " STEP ", \"run\": {}", "$.run: unknown key"},
        {BALL ", " STEP ", \"contacts\": [{\"body\": \"box\", \"at\": [[0, 0, 0]]}]",
         "$.contacts[0].body: \"box\""},
        {BALL ", " STEP ", \"contacts\": [{\"body\": \"ground\", \"at\": [[0, 0, 0]]}]",
         "the name of a body"},
        {BALL ", " STEP
              ", \"contacts\": [{\"body\": \"ball\", \"against\": \"ball\", \"at\": [[0, 0, 0]]}]",
         "against itself"},
        {"\"bodies\": {\"ball\": {\"mass\": 1, \"ball\": 1}, \"arm\": {\"mass\": 1, \"ball\": 1, "
         "\"joint\": "
         "\"weld\", \"parent\": \"ball\", \"at\": [1, 0, 0]}}, " STEP
         ", \"contacts\": [{\"body\": \"arm\", \"against\": \"ball\", \"at\": [[0, 0, 0]]}]",
         "welded together"},
        {BALL ", " STEP ", \"contacts\": [{\"body\": \"ball\", \"at\": [[0, 0]]}]",
         "$.contacts[0].at[0]"},
        {BALL ", " STEP
              ", \"contacts\": [{\"body\": \"ball\", \"at\": [[0, 0, 0]], \"normal\": [0, 0, 0]}]",
         "a direction"},
        {BALL ", " STEP
              ", \"contacts\": [{\"body\": \"ball\", \"at\": [[0, 0, 0]], \"friction\": -1}]",
         "friction: -1"},
        {BALL ", " STEP ", \"bores\": {\"facets\": 2, \"clearance\": 0, \"list\": []}",
         "$.bores.facets: 2"},
        {BALL ", " STEP ", \"bores\": {\"facets\": 1001, \"clearance\": 0, \"list\": []}",
         "$.bores.facets: 1001"},
        {BALL ", " STEP
              ", \"bores\": {\"facets\": 1000, \"clearance\": 0, \"list\": [{\"pin\": \"ball\"}]}",
         "$.bores.list[0].holder: missing"},
        {STEP ", \"lattice\": {\"radius\": 1}", "$.lattice.across: missing"},
        {STEP ", \"lattice\": {\"radius\": 0, \"density\": 1, \"across\": [1, 1], \"count\": 1, "
              "\"spacing\": 1, "
              "\"bottom\": 0, \"jitter\": 0, \"seed\": 1}",
         "$.lattice.radius: 0"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[1000];
        scene_steps s;
        imp_error error = {.text = ""};
        snprintf(text, sizeof text, "{\"kind\": \"scene\", %s}", row[i].text);
        const imp_status status =
            scene_steps_open(scratch_text("scene.json", text), NULL, &s, &error);
        const bool good = status == IMP_BAD_ARGUMENT && strstr(error.text, row[i].complaint) &&
                          !strchr(error.text, '\n');
        ok(good, "refused: %s", row[i].complaint);
        if (!good) diag("status %s, said: %s", imp_status_text(status), error.text);
        if (status == IMP_OK) scene_steps_clear(&s);
    }
    scene_steps s;
    imp_error error;
    ok(scene_steps_open("benchmarks/scenes/ramp.json", "Z", &s, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "no variant \"Z\""),
       "an unknown variant");
    ok(scene_steps_open("no such scene.json", NULL, &s, &error) == IMP_IO, "no file");
}

/* A contact's own direction need not be of length 1; its place, friction and restitution are the
 * file's. */
static void test_direction(void) {
    const char *path = scratch_text(
        "slope.json",
        "{\"kind\": \"scene\", \"title\": \"a box on a slope\", \"gravity\": [0, 0, -9.81],"
        "\"material\": {\"friction\": 0.5},"
        "\"bodies\": {\"box\": {\"mass\": 1, \"box\": [1, 1, 1]}},"
        "\"contacts\": [{\"body\": \"box\", \"at\": [[0.1, 0.2, 0.3], [0, 0, -0.5]],"
        "\"normal\": [0, -3, 4], \"point\": [1, 2, 3], \"radius\": 0.25, \"friction\": 0.125,"
        "\"viscous_friction\": 0.5, \"restitution\": 0.75}],"
        "\"step\": {\"h\": 0.01, \"until\": 1, \"model\": \"drumwright\"}}");
    static const double normal[3] = {0, -0.6, 0.8}, point[3] = {1, 2, 3},
                        centre[3] = {0.1, 0.2, 0.3};
    scene_steps s;
    imp_error error = {.text = ""};
    if (!ok(scene_steps_open(path, NULL, &s, &error) == IMP_OK, "a slope %s", error.text)) return;
    const imp_guard *guard = s.guard;
    ok(s.shapes.guards == 2, "two places, two guards");
    is_vec(guard->normal, normal, 3, 0, 1e-15, "its direction, of length 1");
    is_vec(guard->point, point, 3, 0, 0, "its point");
    is_vec(guard->centre, centre, 3, 0, 0, "the place on the box");
    ok(guard->radius == 0.25 && guard->mu == 0.125 && guard->mu_v == 0.5 && guard->e == 0.75 &&
           guard->plane == IMP_GROUND,
       "its numbers");
    scene_steps_clear(&s);
}

/* A box meets balls as one shape, planes by its corners, which meet nothing else. */
static void test_box(void) {
    scene_steps s;
    if (!open_scene("box-steps", NULL, &s)) return;
    int boxes = 0, corners = 0;
    for (int i = 0; i < s.shapes.balls; i++)
        boxes += s.ball[i].half[0] > 0;
    for (int i = 0; i < s.shapes.guards; i++)
        corners += s.guard[i].link == 0 && s.guard[i].radius == 0.02;
    ok(s.shapes.balls == 3 && boxes == 1, "two balls and a box");
    ok(s.shapes.guards == 10 && corners == 8, "before the ground two balls and eight corners");
    scene_steps_clear(&s);
}

/* Surfaces of their own materials: 2 a b / (a + b) of the two that meet, balls and the ground.
 * What is welded to a body, or to the ground, meets no part of that. */
static void test_pairs(void) {
    const char *path = scratch_text(
        "pairs.json",
        "{\"kind\": \"scene\", \"title\": \"what meets what\","
        "\"material\": {\"friction\": 0.5}, \"ground\": [{\"material\": {\"friction\": 0.3}}],"
        "\"bodies\": {"
        "\"a\": {\"mass\": 1, \"ball\": 0.1, \"position\": [0, 0, 0.1],"
        "\"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]], \"material\": {\"friction\": 0.1}}]},"
        "\"b\": {\"mass\": 1, \"ball\": 0.1, \"position\": [0.2, 0, 0.1],"
        "\"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]], \"material\": {\"friction\": 0.2}}]},"
        "\"arm\": {\"mass\": 1, \"ball\": 0.1, \"joint\": \"weld\", \"parent\": \"b\", \"at\": "
        "[0.1, 0, 0],"
        "\"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]},"
        "\"post\": {\"mass\": 1, \"ball\": 0.1, \"joint\": \"weld\", \"parent\": \"ground\", "
        "\"at\": [9, 0, 0.1],"
        "\"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}},"
        "\"step\": {\"h\": 0.01, \"until\": 1}}");
    static const struct {
        int a, b;
        double mu;
    } want[] = {
        {IMP_GROUND, 0, 0.15}, {IMP_GROUND, 1, 0.24}, {IMP_GROUND, 2, 0.375}, {0, 1, 0.4 / 3},
        {0, 2, 1.0 / 6},       {0, 3, 1.0 / 6},       {1, 3, 2.0 / 7},        {2, 3, 0.5}};
    scene_steps s;
    imp_error error = {.text = ""};
    if (!ok(scene_steps_open(path, NULL, &s, &error) == IMP_OK, "four balls %s", error.text))
        return;
    imp_nearby_list list = {0};
    ok(imp_shapes_nearby(&s.shapes, s.world, 0.01, &list) == IMP_OK && list.count == 8,
       "eight pairs of what can move against each other (%d)", list.count);
    for (int i = 0; i < list.count && i < 8; i++) {
        const imp_nearby *pair = &list.item[i];
        ok(pair->contact.a == want[i].a && pair->contact.b == want[i].b &&
               fabs(pair->mu - want[i].mu) <= 1e-15,
           "%d against %d: friction %.17g", pair->contact.a, pair->contact.b, pair->mu);
    }
    ok(list.count == 8 && list.item[7].mu == 0.5, "of equal ones just that");
    ok(imp_step(s.stepper, &s.settings) == IMP_OK, "and a step of them");
    imp_nearby_clear(&list);
    scene_steps_clear(&s);
}

int main(void) {
    test_box();
    test_pairs();
    test_direction();
    test_spheres();
    test_engines();
    test_motions();
    test_lattice();
    test_joint();
    test_refused();
    return tap_done();
}
