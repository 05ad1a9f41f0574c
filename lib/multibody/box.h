/* box.h - how far a point is from a box: the geometry of a ball on a box's face, edge or vertex. */
#ifndef IMP_BOX_H
#define IMP_BOX_H

/* m, signed distance of the point `at` (3, m) from the box of half sides `half` (3, >= 0) about the
 * origin, axes along its sides; normal (3) <- the unit direction out of the box in which it grows.
 * Outside, the normal comes from the nearest point and turns continuously from a face over an edge
 * and a vertex; inside, where distances are negative, it is that of the nearest face, the first
 * axis where several are. Thread-safe. */
double imp_box_distance(const double half[3], const double at[3], double normal[3]);

#endif
