/* test_moreau.c - Moreau's impact law: closed forms, the law from its definition, a second solver,
 * Kane's puzzle, and wrong answers that its certificate sees. */
#include "blocks/moreau.h"
#include "generators/gen_situation.h"
#include "impact.h"
#include "tap.h"

enum { ROWS = SITUATION_MOST };

/* Contacts without friction coupled along their normals alone: W (2 x 2 of the normals). */
static situation two_normals(const double N[4], double q0, double q1, double e0, double e1) {
    situation s = {.nc = 2, .q = {q0, 0, 0, q1, 0, 0}, .e = {e0, e1}};
    for (int i = 0; i < 6; i++)
        s.W[7 * i] = 7;
    s.W[0] = N[0];
    s.W[3] = N[1];
    s.W[18] = N[2];
    s.W[21] = N[3];
    return s;
}

static imp_status solve(const imp_model *model, const situation *s, double *p) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    return imp_solve(model, &problem, NULL, p, NULL);
}

static double worst(const situation *s, const double *p) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    imp_certificate c;
    if (imp_certify(&problem, imp_model_moreau.law, NULL, p, NULL, &c) != IMP_OK) return NAN;
    return c.unjudged ? NAN : c.worst;
}

/* J, change of kinetic energy: 1/2 p'Wp + p'q. */
static double gain(const situation *s, const double *p) {
    const int n = 3 * s->nc;
    double energy = 0;
    for (int i = 0; i < n; i++) {
        energy += p[i] * s->q[i];
        for (int j = 0; j < n; j++)
            energy += 0.5 * p[i] * s->W[i * n + j] * p[j];
    }
    return energy;
}

static const struct {
    const char *what;
    double N[4], q[2], e[2], p[2];
} known[] = {
    /* u = (1, 0): the balls go on with -1/3, 2/3, 2/3 of the first one's speed */
    {"three balls, e = 1", {2, -1, -1, 2}, {-1, 0}, {1, 1}, {4 / 3.0, 2 / 3.0}},
    {"three balls, e = 1/2", {2, -1, -1, 2}, {-1, 0}, {0.5, 0.5}, {1, 0.5}},
    {"three balls, the struck pair plastic", {2, -1, -1, 2}, {-1, 0}, {1, 0}, {4 / 3.0, 2 / 3.0}},
    {"two e", {2, -1, -1, 2}, {-1, -0.5}, {1, 0.5}, {4.75 / 3, 3.5 / 3}},
    /* u_2 = 1.7 > e 0.1 */
    {"thrown off faster than it would bounce", {1, 0.9, 0.9, 1}, {-1, -0.1}, {1, 1}, {2, 0}},
    /* u = (1, 0); literally e q_n = 0.1 would let it close at 0.1: p_1 = 3.8 / 3 */
    {"pressed although it parts", {2, -1, -1, 2}, {-1, 0.1}, {1, 1}, {1.3, 0.6}},
    {"parts, and is left alone", {2, 1, 1, 2}, {-1, 0.1}, {1, 1}, {1, 0}}};

static void test_known(void) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const situation s =
            two_normals(known[k].N, known[k].q[0], known[k].q[1], known[k].e[0], known[k].e[1]);
        const double want[6] = {known[k].p[0], 0, 0, known[k].p[1], 0, 0};
        double p[6] = {0}, wrong[6];
        ok(solve(&imp_model_moreau, &s, p) == IMP_OK, "%s: solved", known[k].what);
        is_vec(p, want, 6, 1e-9, 0, "%s: by hand", known[k].what);
        ok(worst(&s, want) < 1e-15, "%s: what was found by hand is certified", known[k].what);
        for (int r = 0; r < 6; r++)
            wrong[r] = want[r] / (1 + known[k].e[r / 3]);
        ok(worst(&s, wrong) > 0.01, "%s: without restitution it is not", known[k].what);
    }
    const situation s = two_normals(known[5].N, -1, 0.1, 1, 1);
    const double literal[6] = {3.8 / 3, 0, 0, 1.6 / 3, 0, 0};
    ok(worst(&s, literal) > 0.01, "e q_n of a contact that parts is not taken literally");
}

/* The law, contact by contact from its definition: the largest violation over the sum of the
 * absolute terms of the contact's velocities. */
