/* test_plus_laws.c - PLUS on random problems: Table 1 in every interval, one contact and several,
 * symmetries. */
#include "plus_subject.h"

enum { INTERVALS = 20000 };

static imp_plus_interval interval[INTERVALS];
static char phase[INTERVALS * CONTACTS], motion[INTERVALS * CONTACTS];
static double impulse[INTERVALS * ROWS], velocity[INTERVALS * ROWS];

/* The worst breach of Table 1 by contact i in an interval from v to w = v + W pi, relative to the
 * speeds and impulses in it. A contact that sliding friction drives into the ground pushes without
 * stopping (see imp_plus_single). */
static double breach(double mu, char state, char moves, const double *pi, const double *v,
                     const double *w, double push, double speed) {
    const double friction = hypot(pi[1], pi[2]), after = hypot(w[1], w[2]),
                 before = hypot(v[1], v[2]);
    double worst = fmax(-pi[0], friction - mu * pi[0]) / push;
    if (pi[0] == 0) return worst;
    if (state == 'O') return INFINITY;
    if (state == 'C') worst = tap_worst(worst, (moves == 's' ? w[0] : fabs(w[0])) / speed);
    if (moves == 'r') worst = tap_worst(worst, after / speed);
    if (moves == '-') worst = tap_worst(worst, friction / push);
    if (moves == 's' || moves == 'i') worst = tap_worst(worst, fabs(friction - mu * pi[0]) / push);
    if (moves == 's' && friction > 1e-12 * push) /* less is rounding, and points anywhere */
        worst = tap_worst(
            worst, hypot(v[1] * friction + pi[1] * before, v[2] * friction + pi[2] * before) /
                       (before * friction));
    if (moves == 'i' && friction > 0)
        worst = tap_worst(worst,
                          hypot(w[1] * friction + pi[1] * after, w[2] * friction + pi[2] * after) /
                              (speed * friction));
    return worst;
}

/* The worst breach in the whole course, whose impulses must add up to p. */
static double worst_interval(const subject *s, const imp_plus_history *history, const double *p) {
    const int nc = s->nc, n = 3 * nc;
    const double scale = 1e-3 * largest(s->q, n);
    double v[ROWS] = {0}, total[ROWS] = {0}, worst = 0;
    memcpy(v, s->q, (size_t)n * sizeof *v);
    for (int k = 0; k < history->count; k++) {
        double pi[ROWS] = {0}, w[ROWS] = {0};
        for (int i = 0; i < n; i++) {
            pi[i] = impulse[k * n + i] / interval[k].alpha;
            total[i] += impulse[k * n + i];
        }
        imp_operator_apply(&s->op, pi, v, w);
        const double push = fmax(largest(pi, n), 1e-300),
                     speed = fmax(scale, fmax(largest(v, n), largest(w, n)));
        for (int i = 0; i < nc; i++)
            worst = tap_worst(worst, breach(s->mu[i], phase[k * nc + i], motion[k * nc + i],
                                            pi + 3 * i, v + 3 * i, w + 3 * i, push, speed));
        memcpy(v, velocity + k * n, (size_t)n * sizeof *v);
    }
    return fmax(worst, distance(total, p, n));
}

/* How many of `count` random problems of nc contacts are solved; every interval of a solved one,
 * and its certificate, must hold. */
static void test_intervals(int nc, int count, int least, int active_set) {
    int solved = 0, gains = 0;
    double table = 0, law = 0, cone = 0, energy = -INFINITY;
    for (int k = 0; k < count; k++) {
        subject s;
        double p[ROWS], exchanged = 0;
        imp_plus_history history = {INTERVALS, 0, interval, phase, motion, NULL, impulse, velocity};
        imp_certificate certificate = {0};
        imp_plus_settings settings = coarse();
        settings.active_set = active_set;
        make_bodies(&s, (uint64_t)k, nc);
        const imp_status status = plus(&s, &settings, p, &history);
        for (int i = 0; i < 3 * nc; i++)
            exchanged += fabs(p[i] * s.q[i]);
        if (imp_certify(&s.problem, &imp_law_plus, &settings, p, NULL, &certificate) != IMP_OK)
            law = energy = INFINITY;
        cone = tap_worst(cone, certificate.residual[1].value);
        if (exchanged > 0) energy = tap_worst(energy, certificate.energy / exchanged);
        if (status != IMP_OK) continue;
        solved++;
        table = tap_worst(table, worst_interval(&s, &history, p));
        law = tap_worst(law, certificate.worst);
        gains += certificate.energy > 0;
    }
    ok(solved >= least, "%d contacts%s: %d of %d solved", nc,
       active_set == IMP_EXHAUSTIVE ? ", exhaustive" : "", solved, count);
    ok(table < 1e-9, "every interval satisfies Table 1 (%.1e)", table);
    ok(law <= 1.001e-12, "no contact approaches or leaves its cone (%.1e)", law);
    ok(cone < 1e-14 && energy < 0.5,
       "solved or not, the impulse is in the cones (%.1e) and modest (%.2f)", cone, energy);
    note("energy rises in %d of them, whose restitution differs from contact to contact", gains);
}

