/* passes.c - over a file of problems, so that nothing is seen of the answers to a bad one. */
#include "cli/cli.h"

#include <string.h>

imp_status expect_some(const imp_problem_file *file, size_t problems, imp_error *error) {
    if (problems > 0) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: no problem, expected at least one to judge",
                         imp_problem_file_name(file));
}

static imp_status look_through(const pass *p, imp_problem_file *file, imp_error *error) {
    const imp_case *c;
    imp_settings settings;
    imp_status status;
    size_t problems = 0;
    do {
        status = imp_problem_file_next(file, &c, error);
        problems += status == IMP_OK && c;
        if (status == IMP_OK && !c && p->some) status = expect_some(file, problems, error);
        if (status == IMP_OK && c) status = options_settings(p->o, file, c, &settings, error);
        if (status == IMP_OK && c && !p->rubs && c->bilateral && imp_bilateral_rubs(c->bilateral))
            status =
                imp_error_set(error, IMP_BAD_ARGUMENT,
                              "%s: problem \"%.60s\": friction of joints, expected none: solve, "
                              "and check of answers in a file, alone take it",
                              imp_problem_file_name(file), c->id);
        if (status == IMP_OK && p->check) status = p->check(p->context, file, c, error);
    } while (status == IMP_OK && c);
    return status == IMP_OK ? imp_problem_file_rewind(file, error) : status;
}

imp_status answers_add(answers *a, struct json_t *answer, imp_error *error) {
    if (objects_add(&a->objects, answer)) return IMP_OK;
    return imp_error_set(error, IMP_NO_MEMORY, "no memory for an answer");
}

static int answer_all(const pass *p, imp_problem_file *file, FILE *out) {
    imp_error error;
    const imp_case *c;
    imp_status status;
    answers a = {.out = out, .table = imp_problem_file_is_table(file)};
    a.fclib = p->fclib && imp_problem_file_is_fclib(file);
    if (a.table) imp_write_header(p->columns, out);
    if (!a.table && !a.fclib)
        a.objects =
            objects_begin(out, imp_problem_file_is_list(file) && objects_listed(p->o->output));
    do { /* a failed write ends it early; output_commit says so */
        status = imp_problem_file_next(file, &c, &error);
        if (status == IMP_OK && c) status = p->answer(p->context, file, c, &a, &error);
    } while (status == IMP_OK && c && !ferror(out));
    if (status == IMP_OK && p->finish) p->finish(p->context, &a);
    if (a.objects.out) objects_end(&a.objects);
    if (status == IMP_OK) return output_commit(a.unsolved ? EXIT_UNSOLVED : EXIT_SOLVED);
    complain(&error);
    return output_abandon();
}

/* A name that promises another format than the answer has. */
static bool suffix_fits(const pass *p, const imp_problem_file *file) {
    const char *kind = imp_problem_file_is_table(file)               ? "a table"
                       : p->fclib && imp_problem_file_is_fclib(file) ? "HDF5"
                                                                     : "JSON";
    char what[240];
    snprintf(what, sizeof what, "the answer to %.200s", imp_problem_file_name(file));
    return output_fits(p->o->output_word, p->o->output, what, kind);
}

int run_passes(const pass *p) {
    imp_error error;
    imp_problem_file *file;
    int outcome = EXIT_BAD;
    FILE *out;
    if (imp_problem_file_open(p->o->files[0], &file, &error) != IMP_OK) return complain(&error);
    const bool once =
        imp_problem_file_is_table(file) && !p->check && !p->some && !p->o->dump_folder;
    imp_status status = p->begin ? p->begin(p->context, file, &error) : IMP_OK;
    const bool fits = status == IMP_OK && suffix_fits(p, file);
    if (fits && !once) status = look_through(p, file, &error);
    if (status != IMP_OK)
        complain(&error);
    else if (fits && (out = (once ? output_open_whole : output_open)(p->o->output)))
        outcome = answer_all(p, file, out);
    imp_problem_file_close(file);
    return outcome;
}
