/* darboux_series.c - one Taylor step of the slip.
 *
 * The series are those of darboux_slip.h; besides
 *     u_z' = r (h x - mu b2 y + K33 d),   p_z' = r (x + d),   p_xy' = -mu r (x, y).
 * Only X, Y, D = int x, y, d ds are evaluated; the rest is linear in them. The work int u_z p_z' ds
 * has twice the exponents of its factors and is taken by Gauss-Legendre instead. */
#include "single/darboux_process.h"
#include "base/two_lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { NODES = IMP_GAUSS_NODES };

/* The largest |g| s of a step: NODES Gauss points then integrate the work to rounding. */
static const double GROWTH = 1.6;

/* (floor / size)^(1/order), to 7 per cent: the bits of a double are its logarithm. */
static double root_of_ratio(double floor, double size, double order) {
    int64_t a, b;
    memcpy(&a, &floor, sizeof a);
    memcpy(&b, &size, sizeof b);
    const int64_t one = (int64_t)1023 << 52, bits = one + (int64_t)((double)(a - b) * (1 / order));
    double root;
    memcpy(&root, &bits, sizeof root);
    return root;
}

static double largest(double x, double y, double z) {
    double most = fabs(x);
    if (fabs(y) > most) most = fabs(y);
    if (fabs(z) > most) most = fabs(z);
    return most;
}

/* The Taylor coefficients; returns how far they reach. */
static double expand(imp_series *S, double loose, double weight) {
    double x[ORDER + 1], y[ORDER + 1], d[ORDER + 1];
    taylor(&S->k, x, y, d);
    for (int k = 1; k <= ORDER; k++) {
        S->sum[k][0] = x[k - 1] * reciprocal[k];
        S->sum[k][1] = y[k - 1] * reciprocal[k];
        S->sum[k][2] = d[k - 1] * reciprocal[k];
        S->sum[k][3] = 0; /* a fourth lane keeps the loops of imp_series_at in whole vectors */
        S->speed[k] = x[k] + d[k];
    }
    /* X lacks x_ORDER s^(ORDER+1)/(ORDER+1); the term before, 4 times larger, speaks for it, too */
    double length = INFINITY, floor = 1e-16 * (ORDER + 1) * loose;
    for (int k = ORDER; k >= ORDER - 1; k--) {
        length = smaller(length, root_of_ratio(floor, largest(x[k], weight * y[k], d[k]), k + 1));
        floor *= 4;
    }
    return length;
}

imp_instant imp_series_at(const imp_stretch *stretch, double s) {
    const imp_series *S = &stretch->series;
    const rates *k = &S->k;
    /* orders that differ by four in a sum, so that an addition need not wait for the one before */
    const double ss = s * s, step = ss * ss;
    double a[4] = {0}, b[4] = {0}, c[4] = {0}, e[4] = {0}, all[3];
    FLAT for (int i = ORDER; i >= 3; i -= 4) for (int j = 0; j < 4; j++) {
        a[j] = a[j] * step + S->sum[i][j];
        b[j] = b[j] * step + S->sum[i - 1][j];
        c[j] = c[j] * step + S->sum[i - 2][j];
        e[j] = e[j] * step + S->sum[i - 3][j];
    }
    for (int j = 0; j < 3; j++)
        all[j] = ((a[j] * step + S->sum[2][j]) * s + (b[j] * step + S->sum[1][j])) * s +
                 (c[j] * s + e[j]) * (ss * s);
    const double X = all[0], Y = all[1], D = all[2];
    const double x = 1 + (k->g * X - k->A12 * Y + k->b1 * D), y = k->f * X - k->A22 * Y + k->b2 * D;
    const double speed = sqrt(x * x + y * y), d = x > 0 ? y * y / (speed + x) : speed - x,
                 over = 1 / speed;
    const double x1 = k->g * x - k->A12 * y + k->b1 * d, y1 = k->f * x - k->A22 * y + k->b2 * d;
    const double speed1 = (x * x1 + y * y1) * over, r = S->r;
    return (imp_instant){.s = s,
                         .r = r * speed,
                         .c = x * over,
                         .n = y * over,
                         .pz = S->push * (X + D),
                         .X = S->push * X,
                         .Y = S->push * Y,
                         .uz = S->uz + r * (k->h * X - S->mub2 * Y + S->K33 * D),
                         .pz1 = S->push * speed,
                         .pz2 = S->push * speed1,
                         .uz1 = r * (k->h * x - S->mub2 * y + S->K33 * d),
                         .uz2 = r * (k->h * x1 - S->mub2 * y1 + S->K33 * (speed1 - x1))};
}

const double imp_gauss_node[IMP_GAUSS_NODES] = {
    0.01985507175123188416, 0.10166676129318663020, 0.23723379504183550709, 0.40828267875217509753,
    0.59171732124782490247, 0.76276620495816449291, 0.89833323870681336980, 0.98014492824876811584};
const double imp_gauss_weight[IMP_GAUSS_NODES] = {
    0.05061426814518812958, 0.11119051722668723527, 0.15685332293894364367, 0.18134189168918099148,
    0.18134189168918099148, 0.15685332293894364367, 0.11119051722668723527, 0.05061426814518812958};