/* Trying all combinations finds an impulse of no larger norm than the heuristic, where that one
 * ends all approaches. */
static void test_least_norm(void) {
    const int nc = 5;
    int compared = 0, smaller = 0, larger = 0;
    for (int k = 0; k < 1000; k++) {
        subject s;
        double p[ROWS], norm[2] = {0, 0}, u[ROWS], lowest = 0;
        make_bodies(&s, (uint64_t)k, nc);
        for (int set = 0; set < 2; set++) {
            imp_plus_settings settings = coarse();
            imp_plus_history history = {1, 0, interval, phase, motion, NULL, impulse, velocity};
            settings.active_set = set == 0 ? IMP_HEURISTIC : IMP_EXHAUSTIVE;
            if (plus(&s, &settings, p, &history) != IMP_OK || history.count == 0) continue;
            for (int i = 0; i < 3 * nc; i++) {
                impulse[i] /= interval[0].alpha;
                norm[set] += impulse[i] * impulse[i];
            }
            imp_operator_apply(&s.op, impulse, s.q, u);
            for (int i = 0; i < nc && set == 0; i++)
                if (phase[i] == 'C') lowest = fmin(lowest, u[3 * i]);
        }
        if (norm[0] == 0 || norm[1] == 0 || lowest < -1e-10) continue;
        compared++;
        smaller += norm[1] < (1 - 1e-6) * norm[0];
        larger += norm[1] > (1 + 1e-9) * norm[0];
    }
    ok(compared > 900 && larger == 0 && smaller > 0,
       "all combinations: least norm in %d first intervals, less than the heuristic's in %d",
       compared, smaller);
}

/* two <- the contact of s beside one that separates, which the general way must solve alike. */
static void accompany(const subject *s, subject *two) {
    memset(two, 0, sizeof *two);
    two->nc = 2;
    for (int i = 0; i < 3; i++) {
        memcpy(two->W + 6 * i, s->W + 3 * i, 3 * sizeof *s->W);
        two->W[7 * (i + 3)] = s->W[0];
        two->q[i] = s->q[i];
    }
    two->q[3] = fabs(s->q[0]);
    two->mu[0] = s->mu[0];
    two->e[0] = s->e[0];
    point(two);
}

/* On the verge of Painleve's case, w_n = 1e-9: the impulse of a whole phase is huge, its intervals
 * must not be. */
static void test_verge(void) {
    subject s = {.nc = 1, .W = {1, 1, 0, 1, 3, 0, 0, 0, 3}, .q = {-1, 1, 0}, .mu = {1 - 1e-9}}, two;
    const imp_plus_settings settings = coarse();
    double p[3], both[6];
    point(&s);
    accompany(&s, &two);
    const imp_status one = plus(&s, &settings, p, NULL),
                     general = plus(&two, &settings, both, NULL);
    const double want[3] = {2, -1, 0}; /* it slides until it sticks, and u = W p + q = 0 */
    ok(one == IMP_OK && general == IMP_OK, "the verge of Painleve's case is solved");
    is_vec(p, want, 3, 1e-8, 0, "by the way of one contact");
    is_vec(both, want, 3, 1e-8, 0, "by the general way");
}

/* Every class of bodies, and Painleve's case: solved, certified, no energy gained, and the same by
 * the general way. */
static void test_single(gen_class c) {
    int solved = 0, count = 500;
    double law = 0, energy = -INFINITY, apart = 0;
    for (int k = 0; k < count; k++) {
        subject s, two;
        double p[3], both[6] = {0};
        imp_certificate certificate = {0};
        const imp_plus_settings settings = coarse();
        make_single(&s, c, (uint64_t)k);
        if (plus(&s, &settings, p, NULL) != IMP_OK) continue;
        solved++;
        if (imp_certify(&s.problem, &imp_law_plus, &settings, p, NULL, &certificate) != IMP_OK)
            law = energy = INFINITY;
        law = tap_worst(law, certificate.worst);
        const double exchanged = fabs(p[0] * s.q[0]) + fabs(p[1] * s.q[1]) + fabs(p[2] * s.q[2]);
        if (exchanged > 0) energy = tap_worst(energy, certificate.energy / exchanged);
        accompany(&s, &two);
        const bool good = plus(&two, &settings, both, NULL) == IMP_OK;
        apart = tap_worst(apart, good ? distance(both, p, 3) : INFINITY);
    }
    ok(solved == count && law < 1e-12, "%s: %d of %d solved, certified (%.1e)", gen_name(c), solved,
       count, law);
    ok(energy <= 1e-14, "%s: no energy gained (%.1e)", gen_name(c), energy);
    ok(apart < 1e-9, "%s: one contact by both ways (%.1e)", gen_name(c), apart);
}

