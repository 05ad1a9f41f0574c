/* A hundred thousand contacts in columns, several at once, each with its certificate. Prints:
 *
 *     100000 of 100000 solved, 42857 stick
 */
#include <impact.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000 };
static double W[6][N], q[3][N], mu[N], p[3][N], residual[N];
static imp_status status[N];

int main(void) {
    for (int i = 0; i < N; i++) { /* spheres of 1 kg that slip in all directions */
        const double angle = 1e-3 * i;
        W[0][i] = 1;
        W[3][i] = W[5][i] = 3.5;
        q[0][i] = -1;
        q[1][i] = 2 * cos(angle);
        q[2][i] = 2 * sin(angle);
        mu[i] = i / (double)N;
    }
    const imp_batch_columns columns = {.W = {W[0], W[1], W[2], W[3], W[4], W[5]},
                                       .q = {q[0], q[1], q[2]},
                                       .mu = mu,
                                       .p = {p[0], p[1], p[2]},
                                       .residual = residual,
                                       .status = status};
    if (imp_maxdiss_batch(&columns, N, NULL) != IMP_OK) return 1;
    int solved = 0, stick = 0;
    for (int i = 0; i < N; i++) {
        solved += status[i] == IMP_OK && residual[i] < 1e-9;
        stick += hypot(p[1][i], p[2][i]) < 0.999999 * mu[i] * p[0][i];
    }
    printf("%d of %d solved, %d stick\n", solved, N, stick);
    return 0;
}
