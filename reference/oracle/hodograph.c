/* hodograph.c - the Darboux-Keller impact by Gauss-Legendre quadrature in a Moebius coordinate of the slip angle.
 *
 * While slipping, dr/dt = r g/f and dp_z/dt = r/f in the slip angle t (Mirtich reworked, section 3.11). Between the
 * rays t_a and t_b next to the slip, x = log(sin((t - t_a)/2)/sin((t_b - t)/2)) runs over the whole line and dx/ds =
 * kappa(x) > 0 is smooth, f = sin((t - t_a)/2) sin((t - t_b)/2) Q(t), kappa = -sin((t_b - t_a)/2) Q/2, so that
 *     ln r = int g/kappa dx,   p = int (-mu w, 1) r/kappa dx,   W = int u_z r/kappa dx
 * are integrals of functions whose complex singularities are known: x = +-i(pi -+ (t_b - t_a)/2) and the two other
 * roots of f. It shares neither variable nor method with the library. Normal last, as in the note; units where W and u
 * are near 1 are the caller's affair. */
#include "reference/oracle/hodograph.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum { NODES = 32, MOST_PANELS = 4000 };

typedef long double real;

static const real PI = 3.14159265358979323846264338327950288L;

/* Nodes and weights on [-1, 1], the integral from -1 to each node, and Legendre values at the nodes. */
typedef struct rule {
    real x[NODES], w[NODES], to[NODES][NODES], P[NODES + 1][NODES];
} rule;

static void legendre(real x, real P[NODES + 1]) {
    P[0] = 1;
    P[1] = x;
    for (int k = 1; k < NODES; k++)
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

static void make_rule(rule *R) {
    for (int i = 0; i < NODES; i++) {
        real x = -cosl(PI * (i + 0.75L) / (NODES + 0.5L)), P[NODES + 1];
        for (int k = 0; k < 50; k++) {
            legendre(x, P);
            const real step = P[NODES] * (x * x - 1) / (NODES * (x * P[NODES] - P[NODES - 1]));
            x -= step;
            if (fabsl(step) < LDBL_EPSILON) break;
        }
        legendre(x, P);
        R->x[i] = x;
        R->w[i] = 2 * (1 - x * x) / (NODES * NODES * P[NODES - 1] * P[NODES - 1]);
        for (int k = 0; k <= NODES; k++)
            R->P[k][i] = P[k];
    }
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++) {
            real sum = R->x[i] + 1;
            for (int k = 1; k < NODES; k++)
                sum += R->P[k][j] * (R->P[k + 1][i] - R->P[k - 1][i]);
            R->to[i][j] = 0.5L * R->w[j] * sum;
        }
}

/* A function given at the nodes: Legendre coefficients, its integral from -1 to x, and its value there. */
typedef struct fitted {
    real a[NODES];
} fitted;

static fitted fit(const rule *R, const real *values) {
    fitted F;
    for (int k = 0; k < NODES; k++) {
        F.a[k] = 0;
        for (int i = 0; i < NODES; i++)
            F.a[k] += (k + 0.5L) * R->w[i] * values[i] * R->P[k][i];
    }
    return F;
}

static real integral(const fitted *F, const real P[NODES + 1]) {
    real sum = F->a[0] * (P[1] + 1);
    for (int k = 1; k < NODES; k++)
        sum += F->a[k] * (P[k + 1] - P[k - 1]) / (2 * k + 1);
    return sum;
}

typedef struct impact {
    const rule *R;
    imp_darboux_law law;
    real M[3], b[2], K33, mu, e, uz_start;
    real r, w[2], uz, p[3]; /* p = (x, y, z) */
    real work[2], squeeze, closed;
    bool opening, failed;
    int panels, compressions;
} impact;

/* ---- what the law still wants, and the straight stretches ---- */

static real goal(const impact *s) {
    if (s->law == IMP_STRONGE) return -s->e * s->e * s->work[0];
    return s->law == IMP_POISSON ? (1 + s->e) * s->squeeze : -s->e * s->uz_start;
}

static bool cross(impact *s) {
    s->uz = 0;
    if (!s->opening) s->squeeze += s->p[2] - s->closed;
    if (s->opening) s->compressions++;
    s->closed = s->p[2];
    s->opening = !s->opening;
    return s->opening && s->e == 0;
}

