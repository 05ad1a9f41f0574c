/* A one-contact solver of siconos/numerics, for impact --plugin; which, says -DSOLVER=... */
#include <impact.h>

#include <Friction_cst.h>
#include <FrictionContactProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
#include <fc3d_onecontact_nonsmooth_Newton_solvers.h>
#include <fc3d_unitary_enumerative.h>
#include <string.h>

#ifndef SOLVER
#define SOLVER SICONOS_FRICTION_3D_ONECONTACT_NSN
#endif

/* Column by column, as siconos has it: W is symmetric. */
static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    double W[9], q[3], mu = problem->mu[0];
    (void)settings, (void)work, (void)info;
    problem->W->kind->block(problem->W, 0, 0, W);
    memcpy(q, problem->q, sizeof q);
    memset(p, 0, 3 * sizeof *p);
    SolverOptions *options = solver_options_create(SOLVER);
    FrictionContactProblem *its =
        frictionContactProblem_new_with_data(3, 1, NM_create_from_data(NM_DENSE, 3, 3, W), q, &mu);
    if (SOLVER == SICONOS_FRICTION_3D_ONECONTACT_QUARTIC ||
        SOLVER == SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU)
        return fc3d_unitary_enumerative_solve(its, p, options) == 0 ? IMP_OK : IMP_NOT_CONVERGED;
    fc3d_onecontact_nonsmooth_Newton_solvers_initialize(its, its, options);
    return fc3d_onecontact_nonsmooth_Newton_solvers_solve(its, p, options) == 0 ? IMP_OK
                                                                                : IMP_NOT_CONVERGED;
}

const int imp_plugin_abi = IMP_PLUGIN_ABI;
const imp_model imp_plugin_model = {
    .name = "siconos", .title = "one contact of siconos/numerics", .solve = solve};
