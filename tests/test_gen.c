/* The random problems are the classes they claim to be, and the same ones on every machine. */
#include "generators/gen_edges.h"
#include "impact.h"
#include "tap.h"

enum { COUNT = 2000 };

/* FNV-1a over the bytes of numbers; -0 counts as 0. */
static uint64_t hash_numbers(uint64_t hash, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        const double value = x[i] + 0.0;
        unsigned char bytes[sizeof value];
        memcpy(bytes, &value, sizeof value);
        for (size_t k = 0; k < sizeof bytes; k++)
            hash = (hash ^ bytes[k]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t class_hash(gen_class c) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint64_t k = 0; k < COUNT; k++) {
        const gen_problem p = gen_make(c, k);
        hash = hash_numbers(hash, p.W, 6);
        hash = hash_numbers(hash, p.q, 3);
        hash = hash_numbers(hash, &p.mu, 1);
    }
    return hash;
}

static void test_same_everywhere(void) {
    static const uint64_t want[GEN_CLASSES] = {
        0x9e0955312aea71c0, 0x5a403e6d6b61fe02, 0x7dd99498a4ab3718, 0x91c70df72e673977,
        0xed568493bae4ae1a, 0x5cd3226b74a216a4, 0x9fb9ef08cce82f9a, 0xf1d33e4275827aa9,
        0xb95a1a10ecf8214c, 0xf404d2bb97b8ce01, 0x8e93144605e5701e, 0x874cd941e3cab717,
        0x24a5bfa6c55cc70f, 0xa8e7a8415dedd57a, 0xe947a3a5fd9dffaa, 0x7cfbe2cb3963a3f0};
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        const uint64_t got = class_hash(c);
        if (!ok(got == want[c], "%s: the first %d problems are the ones everybody has", gen_name(c),
                COUNT))
            diag("got 0x%016llx", (unsigned long long)got);
    }
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint64_t k = 0; k < 300; k++) {
        const gen_many p = gen_bodies(k, 2 + (int)(k % 7));
        for (int i = 0; i < p.nb; i++) {
            hash = hash_numbers(hash, p.body[i].inv_inertia, 9);
            hash = hash_numbers(hash, p.body[i].orientation, 4);
            hash = hash_numbers(hash, p.body[i].velocity, 3);
            hash = hash_numbers(hash, p.body[i].spin, 3);
        }
        hash = hash_numbers(hash, p.mu, p.nc);
    }
    if (!ok(hash == 0xfdacbecda0ef5e20,
            "bodies: the first 300 problems are the ones everybody has"))
        diag("got 0x%016llx", (unsigned long long)hash);
}

static void test_draws(void) {
    gen_stream s = gen_seed(99, 0);
    double sum = 0, squares = 0, fourth = 0, low = 1, high = 0, uniform = 0;
    const int n = 200000;
    for (int i = 0; i < n; i++) {
        const double u = gen_uniform(&s, 0, 1), x = gen_normal(&s);
        uniform += u;
        low = fmin(low, u);
        high = fmax(high, u);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    ok(low > 0 && low < 1e-4 && high < 1 && high > 1 - 1e-4, "uniform draws fill (0, 1)");
    is_near(uniform / n, 0.5, 5 * sqrt(1 / 12.0 / n), 0,
            "their mean is 1/2 within five standard errors");
    is_near(sum / n, 0, 5 / sqrt(n), 0, "normal draws have mean 0");
    is_near(squares / n, 1, 5 * sqrt(2.0 / n), 0, "variance 1");
    is_near(fourth / n, 3, 5 * sqrt(96.0 / n), 0, "fourth moment 3");
    double worst = 0, orthogonal = 0;
    for (int i = -1900; i < 1900; i++)
        worst = tap_worst(worst, fabs(gen_exp(0.37 * i) / exp(0.37 * i) - 1));
    ok(worst < 4e-16, "the exponential agrees with libm within two units in the last place");
    for (int k = 0; k < 100; k++) {
        double R[9];
        gen_rotation(&s, R);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
                orthogonal = tap_worst(orthogonal, fabs(dot - (i == j)));
            }
    }
    /* 4 times the rounding of a quaternion's length */
    ok(orthogonal < 3e-15, "rotations are orthogonal");
}

