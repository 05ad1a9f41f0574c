/* way.c - errors of coordinates as velocities, of which the rows leave a part; and where the part
 * of a row that is independent of the others goes to zero. */
#include "compliant/way.h"

#include "base/vec3.h"

#include <math.h>
#include <string.h>

/* The distance from a change point, in arms of the linkage, is about 1e-15 / doubt: at this doubt
 * its square is not far above the 1e-14 to which places are closed. */
static const double UNDECIDED = 1e-9;
/* Where rows are as little independent all the way, the bodies' masses are why, and no point. */
enum { CLEARER = 10 };
/* A point ahead is looked for from where the doubt is this many times the least. */
enum { AHEAD = 3 };
/* A step ends no nearer to it than at one in so many of the distance from which it started. */
static const double BESIDE = 5;
/* Of a step over it, the share to where it is: the methods have their stages far from there, those
 * of rk8pd at 0.65 and 0.92. One that would end past SHORT of the way, or just beyond, ends half
 * way, from where the next is long enough. */
static const double PASSING = 0.76, SHORT = 0.6;

compliant_way compliant_way_new(imp_tree *tree, imp_loops *loops) {
    return (compliant_way){tree, loops, INFINITY, INFINITY, 0, INFINITY};
}

void compliant_way_stop(compliant_way *way) {
    if (way->loops) imp_loops_imply(way->loops, false);
}

imp_status compliant_way_go(compliant_way *way, double h) {
    if (!way->loops) return IMP_OK;
    way->before = way->doubt;
    way->doubt = imp_loops_doubt(way->loops);
    way->step = h;
    way->clearest = fmin(way->clearest, way->doubt);
    const bool undecided = way->doubt > UNDECIDED && way->doubt > CLEARER * way->clearest;
    return undecided ? IMP_NOT_CERTIFIED : imp_loops_imply(way->loops, true);
}

double compliant_way_step(const compliant_way *way, double h) {
    const double now = 1 / way->doubt, before = 1 / way->before;
    if (!(way->doubt > AHEAD * way->clearest && now < before)) return h;
    const double ahead = way->step * now / (before - now), leap = ahead / PASSING;
    return h >= leap ? leap : h > SHORT * ahead ? 0.5 * ahead : h;
}

void compliant_way_velocity(const imp_tree *tree, const double *q, const double *d, double *v) {
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link *l = imp_tree_link(tree, i);
        const double *own = q + l->q_at, *by = d + l->q_at;
        double *to = v + l->v_at;
        if (l->joint == IMP_WELD) continue;
        to[0] = by[0];
        if (l->joint != IMP_FREE) continue;
        const double back[4] = {own[3], -own[4], -own[5], -own[6]};
        double turn[4];
        multiply4(by + 3, back, turn); /* half the spin, as a quaternion */
        memcpy(to + 1, by + 1, 2 * sizeof *to);
        for (int k = 0; k < 3; k++)
            to[3 + k] = 2 * turn[1 + k];
    }
}

imp_status compliant_way_error(const compliant_way *way, const double *q, const double *v,
                               double *dq, double *dv, double *x) {
    if (!way->loops) return IMP_OK;
    imp_tree_place(way->tree, q, v);
    imp_status status = imp_tree_factor(way->tree);
    if (status == IMP_OK) status = imp_loops_factor(way->loops);
    if (status == IMP_OK) {
        const double doubt = imp_loops_doubt(way->loops);
        if (doubt > AHEAD * way->clearest && doubt > BESIDE * way->doubt) return IMP_NOT_CERTIFIED;
        compliant_way_velocity(way->tree, q, dq, x);
        status = imp_loops_velocity(way->loops, x);
    }
    if (status == IMP_OK) status = imp_loops_velocity(way->loops, dv);
    if (status == IMP_OK) imp_tree_rate(way->tree, q, x, dq);
    return status == IMP_OK || status == IMP_NO_MEMORY ? status : IMP_NOT_CERTIFIED;
}
