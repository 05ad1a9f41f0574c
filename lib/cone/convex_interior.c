/* convex_interior.c - phase II (Drumwright, Shell 2010, QP1) by a primal-dual interior-point
 * method.
 *
 *     minimise 1/2 x'Wx + q'x  over  (Wx + q)_n >= -gap,  x_n >= 0,  sum x_n <= kappa,  |x_to| <=
 *     mu x_n + viscous
 *
 * Nesterov-Todd scaling and Mehrotra's predictor and corrector from an infeasible start: where the
 * sum needed is kappa the set has no interior, and methods that need one cannot start. Departures
 * from the paper: its quadratic viscous cone |x_to|^2 <= mu^2 x_n^2 + c^2 is not convex and is
 * replaced by the sum form, its convex hull. */
#include "cone/convex_interior.h"

#include "base/length.h"
#include "cone/convex_cone.h"
#include "cone/convex_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* steps without gain, of which hard problems have a dozen in a row: what ends later has no end */
enum { PATIENCE = 40 };

/* Stiffness that keeps a fixed unknown at 0 to rounding: beside W near 1 and factors that do not
 * mind how large a diagonal entry is. */
static const double fixing = 0x1p53;
/* Scalings below it magnify the rounding of dS, 1e-16, by 1e6 and more: beyond the 1e-10 that
 * step() still calls progress (1: tests/test_convex_hard.c, 0: gate, drumwright/bodies/steps). */
static const double steep = 1e-3;

typedef struct interior {
    const convex_island *island;
    convex_newton *newton;
    convex_rows *rows;       /* (n) */
    int n, pairs;            /* contacts, complementary pairs */
    double *x, *u, *Wy;      /* (3n) impulse, velocity, W (x - E lambda) */
    double *s, *z, *ds, *dz; /* (2n + 1) linear pairs: gap rows, push rows, the sum */
    double *rp, *rc;         /* (2n + 1) feasibility, right sides of the linear pairs */
    double *S, *Z, *dS, *dZ; /* (3n) cones */
    double *rP, *l, *t;      /* (3n) feasibility, scaled pair, right sides of the cones */
    double *rd, *B, *D, *r;  /* (3n), (9n), (n + 1), (4n + 1) */
    cone_scaling *scaling;   /* (n) */
} interior;

convex_rows imp_convex_rows_of(const convex_island *s, int i) {
    const bool normal = s->kappa > 0;
    return (convex_rows){normal, s->viscous[i] > 0 || (normal && s->mu[i] > 0)};
}

static bool allocate(interior *p, const convex_island *island) {
    const size_t n = (size_t)island->n,
                 doubles = 10 * 3 * n + 6 * (2 * n + 1) + 3 * n + 9 * n + n + 1 + 4 * n + 1;
    double *a = calloc(doubles, sizeof *a);
    p->rows = malloc(n * sizeof *p->rows);
    p->scaling = malloc(n * sizeof *p->scaling);
    p->x = a;
    if (!a || !p->rows || !p->scaling) return false;
    double **const vectors[] = {&p->x,  &p->u,  &p->Wy, &p->S, &p->Z, &p->dS,
                                &p->dZ, &p->rP, &p->l,  &p->t, &p->rd};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, a += 3 * n)
        *vectors[k] = a;
    double **const linear[] = {&p->s, &p->z, &p->ds, &p->dz, &p->rp, &p->rc};
    for (size_t k = 0; k < sizeof linear / sizeof *linear; k++, a += 2 * n + 1)
        *linear[k] = a;
    p->B = a;
    p->D = p->B + 9 * n;
    p->r = p->D + n + 1;
    return true;
}

/* Is linear pair k there? */
static bool present(const interior *p, int k) {
    return k < p->n || p->rows[0].normal;
}

static double *multiplier_of_sum(interior *p) {
    return p->z + 2 * p->n;
}

