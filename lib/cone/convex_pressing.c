/* convex_pressing.c - the polish of those contacts of a large island that press.
 *
 * Where one body is struck and many touch it few contacts take an impulse. The interior point
 * leaves some at all others too, rounding of the fastest there but all that moves, and certificates
 * look at one contact after another. With x_i = 0 the conditions of a contact are
 *     min(u_n + gap, lambda) = 0,   nu >= 0 where z_0 = |g_to|
 * and its u are those of the contacts that press: as they are polished with lambda_i fixed, what is
 * left of them changes where W couples the two, and there lambda_i is an unknown of the polish. */
#include "base/length.h"
#include "cone/convex_interior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pressing {
    const convex_island *island;
    double *u, *g; /* (3n) W x + q; W (x - E lambda) + q */
    double *x;     /* (5n) x, lambda, z0 */
    double *y;     /* (3n) x - E lambda */
    double *fixed; /* (n) lambda, 0 where it is far below its row */
    bool *presses; /* (n) */
    int *chosen;   /* (n) contacts to polish, ascending */
    int count;
} pressing;

/* u and g at v: x and lambda (3n, n). */
static void velocities(pressing *p, const double *v) {
    const convex_island *s = p->island;
    for (int i = 0; i < 3 * s->n; i++)
        p->y[i] = v[i] - (i % 3 == 0 ? v[3 * s->n + i / 3] : 0);
    imp_convex_apply(s, p->y, p->g);
    imp_convex_apply(s, v, p->u);
    for (int i = 0; i < 3 * s->n; i++) {
        p->u[i] += s->q[i];
        p->g[i] += s->q[i];
    }
}

/* z0 of a contact at rest. */
static double pull(const pressing *p, int i) {
    return imp_convex_rows_of(p->island, i).cone ? imp_length(p->g[3 * i + 1], p->g[3 * i + 2]) : 0;
}

/* nu of a contact at rest. */
static double held(const pressing *p, int i, double theta) {
    return p->g[3 * i] + theta - p->island->mu[i] * pull(p, i);
}

static bool coupled_to_pressing(const pressing *p, int i) {
    const convex_island *s = p->island;
    for (int k = s->start[i]; k < s->start[i + 1]; k++)
        if (p->presses[s->column[k]]) return true;
    return false;
}

/* Those whose impulse is not far below what holds it at 0, and of those that they move whose
 * multiplier is not. Sets `fixed`. */
static void choose(pressing *p, const convex_point *point) {
    static const double far = 1e-4;
    const convex_island *s = p->island;
    velocities(p, point->x);
    for (int i = 0; i < s->n; i++) {
        const double own = imp_convex_own_block(s, i)[0];
        const bool open = own * point->lambda[i] <= far * (p->u[3 * i] + s->gap[i]);
        p->fixed[i] = open ? 0 : point->lambda[i];
        p->presses[i] = s->viscous[i] > 0 || own * point->x[3 * i] > far * held(p, i, point->theta);
    }
    p->count = 0;
    for (int i = 0; i < s->n; i++)
        if (p->presses[i] || (p->fixed[i] != 0 && coupled_to_pressing(p, i)))
            p->chosen[p->count++] = i;
}

/* part (count x width) <- the chosen rows of whole. */
static void gather(const pressing *p, size_t width, const double *whole, double *part) {
    for (int k = 0; k < p->count; k++)
        memcpy(part + width * (size_t)k, whole + width * (size_t)p->chosen[k],
               width * sizeof *part);
}

static void spread(const pressing *p, size_t width, const double *part, double *whole) {
    for (int k = 0; k < p->count; k++)
        memcpy(whole + width * (size_t)p->chosen[k], part + width * (size_t)k,
               width * sizeof *part);
}

/* p->x <- the part's answer among the others at rest. Returns the largest residual. */
static double assemble(pressing *p, const convex_point *part) {
    const convex_island *s = p->island;
    const size_t n = (size_t)s->n;
    double worst = part->residual, *lambda = p->x + 3 * n, *z0 = lambda + n;
    memset(p->x, 0, 3 * n * sizeof *p->x);
    memcpy(lambda, p->fixed, n * sizeof *lambda);
    spread(p, 3, part->x, p->x);
    spread(p, 1, part->lambda, lambda);
    velocities(p, p->x);
    for (int i = 0; i < s->n; i++) {
        worst = fmax(worst, fabs(fmin(p->u[3 * i] + s->gap[i], lambda[i])));
        z0[i] = pull(p, i);
        if (imp_convex_rows_of(s, i).normal && p->x[3 * i] == 0)
            worst = fmax(worst, -held(p, i, part->theta));
    }
    spread(p, 1, part->z0, z0);
    return worst;
}

/* q that the part's g has beside its own impulses and multipliers: all that the others' do. */
static void lean(pressing *p, double *out) {
    const convex_island *s = p->island;
    memset(p->y, 0, 3 * (size_t)s->n * sizeof *p->y);
    for (int i = 0; i < s->n; i++)
        p->y[3 * i] = -p->fixed[i];
    for (int k = 0; k < p->count; k++)
        p->y[3 * p->chosen[k]] = 0;
    imp_convex_apply(s, p->y, p->g);
    gather(p, 3, p->g, out);
}

static imp_status polish(pressing *p, convex_point *point) {
    const size_t count = (size_t)p->count;
    convex_island *island = imp_convex_island_part(p->island, p->chosen, p->count);
    convex_point part = *point;
    part.x = malloc(5 * count * sizeof *part.x);
    imp_status status = IMP_NO_MEMORY;
    if (island && part.x) {
        part.lambda = part.x + 3 * count;
        part.z0 = part.lambda + count;
        gather(p, 3, point->x, part.x);
        gather(p, 1, point->lambda, part.lambda);
        gather(p, 1, point->z0, part.z0);
        lean(p, island->lean);
        status = imp_convex_polish(island, 0, &part);
        point->iterations = part.iterations;
        const double residual = assemble(p, &part);
        if (status == IMP_OK && residual < point->residual) {
            memcpy(point->x, p->x, 5 * (size_t)p->island->n * sizeof *point->x);
            point->theta = part.theta;
            point->residual = residual;
        }
    }
    imp_convex_island_free(island);
    free(part.x);
    return status;
}

imp_status imp_convex_polish_pressing(const convex_island *island, double most,
                                      convex_point *point) {
    const size_t n = (size_t)island->n;
    pressing p = {.island = island,
                  .u = malloc(15 * n * sizeof *p.u),
                  .presses = malloc(n * sizeof *p.presses),
                  .chosen = malloc(n * sizeof *p.chosen)};
    imp_status status = IMP_NO_MEMORY;
    if (p.u && p.presses && p.chosen) {
        p.g = p.u + 3 * n;
        p.x = p.g + 3 * n;
        p.y = p.x + 5 * n;
        p.fixed = p.y + 3 * n;
        choose(&p, point);
        status = p.count > 0 && p.count <= most ? polish(&p, point) : IMP_OK;
    }
    free(p.u);
    free(p.presses);
    free(p.chosen);
    return status;
}
