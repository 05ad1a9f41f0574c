/* blockwise.c - block columns, one-contact solves, sweeps and natural-map errors. */
#include "multi/blockwise.h"

#include "single/single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void imp_blockwise_free(blockwise *b) {
    if (!b) return;
    free(b->start);
    free(b->row);
    free(b->block);
    free(b->contact);
    free(b->q);
    free(b);
}

static contact_block prepare(const double A[9], double mu) {
    contact_block c = {.mu = mu};
    memcpy(c.A, A, sizeof c.A);
    if (A[0] > 0) {
        c.c[0] = A[3] / A[0];
        c.c[1] = A[6] / A[0];
    }
    c.S[0] = A[4] - c.c[0] * A[1];
    c.S[1] = A[5] - c.c[0] * A[2];
    c.S[2] = A[7] - c.c[1] * A[1];
    c.S[3] = A[8] - c.c[1] * A[2];
    c.trace = c.S[0] + c.S[3];
    c.det = c.S[0] * c.S[3] - c.S[1] * c.S[2];
    c.weight = (A[0] + A[4] + A[8]) / 3;
    return c;
}

/* Block columns out of an operator that answers by rows: W_jc stands in row j. First the counts, then the blocks times
 * `unit`; diagonal ones go to the contacts. */
static bool fill_columns(blockwise *b, const imp_operator *W, double unit, int *list) {
    const imp_blocks *stored = imp_operator_stored(W);
    const int nc = b->nc;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < nc; j++) {
            const int *columns = stored ? stored->column + stored->start[j] : list;
            const int count = stored ? stored->start[j + 1] - stored->start[j] : W->kind->columns(W, j, list);
            for (int k = 0; k < count; k++) {
                const int c = columns[k];
                if (pass == 0) {
                    b->start[c + 1] += c != j;
                    continue;
                }
                double B[9], *to = c == j ? b->contact[j].A : b->block + 9 * (size_t)b->start[c];
                const double *from = stored ? stored->block + 9 * ((size_t)stored->start[j] + (size_t)k) : B;
                if (!stored) W->kind->block(W, j, c, B);
                for (int e = 0; e < 9; e++)
                    to[e] = unit * from[e];
                if (c != j) b->row[b->start[c]++] = j;
            }
        }
        if (pass == 0) {
            for (int c = 0; c < nc; c++)
                b->start[c + 1] += b->start[c];
            b->row = malloc(((size_t)b->start[nc] + 1) * sizeof *b->row);
            b->block = malloc((9 * (size_t)b->start[nc] + 1) * sizeof *b->block);
            if (!b->row || !b->block) return false;
        }
    }
    memmove(b->start + 1, b->start, (size_t)nc * sizeof *b->start); /* filling moved every start to its end */
    b->start[0] = 0;
    return true;
}

/* The powers of two that bring the mean diagonal and the largest velocity near 1. */
static void choose_units(blockwise *b, const imp_problem *problem, int *W_exponent, int *q_exponent) {
    double trace = 0, speed = 0;
    for (int i = 0; i < b->nc; i++) {
        double A[9];
        problem->W->kind->block(problem->W, i, i, A);
        trace += (A[0] + A[4] + A[8]) / (3.0 * b->nc);
        for (int r = 0; r < 3; r++)
            speed = fmax(speed, fabs(problem->q[3 * (size_t)i + (size_t)r]));
    }
    (void)frexp(trace, W_exponent);
    (void)frexp(speed, q_exponent);
    b->mean_diagonal = ldexp(trace, -*W_exponent);
    b->one = ldexp(1, -*W_exponent);
    b->impulse_exponent = *q_exponent - *W_exponent;
}

static bool allocate(blockwise *b, size_t nc) {
    b->start = calloc(nc + 1, sizeof *b->start);
    b->contact = malloc(nc * sizeof *b->contact);
    b->q = malloc(9 * nc * sizeof *b->q);
    if (!b->start || !b->contact || !b->q) return false;
    b->p = b->q + 3 * nc;
    b->u = b->p + 3 * nc;
    memset(b->p, 0, 3 * nc * sizeof *b->p);
    return true;
}

/* x times 2 to the exponent, which may be beyond what a double factor can be. */
static void scale(double *to, const double *x, size_t n, int exponent) {
    const bool plain = exponent > -1000 && exponent < 1000;
    const double factor = plain ? ldexp(1, exponent) : 0;
    for (size_t i = 0; i < n; i++)
        to[i] = plain ? factor * x[i] : ldexp(x[i], exponent);
}

