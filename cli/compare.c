/* compare.c - `impact compare`: a scene through the compliant integrator and every model. */
#include "cli/cli.h"
#include "outside/outside.h"
#include "scene/compare.h"

#include <string.h>
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
        imp_error line; /* which a title does not break */
        imp_error_set(&line, IMP_OK, "%s: %.6f s of at most %g s", p->title, t, p->until);
        fprintf(stderr, "\r\033[K%s", line.text);
        p->shown = true;
    }
    p->last = now;
    return true;
}

/* Where the answers go; NULL: not asked for. */
typedef struct sheets {
    FILE *table, *impulses, *history;
    objects problems;
} sheets;

/* Writes a comparison to all of them. */
static imp_status write_all(const scene *s, const scene_comparison *c, const imp_model *only,
                            sheets *to) {
    scene_comparison_write(to->table, s, c);
    if (to->impulses) scene_impulses_write(to->impulses, s, c);
    if (to->problems.out && !objects_add(&to->problems, scene_problem_json(s, &c->moment, only)))
        return IMP_NO_MEMORY;
    return to->history ? scene_history_write(to->history, s, &c->moment) : IMP_OK;
}

/* Why solvers outside have no answer: they were asked nothing more then. */
static void tell_faults(const imp_model *const models[], scene_comparison *c) {
    for (int i = 0; i < c->count; i++)
        for (int k = 0; models[k] && c->row[i].status < 0 && !c->row[i].why; k++)
            if (strcmp(models[k]->name, c->row[i].name) == 0)
                c->row[i].why = outside_fault(models[k]);
}

/* Compares one variant and writes its rows. *unsolved: the scene has no compliant answer. */
static imp_status compare(const scene_file *file, int variant, const imp_model *const models[],
                          sheets *to, bool *unsolved, imp_error *error) {
    scene s;
    scene_comparison comparison;
    imp_error why;
    imp_status status = scene_build(file, variant, &s, error);
    if (status != IMP_OK) return status;
    progress p = {s.title, s.run.until, time(NULL), false};
    s.run.proceed = report;
    s.run.context = &p;
    status = scene_compare(&s, models, &comparison, &why);
    if (status == IMP_OK) {
        tell_faults(models, &comparison);
        status = write_all(&s, &comparison, models[0] && !models[1] ? models[0] : NULL, to);
        if (status != IMP_OK) imp_error_set(&why, status, "%s", imp_status_text(status));
    }
    if (p.shown) fputs("\r\033[K", stderr);
    if (status > 0) {
        scene_failure_write(to->table, &s, status, why.text);
        complain_of("%s: %.200s%s%s", file->name, s.title, *s.title ? ": " : "", why.text);
    } else if (status < 0) {
        imp_error_set(error, status, "%s: %.200s%s%s", file->name, s.title, *s.title ? ": " : "",
                      why.text);
    }
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

static int run_variants(const options *o, const scene_file *file, int first, int last) {
    imp_error error;
    bool unsolved = false;
    imp_status status = IMP_OK;
    FILE *problems;
    sheets to = {.table = output_open_whole(o->output)};
    if (!to.table) return EXIT_BAD;
    if (!output_beside("--impulses", o->impulses, "a table", &to.impulses) ||
        !output_beside("--history", o->history, "a table", &to.history) ||
        !output_beside("--problems", o->problems, "JSON", &problems))
        return output_abandon();
    imp_write_header(scene_comparison_columns, to.table);
    if (to.impulses) imp_write_header(scene_impulse_columns, to.impulses);
    if (to.history) imp_write_header(scene_history_columns, to.history);
    if (problems) to.problems = objects_begin(problems, objects_listed(o->problems));
    for (int i = first; i <= last && status == IMP_OK && !ferror(to.table); i++)
        status = compare(file, i, asked_models(o), &to, &unsolved, &error);
    if (problems) objects_end(&to.problems);
    if (status == IMP_OK) return output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED);
    complain(&error);
    return output_abandon();
}

static int compare_file(const options *o, scene_file *file) {
    imp_error error;
    imp_status status = IMP_OK;
    int first, last;
    if (!asked_variants(o, file, &first, &last)) return EXIT_BAD;
    for (char **a = o->assign; *a && status == IMP_OK; a++)
        status = scene_assign(file, asked_models(o), *a, &error);
    if (status == IMP_OK) status = validate(file, first, last, &error);
    return status == IMP_OK ? run_variants(o, file, first, last) : complain(&error);
}

static int run(const command *self, int argc, char **argv) {
    return run_scene(self, argc, argv, compare_file);
}

static const char *const option_names[] = {
    "model",      "set",          "variant", "exec",     "plugin",  "law",      "tol",
    "time-limit", "memory-limit", "output",  "impulses", "history", "problems", NULL};

const command command_compare = {
    .name = "compare",
    .arguments = "[OPTION]... SCENE",
    .summary = "run a scene with compliant contacts and compare every model with it",
    .options = option_names,
    .text =
        "One row per model: relative errors of impulses (where velocities determine them) and "
        "of velocities (in the\n"
        "mass norm) against the compliant run and against its limit of infinite stiffness, the "
        "change of energy\n"
        "in J, counts of work, and time. A model that takes no restitution is given e = 0. "
        "The limit has a transition\n"
        "of 0, too; limit_doubt says how far its velocity is uncertain. e_own is the "
        "restitution with which a model\n"
        "rebounds from a head-on impact without friction as the compliant run does, e_best the "
        "one that fits the scene\n"
        "best; v_error_plastic is the error with e = 0 against the end of the compression. `man "
        "impact` has them all.\n"
        "KEY is a setting, which goes to every model that has it (--set theta_max=0.02), or a "
        "key of the scene, with\n"
        "points into objects and lists (--set material.friction=0.3 --set "
        "impact.settings.plus.theta_max=0.02).\n"
        "Tables have the columns: --impulses scene model contact a b p1 p2 p3 u1 u2 u3, "
        "--history scene time pair\n"
        "contact a b depth f1 f2 f3 p1 p2 p3. --problems holds the restitution of the scene; "
        "with one "
        "--model, that and the\n"
        "settings which the model was given. Rows of --exec and --plugin are the last ones.\n",
    .files = 1,
    .models = true,
    .several = true,
    .tables = true,
    .run = run,
};
