/* options.c - the command line of each command, and its --help. */
#include "cli/cli.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every option of the program; a command names those it takes. */
static const struct {
    const char *name, *argument, *meaning;
} known[] = {
    {"model", "NAME", "the impact model"},
    {"set", "KEY=VALUE",
     "one of the settings of the model, the flow or the scene; may be repeated"},
    {"choice", "VALUE", "short for --set choice=VALUE"},
    {"tol", "TOL", "largest residual accepted, dimensionless (default 1e-9)"},
    {"output", "FILE", "write to FILE, whole or not at all (also -o FILE)"},
    {"dump-failed", "FOLDER",
     "write each unsolved problem to FOLDER/MODEL-POSITION.json, which solve replays"},
    {"variant", "NAME", "only this variant of the scene"},
    {"impulses", "FILE", "impulses and velocities after them, a row per model and contact"},
    {"history", "FILE", "the compliant run step by step, a row per pair that presses in it"},
    {"problems", "FILE", "the impact problems as JSON, for solve"},
    {"bodies", "FILE", "where every body is and how it moves, a row per body and time"},
    {"contacts", "FILE", "impulses and velocities after them, a row per contact and time"},
    {"every", "K", "rows of every K-th step alone"},
    {"over", "KEY=VALUES",
     "the values that a setting or a key of the scene takes; may be repeated"},
    {"jobs", "N", "how many processes (default: as many as cores)"},
    {"keep", "FILE", "keep what is done in FILE, and go on from there"},
    {"plot", "FILE", "error and cost as a gnuplot script, with its table: gnuplot FILE > X.svg"},
    {"to", "FORMAT", "the format of the output, where its suffix does not say it"},
    {"facts", NULL, "answers but tables also hold rank, redundancy and asymmetry of W"},
    {"path", NULL, "JSON answers also hold how they came about: steps and multipliers"},
    {"forces", NULL, "of problems with b: the forces where nothing collides, and what follows"},
    {"resume", "CHECKPOINT", "go on from there"},
    {"each", "FILE", "the error of each model on each impact, a row per impact and model"},
    {"pairs", "FILE", "the models' mean differences and their intervals, a row per pair"},
    {"traffic", "FILE", "of impact-mpi: what each rank held and sent, and its seconds by phase"},
    {"exec", "COMMAND", "a program is the solver: a problem a line in JSON, an answer a line back"},
    {"plugin", "FILE", "a shared object is the solver (contact/plugin.h)"},
    {"law", "NAME", "the law that their answers are judged by"},
    {"time-limit", "S", "s they have for a problem (default 10)"},
    {"memory-limit", "MIB", "MiB they may have (default: no limit)"},
    {"count", "N", "how many problems of a class (also -n N)"},
    {"seed", "S", "the seed that draws them, a whole number (default: a new one)"},
    {"worst", "FOLDER", "the ten worst problems, each FOLDER/CLASS-SEED-NUMBER.json, for solve"},
    {"rows", "FILE", "a row per problem and solver"},
    {"help", NULL, "this text; with --model also the model's settings"},
};
enum { MOST_JOBS = 1024 };
enum {
    KNOWN = sizeof known / sizeof *known,
    MODEL = 0,
    SET,
    CHOICE,
    TOL,
    OUTPUT,
    DUMP_FAILED,
    VARIANT,
    IMPULSES,
    HISTORY,
    PROBLEMS,
    BODIES,
    CONTACTS,
    EVERY,
    OVER,
    JOBS,
    KEEP,
    PLOT,
    TO,
    FACTS,
    PATH,
    FORCES,
    RESUME,
    EACH,
    PAIRS,
    TRAFFIC,
    EXEC,
    PLUGIN,
    LAW,
    TIME_LIMIT,
    MEMORY_LIMIT,
    COUNT,
    SEED,
    WORST,
    ROWS,
    HELP
};

static bool takes(const command *self, const char *name) {
    for (const char *const *o = self->options; *o; o++)
        if (strcmp(*o, name) == 0) return true;
    return strcmp(name, "help") == 0;
}

static void print_models(FILE *out) {
    fputs("\nModels:\n", out);
    for (const imp_model *const *m = imp_models; *m; m++)
        fprintf(out, "  %-22s %s\n", (*m)->name, (*m)->title);
}