/* out (3) <- the cone's argument for x_i. */
static void cone_argument(const interior *p, int i, const double *x, double constant,
                          double out[3]) {
    const convex_island *s = p->island;
    out[0] = s->mu[i] * (p->rows[i].normal ? x[0] : 0) + constant * s->viscous[i];
    out[1] = x[1];
    out[2] = x[2];
}

/* Values of the linear rows at x, u: what their slacks should be. */
static void linear_values(const interior *p, double *value) {
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        value[i] = p->u[3 * i] + p->island->gap[i];
        value[p->n + i] = p->x[3 * i];
        sum += p->x[3 * i];
    }
    value[2 * p->n] = p->island->kappa - sum;
}

/* far: from the boundary, where velocities and impulses are near 1 and a cone's friction near
 * mu. */
static void start(interior *p, const double *x, double far) {
    const convex_island *s = p->island;
    for (int i = 0; i < 3 * p->n; i++)
        p->x[i] = (i % 3 == 0 ? p->rows[i / 3].normal : p->rows[i / 3].cone) ? x[i] : 0;
    imp_convex_apply(s, p->x, p->u);
    for (int i = 0; i < 3 * p->n; i++)
        p->u[i] += s->q[i];
    linear_values(p, p->s);
    for (int k = 0; k <= 2 * p->n; k++) {
        p->pairs += present(p, k);
        p->s[k] = present(p, k) ? fmax(p->s[k], far) : 1;
        p->z[k] = present(p, k) ? far : 0;
    }
    for (int i = 0; i < p->n; i++) {
        p->pairs += p->rows[i].cone;
        const double size = p->rows[i].cone ? fmin(1, s->mu[i] + s->viscous[i]) : 1;
        p->S[3 * i] = fmax(s->mu[i] * p->x[3 * i] + s->viscous[i], far * size);
        p->Z[3 * i] = far / size;
    }
}

/* The largest residuals, and the mean product of the pairs. */
typedef struct interior_residual {
    double rows, product, mean_product;
} interior_residual;

/* Of feasibility, stationarity and the pairs at the point. */
static interior_residual residuals(interior *p) {
    const convex_island *s = p->island;
    const double theta = *multiplier_of_sum(p);
    double rows = 0, product = 0, total = 0;
    for (int i = 0; i < 3 * p->n; i++)
        p->r[i] = p->x[i] - (i % 3 == 0 ? p->z[i / 3] : 0);
    imp_convex_apply(s, p->r, p->Wy);
    imp_convex_apply(s, p->x, p->u);
    for (int i = 0; i < 3 * p->n; i++)
        p->u[i] += s->q[i];
    linear_values(p, p->rp);
    for (int k = 0; k <= 2 * p->n; k++) {
        p->rp[k] = present(p, k) ? p->rp[k] - p->s[k] : 0;
        rows = fmax(rows, fabs(p->rp[k]));
        total += p->s[k] * p->z[k];
        product = fmax(product, p->s[k] * p->z[k]);
    }
    for (int i = 0; i < p->n; i++) {
        const convex_rows *row = &p->rows[i];
        double *rd = p->rd + 3 * i, *S = p->S + 3 * i, *Z = p->Z + 3 * i, *rP = p->rP + 3 * i;
        const double cone = row->cone ? 1 : 0;
        for (int r = 0; r < 3; r++)
            rd[r] = p->Wy[3 * i + r] + s->q[3 * i + r];
        rd[0] = row->normal ? rd[0] + theta - p->z[p->n + i] - cone * s->mu[i] * Z[0] : 0;
        cone_argument(p, i, p->x + 3 * i, 1, rP);
        for (int r = 0; r < 3; r++) {
            if (r > 0) rd[r] = row->cone ? rd[r] - Z[r] : 0;
            rP[r] = row->cone ? rP[r] - S[r] : 0;
            rows = fmax(rows, fmax(fabs(rd[r]), fabs(rP[r])));
        }
        const double pair = cone * (S[0] * Z[0] + S[1] * Z[1] + S[2] * Z[2]);
        total += pair;
        product = fmax(product, pair);
    }
    if (!isfinite(total)) rows = INFINITY; /* fmax drops a NaN, a sum keeps it */
    return (interior_residual){rows, product, total / p->pairs};
}

