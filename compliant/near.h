/* near.h - the pairs that may touch soon, found by a grid of cells, so that those far apart are not
 * looked at: as much work as there are spheres with their neighbours, not as there are pairs.
 *
 * A pair is on the list when its gap is at most `reach` where the spheres were listed, or when it
 * presses. No other pair comes nearer than `least` while no sphere has moved farther than (reach -
 * least) / 2 since. */
#ifndef COMPLIANT_NEAR_H
#define COMPLIANT_NEAR_H

#include "compliant/ode.h"

/* Of the scales of depth and speed: so little is nothing. */
static const double compliant_touching = 1e-9;

typedef struct compliant_near {
    const compliant_system *system;
    int count, *pair;     /* ascending */
    int actives, *active; /* those that are to be looked at after each step, ascending */
    double quiet;         /* s, until which the others may be left alone, but for a division */
    int movers, *mover;   /* spheres of parts that are awake or followed */
    double drifted;       /* m, how far the others were at `settled` from where they were listed */
    double fastest;       /* m/s, of those */
    double settled;       /* s */
    double least, skin;   /* m: gaps that are asked for; what is added so that a list lasts */
    double reach;         /* m */
    double *base;         /* (3 spheres) where they were listed */
    long looked;          /* gaps computed so far: the work of all lists */
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

/* After a division, with a new list, at the end of the quiet, of a tree that is placed everywhere
 * at t: which pairs of the list are active in steps of length h, which parts that sleep they need,
 * touch (actives) <- how they look. */
void compliant_near_settle(compliant_near *near, compliant_ode *ode, double t, double h,
                           compliant_touch *touch);

/* m, at t: no sphere is farther from where it was listed. */
double compliant_near_drift(const compliant_near *near, double t);

/* Has that been too far for the list? */
static inline bool compliant_near_is_old(const compliant_near *near, double drift) {
    return 2 * drift > near->reach - near->least;
}

/* touch (actives) <- how the active pairs look. */
void compliant_near_look(const compliant_near *near, compliant_touch *touch);

#endif
