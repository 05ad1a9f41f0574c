/* options.c - the command line of each command. */
#include "cli/option_list.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 1024 };

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

/* Is what was typed a whole number in [low, high]? A double may be one that is near it. */
static bool is_whole_in(const char *value, double low, double high) {
    const long double typed = strtold(value, NULL);
    return typed >= low && typed <= high && fmodl(typed, 1) == 0;
}

/* A number in [low, high], whole where high is finite, of an option as it was typed; false after a
 * complaint. */
static bool take_number(const char *word, const char *value, double low, double high, double *x) {
    const char *expected = imp_number_parse(value, x);
    char range[60];
    if (isfinite(high))
        snprintf(range, sizeof range, "a whole number from %g to %.0f", low, high);
    else
        snprintf(range, sizeof range, "a number >= %g", low);
    if (!expected && !(isfinite(high) ? is_whole_in(value, low, high) : *x >= low))
        expected = range;
    if (expected) complain_of("%s is \"%.60s\", expected %s", word, value, expected);
    return !expected;
}

/* One more solver outside, or the law of one; false after a complaint. */
static bool take_outside(options *o, int option, const char *value) {
    imp_error error;
    const outside_terms own = {.command = option == EXEC ? value : NULL,
                               .plugin = option == PLUGIN ? value : NULL};
    return (option == LAW ? outside_list_law(&o->asked, value, &error)
                          : outside_list_solver(&o->asked, own, &error)) ||
           (complain(&error), false);
}

/* "-" is no place but standard output, --output's; false after a complaint. */
static bool is_place(int option, const char *value) {
    const char *argument = known_options[option].argument;
    if (option == OUTPUT || !argument || strcmp(value, "-") != 0) return true;
    const bool file = strcmp(argument, "FILE") == 0 || strcmp(argument, "CHECKPOINT") == 0;
    if (!file && strcmp(argument, "FOLDER") != 0) return true;
    complain_of("--%s is \"-\", expected a %s", known_options[option].name,
                file ? "file" : "folder");
    return false;
}

/* Takes the value of one option, as which `word` was typed; false after a complaint. */
static bool take(options *o, int option, const char *word, const char *value, int *assigned) {
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
    case TOL: return take_number(word, value, 0, INFINITY, &o->tolerance);
    case EXEC:
    case PLUGIN:
    case LAW: return take_outside(o, option, value);
    case TIME_LIMIT: return take_number(word, value, 0, INFINITY, &o->asked.limits.seconds);
    case MEMORY_LIMIT:
        if (!take_number(word, value, 1, 0x1p40, &o->asked.limits.bytes)) return false;
        o->asked.limits.bytes *= 0x1p20;
        return true;
    case COUNT:
        o->count_word = word[1] == '-' ? "--count" : "-n";
        return take_number(word, value, 1, 1e9, &o->count);
    case SEED: return take_number(word, value, 0, 0x1p53, &o->seed);
    case LEAST: return take_number(word, value, 0, 100, &o->least);
    case WORST: o->worst = value; return true;
    case ROWS: o->rows = value; return true;
    case OUTPUT:
        o->output_word = word[1] == '-' ? "--output" : "-o";
        o->output = strcmp(value, "-") == 0 ? NULL : value;
        return true;
    case DUMP_FAILED: o->dump_folder = value; return true;
    case VARIANT: o->variant = value; return true;
    case IMPULSES: o->impulses = value; return true;
    case HISTORY: o->history = value; return true;
    case PROBLEMS: o->problems = value; return true;
    case BODIES: o->bodies = value; return true;
    case CONTACTS: o->contacts = value; return true;
    case VTK: o->vtk = value; return true;
    case EVERY: return take_number(word, value, 1, 1e9, &o->every);
    case OVER:
        while (o->over[over])
            over++;
        o->over[over] = value;
        return true;
    case JOBS: return take_number(word, value, 1, MOST_JOBS, &o->jobs);
    case KEEP: o->keep = value; return true;
    case PLOT: o->plot = value; return true;
    case TO: o->to = value; return true;
    case FACTS: o->facts = true; return true;
    case PATH: o->path = true; return true;
    case EXPLAIN: o->explain = true; return true;
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

imp_status options_settings(const options *o, const imp_problem_file *file, const imp_case *c,
                            imp_settings *settings, imp_error *error) {
    *settings = o->settings;
    if (imp_problem_file_is_table(file)) return IMP_OK; /* which holds none */
    for (char **a = o->assign; c->problem.mu_v && *a; a++)
        if (strncmp(*a, "mu_v=", 5) == 0)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s: problem \"%.60s\": has mu_v of its own beside --set %.40s, "
                                 "expected one of them",
                                 imp_problem_file_name(file), c->id, *a);
    const imp_status status = imp_problem_file_settings(file, o->model, settings, error);
    return status == IMP_OK ? assign_all(o, settings, error) : status;
}

