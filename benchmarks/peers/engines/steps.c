/* steps.c - each step of the physics engine that this program is linked with, as a contact problem
 * with the engine's own answer (impact_dump.h). */
#include "benchmarks/harness/usage.h"
#include "benchmarks/peers/engines/scenes.h"
#include "base/worse.h"
#include "impact.h"

#include <math.h>
#include <string.h>

typedef struct moving {
    const peer_scene *scene;
    double attitude[PEER_BODIES][4];
    imp_dump_body body[PEER_BODIES]; /* as the contacts of the step find them */
    imp_dump_contact contact[PEER_CONTACTS];
    double impulse[3 * PEER_CONTACTS]; /* N s */
    int contacts;
    double unexplained; /* the largest, relative */
} moving;

static const double noise = 1e-9;

static double size_of(const peer_body *b) {
    return fmax(b->radius, fmax(b->half[0], fmax(b->half[1], b->half[2])));
}

/* The body at the end of a step of free flight, but where it was at the start. */
static void fly(moving *m, int i, const double x[3], const double v[6]) {
    const peer_body *b = &m->scene->body[i];
    imp_dump_body *out = &m->body[i];
    imp_body turned = {.inv_mass = 1 / b->mass}, heavy;
    double inertia[9], momentum[3], torque[3];
    memcpy(turned.orientation, m->attitude[i], sizeof turned.orientation);
    heavy = turned;
    for (int k = 0; k < 3; k++) {
        const double y = b->half[(k + 1) % 3], z = b->half[(k + 2) % 3];
        const double own =
            b->mass * (b->radius > 0 ? 0.4 * b->radius * b->radius : (y * y + z * z) / 3);
        turned.inv_inertia[4 * k] = 1 / own;
        heavy.inv_inertia[4 * k] = own;
    }
    out->inv_mass = turned.inv_mass;
    imp_body_inv_inertia_world(&turned, out->inv_inertia);
    imp_body_inv_inertia_world(&heavy, inertia); /* turned the same way */
    memcpy(out->position, x, sizeof out->position);
    memcpy(out->velocity, v, sizeof out->velocity);
    memcpy(out->spin, v + 3, sizeof out->spin);
    for (int k = 0; k < 3; k++) {
        out->velocity[k] += m->scene->h * m->scene->gravity[k];
        momentum[k] = imp_dump_dot(inertia + 3 * k, v + 3);
    }
    imp_dump_cross(momentum, v + 3, torque);
    for (int k = 0; k < 3; k++)
        out->spin[k] += m->scene->h * imp_dump_dot(out->inv_inertia + 3 * k, torque);
}

/* What the impulses make of the velocities (6) of a body. */
static void push(const moving *m, int i, double v[6]) {
    const imp_dump_body *b = &m->body[i];
    memcpy(v, b->velocity, sizeof b->velocity);
    memcpy(v + 3, b->spin, sizeof b->spin);
    for (int k = 0; k < m->contacts; k++) {
        const imp_dump_contact *c = &m->contact[k];
        const double sign = (c->b == i) - (c->a == i), *p = m->impulse + 3 * k;
        double arm[3], torque[3];
        for (int j = 0; j < 3; j++) {
            arm[j] = c->point[j] - b->position[j];
            v[j] += sign * b->inv_mass * p[j];
        }
        imp_dump_cross(arm, p, torque);
        for (int j = 0; j < 3; j++)
            v[3 + j] += sign * imp_dump_dot(b->inv_inertia + 3 * j, torque);
    }
}

static double speed(const double v[6], const double w[6], double size) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += (v[k] - w[k]) * (v[k] - w[k]) * (k < 3 ? 1 : size * size);
    return sqrt(sum);
}

/* Compares with the velocities after the step, and turns the bodies by them. */
static void land(moving *m, const peer_engine *e, void *world) {
    static const double rest[6] = {0};
    double fastest = 0, off = 0;
    for (int i = 0; i < m->scene->bodies; i++) {
        const double size = size_of(&m->scene->body[i]);
        double x[3], v[6], made[6], before[6], *q = m->attitude[i], length = 0;
        e->read(world, i, x, v);
        push(m, i, made);
        memcpy(before, m->body[i].velocity, 3 * sizeof *before);
        memcpy(before + 3, m->body[i].spin, 3 * sizeof *before);
        off = imp_worse(off, speed(v, made, size));
        fastest = fmax(fastest, fmax(speed(v, rest, size), speed(before, rest, size)));
        const double w[3] = {v[3], v[4], v[5]}, s = q[0], y[3] = {q[1], q[2], q[3]};
        double turn[3];
        imp_dump_cross(w, y, turn);
        q[0] -= m->scene->h / 2 * imp_dump_dot(w, y);
        for (int k = 0; k < 3; k++)
            q[1 + k] += m->scene->h / 2 * (s * w[k] + turn[k]);
        for (int k = 0; k < 4; k++)
            length += q[k] * q[k];
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(length);
    }
    if (off != 0) m->unexplained = imp_worse(m->unexplained, off / fastest);
}

