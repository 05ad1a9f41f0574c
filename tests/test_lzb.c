/* test_lzb.c - the distributing law of Liu, Zhao and Brogliato: rows of balls against springs
 * integrated here, its limits, and wrong answers that its certificate sees. */
#include "blocks/lzb.h"
#include "base/worse.h"
#include "blocks/moreau.h"
#include "blocks/sequential.h"
#include "generators/gen_stack.h"
#include "generators/stress_problems.h"
#include "rows_of_balls.h"

static imp_lzb_settings with(double exponent, double grade) {
    imp_lzb_settings settings = imp_lzb_presets;
    settings.exponent = exponent;
    settings.grade = grade;
    return settings;
}

static imp_status solve(const situation *s, const imp_lzb_settings *settings, double *p) {
    return solve_by(&imp_model_lzb, s, settings, p);
}

static double worst(const situation *s, const imp_lzb_settings *settings, const double *p) {
    return worst_by(&imp_law_lzb, s, settings, p);
}

/* Springs in the plainest way: P (nc) by Euler's symplectic steps of h, the force of the expansion
 * falling from that of the compression along a line of its own: F(x) with x' = -u / e^2. */
static void springs(const situation *s, double eta, double grade, double h, double *P) {
    const int n = 3 * s->nc;
    double x[MOST] = {0};
    memset(P, 0, MOST * sizeof *P);
    for (int step = 0; step < 40 / h; step++) {
        double K = 1;
        for (int i = 0; i < s->nc; i++, K *= grade)
            P[i] += h * K * pow(fmax(x[i], 0), eta);
        for (int i = 0; i < s->nc; i++) {
            double u = s->q[3 * i];
            for (int j = 0; j < s->nc; j++)
                u += s->W[3 * i * n + 3 * j] * P[j];
            x[i] = fmax(0, x[i] - h * u * (u > 0 ? 1 / (s->e[i] * s->e[i]) : 1));
        }
    }
}

static void test_springs(void) {
    static const double tapered[] = {8, 4, 2, 1}, heavy[] = {1, 3, 0.5, 2, 1};
    static const struct {
        const char *what;
        int nc;
        const double *mass;
        double e, eta, grade;
    } rows[] = {
        {"three balls, Hertz", 2, equal, 1, 1.5, 1},
        {"three balls, linear", 2, equal, 1, 1, 1},
        {"five balls, e = 0.7", 4, equal, 0.7, 1.5, 1},
        {"masses halved, stiffness too", 3, tapered, 1, 1.5, 0.5},
        {"any masses, e = 0.4, stiffer down the row", 4, heavy, 0.4, 2, 3},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const situation s = row_of(rows[k].nc, rows[k].mass, rows[k].e);
        const imp_lzb_settings settings = with(rows[k].eta, rows[k].grade);
        double p[ROWS], P[MOST], off = 0;
        const imp_status status = solve(&s, &settings, p);
        springs(&s, rows[k].eta, rows[k].grade, 2e-4, P);
        for (int i = 0; i < s.nc; i++)
            off = tap_worst(off, fabs(p[3 * i] - P[i]));
        note("%s: %.1e from springs by steps of 2e-4", rows[k].what, off);
        ok(status == IMP_OK && off < 1e-6, "%s", rows[k].what);
    }
}

/* p (3nc) <- the impulses of a row of nc + 1 equal balls, e = 1. */
static imp_status solve_row(int nc, const imp_lzb_settings *settings, double *p) {
    enum { LONGEST = 120 };
    static double W[9 * LONGEST * LONGEST], q[3 * LONGEST], mu[LONGEST], e[LONGEST];
    const int n = 3 * nc;
    memset(W, 0, sizeof W);
    for (int i = 0; i < n; i++) {
        W[i * n + i] = 2;
        if (i + 3 < n) W[i * n + i + 3] = W[(i + 3) * n + i] = -1;
        q[i] = i == 0 ? -1 : 0;
        e[i / 3] = 1;
    }
    const imp_operator dense = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &dense, .q = q, .mu = mu, .e = e};
    return imp_solve(&imp_model_lzb, &problem, settings, p, NULL);
}

