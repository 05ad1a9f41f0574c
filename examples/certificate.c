/* What the library says of somebody else's answer. Prints:
 *
 *     p_t -0.1500: signorini 0.000 restitution 0.000 cone 0.000 slip 0.000 energy 0.000; -0.5162 J
 *     p_t  0.1500: signorini 0.000 restitution 0.000 cone 0.000 slip 1.000 energy 0.061; +0.0837 J
 *     p_t -0.1515: signorini 0.000 restitution 0.000 cone 0.010 slip 0.006 energy 0.000; -0.5186 J
 */
#include <impact.h>
#include <stdio.h>

int main(void) {
    const double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1, 2, 0}, mu = 0.3;
    const double answers[3][3] = {{0.5, -0.15, 0}, {0.5, 0.15, 0}, {0.5, -0.1515, 0}};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    for (int k = 0; k < 3; k++) {
        imp_certificate c;
        if (imp_certify(&problem, &imp_law_coulomb, NULL, answers[k], NULL, &c) != IMP_OK) return 1;
        printf("p_t %7.4f:", answers[k][1]);
        for (int r = 0; r < c.count; r++)
            printf(" %s %.3f", c.residual[r].name, c.residual[r].value);
        printf("; %+.4f J\n", c.energy);
    }
    return 0;
}
