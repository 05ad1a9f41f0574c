/* b_work.c - error against cost: PLUS over theta_max, the impact process by Euler steps and by
 * series, compliant contact over accuracy, Gauss-Seidel and auto over sweeps. */
#include "base/worse.h"
#include "benchmarks/experiments/course.h"
#include "benchmarks/harness/impact_compare.h"
#include "generators/piles.h"
#include "compliant/merson.h"
#include "reference/oracle/mirtich_euler.h"
#include "generators/gen_impacts.h"
#include "base/clock.h"
#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* One method: what it counts, its cost and its error at every setting. */
typedef struct series {
    report_rows *table;
    const char *panel, *method;
    int n;
    double work[MOST], error[MOST];
} series;

static void point(series *s, double setting, double work, double seconds, double error) {
    report_cells(s->table, IMP_TEXT(s->panel), IMP_TEXT(s->method), IMP_NUMBER(setting),
                 IMP_NUMBER(work), IMP_NUMBER(1e6 * seconds), IMP_NUMBER(error));
    s->work[s->n] = work;
    s->error[s->n++] = error;
}

/* The row "error ~ work^b" over the points [first, last). */
static void order(report *r, const char *what, const series *s, int first, int last,
                  double expected, double band, const char *remark) {
    const double b =
        s->n < last ? NAN : course_exponent(s->work + first, s->error + first, last - first);
    report_judge(r, OWN_BOUND, what, report_text(r, "%g", expected), report_text(r, "%.3f", b),
                 report_text(r, "%g", band), fabs(b - expected) <= band, remark);
}

static double relative(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) / hypot(hypot(b[0], b[1]), b[2]);
}

/* PLUS tends to the Darboux-Keller process with Poisson's restitution (friction ends at its own
 * speed: none here). */
static void plus(report *r, report_rows *table) {
    course c;
    if (!course_open(r, "brick-point", "mu 0.225", &c)) return;
    double W[6], limit[3];
    series s = {.table = table, .panel = "plus", .method = "PLUS"};
    pack3(c.touch.W, W);
    if (imp_darboux(W, c.touch.u, c.touch.mu[0], 0.387, IMP_POISSON, limit, NULL, NULL) != IMP_OK)
        limit[0] = NAN;
    for (int k = 0; k < 13; k++) {
        imp_plus_settings settings = imp_plus_settings_default();
        imp_info info = {0};
        double p[3] = {0}, least = INFINITY;
        settings.theta_max = ldexp(0.4, -k);
        settings.v_transition = 0;
        for (int repeat = 0; repeat < 5; repeat++) {
            const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
            for (int n = 0; n < 5; n++)
                (void)imp_plus_single(W, c.touch.u, c.touch.mu[0], 0.387, &settings, p, NULL,
                                      &info);
            least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / 5);
        }
        point(&s, settings.theta_max, info.intervals, least, relative(p, limit));
    }
    course_close(&c);
    order(r, "PLUS: error ~ intervals^b", &s, 5, 13, -1, 0.05,
          "of first order; θmax from 0.0125 rad down");
}

/* Impacts of boxes, the worst of them: Euler's steps as the note prints them, and the library's
 * series. */
static void process(report *r, report_rows *table) {
    enum { IMPACTS = 12 };
    series euler = {.table = table, .panel = "process", .method = "Euler"},
           taylor = {.table = table, .panel = "process", .method = "series"};
    gen_problem g[IMPACTS];
    impact_answer exact[IMPACTS];
    int count = 0, compressions;
    for (uint64_t k = 0; k < 200 && count < IMPACTS; k++) {
        g[count] = gen_impact(GEN_IMPACT_BODY, k);
        if (g[count].e > 0.1 &&
            impact_by_hodograph(&g[count], IMP_STRONGE, &exact[count], &compressions))
            count++;
    }
    for (int k = 0; k < 9; k++) {
        double worst = 0, steps = 0, least = INFINITY;
        for (int repeat = 0; repeat < (k < 5 ? 5 : 1); repeat++) {
            const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
            steps = 0;
            for (int i = 0; i < count; i++) {
                mirtich_euler end;
                const double delta = exact[i].p[0] / (10 * pow(4, k));
                const bool good =
                    mirtich_euler_impact(g[i].W, g[i].q, g[i].mu, g[i].e, delta, 100000000, &end);
                worst = imp_worse(worst, good ? relative(end.p, exact[i].p) : INFINITY);
                steps += (double)end.steps;
            }
            least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / count);
        }
        point(&euler, pow(4, -k), steps / count, least, worst);
    }
    double worst = 0, all = 0, least = INFINITY;
    for (int repeat = 0; repeat < 20; repeat++) {
        const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        all = 0;
        for (int i = 0; i < count; i++) {
            double p[3];
            imp_info info = {0};
            (void)imp_darboux(g[i].W, g[i].q, g[i].mu, g[i].e, IMP_STRONGE, p, NULL, &info);
            worst = imp_worse(worst, relative(p, exact[i].p));
            all += info.iterations;
        }
        least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / count);
    }
    point(&taylor, 0, all / count, least, fmax(worst, 1e-17));
    order(r, "impact process by Euler steps: worst error ~ steps^b", &euler, 3, 9, -1, 0.15,
          report_text(r, "%d impacts of boxes, e > 0.1, Stronge's law", count));
    report_at_most(
        r, OWN_BOUND, "impact process by series: worst error", 1e-13, worst,
        report_text(r, "%.1f Taylor steps and %.2g μs an impact", all / count, 1e6 * least));
}

