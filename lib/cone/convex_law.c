/* convex_law.c - certificates of the convex models. They call no solver: multipliers come with the
 * answer's path.
 *
 * Phase I (QP3), y: 0 <= y _|_ w = A_N y + q_n >= 0. kappa = 1'y is the least sum where a witness v
 * has (A_N v)_i <= 1 for all i with w_i = 0: any other solution y' has A_N y' = A_N y and y'_i = 0
 * where w_i > 0, so
 *     1'y' >= y'A_N v = v'A_N y,
 * and 1'y - v'A_N y, without what y_i has by rounding where w_i > 0, is how far kappa may be above
 * the least. v that obeys its rows to a factor is divided by it.
 *
 * QP1 by weak duality. For any lambda >= 0 let r = W (p - E lambda) + q and theta the largest of
 * mu_i |r_to,i| - r_n,i and 0. Bounding 1/2 x'Wx from below by its tangent at p - an inequality for
 * every feasible x - gives
 *     E(p) - E(x) <= sum_i (p_i . r_i + c_i |r_to,i| + lambda_i u_n,i) + kappa theta,
 * and every term is >= 0 for a feasible p once kappa theta is split as theta sum p_n and theta
 * (kappa - sum p_n). The bound holds whatever lambda is: multipliers from a solver are as good as
 * any, they only make it small. E is strongly convex in the metric of W, so |p - x|_W^2 <= 2 (E(p)
 * - E(x)) at the minimiser x. Where p violates something, within a tolerance, terms are below 0,
 * and E(x) may be above E(p) by as much, to first order in what is violated: |p - x|_W^2 / 2 is
 * bounded by the sum of the terms above 0. Rounding is added to both bounds.
 *
 * With gaps every row is u_n >= -gap, and so is what u_n or q_n stands for above.
 *
 * With restitution the path's steps are held apart: the compression against QP1 (or QP3), the
 * expansion against e, the rest against QP3 from the velocities that the whole expansion
 * reaches. */
#include "cone/convex_island.h"
#include "base/length.h"
#include "cone/phases.h"
#include "contact/local.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* u <- the velocity that the rows bound, of the normal what it may approach by included: u_n +
 * gap. */
static void velocity(const imp_local *c, double u[3]) {
    imp_local_velocity(c, u);
    u[0] += c->gap;
}

static void note_signorini(const imp_local *c, int i, imp_certificate *result) {
    double u[3];
    velocity(c, u);
    imp_certificate_note(result, "signorini", imp_local_signorini(c, u[0]), i);
}

/* Signorini, and no friction: none beside the push, and none that moves the contact. */
static void note_whole(const imp_local *c, int i, imp_certificate *result) {
    const double *A = c->A, *f = c->p + 1,
                 slip = imp_length(A[4] * f[0] + A[5] * f[1], A[7] * f[0] + A[8] * f[1]),
                 share = imp_relative(imp_length(f[0], f[1]), fabs(c->p[0])),
                 moved = imp_relative(slip, imp_largest(c->size, 3, 1));
    note_signorini(c, i, result);
    imp_certificate_note(result, "friction", fmin(1, imp_larger(share, moved)), i);
}

/* QP3 of one contact: signorini, no friction, complementarity. */
static void note_frictionless(const imp_local *c, int i, imp_certificate *result) {
    double u[3];
    velocity(c, u);
    note_whole(c, i, result);
    imp_certificate_note(result, "restitution", imp_local_pair(c, u[0], c->p[0]), i);
}

/* Steps 2 and 3 of a path, and theta: groups are islands. */
static void note_expansion(const imp_phases *f, const int *group, const double *p,
                           imp_certificate *result) {
    imp_phases_note_share(f, group, p, result);
    for (int i = 0; i < f->problem->nc; i++) {
        const imp_local last = imp_phases_last(f, i);
        const double *x = f->expansion + 3 * (size_t)i;
        imp_certificate_note(result, "friction", x[1] != 0 || x[2] != 0, i);
        note_frictionless(&last, i, result);
    }
}

/* How much energy that may create is nowhere said. */
static const char bounce_of_overlaps[] = "restitution beside overlaps";

