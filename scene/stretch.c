/* stretch.c - the motion while contacts last: adaptive Runge-Kutta over (q, v), what friction takes
 * and the contacts' impulses. A step that ends where the modes do not hold is taken again, by
 * bisection, up to the first instant at which they do not. */
#include "scene/stretch.h"

#include "base/vec3.h"
#include "base/worse.h"
#include "compliant/euler.h"
#include "compliant/way.h"
#include "scene/impact.h"
#include "scene/speeds.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 60, NODES = 5 };

typedef struct stretch {
    scene_lasting *l;
    const scene *s;
    gsl_odeiv2_step *step;
    gsl_odeiv2_system system;
    int nq, nv, rubbed, impulse, dim; /* offsets in y, and its length */
    double *y, *slope, *y1, *slope1, *error, *scale;
    compliant_way way;
    bool forks;                          /* it is at a change point */
    double *end;                         /* y1 while its step is looked at again */
    gsl_integration_glfixed_table *rule; /* of NODES */
    double *lever;        /* (2nv) m per unit of v, see compliant_lever; and its scratch */
    double *from;         /* (npairs) m, deeper than that a pair closes; INFINITY: it presses */
    compliant_touch *now; /* (npairs) at y */
    double t, h, until;   /* s */
    double stride;        /* s, the longest step from y */
    double length;        /* m, what counts as 1 ... */
    double *speed;        /* (links) m/s, ... and beside each body */
    double fastest;       /* m/s, of these */
    double reach;         /* m, of what turns and touches nothing */
    bool lacked;          /* memory, wherever it was */
    long *steps;          /* of the whole run */
} stretch;

static imp_status noted(stretch *r, imp_status status) {
    r->lacked = r->lacked || status == IMP_NO_MEMORY;
    return status;
}

/* The forces at y. */
static imp_status look(stretch *r, const double *y) {
    imp_tree_place(r->s->tree, y, y + r->nq);
    const imp_status status = scene_lasting_look(r->l);
    return noted(r, status == IMP_OK ? scene_lasting_forces(r->l) : status);
}

static int slope(double t, const double y[], double dy[], void *params) {
    stretch *r = params;
    const scene_lasting *l = r->l;
    (void)t;
    if (look(r, y) != IMP_OK) return GSL_EBADFUNC;
    imp_tree_rate(r->s->tree, y, y + r->nq, dy);
    memcpy(dy + r->nq, l->rate, (size_t)r->nv * sizeof *dy);
    memcpy(dy + r->impulse, l->f, 3 * (size_t)l->nc * sizeof *dy);
    dy[r->rubbed] = 0;
    for (int i = 0; i < 3 * l->nc; i++)
        if (i % 3 && l->mode[i / 3] == SCENE_SLIDES) dy[r->rubbed] -= l->f[i] * l->u[i];
    for (int j = 0; j < l->joints; j++) {
        const double rate = l->u[3 * l->nc + j];
        dy[r->rubbed] += r->s->mu_v[l->joint[j]] * rate * rate;
        if (l->held[j] == SCENE_SLIDES) dy[r->rubbed] -= l->f[3 * l->nc + j] * rate;
    }
    for (int k = 0; k < r->dim; k++)
        if (!isfinite(dy[k])) return GSL_EBADFUNC;
    return GSL_SUCCESS;
}

/* y1 <- a step of length h from y. */
static bool try_step(stretch *r, double h) {
    memcpy(r->y1, r->y, (size_t)r->dim * sizeof *r->y);
    return gsl_odeiv2_step_apply(r->step, r->t, h, r->y1, r->error, r->slope, r->slope1,
                                 &r->system) == GSL_SUCCESS;
}

/* What counts as 1 of each coordinate: its size, or at least what moves a contact by the smallest
 * ball, of velocities at the speed of a fall through it, of the contacts or of the fastest body
 * that it is coupled with: what stands still between bodies that move has rounding alone. An
 * attitude has no size. Of the placed tree. */
