/* worse.h - the largest of many errors. Internal. */
#ifndef IMP_WORSE_H
#define IMP_WORSE_H

#include <math.h>

/* The larger; INFINITY where either is no number. A NaN itself would not stay: fmax passes it over,
 * and a comparison with it is false whichever number comes next. */
static inline double imp_worse(double worst, double error) {
    return error <= worst ? worst : error >= worst ? error : INFINITY;
}

#endif
