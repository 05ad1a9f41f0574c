/* test_forces.c - the forces of one touching contact: signs without rounding, scales, and what a
 * certificate refuses. */
#include "forces_cases.h"
#include "tap.h"

/* A friction that slides with speed s along r: A = 15 - 3 r.s, 0 for s along (3, 4). */
static const double W0[6] = {15, 3, 4, 200, 0, 200};

static int count_of(const double W[6], const double v[3], double mu, double b_n,
                    imp_force_set *set) {
    const double b[3] = {b_n, 0.5, -0.25};
    return imp_forces(W, v, b, mu, set) == IMP_OK && set->proven ? set->count : -1;
}

/* At A = 0, and an ulp of each of its data to either side. */
static void edge(void) {
    const double v[3] = {0, 3, 4};
    imp_force_set set;
    ok(count_of(W0, v, 3, -1, &set) == 0 && set.A == 0 &&
           set.motion == IMP_IMPACT_WITHOUT_COLLISION,
       "A = 0, b_n < 0: an impact without collision");
    ok(count_of(W0, v, 3, 1, &set) == 1 && set.motion == IMP_SEPARATES,
       "A = 0, b_n > 0: it separates");
    ok(count_of(W0, v, 3, 0, &set) == 2 && set.motion == IMP_UNDETERMINED &&
           set.force[0].kind == IMP_RAY && set.force[1].kind == IMP_ZERO,
       "A = 0 = b_n: a ray");
    for (int k = 0; k <= 8; k++) {
        const double share = ldexp(1, 20 * k - 80), *r = set.force[0].f,
                     f[3] = {share * r[0], share * r[1], share * r[2]};
        const gen_problem g = {.W = {15, 3, 4, 200, 0, 200}, .q = {0, 0.5, -0.25}, .mu = 3};
        ok(residual(&g, v, f) <= 1e-15, "%g N of it are a solution", f[0]);
    }
    int wrong = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double to = side > 0 ? INFINITY : -INFINITY, mu = nextafter(3, to);
        double W[6] = {nextafter(15, to), 3, 4, 200, 0, 200}, R[6] = {15, 3, 4, 200, 0, 200};
        R[1] = nextafter(3, to);
        wrong += count_of(W, v, 3, -1, &set) != (side > 0) || side * set.A <= 0;
        wrong += count_of(W0, v, mu, -1, &set) != (side < 0) || side * set.A >= 0;
        wrong += count_of(R, v, 3, -1, &set) != (side < 0) || side * set.A >= 0;
        wrong += count_of(W, v, 3, 1, &set) != (side < 0) + 1;
        wrong += count_of(W, v, 3, 0, &set) != 1 || set.force[0].kind != IMP_ZERO ||
                 set.motion != IMP_SLIDES_ON;
    }
    ok(wrong == 0, "an ulp to either side of A = 0 (%d wrong)", wrong);
}

/* The slip leaves the direction of A = 0 by 2^-52 or less: A is of its square, far below
 * double-double. */
static void beyond_double_double(void) {
    double worst = 0;
    int wrong = 0;
    for (int k = 20; k <= 50; k++) {
        const double K = ldexp(1, k), v[3] = {0, 3 * K, 4 * K + 1};
        const long double off = 0.6L / hypotl(v[1], v[2]); /* the angle's sine */
        imp_force_set set;
        wrong += count_of(W0, v, 3, -1, &set) != 1;
        if (set.count != 1) continue;
        const double A = (double)(15 * off * off / (1 + sqrtl(1 - off * off)));
        worst = tap_worst(worst, fabs(set.A - A) / A);
        worst = tap_worst(worst, fabs(set.force[0].f[0] * A - 1));
    }
    ok(wrong == 0 && worst <= 1e-14, "A of 1e-15 to 1e-32 of W_nn: its sign and size (%.1e)",
       worst);
}

static long long square(long long x) {
    return x * x;
}

