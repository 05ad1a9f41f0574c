/* slips.h - the slipping solutions of one contact: all zeros of the curve of slip_curve.h.
 * Internal. */
#ifndef IMP_SLIPS_H
#define IMP_SLIPS_H

#define IMP_ONE_LANE
#include "single/slip_curve.h"

typedef struct imp_slips {
    slip_curve curve; /* the largest of |g_1|, |g_2| lies between 1/2 and 1 */
    double f;         /* > 0 */
    double ends[2];   /* f |w| and f |g|: f |y| at k = 0 and its slope at infinity */
    double rise;      /* linear - f |g| */
    double turn;      /* f |g x w|^2: (f |y|)'' = turn / |y|^3 */
} imp_slips;

/* Fills ends, rise and turn from the other fields. */
void imp_slips_complete(imp_slips *c);

/* The sign of phi(0): 1, -1, or 0 when |phi| is below the rounding of double-double. Where bounds
 * on that are no small part of phi, the sign that it seems to have, which imp_slip_roots does not
 * prove. */
int imp_slip_start(const imp_slips *c);

/* All zeros of phi on k > 0 into root, ascending; returns how many (at most 3). stick is the sign
 * of phi(0): with 0 the zero at k = 0 is the stick and is not counted. unique: it is known that phi
 * changes sign at most once. *proven: the count is certain; otherwise a double zero is closer than
 * double-double can tell, and such a zero is counted once. */
int imp_slip_roots(const imp_slips *c, int stick, bool unique, double root[3], bool *proven);

#endif
