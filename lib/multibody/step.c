/* step.c - one time step after the other: free motion, contact problem, event model, new place. */
#include "multibody/step.h"

#include "base/finite.h"
#include "base/two_lanes.h"

#include "contact/model_internal.h"
#include "multibody/joint_friction.h"
#include "multibody/step_internal.h"
#include "multibody/tree_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOLVES = 30 }; /* per step, each with more pairs than the one before */
enum { ROUNDINGS = 8 };    /* of the terms of a sum, in what is left of it */

/* Memory for a few contacts, so that the contact problem of a first step asks for none. */
static bool reserve(imp_stepper *s) {
    /* BYTES: a contact's own and its row of blocks, of eight between the same two free bodies */
    enum { CONTACTS = 8, BYTES = 2304 };
    imp_step_store *store = s->store;
    return imp_nearby_reserve(&s->near, CONTACTS) &&
           imp_step_grow(&store->touches, CONTACTS * sizeof(imp_step_touch)) &&
           imp_step_grow(&store->pushed, CONTACTS * sizeof(imp_step_push)) &&
           imp_step_grow(&store->lists, (2 * CONTACTS + 1 + (size_t)s->world->nt) * sizeof(int)) &&
           imp_step_grow(&store->arrays, (size_t)CONTACTS * BYTES);
}

imp_stepper *imp_stepper_new(imp_world *world) {
    imp_stepper *s = calloc(1, sizeof *s);
    imp_step_store *store = calloc(1, sizeof *store);
    size_t largest = 0;
    for (int t = 0; t < world->nt; t++)
        if ((size_t)imp_tree_nv(world->tree[t]) > largest)
            largest = (size_t)imp_tree_nv(world->tree[t]);
    if (s && store) {
        s->world = world;
        s->store = store;
        store->q = malloc(((size_t)world->nq + 1) * sizeof *store->q);
        store->v = malloc(((size_t)world->nv + 1) * sizeof *store->v);
        store->work = malloc(3 * ((size_t)world->nv + 1) * sizeof *store->work);
        store->H = malloc((largest * largest + 1) * sizeof *store->H);
        store->friction = malloc(imp_joint_friction_workspace((int)largest) + 1);
        const bool mass = imp_step_mass(world, &s->M);
        if (mass && store->q && store->v && store->work && store->H && store->friction &&
            reserve(s))
            return s;
        imp_stepper_free(s);
        return NULL;
    }
    free(s);
    free(store);
    return NULL;
}

void imp_stepper_free(imp_stepper *s) {
    if (!s) return;
    imp_nearby_clear(&s->near);
    imp_sparse_clear(&s->M);
    free(s->store->q);
    free(s->store->v);
    free(s->store->work);
    free(s->store->H);
    free(s->store->friction);
    free(s->store->pushed.at);
    free(s->store->workspace.at);
    free(s->store->arrays.at);
    free(s->store->lists.at);
    free(s->store->touches.at);
    imp_factored_free(s->store->left);
    free(s->store);
    free(s);
}

/* Of tree t: which link of the world it is. */
static imp_status tumbled(imp_stepper *s, int t, imp_status status) {
    const imp_world *w = s->world;
    const int link = w->tree[t]->tumbles;
    for (int i = 0; i < w->nl && status == IMP_UNSUPPORTED && link != IMP_GROUND; i++)
        if (w->tree_of[i] == t && w->link_of[i] == link) s->tumbles = i;
    return status;
}

/* v <- v* of one tree: v + h H^-1 (force - bias), explicit friction among the forces, kept in its
 * loops; of bodies that nothing is joined to by Euler's equations, of others without loops by their
 * momenta. */
