/* blocks_auto.c - the choice among block methods, from what the iteration shows.
 *
 * 8 plain sweeps; then relaxed sweeps with Anderson mixing until their rate says that Newton is cheaper; then proximal
 * steps with Newton inside; then, where factorisations are dear, proximal steps with sweeps inside; then sweeps again
 * with another relaxation, and so on until the allowed work is spent. The best iterate is kept and handed on. All
 * decisions count operations, never time: the same input gives the same bits. */
#include "blocks/anderson.h"
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

/* A certificate reads W three times and solves nothing. */
static const double certificate_work = 3;

/* Looks at the present iterate; true when it is good enough. Velocities that were brought up to date piece by piece and
 * mixed may have drifted from W p + q: an iterate that seems better by a tenth, or good enough, is taken for what it is
 * after all of them are computed anew (`fresh`: they are). */
static bool look(run *r, bool fresh) {
    imp_blockwise_look(r->b);
    natural_error errors = imp_blockwise_error(r->b);
    const double seems = imp_blockwise_told(r->b, imp_blockwise_judged(r->b, errors), r->tolerance);
    if (!fresh && (seems < 0.9 * r->best_error || seems <= r->tolerance)) {
        imp_blockwise_refresh(r->b);
        errors = imp_blockwise_error(r->b);
        fresh = true;
    }
    double error = imp_blockwise_told(r->b, imp_blockwise_judged(r->b, errors), r->tolerance);
    if (fresh && error <= r->tolerance) {
        error = imp_blocks_certified_error(r->b, r->problem, &imp_law_coulomb, r->settings, r->impulse, error);
        r->work += certificate_work;
    }
    if (fresh && error < r->best_error) {
        r->best_errors = errors;
        r->best_error = error;
        memcpy(r->best, r->b->p, 3 * (size_t)r->b->nc * sizeof *r->best);
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

static void sweep(run *r, const sweep_rule *rule) {
    imp_blockwise_sweep(r->b, rule);
    r->work += 1;
    if (++r->sweeps % 64 == 0) imp_blockwise_refresh(r->b);
}

static bool plain_sweeps(run *r, int count) {
    const sweep_rule rule = {.law = LOCAL_COULOMB, .relaxation = 1};
    for (int k = 0; k < count && !spent(r); k++) {
        sweep(r, &rule);
        if (look(r, false)) return true;
    }
    return false;
}

enum { PERIOD = 3, REVIEW = 60, FIRST_REVIEW = 240 };

/* Relaxed sweeps with Anderson mixing every PERIOD. After `least` of them they are left when ln(error/tolerance) at the
 * rate of the last REVIEW would take more than `patience` sweeps. */
static bool mixed_sweeps(run *r, double relaxation, int least, double patience) {
    const sweep_rule rule = {.law = LOCAL_COULOMB, .relaxation = relaxation};
    double last = r->best_error;
    imp_anderson_forget(r->mixing);
    for (int k = 0; !spent(r); k += PERIOD) {
        imp_anderson_before(r->mixing, r->b);
        for (int i = 0; i < PERIOD; i++) {
            sweep(r, &rule);
            const bool near = r->best_error < 30 * r->tolerance; /* looking costs a fifth of a sweep */
            if ((near || i == PERIOD - 1) && look(r, false)) return true;
        }
        imp_anderson_after(r->mixing, r->b, 0);
        if ((k + PERIOD) % REVIEW != 0) continue;
        const double rate = log(last / r->best_error) / REVIEW;
        if (k + PERIOD >= least && log(r->best_error / r->tolerance) > rate * patience) break;
        last = r->best_error;
    }
    return false;
}

static const double most_share = 0.003; /* of the error: see below */

/* Proximal steps with Newton inside, from b->p; `allowance` is work it may spend. */
static bool newton_steps(run *r, double allowance) {
    double alpha = 0.1, failed = 0, share = most_share;
    double lowest = imp_blockwise_judged(r->b, imp_blockwise_error(r->b)), stall_error = lowest;
    const double start = r->work;
    int bad = 0, stalled = 0;
    bool floored = false;
    while (r->newton && bad < 6 && stalled < 40 && r->work - start < allowance &&
           r->work + r->newton_cost < r->budget && !spent(r)) {
        const double before = lowest, work = imp_proximal_work(r->newton);
        memcpy(r->centre, r->b->p, 3 * (size_t)r->b->nc * sizeof *r->centre);
        const double inner = fmax(1e-3 * before, 0.01 * r->tolerance) * r->b->q_norm;
        const bool good = imp_proximal_step(r->newton, r->b, alpha, inner, stalled >= 5, r->budget - r->work);
        const int steps = imp_proximal_steps(r->newton);
        const double cost = imp_proximal_work(r->newton) - work;
        r->factorisations += steps;
        r->work += cost;
        r->newton_cost = steps > 0 ? cost / steps : r->newton_cost;
        if (good && look(r, true)) return true;
        if (!good) {
            failed = alpha;
            alpha *= 4;
            share = most_share;
            bad++;
            go_to(r, r->centre);
            continue;
        }
        const double error = imp_blockwise_judged(r->b, imp_blockwise_error(r->b));
        lowest = fmin(lowest, error);
        bad = 0; /* the way to a solution may lead over worse iterates */
        stalled = lowest < 0.9 * stall_error ? 0 : stalled + 1;
        if (stalled == 0) stall_error = lowest;
        if (steps <= 6 && 0.2 * alpha >= 2 * failed)
            alpha *= 0.2;
        else if (steps <= 12 && 0.45 * alpha > 2 * failed)
            alpha *= 0.45;
        failed *= steps <= 2 ? 0.7 : 0.9;
        /* Below this alpha what rounding leaves of u moves p by more than a few hundred times the error. A slow mode
         * may need less: less it is while longer steps hardly get on, and until one makes it much worse. */
        if (error > 2 * before)
            share = most_share;
        else if (floored && lowest > 0.5 * before)
            share *= 0.5;
        const double least = fmin(1, share * imp_blockwise_rounding(r->b) / (lowest * r->b->q_norm));
        floored = alpha < least;
        alpha = fmax(alpha, least);
    }
    return false;
}

/* Steps of the interior path, `allowance` of work. Newton is tried from its lowest point, so far as these trials do not
 * cost more than the path: near the solution steps that are short are driven off, and the path passes by at a distance
 * from which long ones arrive. */
static bool path_steps(run *r, double allowance) {
    enum { TRIAL = 100 }; /* factorisations */
    const double start = r->work;
    while (r->path && r->work - start < allowance && r->work + r->newton_cost < r->budget && !spent(r)) {
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
        if (on && (mu > 0.5 * r->tried || r->trials > r->path_work)) continue;
        r->tried = mu;
        if (newton_steps(r, TRIAL * cost)) return true;
        r->trials += r->work - before;
    }
    go_to(r, r->best);
    return false;
}

/* One proximal step from b->p with mixed sweeps inside, until they change little beside the error at its start. */
static void proximal_by_sweeps(run *r) {
    enum { MOST = 600 };
    const sweep_rule rule = {.law = LOCAL_COULOMB, .relaxation = 1, .centre = r->centre};
    const double enough = 0.1 * imp_blockwise_judged(r->b, imp_blockwise_error(r->b)) * r->b->q_norm;
    double change = INFINITY;
    memcpy(r->centre, r->b->p, 3 * (size_t)r->b->nc * sizeof *r->centre);
    imp_anderson_forget(r->mixing);
    for (int k = 0; k < MOST && change > enough && !spent(r); k += PERIOD) {
        imp_anderson_before(r->mixing, r->b);
        for (int i = 0; i < PERIOD; i++)
            sweep(r, &rule);
        change = imp_anderson_after(r->mixing, r->b, PERIOD * enough) / PERIOD;
    }
    imp_blockwise_refresh(r->b);
}

/* Proximal steps with sweeps inside, for problems whose factorisation is dear. Such problems have modes that short
 * steps let grow: the iterate wanders, its error rises and falls. Many short steps find good places faster than few
 * long ones; near the best one every other step is longer, which damps what the short ones let grow. */
static bool proximal_sweeps(run *r, double allowance) {
    static const double alpha = 0.005, longer = 0.3, near = 1.5;
    const double start = r->work;
    go_to(r, r->best);
    for (bool leap = false; r->work - start < allowance && !spent(r);) {
        leap = !leap && imp_blockwise_judged(r->b, imp_blockwise_error(r->b)) < near * r->best_error;
        if (!imp_blockwise_stiffen(r->b, leap ? longer * alpha : alpha)) break;
        proximal_by_sweeps(r);
        if (look(r, true)) return true;
    }
    go_to(r, r->best);
    return false;
}

/* The Newton solver and the path, and the work of one factorisation as far as it is known yet. */
static void open_newton(run *r) {
    if (r->newton) return;
    r->newton = imp_proximal_new(r->b);
    r->path = r->newton ? imp_interior_path_new(r->b) : NULL;
    r->newton_cost = r->newton ? imp_proximal_cost(r->newton) : INFINITY;
}

static void choose(run *r) {
    static const double kicks[] = {0.85, 1, 0.5, 1.2};
    const double dear = 300; /* sweeps per factorisation above which sweeps inside the proximal steps come first */
    double patience = r->b->bodies ? 1000 : 3000;
    for (int round = 0, least = FIRST_REVIEW; !spent(r); round++, patience *= 4) {
        const double before = r->work;
        if (mixed_sweeps(r, kicks[round % 4], least, patience)) return;
        if (least < 1 << 20) least *= 4; /* after a detour the error rises before it falls */
        open_newton(r);
        const double start = r->work, spent_here = 8 * (start - before);
        const bool is_dear = r->newton_cost > dear;
        if (is_dear && proximal_sweeps(r, fmax(spent_here, 200 * fmin(r->newton_cost, 1e4)))) return;
        if (!isfinite(r->newton_cost)) continue;
        const double begun = r->work;
        const double share = is_dear ? 0.1 * (begun - start) : fmax(spent_here, fmax(2000, 150 * r->newton_cost));
        go_to(r, r->best);
        if (newton_steps(r, share)) return;
        go_to(r, r->best);
        if (!is_dear && proximal_sweeps(r, r->work - begun)) return;
        if (path_steps(r, r->work)) return;
    }
}

static void finish(const run *r, double *p, imp_blocks_report *report, imp_info *info) {
    const natural_error e = r->best_errors;
    imp_blockwise_get(r->b, r->best, p);
    info->iterations = r->sweeps;
    info->residual = imp_blocks_field_too(r->problem, r->settings) ? fmax(e.field, e.scale_free) : e.scale_free;
    if (report) *report = (imp_blocks_report){r->sweeps, r->factorisations, e.field, e.scale_free};
}

imp_status imp_blocks_auto(const imp_problem *problem, const imp_blocks_settings *settings, double *p,
                           imp_blocks_report *report, imp_info *info) {
    const size_t n = 3 * (size_t)problem->nc;
    run r = {.problem = problem,
             .settings = settings,
             .b = imp_blockwise_new(problem, imp_blocks_field_too(problem, settings)),
             .tolerance = settings->tolerance,
             .budget = settings->max_sweeps,
             .best = malloc(3 * n * sizeof *r.best),
             .best_error = INFINITY,
             .newton_cost = 0,
             .tried = INFINITY};
    imp_status status = r.b && r.best ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        r.centre = r.best + n;
        r.impulse = r.centre + n;
        r.b->cancel = info->cancel;
        memset(r.best, 0, n * sizeof *r.best);
        if (settings->start) imp_blockwise_start(r.b, p);
        const bool done = look(&r, true) || plain_sweeps(&r, 8);
        if (!done && !(r.mixing = imp_anderson_new(r.b))) status = IMP_NO_MEMORY;
        if (!done && r.mixing) choose(&r);
    }
    if (status == IMP_OK) {
        finish(&r, p, report, info);
        status = r.best_error <= r.tolerance ? IMP_OK : IMP_NOT_CONVERGED;
    }
    imp_proximal_free(r.newton);
    imp_interior_path_free(r.path);
    imp_anderson_free(r.mixing);
    imp_blockwise_free(r.b);
    free(r.best);
    return status;
}
