/* bench_compliant.c - what a compliant impact costs, by accuracy and by stiffness. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "benchmarks/harness/cradle.h"
#include "compliant/merson.h"
#include "scene/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct running {
    const scene *s;
    const scene_moment *moment;
    compliant_settings settings;
    scene_outcome outcome;
    imp_status status;
    double evaluations, steps;
} running;

static void run(void *context) {
    running *r = context;
    compliant_result result;
    r->status = scene_compliant(r->s, r->moment, &r->settings, &r->outcome, &result);
    r->evaluations = (double)result.contact_evaluations;
    r->steps = (double)result.steps;
    compliant_result_clear(&result);
}

/* A scene at its first touch, the most accurate outcome there is, and the rigid limit. */
typedef struct subject {
    scene s;
    scene_moment moment;
    scene_outcome best, limit;
    double speed; /* the velocity before in the mass norm, J^1/2 */
    bool limited;
} subject;

static compliant_settings settings_of(const subject *x, const gsl_odeiv2_step_type *stepper,
                                      double accuracy) {
    compliant_settings settings = x->s.run;
    settings.stepper = stepper;
    settings.accuracy = accuracy;
    settings.history = false;
    settings.max_steps = 100000000;
    return settings;
}

/* The stiffness of every pair is multiplied by `factor`. */
static bool subject_make(subject *x, const scene_file *file, double factor) {
    imp_error error;
    double doubt;
    memset(x, 0, sizeof *x);
    if (scene_build(file, 0, &x->s, &error) != IMP_OK) {
        fprintf(stderr, "bench_compliant: %s\n", error.text);
        return false;
    }
    for (int k = 0; k < x->s.system.npairs; k++)
        x->s.system.pairs[k].law.stiffness *= factor;
    if (scene_touch(&x->s, &x->moment) != IMP_OK ||
        scene_outcome_init(&x->best, &x->moment) != IMP_OK ||
        scene_outcome_init(&x->limit, &x->moment) != IMP_OK)
        return false;
    const compliant_settings settings = settings_of(x, gsl_odeiv2_step_rk8pd, 1e-13);
    double *rest = calloc((size_t)x->moment.nv, sizeof *rest);
    if (rest) x->speed = scene_velocity_distance(&x->moment, x->moment.v, rest);
    free(rest);
    x->limited = scene_limit(&x->s, &x->moment, &x->limit, &doubt) == IMP_OK;
    compliant_result result;
    const imp_status status = scene_compliant(&x->s, &x->moment, &settings, &x->best, &result);
    compliant_result_clear(&result);
    return status == IMP_OK;
}

static void subject_clear(subject *x) {
    scene_outcome_clear(&x->best);
    scene_outcome_clear(&x->limit);
    scene_moment_clear(&x->moment);
    scene_clear(&x->s);
}

/* Returns the force evaluations. */
static double print_row(bench *b, const char *name, const subject *x, compliant_settings settings) {
    running r = {.s = &x->s, .moment = &x->moment, .settings = settings};
    if (scene_outcome_init(&r.outcome, &x->moment) != IMP_OK) return NAN;
    const bench_timing t = bench_time(run, &r, 1);
    const double error = scene_velocity_distance(&x->moment, r.outcome.v, x->best.v) / x->speed;
    const double limit = scene_velocity_distance(&x->moment, r.outcome.v, x->limit.v) / x->speed;
    bench_row(
        b, name, &t, r.status == IMP_OK ? error : INFINITY,
        (const double[]){r.evaluations, r.steps, t.cpu / r.evaluations, x->limited ? limit : NAN});
    scene_outcome_clear(&r.outcome);
    return r.evaluations;
}

static const char *const counters[] = {"evaluations", "steps", "ns/eval", "limit", NULL};