static imp_status free_motion(imp_stepper *s, int t, const imp_step_settings *settings) {
    const imp_world *w = s->world;
    imp_tree *tree = w->tree[t];
    const int n = imp_tree_nv(tree), first = w->v_at[t];
    double *rate = s->store->work, *friction = rate + w->nv, *force = friction + w->nv;
    const imp_status status = imp_tree_factor(tree);
    if (status != IMP_OK) return status;
    imp_tree_inverse_dynamics(tree, settings->gravity, NULL, rate);
    const bool opposed = settings->mu_c && settings->explicit_friction;
    if (opposed) imp_step_oppose(s, settings, t, force, friction);
    for (int i = 0; i < n; i++) {
        force[i] = (settings->force ? settings->force[first + i] : 0) + (opposed ? friction[i] : 0);
        rate[i] = force[i] - rate[i];
    }
    imp_tree_solve(tree, rate);
    for (int i = 0; i < n; i++)
        w->v[first + i] += settings->h * rate[i];
    imp_status kept = imp_tree_spin(tree, settings->h, settings->gravity, force,
                                    s->store->v + first, w->v + first);
    kept = tumbled(s, t, kept);
    if (kept == IMP_OK && tree->jointed)
        s->by_rates +=
            imp_tree_swing(tree, !settings->loops && !settings->explicit_bias, settings->h,
                           settings->gravity, force, s->store->v + first, w->v + first);
    if (kept == IMP_OK && settings->loops) kept = imp_loops_factor(settings->loops);
    if (kept == IMP_OK && settings->loops) kept = imp_loops_velocity(settings->loops, w->v);
    for (int i = 0; i < n && opposed; i++)
        s->rubbed += imp_step_taken(s, first + i, settings->h * friction[i]);
    return imp_step_held(kept);
}

/* The world as it was before the step. */
static void restore(imp_stepper *s) {
    memcpy(s->world->q, s->store->q, (size_t)s->world->nq * sizeof(double));
    memcpy(s->world->v, s->store->v, (size_t)s->world->nv * sizeof(double));
    imp_world_place(s->world);
}

static imp_status prepare(imp_stepper *s, const imp_step_settings *settings) {
    imp_world *w = s->world;
    imp_status unsolved = IMP_OK; /* friction of the joints of a tree */
    s->rubbed = 0;
    s->by_rates = 0;
    s->tumbles = IMP_GROUND;
    for (int t = 0; t < w->nt; t++) {
        imp_status status = free_motion(s, t, settings);
        if (status == IMP_OK && settings->mu_c && !settings->explicit_friction)
            status = imp_step_rub(s, settings, t);
        if (status < 0) return status;
        if (status != IMP_OK) unsolved = status;
    }
    imp_world_place(w);
    s->near.count = 0;
    if (settings->detect) {
        const imp_status found = settings->detect(settings->detect_data, w, settings->h, &s->near);
        if (found != IMP_OK) return found < 0 ? found : IMP_BAD_ARGUMENT;
    }
    const imp_status assembled = imp_step_assemble(s, settings);
    if (assembled == IMP_OK && s->problem.nc > 0) imp_step_recall(s);
    return assembled != IMP_OK ? assembled : unsolved;
}

static bool finite_state(const imp_world *w) {
    return imp_all_finite(w->q, (size_t)w->nq) && imp_all_finite(w->v, (size_t)w->nv);
}

/* Has every free link an attitude? What else is no number the step itself comes upon. */
static imp_status check_attitudes(const imp_world *w) {
    for (int t = 0; t < w->nt; t++)
        for (int i = 0; i < w->tree[t]->nl; i++) {
            const imp_link *l = &w->tree[t]->link[i];
            const double *a = w->q + w->q_at[t] + l->q_at + 3;
            if (l->joint != IMP_FREE) continue;
            const double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
            if (!(square >= DBL_MIN && square <= DBL_MAX))
                return imp_all_finite(a, 4) ? IMP_BAD_ARGUMENT : IMP_NOT_FINITE;
        }
    return IMP_OK;
}

static imp_status check_friction(const imp_stepper *s, const imp_step_settings *settings) {
    const int joints = settings->mu_c
                           ? s->world->nv + (settings->loops ? imp_loops_count(settings->loops) : 0)
                           : 0;
    if (!imp_all_finite(settings->mu_c, (size_t)joints) ||
        !imp_all_finite(settings->mu_v, (size_t)joints))
        return IMP_NOT_FINITE;
    for (int k = 0; k < joints; k++)
        if (settings->mu_c[k] < 0 || settings->mu_v[k] < 0) return IMP_BAD_FRICTION;
    return IMP_OK;
}

/* A model's workspace may be as large as its settings say: none is asked beyond their bounds. */
static bool has_valid_own(const imp_step_settings *settings) {
    return !settings->model || !settings->own ||
           imp_model_settings_valid(settings->model, settings->own);
}

