/* checking.c - an answer, found in a file or asked for, and its verdict. */
#include "cli/checking.h"
#include "io/fclib.h"
#include "io/table.h"

#include <math.h>

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

imp_status checking_find(checking *k, const imp_case *c, given_answer *given, imp_error *error) {
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
    if (!audit_room(problem->nc, &k->asked, &k->room))
        return imp_error_set(error, IMP_NO_MEMORY, "no memory for %d contacts", problem->nc);
    const imp_status status = model->solve(problem, settings, k->asked, NULL, &info);
    if (status >= 0 && isfinite(k->asked[0])) given->p = k->asked;
    given->missing = outside_fault(model) ? outside_fault(model) : "no impulse was given";
    return IMP_OK;
}

imp_status checking_facts(const checking *k, bool table, imp_error *error) {
    if (!table || !k->o.facts) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "--facts: verdicts in a table have no room for it, expected problems "
                         "in JSON (impact convert)");
}

imp_status checking_answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                           imp_error *error) {
    checking *k = context;
    imp_settings settings;
    given_answer given = {0};
    judgement found;
    imp_status status = options_settings(&k->o, file, c, &settings, error);
    if (status == IMP_OK && k->solutions)
        status = checking_find(k, c, &given, error);
    else if (status == IMP_OK && k->asks)
        status = ask(k, c, &settings, &given, error);
    else
        given.missing = k->missing.text;
    if (status != IMP_OK) return status;
    /* without --tol the model's bound, which may follow the problem's own settings */
    k->by.tolerance = k->o.tolerated ? k->o.tolerance
                                     : fmax(k->o.tolerance, imp_model_bound(k->o.model, &settings));
    status = judge(&k->by, c, &settings, &given, &found, error);
    if (status != IMP_OK) return status;
    k->count[found.verdict]++;
    if (found.judged && found.certificate.worst > k->worst) k->worst = found.certificate.worst;
    /* velocities beyond a double: no residual, which is no small one */
    if (found.verdict == REJECTED && !found.judged) k->worst = INFINITY;
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

int checking_finish(const checking *k, int outcome) {
    if (outcome == EXIT_BAD) return outcome;
    fprintf(stderr,
            "impact: %zu accepted, %zu rejected, %zu not judged, %zu unsolved; worst residual %.2g",
            k->count[ACCEPTED], k->count[REJECTED], k->count[NOT_JUDGED], k->count[UNSOLVED],
            k->worst);
    if (k->left_out > 0) fprintf(stderr, "; left out, no problem files: %d", k->left_out);
    if (k->alone > 0)
        fprintf(stderr, "; answers to no problems: %d, the first %s", k->alone, k->first.text);
    fputc('\n', stderr);
    return outcome;
}
