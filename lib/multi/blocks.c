/* blocks.c - the block solvers as models, and the field's errors. */
#include "multi/blocks.h"

#include "multi/blockwise.h"
#include "multi/restitution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void imp_natural_error(const imp_problem *problem, const double *p, double *field, double *scale_free) {
    double trace = 0, q_square = 0, square[2] = {0, 0};
    for (int i = 0; i < problem->nc; i++) {
        double B[9];
        problem->W->kind->block(problem->W, i, i, B);
        trace += (B[0] + B[4] + B[8]) / (3.0 * problem->nc);
    }
    const double a[2] = {1, trace};
    for (int i = 0; i < problem->nc; i++) {
        const double *own = p + 3 * (size_t)i, mu = problem->mu[i];
        double u[3];
        problem->W->kind->row(problem->W, i, -1, p, u, NULL);
        for (int r = 0; r < 3; r++) {
            const double q = problem->q[3 * (size_t)i + (size_t)r];
            u[r] += q;
            q_square += q * q;
        }
        for (int k = 0; k < 2; k++) {
            double x[3] = {a[k] * own[0] - u[0] - mu * hypot(u[1], u[2]), a[k] * own[1] - u[1], a[k] * own[2] - u[2]};
            imp_project_cone(mu, x);
            for (int r = 0; r < 3; r++)
                square[k] += (a[k] * own[r] - x[r]) * (a[k] * own[r] - x[r]);
        }
    }
    const double size = q_square > 0 ? sqrt(q_square) : 1;
    *field = sqrt(square[0]) / size;
    *scale_free = sqrt(square[1]) / size;
}

const imp_blocks_settings imp_blocks_presets = {
    .tolerance = 1e-10, .max_sweeps = 1e5, .relaxation = 1, .parts = 1, .blend = 0.75};

static const char *const orders[] = {"forward", "symmetric", NULL};
static const char *const starts[] = {"rest", "guess", NULL};
static const char *const choices[] = {"any",        "most-dissipative", "middle",       "least-dissipative",
                                      "zero-first", "slip-slowest",     "slip-fastest", NULL};

#define KEY_TOLERANCE                                                                                                  \
    {                                                                                                                  \
        "tolerance", "-", offsetof(imp_blocks_settings, tolerance), 1e-10, 1e-15, 1, NULL,                             \
            "largest natural-map error, of both scalings (maximum dissipation: change of a sweep)"                     \
    }
#define KEY_WORK                                                                                                       \
    {                                                                                                                  \
        "max_sweeps", "-", offsetof(imp_blocks_settings, max_sweeps), 1e5, 1, 1e12, NULL,                              \
            "work allowed, in sweeps over all contacts"                                                                \
    }
#define KEY_START                                                                                                      \
    {                                                                                                                  \
        "start", "-", offsetof(imp_blocks_settings, start), 0, 0, 1, starts,                                           \
            "guess: from the guess that stands beside the problem, where there is one"                                 \
    }
#define KEYS_SWEEPS                                                                                                    \
    {                                                                                                                  \
        "relaxation",                                                                                                  \
        "-",                                                                                                           \
        offsetof(imp_blocks_settings, relaxation),                                                                     \
        1,                                                                                                             \
        0.01,                                                                                                          \
        2,                                                                                                             \
        NULL,                                                                                                          \
        "p <- p + relaxation (local - p)"},                                                                            \
        {"order", "-",    offsetof(imp_blocks_settings, symmetric),     0, 0,                                          \
         1,       orders, "symmetric: every other sweep runs backwards"},                                              \
        {"parts",                                                                                                      \
         "-",                                                                                                          \
         offsetof(imp_blocks_settings, parts),                                                                         \
         1,                                                                                                            \
         1,                                                                                                            \
         1e9,                                                                                                          \
         NULL,                                                                                                         \
         "Gauss-Seidel inside so many parts, Jacobi between them; as many as contacts: weighted Jacobi"},              \
    {                                                                                                                  \
        "blend", "-", offsetof(imp_blocks_settings, blend), 0.75, 0.01, 1, NULL, "damping of Jacobi between parts"     \
    }

static const imp_key auto_keys[] = {KEY_TOLERANCE, KEY_WORK, KEY_START, {0}};
static const imp_key maxdiss_keys[] = {KEY_TOLERANCE, KEY_WORK, KEY_START, KEYS_SWEEPS, {0}};
static const imp_key coulomb_keys[] = {KEY_TOLERANCE,
                                       KEY_WORK,
                                       KEY_START,
                                       KEYS_SWEEPS,
                                       {"choice", "-", offsetof(imp_blocks_settings, local), 0, 0, 6, choices,
                                        "which of several solutions of one contact; any: the one found first"},
                                       {0}};

static imp_status inelastic_auto(const imp_problem *problem, const imp_blocks_settings *settings, double *p,
                                 imp_info *info) {
    imp_blocks_report report = {0};
    const imp_status status = imp_blocks_auto(problem, settings, p, &report);
    info->iterations = report.sweeps;
    info->residual = fmax(report.field, report.scale_free);
    return status;
}

