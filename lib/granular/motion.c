/* motion.c - largest speeds and displacements, and the mean velocity, in one pass over the
 * particles. */
#include "granular/motion.h"

#include "granular/cells.h"
#include "granular/work.h"

#include <math.h>
#include <stdatomic.h>

/* The common velocity only helps the list to last, so it is summed in whole quanta: no order of the
 * sum changes it. */
/* per m/s; m/s, what is faster, or no number, counts as this */
static const double QUANTA = 0x1p20, FASTEST = 0x1p12;

static double in_quanta(double v) {
    const double least = v < FASTEST ? v : FASTEST, bounded = least > -FASTEST ? least : -FASTEST;
    return bounded * QUANTA + 0x1.8p52 - 0x1.8p52; /* to the nearest whole number */
}

enum { SPEED, RELATIVE, MOVED, MOVED_ABSOLUTE, MAXIMA };
enum { UNFINITE = 3, OWN, SUMS };

/* Exact in any order, of pieces or ranks. */
typedef struct extent {
    double most[MAXIMA]; /* squares */
    /* of the velocities in quanta; of particles that are not finite, of own ones */
    int64_t sum[SUMS];
} extent;

typedef struct measuring {
    const motion *motion;
    const bodies *bodies;
    const imp_granular_settings *staying; /* NULL: all are measured */
    extent all;
    atomic_flag busy; /* a piece is merged into `all` */
} measuring;

static void merge(measuring *of, const extent *one) {
    while (atomic_flag_test_and_set_explicit(&of->busy, memory_order_acquire))
        continue;
    for (int k = 0; k < SUMS; k++)
        of->all.sum[k] += one->sum[k];
    for (int k = 0; k < MAXIMA; k++)
        if (one->most[k] > of->all.most[k]) of->all.most[k] = one->most[k];
    atomic_flag_clear_explicit(&of->busy, memory_order_release);
}

static inline void add(const measuring *of, int i, double sum[3], extent *to) {
    const bodies *b = of->bodies;
    double square[MAXIMA] = {0};
    for (int c = 0; c < 3; c++) {
        const double v = b->body[i].v[c], w = v - of->motion->drift_speed[c];
        const double d = b->place[i].x[c] - b->reference[i].x[c], e = d - of->motion->drift[c];
        sum[c] += b->own[i] ? in_quanta(v) : 0;
        square[SPEED] += v * v;
        square[RELATIVE] += w * w;
        square[MOVED] += e * e;
        square[MOVED_ABSOLUTE] += d * d;
    }
    for (int m = 0; m < MAXIMA; m++)
        if (square[m] > to->most[m]) to->most[m] = square[m];
    to->sum[UNFINITE] += !isfinite(square[SPEED] + square[MOVED_ABSOLUTE]);
    to->sum[OWN] += b->own[i];
}

static void measure(void *context, int begin, int end) {
    measuring *of = context;
    double sum[3] = {0}; /* whole numbers */
    extent one = {0};
    if (!of->staying)
        for (int i = begin; i < end; i++)
            add(of, i, sum, &one);
    else
        for (int i = begin; i < end; i++)
            if (imp_cells_leaves(of->staying, of->bodies->place[i].x) == STAYS)
                add(of, i, sum, &one);
    for (int c = 0; c < 3; c++)
        one.sum[c] = (int64_t)sum[c];
    merge(of, &one);
}

bool imp_motion_measure(motion *m, const bodies *b, int threads,
                        const imp_granular_settings *staying, const halo *h) {
    measuring of = {.motion = m, .bodies = b, .staying = staying, .busy = ATOMIC_FLAG_INIT};
    imp_parallel_pieces(threads, b->count, measure, &of);
    const double *most = of.all.most;
    const int64_t *sum = of.all.sum;
    imp_halo_reduce(h, MAXIMA, of.all.most, SUMS, of.all.sum);
    m->fastest = sqrt(most[SPEED]);
    m->relative_speed = sqrt(most[RELATIVE]);
    m->moved = sqrt(most[MOVED]);
    m->moved_absolute = sqrt(most[MOVED_ABSOLUTE]);
    for (int c = 0; c < 3; c++)
        m->drift_speed[c] = sum[OWN] ? (double)sum[c] / QUANTA / (double)sum[OWN] : 0;
    return sum[UNFINITE] == 0;
}