/* Small whole numbers, in exact arithmetic. */
static void whole_numbers(void) {
    int wrong = 0, edges = 0, total = 0;
    for (int n = 1; n <= 25; n += 2)
        for (int mu = 0; mu <= 5; mu++)
            for (int r = 0; r < 81; r++)
                for (int s = 0; s < 81; s++) {
                    const int x = r % 9 - 4, y = r / 9 - 4, vt = s % 9 - 4, vo = s / 9 - 4;
                    if (vt == 0 && vo == 0) continue;
                    const double W[6] = {n, x, y, 1000, 0, 1000}, v[3] = {0, vt, vo};
                    const long long S = mu * (x * vt + y * vo),
                                    D = square(n) * (square(vt) + square(vo)) - S * llabs(S);
                    imp_force_set set;
                    const int count = count_of(W, v, mu, -1, &set);
                    wrong += count != (D > 0) || (set.A > 0) != (D > 0) || (set.A < 0) != (D < 0);
                    edges += D == 0;
                    total++;
                }
    ok(wrong == 0 && edges > 100, "%d problems of whole numbers, %d with A = 0 (%d wrong)", total,
       edges, wrong);
}

static bool same(const imp_force_set *x, const imp_force_set *y, const int unit[3]) {
    bool good = x->count == y->count && x->motion == y->motion && x->proven == y->proven;
    for (int i = 0; i < x->count && good; i++) {
        const imp_force *p = &x->force[i], *r = &y->force[i];
        good = p->kind == r->kind && p->motion == r->motion &&
               ldexp(p->power, unit[1] - unit[0] + unit[2]) == r->power;
        for (int j = 0; j < 3; j++)
            good = good && ldexp(p->f[j], unit[1] - unit[0]) == r->f[j] &&
                   ldexp(p->a[j], unit[1]) == r->a[j];
    }
    return good;
}

/* Units of W, b and v that are powers of two change exponents alone; a quarter turn and a mirror
 * nothing but signs and places. */
static void invariance(void) {
    static const int units[][3] = {{300, -200, 150}, {-498, 0, -498}, {498, 200, 498}, {-1, 1, -1}};
    int wrong = 0, turned = 0;
    for (int c = 0; c < CLASSES; c++)
        for (uint64_t k = 0; k < 200; k++) {
            double v[3];
            const gen_problem g = problem_of(classes[c], k, v);
            if (k % 8 == 0) v[1] = v[2] = 0;
            imp_force_set set, other;
            const imp_status status = imp_forces(g.W, v, g.q, g.mu, &set);
            for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
                double W[6], b[3], u[3];
                for (int j = 0; j < 6; j++)
                    W[j] = ldexp(g.W[j], units[i][0]);
                for (int j = 0; j < 3; j++) {
                    b[j] = ldexp(g.q[j], units[i][1]);
                    u[j] = ldexp(v[j], units[i][2]);
                }
                wrong +=
                    imp_forces(W, u, b, g.mu, &other) != status || !same(&set, &other, units[i]);
            }
            const gen_problem t = gen_turned(&g, 0, 1);
            gen_problem u = {.q = {0, v[1], v[2]}, .W = {1, 0, 0, 1, 0, 1}};
            u = gen_turned(&u, 0, 1);
            turned += imp_forces(t.W, u.q, t.q, g.mu, &other) != status ||
                      other.count != set.count || other.motion != set.motion;
            for (int i = 0; i < set.count && i < other.count; i++)
                turned += !tap_near(set.force[i].f[0], other.force[i].f[0], 0, 1e-13);
        }
    ok(wrong == 0, "units that are powers of two change no bit (%d wrong)", wrong);
    ok(turned == 0, "a quarter turn of the tangents changes nothing (%d wrong)", turned);
}

