/* A brick falls on two corners of a face, and every model that takes several contacts says how it
 * leaves them. Prints:
 *
 *     plus                 ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     single-phase         ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     newton               ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     poisson              ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     moreau               ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     sequential           ok    p_n = 0.6711 and 0.5186 N s, -1.3743 J
 *     springs              ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     anitescu             ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     drumwright           ok    p_n = 0.5000 and 0.5000 N s, -1.0000 J
 *     gauss-seidel-maxdiss ok    p_n = 0.5874 and 0.5874 N s, -1.4326 J
 *     gauss-seidel-coulomb ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 *     auto                 ok    p_n = 0.5882 and 0.5882 N s, -1.4360 J
 */
#include <impact.h>
#include <stdio.h>

int main(void) {
    const imp_body brick = {.inv_mass = 1,
                            .inv_inertia = {6, 0, 0, 0, 4, 0, 0, 0, 5},
                            .position = {0, 0, 0.5},
                            .orientation = {1},
                            .velocity = {0.5, 0, -2}};
    imp_contact corner[2];
    for (int i = 0; i < 2; i++) {
        const double up[3] = {0, 0, 1};
        corner[i] = (imp_contact){.a = IMP_GROUND, .b = 0, .point = {0.5, i ? -0.5 : 0.5, 0}};
        if (imp_frame_from_normal(up, corner[i].frame) != IMP_OK) return 1;
    }
    double W[36], q[6], p[6], mu[2] = {0.3, 0.3};
    if (imp_delassus_dense(1, &brick, 2, corner, W, q) != IMP_OK) return 1;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    for (const imp_model *const *m = imp_models; *m; m++) {
        const imp_status status = imp_solve(*m, &problem, NULL, p, NULL);
        if (status == IMP_UNSUPPORTED) continue;
        printf("%-20s %-5s p_n = %.4f and %.4f N s, %.4f J\n", (*m)->name, imp_status_text(status),
               p[0], p[3], imp_problem_energy(&problem, p));
    }
    return 0;
}
