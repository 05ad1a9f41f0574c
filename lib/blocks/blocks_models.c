/* blocks_models.c - the block solvers as models of the table, with their settings. */
#include "blocks/blocks_internal.h"
#include "blocks/apart.h"
#include "blocks/moreau.h"
#include "cone/contradiction_internal.h"
#include "single/single.h"

#include <math.h>

const imp_blocks_settings imp_blocks_presets = {
    .tolerance = 1e-10, .max_sweeps = 1e5, .relaxation = 1, .parts = 1, .blend = 0.75};

static const char *const orders[] = {"forward", "symmetric", NULL};
static const char *const starts[] = {"rest", "guess", NULL};
static const char *const stops[] = {"by-origin", "scale-free", "both", NULL};
static const char *const choices[] = {
    "any",        "most-dissipative", "middle",       "least-dissipative",
    "zero-first", "slip-slowest",     "slip-fastest", NULL};

/* A number with its preset and range; a whole one; a word with the index of its preset. */
#define NUMBER(name, member, preset, low, high, meaning)                                           \
    { name, "-", offsetof(imp_blocks_settings, member), preset, low, high, NULL, meaning }
#define WHOLE(name, member, preset, low, high, meaning)                                            \
    { name, IMP_COUNT, offsetof(imp_blocks_settings, member), preset, low, high, NULL, meaning }
#define WORD(name, member, words, last, meaning)                                                   \
    { name, "-", offsetof(imp_blocks_settings, member), 0, 0, last, words, meaning }

#define COMMON(error)                                                                              \
    NUMBER("tolerance", tolerance, 1e-10, 1e-15, 1e-3, error),                                     \
        WHOLE("max_sweeps", max_sweeps, 1e5, 1, 1e9,                                               \
              "work allowed on an island, in sweeps over its contacts"),                           \
        WORD("start", start, starts, 1,                                                            \
             "guess: from the guess that stands beside the problem, where there is one")
#define STOP                                                                                       \
    WORD("stop", stop, stops, 2,                                                                   \
         "the error that counts: scale-free, or also the field's in SI units; by-origin: also, "   \
         "for FCLIB files")
#define SWEEPS                                                                                     \
    NUMBER("relaxation", relaxation, 1, 0.01, 2, "p <- p + relaxation (local - p)"),               \
        WORD("order", symmetric, orders, 1, "symmetric: every other sweep runs backwards"),        \
        WHOLE("parts", parts, 1, 1, 1e9,                                                           \
              "Gauss-Seidel inside so many parts of an island, Jacobi between them; "              \
              "as many as contacts: weighted Jacobi"),                                             \
        NUMBER("blend", blend, 0.75, 0.01, 1, "damping of Jacobi between parts")

static const imp_key auto_keys[] = {COMMON("largest natural-map error"), STOP, {0}};
static const imp_key moreau_keys[] = {
    COMMON("largest natural-map error"),
    STOP,
    NUMBER("tangential", tangential, 0, 0, 1, "restitution of the slip; 1: Fremond's law"),
    {0}};
static const imp_key maxdiss_keys[] = {
    COMMON("largest change of a sweep, relative to |q|"),
    SWEEPS,
    WORD("solver", local, imp_maxdiss_solvers, IMP_BISECTION,
         "how a slide of one contact is found; the searches may miss"),
    {0}};
static const imp_key coulomb_keys[] = {
    COMMON("largest natural-map error"),
    STOP,
    SWEEPS,
    WORD("choice", local, choices, 6,
         "which of several solutions of one contact; any: the one found first"),
    {0}};

/* Is an error above the tolerance, taken for rounding of large impulses, that of approaches which
 * no impulses stop? These drive them up until rounding hides it. */
static bool hides_contradiction(const imp_problem *problem, const imp_blocks_settings *settings,
                                const double *p, const imp_info *info) {
    return info->residual > settings->tolerance && problem->nc > 1 &&
           imp_contradiction_beside(problem, p, settings->tolerance, NULL) == IMP_NO_SOLUTION;
}

