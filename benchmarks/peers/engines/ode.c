/* ode.c - the scenes in the Open Dynamics Engine (Smith; Debian: libode-dev), by dWorldStep and
 * dWorldQuickStep.
 *
 * Documented settings: ERP as it is preset (0.2), but 0 without gravity, for impacts alone, no
 * correction of depth; no surface layer, bounce_vel 0; CFM as it is preset (1e-10), without which
 * stacks fail. Friction is a pyramid (dContactApprox1), one of whose directions is the slip's
 * (dContactFDir1), or ODE's where nothing slips. */
#include "benchmarks/peers/engines/engine.h"

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 8 };

typedef struct world {
    const peer_scene *scene;
    int quick;
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID body[PEER_BODIES];
    int contacts; /* of this step, where the scene asks for them */
    dContact contact[PEER_CONTACTS];
    dJointFeedback feedback[PEER_CONTACTS];
} world;

static void add(world *w, int i) {
    const peer_body *b = &w->scene->body[i];
    dMass mass;
    dGeomID geom;
    if (b->length > 0) {
        dMassSetParameters(&mass, b->mass, 0, 0, 0, b->moment[0], b->moment[1], b->moment[2], 0, 0,
                           0);
        geom = dCreateCapsule(w->space, b->radius, b->length);
    } else if (b->radius > 0) {
        dMassSetSphereTotal(&mass, b->mass, b->radius);
        geom = dCreateSphere(w->space, b->radius);
    } else {
        dMassSetBoxTotal(&mass, b->mass, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
        geom = dCreateBox(w->space, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
    }
    w->body[i] = dBodyCreate(w->world);
    dBodySetMass(w->body[i], &mass);
    dGeomSetBody(geom, w->body[i]);
    dBodySetAutoDisableFlag(w->body[i], 0);
}

/* dWorldQuickStep takes contacts in an order that it draws: by the same numbers each time. */
static void again(void *data) {
    const world *w = data;
    dRandSetSeed(0);
    for (int i = 0; i < w->scene->bodies; i++) {
        const peer_body *b = &w->scene->body[i];
        const double *x = b->position, *v = b->velocity;
        const dQuaternion turn = {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
        dBodySetPosition(w->body[i], x[0], x[1], x[2]);
        dBodySetQuaternion(w->body[i], turn);
        dBodySetLinearVel(w->body[i], v[0], v[1], v[2]);
        dBodySetAngularVel(w->body[i], v[3], v[4], v[5]);
    }
}

static void quiet(int number, const char *text, va_list arguments) {
    (void)number, (void)text, (void)arguments;
}

static void *open_with(const peer_scene *scene, int quick) {
    world *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    dInitODE2(0);
    dSetMessageHandler(quiet);
    w->scene = scene;
    w->quick = quick;
    w->world = dWorldCreate();
    w->space = dSimpleSpaceCreate(NULL);
    w->joints = dJointGroupCreate(0);
    dWorldSetGravity(w->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    dWorldSetERP(w->world, scene->gravity[2] != 0 ? 0.2 : 0);
    dWorldSetContactSurfaceLayer(w->world, 0);
    if (scene->ground) dCreatePlane(w->space, 0, 0, 1, 0);
    for (int i = 0; i < scene->bodies; i++)
        add(w, i);
    again(w);
    return w;
}

static void *open_step(const peer_scene *scene) {
    return open_with(scene, 0);
}

static void *open_quick(const peer_scene *scene) {
    return open_with(scene, 1);
}

/* The first direction of friction. */
static void direct(dContact *contact) {
    const dReal *n = contact->geom.normal, *x = contact->geom.pos;
    const dBodyID body[2] = {dGeomGetBody(contact->geom.g1), dGeomGetBody(contact->geom.g2)};
    dVector3 slip = {0}, v, other;
    for (int i = 0; i < 2; i++) {
        if (!body[i]) continue;
        dBodyGetPointVel(body[i], x[0], x[1], x[2], v);
        for (int k = 0; k < 3; k++)
            slip[k] += i == 0 ? v[k] : -v[k];
    }
    dAddScaledVectors3(slip, slip, n, 1, -dCalcVectorDot3(slip, n));
    const double speed = dCalcVectorLength3(slip);
    dPlaneSpace(n, contact->fdir1, other);
    if (speed > 1e-6) dCopyScaledVector3(contact->fdir1, slip, 1 / speed); /* m/s */
}

static void touch(void *data, dGeomID a, dGeomID b) {
    world *w = data;
    dContact contact[CONTACTS];
    const int n = dCollide(a, b, CONTACTS, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        memset(&contact[i].surface, 0, sizeof contact[i].surface);
        contact[i].surface.mode =
            dContactApprox1 | dContactFDir1 | (w->scene->e > 0 ? dContactBounce : 0);
        contact[i].surface.mu = w->scene->mu;
        contact[i].surface.bounce = w->scene->e;
        contact[i].surface.bounce_vel = 0;
        direct(&contact[i]);
        const dJointID joint = dJointCreateContact(w->world, w->joints, &contact[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
        if (!w->scene->report || w->contacts == PEER_CONTACTS) continue;
        w->contact[w->contacts] = contact[i];
        dJointSetFeedback(joint, &w->feedback[w->contacts++]);
    }
}

static void step(void *data) {
    world *w = data;
    w->contacts = 0;
    dSpaceCollide(w->space, w, touch);
    if (w->quick)
        dWorldQuickStep(w->world, w->scene->h);
    else
        dWorldStep(w->world, w->scene->h);
    dJointGroupEmpty(w->joints);
}

static void read(void *data, int body, double position[3], double velocity[6]) {
    const dBodyID b = ((world *)data)->body[body];
    const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *spin = dBodyGetAngularVel(b);
    for (int k = 0; k < 3; k++) {
        position[k] = x[k];
        velocity[k] = v[k];
        velocity[3 + k] = spin[k];
    }
}

static int index_of(const world *w, dBodyID body) {
    for (int i = 0; i < w->scene->bodies; i++)
        if (w->body[i] == body) return i;
    return IMP_DUMP_GROUND;
}

/* The normal of a contact points into the first body; the first force is on that, or on the second
 * where the first is the ground. The first tangent is one of the two that bound friction. ODE
 * aims at a velocity of ERP depth / h. */
static int contacts(void *data, imp_dump_contact *contact, double *impulse) {
    const world *w = data;
    for (int i = 0; i < w->contacts; i++) {
        const dContactGeom *g = &w->contact[i].geom;
        imp_dump_contact *c = &contact[i];
        c->a = index_of(w, dGeomGetBody(g->g2));
        c->b = index_of(w, dGeomGetBody(g->g1));
        const double sign = dGeomGetBody(g->g1) ? 1 : -1;
        for (int k = 0; k < 3; k++) {
            c->point[k] = g->pos[k];
            c->normal[k] = g->normal[k];
            c->tangent[k] = w->contact[i].fdir1[k];
            c->target[k] = dWorldGetERP(w->world) * g->depth / w->scene->h * g->normal[k];
            impulse[3 * i + k] = sign * w->scene->h * w->feedback[i].f1[k];
        }
    }
    return w->contacts;
}

static void finish(void *data) {
    world *w = data;
    dJointGroupDestroy(w->joints);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    dCloseODE();
    free(w);
}

static const char settings[] = "ERP 0.2 (0 without gravity), surface layer 0, bounce_vel 0, "
                               "dContactApprox1, fdir1 along the slip";

const peer_engine peer_engines[] = {
    {"ODE, step", settings, 1, open_step, again, step, read, finish, contacts},
    {"ODE, quickstep", settings, 1, open_quick, again, step, read, finish, contacts},
    {0}};
