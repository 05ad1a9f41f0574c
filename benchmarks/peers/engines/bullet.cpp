/* bullet.cpp - the scenes in Bullet 3 (Coumans; Debian: libbullet-dev), by its sequential impulses.
 *
 * Documented settings: coefficients of a pair are products, so the ground and every second body
 * carry 1 where the scene has one pair, and square roots elsewhere; no damping, no sleeping,
 * restitution at any speed, split impulse, fifty iterations, more points of a shape on a plane at
 * once. Friction by the preset, one direction along the slip, and by two, a pyramid. The
 * gyroscopic term is the preset one: the explicit one helps the top and spoils the plate. */
#include "benchmarks/peers/engines/engine.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct World {
    const peer_scene *scene;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    explicit World(const peer_scene *from) : scene(from) {
    }

    btRigidBody *add(btCollisionShape *shape, double mass, btVector3 inertia = btVector3(0, 0, 0)) {
        shapes.emplace_back(shape);
        if (mass > 0 && inertia.isZero()) shape->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
        info.m_friction = btScalar(std::sqrt(scene->mu));
        info.m_restitution = btScalar(std::sqrt(scene->e));
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        return bodies.back().get();
    }

    ~World() {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
};

btVector3 vector(const double *x) {
    return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]));
}

// Where the scene has it, its inertia turned, too.
void place(World *w, int i) {
    const peer_body &b = w->scene->body[i];
    btRigidBody &body = *w->bodies[size_t(i)];
    const btQuaternion turn(btScalar(b.attitude[1]), btScalar(b.attitude[2]),
                            btScalar(b.attitude[3]), btScalar(b.attitude[0]));
    body.setCenterOfMassTransform(btTransform(turn, vector(b.position)));
    body.setLinearVelocity(vector(b.velocity));
    body.setAngularVelocity(vector(b.velocity + 3));
}

// A pair keeps contacts and their impulses: without them.
void again(void *data) {
    World *w = static_cast<World *>(data);
    for (int i = 0; i < w->scene->bodies; i++) {
        place(w, i);
        w->broadphase.getOverlappingPairCache()->cleanProxyFromPairs(
            w->bodies[size_t(i)]->getBroadphaseHandle(), &w->dispatcher);
    }
}

void *open(const peer_scene *scene, int mode) {
    World *w = new World(scene);
    w->world.setGravity(btVector3(btScalar(scene->gravity[0]), btScalar(scene->gravity[1]),
                                  btScalar(scene->gravity[2])));
    btContactSolverInfo &info = w->world.getSolverInfo();
    info.m_solverMode |= mode;
    info.m_numIterations = 50;
    info.m_restitutionVelocityThreshold = 0;
    w->configuration.setPlaneConvexMultipointIterations(3, 3);
    for (int i = 0; i < scene->bodies; i++) {
        const peer_body &b = scene->body[i];
        btCollisionShape *shape =
            b.length > 0 ? static_cast<btCollisionShape *>(
                               new btCapsuleShapeZ(btScalar(b.radius), btScalar(b.length)))
            : b.radius > 0 ? static_cast<btCollisionShape *>(new btSphereShape(btScalar(b.radius)))
                           : new btBoxShape(vector(b.half));
        btRigidBody *body = w->add(shape, b.mass, vector(b.moment));
        place(w, i); // before it has a box in the broadphase
        w->world.addRigidBody(body);
    }
    if (scene->ground)
        w->world.addRigidBody(w->add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0));
    return w;
}

void *open_one(const peer_scene *scene) {
    return open(scene, 0);
}

void *open_two(const peer_scene *scene) {
    return open(scene, SOLVER_USE_2_FRICTION_DIRECTIONS);
}

void step(void *data) {
    World *w = static_cast<World *>(data);
    w->world.stepSimulation(btScalar(w->scene->h), 0);
}

void read(void *data, int i, double position[3], double velocity[6]) {
    const btRigidBody &body = *static_cast<World *>(data)->bodies[size_t(i)];
    const btVector3 x = body.getWorldTransform().getOrigin(), v = body.getLinearVelocity(),
                    spin = body.getAngularVelocity();
    for (int k = 0; k < 3; k++) {
        position[k] = double(x[k]);
        velocity[k] = double(v[k]);
        velocity[3 + k] = double(spin[k]);
    }
}

// Its normal points from the second body to the first. It aims at -distance / h along it, of an
// overlap at erp2 of that. A contact has a point on each body, which part while the contact is
// kept: that of the body that moves counts, of two the middle.
int contacts(void *data, imp_dump_contact *contact, double *impulse) {
    World *w = static_cast<World *>(data);
    const auto index = [w](const btCollisionObject *object) {
        for (size_t i = 0; i < w->bodies.size(); i++)
            if (w->bodies[i].get() == object && !object->isStaticObject()) return int(i);
        return int(IMP_DUMP_GROUND);
    };
    int count = 0;
    for (int m = 0; m < w->dispatcher.getNumManifolds(); m++) {
        const btPersistentManifold *manifold = w->dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold->getNumContacts() && count < PEER_CONTACTS; i++, count++) {
            const btManifoldPoint &from = manifold->getContactPoint(i);
            const btVector3 push = from.m_appliedImpulse * from.m_normalWorldOnB +
                                   from.m_appliedImpulseLateral1 * from.m_lateralFrictionDir1 +
                                   from.m_appliedImpulseLateral2 * from.m_lateralFrictionDir2;
            const double gap = double(from.getDistance()), erp = w->world.getSolverInfo().m_erp2;
            const btVector3 &first = from.getPositionWorldOnA(),
                            &second = from.getPositionWorldOnB();
            imp_dump_contact &c = contact[count];
            c.a = index(manifold->getBody1());
            c.b = index(manifold->getBody0());
            for (int k = 0; k < 3; k++) {
                c.point[k] = double(c.a < 0   ? first[k]
                                    : c.b < 0 ? second[k]
                                              : (first[k] + second[k]) / 2);
                c.normal[k] = double(from.m_normalWorldOnB[k]);
                c.target[k] = -gap / w->scene->h * (gap < 0 ? erp : 1) * c.normal[k];
                impulse[3 * count + k] = double(push[k]);
            }
        }
    }
    return count;
}

void close(void *data) {
    delete static_cast<World *>(data);
}

#ifdef BT_USE_DOUBLE_PRECISION
#define PRECISION "double"
#else
#define PRECISION "single"
#endif
const char settings[] = PRECISION " precision, 50 iterations, restitution threshold 0, no damping, "
                                  "no sleeping, multipoint iterations 3, 3 on planes";

} // namespace

extern "C" const peer_engine peer_engines[] = {
    {"Bullet, one direction", settings, 1, open_one, again, step, read, close, contacts},
    {"Bullet, two directions", settings, 1, open_two, again, step, read, close, contacts},
    {nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