/* Scalings of the current pairs and the factors of the Newton matrix. */
static bool factorise(interior *p) {
    const convex_island *s = p->island;
    for (int i = 0; i < p->n; i++) {
        double *B = p->B + 9 * (size_t)i;
        const convex_rows *row = &p->rows[i];
        memset(B, 0, 9 * sizeof *B);
        p->D[i] = p->s[i] / p->z[i];
        if (row->cone) {
            const double scale[3] = {row->normal ? s->mu[i] : 0, 1, 1};
            const double *S = p->S + 3 * i, *Z = p->Z + 3 * i;
            /* on the rim, to rounding */
            if (!(imp_cone_det(S) > 0 && imp_cone_det(Z) > 0)) return false;
            p->scaling[i] = imp_cone_scale(S, Z);
            imp_cone_multiply(&p->scaling[i], p->Z + 3 * i, p->l + 3 * i);
            imp_cone_inverse_square(&p->scaling[i], B);
            for (int k = 0; k < 9; k++)
                B[k] *= scale[k / 3] * scale[k % 3];
        } else
            B[4] = B[8] = fixing;
        B[0] += row->normal ? p->z[p->n + i] / p->s[p->n + i] : fixing;
    }
    p->D[p->n] = p->rows[0].normal ? p->s[2 * p->n] / p->z[2 * p->n] : 1;
    return imp_convex_newton_factor(p->newton, p->B, p->D);
}

/* dZ_i anew from the rows of stationarity, Wy = W (dx - E dlambda). As computed from dS it is
 * off by rounding times the inverse square of the scaling; that is along Z, where it hurts
 * stationarity and not the product with S; not where nothing is magnified, where dS is the
 * better source. Without it 1 % more steps are taken (gate: drumwright/bodies/steps). */
static void restore_stationarity(interior *p, int i, double share) {
    const double mu = p->island->mu[i], *rd = p->rd + 3 * i, *dg = p->Wy + 3 * i;
    double *dZ = p->dZ + 3 * i;
    for (int a = 1; a < 3; a++)
        dZ[a] = share * rd[a] + dg[a];
    if (p->rows[i].normal && mu > 0)
        dZ[0] = (share * rd[0] + dg[0] + p->r[4 * p->n] - p->dz[p->n + i]) / mu;
}

/* The direction for the right sides rc (linear) and t (cones: l \ rc), linear residuals taken times
 * `share`. */
