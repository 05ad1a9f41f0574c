/* box.h - how far a point is from a box: the geometry of a ball on a box's face, edge or vertex. */
#ifndef IMP_BOX_H
#define IMP_BOX_H

/* out (3) <- from the nearest point of the box of half sides `half` (3, m, >= 0) about the origin,
 * axes along its sides, to the point `at` (3, m); 0 inside. Thread-safe. */
void imp_box_outside(const double half[3], const double at[3], double out[3]);

/* m, signed distance of the point `at` (3, m) from that box turned by R (9: its axes to those of
 * `at`; NULL: the same axes), or, half sides being 0, from the origin; normal (3) <- the unit
 * direction in which it grows, in the axes of `at`. Outside, the normal comes from the nearest
 * point and turns continuously from a face over an edge and a vertex; inside, where distances are
 * negative, and on the surface, it is that of the nearest face, the first axis where several are.
 * Thread-safe. */
double imp_box_distance(const double half[3], const double R[9], const double at[3],
                        double normal[3]);

#endif
