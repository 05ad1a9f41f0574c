/* gen_jam.c - see gen_jam.h. */
#include "gen_jam.h"

#include "contact/frame.h"

#include <math.h>

enum { BALLS = GEN_JAM_ROWS * GEN_JAM_WIDTH };

typedef struct heap {
    int nb, nc;
    imp_body body[BALLS];
    imp_contact contact[GEN_JAM_CONTACTS];
} heap;

/* Ball b touches a body a, or what never moves, along the direction (x, z) from there. */
static void touch(heap *h, int a, int b, double x, double z) {
    const double normal[3] = {x, 0, z};
    imp_contact *c = &h->contact[h->nc++];
    *c = (imp_contact){.a = a, .b = b};
    for (int r = 0; r < 3; r++)
        c->point[r] = h->body[b].position[r] - normal[r];
    (void)imp_frame_from_normal(normal, c->frame);
}

/* Ball i of a row of `count`, and what it touches to its left, right and below. */
static void put(heap *h, int row, int i, int count, double mass) {
    const bool short_row = row % 2;
    const double x = 2 * i + short_row, high = sqrt(0.75);
    const int b = h->nb++,
              below = b - count - (short_row ? 1 : 0); /* the left one, or next to it */
    h->body[b] = (imp_body){
        .inv_mass = 1 / mass, .orientation = {1}, .position = {x, 0, 1 + 2 * high * row}};
    for (int r = 0; r < 3; r++)
        h->body[b].inv_inertia[4 * r] = 2.5 / mass;
    if (row == 0) touch(h, IMP_GROUND, b, 0, 1);
    if (i > 0) touch(h, b - 1, b, 1, 0);
    if (!short_row && i == 0) touch(h, IMP_GROUND, b, 1, 0);
    if (!short_row && i == count - 1) touch(h, IMP_GROUND, b, -1, 0);
    if (row > 0 && (short_row || i > 0)) touch(h, below, b, 0.5, high);
    if (row > 0 && (short_row || i < count - 1)) touch(h, below + 1, b, -0.5, high);
}

void gen_jam_of(gen_stream *s, int rows, int width, double decades, double mu, gen_jam *jam) {
    heap h = {0, 0, {{0}}, {{0}}};
    for (int row = 0; row < rows; row++) {
        const int count = width - row % 2;
        for (int i = 0; i < count; i++)
            put(&h, row, i, count, gen_power10(s, -decades, decades));
    }
    double *velocity = h.body[h.nb - 1].velocity;
    for (int r = 0; r < 3; r++)
        velocity[r] = gen_normal(s);
    velocity[2] -= 5;
    jam->nc = h.nc;
    for (int i = 0; i < h.nc; i++)
        jam->mu[i] = mu;
    (void)imp_delassus_dense(h.nb, h.body, h.nc, h.contact, jam->W, jam->q);
}