blockwise *imp_blockwise_new(const imp_problem *problem) {
    const size_t nc = (size_t)problem->nc;
    blockwise *b = calloc(1, sizeof *b);
    int *list = malloc(nc * sizeof *list), W_exponent = 0, q_exponent = 0;
    bool good = b && list;
    if (good) {
        b->nc = problem->nc;
        choose_units(b, problem, &W_exponent, &q_exponent);
        good = allocate(b, nc) && fill_columns(b, problem->W, b->one, list);
    }
    free(list);
    if (!good) {
        imp_blockwise_free(b);
        return NULL;
    }
    double square = 0;
    scale(b->q, problem->q, 3 * nc, -q_exponent);
    for (size_t i = 0; i < 3 * nc; i++)
        square += b->q[i] * b->q[i];
    b->q_norm = sqrt(square);
    for (size_t i = 0; i < nc; i++) {
        b->contact[i] = prepare(b->contact[i].A, problem->mu[i]);
        if (!(b->contact[i].weight > 0)) b->contact[i].weight = 1;
    }
    memcpy(b->u, b->q, 3 * nc * sizeof *b->u);
    return b;
}

/* y += B x */
static void add_block(const double B[9], const double x[3], double *y) {
    y[0] += B[0] * x[0] + B[1] * x[1] + B[2] * x[2];
    y[1] += B[3] * x[0] + B[4] * x[1] + B[5] * x[2];
    y[2] += B[6] * x[0] + B[7] * x[1] + B[8] * x[2];
}

/* u += W_{.,c} d */
static void add_column(blockwise *b, int c, const double d[3]) {
    add_block(b->contact[c].A, d, b->u + 3 * (size_t)c);
    for (int k = b->start[c]; k < b->start[c + 1]; k++)
        add_block(b->block + 9 * (size_t)k, d, b->u + 3 * (size_t)b->row[k]);
}

void imp_blockwise_refresh(blockwise *b) {
    memcpy(b->u, b->q, 3 * (size_t)b->nc * sizeof *b->u);
    for (int c = 0; c < b->nc; c++) {
        const double *p = b->p + 3 * (size_t)c;
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) add_column(b, c, p);
    }
}

void imp_blockwise_set(blockwise *b, const double *impulse) {
    for (size_t i = 0; i < 3 * (size_t)b->nc; i++)
        b->p[i] = ldexp(impulse[i], -b->impulse_exponent);
    imp_blockwise_refresh(b);
}

void imp_blockwise_start(blockwise *b, const double *guess) {
    bool finite = true;
    for (size_t i = 0; i < 3 * (size_t)b->nc; i++)
        finite = finite && isfinite(ldexp(guess[i], -b->impulse_exponent));
    if (finite) imp_blockwise_set(b, guess);
}

void imp_blockwise_get(const blockwise *b, const double *p, double *impulse) {
    scale(impulse, p, 3 * (size_t)b->nc, b->impulse_exponent);
}

double imp_blockwise_matrix_unit(const blockwise *b) {
    return 1 / b->one;
}

void imp_blockwise_change(blockwise *b, int c, const double next[3]) {
    double *p = b->p + 3 * (size_t)c;
    const double d[3] = {next[0] - p[0], next[1] - p[1], next[2] - p[2]};
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) return;
    memcpy(p, next, 3 * sizeof *p);
    add_column(b, c, d);
}

/* p_t of a slip with u_t = -l p_t: -(S + l E)^-1 g. */
static void slip_friction(const contact_block *c, const double g[2], double l, double t[2]) {
    const double d = 1 / (l * l + c->trace * l + c->det);
    t[0] = -d * ((c->S[3] + l) * g[0] - c->S[1] * g[1]);
    t[1] = -d * ((c->S[0] + l) * g[1] - c->S[2] * g[0]);
}

/* Exact Coulomb by the slip parameter l, bracketed: gap(l) = |p_t| - mu p_n is positive at 0 (not sticking) and
 * negative at infinity, so a root always exists, and the bracket keeps the sign of p_n (no mirror roots). */