static real stop_distance(const impact *s, real h) {
    if (s->law == IMP_POISSON) return fmaxl(0, goal(s) - s->p[2]);
    if (s->law == IMP_NEWTON) return h > 0 ? fmaxl(0, goal(s) - s->uz) / h : INFINITY;
    const real n = fmaxl(0, goal(s) - s->work[1]), square = s->uz * s->uz + 2 * h * n;
    if (n == 0) return 0;
    return square >= 0 ? 2 * n / (s->uz + sqrtl(square)) : INFINITY;
}

/* true: the impact ended; false: r = 0. */
static bool straight(impact *s, real g, real h, real fx, real fy) {
    for (int i = 0; i < 8; i++) {
        const real origin = g < 0 ? -s->r / g : INFINITY, stop = s->opening ? stop_distance(s, h) : INFINITY;
        const real zero = (s->opening ? h < 0 : h > 0) ? fabsl(s->uz / h) : INFINITY;
        const real d = fminl(fminl(origin, zero), stop);
        if (!(d < INFINITY)) break;
        s->work[s->opening] += d * (s->uz + 0.5L * h * d);
        s->uz += h * d;
        s->r += g * d;
        s->p[0] += fx * d;
        s->p[1] += fy * d;
        s->p[2] += d;
        if (d == stop) return true;
        if (d == origin) {
            s->r = 0;
            return false;
        }
        if (cross(s)) return true;
    }
    s->failed = true;
    return true;
}

/* Stick, or the ray with w = (lambda B + mu M)^-1 b of length 1, by bisection. */
static void leave_origin(impact *s) {
    const real *M = s->M, *b = s->b, mu = s->mu, det = M[0] * M[2] - M[1] * M[1];
    const real c[2] = {(M[2] * b[0] - M[1] * b[1]) / det, (M[0] * b[1] - M[1] * b[0]) / det};
    if (hypotl(c[0], c[1]) <= mu) {
        straight(s, 0, s->K33 - b[0] * c[0] - b[1] * c[1], -c[0], -c[1]);
        return;
    }
    real low = 0, high = hypotl(b[0], b[1]), w[2] = {0, 0}, lambda = 0;
    for (int i = 0; i < 200; i++) {
        lambda = 0.5L * (low + high);
        const real xx = lambda + mu * M[0], xy = mu * M[1], yy = lambda + mu * M[2], d = xx * yy - xy * xy;
        w[0] = (yy * b[0] - xy * b[1]) / d;
        w[1] = (xx * b[1] - xy * b[0]) / d;
        if (hypotl(w[0], w[1]) > 1)
            low = lambda;
        else
            high = lambda;
    }
    const real length = hypotl(w[0], w[1]);
    s->w[0] = w[0] / length;
    s->w[1] = w[1] / length;
    straight(s, lambda, s->K33 - mu * (b[0] * s->w[0] + b[1] * s->w[1]), -mu * s->w[0], -mu * s->w[1]);
}

/* ---- the interval between two rays, in the frame of the slip, mirrored so that it turns left (f > 0) ---- */

typedef struct interval {
    real mirror, M[3], b[2]; /* y -> mirror y */
    real ta, tb, D;
    real ca, sa, cb, sb, cm, sm, cd, sd; /* cosines and sines of ta, tb, tm = (ta + tb)/2, D/2 */
                                         /* rays behind and ahead, relative to the slip; D = tb - ta */
    real q0, q1, q2;                     /* Q = q0 + q1 cos(t - tm) + q2 sin(t - tm) */
    complex long double pole[4];         /* singularities in x besides +-i(pi -+ D/2) */
    int poles;
} interval;

static real f_at(const impact *s, const interval *B, real t, real *slope) {
    const real c = cosl(t), n = sinl(t), c2 = cosl(2 * t), n2 = sinl(2 * t), half = 0.5L * (B->M[2] - B->M[0]);
    if (slope) *slope = s->mu * 2 * (B->M[1] * n2 - half * c2) - B->b[1] * n - B->b[0] * c;
    return -s->mu * (B->M[1] * c2 + half * n2) + B->b[1] * c - B->b[0] * n;
}

/* The next root of f from t = 0 in direction d, f > 0 up to it, by steps that cannot jump over it (many of them at a
 * triple root): |f''| <= F2. */
