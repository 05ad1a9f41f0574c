/* near.h - the pairs that may touch soon, found by a grid of cells, so that those far apart are not
 * looked at: as much work as there are spheres with their neighbours, not as there are pairs.
 *
 * A pair is on the list when its gap is at most `reach` where the spheres were listed, or when it
 * presses. No other pair comes nearer than `least` while no sphere has moved farther than (reach -
 * least) / 2 since. */
#ifndef COMPLIANT_NEAR_H
#define COMPLIANT_NEAR_H

#include "compliant/ode.h"

typedef struct compliant_near {
    const compliant_system *system;
    int count, *pair;   /* ascending */
    double least, skin; /* m: gaps that are asked for; what is added so that a list lasts */
    double reach;       /* m */
    double *base;       /* (3 spheres) where they were listed */
    long looked;        /* gaps computed so far: the work of all lists */
    /* of each sphere: where its pairs with planes and earlier spheres begin, ascending by those
     * (spheres + 1); the next in its bucket; the earlier ones found beside it */
    int *first, *next, *found;
    int buckets, *bucket; /* (a power of two) heads, -1: none */
    double *cell;         /* (3 spheres) whole numbers */
    double largest;       /* m, radius around a sphere or box */
} compliant_near;

/* An empty list with room for all pairs. IMP_OK, IMP_NO_MEMORY; compliant_near_clear either way. */
imp_status compliant_near_init(compliant_near *near, const compliant_system *system, double least,
                               double skin);
void compliant_near_clear(compliant_near *near);

/* The list for steps that begin where the tree is placed and move no sphere farther than `far` (m):
 * pressing (npairs). */
void compliant_near_list(compliant_near *near, const bool *pressing, double far);

/* m, the farthest that a sphere of the placed tree is from where it was listed. */
double compliant_near_drift(const compliant_near *near);

/* Has that been too far for the list? */
static inline bool compliant_near_is_old(const compliant_near *near, double drift) {
    return 2 * drift > near->reach - near->least;
}

/* touch (count) <- the pairs of the list, of a placed tree; `before` (NULL: none): how they looked
 * since the last division, where those stay that cannot close before the next. */
void compliant_near_look(const compliant_near *near, const compliant_ode *ode,
                         const compliant_touch *before, compliant_touch *touch);

#endif
