/* solutions.c - the nearest row of the enumerated set. */
#include "audit/solutions.h"
#include "contact/model.h"

#include <math.h>
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
