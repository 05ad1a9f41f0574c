/* rounding.h - what rounding leaves where velocities cancel. */
#ifndef IMP_ROUNDING_H
#define IMP_ROUNDING_H

/* Of the velocities, or mobilities, that a sum is made of: where no more is left they cancel. */
#define IMP_CANCELLED 1e-13

/* Of the same terms: where no more is left of a velocity that an impact goes on from, it is none.
 * Less than above, as what a light body between heavy ones goes on from may be 1e-13 of what these
 * give it; more than single roundings, as the impulses are rounded too. */
#define IMP_STOPPED 1e-14

#endif
