/* check.c - `impact check`: anybody's impulses held against a model's law. */
#include "audit/answer.h"
#include "audit/solutions.h"
#include "cli/cli.h"
#include "io/json_path.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* How the judging of one answer ended. */
typedef enum verdict { ACCEPTED, REJECTED, NOT_JUDGED, UNSOLVED, VERDICTS } verdict;
static const char *const verdict_text[VERDICTS] = {"ok", "rejected", "not-judged", "unsolved"};

/* One answer judged. */
typedef struct judgement {
    verdict verdict;
    /* why it was not judged, or what was wrong beside residuals; NULL: nothing */
    const char *reason;
    const imp_certificate *residuals; /* NULL: none */
    /* of a law with several solutions, the one this is; NULL: not known */
    const imp_coulomb_solution *given;
    int rank, count; /* its rank by energy, 1 the most dissipative, of how many */
} judgement;

/* Of files of a folder, of every law, then of one with several solutions. */
enum { FIXED = 8 };
static const imp_column columns[FIXED] = {
    IMP_WORDS("file"),     IMP_WORDS("id"),
    IMP_WORDS("status"),   IMP_NUMBERS("residual", NULL, IMP_EXACT),
    IMP_WORDS("worst"),    IMP_WORDS("reason"),
    IMP_WORDS("solution"), IMP_WORDS("kind")};

typedef struct checking {
    options o;
    bool asks;                /* an outside solver */
    imp_solutions *solutions; /* NULL: it is asked, or there are none */
    const char *file;         /* of a folder, the one that is looked at; NULL: no folder */
    imp_error missing;        /* why it has no solutions */
    double *asked;            /* (3 room) N s, its last answer */
    int room;                 /* contacts */
    size_t count[VERDICTS];
    double worst; /* residual of all that were judged */
    imp_coulomb_set set;
    /* columns of every law; how many residuals this one names, over all problems */
    int fixed, residuals;
    imp_column column[FIXED + IMP_RESIDUALS + 1];
} checking;

static void add_names(checking *k, const imp_certificate *c) {
    imp_column *own = k->column + k->fixed;
    for (int i = 0; i < c->count; i++) {
        int known = 0;
        while (known < k->residuals && strcmp(own[known].name, c->residual[i].name) != 0)
            known++;
        if (known == k->residuals && known < IMP_RESIDUALS)
            own[k->residuals++] = (imp_column){.name = c->residual[i].name, .digits = IMP_EXACT};
    }
}

/* Behind the columns of every law the names of this one's residuals, in its order, from the
 * certificates of a contact at rest with and without restitution: some laws look at other things
 * there. */
static bool make_columns(checking *k) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0}, e[2] = {0, 1};
    const imp_operator operator= imp_operator_dense(1, W);
    const imp_model *model = k->o.model;
    const int from = k->file ? 0 : 1;
    k->fixed = (model->law->several ? FIXED : FIXED - 2) - from;
    memcpy(k->column, columns + from, (size_t)k->fixed * sizeof *columns);
    for (int i = 0; i < 2; i++) {
        const imp_problem rest = {.nc = 1, .W = &operator, .q = zero, .mu = zero, .e = &e[i]};
        imp_certificate certificate;
        if (imp_model_takes(model, &rest) == IMP_OK &&
            imp_certify(&rest, model->law, NULL, zero, NULL, &certificate) == IMP_OK)
            add_names(k, &certificate);
    }
    return k->residuals > 0;
}

/* The residual of that name; NAN where the certificate has none. */
static double residual_of(const imp_certificate *c, const char *name) {
    for (int i = 0; c && i < c->count; i++)
        if (strcmp(c->residual[i].name, name) == 0) return c->residual[i].value;
    return NAN;
}

/* One solution for each problem and none left. */
static imp_status match(void *context, const imp_case *c, imp_error *error) {
    checking *k = context;
    const double *p;
    if (c) {
        size_t given;
        const double *lambda = imp_solutions_lambda(k->solutions, c->id, c->position, &given);
        const size_t rows = c->bilateral ? (size_t)imp_bilateral_rows(c->bilateral) : given;
        if (lambda && given != rows)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s: %zu in lambda for problem \"%.60s\", expected %zu",
                                 k->o.files[1], given, c->id, rows);
        return imp_solutions_take(k->solutions, c->id, c->position, c->problem.nc, &p, error);
    }
    const imp_status status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_rewind(k->solutions);
    return status;
}

