/* plus_course_internal.h - what the files of a course's certificate share: plus_course.c follows it
 * from step to step, plus_course_step.c judges what contacts do in one. */
#ifndef IMP_PLUS_COURSE_INTERNAL_H
#define IMP_PLUS_COURSE_INTERNAL_H

#include "plus/plus_course.h"
#include "base/length.h"
#include "contact/local.h"

/* The residuals, in the order of plus_law.c. */
typedef enum residual {
    SUM,
    PHASES,
    RESTITUTION,
    AIM,
    CONE,
    MOTION,
    SLIDE,
    ROLL,
    IMPENDING,
    SHARE,
    END,
    RESIDUALS
} residual;

/* A course under way. Full: of the whole impulse computed for a step, of which `share` was
 * applied. */
typedef struct course {
    plus_variant variant;
    const imp_problem *problem;
    const imp_plus_settings *settings;
    const imp_path *path;
    double worst[RESIDUALS];    /* the largest so far of each, -1 where there was none to note */
    int contact[RESIDUALS];     /* the contact that carries it */
    int nc, step, round, begin; /* begin: the first step of the round */
    bool closing, jams;
    /* a contact that does not separate was let go, one that separates pushes, one at rest
       compresses, one pushes or is owed rounding, one is in impending slip, or friction drives all
       that push into the ground */
    bool chose;
    double transition;    /* m/s */
    double cosine, sine;  /* of theta_max */
    int islands, *island; /* (nc) the contacts that W couples, numbered from 0 */
    /* (islands) what residuals are relative to, the largest of the island: m/s at the step's start
       and up to its full end, N s of the step, and N s owed in the round */
    double *speed, *reach, *push, *owed;
    double *own;                /* (nc) reach of the contact alone, m/s */
    double normal;              /* of one contact: reach along its normal so far, m/s */
    double *heft;               /* (nc) 1/kg, the largest entry of W_ii */
    double *total, *v, *pi, *w; /* (3nc) impulse so far, velocity, full impulse, W pi */
    double *due, *earned;       /* (nc) N s of expansion, in this round and for the next */
    double *hold;               /* (nc) friction over push that rolling may need */
    double *e, *aim;            /* (nc) restitution of the round; normal velocity that compression
                                   leads to, m/s */
    const char *phase, *motion; /* (nc) of the step */
} course;

static inline void keep(course *c, residual kind, double value, int i) {
    if (!(value > c->worst[kind])) return;
    c->worst[kind] = value;
    c->contact[kind] = i;
}

static inline void note(course *c, residual kind, double part, double whole, int i) {
    keep(c, kind, imp_relative(part, whole), i);
}

/* |(x, y)|: by imp_length alone where a square leaves the range in which sums of squares are
 * exact to rounding. */
static inline double length(double x, double y) {
    const double square = x * x + y * y;
    return square > 1e-280 && square < 1e280 ? sqrt(square) : imp_length(x, y);
}

/* Is the step one in which contacts that friction drives into the ground are all that push, to stop
 * their slips? */
bool imp_plus_step_jams(course *c);

/* Notes d (3, N s), by which the impulse of contact i is wrong, as a velocity over `size` (m/s):
 * what is little beside the island's push may be all of a friction, or of what a light body is
 * owed. */
void imp_plus_note_moved(course *c, residual kind, const double d[3], double size, int i);

/* Notes what normal direction and friction of contact i say against the full step. */
void imp_plus_judge_contact(course *c, int i);

/* Notes the share of the step that was applied against the one that its slips allow. */
void imp_plus_judge_share(course *c);

#endif
