/* blocks_auto.c - the choice among block methods, from what the iteration shows.
 *
 * One contact: blocks_lone.c. Of several contacts, three strategies, each where those before it
 * have stalled, and again with more work:
 *   sweeps  8 plain ones, then with Anderson mixing while their rate is worth it. They solve what
 *           is loose or small in 1 to 100 sweeps. Then inside proximal steps, for packings to
 *           moderate tolerances.
 *   Newton  on proximal steps: a short try once the sweeps have had as much, then from the best
 *           place that these came by; a factorisation costs 5 to 2000 sweeps. Towers, walls, boxes.
 *   path    the central path around its folds, with Newton from its lowest points: 100 to 1000s of
 *           factorisations, for dense packings, whose solution drives short steps off.
 * The best iterate is kept and handed on. All decisions count operations, never time: the same
 * input gives the same bits. Beside a number stand the heaps of tests/test_blocks_auto.c that take
 * too long with a tenth (<) or with ten times (>) of it. */
#include "base/exponential.h"
#include "blocks/blocks_internal.h"
#include "blocks/interior_path.h"
#include "blocks/proximal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    const imp_problem *problem;
    const imp_blocks_settings *settings;
    blockwise *b;
    anderson *mixing;
    proximal *newton;
    double tolerance, budget; /* work allowed, sweeps */
    double *best, *centre;    /* (3nc) */
    double *swept, *lowest;   /* (3nc) where proximal sweeps are, and where they were best */
    double *impulse;          /* (3nc) N s, for certificates */
    natural_error best_errors;
    double best_error;  /* the one that counts, imp_blocks_certified_error */
    double work;        /* sweeps and their equivalents spent */
    double newton_cost; /* work of one Newton step, as last seen */
    int sweeps, factorisations;
    interior_path *path;      /* NULL: not begun, or ended */
    double path_work, trials; /* spent on the path, and on Newton from its points */
    double tried;             /* the path's mu where Newton was last tried */
} run;

/* to (3nc) <- from. */
static void keep(const run *r, double *to, const double *from) {
    memcpy(to, from, 3 * (size_t)r->b->nc * sizeof *to);
}

/* Looks at the present iterate; true when it is good enough. Velocities that were brought up to
 * date piece by piece and mixed may have drifted from W p + q: an iterate that seems good enough
 * is taken for what it is after all of them are computed anew (`fresh`: they are). */
static bool look(run *r, bool fresh) {
    if (!fresh) imp_blockwise_look(r->b);
    natural_error errors = imp_blockwise_error(r->b);
    double error = imp_blocks_judged(r->b, errors, r->settings);
    if (!fresh && error <= r->tolerance) {
        imp_blockwise_refresh(r->b);
        errors = imp_blockwise_error(r->b);
        error = imp_blocks_judged(r->b, errors, r->settings);
    }
    if (error <= r->tolerance)
        error = imp_blocks_certified_error(r->b, r->problem, &imp_law_coulomb, r->settings,
                                           r->impulse, error);
    if (error < r->best_error) {
        r->best_errors = errors;
        r->best_error = error;
        keep(r, r->best, r->b->p);
    }
    return r->best_error <= r->tolerance;
}

static void go_to(run *r, const double *p) {
    memcpy(r->b->p, p, 3 * (size_t)r->b->nc * sizeof *p);
    imp_blockwise_refresh(r->b);
}

static bool spent(const run *r) {
    return r->work >= r->budget || imp_blockwise_cancelled(r->b);
}

/* Is there work left for a factorisation? */
static bool affordable(const run *r) {
    return r->work + r->newton_cost < r->budget && !spent(r);
}

static void sweep(run *r, const sweep_rule *rule) {
    imp_blockwise_sweep(r->b, rule);
    r->work += 1;
    if (++r->sweeps % 64 == 0) imp_blockwise_refresh(r->b);
}

/* Without them first, two of 20000 problems of build/campaign/campaign blocks stay unsolved. */
static bool plain_sweeps(run *r, int count) {
    const sweep_rule rule = {.law = LOCAL_COULOMB, .relaxation = 1};
    for (int k = 0; k < count && !spent(r); k++) {
        sweep(r, &rule);
        if (look(r, false)) return true;
    }
    return false;
}

/* > wall; < wall, > chain; < wall, > chain */
enum { PERIOD = 3, REVIEW = 60, LEAST = 240 };

/* Sweeps with Anderson mixing every PERIOD. After LEAST of them they are left when
 * ln(error/tolerance) at the rate of the last REVIEW would take more than `patience` sweeps. */
static bool mixed_sweeps(run *r) {
    static const double patience = 1000; /* < wall, > chain */
    const sweep_rule rule = {.law = LOCAL_COULOMB, .relaxation = 1};
    double last = r->best_error;
    for (int k = 0; !spent(r); k += PERIOD) {
        imp_anderson_before(r->mixing, r->b->p);
        for (int i = 0; i < PERIOD; i++) {
            sweep(r, &rule);
            /* looking costs a fifth of a sweep, more than it saves far off (> wall) and less
             * nearby (gate: auto/bodies/sweeps) */
            const bool near = r->best_error < 30 * r->tolerance;
            if ((near || i == PERIOD - 1) && look(r, false)) return true;
        }
        imp_anderson_after(r->mixing, r->b->p, r->b->state);
        if ((k + PERIOD) % REVIEW != 0) continue;
        const double rate = imp_log(last / r->best_error) / REVIEW;
        if (k + PERIOD >= LEAST && imp_log(r->best_error / r->tolerance) > rate * patience) break;
        last = r->best_error;
    }
    return false;
}

