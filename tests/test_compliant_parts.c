/* test_compliant_parts.c - what a compliant run is made of, against closed forms: force laws,
 * scales and Merson's method. */
#include "compliant/law.h"
#include "compliant/merson.h"
#include "compliant/ode.h"
#include "tap.h"

#include <gsl/gsl_errno.h>

static void test_law(void) {
    const compliant_material a = {1e9, 0.1, 0.5, 0.4, 0.02, 0, 0},
                             b = {8e9, 0.4, 0.3, 0.2, 0.01, 0, 0};
    const compliant_law ab = compliant_law_of(&a, &b, 0.2, 0.01),
                        ba = compliant_law_of(&b, &a, 0.2, 0.01),
                        aa = compliant_law_of(&a, &a, 0.2, 0.01);
    is_near(aa.stiffness, 4.0 / 3 * sqrt(0.2) * 1e9 / pow(2, 1.5), 0, 1e-14,
            "equal surfaces: E / 2^1.5");
    is_near(aa.share, 0.5, 1e-15, 0, "equal surfaces share the penetration");
    is_near(ab.stiffness, ba.stiffness, 0, 1e-14, "the order of the surfaces does not matter");
    is_near(ab.share, 0.8, 0, 1e-14, "E^(2/3) = 1 : 4, the soft one takes 4/5");
    is_near(ab.dissipation, 0.1 * 0.8 + 0.4 * 0.2, 0, 1e-14, "dissipation weighted by the share");
    const double means[] = {2 * 0.5 * 0.3 / 0.8, 2 * 0.4 * 0.2 / 0.6, 2 * 0.02 * 0.01 / 0.03},
                 coefficients[] = {ab.mu_static, ab.mu_dynamic, ab.mu_viscous};
    is_vec(coefficients, means, 3, 0, 1e-14,
           "friction by the harmonic mean: static, dynamic, viscous");
    const double x = 1e-3, h = 1e-9;
    is_near((compliant_stored(&ab, x + h) - compliant_stored(&ab, x - h)) / (2 * h),
            compliant_elastic(&ab, x), 0, 1e-8,
            "the elastic force is the slope of the stored energy");
    is_near(compliant_normal(&ab, x, 2), compliant_elastic(&ab, x) * (1 + 1.5 * ab.dissipation * 2),
            0, 1e-14, "Hunt and Crossley");
    ok(compliant_normal(&ab, x, -100) == 0 && compliant_normal(&ab, -x, 1) == 0,
       "never attractive, zero apart");
    is_near(compliant_friction(&ab, 0), 0, 0, 0, "no friction at rest");
    is_near(compliant_friction(&ab, 0.01), ab.mu_static + 0.01 * ab.mu_viscous, 0, 1e-14,
            "static at the transition");
    is_near(compliant_friction(&ab, 0.005), 0.5 * ab.mu_static + 0.005 * ab.mu_viscous, 0, 1e-14,
            "half at half of it");
    is_near(compliant_friction(&ab, 0.03), ab.mu_dynamic + 0.03 * ab.mu_viscous, 0, 1e-14,
            "dynamic at three times");
    is_near(compliant_friction(&ab, 2), ab.mu_dynamic + 2 * ab.mu_viscous, 0, 1e-14,
            "dynamic beyond");
    for (int k = 0; k < 16; k++) {
        /* the curve in between, as the source has it: powers written out */
        const double at = 0.1 + 0.2 * k;
        const double rise = 10 * pow(at, 3) - 15 * pow(at, 4) + 6 * pow(at, 5), x2 = (at - 1) / 2;
        const double fall = 10 * pow(x2, 3) - 15 * pow(x2, 4) + 6 * pow(x2, 5);
        const double mu = at < 1   ? ab.mu_static * rise
                          : at < 3 ? ab.mu_static - (ab.mu_static - ab.mu_dynamic) * fall
                                   : ab.mu_dynamic;
        is_near(compliant_friction(&ab, 0.01 * at), mu + 0.01 * at * ab.mu_viscous, 0, 1e-13,
                "friction at %.1f transition speeds", at);
    }
    static const double speeds[] = {0.01, 0.5, 1, 1.4924},
                        printed[] = {0.9901, 0.663, 0.488, 0.381};
    for (int i = 0; i < 4; i++)
        is_near(compliant_restitution(1, speeds[i]), printed[i], 0.5001 * (i ? 1e-3 : 1e-4), 0,
                "restitution of a central impact at c v = %g", speeds[i]);
    ok(compliant_restitution(0, 3) == 1, "no dissipation, full restitution");
    /* the root of its equation to 60 digits */
    static const double roots[][2] = {{1e-17, 1},
                                      {1e-12, 0.99999999999933333333},
                                      {1e-6, 0.99999933333377777745},
                                      {0.0015, 0.9990009989012983949},
                                      {0.5, 0.74843493159743415812},
                                      {40, 0.024999999999999998398},
                                      {1e300, 1e-300}};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        is_near(compliant_restitution(roots[i][0] / 1.5, 1), roots[i][1], 0, 1e-15,
                "restitution at 3/2 c v = %g", roots[i][0]);
}

