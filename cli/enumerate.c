/* enumerate.c - `impact enumerate`: all Coulomb solutions of each one-contact problem. */
#include "cli/cli.h"
#include "io/json_write.h"

#include <math.h>

static const imp_column columns[] = {IMP_WORDS("id"),
                                     IMP_COUNTS("count"),
                                     IMP_COUNTS("index"),
                                     IMP_WORDS("kind"),
                                     IMP_AXES("p", "N s"),
                                     IMP_AXES("u", "m/s"),
                                     IMP_NUMBERS("energy", "J", IMP_EXACT),
                                     IMP_COLUMNS_END};

static bool is_finite(const imp_coulomb_set *set) {
    double sum = 0; /* NaN when one of them is not */
    for (int k = 0; k < set->count; k++) {
        const imp_coulomb_solution *s = &set->solution[k];
        for (int i = 0; i < 3; i++)
            sum += 0 * s->p[i] + 0 * s->u[i];
        sum += 0 * s->energy;
    }
    return sum == 0;
}

/* A set of which a number is not representable is none. */
static imp_status enumerate(const imp_problem *problem, imp_coulomb_set *set) {
    imp_status status = imp_model_takes(&imp_model_coulomb, problem);
    double W[6];
    *set = (imp_coulomb_set){0};
    if (status != IMP_OK) return status;
    imp_operator_packed(problem->W, 0, W);
    status = imp_coulomb_enumerate(W, problem->q, problem->mu[0], set);
    if (status < 0 || is_finite(set)) return status;
    *set = (imp_coulomb_set){0};
    return IMP_OVERFLOW;
}

static void write_rows(const char *id, imp_status status, const imp_coulomb_set *set, FILE *out) {
    if (set->count == 0) /* no row may be missing: the reason stands for the kind */
        imp_write_row(columns, out, IMP_TEXT(id), IMP_NUMBER(0), IMP_NUMBER(0),
                      IMP_TEXT(imp_status_text(status)));
    for (int k = 0; k < set->count; k++) {
        const imp_coulomb_solution *s = &set->solution[k];
        imp_write_row(columns, out, IMP_TEXT(id), IMP_NUMBER(set->count), IMP_NUMBER(k),
                      IMP_TEXT(imp_coulomb_kind_text(s->kind)), IMP_VECTOR(s->p), IMP_VECTOR(s->u),
                      IMP_NUMBER(s->energy));
    }
}

static json_t *answer_json(const char *id, imp_status status, const imp_coulomb_set *set) {
    json_t *answer = json_object(), *solutions = json_array();
    if (id) imp_json_put(&answer, "id", imp_json_of_text(id));
    imp_json_put(&answer, "model", json_string(imp_model_coulomb.name));
    imp_json_put(&answer, "status", json_string(imp_status_text(status)));
    imp_json_put(&answer, "count", json_integer(set->count));
    imp_json_put(&answer, "proven", json_boolean(set->proven));
    imp_json_put(&answer, "unique", json_boolean(set->unique));
    imp_json_put(&answer, "eccentricity", imp_json_of(set->count ? set->eccentricity : NAN));
    imp_json_put(&answer, "unique_below", imp_json_of(set->count ? set->unique_below : NAN));
    imp_json_put(&answer, "maxdiss",
                 set->count && set->maxdiss >= 0 ? json_integer(set->maxdiss) : json_null());
    for (int k = 0; k < set->count; k++) {
        const imp_coulomb_solution *s = &set->solution[k];
        json_t *item = json_object();
        imp_json_put(&item, "kind", json_string(imp_coulomb_kind_text(s->kind)));
        imp_json_put(&item, "p", imp_json_of_vector(s->p, 3));
        imp_json_put(&item, "u", imp_json_of_vector(s->u, 3));
        imp_json_put(&item, "kappa", imp_json_of(s->kappa));
        imp_json_put(&item, "energy", imp_json_of(s->energy));
        imp_json_push(&solutions, item);
    }
    imp_json_put(&answer, "solutions", solutions);
    return answer;
}

static imp_status answer(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                         imp_error *error) {
    imp_coulomb_set set;
    const imp_status found = enumerate(&c->problem, &set);
    (void)file;
    doubt_note(context, found, &c->problem, c->id);
    a->unsolved = a->unsolved || found != IMP_OK;
    if (!a->table) return answers_add(a, answer_json(c->named ? c->id : NULL, found, &set), error);
    write_rows(c->id, found, &set, a->out);
    return IMP_OK;
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    doubt first = {.status = IMP_OK};
    const pass p = {.o = &o, .columns = columns, .answer = answer, .context = &first};
    if (options_read(self, argc, argv, &o, &outcome)) {
        o.model = &imp_model_coulomb;
        outcome = o.forces ? enumerate_forces(&o, &first) : run_passes(&p);
        if (outcome != EXIT_BAD && first.status != IMP_OK)
            complain_of("problem \"%s\": %s: %s%s%s%s", first.id, imp_status_text(first.status),
                        first.why  ? first.why
                        : o.forces ? "its forces are not certified complete"
                                   : "its solutions are not certified complete",
                        first.why ? ", expected one contact with " : "",
                        first.why && !o.forces ? "e = 0 and " : "",
                        first.why ? "a definite W" : "");
    }
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"output", "forces", NULL};

const command command_enumerate = {
    .name = "enumerate",
    .arguments = "[-o FILE] [--forces] FILE",
    .summary = "list every solution of Coulomb's law for one-contact problems, ordered by energy",
    .options = option_names,
    .text = "One row per solution: id count index kind p1 p2 p3 u1 u2 u3 energy; index counts from "
            "0, kind is zero, "
            "stick,\n"
            "slip, or segment for either end of a continuum. A problem that cannot be enumerated "
            "(several contacts, e "
            "> 0,\n"
            "an impulse beyond double) has one row with count 0, the reason as its kind, and empty "
            "fields; the exit "
            "status is 1.\n"
            "\n"
            "With --forces, of problems that carry b, m/s^2 (columns b1 b2 b3, or \"b\" in JSON), "
            "the contact's\n"
            "acceleration without a contact force, beside its velocity q: all forces f, N, of "
            "Coulomb's law where\n"
            "nothing collides, and what follows; e has no part in them. Rows:\n"
            "id count index status follows kind motion f1 f2 f3 a1 a2 a3 power residual\n",
    .files = 1,
    .run = run,
};
