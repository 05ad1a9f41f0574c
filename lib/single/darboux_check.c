/* darboux_check.c - the Darboux-Keller process by Taylor series in angle functions, for
 * certificates.
 *
 * Mirtich reworked, section 3, in the parameter ds = dp_z/r, which makes every right-hand side
 * entire:
 *     c' = -n f,  n' = c f,  r' = r g,  p_z' = r,  p_xy' = -mu r (c, n),  u_z' = r h,  W' = r u_z,
 * c, n the cosine and sine of the slip direction in a fixed frame. Shorter and ten times slower
 * than the solver, with which it shares no code: other variables, no rays, no quadrature, roots by
 * bisection. */
#define IMP_ONE_LANE
#include "single/darboux_check.h"

#include "base/dd.h"
#include "base/length.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ORDER = 20, MOST_STEPS = 2000 };

typedef struct walk {
    /* A = mu M (xx, xy, yy); sizes of f, g and of 1/p_z */
    double A[3], M[3], b[2], K33, mu, scale, brisk;
    double c, n, r, uz, pz, p[2];
    double target;
    imp_trail *trail;
} walk;

typedef struct taylor {
    double c[ORDER + 1], n[ORDER + 1], r[ORDER + 1], uz[ORDER + 1], pz[ORDER + 1], x[ORDER + 1],
        y[ORDER + 1], work[ORDER + 1];
} taylor;

static double product(const double *a, const double *b, int k) {
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += a[i] * b[k - i];
    return sum;
}

static double value(const double *a, double s) {
    double sum = 0;
    for (int k = ORDER; k >= 0; k--)
        sum = sum * s + a[k];
    return sum;
}

/* The series about the present state; r in units of itself. Returns the step it serves. */
static double expand(const walk *w, taylor *S) {
    double f[ORDER], g[ORDER], h[ORDER], cc[ORDER], cn[ORDER];
    /* s in units in which no rate is above 1 */
    const double unit = 1 / w->scale, push = w->r * unit;
    memset(S, 0, sizeof *S);
    S->c[0] = w->c;
    S->n[0] = w->n;
    S->r[0] = 1;
    S->uz[0] = w->uz;
    for (int k = 0; k < ORDER; k++) {
        cc[k] = product(S->c, S->c, k);
        cn[k] = product(S->c, S->n, k);
        const double nn = (k == 0) - cc[k], along = w->b[0] * S->c[k] + w->b[1] * S->n[k];
        f[k] = unit * (w->b[1] * S->c[k] - w->b[0] * S->n[k] - w->A[1] * (cc[k] - nn) -
                       (w->A[2] - w->A[0]) * cn[k]);
        g[k] = unit * (along - w->A[0] * cc[k] - 2 * w->A[1] * cn[k] - w->A[2] * nn);
        h[k] = unit * ((k == 0 ? w->K33 : 0) - w->mu * along);
        const double over = 1.0 / (k + 1);
        S->c[k + 1] = -product(S->n, f, k) * over;
        S->n[k + 1] = product(S->c, f, k) * over;
        S->r[k + 1] = product(S->r, g, k) * over;
        S->pz[k + 1] = push * S->r[k] * over;
        S->x[k + 1] = push * product(S->r, S->c, k) * over;
        S->y[k + 1] = push * product(S->r, S->n, k) * over;
        S->uz[k + 1] = w->r * product(S->r, h, k) * over;
        S->work[k + 1] = push * product(S->r, S->uz, k) * over;
    }
    double step = 1e12; /* s^ORDER stays in range */
    for (int k = ORDER - 1; k <= ORDER; k++) {
        const double motion = fmax(fabs(S->r[k]), imp_length(S->c[k], S->n[k])),
                     work = fabs(S->work[k]) / ((fabs(w->uz) + w->r) * push);
        step = fmin(step, pow(1e-17 / fmax(motion, DBL_MIN), 1.0 / k));
        step = fmin(step, pow(1e-15 / fmax(work, DBL_MIN), 1.0 / k));
    }
    return step;
}

/* Where an increasing function leaves 0, between low and high: down to neighbouring doubles, for
 * the root is as far below the step as q_n is below the slip. */