static double violation(const situation *s, const double *p) {
    const int n = 3 * s->nc;
    double most = 0;
    for (int i = 0; i < s->nc; i++) {
        const double *own = p + (size_t)3 * i, limit = s->mu[i] * own[0];
        double u[3], size = 0;
        for (int r = 0; r < 3; r++) {
            u[r] = s->q[3 * i + r];
            size += fabs(u[r]);
            for (int j = 0; j < n; j++) {
                u[r] += s->W[(3 * i + r) * n + j] * p[j];
                size += fabs(s->W[(3 * i + r) * n + j] * p[j]);
            }
        }
        const double before = s->q[3 * i], aim = u[0] + (before < 0 ? s->e[i] * before : 0);
        const double friction = hypot(own[1], own[2]), slip = hypot(u[1], u[2]),
                     inertia = s->W[3 * i * (n + 1)];
        most = tap_worst(most, -aim / size);
        most = tap_worst(most, -inertia * own[0] / size);
        most = tap_worst(most, fmin(fabs(aim), inertia * own[0]) / size);
        most = tap_worst(most, inertia * (friction - limit) / size);
        if (limit > 0)
            most =
                tap_worst(most, hypot(slip * own[1] + limit * u[1], slip * own[2] + limit * u[2]) *
                                    inertia / (size * size));
    }
    return most;
}

static void test_definition(void) {
    int open = 0, wedged = 0, unlike = 0, compared = 0, refused = 0, accepted[3] = {0},
        planted[3] = {0};
    double most = 0;
    for (uint64_t k = 0; k < 600; k++) {
        situation s = k % 3 ? situation_many(&imp_model_moreau, 20000 + k)
                            : situation_one(&imp_model_moreau, 20000 + k);
        gen_stream g = gen_seed(311, k);
        for (int i = 0; i < s.nc; i++)
            s.e[i] = k % 2 ? gen_uniform(&g, 0, 1) : s.e[0];
        double p[ROWS] = {0}, other[ROWS] = {0}, size = 0, off = 0, bounce = 0, push = 0;
        if (solve(&imp_model_moreau, &s, p) != IMP_OK) {
            const bool pile =
                s.nc > 1 && k % 3 == 2; /* normals at random, on all sides of a body */
            wedged += pile;
            open += !pile;
            continue;
        }
        most = tap_worst(most, violation(&s, p));
        refused += !(worst(&s, p) <= 1e-8);
        for (int i = 0; i < 3 * s.nc; i++) {
            push = fmax(push, fabs(p[i]));
            if (i % 3) size = fmax(size, fabs(p[i]));
            if (i % 3 == 0 && p[i] > 0) bounce = fmax(bounce, s.e[i / 3]);
        }
        /* friction the other way; no restitution; a hundredth more */
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < 3 * s.nc; i++)
                other[i] = kind == 0 && i % 3 ? -p[i]
                           : kind == 1        ? p[i] / (1 + s.e[i / 3])
                           : kind == 2        ? 1.01 * p[i]
                                              : p[i];
            if (kind == 0 ? size < 0.01 * push : kind == 1 ? bounce < 0.1 : push == 0) continue;
            if (violation(&s, other) < 1e-5) continue;
            planted[kind]++;
            accepted[kind] += worst(&s, other) <= 1e-8;
        }
        /* of one contact `newton` states the same law and solves it by its own search */
        imp_coulomb_set set;
        const double W[6] = {s.W[0], s.W[1], s.W[2], s.W[4], s.W[5], s.W[8]};
        if (s.nc > 1 || imp_coulomb_enumerate(W, s.q, s.mu[0], &set) != IMP_OK || !set.unique ||
            solve(imp_model_find("newton"), &s, other) != IMP_OK)
            continue;
        compared++;
        for (int i = 0; i < 3; i++)
            off = tap_worst(off, fabs(p[i] - other[i]));
        unlike += !(off <= 1e-7 * push);
    }
    ok(most < 1e-7, "the law from its definition: %.1e", most);
    ok(open == 0 && wedged <= 30, "all are solved but for %d of 200 piles", wedged);
    ok(refused == 0, "all answers are certified");
    for (int kind = 0; kind < 3; kind++)
        ok(planted[kind] > 50 && accepted[kind] == 0, "%s: %d of %d refused",
           kind == 0   ? "friction the other way"
           : kind == 1 ? "restitution dropped"
                       : "a hundredth more",
           planted[kind] - accepted[kind], planted[kind]);
    ok(compared > 50 && unlike == 0, "newton, of one contact, answers the same (%d)", compared);
}

