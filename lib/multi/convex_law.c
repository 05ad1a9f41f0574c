/* convex_law.c - certificates of the convex models.
 *
 * QP1 by weak duality. For any lambda >= 0 let r = W (p - E lambda) + q and theta the largest of mu_i |r_to,i| - r_n,i
 * and 0. Bounding 1/2 x'Wx from below by its tangent at p - an inequality for every feasible x - gives
 *     E(p) - E(x) <= sum_i (p_i . r_i + c_i |r_to,i| + lambda_i u_n,i) + kappa theta,
 * and every term is >= 0 for a feasible p once kappa theta is split as theta sum p_n and theta (kappa - sum p_n). The
 * bound holds whatever lambda is: multipliers from a solver are as good as any, they only make it small. E is strongly
 * convex in the metric of W, so |p - x|_W^2 <= 2 (E(p) - E(x)) at the minimiser x. */
#include "multi/convex.h"

#include "multi/convex_island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct certifier {
    const imp_problem *problem;
    const imp_convex_settings *settings;
    const double *p;
    double *y, *lambda, *shifted, *r; /* (3nc), (nc), (3nc), (3nc) */
    int *label;                       /* (nc) */
    int islands;
} certifier;

static void velocity(const imp_local *c, double u[3]) {
    for (int r = 0; r < 3; r++)
        u[r] = c->A[3 * r] * c->p[0] + c->A[3 * r + 1] * c->p[1] + c->A[3 * r + 2] * c->p[2] + c->v[r];
}

static double viscous(const imp_convex_settings *settings, int i) {
    return settings->each_mu_v ? settings->each_mu_v[i] : settings->mu_v;
}

static double ratio(double value, double size) {
    return size > 0 ? value / size : 0;
}

static void note_signorini(const imp_local *c, int i, imp_certificate *result) {
    double u[3];
    velocity(c, u);
    const double push = fmax(fabs(c->p[0]), hypot(c->p[1], c->p[2]));
    const double approach = ratio(fmax(0, -u[0]), c->size[0]), pull = ratio(fmax(0, -c->p[0]), push);
    imp_certificate_note(result, "signorini", fmax(approach, pull), i);
}

static void note_energy(const imp_problem *problem, const double *p, imp_certificate *result) {
    double size = 0;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        for (int r = 0; r < 3; r++)
            size += fabs(c.p[r]) * c.size[r];
    }
    imp_certificate_note(result, "energy", ratio(fmax(0, result->energy), size), 0);
}

static bool elastic(const imp_problem *problem) {
    for (int i = 0; problem->e && i < problem->nc; i++)
        if (problem->e[i] != 0) return true;
    return false;
}

static imp_status certify_frictionless(const imp_problem *problem, const void *settings, const double *p,
                                       const imp_path *path, imp_certificate *result) {
    (void)path;
    (void)settings;
    const bool bounces = elastic(problem);
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        double u[3];
        velocity(&c, u);
        note_signorini(&c, i, result);
        imp_certificate_note(result, "friction", ratio(hypot(p[3 * i + 1], p[3 * i + 2]), fabs(p[3 * i])), i);
        if (hypot(p[3 * i + 1], p[3 * i + 2]) > 0 && p[3 * i] == 0) imp_certificate_note(result, "friction", 1, i);
        if (!bounces)
            imp_certificate_note(result, "restitution", ratio(fmin(fabs(u[0]), c.A[0] * fabs(c.p[0])), c.size[0]), i);
    }
    if (bounces) note_energy(problem, p, result);
    return IMP_OK;
}

const imp_law imp_law_frictionless = {
    .name = "frictionless",
    .statement = "no penetration, no adhesion, no friction, complementary (with restitution: no energy gained)",
    .certify = certify_frictionless};