double imp_series_integral(const imp_stretch *stretch, double a, double from, double to) {
    enum { PAIRS = NODES / 2 };
    const imp_series *S = &stretch->series;
    const double length = to - from;
    two_lanes s[PAIRS], u[PAIRS], v[PAIRS], sum = {0, 0};
    FLAT for (int i = 0; i < PAIRS; i++) {
        s[i] = from + length * two_of(imp_gauss_node + 2 * i);
        u[i] = v[i] = sum;
    }
    for (int k = ORDER; k >= 1; k--) {
        const double rise = S->k.h * S->sum[k][0] - S->mub2 * S->sum[k][1] + S->K33 * S->sum[k][2],
                     speed = S->speed[k];
        FLAT for (int i = 0; i < PAIRS; i++) {
            u[i] = (u[i] + rise) * s[i];
            v[i] = (v[i] + speed) * s[i];
        }
    }
    FLAT for (int i = 0; i < PAIRS; i++) {
        two_lanes uz = S->uz + S->r * u[i];
        if (a > 0) uz = uz / (1 - a * uz);
        sum += two_of(imp_gauss_weight + 2 * i) * (1 + v[i]) * uz;
    }
    return S->push * length * (sum[0] + sum[1]);
}

/* The instant at which the slip has turned into the direction (c, n) of the frame, known to lie
 * before `end`. From a relative error of 1e-8 one of Newton's steps leaves rounding. */
static imp_instant turned(const imp_stretch *S, double c, double n, const imp_instant *end) {
    const double side = n > 0 ? 1 : -1, A12 = S->series.k.A12, A22 = S->series.k.A22;
    const double turn = side * S->series.k.f;
    double low = 0, high = end->s, s = parabola(side * n / c, turn, side * end->n / end->c, high);
    imp_instant now = imp_series_at(S, s);
    for (int i = 0; i < 60; i++) {
        const double left = side * (n * now.c - c * now.n); /* sine of the angle still to turn */
        if (left > 0)
            low = s;
        else
            high = s;
        /* dangle/ds = f in the present direction */
        const double f = (S->series.k.b2 - A12 * now.c - A22 * now.n) * now.c -
                         (S->series.k.b1 - S->series.k.A11 * now.c - A12 * now.n) * now.n;
        double next = s + left / (side * f);
        if (fabs(next - s) <= 1e-8 * s) return imp_series_at(S, next);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        s = next;
        now = imp_series_at(S, s);
    }
    return now;
}

/* The ends of the pieces in which u_z is monotone. Where h can change sign the direction turns by
 * less than 53 degrees, so that "ahead" has a meaning. */
static void split(const imp_process *p, imp_stretch *S, double length) {
    imp_instant last = imp_series_at(S, length);
    S->ends = 0;
    if (p->turns) {
        while (last.c < 0.6)
            last = imp_series_at(S, 0.5 * last.s);
        const double side = S->series.k.f > 0 ? 1 : -1;
        for (int i = 0; i < 2; i++) {
            const double *d = p->turn[i];
            const double c = d[0] * p->w[0] + d[1] * p->w[1], n = d[1] * p->w[0] - d[0] * p->w[1];
            if (c > 0 && side * n > 0 && side * (c * last.n - n * last.c) > 0)
                S->end[S->ends++] = turned(S, c, n, &last);
        }
        if (S->ends == 2 && S->end[0].s > S->end[1].s) {
            const imp_instant second = S->end[0];
            S->end[0] = S->end[1];
            S->end[1] = second;
        }
    }
    S->end[S->ends++] = last;
}

/* How much less than rounding the series must give: of a slip so small that all of its impulse is,
 * errors in proportion. */
static double looseness(const imp_process *p, double g) {
    const double part = fabs(g) < p->steepest ? fabs(g) / p->steepest : 1,
                 small = -0.1 * p->uz_start * part;
    return p->r < small ? fmin(small / p->r, 1e12) : 1;
}

void imp_series_begin(const imp_process *p, const rates *k, imp_stretch *S) {
    imp_series *T = &S->series;
    const double unit = 1 / p->scale; /* of s: all rates are at most 1, whatever the friction */
    T->k = rates_in(k, unit);
    T->r = p->r;
    T->push = p->r * unit;
    T->uz = p->uz;
    T->K33 = p->K33 * unit;
    T->mub2 = p->mu * T->k.b2;
    S->w[0] = p->w[0];
    S->w[1] = p->w[1];
    S->along_ray = false;
    const double x1 = T->k.g, y1 = T->k.f, loose = looseness(p, k->g), turn = fabs(y1);
    S->start = (imp_instant){.r = T->r,
                             .c = 1,
                             .uz = T->uz,
                             .pz1 = T->push,
                             .pz2 = T->push * x1,
                             .uz1 = T->r * T->k.h,
                             .uz2 = T->r * (T->k.h * x1 - T->mub2 * y1)};
    /* y relative to the turning rate, so that a direction close beside a repelling ray keeps its
     * distance */
    double length = expand(T, loose, loose * turn > 1 ? 1 / turn : loose);
    const double growth = GROWTH / fabs(x1) * root_of_ratio(loose, 1, 16);
    if (length > growth) length = growth;
    if (length > 1e12) length = 1e12; /* s^ORDER stays in range */
    split(p, S, length);
}
