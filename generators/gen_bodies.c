/* gen_bodies.c - random rigid bodies in contact: what "random problem of several contacts" means in
 * tests. */
#include "gen.h"

#include "contact/frame.h"

#include <math.h>

static void random_vector(gen_stream *s, double size, double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = size * gen_normal(s);
}

/* A box of half sizes `half` somewhere, turned and moving at random. */
static imp_body random_body(gen_stream *s, double half[3]) {
    imp_body body = {.inv_mass = gen_power10(s, -1, 1)};
    double norm = 0;
    for (int i = 0; i < 3; i++)
        half[i] = gen_exp(gen_uniform(s, -1, 0.5));
    for (int i = 0; i < 3; i++) {
        const double b = half[(i + 1) % 3], c = half[(i + 2) % 3];
        body.inv_inertia[4 * i] = 3 * body.inv_mass / (b * b + c * c);
    }
    random_vector(s, 1, body.position);
    for (int i = 0; i < 4; i++) {
        body.orientation[i] = gen_normal(s);
        norm += body.orientation[i] * body.orientation[i];
    }
    for (int i = 0; i < 4; i++)
        body.orientation[i] /= sqrt(norm);
    random_vector(s, 1, body.velocity);
    random_vector(s, 0.5, body.spin);
    return body;
}

/* One box on the ground, touching at the corners of its lower face, then at points of that face:
 * from the fourth on the contacts are redundant and W is singular. */
static void table(gen_stream *s, gen_many *p) {
    double half[3];
    const double up[3] = {0, 0, 1}, still[4] = {1, 0, 0, 0};
    p->nb = 1;
    p->body[0] = random_body(s, half);
    for (int i = 0; i < 4; i++)
        p->body[0].orientation[i] = still[i];
    p->body[0].velocity[2] = -fabs(p->body[0].velocity[2]);
    for (int i = 0; i < p->nc; i++) {
        imp_contact *c = &p->contact[i];
        const double x = i < 4 ? (i & 1 ? 1 : -1) : gen_uniform(s, -1, 1);
        const double y = i < 4 ? (i & 2 ? 1 : -1) : gen_uniform(s, -1, 1);
        c->a = IMP_GROUND;
        c->b = 0;
        c->point[0] = p->body[0].position[0] + half[0] * x;
        c->point[1] = p->body[0].position[1] + half[1] * y;
        c->point[2] = p->body[0].position[2] - half[2];
        (void)imp_frame_from_normal(up, c->frame);
    }
}

/* Up to three boxes touching each other and the ground at random points with random normals. */
static void pile(gen_stream *s, gen_many *p) {
    double half[3];
    p->nb = 1 + (int)gen_uniform(s, 0, 3);
    for (int i = 0; i < p->nb; i++)
        p->body[i] = random_body(s, half);
    for (int i = 0; i < p->nc; i++) {
        imp_contact *c = &p->contact[i];
        double normal[3];
        c->b = i % p->nb;
        c->a = (int)gen_uniform(s, 0, p->nb + 1) - 1;
        if (c->a == c->b) c->a = IMP_GROUND;
        random_vector(s, 1, normal);
        random_vector(s, 0.6, c->point);
        for (int k = 0; k < 3; k++)
            c->point[k] += p->body[c->b].position[k];
        (void)imp_frame_from_normal(normal, c->frame);
    }
}

/* Spheres of equal radius in a bent row, the first one on the ground: contact i between sphere i -
 * 1 and sphere i. */
static void row(gen_stream *s, gen_many *p) {
    double half[3], normal[3], at[3] = {0};
    p->nb = p->nc;
    for (int i = 0; i < p->nc; i++) {
        imp_contact *c = &p->contact[i];
        imp_body *body = &p->body[i];
        *body = random_body(s, half);
        for (int k = 0; k < 3; k++)
            body->inv_inertia[4 * k] = 2.5 * body->inv_mass; /* radius 1 */
        c->a = i == 0 ? IMP_GROUND : i - 1;
        c->b = i;
        random_vector(s, 0.3, normal);
        normal[2] += 1;
        (void)imp_frame_from_normal(normal, c->frame);
        for (int k = 0; k < 3; k++) {
            c->point[k] = at[k] + (i == 0 ? 0 : c->frame[k]);
            body->position[k] = at[k] = c->point[k] + c->frame[k];
        }
    }
}

gen_many gen_bodies(uint64_t index, int nc) {
    gen_many p = {.nc = nc};
    gen_stream s = gen_seed(GEN_CLASSES + (uint64_t)nc, index);
    switch (index % 3) {
    case 0: table(&s, &p); break;
    case 1: pile(&s, &p); break;
    default: row(&s, &p); break;
    }
    for (int i = 0; i < nc; i++)
        p.mu[i] = gen_uniform(&s, 0, 1.5);
    (void)imp_delassus_dense(p.nb, p.body, p.nc, p.contact, p.W, p.q);
    return p;
}

void gen_strike(gen_many *p, int striker) {
    for (int i = 0; i < p->nb; i++)
        for (int r = 0; i != striker && r < 3; r++)
            p->body[i].velocity[r] = p->body[i].spin[r] = 0;
    (void)imp_delassus_dense(p->nb, p->body, p->nc, p->contact, p->W, p->q);
}

static imp_body loose_body(gen_stream *s, double decades) {
    const double scale = decades > 0 ? gen_power10(s, -decades / 2, decades / 2) : 1;
    imp_body body = {.inv_mass = scale / gen_uniform(s, 0.5, 2), .orientation = {1}};
    double R[9], moment[3];
    gen_rotation(s, R);
    for (int k = 0; k < 3; k++)
        moment[k] = scale * gen_uniform(s, 1, 10);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += R[3 * i + k] * moment[k] * R[3 * j + k];
            body.inv_inertia[3 * i + j] = body.inv_inertia[3 * j + i] = sum;
        }
    for (int k = 0; k < 3; k++) {
        body.velocity[k] = gen_normal(s);
        body.spin[k] = gen_normal(s);
    }
    return body;
}

gen_many gen_loose(uint64_t class, uint64_t index, int most, double most_mu, double decades,
                   double e[GEN_MOST_CONTACTS]) {
    gen_stream s = gen_seed(class, index);
    gen_many p = {.nb = 2};
    p.nc = 1 + (int)gen_uniform(&s, 0, most);
    for (int b = 0; b < p.nb; b++)
        p.body[b] = loose_body(&s, decades);
    for (int i = 0; i < p.nc; i++) {
        imp_contact *c = &p.contact[i];
        double normal[3];
        c->a = gen_uniform(&s, 0, 1) < 0.5 ? IMP_GROUND : 0;
        c->b = 1;
        for (int k = 0; k < 3; k++) {
            c->point[k] = gen_uniform(&s, -0.5, 0.5);
            normal[k] = gen_normal(&s);
        }
        (void)imp_frame_from_normal(normal, c->frame);
        p.mu[i] = gen_uniform(&s, 0, most_mu);
        e[i] = gen_uniform(&s, 0, 1);
    }
    (void)imp_delassus_dense(p.nb, p.body, p.nc, p.contact, p.W, p.q);
    return p;
}