/* Ten equal balls, e = 1: the last two leave at .147390 and .985866 (Hertz, integrated by RK4). */
static void test_ten_balls(void) {
    enum { ALL = 27 };
    double p[ALL] = {0};
    const imp_status status = solve_row(9, NULL, p);
    const double last = p[ALL - 3], before = p[ALL - 6] - last;
    ok(status == IMP_OK && fabs(last - 0.985866) < 1e-6 && fabs(before - 0.147390) < 1e-6,
       "ten balls: the last two leave at %.6f and %.6f", before, last);
}

/* Stiffness that goes down the row until it is no number. */
static void test_grade(void) {
    static double p[360];
    const imp_lzb_settings soft = with(1.5, 1e-3), stiff = with(10, 1e3);
    p[0] = 7;
    ok(solve_row(120, &soft, p) == IMP_UNSUPPORTED && p[0] == 7,
       "120 contacts, each a thousand times softer than the last: unsupported");
    ok(solve_row(68, &stiff, p) == IMP_UNSUPPORTED, "68, each a thousand times stiffer: too");
    ok(solve_row(67, &stiff, p) == IMP_OK, "one fewer: solved");
}

/* The last spring a thousand times softer, or stiffer, than the first: blows one after the other,
 * or two balls that are one. */
static void test_limits(void) {
    const situation s = row_of(2, equal, 1);
    const imp_lzb_settings soft = with(1.5, 1e-3), stiff = with(1.5, 1e3);
    double p[ROWS] = {0}, r[ROWS] = {0};
    const bool both = solve(&s, &soft, p) == IMP_OK && solve(&s, &stiff, r) == IMP_OK;
    ok(both && fabs(p[0] - 1) < 0.01 && fabs(p[3] - 1) < 0.01,
       "a soft second contact: binary collisions, %.3f %.3f", p[0], p[3]);
    ok(both && fabs(r[0] - 4 / 3.0) < 0.02 && fabs(r[3] - 2 / 3.0) < 0.05,
       "a stiff one: the balls behind it are one, %.3f %.3f", r[0], r[3]);
}

/* Two contacts that are one share its impulse; with e = 0 a row moves on as one. */
static void test_shares(void) {
    situation s = {.nc = 2, .q = {-1, 0, 0, -1, 0, 0}, .e = {0.5, 0.5}};
    double p[ROWS], most = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            s.W[i * 6 + j] = i % 3 == j % 3;
    const imp_status status = solve(&s, NULL, p);
    ok(status == IMP_OK && fabs(p[0] - 0.75) < 1e-9 && fabs(p[3] - 0.75) < 1e-9,
       "the same contact twice: half each");
    const situation row = row_of(6, equal, 0);
    const imp_status plastic = solve(&row, NULL, p);
    for (int i = 0; i < 6; i++)
        most = tap_worst(most, fabs(p[3 * i] - (6 - i) / 7.0));
    ok(plastic == IMP_OK && most < 1e-8, "e = 0: seven balls move on as one, to %.1e", most);
}

/* Without loss the integration may have gained, which is given back. */
static void test_no_gain(void) {
    double most = -INFINITY;
    for (int nc = 2; nc <= MOST; nc++) {
        const situation s = row_of(nc, equal, 1);
        const int n = 3 * nc;
        double p[ROWS], gain = 0;
        if (solve(&s, NULL, p) != IMP_OK) most = INFINITY;
        for (int i = 0; i < n; i++) {
            gain += p[i] * s.q[i];
            for (int j = 0; j < n; j++)
                gain += 0.5 * p[i] * s.W[i * n + j] * p[j];
        }
        most = tap_worst(most, gain);
    }
    ok(most <= 1e-15, "no row of balls gains energy: %.1e J of 0.5", most);
}

