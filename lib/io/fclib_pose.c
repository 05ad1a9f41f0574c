/* fclib_pose.c - the contact problem that an FCLIB file states, local or global. */
#include "io/fclib_bilateral.h"

#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void imp_fclib_posed_clear(imp_fclib_posed *posed) {
    imp_blocks_free(posed->blocks);
    imp_factored_free(posed->factored);
    free(posed->q);
    *posed = (imp_fclib_posed){0};
}

/* W over the bodies, by blocks too unless those would be too many. */
static imp_status pose_factored(imp_fclib_posed *posed) {
    posed->W = imp_operator_factored(posed->factored);
    if (imp_factored_many(posed->factored)) return IMP_OK;
    posed->blocks = imp_blocks_of(&posed->W);
    if (!posed->blocks) return IMP_NO_MEMORY;
    posed->reduced = (imp_reduced){*posed->blocks, posed->factored};
    posed->W = imp_operator_reduced(&posed->reduced);
    return IMP_OK;
}

static imp_status pose_global(const imp_fclib *file, imp_fclib_posed *posed) {
    imp_status status = imp_fclib_free_velocity(file, posed->q);
    if (status == IMP_OK) status = imp_factored_new(&file->M, &file->H, &posed->factored);
    if (status == IMP_OK) return pose_factored(posed);
    if (status == IMP_NO_MEMORY) return status;
    imp_sparse W; /* bodies that M couples in large numbers */
    status = imp_sparse_delassus(&file->M, &file->H, NULL, NULL, &W, NULL);
    if (status == IMP_OK && !(posed->blocks = imp_blocks_new(&W))) status = IMP_NO_MEMORY;
    imp_sparse_clear(&W);
    if (status == IMP_OK) posed->W = imp_operator_blocks(posed->blocks);
    return status;
}

static imp_status pose_local(const imp_fclib *file, imp_fclib_posed *posed) {
    memcpy(posed->q, file->q, 3 * (size_t)file->nc * sizeof *posed->q);
    posed->blocks = imp_blocks_new(&file->W);
    if (!posed->blocks) return IMP_NO_MEMORY;
    posed->W = imp_operator_blocks(posed->blocks);
    return IMP_OK;
}

/* By blocks, W and q of what the constraints leave. */
static imp_status pose_local_constrained(const imp_fclib *file, imp_fclib_posed *posed) {
    imp_fclib local;
    imp_sparse W = {0};
    imp_status status = imp_fclib_local(file, &local);
    if (status == IMP_OK) {
        memcpy(posed->q, local.q, 3 * (size_t)file->nc * sizeof *posed->q);
        status = imp_fclib_eliminate(&local, &W, posed->q);
    }
    if (status == IMP_OK && !(posed->blocks = imp_blocks_new(&W))) status = IMP_NO_MEMORY;
    imp_fclib_clear(&local);
    imp_sparse_clear(&W);
    if (status == IMP_OK) posed->W = imp_operator_blocks(posed->blocks);
    return status;
}

/* q (3nc) <- the velocities that constraints leave the contacts, 0 where that is rounding of what
 * is there in any direction; left: what they leave of H. What no impulse changes is what the
 * constraints say it is, but for what these may contradict each other by, and beside the most that
 * they change. */
static imp_status catch_rows(const imp_fclib *file, const imp_null_space *space,
                             const imp_sparse *H, const imp_sparse *left, double *q) {
    const size_t n = (size_t)file->dof, m = (size_t)file->bilateral, rows = 3 * (size_t)file->nc;
    const double none = fmax(IMP_DEPENDENT, imp_null_space_rounding(space));
    double *x = calloc(6 * n + 6 * m + 2 * rows + 1, sizeof *x), *most = x + n, *own = most + n,
           *largest = own + rows, *c = largest + rows, *size = c + m;
    int row;
    imp_status status = x ? imp_fclib_free_parts(file, q, own) : IMP_NO_MEMORY;
    if (status == IMP_OK) status = imp_fclib_missed_rows(file, c, size);
    if (status == IMP_OK) status = imp_null_space_particular(space, c, size, x, &row, size + m);
    if (status == IMP_OK) {
        imp_sparse_multiply_transposed(H, x, q);
        imp_null_space_largest(space, x, most);
        memcpy(largest, own, rows * sizeof *own);
        imp_fclib_add_sizes(H, most, largest);
        imp_fclib_add_sizes(H, x, own);
    }
    for (int i = 0; status == IMP_OK && i < (int)rows; i++) {
        const bool fixed = left->start[i] == left->start[i + 1];
        if (imp_fclib_cancels(q, fixed ? largest : own, i, fixed ? none : IMP_CANCELLED)) q[i] = 0;
    }
    free(x);
    return status;
}

