/* flow.h - a flow: its particles, what it meets, and what is made of them in each step. */
#ifndef IMP_GRANULAR_FLOW_H
#define IMP_GRANULAR_FLOW_H

#include "granular/motion.h"
#include "granular/relax.h"

/* What a flow has besides its particles, its shapes and its list: all ranks have it alike, a
 * checkpoint holds it as it stands here (no padding). */
typedef struct state {
    int64_t next_id, steps, plane_steps, rebuilds; /* plane_steps: since the inflow plane started */
    /* the list holds for the particles there are: 1, or 0 */
    int64_t listed;
    double time; /* s */
    double skin; /* m, of the list */
    motion motion;
    double shape_listed[IMP_SHAPES][3]; /* m, their points when the list was made */
    double shape_moved;                 /* m, of shapes since the list was made */
} state;

struct imp_granular {
    imp_granular_settings set;
    surfaces walls;
    imp_inflow inflow;
    double home; /* m, x of the inflow plane when it starts again */
    state now;
    bodies bodies, spare; /* spare: for sorting, and for the velocities before a damped sweep */
    cells cells;
    list list;
    brick_contacts *contacts; /* (contacts_room) of each brick */
    int contacts_room;
    single_body *single; /* (single_room) of the bodies, in single precision; else NULL */
    int single_room;
    halo *halo; /* NULL: the flow is whole */
    imp_granular_costs costs;
    int gone[3];        /* particles that left in this step, LEAVES and LOST */
    int64_t most_pairs; /* candidates of a brick; fewer than INT_MAX while a checkpoint is read */
    bool failed;        /* out of memory */
};

/* Are they in their ranges? (settings.c) */
imp_status imp_granular_check(const imp_granular_settings *settings, int shapes,
                              const imp_shape *shape, const imp_inflow *inflow);
imp_status imp_sphere_check(const imp_sphere *s);

/* Enters a layer where it is time; how many particles, -1: no memory. */
int imp_granular_feed(imp_granular *g);

double imp_granular_shape_speed(const imp_granular *g); /* m/s, of the fastest shape */
/* How far contacts of this step are looked for. */
reach imp_granular_reach(const imp_granular *g);
/* Can a contact be missing from the list? */
bool imp_granular_list_is_old(const imp_granular *g);
/* The list anew; impulses are carried over. false: not finite, or g->failed. */
bool imp_granular_list(imp_granular *g);
/* The list as it was `then`, when particles stood where their references are; shapes are left where
 * they were then. No impulses are kept, and particles are back where they were, in the order of the
 * list. false: no memory, too many candidates, or one has left the room. */
bool imp_granular_relist(imp_granular *g, const state *then);

#endif