/* t <- s with its contacts in another order, contact i of t being contact order[i] of s, and its
 * tangents turned. */
static void rearrange(const subject *s, subject *t, const int *order, double turn) {
    const int nc = s->nc, n = 3 * nc;
    const double c = cos(turn), d = sin(turn), R[9] = {1, 0, 0, 0, c, d, 0, -d, c};
    memset(t, 0, sizeof *t);
    t->nc = nc;
    for (int i = 0; i < nc; i++) {
        t->mu[i] = s->mu[order[i]];
        t->e[i] = s->e[order[i]];
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++)
                t->q[3 * i + r] += R[3 * r + k] * s->q[3 * order[i] + k];
        for (int j = 0; j < nc; j++)
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++)
                    for (int k = 0; k < 9; k++)
                        t->W[(3 * i + r) * n + 3 * j + q] +=
                            R[3 * r + k / 3] * R[3 * q + k % 3] *
                            s->W[(3 * order[i] + k / 3) * n + 3 * order[j] + k % 3];
    }
    for (int r = 0; r < n; r++) /* symmetric to the last bit */
        for (int q = 0; q < r; q++)
            t->W[r * n + q] = t->W[q * n + r];
    point(t);
}

static void test_symmetry(int nc, const int *order, double turn, const char *what) {
    int compared = 0, apart = 0, count = 200;
    for (int k = 0; k < count; k++) {
        subject s, t;
        double p[ROWS] = {0}, turned[ROWS] = {0}, back[ROWS] = {0};
        const imp_plus_settings settings = coarse();
        make_bodies(&s, (uint64_t)k, nc);
        rearrange(&s, &t, order, turn);
        if (plus(&s, &settings, p, NULL) != IMP_OK || plus(&t, &settings, turned, NULL) != IMP_OK)
            continue;
        for (int i = 0; i < nc; i++) {
            const double *x = turned + 3 * i;
            back[3 * order[i]] = x[0];
            back[3 * order[i] + 1] = cos(turn) * x[1] - sin(turn) * x[2];
            back[3 * order[i] + 2] = sin(turn) * x[1] + cos(turn) * x[2];
        }
        compared++;
        apart += !(distance(back, p, 3 * nc) < 1e-7);
    }
    ok(compared >= 195 && apart == 0, "%s: impulses follow in %d of %d", what, compared - apart,
       compared);
}

/* W times a, velocities and the settings' speeds times b: impulses times b/a, to the last bit for
 * powers of 2. */
static void test_scale(double a, double b) {
    double off = 0;
    int solved = 0;
    for (int k = 0; k < 60; k++) {
        subject s;
        double p[ROWS] = {0}, scaled[ROWS] = {0};
        imp_plus_settings settings = coarse();
        make_bodies(&s, (uint64_t)k, 1 + k % 4);
        const int n = 3 * s.nc;
        const imp_status status = plus(&s, &settings, p, NULL);
        solved += status == IMP_OK;
        for (int i = 0; i < n * n; i++)
            s.W[i] *= a;
        for (int i = 0; i < n; i++)
            s.q[i] *= b;
        settings.v_transition *= b;
        settings.v_capture *= b;
        settings.v_plastic *= b;
        if (plus(&s, &settings, scaled, NULL) != status) off = INFINITY;
        for (int i = 0; i < n; i++)
            scaled[i] = scaled[i] / b * a;
        off = tap_worst(off, distance(scaled, p, n));
    }
    ok(solved > 50 && off <= 1e-15, "W in units of %.0e, velocities of %.0e (%.1e)", a, b, off);
}

int main(void) {
    const int same[] = {0, 1, 2, 3}, cycle[] = {2, 0, 3, 1};
    const gen_class bodies[] = {GEN_SPHERE,    GEN_FREE_BOX_1, GEN_FREE_BOX_5,
                                GEN_SIX_POINT, GEN_TWO_BODY,   GEN_SPD_1,
                                GEN_PAINLEVE,  GEN_UNITS,      GEN_SPEED_BOX};
    test_intervals(2, 600, 600, IMP_HEURISTIC);
    test_intervals(3, 600, 597, IMP_HEURISTIC);
    test_intervals(4, 600, 596, IMP_HEURISTIC);
    test_intervals(8, 150, 146, IMP_HEURISTIC);
    test_intervals(3, 150, 149, IMP_EXHAUSTIVE);
    test_least_norm();
    test_verge();
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        test_single(bodies[k]);
    test_symmetry(4, same, 0.7, "turned tangents");
    test_symmetry(4, cycle, 0, "contacts in another order");
    test_scale(0x1p498, 0x1p-498);
    test_scale(0x1p-498, 0x1p498);
    test_scale(0x1p498, 0x1p498);
    return tap_done();
}