imp_status imp_step_prepare(imp_stepper *s, const imp_step_settings *settings) {
    imp_world *w = s->world;
    if (!(settings->h > 0) || !isfinite(settings->h) || !(settings->least_gap <= 0) ||
        !settings->mu_c != !settings->mu_v || !has_valid_own(settings))
        return IMP_BAD_ARGUMENT;
    if (settings->loops && w->nt != 1) return IMP_UNSUPPORTED;
    imp_status status = check_attitudes(w);
    if (status == IMP_OK) status = check_friction(s, settings);
    if (status != IMP_OK) return status;
    if (!imp_step_remember(s)) return IMP_NO_MEMORY;
    memcpy(s->store->q, w->q, (size_t)w->nq * sizeof *w->q);
    memcpy(s->store->v, w->v, (size_t)w->nv * sizeof *w->v);
    imp_world_place(w);
    status = prepare(s, settings);
    if (status < 0) {
        s->problem = (imp_problem){0};
        restore(s);
        if (!finite_state(w)) status = IMP_NOT_FINITE;
    }
    return status;
}

static imp_status solve(imp_stepper *s, const imp_problem *shifted, const imp_model *model,
                        const void *own) {
    const size_t bytes = model->workspace ? model->workspace(shifted, own) : 0;
    s->info = (imp_info){0};
    if (bytes && !imp_step_grow(&s->store->workspace, bytes)) return IMP_NO_MEMORY;
    bool found;
    return imp_model_answer(model, shifted, own, s->p, bytes ? s->store->workspace.at : NULL,
                            &s->info, &found);
}

/* The share of contact i's approach at v* that it had before the step: what the forces of the step
 * add is not restored, or what rests would bounce. */
static double own_approach(const imp_stepper *s, int i) {
    const int column = 3 * i;
    double before = 0;
    for (int k = s->J.start[column]; k < s->J.start[column + 1]; k++)
        before += s->J.value[k] * s->store->v[s->J.row[k]];
    return fmax(0, fmin(1, before / s->problem.q[column]));
}

/* m/s, what rounding may leave of contact i's q_n + phi / h: of the sum that the first is, and of
 * the places along the normal that the second is the difference of. Walls that close by less do not
 * close. */
static double rounding(const imp_stepper *s, int i, double h) {
    const imp_contact *c = &s->near.item[i].contact;
    const int column = 3 * i;
    double moves = 0, place = 0;
    for (int k = s->J.start[column]; k < s->J.start[column + 1]; k++)
        moves += fabs(s->J.value[k] * s->world->v[s->J.row[k]]);
    for (int k = 0; k < 3; k++) {
        double far = fabs(c->point[k]);
        if (c->a != IMP_GROUND) far += fabs(imp_world_state(s->world, c->a)->origin[k]);
        if (c->b != IMP_GROUND) far += fabs(imp_world_state(s->world, c->b)->origin[k]);
        place += fabs(c->frame[k]) * far;
    }
    return ROUNDINGS * DBL_EPSILON * (moves + place / h);
}

/* What the model is given: q_n + phi / h for q_n, but where a contact closes within the step and
 * springs back faster than an overlap asks: there the whole approach is what restitution
 * multiplies. Where it is slower, or there is none, it has no say. */
static void shift(const imp_stepper *s, double h, double *q, double *e) {
    for (int i = 0; i < s->problem.nc; i++) {
        if (e && e[i] > 0 && s->problem.q[3 * i] < 0) e[i] *= own_approach(s, i);
        const double approach = s->problem.q[3 * i], gap = s->gap[i];
        const bool stopped = approach + gap < 0,
                   springs = stopped && e && e[i] > 0 && approach < 0 && -e[i] * approach > -gap;
        memcpy(q + 3 * (size_t)i, s->problem.q + 3 * (size_t)i, 3 * sizeof *q);
        if (!springs) q[3 * i] += gap;
        if (fabs(q[3 * i]) <= rounding(s, i, h)) q[3 * i] = 0;
        if (e && stopped && !springs) e[i] = 0;
    }
}

imp_status imp_step_solve(imp_stepper *s, const imp_step_settings *settings) {
    const imp_model *model = settings->model;
    const int nc = s->problem.nc;
    imp_settings presets;
    const void *own = settings->own;
    if (nc == 0) return IMP_OK;
    if (!model || !has_valid_own(settings)) return IMP_BAD_ARGUMENT;
    imp_status status = imp_problem_check_vectors(&s->problem, NULL);
    if (status == IMP_OK) status = imp_model_takes(model, &s->problem);
    if (status != IMP_OK) return status;
    if (!own) {
        imp_model_presets(model, &presets);
        own = &presets;
    }
    double *q = s->store->q_shifted, *e = s->problem.e ? s->store->e_shifted : NULL;
    if (e) memcpy(e, s->problem.e, (size_t)nc * sizeof *e);
    shift(s, settings->h, q, e);
    imp_problem shifted = s->problem;
    shifted.q = q;
    shifted.e = e;
    return solve(s, &shifted, model, own);
}

