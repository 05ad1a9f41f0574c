/* test_forces_search.c - the forces of one touching contact against a slow and obvious search: a
 * scan of the pressure where it slides; the stick and a scan of the direction of friction at
 * rest. */
#include "forces_cases.h"
#include "tap.h"

enum { MOST = 8 };

/* a = W f + b, in extended precision. */
static void acceleration(const gen_problem *g, const long double f[3], long double a[3]) {
    const double *w = g->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    for (int i = 0; i < 3; i++)
        a[i] = W[3 * i] * f[0] + W[3 * i + 1] * f[1] + W[3 * i + 2] * f[2] + g->q[i];
}

typedef struct found {
    int count;
    long double f[MOST][3];
} found;

static void keep(found *all, const long double f[3]) {
    if (all->count < MOST)
        for (int i = 0; i < 3; i++)
            all->f[all->count][i] = f[i];
    all->count++;
}

/* a_n of a sliding contact that is pressed by f_n, whose force is left in f. */
static long double pressed(const gen_problem *g, const double v[3], long double f_n,
                           long double f[3]) {
    const long double speed = hypotl(v[1], v[2]);
    long double a[3];
    f[0] = f_n;
    for (int i = 1; i < 3; i++)
        f[i] = -g->mu * f_n * v[i] / speed;
    acceleration(g, f, a);
    return a[0];
}

/* Zero, and every f_n on a scan over 12 decades where a_n changes sign. */
static found search_sliding(const gen_problem *g, const double v[3]) {
    found all = {0};
    long double f[3], unit = fabs(g->q[0]) / g->W[0], low = 0;
    if (pressed(g, v, 0, f) >= 0) keep(&all, f);
    for (int k = 0; k <= 240; k++) {
        long double high = unit * powl(10, (k - 120) / 20.0L), from = low;
        low = high;
        const bool side = pressed(g, v, from, f) > 0;
        if ((pressed(g, v, high, f) > 0) == side) continue;
        for (int i = 0; i < 70; i++) {
            const long double middle = 0.5L * (from + high);
            if ((pressed(g, v, middle, f) > 0) == side)
                from = middle;
            else
                high = middle;
        }
        keep(&all, f);
    }
    return all;
}

/* Friction at the limit in the direction phi while a_n = 0: f, and how far a_to is from along it.
 * false: no such force pushes. */
static bool limit_at(const gen_problem *g, long double phi, long double f[3], long double *across,
                     long double *along) {
    const double *W = g->W;
    const long double c = cosl(phi), s = sinl(phi), A = W[0] + g->mu * (W[1] * c + W[2] * s);
    long double a[3];
    f[0] = -g->q[0] / A;
    f[1] = g->mu * f[0] * c;
    f[2] = g->mu * f[0] * s;
    acceleration(g, f, a);
    *across = a[1] * s - a[2] * c;
    *along = a[1] * c + a[2] * s;
    return f[0] > 0;
}

/* The zero of what lies across between two directions, neither force of which need push; friction
 * must be against a_to. */
static void scan_between(const gen_problem *g, long double low, long double high, found *all) {
    long double f[3], across[2], along;
    const bool pushes[2] = {limit_at(g, low, f, &across[0], &along),
                            limit_at(g, high, f, &across[1], &along)};
    if (!pushes[0] && !pushes[1]) return;
    /* as far as it pushes: to where A = 0 */
    long double from = pushes[0] ? low : high, out = pushes[0] ? high : low,
                to = pushes[0] == pushes[1] ? high : from, first, last;
    for (int i = 0; i < 70 && pushes[0] != pushes[1]; i++) {
        const long double middle = 0.5L * (to + out);
        if (limit_at(g, middle, f, &last, &along))
            to = middle;
        else
            out = middle;
    }
    (void)limit_at(g, from, f, &first, &along);
    (void)limit_at(g, to, f, &last, &along);
    if ((first > 0) == (last > 0)) return;
    for (int i = 0; i < 70; i++) {
        const long double middle = 0.5L * (from + to);
        long double value;
        (void)limit_at(g, middle, f, &value, &along);
        if ((value > 0) == (first > 0))
            from = middle;
        else
            to = middle;
    }
    if (along < 0) keep(all, f);
}

