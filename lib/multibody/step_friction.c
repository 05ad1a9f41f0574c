/* step_friction.c - friction of the joints in a time step: torques of the velocity before it, or
 * QP4 on the free motion (joint_friction.h). */
#include "multibody/joint_friction.h"
#include "multibody/step_internal.h"

#include <stdlib.h>
#include <string.h>

/* The torque of a joint that opposes its velocity. */
static double opposing(const imp_step_settings *settings, int joint, double v) {
    return -settings->mu_v[joint] * v - settings->mu_c[joint] * ((v > 0) - (v < 0));
}

static bool rubs(const imp_step_settings *settings, int joint) {
    return settings->mu_c[joint] != 0 || settings->mu_v[joint] != 0;
}

/* The rate of a loop's own joint at velocities v (nv); row (nv) <- what it is of them. */
static double rate_of(const imp_loops *loops, int i, const double *v, int nv, double *row) {
    double rate = 0;
    imp_loops_slip(loops, i, row);
    for (int k = 0; k < nv; k++)
        rate += row[k] * v[k];
    return rate;
}

/* force (nv) += torques of the loops' own joints that oppose their rates, in a world of one tree;
 * row (nv) is scratch. */
static void oppose_in_loops(const imp_stepper *s, const imp_step_settings *settings, double *row,
                            double *force) {
    const int nv = s->world->nv;
    for (int i = 0; i < imp_loops_count(settings->loops); i++) {
        if (!rubs(settings, nv + i)) continue;
        const double rate = rate_of(settings->loops, i, s->store->v, nv, row),
                     torque = opposing(settings, nv + i, rate);
        for (int k = 0; k < nv; k++)
            force[k] += torque * row[k];
    }
}

void imp_step_oppose(const imp_stepper *s, const imp_step_settings *settings, int t, double *row,
                     double *force) {
    const int n = imp_tree_nv(s->world->tree[t]), first = s->world->v_at[t];
    for (int i = 0; i < n; i++)
        force[i] = opposing(settings, first + i, s->store->v[first + i]);
    if (settings->loops) oppose_in_loops(s, settings, row, force);
}

/* v <- v with the friction of all joints of a world of one tree within its loops. */
static imp_status friction_in_loops(imp_stepper *s, const imp_step_settings *settings) {
    const imp_world *w = s->world;
    const int nv = w->nv, joints = nv + imp_loops_count(settings->loops);
    double *room = calloc(3 * (size_t)joints + 1, sizeof *room), *bound = room + joints,
           *impulse = bound + joints, *row = s->store->work;
    if (!room) return IMP_NO_MEMORY;
    memcpy(room, s->store->v, (size_t)nv * sizeof *room); /* rates before */
    for (int i = nv; i < joints; i++)
        room[i] = rate_of(settings->loops, i - nv, s->store->v, nv, row);
    imp_joint_friction_bound(joints, settings->h, settings->mu_c, settings->mu_v, room, bound);
    const imp_status status = imp_loops_friction(settings->loops, bound, w->v, impulse);
    for (int i = 0; i < nv; i++)
        s->rubbed += imp_step_taken(s, i, impulse[i]);
    for (int i = nv; i < joints; i++)
        s->rubbed -= 0.5 * impulse[i] * (room[i] + rate_of(settings->loops, i - nv, w->v, nv, row));
    free(room);
    return status == IMP_NOT_CONVERGED ? status : imp_step_held(status);
}

imp_status imp_step_rub(imp_stepper *s, const imp_step_settings *settings, int t) {
    const imp_world *w = s->world;
    const int n = imp_tree_nv(w->tree[t]), first = w->v_at[t];
    double *bound = s->store->work, *impulse = bound + w->nv, *velocity = impulse + w->nv;
    if (n == 0) return IMP_OK;
    if (settings->loops) return friction_in_loops(s, settings);
    imp_tree_mass_matrix(w->tree[t], s->store->H);
    imp_joint_friction_bound(n, settings->h, settings->mu_c + first, settings->mu_v + first,
                             s->store->v + first, bound);
    const imp_status status = imp_joint_friction(n, s->store->H, w->v + first, bound, impulse,
                                                 velocity, s->store->friction, NULL);
    if (status < 0) return status;
    memcpy(w->v + first, velocity, (size_t)n * sizeof *velocity);
    for (int i = 0; i < n; i++)
        s->rubbed += imp_step_taken(s, first + i, impulse[i]);
    return status;
}
