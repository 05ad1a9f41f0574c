/* interior_path.c - pseudo-arclength continuation of the central path, with the logarithm of mu as
 * one unknown.
 *
 * Impulses p and velocities u = W p + q are kept consistent, so that the unknowns are p and z.
 * Newton's step for
 *     z = (u_n/f + s(z), u_T),    z o r = mu e
 * is, contact by contact, dp + D du = R (newton_system.h). Lengths of steps are those of the cone's
 * own scaling, in which all points of the path are alike (imp_cone_inner). */
#include "blocks/interior_path.h"

#include "base/exponential.h"
#include "cone/convex_cone.h"
#include "blocks/newton_system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point, or a direction. */
typedef struct place {
    double *r, *z; /* (3nc) */
    double lambda; /* log mu */
} place;

struct interior_path {
    int nc;
    newton_system system;
    /* the present point, and the last from which a tangent step was made */
    place at, good;
    /* towards the path at the present mu; along it for a unit of lambda */
    place corrector, tangent;
    bool has_good;
    double *memory;
    double first;  /* lambda at the start */
    double length; /* of the next tangent step */
    int sign;      /* of the determinant at the start; 0: not begun */
};

void imp_interior_path_free(interior_path *s) {
    if (!s) return;
    imp_newton_system_clear(&s->system);
    free(s->memory);
    free(s);
}

/* The factor of a contact's normal impulse; 1 without friction, where the tangential parts stay
 * 0. */
static double factor(const blockwise *b, int c) {
    return b->contact[c].mu > 0 ? b->contact[c].mu : 1;
}

/* The longest tangent step: each contact's share of it stays well inside its cone. */
static double longest(const interior_path *s) {
    return 0.7 * sqrt(s->nc);
}

/* The start is the path's own: the impulse that would stop the fastest contact, and its velocity,
 * each a little off the axis of the cone, so that no direction of sliding is undefined. */
static void begin(interior_path *s, const blockwise *b) {
    double speed = 0;
    for (int i = 0; i < 3 * b->nc; i++)
        speed = fmax(speed, fabs(b->q[i]));
    for (int c = 0; c < b->nc; c++)
        for (int k = 0; k < 3; k++) {
            const double part = k == 0 ? 1 : b->contact[c].mu > 0 ? 0.1 : 0;
            s->at.z[3 * c + k] = part * speed;
            s->at.r[3 * c + k] = part * speed / b->mean_diagonal;
        }
    s->first = s->at.lambda = imp_log(speed * speed / b->mean_diagonal);
    s->length = longest(s);
}

interior_path *imp_interior_path_new(blockwise *b) {
    const size_t n = 3 * (size_t)b->nc;
    interior_path *s = calloc(1, sizeof *s);
    double *memory = malloc(8 * n * sizeof *memory);
    if (!s || !memory) b->no_memory = true;
    if (!s || !memory || !imp_newton_system_new(&s->system, b)) {
        free(s);
        free(memory);
        return NULL;
    }
    s->nc = b->nc;
    s->memory = memory;
    place *const all[] = {&s->at, &s->good, &s->corrector, &s->tangent};
    for (size_t k = 0; k < 4; k++) {
        all[k]->r = s->memory + 2 * k * n;
        all[k]->z = all[k]->r + n;
    }
    begin(s, b);
    return s;
}

double imp_interior_path_mu(const interior_path *s) {
    return imp_exp(s->at.lambda - s->first);
}

double imp_interior_path_work(const interior_path *s) {
    return s->system.work;
}

static void copy(const interior_path *s, place *to, const place *from) {
    const size_t bytes = 3 * (size_t)s->nc * sizeof *to->r;
    memcpy(to->r, from->r, bytes);
    memcpy(to->z, from->z, bytes);
    to->lambda = from->lambda;
}

/* b->p, b->u <- the impulses of the present point, and their velocities. */
static void show(const interior_path *s, blockwise *b) {
    memcpy(b->p, s->at.r, 3 * (size_t)s->nc * sizeof *b->p);
    for (int c = 0; c < s->nc; c++)
        b->p[3 * c] /= factor(b, c);
    imp_blockwise_refresh(b);
}

