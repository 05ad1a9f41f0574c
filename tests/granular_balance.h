/* granular_balance.h - a granular step against Newton's second law, particle by particle. */
#ifndef GRANULAR_BALANCE_H
#define GRANULAR_BALANCE_H

#include "granular_box.h"
#include "base/vec3.h"

enum { BALANCE_MOST = 200, BALANCE_CONTACTS = 1200 };

/* before[id] <- every particle. */
static inline void balance_look(const imp_granular *g, imp_sphere before[BALANCE_MOST]) {
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        if (s.id >= BALANCE_MOST) abort();
        before[s.id] = s;
    }
}

/* The largest of m (v' - v - g dt) - sum of the impulses and I (w' - w) - sum of their moments over
 * m |g| dt, for homogeneous spheres between planes. told <- the sum of what the planes did.
 * INFINITY where there are too many contacts, or few. */
static inline double balance_left(const imp_granular *g, const imp_granular_settings *set,
                                  const imp_sphere before[BALANCE_MOST], double told[3]) {
    static imp_granular_contact c[BALANCE_CONTACTS];
    static double left[BALANCE_MOST][6];
    const int n = imp_granular_count(g), nc = imp_granular_contacts(g, c, BALANCE_CONTACTS);
    double worst = 0;
    told[0] = told[1] = told[2] = 0;
    if (nc > BALANCE_CONTACTS || nc < 5) return INFINITY;
    for (int i = 0; i < n; i++) {
        const imp_sphere s = imp_granular_sphere(g, i), *old = &before[s.id];
        const double m = box_mass(&s);
        for (int x = 0; x < 3; x++) {
            left[s.id][x] = m * (s.velocity[x] - old->velocity[x] - set->step * set->gravity[x]);
            /* over the radius */
            left[s.id][3 + x] = 0.4 * m * s.radius * (s.spin[x] - old->spin[x]);
        }
    }
    for (int k = 0; k < nc; k++) {
        const imp_sphere *b = &before[imp_granular_sphere(g, c[k].b).id],
                         *a = c[k].a < 0 ? NULL : &before[imp_granular_sphere(g, c[k].a).id];
        double normal[3], moment[3];
        /* of a plane; between spheres where they were */
        memcpy(normal, c[k].normal, sizeof normal);
        if (a) {
            sub3(b->position, a->position, normal);
            const double distance = norm3(normal);
            for (int x = 0; x < 3; x++)
                normal[x] /= distance;
        }
        cross3(c[k].impulse, normal, moment); /* (-n) x p */
        for (int x = 0; x < 3; x++) {
            left[b->id][x] -= c[k].impulse[x];
            left[b->id][3 + x] -= moment[x];
            if (a) {
                left[a->id][x] += c[k].impulse[x];
                left[a->id][3 + x] -= moment[x]; /* n x (-p) */
            } else
                told[x] += c[k].impulse[x];
        }
    }
    const imp_sphere first = imp_granular_sphere(g, 0);
    const double unit = box_mass(&first) * set->step * 9.81;
    for (int i = 0; i < n; i++)
        for (int x = 0; x < 6; x++)
            worst = fmax(worst, isnan(left[imp_granular_sphere(g, i).id][x])
                                    ? INFINITY
                                    : fabs(left[imp_granular_sphere(g, i).id][x]) / unit);
    return worst;
}

#endif
