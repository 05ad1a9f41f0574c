/* step_judge.h - a step of a world, and what it must be by step.h. */
#ifndef CAMPAIGN_STEP_JUDGE_H
#define CAMPAIGN_STEP_JUDGE_H

#include "campaign/campaign.h"
#include "campaign/moved.h"

/* Of one step, over the sum of the sizes of the terms: some hundred roundings, and what a swing's
 * iteration leaves, 1e-13 in the norm of the energy (swing.c). */
#define STEP_ROUND 1e-13

/* m: farther off, places keep too few digits of arms. */
#define STEP_FAR 100

/* The inquiry's columns. */
enum {
    STEP_UNSOLVED = CAMPAIGN_OWN,
    STEP_REFUSED,
    STEP_STEPS,
    STEP_TOUCHED,
    STEP_BEYOND,
    STEP_ANOTHER,
    STEP_WEDGED,
    STEP_LARGE,
    STEP_MOMENTUM,
    STEP_GAIN
};

/* A world that is stepped. Points into itself: never copied. */
typedef struct run {
    gen_world g;
    imp_stepper *s;
    imp_shapes shapes;
    imp_step_settings settings;
    imp_settings own;
} run;

/* A step and what it is judged by. */
typedef struct judged {
    campaign_lot *lot;
    int row;
    run *run;
    imp_world *twin; /* at q, for the basis */
    imp_stepper *free;
    double q[7 * GEN_WORLD_LINKS], v[GEN_WORLD_NV]; /* before the step */
    double free_v[GEN_WORLD_NV];                    /* v* without friction of the joints */
    double star[GEN_WORLD_NV], plus[GEN_WORLD_NV];
    double rub[GEN_WORLD_NV], push[GEN_WORLD_NV]; /* what joints and contacts add to H v */
    double pushed, given;                         /* N s, of all contacts; the sizes of H^-1 J' p */
    double stake, bound;                          /* J, of contacts: the sizes; dE at most */
    moved_tree before[GEN_WORLD_TREES], after[GEN_WORLD_TREES];
    double swing[GEN_WORLD_TREES]; /* judged_swing of the beginning */
    bool beyond[GEN_WORLD_TREES];  /* nothing is promised of momenta */
    moved_basis basis, next;
    double J[MOVED_ROWS][GEN_WORLD_NV], W[MOVED_ROWS * MOVED_ROWS];
} judged;

/* Before the step: the state, and v* from it. The status of the free motion. */
imp_status judged_begin(judged *d);

/* The list of contacts, of the twin placed at q: NULL, or what is wrong with it. */
const char *judged_contacts(judged *d);

/* The world at q with v, placed. */
void judged_put(imp_world *world, const double *q, const double *v);

/* How far a tree's next step of h swings, over what step.h gives momenta for: a quarter of a
 * radian, or a link that carries a quarter of its own inertia over h. */
double judged_swing(const imp_world *world, int tree, const moved_tree *moved, double h);

/* Momenta and places of a tree after the step; NULL, or what is wrong. */
const char *judged_motion(judged *d, int tree);

/* After it: NULL, or what is wrong. solved: the model says ok. */
const char *judged_end(judged *d, bool solved);

#endif
