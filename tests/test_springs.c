/* test_springs.c - the rigid limit of compliant contact: closed forms, springs integrated here in
 * the plainest way, and its limits. */
#include "compliant/law.h"
#include "generators/stress_problems.h"
#include "springs_situations.h"

/* u (3nc) of the impulses p. */
static void velocity(const situation *s, const double *p, double *u) {
    const int n = 3 * s->nc;
    for (int i = 0; i < n; i++) {
        u[i] = s->q[i];
        for (int j = 0; j < n; j++)
            u[i] += s->W[i * n + j] * p[j];
    }
}

static double far(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = tap_worst(most, fabs(a[i] - b[i]));
    return most;
}

/* One contact that slides one way, or sticks from the start: along a line all springs are one. */
static void test_one_contact(void) {
    static const double restitution[] = {0, 1e-3, 0.3, 0.9, 0.99999999, 1};
    double slides = 0, sticks = 0;
    for (size_t k = 0; k < sizeof restitution / sizeof *restitution; k++) {
        const double e = restitution[k], W[6] = {2, 0.4, 0.2, 3, 0.1, 2.5};
        const situation slide = situation_of(W, (double[3]){-1.5, 8, 0}, 0, e);
        situation rough = slide;
        rough.mu[0] = 0.2;
        rough.W[2] = rough.W[6] = rough.W[5] = rough.W[7] = 0;
        double p[ROWS], u[3] = {0};
        if (solve(&slide, NULL, p) != IMP_OK) slides = INFINITY;
        slides = tap_worst(slides, fabs(p[0] - (1 + e) * 1.5 / 2) + fabs(p[1]) + fabs(p[2]));
        if (solve(&rough, NULL, p) != IMP_OK) slides = INFINITY;
        const double normal = (1 + e) * 1.5 / (2 - 0.2 * 0.4);
        slides = tap_worst(slides, fabs(p[0] - normal) + fabs(p[1] + 0.2 * normal) + fabs(p[2]));
        const situation stick = situation_of(W, (double[3]){-1.5, 0, 0}, 5, e);
        if (solve(&stick, NULL, p) != IMP_OK) sticks = INFINITY;
        velocity(&stick, p, u);
        sticks = tap_worst(sticks, fabs(u[0] - e * 1.5) + fabs(u[1]) + fabs(u[2]));
    }
    ok(slides < 1e-8, "one contact without slip or sliding one way: u_n = -e q_n, to %.1e", slides);
    ok(sticks < 1e-8, "one that sticks: too, to %.1e", sticks);
}

