/* touching.h - how contacts.c looks for candidates that touch: one kernel for any CPU, one for 8
 * pairs at once. */
#ifndef IMP_GRANULAR_TOUCHING_H
#define IMP_GRANULAR_TOUCHING_H

#include "granular/contacts.h"

enum { RUN = 256 }; /* candidates searched at a time */

/* A brick being searched, and its contacts on their way into octets, with room for whole vectors
 * behind. */
typedef struct touching {
    const touch_search *of;
    candidates *from;
    brick_contacts *to;
    int octets;       /* made so far */
    int first_static; /* the brick's body of shape 0 */
    double warm;      /* factor on the impulses of the last step */
    int count, old;   /* contacts on their way; contacts of the last step passed so far */
    double n[3][RUN + 2 * WIDTH], p[3][RUN + 2 * WIDTH], gap[RUN + 2 * WIDTH];
    int a[RUN + 2 * WIDTH], b[RUN + 2 * WIDTH];
} touching;

/* Appends the contacts among candidates [begin, end), pairs only where the name says avx512. */
typedef void imp_find(touching *t, int begin, int end);
extern imp_find *const imp_find_avx512; /* NULL: not compiled in */

/* Does the approach of this step close a gap above the margin? */
static inline bool approaches(const touching *t, pair c, const double n[3], double gap) {
    const imp_granular_settings *set = t->of->set;
    const body *all = t->of->bodies->body;
    const double *va = all[c.a < 0 ? t->first_static - 1 - c.a : c.a].v, *vb = all[c.b].v;
    const double un = (vb[0] - va[0]) * n[0] + (vb[1] - va[1]) * n[1] + (vb[2] - va[2]) * n[2];
    return set->look_ahead && gap + set->step * un < set->margin;
}

#endif
