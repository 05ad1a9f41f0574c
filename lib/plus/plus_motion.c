/* plus_motion.c - motions of an island's contacts at the start of an interval, and those kept. */
#include "plus/plus_internal.h"

#include <string.h>

void imp_plus_classify(plus *s) {
    const char *phase = s->phase;
    char *motion = s->motion, *active = s->active;
    const double *v = s->v, *mu = s->mu, transition2 = s->limits.v_transition2;
    double *slip = s->slip;
    const double separates = PLUS_SEPARATES * s->own->unit;
    for (int i = 0, nc = s->nc; i < nc; i++, v += 3, slip += 2) {
        const double speed2 = v[1] * v[1] + v[2] * v[2];
        active[i] = phase[i] == 'C' && v[0] <= separates;
        slip[0] = slip[1] = 0;
        if (phase[i] == 'O' || mu[i] == 0)
            motion[i] = '-';
        else if (!(speed2 >= transition2))
            motion[i] = 'r';
        else {
            const double speed = sqrt(speed2); /* no transition is 0 */
            motion[i] = 's';
            slip[0] = v[1] / speed;
            slip[1] = v[2] / speed;
        }
    }
}

void imp_plus_mark(plus *s) {
    const size_t nc = (size_t)s->nc;
    memcpy(s->marked_motion, s->motion, nc);
    memcpy(s->marked_active, s->active, nc);
    memcpy(s->marked_slip, s->slip, 2 * nc * sizeof *s->slip);
}
