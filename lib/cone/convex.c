/* convex.c - the phases of the convex contact models, island by island.
 *
 * Drumwright, Shell (2010), section 3; phase III after Anitescu, Potra (1997). Departures: one
 * kappa per island instead of one over all bodies (an impulse saved at one contact must not be
 * spent at an unrelated one), phase I once more after the expansion, without which restitution can
 * create energy even without friction, and with friction, where it still can, only as much of the
 * expansion as leaves the energy before the impact. All of x + t (expansion), 0 <= t <= 1, obey the
 * constraints. */
#include "cone/convex_interior.h"
#include "base/exact.h"
#include "cone/convex_newton.h"
#include "cone/convex_phase1.h"
#include "cone/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct phases {
    const imp_convex_settings *settings;
    convex_bodies bodies; /* what W is assembled from; M = NULL: not known */
    bool friction;
    double *record; /* (12 nc) of the problem, to record the path: steps (3 x 3nc), multipliers (3 x
                       nc); or NULL */
    int contacts;   /* nc */
    convex_island *island;
    double *b, *y, *u;  /* (n), (n), (3n) */
    double *before;     /* (4n) impulses at the end of phase II; the best of its attempts */
    double restitution; /* share of phase III that was applied */
    convex_point point; /* x, lambda, z0 in the same memory */
} phases;

static bool allocate(phases *f) {
    const size_t n = (size_t)f->island->n;
    f->b = calloc(14 * n, sizeof *f->b);
    if (!f->b) return false;
    f->y = f->b + n;
    f->u = f->y + n;
    f->point.x = f->u + 3 * n;
    f->point.lambda = f->point.x + 3 * n;
    f->point.z0 = f->point.lambda + n;
    f->before = f->point.z0 + n;
    f->restitution = 1;
    return true;
}

/* Normal velocities plus gaps under the impulses x. */
static void approach(phases *f, const double *x) {
    imp_convex_apply(f->island, x, f->u);
    for (int i = 0; i < f->island->n; i++)
        f->b[i] = f->u[3 * i] + f->island->q[3 * i] + f->island->gap[i];
}

/* f->u <- the witness of the sum. */
static imp_status phase1(phases *f, double *sum) {
    double *x = f->point.x;
    approach(f, x);
    const imp_status status = imp_convex_phase1(f->island, f->b, f->y, f->u);
    *sum = 0;
    for (int i = 0; i < f->island->n; i++) {
        x[3 * i] += f->y[i];
        *sum += f->y[i];
    }
    return status; /* NOLINT(clang-analyzer-unix.Malloc): solve_islands frees f->b */
}

/* No friction to apply? Phase I's answer is phase II's then, unless kappa is below its sum, or gaps
 * are in its rows and not in the energy. */
static bool phase2_empty(const convex_island *s) {
    for (int i = 0; i < s->n; i++)
        if (imp_convex_rows_of(s, i).cone || s->gap[i] != 0) return false;
    return true;
}

static bool cancelled(const phases *f) {
    return f->point.cancel && *f->point.cancel;
}

/* The interior point, and its polish where few contacts allow one, from one depth after another
 * until it is solved; the best is kept. Where the first start runs into the boundary of the cones
 * (tall walls do, and masses far apart: test_convex_hard) the second, nearer their centres, does
 * not. The target is far below the tolerance: what is left, times large multipliers, is energy that
 * a heap at rest would gain, and directions of friction are off by the root of a product; the rows
 * of few contacts are solved deeper, since from nearby a polish may take pairs whose parts are both
 * small for others, and tried twice unless they get there. Where neither does, the third point is
 * to be the answer without a polish: its products are brought down as of many contacts. A polish
 * that is farther than the interior point is kept where it is an answer also by what is a
 * thousandth as fast: where masses are far apart, certificates are of contacts as slow as that. Of
 * these points the norm tells which is best, where products say little, of those that are answers
 * if there are any. start (3n): phase I's answer. */
