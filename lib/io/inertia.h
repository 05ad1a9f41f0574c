/* inertia.h - what a body's inertia may be. */
#ifndef IMP_INERTIA_H
#define IMP_INERTIA_H

#include "base/public.h"
#include "base/status.h"

IMP_PUBLIC_BEGIN

/* Is I (9, row-major, kg m^2) that of a body made of masses? IMP_OK, IMP_NOT_SYMMETRIC (I_ij and
 * I_ji differ by more than 1e-12 of sqrt(I_ii I_jj)), IMP_NOT_POSITIVE, IMP_BAD_ARGUMENT (a
 * principal moment is above the sum of the others by more than 1e-9). Thread-safe. */
imp_status imp_inertia_of_masses(const double I[9]);

IMP_PUBLIC_END

#endif
