/* course_run.h - a course on its way, between the files of it. */
#ifndef SCENE_COURSE_RUN_H
#define SCENE_COURSE_RUN_H

#include "scene/course.h"
#include "scene/lasting.h"

struct scene_course_run {
    const scene *s;
    const imp_model *model;
    const imp_settings *settings;
    scene_observer observer;
    double *q, *v;         /* state at `time` */
    double time, struck;   /* s: reached, and the last impact */
    double since;          /* s, between the last two impacts */
    double fastest;        /* m/s, as of scene_speed, so far ... */
    double recent;         /* m/s, ... and when contacts changed last */
    double quickest;       /* rad/s or m/s, of a joint that rubs so far */
    double shrinks;        /* share of `since` that the time before the next impact was */
    int faster, crowd;     /* impacts in a row, each sooner than the one before; or soon at all */
    double pile;           /* s, the instant that impacts tend to, told when it is reached; NAN:
                              none */
    scene_lasting lasting; /* contacts at `time` */
    double turned;         /* s, when they changed, and how often at that time */
    int rounds;
    long steps; /* tried, of flights and stretches */
    scene_course_end end;
    bool begun, over;
    const char *why; /* what the model does not take of an impact, or what stopped it; NULL */
};

#endif