static void choose_scale(stretch *r) {
    const imp_tree *tree = r->s->tree;
    double *scale = r->scale, *lever = r->lever, *row = lever + r->nv;
    memset(lever, 0, (size_t)r->nv * sizeof *lever);
    for (int i = 0; i < r->l->nc; i++) {
        const compliant_touch touch = compliant_look(&r->s->system, r->l->pair[i]);
        compliant_lever(&r->s->system, r->l->pair[i], &touch, lever, row);
    }
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link *l = imp_tree_link(tree, i);
        double *own = lever + l->v_at;
        const bool is_free = l->joint == IMP_FREE;
        for (int k = 0; k < (is_free ? 6 : l->joint == IMP_WELD ? 0 : 1); k++) {
            const int at = r->nq + l->v_at + k;
            if (own[k] == 0) own[k] = l->joint == IMP_REVOLUTE || k >= 3 ? r->reach : 1;
            scale[at] = fmax(DBL_MIN, fmax(fabs(r->y[at]), r->speed[i] / own[k]));
        }
        for (int k = 0; k < (is_free ? 3 : l->joint == IMP_WELD ? 0 : 1); k++)
            scale[l->q_at + k] = fmax(fabs(r->y[l->q_at + k]), r->length / own[k]);
        for (int k = 3; k < 7 && is_free; k++) /* a quaternion turns by half the angle */
            scale[l->q_at + k] = 0.5 * r->length / fmax(own[3], fmax(own[4], own[5]));
    }
}

/* Of the step just tried, 1 = the accuracy. */
static double error_of(stretch *r) {
    double worst = 0;
    if (noted(r, compliant_way_error(&r->way, r->y1, r->y1 + r->nq, r->error, r->error + r->nq,
                                     r->lever)) != IMP_OK)
        return INFINITY;
    for (int k = 0; k < r->nq + r->nv; k++) {
        const double part = fabs(r->error[k]) / (r->s->run.accuracy * r->scale[k]);
        worst = imp_worse(worst, part);
    }
    return worst;
}

/* from: pairs that touch at the start close once they come nearer than they are, where they are
 * still by more than the accuracy. */
static void watch_pairs(stretch *r) {
    const scene_lasting *l = r->l;
    for (int i = 0, k = 0; i < r->s->system.npairs; i++) {
        const bool known = k < l->nc && l->pair[k] == i;
        r->from[i] = 0;
        if (!known) continue;
        const double stays =
            fabs(l->u[3 * k]) > scene_lasting_still(l, k) ? 0 : r->s->run.accuracy * r->length;
        r->from[i] = l->mode[k] == SCENE_OPEN ? fmax(0, -l->gap[k]) + stays : INFINITY;
        k++;
    }
}

/* Does a pair close that did not press? *fast: one faster than what counts as still. */
static bool closes(const stretch *r, bool *fast) {
    bool any = false;
    *fast = false;
    for (int i = 0; i < r->s->system.npairs; i++) {
        if (isinf(r->from[i])) continue;
        const compliant_touch touch = compliant_look(&r->s->system, i);
        if (!(touch.depth > r->from[i]) || !(touch.rate > 0)) continue;
        any = true;
        const compliant_pair *pair = &r->s->system.pairs[i];
        const int a = pair->plane < 0 ? r->s->system.spheres[pair->a].link : IMP_GROUND,
                  b = r->s->system.spheres[pair->b].link;
        *fast = *fast || touch.rate > scene_larger(r->l->still, a, b);
    }
    return any;
}

/* Of a pair that comes nearer at `a` and goes at `b`, h later: the deepest it may be between, where
 * both tangents meet, m. *part <- where the cubic through both turns. */
static double turning(const compliant_touch *a, const compliant_touch *b, double h, double *part) {
    const double mean = (b->depth - a->depth) / h, c = 3 * mean - 2 * a->rate - b->rate,
                 d = a->rate + b->rate - 2 * mean, meet = (mean - b->rate) / (a->rate - b->rate);
    *part = a->rate / (sqrt(fmax(0, c * c - 3 * d * a->rate)) - c);
    return a->depth + a->rate * h * fmin(1, fmax(0, meet));
}

/* Of the step of length h to y1: the part of it before which no pair may have closed and parted
 * again unseen, 1: all of it. */
