/* course.h - a scene from impact to impact: free motion integrated to the accuracy of its run up to
 * each touch, which is located, and an impact model there. */
#ifndef SCENE_COURSE_H
#define SCENE_COURSE_H

#include "scene/impact.h"

typedef enum scene_course_end {
    SCENE_COURSE_TIME,     /* `until` of the run was reached */
    SCENE_COURSE_RESTS,    /* after an impact a contact neither separates nor is pulled apart */
    SCENE_COURSE_ZENO,     /* impacts follow each other ever faster, towards an instant */
    SCENE_COURSE_UNSOLVED, /* the model has no answer to an impact, or one that is not certified */
    SCENE_COURSE_STOPPED   /* the compliant integrator could not go on, or was told to stop */
} scene_course_end;

/* "end", "rests", "zeno", "unsolved", "stopped". */
const char *scene_course_end_text(scene_course_end end);

/* An impact; time is that of the scene, moment's own counts from the impact before. */
typedef struct scene_struck {
    double time; /* s */
    const scene_moment *moment;
    const scene_outcome *outcome;
    imp_status status;
    imp_info info;
    double before, after; /* J, kinetic */
} scene_struck;

/* What is told on the way; each may be NULL. The tree of the scene is placed at the state that is
 * meant. */
typedef struct scene_observer {
    void (*moves)(void *context, double t);                   /* a step of the free motion */
    void (*strikes)(void *context, const scene_struck *what); /* placed after the impact */
    void *context;
} scene_observer;

/* Runs from the scene's initial state to run.until. A model that takes no restitution is given
 * e = 0. *time, s: where it ended, with ZENO the instant that the impacts tend to, their times
 * going on as a geometric series; the tree is placed where it ended, or at the last of those
 * impacts. Contacts pressed at the start are held by the compliant ground up to the first impact.
 * IMP_OK: it ended as *end says; IMP_UNSUPPORTED: the model does not take the impact at *time;
 * other statuses of compliant_run and imp_solve. */
imp_status scene_course(const scene *s, const imp_model *model, const imp_settings *settings,
                        const scene_observer *observer, scene_course_end *end, double *time);

#endif
