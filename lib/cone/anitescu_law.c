/* anitescu_law.c - the certificate of the friction pyramid.
 *
 * Anitescu, Potra (1997). With D the directions of the edges, friction lies in the polygon with
 * corners mu p_n d_k, whose sides have the normals half way between; the LCP's conditions on beta
 * and lambda are equivalent to friction giving the most power against the velocity after the
 * impact, p_to . u_to = -mu p_n max_k (-d_k . u_to). */
#include "cone/anitescu.h"

#include "base/length.h"
#include "contact/local.h"
#include "cone/phases.h"

#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;

/* The largest of v . direction over `count` directions at angles 2 pi (k + shift) / count. */
static double support(const double v[2], int count, double shift) {
    double most = -INFINITY;
    for (int k = 0; k < count; k++) {
        const double angle = 2 * pi * (k + shift) / count;
        most = fmax(most, v[0] * cos(angle) + v[1] * sin(angle));
    }
    return most;
}

/* The half-width of the pyramid that friction fills, N s. */
static double filled(const imp_local *c, int edges) {
    return support(c->p + 1, edges, 0.5) / cos(pi / edges);
}

/* What p alone shows, of a phase or of a whole answer: Signorini's inequalities, friction in the
 * pyramid. */
static void note_signs(const imp_local *c, double u_n, double used, double limit, int i,
                       imp_certificate *result) {
    imp_certificate_note(result, "signorini", imp_local_signorini(c, u_n), i);
    imp_certificate_note(result, "cone", imp_local_cone(c, used, limit), i);
}

/* Friction leans on the two corners to either side of it. One that is not the corner of most power
 * has none: the share of `lean` that it has, or what it misses of that power over size, whichever
 * is smaller, for their product is less than either by far. */
static double misplaced(const imp_local *c, const double back[2], double most_power, int edges,
                        double lean, double size) {
    const double *f = c->p + 1;
    if (f[0] == 0 && f[1] == 0) return 0;
    const double angle = 2 * pi / edges, first = angle * floor(atan2(f[1], f[0]) / angle);
    const double d[2][2] = {{cos(first), sin(first)}, {cos(first + angle), sin(first + angle)}},
                 between = d[0][0] * d[1][1] - d[0][1] * d[1][0]; /* sin(angle) */
    double most = 0;
    for (int k = 0; k < 2; k++) {
        const double share = fabs(f[0] * d[1 - k][1] - f[1] * d[1 - k][0]) / between,
                     missing = most_power - (d[k][0] * back[0] + d[k][1] * back[1]);
        most = fmax(most, fmin(share / lean, missing / size));
    }
    return most;
}

/* Notes what one phase demands of contact i, which may lean on `spare` (N s), a normal impulse
 * applied before. */
static void note_phase(const imp_local *c, int edges, double spare, int i,
                       imp_certificate *result) {
    const imp_local floored = imp_local_floored(*c);
    double u[3];
    imp_local_velocity(c, u);
    const double slip_size = imp_length(floored.size[1], floored.size[2]),
                 limit = c->mu * (c->p[0] + spare);
    const double used = filled(c, edges), lean = imp_local_lean(c, used, limit);
    /* power friction leaves unused, over the most it could have; where a slip and what friction is
     * short of its limit are both little, the smaller of the two */
    double idle = 0;
    if (limit > 0 && slip_size > 0) {
        const double back[2] = {-u[1], -u[2]};
        const double power = (c->p[1] / lean) * u[1] + (c->p[2] / lean) * u[2];
        const double most_power = support(back, edges, 0);
        idle = fmax(fabs(power + limit / lean * fmax(0, most_power)),
                    fmin(imp_length(u[1], u[2]), (limit - used) / lean * slip_size)) /
               slip_size;
        idle = fmax(idle, misplaced(c, back, most_power, edges, lean, slip_size));
    }
    /* friction without a push that it leans on, as a large mu lets it be, counts for one */
    const double both = spare > 0
                            ? imp_local_pair(c, u[0], c->p[0])
                            : fmin(imp_relative(fabs(u[0]), c->size[0]), imp_local_impulse(c));
    note_signs(c, u[0], used, limit, i, result);
    imp_certificate_note(result, "restitution", both, i);
    imp_certificate_note(result, "slip", idle, i);
}

static void note_whole(const imp_local *c, int edges, int i, imp_certificate *result) {
    double u[3];
    imp_local_velocity(c, u);
    note_signs(c, u[0], filled(c, edges), c->mu * c->p[0], i, result);
}

static imp_status certify_phases(const imp_problem *problem, int edges, const double *p,
                                 const imp_path *path, imp_certificate *result) {
    imp_phases f;
    const bool good = imp_phases_open(&f, IMP_PHASES_PLAIN, problem, p, path, NULL, result);
    for (int i = 0; good && i < problem->nc; i++) {
        const imp_local first = imp_local_problem(problem, f.compression, i),
                        last = imp_phases_last(&f, i);
        const double *x = f.expansion + 3 * (size_t)i;
        imp_certificate_note(result, "path", x[1] != 0 || x[2] != 0, i);
        note_phase(&first, edges, 0, i, result);
        note_phase(&last, edges, x[0], i, result);
    }
    imp_phases_close(&f);
    return good ? IMP_OK : IMP_NO_MEMORY;
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    const int edges = settings ? (int)((const imp_anitescu_settings *)settings)->edges : 4;
    const bool bounces = imp_phases_bounce(problem);
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        if (bounces)
            note_whole(&local, edges, i, result);
        else
            note_phase(&local, edges, 0, i, result);
    }
    if (!bounces) return IMP_OK;
    if (path) return certify_phases(problem, edges, p, path, result);
    result->unjudged = imp_no_path;
    return IMP_OK;
}

const imp_law imp_law_pyramid = {.name = "pyramid",
                                 .statement =
                                     "no penetration, no adhesion, complementary; friction in the "
                                     "pyramid, of the most power against the slip; with "
                                     "restitution so in compression and, leaning also on e times "
                                     "its impulse, after the expansion by that",
                                 .certify = certify,
                                 .may_gain = IMP_GAINS_BOUNCING,
                                 .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
