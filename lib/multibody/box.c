/* box.c - signed distance from a box. */
#include "multibody/box.h"

#include "base/vec3.h"

#include <stddef.h>

void imp_box_outside(const double half[3], const double at[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = copysign(fmax(0, fabs(at[k]) - half[k]), at[k]);
}

/* In the box's own axes. */
static double own_distance(const double half[3], const double at[3], double normal[3]) {
    double beyond = -INFINITY; /* of the face that is the farthest to go out of */
    int face = 0;
    imp_box_outside(half, at, normal);
    for (int k = 0; k < 3; k++) {
        const double over = fabs(at[k]) - half[k];
        if (over > beyond) beyond = over, face = k;
    }
    const double distance = norm3(normal);
    for (int k = 0; k < 3; k++)
        normal[k] = distance > 0 ? normal[k] / distance : k == face ? copysign(1, at[k]) : 0;
    return distance > 0 ? distance : beyond;
}

double imp_box_distance(const double half[3], const double R[9], const double at[3],
                        double normal[3]) {
    double local[3], out[3];
    if (half[0] == 0 && half[1] == 0 && half[2] == 0) { /* most are balls */
        const double distance = norm3(at);
        for (int k = 0; k < 3; k++)
            normal[k] = distance > 0 ? at[k] / distance : k == 0;
        return distance;
    }
    if (R == NULL) return own_distance(half, at, normal);
    apply3_transposed(R, at, local);
    const double distance = own_distance(half, local, out);
    apply3(R, out, normal);
    return distance;
}
