/* plus_single.c - PLUS for one contact: no linear algebra, no workspace.
 *
 * Uchida, Sherman, Delp (2015), section 2 and Algorithms 1 and 2, whose decisions stand in plus.c.
 * One contact needs no active set: it compresses, then expands, and rolls, slides or is in
 * impending slip.
 * Departure: where sliding friction drives the contact into the ground (w_n <= 0 for w = W (1, -mu
 * s), Painleve's case) no impulse stops the approach along s, and the paper's algorithm would
 * release the contact for ever. The impulse then is the one that would stop the slip along s, w.s <
 * 0 being certain because W is positive definite; it is cut by the same step limits, and
 * compression goes on. This is what the Darboux-Keller process does. */
#include "plus/plus_step.h"

#include <string.h>

typedef struct single {
    double A[9], mu;         /* scaled W, row-major */
    double q[3], v[3], p[3]; /* scaled */
    double pushed, pushing;  /* expansion impulse due, and earned for the next round */
    double pi[3];
    double slip[2]; /* unit direction of the slip */
    int turns;      /* by theta_max since it was found; 0: to be found from v */
    char motion;
    bool jams; /* the interval cannot complete its compression */
} single;

/* turns by theta_max until the direction is found anew, so that their rounding stays a few eps */
enum { MOST_TURNS = 16 };

/* x (2) <- -S^-1 c for a symmetric positive definite S, without forming the inverse. */
static void solve2(double tt, double to, double oo, const double c[2], double x[2]) {
    const double l = to / tt, y = c[1] - l * c[0];
    x[1] = -y / (oo - l * to);
    x[0] = -(c[0] + to * x[1]) / tt;
}

/* The impulse that ends compression rolling: u = 0, by elimination of the normal. */
static void roll_compressing(single *s) {
    const double *A = s->A, l[2] = {A[1] / A[0], A[2] / A[0]};
    const double c[2] = {s->v[1] - l[0] * s->v[0], s->v[2] - l[1] * s->v[0]};
    solve2(A[4] - l[0] * A[1], A[5] - l[0] * A[2], A[8] - l[1] * A[2], c, s->pi + 1);
    s->pi[0] = -(s->v[0] + A[1] * s->pi[1] + A[2] * s->pi[2]) / A[0];
}

static void roll_expanding(single *s) {
    const double *A = s->A, c[2] = {s->v[1] + A[1] * s->pushed, s->v[2] + A[2] * s->pushed};
    solve2(A[4], A[5], A[8], c, s->pi + 1);
    s->pi[0] = s->pushed;
}

/* Slower than the transition: rolls where the cone allows it, else impending slip, eq. (2.9).
 * False: no root. */
static bool roll(single *s, bool expanding) {
    if (expanding)
        roll_expanding(s);
    else
        roll_compressing(s);
    const double limit = s->mu * s->pi[0];
    s->motion = 'r';
    if (limit >= 0 && s->pi[1] * s->pi[1] + s->pi[2] * s->pi[2] <= limit * limit) return true;
    s->motion = 'i';
    return imp_plus_impending_point(s->A, s->v, s->mu, expanding ? s->pushed : -1, s->pi);
}

/* The direction of the slip, which after turns by theta_max does not wait for a root. Returns the
 * speed. */
static inline __attribute__((always_inline)) double find_slip(single *s, double slip2) {
    if (s->turns > 0) return s->slip[0] * s->v[1] + s->slip[1] * s->v[2];
    const double speed = sqrt(slip2);
    s->slip[0] = s->v[1] / speed;
    s->slip[1] = s->v[2] / speed;
    return speed;
}

/* The direction after an interval that ended when d (2) had turned it by theta_max. */
static inline __attribute__((always_inline)) void turn(const plus_limits *limits, single *s,
                                                       const double d[2]) {
    const double t = s->slip[0], o = s->slip[1], c = limits->cos_theta,
                 sine = t * d[1] < o * d[0] ? -limits->sin_theta : limits->sin_theta;
    s->slip[0] = c * t - sine * o;
    s->slip[1] = c * o + sine * t;
    s->turns = s->turns < MOST_TURNS ? s->turns + 1 : 0;
}