/* Two equal rods hang one on the other, 20 and 30 degrees from the vertical, and the tip strikes
 * the ground while they turn with -0.1 and -0.2 rad/s: Kane's puzzle (Kane, Levinson 1985). */
static situation kane(double e, double mu) {
    const double a = acos(-1) / 9, b = acos(-1) / 6, spin[2] = {-0.1, -0.2};
    const double J[2][2] = {{sin(a), sin(b)}, {cos(a), cos(b)}};
    const double M[3] = {4 / 3.0, cos(a - b) / 2, 1 / 3.0}, det = M[0] * M[2] - M[1] * M[1];
    situation s = {.nc = 1, .mu = {mu}, .e = {e}};
    s.W[8] = 1;
    for (int r = 0; r < 2; r++) {
        s.q[r] = J[r][0] * spin[0] + J[r][1] * spin[1];
        for (int c = 0; c < 2; c++)
            s.W[3 * r + c] =
                (M[2] * J[r][0] * J[c][0] - M[1] * (J[r][0] * J[c][1] + J[r][1] * J[c][0]) +
                 M[0] * J[r][1] * J[c][1]) /
                det;
    }
    return s;
}

static void test_energy(void) {
    const double a = acos(-1) / 9, b = acos(-1) / 6,
                 before = (4 / 3.0 * 0.01 + 2 * cos(a - b) / 2 * 0.02 + 0.04 / 3) / 2; /* J */
    const situation s = kane(0.5, 0.5);
    double p[3] = {0}, none[3] = {0};
    ok(solve(&imp_model_moreau, &s, p) == IMP_OK, "Kane's pendulum is solved");
    /* it sticks: W p = u - q with u = (-e q_n, 0) */
    const double d = s.W[0] * s.W[4] - s.W[1] * s.W[1], n = -1.5 * s.q[0], t = -s.q[1];
    const double want[3] = {(s.W[4] * n - s.W[1] * t) / d, (s.W[0] * t - s.W[1] * n) / d, 0};
    is_vec(p, want, 3, 1e-12, 0, "its tip sticks");
    is_near(gain(&s, p) / before, 0.5874946869, 1e-9, 0, "and it has 59 %% more energy");
    ok(worst(&s, p) < 1e-12, "which its certificate accepts: the law is what it is");
    ok(solve(imp_model_find("auto"), &s, none) == IMP_OK && gain(&s, none) < 0,
       "Poisson's restitution in phases loses some");
    const situation plastic = kane(0, 0.5), smooth = kane(1, 0);
    ok(solve(&imp_model_moreau, &plastic, p) == IMP_OK && gain(&plastic, p) < 0, "so does e = 0");
    ok(solve(&imp_model_moreau, &smooth, p) == IMP_OK && fabs(gain(&smooth, p)) < 1e-15,
       "mu = 0, e = 1 keeps it");
}

/* Without friction contacts that approach before take (1 - e) p_n |q_n| / 2, others add
 * p_n q_n / 2: 1/2 p'(u + q). */
static void test_smooth_energy(void) {
    int unlike = 0, friction = 0, looked[2] = {0}, gained[2] = {0};
    for (uint64_t k = 0; k < 300; k++) {
        situation r = situation_many(&imp_model_moreau, 30000 + k);
        gen_stream g = gen_seed(312, k);
        double q[ROWS] = {0}, stake = 0, sum = 0;
        if (solve(&imp_model_moreau, &r, q) == IMP_OK) friction += gain(&r, q) > 1e-6;
        memset(r.mu, 0, sizeof r.mu);
        memset(q, 0, sizeof q);
        for (int i = 0; i < r.nc; i++)
            r.e[i] = k % 2 ? gen_uniform(&g, 0, 1) : r.e[0];
        if (solve(&imp_model_moreau, &r, q) != IMP_OK) continue;
        bool parts = false;
        for (int i = 0; i < r.nc; i++) {
            const double before = r.q[3 * i], pushed = 0.5 * q[3 * i] * fabs(before);
            sum += before > 0 ? pushed : (r.e[i] - 1) * pushed;
            parts = parts || before > 0;
            stake += pushed;
        }
        looked[parts]++;
        gained[parts] += gain(&r, q) > 1e-6 * stake;
        unlike += !(fabs(gain(&r, q) - sum) <= 1e-7 * stake);
    }
    ok(looked[0] > 50 && gained[0] == 0,
       "several e, no friction, no contact that parts: none of %d gains", looked[0]);
    ok(unlike == 0, "without friction what is gained or lost is (e - 1) p_n |q_n| / 2 of contacts "
                    "that approach, p_n q_n / 2 of others");
    note("%d of %d gain where contacts part", gained[1], looked[1]);
    double both[6] = {0};
    const situation pressed = two_normals((const double[]){1, -0.5, -0.5, 1}, -1, 0.1, 1, 1);
    ok(solve(&imp_model_moreau, &pressed, both) == IMP_OK && gain(&pressed, both) > 0.05,
       "a contact that parts and is pushed gains, with one e and no friction");
    note("with friction %d of 300 gain", friction);
}

