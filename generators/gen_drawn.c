/* gen_drawn.c - see gen_drawn.h. */
#include "gen_drawn.h"

#include "base/vec3.h"
#include "contact/frame.h"

#include <string.h>

/* One of `count`. */
static int pick(gen_stream *s, int count) {
    return (int)gen_uniform(s, 0, count);
}

static const double still[3] = {0};

/* A body of 1 kg about its middle, 1/inv kg m^2 about any axis; which it is. */
static int add_body(gen_drawn *d, const double place[3], const double velocity[3], double inv) {
    imp_body *b = &d->body[d->nb];
    *b = (imp_body){.inv_mass = 1, .orientation = {1, 0, 0, 0}};
    memcpy(b->position, place, sizeof b->position);
    memcpy(b->velocity, velocity, sizeof b->velocity);
    for (int r = 0; r < 3; r++)
        b->inv_inertia[4 * r] = inv;
    return d->nb++;
}

/* Cubes of 1 m, balls of radius 1/2 m. */
static int add_cube(gen_drawn *d, const double place[3], const double velocity[3]) {
    return add_body(d, place, velocity, 6);
}
static int add_ball(gen_drawn *d, const double place[3], const double velocity[3]) {
    return add_body(d, place, velocity, 10);
}

static void add_contact(gen_drawn *d, int a, int b, const double point[3], const double normal[3]) {
    imp_contact *c = &d->contact[d->nc++];
    *c = (imp_contact){.a = a, .b = b};
    memcpy(c->point, point, sizeof c->point);
    imp_frame_from_normal(normal, c->frame);
}

/* The corners of a rectangle about `middle`, 2 x by 2 y, between a and b above it. */
static void add_face(gen_drawn *d, int a, int b, const double middle[3], double x, double y) {
    const double up[3] = {0, 0, 1};
    for (int c = 0; c < 4; c++) {
        const double corner[3] = {middle[0] + (c & 1 ? x : -x), middle[1] + (c & 2 ? y : -y),
                                  middle[2]};
        add_contact(d, a, b, corner, up);
    }
}

static void add_touch(gen_drawn *d, int a, int b) {
    double normal[3], middle[3];
    for (int k = 0; k < 3; k++) {
        normal[k] = d->body[b].position[k] - d->body[a].position[k];
        middle[k] = 0.5 * (d->body[b].position[k] + d->body[a].position[k]);
    }
    const double length = norm3(normal);
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
    add_contact(d, a, b, middle, normal);
}

static void column(gen_drawn *d, int cubes, bool grounded, const double velocity[3]) {
    for (int i = 0; i < cubes; i++) {
        const int cube = add_cube(d, (double[]){0, 0, i + 0.5}, velocity);
        if (i > 0 || grounded)
            add_face(d, i ? cube - 1 : IMP_GROUND, cube, (double[]){0, 0, i}, 0.5, 0.5);
    }
}

static void train(gen_stream *s, gen_drawn *d) {
    const int cubes = 2 + pick(s, 5);
    double velocity[3], spin[3];
    for (int k = 0; k < 3; k++) {
        velocity[k] = gen_normal(s);
        spin[k] = pick(s, 2) ? gen_normal(s) : 0;
    }
    column(d, cubes, false, velocity);
    for (int i = 0; i < cubes; i++) {
        double turns[3];
        memcpy(d->body[i].spin, spin, sizeof spin);
        cross3(spin, d->body[i].position, turns);
        add3(1, turns, d->body[i].velocity);
    }
    memcpy(velocity, d->body[cubes - 1].velocity, sizeof velocity);
    velocity[2] -= 1;
    add_touch(d, cubes - 1, add_ball(d, (double[]){0, 0, cubes + 0.5}, velocity));
}

static void pyramid(gen_stream *s, gen_drawn *d) {
    const int rows = 2 + pick(s, 2);
    int below = IMP_GROUND;
    double top = 0;
    for (int row = 0; row < rows; row++) {
        const int first = d->nb, count = rows - row;
        top = row + 1;
        for (int i = 0; i < count; i++) {
            const double x = 2 * i - count + 1;
            const int brick = add_cube(d, (double[]){x, 0, row + 0.5}, still);
            if (row == 0) add_face(d, IMP_GROUND, brick, (double[]){x, 0, row}, 1, 0.5);
            for (int side = 0; row > 0 && side < 2; side++)
                add_face(d, below + i + side, brick, (double[]){x + side - 0.5, 0, row}, 0.5, 0.5);
        }
        below = first;
    }
    const int uppermost = d->nb - 1;
    add_touch(d, uppermost, add_ball(d, (double[]){0, 0, top + 0.5}, (double[]){0, 0, -1}));
}