/* Proximal steps with Newton inside, from b->p; `allowance` is work it may spend, `patience`
 * factorisations that need not halve the least error. Steps grow longer, alpha smaller, until one
 * fails; the way to a solution may lead over worse iterates. */
static bool newton_steps(run *r, double allowance, double patience) {
    /* in a row; the first, since a system without a factor takes no work; the second: < chain */
    enum { MOST_FAILED = 6, MOST_STALLED = 40 };
    const double end = r->work + allowance;
    double alpha = 0.1, /* with 0.005 gate: auto/bodies-8 */
        lowest = imp_blockwise_judged(r->b, imp_blockwise_error(r->b)), stalled_at = lowest,
           halved = lowest;
    int since = r->factorisations;
    for (int failed = 0, stalled = 0; r->newton && failed < MOST_FAILED && stalled < MOST_STALLED &&
                                      r->factorisations - since < patience && r->work < end &&
                                      affordable(r);) {
        const double inner = fmax(1e-3 * lowest, 0.01 * r->tolerance) * r->b->q_norm;
        const double work = imp_proximal_work(r->newton);
        keep(r, r->centre, r->b->p);
        const bool good = imp_proximal_step(r->newton, r->b, alpha, inner, r->budget - r->work);
        const int steps = imp_proximal_steps(r->newton);
        const double cost = imp_proximal_work(r->newton) - work;
        r->factorisations += steps;
        r->work += cost;
        r->newton_cost = steps > 0 ? cost / steps : r->newton_cost;
        if (good && look(r, true)) return true;
        if (!good) {
            alpha *= 4;
            failed++;
            go_to(r, r->centre);
            continue;
        }
        failed = 0;
        alpha *= 0.3;
        lowest = fmin(lowest, imp_blockwise_judged(r->b, imp_blockwise_error(r->b)));
        stalled = lowest < 0.9 * stalled_at ? 0 : stalled + 1;
        if (stalled == 0) stalled_at = lowest;
        if (!(lowest < 0.5 * halved)) continue;
        halved = lowest;
        since = r->factorisations;
    }
    go_to(r, r->best);
    return false;
}

/* Steps of the interior path, `allowance` of work. Newton is tried from its lowest point, so far as
 * these trials do not cost more than the path: near the solution steps that are short are driven
 * off, and the path passes by at a distance from which long ones arrive. */
static bool path_steps(run *r, double allowance) {
    enum { TRIAL = 100 }; /* factorisations */
    const double end = r->work + allowance;
    if (!r->path && r->path_work == 0 && r->newton) r->path = imp_interior_path_new(r->b);
    while (r->path && r->work < end && affordable(r)) {
        const double work = imp_interior_path_work(r->path);
        const bool on = imp_interior_path_step(r->path, r->b);
        const double cost = imp_interior_path_work(r->path) - work + 1;
        r->factorisations++;
        r->work += cost;
        r->path_work += cost;
        if (on && look(r, true)) return true;
        const double mu = imp_interior_path_mu(r->path), before = r->work;
        if (!on) {
            imp_interior_path_free(r->path);
            r->path = NULL;
        }
        if (on && (mu >= r->tried || r->trials > r->path_work)) continue;
        r->tried = mu;
        if (newton_steps(r, TRIAL * cost, INFINITY)) return true;
        r->trials += r->work - before;
    }
    go_to(r, r->best);
    return false;
}

/* One proximal step from b->p, as far as REVIEW mixed sweeps take it. */
static void proximal_by_sweeps(run *r) {
    const sweep_rule rule = {.law = LOCAL_COULOMB, .relaxation = 1, .centre = r->centre};
    keep(r, r->centre, r->b->p);
    imp_anderson_forget(r->mixing);
    for (int k = 0; k < REVIEW && !spent(r); k += PERIOD) {
        imp_anderson_before(r->mixing, r->b->p);
        for (int i = 0; i < PERIOD; i++)
            sweep(r, &rule);
        imp_anderson_after(r->mixing, r->b->p, r->b->state);
    }
    imp_blockwise_refresh(r->b);
}

/* Proximal steps with sweeps inside, from r->swept on, which is left where they end. Problems that
 * need them have modes that short steps let grow: the iterate wanders, its error rises and falls.
 * Many short steps find good places faster than few long ones. Where an eighth of the allowance
 * has found none near the best iterate, there are none. b->p <- the best of these places. */