/* How often the impulse (1, -mu slip), which does d (3) to the velocity, is pushed. */
static inline __attribute__((always_inline)) double reach(const plus_limits *limits, single *s,
                                                          bool expanding, double speed,
                                                          const double d[3]) {
    const double braking = -(d[1] * s->slip[0] + d[2] * s->slip[1]);
    if (expanding) return s->pushed;
    /* even the shortest interval towards u_n = 0 would carry the slip beyond its end */
    s->jams = -s->v[0] * limits->alpha_min * braking >= speed * d[0] && braking > 0;
    return s->jams ? speed / braking : -s->v[0] / d[0];
}

/* One interval: the impulse, how much of it, and the velocity after it. Returns alpha, negative
 * without a solution. */
static double interval(const plus_limits *limits, single *s, bool expanding,
                       imp_interval_end *end) {
    const double *A = s->A, slip2 = s->v[1] * s->v[1] + s->v[2] * s->v[2];
    const bool slides = s->mu == 0 || slip2 >= limits->v_transition2;
    double speed = 1;
    *end = IMP_END_PHASE;
    s->jams = false;
    if (slides) {
        s->motion = s->mu > 0 ? 's' : '-';
        if (s->mu > 0) speed = find_slip(s, slip2);
        s->pi[0] = 1;
        s->pi[1] = -s->mu * s->slip[0];
        s->pi[2] = -s->mu * s->slip[1];
    } else if (!roll(s, expanding))
        return -1;
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = A[3 * i] * s->pi[0] + A[3 * i + 1] * s->pi[1] + A[3 * i + 2] * s->pi[2];
    const double whole = slides ? reach(limits, s, expanding, speed, d) : 1;
    double part = whole;
    if (s->motion == 's') part = imp_plus_step(limits, s->v + 1, d + 1, whole, end);
    if (*end == IMP_END_DIRECTION && part != limits->alpha_min * whole)
        turn(limits, s, d + 1);
    else
        s->turns = 0;
    for (int i = 0; i < 3; i++) {
        s->pi[i] *= part;
        s->v[i] += part * d[i];
        s->p[i] += s->pi[i];
    }
    const bool completes = part == whole;
    if (completes && !expanding && !s->jams) s->v[0] = 0;
    if (s->motion == 'r') s->v[1] = s->v[2] = 0;
    return completes ? 1 : part / whole;
}

static void keep(imp_plus_history *history, const single *s, int round, double alpha,
                 imp_interval_end end, bool expanding, double e, double velocity_unit,
                 double impulse_unit) {
    const int at = history->count++;
    if (at >= history->capacity) return;
    if (history->interval)
        history->interval[at] =
            (imp_plus_interval){round, alpha, end, end == IMP_END_PHASE ? -1 : 0};
    if (history->phase) history->phase[at] = expanding ? 'X' : 'C';
    if (history->motion) history->motion[at] = s->motion;
    if (history->e) history->e[at] = e;
    for (int i = 0; i < 3; i++) {
        if (history->pi) history->pi[3 * at + i] = s->pi[i] * impulse_unit;
        if (history->v) history->v[3 * at + i] = s->v[i] * velocity_unit;
    }
}

/* Does the contact still approach, beyond the rounding of u_n = W_n p + q_n? */
static bool approaches(const single *s) {
    const double *A = s->A;
    const double size =
        fabs(s->q[0]) + fabs(A[0] * s->p[0]) + fabs(A[1] * s->p[1]) + fabs(A[2] * s->p[2]);
    return s->v[0] < -1e-12 * size;
}

static imp_status extend(imp_path *path, const single *s, int round, double alpha, bool expanding,
                         int exponent) {
    const char phase = expanding ? 'X' : 'C';
    double pi[3] = {s->pi[0], s->pi[1], s->pi[2]};
    const imp_status scaled = imp_plus_unscale(pi, 3, exponent);
    return scaled == IMP_OK ? imp_path_add(path, 1, round, alpha, pi, &phase, &s->motion) : scaled;
}

