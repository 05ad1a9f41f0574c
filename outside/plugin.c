/* plugin.c - a shared object as solver (--plugin): loaded and called in a process of its
 * own for each problem, so that nothing of it is ever in this one. */
#include "outside/outside.h"
#include "contact/plugin.h"
#include "io/stream.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER = 3 }; /* where its process writes what came out */

/* What it says of itself. */
typedef struct card {
    bool good;
    char name[OUTSIDE_NAME], law[OUTSIDE_NAME], why[IMP_ERROR_TEXT];
} card;

/* What came out, before the impulses. */
typedef struct outcome {
    int status, iterations;
    double residual;
} outcome;

/* What a call of it needs. */
typedef struct call {
    const char *path;
    const imp_model *takes;
    const imp_problem *problem;
} call;

/* In its process: standard output, of which it may make what it likes, is standard error. */
static void make_way(void) {
    if (dup2(STDOUT_FILENO, ANSWER) != ANSWER || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(127);
}

static void send(const void *bytes, size_t count) {
    for (const char *at = bytes; count > 0;) {
        const ssize_t put = write(ANSWER, at, count);
        if (put <= 0) _exit(127);
        at += put;
        count -= (size_t)put;
    }
}

/* NULL with the reason in why. */
static const imp_model *load(const char *path, char *why, size_t size) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *fault = object ? NULL : dlerror();
    const int *abi = object ? dlsym(object, "imp_plugin_abi") : NULL;
    const imp_model *model = object ? dlsym(object, "imp_plugin_model") : NULL;
    const bool named = fault && strncmp(fault, path, strlen(path)) == 0;
    if (!object)
        snprintf(why, size, "%s%s%s, expected a shared object", named ? "" : path,
                 named ? "" : ": ", fault ? fault : "cannot be loaded");
    else if (!abi || !model)
        snprintf(why, size, "%s: exports no %s, expected imp_plugin_abi and imp_plugin_model", path,
                 abi ? "imp_plugin_model" : "imp_plugin_abi");
    else if (*abi != IMP_PLUGIN_ABI)
        snprintf(why, size, "%s: imp_plugin_abi is %d, expected %d", path, *abi, IMP_PLUGIN_ABI);
    else if (!model->name || !*model->name || !model->solve ||
             model->settings_size > sizeof(imp_settings))
        snprintf(why, size, "%s: imp_plugin_model has no name, no solve or too many settings",
                 path);
    else
        return model;
    return NULL;
}

static void look(void *context) {
    card c = {0};
    make_way();
    const imp_model *model = load(context, c.why, sizeof c.why);
    c.good = model != NULL;
    if (model) snprintf(c.name, sizeof c.name, "%s", model->name);
    if (model && model->law) snprintf(c.law, sizeof c.law, "%s", model->law->name);
    send(&c, sizeof c);
    _exit(0);
}

static void work(void *context) {
    const call *asked = context;
    const imp_problem *problem = asked->problem;
    const size_t bytes = 3 * (size_t)problem->nc * sizeof(double);
    imp_settings settings;
    imp_info info = {0};
    char why[IMP_ERROR_TEXT];
    make_way();
    const imp_model *found = load(asked->path, why, sizeof why);
    double *p = malloc(bytes);
    if (!found || !p) _exit(127);
    imp_model model = *found;
    model.law = asked->takes->law;
    for (size_t i = 0; i < bytes / sizeof *p; i++)
        p[i] = NAN;
    imp_status status = imp_model_takes(&model, problem);
    if (status == IMP_OK) {
        imp_model_presets(&model, &settings);
        const size_t size = model.workspace ? model.workspace(problem, &settings) : 0;
        void *room = size ? malloc(size) : NULL;
        status = size && !room ? IMP_NO_MEMORY : model.solve(problem, &settings, p, room, &info);
    }
    const outcome came = {
        .status = status, .iterations = info.iterations, .residual = info.residual};
    send(&came, sizeof came);
    send(p, bytes);
    _exit(0);
}

