/* grip.c - tangential compliance with history (Mindlin 1949; Thornton, Cummins, Cleary 2011). */
#include "compliant/grip.h"

#include "base/length.h"
#include "base/vec3.h"

/* A sliding force follows the slip the faster the smaller its bound is, at the ends of a contact
 * infinitely fast. Below this part of the depth scale it does not get faster: what acts there, for
 * that part of the time, is below LAZY^2 of the impulse. */
static const double LAZY = 1e-5;

/* N/m, along the surfaces at penetration x (m). */
static double tangential(const compliant_law *law, double x) {
    if (law->power == 1) return law->stiffness / law->give;
    return x > 0 ? law->power * law->stiffness * sqrt(x) / law->give : 0;
}

/* N/m, the force is this times the spring. */
static double stiffness_of(const compliant_hold *h) {
    return tangential(h->law, h->grip.eases ? h->touch->depth : h->depth);
}

/* N, mu f_n. */
static double bound_of(const compliant_hold *h) {
    return h->law->mu_dynamic * compliant_normal(h->law, h->touch->depth, h->touch->rate);
}

/* 1 + 3/2 c rate, f_n over its elastic part; never below 0. */
static double viscous(const compliant_hold *h) {
    return fmax(0, 1 + 1.5 * h->law->dissipation * h->touch->rate);
}

double compliant_grip_scale(const compliant_law *law, double depth) {
    return law->mu_dynamic * law->give * depth / law->power;
}

double compliant_grip_bound(const compliant_hold *h) {
    return compliant_grip_scale(h->law, fmax(0, h->touch->depth)) * viscous(h);
}

/* N, how long the tangential force is per length of the spring, which may be so stiff that the
 * squares of its stretch vanish. */
static double pull_of(const compliant_hold *h, const double spring[3]) {
    const double length = imp_length3(spring);
    if (!h->grip.slides) return stiffness_of(h);
    return length > 0 ? bound_of(h) / length : 0;
}

void compliant_grip_force(const compliant_hold *h, const double spring[3], double force[3],
                          double *normal) {
    const double n = compliant_normal(h->law, h->touch->depth, h->touch->rate);
    for (int k = 0; k < 3; k++)
        force[k] = n * h->touch->normal[k];
    add3(-pull_of(h, spring), spring, force);
    if (normal) *normal = n;
}

void compliant_grip_rate(const compliant_hold *h, const double spring[3], double rate[3]) {
    const compliant_touch *t = h->touch;
    const double length = imp_length3(spring);
    double share = 1; /* of the slip */
    cross3(t->turn, spring, rate);
    if (h->grip.slides) {
        /* the direction d of f = mu f_n d: d' = k_t (slip - d (d slip)) / (mu f_n) */
        const double least = LAZY * compliant_grip_scale(h->law, h->depth),
                     bound = fmax(least, compliant_grip_bound(h));
        if (!(length > 0)) return;
        share = length / bound;
        add3(-dot3(spring, t->slip) / length / bound, spring, rate);
    } else if (!h->grip.eases) {
        share = tangential(h->law, t->depth) / tangential(h->law, h->depth);
    }
    add3(share, t->slip, rate);
}

double compliant_grip_stored(const compliant_hold *h, const double spring[3]) {
    const double force = pull_of(h, spring) * imp_length3(spring),
                 stiffness = tangential(h->law, h->touch->depth);
    return stiffness > 0 ? 0.5 * force * force / stiffness : 0;
}

/* spring <- of that length, along itself. */
static void stretch(double length, double spring[3]) {
    const double now = imp_length3(spring);
    for (int k = 0; k < 3 && now > 0; k++)
        spring[k] *= length / now;
}

compliant_grip compliant_grip_begin(const compliant_law *law, double depth,
                                    const compliant_touch *touch, double spring[3]) {
    compliant_hold h = {law, depth, {.slides = true, .eases = touch->rate < 0}, touch};
    /* at depth 0 the bound grows with the penetration at this rate */
    const double yielding = compliant_grip_scale(law, touch->rate) * viscous(&h);
    for (int k = 0; k < 3; k++)
        spring[k] = touch->slip[k];
    h.grip.slides = touch->depth <= 1e-9 * depth && imp_length3(spring) > 0 &&
                    compliant_grip_sliding(&h, spring, yielding) > 0;
    for (int k = 0; k < 3; k++)
        spring[k] = h.grip.slides ? touch->slip[k] : 0;
    stretch(compliant_grip_scale(law, depth), spring);
    return h.grip;
}

void compliant_grip_slip(const compliant_hold *h, double spring[3]) {
    stretch(h->grip.slides ? bound_of(h) / stiffness_of(h) : compliant_grip_scale(h->law, h->depth),
            spring);
}

void compliant_grip_ease(const compliant_hold *h, double spring[3]) {
    const double loading = tangential(h->law, h->depth),
                 easing = tangential(h->law, h->touch->depth),
                 factor = h->grip.eases ? easing / loading : loading / easing;
    for (int k = 0; k < 3 && !h->grip.slides; k++)
        spring[k] *= factor;
}

double compliant_grip_reserve(const compliant_hold *h, const double spring[3]) {
    const double scale = h->law->mu_dynamic * compliant_elastic(h->law, h->depth);
    return (bound_of(h) - stiffness_of(h) * imp_length3(spring)) / scale;
}

double compliant_grip_sliding(const compliant_hold *h, const double spring[3], double yielding) {
    const compliant_touch *t = h->touch;
    /* while it loads, the bound's deflection yields to the stiffening spring, too: k_t'/k_t of
     * it */
    const double stiffening =
        h->grip.eases ? 0
                      : (h->law->power - 1) * compliant_grip_scale(h->law, t->rate) * viscous(h);
    return dot3(spring, t->slip) / imp_length3(spring) - yielding - stiffening;
}
