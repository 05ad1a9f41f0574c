/* stretch_step.c - one step of a stretch: what changes of (q, v), of what friction takes and of
 * the contacts' impulses, and how far it may go to its accuracy. */
#include "scene/stretch_run.h"

#include "base/vec3.h"
#include "base/worse.h"
#include "scene/speeds.h"

#include <gsl/gsl_errno.h>

#include <string.h>

imp_status scene_stretch_look(scene_stretch_run *r, const double *y) {
    imp_tree_place(r->s->tree, y, y + r->nq);
    const imp_status status = scene_lasting_look(r->l);
    return scene_stretch_noted(r, status == IMP_OK ? scene_lasting_forces(r->l) : status);
}

int scene_stretch_slope(double t, const double y[], double dy[], void *params) {
    scene_stretch_run *r = params;
    const scene_lasting *l = r->l;
    (void)t;
    if (scene_stretch_look(r, y) != IMP_OK) return GSL_EBADFUNC;
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

bool scene_stretch_try(scene_stretch_run *r, double h) {
    memcpy(r->y1, r->y, (size_t)r->dim * sizeof *r->y);
    return gsl_odeiv2_step_apply(r->step, r->t, h, r->y1, r->error, r->slope, r->slope1,
                                 &r->system) == GSL_SUCCESS;
}

/* What counts as 1 of each coordinate: its size, or at least what moves a contact by the smallest
 * ball, of velocities at the speed of a fall through it, of the contacts or of the fastest body
 * that it is coupled with: what stands still between bodies that move has rounding alone. An
 * attitude has no size. Of an impulse: its own, or what stops that velocity at its contact; of what
 * friction took: that, or the bodies' energy at such speeds. Of the placed tree. */
void scene_stretch_scale(scene_stretch_run *r) {
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
        r->swift[i] =
            l->parent == IMP_GROUND ? r->speed[i] : fmax(r->speed[i], r->swift[l->parent]);
        for (int k = 0; k < (is_free ? 6 : l->joint == IMP_WELD ? 0 : 1); k++) {
            const int at = r->nq + l->v_at + k;
            if (own[k] == 0) own[k] = l->joint == IMP_REVOLUTE || k >= 3 ? r->reach : 1;
            scale[at] = fmax(fabs(r->y[at]), r->speed[i] / own[k]);
            r->swift[i] = fmax(r->swift[i], scale[at] * own[k]);
        }
        for (int k = 0; k < (is_free ? 3 : l->joint == IMP_WELD ? 0 : 1); k++)
            scale[l->q_at + k] = fmax(fabs(r->y[l->q_at + k]), r->length / own[k]);
        for (int k = 3; k < 7 && is_free; k++) /* a quaternion turns by half the angle */
            scale[l->q_at + k] = 0.5 * r->length / fmax(own[3], fmax(own[4], own[5]));
    }
    for (int i = 0; i < r->l->nc; i++) {
        const imp_contact *c = &r->l->contact[i];
        double *of = scale + r->impulse + 3 * i;
        of[0] = fmax(norm3(r->y + r->impulse + 3 * i),
                     scene_larger(r->swift, c->a, c->b) / r->l->own[i]);
        of[1] = of[2] = of[0];
    }
    scale[r->rubbed] = fmax(r->y[r->rubbed], r->energy);
}

double scene_stretch_error(scene_stretch_run *r) {
    double worst = 0;
    if (scene_stretch_noted(r, compliant_way_error(&r->way, r->y1, r->y1 + r->nq, r->error,
                                                   r->error + r->nq, r->lever)) != IMP_OK)
        return INFINITY;
    for (int k = 0; k < r->dim; k++) {
        const double part = fabs(r->error[k]) / (r->s->run.accuracy * r->scale[k]);
        worst = imp_worse(worst, part);
    }
    return worst;
}

double scene_stretch_step(scene_stretch_run *r) {
    const double order = gsl_odeiv2_step_order(r->step) + 1;
    double h = fmin(r->h, r->until - r->t);
    for (; *r->steps < r->s->run.max_steps; ++*r->steps) {
        h = compliant_way_step(&r->way, h);
        if (!(r->t + h > r->t)) return 0;
        const double error = scene_stretch_try(r, h) ? scene_stretch_error(r) : INFINITY;
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