/* What one class keeps: the extremes of its problems. */
typedef struct extremes {
    double trace_off, length_off, mu_low, mu_high, qn_low, qn_high, least_pivot, painleve;
    int distinct;
} extremes;

static extremes measure(gen_class c) {
    extremes x = {.mu_low = INFINITY,
                  .qn_low = INFINITY,
                  .qn_high = -INFINITY,
                  .least_pivot = INFINITY,
                  .painleve = INFINITY};
    double previous = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        const gen_problem p = gen_make(c, k);
        const long double a = p.W[1], b = p.W[2], nn = p.W[0];
        const long double tt = p.W[3] - a * a / nn, to = p.W[4] - a * b / nn,
                          oo = p.W[5] - b * b / nn;
        const double trace = p.W[0] + p.W[3] + p.W[5];
        x.trace_off = tap_worst(x.trace_off, fabs(trace - 3));
        x.length_off = tap_worst(
            x.length_off, fabs(sqrt(p.q[0] * p.q[0] + p.q[1] * p.q[1] + p.q[2] * p.q[2]) - 1));
        x.mu_low = fmin(x.mu_low, p.mu);
        x.mu_high = fmax(x.mu_high, p.mu);
        x.qn_low = fmin(x.qn_low, p.q[0]);
        x.qn_high = fmax(x.qn_high, p.q[0]);
        x.least_pivot =
            fmin(x.least_pivot, fmin(p.W[0], (double)fminl(tt, tt * oo - to * to)) / trace);
        x.painleve = fmin(x.painleve, p.mu * hypot(p.W[1], p.W[2]) / p.W[0]);
        x.distinct += p.q[1] != previous;
        previous = p.q[1];
    }
    return x;
}

static void test_classes(void) {
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        const extremes x = measure(c);
        const char *name = gen_name(c);
        const bool scaled = c != GEN_UNITS && c != GEN_ADVERSARIAL && c != GEN_SPEED_BOX;
        ok(x.distinct == COUNT, "%s: every problem is a new one", name);
        ok(x.least_pivot > 0, "%s: W is positive definite", name);
        if (scaled && c != GEN_SPHERE) ok(x.trace_off < 1e-14, "%s: trace(W)/3 = 1", name);
        if (scaled && c != GEN_TINY_CLOSING && c != GEN_ZERO_CLOSING)
            ok(x.length_off < 1e-15, "%s: |q| = 1", name);
        if (c == GEN_OPENING)
            ok(x.qn_low > 0, "%s: opens", name);
        else if (c == GEN_ZERO_CLOSING)
            ok(x.qn_low == 0 && x.qn_high == 0, "%s: neither closes nor opens", name);
        else
            ok(x.qn_high < 0, "%s: closes", name);
    }
    const extremes tiny = measure(GEN_TINY_CLOSING), painleve = measure(GEN_PAINLEVE),
                   box = measure(GEN_FREE_BOX_5);
    const extremes unit = measure(GEN_FREE_BOX_1), wide = measure(GEN_SPD_8),
                   hard = measure(GEN_ADVERSARIAL);
    ok(tiny.qn_low > -0.1 && tiny.qn_low < -0.09 && tiny.qn_high > -2e-16,
       "tiny-closing spans 1e-16 .. 1e-1");
    ok(painleve.painleve >= 1 && box.painleve < 0.01, "painleve: W_nn <= mu |W_n,to| throughout");
    ok(unit.mu_high < 1 && unit.mu_high > 0.99 && box.mu_high < 5 && box.mu_high > 4.95,
       "box classes: mu to 1, to 5");
    ok(wide.mu_low < 1.1e-3 && wide.mu_low > 1e-3 && wide.mu_high < 100 && wide.mu_high > 90,
       "spd: mu 1e-3 .. 1e2");
    ok(wide.least_pivot < 1e-7, "spd-8 reaches its condition numbers");
    ok(hard.painleve == 0, "adversarial: eccentricity 0 occurs");
    int ellipse = 0, near_parabola = 0, hyperbola = 0, excluded = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        const gen_problem p = gen_make(GEN_ADVERSARIAL, k);
        const double ecc = p.mu * hypot(p.W[1], p.W[2]) / p.W[0];
        ellipse += ecc < 0.9;
        near_parabola += fabs(ecc - 1) < 1e-9;
        hyperbola += ecc > 1.1;
        excluded += p.excluded;
    }
    ok(ellipse > COUNT / 5 && near_parabola > COUNT / 5 && hyperbola > COUNT / 10,
       "adversarial: all conics occur");
    ok(excluded > 0 && excluded < COUNT / 20,
       "adversarial: the excluded corner is marked, and small");
}