static double seen(const stretch *r, double h) {
    const double rounding = compliant_rounding(&r->s->system, r->y);
    double least = 1;
    imp_tree_place(r->s->tree, r->y1, r->y1 + r->nq);
    for (int i = 0; i < r->s->system.npairs; i++) {
        if (isinf(r->from[i]) || !(r->now[i].rate > 0)) continue;
        const compliant_touch then = compliant_look(&r->s->system, i);
        double part;
        if (then.rate < 0 && turning(&r->now[i], &then, h, &part) > r->from[i] + rounding)
            least = fmin(least, part);
    }
    return least;
}

/* Do the modes hold at y1? */
static bool holds(stretch *r, scene_stretch_end *end) {
    bool obeys = false, fast;
    *end = SCENE_STRETCH_CHANGES;
    imp_status status = look(r, r->y1);
    if (status == IMP_OK) status = noted(r, scene_lasting_obeys(r->l, &obeys));
    if (status != IMP_OK || !obeys) return false;
    if (!scene_lasting_stands(r->l) || !scene_lasting_slides(r->l)) return false;
    if (!closes(r, &fast)) return true;
    if (fast) *end = SCENE_STRETCH_TOUCH;
    return false;
}

/* y1 <- the step up to the first instant, within h, at which the modes do not hold; *end says what
 * does not. Returns its length. */
static double locate(stretch *r, double h, scene_stretch_end *end) {
    double low = 0, high = h;
    scene_stretch_end why = SCENE_STRETCH_CHANGES;
    for (int k = 0; k < HALVINGS && r->t + low < r->t + high; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        if (try_step(r, middle) && holds(r, &why))
            low = middle;
        else
            high = middle;
    }
    if (try_step(r, high) && holds(r, &why)) return h; /* by rounding: not yet */
    *end = why;
    return high;
}

/* y1 <- a step that meets the accuracy. Returns its length, 0: there is none. */
static double meet_accuracy(stretch *r) {
    const double order = gsl_odeiv2_step_order(r->step) + 1;
    double h = fmin(r->h, r->until - r->t);
    for (; *r->steps < r->s->run.max_steps; ++*r->steps) {
        h = compliant_way_step(&r->way, h);
        if (!(r->t + h > r->t)) return 0;
        const double error = try_step(r, h) ? error_of(r) : INFINITY;
        if (error <= 1) {
            ++*r->steps;
            r->h = fmax(r->h, h) * fmin(5, 0.9 * pow(fmax(error, 1e-10), -1 / order));
            return h;
        }
        if (r->lacked) return 0;
        h *= fmax(0.1, 0.9 * pow(error, -1 / order));
        r->h = h;
    }
    return 0;
}

/* s, in which a pair of balls, or of a ball and a box, either of which moves as fast as `speed` or
 * falls, does not come, be through and go: each over a quarter of the gap, or of the smaller. */
static double longest_flight(const compliant_system *system, const compliant_pair *pair, double gap,
                             double speed) {
    const double radius = fmin(system->spheres[pair->a].radius, system->spheres[pair->b].radius),
                 falls = sqrt(norm3(system->gravity) * fmax(0, gap));
    return 0.25 * fmax(gap, radius) / fmax(speed, falls);
}

/* At y, where the tree is placed. Balls may pass each other, half spaces not. */
static void look_at_pairs(stretch *r) {
    const compliant_system *system = &r->s->system;
    const double speed = fmax(r->fastest, scene_speed(r->s));
    r->stride = r->s->run.max_step > 0 ? r->s->run.max_step : INFINITY;
    for (int i = 0; i < system->npairs; i++) {
        const compliant_pair *pair = &system->pairs[i];
        r->now[i] = compliant_look(system, i);
        if (pair->plane < 0)
            r->stride = fmin(r->stride, longest_flight(system, pair, -r->now[i].depth, speed));
    }
}

/* y1's impulses <- those of forces that obey the law all the way through the step of length h,
 * where the modes leave several and the least of them may pull: by Gauss's rule, whose weights are
 * all positive. False: within the step no such forces are found. */
