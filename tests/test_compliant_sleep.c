/* test_compliant_sleep.c - what nothing touches: it flies in closed form, and is found when
 * something comes. */
#include "base/vec3.h"
#include "compliant/run.h"
#include "tap.h"

static const double still[3] = {0, 0, 0};
static const imp_link unit_ball = {.parent = IMP_GROUND,
                                   .joint = IMP_FREE,
                                   .mass = 1,
                                   .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};

/* A ball on the arm of a spinning body goes away from another ball, turns back and touches it where
 * their distance, by the cosine rule, is the sum of their radii. */
static void test_turning_back(void) {
    const double arm = 0.5, behind = 0.2, from = -0.01, sum = 0.7 - 3e-5;
    const double at = acos((sum * sum - arm * arm - behind * behind) / (2 * arm * behind));
    const imp_link links[2] = {unit_ball, unit_ball};
    const compliant_sphere spheres[2] = {
        {.link = 0, .centre = {arm, 0, 0}, .radius = 0.4, .material = {.stiffness = 1e9}},
        {.link = 1, .radius = sum - 0.4, .material = {.stiffness = 1e9}}};
    const double q[14] = {0, 0, 0, cos(from / 2), 0, 0, sin(from / 2), -behind, 0, 0, 1},
                 v[12] = {0, 0, 0, 0, 0, 1};
    imp_tree *tree = imp_tree_new(2, links, NULL);
    compliant_system system;
    compliant_result r;
    compliant_settings set = compliant_settings_default();
    set.until = 0.04;
    compliant_system_init(&system, tree, still, 2, spheres, 0, NULL, 0.01);
    const imp_status status = compliant_run(&system, &set, q, v, &r);
    ok(status == IMP_OK && r.nspells == 1, "a ball that turns back touches");
    is_near(r.first_touch, at - from, 1e-7, 0, "when its arm brings it there");
    compliant_result_clear(&r);
    compliant_system_clear(&system);
    imp_tree_free(tree);
}

/* Bodies that nothing touches fly in closed form; a chain of balls, touching or nearly, gives on
 * its momentum and its energy. */
int main(void) {
    enum { BALLS = 64 }; /* the last of which rounding would keep meeting for long */
    static const double gaps[] = {0, 1e-5}, fall[3] = {0, 0, -9.81};
    for (int k = 0; k < 2; k++) {
        imp_link links[BALLS + 2];
        compliant_sphere spheres[BALLS + 2];
        double q[7 * (BALLS + 2)] = {0}, v[6 * (BALLS + 2)] = {0};
        for (int i = 0; i < BALLS + 2; i++) {
            links[i] = unit_ball;
            spheres[i] = (compliant_sphere){
                .link = i,
                .radius = 0.1,
                .material = {.stiffness = 1e9, .mu_static = 0.3, .mu_dynamic = 0.3}};
            q[7 * i] = (0.2 + gaps[k]) * i;
            q[7 * i + 3] = 1;
        }
        v[0] = 2;
        /* two spectators: one spins, one would tumble and has to be integrated */
        const double spin[3] = {3, -2, 5};
        links[BALLS + 1].inertia[0] *= 2;
        for (int i = BALLS; i < BALLS + 2; i++) {
            q[7 * i + 1] = 5.0 * (i + 1 - BALLS);
            memcpy(v + 6 * i + 3, spin, sizeof spin);
            v[6 * i + 2] = 1;
        }
        imp_tree *tree = imp_tree_new(BALLS + 2, links, NULL);
        compliant_system system;
        compliant_system_init(&system, tree, k ? fall : still, BALLS + 2, spheres, 0, NULL, 0.01);
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        set.until = 0.1;
        const imp_status status = compliant_run(&system, &set, q, v, &r);
        ok(status == IMP_OK && r.end == COMPLIANT_APART && r.nspells >= BALLS - 1,
           "a chain of %d balls, gaps of %g m: over after %g s, %d spells", BALLS, gaps[k], r.time,
           r.nspells);
        const double *end = r.y + r.layout.v, g = k ? 9.81 : 0;
        double momentum = 0;
        for (int i = 0; i < BALLS; i++)
            momentum += end[6 * i];
        is_near(momentum, 2, 1e-9, 0, "momentum");
        is_near(r.kinetic + r.potential + r.elastic, r.energy0, 1e-8, 0, "energy");
        is_near(end[6 * (BALLS - 1)], 1.97, 0.04, 0, "the last ball takes nearly all of it");
        const double *q_end = r.y + 7 * BALLS,
                     angle[3] = {spin[0] * r.time, spin[1] * r.time, spin[2] * r.time};
        double turn[4];
        exponential4(angle, turn);
        is_near(q_end[2], r.time - 0.5 * g * r.time * r.time, 1e-12, 0, "a spectator flies");
        is_vec(q_end + 3, turn, 4, 1e-12, 0, "and turns");
        double L[2][3];
        for (int side = 0; side < 2; side++) {
            imp_tree_place(tree, side ? r.y : q, side ? end : v);
            const imp_link_state *s = imp_tree_state(tree, BALLS + 1);
            apply3(s->inertia, s->spin, L[side]);
        }
        is_vec(L[1], L[0], 3, 0, 1e-9, "one that tumbles keeps its angular momentum");
        compliant_result_clear(&r);
        compliant_system_clear(&system);
        imp_tree_free(tree);
    }
    test_turning_back();
    return tap_done();
}
