/* phases.c - the steps of restitution in phases, read from a path of which nothing is trusted. */
#include "cone/phases.h"
#include "base/finite.h"
#include "contact/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double imp_phases_affordable(double energy, double slope, double curvature) {
    const double spent = fmin(0, energy);
    if (spent + slope + 0.5 * curvature <= 0) return 1;
    /* real: slope > -spent - curvature / 2 */
    const double root = sqrt(slope * slope - 2 * curvature * spent);
    return fmin(1, slope > 0 ? -2 * spent / (slope + root) : (root - slope) / curvature);
}

bool imp_phases_bounce(const imp_problem *problem) {
    return problem->e && !imp_all_zero(problem->e, (size_t)problem->nc);
}

static const char letters[] = {'C', 'X', 'C'}; /* of the steps */

imp_status imp_phases_record(imp_path *path, const imp_problem *problem, const double *steps,
                             double share) {
    const size_t nc = (size_t)problem->nc;
    const int count = imp_phases_bounce(problem) ? 3 : 1;
    char *phase = malloc(2 * nc), *motion = phase + nc;
    imp_status status = phase ? IMP_OK : IMP_NO_MEMORY;
    for (int k = 0; k < count && status == IMP_OK; k++) {
        memset(phase, letters[k], nc);
        memset(motion, '-', nc);
        status = imp_path_add(path, problem->nc, 1, k == 0 ? 1 : share, steps + 3 * nc * (size_t)k,
                              phase, motion);
    }
    free(phase);
    return status;
}

/* Are the steps named as they have to be? What comes after the third is in no sum. */
static bool well_named(const imp_path *path) {
    for (int k = 0; k < path->steps && k < 3; k++)
        for (int i = 0; i < path->nc; i++)
            if (path->phase[(size_t)k * (size_t)path->nc + (size_t)i] != letters[k]) return false;
    return true;
}

/* theta of each group: what its normals expand by, over what they would expand by in full. */
static void find_shares(imp_phases *f, const int *group) {
    const int nc = f->problem->nc;
    double *full = f->end, *done = f->start; /* by group; both are free as yet */
    memset(full, 0, (size_t)nc * sizeof *full);
    memset(done, 0, (size_t)nc * sizeof *done);
    for (int i = 0; i < nc; i++) {
        const int g = group ? group[i] : 0;
        full[g] += f->problem->e[i] * f->compression[3 * i];
        done[g] += f->expansion[3 * i];
    }
    for (int i = 0; i < nc; i++) {
        const int g = group ? group[i] : 0;
        f->share[i] = full[g] > 0 ? done[g] / full[g] : 1;
    }
}

/* How far contact i is from steps that add up to p, with the expansion theta e_i times the
 * compression. */
static double misstep(const imp_phases *f, const double *p, int i) {
    const double *c = f->compression + 3 * (size_t)i, *x = f->expansion + 3 * (size_t)i,
                 *s = f->separation + 3 * (size_t)i, *own = p + 3 * (size_t)i;
    const double size = fmax(fmax(imp_largest(own, 3, 1), imp_largest(c, 3, 1)),
                             fmax(imp_largest(x, 3, 1), imp_largest(s, 3, 1)));
    const double whole = f->problem->e[i] * c[0], wanted = f->share[i] * whole;
    double off[3], all[3];
    for (int r = 0; r < 3; r++) {
        off[r] = own[r] - (c[r] + x[r] + s[r]);
        all[r] = fabs(c[r]) + fabs(x[r]) + fabs(s[r]);
    }
    const imp_local local = imp_local_problem(f->problem, p, i);
    const double beyond = fmax(0, fmax(f->share[i] - 1, -f->share[i]));
    return fmax(beyond, fmax(imp_local_missum(&local, off, all, size),
                             imp_relative(fabs(x[0] - wanted), fmax(fabs(x[0]), fabs(whole)))));
}

bool imp_phases_open(imp_phases *f, imp_phases_kind kind, const imp_problem *problem,
                     const double *p, const imp_path *path, const int *group,
                     imp_certificate *result) {
    const size_t nc = (size_t)problem->nc, n = 3 * nc;
    *f = (imp_phases){.problem = problem, .compression = calloc(5 * n + 3 * nc, sizeof(double))};
    if (!f->compression) return false;
    f->expansion = f->compression + n;
    f->separation = f->expansion + n;
    f->start = f->separation + n;
    f->end = f->start + n;
    f->share = f->end + n;
    f->sums = f->share + nc;
    const size_t steps = path->steps < 3 ? (size_t)path->steps : 3;
    if (steps > 0) memcpy(f->compression, path->impulse, steps * n * sizeof *f->compression);
    find_shares(f, group);
    imp_certificate_note(result, "path", well_named(path) ? 0 : 1, 0);
    for (int i = 0; i < problem->nc; i++) {
        if (kind == IMP_PHASES_PLAIN) f->share[i] = 1;
        imp_certificate_note(result, "path", misstep(f, p, i), i);
    }
    for (size_t k = 0; k < n; k++) {
        const double theta = f->share[k / 3];
        if (kind == IMP_PHASES_BOTH && theta > 0) {
            f->expansion[k] /= theta;
            f->separation[k] /= theta;
        }
        f->start[k] = f->compression[k] + f->expansion[k];
        f->end[k] = f->start[k] + f->separation[k];
    }
    return true;
}

void imp_phases_close(imp_phases *f) {
    free(f->compression);
}

void imp_phases_note_share(const imp_phases *f, const int *group, const double *x,
                           imp_certificate *result) {
    const int nc = f->problem->nc;
    double *energy = f->sums, *stake = energy + nc; /* by group */
    memset(f->sums, 0, 2 * (size_t)nc * sizeof *f->sums);
    for (int i = 0; i < nc; i++) {
        const int g = group[i];
        const imp_local c = imp_local_problem(f->problem, x, i);
        const double *q = f->problem->q + 3 * (size_t)i;
        double u[3];
        imp_local_velocity(&c, u);
        for (int r = 0; r < 3; r++) {
            energy[g] += 0.5 * c.p[r] * (u[r] + q[r]);
            stake[g] += fabs(c.p[r]) * c.size[r];
        }
    }
    for (int i = 0; i < nc; i++) {
        const int g = group[i];
        if (stake[g] < 0) continue; /* not the first of its group */
        const double off = f->share[i] < 1 - 1e-12 ? fabs(energy[g]) : fmax(0, energy[g]);
        imp_certificate_note(result, "share", imp_relative(off, stake[g]), i);
        stake[g] = -1;
    }
}

imp_local imp_phases_last(const imp_phases *f, int i) {
    imp_local c = imp_local_problem(f->problem, f->end, i);
    const imp_local start = imp_local_problem(f->problem, f->start, i);
    const double *before = f->start + 3 * (size_t)i;
    for (int r = 0; r < 3; r++) {
        c.size[r] = fmax(c.size[r], start.size[r]);
        c.v[r] += c.A[3 * r] * before[0] + c.A[3 * r + 1] * before[1] + c.A[3 * r + 2] * before[2];
        c.p[r] = f->separation[3 * (size_t)i + (size_t)r];
    }
    const double trace = c.A[0] + c.A[4] + c.A[8];
    c.push = trace > 0 ? 3 * imp_largest(c.size, 3, 1) / trace : 0;
    c.e = 0;
    return c;
}
