/* What a granular flow refuses: any number of a shape, of the settings or of an inflow that is not
 * finite, one by one.
 */
#include "granular_box.h"
#include "tap.h"

static imp_status made(const imp_granular_settings *set, const imp_shape *shape,
                       const imp_inflow *inflow) {
    imp_status status;
    imp_granular_free(imp_granular_new(set, 1, shape, inflow, &status));
    return status;
}

/* The status when *x of what is given is `value`. */
static imp_status with(double *x, double value, const imp_granular_settings *set,
                       const imp_shape *shape, const imp_inflow *inflow) {
    const double kept = *x;
    *x = value;
    const imp_status status = made(set, shape, inflow);
    *x = kept;
    return status;
}

static imp_status added(double radius, double density) {
    const imp_granular_settings set = imp_granular_settings_default();
    const imp_sphere s = {.radius = radius, .density = density};
    imp_status status;
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    if (g) status = imp_granular_add(g, 1, &s);
    imp_granular_free(g);
    return status;
}

/* Beyond, squares of impulses leave double precision, and friction its limit. */
static void test_spheres(const imp_granular_settings *set, const imp_shape *plane, imp_inflow *in) {
    static const double wrong[][2] = {{5e-4, 1e-153},  {5e-4, 1e170},  {5e-4, 1e-310},
                                      {5e-4, 1e300},   {1e101, 1},     {1e-101, 1},
                                      {1e100, 1e-250}, {1e-100, 1e250}};
    const double volume = 4.0 / 3 * 3.14159265358979323846;
    int taken = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        taken += added(wrong[i][0], wrong[i][1]) != IMP_BAD_ARGUMENT;
    ok(taken == 0, "spheres whose mass or radius is out of range are refused");
    taken = with(&in->density, 1e-153, set, plane, in) != IMP_BAD_ARGUMENT;
    taken += with(&in->density, 1e170, set, plane, in) != IMP_BAD_ARGUMENT;
    ok(taken == 0, "and those of an inflow");
    ok(added(1, 1.01 * IMP_SPHERE_LEAST / volume) == IMP_OK &&
           added(1, 0.99 * IMP_SPHERE_MOST / volume) == IMP_OK &&
           added(1, 0.99 * IMP_SPHERE_LEAST / volume) == IMP_BAD_ARGUMENT &&
           added(1, 1.01 * IMP_SPHERE_MOST / volume) == IMP_BAD_ARGUMENT,
       "masses of 1e-80 to 1e80 kg are taken");
}