enum { WRITTEN = 12 };

/* The k-th file that an option names to be written; NULL: it was not given. */
static const char *written(const options *o, int k) {
    const char *const all[WRITTEN] = {o->output, o->impulses, o->history, o->problems,
                                      o->bodies, o->contacts, o->keep,    o->plot,
                                      o->rows,   o->each,     o->pairs,   o->traffic};
    return all[k];
}

/* Do outputs leave what is read in its place, and each other? false after a complaint. */
static bool keeps_inputs(const command *self, const options *o) {
    for (int k = 0; k < WRITTEN; k++) {
        if (written(o, k) && !o->output && output_is_standard(written(o, k)))
            return complain_of("%s: \"%.200s\" is also standard output, expected another file",
                               self->name, written(o, k)),
                   false;
        for (int i = 0; i < o->asked.count; i++)
            if (o->asked.terms[i].plugin &&
                !output_spares(self, written(o, k), o->asked.terms[i].plugin))
                return false;
        for (int i = 0; i < o->inputs; i++)
            if (!output_spares(self, written(o, k), o->files[i])) return false;
        if (o->resume && !output_spares(self, written(o, k), o->resume)) return false;
    }
    return true;
}

imp_status options_apart(const options *o, const char *path, imp_error *error) {
    for (int i = 0; i < o->inputs; i++)
        if (output_is_input(path, o->files[i]))
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "\"%.200s\", which is to be written, is also the input, expected "
                                 "another folder",
                                 path);
    if (!o->output && output_is_standard(path))
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "\"%.200s\" is also standard output, expected another file", path);
    for (int k = 0; k < WRITTEN; k++)
        if (written(o, k) && output_same(path, written(o, k)))
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "\"%.200s\" is written twice, expected another file", path);
    return IMP_OK;
}

bool options_keep_apart(const options *o) {
    for (int k = 0; o->keep && k < WRITTEN; k++) {
        const char *other = written(o, k);
        if (!other || other == o->keep || !output_same(o->keep, other)) continue;
        complain_of("--keep is \"%.200s\", expected another file than those written", o->keep);
        return false;
    }
    return true;
}

/* Starts those outside; false after a complaint. */
static bool open_outside(options *o) {
    imp_error error;
    o->asked.limits.tolerance = o->tolerance;
    return outside_list_open(&o->asked, o->outside, &error) || (complain(&error), false);
}

/* Those outside behind the models that are named, or behind all. */
static void append_outside(options *o) {
    size_t count = 0;
    const bool all = !o->models[0];
    for (; all ? imp_models[count] != NULL : o->models[count] != NULL; count++)
        if (all) o->models[count] = imp_models[count];
    for (int k = 0; k < o->asked.count; k++)
        o->models[count++] = o->outside[k];
}

/* The model, or the solvers outside that stand for it or beside the library's; false after a
 * complaint. */
static bool find_solver(const command *self, const bool given[KNOWN], options *o) {
    static const int only_outside[] = {LAW, TIME_LIMIT, MEMORY_LIMIT};
    const int solvers = (self->models ? 0 : given[MODEL]) + o->asked.count;
    int stray = 0;
    for (size_t i = 0; o->asked.count == 0 && i < sizeof only_outside / sizeof *only_outside; i++)
        if (given[only_outside[i]] && !(self->judges && only_outside[i] == TIME_LIMIT))
            stray = only_outside[i];
    if (o->asked.count == 0 && given[TOL] && !tolerates(self)) stray = TOL;
    if (stray)
        return complain_of("%s: --%s stands alone, expected it beside --exec or --plugin",
                           self->name, known_options[stray].name),
               false;
    if ((solvers > 1 && !self->several) ||
        (solvers == 0 && !self->models && option_taken(self, "model")))
        return complain_of("%s: %s, expected --model NAME (impact models lists them), or --exec "
                           "COMMAND or --plugin FILE",
                           self->name, solvers ? "several models" : "no model"),
               false;
    if (o->asked.count == 0) return true;
    if (!open_outside(o)) return false;
    if (self->models)
        append_outside(o);
    else if (!self->several)
        o->model = o->outside[0];
    return true;
}

