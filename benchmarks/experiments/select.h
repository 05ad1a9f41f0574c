/* select.h - a compliant impact of one free body, of any stiffness, dissipation, transition speed
 * and approach, up to the end of its compression: where what is inelastic should stop. */
#ifndef SELECT_H
#define SELECT_H

#include "benchmarks/experiments/course.h"
#include "benchmarks/experiments/one.h"

/* What makes a contact compliant, and the body's motion. */
typedef struct select_setting {
    double stiffness, dissipation, transition; /* Pa, s/m, m/s */
    double v[3];                               /* m/s, of the body, which does not spin */
} select_setting;

/* The same body, its contact approaching with q (n, t, o), m/s; and q of a setting. */
void select_aim(const course *c, const double q[3], select_setting *s);
void select_approach(const course *c, const select_setting *s, double q[3]);

/* p (N s, contact's frame) at the end of compression, the first u_n = 0; and after all. On false a
 * failing row says why. */
bool select_run(report *r, course *c, const select_setting *s, double accuracy, double p[3],
                double after[3]);

/* sqrt((a - b)' W (a - b)): the velocities apart in the norm of the masses; b NULL: 0. */
double select_apart(const double W[6], const double *a, const double *b);

#endif
