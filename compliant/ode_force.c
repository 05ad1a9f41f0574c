/* ode_force.c - the forces of pressing pairs, and what they store. */
#include "compliant/ode.h"

double compliant_ode_stored(const compliant_ode *ode) {
    double energy = 0;
    for (int i = 0; i < ode->system->npairs; i++)
        if (ode->pressing[i])
            energy +=
                compliant_stored(&ode->system->pairs[i].law, compliant_look(ode->system, i).depth);
    return energy;
}

compliant_hold compliant_ode_hold(const compliant_ode *ode, int pair,
                                  const compliant_touch *touch) {
    return (compliant_hold){&ode->system->pairs[pair].law, ode->depth, ode->grip[pair], touch};
}

double compliant_ode_strained(const compliant_ode *ode, const double *whole) {
    double energy = 0;
    for (int i = 0; i < ode->system->npairs; i++) {
        if (!ode->pressing[i] || !(ode->system->pairs[i].law.give > 0)) continue;
        const compliant_touch touch = compliant_look(ode->system, i);
        const compliant_hold hold = compliant_ode_hold(ode, i, &touch);
        energy += compliant_grip_stored(&hold, whole + ode->at.spring + 3 * i);
    }
    return energy;
}

const double *compliant_ode_spring(const compliant_ode *ode, const double *y, int pair) {
    int low = 0, high = ode->pairs - 1;
    while (low < high) { /* taken pairs ascend */
        const int half = (low + high) / 2;
        if (ode->pair[half] < pair)
            low = half + 1;
        else
            high = half;
    }
    return y + ode->spring + 3 * low;
}

void compliant_ode_force(const compliant_ode *ode, int pair, const compliant_touch *touch,
                         const double *spring, double force[3], double *normal) {
    const compliant_law *law = &ode->system->pairs[pair].law;
    const compliant_hold hold = compliant_ode_hold(ode, pair, touch);
    if (law->give > 0)
        compliant_grip_force(&hold, spring, force, normal);
    else
        compliant_force(law, touch, force, normal);
}
