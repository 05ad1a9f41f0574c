/* hodograph.c - the Darboux-Keller impact by Gauss-Legendre quadrature in a Moebius coordinate of
 * the slip angle.
 *
 * While slipping, dr/dt = r g/f and dp_z/dt = r/f in the slip angle t (Mirtich reworked, section
 * 3.11). Between the rays t_a and t_b next to the slip, x = log(sin((t - t_a)/2)/sin((t_b - t)/2))
 * runs over the whole line and dx/ds = kappa(x) > 0 is smooth, f = sin((t - t_a)/2) sin((t -
 * t_b)/2) Q(t), kappa = -sin((t_b - t_a)/2) Q/2, so that
 *     ln r = int g/kappa dx,   p = int (-mu w, 1) r/kappa dx,   W = int u_z r/kappa dx
 * are integrals of functions whose complex singularities are known: x = +-i(pi -+ (t_b - t_a)/2)
 * and the two other roots of f. It shares neither variable nor method with the library. Normal
 * last, as in the note; units where W and u are near 1 are the caller's affair. */
#include "reference/oracle/hodograph.h"
#include "reference/oracle/hodograph_parts.h"

#include <float.h>
#include <math.h>

enum { MOST_PANELS = 4000 };

typedef struct impact {
    const rule *R;
    imp_darboux_law law;
    dynamics d;
    real e, uz_start;
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
        const real origin = g < 0 ? -s->r / g : INFINITY,
                   stop = s->opening ? stop_distance(s, h) : INFINITY;
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
    const real *M = s->d.M, *b = s->d.b, mu = s->d.mu, det = M[0] * M[2] - M[1] * M[1];
    const real c[2] = {(M[2] * b[0] - M[1] * b[1]) / det, (M[0] * b[1] - M[1] * b[0]) / det};
    if (hypotl(c[0], c[1]) <= mu) {
        straight(s, 0, s->d.K33 - b[0] * c[0] - b[1] * c[1], -c[0], -c[1]);
        return;
    }
    real low = 0, high = hypotl(b[0], b[1]), w[2] = {0, 0}, lambda = 0;
    for (int i = 0; i < 200; i++) {
        lambda = 0.5L * (low + high);
        const real xx = lambda + mu * M[0], xy = mu * M[1], yy = lambda + mu * M[2],
                   d = xx * yy - xy * xy;
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
    straight(s, lambda, s->d.K33 - mu * (b[0] * s->w[0] + b[1] * s->w[1]), -mu * s->w[0],
             -mu * s->w[1]);
}

/* ---- one panel ---- */

typedef struct panel {
    fitted pz, px, py, work, growth; /* r/kappa, times -mu w, times u_z; g/kappa */
    real hw, uz, r;                  /* half width; u_z and r at the start */
    real K33, b[2];
} panel;

typedef struct gained {
    real p[3], uz, work, r;
} gained;

static gained gain_at(const panel *S, real x) {
    real P[NODES + 1];
    hodograph_legendre(x, P);
    gained G = {.p = {S->hw * hodograph_integral(&S->px, P), S->hw * hodograph_integral(&S->py, P),
                      S->hw * hodograph_integral(&S->pz, P)}};
    G.uz = S->uz + S->K33 * G.p[2] + S->b[0] * G.p[0] + S->b[1] * G.p[1];
    G.work = S->hw * hodograph_integral(&S->work, P);
    G.r = S->r * expl(S->hw * hodograph_integral(&S->growth, P));
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

/* A panel from x over 2 hw. */
static void make_panel(const impact *s, const interval *B, real x, real hw, panel *S) {
    real rate[NODES], pz[NODES], px[NODES], py[NODES], rise[NODES], work[NODES];
    sample at[NODES];
    for (int i = 0; i < NODES; i++) {
        at[i] = hodograph_sample(B, x + hw * (1 + s->R->x[i]));
        rate[i] = at[i].g / at[i].kappa;
    }
    for (int i = 0; i < NODES; i++) {
        real sum = 0;
        for (int j = 0; j < NODES; j++)
            sum += s->R->to[i][j] * rate[j];
        pz[i] = s->r * expl(hw * sum) / at[i].kappa;
        px[i] = -s->d.mu * at[i].c * pz[i];
        py[i] = -s->d.mu * at[i].n * pz[i];
        rise[i] = s->d.K33 * pz[i] + B->d.b[0] * px[i] + B->d.b[1] * py[i];
    }
    for (int i = 0; i < NODES; i++) {
        real sum = 0;
        for (int j = 0; j < NODES; j++)
            sum += s->R->to[i][j] * rise[j];
        work[i] = (s->uz + hw * sum) * pz[i];
    }
    *S = (panel){.hw = hw, .uz = s->uz, .r = s->r, .K33 = s->d.K33, .b = {B->d.b[0], B->d.b[1]}};
    S->growth = hodograph_fit(s->R, rate);
    S->pz = hodograph_fit(s->R, pz);
    S->px = hodograph_fit(s->R, px);
    S->py = hodograph_fit(s->R, py);
    S->work = hodograph_fit(s->R, work);
}

/* The events in a panel in which u_z is monotone. true: the impact ends at *stop; *first: the first
 * event, -1 if none.
 */
static bool events(impact *s, const panel *S, real *stop, real *first) {
    real from = -1;
    const gained end = gain_at(S, 1);
    gained begin = {.uz = S->uz};
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
                const quantity q = trial.law == IMP_STRONGE   ? WORK
                                   : trial.law == IMP_POISSON ? PZ
                                                              : UZ;
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

/* The state where a panel of the interval was left: impulse gained, direction, slip speed. w is the
 * frame's direction.
 */
static void commit(impact *s, const interval *B, const real w[2], const gained *G, const sample *at,
                   real r) {
    const real y = B->mirror * G->p[1], n = B->mirror * at->n;
    s->p[0] += w[0] * G->p[0] - w[1] * y;
    s->p[1] += w[1] * G->p[0] + w[0] * y;
    s->p[2] += G->p[2];
    s->uz = G->uz;
    s->r = r;
    s->w[0] = w[0] * at->c - w[1] * n;
    s->w[1] = w[1] * at->c + w[0] * n;
}

/* Along the slip direction, which is a ray. */
static bool along_ray(impact *s) {
    const real c = s->w[0], n = s->w[1], *M = s->d.M, bw = s->d.b[0] * c + s->d.b[1] * n;
    const real g = bw - s->d.mu * (M[0] * c * c + 2 * M[1] * c * n + M[2] * n * n);
    return straight(s, g, s->d.K33 - s->d.mu * bw, -s->d.mu * c, -s->d.mu * n);
}

/* The slip is on the ray ahead to rounding, or what it has left is: turn onto it. */
static bool joins_ray(impact *s, const interval *B, const real w[2], real x, const sample *here,
                      real r0) {
    const real gap = 2 * expl(-x) * B->sd; /* about tb - t */
    if (!(x > 0 && (gap < 1e-19L || (here->g < 0 && gap < 0.05L && s->r * gap < 1e-22L * r0))))
        return false;
    const real n = B->mirror * B->sb;
    s->w[0] = w[0] * B->cb - w[1] * n;
    s->w[1] = w[1] * B->cb + w[0] * n;
    return true;
}

/* A panel from x, as long as it may be but at most `most`. */
static real half_width(const interval *B, real x, real most) {
    const real turn = hodograph_next_turn(B, x);
    real hw = 2 * most > turn - x ? 0.5L * (turn - x) : most;
    for (int i = 0; i < 400 && !hodograph_resolved(B, x, hw); i++)
        hw *= 0.8L;
    return hw;
}

/* Curved slip until the impact ends (true), or until the slip is on a ray or at the origin
 * (false). */
static bool slip(impact *s) {
    interval B;
    hodograph_interval(&s->d, s->w, &B);
    const real r0 = s->r, w[2] = {s->w[0], s->w[1]};
    real x = hodograph_start(&B), most = 2;
    sample here = hodograph_sample(&B, x);
    for (; s->panels < MOST_PANELS; s->panels++) {
        if (joins_ray(s, &B, w, x, &here, r0)) return along_ray(s);
        if (here.g < 0 && s->r < 1e-25L * r0) {
            s->r = 0;
            return false;
        }
        const real hw = half_width(&B, x, most);
        panel S;
        make_panel(s, &B, x, hw, &S);
        real stop = 1, first;
        const impact before = *s;
        const bool ends = events(s, &S, &stop, &first);
        const real part = 0.5L * (1 + first);
        if (first > -1 && part < 0.05L && hw > LDBL_MIN) {
            /* in a corner of the panel: take a smaller one */
            const int panels = s->panels;
            *s = before;
            s->panels = panels;
            most = part * hw * 1.5L;
            continue;
        }
        most = fminl(2, 8 * hw);
        x += hw * (1 + stop);
        here = hodograph_sample(&B, x);
        const gained G = gain_at(&S, stop);
        commit(s, &B, w, &G, &here, G.r);
        if (ends) return true;
    }
    s->failed = true;
    return true;
}

bool hodograph_impact(const double W[6], const double q[3], double mu, double e,
                      imp_darboux_law law, hodograph *result) {
    static rule gauss_legendre; /* made once; the oracle is not thread-safe */
    if (gauss_legendre.w[0] == 0) hodograph_make_rule(&gauss_legendre);
    impact s = {.R = &gauss_legendre, .law = law, .e = e, .compressions = 1};
    s.d.mu = mu;
    s.d.K33 = W[0];
    for (int i = 0; i < 3; i++)
        s.d.M[i] = W[3 + i];
    for (int i = 0; i < 2; i++)
        s.d.b[i] = W[1 + i];
    s.uz = s.uz_start = q[0];
    s.r = hypotl(q[1], q[2]);
    if (s.r > 0)
        for (int i = 0; i < 2; i++)
            s.w[i] = q[1 + i] / s.r;
    const real scale = s.d.mu * (s.d.M[0] + s.d.M[2]) + hypotl(s.d.b[0], s.d.b[1]);
    bool ended = q[0] >= 0 || (mu == 0 && straight(&s, 0, s.d.K33, 0, 0));
    while (!ended) {
        if (s.r == 0) {
            leave_origin(&s);
            break;
        }
        const real c = s.w[0], n = s.w[1];
        const real f = s.d.b[1] * c - s.d.b[0] * n -
                       s.d.mu * (s.d.M[1] * (c * c - n * n) + (s.d.M[2] - s.d.M[0]) * c * n);
        ended = fabsl(f) <= 2 * LDBL_EPSILON * scale ? along_ray(&s) : slip(&s);
    }
    *result = (hodograph){.p = {(double)s.p[2], (double)s.p[0], (double)s.p[1]},
                          .work_c = (double)s.work[0],
                          .work_d = (double)s.work[1],
                          .compressions = s.compressions,
                          .panels = s.panels};
    result->u[0] = (double)s.uz;
    for (int i = 0; i < 2; i++)
        result->u[1 + i] = (double)(mu > 0 ? s.r * s.w[i] : q[1 + i] + s.d.b[i] * s.p[2]);
    return !s.failed;
}
