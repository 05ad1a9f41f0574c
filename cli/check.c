/* check.c - `impact check`: anybody's impulses held against a model's law. */
#include "cli/cli.h"
#include "io/json_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct checking {
    options o;
    imp_solutions *solutions;
    char header[240];
    int residuals; /* how many the law names, over all problems */
    const char *name[IMP_RESIDUALS];
} checking;

static void add_names(checking *k, const imp_certificate *c) {
    for (int i = 0; i < c->count; i++) {
        int known = 0;
        while (known < k->residuals && strcmp(k->name[known], c->residual[i].name) != 0)
            known++;
        if (known == k->residuals && known < IMP_RESIDUALS) k->name[k->residuals++] = c->residual[i].name;
    }
}

/* The law's names, in its order, from the certificates of a contact at rest with and without restitution: some laws
 * look at other things there. */
static bool make_header(checking *k) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0}, e[2] = {0, 1};
    const imp_operator operator= imp_operator_dense(1, W);
    for (int i = 0; i < 2; i++) {
        const imp_problem rest = {1, &operator, zero, zero, &e[i]};
        imp_certificate certificate;
        if (imp_certify(&rest, k->o.model->law, NULL, zero, NULL, &certificate) == IMP_OK) add_names(k, &certificate);
    }
    size_t length = (size_t)snprintf(k->header, sizeof k->header, "id\tstatus\tresidual\tworst");
    for (int i = 0; i < k->residuals; i++)
        length += (size_t)snprintf(k->header + length, sizeof k->header - length, "\t%.20s", k->name[i]);
    snprintf(k->header + length, sizeof k->header - length, "\n");
    return k->residuals > 0;
}

/* The residual of that name; NULL where the certificate has none. */
static const double *residual_of(const imp_certificate *c, const char *name) {
    for (int i = 0; c && i < c->count; i++)
        if (strcmp(c->residual[i].name, name) == 0) return &c->residual[i].value;
    return NULL;
}

/* First pass: one solution for each problem and none left. */
static imp_status match(void *context, const imp_case *c, imp_error *error) {
    checking *k = context;
    const double *p;
    if (c) return imp_solutions_take(k->solutions, c->id, c->position, c->problem.nc, &p, error);
    const imp_status status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_rewind(k->solutions);
    return status;
}

static const char *worst_name(const imp_certificate *certificate) {
    int worst = 0;
    for (int i = 1; i < certificate->count; i++)
        if (certificate->residual[i].value > certificate->residual[worst].value) worst = i;
    return certificate->count > 0 ? certificate->residual[worst].name : "";
}

static void write_row(const checking *k, const char *id, const char *verdict, const imp_certificate *c, FILE *out) {
    fprintf(out, "%s\t%s", id, verdict);
    imp_write_fields(c ? &c->worst : NULL, 1, out);
    fprintf(out, "\t%s", c ? worst_name(c) : "");
    for (int i = 0; i < k->residuals; i++)
        imp_write_fields(residual_of(c, k->name[i]), 1, out);
    fputc('\n', out);
}

static json_t *certificate_json(const checking *k, const char *id, const char *verdict, const imp_certificate *c) {
    json_t *answer = json_object();
    if (id) imp_json_put(&answer, "id", json_string(id));
    imp_json_put(&answer, "law", json_string(k->o.model->law->name));
    imp_json_put(&answer, "status", json_string(verdict));
    if (!c) return answer;
    imp_json_put(&answer, "residual", imp_json_of(c->worst));
    imp_json_put(&answer, "worst", json_string(worst_name(c)));
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

static imp_status answer(void *context, imp_problem_file *file, const imp_case *c, answers *a, imp_error *error) {
    checking *k = context;
    const double *p;
    imp_settings settings;
    imp_certificate certificate;
    const imp_certificate *judged = NULL;
    imp_status status = imp_solutions_take(k->solutions, c->id, c->position, c->problem.nc, &p, error);
    if (status == IMP_OK) status = options_settings(&k->o, file, &settings, error);
    if (status != IMP_OK) return status;
    if (p && imp_certify(&c->problem, k->o.model->law, &settings, p, NULL, &certificate) == IMP_OK)
        judged = &certificate;
    const bool good = judged && judged->worst <= k->o.tolerance;
    const char *verdict = good ? "ok" : p ? "rejected" : "unsolved"; /* rejected without residuals: W p overflows */
    if (!good) a->unsolved = true;
    if (!a->table) {
        json_t *object = certificate_json(k, c->named ? c->id : NULL, verdict, judged);
        if (p && c->problem.nc > 1) put_errors(&object, &c->problem, p);
        if (k->o.facts) imp_json_put(&object, "W", imp_operator_json(c->problem.W));
        return answers_add(a, object, error);
    }
    write_row(k, c->id, verdict, judged, a->out);
    return IMP_OK;
}

static int run(const command *self, int argc, char **argv) {
    checking k = {0};
    int outcome;
    imp_error error;
    const pass p = {.o = &k.o, .header = k.header, .check = match, .answer = answer, .context = &k};
    if (options_read(self, argc, argv, &k.o, &outcome)) {
        if (strcmp(k.o.files[0], "-") == 0 && strcmp(k.o.files[1], "-") == 0)
            outcome = complain_of("check: - stands for both files, expected it once");
        else if (!make_header(&k))
            outcome = complain_of("check: the law of %s names no residuals", k.o.model->name);
        else if (imp_solutions_read(k.o.files[1], &k.solutions, &error) != IMP_OK)
            outcome = complain(&error);
        else
            outcome = run_passes(&p);
    }
    imp_solutions_free(k.solutions);
    options_free(&k.o);
    return outcome;
}

static const char *const option_names[] = {"model", "set", "choice", "tol", "output", "facts", NULL};

const command command_check = {
    .name = "check",
    .arguments = "--model NAME [OPTION]... FILE SOLUTION",
    .summary = "hold impulses, whoever computed them, against the law a model promises",
    .options = option_names,
    .text = "SOLUTION is a table with the columns id p1 p2 p3, matched by id, or JSON answers with \"p\", matched by "
            "position, or an FCLIB file with a solution. FCLIB problems are judged in JSON, with both natural-map "
            "errors.\n"
            "One row per problem: id status residual worst, then each residual by its name; status is ok, rejected "
            "(residual\n"
            "above the tolerance: exit status 1) or unsolved (SOLUTION has no impulse there: exit status 1).\n",
    .files = 2,
    .run = run,
};
