/* test_vec3.c - a rotation's unit quaternion turns as it does, whichever component is first. */
#include "base/vec3.h"
#include "generators/gen.h"
#include "tap.h"

int main(void) {
    int first[4] = {0};
    double worst = 0, length = 0;
    for (uint64_t k = 0; k < 1000; k++) {
        gen_stream s = gen_seed(31, k);
        double a[4], b[4], R[9], Q[9];
        int largest = 0;
        for (int i = 0; i < 4; i++) {
            a[i] = k < 8 ? (uint64_t)i == k / 2 : gen_normal(&s); /* half turns, too */
            if (fabs(a[i]) > fabs(a[largest])) largest = i;
        }
        first[largest]++;
        rotation3(a, R);
        quaternion3(R, b);
        rotation3(b, Q);
        for (int i = 0; i < 9; i++)
            worst = fmax(worst, fabs(Q[i] - R[i]));
        length = fmax(length, fabs(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3] - 1));
    }
    ok(worst <= 1e-14, "the same rotation (%.1e)", worst);
    ok(length <= 1e-14, "of unit length (%.1e)", length);
    ok(first[0] > 9 && first[1] > 9 && first[2] > 9 && first[3] > 9, "each component first");
    return tap_done();
}
