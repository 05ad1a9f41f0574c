/* A granular flow on ranks that are threads of this process: the bits of the whole flow in its own
 * order, Newton's second law where sweeps are damped, grids of ranks, and a rank without memory. */
#include "granular/bodies.h"
#include "granular_balance.h"
#include "granular_ranks.h"
#include "tap.h"

#include <unistd.h>

/* A flow and what becomes of it on a grid of ranks. */
typedef struct trial {
    imp_granular_settings set;
    int grid[3], steps;
    imp_granular *start;           /* what is cut */
    imp_granular *end;             /* gathered on the first rank */
    bool balance;                  /* gather after every step, and weigh */
    double worst;                  /* of the balance */
    bool counted[RANKS_MOST];      /* a rank says that it has sent what it has */
    imp_status status[RANKS_MOST]; /* of the gathering at the end */
} trial;

static imp_granular *box(imp_granular_settings *set) {
    return box_flow(set, 6, 4, 4, 0.2, 911);
}

static void step_and_weigh(const imp_transport *t, trial *of, imp_granular *part,
                           imp_granular *whole) {
    static imp_sphere before[BALANCE_MOST];
    double ignored[3];
    if (t->rank == 0) balance_look(whole, before);
    imp_granular_step(part, NULL);
    of->status[t->rank] = imp_granular_gather(part, whole);
    if (t->rank == 0)
        of->worst = tap_worst(of->worst, of->status[0] == IMP_OK
                                             ? balance_left(whole, &of->set, before, ignored)
                                             : INFINITY);
}

/* Sent for new lists: particles in the even deliveries, in the odd ones impulses with two ids. */
static bool counts(const imp_transport *t, const imp_granular *part, const long long before[2]) {
    const ranks_member *m = t->context;
    const imp_granular_traffic traffic = imp_granular_traffic_of(part);
    const long long particles = m->delivered[0] - before[0], impulses = m->delivered[1] - before[1];
    return traffic.lists > 0 && traffic.moved_bytes == particles + impulses &&
           traffic.moved == particles / (long long)offsetof(particle, top) + impulses / 40;
}

static void run(const imp_transport *t, void *context) {
    trial *of = context;
    imp_granular_settings set = of->set;
    imp_status status;
    imp_granular *part = imp_granular_part(of->start, t, of->grid, &status),
                 *whole = t->rank == 0 ? box(&set) : NULL;
    if (!part) abort();
    imp_granular_gather(part, whole);
    const ranks_member *m = t->context;
    const long long before[2] = {m->delivered[0], m->delivered[1]};
    for (int i = 0; i < of->steps; i++) {
        if (of->balance)
            step_and_weigh(t, of, part, whole);
        else
            imp_granular_step(part, NULL);
    }
    of->counted[t->rank] = counts(t, part, before);
    of->status[t->rank] = imp_granular_gather(part, whole);
    if (t->rank == 0) of->end = whole;
    imp_granular_free(part);
}

static trial trial_of(imp_granular_settings set, const int grid[3], int before, int steps) {
    imp_status status;
    trial of = {.set = set, .steps = steps};
    memcpy(of.grid, grid, sizeof of.grid);
    of.start = box(&of.set);
    box_run(of.start, before, &status);
    return of;
}

static void end_trial(trial *of) {
    imp_granular_free(of->start);
    imp_granular_free(of->end);
}

/* The order of the whole flow: the same bits, from a list that is there and from none. */
static void test_bits(void) {
    static const int grids[][3] = {{2, 1, 1}, {1, 2, 2}, {3, 1, 2}};
    for (int k = 0; k < 6; k++) {
        imp_granular_settings set = imp_granular_settings_default();
        imp_status status;
        set.bricks[0] = 3, set.bricks[1] = set.bricks[2] = 2;
        set.step = 4e-5;
        set.symmetric = k & 1;
        trial of = trial_of(set, grids[k / 2], k & 1 ? 50 : 0, 100);
        const int *grid = of.grid;
        ranks_run(grid[0] * grid[1] * grid[2], -1, 0, run, &of);
        box_run(of.start, of.steps, &status);
        ok(of.end && of.status[0] == IMP_OK && box_bits(of.end) == box_bits(of.start),
           "%d x %d x %d ranks, %s: the bits of the whole flow", grid[0], grid[1], grid[2],
           k & 1 ? "swept in both directions, cut after 50 steps" : "cut at the start");
        int counted = 0;
        for (int r = 0; r < RANKS_MOST; r++)
            counted += of.counted[r];
        ok(counted == grid[0] * grid[1] * grid[2], "  and each counts what it sent for new lists");
        end_trial(&of);
    }
}

/* Damped sweeps, each rank by itself: what every particle got is what its contacts say, whichever
 * rank has them. */
static void test_balance(void) {
    static const int grid[3] = {3, 1, 2};
    imp_granular_settings set = imp_granular_settings_default();
    set.bricks[0] = 3, set.bricks[1] = set.bricks[2] = 2;
    set.step = 1e-4;
    set.sweeps = 4;
    set.blend = 0.75;
    trial of = trial_of(set, grid, 60, 40);
    of.balance = true;
    ranks_run(6, -1, 0, run, &of);
    /* velocities of 1 m/s and spins of 1000 rad/s round at 1e-16 of theirs, thousands of |g| dt */
    ok(of.end && of.worst < 1e-9,
       "damped on 6 ranks: momentum and spin change by the impulses that are told (%.1g)",
       of.worst);
    end_trial(&of);
}

/* What one rank has no memory for, no rank has gathered. */
static void test_no_memory(void) {
    static const int grid[3] = {2, 1, 1};
    for (int fails = 0; fails < 2; fails++)
        for (int which = 2; which < 4; which++) {
            /* particles or impulses, in the second gathering */
            trial of = trial_of(imp_granular_settings_default(), grid, 0, 0);
            of.set.bricks[0] = 2;
            ranks_run(2, fails, which, run, &of);
            ok(of.status[0] == IMP_NO_MEMORY && of.status[1] == IMP_NO_MEMORY,
               "rank %d finds no memory for %s: all know", fails,
               which == 2 ? "particles" : "impulses");
            end_trial(&of);
        }
}

static void grid_is(const int bricks[3], int ranks, const int wanted[3]) {
    imp_granular_settings set = imp_granular_settings_default();
    int grid[3] = {0};
    set.high[0] = 4, set.high[1] = 2, set.high[2] = 1;
    memcpy(set.bricks, bricks, sizeof set.bricks);
    const bool found = imp_granular_grid(&set, ranks, grid);
    ok(found == (wanted != NULL) && (!wanted || memcmp(grid, wanted, sizeof grid) == 0),
       "%d ranks on %d x %d x %d bricks: %d x %d x %d", ranks, bricks[0], bricks[1], bricks[2],
       grid[0], grid[1], grid[2]);
}

static void test_grid(void) {
    grid_is((const int[3]){100, 100, 100}, 8, (const int[3]){4, 2, 1}); /* cubes */
    grid_is((const int[3]){100, 100, 100}, 64, (const int[3]){8, 4, 2});
    grid_is((const int[3]){2, 100, 1}, 8, (const int[3]){2, 4, 1});
    grid_is((const int[3]){0, 0, 0}, 8, (const int[3]){8, 1, 1});
    grid_is((const int[3]){2, 1, 1}, 3, NULL);
}

int main(void) {
    alarm(120); /* what never ends, ends here */
    test_bits();
    test_balance();
    test_no_memory();
    test_grid();
    return tap_done();
}
