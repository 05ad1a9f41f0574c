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
    test_apart();
    return tap_done();
}
