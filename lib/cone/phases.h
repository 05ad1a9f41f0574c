/* phases.h - an answer of restitution in phases, as its path tells it, laid out for certificates to
 * check.
 *
 * Step 1 is the compression, phase C: an inelastic impact by itself. Step 2 is the expansion, X:
 * along each normal theta e_i times the compression's impulse. Step 3 is the inelastic law once
 * more from the velocities then, C. theta is common to contacts that share their energy, 1 or the
 * largest that creates none. A path that ends early has zeros there. */
#ifndef IMP_PHASES_H
#define IMP_PHASES_H

#include "contact/model.h"

#include <stdbool.h>

/* Does any contact have e > 0? */
bool imp_phases_bounce(const imp_problem *problem);

/* Appends the steps (3 x 3nc, N s) of an answer to its path: the first alone where nothing bounces.
 * share: theta. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_phases_record(imp_path *path, const imp_problem *problem, const double *steps,
                             double share);

/* theta: the largest t in [0, 1] for which an impulse x + t d leaves no more kinetic energy than
 * there was before the impact, E(x + t d) - E(0) = energy + slope t + curvature t^2 / 2 in J. An
 * energy > 0 of x alone (rounding, or overlaps that push) counts as 0: d adds nothing to it. */
double imp_phases_affordable(double energy, double slope, double curvature);

/* How far theta reaches. */
typedef enum imp_phases_kind {
    IMP_PHASES_PLAIN,     /* no theta: all of the expansion, whatever it does to the energy */
    IMP_PHASES_EXPANSION, /* theta shortens the expansion; step 3 starts from what that reaches */
    IMP_PHASES_BOTH       /* step 3 starts from the whole expansion, and theta shortens both */
} imp_phases_kind;

typedef struct imp_phases {
    const imp_problem *problem;
    double *compression; /* (3nc) N s, step 1 */
    double *expansion;   /* (3nc) N s, step 2; of IMP_PHASES_BOTH over theta */
    double *separation;  /* (3nc) N s, step 3; of IMP_PHASES_BOTH over theta */
    double *start;       /* (3nc) N s, compression and expansion: where step 3 starts */
    double *end;         /* (3nc) N s, all three */
    double *share;       /* (nc) theta of each contact, found from the steps' normal impulses; 1
                            where none expands */
    double *sums;        /* (2nc) scratch */
} imp_phases;

/* Reads the path, and notes "path": phases named C, X, C, of which the first three steps add up to
 * p, and expansion impulses along each normal that are theta e_i times the compression's, all
 * relative to the contact's own impulses. group (nc): contacts with one theta carry one number,
 * from 0 to nc - 1; NULL: all carry one. False without memory; imp_phases_close is due all the
 * same. */
bool imp_phases_open(imp_phases *phases, imp_phases_kind kind, const imp_problem *problem,
                     const double *p, const imp_path *path, const int *group,
                     imp_certificate *result);
void imp_phases_close(imp_phases *phases);

/* Notes "share", group by group (nc, not NULL): the energy 1/2 x'Wx + x'q of x (3nc, N s) where
 * theta < 1, else what it is above 0; relative to the terms it is the sum of. x is what theta stops
 * at the limit. */
void imp_phases_note_share(const imp_phases *phases, const int *group, const double *x,
                           imp_certificate *result);

/* The local problem of contact i in step 3, inelastic; sizes are those of all three steps. */
imp_local imp_phases_last(const imp_phases *phases, int i);

#endif
