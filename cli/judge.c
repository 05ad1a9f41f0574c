/* judge.c - residuals by the law, the constraints beside them, which of several solutions it is. */
#include "cli/judge.h"
#include "audit/solutions.h"
#include "contact/bilateral_internal.h"
#include "io/fclib.h"
#include "io/json_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdict_text[VERDICTS] = {"ok", "rejected", "not-judged", "unsolved"};

static const imp_column columns[FIXED_COLUMNS] = {
    IMP_WORDS("file"),   IMP_WORDS("id"),
    IMP_WORDS("status"), IMP_NUMBERS("residual", NULL, IMP_EXACT),
    IMP_WORDS("worst"),  IMP_NUMBERS("contact", NULL, IMP_EXACT),
    IMP_WORDS("reason"), IMP_WORDS("solution"),
    IMP_WORDS("kind")};

static void add_names(judging *j, const imp_certificate *c) {
    imp_column *own = j->column + j->fixed;
    for (int i = 0; i < c->count; i++) {
        int known = 0;
        while (known < j->residuals && strcmp(own[known].name, c->residual[i].name) != 0)
            known++;
        if (known == j->residuals && known < IMP_RESIDUALS)
            own[j->residuals++] = (imp_column){.name = c->residual[i].name, .digits = IMP_EXACT};
    }
}

/* Behind the columns of every law the names of this one's residuals, in its order, from the
 * certificates of a contact at rest with and without restitution: some laws look at other things
 * there. */
bool judging_begin(judging *j, const imp_model *model, bool folder) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0}, e[2] = {0, 1};
    const imp_operator operator= imp_operator_dense(1, W);
    const int from = folder ? 0 : 1;
    *j = (judging){.model = model, .folder = folder};
    j->fixed = (model->law->several ? FIXED_COLUMNS : FIXED_COLUMNS - 2) - from;
    memcpy(j->column, columns + from, (size_t)j->fixed * sizeof *columns);
    for (int i = 0; i < 2; i++) {
        const imp_problem rest = {.nc = 1, .W = &operator, .q = zero, .mu = zero, .e = &e[i]};
        imp_certificate certificate;
        imp_status status = imp_model_takes(model, &rest);
        if (status == IMP_OK)
            status = imp_certify(&rest, model->law, NULL, zero, NULL, &certificate);
        if (status == IMP_NO_MEMORY) {
            complain_of("no memory");
            return false;
        }
        if (status == IMP_OK) add_names(j, &certificate);
    }
    if (j->residuals == 0) complain_of("check: the law of %s names no residuals", model->name);
    return j->residuals > 0;
}

/* Which of the law's solutions for one contact an accepted impulse is, where the count is
 * certain. */
static void name_solution(imp_coulomb_set *set, const imp_problem *problem, const double *p,
                          judgement *found) {
    const int row = audit_solution(problem, p, set);
    if (row < 0) return;
    found->given = &set->solution[row];
    found->rank = row + 1;
    found->count = set->count;
}

/* The reason why a problem is not judged that the model, or a solver of its law, does not take. */
static const char *untaken(judging *j, const imp_problem *problem) {
    const char *why = not_taken(j->model, problem);
    snprintf(j->untaken, sizeof j->untaken, "not taken: %s", why ? why : "such a problem");
    return j->untaken;
}

static void judge_by_law(judging *j, const imp_problem *problem, const imp_settings *settings,
                         const given_answer *given, judgement *found) {
    const imp_model *model = j->model;
    imp_certificate *certificate = &found->certificate;
    *found = (judgement){.verdict = NOT_JUDGED};
    if (imp_model_takes(model, problem) != IMP_OK) {
        found->reason = untaken(j, problem);
        return;
    }
    const imp_status status =
        imp_certify(problem, model->law, settings, given->p, given->path, certificate);
    if (status == IMP_NOT_FINITE) {
        found->verdict = REJECTED;
        found->reason = "its velocities overflow";
        return;
    }
    if (status != IMP_OK) {
        found->reason = imp_status_text(status);
        return;
    }
    found->judged = true;
    if (!(certificate->worst <= j->tolerance)) { /* whatever else could not be judged */
        found->verdict = REJECTED;
    } else if (certificate->unjudged) {
        found->reason = certificate->unjudged;
    } else {
        found->verdict = ACCEPTED;
        if (model->law->several) name_solution(&j->set, problem, given->p, found);
    }
}