/* Zero; the 3 x 3 solve of the stick, in the cone; and a scan of the direction of friction. */
static found search_at_rest(const gen_problem *g) {
    const int steps = tap_many(10000, 20000);
    const double *W = g->W, *b = g->q;
    const long double w[6] = {W[0], W[1], W[2], W[3], W[4], W[5]},
                      C[6] = {w[3] * w[5] - w[4] * w[4], w[2] * w[4] - w[1] * w[5],
                              w[1] * w[4] - w[2] * w[3], w[0] * w[5] - w[2] * w[2],
                              w[1] * w[2] - w[0] * w[4], w[0] * w[3] - w[1] * w[1]},
                      det = w[0] * C[0] + w[1] * C[1] + w[2] * C[2],
                      stick[3] = {-(C[0] * b[0] + C[1] * b[1] + C[2] * b[2]) / det,
                                  -(C[1] * b[0] + C[3] * b[1] + C[4] * b[2]) / det,
                                  -(C[2] * b[0] + C[4] * b[1] + C[5] * b[2]) / det};
    found all = {0};
    if (b[0] >= 0) keep(&all, (const long double[3]){0});
    if (hypotl(stick[1], stick[2]) <= g->mu * stick[0]) keep(&all, stick);
    for (int k = 0; k < steps; k++)
        scan_between(g, 6.283185307179586477L * k / steps, 6.283185307179586477L * (k + 1) / steps,
                     &all);
    return all;
}

/* Each force of the search is one of the set, to `bound` of its size; the largest distance. */
static double distance(const found *all, const imp_force_set *set) {
    double worst = 0;
    for (int i = 0; i < all->count; i++) {
        double least = INFINITY;
        for (int k = 0; k < set->count; k++) {
            long double off = 0, size = 0;
            for (int j = 0; j < 3; j++) {
                off = fmaxl(off, fabsl(all->f[i][j] - set->force[k].f[j]));
                size = fmaxl(size, fabsl(all->f[i][j]));
            }
            least = fmin(least, off > 0 ? (double)(off / size) : 0);
        }
        worst = tap_worst(worst, least);
    }
    return worst;
}

/* How far a is from W f + b, relative to what makes it up. */
static double claims(const gen_problem *g, const imp_force *x) {
    const long double f[3] = {x->f[0], x->f[1], x->f[2]};
    const double *w = g->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    long double a[3];
    double worst = 0;
    acceleration(g, f, a);
    for (int i = 0; i < 3; i++) {
        long double size = fabsl(g->q[i]);
        for (int j = 0; j < 3; j++)
            size += fabsl(W[3 * i + j] * f[j]);
        worst = tap_worst(worst, (double)(fabsl(a[i] - x->a[i]) / size));
    }
    return worst;
}

/* The largest residual of a set; the motion that follows must be what its forces do. */
static double certified(const gen_problem *g, const double v[3], const imp_force_set *set) {
    double worst = 0;
    for (int k = 0; k < set->count; k++)
        worst = tap_worst(worst, residual(g, v, set->force[k].f));
    const imp_motion alone = set->count == 0   ? IMP_IMPACT_WITHOUT_COLLISION
                             : set->count == 1 ? set->force[0].motion
                                               : IMP_UNDETERMINED;
    return set->motion == alone ? worst : INFINITY;
}

static void slow_search(bool slides) {
    const double still[3] = {0};
    int wrong = 0, counts[4] = {0}, unlike = 0;
    double off = 0, worst = 0, said = 0;
    for (int c = 0; c < CLASSES; c++)
        for (uint64_t k = 0; k < (uint64_t)(slides ? tap_many(700, 2000) : tap_many(20, 40)); k++) {
            double own[3];
            const gen_problem g = problem_of(classes[c], k, own);
            const double *v = slides ? own : still;
            imp_force_set set;
            if (imp_forces(g.W, v, g.q, g.mu, &set) != IMP_OK || !set.proven) {
                wrong++;
                continue;
            }
            const found all = slides ? search_sliding(&g, v) : search_at_rest(&g);
            counts[set.count]++;
            wrong += all.count != set.count;
            off = tap_worst(off, distance(&all, &set));
            worst = tap_worst(worst, certified(&g, v, &set));
            for (int i = 0; i < set.count; i++) {
                said = tap_worst(said, claims(&g, &set.force[i]));
                unlike += slides ? set.force[i].power > 0 : set.force[i].power != 0;
            }
        }
    ok(wrong == 0, "%s: as many forces as a scan finds (%d differ)", slides ? "sliding" : "at rest",
       wrong);
    ok(off <= 1e-9, "and the same (%.1e)", off);
    ok(worst <= 1e-13, "each with its certificate (%.1e)", worst);
    ok(said <= 1e-14, "and its acceleration (%.1e)", said);
    ok(unlike == 0, "none drives the contact");
    ok(counts[1] > 0 && (slides ? counts[0] > 0 && counts[2] > 0 : counts[3] > 0),
       "none %d, one %d, two %d, three %d", counts[0], counts[1], counts[2], counts[3]);
}

int main(void) {
    slow_search(true);
    slow_search(false);
    return tap_done();
}
