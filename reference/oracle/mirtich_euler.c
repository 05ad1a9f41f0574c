/* mirtich_euler.c - the impact loop of "Mirtich reworked", section 4, in the note's variables
 * (normal last).
 *
 * As printed, but for two corrections without which it fails: decompression ends only while u_z >=
 * 0 (for e = 0 the printed test is true after the first step), and "approximately zero" slip is |v|
 * < 2 delta |K|_max, the size of a step (a fixed threshold is never hit, or too soon). Its error is
 * first order in delta, and p = K^-1 (u - u0) of step 7 loses the digits of u0/(u - u0): it is the
 * reference for what the method is, not for the numbers. */
#include "reference/oracle/mirtich_euler.h"

#include <gsl/gsl_poly.h>
#include <math.h>

/* K (row-major, x y z) from the packed matrix with the normal first. */
static void unpack(const double W[6], double K[9]) {
    const double full[9] = {W[3], W[4], W[1], W[4], W[5], W[2], W[1], W[2], W[0]};
    for (int i = 0; i < 9; i++)
        K[i] = full[i];
}

static void inverse(const double K[9], double R[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) { /* cofactor of (j, i) */
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            R[3 * i + j] = K[3 * a + c] * K[3 * b + d] - K[3 * a + d] * K[3 * b + c];
        }
    const double det = K[0] * R[0] + K[1] * R[3] + K[2] * R[6];
    for (int i = 0; i < 9; i++)
        R[i] /= det;
}

/* The note's step 6a. */
static bool grows(const double K[9], double mu, double theta) {
    const double c = cos(theta), s = sin(theta);
    return -mu * K[0] * c * c - mu * K[4] * s * s - 2 * mu * K[1] * s * c + K[2] * c + K[5] * s > 0;
}

int mirtich_rays(const double W[6], double mu, double theta[5], bool diverging[5]) {
    double K[9], z[8];
    unpack(W, K);
    const double a[5] = {mu * K[1] - K[5], 2 * K[2] + 2 * mu * K[4] - 2 * mu * K[0], -6 * mu * K[1],
                         2 * K[2] + 2 * mu * K[0] - 2 * mu * K[4], mu * K[1] + K[5]};
    int degree = 4, count = 0;
    if (a[4] == 0) theta[count++] = acos(-1);
    while (degree > 0 && a[degree] == 0)
        degree--;
    if (degree > 0) {
        gsl_poly_complex_workspace *work = gsl_poly_complex_workspace_alloc((size_t)degree + 1);
        gsl_poly_complex_solve(a, (size_t)degree + 1, work, z);
        gsl_poly_complex_workspace_free(work);
        for (int i = 0; i < degree; i++)
            if (fabs(z[2 * i + 1]) <= 1e-9 * (1 + fabs(z[2 * i])))
                theta[count++] = 2 * atan(z[2 * i]);
    }
    for (int i = 0; i < count; i++)
        diverging[i] = grows(K, mu, theta[i]);
    return count;
}

/* Steps 5 and 6b to 6e: constant du/dp_z = k to the end. */
static void finish(double u[3], const double k[3], double e, double *work_c, double *work_d) {
    const double before = u[2];
    if (u[2] < 0) {
        *work_c -= u[2] * u[2] / (2 * k[2]);
        u[2] = 0;
    }
    const double missing = -e * e * *work_c - *work_d;
    u[2] = sqrt(fmax(0, 2 * k[2] * missing + u[2] * u[2]));
    *work_d = -e * e * *work_c;
    for (int i = 0; i < 2; i++)
        u[i] += k[i] / k[2] * (u[2] - before);
}

bool mirtich_euler_impact(const double W[6], const double q[3], double mu, double e, double delta,
                          long most, mirtich_euler *result) {
    double K[9], Ki[9], largest = 0, u[3] = {q[1], q[2], q[0]}, k[3] = {0, 0, 0};
    const double u0[3] = {u[0], u[1], u[2]};
    unpack(W, K);
    inverse(K, Ki);
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(K[i]));
    *result = (mirtich_euler){{0}, {q[0], q[1], q[2]}, 0, 0, 0};
    if (q[0] >= 0) return true;
    bool ended = false;
    while (!ended && hypot(u[0], u[1]) >= 2 * delta * largest) {
        if (result->steps++ == most) return false;
        if (u[2] < 0)
            result->work_c += u[2] * delta;
        else
            result->work_d += u[2] * delta;
        const double slip = hypot(u[0], u[1]), push[3] = {-mu * u[0] / slip, -mu * u[1] / slip, 1};
        for (int i = 0; i < 3; i++)
            u[i] += delta * (K[3 * i] * push[0] + K[3 * i + 1] * push[1] + K[3 * i + 2] * push[2]);
        ended = u[2] >= 0 && result->work_d >= -e * e * result->work_c;
    }
    if (!ended && Ki[2] * Ki[2] + Ki[5] * Ki[5] <= mu * mu * Ki[8] * Ki[8]) {
        k[2] = 1 / Ki[8];
        finish(u, k, e, &result->work_c, &result->work_d);
        u[0] = u[1] = 0;
    } else if (!ended) {
        double theta[5];
        bool diverging[5];
        const int count = mirtich_rays(W, mu, theta, diverging);
        for (int i = 0; i < count; i++)
            if (diverging[i]) {
                const double push[3] = {-mu * cos(theta[i]), -mu * sin(theta[i]), 1};
                for (int j = 0; j < 3; j++)
                    k[j] = K[3 * j] * push[0] + K[3 * j + 1] * push[1] + K[3 * j + 2] * push[2];
            }
        finish(u, k, e, &result->work_c, &result->work_d);
    }
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = Ki[3 * i] * (u[0] - u0[0]) + Ki[3 * i + 1] * (u[1] - u0[1]) +
               Ki[3 * i + 2] * (u[2] - u0[2]);
    for (int i = 0; i < 3; i++) {
        result->p[i] = p[(i + 2) % 3];
        result->u[i] = u[(i + 2) % 3];
    }
    return true;
}
