/* option_list.c - every option of the program, what --help says of it, and of what is none. */
#include "cli/option_list.h"

#include <string.h>

const known_option known_options[] = {
    {"model", "NAME", "the impact model"},
    {"set", "KEY=VALUE",
     "one of the settings of the model, the flow or the scene; may be repeated"},
    {"choice", "VALUE", "short for --set choice=VALUE"},
    {"tol", "TOL", "largest residual accepted, dimensionless (default 1e-9)"},
    {"output", "FILE", "write to FILE, - for standard output, whole or not at all (also -o FILE)"},
    {"dump-failed", "FOLDER",
     "write each unsolved problem to FOLDER/MODEL-POSITION.json, which solve replays"},
    {"variant", "NAME", "only this variant of the scene"},
    {"impulses", "FILE", "impulses and velocities after them, a row per model and contact"},
    {"history", "FILE", "the compliant run step by step, a row per pair that presses in it"},
    {"problems", "FILE", "the impact problems as JSON, for solve"},
    {"bodies", "FILE", "where every body is and how it moves, a row per body and time"},
    {"contacts", "FILE", "impulses and velocities after them, a row per contact and time"},
    {"vtk", "FOLDER",
     "pictures of bodies and contacts for ParaView: FOLDER/bodies.pvd, contacts.pvd"},
    {"every", "K", "rows of every K-th step, and of the last"},
    {"over", "KEY=VALUES",
     "the values that a setting or a key of the scene takes; may be repeated"},
    {"jobs", "N", "how many processes (default: as many as cores)"},
    {"keep", "FILE", "keep what is done in FILE, and go on from there"},
    {"plot", "FILE", "error and cost as a gnuplot script, with its table: gnuplot FILE > X.svg"},
    {"to", "FORMAT", "the format of the output, where its suffix does not say it"},
    {"facts", NULL, "answers but tables also hold rank, redundancy and asymmetry of W"},
    {"path", NULL, "JSON answers also hold how they came about: steps and multipliers"},
    {"explain", NULL, "in words: contacts, residuals, other solutions, condition of W"},
    {"forces", NULL, "of problems with b: the forces where nothing collides, and what follows"},
    {"resume", "CHECKPOINT", "go on from there"},
    {"each", "FILE", "the error of each model on each impact, a row per impact and model"},
    {"pairs", "FILE", "the models' mean differences and their intervals, a row per pair"},
    {"traffic", "FILE", "of impact-mpi: what each rank held and sent"},
    {"exec", "COMMAND", "a program is the solver: a problem a line in JSON, an answer a line back"},
    {"plugin", "FILE", "a shared object is the solver (contact/plugin.h)"},
    {"law", "NAME", "the law that their answers are judged by: one of all, or one behind each"},
    {"time-limit", "S", "s they have for a problem (default 10; 0: no limit; race needs one)"},
    {"memory-limit", "MIB", "MiB they may have (default: no limit)"},
    {"count", "N", "how many problems of a class, at most 1e9 (also -n N)"},
    {"seed", "S", "the seed that draws them, a whole number (default: a new one)"},
    {"least", "PERCENT", "how much of what is taken has to be right (default: one answer)"},
    {"worst", "FOLDER", "the ten worst problems, each FOLDER/CLASS-SEED-NUMBER.json, for solve"},
    {"rows", "FILE", "a row per problem and solver"},
    {"help", NULL, "this text"},
};
_Static_assert(sizeof known_options / sizeof *known_options == KNOWN, "a row for each");

bool option_taken(const command *self, const char *name) {
    for (const char *const *o = self->options; *o; o++)
        if (strcmp(*o, name) == 0) return true;
    return strcmp(name, "help") == 0;
}

const char *option_letters(const command *self) {
    return option_taken(self, "count") ? ":o:n:h" : option_taken(self, "output") ? ":o:h" : ":h";
}

int option_of(int letter) {
    return letter == 'o' ? OUTPUT : letter == 'n' ? COUNT : letter == 'h' ? HELP : letter;
}

bool tolerates(const command *self) {
    return self->answers || self->judges;
}

const known_option *next_option(const command *self, const known_option *last) {
    for (const known_option *o = last ? last + 1 : known_options; o < known_options + KNOWN; o++)
        if (option_taken(self, o->name)) return o;
    return NULL;
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

static const char *meaning_in(const command *self, const known_option *k) {
    if (k == known_options + MODEL && self->models && !self->one_model)
        return "only these models: NAME,NAME or --model again";
    if (k == known_options + HELP && option_taken(self, "model"))
        return "this text; with --model also the model's settings";
    return k->meaning;
}

int print_command_help(const command *self, const options *o) {
    FILE *out = output_open(NULL);
    if (!out) return EXIT_BAD;
    fprintf(out, "usage: impact %s %s\n\n%s\n\nOptions:\n", self->name, self->arguments,
            self->summary);
    for (const known_option *k = NULL; (k = next_option(self, k)) != NULL;) {
        char option[40];
        snprintf(option, sizeof option, "--%s%s%s", k->name, k->argument ? " " : "",
                 k->argument ? k->argument : "");
        fprintf(out, "  %-22s %s%s\n", option,
                k == known_options + TOL && !tolerates(self) ? "with --exec or --plugin: " : "",
                meaning_in(self, k));
    }
    if (self->text) fprintf(out, "\n%s", self->text);
    const imp_model *const one[] = {o->model, NULL}, *const *asked = o->models ? o->models : one;
    for (const imp_model *const *m = asked; *m; m++)
        print_settings(*m, out);
    if (option_taken(self, "model") && !*asked) print_models(out);
    return output_commit(EXIT_SOLVED);
}

int unknown_model(const char *name) {
    char list[IMP_ERROR_TEXT] = "", hint[80];
    const char *names[100] = {NULL};
    size_t length = 0, count = 0;
    for (const imp_model *const *m = imp_models; *m && count < 99; m++)
        names[count++] = (*m)->name;
    for (const imp_model *const *m = imp_models; *m && length < sizeof list - 40; m++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%.30s",
                                   m == imp_models ? "" : ", ", (*m)->name);
    return complain_of("unknown model \"%.60s\"%s, expected one of %s", name,
                       imp_suggest(name, names, hint), list);
}

void unknown_option(const command *self, const char *given) {
    const char *names[KNOWN + 1] = {NULL};
    char word[64], hint[80];
    int count = 0;
    for (int i = 0; i < KNOWN; i++)
        if (option_taken(self, known_options[i].name)) names[count++] = known_options[i].name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    imp_suggest(word + strspn(word, "-"), names, hint);
    const int before = *hint ? (int)strcspn(hint, "\"") + 1 : 0; /* the dashes */
    complain_of("%s: unknown option \"%.60s\"%.*s%s%s, expected one of impact %s --help",
                self->name, given, before, hint, *hint ? "--" : "", hint + before, self->name);
}
