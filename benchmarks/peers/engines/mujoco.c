/* mujoco.c - the scenes in MuJoCo (Todorov; Debian: libmujoco-dev).
 *
 * Its contacts are soft by design. Documented settings that come closest: solref in the direct form
 * (-k, -b) with sqrt(k) h = 0.2, about 15 steps of contact, and b for the damping ratio z of the
 * restitution wanted, e = exp(-pi z / sqrt(1 - z^2)); solimp 0.9999; elliptic cones, impratio 10;
 * Newton's method to 1e-12. By its preset integrator, Euler, and by the one that its manual advises
 * for what keeps its energy and spins, RK4, whose step has four sets of contacts: none is
 * reported. */
#include "benchmarks/peers/engines/engine.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 14, SETTLE = 60 };

typedef struct world {
    const peer_scene *scene;
    mjModel *model;
    mjData *data;
} world;

static void quiet(const char *text) {
    (void)text;
}

static void describe(const peer_scene *s, const char *integrator, FILE *f) {
    const double loss = s->e > 0 ? log(s->e) / acos(-1) : 0,
                 ratio = s->e > 0 ? -loss / sqrt(1 + loss * loss) : 1, rate = 0.2 / s->h;
    fprintf(
        f,
        "<mujoco><compiler angle='radian'/><option timestep='%.17g' gravity='%.17g %.17g %.17g' "
        "integrator='%s' cone='elliptic' "
        "impratio='10' solver='Newton' tolerance='1e-12' iterations='200'/><default><geom "
        "condim='%d' "
        "friction='%.17g 0 0' solref='%.17g %.17g' solimp='.9999 .9999 .001 .5 "
        "2'/></default><worldbody>",
        s->h, s->gravity[0], s->gravity[1], s->gravity[2], integrator, s->mu > 0 ? 3 : 1,
        s->mu > 0 ? s->mu : 1, -rate * rate, -2 * ratio * rate);
    if (s->ground) fputs("<geom type='plane' size='10 10 1'/>", f);
    for (int i = 0; i < s->bodies; i++) {
        const peer_body *b = &s->body[i];
        fprintf(f, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>",
                b->position[0], b->position[1], b->position[2], b->attitude[0], b->attitude[1],
                b->attitude[2], b->attitude[3]);
        if (b->length > 0)
            fprintf(f, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
                    b->mass, b->moment[0], b->moment[1], b->moment[2]);
        fprintf(f, "<geom mass='%.17g' ", b->mass);
        if (b->length > 0)
            fprintf(f, "type='capsule' size='%.17g %.17g'/></body>", b->radius, b->length / 2);
        else if (b->radius > 0)
            fprintf(f, "type='sphere' size='%.17g'/></body>", b->radius);
        else
            fprintf(f, "type='box' size='%.17g %.17g %.17g'/></body>", b->half[0], b->half[1],
                    b->half[2]);
    }
    fputs("</worldbody></mujoco>", f);
}

/* MuJoCo has the spin in the body's frame. */
static void turn(const mjtNum quaternion[4], const mjtNum *from, mjtNum *to, int back) {
    mjtNum inverse[4];
    mju_negQuat(inverse, quaternion);
    mju_rotVecQuat(to, from, back ? inverse : quaternion);
}

static void finish(void *data) {
    world *w = data;
    if (w->data) mj_deleteData(w->data);
    if (w->model) mj_deleteModel(w->model);
    free(w);
}

static void again(void *data) {
    const world *w = data;
    mj_resetData(w->model, w->data);
    for (int i = 0; i < w->scene->bodies; i++) {
        const peer_body *b = &w->scene->body[i];
        mjtNum *v = w->data->qvel + 6 * i;
        memcpy(v, b->velocity, 3 * sizeof *v);
        turn(b->attitude, b->velocity + 3, v + 3, 1);
    }
}

static void *open_by(const peer_scene *scene, const char *integrator) {
    static char text[TEXT], error[1000];
    world *w = calloc(1, sizeof *w);
    mjVFS *files = malloc(sizeof *files);
    FILE *f = fmemopen(text, sizeof text, "w");
    if (!w || !files || !f) return NULL;
    w->scene = scene;
    mju_user_warning = quiet;
    describe(scene, integrator, f);
    fclose(f);
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "scene.xml", (int)strlen(text)) == 0)
        memcpy(files->filedata[mj_findFileVFS(files, "scene.xml")], text, strlen(text));
    w->model = mj_loadXML("scene.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    free(files);
    if (!w->model) fprintf(stderr, "mujoco: %s\n", error);
    w->data = w->model ? mj_makeData(w->model) : NULL;
    if (!w->data) {
        finish(w);
        return NULL;
    }
    again(w);
    return w;
}

static void *open_euler(const peer_scene *scene) {
    return open_by(scene, "Euler");
}

static void *open_rk4(const peer_scene *scene) {
    return open_by(scene, "RK4");
}

static void step(void *data) {
    const world *w = data;
    mj_step(w->model, w->data);
}

static void read(void *data, int body, double position[3], double velocity[6]) {
    const world *w = data;
    const mjtNum *q = w->data->qpos + 7 * body, *v = w->data->qvel + 6 * body;
    memcpy(position, q, 3 * sizeof *q);
    memcpy(velocity, v, 3 * sizeof *v);
    turn(q + 3, v + 3, velocity + 3, 0);
}

static int contacts(void *data, imp_dump_contact *contact, double *impulse) {
    const world *w = data;
    int count = 0;
    for (int i = 0; i < w->data->ncon && count < PEER_CONTACTS; i++) {
        const mjContact *from = &w->data->contact[i];
        imp_dump_contact *c = &contact[count];
        mjtNum force[6];
        if (from->efc_address < 0) continue;
        mj_contactForce(w->model, w->data, i, force);
        c->a = w->model->geom_bodyid[from->geom1] - 1; /* body 0 is the ground */
        c->b = w->model->geom_bodyid[from->geom2] - 1;
        memcpy(c->point, from->pos, sizeof c->point);
        memcpy(c->normal, from->frame, sizeof c->normal);
        memcpy(c->tangent, from->frame + 3, sizeof c->tangent);
        for (int k = 0; k < 3; k++)
            impulse[3 * count + k] = w->model->opt.timestep *
                                     (force[0] * from->frame[k] + force[1] * from->frame[3 + k] +
                                      force[2] * from->frame[6 + k]);
        count++;
    }
    return count;
}

static const char settings[] = "solref (-k, -b) with sqrt(k) h = 0.2 and b for e, solimp 0.9999, "
                               "elliptic cones, impratio 10, Newton to 1e-12";

const peer_engine peer_engines[] = {
    {"MuJoCo, Euler", settings, SETTLE, open_euler, again, step, read, finish, contacts},
    {"MuJoCo, RK4", settings, SETTLE, open_rk4, again, step, read, finish, NULL},
    {0}};