/* The change one more sweep makes, in velocities relative to |q|: zero at the fixed points of any local law. */
static double sweep_change(blockwise *b, const sweep_rule *rule, const imp_blocks_settings *settings, double *before) {
    const bool whole = settings->parts <= 1;
    double square = 0;
    if (whole) {
        memcpy(before, b->p, 3 * (size_t)b->nc * sizeof *before);
        imp_blockwise_sweep(b, rule);
    } else
        imp_blockwise_sweep_parts(b, rule, (int)fmin(settings->parts, b->nc), settings->blend, before);
    for (int i = 0; i < 3 * b->nc; i++) {
        const double change = b->contact[i / 3].weight * (b->p[i] - before[i]);
        square += change * change;
    }
    return sqrt(square) / (b->q_norm > 0 ? b->q_norm : 1) / (rule->relaxation * (whole ? 1 : settings->blend));
}

static imp_status gauss_seidel(const imp_problem *problem, const imp_blocks_settings *settings, local_law law,
                               double *p, imp_info *info) {
    blockwise *b = imp_blockwise_new(problem);
    double *before = malloc(3 * (size_t)problem->nc * sizeof *before);
    if (!b || !before) {
        imp_blockwise_free(b);
        free(before);
        return IMP_NO_MEMORY;
    }
    sweep_rule rule = {.law = law, .relaxation = settings->relaxation};
    double error = INFINITY;
    if (settings->start) imp_blockwise_start(b, p);
    while (error > settings->tolerance && info->iterations < settings->max_sweeps) {
        rule.backwards = settings->symmetric && info->iterations % 2 == 1;
        const double change = sweep_change(b, &rule, settings, before);
        if (++info->iterations % 64 == 0) imp_blockwise_refresh(b);
        error = law == LOCAL_MAXDISS ? change : imp_natural_error_worst(imp_blockwise_error(b));
        if (error <= settings->tolerance && law != LOCAL_MAXDISS) {
            imp_blockwise_refresh(b);
            error = imp_natural_error_worst(imp_blockwise_error(b));
        }
    }
    info->residual = error;
    imp_blockwise_get(b, b->p, p);
    imp_blockwise_free(b);
    free(before);
    return error <= settings->tolerance ? IMP_OK : IMP_NOT_CONVERGED;
}

static imp_status inelastic_coulomb(const imp_problem *problem, const imp_blocks_settings *settings, double *p,
                                    imp_info *info) {
    const int law = settings->local == 0 ? LOCAL_COULOMB : LOCAL_CHOSEN + settings->local - 1;
    return gauss_seidel(problem, settings, (local_law)law, p, info);
}

static imp_status inelastic_maxdiss(const imp_problem *problem, const imp_blocks_settings *settings, double *p,
                                    imp_info *info) {
    return gauss_seidel(problem, settings, LOCAL_MAXDISS, p, info);
}

static imp_status solve_auto(const imp_problem *problem, const void *settings, double *p, void *work, imp_info *info) {
    (void)work;
    return imp_restitution(problem, settings, inelastic_auto, p, info);
}

static imp_status solve_coulomb(const imp_problem *problem, const void *settings, double *p, void *work,
                                imp_info *info) {
    (void)work;
    return imp_restitution(problem, settings, inelastic_coulomb, p, info);
}

static imp_status solve_maxdiss(const imp_problem *problem, const void *settings, double *p, void *work,
                                imp_info *info) {
    (void)work;
    return imp_restitution(problem, settings, inelastic_maxdiss, p, info);
}

const imp_model imp_model_auto = {
    .name = "auto",
    .title = "Coulomb's law on many contacts, the method chosen from what the iteration shows",
    .citation = "Signorini, Coulomb; Alart, Curnier 1991; Walker, Ni 2011",
    .law = &imp_law_coulomb_bounce,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY | IMP_TAKES_ASYMMETRIC | IMP_TAKES_GUESS,
    .keys = auto_keys,
    .solve = solve_auto,
};

const imp_model imp_model_gauss_seidel_coulomb = {
    .name = "gauss-seidel-coulomb",
    .title = "nonlinear block Gauss-Seidel with Coulomb's law on each contact",
    .citation = "Preclik, Eibl, Ruede 2017, section 3.1",
    .law = &imp_law_coulomb_bounce,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY | IMP_TAKES_ASYMMETRIC | IMP_TAKES_GUESS,
    .keys = coulomb_keys,
    .solve = solve_coulomb,
};

const imp_model imp_model_gauss_seidel_maxdiss = {
    .name = "gauss-seidel-maxdiss",
    .title = "nonlinear block Gauss-Seidel with maximum dissipation on each contact",
    .citation = "Preclik, Eibl, Ruede 2017, eq. 5 and section 3.1",
    .law = &imp_law_maxdiss_bounce,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY | IMP_TAKES_GUESS,
    .keys = maxdiss_keys,
    .solve = solve_maxdiss,
};
