/* sweep.c - `impact sweep`: a scene over a grid of values, its points spread over processes. */
#include "cli/cli.h"
#include "cli/kept.h"
#include "cli/workers.h"
#include "cli/sweep_plot.h"
#include "base/clock.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sweep as it runs. */
typedef struct sweeping {
    scene_sweep sweep;
    kept *kept;
    bool terminal, shown;
    double began, shown_at; /* s, of the clock */
    long before;            /* points that were kept before it began */
} sweeping;

static bool skip(void *context, long point) {
    return kept_has(((sweeping *)context)->kept, point);
}

static bool proceed(double t, void *context) {
    (void)t;
    (void)context;
    return !workers_orphaned();
}

static imp_status work(void *context, long point, FILE *out, imp_error *error) {
    return scene_sweep_point(&((sweeping *)context)->sweep, point, proceed, NULL, out, error);
}

static imp_status take(void *context, long point, imp_status status, const char *bytes,
                       size_t length, imp_error *error) {
    return kept_add(((sweeping *)context)->kept, point, status, bytes, length, error);
}

/* Once a second, on a terminal only. */
static void show_progress(void *context) {
    sweeping *s = context;
    const double now = imp_seconds(CLOCK_MONOTONIC);
    if (!s->terminal || now - s->shown_at < 1) return;
    s->shown_at = now;
    const long done = kept_count(s->kept);
    fprintf(stderr, "\r\033[K%ld of %ld points", done, s->sweep.points);
    if (done > s->before) {
        const double rate = (double)(done - s->before) / (now - s->began),
                     left = (double)(s->sweep.points - done) / rate;
        char text[32];
        fprintf(stderr, ", %.3g points/s, %s left", rate, time_text(left, text));
    }
    fflush(stderr);
    s->shown = true;
}

/* Every point builds, before anything is written. */
static imp_status validate(const scene_sweep *sweep, imp_error *error) {
    imp_status status = IMP_OK;
    for (long i = 0; i < sweep->points && status == IMP_OK; i++) {
        scene s;
        status = scene_sweep_build(sweep, i, &s, error);
        if (status == IMP_OK) scene_clear(&s);
    }
    return status;
}

static int cores(void) {
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? n : 1;
}

/* Runs the points that are not kept and writes the table. */
static imp_status run_points(const options *o, sweeping *s, FILE *out, FILE *plot,
                             imp_error *error) {
    const workers w = {.jobs = o->jobs > 0 ? (int)o->jobs : cores(),
                       .items = s->sweep.points,
                       .context = s,
                       .skip = skip,
                       .work = work,
                       .take = take,
                       .wait = show_progress};
    char title[80], numbers[40];
    snprintf(numbers, sizeof numbers, "%d %d", s->sweep.first, s->sweep.last);
    if (!kept_title("sweep", s->sweep.file->root, numbers, o, s->sweep.models, title))
        return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    s->kept = kept_open(o->keep, title, s->sweep.points, error);
    if (!s->kept) return error->status;
    s->before = kept_count(s->kept);
    imp_status status = workers_run(&w, error);
    if (s->shown) fputs("\r\033[K", stderr);
    if (status != IMP_OK) return status;
    imp_write_header(s->sweep.column, out);
    status = kept_write(s->kept, out, error);
    if (status == IMP_OK && plot) status = sweep_plot_write(plot, &s->sweep, s->kept, error);
    return status;
}

static int run_sweep(const options *o, sweeping *s) {
    imp_error error;
    FILE *plot, *out = output_open_whole(o->output);
    if (!out) return EXIT_BAD;
    if (!output_beside("--plot", o->plot, "a gnuplot script", &plot)) return output_abandon();
    if (!options_keep_apart(o)) return output_abandon();
    s->terminal = isatty(STDERR_FILENO);
    s->began = s->shown_at = imp_seconds(CLOCK_MONOTONIC);
    const imp_status status = run_points(o, s, out, plot, &error);
    const bool unsolved = s->kept && kept_unsolved(s->kept);
    if (status == IMP_OK) return output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED);
    complain(&error);
    return output_abandon();
}

static int run_file(const options *o, scene_file *file) {
    sweeping s = {.kept = NULL};
    imp_error error;
    imp_status status = IMP_OK;
    int first, last;
    if (!asked_variants(o, file, &first, &last)) return EXIT_BAD;
    scene_sweep_init(&s.sweep, file, asked_models(o), first, last);
    for (char **a = o->assign; *a && status == IMP_OK; a++)
        status = scene_assign(file, asked_models(o), *a, &error);
    for (const char **a = o->over; *a && status == IMP_OK; a++)
        status = scene_sweep_add(&s.sweep, *a, &error);
    if (status == IMP_OK && s.sweep.axes == 0)
        status = imp_error_set(&error, IMP_BAD_ARGUMENT,
                               "sweep: nothing to vary, expected --over KEY=VALUES");
    if (status == IMP_OK && o->plot) status = sweep_plot_check(&s.sweep, &error);
    if (status == IMP_OK) status = validate(&s.sweep, &error);
    const int outcome = status == IMP_OK ? run_sweep(o, &s) : complain(&error);
    kept_close(s.kept);
    scene_sweep_clear(&s.sweep);
    return outcome;
}

static int run(const command *self, int argc, char **argv) {
    return run_scene(self, argc, argv, run_file);
}

static const char *const option_names[] = {"over",   "model", "set",  "variant", "jobs",
                                           "output", "keep",  "plot", NULL};

const command command_sweep = {
    .name = "sweep",
    .arguments = "[--over KEY=VALUES]... [OPTION]... SCENE",
    .summary = "compare every model over a grid of values of a scene's keys and of settings",
    .options = option_names,
    .text =
        "VALUES are VALUE,VALUE,... or lin:FROM:TO:N or log:FROM:TO:N; several --over make a grid. "
        "KEY is a setting,\n"
        "which goes to every model that has it (theta_max=log:1e-4:0.1:20), or a key of the scene, "
        "with points into\n"
        "objects and lists (material.stiffness=log:1e8:1e12:9, bodies.brick.velocity.0=-5,-4). One "
        "row per point and\n"
        "model: the swept keys, then\n"
        "scene model status contacts e p_error v_error p_error_limit v_error_limit limit_doubt "
        "energy evaluations\n"
        "iterations intervals rounds why\n"
        "as of compare; of a point without a compliant answer one row says why. The same table for "
        "any --jobs, and\n"
        "for a sweep that was interrupted and goes on with --keep.\n",
    .files = 1,
    .models = true,
    .tables = true,
    .run = run,
};
