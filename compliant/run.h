/* run.h - a compliant simulation: steps of adaptive length from touch to touch, with its history.
 *
 * Independent of every rigid model. Contact starts and ends are located in time, so that no step
 * straddles one: the force is only 5/2 times differentiable there. */
#ifndef COMPLIANT_RUN_H
#define COMPLIANT_RUN_H

#include "compliant/history.h"
#include "compliant/ode.h"

#include <gsl/gsl_odeiv2.h>

typedef struct compliant_settings {
    /* one of GSL's explicit methods or its rk1imp, compliant_step_merson (merson.h), or
     * compliant_step_semi_explicit (euler.h) */
    const gsl_odeiv2_step_type *stepper;
    /* error of a step per component, relative to its physical scale */
    double accuracy;
    double max_step; /* s, 0: no bound */
    long max_steps;  /* accepted and rejected */
    double until;    /* s, when to stop at the latest */
    /* m: stop once no pair presses or is let go inside the other, and none nearer than this is
     * closing; negative: never */
    double apart;
    bool to_touch; /* stop as soon as a pair that presses is closing */
    bool history;  /* keep a row per accepted step */
    /* asked after every accepted step; NULL, or false to stop */
    bool (*proceed)(double t, void *context);
    void *context;
} compliant_settings;

/* Dormand-Prince 8(7) at 1e-10, at most 1e6 steps, 1 s, until 1 mm apart, with history. */
compliant_settings compliant_settings_default(void);

typedef enum compliant_end {
    COMPLIANT_APART,       /* the collision is over */
    COMPLIANT_TOUCH,       /* the first touch, when asked for */
    COMPLIANT_TIME,        /* `until` reached */
    COMPLIANT_STEPS,       /* max_steps used up */
    COMPLIANT_TOLERANCE,   /* no step small enough meets the accuracy */
    COMPLIANT_INTERRUPTED, /* proceed said no */
    COMPLIANT_OPEN,        /* loops that no near place closes, or that lock */
    COMPLIANT_CHANGE,      /* loops at a change point: rounding decides how they go on */
    COMPLIANT_STIFF,       /* penetrations that the rounding of positions hides */
} compliant_end;

/* "apart", "touch", "time", "step limit", "tolerance not met", "interrupted",
 * "loops came open", "too stiff: it yields by less than rounding leaves of positions". */
const char *compliant_end_text(compliant_end end);

typedef struct compliant_spell {
    int pair;
    double start, end; /* s; end = NAN while it presses */
} compliant_spell;

typedef struct compliant_result {
    compliant_end end;
    /* s: of the state handed out. Reached; of a run that waits (apart >= 0, not to a touch) and
     * ends by APART or TIME, the instant from which on nothing pressed */
    double time;
    double first_touch, last_end;       /* s, NAN: none */
    long steps, rejected;               /* of the integrator: kept, and made again shorter */
    long evaluations;                   /* of the forces, all told ... */
    long contact_evaluations;           /* ... and those from the first touch on */
    compliant_layout layout;            /* of y and of history rows */
    double *y;                          /* (layout.dim) final state */
    double *deepest;                    /* (npairs) m, largest penetration; 0: never pressed */
    int nspells;                        /* contacts made, in order of their start */
    compliant_spell *spells;            /* (nspells) */
    double energy0;                     /* J, kinetic + potential + elastic at the start */
    double kinetic, potential, elastic; /* J, at the end */
    double drift; /* m or sine: the most that loops missed after a step, before they were closed */
    compliant_history history; /* rows when asked for */
} compliant_result;

/* m, what rounding may leave of a gap where the coordinates are q. */
double compliant_rounding(const compliant_system *system, const double *q);

/* Integrates from (q, v) at t = 0, which keep the system's loops; their rows hold in
 * accelerations, and what a step leaves of them in positions and velocities is projected out
 * after it. Pairs that touch at the start, their gap below 1e-9 of the depth they will reach,
 * press from then on. IMP_OK when the run ended by `apart`, `to_touch` or `until`;
 * IMP_NOT_CONVERGED when it could not meet its tolerance, ran out of steps, was told to stop or
 * is too stiff to look at contacts (a run to a touch needs none):
 * the result then holds the state and the time reached. IMP_BAD_ARGUMENT (accuracy or until not
 * > 0), IMP_NOT_FINITE, IMP_NO_MEMORY: result is empty. Switches GSL's error handler off while
 * it runs, so not thread-safe. */
imp_status compliant_run(const compliant_system *system, const compliant_settings *settings,
                         const double *q, const double *v, compliant_result *result);
void compliant_result_clear(compliant_result *result);

#endif
