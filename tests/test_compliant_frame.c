/* test_compliant_frame.c - compliant runs do not depend on the frame they are written in. */
#include "base/vec3.h"
#include "compliant/run.h"
#include "generators/gen.h"
#include "tap.h"

/* A tumbling brick on a tilted plane: everything turned by one rotation gives the same, turned. */
static void test_frame(void) {
    gen_stream stream = gen_seed(601, 0);
    double turn[9], quaternion[4], rotated[2][3], impulse[2][3];
    for (int i = 0; i < 4; i++)
        quaternion[i] = gen_normal(&stream);
    normalise4(quaternion);
    rotation3(quaternion, turn);
    const imp_link link = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .mass = 2,
                           .inertia = {0.2, 0, 0, 0, 0.15, 0, 0, 0, 0.1}};
    const compliant_material m = {1e9, 0.2, 0.3, 0.3, 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        const double g[3] = {0, 0, -9.81}, n[3] = {0, 0, 1}, at[3] = {0.1, 0.2, 0.3},
                     v[3] = {1, -2, -3}, w[3] = {3, 1, 2};
        double gravity[3], q[7] = {0}, speed[6];
        compliant_sphere sphere = {.centre = {0.1, 0.05, -0.2}, .radius = 0.1, .material = m};
        compliant_plane plane = {{0}, {0}, m};
        apply3(turn, g, gravity), apply3(turn, n, plane.normal), apply3(turn, at, q);
        apply3(turn, v, speed), apply3(turn, w, speed + 3);
        memcpy(q + 3, quaternion, sizeof quaternion);
        if (k == 0) {
            memcpy(gravity, g, sizeof g), memcpy(plane.normal, n, sizeof n),
                memcpy(q, at, sizeof at);
            memcpy(speed, v, sizeof v), memcpy(speed + 3, w, sizeof w);
            q[3] = 1, q[4] = q[5] = q[6] = 0;
        }
        imp_tree *tree = imp_tree_new(1, &link, NULL);
        compliant_system system;
        compliant_system_init(&system, tree, gravity, 1, &sphere, 1, &plane, 0.01);
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        ok(compliant_run(&system, &set, q, speed, &r) == IMP_OK && r.nspells == 1, "it hits");
        apply3(turn, r.y + r.layout.impulse, rotated[k]);
        memcpy(impulse[k], r.y + r.layout.impulse, sizeof impulse[k]);
        compliant_result_clear(&r);
        compliant_system_clear(&system);
        imp_tree_free(tree);
    }
    is_vec(impulse[1], rotated[0], 3, 0, 1e-8, "the turned scene gives the turned impulse");
}

int main(void) {
    test_frame();
    return tap_done();
}
