/* moreau.c - Moreau's impact law: the shift of the normal velocities, and the certificate. */
#include "blocks/moreau.h"

#include "cone/phases.h"
#include "contact/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What contact i has to part with, m/s: e_i times its approach before. */
static double owed(const imp_problem *problem, int i) {
    return problem->e ? problem->e[i] * fmax(0, -problem->q[3 * (size_t)i]) : 0;
}

imp_status imp_moreau(const imp_problem *problem, const imp_blocks_settings *settings,
                      imp_inelastic inelastic, double *p, imp_info *info) {
    const double back = settings->tangential;
    if (!imp_phases_bounce(problem) && back == 0) return inelastic(problem, settings, p, info);
    const size_t bytes = 3 * (size_t)problem->nc * sizeof *p;
    double *q = malloc(bytes);
    if (!q) return IMP_NO_MEMORY;
    memcpy(q, problem->q, bytes);
    for (int i = 0; i < problem->nc; i++) {
        q[3 * (size_t)i] -= owed(problem, i);
        q[3 * (size_t)i + 1] *= 1 + back;
        q[3 * (size_t)i + 2] *= 1 + back;
    }
    imp_problem shifted = *problem;
    shifted.q = q;
    shifted.e = NULL;
    const imp_status status = inelastic(&shifted, settings, p, info);
    free(q);
    return status;
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    (void)path;
    const double back = settings ? ((const imp_blocks_settings *)settings)->tangential : 0;
    for (int i = 0; i < problem->nc; i++) {
        imp_local c = imp_local_problem(problem, p, i);
        const double more = owed(problem, i);
        c.v[0] -= more;
        c.size[0] += more;
        for (int k = 1; k < 3; k++) {
            const double slip = back * problem->q[3 * (size_t)i + (size_t)k];
            c.v[k] += slip;
            c.size[k] += fabs(slip);
        }
        if (problem->nc > 1) imp_local_merge(&c);
        imp_coulomb_note(&c, i, result);
    }
    return IMP_OK;
}

const imp_law imp_law_moreau = {
    .name = "moreau",
    .statement = "Coulomb's law with u_n + e q_n for the normal velocity of contacts that approach "
                 "before: what pushes leaves by -e q_n",
    .certify = certify,
    .several = 1,
    .may_gain = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