/* change (nv) += J p. A contact's three columns have the same rows, those of a tree one behind the
 * other. */
static void push(const imp_stepper *s, double *change) {
    for (int i = 0; i < s->problem.nc; i++) {
        const imp_step_touch *touch = &s->store->touch[i];
        const int count = touch->nv[0] + touch->nv[1];
        const double *n = s->J.value + s->J.start[3 * i], p0 = s->p[3 * i], p1 = s->p[3 * i + 1],
                     p2 = s->p[3 * i + 2];
        for (int k = 0; k < touch->count; n += touch->nv[k++]) {
            const double *t = n + count, *o = t + count;
            double *of_tree = change + s->world->v_at[touch->tree[k]];
            int d = 0;
            for (; d + 1 < touch->nv[k]; d += 2) {
                const two_lanes sum =
                    two_of(of_tree + d) +
                    (two_of(n + d) * p0 + two_of(t + d) * p1 + two_of(o + d) * p2);
                memcpy(of_tree + d, &sum, sizeof sum);
            }
            if (d < touch->nv[k]) of_tree[d] += n[d] * p0 + t[d] * p1 + o[d] * p2;
        }
    }
}

static bool pushes(const imp_stepper *s) {
    for (int i = 0; i < 3 * s->problem.nc; i++)
        if (s->p[i] != 0) return true;
    return false;
}

imp_status imp_step_finish(imp_stepper *s, const imp_step_settings *settings) {
    imp_world *w = s->world;
    double *change = s->store->work;
    imp_status status = IMP_OK;
    if (pushes(s)) {
        memset(change, 0, (size_t)w->nv * sizeof *change);
        push(s, change);
        for (int t = 0; t < w->nt; t++)
            imp_tree_solve(w->tree[t], change + w->v_at[t]);
        for (int i = 0; i < w->nv; i++)
            w->v[i] += change[i];
        if (settings->loops) status = imp_loops_velocity(settings->loops, w->v);
    }
    s->drift = 0;
    for (int t = 0; t < w->nt && status == IMP_OK; t++)
        status = tumbled(
            s, t, imp_tree_move(w->tree[t], settings->h, w->v + w->v_at[t], w->q + w->q_at[t]));
    if (settings->loops && status == IMP_OK)
        status = imp_loops_project(settings->loops, w->q, NULL, &s->drift);
    status = imp_step_held(status);
    if (!finite_state(w)) status = IMP_NOT_FINITE;
    if (status == IMP_OK) {
        imp_world_place(w);
        s->store->kept = false; /* p is the last step's */
    } else {
        restore(s);
    }
    return status;
}

/* A step with the pairs known so far. */
static imp_status attempt(imp_stepper *s, const imp_step_settings *settings) {
    const imp_status prepared = imp_step_prepare(s, settings);
    if (prepared < 0) return prepared;
    const imp_status solved = imp_step_solve(s, settings);
    if (solved < 0) {
        restore(s);
        return solved;
    }
    const imp_status finished = imp_step_finish(s, settings);
    if (finished != IMP_OK) return finished;
    return solved != IMP_OK ? solved : prepared;
}

imp_status imp_step(imp_stepper *s, const imp_step_settings *settings) {
    imp_status status = IMP_OK;
    int found = 1;
    for (s->solves = 0; found > 0 && status >= 0 && s->solves < MOST_SOLVES; s->solves++) {
        if (s->solves > 0) restore(s);
        status = attempt(s, settings);
        found = 0;
        if (status < 0 || !settings->late) continue;
        const imp_status late = settings->late(settings->detect_data, s->world, &s->near, &found);
        if (late != IMP_OK) {
            restore(s);
            status = late < 0 ? late : IMP_BAD_ARGUMENT;
        }
    }
    if (settings->late) settings->late(settings->detect_data, s->world, NULL, &found);
    return status;
}

double imp_stepper_normal(const imp_stepper *s) {
    double sum = 0;
    for (int i = 0; i < s->problem.nc; i++)
        sum += s->p[3 * i];
    return sum;
}
