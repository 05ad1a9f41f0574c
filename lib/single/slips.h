/* slips.h - the slipping solutions of one contact as the zeros of one function of one variable.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half, on the plane u_n = 0. With H = T - a a'/A_nn and g = b_to - a
 * b_n/A_nn a slip is (H + kappa I) z = g, A_nn |z| = mu (b_n - a.z), kappa > 0. Multiplied by D = det(H + kappa I) > 0
 * and with y = adj(H + kappa I) g = w + kappa g, w = adj(H) g, this is
 *
 *     phi(kappa) = L(kappa) - f |w + kappa g| = 0,    L = mu (b_n D - a.y) quadratic, f = A_nn.
 *
 * No division by A_nn occurs when H, g and kappa are taken A_nn times as large: all coefficients are polynomials in the
 * data, evaluated in double-double. Internal. */
#ifndef IMP_SLIPS_H
#define IMP_SLIPS_H

#include "base/dd.h"

#include <stdbool.h>

typedef struct imp_slip_curve {
    dd square, linear, constant; /* L = square k^2 + linear k + constant; square has the sign of b_n */
    dd w[2], g[2];               /* y = w + k g, w.g > 0; the largest of |g_1|, |g_2| lies between 1/2 and 1 */
    double f;                    /* > 0 */
    double noise[3];             /* rounding of phi is below noise_0 + noise_1 k + noise_2 k^2, for k >= 0 */
    double ends[2];              /* f |w| and f |g|: f |y| at k = 0 and its slope at infinity */
    double rise;                 /* linear - f |g| */
    double turn;                 /* f |g x w|^2: (f |y|)'' = turn / |y|^3 */
} imp_slip_curve;

/* Fills ends, rise and turn from the other fields. */
void imp_slip_curve_complete(imp_slip_curve *c);

/* The sign of phi(k), k >= 0: 1, -1, or 0 when |phi| is below the rounding of double-double. */
int imp_slip_sign(const imp_slip_curve *c, double k);

/* All zeros of phi on k > 0 into root, ascending; returns how many (at most 3). stick is the sign of phi(0): with 0 the
 * zero at k = 0 is the stick and is not counted. unique: it is known that phi changes sign at most once. *proven: the
 * count is certain; otherwise a double zero is closer than double-double can tell, and such a zero is counted once. */
int imp_slip_roots(const imp_slip_curve *c, int stick, bool unique, double root[3], bool *proven);

#endif
