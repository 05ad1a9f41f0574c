/* plus_apart.c - the contacts of an interval island by island: those that W couples.
 *
 * What is rounding, of an impulse or a velocity, is so beside those of its island, as the
 * certificate has it: beside a stronger one all that an island does would be, and what its contacts
 * violate would not be seen. And an island that has no solution leaves the others theirs. */
#include "plus/plus_internal.h"

#include <string.h>

/* Island k alone takes part. */
static void single_out(plus *s, int k) {
    s->own = s->island + k;
    s->fastest = 0;
    for (int i = 0; i < s->nc; i++) {
        s->phase[i] = s->label[i] == k ? s->phases[i] : 'O';
        if (s->label[i] == k) s->fastest = imp_larger(s->fastest, plus_largest(s->v + 3 * i, 3));
    }
}

/* Sets aside what was chosen for its contacts. */
static void set_aside(plus *s, int k) {
    const size_t n = (size_t)s->n;
    for (size_t i = 0; i < (size_t)s->nc; i++) {
        if (s->label[i] != k) continue;
        memcpy(s->chosen + 3 * i, s->pi + 3 * i, 3 * sizeof *s->pi);
        memcpy(s->chosen + n + 3 * i, s->Wpi + 3 * i, 3 * sizeof *s->Wpi);
        memcpy(s->chosen + 2 * n + 2 * i, s->slip + 2 * i, 2 * sizeof *s->slip);
        s->chosen_motion[i] = s->motion[i];
        s->chosen_active[i] = s->active[i];
    }
}

void imp_plus_choose(plus *s) {
    if (s->islands == 1) {
        imp_plus_choose_island(s);
        return;
    }
    const size_t nc = (size_t)s->nc, n = (size_t)s->n;
    const double fastest = s->fastest;
    bool unsolved = false;
    memcpy(s->phases, s->phase, nc);
    for (int k = 0; k < s->islands; k++) {
        single_out(s, k);
        imp_plus_choose_island(s);
        unsolved = unsolved || s->unsolved;
        set_aside(s, k);
    }
    s->fastest = fastest;
    s->unsolved = unsolved;
    memcpy(s->phase, s->phases, nc);
    memcpy(s->pi, s->chosen, n * sizeof *s->pi);
    memcpy(s->Wpi, s->chosen + n, n * sizeof *s->Wpi);
    memcpy(s->slip, s->chosen + 2 * n, 2 * nc * sizeof *s->slip);
    memcpy(s->motion, s->chosen_motion, nc);
    memcpy(s->active, s->chosen_active, nc);
}