/* s(z); d (3) <- its derivatives. */
static double slide(const double z[3], double d[3]) {
    const double square = (z[1] * z[1] + z[2] * z[2]) / (z[0] * z[0]);
    d[0] = -3 * square * square;
    d[1] = 4 * square * (z[1] / z[0]);
    d[2] = 4 * square * (z[2] / z[0]);
    return z[0] * square * square;
}

/* x (3) <- N^-1 x for N = E - e (derivatives of s)'. */
static void unslide(const double d[3], double x[3]) {
    x[0] = (x[0] + d[1] * x[1] + d[2] * x[2]) / (1 - d[0]);
}

/* What the step has to make up for at a contact: rp, of the velocity against z, and rc = mu e - z o
 * r. */
static void residuals(const interior_path *s, const blockwise *b, double mu, int c, double rp[3],
                      double rc[3]) {
    const double *z = s->at.z + 3 * (size_t)c, *r = s->at.r + 3 * (size_t)c,
                 *u = b->u + 3 * (size_t)c;
    double d[3];
    imp_cone_product(z, r, rc);
    rc[0] = mu - rc[0];
    rc[1] = -rc[1];
    rc[2] = -rc[2];
    rp[0] = u[0] / factor(b, c) + slide(z, d) - z[0];
    for (int k = 1; k < 3; k++)
        rp[k] = b->contact[c].mu > 0 ? u[k] - z[k] : 0;
}

/* D = S L(z)^-1 L(r) N^-1 S, S = diag(1/f, 1, 1). */
static void put_D(interior_path *s, const blockwise *b, int c) {
    const double *z = s->at.z + 3 * (size_t)c, *r = s->at.r + 3 * (size_t)c, f = factor(b, c);
    double *D = s->system.D + 9 * (size_t)c, d[3];
    (void)slide(z, d);
    memset(D, 0, 9 * sizeof *D);
    for (int k = 0; k < (b->contact[c].mu > 0 ? 3 : 1); k++) {
        double column[3] = {k == 0 ? 1 / f : 0, k == 1, k == 2}, y[3], x[3];
        unslide(d, column);
        imp_cone_product(r, column, y);
        imp_cone_quotient(z, y, x);
        D[k] = x[0] / f;
        D[3 + k] = x[1];
        D[6 + k] = x[2];
    }
    s->system.index[c] = 0;
}

/* `to` <- the direction that makes up for the residuals at the present mu; `along`: for a unit of
 * lambda. */
static void solve(interior_path *s, const blockwise *b, bool along, place *to) {
    const double mu = imp_exp(s->at.lambda);
    for (int c = 0; c < s->nc; c++) { /* R = S L(z)^-1 (rc - L(r) N^-1 rp) */
        const double *z = s->at.z + 3 * (size_t)c, *r = s->at.r + 3 * (size_t)c;
        double rp[3] = {0, 0, 0}, rc[3] = {mu, 0, 0}, d[3], y[3], *R = s->system.R + 3 * (size_t)c;
        if (!along) residuals(s, b, mu, c, rp, rc);
        (void)slide(z, d);
        unslide(d, rp);
        imp_cone_product(r, rp, y);
        for (int k = 0; k < 3; k++)
            y[k] = rc[k] - y[k];
        imp_cone_quotient(z, y, R);
        R[0] /= factor(b, c);
    }
    imp_newton_direction(&s->system, b);
    imp_newton_velocities(&s->system, b);
    for (int c = 0; c < s->nc; c++) {
        const double *du = s->system.du + 3 * (size_t)c, f = factor(b, c);
        double rp[3] = {0, 0, 0}, rc[3], d[3], *dz = to->z + 3 * (size_t)c,
               *dr = to->r + 3 * (size_t)c;
        if (!along) residuals(s, b, mu, c, rp, rc);
        (void)slide(s->at.z + 3 * (size_t)c, d);
        memcpy(dr, s->system.dp + 3 * (size_t)c, 3 * sizeof *dr);
        dr[0] *= f;
        dz[0] = du[0] / f + rp[0];
        for (int k = 1; k < 3; k++)
            dz[k] = b->contact[c].mu > 0 ? du[k] + rp[k] : 0;
        unslide(d, dz);
    }
    to->lambda = along;
}