/* The brick's vertex, from touch to separation, against the most accurate run. */
static void compliant(report *r, report_rows *table) {
    static const struct {
        const char *name;
        const gsl_odeiv2_step_type *const *stepper;
    } methods[2] = {{"Merson", &compliant_step_merson},
                    {"Dormand-Prince 8", &gsl_odeiv2_step_rk8pd}};
    course c;
    if (!course_open(r, "brick-point", "mu 0.325", &c)) return;
    compliant_settings settings = c.scene.run;
    double best[3];
    settings.history = false;
    settings.until = 1;
    settings.stepper = gsl_odeiv2_step_rk8pd;
    settings.accuracy = 1e-14;
    if (course_run(r, &c, &settings)) {
        memcpy(best, c.run.y + c.run.layout.impulse + 3 * c.touch.pair[0], sizeof best);
        for (int m = 0; m < 2; m++) {
            series s = {.table = table, .panel = "compliant", .method = methods[m].name};
            for (int k = 0; k < 10; k++) {
                settings.stepper = *methods[m].stepper;
                settings.accuracy = pow(10, -3 - k);
                const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
                if (!course_run(r, &c, &settings)) break;
                point(&s, settings.accuracy, (double)c.run.evaluations,
                      imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start,
                      relative(c.run.y + c.run.layout.impulse + 3 * c.touch.pair[0], best));
            }
            report_shown(r, NO_REFERENCE,
                         report_text(r, "compliant brick, %s: force evaluations at 1e-5 and 1e-11",
                                     s.method),
                         "", report_text(r, "%.0f, %.0f", s.work[2], s.work[8]),
                         "relative errors as drawn");
            report_at_most(
                r, OWN_BOUND,
                report_text(r, "compliant brick, %s: error over accuracy asked, at 1e-9", s.method),
                1, s.n > 6 ? s.error[6] / 1e-9 : NAN,
                "asked is the error of every step, got is that of the impulse: no worse than "
                "asked");
        }
    }
    course_close(&c);
}

/* The larger natural-map error after so many sweeps; auto counts its factorisations as the sweeps
 * they cost. */
static void sweeps(report *r, report_rows *table) {
    static const imp_model *const models[] = {&imp_model_gauss_seidel_coulomb, &imp_model_auto};
    imp_fclib global = {0}, local = {0};
    const bool made = pile_make(PILE_WALL, 7, 150, &global) == IMP_OK;
    imp_blocks *blocks =
        made && imp_fclib_local(&global, &local) == IMP_OK ? imp_blocks_new(&local.W) : NULL;
    double *p = blocks ? malloc(3 * (size_t)local.nc * sizeof *p) : NULL,
           enough[2] = {INFINITY, INFINITY};
    imp_factored *factored = NULL;
    if (blocks && p && imp_factored_new(&global.M, &global.H, &factored) == IMP_OK) {
        const imp_reduced reduced = {*blocks, factored};
        imp_operator W = imp_operator_reduced(&reduced);
        W.as_given = 1; /* H' M^-1 H is symmetric to rounding only */
        const imp_problem problem = {.nc = local.nc, .W = &W, .q = local.q, .mu = local.mu};
        for (int m = 0; m < 2; m++) {
            series s = {
                .table = table, .panel = "sweeps", .method = m == 0 ? "Gauss-Seidel" : "auto"};
            for (int k = 0; k < 13; k++) {
                imp_blocks_settings settings = imp_blocks_presets;
                double field, scale_free;
                settings.tolerance = 1e-12;
                settings.max_sweeps = floor(pow(10, k / 3.0) + 0.5);
                const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
                if (imp_solve(models[m], &problem, &settings, p, NULL) < 0) break;
                const double seconds = imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
                imp_natural_error(&problem, p, &field, &scale_free);
                const double error = imp_worse(field, scale_free);
                point(&s, settings.max_sweeps, settings.max_sweeps, seconds, error);
                if (error <= 1e-8) enough[m] = fmin(enough[m], settings.max_sweeps);
            }
        }
    }
    report_judge(r, OWN_BOUND,
                 "a wall: work of auto until 1e-8, in sweeps, below that of plain sweeps",
                 report_text(r, "< %g", enough[0]), report_text(r, "%g", enough[1]), "",
                 enough[1] < enough[0], report_text(r, "%d contacts", local.nc));
    free(p);
    imp_factored_free(factored);
    imp_blocks_free(blocks);
    imp_fclib_clear(&local);
    imp_fclib_clear(&global);
}

static void run(report *r) {
    report_rows *table =
        report_table(r, "b_work", "panel\tmethod\tsetting:6\twork:9\ttime_us:4\terror:4");
    plus(r, table);
    process(r, table);
    compliant(r, table);
    sweeps(r, table);
    report_figure(r, "b_work",
                  "Accuracy costs time with every method that has a dial; the series of "
                  "the impact process is exact to rounding. Relative error of the impulse "
                  "against CPU time. PLUS at a vertex of the brick, over θmax, against "
                  "the process it tends to. That process itself, the worst of a dozen "
                  "impacts of boxes: fixed Euler steps as the note prints them, and the "
                  "library's series, which has no dial. The compliant brick over the "
                  "accuracy asked, by both integrators. A wall of bricks: the "
                  "larger natural-map error over the sweeps allowed.");
}

const experiment experiment_b_work = {"B-Work", "Error against cost",
                                      "Not in the papers: what an answer of a given accuracy costs "
                                      "by each method. Work counts are judged, times shown.",
                                      run};