static real march(const impact *s, const interval *B, real d) {
    const real F2 = 4 * s->mu * hypotl(B->M[1], 0.5L * (B->M[2] - B->M[0])) + hypotl(B->b[0], B->b[1]);
    const real rounding = LDBL_EPSILON * F2;
    real t = 0;
    for (int i = 0; i < 20000 && t < 2 * PI; i++) {
        real slope;
        const real f = f_at(s, B, d * t, &slope), b = d * slope, root = sqrtl(b * b + 2 * F2 * fmaxl(f, 0));
        if (!(f > rounding)) break;
        const real step = b < 0 ? 2 * f / (root - b) : (b + root) / F2;
        t += step;
        if (step < LDBL_EPSILON * t) break;
    }
    return d * t;
}

static complex long double moebius(const interval *B, complex long double t) {
    return clogl(csinl((t - B->ta) / 2) / csinl((B->tb - t) / 2));
}

static void make_interval(const impact *s, interval *B) {
    const real c = s->w[0], n = s->w[1], *M = s->M;
    B->M[0] = M[0] * c * c + 2 * M[1] * c * n + M[2] * n * n;
    B->M[1] = M[1] * (c * c - n * n) + (M[2] - M[0]) * c * n;
    B->M[2] = M[0] * n * n - 2 * M[1] * c * n + M[2] * c * c;
    B->b[0] = s->b[0] * c + s->b[1] * n;
    B->b[1] = s->b[1] * c - s->b[0] * n;
    B->mirror = B->b[1] - s->mu * B->M[1] < 0 ? -1 : 1;
    B->M[1] *= B->mirror;
    B->b[1] *= B->mirror;
    B->tb = march(s, B, 1);
    B->ta = march(s, B, -1);
    B->D = B->tb - B->ta;
    const real tm = 0.5L * (B->ta + B->tb), half = 0.5L * (B->M[2] - B->M[0]), mu = s->mu;
    B->ca = cosl(B->ta);
    B->sa = sinl(B->ta);
    B->cb = cosl(B->tb);
    B->sb = sinl(B->tb);
    B->cm = cosl(tm);
    B->sm = sinl(tm);
    B->cd = cosl(B->D / 2);
    B->sd = sinl(B->D / 2);
    const real C2 = cosl(2 * tm), S2 = sinl(2 * tm);
    const real a2 = -mu * (B->M[1] * C2 + half * S2), b2 = -mu * (half * C2 - B->M[1] * S2);
    const real a1 = B->b[1] * B->cm - B->b[0] * B->sm;
    B->q1 = -4 * a2;
    B->q2 = -4 * b2;
    B->q0 = B->cd * B->q1 - 2 * a1;
    B->poles = 0;
    const real size = hypotl(B->q1, B->q2);
    if (size > 0) { /* Q = 0: the two other rays, real or complex */
        const complex long double spread = cacosl(-B->q0 / size);
        for (int i = 0; i < 2; i++) {
            const complex long double x = moebius(B, tm + atan2l(B->q2, B->q1) + (i ? -spread : spread));
            B->pole[B->poles++] = x;
            B->pole[B->poles++] = conjl(x);
        }
    }
}

/* What is integrated, at one x. */
typedef struct sample {
    real c, n, g, kappa;
} sample;

static sample sample_at(const impact *s, const interval *B, real x) {
    const real E = expl(-fabsl(x));
    /* the angle to the nearer ray: from ta for x < 0, from tb for x > 0 */
    const real X = 1 + E * B->cd, Y = E * B->sd, over = 1 / (X * X + Y * Y);
    const real c1 = (X * X - Y * Y) * over, s1 = (x < 0 ? 2 : -2) * X * Y * over;
    const real cr = x < 0 ? B->ca : B->cb, sr = x < 0 ? B->sa : B->sb;
    const real c = cr * c1 - sr * s1, n = sr * c1 + cr * s1;
    const real cy = c * B->cm + n * B->sm, sy = n * B->cm - c * B->sm;
    const real g = -s->mu * (B->M[0] * c * c + 2 * B->M[1] * c * n + B->M[2] * n * n) + B->b[0] * c + B->b[1] * n;
    return (sample){c, n, g, -0.5L * B->sd * (B->q0 + B->q1 * cy + B->q2 * sy)};
}

/* Distance of a real x from the nearest singularity, of which there is one every 2 pi i. */
static real clearance(const interval *B, real x) {
    real least = hypotl(x, PI - B->D / 2);
    for (int i = 0; i < B->poles; i++)
        least = fminl(least, cabsl(B->pole[i] - x));
    return least;
}

