/* test_step_refused.c - what a tree, a stepper, its pairs and its kept state may not be: each is
 * refused by its status, and a step that is refused leaves the world where it was. */
#include "impact.h"
#include "step_bodies.h"
#include "tap.h"

#include <limits.h>
#include <string.h>

static imp_status made(const imp_link *links, int count) {
    imp_status status = IMP_OK;
    imp_tree *tree = imp_tree_new(count, links, &status);
    if (tree) imp_tree_free(tree);
    return tree ? IMP_OK : status;
}

static void test_trees(void) {
    imp_link pair[2] = {solid(1, 1, 1, 1), solid(1, 1, 1, 1)};
    pair[0].parent = IMP_GROUND;
    pair[0].joint = IMP_FREE;
    pair[1].turn[0] = 1;
    ok(made(pair, 2) == IMP_OK, "a free body, another welded to it");
    ok(made(pair, 0) == IMP_BAD_ARGUMENT && made(NULL, 1) == IMP_BAD_ARGUMENT &&
           made(pair, (1 << 20) + 1) == IMP_BAD_ARGUMENT,
       "no link, NULL, too many");
    const int joints[2] = {IMP_WELD - 1, IMP_FREE + 1}, parents[3] = {IMP_GROUND - 1, 1, 2};
    for (int k = 0; k < 2; k++) {
        imp_link bad = pair[0];
        bad.joint = (imp_joint)joints[k];
        ok(made(&bad, 1) == IMP_BAD_ARGUMENT, "joint %d", joints[k]);
    }
    for (int k = 0; k < 3; k++) {
        pair[1].parent = parents[k];
        ok(made(pair, 2) == IMP_BAD_ARGUMENT, "link 1 on link %d", parents[k]);
    }
    for (int k = 0; k < 9; k += 4) {
        imp_link bad = pair[0];
        bad.inertia[k] = -1;
        ok(made(&bad, 1) == IMP_NOT_POSITIVE, "negative moment of inertia %d", k / 4);
    }
    static const int mirrored[3][2] = {{1, 3}, {2, 6}, {5, 7}};
    for (int k = 0; k < 3; k++) {
        imp_link bad = pair[0];
        double *above = &bad.inertia[mirrored[k][0]], *below = &bad.inertia[mirrored[k][1]];
        *above = *below = 2;
        ok(made(&bad, 1) == IMP_NOT_POSITIVE, "indefinite inertia %d", k);
        *above = *below = 1;
        ok(made(&bad, 1) == IMP_OK, "semidefinite inertia %d", k);
        *above = 1 - 1e-3;
        ok(made(&bad, 1) == IMP_NOT_SYMMETRIC, "inertia %d is not symmetric", k);
    }
}

/* Pairs, and what looking for them says. */
typedef struct found {
    imp_nearby pair;
    int count;
    imp_status status, late;
} found;

static imp_status detect(void *data, const imp_world *w, double h, imp_nearby_list *list) {
    const found *f = data;
    (void)w, (void)h;
    for (int k = 0; k < f->count; k++)
        if (!imp_nearby_add(list, &f->pair)) return IMP_NO_MEMORY;
    return f->status;
}

static imp_status detect_late(void *data, const imp_world *w, const imp_nearby_list *list,
                              int *count) {
    (void)w, (void)list;
    *count = 0;
    return ((const found *)data)->late;
}

/* Where a body begins has to be a place. */
static void test_places(void) {
    const imp_link ball = solid(1, 1, 1, 1);
    imp_status status = IMP_OK;
    imp_world *world = imp_world_of_bodies(1, &ball, (const double[3]){0, NAN, 0}, &status);
    ok(!world && status == IMP_NOT_FINITE, "a place that is none: %s", imp_status_text(status));
    imp_world_free(world);
}

typedef struct setup {
    imp_world *world;
    imp_stepper *stepper;
    imp_step_settings settings;
    found found;
} setup;