static void print_settings(const imp_model *model, FILE *out) {
    fprintf(out, "\nSettings of %s:%s\n", model->name,
            model->keys && model->keys->name ? "" : " none");
    for (const imp_key *key = model->keys; key && key->name; key++) {
        fprintf(out, "  %-14s %s", key->name, key->meaning);
        if (key->choices) {
            fputs(": ", out);
            for (int i = 0; key->choices[i]; i++)
                fprintf(out, "%s%s", i ? ", " : "", key->choices[i]);
            fprintf(out, " (default %s)\n", key->choices[(int)key->preset]);
        } else {
            const char *const kind = strcmp(key->unit, IMP_COUNT) == 0   ? "whole, "
                                     : strcmp(key->unit, IMP_PAIRS) == 0 ? "even, "
                                                                         : "";
            const char *const unit = *kind || strcmp(key->unit, "-") == 0 ? "" : key->unit;
            fprintf(out, ", %sfrom %g to %g%s%s (default %g)\n", kind, key->low, key->high,
                    *unit ? " " : "", unit, key->preset);
        }
    }
}

static int print_help(const command *self, const options *o) {
    FILE *out = output_open(NULL);
    if (!out) return EXIT_BAD;
    fprintf(out, "usage: impact %s %s\n\n%s\n\nOptions:\n", self->name, self->arguments,
            self->summary);
    for (int i = 0; i < KNOWN; i++) {
        if (!takes(self, known[i].name)) continue;
        char option[40];
        snprintf(option, sizeof option, "--%s%s%s", known[i].name, known[i].argument ? " " : "",
                 known[i].argument ? known[i].argument : "");
        fprintf(out, "  %-22s %s\n", option,
                i == MODEL && self->models ? "only these models: NAME,NAME or --model again"
                                           : known[i].meaning);
    }
    if (self->text) fprintf(out, "\n%s", self->text);
    const imp_model *const one[] = {o->model, NULL}, *const *asked = o->models ? o->models : one;
    for (const imp_model *const *m = asked; *m; m++)
        print_settings(*m, out);
    if (takes(self, "model") && !*asked) print_models(out);
    return output_commit(EXIT_SOLVED);
}

static int unknown_model(const char *name) {
    char list[IMP_ERROR_TEXT] = "", hint[80];
    const char *names[100] = {NULL};
    size_t length = 0, count = 0;
    for (const imp_model *const *m = imp_models; *m && count < 99; m++)
        names[count++] = (*m)->name;
    for (const imp_model *const *m = imp_models; *m && length < sizeof list - 40; m++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%.30s",
                                   m == imp_models ? "" : ", ", (*m)->name);
    return complain_of("unknown model \"%.60s\"%s, expected one of %s", name,
                       suggest(name, names, hint), list);
}

static void unknown_option(const command *self, const char *given) {
    const char *names[KNOWN + 1] = {NULL};
    char word[64], hint[80];
    int count = 0;
    for (int i = 0; i < KNOWN; i++)
        if (takes(self, known[i].name)) names[count++] = known[i].name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    complain_of("%s: unknown option \"%.60s\"%s, expected one of impact %s --help", self->name,
                given, suggest(word + strspn(word, "-"), names, hint), self->name);
}

/* Adds the models of "NAME,NAME" to the list; false after a complaint. */
static bool take_models(options *o, const char *names) {
    for (const char *name = names;; name++) {
        char own[64];
        const size_t length = strcspn(name, ",");
        int count = 0;
        snprintf(own, sizeof own, "%.*s", (int)(length < 63 ? length : 63), name);
        const imp_model *model = imp_model_find(own);
        if (!model) return unknown_model(own), false;
        for (; o->models[count]; count++)
            if (o->models[count] == model)
                return complain_of("--model names %s twice, expected it once", own), false;
        o->models[count] = model;
        name += length;
        if (!*name) return true;
    }
}

/* A number in [low, high], whole where high is finite; false after a complaint. */
static bool take_number(int option, const char *value, double low, double high, double *x) {
    const char *expected = imp_number_parse(value, x);
    char range[60];
    if (isfinite(high))
        snprintf(range, sizeof range, "a whole number from %g to %.0f", low, high);
    else
        snprintf(range, sizeof range, "a number >= %g", low);
    if (!expected && !(*x >= low && *x <= high && (!isfinite(high) || fmod(*x, 1) == 0)))
        expected = range;
    if (expected)
        complain_of("--%s is \"%.60s\", expected %s", known[option].name, value, expected);
    return !expected;
}

