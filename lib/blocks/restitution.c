/* restitution.c - the three phases, and the law they keep. */
#include "blocks/restitution.h"

#include "base/length.h"
#include "blocks/blocks_internal.h"
#include "blocks/blockwise.h"
#include "cone/phases.h"
#include "contact/local.h"
#include "linear/islands.h"
#include "single/single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double *x, const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The energy of p, in units of b. */
static double energy_of(blockwise *b) {
    const size_t n = 3 * (size_t)b->nc;
    imp_blockwise_look(b);
    return 0.5 * (dot(b->p, b->u, n) + dot(b->p, b->q, n));
}

/* The theta of the header for b->p = p1 and d (3nc). u and p of b are left at p1 + d. */
static double share(blockwise *b, const double *d) {
    const size_t n = 3 * (size_t)b->nc;
    const double energy = energy_of(b), slope = dot(d, b->u, n);
    for (size_t i = 0; i < n; i++)
        b->p[i] += d[i];
    imp_blockwise_refresh(b);
    return imp_phases_affordable(energy, slope, dot(d, b->u, n) - slope);
}

/* One sweep over the frictions inside discs of radius mu_i d_n around p1's; the largest change, a
 * velocity. */
static double slide_once(blockwise *b, const double *p1, const double *d) {
    double change = 0;
    for (int i = 0; i < b->nc; i++) {
        const contact_block *c = &b->contact[i];
        double room[3];
        const double *p = b->p + 3 * (size_t)i, *u = imp_blockwise_velocity(b, i, room),
                     *first = p1 + 3 * (size_t)i;
        const double t[2] = {p[1] - first[1], p[2] - first[2]}, radius = c->mu * d[3 * (size_t)i];
        if (!(radius > 0)) continue;
        const double v[2] = {u[1] - c->A[4] * t[0] - c->A[5] * t[1],
                             u[2] - c->A[7] * t[0] - c->A[8] * t[1]};
        double best[2];
        imp_blockwise_disc(c->A, v, radius, best);
        const double next[3] = {p[0], first[1] + best[0], first[2] + best[1]};
        change = fmax(change, c->weight * imp_length(best[0] - t[0], best[1] - t[1]));
        imp_blockwise_change(b, i, next);
    }
    return change;
}

/* b->p goes on by `share` of what it changed since `before` (3nc), which becomes what it was; the
 * next sweep brings it back into the discs. */
static void go_on(blockwise *b, double share, double *before) {
    for (int k = 0; k < 3 * b->nc; k++) {
        const double here = b->p[k];
        b->p[k] += share * (here - before[k]);
        before[k] = here;
    }
    imp_blockwise_refresh(b);
}

/* Frictions of least energy inside their discs, by sweeps that start from b->p. Where that takes
 * long they get momentum: Nesterov's, which begins anew where energy rose (O'Donoghue, Candes
 * 2015). Where W is nearly singular in directions that friction works along, sweeps alone all go on
 * by the same small change. `before` (3nc) is scratch. False where MOST do not get there, or the
 * caller ends them. */
static bool slide(blockwise *b, const double *p1, const double *d, double tolerance,
                  double *before) {
    /* PLAIN: with 20, of build/campaign/campaign --problems 60000 --seed 7 blocks, the mean falls
     * from 11.2 sweeps to 10.1, and what plain sweeps find among many frictions is another one */
    enum { PLAIN = 100, MOST = 10000 };
    double change = INFINITY, last = INFINITY;
    for (int k = 0, moving = 0;
         k < MOST && change > tolerance * b->q_norm && !imp_blockwise_cancelled(b); k++) {
        if (k == PLAIN) memcpy(before, b->p, 3 * (size_t)b->nc * sizeof *before);
        if (k > PLAIN) {
            const double energy = energy_of(b);
            moving = energy > last ? 0 : moving + 1;
            last = energy;
            go_on(b, moving / (moving + 3.0), before);
        }
        change = slide_once(b, p1, d);
    }
    return change <= tolerance * b->q_norm;
}

/* How far the friction x (2) of the expansion of contact i, inside a disc of radius limit, is from
 * that of least energy. */
