/* course_run.h - a course on its way, between the files of it. */
#ifndef SCENE_COURSE_RUN_H
#define SCENE_COURSE_RUN_H

#include "scene/course.h"
#include "scene/lasting.h"

/* The impacts of a body, one after the other. */
typedef struct scene_series {
    double struck, since; /* s: the last, and between the last two */
    int faster, crowd;    /* in a row, each sooner than the one before; or soon at all */
} scene_series;

struct scene_course_run {
    const scene *s;
    const imp_model *model;
    const imp_settings *settings;
    scene_observer observer;
    double *q, *v;        /* state at `time` */
    double time;          /* s, reached */
    scene_series *series; /* (links) */
    /* (links) m/s, the largest of scene_speeds so far, ... */
    double *fastest;
    double *recent;   /* ... and when contacts changed last, each with those it was coupled with */
    double *now;      /* scratch */
    double *quickest; /* (joints that rub) scene_lasting_sizes, so far */
    double pile;      /* s, the instant that impacts tend to, told when it is reached; NAN:
                              none */
    scene_lasting lasting; /* contacts at `time` */
    double turned;         /* s, when they changed, and how often at that time */
    int rounds;
    long steps; /* tried, of flights and stretches */
    scene_course_end end;
    bool begun, over;
    const char *why; /* what the model does not take of an impact, or what stopped it; NULL */
};

/* c->fastest and c->now <- with those of the placed tree. */
void scene_course_speeds(scene_course_run *c);

/* m/s, of a fall through the smallest ball: what begins to move is slower than any error. */
double scene_course_falls(const scene_course_run *c);

/* c->lasting <- the contacts that last from here on, decided anew, unless *verdict says otherwise.
 * Without the velocities that their modes forbid some do not separate any more: they are among
 * those to be decided on. Statuses of scene_lasting. */
imp_status scene_course_look_around(scene_course_run *c, scene_verdict *verdict);

#endif