/* ---- one panel ---- */

typedef struct panel {
    fitted pz, px, py, work; /* r/kappa, times -mu w, times u_z */
    real hw, uz;             /* half width; u_z at the start */
    real K33, b[2];
} panel;

typedef struct gained {
    real p[3], uz, work;
} gained;

static gained gain_at(const panel *S, real x) {
    real P[NODES + 1];
    legendre(x, P);
    gained G = {{S->hw * integral(&S->px, P), S->hw * integral(&S->py, P), S->hw * integral(&S->pz, P)}, 0, 0};
    G.uz = S->uz + S->K33 * G.p[2] + S->b[0] * G.p[0] + S->b[1] * G.p[1];
    G.work = S->hw * integral(&S->work, P);
    return G;
}

typedef enum quantity { UZ, PZ, WORK } quantity;

static real pick(const gained *G, quantity q) {
    return q == UZ ? G->uz : q == PZ ? G->p[2] : G->work;
}

/* Where a monotone quantity passes the target: Illinois, then bisection guards it. */
static real root(const panel *S, quantity q, real target, real low, real high) {
    gained G = gain_at(S, low);
    real fl = pick(&G, q) - target;
    G = gain_at(S, high);
    real fh = pick(&G, q) - target;
    for (int i = 0; i < 300 && high - low > 2 * LDBL_EPSILON; i++) {
        real x = i % 3 == 2 ? 0.5L * (low + high) : high - fh * (high - low) / (fh - fl);
        if (!(x > low && x < high)) x = 0.5L * (low + high);
        G = gain_at(S, x);
        const real f = pick(&G, q) - target;
        if (f == 0) return x;
        if ((f > 0) == (fh > 0)) {
            high = x;
            fh = f;
            fl *= 0.5L;
        } else {
            low = x;
            fl = f;
            fh *= 0.5L;
        }
    }
    return high;
}

/* A panel from x over 2 hw; the slip speed at its end. */
static real make_panel(impact *s, const interval *B, real x, real r, real hw, panel *S, sample *last) {
    real rate[NODES], ratio[NODES], pz[NODES], px[NODES], py[NODES], work[NODES], uz[NODES], end = 0;
    sample at[NODES];
    for (int i = 0; i < NODES; i++) {
        at[i] = sample_at(s, B, x + hw * (1 + s->R->x[i]));
        rate[i] = at[i].g / at[i].kappa;
        end += hw * s->R->w[i] * rate[i];
    }
    for (int i = 0; i < NODES; i++) {
        real sum = 0;
        for (int j = 0; j < NODES; j++)
            sum += s->R->to[i][j] * rate[j];
        ratio[i] = r * expl(hw * sum) / at[i].kappa;
        pz[i] = ratio[i];
        px[i] = -s->mu * at[i].c * ratio[i];
        py[i] = -s->mu * at[i].n * ratio[i];
    }
    S->hw = hw;
    S->uz = s->uz;
    S->K33 = s->K33;
    S->b[0] = B->b[0];
    S->b[1] = B->b[1];
    for (int i = 0; i < NODES; i++) {
        real sum = 0;
        for (int j = 0; j < NODES; j++)
            sum += s->R->to[i][j] * (s->K33 * pz[j] + B->b[0] * px[j] + B->b[1] * py[j]);
        uz[i] = s->uz + hw * sum;
        work[i] = uz[i] * ratio[i];
    }
    S->pz = fit(s->R, pz);
    S->px = fit(s->R, px);
    S->py = fit(s->R, py);
    S->work = fit(s->R, work);
    *last = sample_at(s, B, x + 2 * hw);
    return r * expl(end);
}

/* The events in a panel in which u_z is monotone. true: the impact ends at *stop; *first: the first event, -1 if none.
 */
