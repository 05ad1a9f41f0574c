/* frame.h - an orthonormal contact frame from a normal. */
#ifndef IMP_FRAME_H
#define IMP_FRAME_H

#include "base/status.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* frame (3 x 3, rows n, t, o, right-handed, orthonormal to rounding) <- from a normal of any
 * non-zero length.
 * t is (1 - n_x n_x / c, -n_x n_y / c, -s n_x) with c = 1 + |n_z|. s is the sign of
 * n_z, -1 at -0.0.
 * The tangents vary smoothly with n except across n_z = 0 and are well conditioned for every normal
 * (Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin 2017, "Building an orthonormal basis,
 * revisited"). IMP_NOT_FINITE, IMP_BAD_ARGUMENT (zero normal); frame untouched then.
 * Thread-safe. */
imp_status imp_frame_from_normal(const double normal[3], double frame[9]);

/* The same with the first tangent along the part of `tangent` orthogonal to the normal.
 * IMP_BAD_ARGUMENT also when `tangent` is parallel to the normal (sine of the angle below 1e-8).
 * Thread-safe. */
imp_status imp_frame_from_tangent(const double normal[3], const double tangent[3], double frame[9]);

IMP_PUBLIC_END

#endif
