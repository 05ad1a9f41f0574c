/* The slow solvers agree with each other, and the library agrees with them as well as rounding
 * allows. */
#include "generators/gen_situation.h"
#include "reference/oracle/oracle.h"
#include "replay.h"
#include "single/single.h"
#include "tap.h"

static const double eps = 0x1p-52;

static double largest(const long double p[3]) {
    return (double)fmaxl(fabsl(p[0]), fmaxl(fabsl(p[1]), fabsl(p[2])));
}

static double apart(const double p[3], const long double want[3]) {
    double off = 0;
    for (int i = 0; i < 3; i++)
        off = tap_worst(off, (double)fabsl(p[i] - want[i]));
    return off;
}

static bool slides(const oracle_solution *s) {
    return strncmp(s->kind, "slide", 5) == 0;
}

/* The energy an answer misses, as a part of what is at stake: |p'q| of the best answer. */
static double missed(const gen_problem *g, const oracle_solution *best, long double energy) {
    long double stake = 0;
    for (int i = 0; i < 3; i++)
        stake += fabsl(best->p[i] * g->q[i]);
    return stake > 0 ? (double)((energy - best->energy) / stake) : (double)fabsl(energy);
}

/* Brute force knows nothing but the definition: it may come close, never below. */
static void test_brute(void) {
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        if (c == GEN_ZERO_CLOSING || c == GEN_OPENING) continue;
        double below = 0, above = 0;
        int close = 0;
        const int count = tap_many(4, 25);
        for (uint64_t k = 0; k < (uint64_t)count; k++) {
            const gen_problem g = gen_make(c, k);
            const oracle_solution best = oracle_maxdiss(g.W, g.q, g.mu, -g.q[0]);
            double p[3];
            const double more = missed(&g, &best, oracle_brute(g.W, g.q, g.mu, -g.q[0], p));
            /* the points themselves are off the conic by rounding of their distance beside its size
             * p */
            const double far = (double)hypotl(best.p[1], best.p[2]) / (g.mu * -g.q[0] / g.W[0]);
            below = tap_worst(below, -more / (1 + 1e-4 * far));
            above = tap_worst(above, more);
            close += more < 1e-6;
        }
        note("%s: %.1e below, %.1e above, %d of %d close", gen_name(c), below, above, close, count);
        ok(below < 1e-14, "%s: brute force finds nothing better than the quadruple answer",
           gen_name(c));
        /* where the conic runs far out, or is hit a hair from the sticking point, its grid may be
         * too coarse */
        const bool easy =
            c <= GEN_SPD_4 || c == GEN_PAINLEVE || c == GEN_UNITS || c == GEN_SPEED_BOX;
        ok(close >= (easy ? count : count / 2), "%s: and comes close to it", gen_name(c));
    }
}

/* The printed quartic, where the paper's method is known to work: closing at the speed of
 * everything else. */
static void test_quartic(void) {
    static const gen_class classes[] = {GEN_SPHERE,    GEN_FREE_BOX_1, GEN_FREE_BOX_5,
                                        GEN_SIX_POINT, GEN_TWO_BODY,   GEN_SPD_1,
                                        GEN_SPD_4,     GEN_SPEED_BOX};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        double worst = 0;
        const int count = tap_many(50, 300);
        int slid = 0, found = 0;
        for (uint64_t k = 0; k < (uint64_t)count; k++) {
            const gen_problem g = gen_make(classes[i], k);
            const oracle_solution best = oracle_maxdiss(g.W, g.q, g.mu, -g.q[0]);
            if (!slides(&best)) continue;
            double p[3];
            slid++;
            found += oracle_quartic(g.W, g.q, g.mu, p) > 0;
            worst = tap_worst(worst, apart(p, best.p) / largest(best.p));
        }
        note("%s: %d slides, worst %.1e", gen_name(classes[i]), slid, worst);
        ok(slid > count / 6 && found == slid && worst < 1e-10,
           "%s: appendix A as printed gives the quadruple answer", gen_name(classes[i]));
    }
}

static void keep(const gen_problem *g, const imp_model *model, gen_class c, uint64_t k) {
    const situation s = situation_of(g->W, g->q, g->mu, 0);
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    keep_for_replay(&problem, model, gen_name(c), (int)k);
}

static double condition(const gen_problem *g, double e, const oracle_solution *best) {
    return fmax(1, oracle_maxdiss_condition(g->W, g->q, g->mu, e, best));
}

