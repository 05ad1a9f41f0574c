/* A ball dropped from 1 m, e = 0.8, in time steps of 0.1 ms. Prints:
 *
 *     bounce 1: 0.64 m high, e^2 of the last: 0.64 m
 *     bounce 2: 0.41 m high, e^2 of the last: 0.41 m
 *     bounce 3: 0.26 m high, e^2 of the last: 0.26 m
 */
#include <impact.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    const double radius = 0.1, e = 0.8, start[3] = {0, 0, 1 + radius}, I = 0.4 * radius * radius;
    const imp_link ball = {
        .parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1, .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
    const imp_guard ground = {
        .link = 0, .radius = radius, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.3, .e = e};
    imp_shapes shapes = {.guards = 1, .guard = &ground, .reach = 1e-4, .ahead = 1};
    imp_world *world = imp_world_of_bodies(1, &ball, start, NULL);
    imp_stepper *stepper = world ? imp_stepper_new(world) : NULL;
    const imp_step_settings settings = {.h = 1e-4,
                                        .gravity = {0, 0, -9.81},
                                        .model = imp_model_find("auto"),
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    double top = 0, expected = 1;
    for (int step = 0, bounces = 0; stepper && bounces < 3; step++) {
        const double before = imp_world_v(world, 0)[2];
        if (imp_step(stepper, &settings) != IMP_OK) return 1;
        const double rising = imp_world_v(world, 0)[2];
        top = fmax(before < 0 ? 0 : top, imp_world_q(world, 0)[2] - radius);
        if (!(before > 0 && rising <= 0)) continue;
        expected *= e * e;
        printf("bounce %d: %.2f m high, e^2 of the last: %.2f m\n", ++bounces, top, expected);
    }
    imp_stepper_free(stepper);
    imp_world_free(world);
    imp_shapes_clear(&shapes);
    return 0;
}
