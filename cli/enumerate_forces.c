/* enumerate_forces.c - `impact enumerate --forces`: the forces of one-contact problems that carry
 * the acceleration b, and what follows. */
#include "cli/cli.h"
#include "io/json_write.h"

#include <math.h>

static const imp_column columns[] = {IMP_WORDS("id"),
                                     IMP_COUNTS("count"),
                                     IMP_COUNTS("index"),
                                     IMP_WORDS("status"),
                                     IMP_WORDS("follows"),
                                     IMP_WORDS("kind"),
                                     IMP_WORDS("motion"),
                                     IMP_AXES("f", "N"),
                                     IMP_AXES("a", "m/s^2"),
                                     IMP_NUMBERS("power", "W", IMP_EXACT),
                                     IMP_NUMBERS("residual", NULL, IMP_EXACT),
                                     IMP_COLUMNS_END};

/* The forces of a problem, each with its certificate. */
typedef struct judged {
    imp_force_set set;
    imp_certificate certificate[IMP_COULOMB_MOST];
} judged;

static imp_status enumerate(const imp_problem *problem, const double *b, judged *j) {
    imp_status status = imp_model_takes(&imp_model_coulomb, problem);
    double W[6];
    *j = (judged){.set = {.A = NAN}};
    if (status != IMP_OK) return status;
    imp_operator_packed(problem->W, 0, W);
    const double *v = problem->q, mu = problem->mu[0];
    status = imp_forces(W, v, b, mu, &j->set);
    const double bound = imp_model_bound(&imp_model_coulomb, NULL);
    for (int k = 0; k < j->set.count; k++) {
        imp_certificate *own = &j->certificate[k];
        own->worst = INFINITY;
        (void)imp_forces_certify(W, v, b, mu, j->set.force[k].f, own);
        if (status == IMP_OK && !(own->worst <= bound)) status = IMP_NOT_CERTIFIED;
    }
    return status;
}

static bool found_any(imp_status status) {
    return status == IMP_OK || status == IMP_NOT_CERTIFIED;
}

static void write_rows(const char *id, imp_status status, const judged *j, FILE *out) {
    const imp_force_set *set = &j->set;
    const imp_cell text = IMP_TEXT(imp_status_text(status)),
                   follows = IMP_TEXT(found_any(status) ? imp_motion_text(set->motion) : NULL);
    if (set->count == 0) /* no row may be missing */
        imp_write_row(columns, out, IMP_TEXT(id), IMP_NUMBER(0), IMP_NUMBER(0), text, follows);
    for (int k = 0; k < set->count; k++) {
        const imp_force *x = &set->force[k];
        imp_write_row(columns, out, IMP_TEXT(id), IMP_NUMBER(set->count), IMP_NUMBER(k), text,
                      follows, IMP_TEXT(imp_coulomb_kind_text(x->kind)),
                      IMP_TEXT(imp_motion_text(x->motion)), IMP_VECTOR(x->f), IMP_VECTOR(x->a),
                      IMP_NUMBER(x->power), IMP_NUMBER(j->certificate[k].worst));
    }
}

static json_t *force_json(const imp_force *x, const imp_certificate *c) {
    json_t *item = json_object(), *residuals = json_object();
    imp_json_put(&item, "kind", json_string(imp_coulomb_kind_text(x->kind)));
    imp_json_put(&item, "motion", json_string(imp_motion_text(x->motion)));
    imp_json_put(&item, "f", imp_json_of_vector(x->f, 3));
    imp_json_put(&item, "a", imp_json_of_vector(x->a, 3));
    imp_json_put(&item, "power", imp_json_of(x->power));
    imp_json_put(&item, "residual", imp_json_of(c->worst));
    for (int i = 0; i < c->count; i++)
        imp_json_put(&residuals, c->residual[i].name, imp_json_of(c->residual[i].value));
    imp_json_put(&item, "residuals", residuals);
    return item;
}

static json_t *answer_json(const char *id, imp_status status, const judged *j) {
    json_t *answer = json_object(), *forces = json_array();
    const char *follows = found_any(status) ? imp_motion_text(j->set.motion) : NULL;
    if (id) imp_json_put(&answer, "id", imp_json_of_text(id));
    imp_json_put(&answer, "status", json_string(imp_status_text(status)));
    imp_json_put(&answer, "follows", follows ? json_string(follows) : json_null());
    imp_json_put(&answer, "count", json_integer(j->set.count));
    imp_json_put(&answer, "proven", json_boolean(j->set.proven));
    imp_json_put(&answer, "A", imp_json_of(j->set.A));
    for (int k = 0; k < j->set.count; k++)
        imp_json_push(&forces, force_json(&j->set.force[k], &j->certificate[k]));
    imp_json_put(&answer, "forces", forces);
    return answer;
}

static imp_status check(void *context, const imp_problem_file *file, const imp_case *c,
                        imp_error *error) {
    (void)context;
    if (!c || c->b) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "%s: problem \"%.60s\" has no b, expected the acceleration of its "
                         "contact without a contact force, m/s^2",
                         imp_problem_file_name(file), c->id);
}

static imp_status answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                         imp_error *error) {
    judged j;
    imp_problem problem = c->problem;
    problem.e = NULL; /* restitution is of impacts: no force depends on it */
    const imp_status found = enumerate(&problem, c->b, &j);
    (void)file;
    doubt_note(context, found, &problem, c->id);
    a->unsolved = a->unsolved || found != IMP_OK;
    if (!a->table) return answers_add(a, answer_json(c->named ? c->id : NULL, found, &j), error);
    write_rows(c->id, found, &j, a->out);
    return IMP_OK;
}

int enumerate_forces(const options *o, doubt *first) {
    const pass p = {.o = o, .columns = columns, .check = check, .answer = answer, .context = first};
    return run_passes(&p);
}