/* What follows at each velocity and acceleration. */
static void motions(void) {
    static const struct {
        double v[3], b[3], mu;
        int count;
        imp_motion motion;
    } want[] = {
        {{1, 5, 0}, {-9, 0, 0}, 0.5, 1, IMP_SEPARATES},
        {{-1, 5, 0}, {-9, 0, 0}, 0.5, 0, IMP_COLLIDES},
        {{-0x1p-1000, 0, 0}, {9, 0, 0}, 0.5, 0, IMP_COLLIDES},
        {{0, 5, 0}, {9, 0, 0}, 0.5, 1, IMP_SEPARATES},
        {{0, 5, 0}, {-9, 0, 0}, 0.5, 1, IMP_SLIDES_ON},
        {{0, 5, 0}, {-9, 0, 0}, 0, 1, IMP_SLIDES_ON},
        {{0, 5, 0}, {0, 1, 0}, 0.5, 1, IMP_SLIDES_ON},
        {{0, 5, 0}, {-9, 0, 0}, 8, 0, IMP_IMPACT_WITHOUT_COLLISION},
        {{0, 5, 0}, {9, 0, 0}, 8, 2, IMP_UNDETERMINED},
        {{0, 5, 0}, {0, 0, 0}, 8, 1, IMP_SLIDES_ON},
        {{0, -5, 0}, {-9, 0, 0}, 8, 1, IMP_SLIDES_ON},
        {{0, 0, 0}, {9, 1, 0}, 0.5, 1, IMP_SEPARATES},
        {{0, 0, 0}, {-9, 1, 0}, 0.5, 1, IMP_STICKS},
        {{0, 0, 0}, {-9, 90, 0}, 0.5, 1, IMP_STARTS_TO_SLIDE},
        {{0, 0, 0}, {0, 90, 0}, 0.25, 1, IMP_STARTS_TO_SLIDE},
        {{0, 0, 0}, {0, 0, 0}, 0.5, 1, IMP_STICKS},
    };
    static const double W[6] = {1, 0.25, 0, 3, 0, 3};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        imp_force_set set = {0};
        ok(imp_forces(W, want[i].v, want[i].b, want[i].mu, &set) == IMP_OK && set.proven &&
               set.count == want[i].count && set.motion == want[i].motion,
           "motion %zu: %s with %d", i, imp_motion_text(want[i].motion), want[i].count);
    }
    ok(strcmp(imp_motion_text((imp_motion)9), "unknown") == 0 &&
           strcmp(imp_motion_text(IMP_STICKS), "sticks") == 0 &&
           strcmp(imp_coulomb_kind_text(IMP_RAY), "ray") == 0,
       "their names");
}

/* At rest the proof is that of the impulses' search. */
static void at_rest(void) {
    const double twice[6] = {5, -15, 10, 45.625, -30.625, 20.9375}, b[3] = {-20, 60.25, -42.375},
                 line[6] = {1, -1, 0, 2, 0, 1}, along[3] = {0, -1, 0}, v[3] = {0};
    imp_force_set set = {.proven = 1};
    ok(imp_forces(twice, v, b, 1, &set) == IMP_NOT_CERTIFIED && !set.proven && set.count == 2,
       "a slip that is a double root: not proven");
    ok(imp_forces(line, v, along, 1, &set) == IMP_OK && set.proven && set.count == 2 &&
           set.force[0].kind == IMP_SEGMENT && set.force[0].motion == IMP_STICKS &&
           set.force[1].motion == IMP_STARTS_TO_SLIDE && set.motion == IMP_UNDETERMINED,
       "a segment from rest to slip");
}

