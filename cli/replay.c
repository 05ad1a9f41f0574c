/* replay.c - `impact replay`: recorded impacts through every model. */
#include "cli/cli.h"
#include "outside/outside.h"
#include "replay/replay.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Where the answers go; NULL: not asked for. */
typedef struct sheets {
    FILE *table, *each, *pairs;
} sheets;

static void progress(void *context, const imp_model *model) {
    fprintf(stderr, "\r\033[K%s: %s", (const char *)context, model->name);
}

/* The sets that are named, all when none is, ended by NULL; false after a complaint. */
static bool find_sets(const options *o, const replay_set *sets[], int most) {
    const char *names[16] = {NULL};
    char hint[80];
    int count = 0, known = 0;
    for (; replay_sets[known].name; known++)
        names[known] = replay_sets[known].name;
    for (char **file = o->files; *file; file++) {
        int k = 0;
        while (names[k] && strcmp(names[k], *file) != 0)
            k++;
        if (!names[k])
            return complain_of("unknown data \"%.60s\"%s, expected ellipse, cube or square", *file,
                               imp_suggest(*file, names, hint)),
                   false;
        for (int i = 0; i < count; i++)
            if (sets[i] == &replay_sets[k])
                return complain_of("replay: %s stands twice, expected it once", *file), false;
        sets[count++] = &replay_sets[k];
    }
    for (int k = 0; !*o->files && k < known && k < most - 1; k++)
        sets[count++] = &replay_sets[k];
    sets[count] = NULL;
    return true;
}

/* Takes away the sets that are not there, each with a line. One that was named has to be there, and
 * one of all. */
static bool keep_present(const options *o, const replay_set *sets[]) {
    const replay_set **kept = sets;
    char path[REPLAY_PATH];
    int there = 0;
    for (const replay_set **s = sets; *s; s++)
        there += replay_there(*s);
    for (const replay_set **s = sets; *s; s++) {
        replay_path(*s, path);
        if (replay_there(*s)) {
            *kept++ = *s;
            continue;
        }
        complain_of("replay: no data of the %s: %.300s is not there, expected it in real/ of the "
                    "folder that IMPACT_DATA names, or of ../shared/data without it",
                    (*s)->name, path);
        if (*o->files || there == 0) return false;
    }
    *kept = NULL;
    return true;
}

/* terms <- --set mu=VALUE and e=VALUE; false after a complaint. */
static bool read_terms(const options *o, replay_terms *terms) {
    for (char **a = o->assign; *a; a++) {
        const bool e = strncmp(*a, "e=", 2) == 0;
        double *const x = e ? &terms->e : &terms->mu;
        if (!e && strncmp(*a, "mu=", 3) != 0)
            return complain_of("--set is \"%.60s\", expected mu=VALUE or e=VALUE", *a), false;
        const char *expected = imp_number_parse(strchr(*a, '=') + 1, x);
        if (!expected && !(*x >= 0 && (!e || *x <= 1)))
            expected = e ? "a number from 0 to 1" : "a number >= 0";
        if (expected) return complain_of("--set is \"%.60s\", expected %s", *a, expected), false;
    }
    return true;
}

/* A line for each model that has not solved every impact, with the first reason. Are there any? */
static bool tell_unsolved(const replay_set *set, const replay_result *result) {
    bool any = false;
    for (int m = 0; m < result->answers; m++) {
        const replay_answer *a = &result->answer[m];
        if (a->why.status == IMP_OK) continue;
        complain_of("%s: %.100s: impact %.17g: %s", set->name, a->model->name, a->first,
                    a->why.text);
        any = true;
    }
    return any;
}

/* One set to all sheets. *wanting: a model has not solved every impact, or the set speaks against
 * the hand of its x. */
