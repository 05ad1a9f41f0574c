/* islands.h - which contacts W couples, directly or through others. Internal. */
#ifndef IMP_ISLANDS_H
#define IMP_ISLANDS_H

#include "linear/operator.h"

/* label (nc) <- the island of each contact, from 0 in order of their first contacts; returns how
 * many, -1 without memory. */
int imp_islands(const imp_operator *W, int *label);

#endif
