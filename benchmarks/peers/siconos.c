/* siconos.c - siconos/numerics as a contestant. */
#include "benchmarks/peers/siconos.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

/* The ten that the field's own comparisons name, siconos' presets but for tolerance and
 * iterations. */
const siconos_solver siconos_solvers[] = {
    {"siconos-nsgs", SICONOS_FRICTION_3D_NSGS, -1, 1},
    {"siconos-nsgs-nsn", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, 1},
    {"siconos-nsgs-quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, 1},
    {"siconos-nsgs-quartic-nu", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU,
     1},
    {"siconos-nsgs-pli", SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, 1},
    {"siconos-prox", SICONOS_FRICTION_3D_PROX, -1, 0},
    {"siconos-aclmfp", SICONOS_FRICTION_3D_ACLMFP, -1, 0},
    {"siconos-nsn-ac", SICONOS_FRICTION_3D_NSN_AC, -1, 0},
    {"siconos-admm", SICONOS_FRICTION_3D_ADMM, -1, 0},
    {"siconos-vi-eg", SICONOS_FRICTION_3D_VI_EG, -1, 1},
    {NULL, 0, 0, 0},
};

static NumericsMatrix *columns_of(const imp_operator *W) {
    const int n = 3 * W->nc;
    NumericsMatrix *M = NM_create(NM_SPARSE, n, n);
    int *list = malloc((size_t)W->nc * sizeof *list);
    if (!M || !list) exit(3);
    NM_triplet_alloc(M, 64);
    M->matrix2->origin = NSM_TRIPLET;
    for (int i = 0; i < W->nc; i++) {
        const int count = W->kind->columns(W, i, list);
        for (int k = 0; k < count; k++) {
            double B[9];
            W->kind->block(W, i, list[k], B);
            for (int e = 0; e < 9; e++)
                if (B[e] != 0) NM_entry(M, 3 * i + e / 3, 3 * list[k] + e % 3, B[e]);
        }
    }
    free(list);
    return M;
}

struct FrictionContactProblem *siconos_prepare(const imp_problem *problem,
                                               const siconos_solver *solver) {
    const size_t n = 3 * (size_t)problem->nc;
    NumericsMatrix *M = columns_of(problem->W);
    if (solver->blocks) {
        SparseBlockStructuredMatrix *blocks = SBM_new();
        SBM_from_csparse(3, NM_csc(M), blocks);
        M = NM_create_from_data(NM_SPARSE_BLOCK, (int)n, (int)n, blocks);
    }
    double *q = malloc(n * sizeof *q), *mu = malloc((size_t)problem->nc * sizeof *mu);
    if (!q || !mu) exit(3);
    memcpy(q, problem->q, n * sizeof *q);
    memcpy(mu, problem->mu, (size_t)problem->nc * sizeof *mu);
    return frictionContactProblem_new_with_data(3, problem->nc, M, q, mu);
}

int siconos_solve(struct FrictionContactProblem *problem, const siconos_solver *solver,
                  double tolerance, int iterations, double *r, double *u) {
    SolverOptions *options = solver_options_create(solver->id);
    if (solver->inner >= 0) solver_options_update_internal(options, 0, solver->inner);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    memset(r, 0, 3 * (size_t)problem->numberOfContacts * sizeof *r);
    memset(u, 0, 3 * (size_t)problem->numberOfContacts * sizeof *u);
    const int verdict = fc3d_driver(problem, r, u, options);
    solver_options_delete(options);
    return verdict;
}
#else
const siconos_solver siconos_solvers[] = {{NULL, 0, 0, 0}};

struct FrictionContactProblem *siconos_prepare(const imp_problem *problem,
                                               const siconos_solver *solver) {
    (void)problem, (void)solver;
    return NULL;
}

int siconos_solve(struct FrictionContactProblem *problem, const siconos_solver *solver,
                  double tolerance, int iterations, double *r, double *u) {
    (void)problem, (void)solver, (void)tolerance, (void)iterations, (void)r, (void)u;
    return 1;
}
#endif
