/* plus_models.c - the descriptors of PLUS and its relatives for the table of models. */
#include "plus/plus_internal.h"

#include <stddef.h>

static const char *const active_sets[] = {"heuristic", "exhaustive", NULL};

#define NUMBER(name, unit, preset, low, high, meaning)                                             \
    { #name, unit, offsetof(imp_plus_settings, name), preset, low, high, NULL, meaning }
#define ACTIVE_SET                                                                                 \
    {                                                                                              \
        "active_set", "-", offsetof(imp_plus_settings, active_set), 0, 0, 1, active_sets,          \
            "release what is violated most, or try all combinations (6 contacts at most)"          \
    }

static const imp_key all_keys[] = {
    NUMBER(theta_max, "rad", 0.01, 1e-5, 1.5, "largest change of a slip direction in one interval"),
    NUMBER(v_transition, "m/s", 0.1, 0, 1e300,
           "a slower contact rolls, or slips from the interval's end"),
    NUMBER(v_capture, "m/s", 0.01, 0, 1e300, "slower approaches have no restitution"),
    NUMBER(v_plastic, "m/s", 0.1, 0, 1e300,
           "faster approaches have the least restitution, the problem's e"),
    NUMBER(alpha_min, "-", 1e-6, 1e-12, 1,
           "shortest interval, as a share of what is left of the phase"),
    ACTIVE_SET,
    NUMBER(static_ratio, "-", 1, 1, PLUS_MOST_STATIC,
           "static coefficient over mu, of contacts that roll from the start on"),
    {0}};

static const imp_key few_keys[] = {ACTIVE_SET, {0}};

/* newton and poisson: one interval per phase, the problem's e at every speed. */
static imp_plus_settings few_settings(const void *settings) {
    const imp_plus_settings *given = settings;
    imp_plus_settings all = imp_plus_settings_default();
    all.active_set = given->active_set;
    all.v_capture = all.v_plastic = 0;
    return all;
}

static plus_record record_of(const imp_info *info) {
    return (plus_record){.path = info->path, .cancel = info->cancel};
}

static size_t workspace(const imp_problem *problem, const void *settings) {
    (void)settings;
    return imp_plus_workspace(problem->nc);
}

static imp_status solve_plus(const imp_problem *problem, const void *settings, double *p,
                             void *work, imp_info *info) {
    return imp_plus_run_any(problem, settings, p, work, record_of(info), info);
}

static imp_status solve_single_phase(const imp_problem *problem, const void *settings, double *p,
                                     void *work, imp_info *info) {
    return imp_plus_run(SINGLE_PHASE, problem, settings, p, work, record_of(info), info);
}

static imp_status solve_poisson(const imp_problem *problem, const void *settings, double *p,
                                void *work, imp_info *info) {
    const imp_plus_settings all = few_settings(settings);
    return imp_plus_run(POISSON, problem, &all, p, work, record_of(info), info);
}

static imp_status solve_newton(const imp_problem *problem, const void *settings, double *p,
                               void *work, imp_info *info) {
    const imp_plus_settings all = few_settings(settings);
    return imp_plus_run(NEWTON, problem, &all, p, work, record_of(info), info);
}

const imp_model imp_model_plus = {
    .name = "plus",
    .title = "rounds of compression and expansion in intervals of sliding and rolling",
    .citation = "Uchida, Sherman, Delp 2015, Algorithms 1 and 2",
    .law = &imp_law_plus,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
    .keys = all_keys,
    .workspace = workspace,
    .solve = solve_plus};

const imp_model imp_model_single_phase = {.name = "single-phase",
                                          .title = "all contacts compress once, then expand once",
                                          .citation = "Uchida, Sherman, Delp 2015, Fig. 14 row C",
                                          .law = &imp_law_single_phase,
                                          .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
                                          .keys = all_keys,
                                          .workspace = workspace,
                                          .solve = solve_single_phase};

const imp_model imp_model_newton = {
    .name = "newton",
    .title = "one solve to u_n = -e q_n, friction against the slip after it",
    .citation = "Uchida, Sherman, Delp 2015, section 2c",
    .law = &imp_law_newton,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
    .keys = few_keys,
    .workspace = workspace,
    .solve = solve_newton};

const imp_model imp_model_poisson = {
    .name = "poisson",
    .title = "one solve for compression, one for expansion, friction against the slip after each",
    .citation = "Uchida, Sherman, Delp 2015, eq. 2.4 and section 4a",
    .law = &imp_law_poisson,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
    .keys = few_keys,
    .workspace = workspace,
    .solve = solve_poisson};
