/* compare.h - one scene, every model: how close each comes to the compliant impact and to its rigid
 * limit. */
#ifndef SCENE_COMPARE_H
#define SCENE_COMPARE_H

#include "io/columns.h"
#include "scene/calibrate.h"

#include <stdio.h>

/* One line of the comparison: the compliant run, its limit, or a model. Errors are relative and NAN
 * where they mean nothing: impulses |p - p'| / |p'| only where velocities determine them,
 * velocities in the mass norm relative to the speed before the impact. */
typedef struct scene_row {
    const char *name;  /* "compliant", "limit", or the model's */
    imp_status status; /* */
    /* of `unsupported`: what it does not take; else NULL */
    const char *why;
    double e;                                          /* the scene's restitution, the same for all;
                                                          NAN: no model */
    double p_compliant, v_compliant, p_limit, v_limit; /* with it: errors against the compliant run
                                                          and the limit */
    /* the law's own restitution (calibrate.h); with it, the velocity against the limit */
    double e_own, v_own;
    double e_best, v_best; /* the restitution that brings the velocity nearest to the limit of this
                              very scene, and how near: what is not the restitution's part of the
                              error. A fit, no prediction */
    /* with e = 0, the velocity against the end of the compression (scene_plastic) */
    double v_plastic;
    double energy;    /* J, change of kinetic energy */
    long evaluations; /* of forces */
    imp_info info;    /* the model's own counts */
    double seconds;   /* of the impact alone, the least of some repeats */
} scene_row;

typedef struct scene_comparison {
    scene_moment moment;
    bool unique;                 /* impulses are compared */
    scene_experiment experiment; /* that gives each law its own restitution */
    /* of the limit's velocity, relative; 0: exact; infinite: no limit */
    double doubt;
    double time; /* s, of the scene at the end of the compliant run */
    int count;   /* */
    scene_row *row;
} scene_comparison;

/* Runs everything, and the models of a list ended by NULL. A model that does not take restitution
 * is given e = 0; one that does not take the problem even then has the status `unsupported` and
 * says why. IMP_OK, IMP_NO_SOLUTION (nothing touches), IMP_NOT_CONVERGED (the compliant run
 * itself), other statuses of compliant_run; comparison is empty unless IMP_OK, and the error begins
 * with the scene's title. */
imp_status scene_compare(const scene *s, const imp_model *const models[],
                         scene_comparison *comparison, imp_error *error);
void scene_comparison_clear(scene_comparison *comparison);

/* Why a model does not take a problem, leaving restitution aside: "several contacts", "friction",
 * "not planar"; NULL where it should. */
const char *scene_refusal(const imp_model *model, const imp_problem *problem);

/* The table, and its rows; a field is empty where a number means nothing. */
extern const imp_column scene_comparison_columns[];
void scene_comparison_write(FILE *out, const scene *s, const scene_comparison *comparison);

#endif
