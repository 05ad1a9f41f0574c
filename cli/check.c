/* check.c - `impact check`: anybody's impulses held against a model's law. */
#include "cli/judge.h"
#include "io/fclib.h"
#include "io/table.h"
#include "io/target.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

typedef struct checking {
    options o;
    judging by;
    bool asks;                /* an outside solver */
    imp_solutions *solutions; /* NULL: it is asked, or there are none */
    const char *file;         /* of a folder, the one that is looked at; NULL: no folder */
    const char *problems;     /* their file, for messages */
    const char *given;        /* the same of the answers */
    imp_error missing;        /* why it has no solutions */
    double *asked;            /* (3 room) N s, its last answer */
    int room;                 /* contacts */
    size_t count[VERDICTS];
    double worst; /* residual of all that were judged */
    int left_out; /* entries of a folder that are no problem files by their names */
} checking;

/* The numbers of constraints that stand beside p, which are as many as there should be. */
static imp_status find_beside(const checking *k, const imp_case *c, given_answer *given,
                              imp_error *error) {
    const imp_bilateral *b = c->bilateral;
    const int rows = b ? imp_bilateral_rows(b) : c->constrained ? c->constrained->bilateral : 0;
    const char *file = k->given;
    size_t lambdas, numbers, rubs;
    given->lambda = imp_solutions_lambda(k->solutions, c->id, c->position, &lambdas);
    given->velocities = imp_solutions_velocities(k->solutions, c->id, c->position, &numbers);
    given->rubbed = imp_solutions_joint_friction(k->solutions, c->id, c->position, &rubs);
    if (given->rubbed && rubs != (b ? (size_t)imp_bilateral_rubs(b) : 0))
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %zu in joint_friction for problem \"%.60s\", expected %d", file,
                             rubs, c->id, b ? imp_bilateral_rubs(b) : 0);
    if (!b && ((rows == 0 && given->lambda) || given->velocities))
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %s for problem \"%.60s\", which has no %s", file,
                             given->velocities ? "velocities" : "lambda", c->id,
                             rows > 0 ? "bodies" : "\"constraints\"");
    if (given->lambda && lambdas != (size_t)rows)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %zu in lambda for problem \"%.60s\", expected %d", file, lambdas,
                             c->id, rows);
    if (given->velocities && numbers != 6 * (size_t)imp_bilateral_bodies(b))
        return imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "%s: %zu velocities for problem \"%.60s\", expected %d, one for each body", file,
            numbers / 6, c->id, imp_bilateral_bodies(b));
    return IMP_OK;
}

/* What stands in the file of answers. */
static imp_status find_answer(checking *k, const imp_case *c, given_answer *given,
                              imp_error *error) {
    const char *id = c->named ? c->id : NULL;
    if (imp_solutions_taken(k->solutions, id, c->position))
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: two problems have the id \"%.60s\", expected an id for each",
                             k->problems, c->id);
    const imp_status status =
        imp_solutions_take(k->solutions, id, c->position, c->problem.nc, &given->p, error);
    if (status != IMP_OK) return status;
    given->missing = "no impulse was given";
    given->path = imp_solutions_path(k->solutions, c->id, c->position);
    return find_beside(k, c, given, error);
}

/* One solution for each problem and none left. */
static imp_status match(void *context, const imp_problem_file *file, const imp_case *c,
                        imp_error *error) {
    (void)file;
    checking *k = context;
    given_answer given = {0};
    if (c) return find_answer(k, c, &given, error);
    const imp_status status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_rewind(k->solutions);
    return status;
}

