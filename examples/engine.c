/* engine.c - a small engine, two balls and two boxes on the ground, that dumps each of its steps by
 * impact_dump.h. C99 and C++11.
 *
 *     $ gcc -Ilib examples/engine.c -o engine -lm
 *     $ ./engine dump.jsonl
 *     $ impact check --model moreau dump.jsonl
 *
 * Contacts are solved by sequential impulses on the bodies' velocities, one contact after another
 * until nothing changes: Coulomb's law with Newton's restitution. */
#include "impact_dump.h"

enum { BODIES = 4, CONTACTS = 24, STEPS = 120, SWEEPS = 20000 };
static const double h = 0.005, gravity = 9.81, mu = 0.4, e = 0.5;
static const double slow = 0.2; /* m/s, below which nothing bounces */

typedef struct shape {
    double radius;  /* m, of a ball; 0: a box */
    double half[3]; /* m */
    double turn[9]; /* body to world */
} shape;

typedef struct engine {
    shape shapes[BODIES];
    imp_dump_body body[BODIES];
    imp_dump_contact contact[CONTACTS];
    double impulse[3 * CONTACTS]; /* N s, world, on b */
    int contacts;
} engine;

static void add(engine *w, int i, double radius, double half, double x, double z, double speed) {
    shape *s = &w->shapes[i];
    imp_dump_body *b = &w->body[i];
    const double inverse = radius > 0 ? 2.5 / (radius * radius) : 1.5 / (half * half);
    s->radius = radius;
    b->inv_mass = 1;
    b->position[0] = x;
    b->position[2] = z;
    b->velocity[0] = speed;
    b->spin[1] = 2;
    for (int k = 0; k < 3; k++) {
        s->half[k] = half;
        s->turn[4 * k] = 1;
        b->inv_inertia[4 * k] = inverse; /* of a ball or a cube in any attitude */
    }
}

/* Turns the body by its spin over a step, and its axes back to right angles. */
static void turn(shape *s, const double spin[3]) {
    double column[3], rate[3];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            column[k] = s->turn[3 * k + c];
        imp_dump_cross(spin, column, rate);
        for (int k = 0; k < 3; k++)
            column[k] += h * rate[k];
        for (int before = 0; before < c; before++) {
            double along = 0;
            for (int k = 0; k < 3; k++)
                along += column[k] * s->turn[3 * k + before];
            for (int k = 0; k < 3; k++)
                column[k] -= along * s->turn[3 * k + before];
        }
        const double length = sqrt(imp_dump_dot(column, column));
        for (int k = 0; k < 3; k++)
            s->turn[3 * k + c] = column[k] / length;
    }
}

static void touch(engine *w, int a, int b, const double point[3], const double normal[3],
                  double depth) {
    imp_dump_contact *c = &w->contact[w->contacts];
    if (depth < 0 || w->contacts == CONTACTS) return;
    memset(c, 0, sizeof *c);
    c->a = a;
    c->b = b;
    c->mu = mu;
    memcpy(c->point, point, sizeof c->point);
    memcpy(c->normal, normal, sizeof c->normal);
    for (int k = 0; k < 3; k++)
        c->target[k] = 0.1 * depth / h * normal[k]; /* a tenth of an overlap goes in a step */
    w->contacts++;
}

static void detect(engine *w) {
    const double up[3] = {0, 0, 1};
    w->contacts = 0;
    for (int i = 0; i < BODIES; i++) {
        const shape *s = &w->shapes[i];
        const double *x = w->body[i].position;
        for (int corner = 0; corner < (s->radius > 0 ? 1 : 8); corner++) {
            double point[3] = {x[0], x[1], x[2] - s->radius};
            for (int k = 0; s->radius == 0 && k < 9; k++)
                point[k / 3] += s->turn[k] * s->half[k % 3] * (corner >> k % 3 & 1 ? 1 : -1);
            touch(w, IMP_DUMP_GROUND, i, point, up, -point[2]);
        }
        for (int j = 0; s->radius > 0 && j < i; j++) {
            double way[3], point[3];
            for (int k = 0; k < 3; k++)
                way[k] = x[k] - w->body[j].position[k];
            const double length = sqrt(imp_dump_dot(way, way));
            for (int k = 0; k < 3; k++) {
                way[k] /= length;
                point[k] = x[k] - s->radius * way[k];
            }
            if (w->shapes[j].radius > 0)
                touch(w, j, i, point, way, s->radius + w->shapes[j].radius - length);
        }
    }
}

/* What an impulse on b, and against it on a, does to the velocities. */
static void push(engine *w, const imp_dump_contact *c, const double p[3], double sign) {
    for (int s = 0; s < 2; s++) {
        const int i = s ? c->b : c->a;
        double arm[3], torque[3];
        if (i == IMP_DUMP_GROUND) continue;
        imp_dump_body *b = &w->body[i];
        for (int k = 0; k < 3; k++) {
            arm[k] = c->point[k] - b->position[k];
            b->velocity[k] += (s ? sign : -sign) * b->inv_mass * p[k];
        }
        imp_dump_cross(arm, p, torque);
        for (int k = 0; k < 3; k++)
            b->spin[k] += (s ? sign : -sign) * b->inv_inertia[4 * k] * torque[k];
    }
}

