/* material.c - the surface of a body or of a plane, from its JSON. */
#include "scene/build.h"

#include <math.h>

bool scene_read_material(const imp_json *at, compliant_material *m) {
    static const char *const keys[] = {"stiffness",
                                       "dissipation",
                                       "friction",
                                       "static_friction",
                                       "viscous_friction",
                                       "linear_stiffness",
                                       "tangential_compliance",
                                       NULL};
    const imp_json stiffness = imp_json_member(at, keys[0]),
                   dissipation = imp_json_member(at, keys[1]),
                   friction = imp_json_member(at, keys[2]), resting = imp_json_member(at, keys[3]),
                   viscous = imp_json_member(at, keys[4]), linear = imp_json_member(at, keys[5]),
                   give = imp_json_member(at, keys[6]);
    if (!imp_json_object(at, keys)) return false;
    if (stiffness.value && !scene_read_positive(&stiffness, &m->stiffness)) return false;
    if (dissipation.value && !imp_json_number_in(&dissipation, 0, INFINITY, &m->dissipation))
        return false;
    if (friction.value) {
        if (!imp_json_number_in(&friction, 0, INFINITY, &m->mu_dynamic)) return false;
        m->mu_static = m->mu_dynamic;
    }
    if (resting.value && !imp_json_number_in(&resting, m->mu_dynamic, INFINITY, &m->mu_static))
        return false;
    if (viscous.value && !imp_json_number_in(&viscous, 0, INFINITY, &m->mu_viscous)) return false;
    if (linear.value && !scene_read_positive(&linear, &m->spring)) return false;
    if (give.value && !imp_json_number_in(&give, 0, INFINITY, &m->give)) return false;
    if (m->give > 0 && (m->mu_static > m->mu_dynamic || m->mu_viscous > 0))
        return imp_json_refuse(give.value ? &give : at,
                               "with static_friction or viscous_friction, expected one coefficient "
                               "of friction where tangential_compliance is above 0");
    return true;
}
