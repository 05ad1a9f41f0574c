/* run_internal.h - what the files of a compliant run share: its state, and what changes in it. */
#ifndef COMPLIANT_RUN_INTERNAL_H
#define COMPLIANT_RUN_INTERNAL_H

#include "compliant/event.h"
#include "compliant/near.h"
#include "compliant/run.h"
#include "compliant/way.h"

typedef struct compliant_simulation {
    const compliant_settings *set;
    compliant_result *result;
    compliant_ode ode;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver; /* of the steps; an implicit one reads its accuracy there */
    double last_error;         /* of the last step accepted, 1 = the accuracy */
    double t, h;               /* s: reached, and the next step to try */
    /* (dim) now, at the end of the step tried, its error estimate */
    double *y, *slope, *y1, *slope1, *error;
    double *scratch; /* (3 dim) */
    double over;     /* s: from there on nothing presses; NAN: something does, or nothing has */
    double *parted;  /* (dim) the whole state there */
    compliant_near near;
    compliant_touch *now, *then; /* (near.actives) at y, at y1 */
    /* (near.actives) a bit for each kind of change within the step tried */
    unsigned char *turns;
    /* a margin this small is zero, of touches, and of the rest, which needs its root only: the
     * forces before and after agree there */
    double zero[COMPLIANT_KINDS];
    double blur;       /* of the depth scale: what rounding may leave of a gap */
    bool hidden;       /* pairs yield by less than rounding lets be followed */
    double accuracy;   /* of a step, no finer than rounding lets it be */
    compliant_way way; /* of what is joined */
    double stride;     /* s, longest step while nothing presses: an end is noticed so soon */
    /* s, longest step while a sphere circles the origin of a part that sleeps: its way bends, so
     * that the ends of a step do not show what it met between them */
    double swing;
    long before_touch; /* force evaluations up to the first touch */
} compliant_simulation;

/* The whole state, to be changed; and from it what is integrated from now on: after pairs began or
 * ceased to press, to stick, to load. IMP_OK, IMP_NO_MEMORY, IMP_NOT_POSITIVE. */
void compliant_run_unite(compliant_simulation *r);
imp_status compliant_run_divide(compliant_simulation *r);

/* Begins or ends the pressing of a pair, in the united state at the present time. IMP_OK,
 * IMP_NO_MEMORY: of a beginning alone. */
imp_status compliant_run_press(compliant_simulation *r, int pair, const compliant_touch *touch,
                               bool begins);

/* A bit for each kind in which the pair has changed, now that it looks like this. */
unsigned char compliant_run_changes(const compliant_simulation *r, int pair,
                                    const compliant_touch *touch, const compliant_instant *now);

/* The part of the trial step after which the first pair changes, 1 when none does; marks all that
 * turn in it. */
double compliant_run_first_change(compliant_simulation *r, double h);

/* Pairs that the trial step would change and that stand at their margin now begin or cease to
 * press, to stick, to load; symmetric pairs do so together. Returns how many. */
int compliant_run_switch(compliant_simulation *r, imp_status *status);

/* A row of the history, where one is kept. IMP_OK, IMP_NO_MEMORY. */
imp_status compliant_run_keep(compliant_simulation *r);

/* One accepted step, which ends at the first contact event in it. False when it fails; *end or
 * *status says why. */
bool compliant_run_advance(compliant_simulation *r, compliant_end *end, imp_status *status);

/* s, after a touch: the force grows like the 3/2 power of time, so the error of the first step like
 * the 5/2 power. */
double compliant_run_first_step(const compliant_simulation *r);

#endif
