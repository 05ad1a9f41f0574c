/* spheres_run.h - the 1001 spheres for five seconds, an hour's work that may be stopped and taken
 * up again. */
#ifndef SPHERES_RUN_H
#define SPHERES_RUN_H

#include <stdbool.h>

enum { SPHERES_STEPS = 1000, SPHERES_COUNT = 1001, SPHERES_FRAMES = 2 };

/* One step of the curve. */
typedef struct spheres_row {
    double t, kinetic, energy; /* s; J/kg, KE / m; J/kg, (KE + PE) / m */
    double event;              /* J/kg, what the contacts' impulses did */
    double overlap, height;    /* m; mean height */
    double seconds;            /* processor time of the step */
    int contacts, solves, status;
} spheres_row;

/* What a run leaves, and goes on from. */
typedef struct spheres_course {
    int count; /* of rows filled */
    spheres_row row[SPHERES_STEPS];
    float place[SPHERES_FRAMES][SPHERES_COUNT][3]; /* m, at spheres_frame_time */
} spheres_course;

extern const double spheres_frame_time[SPHERES_FRAMES]; /* s */

/* Goes on from where the file `state` stands (from the start without one) and writes it anew every
 * ten steps; calls `watch` now and then with the share that is done. Nothing is filled where the
 * file is not of such a run. */
void spheres_run(const char *state, double until, void (*watch)(void *data, double done),
                 void *data, spheres_course *course);

#endif