static void test_no_end(void) {
    /* a ball between two walls bounces for ever */
    situation s = {.nc = 2, .q = {-1, 0, 0, 1, 0, 0}, .e = {1, 1}};
    double p[ROWS];
    for (int i = 0; i < 6; i++) {
        s.W[7 * i] = 1;
        s.W[6 * i + (i + 3) % 6] = -1;
    }
    imp_lzb_settings settings = with(1.5, 1);
    settings.max_steps = 3000;
    ok(solve(&s, &settings, p) == IMP_NOT_CONVERGED && isfinite(p[0]) && isfinite(p[3]),
       "between two walls: not-converged");
    s.e[0] = s.e[1] = 0.5;
    const imp_status status = solve(&s, NULL, p);
    ok(status == IMP_OK && fabs(p[0] - p[3] - 1) < 1e-9, "with e < 1 it comes to rest");
    situation held = {.nc = 2, .q = {-1, 0, 0, -1, 0, 0}};
    for (int i = 0; i < 3; i++)
        held.W[7 * i] = 1;
    p[0] = 7;
    ok(solve(&held, NULL, p) == IMP_NO_SOLUTION, "a contact that nothing moves: no-solution");
}

/* Expansions a billion times as quick as the compression have a limit, which is not e = 0 where
 * other contacts press: they swing to where they are as far from balance, not to nothing. */
static void test_almost_plastic(void) {
    situation s = row_of(6, equal, 0);
    double p[ROWS], r[ROWS];
    for (int i = 0; i < 6; i++)
        s.e[i] = i % 2 ? 1 : 1e-5;
    const imp_status larger = solve(&s, NULL, p);
    for (int k = 0; k < 2; k++) {
        const double e = k ? IMP_LZB_PLASTIC : 1e-7;
        double most = 0;
        for (int i = 0; i < 6; i += 2)
            s.e[i] = e;
        const imp_status status = solve(&s, NULL, r);
        for (int i = 0; i < 6; i++)
            most = tap_worst(most, fabs(p[3 * i] - r[3 * i]));
        ok(larger == IMP_OK && status == IMP_OK && most < 1e-5,
           "e of %g beside e of 1: %.1e from e of 1e-5", e, most);
    }
    double apart = 0;
    for (int i = 0; i < 6; i += 2)
        s.e[i] = 0;
    const imp_status plastic = solve(&s, NULL, r);
    for (int i = 0; i < 6; i++)
        apart = tap_worst(apart, fabs(p[3 * i] - r[3 * i]));
    ok(plastic == IMP_OK && apart > 1e-4, "e of 0 is another: %.1e from it", apart);
}

/* Contacts that part a million times as fast as others approach, light ones beside heavy ones,
 * parallel ones. */
static void test_stress(void) {
    static const uint64_t hard[] = {5, 18, 50, 61, 78, 100, 148, 157, 198, 217, 291, 382, 392, 495};
    static stress_case c;
    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++) {
        double p[STRESS_ROWS] = {0};
        stress_make(&imp_model_lzb, hard[k], &c);
        const imp_status status = imp_solve(&imp_model_lzb, &c.problem, NULL, p, NULL);
        ok(status == IMP_OK, "stressed problem %d: %s", (int)hard[k], imp_status_text(status));
    }
}

