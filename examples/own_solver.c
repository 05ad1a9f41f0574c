/* A solver for one contact without friction, for impact --plugin: u_n = -e q_n. */
#include <impact.h>

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    const double e = problem->e ? problem->e[0] : 0;
    double W[9];
    (void)settings, (void)work, (void)info;
    problem->W->kind->block(problem->W, 0, 0, W);
    p[0] = problem->q[0] < 0 ? -(1 + e) * problem->q[0] / W[0] : 0;
    p[1] = p[2] = 0;
    return IMP_OK;
}

const int imp_plugin_abi = IMP_PLUGIN_ABI;
const imp_model imp_plugin_model = {.name = "own-solver",
                                    .title = "one contact without friction",
                                    .takes = IMP_TAKES_RESTITUTION | IMP_ONLY_FRICTIONLESS,
                                    .solve = solve};
