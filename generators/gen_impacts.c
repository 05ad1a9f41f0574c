/* gen_impacts.c - the impact classes of gen_impacts.h. */
#include "gen_impacts.h"

#include "single/darboux_check.h"

#include <math.h>

/* A tangential unit vector, uniform enough. */
static void direction(gen_stream *s, double w[2]) {
    w[0] = gen_normal(s);
    w[1] = gen_normal(s);
    const double length = sqrt(w[0] * w[0] + w[1] * w[1]);
    w[0] /= length;
    w[1] /= length;
}

/* w turned left by an angle that may be tiny: (1 - t^2, 2t)/(1 + t^2), t = half of it. */
static void turned(const double w[2], double angle, double out[2]) {
    const double t = 0.5 * angle, over = 1 / (1 + t * t), c = (1 - t * t) * over, n = 2 * t * over;
    out[0] = w[0] * c - w[1] * n;
    out[1] = w[1] * c + w[0] * n;
}

/* r dangle/dp_n and dr/dp_n for slip along w; W packed with the normal first. */
static double turning(const gen_problem *p, const double w[2]) {
    const double *W = p->W, mu = p->mu;
    return (W[2] - mu * (W[4] * w[0] + W[5] * w[1])) * w[0] -
           (W[1] - mu * (W[3] * w[0] + W[4] * w[1])) * w[1];
}

static double growing(const gen_problem *p, const double w[2]) {
    const double *W = p->W, mu = p->mu;
    return (W[1] - mu * (W[3] * w[0] + W[4] * w[1])) * w[0] +
           (W[2] - mu * (W[4] * w[0] + W[5] * w[1])) * w[1];
}

/* The rays of constant direction (at most four): sign changes of the turning rate over 128
 * directions, bisected. */
static int rays(const gen_problem *p, double ray[4][2]) {
    int count = 0;
    double last[2] = {1, 0};
    for (int i = 1; i <= 128 && count < 4; i++) {
        double now[2];
        const double t = 4.0 * i / 128 - 2; /* the circle as four arcs of tan(angle/2) in [-1, 1]
                                               and its mirror */
        const double u = i <= 64 ? t + 1 : t - 1, over = 1 / (1 + u * u), side = i <= 64 ? 1 : -1;
        now[0] = -side * 2 * u * over;
        now[1] = side * (1 - u * u) * over;
        if (turning(p, last) * turning(p, now) < 0) {
            double low[2] = {last[0], last[1]}, high[2] = {now[0], now[1]};
            for (int k = 0; k < 60; k++) {
                double middle[2] = {low[0] + high[0], low[1] + high[1]};
                const double length = sqrt(middle[0] * middle[0] + middle[1] * middle[1]);
                middle[0] /= length;
                middle[1] /= length;
                double *side_of = turning(p, middle) * turning(p, high) > 0 ? high : low;
                side_of[0] = middle[0];
                side_of[1] = middle[1];
            }
            ray[count][0] = high[0];
            ray[count++][1] = high[1];
        }
        last[0] = now[0];
        last[1] = now[1];
    }
    return count;
}

static void set_slip(gen_problem *p, double speed, const double w[2]) {
    p->q[1] = speed * w[0];
    p->q[2] = speed * w[1];
}

/* |M^-1 b|: friction at least this strong holds the stick. */
static double sticking(const gen_problem *p) {
    const double *W = p->W, det = W[3] * W[5] - W[4] * W[4];
    const double x = (W[5] * W[1] - W[4] * W[2]) / det, y = (W[3] * W[2] - W[4] * W[1]) / det;
    return sqrt(x * x + y * y);
}

/* Does u_n cross zero upwards twice when the impact begins with this q_n? */
static bool returns(const gen_problem *p, double q_n) {
    const double q[3] = {q_n, p->q[1], p->q[2]};
    imp_trail trail;
    return imp_darboux_trail(p->W, q, p->mu, 1e3, &trail) && trail.phases >= 3;
}

/* q_n at which the first maximum of u_n just touches zero; false when there is none in range. */
static bool graze(const gen_problem *p, double *q_n) {
    double low = 1e-4, high = 1; /* of -q_n: returns below, not above */
    if (!returns(p, -low) || returns(p, -high)) return false;
    for (int i = 0; i < 52; i++) {
        const double middle = sqrt(low * high);
        if (returns(p, -middle))
            low = middle;
        else
            high = middle;
    }
    *q_n = -low;
    return true;
}

static gen_problem steep(gen_stream *s, uint64_t index) {
    gen_problem p = gen_make(GEN_PAINLEVE, index);
    double w[2];
    direction(s, w);
    set_slip(&p, 1, w);
    p.q[0] = -gen_power10(s, -5, 0);
    return p;
}

static gen_problem grazing(gen_stream *s, uint64_t index) {
    gen_problem p = steep(s, index);
    for (uint64_t i = 1; i < 40; i++) {
        double q_n;
        if (graze(&p, &q_n)) {
            p.q[0] = q_n * (1 + gen_sign(s) * gen_power10(s, -12, -2));
            break;
        }
        p = steep(s, index + (i << 40));
    }
    return p;
}

/* f and df/dangle as good as zero in one direction w: b is chosen so, and W_nn large enough for a
 * positive W. */
