/* test_delassus_preclik.c - W and q of the two bodies of Preclik, Eibl, Ruede (2017), as printed.
 */
#include "impact.h"
#include "tap.h"

static const double eps = 0x1p-52;

/* Preclik, Eibl, Ruede (2017), section 4.1: six mass points; the paper's t is not normalised. */
static void test_academic_body(void) {
    const double mx = 0.03, my = 65, mz = 50, dx = 10, dy = 1, dz = 1, up[3] = {0.25, 0.36, -0.9};
    imp_body body = {.inv_mass = 1 / (2 * (mx + my + mz)),
                     .inv_inertia = {1 / (2 * (my * dy * dy + mz * dz * dz)), 0, 0, 0,
                                     1 / (2 * (mx * dx * dx + mz * dz * dz)), 0, 0, 0,
                                     1 / (2 * (mx * dx * dx + my * dy * dy))},
                     .orientation = {1},
                     .velocity = {-0.06, -0.7, -0.23}};
    imp_contact contact = {.a = IMP_GROUND, .b = 0, .point = {dx}};
    double orthonormal[9], W[9], q[3];
    (void)imp_frame_from_normal(up, orthonormal);
    const double *n = orthonormal;
    const double t[3] = {0, n[2], -n[1]}; /* n x e_x */
    const double paper[9] = {n[0],
                             n[1],
                             n[2],
                             t[0],
                             t[1],
                             t[2],
                             n[1] * t[2] - n[2] * t[1],
                             n[2] * t[0] - n[0] * t[2],
                             n[0] * t[1] - n[1] * t[0]};
    memcpy(contact.frame, paper, sizeof paper);
    ok(imp_delassus_dense(1, &body, 1, &contact, W, q) == IMP_OK, "section 4.1, the paper's frame");
    const double want[9] = {0.86199070079243309,  0.067283787287539674, 0.21418622456684301,
                            0.067283787287539674, 0.72042364853594655,  0.016803312596771157,
                            0.21418622456684301,  0.016803312596771157, 0.057566013870303803};
    const double want_q[3] = {-0.059937099051674719, 0.71205273673389566, 0.04503143398862389};
    for (int k = 0; k < 9; k++) /* each entry by its own size: nothing cancels badly here */
        is_near(W[k], want[k], 0, 10 * eps, "W[%d] to the last digits of the printed one", k);
    is_vec(q, want_q, 3, 0, 4 * eps, "and -b");
    const double tangent[3] = {0, n[2], -n[1]};
    (void)imp_frame_from_tangent(up, tangent, contact.frame);
    (void)imp_delassus_dense(1, &body, 1, &contact, W, q);
    const double other[6] = {0.86199070079243309, 0.069485543076976777, 0.22119513085718579,
                             0.76834454895473823, 0.017921029750132372, 0.061395170816763986};
    const double got[6] = {W[0], W[1], W[2], W[4], W[5], W[8]};
    const double other_q[3] = {-0.059937099051674719, 0.73535353918112538, 0.04650501662254124};
    is_vec(got, other, 6, 0, 4 * eps, "the orthonormal frame");
    is_vec(q, other_q, 3, 0, 4 * eps, "and its -b");
}

/* Section 4.2: a slender rod, which cannot spin about its own axis, touching with its lower tip.
 * A(t0) is printed in the order (t, n, o) and with a wrong (o, o) entry: it is 4/m. */
static void test_rod(void) {
    static const double angles[] = {0.3, 0.5, 0.9, 1.1071487177940905, 1.2, 1.4};
    const double m = 3, l = 0.7, v0 = 2, I = 12 / (m * l * l);
    double worst = 0, worst_q = 0;
    for (int k = 0; k < 6; k++) {
        const double c = cos(angles[k]), s = sin(angles[k]);
        const imp_body rod = {.inv_mass = 1 / m,
                              .inv_inertia = {0, 0, 0, 0, I, 0, 0, 0, I},
                              .position = {l / 2 * c, l / 2 * s, 0},
                              .orientation = {cos(angles[k] / 2), 0, 0, sin(angles[k] / 2)},
                              .velocity = {-v0, 0, 0}};
        const imp_contact tip = {.a = IMP_GROUND, .b = 0, .frame = {0, 1, 0, 1, 0, 0, 0, 0, -1}};
        const double want[9] = {
            1 + 3 * c * c, -3 * s * c, 0, -3 * s * c, 1 + 3 * s * s, 0, 0, 0, 4};
        const double want_q[3] = {0, -v0, 0};
        double W[9], q[3];
        if (imp_delassus_dense(1, &rod, 1, &tip, W, q) != IMP_OK) worst = INFINITY;
        for (int i = 0; i < 9; i++)
            worst = tap_worst(worst, fabs(m * W[i] - want[i]));
        for (int i = 0; i < 3; i++)
            worst_q = tap_worst(worst_q, fabs(q[i] - want_q[i]));
    }
    ok(worst <= 10 * eps, "section 4.2: W of the rod at six angles");
    ok(worst_q == 0, "and its q");
}

int main(void) {
    test_academic_body();
    test_rod();
    return tap_done();
}
