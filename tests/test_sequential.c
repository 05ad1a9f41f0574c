/* test_sequential.c - sequential impulses: rows of balls blow by blow, orders that answer
 * differently, limits. */
#include "benchmarks/harness/stress.h"
#include "sequential_subject.h"

enum { BALLS = GEN_MOST_CONTACTS + 1 };

/* ---- rows of balls, without friction ---- */

/* Balls of these masses in a row, touching, with velocities v; contact i between balls i and i + 1
 * closes where v_i > v_i+1. */
static situation row(int balls, const double *mass, const double *v, double e) {
    situation s = {.nc = balls - 1};
    const int n = 3 * s.nc;
    for (int i = 0; i < s.nc; i++) {
        s.W[3 * i * (n + 1)] = 1 / mass[i] + 1 / mass[i + 1];
        s.W[(3 * i + 1) * (n + 1)] = s.W[(3 * i + 2) * (n + 1)] = 7;
        if (i + 1 < s.nc)
            s.W[3 * i * n + 3 * i + 3] = s.W[(3 * i + 3) * n + 3 * i] = -1 / mass[i + 1];
        s.q[3 * i] = v[i + 1] - v[i];
        s.e[i] = e;
    }
    return s;
}

/* v (balls) <- the velocities after p. */
static void after(int balls, const double *mass, const double *p, double *v) {
    for (int k = 0; k + 1 < balls; k++) {
        v[k] -= p[3 * k] / mass[k];
        v[k + 1] += p[3 * k] / mass[k + 1];
    }
}

/* The same by binary collisions of balls, the fastest approaching pair first. */
static void collide(int balls, const double *mass, double e, double *v) {
    for (int k = 0; k < 100000; k++) {
        int pair = -1;
        double fastest = 1e-9;
        for (int i = 0; i + 1 < balls; i++)
            if (v[i] - v[i + 1] > fastest) fastest = v[i] - v[i + 1], pair = i;
        if (pair < 0) return;
        const double a = mass[pair], b = mass[pair + 1],
                     common = (a * v[pair] + b * v[pair + 1]) / (a + b);
        v[pair] = common - e * b / (a + b) * fastest;
        v[pair + 1] = common + e * a / (a + b) * fastest;
    }
}

static void test_rows(void) {
    double one[BALLS], p[ROWS];
    for (int k = 0; k < BALLS; k++)
        one[k] = 1;
    for (int order = IMP_FASTEST; order <= IMP_LISTED; order++)
        for (int coming = 1; coming <= 3; coming++) {
            double v[BALLS] = {0}, want[BALLS] = {0};
            for (int k = 0; k < coming; k++)
                v[k] = want[4 - k] = 1;
            const situation s = row(5, one, v, 1);
            imp_path path = {0};
            const imp_status status = solve(&s, (imp_sequential_order)order, p, &path);
            after(5, one, p, v);
            ok(status == IMP_OK, "%d of five balls come", coming);
            is_vec(v, want, 5, 0, 0, "as many leave, the others stand still, to the bit");
            ok(path.steps == coming * (5 - coming), "after %d blows", path.steps);
            bool along = true;
            for (int k = 0; coming == 1 && k < path.steps; k++)
                along = along && path.phase[k * 4 + k] == 'C' && path.round[k] == k + 1;
            ok(along, "one ball's blow goes down the row");
            imp_path_clear(&path);
        }
    int unlike = 0, lost = 0;
    for (uint64_t k = 0; k < 200; k++) {
        gen_stream g = gen_seed(612, k);
        const int balls = 2 + (int)(k % (BALLS - 1));
        const double e = k % 4 == 0 ? 1 : gen_uniform(&g, 0, 1);
        double mass[BALLS] = {0}, v[BALLS] = {0}, w[BALLS] = {0}, before = 0, energy = 0;
        for (int i = 0; i < balls; i++) {
            mass[i] = gen_power10(&g, -0.5, 0.5);
            v[i] = w[i] = gen_uniform(&g, -1, 1);
            before += mass[i] * v[i] * v[i];
        }
        const situation s = row(balls, mass, v, e);
        const imp_status status = solve(&s, IMP_FASTEST, p, NULL);
        after(balls, mass, p, v);
        collide(balls, mass, e, w);
        for (int i = 0; i < balls; i++) {
            unlike += !(status == IMP_OK && fabs(v[i] - w[i]) <= 1e-6);
            energy += mass[i] * v[i] * v[i];
        }
        lost += e == 1 && !(fabs(energy - before) <= 1e-12 * before);
    }
    ok(unlike == 0, "rows of random masses: as binary collisions of the balls");
    ok(lost == 0, "e = 1 keeps the energy");
}

