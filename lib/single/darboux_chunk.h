/* darboux_chunk.h - a chunk of collisions through the batch solver; included by one file per
 * instruction set.
 *
 * Slips need very different numbers of steps, so a lane whose slip is over takes the next collision
 * at once. What follows the slip (darboux_end.h) is done side by side for all. Internal. */
#ifndef IMP_DARBOUX_CHUNK_H
#define IMP_DARBOUX_CHUNK_H

#include "single/darboux_end.h"
#include "single/darboux_jump.h"
#include "single/darboux_step.h"

#include <stddef.h>

enum { BLOCKS = IMP_DARBOUX_CHUNK / LANES, FIELDS = sizeof(collision) / sizeof(vec) };
/* The fields that change, from `place` on. */
enum { STATE = offsetof(collision, place) / sizeof(vec) };

/* Lane `lane` of some collisions: all its fields, LANES apart. */
static inline double *lane_of(collision *some, size_t lane) {
    return (double *)(void *)some + lane;
}

static inline void copy_fields(double *to, const double *from, int first) {
    for (int k = first * LANES; k < FIELDS * LANES; k += LANES)
        to[k] = from[k];
}

/* Collisions that wait for a lane, and such that wait for others to jump with. */
typedef struct queue {
    collision *blocks;
    size_t waiting[IMP_DARBOUX_CHUNK], parked[LANES], count, jumpers;
} queue;

static inline double *home_of(const queue *all, size_t owner) {
    return lane_of(&all->blocks[owner / LANES], owner % LANES);
}

/* Lets the parked jump; those that do not are to slide on. */
static inline void jump_together(queue *all, imp_darboux_law law) {
    collision now = {.place = fill(ENDED)};
    for (size_t i = 0; i < LANES && i < all->jumpers; i++)
        copy_fields(lane_of(&now, i), home_of(all, all->parked[i]), 0);
    jump(&now, law);
    const unsigned slides = bits_of(is_place(&now, SLIDES));
    for (size_t i = 0; i < LANES && i < all->jumpers; i++) {
        copy_fields(home_of(all, all->parked[i]), lane_of(&now, i), STATE);
        if (slides >> i & 1) all->waiting[all->count++] = all->parked[i];
    }
    all->jumpers = 0;
}

/* Takes a collision out of its lane: the end of its slip, or to wait for a jump. */
static inline void park(queue *all, size_t owner, imp_darboux_law law) {
    if (home_of(all, owner)[STATE * LANES] == NEAR_RAY) all->parked[all->jumpers++] = owner;
    if (all->jumpers == LANES) jump_together(all, law);
}

/* Leads all that wait to the end of their slip. */
static inline void slide(queue *all, imp_darboux_law law) {
    collision now = {.place = fill(ENDED)}; /* idle */
    size_t owner[LANES] = {0};
    unsigned working = 0;
    for (;;) {
        if (!working && !all->count) {
            if (!all->jumpers) break;
            jump_together(all, law);
            continue;
        }
        for (size_t lane = 0; lane < LANES && all->count; lane++) {
            if (working >> lane & 1) continue;
            owner[lane] = all->waiting[--all->count];
            copy_fields(lane_of(&now, lane), home_of(all, owner[lane]), 0);
            working |= 1u << lane;
        }
        step(&now, law);
        for (unsigned over = working & ~bits_of(is_place(&now, SLIDES)); over; over &= over - 1) {
            const size_t lane = (size_t)__builtin_ctz(over);
            copy_fields(home_of(all, owner[lane]), lane_of(&now, lane), STATE);
            working &= ~(1u << lane);
            park(all, owner[lane], law);
        }
    }
}

/* Writes what ended with a small residual; returns the lanes that are left. */
static inline unsigned finish(const imp_batch_columns *to, size_t first, const collision *c,
                              imp_darboux_law law) {
    const vec residual = certify(c, law), p[3] = {(c->impulse[0] + c->impulse[1]) * c->unit,
                                                  c->pt[0] * c->unit, c->pt[1] * c->unit};
    const mask fits =
        at_most(larger(size_of(p[0]), larger(size_of(p[1]), size_of(p[2]))), fill(DBL_MAX));
    const mask done = both(is_place(c, ENDED), both(fits, at_most(residual, fill(1e-13))));
    for (int k = 0; k < 3; k++)
        store(to->p[k] + first, p[k], done);
    store(to->residual + first, residual, done);
    return ~bits_of(done) & ((1u << LANES) - 1);
}

/* Lanes that slide and have a long way in s = int dp_z/r ahead, or not. */
static inline unsigned sliders(const collision *c, bool far) {
    const mask slides = is_place(c, SLIDES), long_way = less(c->r, c->least * c->scale);
    return bits_of(far ? both(slides, long_way) : without(slides, long_way));
}

static inline void solve_chunk(const imp_batch_columns *columns, size_t first, int variant,
                               uint64_t *left) {
    const imp_darboux_law law = (imp_darboux_law)variant;
    collision blocks[BLOCKS];
    queue all = {.blocks = blocks};
    for (size_t k = 0; k < BLOCKS; k++)
        reduce(columns, first + k * LANES, law, &blocks[k]);
    /* the last is the first to slide: a long way begun late leaves lanes idle */
    for (int far = 0; far < 2; far++)
        for (size_t k = 0; k < BLOCKS; k++)
            for (unsigned rest = sliders(&blocks[k], far); rest; rest &= rest - 1)
                all.waiting[all.count++] = k * LANES + (size_t)__builtin_ctz(rest);
    for (size_t k = 0; k < BLOCKS; k++)
        for (unsigned rest = bits_of(is_place(&blocks[k], NEAR_RAY)); rest; rest &= rest - 1)
            park(&all, k * LANES + (size_t)__builtin_ctz(rest), law);
    slide(&all, law);
    for (size_t k = 0; k < BLOCKS; k++) {
        follow_ray(&blocks[k], law);
        leave_origin(&blocks[k], law);
        left[k * LANES / 64] |= (uint64_t)finish(columns, first + k * LANES, &blocks[k], law)
                                << (k * LANES % 64);
    }
}

#endif
