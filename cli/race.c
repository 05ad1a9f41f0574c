/* race.c - `impact race`: several solvers on the same fresh problems, and whom each loses to. */
#include "audit/race.h"
#include "cli/asked.h"
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const imp_column columns[] = {IMP_WORDS("solver"),
                                     IMP_WORDS("law"),
                                     IMP_COUNTS("problems"),
                                     IMP_COUNTS("solved"),
                                     IMP_COUNTS("failed"),
                                     IMP_COUNTS("timed_out"),
                                     IMP_COUNTS("false"),
                                     IMP_NUMBERS("mean", "s", 3),
                                     IMP_NUMBERS("within_1", NULL, 3),
                                     IMP_NUMBERS("within_2", NULL, 3),
                                     IMP_NUMBERS("within_4", NULL, 3),
                                     IMP_NUMBERS("within_8", NULL, 3),
                                     IMP_NUMBERS("within_16", NULL, 3),
                                     IMP_WORDS("loses_to"),
                                     IMP_WORDS("reason"),
                                     IMP_COLUMNS_END};

static const imp_column row_columns[] = {IMP_WORDS("id"),
                                         IMP_COUNTS("contacts"),
                                         IMP_WORDS("solver"),
                                         IMP_WORDS("outcome"),
                                         IMP_NUMBERS("residual", NULL, 3),
                                         IMP_NUMBERS("seconds", "s", 3),
                                         IMP_NUMBERS("ratio", NULL, 3),
                                         IMP_COLUMNS_END};

/* A race as it runs. */
typedef struct racing {
    asked_progress progress;
    uint64_t seed;
    int solvers;
    audit_solver solver[RACE_MOST];
    FILE *rows; /* NULL: not asked for */
} racing;

static void show_progress(void *context, long done, long all) {
    show_asked(&((racing *)context)->progress, done, all);
}

static void write_each(void *context, const fresh_class *class, uint64_t number, int contacts,
                       const audit_answer *given, double best) {
    racing *r = context;
    char id[80];
    if (!r->rows) return;
    snprintf(id, sizeof id, "%.40s-%llu-%llu", class->name, (unsigned long long)r->seed,
             (unsigned long long)number);
    for (int s = 0; s < r->solvers; s++)
        imp_write_row(row_columns, r->rows, IMP_TEXT(id), IMP_NUMBER(contacts),
                      IMP_TEXT(r->solver[s].model->name),
                      IMP_TEXT(audit_outcome_text(given[s].outcome)), IMP_NUMBER(given[s].residual),
                      IMP_NUMBER(given[s].seconds),
                      IMP_NUMBER(audit_is_right(&given[s]) ? given[s].seconds / best : NAN));
}