static void refusals(void) {
    enum { MARK = 0x5a };
    static const double W[6] = {1, 0.25, 0, 3, 0, 3}, v[3] = {0, 5, 0}, b[3] = {-9, 1, 0};
    imp_force_set set;
    memset(&set, MARK, sizeof set);
    for (int i = 0; i < 13; i++)
        for (int kind = 0; kind < 2; kind++) {
            double x[13] = {1, 0.25, 0, 3, 0, 3, 0, 5, 0, -9, 1, 0, 0.5};
            x[i] = kind ? INFINITY : NAN;
            ok(imp_forces(x, x + 6, x + 9, x[12], &set) == IMP_NOT_FINITE, "%g in place %d", x[i],
               i);
        }
    const double flat[6] = {1, 2, 0, 3, 0, 3}, away[3] = {1, 0, 0}, at[3] = {-1, 0, 0};
    ok(imp_forces(flat, v, b, 1, &set) == IMP_NOT_POSITIVE, "W not positive definite");
    ok(imp_forces(flat, away, b, 1, &set) == IMP_NOT_POSITIVE, "nor of a contact that separates");
    ok(imp_forces(W, v, b, -1, &set) == IMP_BAD_FRICTION, "negative friction");
    ok(imp_forces(W, at, b, -1, &set) == IMP_BAD_FRICTION, "nor of one that collides");
    const double soft[6] = {1e-200, 0, 0, 1e-200, 0, 1e-200}, hard[3] = {-1e150, 1, 1},
                 stiff[6] = {1e200, 0, 0, 1e200, 0, 1e200}, faint[3] = {-1e-150, 0, 0};
    ok(imp_forces(soft, v, hard, 0.5, &set) == IMP_OVERFLOW, "a force beyond double");
    ok(imp_forces(stiff, v, faint, 0.5, &set) == IMP_OVERFLOW, "a force below it");
    const double loose[6] = {1, 0.25, 0, 0x1p600, 0, 0x1p600}, push[3] = {-0x1p600, 1, 0},
                 fast[3] = {0, 0x1p600, 0x1p599};
    ok(imp_forces(loose, v, push, 0.5, &set) == IMP_OVERFLOW, "an acceleration beyond double");
    ok(imp_forces(W, fast, push, 0.5, &set) == IMP_OVERFLOW, "a power beyond double");
    const double still[3] = {0};
    ok(imp_forces(soft, still, hard, 0.5, &set) == IMP_OVERFLOW, "a force beyond it at rest");
    bool untouched = true;
    for (size_t i = 0; i < sizeof set; i++)
        untouched = untouched && ((const unsigned char *)&set)[i] == MARK;
    ok(untouched, "and the set was left alone");
    const double crossed[6] = {1, 0.5, 0.5, 3, 0, 3}, oblique[3] = {0, 1, -1};
    ok(imp_forces(crossed, oblique, b, 1e200, &set) == IMP_NOT_CERTIFIED && !set.proven &&
           set.count == 1,
       "data 1e200 apart: not proven");
    ok(imp_forces(crossed, (const double[3]){0, 1, 1}, b, 1e200, &set) == IMP_OK && set.proven,
       "the same where no sign is in doubt");
    const double round[6] = {0x1p-490, 0, 0, 0x1p-490, 0, 0x1p-490};
    ok(imp_forces(round, v, b, 0.5, &set) == IMP_OK && set.count == 1, "soft spheres: proven");
    ok(imp_forces(round, v, b, 0, &set) == IMP_OK && set.count == 1, "and without friction");
    imp_certificate c;
    memset(&c, MARK, sizeof c);
    const imp_certificate before = c;
    ok(imp_forces_certify(W, at, b, 0.5, v, &c) == IMP_NO_SOLUTION, "no force of a collision");
    ok(imp_forces_certify(W, v, b, -0.5, v, &c) == IMP_BAD_FRICTION, "no negative friction");
    for (int i = 0; i < 16; i++) {
        double x[16] = {1, 0.25, 0, 3, 0, 3, 0, 5, 0, -9, 1, 0, 0.5, 1, 0, 0};
        x[i] = i % 2 ? NAN : INFINITY;
        ok(imp_forces_certify(x, x + 6, x + 9, x[12], x + 13, &c) == IMP_NOT_FINITE,
           "no certificate with %g in place %d", x[i], i);
    }
    const double firm[6] = {4, 0, 0, 4, 0, 4},
                 far[3][3] = {{1e308, 0, 0}, {1e308, 1e308, -1e308}, {1e308, -5e307, 0}};
    for (int i = 0; i < 6; i++)
        ok(imp_forces_certify(firm, i % 2 ? v : still, (const double[3]){-1, 0.5, 0}, 0.5,
                              far[i / 2], &c) == IMP_NOT_FINITE,
           "nor where W f is beyond double (%d)", i);
    ok(memcmp(&before, &c, sizeof c) == 0, "and the certificate was left alone");
}