/* What the outside solver answers. */
static imp_status ask(checking *k, const imp_case *c, const imp_settings *settings,
                      given_answer *given, imp_error *error) {
    const imp_problem *problem = &c->problem;
    imp_info info = {0};
    if (c->bilateral && imp_bilateral_rubs(c->bilateral))
        return imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "%s: problem \"%.60s\": friction of joints, which no solver is asked about, "
            "expected answers in a file",
            k->problems, c->id);
    const imp_model *model = k->o.model;
    if (imp_model_takes(model, problem) != IMP_OK) return IMP_OK;
    if (problem->nc > k->room) {
        free(k->asked);
        k->asked = malloc(3 * (size_t)problem->nc * sizeof *k->asked);
        k->room = k->asked ? problem->nc : 0;
    }
    if (!k->asked)
        return imp_error_set(error, IMP_NO_MEMORY, "no memory for %d contacts", problem->nc);
    const imp_status status = model->solve(problem, settings, k->asked, NULL, &info);
    if (status >= 0 && isfinite(k->asked[0])) given->p = k->asked;
    given->missing = outside_fault(model) ? outside_fault(model) : "no impulse was given";
    return IMP_OK;
}

static imp_status answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                         imp_error *error) {
    checking *k = context;
    imp_settings settings;
    given_answer given = {0};
    judgement found;
    if (a->table && k->o.facts)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "--facts: verdicts in a table have no room for it, expected problems "
                             "in JSON (impact convert)");
    imp_status status = options_settings(&k->o, file, &settings, error);
    if (status == IMP_OK && k->solutions)
        status = find_answer(k, c, &given, error);
    else if (status == IMP_OK && k->asks)
        status = ask(k, c, &settings, &given, error);
    else
        given.missing = k->missing.text;
    if (status == IMP_OK) status = judge(&k->by, c, &settings, &given, &found, error);
    if (status != IMP_OK) return status;
    k->count[found.verdict]++;
    if (found.judged && found.certificate.worst > k->worst) k->worst = found.certificate.worst;
    if (found.verdict != ACCEPTED) a->unsolved = true;
    if (a->table && !imp_table_holds(c->id))
        return imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "%s: problem number %zu: an id with a tab, the end of a line or another "
            "control character, expected one that fits in a row of a table",
            k->problems, c->position + 1);
    if (!a->table)
        return answers_add(a, judgement_json(&k->by, c, &given, &found, k->o.facts), error);
    judgement_write_row(&k->by, k->file, c->id, &found, a->out);
    return IMP_OK;
}

/* Totals on standard error: standard output is for the verdicts alone. Returns the outcome, by
 * which there are none where nothing was written. */
static int finish(const checking *k, int outcome) {
    if (outcome == EXIT_BAD) return outcome;
    fprintf(stderr,
            "impact: %zu accepted, %zu rejected, %zu not judged, %zu unsolved; worst residual %.2g",
            k->count[ACCEPTED], k->count[REJECTED], k->count[NOT_JUDGED], k->count[UNSOLVED],
            k->worst);
    if (k->left_out > 0) fprintf(stderr, "; left out, no problem files: %d", k->left_out);
    fputc('\n', stderr);
    return outcome;
}

/* What is read for one file of a folder: its problems, and the impulses of the file of its name in
 * the other folder, or that stand beside them. */
