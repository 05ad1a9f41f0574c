/* What the judge of constraints between bodies refuses: impulses, velocities and contacts that are
 * not those of one motion. */
#include "bilateral.h"
#include "contact/frame.h"
#include "io/answer.h"

#include <jansson.h>

/* A judge that takes everything is none. */
static void test_judge(void) {
    const gen_linkage f = gen_linkage_of(0.7);
    const rows joints = joints_of(&f);
    reduced it = reduce(3, f.body, 1, &f.stop, &joints);
    const double p[3] = {0.3, -0.2, 0.1}, wrong[3] = {0.3, -0.2, 0.1 + 1e-9};
    double velocity[18], lambda[20];
    imp_bilateral_errors errors;
    imp_bilateral_recover(it.made, p, NULL, velocity, lambda, &errors);
    ok(errors.velocity < 1e-14 && errors.momentum < 1e-14, "a right answer");
    imp_bilateral_judge(it.made, wrong, NULL, velocity, lambda, &errors);
    ok(errors.momentum > 1e-11, "another impulse at the contact");
    lambda[2] *= 1 + 1e-6;
    lambda[5] += 1e-9;
    imp_bilateral_judge(it.made, p, NULL, velocity, lambda, &errors);
    ok(errors.velocity < 1e-14 && errors.momentum > 1e-11, "another impulse in a joint");
    imp_bilateral_recover(it.made, p, NULL, velocity, lambda, NULL);
    velocity[6] += 1e-9;
    imp_bilateral_judge(it.made, p, NULL, velocity, lambda, &errors);
    ok(errors.velocity > 1e-11 && errors.momentum > 1e-11, "another velocity");
    velocity[7] = NAN;
    imp_bilateral_judge(it.made, p, NULL, velocity, lambda, &errors);
    ok(!(errors.velocity < 1) && !(errors.momentum < 1), "no velocity at all");
    imp_bilateral_free(it.made);
}

/* A wheel that turns about a place that nothing moves, beside a joint between the ground and a body
 * that nothing moves at all: nobody's impulses leave rounding there. */
static void test_held(void) {
    const double point[3] = {0.3, 0.2, 0.1};
    const imp_body body[2] = {
        {.inv_inertia = {9, 0, 0, 0, 7, 0, 0, 0, 8}, .orientation = {1}, .spin = {0.3, -2, 1}},
        {.orientation = {1}, .position = {2}}};
    const imp_contact stop = {
        .a = IMP_GROUND, .b = 0, .point = {0.1, 0.2, -0.5}, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    rows r = {0};
    join(&r, body, IMP_PAIR_BALL, IMP_GROUND, 1, point, NULL);
    reduced it = reduce(2, body, 1, &stop, &r);
    const double p[3] = {0.3, -0.2, 0.1};
    double velocity[12], lambda[3];
    imp_bilateral_errors errors;
    ok(it.status == IMP_OK, "a wheel on a place that nothing moves");
    if (it.status != IMP_OK) return;
    imp_bilateral_recover(it.made, p, NULL, velocity, lambda, &errors);
    ok(errors.velocity == 0 && errors.momentum < 1e-14, "its spin after an impulse");
    velocity[4] += 1e-12;
    imp_bilateral_judge(it.made, p, NULL, velocity, lambda, &errors);
    ok(errors.momentum > 1e-14, "another spin");
    velocity[4] -= 1e-12;
    velocity[6] = 1e-30;
    imp_bilateral_judge(it.made, p, NULL, velocity, lambda, &errors);
    ok(errors.velocity > 0.1, "what nothing moves has moved");
    imp_bilateral_free(it.made);
}

/* Two links with upright hinges, one at rest, that the hinges stop as the other falls and turns:
 * all motion that is left is rounding. What that leaves is no loss of momentum; what is one, of a
 * link at rest that is light, heavy or neither beside the other, is found. mass: its, kg; lost:
 * m/s. */
static void test_stopped(double mass, double lost) {
    static const double hinge[2][3] = {{0, 0, 1}, {2, 0, 1}}, up[3] = {0, 0, 1};
    const double light = 1 / mass;
    const imp_body body[2] = {{.inv_mass = 1,
                               .inv_inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                               .position = {1, 0, 1},
                               .orientation = {1},
                               .velocity = {0, 0, -1},
                               .spin = {0, -1, 0}},
                              {.inv_mass = light,
                               .inv_inertia = {8 * light, 0, 0, 0, 8 * light, 0, 0, 0, 8 * light},
                               .position = {3, 0, 1},
                               .orientation = {1}}};
    const imp_contact stop = {
        .a = IMP_GROUND, .b = 1, .point = {4, 0, 0}, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    rows r = {0};
    join(&r, body, IMP_PAIR_REVOLUTE, IMP_GROUND, 0, hinge[0], up);
    join(&r, body, IMP_PAIR_REVOLUTE, 0, 1, hinge[1], up);
    reduced it = reduce(2, body, 1, &stop, &r);
    if (it.status != IMP_OK) abort();
    const double p[3] = {0};
    double velocity[12], lambda[10];
    imp_bilateral_errors errors;
    imp_bilateral_recover(it.made, p, NULL, velocity, lambda, &errors);
    ok(imp_bilateral_worst(&errors) < 1e-12, "links stopped by their hinges, one of %g kg", mass);
    for (int k = 0; k < 6; k++) { /* of velocity, and of spin */
        imp_bilateral_recover(it.made, p, NULL, velocity, lambda, NULL);
        velocity[6 + k] += lost;
        imp_bilateral_judge(it.made, p, NULL, velocity, lambda, &errors);
        ok(errors.momentum > 0.1, "%g kg that moves by %g where nothing pushes", mass, lost);
    }
    imp_bilateral_free(it.made);
}

/* Velocities at the contacts that are not those of the bodies are no answer. */
static void test_apart(void) {
    const gen_linkage f = gen_linkage_of(0.7);
    const rows joints = joints_of(&f);
    reduced it = reduce(3, f.body, 1, &f.stop, &joints);
    const double apart[3] = {0, 1e-11, 1e-7};
    double p[3] = {0.3, -0.2, 0.1}, u[3];
    imp_status status[3];
    if (it.status != IMP_OK) abort();
    for (int k = 0; k < 3; k++) {
        imp_answer answer = {.status = IMP_OK, .nc = 1, .p = p, .u = u};
        imp_operator_apply(&it.W, p, it.q, u);
        u[0] *= 1 + apart[k];
        json_decref(imp_answer_constraints(it.made, &answer));
        status[k] = answer.status;
    }
    ok(status[0] == IMP_OK && status[1] == IMP_OK, "contacts move as their bodies do");
    ok(status[2] == IMP_NOT_CERTIFIED, "and where they do not there is no answer");
    imp_bilateral_free(it.made);
}

int main(void) {
    test_judge();
    test_held();
    test_stopped(2, 1e-12);
    test_stopped(1e-8, 1e-11);
    test_stopped(1e8, 1e-16);
    test_apart();
    return tap_done();
}
