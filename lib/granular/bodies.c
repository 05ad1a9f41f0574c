/* bodies.c - the arrays of particles: made, grown, filled, read, moved. */
#include "granular/bodies.h"
#include "granular/work.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

bool imp_bodies_reserve(bodies *b, int n, bool tops) {
    const imp_sphere homogeneous = {.offset = 0};
    if (n < 1) n = 1; /* arrays are there for no particle, too: `top` says whether they turn */
    const bool first = tops && !b->top;
    int room[5] = {b->room, b->room, b->room, b->room, b->top ? b->room : 0};
    if (!imp_grow(&b->body, &room[0], n, sizeof *b->body) ||
        !imp_grow(&b->place, &room[1], n, sizeof *b->place) ||
        !imp_grow(&b->reference, &room[2], n, sizeof *b->reference) ||
        !imp_grow(&b->id, &room[3], n, sizeof *b->id) ||
        ((tops || b->top) && !imp_grow(&b->top, &room[4], room[0], sizeof *b->top)) ||
        !imp_grow(&b->own, &b->room, n, sizeof *b->own))
        return false;
    for (int i = 0; first && i < b->count; i++)
        b->top[i] = imp_top_of(&homogeneous);
    return true;
}

void imp_bodies_free(bodies *b) {
    free(b->body);
    free(b->place);
    free(b->reference);
    free(b->id);
    free(b->own);
    free(b->top);
    *b = (bodies){0};
}

size_t imp_particle_size(const bodies *b) {
    return b->top ? sizeof(particle) : offsetof(particle, top);
}

particle imp_bodies_get(const bodies *b, int i) {
    return (particle){b->body[i], b->place[i], b->id[i], b->top ? b->top[i] : (top){.turn = {1}}};
}

void imp_bodies_put(bodies *b, int i, const particle *one) {
    b->body[i] = one->body;
    b->place[i] = b->reference[i] = one->place;
    b->id[i] = one->id;
    b->own[i] = 1;
    if (b->top) b->top[i] = one->top;
}

int imp_bodies_own(const bodies *b) {
    int n = 0;
    for (int i = 0; i < b->count; i++)
        n += b->own[i];
    return n;
}

bool imp_bodies_statics(bodies *b, const surfaces *walls, int bricks) {
    if (!imp_bodies_reserve(b, b->count + bricks * (walls->n + 1), false)) return false;
    for (int k = 0; k < bricks; k++) {
        for (int i = 0; i < walls->n; i++) {
            body *one = &b->body[static_body(b, walls, k, i)];
            *one = (body){.friction = walls->at[i].friction};
            memcpy(one->v, walls->at[i].velocity, sizeof one->v);
        }
        b->body[static_body(b, walls, k, walls->n)] = (body){.inv_mass = 1};
    }
    return true;
}

particle imp_particle_of(const imp_sphere *s, int64_t id, double friction) {
    particle one = {.id = id, .top = imp_top_of(s)};
    one.body.inv_mass = 1 / imp_sphere_mass(s);
    one.body.friction = friction;
    one.place.radius = s->radius;
    for (int c = 0; c < 3; c++) {
        one.place.x[c] = s->position[c];
        one.body.v[c] = s->velocity[c];
        one.body.q[c] = s->radius * s->spin[c];
    }
    return one;
}

imp_sphere imp_particle_sphere(const particle *one) {
    const double R = one->place.radius;
    imp_sphere s = {.radius = R, .id = one->id, .offset = one->top.offset};
    s.density = 1 / (one->body.inv_mass * 4 / 3 * PI * R * R * R);
    for (int c = 0; c < 3; c++) {
        s.position[c] = one->place.x[c];
        s.velocity[c] = one->body.v[c];
        s.spin[c] = one->body.q[c] / R;
    }
    memcpy(s.orientation, one->top.turn, sizeof s.orientation);
    return s;
}

void imp_bodies_move(bodies *b, double h, int begin, int end) {
    for (int i = begin; i < end; i++)
        if (b->top && b->top[i].offset > 0)
            imp_top_move(h, &b->body[i], &b->place[i], &b->top[i]);
        else
            for (int c = 0; c < 3; c++)
                b->place[i].x[c] += h * b->body[i].v[c];
}
