/* stretch.h - the motion of a scene while contacts last and none of them changes. */
#ifndef SCENE_STRETCH_H
#define SCENE_STRETCH_H

#include "scene/lasting.h"

typedef enum scene_stretch_end {
    SCENE_STRETCH_TIME,    /* its time was reached */
    SCENE_STRETCH_TOUCH,   /* another pair closes */
    SCENE_STRETCH_CHANGES, /* the modes no longer obey the law, or a slip has come to its end */
    SCENE_STRETCH_FORKS,   /* the joints are at a change point: rounding decides how they go on */
    SCENE_STRETCH_STOPPED  /* no step small enough meets the accuracy, or too many were made */
} scene_stretch_end;

/* A step that was made; the tree is placed where it ended. */
typedef struct scene_stride {
    double time; /* s, since the beginning of the stretch */
    const scene_lasting *lasting;
    const double *p; /* (3nc) N s, impulses since they were last taken */
    double rubbed;   /* J, what friction took in the step */
    bool last;       /* of the stretch */
} scene_stride;

/* Integrates from (q, v), which receive the end, for at most `until` s, contacts held by the
 * forces of their modes, to the accuracy of the scene's run and by its step type, where that is
 * one of Euler's by rk8pd. *steps: those tried so far, which its own are added to, up to max_steps
 * of that run. tell (may be NULL) is called after every step: true takes the impulses, which begin
 * anew. *time, s: how long it took. What ends it is located to rounding, or where the modes
 * leave several forces to 1e-8 of what the law asks of them. Switches GSL's error handler off while
 * it runs, so not thread-safe. IMP_OK: it ended as *end says; IMP_NO_MEMORY. */
imp_status scene_stretch(scene_lasting *l, double until, long *steps, double *q, double *v,
                         bool (*tell)(void *context, const scene_stride *stride), void *context,
                         scene_stretch_end *end, double *time);

#endif