/* What it says of itself. */
static imp_status read_card(char *path, const outside_terms *terms, card *c, imp_error *error) {
    contained process;
    imp_status status = contained_start(&process, terms->plugin, terms->bytes, look, path, error);
    if (status != IMP_OK) return status;
    const contained_end end =
        contained_ask(&process, NULL, 0, terms->seconds, sizeof *c, sizeof *c);
    if (end == CONTAINED_ANSWERED) {
        memcpy(c, process.said.data, sizeof *c);
        c->name[OUTSIDE_NAME - 1] = c->law[OUTSIDE_NAME - 1] = c->why[IMP_ERROR_TEXT - 1] = '\0';
        if (!c->good) status = imp_error_set(error, IMP_BAD_ARGUMENT, "%s", c->why);
    } else {
        imp_error why;
        contained_fault(end, &process, terms->seconds, &why);
        status = imp_error_set(error, IMP_BAD_ARGUMENT, "%.200s: %s when it is loaded",
                               terms->plugin, why.text);
    }
    contained_stop(&process, 0);
    return status;
}

/* Its full path. */
static void *open_plugin(const outside_terms *terms, char name[OUTSIDE_NAME],
                         char law[OUTSIDE_NAME], imp_error *error) {
    card c;
    char *path = realpath(terms->plugin, NULL);
    if (!*terms->plugin)
        imp_error_set(error, IMP_BAD_ARGUMENT, "--plugin is empty, expected a shared object");
    else if (!path)
        imp_error_system(error, terms->plugin, "cannot be loaded");
    else if (read_card(path, terms, &c, error) == IMP_OK) {
        outside_name(name, c.name, OUTSIDE_NAME - 1);
        memcpy(law, c.law, OUTSIDE_NAME);
        return path;
    }
    free(path);
    return NULL;
}

/* What came out, believed as little as a line of JSON. */
static imp_status read_outcome(const contained_text *answer, int nc, double *p, imp_info *info,
                               imp_error *fault) {
    const size_t rows = 3 * (size_t)nc;
    const char *numbers = answer->data + sizeof(outcome);
    outcome came;
    memcpy(&came, answer->data, sizeof came);
    if (strcmp(imp_status_text((imp_status)came.status), "unknown") == 0)
        return imp_error_set(fault, IMP_BAD_ANSWER, "bad answer: its status is %d", came.status);
    if (came.iterations > 0) info->iterations = came.iterations;
    info->residual = came.residual;
    if (came.status != IMP_OK)
        imp_error_set(fault, (imp_status)came.status, "it says \"%s\" itself",
                      imp_status_text((imp_status)came.status));
    /* want of memory would be that of this run, and end it */
    if (came.status == IMP_NO_MEMORY)
        return imp_error_set(fault, IMP_CRASHED, "crashed: it says \"no-memory\" itself");
    if (came.status < 0) return (imp_status)came.status;
    for (size_t i = 0; i < rows; i++) {
        double x;
        memcpy(&x, numbers + i * sizeof x, sizeof x);
        if (isfinite(x)) continue;
        if (came.status > 0) return (imp_status)came.status;
        return imp_error_set(fault, IMP_BAD_ANSWER, "bad answer: p[%zu] is %g, expected a number",
                             i, x);
    }
    memcpy(p, numbers, rows * sizeof *p);
    return (imp_status)came.status;
}

static imp_status ask(void *solver, const outside_terms *terms, const imp_model *takes,
                      const imp_problem *problem, double *p, imp_info *info, imp_error *fault) {
    contained process;
    call asked = {solver, takes, problem};
    const size_t bytes = sizeof(outcome) + 3 * (size_t)problem->nc * sizeof *p;
    if (contained_start(&process, terms->plugin, terms->bytes, work, &asked, fault) != IMP_OK)
        return IMP_CRASHED;
    const contained_end end = contained_ask(&process, NULL, 0, terms->seconds, bytes, bytes);
    const imp_status status = end == CONTAINED_ANSWERED
                                  ? read_outcome(&process.said, problem->nc, p, info, fault)
                                  : contained_fault(end, &process, terms->seconds, fault);
    contained_stop(&process, 0);
    return status;
}

const outside_front outside_plugin = {.open = open_plugin, .ask = ask, .close = free};