/* What QP1 is checked with. */
typedef struct certifier {
    const imp_problem *problem;
    const imp_convex_settings *settings;
    const double *p;                    /* (3nc) N s, the compression's impulse */
    const double *y, *witness, *lambda; /* (nc) multipliers of the path */
    double *memory, *push, *r;          /* (3nc) y along the normals; (3nc) W (p - E lambda) + q */
    double *lift;                       /* (3nc) W times the witness along the normals */
    double *power;                      /* (nc) J, p_i . r_i + c_i |r_to,i| */
    int *label;                         /* (nc) islands */
    imp_parts parts;                    /* by them */
} certifier;

/* kappa of an island: the settings', or y's sum, whose residuals are noted: phase I's, and what it
 * may be above the least sum. */
static double kappa_of(const certifier *c, int island, imp_certificate *result) {
    if (c->settings->kappa >= 0) return c->settings->kappa;
    const imp_parts *parts = &c->parts;
    const int first = parts->first[island];
    double sum = 0, least = 0, steep = 1;
    for (int at = first; at < parts->first[island + 1]; at++) {
        const int i = parts->contact[at];
        const imp_local phase1 = imp_local_problem(c->problem, c->push, i);
        const double y = c->y[i], w = phase1.A[0] * y + phase1.v[0] + phase1.gap,
                     lift = c->lift[3 * (size_t)i];
        const double both = fmin(fabs(w), phase1.A[0] * fabs(y)),
                     push = phase1.push > 0 ? phase1.push : y;
        const double bad = fmax(fmax(0, -w), both);
        imp_certificate_note(result, "sum",
                             fmax(imp_relative(bad, phase1.size[0]), imp_relative(-y, push)), i);
        /* what rounding, or the interior point, leaves above 0 is not open if it pushes */
        const bool open = w > IMP_CONVEX_OPENING * phase1.size[0] && phase1.A[0] * y < w;
        sum += y;
        if (open) continue; /* y_i is rounding, which proves nothing times what v may be here */
        steep = fmax(steep, lift);
        least += lift * y; /* v'A_N y */
    }
    imp_certificate_note(result, "sum", imp_relative(sum - least / steep, fabs(sum)),
                         parts->contact[first]);
    return sum;
}

/* The other pairs of QP1's conditions, of first order too: lambda and u_n; p_n and what its row
 * leaves; theta and what the sum leaves, of each contact. */
static void note_pairs(const certifier *c, int island, double theta, double spare,
                       imp_certificate *result) {
    const imp_parts *parts = &c->parts;
    for (int at = parts->first[island]; at < parts->first[island + 1]; at++) {
        const int i = parts->contact[at];
        const imp_local local = imp_local_problem(c->problem, c->p, i);
        const double *r = c->r + 3 * (size_t)i,
                     left = r[0] + theta - c->problem->mu[i] * imp_length(r[1], r[2]);
        double u[3];
        imp_certificate_note(result, "complementarity", 0, i);
        /* neither moves nor pushes: r there is what multipliers elsewhere have by rounding */
        if (imp_largest(local.size, 3, 1) == 0) continue;
        velocity(&local, u);
        imp_certificate_note(result, "complementarity",
                             imp_local_pair(&local, u[0], fmax(0, c->lambda[i])), i);
        imp_certificate_note(result, "complementarity", imp_local_pair(&local, left, local.p[0]),
                             i);
        /* of a sum that is not met each contact has to do without its multiplier, which may be
         * rounding of a faster one */
        const double without = fmin(left - theta, local.A[0] * local.p[0]);
        imp_certificate_note(result, "complementarity", imp_local_pair(&local, without, spare), i);
    }
}

/* J, the file's header's of all islands: of E(p) - E(x), and of |p - x|_W^2 / 2. */
typedef struct bounds {
    double energy, distance;
} bounds;

/* The terms of an island that are above 0, of cones and of the sum; left: kappa - sum p_n. */
static double terms_above(const certifier *c, int island, double theta, double left) {
    const imp_parts *parts = &c->parts;
    double sum = theta * fmax(0, left);
    for (int at = parts->first[island]; at < parts->first[island + 1]; at++) {
        const int i = parts->contact[at];
        sum += fmax(0, c->power[i] + theta * c->p[3 * (size_t)i]);
    }
    return sum;
}

