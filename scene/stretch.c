/* stretch.c - the motion while contacts last: adaptive Runge-Kutta over (q, v), what friction takes
 * and the contacts' impulses. A step in which the modes do not hold is taken again, by bisection,
 * up to the first instant at which they do not. */
#include "scene/stretch_run.h"

#include "base/vec3.h"
#include "compliant/euler.h"
#include "scene/impact.h"
#include "scene/speeds.h"

#include <gsl/gsl_errno.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* y1's impulses <- those of forces that obey the law all the way through the step of length h,
 * where the modes leave several and the least of them may pull: by Gauss's rule, whose weights are
 * all positive. False: within the step no such forces are found. */
static bool share(scene_stretch_run *r, double h) {
    const size_t count = 3 * (size_t)r->l->nc;
    if (!r->l->loose) return true;
    memcpy(r->kept, r->y1, (size_t)r->dim * sizeof *r->y);
    memcpy(r->kept + r->impulse, r->y + r->impulse, count * sizeof *r->y);
    bool done = true;
    for (size_t k = 0; k < SCENE_STRETCH_NODES && done; k++) {
        double time, weight;
        bool obeys = false;
        gsl_integration_glfixed_point(0, h, k, &time, &weight, r->rule);
        done = scene_stretch_try(r, time) && scene_stretch_look(r, r->y1) == IMP_OK &&
               scene_stretch_noted(r, scene_lasting_obeys(r->l, &obeys)) == IMP_OK && obeys;
        for (size_t i = 0; i < count; i++)
            r->kept[(size_t)r->impulse + i] += weight * r->l->f[i];
    }
    if (done) memcpy(r->y1, r->kept, (size_t)r->dim * sizeof *r->y);
    return done;
}

/* y <- y1, without what rounding has brought in. */
static imp_status accept(scene_stretch_run *r, double h) {
    double *swap = r->y;
    r->y = r->y1, r->y1 = swap;
    r->t += h;
    /* a sum of steps may miss the end by its last bit, which is no step */
    if (fabs(r->until - r->t) <= DBL_EPSILON * r->t) r->t = r->until;
    imp_status status = scene_stretch_noted(r, scene_lasting_correct(r->l, r->y, r->y + r->nq));
    compliant_way_stop(&r->way);
    if (status == IMP_OK) status = scene_stretch_look(r, r->y);
    if (status != IMP_OK) return status;
    status = scene_stretch_noted(r, compliant_way_go(&r->way, h));
    r->forks = status == IMP_NOT_CERTIFIED;
    if (status != IMP_OK) return status;
    scene_lasting_aim(r->l);
    scene_stretch_scale(r);
    if (scene_stretch_slope(r->t, r->y, r->slope, r) != GSL_SUCCESS) return IMP_NOT_FINITE;
    scene_stretch_look_ahead(r);
    return IMP_OK;
}