static bool events(impact *s, const panel *S, real *stop, real *first) {
    real from = -1;
    const gained end = gain_at(S, 1);
    gained begin = {{0, 0, 0}, S->uz, 0};
    impact trial = *s; /* phases are counted on a copy until the panel is accepted */
    *first = -1;
    for (;;) {
        const bool crosses = trial.opening ? end.uz < 0 : end.uz > 0;
        const real until = crosses ? root(S, UZ, 0, from, 1) : 1;
        const gained G = gain_at(S, until);
        if (trial.opening) {
            const real here = trial.law == IMP_STRONGE   ? trial.work[1] + G.work - begin.work
                              : trial.law == IMP_POISSON ? s->p[2] + G.p[2]
                                                         : G.uz;
            if (here >= goal(&trial)) {
                const quantity q = trial.law == IMP_STRONGE ? WORK : trial.law == IMP_POISSON ? PZ : UZ;
                const real base = q == WORK ? begin.work - trial.work[1] : q == PZ ? -s->p[2] : 0;
                *stop = root(S, q, goal(&trial) + base, from, until);
                const gained T = gain_at(S, *stop);
                trial.work[1] += T.work - begin.work;
                if (*first < 0) *first = *stop;
                trial.p[2] = s->p[2];
                *s = trial;
                return true;
            }
        }
        trial.work[trial.opening] += G.work - begin.work;
        if (!crosses) break;
        if (*first < 0) *first = until;
        trial.p[2] = s->p[2] + G.p[2];
        const bool over = cross(&trial);
        if (over) {
            *stop = until;
            trial.p[2] = s->p[2];
            *s = trial;
            return true;
        }
        from = until;
        begin = G;
    }
    trial.p[2] = s->p[2];
    trial.uz = s->uz;
    *s = trial;
    return false;
}

/* Rotates a result of the mirrored frame back: p gained, and the direction (c, n). */
static void commit(impact *s, const interval *B, const real w[2], const gained *G, const sample *at, real r) {
    const real y = B->mirror * G->p[1], n = B->mirror * at->n;
    s->p[0] += w[0] * G->p[0] - w[1] * y;
    s->p[1] += w[1] * G->p[0] + w[0] * y;
    s->p[2] += G->p[2];
    s->uz = G->uz;
    s->r = r;
    s->w[0] = w[0] * at->c - w[1] * n;
    s->w[1] = w[1] * at->c + w[0] * n;
}

/* The next place in x where u_z' = K33 - mu b.w changes sign, after x. */
static real next_turn(const impact *s, const interval *B, real x) {
    const real reach = s->mu * hypotl(B->b[0], B->b[1]);
    real next = INFINITY;
    if (!(reach > s->K33)) return next;
    for (int side = -1; side <= 1; side += 2)
        for (int wrap = -1; wrap <= 1; wrap++) {
            const real t = atan2l(B->b[1], B->b[0]) + side * acosl(s->K33 / reach) + 2 * PI * wrap;
            if (!(t > B->ta && t < B->tb)) continue;
            const real at = logl(sinl((t - B->ta) / 2) / sinl((B->tb - t) / 2));
            if (at > x + 1e-15L * (1 + fabsl(x)) && at < next) next = at;
        }
    return next;
}

/* Is a panel from x over 2 hw short against the distance of the singularities and the growth of r? */
static bool resolved(const impact *s, const interval *B, real x, real hw) {
    if (clearance(B, x + hw) < 3.5L * hw) return false;
    for (int i = 0; i <= 8; i++) {
        const sample at = sample_at(s, B, x + hw * i / 4);
        if (fabsl(at.g / at.kappa) * hw > 0.7L) return false;
    }
    return true;
}