static bool share(stretch *r, double h) {
    const size_t count = 3 * (size_t)r->l->nc;
    if (!r->l->loose) return true;
    memcpy(r->end, r->y1, (size_t)r->dim * sizeof *r->y);
    memcpy(r->end + r->impulse, r->y + r->impulse, count * sizeof *r->y);
    bool done = true;
    for (size_t k = 0; k < NODES && done; k++) {
        double time, weight;
        bool obeys = false;
        gsl_integration_glfixed_point(0, h, k, &time, &weight, r->rule);
        done = try_step(r, time) && look(r, r->y1) == IMP_OK &&
               noted(r, scene_lasting_obeys(r->l, &obeys)) == IMP_OK && obeys;
        for (size_t i = 0; i < count; i++)
            r->end[(size_t)r->impulse + i] += weight * r->l->f[i];
    }
    if (done) memcpy(r->y1, r->end, (size_t)r->dim * sizeof *r->y);
    return done;
}

/* y <- y1, without what rounding has brought in. */
static imp_status accept(stretch *r, double h) {
    double *swap = r->y;
    r->y = r->y1, r->y1 = swap;
    r->t += h;
    imp_status status = noted(r, scene_lasting_correct(r->l, r->y, r->y + r->nq));
    compliant_way_stop(&r->way);
    if (status == IMP_OK) status = look(r, r->y);
    if (status != IMP_OK) return status;
    status = noted(r, compliant_way_go(&r->way, h));
    r->forks = status == IMP_NOT_CERTIFIED;
    if (status != IMP_OK) return status;
    scene_lasting_aim(r->l);
    choose_scale(r);
    look_at_pairs(r);
    return slope(r->t, r->y, r->slope, r) == GSL_SUCCESS ? IMP_OK : IMP_NOT_FINITE;
}

static imp_status integrate(stretch *r, bool (*tell)(void *, const scene_stride *), void *context,
                            scene_stretch_end *end) {
    double before = 0;
    *end = SCENE_STRETCH_STOPPED;
    if (slope(0, r->y, r->slope, r) != GSL_SUCCESS) return r->lacked ? IMP_NO_MEMORY : IMP_OK;
    for (bool last = false; !last;) {
        r->h = fmin(r->h, r->stride);
        double h = meet_accuracy(r);
        if (!(h > 0)) {
            *end = SCENE_STRETCH_STOPPED;
            return r->lacked ? IMP_NO_MEMORY : IMP_OK;
        }
        const double part = seen(r, h);
        if (part < 1) { /* up to just before it turns */
            r->h = 0.999 * part * h;
            continue;
        }
        *end = SCENE_STRETCH_TIME;
        scene_stretch_end why = SCENE_STRETCH_CHANGES;
        if (!holds(r, &why)) h = locate(r, h, end);
        if ((*end != SCENE_STRETCH_TIME && error_of(r) > 1) || !share(r, h)) {
            r->h = 0.5 * h;
            continue;
        }
        last = *end != SCENE_STRETCH_TIME || !(r->t + h < r->until);
        const imp_status status = accept(r, h);
        if (r->lacked) return IMP_NO_MEMORY;
        const scene_stride told = {.time = r->t,
                                   .lasting = r->l,
                                   .p = r->y + r->impulse,
                                   .rubbed = r->y[r->rubbed] - before,
                                   .last = last};
        before = r->y[r->rubbed];
        if (tell && tell(context, &told))
            memset(r->y + r->impulse, 0, 3 * (size_t)r->l->nc * sizeof *r->y);
        if (status != IMP_OK && !last) *end = SCENE_STRETCH_STOPPED, last = true;
        if (r->forks) *end = SCENE_STRETCH_FORKS, last = true;
    }
    return IMP_OK;
}

/* That of the compliant run; rk8pd where that is one of Euler's, which need the compliant
 * system. */
static const gsl_odeiv2_step_type *step_type(const scene *s) {
    const gsl_odeiv2_step_type *own = s->run.stepper;
    const bool euler = own == compliant_step_semi_explicit || own == gsl_odeiv2_step_rk1imp;
    return euler ? gsl_odeiv2_step_rk8pd : own;
}