/* The bound of the file's header for one island, with kappa from phase I or the settings. */
static void certify_island(const certifier *c, int island, imp_certificate *result, double *bound) {
    const double *p = c->p;
    double kappa = 0, sum = 0, theta = 0, excess = 0, size = 0;
    int first = -1;
    for (int i = 0; i < c->problem->nc; i++) {
        if (c->label[i] != island) continue;
        const double *r = c->r + 3 * (size_t)i, *q = c->problem->q + 3 * (size_t)i;
        const imp_local local = imp_local_problem(c->problem, p, i);
        const double spare = viscous(c->settings, i) * hypot(q[1], q[2]), pull = hypot(r[1], r[2]);
        double u[3];
        velocity(&local, u);
        if (first < 0) first = i;
        kappa += c->y[3 * i];
        sum += p[3 * i];
        theta = fmax(theta, c->problem->mu[i] * pull - r[0]);
        excess += p[3 * i] * r[0] + p[3 * i + 1] * r[1] + p[3 * i + 2] * r[2] + spare * pull + c->lambda[i] * u[0];
        for (int k = 0; k < 3; k++)
            size += fabs(p[3 * i + k]) * local.size[k];
        size += c->lambda[i] * local.size[0];
    }
    if (c->settings->kappa >= 0) kappa = c->settings->kappa;
    excess += theta * kappa;
    imp_certificate_note(result, "sum", ratio(fmax(0, sum - kappa), fmax(fabs(sum), kappa)), first);
    imp_certificate_note(result, "stationarity", ratio(fabs(excess), size + theta * kappa), first);
    *bound += fmax(0, excess);
}

/* Solves for kappa and multipliers; false where there is no memory. */
static bool prepare(certifier *c) {
    const imp_problem *problem = c->problem;
    const size_t nc = (size_t)problem->nc;
    const imp_problem plastic = {problem->nc, problem->W, problem->q, problem->mu, NULL};
    c->y = calloc(10 * nc, sizeof *c->y);
    c->label = malloc(nc * sizeof *c->label);
    if (!c->y || !c->label) return false;
    c->lambda = c->y + 3 * nc;
    c->shifted = c->lambda + nc;
    c->r = c->shifted + 3 * nc;
    imp_convex_report report = {.multiplier = c->lambda};
    c->islands = imp_convex_islands(problem, c->settings->kappa >= 0, c->label);
    if (c->islands < 0 || imp_convex(&plastic, NULL, c->settings, c->y, &report) < 0) return false;
    if (imp_frictionless(&plastic, NULL, c->y, NULL) < 0) return false;
    for (size_t i = 0; i < nc; i++) {
        c->lambda[i] = fmax(0, c->lambda[i]);
        memcpy(c->shifted + 3 * i, c->p + 3 * i, 3 * sizeof *c->p);
        c->shifted[3 * i] -= c->lambda[i];
    }
    imp_operator_apply(problem->W, c->shifted, problem->q, c->r);
    return true;
}

static imp_status certify_convex(const imp_problem *problem, const void *settings, const double *p,
                                 const imp_path *path, imp_certificate *result) {
    (void)path;
    imp_settings presets;
    imp_model_presets(&imp_model_drumwright, &presets);
    certifier c = {.problem = problem, .settings = settings ? settings : (const void *)&presets, .p = p};
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        const double *q = problem->q + 3 * (size_t)i;
        const double friction = hypot(p[3 * i + 1], p[3 * i + 2]);
        const double most = problem->mu[i] * p[3 * i] + viscous(c.settings, i) * hypot(q[1], q[2]);
        note_signorini(&local, i, result);
        imp_certificate_note(result, "cone", ratio(fmax(0, friction - most), fmax(friction, fabs(most))), i);
    }
    if (elastic(problem)) return IMP_OK;
    const bool good = prepare(&c);
    double bound = 0;
    for (int k = 0; good && k < c.islands; k++)
        certify_island(&c, k, result, &bound);
    if (good && result->worst < 1e-9) { /* of a feasible p */
        result->energy_excess = bound;
        result->velocity_excess = sqrt(2 * bound);
    }
    free(c.y);
    free(c.label);
    return good ? IMP_OK : IMP_NO_MEMORY;
}

const imp_law imp_law_convex = {
    .name = "convex",
    .statement =
        "no penetration, no adhesion, cones, bounded sum of normal impulses; of these the least kinetic energy",
    .certify = certify_convex};
