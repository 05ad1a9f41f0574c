/* course.h - a scene from impact to impact: free motion integrated to the accuracy of its run up to
 * each touch, which is located, an impact model there, and what slides, rolls and rests in
 * between. */
#ifndef SCENE_COURSE_H
#define SCENE_COURSE_H

#include "scene/impact.h"
#include "scene/stretch.h"

#include <stdio.h>

typedef enum scene_course_end {
    SCENE_COURSE_TIME,     /* `until` of the run was reached */
    SCENE_COURSE_ZENO,     /* impacts follow each other ever faster, and then nothing lasts */
    SCENE_COURSE_UNSOLVED, /* no answer to an impact, or one that is not certified; or no modes */
    SCENE_COURSE_STOPPED,  /* an integrator could not go on */
    SCENE_COURSE_NO_FORCE, /* no force obeys the law although nothing collides (Painleve) */
    SCENE_COURSE_UNDETERMINED, /* forces obey it under which the bodies move differently */
} scene_course_end;

/* "end", "zeno", "unsolved", "stopped", "no-force", "undetermined". */
const char *scene_course_end_text(scene_course_end end);

/* What happens to contacts that last. */
typedef enum scene_turn {
    SCENE_TURN_RESTS,  /* some begin to last */
    SCENE_TURN_STICKS, /* a slip has come to its end */
    SCENE_TURN_SLIDES, /* one that stuck or rolled begins to slip, or a slip to go back */
    SCENE_TURN_LEAVES, /* one presses no more */
    SCENE_TURN_ZENO /* impacts have piled up before this instant; some contacts last from here on,
                          or it is the end */
} scene_turn;

/* "rests", "sticks", "slides", "leaves", "zeno". */
const char *scene_turn_text(scene_turn turn);

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
    /* a step in which contacts last, its time that of the scene; true takes their impulses */
    bool (*lasts)(void *context, const scene_stride *stride);
    void (*turns)(void *context, double t, scene_turn turn, int lasting);
    void *context;
} scene_observer;

/* A course on its way. */
typedef struct scene_course_run scene_course_run;

/* From the scene's initial state, at t = 0; the observer is copied, the rest has to stay. NULL
 * without memory. */
scene_course_run *scene_course_open(const scene *s, const imp_model *model,
                                    const imp_settings *settings, const scene_observer *observer);
void scene_course_close(scene_course_run *c); /* NULL is fine */

/* One flight or stretch, and what ends it; false: it is over, *status IMP_OK or what went wrong. */
bool scene_course_go_on(scene_course_run *c, imp_status *status);

bool scene_course_over(const scene_course_run *c);
/* How a course that is over ended, and *time, s: where; with ZENO the instant that the impacts tend
 * to. Before that, the time reached. The tree is placed there. */
scene_course_end scene_course_ended(const scene_course_run *c, double *time);

/* How many contacts last there. */
int scene_course_lasting(const scene_course_run *c);

/* After IMP_UNSUPPORTED: what the model does not take of the impact, as scene_refusal says it.
 * After IMP_BAD_ARGUMENT: that no pair counts as touching. Of one that ended otherwise than with
 * TIME or ZENO: what ended it. */
const char *scene_course_why(const scene_course_run *c);

/* What it goes on from, for another process of the same build, with the same bits. IMP_OK, IMP_IO
 * (reading: what is there is not of such a scene), IMP_NO_MEMORY. */
imp_status scene_course_save(scene_course_run *c, FILE *file);
imp_status scene_course_load(scene_course_run *c, FILE *file);

/* Runs from the scene's initial state to run.until. A model that takes no restitution is given
 * e = 0. Contacts that neither close nor separate are held, by forces that obey Coulomb's law with
 * the same mu as the impacts (lasting.h), for as long as they press. Where impacts pile up, the
 * last one is answered with e = 0, and what lasts then goes on. *time, s: where it ended, with ZENO
 * the instant that the impacts tend to, their times going on as a geometric series; the tree is
 * placed where it ended, or at the last of those impacts. IMP_OK: it ended as *end says;
 * IMP_UNSUPPORTED: the model does not take the impact at *time; other statuses of compliant_run,
 * scene_stretch and imp_solve. */
imp_status scene_course(const scene *s, const imp_model *model, const imp_settings *settings,
                        const scene_observer *observer, scene_course_end *end, double *time);

#endif
