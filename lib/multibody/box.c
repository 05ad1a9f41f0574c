/* box.c - signed distance from a box. */
#include "multibody/box.h"

#include "base/vec3.h"

double imp_box_distance(const double half[3], const double at[3], double normal[3]) {
    double beyond = -INFINITY; /* of the face that is the farthest to go out of */
    int face = 0;
    for (int k = 0; k < 3; k++) {
        const double over = fabs(at[k]) - half[k];
        normal[k] = copysign(fmax(0, over), at[k]);
        if (over > beyond) beyond = over, face = k;
    }
    const double distance = norm3(normal);
    for (int k = 0; k < 3; k++)
        normal[k] = distance > 0 ? normal[k] / distance : k == face ? copysign(1, at[k]) : 0;
    return distance > 0 ? distance : beyond;
}