/* Takes one option's value; false after a complaint. */
static bool take(options *o, int option, const char *value, int *assigned) {
    int over = 0;
    switch (option) {
    case MODEL:
        if (o->models) return take_models(o, value);
        o->model = imp_model_find(value);
        if (!o->model) unknown_model(value);
        return o->model != NULL;
    case SET:
    case CHOICE:
        if (asprintf(&o->assign[*assigned], "%s%s", option == CHOICE ? "choice=" : "", value) < 0) {
            o->assign[*assigned] = NULL;
            complain_of("no memory");
            return false;
        }
        ++*assigned;
        return true;
    case TOL: return take_number(option, value, 0, INFINITY, &o->tolerance);
    case EXEC: o->outside.command = value; return true;
    case PLUGIN: o->outside.plugin = value; return true;
    case LAW: o->outside.law = value; return true;
    case TIME_LIMIT: return take_number(option, value, 0, INFINITY, &o->outside.seconds);
    case MEMORY_LIMIT:
        if (!take_number(option, value, 1, 0x1p40, &o->outside.bytes)) return false;
        o->outside.bytes *= 0x1p20;
        return true;
    case COUNT: return take_number(option, value, 1, 1e9, &o->count);
    case SEED: return take_number(option, value, 0, 0x1p53, &o->seed);
    case WORST: o->worst = value; return true;
    case ROWS: o->rows = value; return true;
    case OUTPUT: o->output = value; return true;
    case DUMP_FAILED: o->dump_folder = value; return true;
    case VARIANT: o->variant = value; return true;
    case IMPULSES: o->impulses = value; return true;
    case HISTORY: o->history = value; return true;
    case PROBLEMS: o->problems = value; return true;
    case BODIES: o->bodies = value; return true;
    case CONTACTS: o->contacts = value; return true;
    case EVERY: return take_number(option, value, 1, 1e9, &o->every);
    case OVER:
        while (o->over[over])
            over++;
        o->over[over] = value;
        return true;
    case JOBS: return take_number(option, value, 1, MOST_JOBS, &o->jobs);
    case KEEP: o->keep = value; return true;
    case PLOT: o->plot = value; return true;
    case TO: o->to = value; return true;
    case FACTS: o->facts = true; return true;
    case PATH: o->path = true; return true;
    case FORCES: o->forces = true; return true;
    case RESUME: o->resume = value; return true;
    case EACH: o->each = value; return true;
    case PAIRS: o->pairs = value; return true;
    case TRAFFIC: o->traffic = value; return true;
    default: return false;
    }
}

static imp_status assign_all(const options *o, imp_settings *settings, imp_error *error) {
    imp_status status = IMP_OK;
    for (char **a = o->assign; status == IMP_OK && *a; a++)
        status = imp_settings_assign(o->model, settings, *a, error);
    return status;
}

imp_status options_settings(const options *o, const imp_problem_file *file, imp_settings *settings,
                            imp_error *error) {
    *settings = o->settings;
    if (imp_problem_file_is_table(file)) return IMP_OK; /* which holds none */
    const imp_status status = imp_problem_file_settings(file, o->model, settings, error);
    return status == IMP_OK ? assign_all(o, settings, error) : status;
}

/* Would an output take the place of what is read? */
static bool keeps_inputs(const command *self, const options *o, int files) {
    const char *const outputs[] = {o->output,   o->impulses, o->history, o->problems, o->bodies,
                                   o->contacts, o->keep,     o->plot,    o->rows};
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        for (int i = 0; i < files; i++)
            if (output_is_input(outputs[k], o->files[i])) {
                complain_of(
                    "%s: \"%.200s\" is also the input, expected another file for the output",
                    self->name, outputs[k]);
                return false;
            }
    return true;
}

/* The solver outside behind the models that are named, or behind all. */
static void add_outside(options *o) {
    size_t count = 0;
    const bool all = !o->models[0];
    for (; all ? imp_models[count] != NULL : o->models[count] != NULL; count++)
        if (all) o->models[count] = imp_models[count];
    o->models[count] = o->model;
    o->model = NULL;
}

/* The model, or the solver outside that stands for it or beside the library's; false after a
 * complaint. */
static bool find_solver(const command *self, const bool given[KNOWN], options *o) {
    static const int only_outside[] = {LAW, TIME_LIMIT, MEMORY_LIMIT};
    imp_error error;
    const bool outside = given[EXEC] || given[PLUGIN];
    const int solvers = given[MODEL] + given[EXEC] + given[PLUGIN];
    int stray = 0;
    for (size_t i = 0; !outside && i < sizeof only_outside / sizeof *only_outside; i++)
        if (given[only_outside[i]] && !(self->judges && only_outside[i] == TIME_LIMIT))
            stray = only_outside[i];
    if (!outside && given[TOL] && !self->answers && !self->judges) stray = TOL;
    if (stray) {
        complain_of("%s: --%s stands alone, expected it beside --exec or --plugin", self->name,
                    known[stray].name);
    } else if (self->models ? given[EXEC] && given[PLUGIN]
                            : solvers > 1 || (solvers == 0 && takes(self, "model"))) {
        complain_of("%s: %s, expected --model NAME (impact models lists them), or --exec COMMAND "
                    "or --plugin FILE",
                    self->name, solvers ? "several models" : "no model");
    } else if (outside) {
        o->outside.tolerance = o->tolerance;
        o->model = outside_open(&o->outside, &error);
        if (!o->model) return complain(&error), false;
        if (self->models) add_outside(o);
        return true;
    } else {
        return true;
    }
    return false;
}