/* The setting `tangential` at 1, Fremond's law: friction against the mean slip. */
static void test_mean_slip(void) {
    const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, q[3] = {-1, 0.3, -0.4};
    const situation ball = situation_of(W, q, 2, 0.5), smooth = situation_of(W, q, 0.1, 0.5);
    const double stick[3] = {1.5, -0.6 / 3.5, 0.8 / 3.5}, slides[3] = {1.5, -0.09, 0.12};
    imp_settings settings;
    imp_operator op;
    imp_certificate c;
    double p[ROWS] = {0};
    imp_model_presets(&imp_model_moreau, &settings);
    ok(imp_model_set(&imp_model_moreau, &settings, "tangential", 1), "restitution of the slip");
    const imp_problem rough = situation_problem(&ball, &op);
    ok(imp_solve(&imp_model_moreau, &rough, &settings, p, NULL) == IMP_OK, "a ball that sticks");
    is_vec(p, stick, 3, 1e-12, 0, "slips back as fast");
    const situation soft = situation_of(W, q, 2, 0);
    const double stop[3] = {1, stick[1], stick[2]};
    const imp_problem plastic = situation_problem(&soft, &op);
    ok(imp_solve(&imp_model_moreau, &plastic, &settings, p, NULL) == IMP_OK, "where e = 0");
    is_vec(p, stop, 3, 1e-12, 0, "too");
    (void)imp_solve(&imp_model_moreau, &rough, &settings, p, NULL);
    ok(imp_certify(&rough, &imp_law_moreau, NULL, p, NULL, &c) == IMP_OK && c.worst > 0.01,
       "which is not the law without");
    ok(solve(&imp_model_moreau, &ball, p) == IMP_OK &&
           imp_certify(&rough, &imp_law_moreau, &settings, p, NULL, &c) == IMP_OK && c.worst > 0.01,
       "nor the other way");
    const imp_problem slippery = situation_problem(&smooth, &op);
    ok(imp_solve(&imp_model_moreau, &slippery, &settings, p, NULL) == IMP_OK, "one that slides");
    is_vec(p, slides, 3, 1e-12, 0, "has mu p_n against the mean slip");
    const situation puzzle = kane(0.5, 0.5);
    const imp_problem pendulum = situation_problem(&puzzle, &op);
    ok(imp_solve(&imp_model_moreau, &pendulum, &settings, p, NULL) == IMP_OK &&
           gain(&puzzle, p) < 0,
       "Kane's pendulum loses energy");
    const int count = tap_many(200, 600);
    int gained = 0, solved = 0;
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        situation s = situation_many(&imp_model_moreau, 30000 + k);
        double stake = 0;
        memset(p, 0, sizeof p);
        for (int i = 0; i < s.nc; i++) {
            s.q[3 * i] = -fabs(s.q[3 * i]);
            s.e[i] = (double)((k + (uint64_t)i) % 3) / 2;
        }
        const imp_problem problem = situation_problem(&s, &op);
        if (imp_solve(&imp_model_moreau, &problem, &settings, p, NULL) != IMP_OK) continue;
        solved++;
        for (int i = 0; i < 3 * s.nc; i++)
            stake += fabs(p[i] * s.q[i]);
        gained += !(gain(&s, p) <= 1e-8 * stake);
    }
    ok(solved > count / 2 && gained == 0, "nor does anything gain, with any e, of %d", solved);
}