/* The velocity of b against a at the contact, without the target's. */
static void slip(const engine *w, const imp_dump_contact *c, double u[3]) {
    for (int k = 0; k < 3; k++)
        u[k] = -c->target[k];
    for (int s = 0; s < 2; s++) {
        const int i = s ? c->b : c->a;
        double arm[3], turning[3];
        if (i == IMP_DUMP_GROUND) continue;
        for (int k = 0; k < 3; k++)
            arm[k] = c->point[k] - w->body[i].position[k];
        imp_dump_cross(w->body[i].spin, arm, turning);
        for (int k = 0; k < 3; k++)
            u[k] += (s ? 1 : -1) * (w->body[i].velocity[k] + turning[k]);
    }
}

/* The impulse p of a contact anew, the others held: p_n by the velocity along the normal, then
 * friction against the slip, within the cone. bounce: m/s, the u_n to leave with; inverse[2]: kg,
 * along and across the normal. Returns how far p moved. */
static double solve_contact(engine *w, const imp_dump_contact *c, double bounce,
                            const double inverse[2], double p[3]) {
    double u[3], change[3], moved = 0;
    for (int friction = 0; friction < 2; friction++) {
        double next[3], size = 0;
        slip(w, c, u);
        const double pn = imp_dump_dot(p, c->normal), un = imp_dump_dot(u, c->normal);
        double normal = pn;
        if (!friction) {
            normal -= inverse[0] * (un - bounce);
            if (normal < 0) normal = 0;
        }
        for (int k = 0; k < 3; k++) {
            next[k] = p[k] - pn * c->normal[k];
            if (friction) next[k] -= inverse[1] * (u[k] - un * c->normal[k]);
            size += next[k] * next[k];
        }
        const double shorter = friction && sqrt(size) > c->mu * pn ? c->mu * pn / sqrt(size) : 1;
        for (int k = 0; k < 3; k++) {
            next[k] = shorter * next[k] + normal * c->normal[k];
            change[k] = next[k] - p[k];
            p[k] = next[k];
        }
        push(w, c, change, 1);
        moved += imp_dump_dot(change, change);
    }
    return sqrt(moved);
}

static void solve(engine *w) {
    double bounce[CONTACTS], inverse[CONTACTS][2], u[3];
    memset(w->impulse, 0, sizeof w->impulse);
    for (int i = 0; i < w->contacts; i++) {
        imp_dump_contact *c = &w->contact[i];
        double W[9];
        slip(w, c, u);
        c->e = imp_dump_dot(u, c->normal) < -slow ? e : 0;
        bounce[i] = -c->e * imp_dump_dot(u, c->normal);
        imp_dump_block(w->body, c, c, W);
        inverse[i][0] = 1 / W[0];
        inverse[i][1] = 1 / (W[4] + W[8]);
    }
    for (int sweep = 0, moves = 1; moves && sweep < SWEEPS; sweep++) {
        moves = 0;
        for (int i = 0; i < w->contacts; i++)
            if (solve_contact(w, &w->contact[i], bounce[i], inverse[i], w->impulse + 3 * i) > 1e-16)
                moves = 1;
    }
}

static int step(engine *w, FILE *file, int number) {
    imp_dump_body before[BODIES];
    char id[32];
    for (int i = 0; i < BODIES; i++)
        w->body[i].velocity[2] -= h * gravity;
    memcpy(before, w->body, sizeof before);
    detect(w);
    solve(w);
    snprintf(id, sizeof id, "step %d", number);
    const int fault = imp_dump_step(file, id, BODIES, before, w->contacts, w->contact, w->impulse);
    for (int i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++)
            w->body[i].position[k] += h * w->body[i].velocity[k];
        turn(&w->shapes[i], w->body[i].spin);
    }
    return fault;
}

int main(int count, char **argument) {
    static engine w;
    FILE *file = count > 1 ? fopen(argument[1], "w") : stdout;
    int fault = file ? 0 : IMP_DUMP_NOT_WRITTEN;
    add(&w, 0, 0.1, 0, 0, 0.15, 1);
    add(&w, 1, 0.1, 0, 0.25, 0.11, -1);
    add(&w, 2, 0, 0.1, 1, 0.3, 2);
    add(&w, 3, 0, 0.15, 2, 0.15, 1);
    for (int number = 1; !fault && number <= STEPS; number++)
        fault = step(&w, file, number);
    if (file && fclose(file) != 0) fault = IMP_DUMP_NOT_WRITTEN;
    return fault;
}