static double bisect(const double *a, double level, double sign, double low, double high) {
    for (double middle; middle = 0.5 * (low + high), middle > low && middle < high;) {
        if (sign * (value(a, middle) - level) < 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Notes that u_z reached `uz` after `pz` more impulse and `work`; a change of sign begins a
 * phase. */
static void note(walk *w, double pz, double work, double uz) {
    imp_trail *t = w->trail;
    const int i = t->phases - 1;
    t->impulse[i] += pz;
    t->work[i] += work;
    t->peak[i] = fmax(t->peak[i], uz);
}

/* There are four at most: u_z turns twice at most, where h changes sign, and rises at the end. A
 * defect would go on in the last for which there is room. */
static void next_phase(walk *w) {
    w->trail->phases += w->trail->phases < IMP_TRAIL_PHASES;
}

static bool opening(const walk *w) {
    return w->trail->phases % 2 == 0;
}

/* The ends of the pieces of [0, step] with monotone u_z: where h = K33 - mu b.w changes sign. The
 * direction turns by less than 20 degrees, since a step ends an eighth of the way to the nearest
 * pole of the series, where 1e-17 is left of the terms; so h, a cosine of it, has at most one
 * extremum inside: along b. */
static int pieces(const walk *w, const taylor *S, double step, double end[4]) {
    double h[ORDER + 1], across[ORDER + 1]; /* h and its derivative by the angle */
    for (int k = 0; k <= ORDER; k++) {
        h[k] = (k == 0 ? w->K33 : 0) - w->mu * (w->b[0] * S->c[k] + w->b[1] * S->n[k]);
        across[k] = w->b[0] * S->n[k] - w->b[1] * S->c[k];
    }
    double knot[3] = {0, step, step};
    int knots = 1, count = 0;
    const double before = across[0], after = value(across, step);
    if (before * after < 0) {
        knot[1] = bisect(across, 0, after > 0 ? 1 : -1, 0, step);
        knots = 2;
    }
    for (int i = 0; i < knots; i++) {
        const double low = value(h, knot[i]), high = value(h, knot[i + 1]);
        if (low * high < 0) end[count++] = bisect(h, 0, high > 0 ? 1 : -1, knot[i], knot[i + 1]);
    }
    end[count++] = step;
    return count;
}

/* One step of slip; true when the target was reached. */
static bool slip(walk *w) {
    taylor S;
    const double step = expand(w, &S);
    double end[4], from = 0;
    bool reached = false, turned = false;
    const int count = pieces(w, &S, step, end);
    for (int i = 0; i < count && !reached && !turned; i++) {
        double to = end[i];
        reached = w->pz + value(S.pz, to) >= w->target;
        if (reached) to = bisect(S.pz, w->target - w->pz, 1, from, to);
        const double last = value(S.uz, to);
        turned = opening(w) ? last < 0 : last > 0;
        if (turned) to = bisect(S.uz, 0, last > 0 ? 1 : -1, from, to);
        note(w, value(S.pz, to) - value(S.pz, from), value(S.work, to) - value(S.work, from),
             value(S.uz, to));
        from = to;
    }
    /* The step ends where a phase does: the work of the next, as small as it may be, is then no
     * difference of larger ones. */
    if (turned) next_phase(w);
    const double c = value(S.c, from), n = value(S.n, from), length = imp_length(c, n);
    w->r *= value(S.r, from);
    w->c = c / length;
    w->n = n / length;
    w->uz = value(S.uz, from);
    w->pz += value(S.pz, from);
    w->p[0] -= w->mu * value(S.x, from);
    w->p[1] -= w->mu * value(S.y, from);
    return reached && !turned;
}

/* A straight stretch: slip grows by g and u_z by h per p_z. true when the target was reached, false
 * at the origin. */
static bool straight(walk *w, double g, double h, double px, double py) {
    double left = w->target - w->pz;
    const bool origin = g < 0 && w->r < -g * left;
    if (origin) left = w->r / -g;
    w->r = origin ? 0 : w->r + g * left;
    w->p[0] += px * left;
    w->p[1] += py * left;
    w->pz += left;
    double last = w->uz + h * left;
    if (opening(w) ? last < 0 : last > 0) {
        const double zero = fmax(0, fmin(-w->uz / h, left));
        note(w, zero, zero * (w->uz + 0.5 * h * zero), 0);
        next_phase(w);
        w->uz = 0;
        left -= zero;
        last = h * left;
    }
    note(w, left, left * (w->uz + 0.5 * h * left), last);
    w->uz = last;
    return !origin;
}

/* From the origin to the target: stick if |M^-1 b| <= mu, else slip with (c, n) = (lambda I + A)^-1
 * b, a unit vector; lambda by bisection. */
static void leave_origin(walk *w) {
    /* elimination from the second row, in double-double: the small pivot of a slender body is what
     * is left of larger ones */
    const dd second = {w->M[2] > 0 ? w->M[2] : 1, 0}, l = dd_div((dd){w->M[1], 0}, second);
    dd pivot = dd_sub((dd){w->M[0], 0}, dd_times(l, w->M[1]));
    if (!(pivot.hi > 0.25 * DBL_EPSILON * w->M[0])) pivot = (dd){0.25 * DBL_EPSILON * w->M[0], 0};
    const dd x_part = dd_div(dd_sub((dd){w->b[0], 0}, dd_times(l, w->b[1])), pivot),
             y_part = dd_div(dd_sub((dd){w->b[1], 0}, dd_times(x_part, w->M[1])), second);
    const double cx = x_part.hi, cy = y_part.hi,
                 rise = dd_sub(dd_sub((dd){w->K33, 0}, dd_times(x_part, w->b[0])),
                               dd_times(y_part, w->b[1]))
                            .hi;
    if (imp_length(cx, cy) <= w->mu) {
        (void)straight(w, 0, fmax(rise, 0.25 * DBL_EPSILON * w->K33), -cx, -cy);
        return;
    }
    double low = 0, high = imp_length(w->b[0], w->b[1]), x = w->b[0], y = w->b[1];
    for (int i = 0; i < 200; i++) {
        const double lambda = 0.5 * (low + high), xx = w->A[0] + lambda, yy = w->A[2] + lambda;
        const double d = xx * yy - w->A[1] * w->A[1];
        x = (yy * w->b[0] - w->A[1] * w->b[1]) / d;
        y = (xx * w->b[1] - w->A[1] * w->b[0]) / d;
        if (imp_length(x, y) > 1)
            low = lambda;
        else
            high = lambda;
    }
    const double length = imp_length(x, y), lambda = 0.5 * (low + high);
    w->c = x / length;
    w->n = y / length;
    (void)straight(w, lambda, w->K33 - w->mu * (w->b[0] * w->c + w->b[1] * w->n), -w->mu * w->c,
                   -w->mu * w->n);
}

bool imp_darboux_trail(const double W[6], const double q[3], double mu, double p_n,
                       imp_trail *trail) {
    walk w = {.M = {W[3], W[4], W[5]},
              .b = {W[1], W[2]},
              .K33 = W[0],
              .mu = mu,
              .uz = q[0],
              .target = p_n,
              .trail = trail};
    for (int i = 0; i < 3; i++)
        w.A[i] = mu * w.M[i];
    w.r = imp_length(q[1], q[2]);
    w.scale = fmax(mu * (W[3] + W[5]) + imp_length(W[1], W[2]), 1e-100); /* s and works in range */
    w.brisk = (W[0] + mu * imp_length(W[1], W[2])) / -q[0];
    if (w.r > 0) {
        w.c = q[1] / w.r;
        w.n = q[2] / w.r;
    }
    *trail = (imp_trail){.phases = 1, .peak = {q[0]}};
    bool done = mu == 0;
    if (done) (void)straight(&w, 0, W[0], 0, 0);
    for (int i = 0; !done && i < MOST_STEPS; i++) {
        if (w.r == 0) {
            leave_origin(&w);
            done = true;
            continue;
        }
        const double along = w.b[0] * w.c + w.b[1] * w.n,
                     cross = w.A[1] * (w.c * w.c - w.n * w.n) + (w.A[2] - w.A[0]) * w.c * w.n;
        const double g = along - w.A[0] * w.c * w.c - 2 * w.A[1] * w.c * w.n - w.A[2] * w.n * w.n;
        const double f = w.b[1] * w.c - w.b[0] * w.n - cross;
        /* of p_n and of friction so far, less than the solver leaves out */
        const double left = -w.r / g, little = 1e-13 * fmax(fabs(w.p[0]), fabs(w.p[1]));
        if (g < 0 && (1 + mu) * left * fmin(1 / fmax(w.pz, DBL_MIN), w.brisk) < 1e-18 &&
            mu * left <= DBL_MIN + little)
            w.r = 0;
        else if (fabs(f) <= 2 * DBL_EPSILON * w.scale)
            done = straight(&w, g, w.K33 - mu * along, -mu * w.c, -mu * w.n);
        else
            done = slip(&w);
    }
    trail->p[0] = w.p[0];
    trail->p[1] = w.p[1];
    return done;
}