static void test_scales(void) {
    static const double scales[] = {1e-150, 1e-75, 1e75, 1e150};
    const situation base = situation_many(&imp_model_moreau, 1); /* 3 contacts, e = 0.5 */
    double p[ROWS] = {0}, far[ROWS] = {0};
    ok(solve(&imp_model_moreau, &base, p) == IMP_OK, "three contacts");
    for (int k = 0; k < 8; k++) {
        situation s = base;
        const double w = k < 4 ? scales[k] : 1, v = k < 4 ? 1 : scales[k - 4];
        for (int i = 0; i < 81; i++)
            s.W[i] *= w;
        for (int i = 0; i < 9; i++)
            s.q[i] *= v;
        const bool solved = solve(&imp_model_moreau, &s, far) == IMP_OK;
        for (int i = 0; i < 9; i++)
            far[i] *= w / v;
        ok(solved, "W times %g, q times %g", w, v);
        is_vec(far, p, 9, 1e-8, 0, "the same impulse in other units");
    }
}

/* The named residual of p. */
static double residual(const situation *s, const double *p, const char *name) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    imp_certificate c;
    if (imp_certify(&problem, imp_model_moreau.law, NULL, p, NULL, &c) != IMP_OK) return NAN;
    return imp_certificate_residual(&c, name);
}

/* Residuals by their definition. */
static void test_residuals(void) {
    const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, q[3] = {-1, 0, 0}, stop[3] = {1, 0, 0};
    const situation ball = situation_of(W, q, 0, 1);
    is_near(residual(&ball, stop, "signorini"), 1 / 3.0, 0, 1e-14,
            "a stop where e = 1: u_n + e q_n = -1 of |q_n| + |p_n| + |e q_n| = 3");
    const double N[4] = {1, 0.9, 0.9, 1}, idle[6] = {2, 0, 0, 0, 0.001, 0};
    const situation pair = two_normals(N, -1, -0.1, 1, 1);
    is_near(residual(&pair, idle, "cone"), 0.001 / 0.4, 0, 1e-14,
            "friction where nothing pushes, over 3 size / trace(W) = 3 (0.1 + 1.8 + 0.1) / 15");
}

/* A body between two walls, from one of which it comes: it bounces off the other and has nowhere to
 * go. */
static void test_wedged(void) {
    const double N[4] = {1, -1, -1, 1};
    const situation s = two_normals(N, -1, 1, 1, 1), still = two_normals(N, -1, 1, 0, 0);
    double p[6] = {0};
    ok(solve(&imp_model_moreau, &s, p) == IMP_NO_SOLUTION, "between two walls there is no bounce");
    for (int i = 0; i < 6; i++)
        ok(isfinite(p[i]), "what was found is finite");
    ok(solve(&imp_model_moreau, &still, p) == IMP_OK, "but a stop");
}

static void test_edges(void) {
    situation s = situation_many(&imp_model_moreau, 1);
    double p[ROWS] = {0}, again[ROWS] = {0};
    imp_operator W;
    imp_problem problem = situation_problem(&s, &W);
    problem.e = NULL;
    ok(imp_solve(&imp_model_moreau, &problem, NULL, p, NULL) == IMP_OK &&
           imp_solve(imp_model_find("auto"), &problem, NULL, again, NULL) == IMP_OK,
       "no restitution at all");
    ok(memcmp(p, again, sizeof p) == 0, "is Coulomb's law, to the bit");
    problem.e = s.e;
    imp_settings settings;
    imp_info info;
    imp_model_presets(&imp_model_moreau, &settings);
    ok(imp_solve(&imp_model_moreau, &problem, &settings, p, NULL) == IMP_OK, "with restitution");
    ok(imp_settings_assign(&imp_model_moreau, &settings, "start=guess", NULL) == IMP_OK,
       "from a guess");
    memcpy(again, p, sizeof p);
    ok(imp_solve(&imp_model_moreau, &problem, &settings, again, &info) == IMP_OK &&
           info.iterations == 0,
       "the answer itself needs no sweep");
    ok(imp_model_set(&imp_model_moreau, &settings, "max_sweeps", 1), "one sweep");
    memset(again, 0, sizeof again);
    ok(imp_solve(&imp_model_moreau, &problem, &settings, again, NULL) == IMP_NOT_CONVERGED,
       "is not enough, and says so");
    ok(imp_model_set(&imp_model_moreau, &settings, "max_sweeps", 0) &&
           imp_solve(&imp_model_moreau, &problem, &settings, p, NULL) == IMP_BAD_ARGUMENT,
       "none is refused");
}

int main(void) {
    test_known();
    test_definition();
    test_energy();
    test_smooth_energy();
    test_mean_slip();
    test_scales();
    test_wedged();
    test_residuals();
    test_edges();
    return tap_done();
}
