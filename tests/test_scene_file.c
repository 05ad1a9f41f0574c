/* test_scene_file.c - scene files: what is refused, in which words, variants, and what a material
 * leaves to the scene's. */
#include "scene/scene.h"
#include "scratch.h"
#include "tap.h"

/* A scene of one ball: what stands in the body, and what stands beside the bodies. */
static const char *one_ball(const char *body, const char *beside) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"kind\": \"scene\", \"ground\": [{}], \"bodies\": {\"ball\": {%s}}%s%s}", body,
             *beside ? ", " : "", beside);
    return scratch_text("scene.json", text);
}

#define BALL "\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]"

static void test_refused(void) {
    static const struct {
        const char *body, *beside, *complaint;
    } row[] = {
        {BALL ", \"colour\": 1", "", "$.bodies.ball.colour: unknown key"},
        {BALL, "\"colour\": 1", "$.colour: unknown key"},
        {"\"mass\": -1, \"ball\": 0.1", "", "$.bodies.ball.mass: -1, expected a number > 0"},
        {"\"ball\": 0.1", "", "$.bodies.ball.mass: missing"},
        {"\"mass\": 1", "", "$.bodies.ball: expected one of box, ball, cylinder and inertia"},
        {"\"mass\": 1, \"inertia\": [1, 1, 3]", "", "$.bodies.ball.inertia: moments 1, 1, 3"},
        {"\"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0.5, 1]]", "",
         "$.bodies.ball.inertia: entries [1][2]"},
        {"\"mass\": 1, \"box\": [1, 2]", "",
         "$.bodies.ball.box: an array of 2, expected an array of 3"},
        {"\"mass\": 1, \"cylinder\": [1, -2]", "", "$.bodies.ball.cylinder[1]: -2"},
        {BALL ", \"position\": [0, 0, 0.05]", "",
         "$.bodies.ball: overlaps the ground by 0.05 m at the start"},
        {BALL ", \"clearance\": -1", "", "$.bodies.ball.clearance: -1, expected a number >= 0"},
        {BALL ", \"turns\": [[\"w\", 3]]", "",
         "$.bodies.ball.turns[0][0]: \"w\", expected x, y or z"},
        {BALL ", \"orientation\": [1, 1, 0, 0]", "",
         "$.bodies.ball.orientation: [1, 1, 0, 0], of length 1.41421356"},
        {BALL ", \"joint\": \"hinge\"", "",
         "$.bodies.ball.joint: \"hinge\", expected free, revolute, slider or weld"},
        {BALL ", \"joint\": \"weld\", \"parent\": \"roof\"", "",
         "$.bodies.ball.parent: \"roof\", expected \"ground\""},
        {BALL ", \"joint\": \"revolute\", \"parent\": \"ground\", \"axis\": [0, 0, 0]", "",
         "expected a direction"},
        {BALL ", \"joint\": \"revolute\", \"parent\": \"ground\"", "",
         "$.bodies.ball.axis: missing"},
        {BALL ", \"velocity\": [0, 0, 1e999]", "", "expected JSON"},
        {"\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0.1, \"at\": \"corners\"}]", "",
         "corners of no box"},
        {"\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0, \"at\": [[0, 0, 0]]}]", "",
         "spheres[0].radius: 0"},
        {BALL ", \"rounding\": 0.01", "",
         "$.bodies.ball.rounding: the body is no box, expected one"},
        {"\"mass\": 1, \"box\": [1, 0.1, 1], \"rounding\": 0.05", "",
         "$.bodies.ball.rounding: 0.05, expected less than half the shortest side"},
        {"\"mass\": 1, \"box\": [1, 1, 1], \"rounding\": 0", "",
         "rounding: 0, expected a number > 0"},
        {"\"mass\": 1, \"box\": [1, 1, 1], \"rounding\": 0.1}, \"other\": {\"mass\": 1, \"box\": "
         "[1, 1, "
         "1], \"rounding\": 0.1, \"position\": [5, 0, 0]",
         "", "$.bodies.other.rounding: a second box that touches, expected one"},
        {BALL ", \"clearance\": 1", "\"material\": {\"stiffness\": 0}",
         "$.material.stiffness: 0, expected a number > 0"},
        {BALL ", \"clearance\": 1", "\"material\": {\"friction\": 1, \"static_friction\": 0.5}",
         "static_friction: 0.5"},
        {BALL ", \"clearance\": 1", "\"material\": {\"linear_stiffness\": 0}",
         "$.material.linear_stiffness: 0, expected a number > 0"},
        {BALL ", \"clearance\": 1", "\"material\": {\"tangential_compliance\": -1}",
         "$.material.tangential_compliance: -1, expected a number"},
        {BALL ", \"clearance\": 1",
         "\"material\": {\"friction\": 0.3, \"viscous_friction\": 1, \"tangential_compliance\": 1}",
         "tangential_compliance: with static_friction or viscous_friction, expected one"},
        {"\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]], "
         "\"material\": {\"linear_stiffness\": 1e6}}]",
         "", "$: linear_stiffness on 1 of 2 surfaces, expected on all or none"},
        {BALL ", \"clearance\": 1", "\"run\": {\"until\": 0}",
         "$.run.until: 0, expected a number > 0"},
        {BALL ", \"clearance\": 1", "\"run\": {\"stepper\": \"euler\"}",
         "expected rk8pd, rkf45, merson, semi-explicit-euler or implicit-euler"},
        {BALL ", \"clearance\": 1", "\"impact\": {\"restitution\": 2}", "$.impact.restitution: 2"},
        {BALL ", \"clearance\": 1", "\"impact\": {\"settings\": {\"magic\": {}}}",
         "settings.magic: unknown model"},
        {BALL ", \"clearance\": 1", "\"gravity\": [0, -9.81]", "$.gravity: an array of 2"},
        {BALL ", \"clearance\": 1", "\"variants\": {}",
         "$.variants: an object, expected an object with at least"},
        {BALL ", \"clearance\": 1",
         "\"variants\": {\"a\": {\"bodies\": {\"ball\": {\"mass\": 0}}}}",
         "(a): $.bodies.ball.mass: 0"},
        {BALL ", \"clearance\": 1", "\"variants\": {\"a\": {}, \"b\\nc\": {}}",
         "$.variants[\"b?c\"]: a name with a tab, the end of a line"},
        {BALL ", \"clearance\": 1", "\"variants\": {\"a\": 3}",
         "$.variants.a: 3, expected an object"},
        {BALL ", \"clearance\": 1", "\"variants\": {\"a\": {\"kind\": \"flow\"}}",
         "$.variants.a.kind: in a variant, expected beside \"variants\""},
        {BALL ", \"clearance\": 1", "\"variants\": {\"a\": {\"variants\": 3}}",
         "$.variants.a.variants: in a variant, expected none"},
        {BALL, "\"kind\": \"scene\"", "expected JSON"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scene_file file;
        scene s;
        imp_error error = {0};
        imp_status status = scene_open(one_ball(row[i].body, row[i].beside), &file, &error);
        if (status == IMP_OK) {
            status = scene_build(&file, 0, &s, &error);
            if (status == IMP_OK) scene_clear(&s);
            scene_close(&file);
        }
        const bool good = status == IMP_BAD_ARGUMENT && strstr(error.text, row[i].complaint) &&
                          !strchr(error.text, '\n');
        ok(good, "refused: %s", row[i].complaint);
        if (!good) note("status %s, said: %s", imp_status_text(status), error.text);
    }
    scene_file file;
    imp_error error;
    ok(scene_open("no such scene.json", &file, &error) == IMP_IO &&
           strstr(error.text, "no such scene.json"),
       "no file");
    ok(scene_open(scratch_text("a.json", "{\"kind\": \"problem\"}"), &file, &error) ==
               IMP_BAD_ARGUMENT &&
           strstr(error.text, "$.kind: \"problem\", expected scene"),
       "a problem is no scene");
    ok(scene_open(scratch_text("a.json", "[]"), &file, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "$: an array"),
       "nor is a list");
}

static imp_status status_of(const char *text, imp_error *error) {
    scene_file file;
    scene s;
    imp_status status = scene_open(scratch_text("a.json", text), &file, error);
    if (status != IMP_OK) return status;
    status = scene_build(&file, 0, &s, error);
    if (status == IMP_OK) scene_clear(&s);
    scene_close(&file);
    return status;
}

/* Places round by how far they are from the origin: a small ball that lies on the ground there is
 * not refused. An overlap that shows is, in whatever order the two bodies stand. */
static void test_overlaps(void) {
    enum { PLACES = 100 };
    static const char scene_of[] = "{\"kind\": \"scene\", %s\"bodies\": {%s, %s}}",
                      small[] = "\"a\": {\"mass\": 1, \"ball\": 1e-4, \"spheres\": [{\"radius\": "
                                "1e-4, \"at\": [[0, 0, 0]]}], %s}",
                      large[] = "\"b\": {\"mass\": 1, \"ball\": 100, \"spheres\": [{\"radius\": "
                                "100, \"at\": [[0, 0, 0]]}], \"position\": [%s]}";
    char one[300], other[300], place[200], text[1000];
    imp_error error = {0};
    int refused = 0;
    for (int i = 0; i < PLACES; i++) {
        const double x = 1e4 * cos(i), y = 1e4 * sin(i), z = 1e3 * cos(3 * i);
        snprintf(
            place, sizeof place,
            "\"ground\": [{\"point\": [%.17g, %.17g, %.17g], \"normal\": [%.17g, %.17g, %.17g]}], ",
            x, y, z, sin(5 * i), cos(7 * i), 1.5);
        snprintf(one, sizeof one, small, "\"clearance\": 0");
        snprintf(other, sizeof other, large, "0, 0, 2e4");
        snprintf(text, sizeof text, scene_of, place, one, other);
        refused += status_of(text, &error) != IMP_OK;
    }
    ok(refused == 0, "a ball of 0.1 mm that lies on the ground, far away: %d of %d refused",
       refused, PLACES);
    for (int order = 0; order < 2; order++) {
        snprintf(one, sizeof one, small, "\"position\": [0, 0, 100.00009995]");
        snprintf(other, sizeof other, large, "0, 0, 0");
        snprintf(text, sizeof text, scene_of, "", order ? other : one, order ? one : other);
        ok(status_of(text, &error) == IMP_BAD_ARGUMENT && strstr(error.text, "by 5e-08 m"),
           "a pebble in a boulder is refused: %s", error.text);
    }
}

/* Two bodies of 1001 spheres each: 1002001 pairs, before a third as large would make more than an
 * int counts. */
static void test_crowded(void) {
    enum { SPHERES = 1001, ROOM = 2 * 9 * SPHERES + 400 };
    static char text[ROOM];
    scene_file file;
    scene s;
    imp_error error = {0};
    size_t at = (size_t)snprintf(text, ROOM, "{\"kind\": \"scene\", \"bodies\": {");
    for (int b = 0; b < 2; b++) {
        at += (size_t)snprintf(
            text + at, ROOM - at,
            "%s\"%d\": {\"mass\": 1, \"ball\": 1, \"spheres\": [{\"radius\": 1, \"at\": [",
            b ? ", " : "", b);
        for (int i = 0; i < SPHERES; i++)
            at += (size_t)snprintf(text + at, ROOM - at, "%s[0,0,0]", i ? "," : "");
        at += (size_t)snprintf(text + at, ROOM - at, "]}]}");
    }
    snprintf(text + at, ROOM - at, "}}");
    imp_status status = scene_open(scratch_text("crowded.json", text), &file, &error);
    if (status == IMP_OK) {
        status = scene_build(&file, 0, &s, &error);
        if (status == IMP_OK) scene_clear(&s);
        scene_close(&file);
    }
    ok(status == IMP_BAD_ARGUMENT && strstr(error.text, "$.bodies: more than 1000000 pairs"),
       "refused: %s", error.text);
}

static void test_variants(void) {
    scene_file file;
    scene s;
    imp_error error;
    const char *path = one_ball(
        BALL ", \"clearance\": 0.5, \"velocity\": [1, 0, 0]",
        "\"title\": \"t\", \"material\": {\"friction\": 0.3}, \"variants\": {\"plain\": {}, "
        "\"heavy\": {\"bodies\": {\"ball\": {\"mass\": 7, \"velocity\": null}}}}");
    ok(scene_open(path, &file, &error) == IMP_OK && file.variants == 2, "two variants");
    ok(strcmp(scene_variant_name(&file, 1), "heavy") == 0 &&
           scene_variant_find(&file, "light") == -1,
       "by name");
    ok(scene_build(&file, 0, &s, &error) == IMP_OK && strcmp(s.title, "t, plain") == 0 &&
           s.v[0] == 1 && imp_tree_link(s.tree, 0)->mass == 1,
       "an empty patch changes nothing");
    is_near(s.q[2], 0.6, 1e-15, 0, "clearance is the height of the lowest point");
    scene_clear(&s);
    ok(scene_build(&file, 1, &s, &error) == IMP_OK && s.v[0] == 0 &&
           imp_tree_link(s.tree, 0)->mass == 7 && s.system.pairs[0].law.mu_dynamic == 0.3,
       "a patch sets, removes and keeps");
    scene_clear(&s);
    scene_close(&file);
}

/* A surface's own material says what differs from the scene's; of its own friction static_friction
 * follows. The ground is as the scene says. */
static void test_materials(void) {
    static const char *const scene_material =
        "\"material\": {\"stiffness\": 1e9, \"dissipation\": 0.5, \"friction\": 0.3, "
        "\"static_friction\": 0.6, \"viscous_friction\": 0.5}";
    static const struct {
        const char *own;
        double still, slides; /* friction of the ball: at rest, and sliding */
    } row[] = {{"\"stiffness\": 1e9", 0.6, 0.3},
               {"\"friction\": 0.2", 0.2, 0.2},
               {"\"static_friction\": 0.4", 0.4, 0.3},
               {"\"friction\": 0.2, \"static_friction\": 0.4", 0.4, 0.2}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char body[300];
        scene_file file;
        scene s;
        imp_error error;
        snprintf(body, sizeof body,
                 "\"mass\": 1, \"ball\": 0.1, \"clearance\": 0, \"spheres\": [{\"radius\": 0.1, "
                 "\"at\": [[0, 0, 0]], \"material\": {%s}}]",
                 row[k].own);
        if (scene_open(one_ball(body, scene_material), &file, &error) != IMP_OK ||
            scene_build(&file, 0, &s, &error) != IMP_OK)
            exit(1);
        const compliant_law *law = &s.system.pairs[0].law;
        const double still = 2 * row[k].still * 0.6 / (row[k].still + 0.6),
                     slides = 2 * row[k].slides * 0.3 / (row[k].slides + 0.3);
        ok(fabs(law->mu_static - still) < 1e-15 && fabs(law->mu_dynamic - slides) < 1e-15 &&
               law->mu_viscous == 0.5 && fabs(law->dissipation - 0.5) < 1e-15,
           "{%s}, and the rest as the scene says", row[k].own);
        scene_clear(&s);
        scene_close(&file);
    }
}

int main(void) {
    test_refused();
    test_overlaps();
    test_crowded();
    test_variants();
    test_materials();
    return tap_done();
}
