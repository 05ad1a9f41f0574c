/* audit.c - `impact audit`: a solver put to fresh problems of every class, and judged. */
#include "audit/report.h"
#include "audit/words.h"
#include "cli/asked.h"
#include "cli/cli.h"
#include "io/dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The suffix of a file's name; NULL: it has none. */
static const char *suffix_of(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path,
               *dot = name ? strrchr(name, '.') : NULL;
    return dot && dot > name ? dot : NULL;
}

/* The format that --to or the output's suffix names; NULL after a complaint. */
static const audit_format *find_format(const options *o) {
    const audit_format *by_suffix = NULL, *by_name = NULL;
    const char *dot = suffix_of(o->output);
    char list[80] = "";
    size_t length = 0;
    for (const audit_format *f = audit_formats; f->name; f++) {
        if (dot && has_suffix(dot, f->suffix)) by_suffix = f;
        if (o->to && strcmp(o->to, f->name) == 0) by_name = f;
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                                   f->name);
    }
    if (!o->to && (by_suffix || !dot)) return by_suffix ? by_suffix : audit_formats;
    if (!o->to) {
        complain_of(
            "%s is \"%.200s\", expected the suffix .tsv, .json, .tap, .xml or .html, or --to",
            o->output_word, o->output);
        return NULL;
    }
    if (by_name && (!by_suffix || by_suffix == by_name)) return by_name;
    if (by_name)
        complain_of("%s is \"%.200s\" but --to is %s, expected another suffix than %s",
                    o->output_word, o->output, by_name->name, dot);
    else
        complain_of("--to is \"%.60s\", expected one of %s", o->to, list);
    return NULL;
}

static bool is_folder(const char *path) {
    struct stat about;
    if (!path || (stat(path, &about) == 0 && S_ISDIR(about.st_mode))) return true;
    complain_of("--worst is \"%.200s\", expected a folder", path);
    return false;
}

/* id <- CLASS-SEED-NUMBER; FOLDER/CLASS-SEED-NUMBER.json is returned. NULL: no memory. */
static char *dump_name(const options *o, const audit_problem *problem, char id[80]) {
    char *path;
    snprintf(id, 80, "%.40s-%llu-%llu", problem->class->name, (unsigned long long)o->seed,
             (unsigned long long)problem->number);
    return asprintf(&path, "%s/%s.json", o->worst, id) < 0 ? NULL : path;
}

/* Is the file of a problem apart from what else is written? */
static imp_status apart(const options *o, const audit_problem *problem, imp_error *error) {
    char id[80], *path = dump_name(o, problem, id);
    const imp_status status =
        path ? options_apart(o, path, error) : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    free(path);
    return status;
}

static imp_status dump(const options *o, const audit_problem *problem, imp_error *error) {
    fresh_problem made;
    char id[80], *path = dump_name(o, problem, id);
    imp_status status = fresh_make(problem->class, (uint64_t)o->seed, problem->number, &made);
    if (status != IMP_OK || !path) {
        status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    } else {
        output_hold();
        status = imp_problem_dump(path, id, &made.problem, NULL, NULL, error);
        output_release();
    }
    free(path);
    fresh_clear(&made);
    return status;
}

/* Each problem, by one of the two above. */
static imp_status each_worst(const options *o, const audit_report *report,
                             imp_status (*one)(const options *, const audit_problem *, imp_error *),
                             imp_error *error) {
    imp_status status = IMP_OK;
    for (int k = 0; o->worst && status == IMP_OK && k < AUDIT_WORST && report->worst[k].class; k++)
        status = one(o, &report->worst[k], error);
    return status;
}

static imp_status dump_worst(const options *o, const audit_report *report, imp_error *error) {
    const imp_status status = each_worst(o, report, apart, error); /* before any is written */
    return status == IMP_OK ? each_worst(o, report, dump, error) : status;
}