static gen_problem double_ray(gen_stream *s, uint64_t index) {
    gen_problem p = gen_make(GEN_FREE_BOX_1, index);
    double w[2], *W = p.W;
    direction(s, w);
    p.mu = gen_power10(s, -1.5, 0.3);
    const double c = w[0], n = w[1], mu = p.mu;
    const double A11 = mu * (W[3] * c * c + 2 * W[4] * c * n + W[5] * n * n);
    const double A12 = mu * (W[4] * (c * c - n * n) + (W[5] - W[3]) * c * n);
    const double A22 = mu * (W[3] * n * n - 2 * W[4] * c * n + W[5] * c * c);
    const double b1 = A11 - A22 + gen_sign(s) * gen_power10(s, -12, -1) * mu;
    const double b2 = A12 + gen_sign(s) * gen_power10(s, -12, -1) * mu;
    W[1] = c * b1 - n * b2;
    W[2] = n * b1 + c * b2;
    const double det = W[3] * W[5] - W[4] * W[4];
    const double need = (W[5] * W[1] * W[1] - 2 * W[4] * W[1] * W[2] + W[3] * W[2] * W[2]) / det;
    W[0] = need * (1 + gen_power10(s, -2, 1)) + 0.1;
    turned(w, gen_uniform(s, -1, 1), w);
    set_slip(&p, gen_power10(s, -1, 1), w);
    p.q[0] = -gen_power10(s, -1, 1);
    return p;
}

static gen_problem dyadic(gen_stream *s) {
    gen_problem p = {0};
    for (;;) {
        double B[9];
        for (int i = 0; i < 9; i++)
            B[i] = floor(gen_uniform(s, -2, 3));
        const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
        for (int k = 0; k < 6; k++) {
            p.W[k] = 0;
            for (int i = 0; i < 3; i++)
                p.W[k] += B[3 * i + at[k][0]] * B[3 * i + at[k][1]];
        }
        const double det = B[0] * (B[4] * B[8] - B[5] * B[7]) - B[1] * (B[3] * B[8] - B[5] * B[6]) +
                           B[2] * (B[3] * B[7] - B[4] * B[6]);
        if (det != 0) break;
    }
    p.q[0] = -floor(gen_uniform(s, 1, 4));
    p.q[1] = floor(gen_uniform(s, -3, 4));
    p.q[2] = floor(gen_uniform(s, -3, 4));
    p.mu = ldexp(1, (int)floor(gen_uniform(s, -3, 2)));
    return p;
}

static gen_problem near_ray(gen_stream *s, gen_problem p) {
    double ray[4][2], w[2];
    const int count = rays(&p, ray), pick = (int)gen_uniform(s, 0, count);
    if (count == 0) return p;
    turned(ray[pick < count ? pick : 0], gen_sign(s) * gen_power10(s, -16, -2), w);
    set_slip(&p, gen_power10(s, -1, 1), w);
    return p;
}

static gen_problem reverse(gen_stream *s, gen_problem p) {
    double ray[4][2], w[2] = {1, 0};
    p.mu = sticking(&p) * gen_uniform(s, 0.05, 0.95);
    const int count = rays(&p, ray);
    for (int i = 0; i < count; i++)
        if (growing(&p, ray[i]) > 0) {
            const double back[2] = {-ray[i][0], -ray[i][1]};
            turned(back, gen_sign(s) * gen_power10(s, -10, 0), w);
        }
    set_slip(&p, gen_power10(s, -2, 2), w);
    return p;
}

gen_problem gen_impact(gen_impact_class c, uint64_t index) {
    gen_stream s = gen_seed(1000 + (uint64_t)c, index);
    const double pick = gen_uniform(&s, 0, 1), e = pick < 0.2   ? 0
                                                   : pick < 0.4 ? 1
                                                                : gen_uniform(&s, 0, 1);
    gen_problem p = gen_make(index % 2 || c == GEN_IMPACT_BODY ? GEN_FREE_BOX_5 : GEN_SPD_4, index);
    double w[2];
    direction(&s, w);
    p.mu = gen_power10(&s, -2.5, 0.5);
    switch (c) {
    case GEN_IMPACT_BODY: break;
    case GEN_IMPACT_THIN: p = gen_make(GEN_SIX_POINT, index); break;
    case GEN_IMPACT_SPD: p = gen_make(GEN_SPD_8, index); break;
    case GEN_IMPACT_STEEP: p = steep(&s, index); break;
    case GEN_IMPACT_GRAZE: p = grazing(&s, index); break;
    case GEN_IMPACT_BOUNDARY:
        p.mu = sticking(&p) * (1 + gen_sign(&s) * gen_power10(&s, -16, -1));
        break;
    case GEN_IMPACT_AT_REST: p.q[1] = p.q[2] = 0; break;
    case GEN_IMPACT_TINY_SLIP: set_slip(&p, -p.q[0] * gen_power10(&s, -60, -4), w); break;
    case GEN_IMPACT_HUGE_SLIP: set_slip(&p, -p.q[0] * gen_power10(&s, 2, 9), w); break;
    case GEN_IMPACT_NEAR_RAY: p = near_ray(&s, p); break;
    case GEN_IMPACT_DOUBLE_RAY: p = double_ray(&s, index); break;
    case GEN_IMPACT_REVERSE: p = reverse(&s, p); break;
    case GEN_IMPACT_PLANAR: p.W[2] = p.W[4] = p.q[2] = 0; break;
    case GEN_IMPACT_DYADIC: p = dyadic(&s); break;
    case GEN_IMPACT_SPHERE:
        p = gen_make(GEN_SPHERE, index);
        p.mu *= 2;
        break;
    case GEN_IMPACT_FRICTIONLESS: p.mu = 0; break;
    case GEN_IMPACT_CLASSES: break;
    }
    p.e = e;
    return p;
}

const char *gen_impact_name(gen_impact_class c) {
    static const char *const names[GEN_IMPACT_CLASSES] = {
        "body",    "thin",      "spd",       "steep",       "graze",      "boundary",
        "at-rest", "tiny-slip", "huge-slip", "near-ray",    "double-ray", "reverse",
        "planar",  "dyadic",    "sphere",    "frictionless"};
    return c < GEN_IMPACT_CLASSES ? names[c] : "?";
}
