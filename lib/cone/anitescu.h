/* anitescu.h - the pyramid LCP of Anitescu and Potra (and Stewart and Trinkle). */
#ifndef IMP_ANITESCU_H
#define IMP_ANITESCU_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Settings of the model `anitescu`. */
typedef struct imp_anitescu_settings {
    double edges; /* edges of the friction pyramid, even, 4 to 64: directions at angles 2 pi k /
                          edges from t */
    double max_pivots; /* of Lemke's method, per phase */
} imp_anitescu_settings;

/* The pyramid law for a number of edges. Residuals, per contact and dimensionless: signorini (u_n
 * >= 0, p_n >= 0), cone (friction inside the polygon with corners mu p_n d_k), restitution
 * (complementarity of u_n and p_n), slip (p_to . u_to = -mu p_n max_k(-d_k . u_to): the most power
 * the pyramid allows). p alone decides with e = 0, energy and all: the phase never gains any. With
 * e > 0 by the path's three steps: all of them of the first and third, whose friction may lean on
 * p_n and the second's impulse together; path: the steps add up to p, the second is e_i times the
 * first's normal impulse. The model may gain energy, which the path then explains. Without a path:
 * from-model. */
extern const imp_law imp_law_pyramid;

/* Anitescu, Potra (1997); Stewart, Trinkle (1996); by Lemke, each phase's answer checked by its own
 * LCP residual (1e-9 of its largest entry) before the status says IMP_OK. IMP_NOT_CONVERGED: too
 * many pivots, an answer that fails its residual, or Lemke ended on a ray, which only rounding
 * leads to where W is positive semidefinite; of a W as given, which need not be, that is
 * IMP_NO_SOLUTION.
 * Restitution is Poisson's: after compression, e times each compression impulse acts along the
 * normal, and the LCP is solved again from those velocities with that impulse inside the friction
 * bound. With friction and several contacts this can raise the energy; the answer's energy says
 * so. */
extern const imp_model imp_model_anitescu;

IMP_PUBLIC_END

#endif