/* Over the bodies, W and q of what the constraints leave: of velocities in which masses are 1, as
 * of bodies and joints (contact/bilateral.h). */
static imp_status pose_constrained(const imp_fclib *file, imp_fclib_posed *posed) {
    imp_sparse left = {0};
    imp_fclib_rooted it;
    imp_status status = imp_fclib_rooted_of(file, &it);
    if (status == IMP_OK) status = imp_null_space_project(it.space, &it.H, &left);
    if (status == IMP_OK) status = catch_rows(file, it.space, &it.H, &left, posed->q);
    if (status == IMP_OK) status = imp_factored_of(&left, &posed->factored);
    imp_fclib_rooted_clear(&it);
    imp_sparse_clear(&left);
    /* of little contradictions that one allows more, and its answers say them */
    if (status == IMP_UNSUPPORTED || status == IMP_NO_SOLUTION)
        return pose_local_constrained(file, posed);
    return status == IMP_OK ? pose_factored(posed) : status;
}

/* One contact's recorded W that is singular stands beside the G that it is made of, by which models
 * tell what rounding hides in it. */
static imp_status take_root(imp_fclib_posed *posed) {
    double block[9];
    posed->W.kind->block(&posed->W, 0, 0, block);
    imp_operator W = imp_operator_dense(1, block);
    const double mu = 0;
    const imp_problem demanding = {.nc = 1, .W = &W, .q = posed->q, .mu = &mu};
    if (imp_problem_check(&demanding, NULL) != IMP_NOT_POSITIVE) return IMP_OK;
    const imp_status status = imp_factored_root(block, &posed->factored);
    if (status != IMP_OK) return status == IMP_NOT_POSITIVE ? IMP_OK : status;
    posed->reduced = (imp_reduced){*posed->blocks, posed->factored};
    posed->W = imp_operator_reduced(&posed->reduced);
    return IMP_OK;
}

imp_status imp_fclib_pose(const imp_fclib *file, imp_fclib_posed *posed) {
    *posed = (imp_fclib_posed){.q = malloc(3 * (size_t)file->nc * sizeof *posed->q)};
    imp_status status = posed->q ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK && file->dof > 0) status = imp_fclib_check_mass(&file->M);
    if (status == IMP_OK)
        status = file->bilateral > 0 ? pose_constrained(file, posed)
                 : file->dof > 0     ? pose_global(file, posed)
                                     : pose_local(file, posed);
    if (status == IMP_OK && file->nc == 1 && !posed->factored) status = take_root(posed);
    if (status != IMP_OK) {
        imp_fclib_posed_clear(posed);
        return status;
    }
    posed->W.as_given = 1;
    posed->problem = (imp_problem){.nc = file->nc, .W = &posed->W, .q = posed->q, .mu = file->mu};
    return IMP_OK;
}

static imp_status check(const imp_fclib *file, const char *name, const imp_problem *problem,
                        imp_error *error) {
    int contact;
    const imp_status status = imp_problem_check(problem, &contact);
    const char *form = file->dof > 0 ? "/fclib_global" : "/fclib_local";
    switch (status) {
    case IMP_OK: return IMP_OK;
    case IMP_NO_MEMORY: return imp_error_set(error, status, "%s: no memory", name);
    case IMP_NOT_FINITE:
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %s: W or q is beyond 1.8e308, expected numbers below", name,
                             form);
    default:
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %s: W is not positive semidefinite at contact %d, expected it to "
                             "be",
                             name, form, contact);
    }
}

/* Says why it states no problem. */
static imp_status refuse(const imp_fclib *file, const char *name, imp_status status,
                         imp_error *error) {
    const char *rows = file->dof > 0 ? "/fclib_global/G" : "/fclib_local/R",
               *why = status == IMP_NO_SOLUTION ? "rows that contradict each other, expected "
                                                  "constraints that some velocities keep"
                      : status == IMP_NOT_CERTIFIED
                          ? "rows that almost depend on each other, expected them to or not to"
                          : "not symmetric positive semidefinite with W and V, expected it to be";
    if (status == IMP_NO_MEMORY) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", name);
    if (status == IMP_NOT_POSITIVE && file->dof > 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: /fclib_global/M: not positive definite, expected a mass matrix",
                             name);
    if (status == IMP_NOT_SYMMETRIC)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: /fclib_global/M: not symmetric, expected a mass matrix", name);
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: %s: %s", name, rows, why);
}

imp_status imp_fclib_state(const imp_fclib *file, const char *name, imp_fclib_posed *posed,
                           imp_error *error) {
    imp_status status = imp_fclib_pose(file, posed);
    if (status != IMP_OK) return refuse(file, name, status, error);
    status = check(file, name, &posed->problem, error);
    if (status != IMP_OK) imp_fclib_posed_clear(posed);
    return status;
}