/* Is what is left of the command line complete, and does the model have the settings? */
static bool check_rest(const command *self, int argc, char **argv, const bool given[KNOWN],
                       options *o) {
    imp_error error;
    o->files = argv + optind;
    const int count = argc - optind, needed = self->files, inputs = needed + self->answers,
              most = needed + self->optional - (given[EXEC] || given[PLUGIN] ? self->answers : 0);
    if (count < needed) {
        complain_of("%s: %d file%s given, expected impact %s %s", self->name, count,
                    count == 1 ? "" : "s", self->name, self->arguments);
    } else if (count > most) {
        complain_of("%s: \"%.60s\" is one argument too many, expected impact %s %s", self->name,
                    o->files[most], self->name, self->arguments);
    } else if ((!self->tables || output_fits(o->output, "the output", "a table")) &&
               keeps_inputs(self, o, count < inputs ? count : inputs) &&
               (!takes(self, "exec") || find_solver(self, given, o))) {
        if (o->model) imp_model_presets(o->model, &o->settings);
        if (!o->model || assign_all(o, &o->settings, &error) == IMP_OK) return true;
        complain(&error);
    }
    return false;
}

static bool options_init(const command *self, int argc, options *o) {
    size_t count = 0;
    while (imp_models[count])
        count++;
    *o = (options){.tolerance = 1e-9,
                   .outside.seconds = 10,
                   .seed = NAN,
                   .assign = calloc((size_t)argc + 1, sizeof *o->assign),
                   .over = calloc((size_t)argc + 1, sizeof *o->over)};
    if (self->models) o->models = calloc(count + 2, sizeof(const imp_model *));
    return o->assign && o->over && (o->models || !self->models);
}

/* The options of one letter. */
static const char *letters(const command *self) {
    return takes(self, "count") ? ":o:n:h" : takes(self, "output") ? ":o:h" : ":h";
}

bool options_read(const command *self, int argc, char **argv, options *o, int *status) {
    struct option table[KNOWN + 1] = {{0}};
    int used = 0, letter, assigned = 0;
    bool given[KNOWN] = {false};
    *status = EXIT_BAD;
    if (!options_init(self, argc, o)) return complain_of("no memory"), false;
    for (int i = 0; i < KNOWN; i++)
        if (takes(self, known[i].name))
            table[used++] = (struct option){
                known[i].name, known[i].argument ? required_argument : no_argument, NULL, i};
    opterr = 0;
    while ((letter = getopt_long(argc, argv, letters(self), table, NULL)) != -1) {
        if (letter == ':') {
            complain_of("%s: option \"%.60s\" without its value, expected impact %s %s", self->name,
                        argv[optind - 1], self->name, self->arguments);
            return false;
        }
        if (letter == '?') {
            unknown_option(self, argv[optind - 1]);
            return false;
        }
        const int option = letter == 'o'   ? OUTPUT
                           : letter == 'n' ? COUNT
                           : letter == 'h' ? HELP
                                           : letter;
        const bool again = option == MODEL && o->models;
        if (given[option] && !again && option != SET && option != CHOICE && option != OVER &&
            option != HELP) {
            complain_of("%s: --%s stands twice, expected it once", self->name, known[option].name);
            return false;
        }
        given[option] = true;
        if (option != HELP && !take(o, option, optarg, &assigned)) return false;
    }
    if (!given[HELP]) return check_rest(self, argc, argv, given, o);
    *status = print_help(self, o);
    return false;
}

const imp_model *const *asked_models(const options *o) {
    return *o->models ? (const imp_model *const *)o->models : imp_models;
}

audit_solver asked_solver(const options *o) {
    return (audit_solver){.model = o->model,
                          .settings = o->settings,
                          .outside = o->outside.command || o->outside.plugin,
                          .tolerance = fmax(o->tolerance, imp_model_bound(o->model, &o->settings)),
                          .seconds = o->outside.seconds};
}

void options_free(options *o) {
    outside_close();
    for (char **a = o->assign; a && *a; a++)
        free(*a);
    free(o->assign);
    free(o->over);
    free(o->models);
}