static void write_row(const checking *k, const char *id, const judgement *j, FILE *out) {
    const imp_certificate *c = j->residuals;
    char solution[40] = "";
    if (j->given) snprintf(solution, sizeof solution, "%d of %d", j->rank, j->count);
    imp_cell all[FIXED + IMP_RESIDUALS] = {
        IMP_TEXT(k->file),
        IMP_TEXT(id),
        IMP_TEXT(verdict_text[j->verdict]),
        IMP_NUMBER(c ? c->worst : NAN),
        IMP_TEXT(c ? audit_worst(c) : NULL),
        IMP_TEXT(j->reason),
        IMP_TEXT(solution),
        IMP_TEXT(j->given ? imp_coulomb_kind_text(j->given->kind) : NULL)};
    imp_cell *cells = all + (k->file ? 0 : 1);
    for (int i = k->fixed; i < k->fixed + k->residuals; i++)
        cells[i] = IMP_NUMBER(residual_of(c, k->column[i].name));
    imp_write_cells(k->column, out, k->fixed + k->residuals, cells);
}

static json_t *solution_json(const judgement *j) {
    json_t *solution = json_object();
    imp_json_put(&solution, "rank", json_integer(j->rank));
    imp_json_put(&solution, "count", json_integer(j->count));
    imp_json_put(&solution, "kind", json_string(imp_coulomb_kind_text(j->given->kind)));
    return solution;
}

static json_t *judgement_json(const checking *k, const char *id, const judgement *j) {
    const imp_certificate *c = j->residuals;
    json_t *answer = json_object();
    if (id) imp_json_put(&answer, "id", json_string(id));
    imp_json_put(&answer, "law", json_string(k->o.model->law->name));
    imp_json_put(&answer, "status", json_string(verdict_text[j->verdict]));
    if (j->reason) imp_json_put(&answer, "reason", json_string(j->reason));
    if (j->given) imp_json_put(&answer, "solution", solution_json(j));
    if (!c) return answer;
    imp_json_put(&answer, "residual", imp_json_of(c->worst));
    imp_json_put(&answer, "worst", json_string(audit_worst(c)));
    imp_json_put(&answer, "contact", json_integer(c->contact));
    imp_json_put(&answer, "residuals", imp_certificate_json(c));
    imp_json_put(&answer, "energy", imp_json_of(c->energy));
    imp_json_put(&answer, "energy_excess", imp_json_of(c->energy_excess));
    imp_json_put(&answer, "velocity_excess", imp_json_of(c->velocity_excess));
    return answer;
}

/* The natural-map errors of Coulomb's law, as the field states them. */
static void put_errors(json_t **answer, const imp_problem *problem, const double *p) {
    double field, scale_free;
    imp_natural_error(problem, p, &field, &scale_free);
    imp_json_put(answer, "error_field", imp_json_of(field));
    imp_json_put(answer, "error_scale_free", imp_json_of(scale_free));
}

/* Which of the law's solutions for one contact an accepted impulse is, where the count is
 * certain. */
static void name_solution(imp_coulomb_set *set, const imp_problem *problem, const double *p,
                          judgement *j) {
    const int row = audit_solution(problem, p, set);
    if (row < 0) return;
    j->given = &set->solution[row];
    j->rank = row + 1;
    j->count = set->count;
}

static judgement judge(checking *k, const imp_problem *problem, const imp_settings *settings,
                       const double *p, const imp_path *path, imp_certificate *certificate) {
    const imp_model *model = k->o.model;
    if (!p && !k->asks)
        return (judgement){.verdict = UNSOLVED,
                           .reason = k->solutions ? "no impulse was given" : k->missing.text};
    if (imp_model_takes(model, problem) != IMP_OK)
        return (judgement){.verdict = NOT_JUDGED,
                           .reason = "the model does not take such a problem"};
    const char *fault = outside_fault(model);
    if (!p)
        return (judgement){.verdict = UNSOLVED, .reason = fault ? fault : "no impulse was given"};
    const imp_status status = imp_certify(problem, model->law, settings, p, path, certificate);
    if (status == IMP_NOT_FINITE)
        return (judgement){.verdict = REJECTED, .reason = "its velocities overflow"};
    if (status != IMP_OK)
        return (judgement){.verdict = NOT_JUDGED, .reason = imp_status_text(status)};
    judgement j = {.verdict = ACCEPTED, .residuals = certificate};
    if (!(certificate->worst <= k->o.tolerance))
        j.verdict = REJECTED; /* whatever else could not be judged */
    else if (certificate->unjudged)
        j = (judgement){
            .verdict = NOT_JUDGED, .reason = certificate->unjudged, .residuals = certificate};
    else if (model->law->several)
        name_solution(&k->set, problem, p, &j);
    return j;
}

