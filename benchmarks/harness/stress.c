/* stress.c - the generator of hard little problems, and the judge of what models make of them. */
#include "benchmarks/harness/instrumented.h"
#include "base/clock.h"
#include "benchmarks/harness/stress.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const double stress_seconds = INSTRUMENTED ? 20 : 1;

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

typedef enum shape {
    GENERIC,
    BODIES,
    LOW_RANK,
    TWINS,
    WEDGED,
    MASSES,
    INTEGERS,
    EQUAL,
    SINGULAR,
    FACE,
    SHAPES
} shape;

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
static void bend(draws *d, shape s, motion *m, int c) {
    const int other = c > 0 ? below(d, c) : 0;
    const bool twin = s == EQUAL || below(d, 2) == 0;
    const double sign = s == WEDGED ? -1 : 1;
    const double heavy = s == MASSES ? power10(d, -2, 2) : 1;
    const double tangents[2] = {s == MASSES ? power10(d, -6, 6) : 1,
                                s == MASSES ? power10(d, -6, 6) : 1};
    for (int k = 0; k < m->rank; k++) {
        double *g = m->G[k] + 3 * c;
        if (s == INTEGERS)
            for (int r = 0; r < 3; r++)
                g[r] = rint(g[r]);
        if (c > 0 && twin && (s == TWINS || s == WEDGED || s == EQUAL)) {
            const double *first = m->G[k] + 3 * other;
            g[0] = sign * first[0];
            if (s != WEDGED) g[1] = first[1], g[2] = first[2];
        }
        g[0] *= heavy;
        g[1] *= heavy * (m->nc == 1 ? tangents[0] : 1);
        g[2] *= heavy * (m->nc == 1 ? tangents[1] : 1);
    }
    if (s == SINGULAR && (m->nc == 1 || below(d, 3) > 0)) make_singular(d, m, c);
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
static void move(draws *d, shape s, bool planar, motion *m) {
    const int rows = 3 * m->nc;
    m->rank = s == LOW_RANK && m->nc > 1 ? 1 + below(d, rows) : rows + 2;
    for (int k = 0; k < MOST_RANK; k++)
        for (int i = 0; i < rows; i++)
            m->G[k][i] = normal(d);
    if (s == FACE)
        stand_on_face(d, m);
    else if (s != GENERIC && s != LOW_RANK && below(d, 4) > 0)
        join_bodies(d, m);
    for (int c = 0; c < m->nc; c++)
        bend(d, s, m, c);
    const bool whole = s == INTEGERS || s == EQUAL, still = below(d, 6) == 0;
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

void stress_make(const imp_model *model, uint64_t index, stress_case *c) {
    draws d = {index * UINT64_C(0xd1342543de82ef95) + 11};
    memset(c, 0, sizeof *c);
    motion m = {.nc = model->takes & IMP_TAKES_MANY ? 1 + below(&d, STRESS_CONTACTS) : 1};
    const int nc = m.nc, n = 3 * nc, mu_way = below(&d, 8), e_way = below(&d, 6);
    const shape s = (shape)below(&d, SHAPES);
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
    disturb(&d, c);
}

const char *stress_fault_text(stress_fault fault) {
    static const char *const text[] = {"sound",    "refused", "nan", "residual",
                                       "approach", "energy",  "slow"};
    return text[fault];
}

/* Must no contact approach after the impact? By their law (lib/plus/plus_law.c, aim and end)
 * nothing approaches when the one compression of single-phase and poisson ends; what expands then
 * may make contacts approach again, and no further round takes them up. */
static bool forbids_approach(const imp_model *model) {
    return strcmp(model->name, "single-phase") != 0 && strcmp(model->name, "poisson") != 0;
}

/* The worst approach (where `closed`) and pull: relative to what the contact's velocities are made
 * of, the largest of the three, and to the impulse that would make up such a velocity, as in
 * imp_local; and the energy gained relative to the sum of its terms' sizes. By plain sums over W, q
 * and p. */
static double plain_sums(const stress_case *c, const double *p, bool closed, double *gain) {
    const int nc = c->problem.nc, n = 3 * nc;
    long double energy = 0, stake = 0;
    double worst = 0, push = 0;
    for (int i = 0; i < n; i++)
        push = fmax(push, fabs(p[i]));
    for (int i = 0; i < nc; i++) {
        double u_n = 0, size_n = 0, trace = 0;
        for (int r = 3 * i; r < 3 * i + 3; r++) {
            long double Wp = 0, size = fabs(c->q[r]);
            for (int j = 0; j < n; j++) {
                Wp += (long double)c->W[r * n + j] * p[j];
                size += fabsl((long double)c->W[r * n + j] * p[j]);
            }
            energy += p[r] * (0.5L * Wp + c->q[r]);
            stake += fabs(p[r]) * size;
            trace += c->W[r * n + r];
            if (r == 3 * i) u_n = (double)(Wp + c->q[r]);
            if (r == 3 * i || nc > 1) size_n = fmax(size_n, (double)size);
        }
        const double idle = nc > 1 && trace > 0 ? 3 * size_n / trace : 0, lean = fmax(push, idle);
        if (closed && size_n > 0) worst = fmax(worst, -u_n / size_n);
        if (lean > 0) worst = fmax(worst, -p[3 * (size_t)i] / lean);
    }
    *gain = stake > 0 ? (double)(energy / stake) : 0;
    return worst;
}

/* Sums of up to 24 terms each in W p and in p'W p, in double: 48 roundings, with room for those of
 * p itself. */
static const double rounding = 1e-13;

stress_verdict stress_judge(const imp_model *model, const stress_case *c) {
    const double most = 1e-6;
    const int n = 3 * c->problem.nc;
    double p[STRESS_ROWS] = {0};
    imp_path path = {0};
    stress_verdict v = {STRESS_SOUND, IMP_OK, 0, 0, imp_seconds(CLOCK_PROCESS_CPUTIME_ID)};
    bool finite = true;
    v.status = imp_solve_certified(model, &c->problem, NULL, p, &path, NULL, NULL);
    v.seconds = imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - v.seconds;
    for (int i = 0; i < n; i++)
        finite = finite && isfinite(p[i]);
    /* one contact's W as positive as rounding lets it be may well seem not to be */
    const bool refused = v.status < 0 && !(v.status == IMP_NOT_POSITIVE && c->problem.nc == 1);
    if (refused) v.fault = STRESS_REFUSED;
    if (v.status >= 0 && !finite) v.fault = STRESS_NAN;
    if (v.status == IMP_OK && finite) {
        imp_certificate certificate = {.worst = INFINITY};
        const imp_status judged =
            imp_certify(&c->problem, model->law, NULL, p, &path, &certificate);
        const double approach = plain_sums(c, p, forbids_approach(model), &v.gain);
        v.residual = judged == IMP_OK && !certificate.unjudged ? certificate.worst : INFINITY;
        if (!(approach <= most)) v.fault = STRESS_APPROACH;
        /* impulses may be many times what the velocities need: the energy is no more exact than the
         * velocities */
        const double allowed = fmax(rounding, v.residual);
        if ((model->takes & IMP_NEVER_GAINS_ENERGY) && !(v.gain <= allowed))
            v.fault = STRESS_ENERGY;
        if (!(v.residual <= most)) v.fault = STRESS_RESIDUAL;
    }
    if (v.fault == STRESS_SOUND && v.seconds > stress_seconds) v.fault = STRESS_SLOW;
    imp_path_clear(&path);
    return v;
}

stress_tally stress_run(const imp_model *model, uint64_t first, uint64_t count,
                        void (*found)(const imp_model *model, uint64_t index, const stress_case *c,
                                      const stress_verdict *verdict)) {
    stress_tally t = {0};
    for (uint64_t k = first; k < first + count; k++) {
        stress_case c;
        stress_make(model, k, &c);
        const imp_status good = imp_problem_check(&c.problem, NULL);
        /* W just not positive */
        if (good != IMP_OK || imp_model_takes(model, &c.problem) != IMP_OK) continue;
        const stress_verdict v = stress_judge(model, &c);
        t.problems++;
        t.ok += v.status == IMP_OK;
        t.not_certified += v.status == IMP_NOT_CERTIFIED;
        t.not_converged += v.status == IMP_NOT_CONVERGED;
        t.no_solution += v.status == IMP_NO_SOLUTION;
        t.other += v.status < 0 || v.status == IMP_OVERFLOW;
        t.residual = fmax(t.residual, v.residual);
        if (model->takes & IMP_NEVER_GAINS_ENERGY) t.gain = fmax(t.gain, v.gain);
        t.seconds = fmax(t.seconds, v.seconds);
        t.faults += v.fault != STRESS_SOUND;
        if (v.fault != STRESS_SOUND && found) found(model, k, &c, &v);
    }
    return t;
}
