/* shapes.c - how far a sphere is from a plane or from the obstacle of the channel (Preclik 2017,
 * Fig. 7). */
#include "granular/granular.h"

#include "base/length.h"

#include <math.h>

/* Half disc (x <= 0) and box behind it, in its own plane coordinates; distance of the point (x, y)
 * and outer normal. Both parts share the segment x = 0, |y| <= R, so the union is convex and the
 * nearest part is told by the sign of x.
 */
static double distance_obstacle(double x, double y, double R, double length, double normal[2]) {
    if (x <= 0) {
        const double d = imp_length(x, y);
        normal[0] = d > 0 ? x / d : -1;
        normal[1] = d > 0 ? y / d : 0;
        return d - R;
    }
    const double right = x - length, side = fabs(y) - R, up = y < 0 ? -1 : 1;
    if (right > 0 && side > 0) { /* nearest to an edge */
        const double d = imp_length(right, side);
        normal[0] = right / d;
        normal[1] = up * side / d;
        return d;
    }
    const bool front = right > side;
    normal[0] = front ? 1 : 0;
    normal[1] = front ? 0 : up;
    return front ? right : side;
}

double imp_shape_gap(const imp_shape *shape, const double position[3], double radius,
                     double normal[3]) {
    if (shape->kind == IMP_SHAPE_OBSTACLE) {
        normal[2] = 0;
        return distance_obstacle(position[0] - shape->point[0], position[1] - shape->point[1],
                                 shape->radius, shape->length, normal) -
               radius;
    }
    double gap = -radius;
    for (int i = 0; i < 3; i++) {
        gap += (position[i] - shape->point[i]) * shape->normal[i];
        normal[i] = shape->normal[i];
    }
    return gap;
}