static void test_maxdiss(void) {
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        double worst = 0;
        int leaves = 0, failed = 0;
        const char *last = "";
        for (uint64_t k = 0; k < (uint64_t)tap_many(20, 60); k++) {
            const gen_problem g = gen_make(c, k);
            const oracle_solution best = oracle_maxdiss(g.W, g.q, g.mu, -g.q[0]);
            double p[3];
            const imp_status status = imp_maxdiss(g.W, g.q, g.mu, 0, p, NULL);
            if (status == IMP_NOT_CERTIFIED && g.excluded) continue;
            leaves += strcmp(best.kind, last) != 0;
            last = best.kind;
            const double size = largest(best.p), off = apart(p, best.p);
            const double ratio = off == 0 ? 0 : off / size / condition(&g, 0, &best);
            worst = tap_worst(worst, ratio);
            if ((status != IMP_OK || !(ratio < ORACLE_ROUNDINGS * eps)) && failed++ == 0)
                keep(&g, &imp_model_maxdiss, c, k);
        }
        note("%s: worst %.1f eps, %d leaves", gen_name(c), worst / eps, leaves);
        ok(failed == 0, "%s: imp_maxdiss within 20 eps of the condition number", gen_name(c));
    }
}

/* A stick beyond its cone by one rounding of the data, and by eight, moves into it: the condition
 * is that on either side of the rim. */
static void test_rim(void) {
    static const struct {
        double W[6], q[3], mu, condition;
    } rims[] = {{{1.0275547069415524e-6, 6.1324817936412282e-6, 3.4685008758371813e-6,
                  3.6979151770053996e-5, 2.1196265655766545e-5, 1.2355155807210064e-5},
                 {-15.471102239635899, -93.050808256383718, -53.160234617776382},
                 0.1458473537572206,
                 1e8},
                {{7.3593441363430194e-8, -1.4447541090407811e-8, -4.5373667994130118e-9,
                  6.6744751376656452e-9, 1.7251458262376701e-8, 7.0035879212345367e-8},
                 {-3.5040963645446646e-16, -8.5371014139588621e-16, -3.9115391920261867e-15},
                 4.8598062880773814,
                 1e4}};
    for (size_t k = 0; k < sizeof rims / sizeof *rims; k++) {
        const double *W = rims[k].W, *q = rims[k].q, mu = rims[k].mu;
        const oracle_solution best = oracle_maxdiss(W, q, mu, -q[0]);
        const double times = oracle_maxdiss_condition(W, q, mu, 0, &best);
        double p[3];
        const imp_status status = imp_maxdiss(W, q, mu, 0, p, NULL);
        const double off = apart(p, best.p) / largest(best.p);
        ok(status == IMP_OK && times > rims[k].condition && off <= ORACLE_ROUNDINGS * eps * times,
           "on the rim: %.1e off, condition %.1e", off, times);
    }
}

/* Restitution moves the plane and nothing else. */
static void test_restitution(void) {
    static const double restitution[] = {0.25, 0.5, 1};
    double worst = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const gen_problem g = gen_make(GEN_SIX_POINT, k);
        const double e = restitution[k % 3];
        const oracle_solution best = oracle_maxdiss(g.W, g.q, g.mu, -(1 + e) * g.q[0]);
        double p[3];
        const imp_status status = imp_maxdiss(g.W, g.q, g.mu, e, p, NULL);
        const double allowed = condition(&g, e, &best);
        worst = tap_worst(worst, status == IMP_OK ? apart(p, best.p) / largest(best.p) / allowed
                                                  : INFINITY);
    }
    ok(worst < 20 * eps, "restitution: imp_maxdiss is the least energy on the moved plane");
}

static const char *const kinds[] = {"zero", "stick", "slip"};

/* Do the library's solutions stand in the oracle's list, one for one? */
static bool same_set(const imp_coulomb_set *set, const oracle_solution *all, int count,
                     double *worst) {
    double size = 0;
    for (int k = 0; k < count; k++)
        size = fmax(size, largest(all[k].p));
    if (set->count != count) return false;
    for (int k = 0; k < count; k++) {
        if (set->solution[k].kind > IMP_SLIP ||
            strcmp(kinds[set->solution[k].kind], all[k].kind) != 0)
            return false;
        if (size > 0) *worst = tap_worst(*worst, apart(set->solution[k].p, all[k].p) / size);
    }
    return true;
}