/* One line on standard error: what came of all classes. */
static void print_verdict(const audit_page *page) {
    const audit_row *all = &page->report->row[page->report->rows - 1];
    const audit_solver *solver = &page->terms->solver;
    fprintf(stderr, "impact: %s by %s: %s: ", solver->model->name, solver->model->law->name,
            audit_verdict_text(audit_verdict_of(all)));
    audit_write_sentence(all, stderr);
    fprintf(stderr, "; --seed %llu\n", (unsigned long long)page->terms->seed);
}

/* Writes everything of an audit that was run. */
static int write_page(const options *o, const audit_format *format, const audit_page *page,
                      FILE *out) {
    imp_error error;
    imp_status status = format->write(page, out)
                            ? IMP_OK
                            : imp_error_set(&error, IMP_NO_MEMORY, "no memory for the audit");
    if (status == IMP_OK) status = dump_worst(o, page->report, &error);
    if (status != IMP_OK) {
        complain(&error);
        return output_abandon();
    }
    const audit_row *all = &page->report->row[page->report->rows - 1];
    const int outcome =
        output_commit(audit_verdict_of(all) == AUDIT_OK ? EXIT_SOLVED : EXIT_UNSOLVED);
    if (outcome != EXIT_BAD) print_verdict(page);
    return outcome;
}

static int audit(const options *o, const audit_format *format, const char *again) {
    const fresh_class *classes[MOST_CLASSES + 1];
    asked_progress progress = {0};
    audit_report report;
    const audit_terms terms = {.solver = asked_solver(o),
                               .classes = classes,
                               .seed = (uint64_t)o->seed,
                               .count = o->count > 0 ? (long)o->count : USUAL_COUNT,
                               .least = o->least,
                               .progress = show_asked,
                               .context = &progress};
    FILE *out;
    if (!find_classes(o->files, classes) || !(out = output_open_whole(o->output))) return EXIT_BAD;
    const imp_status status = audit_run(&terms, &report);
    hide_asked(&progress);
    if (status != IMP_OK) {
        complain_of("no memory for the audit");
        return output_abandon();
    }
    const audit_page page = {.terms = &terms, .report = &report, .command = again};
    const int outcome = write_page(o, format, &page, out);
    audit_clear(&report);
    return outcome;
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    char *again = NULL;
    if (options_read(self, argc, argv, &o, &outcome)) {
        const audit_format *format = find_format(&o);
        const bool seeded = !isnan(o.seed);
        outcome = EXIT_BAD;
        if (format && is_folder(o.worst) && draw_seed(self->name, &o.seed)) {
            again = command_again(argc, argv, seeded, o.seed);
            outcome = again ? audit(&o, format, again) : complain_of("no memory");
        }
    }
    free(again);
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {
    "model",  "exec",  "plugin", "law",   "tol", "time-limit", "memory-limit", "set",
    "choice", "count", "seed",   "least", "to",  "worst",      "output",       NULL};

const command command_audit = {
    .name = "audit",
    .arguments = "--model NAME|--exec COMMAND|--plugin FILE [OPTION]... [CLASS]...",
    .summary = "put a solver to fresh problems of every class, or of those named, and judge it",
    .options = option_names,
    .text = "A row per class, and one of all: what was right, by residuals computed here; what the "
            "solver says of itself\n"
            "against that; whether other units, tangents, orders or another turn change its "
            "answer; which of several\n"
            "solutions of Coulomb's law it returns. What each column counts stands in impact(1), "
            "AUDITS. It passes where\n"
            "nothing is false, broken or without an answer, the bits stay the same, and something "
            "is right, or as much as\n"
            "--least asks for of what the law takes, whatever a solver of yours says to be "
            "unsupported:\nexit status 0, otherwise 1. The output's suffix is its format: "
            ".tsv, .json, .tap, .xml (JUnit) or "
            ".html; --to table, json,\n"
            "tap, junit or html. Without -n ten of each class.\n",
    .optional = MOST_CLASSES,
    .formats = "table json tap junit html",
    .judges = true,
    .run = run,
};
