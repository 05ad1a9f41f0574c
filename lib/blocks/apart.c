/* apart.c - a problem's islands gathered, solved and scattered. */
#include "blocks/apart.h"

#include "base/finite.h"
#include "cone/phases.h"
#include "linear/islands.h"
#include "linear/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is found island by island. */
typedef struct whole {
    const imp_problem *problem;
    const imp_blocks_settings *settings;
    imp_bouncing bouncing;
    imp_inelastic inelastic;
    double *p;     /* (3nc) N s */
    double *steps; /* (3 x 3nc) N s, of the path; NULL: none is asked for */
    bool recorded; /* some island has a path */
    double share;  /* the least theta of one */
    imp_info *info;
} whole;

/* to (n) <- what the contacts have of `from`; NULL where that is. */
static const double *gather(const double *from, int n, const int *contact, double *to) {
    for (int i = 0; from && i < n; i++)
        to[i] = from[contact[i]];
    return from ? to : NULL;
}

/* The island's part of the path: its steps, or its impulse as that of compression where nothing of
 * it bounces. */
static void scatter_steps(whole *w, int n, const int *contact, const double *p,
                          const imp_path *path) {
    const size_t rows = 3 * (size_t)w->problem->nc;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            double *to = w->steps + (size_t)k * rows + 3 * (size_t)contact[i];
            if (path->steps == 3)
                memcpy(to, path->impulse + 3 * ((size_t)k * (size_t)n + (size_t)i), 3 * sizeof *to);
            else if (k == 0)
                memcpy(to, p + 3 * (size_t)i, 3 * sizeof *to);
        }
    if (path->steps < 3) return;
    w->recorded = true;
    w->share = fmin(w->share, path->share[1]);
}

/* Of a solve whose iterates have left the range of double, whether they settle there or not. */
static imp_status beyond_double(imp_status status) {
    return status == IMP_OK || status == IMP_NOT_CONVERGED ? IMP_OVERFLOW : status;
}

/* Solves the island of n contacts; numbers (8n) is scratch. */
static imp_status solve_part(whole *w, const imp_operator *W, int n, const int *contact,
                             double *numbers) {
    const imp_problem *all = w->problem;
    double *q = numbers, *p = q + 3 * (size_t)n, *mu = p + 3 * (size_t)n, *e = mu + n;
    imp_path path = {0};
    imp_info own = {.path = w->steps ? &path : NULL, .cancel = w->info->cancel};
    for (int i = 0; i < n; i++) {
        memcpy(q + 3 * (size_t)i, all->q + 3 * (size_t)contact[i], 3 * sizeof *q);
        memcpy(p + 3 * (size_t)i, w->p + 3 * (size_t)contact[i], 3 * sizeof *p);
    }
    const imp_problem part = {.nc = n,
                              .W = W,
                              .q = q,
                              .mu = gather(all->mu, n, contact, mu),
                              .e = gather(all->e, n, contact, e)};
    imp_status status = w->bouncing(&part, w->settings, w->inelastic, p, &own);
    if (status >= 0 && !imp_all_finite(p, 3 * (size_t)n)) {
        /* none of its numbers, and no less of the others' */
        memset(p, 0, 3 * (size_t)n * sizeof *p);
        imp_path_clear(&path);
        status = beyond_double(status);
    }
    if (status >= 0) {
        for (int i = 0; i < n; i++)
            memcpy(w->p + 3 * (size_t)contact[i], p + 3 * (size_t)i, 3 * sizeof *p);
        if (w->steps) scatter_steps(w, n, contact, p, &path);
        w->info->iterations =
            own.iterations > w->info->iterations ? own.iterations : w->info->iterations;
        w->info->residual = fmax(w->info->residual, own.residual);
    }
    imp_path_clear(&path);
    return status;
}

/* Do the pivots of a block keep their digits? */
static bool is_definite(const double B[9]) {
    static const double least = 1e-6; /* of a diagonal entry */
    if (!(B[0] > 0)) return false;
    const double a = B[3] / B[0], b = B[6] / B[0], second = B[4] - a * B[1];
    if (!(second > least * B[4])) return false;
    const double cross = (B[5] - a * B[2]) * (B[7] - b * B[1]) / second;
    return B[8] - b * B[2] - cross > least * B[8];
}

