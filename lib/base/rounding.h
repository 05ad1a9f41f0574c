/* rounding.h - when what is left of velocities is rounding. */
#ifndef IMP_ROUNDING_H
#define IMP_ROUNDING_H

/* Of the velocities that cancel, or of what impulses alone would give: less is rounding. */
#define IMP_CANCELLED 1e-13

#endif
