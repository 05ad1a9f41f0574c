/* local.h - one contact, the impulses of all others held fixed, in units in which its certificate neither overflows nor
 * vanishes. Internal. */
#ifndef IMP_LOCAL_H
#define IMP_LOCAL_H

#include "contact/law.h"
#include "base/exact.h"

/* The local problem in units of 2^W 1/kg and 2^v m/s. */
static inline imp_local imp_local_in_units(const imp_local *local, int W, int v) {
    imp_local c = *local;
    imp_shift(c.A, 9, -W);
    imp_shift(c.v, 3, -v);
    imp_shift(c.size, 3, -v);
    imp_shift(c.p, 3, W - v);
    imp_shift(&c.push, 1, W - v);
    imp_shift(&c.gap, 1, -v);
    return c;
}

#endif
