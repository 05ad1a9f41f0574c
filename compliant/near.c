/* near.c - the list of near pairs, by distances of centres in neighbouring cells of a hashed grid
 * (Hockney and Eastwood 1981, chain-linked cells). */
#include "compliant/near.h"

#include "base/vec3.h"

#include <stdlib.h>

/* m, of a sphere; around a box, whatever its attitude. */
static double radius_of(const compliant_sphere *s) {
    return s->radius + norm3(s->half);
}

/* The later of a pair's spheres, with whose pairs it stands; and the earlier one, -1: a plane. */
static int later_of(const compliant_pair *p) {
    return p->a > p->b ? p->a : p->b;
}

static int earlier_of(const compliant_pair *p) {
    return p->a > p->b ? p->b : p->a;
}

imp_status compliant_near_init(compliant_near *near, const compliant_system *system, double least,
                               double skin) {
    const size_t n = (size_t)system->nspheres + 1;
    *near = (compliant_near){.system = system, .least = least, .skin = skin, .buckets = 1};
    while (near->buckets < system->nspheres)
        near->buckets *= 2;
    near->pair = calloc(2 * ((size_t)system->npairs + 1), sizeof *near->pair);
    near->base = calloc(3 * n, sizeof *near->base);
    near->cell = calloc(3 * n, sizeof *near->cell);
    near->first = calloc(4 * n, sizeof *near->first);
    near->bucket = calloc((size_t)near->buckets, sizeof *near->bucket);
    if (!near->pair || !near->base || !near->cell || !near->first || !near->bucket)
        return IMP_NO_MEMORY;
    near->next = near->first + n;
    near->found = near->next + n;
    near->mover = near->found + n;
    near->active = near->pair + system->npairs + 1;
    for (int i = 0, pair = 0; i <= system->nspheres; i++) {
        near->first[i] = pair;
        while (pair < system->npairs && later_of(&system->pairs[pair]) == i)
            pair++;
    }
    for (int i = 0; i < system->nspheres; i++)
        near->largest = fmax(near->largest, radius_of(&system->spheres[i]));
    return IMP_OK;
}

void compliant_near_clear(compliant_near *near) {
    free(near->pair);
    free(near->base);
    free(near->cell);
    free(near->first);
    free(near->bucket);
    *near = (compliant_near){0};
}

static void centre_of(const compliant_system *system, int sphere, double centre[3]) {
    const compliant_sphere *s = &system->spheres[sphere];
    imp_tree_point(system->tree, s->link, s->centre, centre);
}

/* m, the gap of a pair between the places in `base`, or less. */
static double gap_of(compliant_near *near, int i) {
    const compliant_system *s = near->system;
    const compliant_pair *pair = &s->pairs[i];
    const double *b = near->base + 3 * (size_t)pair->b, radius = s->spheres[pair->b].radius;
    double arm[3];
    near->looked++;
    if (pair->plane >= 0) {
        sub3(b, s->planes[pair->plane].point, arm);
        return dot3(arm, s->planes[pair->plane].normal) - radius;
    }
    sub3(b, near->base + 3 * (size_t)pair->a, arm);
    return norm3(arm) - radius - radius_of(&s->spheres[pair->a]);
}

/* The bucket of a cell; its coordinates are whole numbers below 1e15. */
static int *bucket_of(const compliant_near *near, const double cell[3]) {
    const unsigned long long x = (unsigned long long)(long long)cell[0] * 0x9e3779b97f4a7c15u,
                             y = (unsigned long long)(long long)cell[1] * 0xc2b2ae3d27d4eb4fu,
                             z = (unsigned long long)(long long)cell[2] * 0x165667b19e3779f9u;
    return &near->bucket[((x ^ y ^ z) >> 32) & (unsigned)(near->buckets - 1)];
}

/* near->found <- the spheres before i in cells beside its own, ascending; how many. */
static int neighbours(compliant_near *near, int i) {
    const double *own = near->cell + 3 * (size_t)i;
    int count = 0;
    for (int c = 0; c < 27; c++) {
        const int beside[3] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
        const double cell[3] = {own[0] + beside[0], own[1] + beside[1], own[2] + beside[2]};
        for (int j = *bucket_of(near, cell); j >= 0; j = near->next[j]) {
            const double *other = near->cell + 3 * (size_t)j;
            if (other[0] != cell[0] || other[1] != cell[1] || other[2] != cell[2]) continue;
            int at = count++; /* few: sorted as they come */
            for (; at > 0 && near->found[at - 1] > j; at--)
                near->found[at] = near->found[at - 1];
            near->found[at] = j;
        }
    }
    return count;
}

/* Where the pair of sphere i with an earlier one stands, -1: none. */
static int pair_of(const compliant_near *near, int i, int earlier) {
    int low = near->first[i], high = near->first[i + 1] - 1;
    while (low < high) {
        const int half = (low + high) / 2;
        if (earlier_of(&near->system->pairs[half]) < earlier)
            low = half + 1;
        else
            high = half;
    }
    return low == high && earlier_of(&near->system->pairs[low]) == earlier ? low : -1;
}

static void list(compliant_near *near, const bool *pressing, int pair) {
    if (pressing[pair] || gap_of(near, pair) <= near->reach) near->pair[near->count++] = pair;
}