/* What is wrong with the constraints; NULL: nothing. lambda: those that follow from p and x. */
static const char *misfit(double tolerance, const imp_bilateral *b, const given_answer *given,
                          const double *x, const double *lambda, const imp_bilateral_errors *errors,
                          imp_status *status) {
    imp_bilateral_errors own = *errors;
    if (!(errors->velocity <= tolerance)) return "its velocities do not keep the constraints";
    if (!(errors->bound <= tolerance)) return "a joint rubs beyond its bound";
    if (!(errors->slip <= tolerance))
        return "a joint does not rub against its motion, or not enough";
    if (errors->momentum <= tolerance) return errors->gain <= tolerance ? NULL : "energy is gained";
    if (given->velocities && given->lambda)
        *status = imp_bilateral_judge(b, given->p, x, given->velocities, lambda, &own);
    return given->velocities && !(own.momentum <= tolerance)
               ? "its velocities are not those that its impulses give"
               : "the impulses of its constraints do not balance the momentum";
}

/* The constraints that p was given with: kept by the velocities and impulses that stand beside it
 * or, where none do, by those that follow from p and x. */
static imp_status judge_constraints(const judging *j, const imp_bilateral *b,
                                    const imp_problem *problem, const given_answer *given,
                                    const double *x, judgement *found) {
    const size_t bodies = 6 * (size_t)imp_bilateral_bodies(b), rows = (size_t)imp_bilateral_rows(b);
    double *velocity = malloc((bodies + rows + 3 * (size_t)problem->nc) * sizeof *velocity),
           *lambda = velocity + bodies, *u = lambda + rows;
    if (!velocity) return IMP_NO_MEMORY;
    imp_status status = imp_bilateral_recover(b, given->p, x, velocity, lambda, &found->errors);
    if (status == IMP_OK && (given->lambda || given->velocities))
        status =
            imp_bilateral_judge(b, given->p, x, given->velocities ? given->velocities : velocity,
                                given->lambda ? given->lambda : lambda, &found->errors);
    const char *reason = NULL;
    if (status == IMP_OK)
        reason = misfit(j->tolerance, b, given, x, lambda, &found->errors, &status);
    imp_operator_apply(problem->W, given->p, problem->q, u);
    if (status == IMP_OK && !reason &&
        !(imp_bilateral_apart(b, given->p, x, u,
                              given->velocities ? given->velocities : velocity) <=
          fmax(j->tolerance, IMP_BILATERAL_SAME)))
        reason = "bodies and contacts move apart";
    free(velocity);
    found->constrained = status == IMP_OK;
    if (found->verdict == ACCEPTED && reason) {
        found->verdict = REJECTED;
        found->reason = reason;
        found->given = NULL;
    }
    return status;
}

/* The same of an FCLIB file, by the impulses l of its constraints. */
static imp_status judge_multipliers(const judging *j, const imp_fclib *problem,
                                    const given_answer *given, judgement *found) {
    const imp_status status =
        imp_fclib_judge(problem, given->p, given->lambda, &found->errors.velocity);
    found->constrained = status == IMP_OK;
    if (status == IMP_OK && found->verdict == ACCEPTED &&
        !(found->errors.velocity <= j->tolerance)) {
        found->verdict = REJECTED;
        found->reason = "the impulses of its constraints do not keep them";
        found->given = NULL;
    }
    return status;
}

/* Under constraints, where the contacts see what joints rub: as it stands beside p, or as it
 * follows from p. */
static imp_status judge_jointed(judging *j, const imp_case *c, const imp_settings *settings,
                                const given_answer *given, judgement *found) {
    const imp_bilateral *b = c->bilateral;
    const size_t rows = 3 * (size_t)c->problem.nc, rubs = (size_t)imp_bilateral_rubs(b);
    double *q = malloc((rows + rubs) * sizeof *q), *x = q + rows;
    imp_problem problem = c->problem;
    if (!q) return IMP_NO_MEMORY;
    memcpy(q, problem.q, rows * sizeof *q);
    if (given->rubbed)
        memcpy(x, given->rubbed, rubs * sizeof *x);
    else if (imp_bilateral_rub(b, given->p, x) == IMP_NO_MEMORY) {
        free(q);
        return IMP_NO_MEMORY;
    }
    imp_bilateral_rubbed(b, x, q);
    problem.q = q;
    judge_by_law(j, &problem, settings, given, found);
    const imp_status status = judge_constraints(j, b, &problem, given, x, found);
    free(q);
    return status;
}