static void cradle(gen_stream *s, gen_drawn *d) {
    const int balls = 3 + pick(s, DRAWN_BODIES - 2), first = 1 + pick(s, balls - 1),
              last = pick(s, 2) ? pick(s, balls - first) : 0;
    for (int i = 0; i < balls; i++) {
        const double speed = (i < first) - (i >= balls - last);
        const int ball = add_ball(d, (double[]){i, 0, 0}, (double[]){speed, 0, 0});
        if (i > 0) add_touch(d, ball - 1, ball);
    }
}

static void rack(gen_stream *s, gen_drawn *d) {
    const int rows = 2 + pick(s, 3);
    const double away = pick(s, 2) ? 0 : 0.5;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i <= row; i++) {
            const int ball = add_ball(d, (double[]){row * sqrt(0.75), i - 0.5 * row, 0}, still);
            if (i > 0) add_touch(d, ball - 1, ball);
            if (i > 0) add_touch(d, ball - row - 1, ball);
            if (i < row) add_touch(d, ball - row, ball);
        }
    const double place[3] = {-sqrt(1 - away * away), away, 0};
    add_touch(d, 0, add_ball(d, place, (double[]){1, 0, 0}));
}

static void floor_row(gen_stream *s, gen_drawn *d) {
    const int balls = 2 + pick(s, 5), falls = pick(s, balls);
    const double up[3] = {0, 0, 1}, along[3] = {1, 0, 0};
    for (int i = 0; i < balls; i++) {
        const double fall[3] = {0, 0, -1}, x = i;
        const int ball = add_ball(d, (double[]){x, 0, 0.5}, i == falls ? fall : still);
        add_contact(d, IMP_GROUND, ball, (double[]){x, 0, 0}, up);
        if (i > 0) add_touch(d, ball - 1, ball);
    }
    if (pick(s, 2)) add_contact(d, IMP_GROUND, 0, (double[]){-0.5, 0, 0.5}, along);
}

static void side_by_side(gen_stream *s, gen_drawn *d) {
    const int cubes = 2 + pick(s, 2), falls = pick(s, cubes);
    const double along[3] = {1, 0, 0};
    for (int i = 0; i < cubes; i++) {
        const double fall[3] = {0, 0, -1}, x = i;
        const int cube = add_cube(d, (double[]){x, 0, 0.5}, i == falls ? fall : still);
        add_face(d, IMP_GROUND, cube, (double[]){x, 0, 0}, 0.5, 0.5);
        for (int c = 0; i > 0 && c < 4; c++)
            add_contact(d, cube - 1, cube, (double[]){x - 0.5, c & 1 ? 0.5 : -0.5, c & 2 ? 1 : 0},
                        along);
    }
}

/* About the origin. */
static void turn(gen_stream *s, gen_drawn *d) {
    double R[9], was[3];
    gen_rotation(s, R);
    for (int i = 0; i < d->nb; i++) {
        double *of[] = {d->body[i].position, d->body[i].velocity, d->body[i].spin};
        for (int k = 0; k < 3; k++) {
            memcpy(was, of[k], sizeof was);
            apply3(R, was, of[k]);
        }
    }
    for (int i = 0; i < d->nc; i++) {
        double *of[] = {d->contact[i].point, d->contact[i].frame, d->contact[i].frame + 3,
                        d->contact[i].frame + 6};
        for (int k = 0; k < 4; k++) {
            memcpy(was, of[k], sizeof was);
            apply3(R, was, of[k]);
        }
    }
}

void gen_drawn_of(gen_drawn_kind kind, gen_stream *s, gen_drawn *made) {
    static const double mu[] = {0, 0.3, 1, 1e3}, e[] = {0, 0.5, 1};
    made->nb = made->nc = 0;
    switch (kind) {
    case DRAWN_TRAIN: train(s, made); break;
    case DRAWN_STACK: column(made, 1 + pick(s, 6), true, (double[]){0, 0, -1}); break;
    case DRAWN_PYRAMID: pyramid(s, made); break;
    case DRAWN_CRADLE: cradle(s, made); break;
    case DRAWN_FLOOR: floor_row(s, made); break;
    case DRAWN_SIDE: side_by_side(s, made); break;
    default: rack(s, made);
    }
    if (pick(s, 2)) turn(s, made);
    const bool unlike = pick(s, 3) == 0;
    for (int i = 0; unlike && i < made->nb; i++)
        if (pick(s, 2)) {
            made->body[i].inv_mass /= 2;
            for (int r = 0; r < 3; r++)
                made->body[i].inv_inertia[4 * r] /= 2;
        }
    const double rough = mu[pick(s, 4)], bouncy = e[pick(s, 3)];
    for (int i = 0; i < made->nc; i++) {
        made->mu[i] = rough;
        made->e[i] = bouncy;
    }
}