static void direction(interior *p, double share) {
    const convex_island *s = p->island;
    const int n = p->n;
    double *r = p->r;
    for (int i = 0; i < n; i++) {
        const convex_rows *row = &p->rows[i];
        const int k = n + i;
        for (int a = 0; a < 3; a++)
            r[3 * i + a] = -share * p->rd[3 * i + a];
        if (row->normal) r[3 * i] += (p->rc[k] - p->z[k] * share * p->rp[k]) / p->s[k];
        if (row->cone) {
            double v[3], w[3];
            imp_cone_divide(&p->scaling[i], p->rP + 3 * i, v);
            for (int a = 0; a < 3; a++)
                v[a] = p->t[3 * i + a] - share * v[a];
            imp_cone_divide(&p->scaling[i], v, w);
            r[3 * i] += row->normal ? s->mu[i] * w[0] : 0;
            r[3 * i + 1] += w[1];
            r[3 * i + 2] += w[2];
        }
        r[3 * n + i] = -(p->rc[i] / p->z[i] - share * p->rp[i]);
    }
    r[4 * n] = p->rows[0].normal ? -(p->rc[2 * n] / p->z[2 * n] - share * p->rp[2 * n]) : 0;
    imp_convex_newton_solve(p->newton, r);
    for (int i = 0; i < n; i++) { /* fixed unknowns stay */
        if (!p->rows[i].normal) r[3 * i] = 0;
        if (!p->rows[i].cone) r[3 * i + 1] = r[3 * i + 2] = 0;
    }
    for (int i = 0; i < 3 * n; i++)
        p->dS[i] = r[i] - (i % 3 == 0 ? r[3 * n + i / 3] : 0);
    imp_convex_apply(s, p->dS, p->Wy);
    for (int i = 0; i < n; i++) { /* ds, dz from dx and the multipliers */
        const int k = n + i;
        p->dz[i] = r[3 * n + i];
        p->ds[i] = (p->rc[i] - p->s[i] * p->dz[i]) / p->z[i];
        p->ds[k] = p->dz[k] = 0;
        if (p->rows[i].normal) {
            p->ds[k] = r[3 * i] + share * p->rp[k];
            p->dz[k] = (p->rc[k] - p->z[k] * p->ds[k]) / p->s[k];
        }
        double *dS = p->dS + 3 * i, *dZ = p->dZ + 3 * i, v[3];
        memset(dZ, 0, 3 * sizeof *dZ);
        memset(dS, 0, 3 * sizeof *dS);
        if (!p->rows[i].cone) continue;
        cone_argument(p, i, r + 3 * i, 0, dS);
        for (int a = 0; a < 3; a++)
            dS[a] += share * p->rP[3 * i + a];
        imp_cone_divide(&p->scaling[i], dS, v);
        for (int a = 0; a < 3; a++)
            v[a] = p->t[3 * i + a] - v[a];
        imp_cone_divide(&p->scaling[i], v, dZ);
        if (p->scaling[i].eta < steep) restore_stationarity(p, i, share);
    }
    p->ds[2 * n] = p->dz[2 * n] = 0;
    if (!p->rows[0].normal) return;
    p->dz[2 * n] = r[4 * n];
    p->ds[2 * n] = (p->rc[2 * n] - p->s[2 * n] * p->dz[2 * n]) / p->z[2 * n];
}

/* The largest step in (0, 1] that stays inside all cones. */
static double reach(const interior *p) {
    double a = 1 / 0.99;
    for (int k = 0; k <= 2 * p->n; k++) {
        if (p->ds[k] < 0) a = fmin(a, -p->s[k] / p->ds[k]);
        if (p->dz[k] < 0) a = fmin(a, -p->z[k] / p->dz[k]);
    }
    for (int i = 0; i < p->n; i++)
        if (p->rows[i].cone) {
            a = fmin(a, imp_cone_reach(p->S + 3 * i, p->dS + 3 * i));
            a = fmin(a, imp_cone_reach(p->Z + 3 * i, p->dZ + 3 * i));
        }
    return a;
}

/* Right sides for a predictor (centre 0) or, with the predictor in ds, dz, dS, dZ, the
 * corrector. */
static void right_sides(interior *p, double centre, bool corrector) {
    for (int k = 0; k <= 2 * p->n; k++)
        p->rc[k] = centre - p->s[k] * p->z[k] - (corrector ? p->ds[k] * p->dz[k] : 0);
    for (int i = 0; i < p->n; i++) {
        if (!p->rows[i].cone) continue;
        double *l = p->l + 3 * i, *t = p->t + 3 * i, rc[3];
        imp_cone_product(l, l, rc);
        for (int a = 0; a < 3; a++)
            rc[a] = (a == 0 ? centre : 0) - rc[a];
        if (corrector) {
            double v[3], w[3], vw[3];
            imp_cone_divide(&p->scaling[i], p->dS + 3 * i, v);
            imp_cone_multiply(&p->scaling[i], p->dZ + 3 * i, w);
            imp_cone_product(v, w, vw);
            for (int a = 0; a < 3; a++)
                rc[a] -= vw[a];
        }
        imp_cone_quotient(l, rc, t);
    }
}

