/* stress_problems.c - the generator of hard little problems. */
#include "stress_problems.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct draws {
    uint64_t state;
} draws;

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next(draws *d) {
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(draws *d, double low, double high) {
    return low + (high - low) * ((double)(next(d) >> 11) * 0x1p-53);
}

static int below(draws *d, int n) {
    return (int)(next(d) % (uint64_t)n);
}

static double normal(draws *d) {
    const double radius = sqrt(-2 * log(uniform(d, 0x1p-60, 1)));
    return radius * cos(6.283185307179586 * uniform(d, 0, 1));
}

static double power10(draws *d, double low, double high) {
    return pow(10, uniform(d, low, high));
}

enum { MOST_RANK = 3 + STRESS_ROWS };

/* Directions G (rank x rows) of contacts in coordinates of unit mass, and the velocity there: W =
 * G'G, q = G'v. */
typedef struct motion {
    int nc, rank;
    double G[MOST_RANK][STRESS_ROWS], v[MOST_RANK];
} motion;

/* Two bodies of six coordinates a contact, the last one the ground. */
static void join_bodies(draws *d, motion *m) {
    const int bodies = 1 + below(d, m->nc < 3 ? m->nc : 3);
    m->rank = 6 * bodies;
    for (int c = 0; c < m->nc; c++) {
        const int one = below(d, bodies), other = below(d, bodies + 1);
        for (int k = 0; k < m->rank; k++)
            for (int r = 0; r < 3; r++)
                m->G[k][3 * c + r] = k / 6 == one || k / 6 == other ? normal(d) : 0;
    }
}

/* A box of unit mass on points of one face: rows (direction, moment over the root of the
 * inertia). */
static void stand_on_face(draws *d, motion *m) {
    const double half[3] = {uniform(d, 0.2, 2), uniform(d, 0.2, 2), uniform(d, 0.2, 2)};
    m->rank = 6;
    for (int c = 0; c < m->nc; c++) {
        const bool corner = below(d, 4) != 0;
        const double x[3] = {-half[0], half[1] * (corner ? 2 * below(d, 2) - 1 : uniform(d, -1, 1)),
                             half[2] * (corner ? 2 * below(d, 2) - 1 : uniform(d, -1, 1))};
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) {
                const int a = (k + 1) % 3, b = (k + 2) % 3;
                const double inertia = (half[a] * half[a] + half[b] * half[b]) / 3;
                m->G[k][3 * c + r] = k == r;
                m->G[3 + k][3 * c + r] = (x[a] * (b == r) - x[b] * (a == r)) / sqrt(inertia);
            }
    }
}

/* Tangents that vanish, that are one, or that the normal holds: blocks of rank 1 and 2, or
 * nearly. */
static void make_singular(draws *d, motion *m, int c) {
    const int way = below(d, 5);
    const double along = 0.5 * below(d, 4),
                 nearly = m->nc == 1 || below(d, 3) == 0 ? power10(d, -9, -1) : 0;
    for (int k = 0; k < m->rank; k++) {
        double *g = m->G[k] + 3 * c;
        if (way == 0 || way == 3) g[2] = 0;
        if (way == 0) g[1] = 0;
        if (way == 1) g[2] = g[1];
        if (way == 2 || way == 3) g[1] = along * g[0];
        if (way == 2) g[2] = -along * g[0];
        g[1] += nearly * normal(d);
        g[2] += nearly * normal(d);
    }
}

/* What the shape makes of contact c beyond the coordinates it stands in. */
static void bend(draws *d, stress_shape s, motion *m, int c) {
    const int other = c > 0 ? below(d, c) : 0;
    const bool twin = s == STRESS_EQUAL || below(d, 2) == 0;
    const double sign = s == STRESS_WEDGED ? -1 : 1;
    const double heavy = s == STRESS_MASSES ? power10(d, -2, 2) : 1;
    const double tangents[2] = {s == STRESS_MASSES ? power10(d, -6, 6) : 1,
                                s == STRESS_MASSES ? power10(d, -6, 6) : 1};
    for (int k = 0; k < m->rank; k++) {
        double *g = m->G[k] + 3 * c;
        if (s == STRESS_INTEGERS)
            for (int r = 0; r < 3; r++)
                g[r] = rint(g[r]);
        if (c > 0 && twin && (s == STRESS_TWINS || s == STRESS_WEDGED || s == STRESS_EQUAL)) {
            const double *first = m->G[k] + 3 * other;
            g[0] = sign * first[0];
            if (s != STRESS_WEDGED) g[1] = first[1], g[2] = first[2];
        }
        g[0] *= heavy;
        g[1] *= heavy * (m->nc == 1 ? tangents[0] : 1);
        g[2] *= heavy * (m->nc == 1 ? tangents[1] : 1);
    }
    if (s == STRESS_SINGULAR && (m->nc == 1 || below(d, 3) > 0)) make_singular(d, m, c);
}