/* Curved slip until the impact ends (true), or until the slip is on a ray or at the origin (false). */
static bool slip(impact *s) {
    interval B;
    make_interval(s, &B);
    const real r0 = s->r, w[2] = {s->w[0], s->w[1]};
    real x = logl(sinl(-B.ta / 2) / sinl(B.tb / 2)), shrink = INFINITY;
    sample here = sample_at(s, &B, x);
    while (s->panels++ < MOST_PANELS) {
        const real gap = 2 * expl(-x) * sinl(B.D / 2); /* about tb - t, ahead */
        if (x > 0 && (gap < 1e-19L || (here.g < 0 && gap < 0.05L && s->r * gap < 1e-22L * r0))) {
            const real c = cosl(B.tb), n = B.mirror * sinl(B.tb);
            s->w[0] = w[0] * c - w[1] * n;
            s->w[1] = w[1] * c + w[0] * n;
            const real bw = s->b[0] * s->w[0] + s->b[1] * s->w[1];
            const real g = bw - s->mu * (s->M[0] * s->w[0] * s->w[0] + 2 * s->M[1] * s->w[0] * s->w[1] +
                                         s->M[2] * s->w[1] * s->w[1]);
            return straight(s, g, s->K33 - s->mu * bw, -s->mu * s->w[0], -s->mu * s->w[1]);
        }
        if (here.g < 0 && s->r < 1e-25L * r0) {
            s->r = 0;
            return false;
        }
        real hw = fminl(2, shrink);
        const real turn = next_turn(s, &B, x);
        if (2 * hw > turn - x) hw = 0.5L * (turn - x);
        while (!resolved(s, &B, x, hw))
            hw *= 0.8L;
        panel S;
        sample last;
        const real r = make_panel(s, &B, x, s->r, hw, &S, &last);
        real stop = 1, first;
        impact before = *s;
        const bool ends = events(s, &S, &stop, &first);
        if (first > -1 && 0.5L * (1 + first) < 0.05L) { /* the event is in a corner of the panel: take a smaller one */
            const int used = s->panels;
            *s = before;
            s->panels = used;
            shrink = fmaxl(0.5L * (1 + first) * hw * 1.5L, 1e-4000L);
            continue;
        }
        shrink = INFINITY;
        const gained G = gain_at(&S, stop);
        /* commit against the frame of the interval, impulse by impulse */
        commit(s, &B, w, &G, &last, r);
        if (ends) {
            const sample at = sample_at(s, &B, x + hw * (1 + stop));
            real P[NODES + 1], rate[NODES];
            legendre(stop, P);
            for (int i = 0; i < NODES; i++) {
                const sample a = sample_at(s, &B, x + hw * (1 + s->R->x[i]));
                rate[i] = a.g / a.kappa;
            }
            const fitted growth = fit(s->R, rate);
            const real n = B.mirror * at.n;
            s->r = before.r * expl(hw * integral(&growth, P));
            s->w[0] = w[0] * at.c - w[1] * n;
            s->w[1] = w[1] * at.c + w[0] * n;
            return true;
        }
        x += 2 * hw;
        here = last;
    }
    s->failed = true;
    return true;
}

bool hodograph_impact(const double W[6], const double q[3], double mu, double e, imp_darboux_law law,
                      hodograph *result) {
    static rule gauss_legendre; /* made once; the oracle is not thread-safe */
    if (gauss_legendre.w[0] == 0) make_rule(&gauss_legendre);
    impact s = {.R = &gauss_legendre, .law = law, .mu = mu, .e = e, .K33 = W[0], .compressions = 1};
    for (int i = 0; i < 3; i++)
        s.M[i] = W[3 + i];
    for (int i = 0; i < 2; i++)
        s.b[i] = W[1 + i];
    s.uz = s.uz_start = q[0];
    s.r = hypotl(q[1], q[2]);
    if (s.r > 0)
        for (int i = 0; i < 2; i++)
            s.w[i] = q[1 + i] / s.r;
    const real scale = s.mu * (s.M[0] + s.M[2]) + hypotl(s.b[0], s.b[1]);
    bool ended = q[0] >= 0 || (mu == 0 && straight(&s, 0, s.K33, 0, 0));
    while (!ended) {
        if (s.r == 0) {
            leave_origin(&s);
            break;
        }
        const real c = s.w[0], n = s.w[1];
        const real f = s.b[1] * c - s.b[0] * n - s.mu * (s.M[1] * (c * c - n * n) + (s.M[2] - s.M[0]) * c * n);
        if (fabsl(f) <= 2 * LDBL_EPSILON * scale) {
            const real bw = s.b[0] * c + s.b[1] * n,
                       g = bw - s.mu * (s.M[0] * c * c + 2 * s.M[1] * c * n + s.M[2] * n * n);
            ended = straight(&s, g, s.K33 - s.mu * bw, -s.mu * c, -s.mu * n);
        } else {
            ended = slip(&s);
        }
    }
    *result = (hodograph){.p = {(double)s.p[2], (double)s.p[0], (double)s.p[1]},
                          .work_c = (double)s.work[0],
                          .work_d = (double)s.work[1],
                          .compressions = s.compressions,
                          .panels = s.panels};
    result->u[0] = (double)s.uz;
    for (int i = 0; i < 2; i++)
        result->u[1 + i] = (double)(mu > 0 ? s.r * s.w[i] : q[1 + i] + s.b[i] * s.p[2]);
    return !s.failed;
}