static double least_at(const imp_local *c, const double x[2], double limit) {
    double u[3];
    imp_local_velocity(c, u);
    return limit > 0 ? imp_local_slip(c, x, u + 1, limit) : 0;
}

/* The most of it at p (3nc, N s), p1 (3nc) being the compression; expansion (3nc): its normals. */
static double least_of(const imp_problem *problem, const double *p, const double *p1,
                       const double *expansion) {
    double most = 0;
    for (int i = 0; i < problem->nc; i++) {
        const size_t at = 3 * (size_t)i;
        const imp_local c = imp_local_problem(problem, p, i);
        const double x[2] = {p[at + 1] - p1[at + 1], p[at + 2] - p1[at + 2]};
        most = fmax(most, least_at(&c, x, problem->mu[i] * expansion[at]));
    }
    return most;
}

/* t (2) as by imp_blockwise_disc. Of a contact by itself A is what it is, as compression took it:
 * where tangents differ so much that a block's solve loses digits, the disc problem is Coulomb's
 * with a normal direction of its own, whose impulse is the radius. */
static void least_friction(const double A[9], const double v[2], double radius, double t[2]) {
    static const double apart = 1e-6; /* det / trace^2; a quarter of tangents that move alike */
    const double trace = A[4] + A[8];
    const double W[6] = {1, 0, 0, A[4], 0.5 * (A[5] + A[7]), A[8]}, q[3] = {-radius, v[0], v[1]};
    imp_coulomb_set set;
    if (A[4] * A[8] - A[5] * A[7] <= apart * trace * trace &&
        imp_coulomb_enumerate(W, q, 1, &set) == IMP_OK) {
        memcpy(t, set.solution[0].p + 1, 2 * sizeof *t);
        return;
    }
    imp_blockwise_disc(A, v, radius, t);
}

/* p <- p1 and the expansion, which `step` <- is, of one contact: its friction of least energy is
 * known at once; with one e, theta = 1. */
static void expand_one(const imp_problem *problem, double *p, double *step) {
    const imp_local given = imp_local_problem(problem, p, 0);
    const double *own = given.A;
    const int W = imp_exponent(own[0] + own[4] + own[8]),
              v = imp_exponent(imp_largest(given.size, 3, 1));
    const imp_local c = imp_local_in_units(&given, W, v);
    double u[3], d[3] = {problem->e[0] * c.p[0]};
    imp_local_velocity(&c, u);
    const double slip[2] = {u[1] + c.A[3] * d[0], u[2] + c.A[6] * d[0]};
    if (c.mu * d[0] > 0 && (slip[0] != 0 || slip[1] != 0))
        least_friction(c.A, slip, c.mu * d[0], d + 1);
    imp_shift(d, 3, v - W);
    for (int i = 0; i < 3; i++) {
        step[i] = d[i];
        p[i] += d[i];
    }
}

/* p (3nc) <- p1 and the expansion, which `step` (3nc) <- is; *theta as in the header. Sweeps end by
 * the fastest contact, the certificate asks each by its own speed: slow ones, as where a heap is
 * struck, take more. IMP_OK, IMP_NO_MEMORY; IMP_NOT_CONVERGED: the caller ended it. */