/* ---- the order ---- */

/* A ball of mass 1 comes at two balls of mass 1 side by side: normals 60 degrees apart. */
static void test_order(void) {
    const double want[3][2] = {{1, 0.5}, {0.4, 1.2}, {1, 0.7}};
    const double speed[3] = {-1, -1.2, -1.2};
    const imp_sequential_order order[3] = {IMP_FASTEST, IMP_FASTEST, IMP_LISTED};
    for (int k = 0; k < 3; k++) {
        situation s = {.nc = 2, .q = {-1, 0, 0, speed[k]}, .e = {1, 1}};
        double p[ROWS];
        for (int i = 0; i < 6; i++)
            s.W[7 * i] = 2;
        s.W[3] = s.W[18] = 0.5;
        ok(solve(&s, order[k], p, NULL) == IMP_OK, "two balls struck at once");
        const double all[6] = {want[k][0], 0, 0, want[k][1], 0, 0};
        is_vec(p, all, 6, 1e-14, 0, "%s by hand",
               k == 0   ? "at the same speed, the first more than the second:"
               : k == 1 ? "the faster one first,"
                        : "in the order of the list,");
    }
}

/* ---- limits ---- */

static void test_one(void) {
    int unlike = 0, gained = 0;
    for (uint64_t k = 0; k < 400; k++) {
        const situation s = situation_one(&imp_model_sequential, 50000 + k);
        double p[ROWS], other[ROWS] = {0}, energy = 0, stake = 0;
        imp_operator W;
        const imp_problem problem = situation_problem(&s, &W);
        unlike += solve(&s, IMP_FASTEST, p, NULL) != IMP_OK;
        unlike += imp_solve(imp_model_find("moreau"), &problem, NULL, other, NULL) != IMP_OK;
        for (int i = 0; i < 3; i++) {
            unlike += !(fabs(p[i] - other[i]) <= 1e-12 * (fabs(p[0]) + hypot(p[1], p[2])));
            stake += fabs(p[i] * s.q[i]);
        }
        energy = imp_problem_energy(&problem, p);
        gained += energy > 1e-3 * stake;
    }
    ok(unlike == 0, "one contact is struck once, as moreau has it");
    ok(gained > 0, "%d of 400 gain energy as it does", gained);
}