static imp_status best_point(phases *f, convex_newton *newton, const double *start) {
    static const double depths[] = {1, 1000, 1};
    const imp_convex_settings *settings = f->settings;
    const size_t n = (size_t)f->island->n;
    const bool polished = f->island->n <= settings->polish;
    const double tolerance = settings->tolerance, rows = (polished ? 1e-6 : 1e-4) * tolerance;
    const double square = fmin(rows, tolerance * tolerance), surely = 1e-3 * tolerance;
    const int attempts = polished ? 3 : 2;
    const double enough = polished ? rows : tolerance;
    double *best = f->before; /* x and lambda, as they stand in f->point */
    double nearest = INFINITY, residual = INFINITY;
    int iterations = 0;
    for (int k = 0; k < attempts && nearest > enough && !cancelled(f); k++) {
        memcpy(f->point.x, start, 3 * n * sizeof *start);
        const convex_target target = {rows, polished && k < 2 ? rows : square, tolerance};
        imp_status status = imp_convex_interior(f->island, newton, target, depths[k],
                                                (int)settings->max_iterations, &f->point);
        if (status == IMP_OK && f->point.excluded) status = IMP_NO_SOLUTION;
        if (status == IMP_OK)
            status = polished ? imp_convex_polish(f->island, surely, &f->point)
                              : imp_convex_polish_pressing(f->island, settings->polish, &f->point);
        if (status != IMP_OK) return status;
        iterations += f->point.iterations;
        const double distance = polished ? f->point.norm : f->point.residual;
        const bool had = residual <= tolerance, has = f->point.residual <= tolerance;
        if (had == has ? distance >= nearest : had) continue;
        nearest = distance;
        residual = f->point.residual;
        memcpy(best, f->point.x, 4 * n * sizeof *best);
    }
    if (residual < INFINITY) memcpy(f->point.x, best, 4 * n * sizeof *best);
    f->point.residual = residual;
    f->point.iterations = iterations;
    return IMP_OK;
}

static imp_status phase2(phases *f, imp_convex_report *report) {
    convex_island *s = f->island;
    const imp_convex_settings *settings = f->settings;
    const size_t rows = 3 * (size_t)s->n;
    double *phase1_answer = f->u; /* where phase II starts, and falls back to */
    convex_newton *newton = imp_convex_newton_new(s, f->bodies.M ? &f->bodies : NULL);
    if (!newton) return IMP_NO_MEMORY;
    memcpy(phase1_answer, f->point.x, rows * sizeof *phase1_answer);
    const imp_status status = best_point(f, newton, phase1_answer);
    imp_convex_newton_free(newton);
    if (status != IMP_OK) return status;
    report->iterations += f->point.iterations;
    report->residual = fmax(report->residual, f->point.residual);
    if (f->point.residual <= settings->tolerance) {
        imp_convex_tidy(s, settings->tolerance, f->point.x, f->point.lambda, f->before);
        return IMP_OK;
    }
    memcpy(f->point.x, phase1_answer, rows * sizeof *phase1_answer);
    memset(f->point.lambda, 0, (size_t)s->n * sizeof *f->point.lambda);
    report->fallbacks++;
    return IMP_NOT_CONVERGED;
}

/* Phase II in units in which kappa is not small: its residuals are absolute, and what matters is
 * their size beside kappa where W hardly changes the velocities (test_convex_cases: its friction
 * would be lost). */
static imp_status phase2_scaled(phases *f, imp_convex_report *report) {
    const double kappa = f->island->kappa;
    const int exponent = kappa > 0 && kappa < 1 ? imp_exponent(kappa) : 0;
    imp_convex_island_rescale(f->island, exponent);
    imp_shift(f->point.x, 3 * (size_t)f->island->n, -exponent);
    const imp_status status = phase2(f, report);
    imp_convex_island_rescale(f->island, -exponent);
    imp_shift(f->point.x, 4 * (size_t)f->island->n, exponent); /* x and lambda */
    return status;
}

/* Into the record: step k is x (3n), and vector k of multipliers m (n), both in the island's units
 * times 2^exponent. */
static void record_step(const phases *f, int k, const double *x) {
    const convex_island *s = f->island;
    double *step = f->record ? f->record + 3 * (size_t)k * (size_t)f->contacts : NULL;
    for (int i = 0; step && i < 3 * s->n; i++)
        step[3 * s->contact[i / 3] + i % 3] = imp_ldexp(x[i], s->impulse_exponent);
}

static void record_multiplier(const phases *f, int k, const double *m, int exponent) {
    const convex_island *s = f->island;
    double *vector = f->record ? f->record + (9 + (size_t)k) * (size_t)f->contacts : NULL;
    for (int i = 0; vector && i < s->n; i++)
        vector[s->contact[i]] = imp_ldexp(m[i], exponent);
}

/* theta of x and what is added to it, d; x gains energy where overlaps push (test_convex). */
static double affordable(phases *f, const double *x, const double *d) {
    const convex_island *s = f->island;
    double a = 0, b = 0, c = 0;
    imp_convex_apply(s, d, f->u);
    for (int i = 0; i < 3 * s->n; i++) {
        a += f->u[i] * d[i];
        b += f->u[i] * x[i] + s->q[i] * d[i];
        c += s->q[i] * x[i];
    }
    imp_convex_apply(s, x, f->u);
    for (int i = 0; i < 3 * s->n; i++)
        c += 0.5 * f->u[i] * x[i];
    return imp_phases_affordable(c, b, a);
}

