/* relist.c - when the neighbour list is old, how it is made anew, and how one that was is made
 * again. */
#include "granular/flow.h"
#include "granular/work.h"
#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

static double look(const imp_granular *g, double speed) {
    return g->set.margin + (g->set.look_ahead ? g->set.step * speed : 0);
}

double imp_granular_shape_speed(const imp_granular *g) {
    double fastest = 0;
    for (int i = 0; i < g->walls.n; i++)
        fastest = fmax(fastest, norm3(g->walls.at[i].velocity));
    return fastest;
}

reach imp_granular_reach(const imp_granular *g) {
    const motion *m = &g->now.motion;
    const double shapes = imp_granular_shape_speed(g) + g->set.step * norm3(g->set.gravity);
    return (reach){look(g, 2 * m->relative_speed), look(g, m->fastest + shapes)};
}

/* A pair that is not in the list was a skin apart and has come closer by no more than both have
 * moved. */
bool imp_granular_list_is_old(const imp_granular *g) {
    const state *now = &g->now;
    const reach r = imp_granular_reach(g);
    return !now->listed || 2 * now->motion.moved + r.pair > now->skin ||
           now->motion.moved_absolute + now->shape_moved + r.shape > SHAPE_SKIN * now->skin;
}

/* The list of the particles as they are, for the cells and the window as they are. */
static bool arrange(imp_granular *g) {
    const neighbourhood all = {&g->bodies,  &g->walls,     &g->cells,
                               g->now.skin, g->most_pairs, g->set.threads};
    const bool sorted = imp_cells_sort(&g->cells, &g->set, &g->bodies, &g->spare, g->gone) &&
                        (g->halo ? g->halo->carry(g->halo->self, g)
                                 : imp_carry_list(&g->list, g->cells.target, g->bodies.count));
    if (!sorted || !imp_list_cut(&g->list, &g->cells, g->set.threads) ||
        !imp_grow(&g->contacts, &g->contacts_room, g->list.bricks, sizeof *g->contacts))
        return false;
    return imp_bodies_statics(&g->bodies, &g->walls, g->list.bricks) &&
           (!g->set.single_precision ||
            imp_grow(&g->single, &g->single_room, g->bodies.room, sizeof *g->single)) &&
           imp_list_find(&g->list, &all) && (!g->halo || g->halo->plan(g->halo->self, g));
}

bool imp_granular_list(imp_granular *g) {
    state *now = &g->now;
    if (!imp_motion_measure(&now->motion, &g->bodies, g->set.threads, &g->set, g->halo))
        return false;
    /* Fast particles need a skin that lasts for some steps. */
    const reach r = imp_granular_reach(g);
    now->skin = fmax(g->set.skin, 2 * fmax(r.pair, r.shape / SHAPE_SKIN));
    for (int i = 0; i < g->walls.n; i++)
        memcpy(now->shape_listed[i], g->walls.at[i].point, sizeof now->shape_listed[i]);
    imp_cells_choose(&g->cells, &g->set, &g->bodies, now->skin, g->halo);
    now->listed = (!g->halo || g->halo->migrate(g->halo->self, g)) && arrange(g);
    memset(now->motion.drift, 0, sizeof now->motion.drift);
    now->motion.moved = now->motion.moved_absolute = now->shape_moved = 0;
    now->rebuilds++;
    g->failed = g->failed || !now->listed;
    return now->listed;
}

bool imp_granular_relist(imp_granular *g, const state *then) {
    bodies *b = &g->bodies;
    const int count = b->count;
    place *now = NULL;
    int room = 0;
    if (!imp_grow(&now, &room, count + 1, sizeof *now)) return false;
    for (int i = 0; i < count; i++) {
        now[i] = b->place[i];
        b->place[i] = b->reference[i];
    }
    for (int i = 0; i < g->walls.n; i++)
        memcpy(g->walls.at[i].point, then->shape_listed[i], sizeof g->walls.at[i].point);
    g->list.bricks = 0;
    g->now.skin = then->skin;
    /* a part is told its cells */
    if (!g->halo) imp_cells_choose(&g->cells, &g->set, b, then->skin, NULL);
    const bool good = arrange(g) && b->count == count;
    for (int i = 0; good && i < count; i++)
        b->place[g->cells.target[i]] = now[i];
    free(now);
    return good;
}
