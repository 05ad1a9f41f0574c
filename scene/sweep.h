/* sweep.h - a scene over a grid of values of its keys and of the models' settings: which points
 * there are, and the rows of one. */
#ifndef SCENE_SWEEP_H
#define SCENE_SWEEP_H

#include "scene/compare.h"

enum { SCENE_AXES = 8, SCENE_POINTS = 1000000 /* the most */ };

/* The values that a key takes. */
typedef struct scene_axis {
    char *key;        /* as of scene_assign */
    int count;        /* of values */
    char **value;     /* (count) */
    bool numbers;     /* all of them are */
    bool logarithmic; /* they were asked for so */
} scene_axis;

/* All variants from first to last, each over the grid of the axes; the last axis varies fastest,
 * the variant slowest. */
typedef struct scene_sweep {
    scene_file *file;               /* not owned; what is assigned there counts for all points */
    const imp_model *const *models; /* not owned, ended by NULL */
    int first, last;                /* variants */
    int axes;
    scene_axis axis[SCENE_AXES];
    long points;
    /* of the table: the keys, then what compare has but times */
    imp_column column[SCENE_AXES + 32];
} scene_sweep;

/* A sweep of one point per variant; scene_sweep_add adds an axis, as many as SCENE_AXES:
 * "key=v1,v2,...", "key=lin:a:b:n" or "key=log:a:b:n", n values from a to b with the same
 * difference or ratio, of 12 digits. Commas within brackets and quotes do not count, nor blanks
 * around a value; none stands twice. IMP_OK, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
void scene_sweep_init(scene_sweep *sweep, scene_file *file, const imp_model *const *models,
                      int first, int last);
imp_status scene_sweep_add(scene_sweep *sweep, const char *over, imp_error *error);
void scene_sweep_clear(scene_sweep *sweep);

/* Number of the value that the axis has at a point. */
int scene_sweep_value(const scene_sweep *sweep, long point, int axis);

/* Builds the scene of a point, the caller's to clear. Statuses and faults of scene_build, with the
 * point's values behind them. */
imp_status scene_sweep_build(const scene_sweep *sweep, long point, scene *s, imp_error *error);

/* Writes the rows of a point: the compliant run, its limit, the models; of a point without a
 * compliant answer one row that says why, and the status is that one (> 0). proceed as of
 * compliant_settings. Other statuses are < 0, with an error. */
imp_status scene_sweep_point(const scene_sweep *sweep, long point,
                             bool (*proceed)(double t, void *context), void *context, FILE *out,
                             imp_error *error);

#endif