static int oscillator(double t, const double y[], double slope[], void *calls) {
    (void)t;
    ++*(int *)calls;
    slope[0] = y[1];
    slope[1] = -sin(y[0]);
    return GSL_SUCCESS;
}

static int decay(double t, const double y[], double slope[], void *calls) {
    (void)t;
    ++*(int *)calls;
    slope[0] = -y[0];
    return GSL_SUCCESS;
}

/* Pendulum from 1 rad at rest to t = 1 in n steps; the error against n = 4096. */
static double pendulum(int n, int *calls) {
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(compliant_step_merson, 2);
    const gsl_odeiv2_system system = {oscillator, NULL, 2, calls};
    double y[2] = {1, 0}, error[2];
    *calls = 0;
    for (int i = 0; i < n; i++)
        gsl_odeiv2_step_apply(step, (double)i / n, 1.0 / n, y, error, NULL, NULL, &system);
    gsl_odeiv2_step_free(step);
    return y[0];
}

static void test_merson(void) {
    int calls = 0;
    const double exact = pendulum(4096, &calls), coarse = pendulum(64, &calls) - exact;
    ok(calls == 320, "five evaluations a step");
    const double order = log2(coarse / (pendulum(128, &calls) - exact));
    is_near(order, 4, 0.1, 0, "order 4: %.3f", order);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(compliant_step_merson, 1);
    const gsl_odeiv2_system system = {decay, NULL, 1, &calls};
    double y = 1, error, in = -1, out;
    calls = 0;
    gsl_odeiv2_step_apply(step, 0, 0.01, &y, &error, &in, &out, &system);
    ok(calls == 5, "four with the slope at the start given, one more for the slope at the end");
    /* y' = -y: the fifth-order term of the step is off by h^5 (1/120 - 1/144) = h^5 / 720 */
    is_near(error, 1e-10 / 720, 0, 1e-3, "the error estimate of a linear equation");
    is_near(y - exp(-0.01), error, 0, 0.02, "is what the step is off by");
    is_near(out, -y, 0, 1e-15, "the slope handed out belongs to the end");
    ok(gsl_odeiv2_step_order(step) == 4 && strcmp(gsl_odeiv2_step_name(step), "merson") == 0,
       "name and order");
    gsl_odeiv2_step_free(step);
}

/* A slope that cannot be had any more at the sixth call: the end of the step. */
static int failing(double t, const double y[], double slope[], void *calls) {
    decay(t, y, slope, calls);
    return *(int *)calls > 5 ? GSL_EBADFUNC : GSL_SUCCESS;
}

static void test_merson_fails(void) {
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(compliant_step_merson, 1);
    int calls = 0;
    const gsl_odeiv2_system system = {failing, NULL, 1, &calls};
    double y = 1, error, out;
    const int status = gsl_odeiv2_step_apply(step, 0, 0.01, &y, &error, NULL, &out, &system);
    ok(status == GSL_EBADFUNC && calls == 6 && y == 1,
       "no slope at the end: the state is as it was");
    gsl_odeiv2_step_free(step);
}

/* A rotor of 100 kg m^2 and 1 kg, with a sphere of r = 0.1 m at an arm from its axis over a plane:
 * its effective mass I / arm^2, but no more than 1 + 3 I / r^2, also where the axis holds it. */
static void test_held_scale(void) {
    static const double arm[] = {0.2, 1e-9, 0}, mass[] = {2500, 30001, 30001},
                        down[3] = {0, 0, -9.81}, q = 0, v = 1;
    const imp_link rotor = {.parent = IMP_GROUND,
                            .joint = IMP_REVOLUTE,
                            .mass = 1,
                            .inertia = {100, 0, 0, 0, 100, 0, 0, 0, 100},
                            .axis = {0, 1, 0},
                            .turn = {1}};
    const compliant_material m = {1e9, 0, 0, 0, 0, 0, 0};
    const compliant_plane plane = {{0, 0, -1}, {0, 0, 1}, m};
    for (int k = 0; k < 3; k++) {
        const compliant_sphere sphere = {.radius = 0.1, .centre = {arm[k], 0, 0}, .material = m};
        imp_tree *tree = imp_tree_new(1, &rotor, NULL);
        compliant_system system;
        compliant_ode ode;
        compliant_system_init(&system, tree, down, 1, &sphere, 1, &plane, 0.01);
        if (ok(compliant_ode_init(&ode, &system) == IMP_OK &&
                   compliant_ode_scale(&ode, &q, &v, 1e-3, 0) == IMP_OK,
               "scales of a rotor"))
            is_near(ode.scale[ode.at.impulse] / ode.speed, mass[k], 0, 1e-12,
                    "its mass at an arm of %g m", arm[k]);
        compliant_ode_clear(&ode);
        compliant_system_clear(&system);
        imp_tree_free(tree);
    }
}

int main(void) {
    test_law();
    test_held_scale();
    test_merson();
    test_merson_fails();
    return tap_done();
}