static void test_limits(void) {
    const double N[2] = {1, 0};
    situation walls = {.nc = 2, .q = {-1, 0, 0, 1}, .e = {1, 1}};
    for (int i = 0; i < 6; i++)
        walls.W[7 * i] = N[0];
    walls.W[3] = walls.W[18] = -1;
    double p[ROWS];
    imp_path path = {0};
    ok(solve(&walls, IMP_FASTEST, p, &path) == IMP_NOT_CONVERGED && path.steps == 50000,
       "between two walls a body bounces for ever");
    ok(p[0] == 50000 && p[3] == 50000, "p is all blows");
    walls.e[0] = walls.e[1] = 0;
    ok(solve(&walls, IMP_FASTEST, p, &path) == IMP_OK && path.steps == 1,
       "without restitution once");
    imp_path_clear(&path);

    imp_operator W;
    imp_settings settings = with_order(IMP_FASTEST);
    const double one[5] = {1, 1, 1, 1, 1}, v[5] = {1};
    const situation s = row(5, one, v, 1);
    const imp_problem problem = situation_problem(&s, &W);
    (void)imp_model_set(&imp_model_sequential, &settings, "max_steps", 2);
    ok(imp_solve(&imp_model_sequential, &problem, &settings, p, NULL) == IMP_NOT_CONVERGED &&
           p[0] == 1 && p[3] == 1 && p[6] == 0,
       "two blows allowed: the two first");
    const volatile int stop = 1;
    ok(imp_solve_until(&stop, &imp_model_sequential, &problem, NULL, p, NULL, NULL, NULL) ==
           IMP_NOT_CONVERGED,
       "cancelled");
    static const struct {
        const char *name;
        double value;
    } bad[] = {{"max_steps", 0}, {"max_steps", 1.5}, {"tolerance", 0}, {"tolerance", NAN}};
    for (int k = 0; k < 4; k++) {
        settings = with_order(IMP_FASTEST);
        (void)imp_model_set(&imp_model_sequential, &settings, bad[k].name, bad[k].value);
        ok(imp_solve(&imp_model_sequential, &problem, &settings, p, NULL) == IMP_BAD_ARGUMENT,
           "%s %g is refused", bad[k].name, bad[k].value);
    }
    settings = with_order((imp_sequential_order)2);
    ok(imp_solve(&imp_model_sequential, &problem, &settings, p, NULL) == IMP_BAD_ARGUMENT,
       "a third order too");

    situation heavy = row(3, one, v, 1);
    for (int i = 0; i < 36; i++)
        if (i / 6 < 3 || i % 6 < 3) heavy.W[i] = 0;
    ok(solve(&heavy, IMP_FASTEST, p, &path) == IMP_NOT_CONVERGED && p[0] == 0 && path.steps == 0,
       "what no impulse moves is not struck");
}

/* Hard problems on which friction creates energy without end. */
static void test_overflow(void) {
    int overflows = 0, bad = 0;
    for (uint64_t k = 0; k < 600; k++) {
        stress_case c;
        double p[STRESS_ROWS] = {0};
        imp_path path = {0};
        stress_make(&imp_model_sequential, k, &c);
        if (imp_solve_certified(&imp_model_sequential, &c.problem, NULL, p, &path, NULL, NULL) ==
            IMP_OVERFLOW) {
            overflows++;
            bad += path.steps == 0 || !imp_path_finite(&path);
            for (int i = 0; i < 3 * c.problem.nc; i++)
                bad += !isfinite(p[i]);
        }
        imp_path_clear(&path);
    }
    ok(overflows > 3 && bad == 0, "%d of 600 hard problems overflow, up to then p is finite",
       overflows);
}

/* W_ii z = 0 along z = (1, -1, 1), within the cone, and z (1 + e) v < 0: neither a stick nor a slip
 * has that normal velocity. The other contact parts. */
static void test_no_answer(void) {
    static const double block[3][3] = {{5, 4, -1}, {4, 5, 1}, {-1, 1, 2}};
    situation s = {.nc = 2, .q = {-3, 0, 3, 1}, .mu = {10, 10}, .e = {0.5, 0.5}};
    double p[ROWS] = {0};
    for (int i = 0; i < 3; i++) {
        memcpy(s.W + (size_t)6 * i, block[i], sizeof block[i]);
        s.W[7 * (3 + i)] = 1;
    }
    const imp_status status = solve(&s, IMP_FASTEST, p, NULL);
    ok(status == IMP_NOT_CONVERGED && p[0] == 0,
       "a contact without an answer is not struck: %g N s", p[0]);
}

/* A condition of 5e12, so that rounding of W p is 1e-4 of the velocities; p to 60 digits. */
static void test_weak_axis(void) {
    static const double nt = 12691.654519953381, no = -52941.75608305021, to = -4710.159736519964;
    situation s = {
        .nc = 1,
        .W = {142511.39557872454, nt, no, nt, 1138.6590010627751, to, no, to, 19670.021760124342},
        .q = {-5.877169386320161, 11.708092973833827, -18.91647517364271},
        .mu = {5},
        .e = {0.5}};
    double p[ROWS] = {0};
    const imp_status status = solve(&s, IMP_FASTEST, p, NULL);
    is_near(status == IMP_OK ? p[0] : NAN, 231990220.13876885, 0, 1e-2,
            "a push that its contact hardly feels");
}