/* Poisson's expansion, then phase I from the new velocities; of the whole only as much as creates
 * no energy. */
static imp_status phase3(phases *f) {
    const int n = f->island->n;
    double *x = f->point.x, *before = f->before;
    bool any = false;
    double ignored;
    memcpy(before, x, 3 * (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) {
        const double expansion = f->island->e[i] * x[3 * i];
        any = any || expansion > 0;
        x[3 * i] += expansion;
    }
    if (!any) return IMP_OK;
    const imp_status status = phase1(f, &ignored);
    if (status != IMP_OK) {
        memcpy(x, before, 3 * (size_t)n * sizeof *x);
        return status;
    }
    for (int i = 0; i < 3 * n; i++)
        x[i] -= before[i];
    f->restitution = affordable(f, before, x);
    for (int i = 0; i < 3 * n; i++)
        x[i] = before[i] + f->restitution * x[i];
    double *step = f->u; /* its parts, for the record */
    for (int k = 1; k <= 2; k++) {
        memset(step, 0, 3 * (size_t)n * sizeof *step);
        for (int i = 0; i < n; i++)
            step[3 * i] = f->restitution * (k == 1 ? f->island->e[i] * before[3 * i] : f->y[i]);
        record_step(f, k, step);
    }
    return IMP_OK;
}

static imp_status solve_island(phases *f, imp_convex_report *report) {
    convex_island *s = f->island;
    double sum;
    imp_status status = phase1(f, &sum);
    if (status != IMP_OK) return status;
    record_multiplier(f, 0, f->y, s->impulse_exponent);
    record_multiplier(f, 1, f->u, -s->W_exponent);
    s->kappa = sum;
    if (f->settings->kappa >= 0) s->kappa = imp_ldexp(f->settings->kappa, -s->impulse_exponent);
    report->kappa += imp_ldexp(s->kappa, s->impulse_exponent);
    if (f->friction && (s->kappa < sum || !phase2_empty(s))) status = phase2_scaled(f, report);
    if (status == IMP_NO_SOLUTION) return status;
    record_step(f, 0, f->point.x);
    record_multiplier(f, 2, f->point.lambda, s->impulse_exponent);
    if (status >= 0) {
        const imp_status expanded = phase3(f);
        if (expanded != IMP_OK) status = expanded;
        report->restitution = fmin(report->restitution, f->restitution);
    }
    return status;
}

/* The island's answer into the whole; nothing where it has no solution. */
static void scatter(const phases *f, imp_status status, double *p, double *multiplier) {
    const convex_island *s = f->island;
    for (int i = 0; i < s->n; i++) {
        for (int r = 0; r < 3; r++)
            p[3 * s->contact[i] + r] = status == IMP_NO_SOLUTION
                                           ? 0
                                           : imp_ldexp(f->point.x[3 * i + r], s->impulse_exponent);
        if (multiplier)
            multiplier[s->contact[i]] = imp_ldexp(fmax(0, f->point.lambda[i]), s->impulse_exponent);
    }
}

static imp_status solve_islands(const imp_problem *problem, phases *f, const imp_parts *parts,
                                double *p, imp_convex_report *report) {
    imp_status worst = IMP_OK;
    for (int k = 0; k < parts->count && worst >= 0; k++) {
        f->island = imp_convex_island_new(problem, parts, k, f->settings->mu_v);
        if (!f->island || !allocate(f)) {
            imp_convex_island_free(f->island);
            return IMP_NO_MEMORY;
        }
        f->point.cancel = report->cancel;
        const imp_status status = solve_island(f, report);
        scatter(f, status, p, report->multiplier);
        if (status < 0 || status > worst) worst = status;
        free(f->b);
        imp_convex_island_free(f->island);
    }
    return worst;
}

/* label (nc): of the islands. */
static imp_status solve_all(const imp_problem *problem, phases *f, const int *label, double *p,
                            imp_convex_report *report) {
    const imp_assembled *assembled = imp_operator_assembly(problem->W);
    imp_parts parts;
    imp_status status = IMP_NO_MEMORY;
    if (imp_parts_open(&parts, problem->W, label, report->islands) &&
        (!assembled || imp_convex_bodies_open(&f->bodies, assembled->M, assembled->H)))
        status = solve_islands(problem, f, &parts, p, report);
    imp_convex_bodies_close(&f->bodies);
    imp_parts_close(&parts);
    return status;
}

/* The record as a path. share: the least theta of an island. */
static imp_status write_path(const imp_problem *problem, const double *record, bool friction,
                             double share, imp_path *path) {
    const size_t nc = (size_t)problem->nc;
    const imp_status status = imp_phases_record(path, problem, record, share);
    if (status != IMP_OK || !friction) return status;
    double *multiplier = imp_path_multipliers(path, 3, problem->nc);
    if (!multiplier) return IMP_NO_MEMORY;
    memcpy(multiplier, record + 9 * nc, 3 * nc * sizeof *multiplier);
    return IMP_OK;
}

/* Do the sizes of M and H fit? */
static bool fits(const imp_problem *problem, const imp_assembled *bodies) {
    return bodies->M->rows == bodies->M->columns && bodies->H->rows == bodies->M->rows &&
           bodies->H->columns == 3 * problem->nc;
}

imp_status imp_convex_phases(const imp_problem *problem, const imp_convex_settings *settings,
                             bool friction, double *p, imp_convex_report *report) {
    const size_t nc = (size_t)problem->nc;
    const imp_assembled *bodies = imp_operator_assembly(problem->W);
    phases f = {.settings = settings, .friction = friction, .contacts = problem->nc};
    imp_convex_report own = {.restitution = 1,
                             .multiplier = report ? report->multiplier : NULL,
                             .path = report ? report->path : NULL,
                             .cancel = report ? report->cancel : NULL};
    imp_status status = imp_problem_check_vectors(problem, NULL);
    if (status == IMP_OK && bodies && !fits(problem, bodies)) status = IMP_BAD_ARGUMENT;
    if (status != IMP_OK) return status;
    int *labels = malloc(nc * sizeof *labels);
    double *answer = calloc((own.path ? 15 : 3) * nc, sizeof *answer);
    own.islands = labels && answer ? imp_convex_islands(problem, settings->kappa >= 0, labels) : -1;
    if (own.islands < 0)
        status = IMP_NO_MEMORY;
    else {
        if (own.path) f.record = answer + 3 * nc;
        status = solve_all(problem, &f, labels, answer, &own);
    }
    if (status >= 0 && own.path) {
        const imp_status written =
            write_path(problem, f.record, friction, own.restitution, own.path);
        if (written < 0) status = written;
    }
    if (status >= 0) memcpy(p, answer, 3 * nc * sizeof *p);
    if (status >= 0 && report) *report = own;
    free(labels);
    free(answer);
    return status;
}

imp_status imp_convex(const imp_problem *problem, const imp_convex_settings *settings, double *p,
                      imp_convex_report *report) {
    return imp_convex_phases(problem, settings, true, p, report);
}

static imp_status solve_drumwright(const imp_problem *problem, const void *settings, double *p,
                                   void *work, imp_info *info) {
    (void)work;
    imp_convex_report report = {.path = info->path, .cancel = info->cancel};
    const imp_status status = imp_convex(problem, settings, p, &report);
    info->iterations = report.iterations;
    info->residual = report.residual;
    return status;
}

static const imp_key keys[] = {
    {"mu_v", "kg", offsetof(imp_convex_settings, mu_v), 0, 0, 1e300, NULL,
     "viscous friction of every contact of a problem without mu_v: |p_to| <= mu p_n + mu_v |q_to|"},
    {"kappa", "N s", offsetof(imp_convex_settings, kappa), -1, -1, 1e300, NULL,
     "most that all normal impulses may sum to, no-solution where it is less than any answer "
     "needs; negative: the least sum without friction, one per island"},
    {"tolerance", "-", offsetof(imp_convex_settings, tolerance), 1e-7, 1e-15, 1e-3, NULL,
     "largest KKT residual of an answer, in units of the data"},
    {"max_iterations", IMP_COUNT, offsetof(imp_convex_settings, max_iterations), 100, 1, 1e6, NULL,
     "interior-point steps allowed per island"},
    {"polish", IMP_COUNT, offsetof(imp_convex_settings, polish), 32, 0, 1000, NULL,
     "most contacts made exact by Newton steps: an island's, or those of a larger one that press"},
    {0}};

/* A duality gap is a sum of the KKT residual's products of pairs over a sum of terms as large as
 * the data: where multipliers or cones are large beside those, a few times the residual. Rounding
 * of kappa is below 1e-9. */
static double bound(const void *settings) {
    return fmax(1e-9, 10 * ((const imp_convex_settings *)settings)->tolerance);
}

const imp_model imp_model_drumwright = {
    .name = "drumwright",
    .title = "least kinetic energy over cones and a bounded sum of normal impulses, by an interior "
             "point",
    .citation = "Drumwright, Shell 2010, section 3",
    .law = &imp_law_convex,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY |
             IMP_COMPRESSION_FRICTION | IMP_MAY_TAKE_OFF,
    .keys = keys,
    .settings_size = sizeof(imp_convex_settings),
    .solve = solve_drumwright,
    .bound = bound,
};
