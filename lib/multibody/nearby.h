/* nearby.h - which contacts a time step has to look at: balls and points against planes, balls
 * against balls and boxes. A box rests on a plane by the balls at its corners, which are guards.
 *
 * Time steps look ahead: a contact is listed with its distance before it touches. */
#ifndef IMP_NEARBY_H
#define IMP_NEARBY_H

#include "multibody/world.h"
#include "base/public.h"

#include <stdbool.h>

IMP_PUBLIC_BEGIN

/* A contact that may close within the step. */
typedef struct imp_nearby {
    imp_contact contact; /* a, b: links as the world numbers them, or IMP_GROUND */
    double gap;          /* m, distance along n; negative: overlap */
    double mu, e;        /* friction, restitution */
    double mu_v;         /* N s/m, viscous friction, for models that take it */
    long long pair;      /* which pair of shapes this is */
} imp_nearby;

/* Contacts, in memory that grows; {0} is empty. */
typedef struct imp_nearby_list {
    int count, room;  /* items there are, and there is memory for */
    imp_nearby *item; /* (room) */
} imp_nearby_list;

/* False without memory. */
bool imp_nearby_add(imp_nearby_list *list, const imp_nearby *item);
void imp_nearby_clear(imp_nearby_list *list);

/* A ball of one link (radius 0: a point) that a plane of another body (imp_world_rigid) keeps on
 * the side its normal points to. */
typedef struct imp_guard {
    int link;           /* with the ball */
    double centre[3];   /* m, link's frame */
    double radius;      /* m */
    int plane;          /* link with the plane, or IMP_GROUND */
    double point[3];    /* m, a point of the plane, in its link's frame */
    double normal[3];   /* unit, in its link's frame; n of the contact */
    double mu, e, mu_v; /* see imp_nearby */
} imp_guard;

/* A ball that all other balls avoid; or a box with rounded edges, all points within `radius` of a
 * core whose sides lie along the link's axes, which balls avoid. */
typedef struct imp_ball {
    int link;         /* with the ball */
    double centre[3]; /* m, link's frame */
    double radius;    /* m, > 0; of a box >= 0 */
    double half[3];   /* m, half sides of the core; 0: a ball */
    double mu;        /* of its surface; that of two: imp_friction_between */
} imp_ball;

/* What can touch what, and from how far it is looked at. */
typedef struct imp_shapes {
    int guards, balls;      /* how many of each */
    const imp_guard *guard; /* (guards) */
    const imp_ball *ball; /* (balls) every pair of two bodies (imp_world_rigid), but no two boxes */
    double e, mu_v;       /* of two balls */
    /* m, -: contacts with a gap up to reach + ahead h |relative velocity| are listed */
    double reach, ahead;
    int late, late_room; /* late pairs there are, and there is memory for */
    /* (late) listed whatever their gap; see imp_shapes_late. Freed by imp_shapes_clear */
    long long *late_pair;
} imp_shapes;

/* The friction where surfaces of a and b meet: the harmonic mean 2 a b / (a + b), 0 where one has
 * none. */
double imp_friction_between(double a, double b);

/* Adds the contacts in reach to the list, for a time step h (s); the world is placed. Ascending
 * pairs, the late ones last. `shapes` is an imp_shapes, so that this is an imp_detect. IMP_OK,
 * IMP_NO_MEMORY. */
imp_status imp_shapes_nearby(void *shapes, const imp_world *world, double h, imp_nearby_list *list);

/* Pairs that overlap where the world is placed now and were not on the list of the step that
 * brought it there: they are late, and listed from now on until *found is asked for with list NULL,
 * which forgets them. */
imp_status imp_shapes_late(void *shapes, const imp_world *world, const imp_nearby_list *list,
                           int *found);
void imp_shapes_clear(imp_shapes *shapes);

/* The largest overlap (m, >= 0) of all pairs where the world is placed; INFINITY: the gap of one is
 * no number, NAN: no memory. */
double imp_shapes_overlap(const imp_shapes *shapes, const imp_world *world);

IMP_PUBLIC_END

/* Between the files of lib: memory for so many items. False without it: the list is as it was. */
bool imp_nearby_reserve(imp_nearby_list *list, int room);

#endif