static void test_coulomb(void) {
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        if (c == GEN_ADVERSARIAL) /* built on boundaries, where counts change within rounding */
            continue;
        int wrong = 0, unproven = 0, several = 0;
        double worst = 0;
        for (uint64_t k = 0; k < (uint64_t)tap_many(50, 150); k++) {
            const gen_problem g = gen_make(c, k);
            oracle_solution all[ORACLE_MOST];
            const int count = oracle_coulomb(g.W, g.q, g.mu, all);
            imp_coulomb_set set;
            const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
            several += count > 1;
            unproven += status == IMP_NOT_CERTIFIED;
            if (status == IMP_NOT_CERTIFIED) continue;
            double off = 0;
            if (status != IMP_OK || !same_set(&set, all, count, &off)) {
                diag("%s %d: %s, %d solutions, expected %d", gen_name(c), (int)k,
                     imp_status_text(status), status == IMP_OK ? set.count : -1, count);
                if (wrong++ == 0) keep(&g, &imp_model_coulomb, c, k);
            }
            worst = tap_worst(worst, off);
        }
        note("%s: %d with several, %d not certified, worst %.1e", gen_name(c), several, unproven,
             worst);
        ok(wrong == 0 && unproven < 3,
           "%s: the library finds exactly the solutions found with 113 bits", gen_name(c));
        ok(worst < 1e-12, "%s: to 1e-12 of the largest impulse", gen_name(c));
    }
}

/* A solution count from theory, to be sure of the oracle itself: the candidates of class several,
 * and a closed form. */
static void test_oracle_itself(void) {
    int counts[ORACLE_MOST + 1] = {0}, off_law = 0, worse = 0;
    const int many = tap_many(400, 1500);
    for (uint64_t k = 0; k < (uint64_t)many; k++) {
        const gen_problem g = gen_make(k % 2 ? GEN_SEVERAL : GEN_SPD_8, k);
        oracle_solution all[ORACLE_MOST];
        const int count = oracle_coulomb(g.W, g.q, g.mu, all);
        const oracle_solution best = oracle_maxdiss(g.W, g.q, g.mu, -g.q[0]);
        counts[count]++;
        for (int i = 0; i < count; i++) { /* the law itself, from p and u */
            const long double *p = all[i].p, *u = all[i].u, friction = hypotl(p[1], p[2]),
                              slip = hypotl(u[1], u[2]);
            const long double opposite =
                hypotl(friction * u[1] + slip * p[1], friction * u[2] + slip * p[2]);
            const bool stick = strcmp(all[i].kind, "stick") == 0;
            const long double edge = fabsl(friction - g.mu * p[0]) / friction;
            if (!(p[0] > 0 && fabsl(u[0]) < 1e-17L &&
                  (stick ? friction <= g.mu * p[0] && slip < 1e-17L
                         : edge < 1e-15L && opposite < 1e-15L * friction)))
                off_law++;
            worse += missed(&g, &best, all[i].energy) < -1e-15;
        }
    }
    ok(counts[1] + counts[3] == many && counts[3] > many / 150,
       "closing contacts have one solution or three: %d have three", counts[3]);
    ok(off_law == 0, "each satisfies the law");
    ok(worse == 0, "none dissipates more than maximum dissipation");
    const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, q[3] = {-1, -5, 3};
    const oracle_solution slide = oracle_maxdiss(W, q, 0.3, 1),
                          twice = oracle_maxdiss(W, q, 0.3, 2);
    const double want[3] = {1, 0.3 * 5 / sqrt(34), -0.3 * 3 / sqrt(34)};
    ok(apart(want, slide.p) < 1e-16, "a sphere slides in closed form");
    ok(fabsl(twice.p[0] - 2) < 1e-18L && fabsl(twice.p[1] - 2 * slide.p[1]) < 1e-18L,
       "and with restitution");
    /* Section 4.2: at rest, zero and sticking above the critical friction, zero alone below. */
    const double c = cos(0.9), s = sin(0.9),
                 rod[6] = {1 + 3 * c * c, -3 * s * c, 0, 1 + 3 * s * s, 0, 4};
    const double still[3] = {0, -1, 0}, critical = (c + 1 / (3 * c)) / s;
    oracle_solution all[ORACLE_MOST];
    ok(oracle_coulomb(rod, still, 1.01 * critical, all) == 2 && strcmp(all[0].kind, "stick") == 0 &&
           strcmp(all[1].kind, "zero") == 0 && fabsl(all[0].p[0] - 0.36519286157932319L) < 1e-15L,
       "the rod above the critical friction: it jams, or slides on");
    ok(oracle_coulomb(rod, still, 0.99 * critical, all) == 1 && strcmp(all[0].kind, "zero") == 0,
       "below: it slides on");
}

int main(void) {
    test_oracle_itself();
    test_brute();
    test_quartic();
    test_maxdiss();
    test_rim();
    test_restitution();
    test_coulomb();
    return tap_done();
}
