/* motion.h - a scene of benchmarks/scenes at even times, for pictures that move: a table with a
 * block per picture, two empty lines before each: gnuplot's index 0 is the line of column names. */
#ifndef MOTION_H
#define MOTION_H

#include "benchmarks/harness/report.h"
#include "lib/impact.h"

/* Begins the block of the next picture. */
void motion_next(report_rows *table);

typedef struct scene_motion {
    const char *scene, *variant; /* NULL: the only variant */
    const imp_model *model;      /* of its impacts */
    double until, every;         /* s; a picture each `every`, the first at the start */
    /* writes the rows of a picture: where the tree is placed */
    void (*draw)(report_rows *table, const imp_tree *tree);
} scene_motion;

/* The scene from impact to impact: a picture shows the first step at or behind its time. On false
 * a failing row says why. */
bool motion_write(report *r, report_rows *table, const scene_motion *m);

/* The six sides of a box around the origin of a link, `half` its half edges (m): four corners in
 * columns x, y, z, m, and an empty line each. */
void motion_box(report_rows *table, const imp_tree *tree, int link, const double half[3]);

#endif