/* With which compliant contact gives back e of that speed. */
static double dissipation(double e, double speed) {
    double low = 0, high = 1e6;
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        if (compliant_restitution(middle, speed) > e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Springs in the plainest way: P by symplectic Euler's steps of h, friction by sweeps. */
static void plain(const situation *s, double eta, double grade, double h, double *P) {
    const int n = 3 * s->nc;
    double x[MOST] = {0}, u[ROWS], a[MOST] = {0}, fastest = 0;
    memset(P, 0, ROWS * sizeof *P);
    for (int i = 0; i < s->nc; i++)
        fastest = fmax(fastest, -s->q[3 * i]);
    for (int i = 0; i < s->nc; i++)
        a[i] = 1.5 * dissipation(s->e[i], fastest);
    for (int step = 0; step < 60 / h; step++) {
        double force[ROWS] = {0}, K = 1;
        velocity(s, P, u);
        for (int i = 0; i < s->nc; i++, K *= grade)
            force[3 * i] = K * pow(fmax(x[i], 0), eta) * fmax(0, 1 - a[i] * u[3 * i]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j += 3)
                u[i] += h * s->W[i * n + j] * force[j];
        for (int sweep = 0; sweep < 40; sweep++)
            for (int i = 0; i < s->nc; i++) {
                const int t = 3 * i + 1;
                const double w = h * (s->W[t * (n + 1)] + s->W[(t + 1) * (n + 1)]);
                double f[2] = {force[t] - u[t] / w, force[t + 1] - u[t + 1] / w};
                const double size = hypot(f[0], f[1]), limit = s->mu[i] * force[3 * i];
                for (int k = 0; k < 2; k++) {
                    const double by = f[k] * (size > limit ? limit / size : 1) - force[t + k];
                    force[t + k] += by;
                    for (int j = 0; j < n; j++)
                        u[j] += h * s->W[j * n + t + k] * by;
                }
            }
        for (int i = 0; i < n; i++)
            P[i] += h * force[i];
        for (int i = 0; i < s->nc; i++)
            x[i] -= h * u[3 * i];
    }
}

static void test_plain_springs(void) {
    static const struct {
        const char *what;
        uint64_t index;
        double mu, eta, grade;
    } cases[] = {{"two contacts of bodies, mu 0.3", 0, 0.3, 1.5, 1},
                 {"three, mu 0.3, linear, stiffer down the list", 1, 0.3, 1, 2},
                 {"four, mu 1", 2, 1, 1.5, 1},
                 {"two, mu 0.1, softer", 0, 0.1, 2, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        situation s = closing(cases[k].index);
        double p[ROWS], P[ROWS], u[ROWS], U[ROWS];
        for (int i = 0; i < s.nc; i++) {
            s.mu[i] = cases[k].mu;
            s.e[i] = 0.3 + 0.1 * i;
        }
        const imp_springs_settings settings = with(cases[k].eta, cases[k].grade);
        const imp_status status = solve(&s, &settings, p);
        plain(&s, cases[k].eta, cases[k].grade, 1e-3, P);
        velocity(&s, p, u);
        velocity(&s, P, U);
        const double off = far(u, U, 3 * s.nc); /* steps of first order */
        ok(status == IMP_OK && off < 1e-4, "%s: %.1e from steps of 1e-3", cases[k].what, off);
    }
}

/* Without loss and friction, and as long as none opens: the springs of Liu, Zhao, Brogliato. */
static void test_lzb(void) {
    static const double heavy[] = {1, 3, 0.5, 2, 1};
    const situation rows[] = {row_of(2, equal, 1), row_of(4, heavy, 1), row_of(6, equal, 1)};
    double off = 0;
    for (size_t k = 0; k < 3; k++) {
        imp_operator W;
        const imp_problem problem = situation_problem(&rows[k], &W);
        double p[ROWS], r[ROWS] = {0};
        const bool both = solve(&rows[k], NULL, p) == IMP_OK &&
                          imp_solve(imp_model_find("lzb"), &problem, NULL, r, NULL) == IMP_OK;
        off = tap_worst(off, both ? far(p, r, 3 * rows[k].nc) : INFINITY);
    }
    ok(off < 1e-8, "e = 1: rows of balls as by lzb, to %.1e", off);
}

/* Beside the fastest a slower contact gives back more, as dissipation has it. */
static void test_slower(void) {
    situation s = {.nc = 2, .q = {-2, 0, 0, -0.2, 0, 0}, .e = {0.5, 0.5}};
    for (int i = 0; i < 6; i++)
        s.W[7 * i] = 1;
    s.W[3] = s.W[18] = 1e-13; /* one island */
    double p[ROWS];
    const imp_status status = solve(&s, NULL, p);
    const double want = compliant_restitution(dissipation(0.5, 2), 0.2);
    ok(status == IMP_OK && fabs(p[0] - 3) < 1e-8 && fabs(p[3] - 0.2 * (1 + want)) < 1e-8,
       "a tenth as fast: e %.6f, compliant contact's %.6f", p[3] / 0.2 - 1, want);
    s.W[3] = s.W[18] = 0;
    ok(solve(&s, NULL, p) == IMP_OK && fabs(p[0] - 3) < 1e-8 && fabs(p[3] - 0.3) < 1e-8,
       "in an island of its own: its e");
}

/* Contacts that open first find the gap that they left. */
static void test_gap(void) {
    /* a light ball between a heavy one that comes and one that goes more slowly */
    situation s = row_of(2, (const double[]){5, 0.2, 1}, 1);
    s.q[0] = -1;
    s.q[3] = 0.5;
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    double p[ROWS], P[ROWS], r[ROWS] = {0};
    const imp_status status = solve(&s, NULL, p),
                     other = imp_solve(imp_model_find("lzb"), &problem, NULL, r, NULL);
    plain(&s, 1.5, 1, 1e-3, P);
    ok(status == IMP_OK && other == IMP_OK && far(p, P, 6) < 1e-3 && far(r, P, 6) > 1e-2,
       "a gap is crossed: %.1e from plain springs, lzb %.1e", far(p, P, 6), far(r, P, 6));
}

/* Balls that turn as they rub. */
static situation rubbing_row(int nc, const double *mass, const double *q, const double *mu) {
    situation s = row_of(nc, mass, 1);
    const int n = 3 * nc;
    for (int a = 0; a < n; a++) {
        s.q[a] = q[a];
        s.mu[a / 3] = mu[a / 3];
        for (int b = a - 3; a % 3 > 0 && b <= a + 3; b += 3)
            if (b >= 0 && b < n) s.W[n * a + b] *= b == a ? 3.5 : -1.5;
    }
    return s;
}

/* Slips 150 times as fast as the approach: where one ends decides how much friction there is. p by
 * Radau IIA of order five, steps of 1e-11 and friction nearer to Coulomb's, which another method
 * confirms to 3e-8. */
static void test_fast_slip(void) {
    static const double right[ROWS] = {1.0709523536514731,  -0.07410130650646606,
                                       -0.1001873213846115, 0.9945493145802329,
                                       -0.676035109421517,  -0.4195457874272136};
    const situation s =
        rubbing_row(2, equal, (double[6]){-1, 1, 1, 0, 132, 82}, (double[2]){0.5, 0.8});
    double p[ROWS], u[6], v[6];
    const imp_status status = solve(&s, NULL, p);
    velocity(&s, p, u);
    velocity(&s, right, v);
    const double off = status == IMP_OK ? far(u, v, 6) : INFINITY;
    ok(off < 3e-7, "a slip 150 times as fast as the approach: to %.1e", off);
    ok(worst(&s, NULL, right) < 1e-7, "which the certificate accepts: %.1e",
       worst(&s, NULL, right));
    const double mass[] = {1 / 2.27, 1 / 4152.9, 1 / 161.0, INFINITY},
                 q[] = {-1, 0.109, 0.0916, 0, -0.126, -11.26, 0, 0.294, 11.11};
    situation pebble = rubbing_row(3, mass, q, (double[3]){0.2166, 0.2149, 0.000656});
    pebble.e[1] = 1e-3;
    ok(solve(&pebble, NULL, p) == IMP_OK, "a pebble of which the certificate takes more steps");
}

/* What a solve takes; -1 where it does not come to an end. */
static int steps_of(const situation *s, const imp_springs_settings *settings) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    imp_info info;
    double p[ROWS];
    const imp_status status = imp_solve(&imp_model_springs, &problem, settings, p, &info);
    return status == IMP_OK ? info.iterations : -1;
}

/* Islands do not know of each other. */
static void test_islands(void) {
    const situation a = situation_many(&imp_model_springs, 2);
    situation b = situation_many(&imp_model_springs, 1), both = {.nc = a.nc + b.nc};
    const int n = 3 * both.nc, m = 3 * a.nc;
    for (int i = 0; i < 3 * b.nc; i++)
        b.q[i] *= 0x1p-20;
    for (int i = 0; i < n; i++) {
        both.q[i] = i < m ? a.q[i] : b.q[i - m];
        both.mu[i / 3] = i < m ? a.mu[i / 3] : b.mu[(i - m) / 3];
        both.e[i / 3] = i < m ? a.e[i / 3] : b.e[(i - m) / 3];
        for (int j = 0; j < n; j++)
            if ((i < m) == (j < m))
                both.W[i * n + j] = i < m ? a.W[i * m + j] : b.W[(i - m) * 3 * b.nc + j - m];
    }
    double p[ROWS], r[2][ROWS];
    const bool all = solve(&both, NULL, p) == IMP_OK && solve(&a, NULL, r[0]) == IMP_OK &&
                     solve(&b, NULL, r[1]) == IMP_OK;
    ok(all && memcmp(p, r[0], (size_t)m * sizeof *p) == 0 &&
           memcmp(p + m, r[1], (size_t)(n - m) * sizeof *p) == 0,
       "two islands, one a million times as fast: the bits of each alone");
    const int steps[3] = {steps_of(&a, NULL), steps_of(&b, NULL), steps_of(&both, NULL)};
    imp_springs_settings few = imp_springs_presets;
    few.max_steps = fmax(steps[0], steps[1]);
    ok(steps[0] > 0 && steps[1] > 0 && steps[2] == steps[0] + steps[1] &&
           steps_of(&both, &few) == steps[2],
       "and its steps, %d and %d: as many as the longer one takes are enough", steps[0], steps[1]);
    few.max_steps--;
    ok(steps_of(&both, &few) == -1, "one fewer is not");
}

static void test_statuses(void) {
    situation wall = {.nc = 2, .q = {-1, 0, 0, 1, 0, 0}, .e = {1, 1}};
    double p[ROWS], gain = 0;
    for (int i = 0; i < 6; i++) {
        wall.W[7 * i] = 1;
        wall.W[6 * i + (i + 3) % 6] = i % 3 == 0 ? -1 : 1;
    }
    imp_springs_settings few = imp_springs_presets;
    few.max_steps = 500;
    ok(solve(&wall, &few, p) == IMP_NOT_CONVERGED && isfinite(p[0]) && isfinite(p[3]),
       "between two walls: not-converged");
    situation held = {.nc = 2, .q = {-1, 0, 0, -1, 0, 0}};
    for (int i = 0; i < 3; i++)
        held.W[7 * i] = 1;
    p[0] = 7;
    ok(solve(&held, NULL, p) == IMP_NO_SOLUTION, "a contact that nothing moves: no-solution");
    const situation row = row_of(4, equal, 1), parts = row_of(1, equal, 1);
    const imp_springs_settings soft = with(1.5, 1e-3);
    const imp_springs_settings rough = {.exponent = 1.5, .tolerance = 1e-3};
    ok(imp_model_bound(&imp_model_springs, &rough) == 0.1, "a tenth is no residual of an answer");
    const imp_status graded = solve(&row, &soft, p);
    ok(graded == IMP_OK, "each spring a thousand times softer: %s", imp_status_text(graded));
    imp_operator W;
    imp_problem problem = situation_problem(&row, &W);
    const volatile int now = 1;
    ok(imp_solve_until(&now, &imp_model_springs, &problem, NULL, p, NULL, NULL, NULL) ==
           IMP_NOT_CONVERGED,
       "cancelled: not-converged");
    const imp_status kept = solve(&row, NULL, p);
    gain = imp_problem_energy(&problem, p);
    ok(kept == IMP_OK && fabs(gain) <= 1e-15,
       "without loss there is none, and no gain: %.1e J of 0.5", gain);
    situation away = parts;
    away.q[0] = 1;
    ok(solve(&away, NULL, p) == IMP_OK && p[0] == 0, "a contact that parts takes no impulse");
}

/* A particle that falls into a steep groove of rough walls, between whose springs it is held: the
 * velocities come to an end, the impulses do not. */
static void test_wedge(void) {
    const double sine = sin(1.2), cosine = cos(1.2);
    const double axes[6][3] = {{sine, 0, cosine},  {cosine, 0, -sine}, {0, 1, 0},
                               {-sine, 0, cosine}, {cosine, 0, sine},  {0, 1, 0}};
    situation s = {.nc = 2, .mu = {0.9, 0.9}, .e = {0.5, 0.5}};
    for (int i = 0; i < 6; i++) {
        s.q[i] = 0.1 * axes[i][0] + 0.05 * axes[i][1] - axes[i][2];
        for (int j = 0; j < 6; j++)
            s.W[6 * i + j] =
                axes[i][0] * axes[j][0] + axes[i][1] * axes[j][1] + axes[i][2] * axes[j][2];
    }
    double p[ROWS], u[ROWS];
    const imp_status status = solve(&s, NULL, p);
    velocity(&s, p, u);
    ok(status == IMP_OK && far(u, (double[6]){0}, 6) < 1e-7, "wedged: %s, at rest to %.1e",
       imp_status_text(status), far(u, (double[6]){0}, 6));
    s.mu[0] = s.mu[1] = 0.1;
    const imp_status smooth = solve(&s, NULL, p);
    velocity(&s, p, u);
    ok(smooth == IMP_OK && u[0] > 0.1 && u[3] > 0.1, "walls less rough: it bounces out");
}

/* Stiffness that goes down a row until it is no number. */
static void test_grade(void) {
    enum { LONGEST = 68 };
    static double W[9 * LONGEST * LONGEST], q[3 * LONGEST], mu[LONGEST], p[3 * LONGEST];
    const int n = 3 * LONGEST;
    for (int i = 0; i < n; i++) {
        W[i * n + i] = 2;
        if (i + 3 < n) W[i * n + i + 3] = W[(i + 3) * n + i] = -1;
        q[i] = i == 0 ? -1 : 0;
    }
    const imp_operator dense = imp_operator_dense(LONGEST, W);
    const imp_problem problem = {.nc = LONGEST, .W = &dense, .q = q, .mu = mu};
    const imp_springs_settings stiff = with(1.5, 1e3), soft = with(1.5, 1e-3);
    imp_certificate c;
    ok(imp_solve(&imp_model_springs, &problem, &stiff, p, NULL) == IMP_UNSUPPORTED,
       "68 contacts, each a thousand times stiffer than the last: unsupported");
    ok(imp_solve(&imp_model_springs, &problem, &soft, p, NULL) == IMP_UNSUPPORTED, "softer: too");
    ok(imp_certify(&problem, &imp_law_springs, &stiff, p, NULL, &c) == IMP_OK && c.unjudged,
       "nor are others' answers judged");
}

/* Hard little problems, on seeds that nothing was set on: nearly all are solved, that is, two
 * methods agree. */
static void test_stress(void) {
    static const stress_shape shapes[] = {STRESS_GENERIC, STRESS_BODIES, STRESS_FACE};
    static stress_case c;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        int solved = 0;
        for (uint64_t i = 0; i < 20; i++) {
            double p[STRESS_ROWS] = {0};
            stress_make_shape(&imp_model_springs, shapes[k], 1000 + i, &c);
            for (int j = 0; j < c.problem.nc; j++)
                c.mu[j] = fmin(c.mu[j], 2);
            solved += imp_solve(&imp_model_springs, &c.problem, NULL, p, NULL) == IMP_OK;
        }
        ok(solved >= 18, "stressed problems of shape %d: %d of 20", (int)shapes[k], solved);
    }
}

/* Rounding of the solver leaves no pull and no friction where nothing pushes. */
static void test_dust(void) {
    const int count = tap_many(60, 200);
    int dust = 0, none = 0, answers = 0;
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        const situation s = situation_many(&imp_model_springs, k);
        double p[ROWS];
        if (solve(&s, NULL, p) != IMP_OK) continue;
        answers++;
        for (int i = 0; i < s.nc; i++) {
            const double *x = p + 3 * i;
            none += x[0] == 0;
            dust += x[0] < 0 || (x[0] == 0 && (x[1] != 0 || x[2] != 0));
        }
    }
    ok(answers > count / 2 && none > count / 4 && dust == 0,
       "%d answers: %d contacts without a push, %d of dust", answers, none, dust);
}

int main(void) {
    test_dust();
    test_one_contact();
    test_plain_springs();
    test_lzb();
    test_slower();
    test_gap();
    test_fast_slip();
    test_islands();
    test_statuses();
    test_wedge();
    test_grade();
    test_stress();
    return tap_done();
}
