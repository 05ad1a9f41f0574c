/* solve.c - `impact solve`: a file of problems through one model. */
#include "cli/cli.h"
#include "cli/rows.h"
#include "io/fclib.h"
#include "io/json_write.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct solving {
    options o;
    double *p; /* room for p and u of `contacts` contacts, kept between problems */
    int contacts;
    bool faulty;   /* a fault of an outside solver has been said */
    imp_path path; /* of the last answer, with --path */
    bool answered; /* an impulse was found */
    bool told;     /* and the path to one */
    bool guessed;  /* a problem had a first guess */
    /* of a table, for a model that has a batch; a problem to be dumped does not wait */
    rows *rows;
} solving;

static bool make_room(solving *s, int nc) {
    if (nc <= s->contacts) return true;
    free(s->p);
    s->p = malloc(6 * (size_t)nc * sizeof *s->p);
    s->contacts = s->p ? nc : 0;
    return s->p != NULL;
}

/* An FCLIB problem stays one: its W may be one that JSON refuses. */
static imp_status dump_fclib(const char *path, const imp_fclib *fclib, imp_error *error) {
    imp_output out;
    imp_status status = imp_output_open(&out, path, error);
    if (status == IMP_OK) status = imp_fclib_write(out.file, path, fclib, error);
    if (status == IMP_OK) return imp_output_commit(&out, error);
    imp_output_abandon(&out);
    return status;
}

/* FOLDER/MODEL-POSITION; NULL: no memory. */
static char *dump_name(const options *o, const imp_problem_file *file, const imp_case *c) {
    char *path;
    return asprintf(&path, "%s/%s-%zu.%s", o->dump_folder, o->model->name, c->position,
                    imp_problem_file_fclib(file) ? "hdf5" : "json") < 0
               ? NULL
               : path;
}

/* Would the problem, if it is not solved, be dumped apart from what is read and written? */
static imp_status apart(void *context, const imp_problem_file *file, const imp_case *c,
                        imp_error *error) {
    const solving *s = context;
    if (!c) return IMP_OK;
    char *path = dump_name(&s->o, file, c);
    const imp_status status =
        path ? options_apart(&s->o, path, error) : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    free(path);
    return status;
}

/* With its bodies where it is made of some, otherwise W and q. */
static imp_status dump_json(const char *path, const options *o, const imp_problem_file *file,
                            const imp_case *c, const imp_settings *settings, imp_error *error) {
    const json_t *bodies = imp_problem_file_bodies(file);
    json_t *made =
        bodies ? NULL
               : imp_problem_json(c->named ? c->id : NULL, &c->problem, c->guess, NULL, NULL);
    const imp_status status =
        imp_problem_dump_source(path, bodies ? bodies : made, o->model, settings, error);
    json_decref(made);
    return status;
}

static imp_status dump(const options *o, const imp_problem_file *file, const imp_case *c,
                       const imp_settings *settings, imp_error *error) {
    const imp_fclib *fclib = imp_problem_file_fclib(file);
    char *path = dump_name(o, file, c);
    if (!path) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    output_hold();
    const imp_status status =
        fclib ? dump_fclib(path, fclib, error) : dump_json(path, o, file, c, settings, error);
    output_release();
    free(path);
    return status;
}

/* What was wrong with its answer; NULL also where an outside solver was not asked. */
static const char *fault_of(const options *o, const imp_problem *problem) {
    const char *fault = outside_fault(o->model);
    return fault && imp_model_takes(o->model, problem) == IMP_OK ? fault : NULL;
}

static imp_status add_json(answers *a, const imp_case *c, const options *o, imp_answer *found,
                           imp_error *error) {
    json_t *kept = c->bilateral ? imp_answer_constraints(c->bilateral, found) : json_object(),
           *object = imp_answer_json(c->named ? c->id : NULL, o->model, found);
    if (!kept || json_object_update(object, kept) != 0) imp_json_put(&object, "lambda", NULL);
    json_decref(kept);
    if (o->facts) imp_json_put(&object, "W", imp_operator_json(c->problem.W));
    if (found->p && outside_iterations(o->model) == 0) /* said, and not a 0 for what is unknown */
        imp_json_put(&object, "iterations", json_integer(0));
    const char *fault = fault_of(o, &c->problem);
    if (fault) imp_json_put(&object, "reason", json_string(fault));
    return answers_add(a, object, error);
}

/* Has the answer to the file room for what is asked for? */
static imp_status begin(void *context, imp_problem_file *file, imp_error *error) {
    const options *o = &((const solving *)context)->o;
    const bool table = imp_problem_file_is_table(file);
    if ((!table || !(o->path || o->facts)) && (!imp_problem_file_is_fclib(file) || !o->path))
        return IMP_OK;
    return imp_error_set(
        error, IMP_BAD_ARGUMENT,
        "%s: a %s is answered by one, which has no room for it, expected problems in JSON "
        "(impact convert)",
        o->path ? "--path" : "--facts", table ? "table" : "file of FCLIB");
}

