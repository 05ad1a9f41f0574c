/* A rod that turns about a pin in the ground strikes a stop with its tip: a bilateral constraint
 * within an impact. Prints:
 *
 *     ok: p_n = 1.0000 N s (1.5 I w / l = 1), spin after -0.5000 rad/s
 *     the pin gives (0.0000, -0.5000) N s
 */
#include <impact.h>
#include <stdio.h>

int main(void) {
    /* 1 kg, 2 m long, turns at 1 rad/s about z through the origin */
    const imp_body rod = {.inv_mass = 1,
                          .inv_inertia = {100, 0, 0, 0, 3, 0, 0, 0, 3},
                          .position = {1, 0, 0},
                          .orientation = {1},
                          .velocity = {0, 1, 0},
                          .spin = {0, 0, 1}};
    imp_contact stop = {.a = IMP_GROUND, .b = 0, .point = {2, 0, 0}};
    const double normal[3] = {0, -1, 0}, mu = 0.2, e = 0.5;
    const imp_pair pin = {.kind = IMP_PAIR_REVOLUTE, .a = IMP_GROUND, .b = 0, .axis = {0, 0, 1}};
    imp_term term[IMP_PAIR_TERMS];
    imp_constraints rows = {.term = term};
    imp_bilateral *held = NULL;
    double q[3], p[3], velocity[6], lambda[5];
    rows.terms = imp_pair_terms(&pin, &rod, 0, term, &rows.rows);
    if (imp_frame_from_normal(normal, stop.frame) != IMP_OK ||
        imp_bilateral_new(1, &rod, 1, &stop, &rows, &held, q, NULL) != IMP_OK)
        return 1;
    const imp_operator W = imp_operator_factored(imp_bilateral_factored(held));
    const imp_problem problem = {.nc = 1, .W = &W, .q = q, .mu = &mu, .e = &e};
    const imp_status status = imp_solve(imp_model_find("poisson"), &problem, NULL, p, NULL);
    imp_bilateral_recover(held, p, NULL, velocity, lambda, NULL);
    printf("%s: p_n = %.4f N s (1.5 I w / l = 1), spin after %.4f rad/s\n", imp_status_text(status),
           p[0], velocity[5]);
    printf("the pin gives (%.4f, %.4f) N s\n", lambda[0], lambda[1]);
    imp_bilateral_free(held);
    return 0;
}
