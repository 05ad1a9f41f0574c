/* piles.c - sphere piles, walls, bins, chains and stacked tables. */
#include "piles.h"

#include "contact/delassus.h"
#include "contact/frame.h"
#include "gen.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *pile_name(pile_kind kind) {
    static const char *const names[PILE_KINDS] = {"spheres", "wall", "box", "chain", "tables"};
    return names[kind];
}

/* Bodies and contacts while they are collected. */
typedef struct pile {
    gen_stream s;
    imp_body *body;
    imp_contact *contact;
    double *size; /* (bodies) m, half height or radius */
    int bodies, contacts, body_room, contact_room;
} pile;

static bool room(pile *p, int bodies, int contacts) {
    p->body_room = bodies;
    p->contact_room = contacts;
    p->body = malloc((size_t)bodies * sizeof *p->body);
    p->size = malloc((size_t)bodies * sizeof *p->size);
    p->contact = malloc((size_t)contacts * sizeof *p->contact);
    return p->body && p->size && p->contact;
}

/* A brick of half sizes h, or a ball whose radius they are. Returns its number, the last one again
 * when full. */
static int add_body(pile *p, const double at[3], const double h[3], bool ball) {
    if (p->bodies == p->body_room) return p->bodies - 1;
    const double volume = (ball ? 4.18879 : 8) * h[0] * h[1] * h[2];
    imp_body b = {.inv_mass = 1 / (1000 * volume), .orientation = {1, 0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        const double j = h[(i + 1) % 3], k = h[(i + 2) % 3];
        b.inv_inertia[4 * i] = b.inv_mass * (ball ? 2.5 / (j * j) : 3 / (j * j + k * k));
        b.position[i] = at[i];
        b.velocity[i] = 0.01 * gen_normal(&p->s);
        b.spin[i] = 0.01 * gen_normal(&p->s);
    }
    b.velocity[2] -= 9.81 * 0.01;
    p->size[p->bodies] = h[2];
    p->body[p->bodies] = b;
    return p->bodies++;
}

static void touch(pile *p, int a, int b, const double point[3], const double normal[3]) {
    if (p->contacts == p->contact_room) return;
    imp_contact *c = &p->contact[p->contacts++];
    c->a = a;
    c->b = b;
    memcpy(c->point, point, sizeof c->point);
    (void)imp_frame_from_normal(normal, c->frame);
}

/* All pairs of balls closer than their radii, with a hand's breadth more. */
static void touch_balls(pile *p) {
    for (int a = 0; a < p->bodies; a++)
        for (int b = a + 1; b < p->bodies; b++) {
            double n[3], point[3], square = 0;
            const double reach = p->size[a] + p->size[b];
            for (int i = 0; i < 3; i++) {
                n[i] = p->body[b].position[i] - p->body[a].position[i];
                square += n[i] * n[i];
            }
            if (square > 1.02 * 1.02 * reach * reach) continue;
            for (int i = 0; i < 3; i++)
                point[i] = p->body[a].position[i] + n[i] * p->size[a] / reach;
            touch(p, a, b, point, n);
        }
}

static void spheres(pile *p) {
    const double up[3] = {0, 0, 1};
    const int side = (int)fmax(2, cbrt(p->contact_room / 3.0));
    for (int layer = 0; p->bodies < p->body_room; layer++)
        for (int k = 0; k < side * side && p->bodies < p->body_room; k++) {
            const int row = k / side;
            const double shift = layer % 2 ? 1 : 0;
            /* radius 1 */
            const double at[3] = {2.01 * (k % side) + shift, 2.01 * row + shift, 1 + 1.42 * layer};
            const double radius = gen_uniform(&p->s, 0.985, 1), h[3] = {radius, radius, radius};
            const int b = add_body(p, at, h, true);
            const double point[3] = {at[0], at[1], 0};
            if (layer == 0) touch(p, IMP_GROUND, b, point, up);
        }
    touch_balls(p);
}

/* Four points of the rectangle common to brick b and what lies under it. */
static void lay(pile *p, int below, int b, double x0, double x1, double y, double z) {
    const double up[3] = {0, 0, 1};
    for (int k = 0; k < 4; k++) {
        const double point[3] = {k & 1 ? x1 : x0, k & 2 ? y : -y, z};
        touch(p, below, b, point, up);
    }
}

static void wall(pile *p) {
    const double h[3] = {1, 0.5, 0.4};
    const int across = (int)fmax(2, sqrt(p->contact_room / 12.0));
    for (int row = 0; p->contacts + 8 <= p->contact_room && p->bodies < p->body_room; row++)
        for (int k = 0; k < across && p->bodies < p->body_room; k++) {
            const double x = 2.0 * k + (row % 2 ? 1 : 0), z = 0.4 + 0.8 * row, at[3] = {x, 0, z};
            const int b = add_body(p, at, h, false), under = b - across;
            if (row == 0) {
                lay(p, IMP_GROUND, b, x - 0.9, x + 0.9, 0.45, 0);
                continue;
            }
            /* left of it in the row below */
            const int left = row % 2 ? under : under - 1, right = left + 1;
            const int first = across * (row - 1), end = across * row;
            if (left >= first) lay(p, left, b, x - 0.9, x - 0.1, 0.45, z - 0.4);
            if (right < end) lay(p, right, b, x + 0.1, x + 0.9, 0.45, z - 0.4);
        }
}

static void bin(pile *p) {
    const int side = (int)fmax(2, cbrt(p->body_room));
    const double up[3] = {0, 0, 1};
    while (p->bodies < p->body_room) {
        const int k = p->bodies, x = k % side, y = k / side % side, z = k / (side * side);
        double at[3] = {x, y, z}, h[3];
        for (int i = 0; i < 3; i++) {
            at[i] += gen_uniform(&p->s, -0.2, 0.2);
            h[i] = gen_power10(&p->s, -0.9, -0.3);
        }
        if (k % 2) h[1] = h[2] = h[0];
        const int b = add_body(p, at, h, k % 2),
                  neighbours[3] = {x > 0 ? 1 : 0, y > 0 ? side : 0, z > 0 ? side * side : 0};
        for (int i = 0; i < 3; i++) {
            if (neighbours[i] == 0 && i < 2) continue;
            const int a = neighbours[i] ? b - neighbours[i] : IMP_GROUND,
                      points = 1 + (int)gen_uniform(&p->s, 0, 3);
            for (int q = 0; q < points; q++) {
                double n[3], point[3];
                for (int r = 0; r < 3; r++) {
                    const double other =
                        a == IMP_GROUND ? (r == 2 ? -0.5 : at[r]) : p->body[a].position[r];
                    n[r] = (a == IMP_GROUND ? up[r] : at[r] - other) + 0.1 * gen_normal(&p->s);
                    point[r] = 0.5 * (at[r] + other) + 0.25 * p->size[b] * gen_normal(&p->s);
                }
                touch(p, a, b, point, n);
            }
        }
    }
}

static void chain(pile *p) {
    const double up[3] = {0, 0, 1}, h[3] = {1, 1, 1};
    double x = 0;
    while (p->bodies < p->body_room && p->contacts + 2 <= p->contact_room) {
        const double at[3] = {x, 0.05 * gen_normal(&p->s), 1}, point[3] = {x, at[1], 0};
        const int b = add_body(p, at, h, true);
        x += 1.99;
        p->body[b].velocity[0] += p->bodies < 3 ? 1 : 0; /* hit from one end */
        touch(p, IMP_GROUND, b, point, up);
    }
    touch_balls(p);
}

static void tables(pile *p) {
    const double h[3] = {1, 1, 0.1}, up[3] = {0, 0, 1};
    for (int storey = 0; p->bodies < p->body_room && p->contacts + 4 <= p->contact_room; storey++) {
        const double at[3] = {0.1 * gen_normal(&p->s), 0.1 * gen_normal(&p->s), 0.1 + storey};
        const int b = add_body(p, at, h, false);
        for (int leg = 0; leg < 4; leg++) {
            const double point[3] = {at[0] + (leg & 1 ? 0.7 : -0.7), at[1] + (leg & 2 ? 0.7 : -0.7),
                                     storey};
            touch(p, b - 1, b, point, up); /* the body before the first is the ground */
        }
    }
}

/* Triplets while they are collected. */
typedef struct triplets {
    int *row, *column, count;
    double *value;
} triplets;

static bool triplets_room(triplets *t, int most) {
    *t = (triplets){.row = malloc((size_t)most * sizeof *t->row),
                    .column = malloc((size_t)most * sizeof *t->column),
                    .value = malloc((size_t)most * sizeof *t->value)};
    return t->row && t->column && t->value;
}

static void triplet(triplets *t, int row, int column, double value) {
    if (value == 0) return;
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
}

static imp_status triplets_end(triplets *t, bool good, int rows, int columns, imp_sparse *matrix) {
    const imp_status status = good ? imp_sparse_from_triplets(rows, columns, t->count, t->row,
                                                              t->column, t->value, matrix)
                                   : IMP_NO_MEMORY;
    free(t->row);
    free(t->column);
    free(t->value);
    return status;
}

/* Bodies have the orientation of the world here: M is diagonal. */
static imp_status mass_matrix(const pile *p, imp_sparse *M) {
    triplets t;
    const bool good = triplets_room(&t, 6 * p->bodies);
    for (int b = 0; good && b < p->bodies; b++)
        for (int i = 0; i < 3; i++) {
            triplet(&t, 6 * b + i, 6 * b + i, 1 / p->body[b].inv_mass);
            triplet(&t, 6 * b + 3 + i, 6 * b + 3 + i, 1 / p->body[b].inv_inertia[4 * i]);
        }
    return triplets_end(&t, good, 6 * p->bodies, 6 * p->bodies, M);
}

/* Column (c, r) of H: what a unit impulse along axis r of contact c gives the bodies. */
static imp_status wrenches(const pile *p, imp_sparse *H) {
    triplets t;
    const bool good = triplets_room(&t, 36 * p->contacts);
    for (int c = 0; good && c < p->contacts; c++)
        for (int side = 0; side < 2; side++) {
            const imp_contact *contact = &p->contact[c];
            const int body = side ? contact->b : contact->a;
            if (body == IMP_GROUND) continue;
            double arm[3];
            for (int i = 0; i < 3; i++)
                arm[i] = contact->point[i] - p->body[body].position[i];
            for (int r = 0; r < 3; r++) {
                const double sign = side ? 1 : -1, *d = contact->frame + 3 * (size_t)r;
                for (int i = 0; i < 3; i++) {
                    const int j = (i + 1) % 3, k = (i + 2) % 3;
                    triplet(&t, 6 * body + i, 3 * c + r, sign * d[i]);
                    triplet(&t, 6 * body + 3 + i, 3 * c + r,
                            sign * (arm[j] * d[k] - arm[k] * d[j]));
                }
            }
        }
    return triplets_end(&t, good, 6 * p->bodies, 3 * p->contacts, H);
}

imp_status pile_make(pile_kind kind, uint64_t seed, int contacts, imp_fclib *problem) {
    static void (*const build[PILE_KINDS])(pile *) = {spheres, wall, bin, chain, tables};
    static const double contacts_per_body[PILE_KINDS] = {4, 7, 5, 2, 4};
    pile p = {.s = gen_seed(905 + (uint64_t)kind, seed)};
    const int bodies = (int)fmax(2, contacts / contacts_per_body[kind]);
    *problem = (imp_fclib){0};
    imp_status status = room(&p, bodies, 2 * contacts + 16) ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        build[kind](&p);
        problem->nc = p.contacts;
        problem->dof = 6 * p.bodies;
        problem->f = calloc((size_t)problem->dof, sizeof *problem->f);
        problem->w = calloc(3 * (size_t)p.contacts, sizeof *problem->w);
        problem->mu = malloc((size_t)p.contacts * sizeof *problem->mu);
        status =
            problem->f && problem->w && problem->mu ? mass_matrix(&p, &problem->M) : IMP_NO_MEMORY;
    }
    if (status == IMP_OK) status = wrenches(&p, &problem->H);
    for (int b = 0; status == IMP_OK && b < p.bodies; b++)
        for (int i = 0; i < 3; i++) {
            problem->f[6 * b + i] = p.body[b].velocity[i] / p.body[b].inv_mass;
            problem->f[6 * b + 3 + i] = p.body[b].spin[i] / p.body[b].inv_inertia[4 * i];
        }
    for (int c = 0; status == IMP_OK && c < p.contacts; c++)
        problem->mu[c] = gen_uniform(&p.s, 0.1, 0.9);
    if (status == IMP_OK &&
        asprintf(&problem->title, "%s-%d-%d", pile_name(kind), contacts, (int)seed) < 0) {
        problem->title = NULL;
        status = IMP_NO_MEMORY;
    }
    if (status != IMP_OK) imp_fclib_clear(problem);
    free(p.body);
    free(p.size);
    free(p.contact);
    return status;
}
