/* frame.c - orthonormal contact frames, robust for every normal. */
#include "contact/frame.h"
#include "base/exact.h"
#include "base/finite.h"
#include "base/vec3.h"

#include <math.h>
#include <string.h>

/* n <- v / |v|, safe from overflow and underflow by scaling with the largest component first. */
static imp_status unit(const double v[3], double n[3]) {
    const double big = imp_largest(v, 3, 1);
    if (!imp_all_finite(v, 3)) return IMP_NOT_FINITE;
    if (big == 0) return IMP_BAD_ARGUMENT;
    double w[3] = {v[0], v[1], v[2]};
    imp_shift(w, 3, -imp_exponent(big));
    const double length = norm3(w);
    for (int i = 0; i < 3; i++)
        n[i] = w[i] / length;
    return IMP_OK;
}

imp_status imp_frame_from_normal(const double normal[3], double frame[9]) {
    double n[3];
    const imp_status status = unit(normal, n);
    if (status != IMP_OK) return status;
    const double sign = copysign(1, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    const double rows[9] = {n[0],     n[1],         n[2], 1 + sign * n[0] * n[0] * a,
                            sign * b, -sign * n[0], b,    sign + n[1] * n[1] * a,
                            -n[1]};
    memcpy(frame, rows, sizeof rows);
    return IMP_OK;
}

imp_status imp_frame_from_tangent(const double normal[3], const double tangent[3],
                                  double frame[9]) {
    double n[3], d[3] = {0}, t[3] = {0};
    imp_status status = unit(normal, n);
    if (status == IMP_OK) status = unit(tangent, d);
    if (status != IMP_OK) return status;
    add3(-dot3(n, d), n, d);
    if (dot3(d, d) < 1e-16) return IMP_BAD_ARGUMENT;
    (void)unit(d, t);
    /* second pass: the first loses 1/sine digits */
    add3(-dot3(n, t), n, t);
    (void)unit(t, t);
    memcpy(frame, n, sizeof n);
    memcpy(frame + 3, t, sizeof t);
    cross3(n, t, frame + 6);
    return IMP_OK;
}