static imp_status integrate(scene_stretch_run *r, bool (*tell)(void *, const scene_stride *),
                            void *context, scene_stretch_end *end) {
    double before = 0;
    *end = SCENE_STRETCH_STOPPED;
    if (scene_stretch_slope(0, r->y, r->slope, r) != GSL_SUCCESS)
        return r->lacked ? IMP_NO_MEMORY : IMP_OK;
    scene_stretch_look_ahead(r);
    for (bool last = false; !last;) {
        r->h = fmin(r->h, fmin(r->stride, r->pace));
        double h = scene_stretch_step(r);
        if (!(h > 0)) {
            *end = SCENE_STRETCH_STOPPED;
            return r->lacked ? IMP_NO_MEMORY : IMP_OK;
        }
        const double part = scene_stretch_seen(r, h);
        if (part < 1) { /* up to just before it turns */
            r->h = 0.999 * part * h;
            continue;
        }
        const double lasts = scene_stretch_lasts(r, h, end);
        if (!(lasts > 0)) {
            r->h = r->pace;
            continue;
        }
        h = lasts;
        if ((*end != SCENE_STRETCH_TIME && scene_stretch_error(r) > 1) || !share(r, h)) {
            r->h = 0.5 * h;
            continue;
        }
        const imp_status status = accept(r, h);
        last = *end != SCENE_STRETCH_TIME || !(r->t < r->until);
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

/* Of the placed tree, as looked at: none so slow that in all the time rounding hides its way. */
static void choose_speeds(scene_stretch_run *r) {
    const scene_lasting *l = r->l;
    const int links = imp_tree_links(r->s->tree);
    const double falls = sqrt(norm3(r->s->system.gravity) * r->length),
                 least = fmax(falls, DBL_EPSILON * r->length / r->until);
    for (int i = 0; i < links; i++) {
        const imp_link_state *link = imp_tree_state(r->s->tree, i);
        r->speed[i] = fmax(least, fmax(norm3(link->velocity), norm3(link->spin) * r->length));
    }
    for (int i = 0; i < l->nc; i++) {
        const int side[2] = {l->contact[i].a, l->contact[i].b};
        for (int k = 0; k < 2; k++)
            if (side[k] != IMP_GROUND)
                r->speed[side[k]] = fmax(r->speed[side[k]], norm3(l->u + 3 * i));
    }
    scene_couple(r->s, l->nc, l->contact, r->speed);
    for (int i = 0; i < links; i++) {
        r->fastest = fmax(r->fastest, r->speed[i]);
        r->energy += 0.5 * imp_tree_link(r->s->tree, i)->mass * r->speed[i] * r->speed[i];
    }
}

static imp_status acquire(scene_stretch_run *r, const double *q, const double *v) {
    const size_t dim = (size_t)r->dim, rows = (size_t)scene_stretch_margins(r->l);
    double **const vector[] = {&r->y,     &r->slope, &r->y1,     &r->slope1, &r->error,
                               &r->scale, &r->kept,  &r->within, &r->bend,   &r->bend1};
    bool missing = !(r->lever = calloc(2 * (size_t)r->nv + 1, sizeof(double)));
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        missing = !(*vector[i] = calloc(dim, sizeof(double))) || missing;
    r->speed = calloc((size_t)imp_tree_links(r->s->tree) + 1, sizeof *r->speed);
    r->swift = calloc((size_t)imp_tree_links(r->s->tree) + 1, sizeof *r->swift);
    r->held = calloc((size_t)imp_tree_links(r->s->tree) + 1, sizeof *r->held);
    r->shows = calloc((size_t)imp_tree_links(r->s->tree) + 1, sizeof *r->shows);
    r->margin = calloc((SCENE_STRETCH_PARTS + 1) * rows + 1, sizeof *r->margin);
    r->from = calloc((size_t)r->s->system.npairs + 1, sizeof *r->from);
    r->now = calloc((size_t)r->s->system.npairs + 1, sizeof *r->now);
    r->step = gsl_odeiv2_step_alloc(step_type(r->s), dim);
    r->rule = gsl_integration_glfixed_table_alloc(SCENE_STRETCH_NODES);
    if (missing || !r->speed || !r->swift || !r->shows || !r->held || !r->margin || !r->from ||
        !r->now || !r->step || !r->rule)
        return IMP_NO_MEMORY;
    memcpy(r->y, q, (size_t)r->nq * sizeof *q);
    memcpy(r->y + r->nq, v, (size_t)r->nv * sizeof *v);
    r->length = scene_length(r->s);
    r->reach = fmax(r->length, compliant_reach(&r->s->system));
    imp_tree_place(r->s->tree, q, v);
    const imp_status status = scene_lasting_look(r->l);
    if (status == IMP_OK) choose_speeds(r);
    r->h = 0.01 * r->length / r->fastest;
    if (!(r->h < r->until)) r->h = r->until; /* or there is no speed */
    scene_stretch_scale(r);
    scene_stretch_watch(r);
    return status;
}

imp_status scene_stretch(scene_lasting *l, double until, long *steps, double *q, double *v,
                         bool (*tell)(void *context, const scene_stride *stride), void *context,
                         scene_stretch_end *end, double *time) {
    scene_stretch_run r = {.l = l,
                           .s = l->s,
                           .nq = imp_tree_nq(l->s->tree),
                           .nv = l->nv,
                           .until = until,
                           .pace = INFINITY,
                           .rough = INFINITY,
                           .steps = steps};
    r.way = compliant_way_new(l->s->tree, l->s->loops);
    r.rubbed = r.nq + r.nv;
    r.impulse = r.rubbed + 1;
    r.dim = r.impulse + 3 * l->nc;
    r.system = (gsl_odeiv2_system){scene_stretch_slope, NULL, (size_t)r.dim, &r};
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
    free(r.y), free(r.slope), free(r.y1), free(r.slope1), free(r.error), free(r.scale),
        free(r.kept), free(r.within), free(r.bend), free(r.bend1), free(r.lever), free(r.speed),
        free(r.swift), free(r.shows), free(r.held), free(r.margin), free(r.from), free(r.now);
    if (r.step) gsl_odeiv2_step_free(r.step);
    if (r.rule) gsl_integration_glfixed_table_free(r.rule);
    gsl_set_error_handler(handler);
    return status;
}
