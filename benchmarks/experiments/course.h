/* course.h - the course of an impact of benchmarks/scenes, as figures need it: the compliant run
 * from the touch on, and the intervals of PLUS. Everything is in the contacts' frames at the touch,
 * (n, t, o) = (z, x, y) on the ground. */
#ifndef COURSE_H
#define COURSE_H

#include "benchmarks/harness/report.h"
#include "lib/impact.h"
#include "scene/impact.h"

#include <stdbool.h>

typedef struct course {
    scene scene;
    scene_moment touch;
    compliant_result run; /* t = 0 at the touch */
} course;

/* Opens a variant of benchmarks/scenes/NAME.json at its first touch. On false a failing row says
 * why and the course is empty. */
bool course_open(report *r, const char *name, const char *variant, course *c);

/* The same with keys of the scene overwritten: `assign` are some "key.key=value", ended by NULL. */
bool course_open_with(report *r, const char *name, const char *variant, const char *const *assign,
                      course *c);

/* Has the touch so many contacts? On false a failing row says how many it has, and the course is
 * empty. */
bool course_touches(report *r, course *c, int contacts);

/* The compliant run from the touch on, in place of an earlier one; settings.until counts from the
 * touch. On false a failing row says why. */
bool course_run(report *r, course *c, const compliant_settings *settings);

void course_close(course *c);

/* Multiplies every contact's stiffness and the transition speed of its friction. */
void course_scale(course *c, double stiffness, double transition);

/* A contact at a row of the run's history. */
typedef struct course_point {
    double t;          /* s */
    double depth;      /* m */
    double p[3], u[3]; /* N s, m/s: impulse so far, and velocity of the contact point */
} course_point;

course_point course_look(const course *c, int contact, int row);

/* The last row of the history. */
course_point course_last(const course *c, int contact);

enum { COURSE_CONTACTS = 4, COURSE_INTERVALS = 512 };

/* What PLUS does with the touch. */
typedef struct course_plus {
    imp_status status;
    imp_info info;
    int nc, count;
    double p[3 * COURSE_CONTACTS]; /* N s */
    imp_plus_interval interval[COURSE_INTERVALS];
    char phase[COURSE_INTERVALS * COURSE_CONTACTS], motion[COURSE_INTERVALS * COURSE_CONTACTS];
    double pi[COURSE_INTERVALS * 3 * COURSE_CONTACTS], v[COURSE_INTERVALS * 3 * COURSE_CONTACTS];
    double start[3 * COURSE_CONTACTS]; /* m/s, velocity before the impact */
} course_plus;

/* With the scene's settings but for theta_max, rad. On false (no answer, or more contacts or
 * intervals than there is room for) a failing row says why. */
bool course_plus_run(report *r, const course *c, double theta_max, course_plus *plus);

/* A contact after so many intervals, 0 .. count. */
course_point course_plus_look(const course_plus *plus, int contact, int intervals);

/* Intervals until a contact begins to expand, and until it begins to roll; -1: never. */
int course_plus_expansion(const course_plus *plus, int contact);
int course_plus_rolling(const course_plus *plus, int contact);

/* The last row before which a contact compresses; and the first with its slip below the transition
 * speed of its friction, where compliant friction begins to hold, -1: none. */
int course_compressed(const course *c, int contact);
int course_sticking(const course *c, int contact);

/* The row "ours is the printed number, its last digit off by one at most", for numbers separated by
 * spaces. */
void course_printed(report *r, const char *quantity, const char *printed, const double *ours, int n,
                    const char *remark);

/* The exponent b of y = a x^b by least squares, positive data. */
double course_exponent(const double *x, const double *y, int n);

#endif
