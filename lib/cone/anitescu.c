/* anitescu.c - the pyramid LCP with Poisson restitution, solved by Lemke's method.
 *
 * Anitescu, Potra (1997), "Formulating dynamic multi-rigid-body contact problems with friction as
 * solvable linear complementarity problems"; Stewart, Trinkle (1996). The form is that of
 * Drumwright, Shell (2010), section 2, with the friction directions turned from (t, o) by the
 * number of edges. Departure: each contact is given a unit of its own in which its block of W has a
 * trace near 3, and the velocities are scaled to 1, since Lemke's pivot rule compares entries of
 * both; a cone knows no units as long as a contact's three axes share one. */
#include "cone/anitescu.h"

#include "base/exact.h"
#include "base/rounding.h"
#include "cone/phases.h"
#include "linear/lemke.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { MOST_EDGES = 64 };

static const imp_key keys[] = {{"edges", IMP_PAIRS, offsetof(imp_anitescu_settings, edges), 4, 4,
                                MOST_EDGES, NULL, "edges of the friction pyramid"},
                               {"max_pivots", IMP_COUNT,
                                offsetof(imp_anitescu_settings, max_pivots), 20000, 1, 1e9, NULL,
                                "pivots allowed per phase"},
                               {0}};

/* One phase: unknowns c_N (nc), beta (edges nc, contact by contact), lambda (nc). */
typedef struct pyramid_lcp {
    int nc, edges;                   /* contacts, edges of each pyramid */
    const double *W;                 /* (3nc x 3nc) row-major, trace 3nc up to a power of two */
    const double *mu;                /* (nc) */
    double direction[MOST_EDGES][2]; /* (t, o) of each edge */
} pyramid_lcp;

/* m (nc (2 + edges)) <- column j of the matrix [[A_N, B D, 0], [D'B', D'A_T D, E], [mu, -E',
 * 0]]. */
static void column_of(const void *data, int j, double *m) {
    const pyramid_lcp *lcp = data;
    const int nc = lcp->nc, edges = lcp->edges, beta = nc, lambda = nc + edges * nc;
    const size_t rows = 3 * (size_t)nc;
    memset(m, 0, (size_t)(lambda + nc) * sizeof *m);
    if (j >= lambda) { /* E: a slip speed loads all directions of its contact */
        for (int k = 0; k < edges; k++)
            m[beta + edges * (j - lambda) + k] = 1;
        return;
    }
    const int contact = j < nc ? j : (j - beta) / edges;
    const double *d = j < nc ? NULL : lcp->direction[(j - beta) % edges];
    for (int i = 0; i < nc; i++) {
        const double *block = lcp->W + 3 * (size_t)i * rows + 3 * (size_t)contact;
        double v[3]; /* velocity of contact i per unit impulse of this unknown */
        for (int r = 0; r < 3; r++) {
            const double *row = block + (size_t)r * rows;
            v[r] = d ? row[1] * d[0] + row[2] * d[1] : row[0];
        }
        m[i] = v[0];
        for (int k = 0; k < edges; k++)
            m[beta + edges * i + k] = lcp->direction[k][0] * v[1] + lcp->direction[k][1] * v[2];
    }
    m[lambda + contact] = d ? -1 : lcp->mu[contact];
}

/* Everything a solve needs, laid out in the workspace. */
typedef struct pyramid {
    pyramid_lcp lcp;
    int n;                 /* unknowns */
    double *W, *u, *p;     /* scaled matrix, velocity and impulse, (3nc)^2, 3nc, 3nc */
    double *q, *z, *check; /* (n), (n), (2n) */
    void *lemke;
    int q_exponent, W_exponent;
    int *exponent; /* (nc) N s = scaled impulse times 2 to q_exponent - W_exponent + exponent, m/s =
                      scaled velocity times 2 to q_exponent - exponent */
} pyramid;

/* N s, from a scaled impulse of contact i. */
static double unscaled(const pyramid *s, double impulse, int i) {
    return imp_ldexp(impulse, s->q_exponent - s->W_exponent + s->exponent[i]);
}

static int unknowns(const imp_problem *problem, const void *settings) {
    return problem->nc * (2 + (int)((const imp_anitescu_settings *)settings)->edges);
}

static size_t workspace(const imp_problem *problem, const void *settings) {
    const size_t rows = 3 * (size_t)problem->nc, n = (size_t)unknowns(problem, settings);
    return (rows * rows + 3 * rows + 4 * n) * sizeof(double) + imp_lemke_workspace((int)n);
}