/* Of the placed tree, as looked at. */
static void choose_speeds(stretch *r) {
    const scene_lasting *l = r->l;
    const int links = imp_tree_links(r->s->tree);
    const double falls = sqrt(norm3(r->s->system.gravity) * r->length);
    for (int i = 0; i < links; i++) {
        const imp_link_state *link = imp_tree_state(r->s->tree, i);
        r->speed[i] = fmax(falls, fmax(norm3(link->velocity), norm3(link->spin) * r->length));
    }
    for (int i = 0; i < l->nc; i++) {
        const int side[2] = {l->contact[i].a, l->contact[i].b};
        for (int k = 0; k < 2; k++)
            if (side[k] != IMP_GROUND)
                r->speed[side[k]] = fmax(r->speed[side[k]], norm3(l->u + 3 * i));
    }
    scene_couple(r->s, l->nc, l->contact, r->speed);
    for (int i = 0; i < links; i++)
        r->fastest = fmax(r->fastest, r->speed[i]);
}

static imp_status acquire(stretch *r, const double *q, const double *v) {
    const size_t dim = (size_t)r->dim;
    double **const vector[] = {&r->y, &r->slope, &r->y1, &r->slope1, &r->error, &r->scale, &r->end};
    bool missing = !(r->lever = calloc(2 * (size_t)r->nv + 1, sizeof(double)));
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        missing = !(*vector[i] = calloc(dim, sizeof(double))) || missing;
    r->speed = calloc((size_t)imp_tree_links(r->s->tree) + 1, sizeof *r->speed);
    r->from = calloc((size_t)r->s->system.npairs + 1, sizeof *r->from);
    r->now = calloc((size_t)r->s->system.npairs + 1, sizeof *r->now);
    r->step = gsl_odeiv2_step_alloc(step_type(r->s), dim);
    r->rule = gsl_integration_glfixed_table_alloc(NODES);
    if (missing || !r->speed || !r->from || !r->now || !r->step || !r->rule) return IMP_NO_MEMORY;
    memcpy(r->y, q, (size_t)r->nq * sizeof *q);
    memcpy(r->y + r->nq, v, (size_t)r->nv * sizeof *v);
    r->length = scene_length(r->s);
    r->reach = fmax(r->length, compliant_reach(&r->s->system));
    imp_tree_place(r->s->tree, q, v);
    const imp_status status = scene_lasting_look(r->l);
    if (status == IMP_OK) choose_speeds(r);
    r->h = 0.01 * r->length / r->fastest;
    if (!(r->h < r->until)) r->h = r->until; /* or there is no speed */
    choose_scale(r);
    watch_pairs(r);
    look_at_pairs(r);
    return status;
}

imp_status scene_stretch(scene_lasting *l, double until, long *steps, double *q, double *v,
                         bool (*tell)(void *context, const scene_stride *stride), void *context,
                         scene_stretch_end *end, double *time) {
    stretch r = {.l = l,
                 .s = l->s,
                 .nq = imp_tree_nq(l->s->tree),
                 .nv = l->nv,
                 .until = until,
                 .steps = steps};
    r.way = compliant_way_new(l->s->tree, l->s->loops);
    r.rubbed = r.nq + r.nv;
    r.impulse = r.rubbed + 1;
    r.dim = r.impulse + 3 * l->nc;
    r.system = (gsl_odeiv2_system){slope, NULL, (size_t)r.dim, &r};
    gsl_error_handler_t *const handler = gsl_set_error_handler_off();
    imp_status status = acquire(&r, q, v);
    *end = SCENE_STRETCH_STOPPED;
    if (status == IMP_OK) status = integrate(&r, tell, context, end);
    if (status == IMP_OK) {
        memcpy(q, r.y, (size_t)r.nq * sizeof *q);
        memcpy(v, r.y + r.nq, (size_t)r.nv * sizeof *v);
    }
    *time = r.t;
    compliant_way_stop(&r.way);
    free(r.y), free(r.slope), free(r.y1), free(r.slope1), free(r.error), free(r.scale), free(r.end),
        free(r.lever), free(r.speed), free(r.from), free(r.now);
    if (r.step) gsl_odeiv2_step_free(r.step);
    if (r.rule) gsl_integration_glfixed_table_free(r.rule);
    gsl_set_error_handler(handler);
    return status;
}