static void advance(interior *p, double a) {
    for (int i = 0; i < 3 * p->n; i++) {
        p->x[i] += a * p->r[i];
        p->S[i] += a * p->dS[i];
        p->Z[i] += a * p->dZ[i];
    }
    for (int k = 0; k <= 2 * p->n; k++) {
        p->s[k] += a * p->ds[k];
        p->z[k] += a * p->dz[k];
    }
}

/* One step, predictor and corrector; false where it is no longer possible. */
static bool step(interior *p, double mean_product) {
    if (!factorise(p)) return false;
    right_sides(p, 0, false);
    direction(p, 1);
    const double left = 1 - fmin(1, reach(p)), centring = left * left * left;
    right_sides(p, centring * mean_product, true);
    direction(p, 1 - centring);
    const double a = fmin(1, 0.99 * reach(p));
    if (!(a > 1e-10)) return false;
    advance(p, a);
    return true;
}

static void keep(interior *p, convex_point *point) {
    memcpy(point->x, p->x, 3 * (size_t)p->n * sizeof *p->x);
    memcpy(point->lambda, p->z, (size_t)p->n * sizeof *p->z);
    for (int i = 0; i < p->n; i++)
        point->z0[i] = p->rows[i].cone ? p->Z[3 * i] : 0;
    point->theta = *multiplier_of_sum(p);
}

/* Is kappa too small for any x? The lambda >= 0 of the gap rows, which grow without bound then,
 * have 0 <= lambda'(u_n + gap) = lambda'(q_n + gap) + a'x, a = W E lambda, for every x that obeys
 * them; and inside its cones and kappa a'x is at most sum c_i |a_to,i| + kappa max (a_n,i + mu_i
 * |a_to,i|). No x does both where that is below -lambda'(q_n + gap), by more than rounding. */
static bool excluded(interior *p) {
    const convex_island *s = p->island;
    double needed = 0, most = 0, allowed = 0, size = 0;
    for (int i = 0; i < 3 * p->n; i++)
        p->r[i] = i % 3 == 0 ? p->z[i / 3] : 0;
    imp_convex_apply(s, p->r, p->Wy);
    for (int i = 0; i < p->n; i++) {
        const double *a = p->Wy + 3 * (size_t)i, pull = imp_length(a[1], a[2]),
                     work = p->z[i] * (s->q[3 * (size_t)i] + s->gap[i]);
        needed -= work;
        size += fabs(work);
        allowed += s->viscous[i] * pull;
        most = fmax(most, a[0] + s->mu[i] * pull);
    }
    allowed += s->kappa * most;
    return needed - allowed > 1e-9 * (size + allowed);
}

imp_status imp_convex_interior(const convex_island *island, convex_newton *newton,
                               convex_target target, double far, int max_iterations,
                               convex_point *point) {
    interior p = {.island = island, .newton = newton, .n = island->n};
    const bool good = allocate(&p, island);
    point->iterations = 0;
    point->residual = INFINITY;
    point->excluded = false;
    if (good) {
        for (int i = 0; i < p.n; i++)
            p.rows[i] = imp_convex_rows_of(island, i);
        start(&p, point->x, far);
        double nearest = INFINITY; /* 1: the target */
        int since_nearest = 0;
        for (;;) {
            const interior_residual residual = residuals(&p);
            if (!(residual.rows < INFINITY)) break;
            const double distance =
                fmax(residual.rows / target.rows, residual.product / target.products);
            const double worst = fmax(residual.rows, residual.product);
            since_nearest++;
            if (distance < nearest && (worst <= target.solved || point->residual > target.solved)) {
                since_nearest = 0;
                nearest = distance;
                point->residual = worst;
                keep(&p, point);
            }
            if (nearest <= 1 || since_nearest > PATIENCE || point->iterations >= max_iterations ||
                (point->cancel && *point->cancel))
                break;
            point->iterations++;
            if (!step(&p, residual.mean_product)) break;
        }
        point->excluded = point->residual > target.solved && excluded(&p);
    }
    free(p.x);
    free(p.rows);
    free(p.scaling);
    return good ? IMP_OK : IMP_NO_MEMORY;
}
