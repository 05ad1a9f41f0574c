/* nearby.c - distances of balls to planes, to boxes and to each other, every pair looked at:
 * O(balls^2), cheap up to a thousand.
 */
#include "multibody/nearby.h"

#include "multibody/box.h"
#include "contact/frame.h"
#include "base/vec3.h"
#include "base/worse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_nearby_reserve(imp_nearby_list *list, int room) {
    if (room <= list->room) return true;
    imp_nearby *more = realloc(list->item, (size_t)room * sizeof *more);
    if (!more) return false;
    list->item = more;
    list->room = room;
    return true;
}

/* A place behind the last one; NULL without memory. */
static imp_nearby *next_item(imp_nearby_list *list) {
    if (list->count == list->room && !imp_nearby_reserve(list, list->room ? 2 * list->room : 64))
        return NULL;
    return &list->item[list->count++];
}

bool imp_nearby_add(imp_nearby_list *list, const imp_nearby *item) {
    imp_nearby *to = next_item(list);
    if (to) *to = *item;
    return to;
}

void imp_nearby_clear(imp_nearby_list *list) {
    free(list->item);
    *list = (imp_nearby_list){0};
}

double imp_friction_between(double a, double b) {
    const double least = fmin(a, b), most = fmax(a, b);
    return least > 0 ? least * (2 / (1 + least / most)) : 0; /* nothing on the way overflows */
}

/* Where a pair is nearest: distance, normal from a to b, point. */
typedef struct meeting {
    int a, b;
    double gap, normal[3], point[3];
} meeting;

static meeting guarded(const imp_guard *g, const imp_world *world) {
    meeting m = {.a = g->plane, .b = g->link};
    double point[3], arm[3];
    imp_world_point(world, g->link, g->centre, m.point);
    if (g->plane == IMP_GROUND) {
        memcpy(m.normal, g->normal, sizeof m.normal);
        sub3(m.point, g->point, arm);
    } else {
        imp_world_point(world, g->plane, g->point, point);
        imp_world_direction(world, g->plane, g->normal, m.normal);
        sub3(m.point, point, arm);
    }
    m.gap = dot3(arm, m.normal) - g->radius;
    add3(-g->radius, m.normal, m.point);
    return m;
}

static bool is_box(const imp_ball *b) {
    return norm3(b->half) > 0;
}

/* m, from the core of a to the point `to`; normal towards it. */
static double distance_of(const imp_world *world, const imp_ball *a, const double *centre,
                          const double *to, double normal[3]) {
    const double *R = a->link == IMP_GROUND ? NULL : imp_world_state(world, a->link)->rotation;
    double arm[3];
    sub3(to, centre, arm);
    return imp_box_distance(a->half, R, arm, normal);
}

/* False for a pair of equal centres, or of boxes. A box is a, wherever it stands in the list. */
static bool two_balls(const imp_world *world, const imp_ball *a, const imp_ball *b,
                      const double *centre_a, const double *centre_b, meeting *m) {
    if (is_box(b) && !is_box(a)) return two_balls(world, b, a, centre_b, centre_a, m);
    double normal[3];
    if (is_box(b)) return false;
    const double distance = distance_of(world, a, centre_a, centre_b, normal);
    if (distance == 0 && !is_box(a)) return false;
    *m = (meeting){.a = a->link, .b = b->link, .gap = distance - a->radius - b->radius};
    for (int k = 0; k < 3; k++) {
        m->normal[k] = normal[k];
        m->point[k] = is_box(a) ? centre_b[k] - (b->radius + 0.5 * m->gap) * normal[k]
                                : centre_a[k] + (a->radius + 0.5 * m->gap) * normal[k];
    }
    return true;
}

static double relative_speed(const imp_world *world, const meeting *m) {
    double a[3], b[3];
    imp_world_point_velocity(world, m->a, m->point, a);
    imp_world_point_velocity(world, m->b, m->point, b);
    sub3(b, a, b);
    return norm3(b);
}

static double pair_friction(const imp_shapes *s, long long pair) {
    if (pair < s->guards) return s->guard[pair].mu;
    pair -= s->guards;
    return imp_friction_between(s->ball[pair / s->balls].mu, s->ball[pair % s->balls].mu);
}

static bool list_meeting(const imp_shapes *s, long long pair, const meeting *m,
                         imp_nearby_list *list) {
    const imp_guard *g = pair < s->guards ? &s->guard[pair] : NULL;
    imp_nearby *near = next_item(list);
    if (!near) return false;
    near->contact.a = m->a;
    near->contact.b = m->b;
    memcpy(near->contact.point, m->point, sizeof m->point);
    if (imp_frame_from_normal(m->normal, near->contact.frame) != IMP_OK)
        memset(near->contact.frame, 0, sizeof near->contact.frame);
    near->gap = m->gap;
    near->mu = pair_friction(s, pair);
    near->e = g ? g->e : s->e;
    near->mu_v = g ? g->mu_v : s->mu_v;
    near->pair = pair;
    return true;
}

