/* settings.c - what a flow can be made with. */
#include "granular/flow.h"
#include "base/finite.h"
#include "base/vec3.h"

#include <limits.h>

imp_granular_settings imp_granular_settings_default(void) {
    return (imp_granular_settings){
        .step = 1e-5,
        .gravity = {0, 0, -9.81},
        .friction = 0.4,
        .erp = 0.8,
        .margin = 5e-6,
        .look_ahead = true,
        .warm = 0.9,
        .sweeps = 10,
        .most_sweeps = 1000,
        .skin = 1.8e-4,
        .high = {0.1, 0.1, 0.1},
        .outlet = INFINITY,
        .threads = 1,
        .simd = true,
        .law = IMP_GRANULAR_MAXDISS,
    };
}

static bool blend_fits(double blend) {
    return blend == 0 || (blend >= IMP_BLEND_LEAST && blend <= 1);
}

static imp_status check_settings(const imp_granular_settings *s) {
    if (!imp_finite(s->gravity) || !imp_finite(s->low) || !imp_finite(s->high) || isnan(s->outlet))
        return IMP_NOT_FINITE;
    for (int i = 0; i < 3; i++)
        if (!(s->low[i] < s->high[i])) return IMP_BAD_ARGUMENT;
    const bool numbers = s->step > 0 && isfinite(s->step) && s->friction >= 0 &&
                         isfinite(s->friction) && s->erp >= 0 && s->erp <= 1 && s->margin >= 0 &&
                         isfinite(s->margin) && s->warm >= 0 && s->warm <= 1 &&
                         blend_fits(s->blend) && s->tolerance >= 0 && isfinite(s->tolerance) &&
                         s->skin > 0 && isfinite(s->skin);
    /* sweeps in single precision know the closed form, in the order of the whole flow */
    if (s->single_precision && (is_general(s->law) || s->blend > 0)) return IMP_BAD_ARGUMENT;
    const bool counts = s->sweeps >= 0 && s->most_sweeps >= s->sweeps && s->split >= 0 &&
                        s->threads > 0 && s->threads <= IMP_THREADS_MOST && s->bricks[0] >= 0 &&
                        s->bricks[1] >= 0 && s->bricks[2] >= 0 &&
                        (int)s->law >= IMP_GRANULAR_MAXDISS &&
                        s->law <= IMP_GRANULAR_COULOMB_GENERAL;
    return numbers && counts ? IMP_OK : IMP_BAD_ARGUMENT;
}

static imp_status check_shape(const imp_shape *s) {
    if (!imp_finite(s->point) || !imp_finite(s->normal) || !imp_finite(s->velocity) ||
        !isfinite(s->friction))
        return IMP_NOT_FINITE;
    if (s->friction < 0 || (s->kind != IMP_SHAPE_PLANE && s->kind != IMP_SHAPE_OBSTACLE))
        return IMP_BAD_ARGUMENT;
    if (s->kind == IMP_SHAPE_OBSTACLE)
        return s->radius > 0 && isfinite(s->radius) && s->length >= 0 && isfinite(s->length)
                   ? IMP_OK
                   : IMP_BAD_ARGUMENT;
    return fabs(norm3(s->normal) - 1) <= 1e-9 ? IMP_OK : IMP_BAD_ARGUMENT;
}

/* It is put back along x alone. */
static bool pushes_along_x(const imp_shape *s) {
    return s->kind == IMP_SHAPE_PLANE && s->normal[0] > 0 && s->normal[1] == 0 &&
           s->normal[2] == 0 && s->velocity[0] > 0 && s->velocity[1] == 0 && s->velocity[2] == 0;
}

static bool sphere_fits(double radius, double density) {
    const double mass = imp_sphere_mass(&(imp_sphere){.radius = radius, .density = density});
    return radius >= IMP_SPHERE_LEAST && radius <= IMP_SPHERE_MOST && mass >= IMP_SPHERE_LEAST &&
           mass <= IMP_SPHERE_MOST;
}

static imp_status check_inflow(const imp_inflow *in, int shapes, const imp_shape *shape) {
    if (!in || in->plane < 0) return IMP_OK;
    const double numbers[] = {in->advance, in->first[0], in->first[1],    in->spacing, in->radius,
                              in->density, in->speed,    in->disturbance, in->offset};
    if (!imp_finite(numbers)) return IMP_NOT_FINITE;
    /* a layer stands within a diameter of the plane, which has pushed the last one on by as much
     * but for rounding */
    const bool good = in->plane < shapes && pushes_along_x(&shape[in->plane]) && in->advance > 0 &&
                      in->ny > 0 && in->nz > 0 && in->ny <= INT_MAX / in->nz / 4 &&
                      in->spacing > 0 && sphere_fits(in->radius, in->density) &&
                      in->advance >= 2 * in->radius * (1 - 1e-9) && in->offset >= 0 &&
                      in->offset < in->radius;
    return good ? IMP_OK : IMP_BAD_ARGUMENT;
}

imp_status imp_granular_check(const imp_granular_settings *settings, int shapes,
                              const imp_shape *shape, const imp_inflow *inflow) {
    imp_status status =
        shapes < 0 || shapes > IMP_SHAPES ? IMP_BAD_ARGUMENT : check_settings(settings);
    for (int i = 0; i < shapes && status == IMP_OK; i++)
        status = check_shape(&shape[i]);
    if (status == IMP_OK) status = check_inflow(inflow, shapes, shape);
    const bool turns = inflow && inflow->plane >= 0 && inflow->offset > 0;
    return status == IMP_OK && turns && settings->single_precision ? IMP_BAD_ARGUMENT : status;
}

imp_status imp_sphere_check(const imp_sphere *s) {
    const double numbers[] = {s->radius, s->density, s->offset};
    if (!imp_finite(s->position) || !imp_finite(s->velocity) || !imp_finite(s->spin) ||
        !imp_finite(s->orientation) || !imp_finite(numbers))
        return IMP_NOT_FINITE;
    return sphere_fits(s->radius, s->density) && s->offset >= 0 && s->offset < s->radius
               ? IMP_OK
               : IMP_BAD_ARGUMENT;
}