static imp_status expand(const imp_problem *problem, const imp_blocks_settings *settings,
                         const volatile int *cancel, double *p, double *step, double *theta) {
    const size_t n = 3 * (size_t)problem->nc;
    if (problem->nc == 1) {
        expand_one(problem, p, step);
        *theta = 1;
        return IMP_OK;
    }
    blockwise *b = imp_blockwise_new(problem, false);
    double *p1 = malloc(4 * n * sizeof *p1);
    imp_status status = b && p1 ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        double *d = p1 + n, *given = d + 2 * n; /* p1 in N s */
        memcpy(given, p, n * sizeof *p);
        b->cancel = cancel;
        imp_blockwise_set(b, p);
        memcpy(p1, b->p, n * sizeof *p1);
        for (size_t i = 0; i < n; i++)
            d[i] = problem->e[i / 3] * p1[i];
        *theta = share(b, d);
        for (size_t i = 0; i < n; i++) {
            d[i] *= *theta;
            b->p[i] = p1[i] + d[i];
        }
        imp_blockwise_refresh(b);
        imp_blockwise_get(b, d, step);
        const double bound = imp_blocks_bound(settings);
        double tolerance = settings->tolerance;
        bool on = true;
        while (on) {
            on = slide(b, p1, d, tolerance, d + n) && tolerance > 1e-13;
            imp_blockwise_get(b, b->p, p);
            on = on && least_of(problem, p, given, step) > bound;
            tolerance *= 0.01;
        }
        for (size_t i = 0; i < n; i++)
            if (i % 3 != 0) d[i] = b->p[i] - p1[i];
        imp_blockwise_get(b, d, step);
        if (imp_blockwise_cancelled(b)) status = IMP_NOT_CONVERGED;
    }
    free(p1);
    imp_blockwise_free(b);
    return status;
}

/* u (3nc) <- velocities at p (3nc), normal ones 0 where the contact approaches by less than the
 * tolerance of its terms. Returns whether any approaches by more. Where none does, no impulse is an
 * answer; where friction holds what is shut, the expansion ends at rest, and what compression left
 * within its tolerance is no problem to solve. */
static bool approaches(const imp_problem *problem, double tolerance, const double *p, double *u) {
    static const double rounding = 1e-14;
    const double least = fmax(tolerance, rounding);
    bool any = false;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        const double size = imp_largest(c.size, 3, 1);
        double *own = u + 3 * (size_t)i;
        imp_local_velocity(&c, own);
        if (own[0] < -least * size)
            any = true;
        else
            own[0] = fmax(0, own[0]);
    }
    return any;
}

/* Of two phases: what failed first, unless an error came. */
static imp_status worse(imp_status first, imp_status second) {
    return second < 0 || first == IMP_OK ? second : first;
}

enum { FEW = 8 }; /* contacts whose phases go on the stack */

imp_status imp_restitution(const imp_problem *problem, const imp_blocks_settings *settings,
                           imp_inelastic inelastic, double *p, imp_info *info) {
    if (!imp_phases_bounce(problem)) return inelastic(problem, settings, p, info);
    const size_t n = 3 * (size_t)problem->nc;
    imp_problem plain = *problem;
    imp_blocks_settings from_rest = *settings;
    imp_info second = {.cancel = info->cancel};
    double few[5 * 3 * FEW], theta = 1;
    double *steps = problem->nc > FEW ? malloc(5 * n * sizeof *steps) : few; /* (3 x 3nc) phases */
    if (!steps) return IMP_NO_MEMORY;
    double *p2 = steps + 2 * n, *sum = p2 + n, *reached = sum + n;
    plain.e = NULL;
    from_rest.start = 0;
    memcpy(steps, p, n * sizeof *steps); /* it may hold a guess */
    memset(steps + n, 0, 2 * n * sizeof *steps);
    imp_status status = inelastic(&plain, settings, steps, info);
    memcpy(sum, steps, n * sizeof *sum);
    const bool over = status == IMP_OK && imp_largest(steps, n, 1) == 0; /* nothing has pushed */
    if (status >= 0 && !over)
        status = worse(status, expand(problem, settings, info->cancel, sum, steps + n, &theta));
    if (status >= 0 && !over && approaches(problem, settings->tolerance, sum, reached)) {
        plain.q = reached;
        status = worse(status, inelastic(&plain, &from_rest, p2, &second));
    }
    if (status >= 0 && info->path && imp_phases_record(info->path, problem, steps, theta) != IMP_OK)
        status = IMP_NO_MEMORY;
    if (status >= 0) {
        for (size_t i = 0; i < n; i++)
            p[i] = sum[i] + p2[i];
        info->iterations += second.iterations;
        info->residual = fmax(info->residual, second.residual);
    }
    if (steps != few) free(steps);
    return status;
}

/* The expansion of contact i: friction inside its disc of radius mu times the normal impulse, and
 * no slip then, or friction at the rim and against the slip. */
