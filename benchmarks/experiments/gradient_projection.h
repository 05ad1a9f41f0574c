/* gradient_projection.h - convex quadratic programs whose unknowns are not negative, by gradient
 * projection: Nocedal, Wright (2006), section 16.7, as Drumwright and Shell (2010), section 2.6,
 * solve their phase I. */
#ifndef GRADIENT_PROJECTION_H
#define GRADIENT_PROJECTION_H

#include <stdbool.h>

typedef struct projection_course {
    int rounds;      /* a point on the projected path of steepest descent, and a subspace */
    long products;   /* of A with a vector */
    double residual; /* max |min(y, A y + b)| over max |b| */
    bool rose;       /* whether 1/2 y'Ay + y'b was ever larger than the round before */
} projection_course;

/* y (n) <- the least 1/2 y'Ay + y'b with y >= 0, from y = 0: A (n x n) symmetric positive
 * semidefinite. Ends where the residual is at most `tolerance`, or after so many rounds. False
 * without memory. */
bool gradient_projection(int n, const double *A, const double *b, double tolerance, int most_rounds,
                         double *y, projection_course *course);

#endif
