/* test_scene_welds.c - joints that weld what overlaps: which bodies meet, and that they move as
 * one, in scenes with an impact and in those with a step. */
#include "scene/course.h"
#include "scene/steps.h"
#include "scratch.h"
#include "tap.h"

/* a, b and c are one body, with d and e on joints of the tree and of a loop; f and post stand. */
static const char *const BODIES[][2] = {
    {"post", "\"joint\": \"weld\", \"parent\": \"ground\", \"at\": [0, 9, 9]"},
    {"f", "\"position\": [0.05, 9, 9]"},
    {"a", "\"position\": [0, 0, 0.3]"},
    {"b", "\"position\": [0.1, 0, 0.3]"},
    {"c", "\"position\": [0.05, 0.05, 0.3]"},
    {"d", "\"joint\": \"revolute\", \"parent\": \"a\", \"at\": [0.1, 0.1, 0], "
          "\"axis\": [0, 0, 1]"},
    {"e", "\"position\": [0.1, -0.1, 0.3]"},
};
static const char *const WELDS =
    "{\"joint\": \"weld\", \"a\": \"a\", \"b\": \"b\", \"at\": [0, 0, 0]}, "
    "{\"joint\": \"weld\", \"a\": \"c\", \"b\": \"b\", \"at\": [0, 0, 0]}";
static const char *const OTHERS =
    ", {\"joint\": \"weld\", \"a\": \"ground\", \"b\": \"f\", \"at\": [0, 0, 0]}, "
    "{\"joint\": \"revolute\", \"a\": \"c\", \"b\": \"e\", \"at\": [0, 0, 0], "
    "\"axis\": [0, 0, 1]}";

#define GROUND  ", \"ground\": [{\"point\": [0, 0, 0]}]"
#define STEPPED GROUND ", \"step\": {\"h\": 0.01, \"until\": 0.1}"

/* A scene of the bodies from..to - 1, whose balls have a radius of 0.1 m, with WELDS, the joints
 * `joints` and `rest`. */
static const char *scene_of(int from, int to, const char *joints, const char *rest) {
    char text[4000];
    int n = snprintf(text, sizeof text, "{\"kind\": \"scene\", \"bodies\": {");
    for (int i = from; i < to; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "%s\"%s\": {\"mass\": 1, \"ball\": 0.1, %s, \"spheres\": "
                      "[{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}",
                      i > from ? ", " : "", BODIES[i][0], BODIES[i][1]);
    snprintf(text + n, sizeof text - (size_t)n, "}, \"joints\": [%s%s]%s}", WELDS, joints, rest);
    return scratch_text("scene.json", text);
}

enum { POST, F, A, B, C, D, E, ALL };

static bool one_body(int link) {
    return link == A || link == B || link == C;
}

static bool stands(int link) {
    return link == POST || link == F;
}

/* Two of them, by the rule of docs/formats-scene.md. */
static bool meet(int i, int k, bool stepped) {
    if ((one_body(i) && one_body(k)) || (stands(i) && stands(k))) return false;
    const bool joined = (one_body(i) && (k == D || k == E)) || (one_body(k) && (i == D || i == E));
    return stepped || !joined;
}

static void test_pairs(void) {
    scene_file file;
    scene s;
    imp_error error = {0};
    scene_open(scene_of(0, ALL, OTHERS, GROUND), &file, &error);
    const bool good = scene_build(&file, 0, &s, &error) == IMP_OK;
    int met[7][7] = {{0}}, landed[7] = {0}, wrong = 0;
    for (int i = 0; good && i < s.system.npairs; i++) {
        const compliant_pair *p = &s.system.pairs[i];
        const int b = s.system.spheres[p->b].link;
        if (p->plane >= 0)
            landed[b]++;
        else
            met[s.system.spheres[p->a].link][b]++;
    }
    for (int i = 0; i < 7; i++) {
        wrong += landed[i] != !stands(i);
        for (int k = 0; k < i; k++)
            wrong += met[i][k] + met[k][i] != meet(i, k, false);
    }
    ok(good && wrong == 0, "who meets where joints weld, %d of 28 wrong: %s", wrong, error.text);
    scene_close(&file);
    if (good) scene_clear(&s);
}

static void test_stepped(void) {
    scene_file file;
    scene_steps s;
    imp_error error = {0};
    scene_open(scene_of(0, ALL, OTHERS, STEPPED), &file, &error);
    const bool good = scene_steps_build(&file, 0, &s, &error) == IMP_OK &&
                      imp_step_prepare(s.stepper, &s.settings) == IMP_OK;
    int met[7][7] = {{0}}, landed[7] = {0}, wrong = 0;
    for (int i = 0; good && i < s.stepper->near.count; i++) {
        const imp_contact *c = &s.stepper->near.item[i].contact;
        if (c->a == IMP_GROUND)
            landed[c->b]++;
        else
            met[c->a][c->b]++;
    }
    for (int i = 0; i < 7; i++) {
        wrong += landed[i] != !stands(i);
        for (int k = 0; k < i; k++)
            wrong += met[i][k] + met[k][i] != meet(i, k, true);
    }
    ok(good && wrong == 0, "who meets in steps, %d of 28 wrong: %s", wrong, error.text);
    scene_close(&file);
    if (good) scene_steps_clear(&s);
}

/* Along the ground, one of them pushed, by steps that push overlaps out. */
static void test_falls(void) {
    static const char rest[] =
        ", \"gravity\": [0, 0, -9.81], \"material\": {\"friction\": 0.3}, \"ground\": [{}], "
        "\"step\": {\"h\": 0.01, \"until\": 0.5, \"model\": \"auto\", \"push_out\": 0.01}";
    scene_file file;
    scene_steps s;
    imp_error error = {0};
    scene_open(scene_of(A, D, "", rest), &file, &error);
    const bool built = scene_steps_build(&file, 0, &s, &error) == IMP_OK;
    bool good = built;
    double apart[2] = {0, 0}; /* m, of the first from the others */
    if (built) imp_world_v(s.world, 0)[0] = 1;
    for (int k = 0; good && k < 50; k++)
        good = imp_step(s.stepper, &s.settings) == IMP_OK;
    ok(good && fabs(imp_world_q(s.world, 2)[2] - 0.1) < 1e-6,
       "welded balls that overlap fall by steps: %s", error.text);
    for (int i = 0; good && i < 2; i++)
        for (int r = 0; r < 3; r++)
            apart[i] = hypot(apart[i], imp_world_q(s.world, i + 1)[r] - imp_world_q(s.world, 0)[r]);
    ok(good && fabs(apart[0] - 0.1) < 1e-9 && fabs(apart[1] - sqrt(0.005)) < 1e-9 &&
           imp_world_q(s.world, 0)[0] > 0.05,
       "as one: %g and %g m apart", apart[0], apart[1]);
    scene_close(&file);
    if (built) scene_steps_clear(&s);
}

int main(void) {
    test_pairs();
    test_stepped();
    test_falls();
    return tap_done();
}