/* Two bodies, one above the other. */
static void begin(setup *s) {
    const imp_link bodies[2] = {solid(1, 1, 1, 1), solid(1, 1, 1, 1)};
    const double places[6] = {0, 0, 1, 0, 0, 2};
    s->world = imp_world_of_bodies(2, bodies, places, NULL);
    s->stepper = imp_stepper_new(s->world);
    s->found = (found){
        .pair = {.contact = {.a = IMP_GROUND, .b = 0, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}}}};
    s->settings = (imp_step_settings){.h = 0.01,
                                      .gravity = {0, 0, -9.81},
                                      .model = imp_model_find("anitescu"),
                                      .detect = detect,
                                      .late = detect_late,
                                      .detect_data = &s->found};
}

/* Steps, and looks whether a refusal has moved anything. */
static void step(setup *s, imp_status want, const char *what) {
    double q[14], v[12];
    memcpy(q, s->world->q, sizeof q);
    memcpy(v, s->world->v, sizeof v);
    const imp_status status = imp_step(s->stepper, &s->settings);
    const bool still =
        memcmp(q, s->world->q, sizeof q) == 0 && memcmp(v, s->world->v, sizeof v) == 0;
    ok(status == want && still == (want < 0), "%s: %s", what, imp_status_text(status));
    imp_stepper_free(s->stepper);
    imp_world_free(s->world);
}

static void test_settings(void) {
    const double lengths[3] = {0, -1, INFINITY}, friction[12] = {0};
    setup s;
    for (int k = 0; k < 3; k++) {
        begin(&s);
        s.settings.h = lengths[k];
        step(&s, IMP_BAD_ARGUMENT, "a step of 0, backwards, for ever");
    }
    begin(&s);
    s.settings.least_gap = 1e-3;
    step(&s, IMP_BAD_ARGUMENT, "a positive least gap");
    begin(&s);
    s.settings.least_gap = NAN;
    step(&s, IMP_BAD_ARGUMENT, "a least gap that is none");
    begin(&s);
    s.settings.mu_c = friction;
    step(&s, IMP_BAD_ARGUMENT, "one friction of joints without the other");
    for (int touches = 0; touches < 2; touches++) {
        imp_settings own;
        begin(&s);
        s.found.count = touches;
        imp_model_presets(s.settings.model, &own);
        imp_model_set(s.settings.model, &own, "edges", 1000); /* of 64 at most */
        s.settings.own = &own;
        step(&s, IMP_BAD_ARGUMENT, "a setting beyond its bounds");
    }
    begin(&s);
    s.found.count = 1;
    {
        imp_settings own;
        imp_model_presets(s.settings.model, &own);
        s.settings.own = &own;
        const imp_status prepared = imp_step_prepare(s.stepper, &s.settings);
        imp_model_set(s.settings.model, &own, "edges", 1000);
        ok(prepared == IMP_OK && imp_step_solve(s.stepper, &s.settings) == IMP_BAD_ARGUMENT,
           "nor is it taken between the parts of a step");
        imp_stepper_free(s.stepper);
        imp_world_free(s.world);
    }
    begin(&s);
    s.settings.model = NULL;
    s.found.count = 1;
    step(&s, IMP_BAD_ARGUMENT, "contacts without a model");
    begin(&s);
    s.settings.h = 10;
    s.world->v[0] = 1e308;
    step(&s, IMP_NOT_FINITE, "a place beyond double");
    for (int k = 0; k < 4; k++) {
        double rubbing[12] = {0};
        begin(&s);
        s.settings.explicit_friction = k & 1;
        s.settings.mu_c = k & 2 ? rubbing : friction;
        s.settings.mu_v = k & 2 ? friction : rubbing;
        rubbing[5] = -1e-3;
        s.world->v[5] = 1;
        step(&s, IMP_BAD_FRICTION, "friction of a joint that pushes it on");
    }
    begin(&s);
    step(&s, IMP_OK, "none of these");
}

/* Where the step begins has to be a place, too. */
static void test_beginnings(void) {
    static const struct beginning {
        double w; /* of the quaternion (w, 0, 0, 0) of the second body */
        imp_status want;
    } all[] = {{NAN, IMP_NOT_FINITE},      {INFINITY, IMP_NOT_FINITE}, {0, IMP_BAD_ARGUMENT},
               {1e-170, IMP_BAD_ARGUMENT}, {1e200, IMP_BAD_ARGUMENT},  {-2, IMP_OK}};
    setup s;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        begin(&s);
        s.world->q[10] = all[k].w;
        step(&s, all[k].want, "a quaternion");
    }
    begin(&s);
    s.world->q[9] = NAN;
    step(&s, IMP_NOT_FINITE, "a place that is no number");
    begin(&s);
    s.world->v[9] = INFINITY;
    step(&s, IMP_NOT_FINITE, "a spin without end");
}

