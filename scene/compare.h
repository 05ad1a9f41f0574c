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
    const char *name; /* "compliant", "limit", or the model's */
    imp_status status;
    const char *why; /* of `unsupported`: what it does not take; why there is no fit; else NULL */
    double e;        /* the scene's restitution, the same for all; NAN: no model */
    /* with it: errors against the compliant run and against the limit */
    double p_compliant, v_compliant, p_limit, v_limit;
    scene_outcome outcome; /* with it: what is compared; empty where there is no answer */
    /* the law's own restitution (calibrate.h); with it, the velocity against the limit */
    double e_own, v_own;
    /* the restitution that brings the velocity nearest to the limit of this very scene, and how
     * near: what is not the restitution's part of the error. A fit, no prediction */
    double e_best, v_best;
    double v_plastic; /* with e = 0: the velocity against the end of compression (scene_plastic) */
    double energy;    /* J, change of kinetic energy */
    long evaluations; /* of forces */
    imp_info info;    /* the model's own counts */
    double seconds;   /* of the impact alone, the least of some repeats */
} scene_row;

typedef struct scene_comparison {
    scene_moment moment;
    bool unique;                 /* impulses are compared */
    scene_experiment experiment; /* that gives each law its own restitution */
    double doubt; /* of the limit's velocity, relative; 0: exact; infinite: no limit */
    double time;  /* s, of the scene at the end of the compliant run */
    int count;
    scene_row *row; /* (count) */
} scene_comparison;

/* Runs everything, and the models of a list ended by NULL. A model that does not take restitution
 * is given e = 0; one that does not take the problem even then has the status `unsupported` and
 * says why. IMP_OK, IMP_NO_SOLUTION (nothing touches), IMP_NOT_CONVERGED (the compliant run
 * itself), other statuses of compliant_run; comparison is empty unless IMP_OK, and the error says
 * why, without the scene's title. */
imp_status scene_compare(const scene *s, const imp_model *const models[],
                         scene_comparison *comparison, imp_error *error);
void scene_comparison_clear(scene_comparison *comparison);

/* The same without what takes its time: own and best restitutions, and times. The answer is the
 * same on every run. */
imp_status scene_compare_briefly(const scene *s, const imp_model *const models[],
                                 scene_comparison *comparison, imp_error *error);

/* The table, and its rows; a field is empty where a number means nothing. */
/* What the values decide of a row: its first columns, and those of a sweep. */
/* clang-format off */
#define SCENE_ANSWER_COLUMNS                                                                       \
    IMP_WORDS("scene"), IMP_WORDS("model"), IMP_WORDS("status"), IMP_COUNTS("contacts"),           \
        IMP_NUMBERS("e", NULL, 6), IMP_NUMBERS("p_error", NULL, 4),                                \
        IMP_NUMBERS("v_error", NULL, 4), IMP_NUMBERS("p_error_limit", NULL, 4),                    \
        IMP_NUMBERS("v_error_limit", NULL, 4), IMP_NUMBERS("limit_doubt", NULL, 2),                \
        IMP_NUMBERS("energy", "J", 9), IMP_COUNTS("evaluations"), IMP_COUNTS("iterations"),        \
        IMP_COUNTS("intervals"), IMP_COUNTS("rounds")
/* clang-format on */
enum { SCENE_ANSWERS = 15 };
void scene_answer_cells(const scene *s, const scene_comparison *comparison, const scene_row *row,
                        imp_cell cell[SCENE_ANSWERS]);
/* Where there is no compliant answer, in its own row: the status, and no numbers. */
void scene_failure_cells(const scene *s, imp_status status, imp_cell cell[SCENE_ANSWERS]);

extern const imp_column scene_comparison_columns[];
void scene_comparison_write(FILE *out, const scene *s, const scene_comparison *comparison);
void scene_failure_write(FILE *out, const scene *s, imp_status status, const char *why);

/* A row per answer and contact: impulse, and relative velocity after it. */
extern const imp_column scene_impulse_columns[];
void scene_impulses_write(FILE *out, const scene *s, const scene_comparison *comparison);

/* The compliant run from the touch on, once more: a row per step and pair that presses in it,
 * with depth (m; negative: the gap), force (N) and the impulse so far (N s), both on b and in
 * the frame that the pair has at the touch. Statuses of compliant_run. */
extern const imp_column scene_history_columns[];
imp_status scene_history_write(FILE *out, const scene *s, const scene_moment *moment);

/* The impact problem, named by the scene's title: what this model was given, its restitution and
 * its settings; model NULL: with the scene's restitution. A new reference, NULL without memory. */
json_t *scene_problem_json(const scene *s, const scene_moment *moment, const imp_model *model);

#endif