static imp_status impact(const imp_plus_settings *settings, single *s, double e_least,
                         double velocity_unit, int impulse_exponent, plus_record record,
                         imp_info *info) {
    const double impulse_unit = imp_ldexp(1, impulse_exponent);
    const plus_limits limits = imp_plus_limits_of(settings, 1, velocity_unit);
    long intervals = 0;
    for (int round = 1;; round++) {
        const bool expanding = s->pushing > 0;
        if (!expanding && !approaches(s)) return IMP_OK;
        if (round > limits.rounds) return IMP_NOT_CONVERGED;
        info->rounds = round;
        s->pushed = s->pushing;
        s->pushing = 0;
        const double e = imp_plus_restitution(settings, e_least, -s->v[0] * velocity_unit);
        for (bool complete = false; !complete;) {
            imp_interval_end end;
            if (++intervals > limits.intervals || (record.cancel && *record.cancel))
                return IMP_NOT_CONVERGED;
            const double before[3] = {s->p[0], s->p[1], s->p[2]},
                         alpha = interval(&limits, s, expanding, &end);
            if (alpha < 0) return IMP_NO_SOLUTION;
            if (!isfinite(s->p[0] + s->p[1] + s->p[2] + s->v[0] + s->v[1] + s->v[2])) {
                memcpy(s->p, before, sizeof before);
                return IMP_OVERFLOW;
            }
            info->intervals++;
            if (expanding)
                s->pushed -= s->pi[0];
            else
                s->pushing += e * s->pi[0];
            complete = alpha == 1 && !s->jams;
            if (record.history)
                keep(record.history, s, round, alpha, end, expanding, e, velocity_unit,
                     impulse_unit);
            const imp_status added =
                record.path ? extend(record.path, s, round, alpha, expanding, impulse_exponent)
                            : IMP_OK;
            if (added != IMP_OK) return added;
        }
    }
}

static imp_status check(const double W[6], const double q[3], double mu, double e) {
    double sum = mu + e; /* not finite if one of them is not; 0 x is NaN where x is not finite */
    for (int i = 0; i < 6; i++)
        sum += 0.0 * W[i];
    for (int i = 0; i < 3; i++)
        sum += 0.0 * q[i];
    if (!isfinite(sum)) return IMP_NOT_FINITE;
    if (mu < 0) return IMP_BAD_FRICTION;
    if (e < 0 || e > 1) return IMP_BAD_RESTITUTION;
    const double l1 = W[1] / W[0], l2 = W[2] / W[0], d1 = W[3] - l1 * W[1], c = W[4] - l1 * W[2];
    const bool positive = W[0] > 0 && d1 > 0 && W[5] - l2 * W[2] - c / d1 * c > 0;
    return positive ? IMP_OK : IMP_NOT_POSITIVE;
}

imp_status imp_plus_run_single(const double W[6], const double q[3], double mu, double e,
                               const imp_plus_settings *settings, double p[3], plus_record record,
                               imp_info *info) {
    imp_info ignored;
    if (!info) info = &ignored;
    if (record.history) record.history->count = 0;
    if (!imp_plus_settings_good(settings)) return IMP_BAD_ARGUMENT;
    if (settings->static_ratio > 1) return IMP_UNSUPPORTED;
    const imp_status bad = check(W, q, mu, e);
    if (bad != IMP_OK) return bad;
    /* units in which the largest diagonal entry and the fastest component are near 1 */
    const int a = imp_factor_exponent(fmax(W[0], fmax(W[3], W[5]))),
              b = imp_factor_exponent(plus_largest(q, 3));
    const double w = imp_ldexp(1, -a), u = imp_ldexp(1, -b);
    single s = {.A = {W[0] * w, W[1] * w, W[2] * w, W[1] * w, W[3] * w, W[4] * w, W[2] * w,
                      W[4] * w, W[5] * w},
                .mu = mu,
                .q = {q[0] * u, q[1] * u, q[2] * u}};
    memcpy(s.v, s.q, sizeof s.v);
    *info = (imp_info){0};
    const imp_status status = impact(settings, &s, e, imp_ldexp(1, b), b - a, record, info);
    if (status < 0) return status;
    const imp_status scaled = imp_plus_unscale(s.p, 3, b - a);
    memcpy(p, s.p, sizeof s.p);
    return scaled == IMP_OK ? status : scaled;
}

imp_status imp_plus_single(const double W[6], const double q[3], double mu, double e,
                           const imp_plus_settings *settings, double p[3],
                           imp_plus_history *history, imp_info *info) {
    return imp_plus_run_single(W, q, mu, e, settings, p, (plus_record){.history = history}, info);
}
