/* rounding.h - what rounding leaves where velocities cancel. */
#ifndef IMP_ROUNDING_H
#define IMP_ROUNDING_H

/* Of the velocities, or mobilities, that a sum is made of: where no more is left they cancel. */
#define IMP_CANCELLED 1e-13

#endif