static imp_status answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                         imp_error *error) {
    solving *s = context;
    const options *o = &s->o;
    const int nc = c->problem.nc;
    imp_settings settings;
    imp_answer found;
    if (s->rows) return rows_add(s->rows, c, a, error);
    imp_status status = options_settings(o, file, c, &settings, error);
    if (status != IMP_OK) return status;
    if (a->table && o->model->batch && !o->dump_folder) {
        if (!(s->rows = rows_new(o->model, &settings)))
            return imp_error_set(error, IMP_NO_MEMORY, "no memory");
        return rows_add(s->rows, c, a, error);
    }
    if (!make_room(s, nc))
        return imp_error_set(error, IMP_NO_MEMORY, "no memory for %d contacts", nc);
    imp_path *path = o->path ? &s->path : NULL;
    imp_answer_solve(c->bilateral, o->model, &c->problem, &settings, c->guess, s->p,
                     s->p + 3 * (size_t)nc, path, &found);
    s->guessed = s->guessed || c->guess;
    s->answered = s->answered || found.p;
    s->told = s->told || (found.p && path && path->nc > 0);
    if (a->table)
        imp_answer_write_row(c->id, &found, a->out);
    else if (a->fclib)
        status = imp_answer_write_fclib(imp_problem_file_fclib(file), o->model, &c->problem, &found,
                                        o->facts, a->out, o->output ? o->output : "standard output",
                                        error);
    else
        status = add_json(a, c, o, &found, error);
    if (found.status == IMP_OK) return status;
    const char *fault = fault_of(o, &c->problem);
    if (fault && !s->faulty) complain_of("problem \"%.60s\": %s", c->id, fault);
    s->faulty = s->faulty || fault;
    a->unsolved = true;
    return status == IMP_OK && o->dump_folder ? dump(o, file, c, &settings, error) : status;
}

/* Does the command line ask for the guess of each problem? The last one counts. */
static bool asks_for_guess(const options *o) {
    static const char start[] = "start=";
    bool asked = false;
    for (char **a = o->assign; *a; a++)
        if (strncmp(*a, start, strlen(start)) == 0)
            asked = strcmp(*a + strlen(start), "guess") == 0;
    return asked;
}

static void finish(void *context, answers *a) {
    const solving *s = context;
    if (s->rows) rows_flush(s->rows, a);
}

/* What was asked for in vain. */
static void warn_of_options(const solving *s) {
    if (asks_for_guess(&s->o) && !s->guessed)
        warn_of("--set start=guess: no problem has a guess to begin with");
    if (s->o.path && s->answered && !s->told)
        warn_of("--path: no answer has one: %s finds impulses of such problems without",
                s->o.model->name);
}

static int run(const command *self, int argc, char **argv) {
    solving s = {0};
    int outcome;
    struct stat about;
    if (options_read(self, argc, argv, &s.o, &outcome)) {
        const pass p = {.o = &s.o,
                        .columns = imp_answer_columns,
                        .fclib = true,
                        .rubs = true,
                        .begin = begin,
                        .check = s.o.dump_folder ? apart : NULL,
                        .answer = answer,
                        .finish = finish,
                        .context = &s};
        if (s.o.dump_folder && (stat(s.o.dump_folder, &about) != 0 || !S_ISDIR(about.st_mode)))
            outcome =
                complain_of("--dump-failed is \"%.200s\", expected a folder", s.o.dump_folder);
        else
            outcome = s.o.explain ? explain(&s.o) : run_passes(&p);
        if (outcome != EXIT_BAD) warn_of_options(&s);
    }
    rows_free(s.rows);
    free(s.p);
    imp_path_clear(&s.path);
    options_free(&s.o);
    return outcome;
}

static const char *const option_names[] = {
    "model",       "exec",         "plugin", "law",     "tol",
    "time-limit",  "memory-limit", "set",    "choice",  "output",
    "dump-failed", "facts",        "path",   "explain", NULL};

const command command_solve = {
    .name = "solve",
    .arguments = "--model NAME|--exec COMMAND|--plugin FILE [OPTION]... FILE",
    .summary = "solve the contact problems of a table, a JSON or an FCLIB file (- is standard "
               "input) with one model",
    .options = option_names,
    .text = "The answer is of the same kind. A table has the columns id status p1 p2 p3 u1 u2 u3 "
            "energy residual, "
            "where 1,\n"
            "2, 3 are the axes n, t, o; p in N s, u in m/s, energy in J; residual is the largest "
            "of the certificate.\n"
            "An FCLIB file (HDF5) is answered by one with the solution in it: r, u, v, and as "
            "attributes of that group "
            "model,\n"
            "status, error_field and error_scale_free (natural map), residual, energy; with "
            "--facts W_rows, W_rank,\n"
            "W_redundancy, W_condition and W_asymmetry. With --path JSON answers carry their path, "
            "by which "
            "check judges them.\n"
            "--explain says in words what the answer does, by which residuals it is judged, which "
            "others there are, and\n"
            "which contacts exclude one where there is none.\n"
            "--set start=guess starts from the guess of the problem where the model can.\n"
            "--exec and --plugin ask a solver of yours, in a process of its own, and judge it by "
            "--law; what it does wrong is the\n"
            "status of that problem: not-certified, crashed, timed-out or bad-answer.\n",
    .files = 1,
    .run = run,
};
