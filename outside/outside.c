/* outside.c - the solvers outside of this run as models: their laws, their limits, their names. */
#include "outside/outside.h"
#include "io/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of them. */
typedef struct outsider {
    outside_terms terms;
    const outside_front *front; /* NULL: nobody is here */
    void *solver;
    const imp_law *judged; /* the library's */
    imp_law law;           /* the same for answers without a path */
    imp_model model;
    char own[OUTSIDE_NAME], name[OUTSIDE_NAME]; /* what it calls itself, and is called here */
    imp_error fault;
    int iterations; /* that it says itself, -1: none */
} outsider;
static outsider place[OUTSIDE_MOST];

/* The library's law; where p alone does not decide by it, the distance from the library's own
 * answer; and where p is off, from one as sharp as it comes. */
static imp_status judge(const outsider *s, const imp_problem *problem, const void *settings,
                        const double *p, imp_certificate *result) {
    imp_certificate found;
    imp_status status = imp_certificate_note_law(result, s->judged, problem, settings, p);
    const bool open = result->unjudged == imp_no_path || result->unjudged == imp_chose,
               off = result->worst > s->terms.tolerance;
    if (status != IMP_OK || (!open && (!off || result->unjudged))) return status;
    if (open && off) { /* wrong, wherever the library's own answer is */
        result->unjudged = NULL;
        return IMP_OK;
    }
    status = imp_certify(problem, s->judged, settings, p, NULL, &found);
    if (status != IMP_OK) return status;
    if (found.unjudged == imp_no_path || found.unjudged == imp_chose)
        found.unjudged = "the law is a process, and the library has no answer to compare with";
    if (open || found.worst < result->worst) *result = found;
    return IMP_OK;
}

/* The same; an answer that breaks nothing and cannot be judged is not certified, and the fault says
 * why. */
static imp_status certify(outsider *s, const imp_problem *problem, const void *settings,
                          const double *p, imp_certificate *result) {
    const imp_status status = judge(s, problem, settings, p, result);
    if (status == IMP_OK && result->unjudged && result->worst <= s->terms.tolerance &&
        !s->fault.text[0])
        imp_error_set(&s->fault, IMP_NOT_CERTIFIED, "not judged: %s", result->unjudged);
    return status;
}

static imp_status solve(outsider *s, const imp_problem *problem, double *p, imp_info *info) {
    s->fault.text[0] = '\0';
    p[0] = NAN; /* until it gives one */
    info->iterations = -1;
    const imp_status status =
        s->front->ask(s->solver, &s->terms, &s->model, problem, p, info, &s->fault);
    s->iterations = info->iterations;
    if (info->iterations < 0) info->iterations = 0;
    return status;
}

/* The functions of a model and of a law are not told whose they are: each place has its own. */
#define PLACES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define FUNCTIONS(k)                                                                               \
    static imp_status certify_##k(const imp_problem *problem, const void *settings,                \
                                  const double *p, const imp_path *path,                           \
                                  imp_certificate *result) {                                       \
        (void)path;                                                                                \
        return certify(&place[k], problem, settings, p, result);                                   \
    }                                                                                              \
    static imp_status solve_##k(const imp_problem *problem, const void *settings, double *p,       \
                                void *work, imp_info *info) {                                      \
        (void)settings, (void)work;                                                                \
        return solve(&place[k], problem, p, info);                                                 \
    }                                                                                              \
    static double bound_##k(const void *settings) {                                                \
        (void)settings;                                                                            \
        return place[k].terms.tolerance;                                                           \
    }
PLACES(FUNCTIONS)

#define FUNCTIONS_OF(k) {certify_##k, solve_##k, bound_##k},
static const struct {
    imp_status (*certify)(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result);
    imp_status (*solve)(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info);
    double (*bound)(const void *settings);
} functions[OUTSIDE_MOST] = {PLACES(FUNCTIONS_OF)};

/* What the models of the law take together, and the settings of the first of them, which the law
 * reads. */