static void test_pairs(void) {
    static const int links[][2] = {{IMP_GROUND, 2},     {2, 0}, {IMP_GROUND - 1, 0},
                                   {0, IMP_GROUND - 1}, {0, 0}, {IMP_GROUND, IMP_GROUND}};
    setup s;
    for (size_t k = 0; k < sizeof links / sizeof *links; k++) {
        begin(&s);
        s.found.count = 1;
        s.found.pair.contact.a = links[k][0];
        s.found.pair.contact.b = links[k][1];
        step(&s, IMP_BAD_ARGUMENT, "a pair of links that are none, or one, or the ground alone");
    }
    begin(&s);
    s.found.status = IMP_NO_MEMORY;
    step(&s, IMP_NO_MEMORY, "pairs that cannot be listed");
    begin(&s);
    s.found.late = IMP_NO_MEMORY;
    step(&s, IMP_NO_MEMORY, "late ones that cannot");
    begin(&s);
    s.found.count = 1;
    s.found.status = IMP_NOT_CONVERGED;
    step(&s, IMP_BAD_ARGUMENT, "pairs with a status that is no error");
    begin(&s);
    s.found.late = IMP_NOT_CONVERGED;
    step(&s, IMP_BAD_ARGUMENT, "late ones with such a status");
    static const double gaps[] = {NAN, INFINITY, -INFINITY, 1e307};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        begin(&s);
        s.found.count = 1;
        s.found.pair.gap = gaps[k];
        step(&s, IMP_NOT_FINITE, "a gap that is none, or is none over h");
    }
    begin(&s);
    s.found.count = 1;
    s.found.pair.mu = -1;
    step(&s, IMP_BAD_FRICTION, "negative friction");
    begin(&s);
    s.found.count = 1;
    s.found.pair.gap = NAN;
    step(&s, IMP_NOT_FINITE, "a distance that is none");
    begin(&s);
    s.found.count = 1;
    step(&s, IMP_OK, "none of these");
}

/* What is kept of a stepper with a contact, cut anywhere, or another world's. */
static void test_kept(void) {
    setup s;
    begin(&s);
    s.found.count = 1;
    FILE *kept = tmpfile();
    char bytes[4096];
    ok(kept && imp_step(s.stepper, &s.settings) == IMP_OK &&
           imp_stepper_save(s.stepper, kept) == IMP_OK,
       "kept");
    const size_t size = (size_t)ftell(kept);
    rewind(kept);
    const bool read = size <= sizeof bytes && fread(bytes, 1, size, kept) == size;
    fclose(kept);
    int refused = 0;
    for (size_t cut = 0; read && cut < size; cut++) {
        FILE *part = tmpfile();
        fwrite(bytes, 1, cut, part);
        rewind(part);
        refused += imp_stepper_load(s.stepper, part) == IMP_IO;
        fclose(part);
    }
    ok(read && refused == (int)size, "cut anywhere: refused, %d of %zu", refused, size);
    for (int k = 0; k < 5; k++) {
        int head[3];
        char other[sizeof bytes];
        memcpy(other, bytes, size);
        memcpy(head, other, sizeof head);
        if (k < 3) head[k] = k < 2 ? head[k] + 1 : -1;
        if (k == 4) head[2] = INT_MAX;
        memcpy(other, head, sizeof head);
        FILE *file = tmpfile();
        fwrite(other, 1, size, file);
        rewind(file);
        ok(imp_stepper_load(s.stepper, file) == (k == 3 ? IMP_OK : IMP_IO), "%s",
           k == 3 ? "whole: taken" : "other sizes: refused");
        fclose(file);
    }
    imp_stepper_free(s.stepper);
    imp_world_free(s.world);
}

int main(void) {
    test_trees();
    test_places();
    test_settings();
    test_beginnings();
    test_pairs();
    test_kept();
    return tap_done();
}