/* *p <- what the outside solver answers; NULL: nothing, outside_fault says why. */
static imp_status ask(checking *k, const imp_problem *problem, const imp_settings *settings,
                      const double **p, imp_error *error) {
    imp_info info = {0};
    *p = NULL;
    if (imp_model_takes(k->o.model, problem) != IMP_OK) return IMP_OK;
    if (problem->nc > k->room) {
        free(k->asked);
        k->asked = malloc(3 * (size_t)problem->nc * sizeof *k->asked);
        k->room = k->asked ? problem->nc : 0;
    }
    if (!k->asked)
        return imp_error_set(error, IMP_NO_MEMORY, "no memory for %d contacts", problem->nc);
    const imp_status status = k->o.model->solve(problem, settings, k->asked, NULL, &info);
    if (status >= 0 && isfinite(k->asked[0])) *p = k->asked;
    return IMP_OK;
}

/* The constraints that p was given with: kept by what follows from it, with the impulses that stand
 * beside it in the file or, where none do, those that follow too. */
static imp_status hold(const checking *k, const imp_case *c, const double *p, judgement *j,
                       imp_bilateral_errors *errors, imp_error *error) {
    const imp_bilateral *b = c->bilateral;
    const size_t bodies = 6 * (size_t)imp_bilateral_bodies(b), rows = (size_t)imp_bilateral_rows(b);
    size_t given = 0;
    const double *lambda =
        k->solutions ? imp_solutions_lambda(k->solutions, c->id, c->position, &given) : NULL;
    if (lambda && given != rows)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %zu in lambda for problem \"%.60s\", expected %zu", k->o.files[1],
                             given, c->id, rows);
    double *velocity = malloc((bodies + rows + 1) * sizeof *velocity);
    imp_status status =
        velocity ? imp_bilateral_recover(b, p, velocity, velocity + bodies, errors) : IMP_NO_MEMORY;
    if (status == IMP_OK && lambda) status = imp_bilateral_judge(b, p, velocity, lambda, errors);
    free(velocity);
    if (status != IMP_OK) return imp_error_set(error, status, "no memory for constraints");
    if (j->verdict == ACCEPTED && !(fmax(errors->velocity, errors->momentum) <= k->o.tolerance)) {
        j->verdict = REJECTED;
        j->reason = "the impulses of its constraints do not balance the momentum";
    }
    return IMP_OK;
}

static imp_status answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                         imp_error *error) {
    checking *k = context;
    const double *p = NULL;
    imp_settings settings;
    imp_certificate certificate;
    const imp_path *path = NULL;
    imp_status status = options_settings(&k->o, file, &settings, error);
    if (status == IMP_OK && k->solutions) {
        status = imp_solutions_take(k->solutions, c->id, c->position, c->problem.nc, &p, error);
        path = imp_solutions_path(k->solutions, c->id, c->position);
    } else if (status == IMP_OK && k->asks) {
        status = ask(k, &c->problem, &settings, &p, error);
    }
    if (status != IMP_OK) return status;
    judgement j = judge(k, &c->problem, &settings, p, path, &certificate);
    imp_bilateral_errors errors;
    if (p && c->bilateral) status = hold(k, c, p, &j, &errors, error);
    if (status != IMP_OK) return status;
    k->count[j.verdict]++;
    if (j.residuals && j.residuals->worst > k->worst) k->worst = j.residuals->worst;
    if (j.verdict != ACCEPTED) a->unsolved = true;
    if (!a->table) {
        json_t *object = judgement_json(k, c->named ? c->id : NULL, &j);
        if (p && c->problem.nc > 1) put_errors(&object, &c->problem, p);
        if (p && c->bilateral)
            imp_json_put(&object, "constraints", imp_constraints_json(c->bilateral, &errors));
        if (k->o.facts) imp_json_put(&object, "W", imp_operator_json(c->problem.W));
        return answers_add(a, object, error);
    }
    write_row(k, c->id, &j, a->out);
    return IMP_OK;
}

/* Totals on standard error: standard output is for the verdicts alone. */
static void finish(void *context, answers *a) {
    const checking *k = context;
    (void)a;
    fprintf(
        stderr,
        "impact: %zu accepted, %zu rejected, %zu not judged, %zu unsolved; worst residual %.2g\n",
        k->count[ACCEPTED], k->count[REJECTED], k->count[NOT_JUDGED], k->count[UNSOLVED], k->worst);
}

