/* maxdiss_slide.h - the sliding contact: least energy on the boundary of a Kepler conic. Internal to lib/single. */
#ifndef IMP_MAXDISS_SLIDE_H
#define IMP_MAXDISS_SLIDE_H

#include <stdbool.h>

/* Minimise 1/2 z'Hz - g'z over |z| <= p + e.z, in any units. The set is convex, a Kepler conic with its focus at
 * z = 0: an ellipse (|e| < 1), a parabola or one branch of a hyperbola. */
typedef struct imp_conic {
    double H[3];    /* (tt to oo) symmetric positive definite */
    double g[2];    /* (t o) */
    double e[2];    /* (t o) eccentricity vector; the vertex lies on -e */
    double opening; /* |e|^2 - 1 */
    double p;       /* semi-latus rectum, > 0 */
    double free[2]; /* (t o) the free minimiser H^-1 g, which lies outside: |free| > p + e.free */
} imp_conic;

/* The most friction with which a slide is certain: beyond it mu^2 |a|^2 leaves no digit to its rounding. */
#define IMP_MAXDISS_FRICTION 1e30

/* Are the axes' stiffnesses further apart than what a small step beside |z| can answer for? */
static inline bool imp_conic_stiff(const imp_conic *conic) {
    const double apart = 1e6; /* the polish leaves 1e-16 |z|: 1e-10 of the smaller part of H z */
    return conic->H[0] > apart * conic->H[2] || conic->H[2] > apart * conic->H[0];
}

/* z (t o) <- the minimiser. True when its optimality conditions hold to rounding. False for data within rounding of a
 * parabola, far out on it: z may be anything then. *steps <- steps of the root finder. Thread-safe. */
bool imp_conic_slide(const imp_conic *conic, double z[2], int *steps);

/* z (t o) <- the minimiser, from a z near it. True when the optimality conditions hold, of the result or of z as it was
 * given; false leaves z as it was. Thread-safe. */
bool imp_conic_polish(const imp_conic *conic, double z[2]);

#endif
