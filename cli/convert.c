/* convert.c - `impact convert`: contact problems from one form to another: JSON, JSON lines, tables
 * and FCLIB HDF5. */
#include "cli/cli.h"
#include "io/fclib.h"
#include "io/json_write.h"
#include "io/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum form { JSON, LINES, TABLE, HDF5, FORMS } form;

/* The words of --to, the suffixes and what other suffixes promise, in the order of the forms. */
static const struct {
    const char *word, *suffix, *kind;
} forms[FORMS] = {{"json", ".json", "JSON"},
                  {"jsonl", ".jsonl", "JSON"},
                  {"table", ".tsv", "a table"},
                  {"hdf5", ".hdf5", "HDF5"}};

/* Does --to, or without it OUT's suffix, name the form? */
static bool is_named(const options *o, int k) {
    if (o->to) return strcmp(o->to, forms[k].word) == 0;
    return has_suffix(o->files[1], forms[k].suffix) ||
           (k == HDF5 && has_suffix(o->files[1], ".h5"));
}

/* What OUT is to be; FORMS after a complaint. */
static form target(const options *o) {
    for (int k = 0; k < FORMS; k++)
        if (is_named(o, k)) return (form)k;
    complain_of("convert: \"%.60s\" says no format, expected OUT to end in .json, .jsonl, .tsv, "
                ".hdf5 or .h5, or --to json, jsonl, table or hdf5",
                o->to ? o->to : o->files[1]);
    return FORMS;
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

/* Can JSON, which takes W as mechanics has it, hold a recorded one? A singular one of one contact
 * as the G it is made of: *root <- to be freed, NULL for any other. */
static bool demands_met(const char *name, const imp_problem *problem, imp_factored **root) {
    imp_operator W = *problem->W;
    imp_problem held = *problem;
    W.as_given = 0;
    held.W = &W;
    *root = NULL;
    imp_status status = imp_problem_check(&held, NULL);
    if (status == IMP_NOT_POSITIVE && problem->nc == 1) {
        double block[9];
        W.kind->block(&W, 0, 0, block);
        status = imp_factored_root(block, root);
    }
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

/* What a problem that is converted leaves behind: settings and an answer. */
static const char *const left_out[] = {"settings", "p", "lambda", "velocities", "joint_friction"};

/* A problem made of bodies, as it stands in the file. A new reference, NULL after a complaint. */
static json_t *bodies_of(const json_t *bodies) {
    json_t *copy = json_deep_copy(bodies);
    if (!copy) complain_of("no memory");
    for (size_t k = 0; copy && k < sizeof left_out / sizeof *left_out; k++)
        (void)json_object_del(copy, left_out[k]);
    return copy;
}

/* The problem as an object: with its bodies where it is made of some, otherwise W and q. A new
 * reference, NULL after a complaint. */
static json_t *object_of(imp_problem_file *file, const imp_case *c) {
    const imp_fclib *fclib = imp_problem_file_fclib(file);
    const char *id = c->named ? c->id : NULL;
    if (imp_problem_file_bodies(file)) return bodies_of(imp_problem_file_bodies(file));
    imp_factored *root = NULL;
    if (fclib && !demands_met(imp_problem_file_name(file), &c->problem, &root)) return NULL;
    if (fclib) id = fclib->title && *fclib->title ? fclib->title : NULL;
    const imp_operator product = root ? imp_operator_factored(root) : *c->problem.W;
    imp_problem problem = c->problem;
    problem.W = &product;
    json_t *object = imp_problem_json(id, &problem, c->guess, NULL, NULL);
    imp_factored_free(root);
    if (object && c->b)
        imp_json_put(&object, "b", imp_json_of_vector(c->b, 3 * (size_t)c->problem.nc));
    if (object && c->kappa >= 0) imp_json_put(&object, "kappa", imp_json_of(c->kappa));
    if (!object) return complain_of("no memory"), NULL;
    /* bytes that are no UTF-8 would be written as ? */
    if (!id || strcmp(json_string_value(json_object_get(object, "id")), id) == 0) return object;
    complain_of("%s: problem \"%.60s\" has an id that is not UTF-8, expected one: JSON holds no "
                "other",
                imp_problem_file_name(file), id);
    json_decref(object);
    return NULL;
}

static bool is_many(const imp_problem_file *file) {
    return imp_problem_file_is_list(file) || imp_problem_file_is_table(file);
}

static bool write_json(imp_problem_file *file, const imp_case *c, objects *to) {
    json_t *object = object_of(file, c);
    if (!object) return false;
    const bool good = objects_add(to, object);
    if (!good) complain_of("no memory");
    return good;
}

/* Those of a problem without accelerations end before b. */
enum { PLAIN = 12 };
static const imp_column columns[] = {IMP_WORDS("id"),
                                     IMP_NUMBERS("mu", NULL, IMP_EXACT),
                                     IMP_NUMBERS("W11", NULL, IMP_EXACT),
                                     IMP_NUMBERS("W12", NULL, IMP_EXACT),
                                     IMP_NUMBERS("W13", NULL, IMP_EXACT),
                                     IMP_NUMBERS("W22", NULL, IMP_EXACT),
                                     IMP_NUMBERS("W23", NULL, IMP_EXACT),
                                     IMP_NUMBERS("W33", NULL, IMP_EXACT),
                                     IMP_AXES("q", NULL),
                                     IMP_NUMBERS("e", NULL, IMP_EXACT),
                                     IMP_AXES("b", NULL),
                                     IMP_COLUMNS_END};

static const char singular[] =
    "a singular W, expected a definite one, as tables have it: JSON holds its G";

static bool rubs(const imp_case *c) {
    return c->bilateral && imp_bilateral_rubs(c->bilateral) > 0;
}

/* What a row of a table cannot hold; NULL: it can hold the problem. */
static const char *not_for_a_row(const imp_case *c, bool b) {
    return c->problem.nc > 1 ? "several contacts, expected one"
           : rubs(c)         ? "friction of joints, expected none: JSON alone holds it"
           : !imp_law_reads(&imp_law_maxdiss, &c->problem)
               ? "viscous friction or gaps, expected none"
           : c->kappa >= 0 ? "kappa, expected none: JSON alone holds it"
           : c->guess      ? "a guess, expected none: JSON and FCLIB files hold it"
           : imp_operator_singular(c->problem.W, 3) ? singular
           : !*c->id                                ? "an empty id, expected a text"
           : !imp_table_holds(c->id)                ? "an id that breaks a row"
           : *c->id == '#'                          ? "an id that makes a row a comment"
           : b != (c->b != NULL) ? "b, or none, unlike the first, expected it in all or in none"
                                 : NULL;
}

/* b: does the first problem have an acceleration? */
static bool write_row(const imp_problem_file *file, const imp_case *c, bool b, FILE *out) {
    static const double none[3] = {NAN, NAN, NAN};
    const imp_problem *problem = &c->problem;
    const char *name = imp_problem_file_name(file), *fault = not_for_a_row(c, b);
    imp_column shape[sizeof columns / sizeof *columns];
    double W[6];
    imp_factored *root = NULL;
    if (!fault && imp_problem_file_is_fclib(file) && !demands_met(name, problem, &root))
        return false;
    if (root) fault = singular;
    imp_factored_free(root);
    if (fault) return complain_of("%s: problem \"%.60s\" has %s", name, c->id, fault), false;
    imp_operator_packed(problem->W, 0, W);
    const imp_cell cells[] = {IMP_TEXT(c->id),
                              IMP_NUMBER(problem->mu[0]),
                              IMP_VECTOR(W),
                              IMP_VECTOR(W + 3),
                              IMP_VECTOR(problem->q),
                              IMP_NUMBER(problem->e ? problem->e[0] : 0),
                              IMP_VECTOR(b ? c->b : none)};
    memcpy(shape, columns, sizeof shape);
    if (!b) shape[PLAIN] = (imp_column)IMP_COLUMNS_END;
    if (c->position == 0) imp_write_header(shape, out);
    imp_write_cells(shape, out, b ? PLAIN + 3 : PLAIN, cells);
    return true;
}

/* *made <- what an FCLIB file is to hold: of another such file its local form, constraints and
 * description too, without the solution. */
static imp_status local_form(const imp_problem_file *file, const imp_case *c, imp_fclib *made) {
    const imp_fclib *held = imp_problem_file_fclib(file);
    const imp_status status =
        held ? imp_fclib_local(held, made) : imp_fclib_of(&c->problem, c->guess, made);
    if (status != IMP_OK) return status;
    free(made->solution);
    made->solution = NULL;
    if (held || !c->named || (made->title = strdup(c->id))) return IMP_OK;
    imp_fclib_clear(made);
    return IMP_NO_MEMORY;
}

/* Will it be taken as a problem again? A local form has R in place of G, by whose square rows that
 * almost depend on each other are told apart. false after a complaint. */
static bool is_problem(const char *name, const imp_fclib *made) {
    imp_fclib_posed posed = {0};
    imp_error error;
    char text[IMP_ERROR_TEXT];
    snprintf(text, sizeof text, "%s: local form", name);
    const bool good = imp_fclib_state(made, text, &posed, &error) == IMP_OK;
    if (!good) complain(&error);
    imp_fclib_posed_clear(&posed);
    return good;
}

static int to_hdf5(const imp_problem_file *file, const imp_case *c, const char *path) {
    const char *name = imp_problem_file_name(file);
    imp_fclib made;
    imp_error error;
    if (rubs(c))
        return complain_of("%s: has friction of joints, expected none: JSON alone holds it", name);
    for (int i = 0; i < c->problem.nc; i++)
        if (c->problem.e && c->problem.e[i] > 0)
            return complain_of(
                "%s: contact %d has restitution, expected e = 0: FCLIB files hold none", name, i);
    if (!imp_law_reads(&imp_law_coulomb, &c->problem))
        return complain_of(
            "%s: has viscous friction or gaps, expected none: FCLIB files hold neither", name);
    if (c->kappa >= 0)
        return complain_of("%s: has kappa, expected none: JSON alone holds it", name);
    if (c->b)
        return complain_of("%s: has b, expected none: JSON and tables hold accelerations", name);
    const imp_status status = local_form(file, c, &made);
    if (status != IMP_OK) return complain_of("%s: %s", name, imp_status_text(status));
    FILE *out = is_problem(name, &made) ? output_open(path) : NULL;
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

/* Problem after problem, behind each other in `out`. */
static bool write_all(imp_problem_file *file, form to, FILE *out) {
    imp_error error;
    const imp_case *c;
    bool good = true, first = true, b = false;
    objects json = {0};
    if (to != TABLE) json = objects_begin(out, to == JSON && is_many(file));
    do {
        if (imp_problem_file_next(file, &c, &error) != IMP_OK) return complain(&error), false;
        if (!c && first)
            return complain_of("%s: no problem, expected one", imp_problem_file_name(file)), false;
        if (c && first) b = c->b != NULL;
        if (c) good = to == TABLE ? write_row(file, c, b, out) : write_json(file, c, &json);
        first = false;
    } while (c && good && !ferror(out));
    if (good && to != TABLE) objects_end(&json);
    return good;
}

static int convert(const options *o, imp_problem_file *file, form to) {
    const char *path = strcmp(o->files[1], "-") == 0 ? NULL : o->files[1];
    if (to == HDF5) {
        const imp_case *c = only_problem(file);
        return c ? to_hdf5(file, c, path) : EXIT_BAD;
    }
    FILE *out = output_open_whole(path);
    if (!out) return EXIT_BAD;
    return write_all(file, to, out) ? output_commit(EXIT_SOLVED) : output_abandon();
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    imp_error error;
    imp_problem_file *file;
    if (options_read(self, argc, argv, &o, &outcome)) {
        const form to = target(&o);
        bool good = to != FORMS;
        outcome = EXIT_BAD;
        if (good && output_is_input(o.files[1], o.files[0])) {
            complain_of("convert: \"%.200s\" is also the input, expected another file for OUT",
                        o.files[1]);
            good = false;
        }
        good = good && output_fits("OUT", o.files[1], "the output", forms[to].kind);
        if (good && imp_problem_file_open(o.files[0], &file, &error) != IMP_OK)
            complain(&error);
        else if (good) {
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
    .arguments = "[--to FORMAT] FILE OUT",
    .summary = "turn contact problems into another form: JSON, JSON lines, a table, FCLIB HDF5",
    .options = option_names,
    .text =
        "The form is told by OUT's suffix, .json, .jsonl, .tsv, .hdf5 or .h5, or by --to; - is "
        "standard\n"
        "input and output. JSON keeps bodies, and is one object, or a list where the file is a\n"
        "list or a table. A table takes problems of one contact with a definite W; FCLIB one\n"
        "problem, without restitution and b; neither takes viscous friction, gaps or kappa. What "
        "a\n"
        "form cannot hold is refused. A file may be of that form already: a table gets its "
        "columns\n"
        "and no others, in their order. A global FCLIB problem becomes its local form,\n"
        "W = H'M^-1 H; its title is the id, its guess the guess; a singular W of one contact, "
        "which\n"
        "tells it within rounding only, becomes G of W = G'G in JSON. An asymmetric W, which JSON\n"
        "problems may not have, is refused. Settings, answers and comments are left out.\n",
    .formats = "json jsonl table hdf5",
    .files = 2,
    .run = run,
};