/* The bounds of the file's header for one island, which are added to `bound`. */
static void certify_island(const certifier *c, int island, imp_certificate *result, bounds *bound) {
    const double *p = c->p;
    double sum = 0, theta = 0, excess = 0, opening = 0, size = 0, within = 0;
    const imp_parts *parts = &c->parts;
    const int first = parts->contact[parts->first[island]];
    for (int at = parts->first[island]; at < parts->first[island + 1]; at++) {
        const int i = parts->contact[at];
        const double *r = c->r + 3 * (size_t)i, *q = c->problem->q + 3 * (size_t)i,
                     lambda = fmax(0, c->lambda[i]);
        const imp_local local = imp_local_problem(c->problem, p, i);
        const imp_local floored = imp_local_floored(local);
        const double spare = imp_convex_viscous(c->problem, c->settings->mu_v, i) *
                             imp_length(q[1], q[2]),
                     pull = imp_length(r[1], r[2]);
        double u[3];
        velocity(&local, u);
        sum += p[3 * i];
        theta = fmax(theta, c->problem->mu[i] * pull - r[0]);
        c->power[i] = p[3 * i] * r[0] + p[3 * i + 1] * r[1] + p[3 * i + 2] * r[2] + spare * pull;
        excess += c->power[i] + lambda * u[0];
        opening += lambda * fmax(0, u[0]);
        /* of first order in what the energy above the least is of second order in */
        const double limit = c->problem->mu[i] * p[3 * i] + spare;
        imp_certificate_note(
            result, "slip", limit > 0 ? imp_local_slip(&floored, local.p + 1, r + 1, limit) : 0, i);
        for (int k = 0; k < 3; k++)
            size += fabs(p[3 * i + k]) * local.size[k];
        size += lambda * local.size[0];
        /* where p is 0 a multiplier that is rounding is no gap of its own size */
        const double rounds = DBL_EPSILON * local.size[0] * (local.size[0] / local.A[0]);
        if (rounds <= DBL_MAX) size += rounds;
        if (local.A[0] > 0) within += 2 * local.size[0] / local.A[0];
    }
    const double kappa = kappa_of(c, island, result);
    /* A bound that is slack by far is not met nearer by either, the problem being convex: theta,
     * which is rounding then, is not held to all that it allows. */
    const double near = fmin(kappa, within);
    imp_certificate_note(result, "stationarity",
                         imp_relative(fabs(excess + theta * near), size + theta * near), first);
    excess += theta * kappa;
    imp_certificate_note(result, "sum", imp_relative(sum - kappa, fmax(fabs(sum), kappa)), first);
    /* the rounding of both sums is no room: a contact where nothing moves would be held to it */
    const int contacts = parts->first[island + 1] - parts->first[island];
    const double spare = kappa - sum, rounds = DBL_EPSILON * contacts * kappa;
    note_pairs(c, island, theta, spare > rounds ? spare : 0, result);
    /* as many roundings as a sum of the island has terms */
    const double rounded = DBL_EPSILON * (3 * contacts + 5) * (size + theta * kappa);
    bound->energy += fmax(0, excess + rounded);
    bound->distance += opening + terms_above(c, island, theta, spare) + rounded;
}

/* Reads the multipliers; false where there is no memory. */
static bool prepare(certifier *c, const imp_path *path) {
    const imp_problem *problem = c->problem;
    const size_t nc = (size_t)problem->nc;
    c->memory = calloc(10 * nc, sizeof *c->memory);
    c->label = malloc(nc * sizeof *c->label);
    if (!c->memory || !c->label) return false;
    c->push = c->memory;
    c->lift = c->push + 3 * nc;
    c->r = c->lift + 3 * nc;
    c->power = c->r + 3 * nc;
    const int islands = imp_convex_islands(problem, c->settings->kappa >= 0, c->label);
    if (islands < 0 || !imp_parts_open(&c->parts, problem->W, c->label, islands)) return false;
    c->y = path->multiplier;
    c->lambda = c->y + 2 * nc;
    for (size_t i = 0; i < nc; i++)
        c->push[3 * i] = c->y[nc + i]; /* the witness */
    imp_operator_apply(problem->W, c->push, NULL, c->lift);
    memcpy(c->push, c->p, 3 * nc * sizeof *c->push);
    for (size_t i = 0; i < nc; i++)
        c->push[3 * i] -= fmax(0, c->lambda[i]);
    imp_operator_apply(problem->W, c->push, problem->q, c->r);
    memset(c->push, 0, 3 * nc * sizeof *c->push);
    for (size_t i = 0; i < nc; i++)
        c->push[3 * i] = c->y[i];
    return true;
}