/* <a, b> at the present point. */
static double inner(const interior_path *s, const place *a, const place *b) {
    double sum = a->lambda * b->lambda;
    for (size_t i = 0; i < 3 * (size_t)s->nc; i += 3)
        sum += imp_cone_inner(s->at.z + i, a->z + i, b->z + i) +
               imp_cone_inner(s->at.r + i, a->r + i, b->r + i);
    return sum;
}

/* The largest |rc| of a contact over mu. */
static double off_centre(const interior_path *s, const blockwise *b) {
    const double mu = imp_exp(s->at.lambda);
    double worst = 0;
    for (int c = 0; c < s->nc; c++) {
        double rp[3], rc[3];
        residuals(s, b, mu, c, rp, rc);
        worst = fmax(worst, sqrt(rc[0] * rc[0] + rc[1] * rc[1] + rc[2] * rc[2]));
    }
    return worst / mu;
}

/* The present point += corrector + ahead * tangent, as far as the cones allow. False: nowhere. */
static bool move(interior_path *s, double ahead) {
    static const double share = 0.9, least = 1e-8; /* of the way to the boundary; of a step */
    const size_t n = 3 * (size_t)s->nc;
    place *d = &s->corrector;
    double step = 1 / share;
    for (size_t i = 0; i < n; i++) {
        d->r[i] += ahead * s->tangent.r[i];
        d->z[i] += ahead * s->tangent.z[i];
    }
    for (size_t i = 0; i < n; i += 3)
        step = fmin(step, fmin(imp_cone_reach(s->at.z + i, d->z + i),
                               imp_cone_reach(s->at.r + i, d->r + i)));
    step *= share;
    bool inside = step >= least && isfinite(ahead);
    for (size_t i = 0; i < n; i++) {
        s->at.r[i] += step * d->r[i];
        s->at.z[i] += step * d->z[i];
    }
    for (size_t i = 0; inside && i < n; i += 3) /* on the boundary to rounding, nothing can be
                                                   divided by det */
        inside = imp_cone_det(s->at.r + i) > DBL_EPSILON * s->at.r[i] * s->at.r[i] &&
                 imp_cone_det(s->at.z + i) > DBL_EPSILON * s->at.z[i] * s->at.z[i];
    s->at.lambda += step * ahead;
    return inside;
}

/* Near the path a step goes along its tangent, in the direction in which the path was begun: the
 * tangent's lambda turns round where the determinant's sign does. Farther away the nearest point of
 * the path is gone to, with lambda free; and from too far away back to where the last tangent step
 * was made, to make a shorter one. */
bool imp_interior_path_step(interior_path *s, blockwise *b) {
    static const double near = 0.5, near_length = 0.7, far = 3, far_length = 5, least_length = 1e-6;
    show(s, b);
    for (int c = 0; c < s->nc; c++)
        put_D(s, b, c);
    if (!imp_newton_factorise(&s->system, b)) return false;
    solve(s, b, false, &s->corrector);
    solve(s, b, true, &s->tangent);
    const int sign = imp_newton_sign(&s->system);
    if (s->sign == 0) s->sign = sign;
    const double square = inner(s, &s->tangent, &s->tangent), off = off_centre(s, b);
    /* the step at right angles to the tangent */
    double ahead = -inner(s, &s->corrector, &s->tangent) / square;
    const double length =
        sqrt(fmax(0, inner(s, &s->corrector, &s->corrector) - ahead * ahead * square));
    if (off < near && length < near_length) {
        copy(s, &s->good, &s->at);
        s->has_good = true;
        ahead -= s->length * sign * s->sign / sqrt(square);
        s->length = fmin(1.5 * s->length, longest(s));
    } else if ((off > far || length > far_length) && s->has_good) {
        copy(s, &s->at, &s->good);
        s->length *= 0.4;
        show(s, b);
        return s->length > least_length;
    } else {
        s->length *= 0.8;
    }
    if (!move(s, ahead)) return false;
    show(s, b);
    return true;
}
