/* convert.c - `impact convert`: one contact problem from JSON to FCLIB HDF5 or the reverse. */
#include "cli/cli.h"
#include "io/fclib.h"
#include "io/json_path.h"

#include <string.h>

/* "json" or "hdf5": what OUT is to be; NULL after a complaint. */
static const char *target(const options *o) {
    const char *dot = strrchr(o->files[1], '.'), *to = o->to ? o->to : dot ? dot + 1 : "";
    if (strcmp(to, "json") == 0) return "json";
    if (strcmp(to, "hdf5") == 0 || strcmp(to, "h5") == 0) return "hdf5";
    complain_of("convert: \"%.60s\" says no format, expected OUT to end in .json or .hdf5, or --to "
                "json or --to hdf5",
                o->to ? o->to : o->files[1]);
    return NULL;
}

/* The file's only problem; NULL after a complaint. */
static const imp_case *only_problem(imp_problem_file *file) {
    imp_error error;
    const imp_case *c = NULL, *another = NULL;
    imp_status status = imp_problem_file_next(file, &c, &error);
    if (status == IMP_OK) status = imp_problem_file_next(file, &another, &error);
    if (status == IMP_OK && c && !another) status = imp_problem_file_rewind(file, &error);
    if (status != IMP_OK)
        complain(&error);
    else if (!c || another)
        complain_of("%s: %s, expected one problem", imp_problem_file_name(file),
                    c ? "several problems" : "no problem");
    else if (imp_problem_file_next(file, &c, &error) == IMP_OK)
        return c;
    return NULL;
}

/* Can JSON, which takes W as mechanics has it, hold a recorded one? */
static bool demands_met(const char *name, const imp_problem *problem) {
    imp_operator W = *problem->W;
    imp_problem held = *problem;
    W.as_given = 0;
    held.W = &W;
    const imp_status status =
        imp_operator_singular(problem->W, 3) ? IMP_NOT_POSITIVE : imp_problem_check(&held, NULL);
    if (status == IMP_NO_MEMORY)
        complain_of("%s: no memory", name);
    else if (status == IMP_NOT_SYMMETRIC)
        complain_of("%s: W is asymmetric (%.1e relative), expected a symmetric one: JSON problems "
                    "hold no other",
                    name, imp_operator_asymmetry(problem->W));
    else if (status != IMP_OK)
        complain_of("%s: W: %s, which a JSON problem may not be", name, imp_status_text(status));
    return status == IMP_OK;
}

static int to_json(imp_problem_file *file, const imp_case *c, const char *path) {
    const char *title = imp_problem_file_fclib(file)->title;
    if (!demands_met(imp_problem_file_name(file), &c->problem)) return EXIT_BAD;
    json_t *object = imp_problem_json(*title ? title : NULL, &c->problem, c->guess, NULL, NULL);
    if (!object) return complain_of("no memory");
    FILE *out = output_open(path);
    int outcome = EXIT_BAD;
    if (out) {
        const bool good = imp_json_write(object, out);
        fputc('\n', out);
        outcome = good ? output_commit(EXIT_SOLVED) : output_abandon();
    }
    json_decref(object);
    return outcome;
}

static int to_hdf5(const imp_case *c, const char *name, const char *path) {
    imp_fclib made;
    imp_error error;
    for (int i = 0; i < c->problem.nc; i++)
        if (c->problem.e[i] > 0)
            return complain_of(
                "%s: contact %d has restitution, expected e = 0: FCLIB files hold none", name, i);
    if (!imp_law_reads(&imp_law_coulomb, &c->problem))
        return complain_of(
            "%s: has viscous friction or gaps, expected none: FCLIB files hold neither", name);
    if (imp_fclib_of(&c->problem, c->guess, &made) != IMP_OK)
        return complain_of("%s: no memory", name);
    if (c->named) snprintf(made.title, sizeof made.title, "%s", c->id);
    FILE *out = output_open(path);
    int outcome = EXIT_BAD;
    if (out && imp_fclib_write(out, path ? path : "standard output", &made, &error) == IMP_OK)
        outcome = output_commit(EXIT_SOLVED);
    else if (out) {
        complain(&error);
        outcome = output_abandon();
    }
    imp_fclib_clear(&made);
    return outcome;
}

static int convert(const options *o, imp_problem_file *file, const char *to) {
    const char *path = strcmp(o->files[1], "-") == 0 ? NULL : o->files[1],
               *name = imp_problem_file_name(file);
    const bool fclib = imp_problem_file_is_fclib(file);
    if (fclib == (strcmp(to, "hdf5") == 0))
        return complain_of("%s: is %s already, expected the other format", name,
                           fclib ? "HDF5" : "JSON or a table");
    const imp_case *c = only_problem(file);
    if (!c) return EXIT_BAD;
    return fclib ? to_json(file, c, path) : to_hdf5(c, name, path);
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    imp_error error;
    imp_problem_file *file;
    if (options_read(self, argc, argv, &o, &outcome)) {
        const char *to = target(&o);
        outcome = EXIT_BAD;
        if (to && output_is_input(o.files[1], o.files[0])) {
            complain_of("convert: \"%.200s\" is also the input, expected another file for OUT",
                        o.files[1]);
            to = NULL;
        }
        if (to && imp_problem_file_open(o.files[0], &file, &error) != IMP_OK)
            complain(&error);
        else if (to) {
            outcome = convert(&o, file, to);
            imp_problem_file_close(file);
        }
    }
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"to", NULL};

const command command_convert = {
    .name = "convert",
    .arguments = "[--to json|hdf5] FILE OUT",
    .summary = "turn a contact problem from JSON into FCLIB HDF5, or the reverse",
    .options = option_names,
    .text = "The format is told by OUT's suffix, .json or .hdf5, or by --to; - is standard input "
            "and output. A global\n"
            "FCLIB problem becomes its local form, W = H'M^-1 H, in JSON; its title is the id, its "
            "guess the guess. A\n"
            "table, or a JSON list, must hold one problem. Restitution, viscous friction and gaps, "
            "which FCLIB does not\n"
            "know, and an asymmetric W, which JSON problems may not have, are refused. Settings "
            "are left out.\n",
    .files = 2,
    .run = run,
};