/* p (3nc), an answer for e = 0, against QP1. */
static bool certify_compression(const imp_problem *problem, const imp_convex_settings *settings,
                                const double *p, const imp_path *path, bounds *bound,
                                imp_certificate *result) {
    certifier c = {.problem = problem, .settings = settings, .p = p};
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        const double *q = problem->q + 3 * (size_t)i;
        const double friction = imp_length(p[3 * i + 1], p[3 * i + 2]);
        const double most = problem->mu[i] * p[3 * i] +
                            imp_convex_viscous(problem, settings->mu_v, i) * imp_length(q[1], q[2]);
        note_signorini(&local, i, result);
        imp_certificate_note(result, "cone", imp_local_cone(&local, friction, most), i);
    }
    if (!path) return true;
    const bool good = prepare(&c, path);
    for (int k = 0; good && k < c.parts.count; k++)
        certify_island(&c, k, result, bound);
    imp_parts_close(&c.parts);
    free(c.memory);
    free(c.label);
    return good;
}

/* All three phases; islands share theta, as they share kappa. settings NULL: without friction. */
static bool certify_phases(const imp_problem *problem, const imp_convex_settings *settings,
                           const double *p, const imp_path *path, imp_certificate *result) {
    const bool together = settings && settings->kappa >= 0;
    int *group = malloc((size_t)problem->nc * sizeof *group);
    imp_phases f = {0};
    bounds ignored = {0};
    bool good = group && imp_convex_islands(problem, together, group) >= 0 &&
                imp_phases_open(&f, IMP_PHASES_BOTH, problem, p, path, group, result);
    for (int i = 0; good && !settings && i < problem->nc; i++) {
        const imp_local first = imp_local_problem(problem, f.compression, i);
        note_frictionless(&first, i, result);
    }
    if (good && settings)
        good = certify_compression(problem, settings, f.compression, path, &ignored, result);
    if (good) note_expansion(&f, group, p, result);
    imp_phases_close(&f);
    free(group);
    return good;
}

static imp_status certify_frictionless(const imp_problem *problem, const void *settings,
                                       const double *p, const imp_path *path,
                                       imp_certificate *result) {
    (void)settings;
    const bool bounces = imp_phases_bounce(problem);
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        if (bounces)
            note_whole(&c, i, result);
        else
            note_frictionless(&c, i, result);
    }
    if (!bounces) return IMP_OK;
    if (imp_problem_overlaps(problem))
        result->unjudged = bounce_of_overlaps;
    else if (!path)
        result->unjudged = imp_no_path;
    return !path || certify_phases(problem, NULL, p, path, result) ? IMP_OK : IMP_NO_MEMORY;
}

const imp_law imp_law_frictionless = {
    .name = "frictionless",
    .statement = "no penetration, no adhesion, no friction, complementary; with restitution so in "
                 "compression, then e "
                 "times its impulses, then complementary once more; no energy gained",
    .certify = certify_frictionless,
    .reads = IMP_READS_RESTITUTION | IMP_READS_GAP};

static imp_status certify_convex(const imp_problem *problem, const void *settings, const double *p,
                                 const imp_path *path, imp_certificate *result) {
    static const imp_convex_settings presets = {.kappa = -1}; /* a law needs no more of them */
    const imp_convex_settings *own = settings ? settings : &presets;
    const bool told = path && path->multipliers == 3;
    bounds bound = {0};
    bool good = certify_compression(
        problem, own, p, told && !imp_phases_bounce(problem) ? path : NULL, &bound, result);
    if (imp_phases_bounce(problem) && imp_problem_overlaps(problem))
        result->unjudged = bounce_of_overlaps;
    else if (!told)
        result->unjudged = imp_no_path;
    if (!told) return good ? IMP_OK : IMP_NO_MEMORY;
    if (imp_phases_bounce(problem))
        good = good && certify_phases(problem, own, p, path, result);
    else if (good && result->worst < 1e-9) { /* of a feasible p */
        result->energy_excess = bound.energy;
        result->velocity_excess = sqrt(2 * bound.distance);
    }
    return good ? IMP_OK : IMP_NO_MEMORY;
}

const imp_law imp_law_convex = {.name = "convex",
                                .statement = "no penetration, no adhesion, cones, bounded sum of "
                                             "normal impulses; of these the least kinetic "
                                             "energy; with restitution so in compression, then e "
                                             "times its normal impulses, then complementary "
                                             "without friction; no energy gained",
                                .certify = certify_convex,
                                .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION |
                                         IMP_READS_VISCOUS | IMP_READS_GAP};
