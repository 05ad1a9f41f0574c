/* d_fig8.c - Drumwright, Shell (2010), Fig. 8: dry friction that must hold an arm where it is. */
#include "benchmarks/experiments/arm.h"
#include "base/worse.h"

#include <math.h>

static const double mu_c = 5, mu_v = 0; /* N m, N m s */

/* The largest torque of gravity about a joint at the start, N m. The potential energy is
 * A cos q + B sin q + C of each angle q alone, so its slope is half its difference a quarter of a
 * turn to either side. */
static double torque_of_gravity(void) {
    imp_world *arm = arm_new();
    double most = arm ? 0 : NAN;
    for (int i = 0; arm && i < ARM_JOINTS; i++) {
        double side[2];
        for (int k = 0; k < 2; k++) {
            arm->q[i] = arm_start[i] + (k == 0 ? -M_PI_2 : M_PI_2);
            imp_world_place(arm);
            side[k] = imp_world_potential(arm, arm_gravity);
        }
        arm->q[i] = arm_start[i];
        most = imp_worse(most, fabs(side[1] - side[0]) / 2);
    }
    imp_world_free(arm);
    return most;
}

/* The least friction with which the quadratic program holds the arm for 2 s, N m, by halving. */
static double least_that_holds(arm_sample *sample) {
    double low = 0, high = mu_c;
    while (high - low > 1e-9) {
        const double tried = (low + high) / 2;
        double still;
        arm_run(ARM_QP4, 0.01, tried, mu_v, 0.01, sample, NULL, &still, NULL);
        *(still <= 1e-14 ? &high : &low) = tried;
    }
    return high;
}

static void run(report *r) {
    static arm_sample sample[ARM_SAMPLES], reference[41];
    report_rows *t = report_table(r, "d_fig8", ARM_COLUMNS);
    const int references = arm_reference("drumwright2010_arm_fig8", reference);
    double worst_still = 0, worst_error = 0;
    for (int k = -2; k >= -4; k--) {
        double still;
        const int count =
            arm_run(ARM_QP4, pow(10, k), mu_c, mu_v, 0.01, sample, NULL, &still, NULL);
        const double error = arm_error(sample, count, reference, references, -1);
        worst_still = imp_worse(worst_still, still);
        worst_error = imp_worse(worst_error, error);
        if (k == -2) arm_write(t, "QP4 1e-2", sample, count);
    }
    report_at_most(
        r, STATED_IN_SOURCE, "QP4, h = 1e-2, 1e-3, 1e-4: largest |q - q0| of all joints, rad",
        1e-14, worst_still, "gravity torques stay below 4.16 N m in any pose, friction holds 5");
    report_at_most(r, INDEPENDENT, "the same against the reference (QP4, h = 1e-6), rad", 1e-14,
                   worst_error, NULL);
    report_near(r, INDEPENDENT, "the least friction with which QP4 holds it, h = 1e-2, N m",
                torque_of_gravity(), least_that_holds(sample), 1e-8,
                "the largest torque of gravity about a joint, from the potential energy");
    double most, error[7] = {0};
    arm_write(t, "Eq. 6 5e-3", sample,
              arm_run(ARM_EQ6, 5e-3, mu_c, mu_v, 0.01, sample, &most, NULL, NULL));
    report_judge(r, STATED_IN_SOURCE, "Eq. 6, h = 5e-3: largest |qd|, rad/s", "unstable",
                 report_text(r, "%.3g", most), "> 1000 or not finite", !(most <= 1e3), NULL);
    for (int k = 3; k <= 6; k++) {
        const int count = arm_run(ARM_EQ6, pow(10, -k), mu_c, mu_v, 0.01, sample, NULL, NULL, NULL);
        error[k] = arm_error(sample, count, reference, references, ARM_BICEP);
        arm_write(t, report_text(r, "Eq. 6 1e-%d", k), sample, count);
        report_progress(r, k / 6.0);
    }
    static const double published[] = {1.90, 1.6e-1, 1.5e-2, 1.6e-3};
    for (int k = 3; k <= 6; k++)
        report_near(r, INDEPENDENT,
                    report_text(r, "Eq. 6, h = 1e-%d: largest error of the bicep, rad", k),
                    published[k - 3], error[k], 0.05,
                    "published: independent computation for this project");
    const double ratio = error[4] / error[5];
    report_judge(r, INDEPENDENT, "Eq. 6: error at h = 1e-4 over error at 1e-5", "first order",
                 report_text(r, "%.2f", ratio), "in [7, 13]", ratio >= 7 && ratio <= 13,
                 "one per cent of a radian needs h < 1e-5; QP4 is exact at 1e-2: the paper's three "
                 "orders, and more");
    report_judge(r, STATED_IN_SOURCE, "error of Eq. 6 at h = 1e-5, three orders below 1e-2, rad",
                 "QP4 at 1e-2 is as good",
                 report_text(r, "%.2g; QP4 at 1e-2: %.1g", error[5], worst_error),
                 "QP4's is the lesser", worst_error < error[5],
                 "“a step size three orders of magnitude larger”");
    report_figure(r, "d_fig8",
                  "The quadratic program holds the joint still with steps of 10 ms; "
                  "explicit friction torques (Eq. 6) let it creep at small steps and "
                  "explode at large ones. Bicep joint under gravity with a friction of 5 N m, "
                  "which must hold it. "
                  "Left: its rate, at 5 ms beyond the panel. Right: its distance from its start; "
                  "the quadratic program's, 0, is below the panel.");
}

const experiment experiment_d_fig8 = {"D-Fig8", "Dry friction holds an arm",
                                      "An eight-joint arm with friction above every gravity torque "
                                      "must stay where it is. The friction program QP4 keeps "
                                      "it; the explicit torques of Eq. 6 do so only at steps three "
                                      "orders smaller. The arm's data are not printed; ours "
                                      "are in benchmarks/scenes/arm.json. QP4 as printed lacks the "
                                      "factor h and the modulus of the velocity, and has "
                                      "the old velocity where the friction-free new one belongs; "
                                      "with these put right the claim holds.",
                                      run};
