/* solutions.c - the nearest row of the enumerated set, and how far apart two answers are. */
#include "audit/solutions.h"
#include "contact/model.h"
#include "linear/islands.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int audit_solution(const imp_problem *problem, const double *p, imp_coulomb_set *set) {
    double W[9], packed[6], least = INFINITY;
    int nearest = -1;
    if (problem->nc != 1 || (problem->e && problem->e[0] > 0)) return -1;
    if (imp_model_takes(&imp_model_coulomb, problem) != IMP_OK) return -1;
    imp_problem_dense(problem, W);
    imp_operator_packed(problem->W, 0, packed);
    if (imp_coulomb_enumerate(packed, problem->q, problem->mu[0], set) != IMP_OK) return -1;
    for (int s = 0; s < set->count; s++) {
        double distance = 0;
        for (int r = 0; r < 3; r++) {
            double off = 0;
            for (int c = 0; c < 3; c++)
                off += W[3 * r + c] * (p[c] - set->solution[s].p[c]);
            distance = hypot(distance, off);
        }
        if (distance < least) {
            least = distance;
            nearest = s;
        }
    }
    return nearest;
}

bool audit_has_axes(const imp_law *law) {
    for (const imp_model *const *m = imp_models; *m; m++)
        if (strcmp((*m)->law->name, law->name) == 0 && (*m)->takes & IMP_PREFERS_AXES) return true;
    return false;
}

/* Coulomb's law, and laws by which contacts that do not approach compress too: friction may wedge
 * one. */
static bool leaves_several(const imp_law *law, const imp_problem *problem) {
    static const char *const all_compress[] = {"single-phase", "newton", "poisson"};
    bool touches = false;
    for (int k = 0; k < 3; k++)
        touches = touches || (problem->q[0] >= 0 && strcmp(law->name, all_compress[k]) == 0);
    return law->several || touches;
}

bool audit_is_only(const imp_law *law, const imp_problem *problem, const double *p) {
    imp_coulomb_set set;
    if (problem->nc > 1 || audit_has_axes(law)) return false;
    return !leaves_several(law, problem) ||
           (audit_solution(problem, p, &set) >= 0 && set.count == 1);
}

/* sqrt(J): the norm of a velocity (3, m/s) at a contact of which W_ii has this trace (1/kg). */
static double norm_of(const double v[3], double trace) {
    return trace > 0 ? sqrt(1.5 / trace) * hypot(hypot(v[0], v[1]), v[2]) : 0;
}

/* Adds contact i's part to the norms of W d, d = p - other, of W p, W other and q. Components of W
 * d (m/s) up to `dust` are none. */
static void add_norms(const imp_problem *problem, const double *const impulse[3], double dust,
                      int i, double norm[4]) {
    const imp_operator *W = problem->W;
    double A[9], u[3];
    W->kind->block(W, i, i, A);
    const double trace = A[0] + A[4] + A[8];
    for (int k = 0; k < 3; k++) {
        W->kind->row(W, i, -1, impulse[k], u, NULL);
        for (int r = 0; r < 3 && k == 0; r++)
            if (fabs(u[r]) <= dust) u[r] = 0;
        norm[k] = hypot(norm[k], norm_of(u, trace));
    }
    norm[3] = hypot(norm[3], norm_of(problem->q + 3 * (size_t)i, trace));
}

imp_status audit_apart(const imp_problem *problem, const double *p, const double *other,
                       double *apart) {
    const size_t nc = (size_t)problem->nc;
    double *d = malloc(3 * nc * sizeof *d), (*norm)[4] = calloc(nc, sizeof *norm), fastest = 0;
    int *label = malloc(nc * sizeof *label);
    const int islands = d && norm && label ? imp_islands(problem->W, label) : -1;
    const double *const impulse[3] = {d, p, other};
    for (size_t k = 0; islands >= 0 && k < 3 * nc; k++) {
        d[k] = p[k] - other[k];
        fastest = fmax(fastest, fabs(problem->q[k]));
    }
    for (int i = 0; islands >= 0 && i < problem->nc; i++)
        add_norms(problem, impulse, 8 * DBL_EPSILON * fastest, i, norm[label[i]]);
    *apart = 0;
    for (int k = 0; k < islands; k++)
        if (norm[k][0] > 0)
            *apart = fmax(*apart, norm[k][0] / (norm[k][1] + norm[k][2] + norm[k][3]));
    free(label);
    free(norm);
    free(d);
    return islands >= 0 ? IMP_OK : IMP_NO_MEMORY;
}
