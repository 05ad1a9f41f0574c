/* hodograph_rule.c - Gauss-Legendre quadrature in long double: nodes, running integrals, Legendre
 * fits. */
#include "reference/oracle/hodograph_parts.h"

#include <float.h>
#include <math.h>

void hodograph_legendre(real x, real P[NODES + 1]) {
    P[0] = 1;
    P[1] = x;
    for (int k = 1; k < NODES; k++)
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

void hodograph_make_rule(rule *R) {
    for (int i = 0; i < NODES; i++) {
        real x = -cosl(acosl(-1) * (i + 0.75L) / (NODES + 0.5L)), P[NODES + 1];
        for (int k = 0; k < 50; k++) {
            hodograph_legendre(x, P);
            const real step = P[NODES] * (x * x - 1) / (NODES * (x * P[NODES] - P[NODES - 1]));
            x -= step;
            if (fabsl(step) < LDBL_EPSILON) break;
        }
        hodograph_legendre(x, P);
        R->x[i] = x;
        R->w[i] = 2 * (1 - x * x) / (NODES * NODES * P[NODES - 1] * P[NODES - 1]);
        for (int k = 0; k <= NODES; k++)
            R->P[k][i] = P[k];
    }
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++) {
            real sum = R->x[i] + 1;
            for (int k = 1; k < NODES; k++)
                sum += R->P[k][j] * (R->P[k + 1][i] - R->P[k - 1][i]);
            R->to[i][j] = 0.5L * R->w[j] * sum;
        }
}

fitted hodograph_fit(const rule *R, const real *values) {
    fitted F;
    for (int k = 0; k < NODES; k++) {
        F.a[k] = 0;
        for (int i = 0; i < NODES; i++)
            F.a[k] += (k + 0.5L) * R->w[i] * values[i] * R->P[k][i];
    }
    return F;
}

real hodograph_integral(const fitted *F, const real P[NODES + 1]) {
    real sum = F->a[0] * (P[1] + 1);
    for (int k = 1; k < NODES; k++)
        sum += F->a[k] * (P[k + 1] - P[k - 1]) / (2 * k + 1);
    return sum;
}
