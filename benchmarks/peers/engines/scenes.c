/* scenes.c - the scenes that the engines are put to. */
#include "benchmarks/peers/engines/scenes.h"

#include <math.h>
#include <string.h>

const double scene_depth = 1e-9;

peer_scene scene_ball(double mu, double e, double vx, double gap) {
    return (peer_scene){.bodies = 1,
                        .body = {{.radius = 0.1,
                                  .mass = 1,
                                  .position = {0, 0, 0.1 + gap},
                                  .attitude = {1, 0, 0, 0},
                                  .velocity = {vx, 0, -1, 0, 0, 0}}},
                        .ground = 1,
                        .mu = mu,
                        .e = e,
                        .h = 1e-5};
}

/* y <- x turned by a unit quaternion. */
static void turned(const double q[4], const double x[3], double y[3]) {
    double t[3];
    for (int k = 0, i = 1, j = 2; k < 3; k++, i = j, j = (j + 1) % 3)
        t[k] = q[1 + i] * x[j] - q[1 + j] * x[i] + q[0] * x[k];
    for (int k = 0, i = 1, j = 2; k < 3; k++, i = j, j = (j + 1) % 3)
        y[k] = x[k] + 2 * (q[1 + i] * t[j] - q[1 + j] * t[i]);
}

/* The lowest corner of a box, m from its centre. */
void scene_lowest_corner(const peer_body *b, double corner[3]) {
    for (int c = 0; c < 8; c++) {
        double x[3], y[3];
        for (int k = 0; k < 3; k++)
            x[k] = (c >> k) % 2 ? b->half[k] : -b->half[k];
        turned(b->attitude, x, y);
        if (c == 0 || y[2] < corner[2]) memcpy(corner, y, sizeof y);
    }
}

peer_scene scene_corner(void) {
    peer_scene s = {.bodies = 1,
                    .body = {{.half = {0.1, 0.15, 0.2},
                              .mass = 1,
                              .attitude = {0.8, 0.36, 0.48, 0}, /* 74 degrees about (0.6, 0.8, 0) */
                              .velocity = {1, 0.5, -2, 1, -2, 0.5}}},
                    .ground = 1,
                    .mu = 0.3,
                    .h = 1e-5};
    double corner[3] = {0};
    scene_lowest_corner(&s.body[0], corner);
    s.body[0].position[2] = -scene_depth - corner[2];
    return s;
}

peer_scene scene_cradle(void) {
    peer_scene s = {.bodies = 5, .e = 1, .h = 1e-4};
    for (int i = 0; i < 5; i++)
        s.body[i] = (peer_body){.radius = 0.1,
                                .mass = 1,
                                .position = {(0.2 - scene_depth) * i, 0, 1},
                                .attitude = {1, 0, 0, 0},
                                .velocity = {i == 0 ? 1 : 0}};
    return s;
}

peer_scene scene_sliding(void) {
    const double speed = 2, g = 9.81, mu = 0.4, c = sqrt(0.75), d = 0.5;
    const peer_scene s = {.bodies = 1,
                          .body = {{.half = {0.1, 0.1, 0.02},
                                    .mass = 1,
                                    .position = {0, 0, 0.02},
                                    .attitude = {1, 0, 0, 0},
                                    .velocity = {c * speed, d * speed, 0}}},
                          .ground = 1,
                          .mu = mu,
                          .gravity = {0, 0, -g},
                          .h = 1e-3};
    return s;
}

peer_scene scene_stack(void) {
    peer_scene s = {
        .bodies = 10, .ground = 1, .mu = 0.5, .gravity = {0, 0, -9.81}, .h = 5e-3, .tower = 1};
    for (int i = 0; i < s.bodies; i++)
        s.body[i] = (peer_body){.half = {0.1, 0.1, 0.1},
                                .mass = 1,
                                .position = {0, 0, 0.1 + 0.2 * i},
                                .attitude = {1, 0, 0, 0}};
    return s;
}