static void coulomb(contact_block *c, const double v[3], double next[3]) {
    const double An = c->A[0], g[2] = {v[1] - c->c[0] * v[0], v[2] - c->c[1] * v[0]};
    if (!(c->mu > 0 && c->trace > 0)) {
        next[0] = -v[0] / An;
        next[1] = next[2] = 0;
        return;
    }
    const bool regular = c->det > 1e-13 * c->trace * c->trace;
    double t[2] = {0, 0}, n = -v[0] / An;
    if (regular) {
        slip_friction(c, g, 0, t);
        n = -(v[0] + c->A[1] * t[0] + c->A[2] * t[1]) / An;
        const double limit = c->mu * n;
        if (n >= 0 && t[0] * t[0] + t[1] * t[1] <= limit * limit) {
            next[0] = n;
            next[1] = t[0];
            next[2] = t[1];
            return;
        }
    }
    double low = 0, high = INFINITY, l = c->slowness > 0 ? c->slowness : 1e-3 * c->trace;
    for (int k = 0; k < 60; k++) {
        slip_friction(c, g, l, t);
        n = -(v[0] + c->A[1] * t[0] + c->A[2] * t[1]) / An;
        const double length = sqrt(t[0] * t[0] + t[1] * t[1]), gap = length - c->mu * n;
        if (gap > 0)
            low = l;
        else
            high = l;
        if (length == 0) break;
        double dt[2]; /* derivative of t by l: -(S + l E)^-1 t */
        slip_friction(c, t, l, dt);
        const double d_length = (t[0] * dt[0] + t[1] * dt[1]) / length;
        const double d_n = -(c->A[1] * dt[0] + c->A[2] * dt[1]) / An;
        double step;
        if (n > 0) { /* h = mu n / |t| - 1 is nearly linear in l */
            const double h = c->mu * n / length - 1, slope = c->mu * (d_n - n / length * d_length) / length;
            step = -h / slope;
        } else
            step = -gap / (d_length - c->mu * d_n);
        double tried = l + step;
        if (!(tried > low && tried < high))
            tried = isinf(high) ? 8 * l + 1e-3 * c->trace : low > 0 ? sqrt(low * high) : 0.1 * high;
        const bool done = fabs(tried - l) <= 4e-16 * l || fabs(gap) <= 1e-15 * length;
        if (done) break;
        l = tried;
    }
    c->slowness = l;
    const double length = sqrt(t[0] * t[0] + t[1] * t[1]);
    n = fmax(0, n);
    const double fit = length > 0 ? c->mu * n / length : 0;
    next[0] = n;
    next[1] = t[0] * fit;
    next[2] = t[1] * fit;
}

/* The disc problem is Coulomb's with a normal direction of its own, whose impulse is the radius. */
void imp_blockwise_disc(const contact_block *c, const double v[2], double radius, double t[2]) {
    const double A[9] = {1, 0, 0, 0, c->A[4], c->A[5], 0, c->A[7], c->A[8]}, free_velocity[3] = {-radius, v[0], v[1]};
    contact_block apart = prepare(A, 1);
    double next[3];
    coulomb(&apart, free_velocity, next);
    t[0] = next[1];
    t[1] = next[2];
}

/* A law of lib/single on the symmetric part of the block; next keeps its value where the law has no answer. */
static void single(const contact_block *c, local_law law, const double v[3], double next[3]) {
    const double *A = c->A;
    const double W[6] = {A[0], 0.5 * (A[1] + A[3]), 0.5 * (A[2] + A[6]), A[4], 0.5 * (A[5] + A[7]), A[8]};
    double p[3];
    imp_coulomb_set set = {0};
    if (law == LOCAL_MAXDISS) {
        if (imp_maxdiss(W, v, c->mu, 0, p, NULL) >= 0) memcpy(next, p, sizeof p);
        return;
    }
    if (imp_coulomb_enumerate(W, v, c->mu, &set) >= 0 && set.count > 0)
        memcpy(next, set.solution[imp_coulomb_choose(&set, (imp_coulomb_choice)(law - LOCAL_CHOSEN))].p, sizeof p);
}

void imp_blockwise_local(contact_block *c, local_law law, const double v[3], double extra, double next[3]) {
    contact_block stiff, *solved = c;
    if (!(c->A[0] > 0) || (!(v[0] < 0) && law < LOCAL_CHOSEN)) { /* the first: nothing there can move */
        next[0] = next[1] = next[2] = 0;
        return;
    }
    if (extra > 0) {
        double A[9];
        memcpy(A, c->A, sizeof A);
        for (int r = 0; r < 3; r++)
            A[4 * r] += extra;
        stiff = prepare(A, c->mu);
        stiff.slowness = c->slowness;
        solved = &stiff;
    }
    if (law == LOCAL_COULOMB)
        coulomb(solved, v, next);
    else
        single(solved, law, v, next);
    c->slowness = solved->slowness;
}