/* Counting table of the classes: six-point and spd problems with mu fixed repeat the matrix of no
 * other index. */
static void test_fixed_mu(void) {
    const gen_problem a = gen_six_point(7, 0.3), b = gen_six_point(7, 3.0),
                      c = gen_six_point(8, 0.3);
    ok(memcmp(a.W, b.W, sizeof a.W) == 0 && memcmp(a.q, b.q, sizeof a.q) == 0 && a.mu == 0.3 &&
           b.mu == 3,
       "the same body meets every mu");
    ok(memcmp(a.W, c.W, sizeof a.W) != 0, "another index is another body");
    ok(memcmp(gen_spd(3, 4, 1).W, gen_spd(3, 6, 1).W, sizeof a.W) != 0,
       "another condition number is another family");
}

static bool is_subnormal(double x) {
    return fpclassify(x) == FP_SUBNORMAL;
}

/* Is a problem what its class says? */
static bool is_edge(gen_edge c, const gen_problem *p) {
    const double *W = p->W, *q = p->q, *x[] = {W, W + 1, W + 2, W + 3, W + 4, W + 5, q + 1, q + 2};
    const double eccentricity = p->mu * hypot(W[1], W[2]) / W[0];
    bool whole = true;
    for (int k = 0; k < 8; k++) /* multiples of 1/64 */
        whole = whole && 64 * *x[k] == floor(64 * *x[k]);
    switch (c) {
    case GEN_EDGE_SUBNORMAL:
        return is_subnormal(q[0]) || is_subnormal(q[1]) || is_subnormal(q[2]) ||
               is_subnormal(p->mu) ||
               (is_subnormal(W[1]) && is_subnormal(W[2]) && is_subnormal(W[4]));
    case GEN_EDGE_PARABOLA: return fabs(eccentricity - 1) < 1.01e-8;
    case GEN_EDGE_TIES: return whole && q[0] < 0;
    case GEN_EDGE_THRESHOLD: return fabs(q[0]) <= 0x1p-52;
    case GEN_EDGE_TANGENTS: return true;
    case GEN_EDGES: break;
    }
    return false;
}

/* Problems at the edges of arithmetic are that, and what maximum dissipation says of them is
 * true. */
static void test_edges(void) {
    /* the others are said to be unsolved: subnormal impulses are an overflow, and where q_n is 0
     * but for rounding some are not certified; a subnormal friction has few digits */
    static const int least[GEN_EDGES] = {600, 1980, 2000, 1880, 2000};
    double widest = 1;
    for (gen_edge c = 0; c < GEN_EDGES; c++) {
        int others = 0, solved = 0;
        double worst = 0;
        for (uint64_t k = 0; k < COUNT; k++) {
            const gen_problem p = gen_edge_make(c, k);
            others += !is_edge(c, &p);
            if (c == GEN_EDGE_TANGENTS) widest = fmax(widest, p.W[3] / p.W[5]);
            gen_dense dense;
            double impulse[3];
            gen_dense_of(&p, &dense);
            if (imp_solve(&imp_model_maxdiss, &dense.problem, NULL, impulse, NULL) != IMP_OK)
                continue;
            solved++;
            worst = tap_worst(worst, gen_residual(&p, &imp_law_maxdiss, impulse));
        }
        ok(others == 0, "%s: every problem is one (%d others)", gen_edge_name(c), others);
        ok(solved >= least[c] && worst < (c == GEN_EDGE_SUBNORMAL ? 1e-9 : 1e-12),
           "%s: %d of %d solved, to %.1e", gen_edge_name(c), solved, COUNT, worst);
    }
    ok(widest > 1e11, "tangents are up to %.0e apart", widest);
}

int main(void) {
    test_same_everywhere();
    test_draws();
    test_classes();
    test_fixed_mu();
    test_edges();
    return tap_done();
}