/* The direction o in a coordinate of its own, where nothing moves. */
static void lay_flat(motion *m) {
    m->v[0] = 0;
    for (int c = 0; c < m->nc; c++) {
        m->G[0][3 * c] = m->G[0][3 * c + 1] = 0;
        for (int k = 0; k < m->rank; k++)
            m->G[k][3 * c + 2] = k == 0;
    }
}

/* The directions and the velocity of a shape. */
static void move(draws *d, stress_shape s, bool planar, motion *m) {
    const int rows = 3 * m->nc;
    m->rank = s == STRESS_LOW_RANK && m->nc > 1 ? 1 + below(d, rows) : rows + 2;
    for (int k = 0; k < MOST_RANK; k++)
        for (int i = 0; i < rows; i++)
            m->G[k][i] = normal(d);
    if (s == STRESS_FACE)
        stand_on_face(d, m);
    else if (s != STRESS_GENERIC && s != STRESS_LOW_RANK && below(d, 4) > 0)
        join_bodies(d, m);
    for (int c = 0; c < m->nc; c++)
        bend(d, s, m, c);
    const bool whole = s == STRESS_INTEGERS || s == STRESS_EQUAL, still = below(d, 6) == 0;
    for (int k = 0; k < m->rank; k++)
        m->v[k] = whole ? below(d, 5) - 2 : still && k > 2 ? 0 : normal(d);
    if (planar) lay_flat(m);
}

static double friction(draws *d, int way) {
    switch (way) {
    case 0: return 0;
    case 1: return below(d, 2) ? uniform(d, 0, 1.5) : 0;
    case 2: return power10(d, -3, 6);
    case 3: return 1e6;
    case 4: return 0.5 * below(d, 4);
    default: return uniform(d, 0, 1.5);
    }
}

static double restitution(draws *d, int way) {
    return way < 2 ? 0 : way == 2 ? 1 : way == 3 ? below(d, 2) : way == 4 ? 0.5 : uniform(d, 0, 1);
}

/* Out of the range of W, touching, hardly closing: what a motion alone seldom shows. */
static void disturb(draws *d, stress_case *c) {
    const int way = below(d, 12);
    for (int i = 0; i < c->problem.nc; i++) {
        double *q = c->q + 3 * (size_t)i;
        if (way == 0 && below(d, 2)) q[0] = 0;
        if (way == 1) q[0] *= power10(d, -12, 0);
        if (way == 2 && c->problem.nc == 1) q[1] = q[2] = 0;
        if (way == 3 && below(d, 2)) q[0] = -fabs(q[0]);
        for (int r = 0; way == 4 && c->problem.nc == 1 && r < 3; r++)
            q[r] *= power10(d, -6, 6);
    }
}

/* shape STRESS_SHAPES: drawn, and disturbed. */
static void make(const imp_model *model, stress_shape shape, uint64_t index, stress_case *c) {
    draws d = {index * UINT64_C(0xd1342543de82ef95) + 11};
    memset(c, 0, sizeof *c);
    motion m = {.nc = model->takes & IMP_TAKES_MANY ? 1 + below(&d, STRESS_CONTACTS) : 1};
    const int nc = m.nc, n = 3 * nc, mu_way = below(&d, 8), e_way = below(&d, 6);
    const stress_shape drawn = (stress_shape)below(&d, STRESS_SHAPES),
                       s = shape == STRESS_SHAPES ? drawn : shape;
    const bool planar = (model->takes & IMP_ONLY_PLANAR) != 0, units = below(&d, 8) == 0;
    const double W_unit = units ? power10(&d, -60, 60) : 1,
                 q_unit = units ? power10(&d, -60, 60) : 1;
    move(&d, s, planar, &m);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < m.rank; k++)
            sum += m.G[k][i] * m.v[k];
        c->q[i] = q_unit * sum;
        for (int j = 0; j <= i; j++) {
            sum = 0;
            for (int k = 0; k < m.rank; k++)
                sum += m.G[k][i] * m.G[k][j];
            c->W[i * n + j] = c->W[j * n + i] = W_unit * sum;
        }
    }
    for (int i = 0; i < nc; i++) {
        c->mu[i] = model->takes & IMP_ONLY_FRICTIONLESS ? 0 : friction(&d, mu_way);
        c->e[i] = model->takes & IMP_TAKES_RESTITUTION ? restitution(&d, e_way) : 0;
    }
    c->op = imp_operator_dense(nc, c->W);
    c->problem = (imp_problem){.nc = nc, .W = &c->op, .q = c->q, .mu = c->mu, .e = c->e};
    if (shape == STRESS_SHAPES) disturb(&d, c);
}

void stress_make(const imp_model *model, uint64_t index, stress_case *c) {
    make(model, STRESS_SHAPES, index, c);
}

void stress_make_shape(const imp_model *model, stress_shape shape, uint64_t index, stress_case *c) {
    make(model, shape, index, c);
}
