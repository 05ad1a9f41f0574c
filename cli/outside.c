/* outside.c - the outside solver of this run as an imp_model: its law and its limits. */
#include "cli/outside.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program has one. */
static struct {
    const outside_terms *terms; /* NULL: none */
    const outside_front *front;
    const imp_law *judged; /* the library's */
    imp_law law;           /* the same for answers without a path */
    imp_model model;
    char name[64];
    imp_error fault;
} run;

/* The library's law; where p alone does not decide by it, the distance from the library's own
 * answer. */
static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    imp_certificate found;
    (void)path;
    imp_status status = run.judged->certify(problem, settings, p, NULL, result);
    if (status != IMP_OK || (result->unjudged != imp_no_path && result->unjudged != imp_chose))
        return status;
    status = imp_certify(problem, run.judged, settings, p, NULL, &found);
    if (status != IMP_OK) return status;
    if (found.unjudged == imp_no_path || found.unjudged == imp_chose)
        found.unjudged = "the law is a process, and the library has no answer to compare with";
    *result = found;
    return IMP_OK;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)settings, (void)work;
    run.fault.text[0] = '\0';
    p[0] = NAN; /* until it gives one */
    return run.front->ask(run.terms, &run.model, problem, p, info, &run.fault);
}

static double bound(const void *settings) {
    (void)settings;
    return run.terms->tolerance;
}

/* What the models of the law take together, and the settings of the first of them, which the law
 * reads; false: no model has such a law. */
static bool make_model(const char *law) {
    const unsigned more = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_TAKES_ASYMMETRIC,
                   only = IMP_ONLY_PLANAR | IMP_ONLY_FRICTIONLESS;
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (strcmp((*m)->law->name, law) != 0) continue;
        if (!run.judged) {
            run.model = **m;
            run.model.takes &= more | only;
        }
        run.judged = (*m)->law;
        run.model.takes =
            ((run.model.takes | (*m)->takes) & more) | (run.model.takes & (*m)->takes & only);
    }
    if (!run.judged) return false;
    run.law = *run.judged;
    run.law.certify = certify;
    run.model.name = run.name;
    run.model.title = "a solver outside the library";
    run.model.citation = "";
    run.model.law = &run.law;
    run.model.workspace = NULL;
    run.model.solve = solve;
    run.model.batch = NULL;
    run.model.bound = bound;
    return true;
}

static imp_status unknown_law(const char *name, imp_error *error) {
    char list[IMP_ERROR_TEXT] = "", hint[80];
    const char *names[100] = {NULL};
    size_t length = 0, count = 0;
    for (const imp_model *const *m = imp_models; *m && count < 99; m++) {
        size_t known = 0;
        while (known < count && strcmp(names[known], (*m)->law->name) != 0)
            known++;
        if (known == count) names[count++] = (*m)->law->name;
    }
    for (size_t k = 0; k < count && length < sizeof list - 40; k++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%.30s", k ? ", " : "",
                                   names[k]);
    return imp_error_set(error, IMP_BAD_ARGUMENT, "unknown law \"%.60s\"%s, expected one of %s",
                         name, suggest(name, names, hint), list);
}

const imp_model *outside_open(const outside_terms *terms, imp_error *error) {
    char own[64] = "";
    memset(&run, 0, sizeof run);
    run.front = terms->command ? &outside_program : &outside_plugin;
    run.terms = terms;
    if (run.front->open(terms, run.name, own, error) != IMP_OK) {
        run.terms = NULL;
        return NULL;
    }
    const char *law = terms->law ? terms->law : own;
    if (*law && make_model(law)) return &run.model;
    if (*law)
        unknown_law(law, error);
    else
        imp_error_set(error, IMP_BAD_ARGUMENT,
                      "no law, expected --law NAME, by which the answers are judged (impact models "
                      "lists laws)");
    outside_close();
    return NULL;
}

const char *outside_fault(void) {
    return run.terms && run.fault.text[0] ? run.fault.text : NULL;
}

void outside_close(void) {
    if (run.terms) run.front->close();
    run.terms = NULL;
}
