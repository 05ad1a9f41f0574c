/* impact.c - a recorded impact as a contact problem, its floor, and the error of an impulse. */
#include "replay/replay.h"

#include "base/vec3.h"
#include "linear/dense.h"

#include <stdlib.h>
#include <string.h>

imp_body replay_body(const replay_set *set) {
    const double inverse = 1 / (set->mass * set->gyration * set->gyration);
    return (imp_body){.inv_mass = 1 / set->mass,
                      .inv_inertia = {inverse, 0, 0, 0, inverse, 0, 0, 0, inverse},
                      .orientation = {1, 0, 0, 0}};
}

double replay_error(const replay_impact *impact, const double p[3]) {
    const imp_body *body = &impact->body;
    double v[3], w[3], push[3], moment[3];
    apply3_transposed(impact->contact.frame, p, push);
    cross3(impact->contact.point, push, moment);
    sub3(body->velocity, impact->after, v);
    sub3(body->spin, impact->after + 3, w);
    add3(body->inv_mass, push, v);
    add3(body->inv_inertia[0], moment, w);
    const double square = body->inv_mass / body->inv_inertia[0]; /* of the radius of gyration */
    return sqrt((dot3(v, v) + square * dot3(w, w)) /
                (dot3(body->velocity, body->velocity) + square * dot3(body->spin, body->spin)));
}

/* W, q and the floor of an impact: that of the impulse whose velocity at the contact is as
 * measured, since what is left moves no contact and is orthogonal, in M, to all that moves it. */
static imp_status pose(replay_impact *impact) {
    imp_body after = impact->body;
    double W[9], p[3]; /* first the velocity that it makes up */
    memcpy(after.velocity, impact->after, sizeof after.velocity);
    memcpy(after.spin, impact->after + 3, sizeof after.spin);
    imp_status status =
        imp_delassus_dense(1, &impact->body, 1, &impact->contact, impact->W, impact->q);
    if (status == IMP_OK) status = imp_delassus_dense(1, &after, 1, &impact->contact, W, p);
    if (status != IMP_OK) return status;
    sub3(p, impact->q, p);
    if (!imp_eliminate(3, W, NULL, p)) return IMP_NOT_POSITIVE;
    impact->floor = replay_error(impact, p);
    return IMP_OK;
}

/* x of what was measured turned about. */
static void mirror(replay_impact *impact) {
    impact->body.velocity[0] *= -1;
    impact->after[0] *= -1;
}

imp_status replay_add(replay_data *data, const replay_impact *impact, imp_error *error) {
    replay_impact read = *impact, turned;
    if (data->set->mirrored) mirror(&read);
    turned = read;
    mirror(&turned);
    imp_status status = pose(&read);
    if (status == IMP_OK) status = pose(&turned);
    if (status == IMP_OK && !(read.q[0] < 0)) return data->left_out++, IMP_OK;
    if (status == IMP_OK && !isfinite(read.floor + turned.floor)) status = IMP_NOT_FINITE;
    if (status != IMP_OK)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: impact %.17g: %s, expected velocities",
                             data->set->file, read.id, imp_status_text(status));
    replay_impact *more = realloc(data->impact, (size_t)(data->count + 1) * sizeof *data->impact);
    if (!more) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    data->impact = more;
    read.floor_mirrored = turned.floor;
    data->impact[data->count++] = read;
    data->floor += read.floor;
    data->floor_mirrored += turned.floor;
    return IMP_OK;
}
