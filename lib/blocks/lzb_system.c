/* lzb_system.c - what the process of lzb.h and its certificate read of a problem. */
#include "blocks/lzb.h"

#include "base/exact.h"

#include <math.h>
#include <stdlib.h>

const imp_lzb_settings imp_lzb_presets = {
    .exponent = 1.5, .grade = 1, .tolerance = 1e-10, .max_steps = 1e5};

/* Longest paths: an elastic blow that turns contact j round passes 2 |N_ij| / N_jj of its approach
 * on to i, up to what the energy of one contact's approach allows. */
static void pass_blows_on(imp_lzb_system *s) {
    const size_t n = (size_t)s->n;
    double root = 0; /* of that energy */
    for (size_t i = 0; i < n; i++) {
        const double N = s->N[i * (n + 1)];
        s->own[i] = fmax(-s->q[i], 0);
        if (N > 0) root = fmax(root, s->own[i] / sqrt(N));
    }
    bool changed = true;
    for (size_t round = 0; round < n && changed; round++) {
        changed = false;
        for (size_t k = 0; k < n * n; k++) {
            const size_t i = k / n, j = k % n;
            const double N = s->N[j * (n + 1)];
            if (i == j || !(N > 0)) continue;
            const double passed = 2 * fabs(s->N[k]) / N * s->own[j];
            const double most = sqrt(s->N[i * (n + 1)]) * root;
            if (fmin(passed, most) <= s->own[i]) continue;
            s->own[i] = fmin(passed, most);
            changed = true;
        }
    }
    for (size_t i = 0; i < n; i++) {
        s->own[i] = fmax(s->own[i], fabs(s->q[i]));
        if (s->own[i] == 0) s->own[i] = s->most;
    }
}

bool imp_lzb_open(imp_lzb_system *s, const imp_problem *problem, const imp_lzb_settings *settings) {
    const size_t n = (size_t)problem->nc;
    double block[9], trace = 0, speed = 0;
    *s = (imp_lzb_system){
        .n = problem->nc, .N = calloc(n * n + 4 * n, sizeof *s->N), .eta = settings->exponent};
    if (!s->N) return false;
    s->q = s->N + n * n;
    s->K = s->q + n;
    s->e = s->K + n;
    s->own = s->e + n;
    s->moves = s->graded = true;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            problem->W->kind->block(problem->W, (int)i, (int)j, block);
            s->N[i * n + j] = block[0];
        }
        s->q[i] = problem->q[3 * i];
        s->e[i] = problem->e ? problem->e[i] : 0;
        s->K[i] = i == 0 ? 1 : s->K[i - 1] * settings->grade;
        if (!(s->K[i] > 1e-200 && s->K[i] < 1e200)) s->graded = false;
        trace = fmax(trace, s->N[i * n + i]);
        speed = fmax(speed, -s->q[i]);
        if (s->q[i] < 0 && !(s->N[i * n + i] > 0)) s->moves = false;
    }
    s->mass = imp_exponent(trace);
    s->speed = imp_exponent(speed);
    imp_shift(s->N, n * n, -s->mass);
    imp_shift(s->q, n, -s->speed);
    s->most = ldexp(speed, -s->speed);
    pass_blows_on(s);
    return true;
}

void imp_lzb_close(imp_lzb_system *s) {
    free(s->N);
}

double imp_lzb_power(double x, double eta) {
    if (!(x > 0)) return 0;
    return eta == 1.5 ? x * sqrt(x) : eta == 1 ? x : eta == 2 ? x * x : pow(x, eta);
}

void imp_lzb_push(const imp_lzb_system *s, const double *F, double *change) {
    const size_t n = (size_t)s->n;
    for (size_t i = 0; i < n; i++) {
        const double *const row = s->N + i * n;
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += row[j] * F[j];
        change[i] = sum;
    }
}

void imp_lzb_give_back(size_t n, const double *W, const double *q, double *P) {
    double gained = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            gained += P[i] * W[i * n + j] * P[j];
        lost -= 2 * P[i] * q[i];
    }
    for (size_t i = 0; i < n && gained > lost && lost > 0; i++)
        P[i] *= lost / gained;
}

/* K x^(eta+1) / (eta+1) = speed^2 / 2N */
double imp_lzb_reach(const imp_lzb_system *s, int i, double speed) {
    const double N = s->N[(size_t)i * (size_t)(s->n + 1)], K = s->K[i];
    if (!(N > 0)) return 1;
    const double binades =
        (2 * imp_exponent(speed) - imp_exponent(N) - imp_exponent(K)) / (s->eta + 1);
    return ldexp(1, (int)floor(binades));
}

double imp_lzb_turn(double (*value)(void *data, double h), void *data, double high, double at_start,
                    double at_end) {
    const double whole = high;
    double low = 0, at_low = at_start, at_high = at_end;
    for (int k = 1, side = 0; k < 200 && high - low > 1e-15 * whole && at_high > 1e-15; k++) {
        const double secant = high - at_high * (high - low) / (at_high - at_low);
        const double middle = k % 4 ? secant : low + (high - low) / 2;
        const double found = value(data, middle);
        if (found > -1e-15) {
            high = middle, at_high = found;
            if (side == 1) at_low /= 2;
            side = 1;
        } else {
            low = middle, at_low = found;
            if (side == -1) at_high /= 2;
            side = -1;
        }
    }
    return value(data, high);
}

bool imp_lzb_touches(const double at[2], const double slope[2], double h) {
    /* at[0] + t (a + t (b + t c)), t in (0, 1); turns where a + 2 b t + 3 c t^2 = 0 */
    const double a = h * slope[0], d = at[1] - at[0], b = 3 * d - 2 * a - h * slope[1],
                 c = a + h * slope[1] - 2 * d, square = b * b - 3 * a * c,
                 near = 0.1 * fmax(at[0], at[1]);
    if (!(square > 0)) return false;
    const double root = b < 0 ? -b + sqrt(square) : -b - sqrt(square),
                 turn[2] = {root / (3 * c), a / root};
    for (int k = 0; k < 2; k++) {
        const double t = turn[k];
        if (t > 0 && t < 1 && at[0] + t * (a + t * (b + t * c)) > near) return true;
    }
    return false;
}