static void make_model(outsider *s, const char *law) {
    const unsigned more = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_TAKES_ASYMMETRIC,
                   only = IMP_ONLY_PLANAR | IMP_ONLY_FRICTIONLESS;
    const size_t k = (size_t)(s - place);
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (strcmp((*m)->law->name, law) != 0) continue;
        if (!s->judged) {
            s->model = **m;
            s->model.takes &= more | only;
        }
        s->judged = (*m)->law;
        s->model.takes =
            ((s->model.takes | (*m)->takes) & more) | (s->model.takes & (*m)->takes & only);
    }
    s->law = *s->judged;
    s->law.certify = functions[k].certify;
    s->law.note = NULL;
    s->model.name = s->name;
    s->model.title = "a solver outside the library";
    s->model.citation = "";
    s->model.law = &s->law;
    s->model.workspace = NULL;
    s->model.solve = functions[k].solve;
    s->model.batch = NULL;
    s->model.bound = functions[k].bound;
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
                         name, imp_suggest(name, names, hint), list);
}

/* Its name <- the command or the path, in what is printed of it. */
static void name_in_full(outsider *s) {
    outside_name(s->name, s->terms.command ? s->terms.command : s->terms.plugin, 100);
}

/* Nobody has the name of another, nor that of a model. */
static void tell_apart(outsider *s) {
    bool shared = imp_model_find(s->own) != NULL;
    for (outsider *other = place; other < s; other++)
        if (strcmp(other->own, s->own) == 0) {
            shared = true;
            if (strcmp(other->name, other->own) == 0) name_in_full(other);
        }
    if (shared) name_in_full(s);
    bool again = imp_model_find(s->name) != NULL; /* a command may be that one word */
    for (outsider *other = place; other < s; other++)
        again = again || strcmp(other->name, s->name) == 0;
    if (again)
        snprintf(s->name + strlen(s->name), sizeof s->name - strlen(s->name), " #%d",
                 (int)(s - place) + 1);
}

/* Is this a law? An empty name: none is told. */
static bool is_law(const char *name, imp_error *error) {
    for (const imp_model *const *m = imp_models; *m; m++)
        if (strcmp((*m)->law->name, name) == 0) return true;
    if (*name)
        unknown_law(name, error);
    else
        imp_error_set(error, IMP_BAD_ARGUMENT,
                      "no law, expected --law NAME, by which the answers are judged (impact models "
                      "lists laws)");
    return false;
}

const imp_model *outside_open(const outside_terms *terms, imp_error *error) {
    outsider *s = place;
    char own[OUTSIDE_NAME] = "";
    while (s < place + OUTSIDE_MOST && s->front)
        s++;
    if (s == place + OUTSIDE_MOST) {
        imp_error_set(error, IMP_BAD_ARGUMENT, "more than %d solvers by --exec and --plugin",
                      OUTSIDE_MOST);
        return NULL;
    }
    /* before anything of theirs runs; a plugin may tell its own */
    if ((terms->law || terms->command) && !is_law(terms->law ? terms->law : "", error)) return NULL;
    const outside_front *front = terms->command ? &outside_program : &outside_plugin;
    *s = (outsider){.terms = *terms};
    s->solver = front->open(terms, s->own, own, error);
    if (!s->solver) return NULL;
    s->front = front;
    memcpy(s->name, s->own, sizeof s->name);
    tell_apart(s);
    const char *law = terms->law ? terms->law : own;
    if (is_law(law, error)) {
        make_model(s, law);
        return &s->model;
    }
    front->close(s->solver);
    s->front = NULL;
    return NULL;
}

const char *outside_fault(const imp_model *model) {
    for (const outsider *s = place; s < place + OUTSIDE_MOST; s++)
        if (model == &s->model && s->front && s->fault.text[0]) return s->fault.text;
    return NULL;
}

int outside_iterations(const imp_model *model) {
    for (const outsider *s = place; s < place + OUTSIDE_MOST; s++)
        if (model == &s->model && s->front) return s->iterations;
    return -1;
}

void outside_close(void) {
    for (outsider *s = place; s < place + OUTSIDE_MOST; s++)
        if (s->front) {
            s->front->close(s->solver);
            s->front = NULL;
        }
}