/* Centres of all balls, (3 balls) m. */
static double *centres(const imp_shapes *s, const imp_world *world) {
    double *centre = malloc(3 * (size_t)s->balls * sizeof *centre);
    for (int i = 0; centre && i < s->balls; i++)
        imp_world_point(world, s->ball[i].link, s->ball[i].centre, centre + 3 * (size_t)i);
    return centre;
}

/* Calls visit for every pair that meets, ascending, until it says false. */
static imp_status each_pair(const imp_shapes *s, const imp_world *world,
                            bool (*visit)(long long pair, const meeting *m, void *data),
                            void *data) {
    bool more = true;
    for (int i = 0; i < s->guards && more; i++) {
        const meeting m = guarded(&s->guard[i], world);
        more = visit(i, &m, data);
    }
    if (s->balls < 2) return more ? IMP_OK : IMP_NO_MEMORY;
    double *centre = centres(s, world);
    if (!centre) return IMP_NO_MEMORY;
    for (int i = 0; i < s->balls && more; i++)
        for (int j = i + 1; j < s->balls && more; j++) {
            meeting m;
            if (imp_world_rigid(world, s->ball[i].link, s->ball[j].link)) continue;
            if (two_balls(world, &s->ball[i], &s->ball[j], centre + 3 * (size_t)i,
                          centre + 3 * (size_t)j, &m))
                more = visit(s->guards + (long long)i * s->balls + j, &m, data);
        }
    free(centre);
    return more ? IMP_OK : IMP_NO_MEMORY;
}

typedef struct search {
    imp_shapes *shapes;
    const imp_world *world;
    double h;
    imp_nearby_list *list;       /* being filled */
    const imp_nearby_list *seen; /* of the step before; NULL there */
    int next, found;
    double overlap;
} search;

static bool in_reach(long long pair, const meeting *m, void *data) {
    const search *find = data;
    const imp_shapes *s = find->shapes;
    if (m->gap > s->reach &&
        (s->ahead == 0 || m->gap > s->reach + s->ahead * find->h * relative_speed(find->world, m)))
        return true;
    return list_meeting(s, pair, m, find->list);
}

imp_status imp_shapes_nearby(void *shapes, const imp_world *world, double h,
                             imp_nearby_list *list) {
    imp_shapes *s = shapes;
    search find = {.shapes = s, .world = world, .h = h, .list = list};
    const imp_status status = each_pair(s, world, in_reach, &find);
    for (int k = 0; k < s->late && status == IMP_OK; k++) {
        const long long pair = s->late_pair[k], balls = pair - s->guards;
        meeting m;
        if (balls < 0)
            m = guarded(&s->guard[pair], world);
        else {
            const imp_ball *a = &s->ball[balls / s->balls], *b = &s->ball[balls % s->balls];
            double from[3], to[3];
            imp_world_point(world, a->link, a->centre, from);
            imp_world_point(world, b->link, b->centre, to);
            if (!two_balls(world, a, b, from, to, &m)) continue;
        }
        if (!list_meeting(s, pair, &m, list)) return IMP_NO_MEMORY;
    }
    return status;
}

static bool is_late(long long pair, const meeting *m, void *data) {
    search *find = data;
    imp_shapes *s = find->shapes;
    const imp_nearby_list *seen = find->seen;
    if (m->gap >= 0) return true;
    /* the late ones of before stand last */
    const int ascending = seen->count - s->late + find->found;
    while (find->next < ascending && seen->item[find->next].pair < pair)
        find->next++;
    if (find->next < ascending && seen->item[find->next].pair == pair) return true;
    for (int k = 0; k < s->late; k++)
        if (s->late_pair[k] == pair) return true;
    if (s->late == s->late_room) {
        const int room = s->late_room ? 2 * s->late_room : 64;
        long long *more = realloc(s->late_pair, (size_t)room * sizeof *more);
        if (!more) return false;
        s->late_pair = more;
        s->late_room = room;
    }
    s->late_pair[s->late++] = pair;
    find->found++;
    return true;
}

imp_status imp_shapes_late(void *shapes, const imp_world *world, const imp_nearby_list *list,
                           int *found) {
    imp_shapes *s = shapes;
    *found = 0;
    if (!list) {
        s->late = 0;
        return IMP_OK;
    }
    search find = {.shapes = s, .world = world, .seen = list};
    const imp_status status = each_pair(s, world, is_late, &find);
    *found = find.found;
    return status;
}

void imp_shapes_clear(imp_shapes *shapes) {
    free(shapes->late_pair);
    shapes->late_pair = NULL;
    shapes->late = shapes->late_room = 0;
}

static bool deepest(long long pair, const meeting *m, void *data) {
    (void)pair;
    search *find = data;
    find->overlap = imp_worse(find->overlap, -m->gap);
    return true;
}

double imp_shapes_overlap(const imp_shapes *shapes, const imp_world *world) {
    search find = {.overlap = 0};
    return each_pair(shapes, world, deepest, &find) == IMP_OK ? find.overlap : NAN;
}
