/* lzb_system.c - what the process of lzb.h and its certificate read of a problem. */
#include "blocks/lzb.h"

#include "base/exact.h"
#include "base/finite.h"
#include "linear/islands.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Room for islands of up to n contacts; false without memory. */
static bool make_room(imp_lzb_system *s, size_t n) {
    s->contact = calloc(n, sizeof *s->contact);
    s->N = calloc(n * n + 4 * n, sizeof *s->N);
    if (!s->contact || !s->N) return false;
    s->q = s->N + n * n;
    s->K = s->q + n;
    s->e = s->K + n;
    s->own = s->e + n;
    return true;
}

/* N and q of the contacts of s, in 2^mass 1/kg and 2^speed m/s; false: one approaches that no
 * impulse moves. */
static bool read_motion(imp_lzb_system *s, const imp_problem *problem, int *mass, int *speed) {
    const size_t n = (size_t)s->n;
    double block[9], trace = 0;
    bool moves = true;
    s->most = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            problem->W->kind->block(problem->W, s->contact[i], s->contact[j], block);
            s->N[i * n + j] = block[0];
        }
        s->q[i] = problem->q[3 * (size_t)s->contact[i]];
        trace = fmax(trace, s->N[i * n + i]);
        s->most = fmax(s->most, -s->q[i]);
        if (s->q[i] < 0 && !(s->N[i * n + i] > 0)) moves = false;
    }
    *mass = imp_exponent(trace);
    *speed = imp_exponent(s->most);
    imp_shift(s->N, n * n, -*mass);
    imp_shift(s->q, n, -*speed);
    s->most = ldexp(s->most, -*speed);
    return moves;
}

/* What changes its contact's velocity by less than the fastest approach rounds is no push: it would
 * be all there is to judge those by that only follow. */
static void drop_dust(const imp_lzb_system *s, double *P) {
    const size_t n = (size_t)s->n;
    for (size_t i = 0; i < n; i++)
        if (fabs(P[i]) * s->N[i * (n + 1)] <= DBL_EPSILON * s->most) P[i] = 0;
}

/* P (nc) <- the impulses of the contacts of s; own (n) is room. */
static imp_status follow_island(imp_lzb_system *s, const imp_problem *problem, const double *K,
                                imp_lzb_follow *follow, void *data, double *own, double *P) {
    const size_t n = (size_t)s->n;
    int mass, speed;
    if (!read_motion(s, problem, &mass, &speed)) return IMP_NO_SOLUTION;
    if (s->most == 0) return IMP_OK;
    for (size_t i = 0; i < n; i++) {
        s->K[i] = K[s->contact[i]];
        s->e[i] = problem->e ? problem->e[s->contact[i]] : 0;
    }
    pass_blows_on(s);
    memset(own, 0, n * sizeof *own);
    const imp_status status = follow(s, data, own);
    drop_dust(s, own);
    imp_shift(own, n, speed - mass);
    if (!imp_all_finite(own, n)) return IMP_OVERFLOW;
    for (size_t i = 0; i < n; i++)
        P[s->contact[i]] = own[i];
    return status;
}

/* K (nc) <- the stiffness of the contacts; false: one is out of its range. */
static bool grade_contacts(size_t nc, double grade, double *K) {
    for (size_t i = 0; i < nc; i++) {
        K[i] = i == 0 ? 1 : K[i - 1] * grade;
        if (!(K[i] > 1e-200 && K[i] < 1e200)) return false;
    }
    return true;
}

imp_status imp_lzb_all(const imp_problem *problem, const imp_lzb_settings *settings,
                       imp_lzb_follow *follow, void *data, double *P) {
    const size_t nc = (size_t)problem->nc;
    imp_lzb_system s = {.eta = settings->exponent};
    int *label = calloc(nc, sizeof *label);
    double *K = calloc(2 * nc, sizeof *K);
    const int islands = label && K && make_room(&s, nc) ? imp_islands(problem->W, label) : -1;
    imp_status worst = islands < 0 ? IMP_NO_MEMORY : IMP_OK;
    if (worst == IMP_OK && !grade_contacts(nc, settings->grade, K)) worst = IMP_UNSUPPORTED;
    for (int which = 0; which < islands && worst >= 0; which++) {
        s.n = 0;
        for (size_t i = 0; i < nc; i++)
            if (label[i] == which) s.contact[s.n++] = (int)i;
        const imp_status status = follow_island(&s, problem, K, follow, data, K + nc, P);
        if (status < 0 || worst == IMP_OK) worst = status;
    }
    free(label);
    free(K);
    free(s.contact);
    free(s.N);
    return worst;
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