/* Island number k. One contact takes its block of W alone, where its bodies' G would say no more.
 */
static imp_status solve_island(whole *w, imp_parts *parts, int k, double *numbers) {
    const int n = parts->first[k + 1] - parts->first[k],
              *contact = parts->contact + parts->first[k];
    if (n == 1 && parts->stored) {
        static const int start[2] = {0, 1}, column[1] = {0};
        double block[9];
        const imp_blocks own = {1, start, column, block};
        imp_operator W = imp_operator_blocks(&own);
        W.as_given = parts->W->as_given;
        parts->W->kind->block(parts->W, contact[0], contact[0], block);
        if (imp_gram_rows(parts->gram) == 0 || is_definite(block))
            return solve_part(w, &W, n, contact, numbers);
    }
    imp_part part;
    const imp_status status = imp_part_open(&part, parts, k)
                                  ? solve_part(w, &part.W, n, contact, numbers)
                                  : IMP_NO_MEMORY;
    imp_part_close(&part);
    return status;
}

static imp_status solve_parts(whole *w, imp_parts *parts, double *numbers) {
    imp_status status = IMP_OK;
    w->info->iterations = 0;
    w->info->residual = 0;
    for (int k = 0; k < parts->count && status >= 0; k++) {
        const imp_status own = solve_island(w, parts, k, numbers);
        if (status == IMP_OK || own < 0 || own == IMP_NO_SOLUTION) status = own;
    }
    if (status >= 0 && w->recorded &&
        imp_phases_record(w->info->path, w->problem, w->steps, w->share) != IMP_OK)
        status = IMP_NO_MEMORY;
    return status;
}

/* `label` (nc) tells the `count` of islands. */
static imp_status solve_apart(whole *w, const int *label, int count) {
    const imp_problem *problem = w->problem;
    const size_t n = 3 * (size_t)problem->nc;
    const bool records = w->info->path && imp_phases_bounce(problem);
    imp_parts parts;
    /* the answer, scratch, the steps */
    double *numbers = malloc((1 + 3 + (records ? 3 : 0)) * n * sizeof *numbers), *p = w->p;
    imp_status status = IMP_NO_MEMORY;
    if (imp_parts_open(&parts, problem->W, label, count) && numbers) {
        w->p = memcpy(numbers, p, n * sizeof *p);
        if (records) w->steps = memset(numbers + 4 * n, 0, 3 * n * sizeof *numbers);
        status = solve_parts(w, &parts, numbers + n);
        if (status >= 0) memcpy(p, numbers, n * sizeof *p);
    }
    free(numbers);
    imp_parts_close(&parts);
    return status;
}

enum { FEW = 16 }; /* contacts whose islands go on the stack */

static imp_status solve_all(const imp_problem *problem, const imp_blocks_settings *settings,
                            imp_bouncing bouncing, imp_inelastic inelastic, double *p,
                            imp_info *info) {
    const size_t nc = (size_t)problem->nc;
    if (nc == 1) return bouncing(problem, settings, inelastic, p, info);
    int few[FEW], *label = nc > FEW ? malloc(nc * sizeof *label) : few;
    const int count = label ? imp_islands(problem->W, label) : -1;
    imp_status status = IMP_NO_MEMORY;
    if (count == 1) {
        status = bouncing(problem, settings, inelastic, p, info);
    } else if (count > 1) {
        whole w = {problem, settings, bouncing, inelastic, p, NULL, false, 1, info};
        status = solve_apart(&w, label, count);
    }
    if (label != few) free(label);
    return status;
}

imp_status imp_blocks_apart(const imp_problem *problem, const imp_blocks_settings *settings,
                            imp_bouncing bouncing, imp_inelastic inelastic, double *p,
                            imp_info *info) {
    const imp_status status = solve_all(problem, settings, bouncing, inelastic, p, info);
    return status >= 0 && !imp_all_finite(p, 3 * (size_t)problem->nc) ? beyond_double(status)
                                                                      : status;
}