static void by_accuracy(bench *b, const scene_file *file) {
    const struct {
        const char *name;
        const gsl_odeiv2_step_type *stepper;
    } methods[] = {{"merson", compliant_step_merson}, {"dormand-prince-8", gsl_odeiv2_step_rk8pd}};
    subject x;
    bench_table(b,
                "compliant brick by accuracy: ns an impact; error: of the velocity after, relative",
                counters);
    if (subject_make(&x, file, 1))
        for (int m = 0; m < 2; m++) {
            double accuracy[8], evaluations[8];
            char name[96];
            for (int n = 0; n < 8; n++) {
                const double a = pow(10, -3 - n);
                snprintf(name, sizeof name, "%s/accuracy:%.0e", methods[m].name, a);
                accuracy[n] = 1 / a;
                evaluations[n] = print_row(b, name, &x, settings_of(&x, methods[m].stepper, a));
            }
            snprintf(name, sizeof name, "%s: evaluations against 1/accuracy", methods[m].name);
            bench_exponent(b, name, 8, accuracy, evaluations);
        }
    subject_clear(&x);
}

static void by_stiffness(bench *b, const scene_file *file) {
    double stiffness[5], evaluations[5];
    bench_table(b, "compliant brick by stiffness, Merson at 1e-6", counters);
    for (int n = 0; n < 5; n++) {
        const double factor = pow(100, n - 1);
        subject x;
        char name[96];
        snprintf(name, sizeof name, "merson/stiffness:%.0e", factor);
        stiffness[n] = factor;
        evaluations[n] = NAN;
        if (subject_make(&x, file, factor))
            evaluations[n] = print_row(b, name, &x, settings_of(&x, compliant_step_merson, 1e-6));
        subject_clear(&x);
    }
    bench_exponent(b, "evaluations against stiffness", 5, stiffness, evaluations);
}

static void run_cradle(void *context) {
    (void)cradle_run(context);
}

static void by_balls(bench *b) {
    enum { SIZES = 6 };
    static const double gaps[2] = {0, 1e-4};
    bench_table(b, "compliant cradle by the number of balls, touching and 0.1 mm apart: ns a run",
                (const char *const[]){"balls", "evaluations", "steps", "ns/eval", NULL});
    for (int k = 0; k < 2; k++) {
        double size[SIZES], ns[SIZES];
        char name[96];
        for (int n = 0; n < SIZES; n++) {
            cradle c;
            size[n] = 8 << n;
            ns[n] = NAN;
            snprintf(name, sizeof name, "%s/balls:%d", k ? "apart" : "touching", 8 << n);
            if (cradle_make(&c, 8 << n, gaps[k], 1)) {
                const bench_timing t = bench_time(run_cradle, &c, 1);
                ns[n] = t.cpu;
                bench_row(b, name, &t, fabs(c.momentum - 1),
                          (const double[]){size[n], c.evaluations, c.steps, t.cpu / c.evaluations});
            }
            cradle_clear(&c);
        }
        snprintf(name, sizeof name, "%s: ns against balls", k ? "apart" : "touching");
        bench_exponent(b, name, SIZES, size, ns);
    }
}

static const usage about = {
    .program = "bench_compliant",
    .arguments = "",
    .text =
        "What a compliant impact costs, by accuracy and by stiffness. The brick that falls on its "
        "corner\n"
        "(benchmarks/scenes/brick-point.json), from first touch to separation, by both methods. "
        "The "
        "error is of the\n"
        "velocity after, in the mass norm, relative to the velocity before: against the same run "
        "at "
        "accuracy 1e-13.\n"
        "limit is how far that is from the rigid limit. Then a cradle of equal balls, the first of "
        "which meets the\n"
        "others, touching or 0.1 mm apart, by their number; the error is that of the momentum.\n"
        "Runs in the root of the repository. Exit 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    bench b = bench_begin("compliant");
    scene_file file;
    imp_error error;
    if (scene_open("benchmarks/scenes/brick-point.json", &file, &error) != IMP_OK) {
        fprintf(stderr, "bench_compliant: %s\n", error.text);
        return 2;
    }
    by_accuracy(&b, &file);
    by_stiffness(&b, &file);
    by_balls(&b);
    scene_close(&file);
    return bench_end(&b);
}
