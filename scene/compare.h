/* compare.h - one scene, every model: how close each comes to the compliant impact and to its rigid limit. */
#ifndef SCENE_COMPARE_H
#define SCENE_COMPARE_H

#include "scene/impact.h"

#include <stdio.h>

/* One line of the comparison: the compliant run, its limit, or a model. Errors are relative and NAN where they mean
 * nothing: impulses |p - p'| / |p'| only where velocities determine them, velocities in the mass norm relative to the
 * speed before the impact. */
typedef struct scene_row {
    const char *name;                                  /* "compliant", "limit", or the model's */
    imp_status status;                                 /* */
    double e;                                          /* restitution the model was given; NAN for the first two */
    double p_compliant, v_compliant, p_limit, v_limit; /* errors against the compliant run and against the limit */
    double energy;                                     /* J, change of kinetic energy */
    long evaluations;                                  /* of forces */
    imp_info info;                                     /* the model's own counts */
    double seconds;                                    /* of the impact alone, the least of some repeats */
} scene_row;

typedef struct scene_comparison {
    scene_moment moment;
    bool unique;  /* impulses are compared */
    double doubt; /* of the limit's velocity, relative; 0: exact; infinite: no limit */
    int count;    /* */
    scene_row *row;
} scene_comparison;

/* Runs everything. A model that does not take restitution is given e = 0; one that does not take the problem even then
 * has the status `unsupported`. IMP_OK, IMP_NO_SOLUTION (nothing touches), IMP_NOT_CONVERGED (the compliant run itself;
 * *end says why and *time, s, how far it came), other statuses of compliant_run; comparison is empty unless IMP_OK. */
imp_status scene_compare(const scene *s, scene_comparison *comparison, compliant_end *end, double *time);
void scene_comparison_clear(scene_comparison *comparison);

/* The table: tab-separated, one header row; a field is empty where a number means nothing. */
void scene_comparison_header(FILE *out);
void scene_comparison_write(FILE *out, const scene *s, const scene_comparison *comparison);

#endif