/* Contacts that cease to approach for a moment within a step, and let go of what they hold. */
static void test_moments(void) {
    static const struct {
        int nc;
        double grade, e[5];
    } rows[] = {{5, 0.1, {0, 0.1, 0.2, 0.1, 0.8}}, {4, 0.02, {0.2, 0.2, 0.1, 1}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        situation s = row_of(rows[k].nc, equal, 0);
        memcpy(s.e, rows[k].e, (size_t)s.nc * sizeof *s.e);
        const imp_lzb_settings settings = with(1.5, rows[k].grade);
        double p[ROWS];
        const imp_status status = solve(&s, &settings, p);
        const double off = worst(&s, &settings, p);
        ok(status == IMP_OK && off < 1e-9, "%d springs, each softer by %g: %s (%.1e)", s.nc,
           rows[k].grade, imp_status_text(status), off);
        p[0] += 1e-6;
        ok(worst(&s, &settings, p) > 1e-7, "not 1e-6 N s more");
    }
}

static double plateau(void *data, double h) {
    ++*(int *)data;
    return fmax(-1e-6, 1e3 * (h - 0.3));
}

static void test_parts(void) {
    int asked = 0;
    ok(fabs(imp_lzb_turn(plateau, &asked, 1, -1e-6, 700)) < 1e-12 && asked < 100,
       "a turn behind a plateau is found");
    ok(imp_worse(0.5, NAN) == INFINITY && imp_worse(INFINITY, 0.5) == INFINITY &&
           imp_worse(0.5, 2) == 2 && imp_worse(2, 0.5) == 2 &&
           imp_worse(imp_worse(0, NAN), 0.5) == INFINITY,
       "an error that is no number is infinite, and the next does not replace it");
}

static void test_certificate(void) {
    imp_settings presets;
    imp_model_presets(&imp_model_lzb, &presets);
    ok(memcmp(&presets, &imp_lzb_presets, sizeof imp_lzb_presets) == 0,
       "without settings the law has the model's presets");
    const imp_lzb_settings own = with(1.5, 1), linear = with(1, 1), graded = with(1.5, 0.99);
    situation s = row_of(4, equal, 0.8), lossless = s;
    double p[ROWS], r[ROWS];
    lossless.e[2] = 0.81;
    const imp_status status = solve(&s, &own, p);
    ok(status == IMP_OK && worst(&s, &own, p) < 1e-9, "the answer is accepted");
    ok(solve(&s, &linear, r) == IMP_OK && worst(&s, &own, r) > 1e-3, "not that of linear springs");
    ok(worst(&s, &linear, r) < 1e-9, "which is that of its own settings");
    ok(solve(&s, &graded, r) == IMP_OK && worst(&s, &own, r) > 1e-4, "not other stiffness");
    ok(solve(&lossless, &own, r) == IMP_OK && worst(&s, &own, r) > 1e-4, "not another e");
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    static const char *const others[][2] = {{"sequential", "binary collisions"},
                                            {"moreau", "Moreau's law"},
                                            {"frictionless", "Poisson's restitution"}};
    for (int k = 0; k < 3; k++)
        ok(imp_solve(imp_model_find(others[k][0]), &problem, NULL, r, NULL) == IMP_OK &&
               worst(&s, &own, r) > 1e-2,
           "not %s", others[k][1]);
    for (int k = 0; k < 3; k++) {
        memcpy(r, p, sizeof r);
        r[3 * k + (k == 2)] += 1e-6;
        ok(worst(&s, &own, r) > 1e-7, "not 1e-6 N s more at row %d", 3 * k + (k == 2));
    }
    memset(r, 0, sizeof r);
    ok(worst(&s, &own, r) > 0.1, "not nothing");
}

/* Beside a blow, which loses energy, contact 1 parts, and a push there of 9e-10 is most of what the
 * light contact 2 moves at. */
static void test_light_neighbour(void) {
    const imp_lzb_settings own = with(1.5, 1);
    situation s = {.nc = 3, .q = {-1, 0, 0, 1, 0, 0, 1e-3, 0, 0}};
    const double N[3][3] = {{1, 1e-14, 0}, {1e-14, 1, 0.9e6}, {0, 0.9e6, 1e12}};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 3; j++)
            if (i % 3 == 0 || i / 3 == j) s.W[9 * i + 3 * j + i % 3] = N[i / 3][j];
    double p[ROWS] = {1};
    ok(worst(&s, &own, p) < 1e-12, "a blow beside contacts that part");
    p[3] = 9e-10;
    ok(worst(&s, &own, p) > 0.1, "9e-10 N s, which nearly double what a light contact moves at");
}

/* An impulse through a light ball is as large as the heavy ones beside it take. */
static void test_light_ball(void) {
    static const double mass[] = {1, 1e-4, 1};
    const situation s = row_of(2, mass, 1);
    const imp_lzb_settings own = imp_lzb_presets;
    double p[ROWS];
    const imp_status status = solve(&s, &own, p);
    ok(status == IMP_OK && worst(&s, &own, p) < 1e-9, "a ball of 1e-4 between two: %s, %.1e",
       imp_status_text(status), worst(&s, &own, p));
}

