/* academic.h - the academic contact of Preclik, Eibl, Ruede (2017), section 4.1: six mass points on
 * three axes, the one on the positive x axis against a plane. */
#ifndef ACADEMIC_H
#define ACADEMIC_H

#include "benchmarks/experiments/one.h"

extern const double academic_mass[3];     /* kg, of each of the two points on the x, y and z axis */
extern const double academic_distance[3]; /* m, of the points from the centre */
extern const double academic_velocity[3]; /* m/s, such that b = Q' velocity */

/* Rows n, t, o, world. The paper spans the tangent plane by t = n x e_x and o = n x t, which are
 * not of unit length: |t| = |o| = sqrt(1 - n_x^2). Orthonormal: the same directions, of unit
 * length. */
void academic_frame(bool orthonormal, double frame[9]);

/* The contact problem, mu as given (the paper's is 3.7), assembled from the body. */
one_contact academic_contact(bool orthonormal, double mu);

#endif
