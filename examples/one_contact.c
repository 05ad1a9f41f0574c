/* One contact by three laws. Prints:
 *
 *     maxdiss: ok, p = (0.5410, -0.1623, 0.0031) N s, slip (0.2861, 0.0056) m/s
 *     coulomb: ok, p = (0.5407, -0.1622, 0.0012) N s, slip (0.2846, -0.0021) m/s
 *     darboux-stronge: ok, p = (0.5372, -0.1569, -0.0160) N s, slip (0.2858, -0.0660) m/s
 */
#include <impact.h>
#include <stdio.h>

int main(void) {
    static const char *const names[] = {"maxdiss", "coulomb", "darboux-stronge"};
    const double W[9] = {2, 0.5, -0.25, 0.5, 3, 0.75, -0.25, 0.75, 4}; /* 1/kg */
    const double q[3] = {-1, 0.5, 0.25}, mu = 0.3;                     /* m/s, - */
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    for (int k = 0; k < 3; k++) {
        double p[3], u[3];
        const imp_status status = imp_solve(imp_model_find(names[k]), &problem, NULL, p, NULL);
        if (status < 0) return 1;
        imp_operator_apply(&op, p, q, u);
        printf("%s: %s, p = (%.4f, %.4f, %.4f) N s, slip (%.4f, %.4f) m/s\n", names[k],
               imp_status_text(status), p[0], p[1], p[2], u[1], u[2]);
    }
    return 0;
}