int main(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_shape plane = {
        .kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}, .velocity = {1, 0, 0}, .friction = 0.3};
    imp_inflow in = {.advance = 1e-3,
                     .ny = 2,
                     .nz = 2,
                     .first = {1e-3, 1e-3},
                     .spacing = 2e-3,
                     .radius = 0.5e-3,
                     .density = 2650,
                     .speed = 1,
                     .disturbance = 0.1};
    ok(made(&set, &plane, &in) == IMP_OK, "as it is, it is taken");
    double *const of_shape[] = {&plane.point[0],    &plane.point[1],    &plane.point[2],
                                &plane.normal[0],   &plane.normal[1],   &plane.normal[2],
                                &plane.velocity[0], &plane.velocity[1], &plane.velocity[2],
                                &plane.friction};
    double *const of_inflow[] = {&in.advance, &in.first[0], &in.first[1],
                                 &in.spacing, &in.radius,   &in.density,
                                 &in.speed,   &in.offset,   &in.disturbance};
    double *const of_set[] = {
        &set.step,   &set.gravity[0], &set.gravity[1], &set.gravity[2], &set.friction, &set.erp,
        &set.margin, &set.warm,       &set.tolerance,  &set.skin,       &set.low[0],   &set.low[1],
        &set.low[2], &set.high[0],    &set.high[1],    &set.high[2],    &set.blend};
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        int taken = 0;
        for (size_t i = 0; i < sizeof of_shape / sizeof *of_shape; i++)
            taken += with(of_shape[i], bad[k], &set, &plane, &in) != IMP_NOT_FINITE;
        ok(taken == 0, "%g in a shape is not finite", bad[k]);
        taken = 0;
        for (size_t i = 0; i < sizeof of_inflow / sizeof *of_inflow; i++)
            taken += with(of_inflow[i], bad[k], &set, &plane, &in) != IMP_NOT_FINITE;
        ok(taken == 0, "%g in an inflow is not finite", bad[k]);
        taken = 0;
        for (size_t i = 0; i < sizeof of_set / sizeof *of_set; i++)
            taken += with(of_set[i], bad[k], &set, &plane, &in) >= 0;
        ok(taken == 0, "%g in the settings is refused", bad[k]);
    }
    double *const positive[] = {&in.advance,        &in.spacing, &in.radius, &in.density,
                                &plane.velocity[0], &set.step,   &set.skin};
    double *const not_negative[] = {&plane.friction, &in.offset, &set.friction, &set.erp,
                                    &set.margin,     &set.warm,  &set.blend,    &set.tolerance};
    int taken = 0;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        taken += with(positive[i], 0, &set, &plane, &in) != IMP_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof not_negative / sizeof *not_negative; i++)
        taken += with(not_negative[i], -1e-9, &set, &plane, &in) != IMP_BAD_ARGUMENT;
    ok(taken == 0, "what must be positive is not 0, what must not be negative is not -1e-9");
    ok(with(&plane.normal[0], 1 + 1e-8, &set, &plane, &in) == IMP_BAD_ARGUMENT &&
           with(&plane.normal[0], 1 - 1e-8, &set, &plane, &in) == IMP_BAD_ARGUMENT &&
           with(&plane.normal[0], 1 + 1e-10, &set, &plane, &in) == IMP_OK,
       "a normal is of length 1");
    double *const across[] = {&plane.normal[1], &plane.normal[2], &plane.velocity[1],
                              &plane.velocity[2]};
    taken = with(&plane.normal[0], -1, &set, &plane, &in) != IMP_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof across / sizeof *across; i++)
        taken += with(across[i], 1e-6, &set, &plane, &in) != IMP_BAD_ARGUMENT ||
                 with(across[i], 1e-6, &set, &plane, NULL) != IMP_OK;
    ok(taken == 0, "the plane of an inflow stands across x, and moves along it alone");
    ok(with(&in.advance, 0.999e-3, &set, &plane, &in) == IMP_BAD_ARGUMENT &&
           with(&in.radius, 0.501e-3, &set, &plane, &in) == IMP_BAD_ARGUMENT &&
           with(&in.advance, 1e-3 * (1 - 1e-15), &set, &plane, &in) == IMP_OK,
       "layers are a diameter apart, but for rounding");
    ok(with(&in.offset, in.radius, &set, &plane, &in) == IMP_BAD_ARGUMENT,
       "an offset is less than the radius");
    test_spheres(&set, &plane, &in);
    ok(with(&set.blend, 0.0999, &set, &plane, &in) == IMP_BAD_ARGUMENT &&
           with(&set.blend, IMP_BLEND_LEAST, &set, &plane, &in) == IMP_OK,
       "a blend is 0, or from 0.1 on");
    int refused = 0;
    for (int k = 0; k < 2; k++) {
        imp_granular_settings other = set;
        other.law = (imp_granular_law)(k ? IMP_GRANULAR_COULOMB_GENERAL + 1 : -1);
        refused += made(&other, &plane, &in) == IMP_BAD_ARGUMENT;
        imp_shape none = plane;
        none.kind = (imp_shape_kind)(k ? IMP_SHAPE_OBSTACLE + 1 : -1);
        refused += made(&set, &none, NULL) == IMP_BAD_ARGUMENT;
    }
    ok(refused == 4, "laws and kinds of shapes that are none are refused");
    return tap_done();
}