/* Does a contact close or push by more than noise, 1e-9 m/s or N s? */
static int happens(const moving *m) {
    for (int i = 0; i < m->contacts; i++) {
        double q[3];
        imp_dump_free_velocity(m->body, &m->contact[i], q);
        if (q[0] < -noise || imp_dump_dot(m->impulse + 3 * i, m->impulse + 3 * i) > noise * noise)
            return 1;
    }
    return 0;
}

/* One step into the file, where it is wanted; 1: it was written, -1: it could not be. */
static int step(moving *m, const peer_engine *e, void *world, int number, FILE *file) {
    char id[24];
    for (int i = 0; i < m->scene->bodies; i++) {
        double x[3], v[6];
        e->read(world, i, x, v);
        fly(m, i, x, v);
    }
    e->step(world);
    memset(m->contact, 0, sizeof m->contact);
    m->contacts = e->contacts(world, m->contact, m->impulse);
    for (int i = 0; i < m->contacts; i++) {
        m->contact[i].mu = m->scene->mu;
        m->contact[i].e = m->scene->e;
    }
    land(m, e, world);
    if (!file || !happens(m)) return 0;
    snprintf(id, sizeof id, "step %d", number);
    return imp_dump_step(file, id, m->scene->bodies, m->body, m->contacts, m->contact, m->impulse)
               ? -1
               : 1;
}

/* `steps` of the scene, every `every`-th of them into the file of a number. */
static int dump(const peer_engine *e, const char *folder, int number, const char *name,
                peer_scene scene, int steps, int every) {
    static moving m;
    char path[4096];
    int written = 0, fault = 0;
    scene.report = 1;
    memset(&m, 0, sizeof m);
    m.scene = &scene;
    for (int i = 0; i < scene.bodies; i++)
        memcpy(m.attitude[i], scene.body[i].attitude, sizeof m.attitude[i]);
    snprintf(path, sizeof path, "%s/%s, %d.jsonl", folder, e->name, number);
    FILE *file = fopen(path, "w");
    void *world = file ? e->open(&scene) : NULL;
    for (int k = 1; world && !fault && k <= steps; k++) {
        const int outcome = step(&m, e, world, k, k % every == 0 ? file : NULL);
        written += outcome > 0;
        fault = outcome < 0;
    }
    if (world) e->close(world);
    m.scene = NULL;
    if (file && fclose(file) != 0) fault = 1;
    if (!world || fault) return 1;
    printf("%s\t%s\t%s\t%d\t%.1e\n", path, e->name, name, written, m.unexplained);
    return 0;
}

static const char *engine_at(int k) {
    return peer_engines[k].name;
}

static const char *settings_at(int k) {
    return peer_engines[k].settings;
}

static const usage about = {
    .program = "steps",
    .arguments = "FOLDER",
    .most = 1,
    .text =
        "Writes each step of the physics engine that this program is linked with into FOLDER, "
        "as a contact problem with the\n"
        "engine's own answer (impact_dump.h). Rows on standard output: the file of a scene, the "
        "engine, the scene, how many\n"
        "steps are in it, and how far the velocities after a step are from those that the "
        "reported impulses make of the\n"
        "velocities before it, gravity and the torque of its spin, relative to the fastest "
        "point. Steps in which nothing\n"
        "closes and nothing pushes are left out. Exit 1: a file cannot be written, or the engine "
        "does not take a scene; 2: bad\n"
        "use.\n",
    .name = engine_at,
    .title = settings_at,
};

int main(int argc, char **argv) {
    int faults = 0;
    usage_answer(&about, argc, argv);
    if (argc < 2) usage_refuse(&about, "no folder");
    const char *folder = argv[1];
    for (const peer_engine *e = peer_engines; e->name; e++) {
        if (!e->contacts) continue;
        printf("# %s: %s\n", e->name, e->settings);
        faults += dump(e, folder, 1, "ball, e = 0.5, slides", scene_ball(0.2, 0.5, 3, -scene_depth),
                       60, 1);
        faults +=
            dump(e, folder, 2, "ball, e = 0, sticks", scene_ball(0.5, 0, 1, -scene_depth), 60, 1);
        faults += dump(e, folder, 3, "box on a corner, e = 0", scene_corner(), 60, 1);
        faults += dump(e, folder, 4, "cradle of five, e = 1", scene_cradle(), 60, 1);
        faults += dump(e, folder, 5, "box sliding to rest", scene_sliding(), 1000, 10);
        faults += dump(e, folder, 6, "stack of ten", scene_stack(), 200, 5);
    }
    return faults > 0;
}