/* The problems of one file of a folder, with the impulses of the file of its name in the other
 * folder, or that stand beside them. */
static imp_status check_file(checking *k, FILE *out, bool *unsolved, imp_error *error) {
    char path[PATH_MAX], beside[PATH_MAX];
    const char *other = k->o.files[1] ? k->o.files[1] : k->o.files[0];
    imp_problem_file *file;
    const imp_case *c;
    answers a = {.out = out, .table = true};
    snprintf(path, sizeof path, "%s/%s", k->o.files[0], k->file);
    snprintf(beside, sizeof beside, "%s/%s", other, k->file);
    imp_status status = imp_problem_file_open(path, &file, error);
    if (status != IMP_OK) return status;
    if (!k->asks && imp_solutions_read(beside, &k->solutions, &k->missing) == IMP_NO_MEMORY)
        status = imp_error_set(error, IMP_NO_MEMORY, "%s", k->missing.text);
    do {
        if (status == IMP_OK) status = imp_problem_file_next(file, &c, error);
        if (status == IMP_OK && c) status = answer(k, file, c, &a, error);
    } while (status == IMP_OK && c);
    if (status == IMP_OK && k->solutions) status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_free(k->solutions);
    k->solutions = NULL;
    imp_problem_file_close(file);
    *unsolved = *unsolved || a.unsolved;
    return status;
}

/* A file of problems, by its name? */
static int is_problem_file(const struct dirent *entry) {
    static const char *const suffixes[] = {".json", ".jsonl", ".tsv", ".hdf5", ".h5"};
    const char *dot = strrchr(entry->d_name, '.');
    for (size_t i = 0; dot && dot > entry->d_name && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i]) == 0) return 1;
    return 0;
}

/* All files of a folder in one table, by their names. */
static int check_folder(checking *k, struct dirent **entry, int entries) {
    imp_error error;
    imp_status status = IMP_OK;
    bool unsolved = false;
    FILE *out = output_open_whole(k->o.output);
    if (!out) return EXIT_BAD;
    imp_write_header(k->column, out);
    for (int i = 0; i < entries && status == IMP_OK; i++) {
        k->file = entry[i]->d_name;
        status = check_file(k, out, &unsolved, &error);
    }
    if (status == IMP_OK) finish(k, NULL);
    if (status == IMP_OK) return output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED);
    complain(&error);
    return output_abandon();
}

static int run_folder(checking *k) {
    struct dirent **entry;
    struct stat about;
    const char *folder = k->o.files[0], *other = k->o.files[1];
    if (other && (stat(other, &about) != 0 || !S_ISDIR(about.st_mode)))
        return complain_of("%.200s: is no folder, expected one with the answers to %.200s", other,
                           folder);
    const int entries = scandir(folder, &entry, is_problem_file, alphasort);
    if (entries < 0) return complain_of("%.200s: %s", folder, strerror(errno));
    int outcome = EXIT_BAD;
    k->file = folder;
    if (entries == 0)
        complain_of("%.200s: holds no problems, expected files .json, .jsonl, .tsv, .hdf5 or .h5",
                    folder);
    else if (!make_columns(k))
        complain_of("check: the law of %s names no residuals", k->o.model->name);
    else
        outcome = check_folder(k, entry, entries);
    for (int i = 0; i < entries; i++)
        free(entry[i]);
    free(entry);
    return outcome;
}

static int run_one(checking *k) {
    imp_error error;
    const char *file = k->o.files[0], *given = k->o.files[1] ? k->o.files[1] : file;
    const pass p = {.o = &k->o,
                    .columns = k->column,
                    .check = k->asks ? NULL : match,
                    .answer = answer,
                    .finish = finish,
                    .context = k};
    if (!k->asks && strcmp(file, "-") == 0 && strcmp(given, "-") == 0)
        return complain_of("check: - stands for both files, expected it once");
    if (!make_columns(k))
        return complain_of("check: the law of %s names no residuals", k->o.model->name);
    if (!k->asks && imp_solutions_read(given, &k->solutions, &error) != IMP_OK)
        return complain(&error);
    return run_passes(&p);
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
        "One row per problem: id status residual worst reason, of Coulomb's law solution (1 of "
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
        "is then a folder with files of the same names.\n"
        "With --exec or --plugin there is no SOLUTION: a solver of yours is asked, and judged "
        "by --law.\n",
    .files = 1,
    .optional = 1,
    .answers = 1,
    .run = run,
};