void compliant_near_list(compliant_near *near, const bool *pressing, double far) {
    const compliant_system *s = near->system;
    near->reach = near->least + near->skin + 2 * far;
    near->count = 0;
    for (int k = 0; k < near->buckets; k++)
        near->bucket[k] = -1;
    /* no two that are within reach are in cells that do not touch */
    const double size = 2 * near->largest + near->reach;
    for (int i = 0; i < s->nspheres; i++) {
        double *base = near->base + 3 * (size_t)i, *cell = near->cell + 3 * (size_t)i;
        centre_of(s, i, base);
        for (int k = 0; k < 3; k++)
            cell[k] = fmax(-1e15, fmin(1e15, floor(base[k] / size)));
        for (int k = near->first[i]; k < near->first[i + 1] && s->pairs[k].plane >= 0; k++)
            list(near, pressing, k);
        const int beside = neighbours(near, i);
        for (int k = 0; k < beside; k++) {
            const int pair = pair_of(near, i, near->found[k]);
            if (pair >= 0) list(near, pressing, pair);
        }
        int *bucket = bucket_of(near, cell);
        near->next[i] = *bucket;
        *bucket = i;
    }
}

/* m^2 */
static double way_of(const compliant_near *near, int sphere) {
    double centre[3], way[3];
    centre_of(near->system, sphere, centre);
    sub3(centre, near->base + 3 * (size_t)sphere, way);
    return dot3(way, way);
}

double compliant_near_drift(const compliant_near *near, double t) {
    double farthest = 0;
    for (int k = 0; k < near->movers; k++)
        farthest = fmax(farthest, way_of(near, near->mover[k]));
    return fmax(sqrt(farthest), near->drifted + (t - near->settled) * near->fastest);
}

static compliant_touch look(const compliant_system *system, int pair) {
    compliant_touch touch = compliant_look(system, pair);
    touch.passing = compliant_passing(system, pair);
    return touch;
}

/* Do both sides of a pair go straight, if at all, until the next division? What rests does, and a
 * ball that sleeps, about its body's origin. */
static bool goes_straight(const compliant_ode *ode, int pair) {
    const compliant_system *s = ode->system;
    const compliant_pair *p = &s->pairs[pair];
    if (norm3(s->gravity) > 0) return false;
    for (int side = p->plane >= 0; side < 2; side++) {
        const compliant_sphere *one = &s->spheres[side ? p->b : p->a];
        const int part = compliant_ode_part(ode, pair, side);
        if (part < 0 || ode->still[part]) continue;
        if (!ode->asleep[part] || norm3(one->centre) > 0 || norm3(one->half) > 0) return false;
    }
    return true;
}

/* s, for how long a pair that looks like this needs no other look: distances of what goes straight
 * shrink ever slower. What comes nearer by more than nothing is looked at, since a run ends when no
 * such pair is near. */
static double leave_alone(const compliant_ode *ode, int pair, const compliant_touch *touch) {
    if (!goes_straight(ode, pair)) return 0;
    if (touch->rate <= 0) return INFINITY;
    return touch->rate <= compliant_touching * ode->speed ? -touch->depth / touch->rate : 0;
}

/* The parts that sleep and have an active pair; where they do not fly straight, all that sleep. */
static void follow(compliant_near *near, compliant_ode *ode) {
    const imp_tree *tree = ode->system->tree;
    const bool falls = norm3(ode->system->gravity) > 0;
    for (int k = 0; k < imp_tree_parts(tree); k++)
        ode->follows[k] = falls && ode->asleep[k];
    for (int k = 0; k < near->actives; k++)
        for (int side = 0; side < 2; side++) {
            const int part = compliant_ode_part(ode, near->active[k], side);
            if (part >= 0) ode->follows[part] = ode->asleep[part] && !ode->still[part];
        }
    ode->followed = 0;
    for (int k = 0; k < imp_tree_parts(tree); k++)
        if (ode->follows[k]) ode->follow[ode->followed++] = k;
}

void compliant_near_settle(compliant_near *near, compliant_ode *ode, double t, double h,
                           compliant_touch *touch) {
    const compliant_system *s = near->system;
    const double horizon = fmax(2 * h, near->skin / ode->speed);
    near->actives = near->movers = 0;
    near->drifted = near->fastest = 0;
    near->settled = t;
    near->quiet = INFINITY;
    for (int k = 0; k < near->count; k++) {
        compliant_touch *one = &touch[near->actives];
        *one = look(s, near->pair[k]);
        const double alone = leave_alone(ode, near->pair[k], one);
        if (alone > horizon)
            near->quiet = fmin(near->quiet, t + alone);
        else
            near->active[near->actives++] = near->pair[k];
    }
    follow(near, ode);
    double farthest = 0;
    for (int i = 0; i < s->nspheres; i++) {
        const compliant_sphere *one = &s->spheres[i];
        if (one->link == IMP_GROUND) continue;
        const int part = imp_tree_part_of(s->tree, one->link);
        if (!ode->asleep[part] || ode->follows[part]) {
            near->mover[near->movers++] = i;
            continue;
        }
        const imp_link_state *link = imp_tree_state(s->tree, one->link);
        double velocity[3];
        imp_tree_point_velocity(s->tree, one->link, link->com, velocity);
        farthest = fmax(farthest, way_of(near, i));
        near->fastest =
            fmax(near->fastest, norm3(velocity) + norm3(link->spin) * norm3(one->centre));
    }
    near->drifted = sqrt(farthest);
}

void compliant_near_look(const compliant_near *near, compliant_touch *touch) {
    for (int k = 0; k < near->actives; k++)
        touch[k] = look(near->system, near->active[k]);
}