static void note_expansion(const imp_phases *f, int i, imp_certificate *result) {
    const imp_local c = imp_local_problem(f->problem, f->start, i);
    const double *x = f->expansion + 3 * (size_t)i, limit = c.mu * x[0];
    imp_certificate_note(result, "cone", imp_local_cone(&c, imp_length(x[1], x[2]), limit), i);
    imp_certificate_note(result, "least", least_at(&c, x + 1, limit), i);
}

/* expands (nc), by island: does the path go on there after the compression? What does not has
 * obeyed its law by then, and a second impact, which maximum dissipation may see where contacts
 * jam, is none of it. */
static void find_expanding(const imp_phases *f, const int *island, bool *expands) {
    for (int i = 0; i < f->problem->nc; i++) {
        const size_t at = 3 * (size_t)i;
        if (imp_largest(f->expansion + at, 3, 1) != 0 || imp_largest(f->separation + at, 3, 1) != 0)
            expands[island[i]] = true;
    }
}

/* The three phases of a path. False without memory. */
static bool certify_phases(const imp_problem *problem, const imp_law *inelastic, const double *p,
                           const imp_path *path, imp_certificate *result) {
    const size_t n = 3 * (size_t)problem->nc;
    imp_phases f = {0};
    /* compression and theta e times it, friction and all */
    double *whole = malloc(n * sizeof *whole);
    int *island = malloc((size_t)problem->nc * sizeof *island);
    bool *expands = calloc((size_t)problem->nc, sizeof *expands);
    const bool good = island && imp_islands(problem->W, island) > 0 &&
                      imp_phases_open(&f, IMP_PHASES_EXPANSION, problem, p, path, island, result) &&
                      whole && expands;
    if (good) find_expanding(&f, island, expands);
    for (int i = 0; good && i < problem->nc; i++) {
        imp_local first = imp_local_problem(problem, f.compression, i);
        const imp_local last = imp_phases_last(&f, i);
        first.e = 0;
        inelastic->note(&first, i, result);
        note_expansion(&f, i, result);
        if (expands[island[i]]) inelastic->note(&last, i, result);
    }
    for (size_t k = 0; good && k < n; k++)
        whole[k] = f.compression[k] * (1 + f.share[k / 3] * problem->e[k / 3]);
    if (good) imp_phases_note_share(&f, island, whole, result);
    imp_phases_close(&f);
    free(island);
    free(expands);
    free(whole);
    /* bounds of one phase are none of the whole */
    result->energy_excess = result->velocity_excess = INFINITY;
    return good;
}

/* `inelastic` is the law of a phase. */
static imp_status certify(const imp_problem *problem, const imp_law *inelastic, const double *p,
                          const imp_path *path, imp_certificate *result) {
    imp_local_note_whole(problem, p, result);
    if (path) return certify_phases(problem, inelastic, p, path, result) ? IMP_OK : IMP_NO_MEMORY;
    result->unjudged = imp_no_path;
    return IMP_OK;
}

static imp_status certify_coulomb(const imp_problem *problem, const void *settings, const double *p,
                                  const imp_path *path, imp_certificate *result) {
    (void)settings;
    return certify(problem, &imp_law_coulomb, p, path, result);
}

static imp_status certify_maxdiss(const imp_problem *problem, const void *settings, const double *p,
                                  const imp_path *path, imp_certificate *result) {
    (void)settings;
    return certify(problem, &imp_law_maxdiss, p, path, result);
}

const imp_law imp_law_coulomb_bounce = {
    .name = "coulomb-bounce",
    .statement = "Coulomb's law; with restitution in compression, then e times its normal impulses "
                 "with friction of "
                 "least energy, then Coulomb's law once more; no energy gained",
    .certify = certify_coulomb,
    .note = imp_coulomb_note,
    .several = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};

const imp_law imp_law_maxdiss_bounce = {
    .name = "maxdiss-bounce",
    .statement = "maximum dissipation; with restitution in compression, then e times its normal "
                 "impulses with friction "
                 "of least energy, then maximum dissipation once more; no energy gained",
    .certify = certify_maxdiss,
    .note = imp_maxdiss_note,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