/* Residuals of one blow by their definition. */
static void test_residuals(void) {
    const double one[3] = {1, 1, 1}, v[3] = {1}, stop[6] = {0.5}, rub[6] = {1, 0.01}, bare[6] = {1};
    const char phase[2] = {'C', 'O'}, motion[2] = {'-', '-'};
    const situation s = row(3, one, v, 1);
    situation apart = s;
    imp_path stopped = {0}, rubbed = {0}, bounced = {0};
    (void)imp_path_add(&stopped, 2, 1, 1, stop, phase, motion);
    (void)imp_path_add(&rubbed, 2, 1, 1, rub, phase, motion);
    (void)imp_path_add(&bounced, 2, 1, 1, bare, phase, motion);
    apart.W[3] = apart.W[18] = 0;
    is_near(worst(&apart, IMP_FASTEST, stop, &stopped), 1 / 3.0, 0, 1e-14,
            "a stop where e = 1: u_n + e v_n = -1 of |v_n| + |2 x_n| + |e v_n| = 3");
    is_near(worst(&apart, IMP_FASTEST, rub, &rubbed), 0.01 / (9 / 16.0), 0, 1e-14,
            "friction where mu is 0, of the whole: over 3 (1 + 2) / trace(W) = 9 / (2 + 7 + 7)");
    is_near(worst(&s, IMP_FASTEST, rub, &rubbed), 1, 0, 1e-14,
            "one of two blows: the second contact approaches with all of its terms");
    const double elsewhere[6] = {1, 0, 0, 0.01};
    is_near(worst(&apart, IMP_FASTEST, rub, &bounced), 0.07 / 3, 0, 1e-14,
            "blows that do not add up, by what they move: W_tt 0.01 of |v_n| + |2 p_n|");
    apart.mu[0] = 1;
    is_near(worst(&apart, IMP_FASTEST, rub, &bounced), 0.07 / 3, 0, 1e-14,
            "and so where the cone sees nothing");
    is_near(worst(&apart, IMP_FASTEST, elsewhere, &bounced), INFINITY, 0, 0,
            "a push where nothing moves is beyond all data");
    apart.q[5] = 1e-4;
    is_near(worst(&apart, IMP_FASTEST, elsewhere, &bounced), 0.01 / (0.06 / 16), 0, 1e-14,
            "of a contact that was not struck, over 3 0.02 / (2 + 7 + 7)");
    apart.q[5] = 0;
    apart.q[1] = 0.5;
    apart.mu[0] = 0.1;
    is_near(worst(&apart, IMP_FASTEST, bare, &bounced), 0.5 / hypot(4, 4), 0, 1e-14,
            "a slip without friction, of a blow: u_t over size_f, less than limit over lean");
    imp_path_clear(&stopped);
    imp_path_clear(&rubbed);
    imp_path_clear(&bounced);
}

static void test_scales(void) {
    static const double scales[] = {1e-150, 1e-75, 1e75, 1e150};
    const situation base = situation_many(&imp_model_sequential, 1); /* 3 contacts, e = 0.5 */
    double p[ROWS], far[ROWS];
    ok(solve(&base, IMP_FASTEST, p, NULL) == IMP_OK, "three contacts");
    for (int k = 0; k < 8; k++) {
        situation s = base;
        const double w = k < 4 ? scales[k] : 1, v = k < 4 ? 1 : scales[k - 4];
        for (int i = 0; i < 81; i++)
            s.W[i] *= w;
        for (int i = 0; i < 9; i++)
            s.q[i] *= v;
        ok(solve(&s, IMP_FASTEST, far, NULL) == IMP_OK, "W times %g, q times %g", w, v);
        for (int i = 0; i < 9; i++)
            far[i] *= w / v;
        is_vec(far, p, 9, 1e-8, 0, "the same impulse in other units");
    }
}

int main(void) {
    test_rows();
    test_order();
    test_one();
    test_limits();
    test_overflow();
    test_no_answer();
    test_weak_axis();
    test_residuals();
    test_scales();
    return tap_done();
}