static imp_status replay_one(const options *o, const replay_set *set, replay_terms terms,
                             const sheets *to, bool *wanting, imp_error *error) {
    char name[32];
    replay_data data;
    replay_result result = {0};
    imp_status status = replay_read(set, &data, error);
    if (status == IMP_OK) {
        snprintf(name, sizeof name, "%s", set->name);
        terms.context = name;
        status = replay_run(&data, asked_models(o), &terms, &result);
        if (terms.progress) fputs("\r\033[K", stderr);
        if (status != IMP_OK)
            imp_error_set(error, status, "%s: %s", set->name, imp_status_text(status));
    }
    if (status == IMP_OK) {
        replay_write(to->table, &data, &result);
        if (to->each) replay_each_write(to->each, &data, &result);
        if (to->pairs) replay_pairs_write(to->pairs, &data, &result);
        *wanting = tell_unsolved(set, &result) || *wanting;
    }
    if (status == IMP_OK && replay_mirror_doubtful(&data)) {
        complain_of("%s: x is mirrored: the floor is %.3g as read and %.3g with x turned about",
                    set->name, data.floor, data.floor_mirrored);
        *wanting = true;
    }
    replay_result_clear(&result);
    replay_clear(&data);
    return status;
}

/* Do outputs leave the data of all sets in their place, asked for or not, and make none where there
 * are none? false after a complaint. */
static bool keeps_data(const options *o) {
    const char *const outputs[] = {o->output, o->each, o->pairs};
    char path[REPLAY_PATH];
    for (const replay_set *set = replay_sets; set->name; set++) {
        replay_path(set, path);
        for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
            if (!output_spares(&command_replay, outputs[k], path)) return false;
            if (outputs[k] && output_same(outputs[k], path))
                return complain_of("replay: \"%.200s\" would be the data of the %s, expected "
                                   "another file for the output",
                                   outputs[k], set->name),
                       false;
        }
    }
    return true;
}

static int replay(const options *o, const replay_set *const sets[], const replay_terms *terms) {
    imp_error error;
    imp_status status = IMP_OK;
    bool wanting = false;
    sheets to = {.table = output_open_whole(o->output)};
    if (!to.table) return EXIT_BAD;
    if (!output_beside("--each", o->each, "a table", &to.each) ||
        !output_beside("--pairs", o->pairs, "a table", &to.pairs))
        return output_abandon();
    imp_write_header(replay_columns, to.table);
    if (to.each) imp_write_header(replay_each_columns, to.each);
    if (to.pairs) imp_write_header(replay_pair_columns, to.pairs);
    for (; *sets && status == IMP_OK; sets++)
        status = replay_one(o, *sets, *terms, &to, &wanting, &error);
    if (status == IMP_OK) return output_commit(wanting ? EXIT_UNSOLVED : EXIT_SOLVED);
    complain(&error);
    return output_abandon();
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    if (options_read(self, argc, argv, &o, &outcome)) {
        const replay_set *sets[16];
        replay_terms terms = {
            .mu = NAN, .e = NAN, .progress = isatty(2) ? progress : NULL, .fault = outside_fault};
        outcome = EXIT_BAD;
        if (find_sets(&o, sets, 16) && read_terms(&o, &terms) && keep_present(&o, sets) &&
            keeps_data(&o))
            outcome = replay(&o, sets, &terms);
    }
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"model",  "set",  "exec",       "plugin",
                                           "law",    "tol",  "time-limit", "memory-limit",
                                           "output", "each", "pairs",      NULL};

const command command_replay = {
    .name = "replay",
    .arguments = "[OPTION]... [ellipse] [cube] [square]",
    .summary = "recorded impacts through every model, mu and e fitted by cross-validation",
    .options = option_names,
    .text =
        "Without a name all data that are there, in real/ of the folder that the environment "
        "variable IMPACT_DATA names,\n"
        "or of ../shared/data without it. One row per model:\n"
        "data model status impacts left_out unsolved mu mu_low mu_high e e_low e_high mean "
        "mean_low mean_high median\n"
        "floor floor_median floor_mirrored\n"
        "mu and e fitted to all impacts, and the least and largest of 10 folds; of the errors "
        "|v - v_measured| over |v_before|\n"
        "in the mass norm, each with mu and e fitted without its fold, the mean with its 95 % "
        "interval and the median; of the\n"
        "errors that the best impulse at the contact would leave, the same, and their mean "
        "with x turned about.\n"
        "--set mu=VALUE --set e=VALUE take these instead of fitting. Impacts that are unsolved: a "
        "line with the first\n"
        "reason of each model, exit status 1. --each has the columns\n"
        "data impact model mu e error floor\n"
        "and --pairs, with intervals that hold for all pairs at once,\n"
        "data model other difference low high apart\n",
    .optional = 3,
    .models = true,
    .tables = true,
    .run = run,
};