/* What has ended within max_steps is judged, by as many steps as that takes. */
static void test_few_steps(void) {
    situation s = {.nc = 1, .W = {2, -1, 0, -1, 3, 0.5, 0, 0.5, 4}, .q = {-1, 2, 1}, .e = {0.5}};
    imp_lzb_settings few = imp_lzb_presets;
    double p[ROWS];
    few.max_steps = 1;
    ok(solve(&s, &few, p) == IMP_OK && worst(&s, &few, p) < 1e-9, "a lone contact takes no step");
    s = row_of(3, equal, 0.5);
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    imp_info info = {0};
    (void)imp_solve(&imp_model_lzb, &problem, NULL, p, &info);
    few.max_steps = info.iterations;
    const imp_status enough =
        imp_solve_certified(&imp_model_lzb, &problem, &few, p, NULL, NULL, NULL);
    few.max_steps--;
    const imp_status less =
        imp_solve_certified(&imp_model_lzb, &problem, &few, p, NULL, NULL, NULL);
    ok(enough == IMP_OK && less == IMP_NOT_CONVERGED, "four balls take %d steps: %s, fewer: %s",
       info.iterations, imp_status_text(enough), imp_status_text(less));
}

/* A pair at 1 and 3 m/s beside a ball that it knows nothing of, or hardly anything. */
static void test_islands(void) {
    static const double speed[] = {1e-6, 10, 1e6, 1e12};
    const situation pair = {.nc = 2,
                            .W = {13, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                  6,  0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1},
                            .q = {-1, 0, 0, -3},
                            .e = {0.8, 0.1}};
    imp_lzb_settings exact = imp_lzb_presets;
    exact.tolerance = 1e-12;
    double alone[ROWS], p[ROWS];
    const imp_status status = solve(&pair, &exact, alone);
    for (int k = 0; k < 8; k++) {
        const double fast = speed[k / 2], coupling = k % 2 ? 1e-40 : 0;
        situation s = {.nc = 3, .q = {-1, 0, 0, -3, 0, 0, -fast}, .e = {0.8, 0.1, 0.4}};
        for (int i = 0; i < 36; i++)
            s.W[9 * (i / 6) + i % 6] = pair.W[i];
        s.W[60] = s.W[70] = s.W[80] = 1;
        s.W[6] = s.W[54] = coupling;
        const bool solved = status == IMP_OK && solve(&s, &exact, p) == IMP_OK;
        const double off = worst(&s, NULL, p);
        const double changed = fmax(fabs(p[0] / alone[0] - 1), fabs(p[3] / alone[3] - 1));
        ok(solved && off < 1e-9 && (coupling > 0 ? changed < 1e-9 : changed == 0),
           "beside a ball at %g m/s, coupling %g: %.1e from alone (%.1e)", fast, coupling, changed,
           off);
        memcpy(p, alone, 6 * sizeof *p);
        p[6] = 1.4 * fast;
        ok(worst(&s, NULL, p) < 1e-9, "what each does alone is right");
        p[3] *= 1 + 1e-7;
        ok(worst(&s, NULL, p) > 1e-8, "not 1e-7 more");
    }
}

/* Boxes on one another that fall, without restitution: a contact lets go as soon as it ceases to
 * approach, also where it would approach again before the step is over. */
static void test_lets_go(void) {
    enum { STACKS = 24 };
    int solved = 0;
    for (uint64_t seed = 0; seed < STACKS; seed++) {
        static gen_stack g;
        const double mass[GEN_STACK_BOXES] = {1, 1, 1, 1, 1};
        double p[3 * GEN_STACK_CONTACTS];
        gen_stream s = gen_seed(904, seed);
        gen_stack_of(&s, 3 + (int)(seed % 2), mass, 0, &g);
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        imp_certificate c = {0};
        solved += imp_solve_certified(&imp_model_lzb, &problem, NULL, p, NULL, &c, NULL) == IMP_OK;
    }
    ok(solved >= STACKS - 4, "stacks of three and four boxes: %d of %d certified", solved, STACKS);
}

int main(void) {
    test_lets_go();

    test_springs();
    test_ten_balls();
    test_grade();
    test_limits();
    test_shares();
    test_no_gain();
    test_no_end();
    test_almost_plastic();
    test_stress();
    test_moments();
    test_parts();
    test_certificate();
    test_light_neighbour();
    test_light_ball();
    test_islands();
    test_few_steps();
    return tap_done();
}