static pyramid lay_out(const imp_problem *problem, const void *settings, void *work) {
    const size_t rows = 3 * (size_t)problem->nc;
    const int edges = (int)((const imp_anitescu_settings *)settings)->edges;
    pyramid s = {.n = unknowns(problem, settings), .W = work};
    s.u = s.W + rows * rows;
    s.p = s.u + rows;
    s.q = s.p + rows;
    s.z = s.q + s.n;
    s.check = s.z + s.n;
    s.exponent = (int *)(s.check + 2 * (size_t)s.n); /* nc of the room for 3nc doubles */
    s.lemke = s.check + 2 * (size_t)s.n + rows;
    s.lcp = (pyramid_lcp){.nc = problem->nc, .edges = edges, .W = s.W, .mu = problem->mu};
    for (int k = 0; k < edges; k++) {
        /* opposite directions exactly opposite, axes exactly on the axes */
        const int half = k % (edges / 2), sign = k < edges / 2 ? 1 : -1;
        const double angle = 2 * pi * half / edges;
        s.lcp.direction[k][0] = 4 * half == edges ? 0 : sign * cos(angle);
        s.lcp.direction[k][1] = sign * sin(angle);
    }
    imp_problem_dense(problem, s.W);
    double trace = 0, speed = 0;
    for (size_t i = 0; i < rows; i++)
        trace += s.W[i * rows + i];
    s.W_exponent = imp_exponent(trace / (double)rows);
    for (size_t i = 0; i < rows; i += 3) {
        const double *own = s.W + i * rows + i;
        const int exponent =
            imp_exponent(imp_ldexp(own[0] + own[rows + 1] + own[2 * rows + 2], -s.W_exponent) / 3);
        s.exponent[i / 3] = exponent > 0 ? -(exponent / 2) : (1 - exponent) / 2;
    }
    for (size_t i = 0; i < rows; i++)
        speed = fmax(speed, fabs(imp_ldexp(problem->q[i], s.exponent[i / 3])));
    s.q_exponent = imp_exponent(speed);
    for (size_t i = 0; i < rows; i++) {
        s.u[i] = imp_ldexp(problem->q[i], s.exponent[i / 3] - s.q_exponent);
        for (size_t j = 0; j < rows; j++)
            s.W[i * rows + j] =
                imp_ldexp(s.W[i * rows + j], s.exponent[i / 3] + s.exponent[j / 3] - s.W_exponent);
    }
    memset(s.p, 0, rows * sizeof *s.p);
    return s;
}

/* u += W step, p += step (3nc). What rounding leaves of a velocity is none. */
static void push(pyramid *s, const double *step) {
    const size_t rows = 3 * (size_t)s->lcp.nc;
    for (size_t i = 0; i < rows; i++) {
        double terms = fabs(s->u[i]);
        for (size_t j = 0; j < rows; j++) {
            const double moved = s->W[i * rows + j] * step[j];
            s->u[i] += moved;
            terms += fabs(moved);
        }
        if (fabs(s->u[i]) <= IMP_STOPPED * terms) s->u[i] = 0;
        s->p[i] += step[i];
    }
}

/* Pivots leave dust at contacts that approach nothing and need no push: it would be all that moves
 * beyond them, and all there is to judge others by. */
static void drop_dust(pyramid *s, double *step) {
    double speed = 0;
    for (int i = 0; i < 3 * s->lcp.nc; i++)
        speed = fmax(speed, fabs(s->u[i]));
    for (int i = 0; i < s->lcp.nc; i++) {
        double *own = step + 3 * (size_t)i;
        const double most = fmax(own[0], fmax(fabs(own[1]), fabs(own[2])));
        if (s->u[3 * (size_t)i] < 0 || most > IMP_CANCELLED * speed) continue;
        memset(own, 0, 3 * sizeof *own);
        s->z[i] = 0;
    }
}

/* One phase from the velocities u: `spare` (nc) is normal impulse already applied that friction may
 * lean on. */
