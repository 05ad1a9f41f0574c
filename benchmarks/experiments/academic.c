/* academic.c - the academic contact of Preclik, Eibl, Ruede (2017), section 4.1, assembled from its
 * six mass points.
 *
 * The paper's n points out of the body: the point touched is at +x and n_x > 0. So the body is side
 * A of the contact, the ground side B, and b = -q is the body's velocity in the frame. */
#include "benchmarks/experiments/academic.h"

#include <math.h>

const double academic_mass[3] = {0.03, 65, 50};
const double academic_distance[3] = {10, 1, 1};
const double academic_velocity[3] = {0.06, 0.7, 0.23};

void academic_frame(bool orthonormal, double frame[9]) {
    double n[3] = {0.25, 0.36, -0.9};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++)
        n[i] /= length;
    const double scale = orthonormal ? 1 / hypot(n[1], n[2]) : 1;
    const double t[3] = {0, n[2] * scale, -n[1] * scale}; /* n x e_x */
    for (int i = 0; i < 3; i++) {
        frame[i] = n[i];
        frame[3 + i] = t[i];
        frame[6 + i] = n[(i + 1) % 3] * t[(i + 2) % 3] - n[(i + 2) % 3] * t[(i + 1) % 3];
    }
}

one_contact academic_contact(bool orthonormal, double mu) {
    const double *m = academic_mass, *d = academic_distance;
    imp_body body = {.inv_mass = 1 / (2 * (m[0] + m[1] + m[2])), .orientation = {1, 0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        body.inv_inertia[4 * i] = 1 / (2 * (m[j] * d[j] * d[j] + m[k] * d[k] * d[k]));
        body.velocity[i] = academic_velocity[i];
    }
    imp_contact contact = {.a = 0, .b = IMP_GROUND, .point = {d[0], 0, 0}};
    academic_frame(orthonormal, contact.frame);
    return one_assemble(&body, &contact, mu);
}