void imp_project_cone(double mu, double x[3]) {
    const double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (length <= mu * x[0]) return;
    if (mu * length <= -x[0]) {
        x[0] = x[1] = x[2] = 0;
        return;
    }
    const double n = (x[0] + mu * length) / (1 + mu * mu), fit = mu * n / length;
    x[0] = n;
    x[1] *= fit;
    x[2] *= fit;
}

/* |a p - P(x)|^2 for x = a p - u - mu |u_t| n; `lift` is mu |u_t|. */
static double map_square(const double p[3], const double u[3], double mu, double lift, double a) {
    double x[3] = {a * p[0] - u[0] - lift, a * p[1] - u[1], a * p[2] - u[2]}, square = 0;
    imp_project_cone(mu, x);
    for (int r = 0; r < 3; r++)
        square += (a * p[r] - x[r]) * (a * p[r] - x[r]);
    return square;
}

natural_error imp_blockwise_error(const blockwise *b) {
    double field = 0, scale_free = 0;
    for (int c = 0; c < b->nc; c++) {
        const double *p = b->p + 3 * (size_t)c, *u = b->u + 3 * (size_t)c, mu = b->contact[c].mu;
        if (u[0] >= 0 && p[0] == 0 && p[1] == 0 && p[2] == 0) continue;
        const double lift = mu * sqrt(u[1] * u[1] + u[2] * u[2]);
        field += map_square(p, u, mu, lift, b->one);
        scale_free += map_square(p, u, mu, lift, b->mean_diagonal);
    }
    const double size = b->q_norm > 0 ? b->q_norm : 1;
    return (natural_error){sqrt(field) / size, sqrt(scale_free) / size};
}

double imp_natural_error_worst(natural_error e) {
    return fmax(e.field, e.scale_free);
}

/* next (3) <- where the rule takes contact c. False: it stays where it is. */
static bool relaxed(blockwise *b, int c, const sweep_rule *rule, double next[3]) {
    contact_block *own = &b->contact[c];
    const double *p = b->p + 3 * (size_t)c, *u = b->u + 3 * (size_t)c;
    double v[3];
    const double extra = rule->alpha * own->weight;
    if (extra == 0 && rule->law < LOCAL_CHOSEN && u[0] >= 0 && p[0] == 0 && p[1] == 0 && p[2] == 0)
        return false; /* open and staying so */
    for (int r = 0; r < 3; r++) {
        v[r] = u[r] - (own->A[3 * r] * p[0] + own->A[3 * r + 1] * p[1] + own->A[3 * r + 2] * p[2]);
        if (extra > 0) v[r] -= extra * rule->centre[3 * (size_t)c + (size_t)r];
    }
    memcpy(next, p, sizeof v);
    imp_blockwise_local(own, rule->law, v, extra, next);
    if (rule->relaxation != 1) {
        const double nothing = 1e-14 * b->q_norm / own->weight;
        const bool open = next[0] == 0;
        for (int r = 0; r < 3; r++)
            next[r] = p[r] + rule->relaxation * (next[r] - p[r]);
        if (open && fabs(next[0]) + fabs(next[1]) + fabs(next[2]) < nothing) next[0] = next[1] = next[2] = 0;
    }
    return true;
}

void imp_blockwise_sweep(blockwise *b, const sweep_rule *rule) {
    for (int k = 0; k < b->nc; k++) {
        const int c = rule->backwards ? b->nc - 1 - k : k;
        double next[3];
        if (relaxed(b, c, rule, next)) imp_blockwise_change(b, c, next);
    }
}

void imp_blockwise_sweep_parts(blockwise *b, const sweep_rule *rule, int parts, double blend, double *before) {
    const size_t n = 3 * (size_t)b->nc;
    const int size = (b->nc + parts - 1) / parts;
    memcpy(before, b->p, n * sizeof *before);
    for (int k = 0; k < b->nc; k++) {
        const int c = rule->backwards ? b->nc - 1 - k : k;
        double next[3], *p = b->p + 3 * (size_t)c;
        if (!relaxed(b, c, rule, next)) continue;
        const double d[3] = {next[0] - p[0], next[1] - p[1], next[2] - p[2]};
        memcpy(p, next, sizeof next);
        add_block(b->contact[c].A, d, b->u + 3 * (size_t)c);
        for (int e = b->start[c]; e < b->start[c + 1]; e++)
            if (b->row[e] / size == c / size) add_block(b->block + 9 * (size_t)e, d, b->u + 3 * (size_t)b->row[e]);
    }
    for (size_t i = 0; i < n; i++)
        b->p[i] = before[i] + blend * (b->p[i] - before[i]);
    imp_blockwise_refresh(b);
}