static imp_status phase(pyramid *s, const imp_problem *given, const double *spare,
                        const imp_anitescu_settings *settings, imp_info *info) {
    const pyramid_lcp *lcp = &s->lcp;
    const int nc = lcp->nc, edges = lcp->edges;
    for (int i = 0; i < nc; i++) {
        const double *u = s->u + 3 * (size_t)i;
        s->q[i] = u[0];
        for (int k = 0; k < edges; k++)
            s->q[nc + edges * i + k] = lcp->direction[k][0] * u[1] + lcp->direction[k][1] * u[2];
        s->q[nc + edges * nc + i] = spare ? lcp->mu[i] * spare[i] : 0;
    }
    const imp_lcp problem = {s->n, s->q, column_of, lcp};
    int pivots = 0;
    imp_status status =
        imp_lemke(&problem, (int)settings->max_pivots, info->cancel, s->z, s->lemke, &pivots);
    info->iterations += pivots;
    double size = 1;
    for (int i = 0; i < s->n; i++)
        size = fmax(size, s->z[i]);
    const double residual = imp_lcp_residual(&problem, s->z, s->check) / size;
    info->residual = fmax(info->residual, residual);
    /* with W >= 0 there is a solution (Anitescu, Potra 1997, theorem 3.2) unless approaches exclude
     * each other, which this does not show: a ray may as well be rounding */
    if (status == IMP_NO_SOLUTION && !given->W->as_given) status = IMP_NOT_CONVERGED;
    if (status == IMP_OK && !(residual <= 1e-9)) status = IMP_NOT_CONVERGED;
    double *step = s->check;
    for (int i = 0; i < nc; i++) {
        const double *beta = s->z + nc + (size_t)edges * (size_t)i;
        double friction[2] = {0, 0}, used = 0;
        for (int k = 0; k < edges; k++) {
            used += beta[k];
            for (int r = 0; r < 2; r++)
                friction[r] += beta[k] * lcp->direction[k][r];
        }
        const double limit = lcp->mu[i] * s->z[i] + s->q[nc + edges * nc + i];
        const double fit = used > limit ? limit / used : 1; /* rounding: a trace of friction where
                                                               there is no push */
        step[3 * i] = s->z[i];
        step[3 * i + 1] = fit * friction[0];
        step[3 * i + 2] = fit * friction[1];
    }
    drop_dust(s, step);
    push(s, step);
    return status;
}

/* Poisson's expansion: e times the compression impulse, then the LCP again. z still holds the
 * compression's c_N. steps (3 x 3nc): N s of the three, or NULL. */
static imp_status expansion(pyramid *s, const imp_problem *problem,
                            const imp_anitescu_settings *settings, double *steps, imp_info *info) {
    const int nc = problem->nc, rows = 3 * nc;
    /* free between two checks: phase() reads spare before it checks */
    double *spare = s->check, *step = spare + nc;
    imp_status status = IMP_OK;
    bool any = false;
    memset(step, 0, (size_t)rows * sizeof *step);
    for (int i = 0; i < nc; i++) {
        step[3 * i] = spare[i] = problem->e[i] * s->z[i];
        any = any || spare[i] > 0;
        if (steps) steps[rows + 3 * i] = unscaled(s, spare[i], i);
    }
    for (int k = 0; steps && k < rows; k++)
        steps[k] = unscaled(s, s->p[k], k / 3);
    if (any) {
        push(s, step);
        status = phase(s, problem, spare, settings, info);
    }
    for (int k = 0; steps && any && k < rows; k++)
        steps[2 * rows + k] =
            k % 3 == 0 ? unscaled(s, s->z[k / 3], k / 3) : unscaled(s, s->p[k], k / 3) - steps[k];
    return status;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    const imp_anitescu_settings *chosen = settings;
    const bool bounces = imp_phases_bounce(problem), recorded = bounces && info->path;
    double *steps = recorded ? calloc(9 * (size_t)problem->nc, sizeof *steps) : NULL;
    if (recorded && !steps) return IMP_NO_MEMORY;
    pyramid s = lay_out(problem, settings, work);
    imp_status status = phase(&s, problem, NULL, chosen, info);
    if (status == IMP_OK && bounces) status = expansion(&s, problem, chosen, steps, info);
    if (recorded && imp_phases_record(info->path, problem, steps, 1) != IMP_OK)
        status = IMP_NO_MEMORY;
    for (int i = 0; i < 3 * problem->nc && status >= 0; i++)
        p[i] = unscaled(&s, s.p[i], i / 3);
    free(steps);
    return status;
}

const imp_model imp_model_anitescu = {
    .name = "anitescu",
    .title = "friction pyramid as a linear complementarity problem, by Lemke's method",
    .citation = "Anitescu, Potra 1997; Stewart, Trinkle 1996",
    .law = &imp_law_pyramid,
    .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION | IMP_PREFERS_AXES,
    .keys = keys,
    .workspace = workspace,
    .solve = solve,
};
