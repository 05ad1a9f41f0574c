/* compare.c - `impact compare`: a scene through the compliant integrator and every model. */
#include "cli/cli.h"
#include "scene/compare.h"

#include <time.h>
#include <unistd.h>

/* What a long run says on a terminal, once a second. */
typedef struct progress {
    const char *title;
    double until; /* s, of the scene */
    time_t last;
    bool shown;
} progress;

static bool report(double t, void *context) {
    progress *p = context;
    const time_t now = time(NULL);
    if (now != p->last && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s: %.6f s of at most %g s", p->title, t, p->until);
        p->shown = true;
    }
    p->last = now;
    return true;
}

/* Compares one variant and writes its rows. *unsolved: the scene has no compliant answer. */
static imp_status compare(const scene_file *file, int variant, FILE *out, bool *unsolved,
                          imp_error *error) {
    scene s;
    scene_comparison comparison;
    imp_error why;
    imp_status status = scene_build(file, variant, &s, error);
    if (status != IMP_OK) return status;
    progress p = {s.title, s.run.until, time(NULL), false};
    s.run.proceed = report;
    s.run.context = &p;
    status = scene_compare(&s, imp_models, &comparison, &why);
    if (p.shown) fputc('\n', stderr);
    if (status == IMP_OK)
        scene_comparison_write(out, &s, &comparison);
    else if (status > 0)
        complain_of("%s: %s", file->name, why.text);
    else
        imp_error_set(error, status, "%s: %s", file->name, why.text);
    *unsolved = *unsolved || status > 0;
    scene_comparison_clear(&comparison);
    scene_clear(&s);
    return status < 0 ? status : IMP_OK;
}

/* Every variant asked for builds, before anything is written. */
static imp_status validate(const scene_file *file, int first, int last, imp_error *error) {
    imp_status status = IMP_OK;
    for (int i = first; i <= last && status == IMP_OK; i++) {
        scene s;
        status = scene_build(file, i, &s, error);
        if (status == IMP_OK) scene_clear(&s);
    }
    return status;
}

static int run_file(const options *o, const scene_file *file) {
    imp_error error;
    int first = 0, last = file->variants - 1;
    if (o->variant) {
        first = last = scene_variant_find(file, o->variant);
        if (first < 0) return complain_of("%s: no variant \"%.100s\"", file->name, o->variant);
    }
    if (validate(file, first, last, &error) != IMP_OK) return complain(&error);
    FILE *out = output_open(o->output);
    if (!out) return EXIT_BAD;
    imp_write_header(scene_comparison_columns, out);
    bool unsolved = false;
    for (int i = first; i <= last && !ferror(out); i++)
        if (compare(file, i, out, &unsolved, &error) != IMP_OK) {
            complain(&error);
            return output_abandon();
        }
    return output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED);
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    scene_file file;
    imp_error error;
    if (options_read(self, argc, argv, &o, &outcome)) {
        if (scene_open(o.files[0], &file, &error) == IMP_OK) {
            outcome = run_file(&o, &file);
            scene_close(&file);
        } else {
            outcome = complain(&error);
        }
    }
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"variant", "output", NULL};

const command command_compare = {
    .name = "compare",
    .arguments = "[--variant NAME] [-o FILE] SCENE",
    .summary = "run a scene with compliant contacts and compare every model with it",
    .options = option_names,
    .text = "One row per model: relative errors of impulses (where velocities determine them) and "
            "of velocities (in the\n"
            "mass norm) against the compliant run and against its limit of infinite stiffness, the "
            "change of energy\n"
            "in J, counts of work, and time. A model that takes no restitution is given e = 0. "
            "limit_doubt says how far\n"
            "the limit of the velocity is uncertain. e_own is the restitution with which a model "
            "rebounds from a head-on\n"
            "impact without friction as the compliant run does, e_best the one that fits the scene "
            "best; v_error_plastic "
            "is\n"
            "the error with e = 0 against the end of the compression. `man impact` has them all.\n",
    .files = 1,
    .run = run,
};
