/* springs_system.c - what the process of springs.h and its certificate read of a problem. */
#include "blocks/springs.h"

#include "base/exact.h"
#include "base/finite.h"
#include "blocks/lzb.h"
#include "linear/islands.h"

#include <math.h>
#include <stdlib.h>

const imp_springs_settings imp_springs_presets = {
    .exponent = 1.5, .grade = 1, .tolerance = 1e-10, .max_steps = 1e4};

/* a v of the law, by bisection. What rounding leaves of it moves e by 2e-8 at most, where e is next
 * to 1. */
static double damping_of(double e) {
    const double least = 1e-9;
    e = fmax(e, least);
    double low = 0, high = 1 / e;
    if (e >= 1) return 0;
    for (int k = 0; k < 200 && high - low > 1e-16 * high; k++) {
        const double z = 0.5 * (low + high);
        if (z * e < 1 && log1p(z) - log1p(-z * e) < z * (1 + e))
            low = z;
        else
            high = z;
    }
    return 0.5 * (low + high);
}

double imp_springs_slope(double x, double eta) {
    if (!(x > 0)) return 0;
    return eta == 1.5 ? 1.5 * sqrt(x) : eta == 1 ? 1 : eta == 2 ? 2 * x : eta * pow(x, eta - 1);
}

void imp_springs_velocity(const imp_springs *s, const double *P, double *u) {
    const int m = 3 * s->n;
    for (int i = 0; i < m; i++) {
        const double *const row = s->W + (size_t)i * (size_t)m;
        double sum = s->q[i];
        for (int j = 0; j < m; j++)
            sum += row[j] * P[j];
        u[i] = sum;
    }
}

bool imp_springs_apart(const imp_springs *s, double tolerance, const double *x, const double *u) {
    const double least = 10 * tolerance * s->approach;
    for (int i = 0; i < s->n; i++) {
        const double N = s->W[(size_t)(3 * i) * (3 * (size_t)s->n + 1)];
        const double held = x[i] > 0 ? N * s->K[i] * x[i] * imp_lzb_power(x[i], s->eta) : 0;
        if (u[3 * i] < -least || held > least * least) return false;
    }
    return true;
}

bool imp_springs_rests(const imp_springs *s, double tolerance, const double *x, const double *u) {
    const double least = 100 * tolerance * s->approach; /* what sticks creeps, at up to d */
    for (int i = 0; i < 3 * s->n; i++)
        if (x[i / 3] > 0 ? fabs(u[i]) > least : i % 3 == 0 && u[i] < -least) return false;
    return true;
}

/* Room for islands of up to n contacts; false without memory. */
static bool make_room(imp_springs *s, size_t n) {
    s->contact = calloc(n, sizeof *s->contact);
    s->W = calloc(9 * n * n + 7 * n, sizeof *s->W);
    if (!s->contact || !s->W) return false;
    s->q = s->W + 9 * n * n;
    s->K = s->q + 3 * n;
    s->mu = s->K + n;
    s->damping = s->mu + n;
    s->depth = s->damping + n;
    return true;
}

/* W and q of the contacts of s, in 2^mass 1/kg and 2^speed m/s; false: one approaches that no
 * impulse moves. */
static bool read_motion(imp_springs *s, const imp_problem *problem, int *mass, int *speed) {
    const size_t n = (size_t)s->n, m = 3 * n;
    double trace = 0, block[9];
    s->approach = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            problem->W->kind->block(problem->W, s->contact[i], s->contact[j], block);
            for (size_t k = 0; k < 9; k++)
                s->W[(3 * i + k / 3) * m + 3 * j + k % 3] = block[k];
        }
        for (size_t k = 0; k < 3; k++) {
            const double q = problem->q[3 * (size_t)s->contact[i] + k];
            s->q[3 * i + k] = q;
            trace = fmax(trace, s->W[(3 * i + k) * (m + 1)]);
            if (k == 0) s->approach = fmax(s->approach, -q);
        }
        if (s->q[3 * i] < 0 && !(s->W[3 * i * (m + 1)] > 0)) return false;
    }
    *mass = imp_exponent(trace);
    *speed = imp_exponent(s->approach);
    imp_shift(s->W, m * m, -*mass);
    imp_shift(s->q, m, -*speed);
    s->approach = ldexp(s->approach, -*speed);
    return true;
}

/* K, mu, a and how deep the contacts of s are pressed; false: K is out of its range. */
static bool read_contacts(imp_springs *s, const imp_problem *problem, double grade) {
    s->time = 0;
    for (size_t i = 0; i < (size_t)s->n; i++) {
        const int c = s->contact[i];
        const double N = s->W[3 * i * (3 * (size_t)s->n + 1)];
        s->K[i] = pow(grade, c);
        if (!(s->K[i] > 1e-200 && s->K[i] < 1e200)) return false;
        s->mu[i] = problem->mu[c];
        s->damping[i] = damping_of(problem->e ? problem->e[c] : 0) / s->approach;
        /* K x^(eta+1) / (eta+1) = approach^2 / 2N */
        const double energy = s->approach * s->approach / (2 * (N > 0 ? N : 1));
        s->depth[i] = pow((s->eta + 1) * energy / s->K[i], 1 / (s->eta + 1));
        s->time = fmax(s->time, s->depth[i] / s->approach);
    }
    return true;
}

/* p <- the impulses of the contacts of s; P (3n) is room. */
static imp_status follow_island(imp_springs *s, const imp_problem *problem, double grade,
                                imp_springs_follow *follow, void *data, double *P, double *p) {
    const size_t m = 3 * (size_t)s->n;
    int mass, speed;
    if (!read_motion(s, problem, &mass, &speed)) return IMP_NO_SOLUTION;
    if (s->approach == 0) return IMP_OK;
    if (!read_contacts(s, problem, grade)) return IMP_UNSUPPORTED;
    memset(P, 0, m * sizeof *P);
    const imp_status status = follow(s, data, P);
    if (status == IMP_OK) imp_lzb_give_back(m, s->W, s->q, P);
    imp_shift(P, m, speed - mass);
    if (!imp_all_finite(P, m)) return IMP_OVERFLOW;
    for (size_t i = 0; i < m; i++) { /* pivots leave rounding where nothing pushes or rubs */
        const bool none = !(P[i - i % 3] > 0) || (i % 3 > 0 && s->mu[i / 3] == 0);
        p[3 * (size_t)s->contact[i / 3] + i % 3] = none ? 0 : P[i];
    }
    return status;
}

imp_status imp_springs_all(const imp_problem *problem, const imp_springs_settings *settings,
                           imp_springs_follow *follow, void *data, double *p) {
    const size_t nc = (size_t)problem->nc;
    imp_springs s = {.eta = settings->exponent};
    int *label = calloc(nc, sizeof *label);
    double *P = calloc(3 * nc, sizeof *P);
    const int islands = label && P && make_room(&s, nc) ? imp_islands(problem->W, label) : -1;
    imp_status worst = islands < 0 ? IMP_NO_MEMORY : IMP_OK;
    for (int which = 0; which < islands && worst >= 0; which++) {
        s.n = 0;
        for (size_t i = 0; i < nc; i++)
            if (label[i] == which) s.contact[s.n++] = (int)i;
        const imp_status status = follow_island(&s, problem, settings->grade, follow, data, P, p);
        if (status < 0 || worst == IMP_OK) worst = status;
    }
    free(label);
    free(P);
    free(s.contact);
    free(s.W);
    return worst;
}
