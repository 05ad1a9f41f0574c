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
    near->pair = calloc((size_t)system->npairs + 1, sizeof *near->pair);
    near->base = calloc(3 * n, sizeof *near->base);
    near->cell = calloc(3 * n, sizeof *near->cell);
    near->first = calloc(3 * n, sizeof *near->first);
    near->bucket = calloc((size_t)near->buckets, sizeof *near->bucket);
    if (!near->pair || !near->base || !near->cell || !near->first || !near->bucket)
        return IMP_NO_MEMORY;
    near->next = near->first + n;
    near->found = near->next + n;
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

double compliant_near_drift(const compliant_near *near) {
    double farthest = 0;
    for (int i = 0; i < near->system->nspheres; i++) {
        double centre[3], way[3];
        centre_of(near->system, i, centre);
        sub3(centre, near->base + 3 * (size_t)i, way);
        farthest = fmax(farthest, dot3(way, way));
    }
    return sqrt(farthest);
}

/* Will a pair that looks like this not close before the next division? It does not now, and what it
 * is of rests, or sleeps and is a ball about its body's origin: then centres go straight. */
static bool recedes(const compliant_ode *ode, int pair, const compliant_touch *touch) {
    const compliant_system *s = ode->system;
    const compliant_pair *p = &s->pairs[pair];
    if (!(touch->rate <= 0) || norm3(s->gravity) > 0) return false;
    for (int side = p->plane >= 0; side < 2; side++) {
        const compliant_sphere *one = &s->spheres[side ? p->b : p->a];
        const int part = one->link == IMP_GROUND ? -1 : imp_tree_part_of(s->tree, one->link);
        if (part < 0 || ode->still[part]) continue;
        if (!ode->asleep[part] || norm3(one->centre) > 0 || norm3(one->half) > 0) return false;
    }
    return true;
}

void compliant_near_look(const compliant_near *near, const compliant_ode *ode,
                         const compliant_touch *before, compliant_touch *touch) {
    for (int k = 0; k < near->count; k++)
        touch[k] = before && recedes(ode, near->pair[k], &before[k])
                       ? before[k]
                       : compliant_look(near->system, near->pair[k]);
}
