/* stretch_run.h - what the files of a stretch share: its state, its steps, its ends. */
#ifndef SCENE_STRETCH_RUN_H
#define SCENE_STRETCH_RUN_H

#include "compliant/way.h"
#include "scene/stretch.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_odeiv2.h>

enum { SCENE_STRETCH_NODES = 5 /* of Gauss's rule */, SCENE_STRETCH_PARTS = 4 /* of a step */ };

typedef struct scene_stretch_run {
    scene_lasting *l;
    const scene *s;
    gsl_odeiv2_step *step;
    gsl_odeiv2_system system;
    int nq, nv, rubbed, impulse, dim; /* offsets in y, and its length */
    double *y, *slope, *y1, *slope1, *error, *scale;
    compliant_way way;
    bool forks;                    /* it is at a change point */
    double *kept;                  /* (dim) y1 while its step is looked at again; and scratch */
    double *within, *bend, *bend1; /* (nq + nv) between y and y1; (nq) how rates change at both */
    gsl_integration_glfixed_table *rule; /* of SCENE_STRETCH_NODES */
    double *lever;        /* (2nv) m per unit of v, see compliant_lever; and its scratch */
    double *from;         /* (npairs) m, deeper than that a pair closes; INFINITY: it presses */
    compliant_touch *now; /* (npairs) at y */
    /* (SCENE_STRETCH_PARTS + 1, scene_stretch_margins) at y, between and at y1; N, N m, m/s or
     * rad/s by row: how far the modes are from where they no longer hold, below 0 beyond that;
     * INFINITY: it is nothing that ends */
    double *margin;
    double t, h, until; /* s */
    double stride;      /* s, the longest step from y */
    double pace;        /* s, the longest step in which margins can be followed */
    double rough;       /* of the last step from y that was too long for that; INFINITY: none was */
    double length;      /* m, what counts as 1 ... */
    double *speed;      /* (links) m/s, ... and beside each body */
    double fastest;     /* m/s, of these */
    bool *shows;        /* (links) whether it turns so that anything shows it */
    double *held;       /* (links) 1: contacts, or joints that rub, are coupled with it; else 0 */
    double *swift;      /* (links) m/s, the fastest that a contact moves by what counts as 1 */
    double energy;      /* J, at those speeds */
    double reach;       /* m, of what turns and touches nothing */
    bool lacked;        /* memory, wherever it was */
    long *steps;        /* of the whole run */
} scene_stretch_run;

/* Rows of margins: two a contact, one a joint that rubs. */
static inline int scene_stretch_margins(const scene_lasting *l) {
    return 2 * l->nc + l->joints;
}

static inline imp_status scene_stretch_noted(scene_stretch_run *r, imp_status status) {
    r->lacked = r->lacked || status == IMP_NO_MEMORY;
    return status;
}

/* stretch_step.c: one step, to its accuracy */

/* The forces at y. */
imp_status scene_stretch_look(scene_stretch_run *r, const double *y);
/* gsl_odeiv2_system's function; params: the run. */
int scene_stretch_slope(double t, const double y[], double dy[], void *params);
/* y1, slope1, error <- a step of length h from y. */
bool scene_stretch_try(scene_stretch_run *r, double h);
/* scale, lever, swift <- what counts as 1 at y, where the tree is placed. */
void scene_stretch_scale(scene_stretch_run *r);
/* Of the step just tried, 1 = the accuracy. */
double scene_stretch_error(scene_stretch_run *r);
/* y1 <- a step that meets the accuracy. Returns its length, 0: there is none. */
double scene_stretch_step(scene_stretch_run *r);

/* stretch_ends.c: what a step may not step over */

/* shows, held, and from, of the pairs that touch at the start. */
void scene_stretch_watch(scene_stretch_run *r);
/* now, stride and the first margins, at y, where the tree is placed and was looked at. */
void scene_stretch_look_ahead(scene_stretch_run *r);
/* Of the step of length h to y1: the part of it before which no pair may have closed and parted
 * again unseen, 1: all of it. */
double scene_stretch_seen(const scene_stretch_run *r, double h);
/* y1 <- the step of length h up to the first instant in it at which the modes do not hold; *end
 * says what does not, SCENE_STRETCH_TIME: all of it holds. Returns its length, 0: it is too long to
 * tell. */
double scene_stretch_lasts(scene_stretch_run *r, double h, scene_stretch_end *end);

#endif