static void find_pair(const checking *k, const char *name, char path[PATH_MAX],
                      char beside[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s/%s", k->o.files[0], name);
    snprintf(beside, PATH_MAX, "%s/%s", k->o.files[k->o.files[1] ? 1 : 0], name);
}

/* All problems of one file of a folder. */
static imp_status check_file(checking *k, FILE *out, bool *unsolved, imp_error *error) {
    char path[PATH_MAX], beside[PATH_MAX];
    const bool apart = k->o.files[1];
    imp_problem_file *file;
    const imp_case *c;
    answers a = {.out = out, .table = true};
    size_t problems = 0;
    find_pair(k, k->file, path, beside);
    imp_status status = imp_problem_file_open(path, &file, error);
    if (status != IMP_OK) return status;
    k->problems = path;
    k->given = beside;
    const imp_status read = k->asks ? IMP_OK
                            : apart ? imp_solutions_read(beside, &k->solutions, &k->missing)
                                    : imp_solutions_read_beside(file, &k->solutions, &k->missing);
    if (read == IMP_NO_MEMORY || (read == IMP_IO && access(beside, F_OK) == 0))
        status = imp_error_set(error, read, "%s", k->missing.text);
    do {
        if (status == IMP_OK) status = imp_problem_file_next(file, &c, error);
        problems += status == IMP_OK && c;
        if (status == IMP_OK && c) status = answer(k, file, c, &a, error);
    } while (status == IMP_OK && c);
    if (status == IMP_OK) status = expect_some(file, problems, error);
    if (status == IMP_OK && k->solutions) status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_free(k->solutions);
    k->solutions = NULL;
    k->problems = k->given = NULL;
    imp_problem_file_close(file);
    *unsolved = *unsolved || a.unsolved;
    return status;
}

/* A file of problems, by its name? */
static bool is_problem_file(const char *name) {
    static const char *const suffixes[] = {".json", ".jsonl", ".tsv", ".hdf5", ".h5"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strlen(name) > strlen(suffixes[i]) && has_suffix(name, suffixes[i])) return true;
    return false;
}

/* All but the folder itself and the one that it is in. */
static int is_own(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Would the file be one of the folder's problems, behind links too? */
static bool joins(const char *path, const char *folder) {
    char at[PATH_MAX];
    struct stat in, of;
    char *place = imp_output_target(path);
    if (!place) return false;
    const char *slash = strrchr(place, '/');
    snprintf(at, sizeof at, "%.*s/", slash ? (int)(slash - place) : 1, slash ? place : ".");
    const bool is_problem = is_problem_file(slash ? slash + 1 : place);
    free(place);
    return is_problem && stat(at, &in) == 0 && stat(folder, &of) == 0 && in.st_dev == of.st_dev &&
           in.st_ino == of.st_ino;
}

/* Does the output leave what is read of both folders in its place, and no file there that would be
 * read the next time? false after a complaint. */
static bool keeps_folders(const checking *k, struct dirent **entry, int entries) {
    char path[PATH_MAX], beside[PATH_MAX];
    for (int i = 0; i < entries; i++) {
        if (!is_problem_file(entry[i]->d_name)) continue;
        find_pair(k, entry[i]->d_name, path, beside);
        if (!output_spares(&command_check, k->o.output, path) ||
            !output_spares(&command_check, k->o.output, beside))
            return false;
    }
    if (!k->o.output || !joins(k->o.output, k->o.files[0])) return true;
    complain_of("check: \"%.200s\" would be one of the problems, expected the output in another "
                "folder",
                k->o.output);
    return false;
}

/* All files of a folder in one table, by their names. */
static int check_folder(checking *k, struct dirent **entry, int entries) {
    imp_error error;
    imp_status status = IMP_OK;
    bool unsolved = false;
    FILE *out = output_open_whole(k->o.output);
    if (!out) return EXIT_BAD;
    imp_write_header(k->by.column, out);
    for (int i = 0; i < entries && status == IMP_OK; i++) {
        k->file = entry[i]->d_name;
        if (is_problem_file(k->file)) status = check_file(k, out, &unsolved, &error);
    }
    if (status == IMP_OK) return finish(k, output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED));
    complain(&error);
    return output_abandon();
}

static int run_folder(checking *k) {
    struct dirent **entry;
    struct stat about;
    const char *folder = k->o.files[0], *other = k->o.files[1];
    if (!output_fits("-o", k->o.output, "the output", "a table")) return EXIT_BAD;
    if (other && (stat(other, &about) != 0 || !S_ISDIR(about.st_mode)))
        return complain_of("%.200s: is no folder, expected one with the answers to %.200s", other,
                           folder);
    const int entries = scandir(folder, &entry, is_own, alphasort);
    if (entries < 0) return complain_of("%.200s: %s", folder, strerror(errno));
    int outcome = EXIT_BAD;
    for (int i = 0; i < entries; i++)
        k->left_out += !is_problem_file(entry[i]->d_name);
    if (k->left_out == entries)
        complain_of("%.200s: holds no problems, expected files .json, .jsonl, .tsv, .hdf5 or .h5",
                    folder);
    else if (keeps_folders(k, entry, entries) &&
             judging_begin(&k->by, k->o.model, k->o.tolerance, true))
        outcome = check_folder(k, entry, entries);
    for (int i = 0; i < entries; i++)
        free(entry[i]);
    free(entry);
    return outcome;
}

/* The answers of the file that was given, or those that stand beside the problems; none where a
 * solver is asked. */
static imp_status begin(void *context, imp_problem_file *file, imp_error *error) {
    checking *k = context;
    const char *given = k->o.files[1];
    k->problems = imp_problem_file_name(file);
    k->given = !given ? k->problems : strcmp(given, "-") == 0 ? "standard input" : given;
    if (k->asks) return IMP_OK;
    return given ? imp_solutions_read(given, &k->solutions, error)
                 : imp_solutions_read_beside(file, &k->solutions, error);
}

static int run_one(checking *k) {
    const char *file = k->o.files[0], *given = k->o.files[1];
    const pass p = {.o = &k->o,
                    .columns = k->by.column,
                    .rubs = !k->asks,
                    .some = true,
                    .begin = begin,
                    .check = k->asks ? NULL : match,
                    .answer = answer,
                    .context = k};
    if (given && strcmp(file, "-") == 0 && strcmp(given, "-") == 0)
        return complain_of("check: - stands for both files, expected it once");
    if (!judging_begin(&k->by, k->o.model, k->o.tolerance, false)) return EXIT_BAD;
    return finish(k, run_passes(&p));
}

static int run(const command *self, int argc, char **argv) {
    checking k = {0};
    int outcome;
    if (options_read(self, argc, argv, &k.o, &outcome)) {
        struct stat about;
        k.asks = k.o.outside[0] != NULL;
        outcome = stat(k.o.files[0], &about) == 0 && S_ISDIR(about.st_mode) ? run_folder(&k)
                                                                            : run_one(&k);
    }
    imp_solutions_free(k.solutions);
    free(k.asked);
    options_free(&k.o);
    return outcome;
}

static const char *const option_names[] = {"model",  "exec",       "plugin",       "law",
                                           "tol",    "time-limit", "memory-limit", "set",
                                           "choice", "output",     "facts",        NULL};

const command command_check = {
    .name = "check",
    .arguments = "--model NAME [OPTION]... FILE|FOLDER [SOLUTION], or --exec COMMAND|--plugin FILE "
                 "[OPTION]... FILE|FOLDER",
    .summary = "hold impulses, whoever computed them, against the law a model promises",
    .options = option_names,
    .text =
        "SOLUTION is a table with the columns id p1 p2 p3, matched by id, or JSON answers with "
        "\"p\", matched by\n"
        "position, or an FCLIB file with a solution; without it the answers stand beside the "
        "problems of FILE, as\n"
        "impact_dump.h writes them. FCLIB problems are judged in JSON, with both natural-map "
        "errors.\n"
        "One row per problem: id status residual worst contact reason, of Coulomb's law solution "
        "(1 of "
        "3: rank by energy, "
        "1 the most\n"
        "dissipative) and kind, then each residual by its name. status is ok, rejected (a "
        "residual above the "
        "tolerance),\n"
        "not-judged (reason says why) or unsolved (SOLUTION has no impulse there); all but ok: "
        "exit status 1. "
        "JSON answers\n"
        "of solve --path are judged along their path, others of a law that is a process by "
        "their distance from "
        "the\n"
        "library's own answer (residual from-model). Totals go to standard error. See "
        "impact-laws(7).\n"
        "Of a FOLDER all files .json, .jsonl, .tsv, .hdf5 and .h5 in one table, with the column "
        "file first; SOLUTION\n"
        "is then a folder with files of the same names. What else is in it, folders too, is left "
        "out and counted\n"
        "behind the totals.\n"
        "With --exec or --plugin there is no SOLUTION: a solver of yours is asked, and judged "
        "by --law.\n",
    .files = 1,
    .optional = 1,
    .answers = 1,
    .run = run,
};