/* Wrong forces, each named by the residual of what is wrong with it. */
static void certificate_refuses(void) {
    static const struct {
        double v[3], b[3], f[3];
        const char *fault;
    } wrong[] = {
        {{0, 5, 0}, {-9, 0, 0}, {0, 0, 0}, "signorini"},         /* a_n < 0 */
        {{0, 5, 0}, {-9, 0, 0}, {-10, 5, 0}, "signorini"},       /* it pulls */
        {{1, 5, 0}, {-9, 0, 0}, {10, -5, 0}, "signorini"},       /* it has left */
        {{0, 5, 0}, {-9, 0, 0}, {12, -6, 0}, "restitution"},     /* too much */
        {{0, 5, 0}, {-9, 0, 0}, {90. / 7, -12, 0}, "cone"},      /* beyond mu f_n, a_n = 0.86 */
        {{0, 5, 0}, {-9, 0, 0}, {8, 4, 0}, "slip"},              /* along the slip, a_n = 0 */
        {{0, 5, 0}, {-9, 0, 0}, {9, 0, 4.5}, "slip"},            /* across it, a_n = 0 */
        {{0, 5, 0}, {-9, 0, 0}, {9, 0, 0}, "slip"},              /* none at all, a_n = 0 */
        {{0, 0x1p-900, 0}, {-9, 0, 0}, {9, 0, 0}, "slip"},       /* however slow it slides */
        {{0, 1.5e308, 1.5e308}, {-9, 0, 0}, {9, 0, 0}, "slip"},  /* or fast */
        {{0, 5, 0}, {-9, 0, 0}, {72. / 7, -36. / 7, 5}, "slip"}, /* across it as well */
        {{0, 0, 0}, {-9, 90, 0}, {9, 0, 0}, "slip"}, /* none, while it starts to slide */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const double W[6] = {1, 0.25, 0, 3, 0, 3};
        imp_certificate c;
        const imp_status status =
            imp_forces_certify(W, wrong[i].v, wrong[i].b, 0.5, wrong[i].f, &c);
        const double own = imp_certificate_residual(&c, wrong[i].fault);
        ok(status == IMP_OK && own > 0.03 && c.worst >= own, "wrong force %zu: %s is %.2g", i,
           wrong[i].fault, own);
    }
    int passed = 0, tried = 0;
    for (uint64_t k = 0; k < 400; k++) {
        double v[3];
        const gen_problem g = problem_of(GEN_FREE_BOX_1, k, v);
        imp_force_set set;
        if (imp_forces(g.W, v, g.q, g.mu, &set) != IMP_OK || set.count != 1 ||
            set.force[0].kind != IMP_SLIP)
            continue;
        for (int j = 0; j < 3; j++) {
            double f[3] = {set.force[0].f[0], set.force[0].f[1], set.force[0].f[2]};
            f[j] *= 1 + 1e-6;
            passed += fabs(f[j]) > 0.1 * f[0] && residual(&g, v, f) < 1e-9;
            tried++;
        }
    }
    ok(passed == 0 && tried > 100, "of %d forces off by 1e-6 none passes (%d)", tried, passed);
}

/* After an impulse: the velocity, and what follows it. */
static void after_impulses(void) {
    int wrong = 0, tried = 0, follows[IMP_UNDETERMINED + 1] = {0};
    for (uint64_t k = 0; k < 2000; k++) {
        const gen_problem g = gen_make(k % 2 ? GEN_FREE_BOX_5 : GEN_SPEED_BOX, k);
        const double b[3] = {-9.81, 0, 0};
        double p[3], v[3];
        imp_force_set set;
        imp_info info = {0};
        if (imp_maxdiss(g.W, g.q, g.mu, 0, p, &info) != IMP_OK) continue;
        imp_velocity_after(g.W, g.q, p, v);
        const bool opens = info.leaf == IMP_LEAF_SEPARATING, sticks = info.leaf == IMP_LEAF_STICK;
        wrong += imp_forces(g.W, v, b, g.mu, &set) != IMP_OK || (v[0] == 0) == opens ||
                 (v[1] == 0 && v[2] == 0) != sticks;
        follows[set.motion]++;
        tried++;
    }
    ok(wrong == 0 && tried > 1900, "%d impulses leave exact zeros (%d wrong)", tried, wrong);
    ok(follows[IMP_SLIDES_ON] > 0 && follows[IMP_STICKS] > 0 && follows[IMP_COLLIDES] == 0,
       "none leaves a collision: %d slide on, %d stick, %d start to slide, %d impacts without "
       "collision",
       follows[IMP_SLIDES_ON], follows[IMP_STICKS], follows[IMP_STARTS_TO_SLIDE],
       follows[IMP_IMPACT_WITHOUT_COLLISION]);
    const double W[6] = {1, 0.25, 0.5, 3, 0.125, 3}, q[3] = {-1, 2, 3}, p[3] = {1, 2, 4};
    double v[3];
    imp_velocity_after(W, q, p, v);
    is_vec(v, (const double[3]){2.5, 8.75, 15.75}, 3, 0, 1e-15, "q + W p");
}

int main(void) {
    edge();
    beyond_double_double();
    whole_numbers();
    invariance();
    motions();
    at_rest();
    refusals();
    certificate_refuses();
    after_impulses();
    return tap_done();
}