imp_status judge(judging *j, const imp_case *c, const imp_settings *settings,
                 const given_answer *given, judgement *found, imp_error *error) {
    imp_status status = IMP_OK;
    if (!given->p) {
        *found = given->missing
                     ? (judgement){.verdict = UNSOLVED, .reason = given->missing}
                     : (judgement){.verdict = NOT_JUDGED, .reason = untaken(j, &c->problem)};
        return IMP_OK;
    }
    if (c->bilateral)
        status = judge_jointed(j, c, settings, given, found);
    else
        judge_by_law(j, &c->problem, settings, given, found);
    if (c->constrained && given->lambda)
        status = judge_multipliers(j, c->constrained, given, found);
    return status == IMP_OK ? status : imp_error_set(error, status, "no memory for constraints");
}

void judgement_write_row(const judging *j, const char *file, const char *id, const judgement *found,
                         FILE *out) {
    const imp_certificate *c = found->judged ? &found->certificate : NULL;
    char solution[40] = "";
    if (found->given) snprintf(solution, sizeof solution, "%d of %d", found->rank, found->count);
    imp_cell all[FIXED_COLUMNS + IMP_RESIDUALS] = {
        IMP_TEXT(file),
        IMP_TEXT(id),
        IMP_TEXT(verdict_text[found->verdict]),
        IMP_NUMBER(c ? c->worst : NAN),
        IMP_TEXT(c ? audit_worst(c) : NULL),
        IMP_NUMBER(c ? (double)c->contact : NAN),
        IMP_TEXT(found->reason),
        IMP_TEXT(solution),
        IMP_TEXT(found->given ? imp_coulomb_kind_text(found->given->kind) : NULL)};
    imp_cell *cells = all + (j->folder ? 0 : 1);
    for (int i = j->fixed; i < j->fixed + j->residuals; i++)
        cells[i] = IMP_NUMBER(c ? imp_certificate_residual(c, j->column[i].name) : NAN);
    imp_write_cells(j->column, out, j->fixed + j->residuals, cells);
}

static json_t *solution_json(const judgement *found) {
    json_t *solution = json_object();
    imp_json_put(&solution, "rank", json_integer(found->rank));
    imp_json_put(&solution, "count", json_integer(found->count));
    imp_json_put(&solution, "kind", json_string(imp_coulomb_kind_text(found->given->kind)));
    return solution;
}

static void put_residuals(json_t **answer, const imp_certificate *c) {
    imp_json_put(answer, "residual", imp_json_of(c->worst));
    imp_json_put(answer, "worst", json_string(audit_worst(c)));
    imp_json_put(answer, "contact", json_integer(c->contact));
    imp_json_put(answer, "residuals", imp_certificate_json(c));
    imp_json_put(answer, "energy", imp_json_of(c->energy));
    imp_json_put(answer, "energy_excess", imp_json_of(c->energy_excess));
    imp_json_put(answer, "velocity_excess", imp_json_of(c->velocity_excess));
}

/* The natural-map errors of Coulomb's law, as the field states them. */
static void put_errors(json_t **answer, const imp_problem *problem, const double *p) {
    double field, scale_free;
    imp_natural_error(problem, p, &field, &scale_free);
    imp_json_put(answer, "error_field", imp_json_of(field));
    imp_json_put(answer, "error_scale_free", imp_json_of(scale_free));
}

static json_t *constraints_json(const imp_case *c, const imp_bilateral_errors *errors) {
    if (c->bilateral) return imp_constraints_json(c->bilateral, errors);
    json_t *object = json_object();
    imp_json_put(&object, "velocity", imp_json_of(errors->velocity));
    return object;
}

json_t *judgement_json(const judging *j, const imp_case *c, const given_answer *given,
                       const judgement *found, bool facts) {
    json_t *answer = json_object();
    if (c->named) imp_json_put(&answer, "id", imp_json_of_text(c->id));
    imp_json_put(&answer, "law", json_string(j->model->law->name));
    imp_json_put(&answer, "status", json_string(verdict_text[found->verdict]));
    if (found->reason) imp_json_put(&answer, "reason", imp_json_of_text(found->reason));
    if (found->given) imp_json_put(&answer, "solution", solution_json(found));
    if (found->judged) put_residuals(&answer, &found->certificate);
    const bool rubs = c->bilateral && imp_bilateral_rubs(c->bilateral) > 0;
    if (given->p && c->problem.nc > 1 && !rubs) put_errors(&answer, &c->problem, given->p);
    if (found->constrained)
        imp_json_put(&answer, "constraints", constraints_json(c, &found->errors));
    if (facts) imp_json_put(&answer, "W", imp_operator_json(c->problem.W));
    return answer;
}