static imp_status inelastic_auto(const imp_problem *problem, const imp_blocks_settings *settings,
                                 double *p, imp_info *info) {
    const imp_status status = imp_blocks_auto(problem, settings, p, NULL, info);
    if (status == IMP_NOT_CONVERGED) return imp_contradiction_beside(problem, p, -1, NULL);
    if (status == IMP_OK && hides_contradiction(problem, settings, p, info)) return IMP_NO_SOLUTION;
    return status;
}

static imp_status inelastic_coulomb(const imp_problem *problem, const imp_blocks_settings *settings,
                                    double *p, imp_info *info) {
    const int law = settings->local == 0 ? LOCAL_COULOMB : LOCAL_CHOSEN + settings->local - 1;
    const imp_status status = imp_gauss_seidel(problem, settings, (local_law)law, p, info);
    if (status == IMP_OK && hides_contradiction(problem, settings, p, info))
        return IMP_NOT_CONVERGED;
    return status;
}

static imp_status inelastic_maxdiss(const imp_problem *problem, const imp_blocks_settings *settings,
                                    double *p, imp_info *info) {
    const int law = LOCAL_MAXDISS + settings->local;
    return imp_gauss_seidel(problem, settings, (local_law)law, p, info);
}

/* A model's solve: a restitution around its inelastic solver. */
#define SOLVE(name, restitution, inelastic)                                                        \
    static imp_status name(const imp_problem *problem, const void *settings, double *p,            \
                           void *work, imp_info *info) {                                           \
        (void)work;                                                                                \
        return imp_blocks_apart(problem, settings, restitution, inelastic, p, info);               \
    }
SOLVE(solve_auto, imp_restitution, inelastic_auto)
SOLVE(solve_coulomb, imp_restitution, inelastic_coulomb)
SOLVE(solve_maxdiss, imp_restitution, inelastic_maxdiss)
SOLVE(solve_moreau, imp_moreau, inelastic_auto)

enum { ANY = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY | IMP_TAKES_GUESS };

const imp_model imp_model_auto = {
    .name = "auto",
    .title = "Coulomb's law on many contacts, the method chosen from what the iteration shows",
    .citation = "Signorini, Coulomb; Alart, Curnier 1991; Walker, Ni 2011",
    .law = &imp_law_coulomb_bounce,
    .takes = ANY | IMP_TAKES_ASYMMETRIC,
    .keys = auto_keys,
    .settings_size = sizeof(imp_blocks_settings),
    .solve = solve_auto,
    .bound = imp_blocks_bound,
};

const imp_model imp_model_gauss_seidel_coulomb = {
    .name = "gauss-seidel-coulomb",
    .title = "nonlinear block Gauss-Seidel with Coulomb's law on each contact",
    .citation = "Preclik, Eibl, Ruede 2017, section 3.1",
    .law = &imp_law_coulomb_bounce,
    .takes = ANY | IMP_TAKES_ASYMMETRIC,
    .keys = coulomb_keys,
    .settings_size = sizeof(imp_blocks_settings),
    .solve = solve_coulomb,
    .bound = imp_blocks_bound,
};

const imp_model imp_model_gauss_seidel_maxdiss = {
    .name = "gauss-seidel-maxdiss",
    .title = "nonlinear block Gauss-Seidel with maximum dissipation on each contact",
    .citation = "Preclik, Eibl, Ruede 2017, eq. 5 and section 3.1",
    .law = &imp_law_maxdiss_bounce,
    .takes = ANY,
    .keys = maxdiss_keys,
    .settings_size = sizeof(imp_blocks_settings),
    .solve = solve_maxdiss,
    .bound = imp_blocks_bound,
};

const imp_model imp_model_moreau = {
    .name = "moreau",
    .title = "Coulomb's law on many contacts with u_n + e q_n for the normal velocity after",
    .citation = "Moreau 1988; Fremond 1995; Glocker 2013",
    .law = &imp_law_moreau,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_TAKES_GUESS | IMP_TAKES_ASYMMETRIC,
    .keys = moreau_keys,
    .settings_size = sizeof(imp_blocks_settings),
    .solve = solve_moreau,
    .bound = imp_blocks_bound,
};