static bool proximal_sweeps(run *r, double allowance) {
    static const double alpha = 0.005; /* < spheres, > spheres */
    static const double near = 3;      /* times the least error */
    const double end = r->work + allowance, early = r->work + allowance / 8,
                 hope = near * r->best_error;
    double lowest = INFINITY;
    keep(r, r->lowest, r->swept);
    go_to(r, r->swept);
    while (r->work < end && !spent(r) && imp_blockwise_stiffen(r->b, alpha)) {
        proximal_by_sweeps(r);
        if (look(r, true)) return true;
        const double error = imp_blockwise_judged(r->b, imp_blockwise_error(r->b));
        if (error < lowest) {
            lowest = error;
            keep(r, r->lowest, r->b->p);
        }
        if (r->work > early && !(lowest < hope)) break;
    }
    keep(r, r->swept, r->b->p);
    go_to(r, r->lowest);
    return false;
}

/* The Newton solver, and the work of one of its steps as far as it is known yet. */
static void open_newton(run *r) {
    if (r->newton) return;
    r->newton = imp_proximal_new(r->b);
    r->newton_cost = r->newton ? imp_proximal_cost(r->newton) : INFINITY;
}

/* Each stage begins where those before it have stalled. A factorisation may cost thousands of
 * sweeps: proximal sweeps come first, with as much work as the short try that Newton has then. They
 * may wander for ever, and spend what 250 factorisations would, one step of them where that was not
 * known (< chain). Newton goes on from their best place until it stalls, and the path spends as
 * much as all before it; both wait where the sweeps came nearer to a tolerance that is near. Sweeps
 * wander on from where they were. */
static void choose(run *r) {
    static const double hasty = 30;  /* factorisations: < tables, > spheres */
    static const double nearby = 10; /* tolerances: < spheres */
    if (mixed_sweeps(r)) return;
    open_newton(r);
    double wander = 250 * r->newton_cost;
    keep(r, r->swept, r->best);
    if (proximal_sweeps(r, hasty * r->newton_cost)) return;
    go_to(r, r->best);
    if (newton_steps(r, INFINITY, hasty)) return;
    keep(r, r->swept, r->best);
    while (!spent(r)) {
        const double before = r->best_error;
        if (proximal_sweeps(r, wander)) return;
        const bool waits = r->best_error < before && r->best_error < nearby * r->tolerance;
        if (newton_steps(r, INFINITY, waits ? hasty : INFINITY)) return;
        if (!waits && path_steps(r, r->work)) return;
        if (mixed_sweeps(r)) return; /* which need no memory */
        wander = 250 * r->newton_cost;
    }
}

static void finish(run *r, double *p, imp_blocks_report *report, imp_info *info) {
    if (r->best_error > r->tolerance) { /* of velocities that may have drifted */
        go_to(r, r->best);
        r->best_errors = imp_blockwise_error(r->b);
    }
    const natural_error e = r->best_errors;
    imp_blockwise_get(r->b, r->best, p);
    info->iterations = r->sweeps;
    info->residual = imp_blockwise_judged(r->b, e);
    if (!report) return;
    *report = (imp_blocks_report){.sweeps = r->sweeps, .factorisations = r->factorisations};
    imp_natural_error(r->problem, p, &report->field, &report->scale_free);
}

enum { FEW = 8 }; /* contacts whose iterates go on the stack */

imp_status imp_blocks_auto(const imp_problem *problem, const imp_blocks_settings *settings,
                           double *p, imp_blocks_report *report, imp_info *info) {
    if (!imp_law_reads(&imp_law_coulomb, problem)) return IMP_UNSUPPORTED;
    if (problem->nc == 1 && imp_blocks_lone(problem, settings, p, report, info)) return IMP_OK;
    const size_t n = 3 * (size_t)problem->nc;
    double few[5 * 3 * FEW];
    run r = {.problem = problem,
             .settings = settings,
             .b = imp_blockwise_new(problem, imp_blocks_field_too(problem, settings)),
             .tolerance = settings->tolerance,
             .budget = settings->max_sweeps,
             .best = problem->nc > FEW ? malloc(5 * n * sizeof *r.best) : few,
             .best_error = INFINITY,
             .newton_cost = 0,
             .tried = INFINITY};
    imp_status status = r.b && r.best ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        memset(r.best, 0, n * sizeof *r.best);
        r.centre = r.best + n;
        r.impulse = r.centre + n;
        r.swept = r.impulse + n;
        r.lowest = r.swept + n;
        r.b->cancel = info->cancel;
        if (settings->start) imp_blockwise_start(r.b, p);
        const bool done = look(&r, true) || plain_sweeps(&r, 8);
        if (!done && !(r.mixing = imp_blockwise_mixing(r.b))) status = IMP_NO_MEMORY;
        if (!done && r.mixing) choose(&r);
    }
    const bool solved = r.best_error <= r.tolerance;
    if (status == IMP_OK && !solved && r.b->no_memory) status = IMP_NO_MEMORY;
    if (status == IMP_OK) {
        finish(&r, p, report, info);
        status = solved ? IMP_OK : IMP_NOT_CONVERGED;
    }
    imp_proximal_free(r.newton);
    imp_interior_path_free(r.path);
    imp_anderson_free(r.mixing);
    imp_blockwise_free(r.b);
    if (r.best != few) free(r.best);
    return status;
}