/* "auto: unsolved 3, slower on 12 by 2.4; ...", those it loses most to first by their order. */
static char *losses_of(const racing *r, const race_row *row) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    const char *between = "";
    for (int s = 0; s < r->solvers; s++) {
        const race_loss *loss = &row->to[s];
        if (loss->unsolved + loss->slower == 0) continue;
        fprintf(out, "%s%s:", between, r->solver[s].model->name);
        if (loss->unsolved > 0) fprintf(out, " %ld unsolved", loss->unsolved);
        if (loss->slower > 0)
            fprintf(out, "%s %ld slower by %.3g", loss->unsolved > 0 ? "," : "", loss->slower,
                    exp(loss->log_factor / (double)loss->slower));
        between = "; ";
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static bool write_row(const racing *r, const race_report *report, int s, FILE *out) {
    const race_row *row = &report->row[s];
    const audit_solver *solver = &r->solver[s];
    const double all = (double)report->problems;
    char *losses = losses_of(r, row);
    if (!losses) return false;
    double within[RACE_FACTORS];
    for (int k = 0; k < RACE_FACTORS; k++)
        within[k] = (double)row->within[k] / all;
    imp_write_row(columns, out, IMP_TEXT(solver->model->name), IMP_TEXT(solver->model->law->name),
                  IMP_NUMBER(all), IMP_NUMBER((double)row->solved), IMP_NUMBER((double)row->failed),
                  IMP_NUMBER((double)row->timed_out), IMP_NUMBER((double)row->wrong),
                  IMP_NUMBER(race_mean(report, row)), IMP_VECTOR(within), IMP_NUMBER(within[3]),
                  IMP_NUMBER(within[4]), IMP_TEXT(losses), IMP_TEXT(row->reason));
    free(losses);
    return true;
}

static bool add_solver(racing *r, const options *o, const imp_model *model, bool outside) {
    for (int s = 0; s < r->solvers; s++)
        if (r->solver[s].model == model)
            return complain_of("race: %s stands twice, expected it once", model->name), false;
    audit_solver *own = &r->solver[r->solvers++];
    *own = (audit_solver){.model = model, .outside = outside, .seconds = o->asked.limits.seconds};
    imp_model_presets(model, &own->settings);
    own->tolerance = fmax(o->tolerance, imp_model_bound(model, &own->settings));
    return true;
}

/* Is the word a class, as it is no model? false after a complaint. */
static bool is_class(const char *word) {
    const char *names[2 * MOST_CLASSES + 1] = {NULL};
    char hint[80];
    int count = 0;
    for (const fresh_class *c = fresh_classes; c->name && count < MOST_CLASSES; c++) {
        if (strcmp(c->name, word) == 0) return true;
        names[count++] = c->name;
    }
    for (const imp_model *const *m = imp_models; *m && count < 2 * MOST_CLASSES; m++)
        names[count++] = (*m)->name;
    complain_of("unknown model or class \"%.60s\"%s, expected one that impact models or impact "
                "problems lists",
                word, imp_suggest(word, names, hint));
    return false;
}

/* Words that name models are solvers, all others classes, which are left in `names`. */
static bool find_solvers(racing *r, const options *o, char *names[MOST_CLASSES + 1]) {
    int left = 0;
    for (char **word = o->files; *word; word++) {
        const imp_model *model = imp_model_find(*word);
        if (!(model ? add_solver(r, o, model, false) : is_class(*word))) return false;
        if (!model) names[left++] = *word;
    }
    names[left] = NULL;
    for (int k = 0; o->outside[k]; k++)
        if (!add_solver(r, o, o->outside[k], true)) return false;
    if (r->solvers >= 2) return true;
    complain_of("race: %d solver%s, expected two or more: models, and those of --exec and --plugin",
                r->solvers, r->solvers == 1 ? "" : "s");
    return false;
}

static int write_all(const racing *r, const race_report *report, const char *again, FILE *out) {
    bool good = true;
    if (report->problems == 0) {
        complain_of("race: no problem that all of them take");
        return output_abandon();
    }
    fprintf(out, "# %s\n", again);
    imp_write_header(columns, out);
    for (int s = 0; good && s < r->solvers; s++)
        good = write_row(r, report, s, out);
    if (!good) {
        complain_of("no memory for the race");
        return output_abandon();
    }
    const int outcome = output_commit(EXIT_SOLVED);
    if (outcome == EXIT_SOLVED)
        fprintf(stderr, "impact: %ld problem%s raced, %ld not taken by all; --seed %llu\n",
                report->problems, report->problems == 1 ? "" : "s", report->left_out,
                (unsigned long long)r->seed);
    return outcome;
}

static int race(const options *o, racing *r, char *const *names, const char *again) {
    const fresh_class *classes[MOST_CLASSES + 1];
    static race_report report;
    const race_terms terms = {.solvers = r->solvers,
                              .solver = r->solver,
                              .classes = classes,
                              .seed = r->seed,
                              .count = o->count > 0 ? (long)o->count : USUAL_COUNT,
                              .progress = show_progress,
                              .each = write_each,
                              .context = r};
    FILE *out;
    if (!find_classes(names, classes) || !(out = output_open_whole(o->output))) return EXIT_BAD;
    if (!output_beside("--rows", o->rows, "a table", &r->rows)) return output_abandon();
    if (r->rows) imp_write_header(row_columns, r->rows);
    const imp_status status = race_run(&terms, &report);
    hide_asked(&r->progress);
    if (status == IMP_OK) return write_all(r, &report, again, out);
    complain_of("no memory for the race");
    return output_abandon();
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    char *again = NULL, *names[MOST_CLASSES + 1];
    racing r = {.solvers = 0};
    if (options_read(self, argc, argv, &o, &outcome)) {
        const bool seeded = !isnan(o.seed);
        outcome = EXIT_BAD;
        if (!(o.asked.limits.seconds > 0))
            complain_of("race: --time-limit is 0, expected a limit: it is what a failure costs");
        else if (find_solvers(&r, &o, names) && draw_seed(self->name, &o.seed)) {
            r.seed = (uint64_t)o.seed;
            again = command_again(argc, argv, seeded, o.seed);
            outcome = again ? race(&o, &r, names, again) : complain_of("no memory");
        }
    }
    free(again);
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"exec",       "plugin",       "law",   "tol",
                                           "time-limit", "memory-limit", "count", "seed",
                                           "rows",       "output",       NULL};

const command command_race = {
    .name = "race",
    .arguments = "[--exec COMMAND|--plugin FILE]... [OPTION]... [MODEL]... [CLASS]...",
    .summary = "several solvers on the same fresh problems: what each solves, and whom it loses to",
    .options = option_names,
    .text =
        "Words that name models are solvers, others classes; without classes all of them. "
        "Solvers of yours may be\n"
        "several, each by its --exec or --plugin: by one --law they are judged alike, of several "
        "each is that of the\n"
        "solver before it. Problems that one of the laws or models does not take are left out. A "
        "row per solver:\n"
        "solver law problems solved failed timed_out false mean within_1 within_2 within_4 "
        "within_8 within_16\n"
        "loses_to reason\n"
        "by residuals computed here, each by its own law. mean is the shifted geometric mean "
        "of its times, a failure\n"
        "costing the time limit; within_4 is the share of problems it solves within 4 times "
        "the time of the fastest.\n"
        "A time of a solver of yours includes the start of its process where a problem waits for "
        "one: one after its\n"
        "end, and each of a plugin.\n",
    .optional = MOST_CLASSES,
    .several = true,
    .judges = true,
    .tables = true,
    .run = run,
};