/* Is what is left of the command line complete, and does the model have the settings? */
static bool check_rest(const command *self, int argc, char **argv, const bool given[KNOWN],
                       options *o) {
    imp_error error;
    o->files = argv + optind;
    const int count = argc - optind, needed = self->files, inputs = needed + self->answers,
              most = needed + self->optional - (o->asked.count > 0 ? self->answers : 0);
    o->inputs = count < inputs ? count : inputs;
    if (count < needed) {
        complain_of("%s: %d file%s given, expected impact %s %s", self->name, count,
                    count == 1 ? "" : "s", self->name, self->arguments);
    } else if (count > most) {
        complain_of("%s: \"%.60s\" is one argument too many, expected impact %s %s", self->name,
                    o->files[most], self->name, self->arguments);
    } else if ((!self->tables || output_fits(o->output_word, o->output, "the output", "a table")) &&
               keeps_inputs(self, o) &&
               (!option_taken(self, "exec") || find_solver(self, given, o))) {
        if (o->model) imp_model_presets(o->model, &o->settings);
        o->tolerated = given[TOL];
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
                   .asked.limits.seconds = 10,
                   .seed = NAN,
                   .assign = calloc((size_t)argc + 1, sizeof *o->assign),
                   .over = calloc((size_t)argc + 1, sizeof *o->over)};
    if (self->models) o->models = calloc(count + OUTSIDE_MOST + 1, sizeof(const imp_model *));
    return o->assign && o->over && (o->models || !self->models);
}

static bool may_repeat(const command *self, int option) {
    switch (option) {
    case MODEL: return self->models;
    case EXEC:
    case PLUGIN:
    case LAW: return self->several;
    case SET:
    case CHOICE:
    case OVER:
    case HELP: return true;
    default: return false;
    }
}

/* What getopt_long took for this option, which it also finds by the beginning of its name; NULL:
 * its whole name stands there. */
static const char *abbreviated(int option, char **argv) {
    const char *word = argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];
    const size_t length = strcspn(word, "=");
    const bool whole = strncmp(word, "--", 2) != 0 ||
                       (strlen(known_options[option].name) == length - 2 &&
                        strncmp(word + 2, known_options[option].name, length - 2) == 0);
    return whole ? NULL : word;
}

bool options_read(const command *self, int argc, char **argv, options *o, int *status) {
    struct option table[KNOWN + 1] = {{0}};
    int used = 0, letter, assigned = 0;
    bool given[KNOWN] = {false};
    *status = EXIT_BAD;
    if (!options_init(self, argc, o)) return complain_of("no memory"), false;
    complain_of_assigned(o->assign);
    for (int i = 0; i < KNOWN; i++)
        if (option_taken(self, known_options[i].name))
            table[used++] = (struct option){
                known_options[i].name, known_options[i].argument ? required_argument : no_argument,
                NULL, i};
    opterr = 0;
    while ((letter = getopt_long(argc, argv, option_letters(self), table, NULL)) != -1) {
        if (letter == ':') {
            complain_of("%s: option \"%.60s\" without its value, expected impact %s %s", self->name,
                        argv[optind - 1], self->name, self->arguments);
            return false;
        }
        if (letter == '?') {
            const bool graph = optopt > KNOWN && optopt < 0x7f && isgraph(optopt);
            const char one[] = {'-', graph ? (char)optopt : '?', 0};
            const bool word = optopt >= 0 && optopt <= KNOWN; /* a long one, not among letters */
            unknown_option(self, word ? argv[optind - 1] : one);
            return false;
        }
        const int option = option_of(letter);
        const char *part = abbreviated(option, argv);
        if (part) return unknown_option(self, part), false;
        char word[32];
        if (option == letter)
            snprintf(word, sizeof word, "--%s", known_options[option].name);
        else
            snprintf(word, sizeof word, "-%c", letter);
        if (given[option] && !may_repeat(self, option)) {
            complain_of("%s: %s stands twice, expected it once", self->name, word);
            return false;
        }
        given[option] = true;
        if (option != HELP &&
            !(is_place(option, optarg) && take(o, option, word, optarg, &assigned)))
            return false;
    }
    if (!given[HELP]) return check_rest(self, argc, argv, given, o);
    *status = print_command_help(self, o);
    return false;
}

const imp_model *const *asked_models(const options *o) {
    return *o->models ? (const imp_model *const *)o->models : imp_models;
}

audit_solver asked_solver(const options *o) {
    return (audit_solver){.model = o->model,
                          .settings = o->settings,
                          .outside = o->outside[0] != NULL,
                          .tolerance = fmax(o->tolerance, imp_model_bound(o->model, &o->settings)),
                          .seconds = o->asked.limits.seconds};
}

void options_free(options *o) {
    outside_close();
    complain_of_assigned(NULL);
    for (char **a = o->assign; a && *a; a++)
        free(*a);
    free(o->assign);
    free(o->over);
    free(o->models);
}
