/* test_plus_static.c - the static coefficient of contacts that roll from the start on (Uchida,
 * Sherman, Delp 2015, section 2(d)): when it decides, when it must not, and what certificates make
 * of it. */
#include "generators/stress_problems.h"
#include "plus_subject.h"

#include <math.h>

static imp_plus_settings with(double ratio) {
    imp_plus_settings settings = imp_plus_settings_default();
    settings.static_ratio = ratio;
    return settings;
}

/* A single contact at rest along its surface, all of whose rolling impulses lie `lean` p_n off the
 * normal: W (lean t + n) = (w, 0, 0) asks for W_to,n = -W_to,to lean t. */
static subject leaning(gen_stream *s, double lean, double mu, double e) {
    subject one = {.nc = 1, .mu = {mu}, .e = {e}};
    const double turn = gen_uniform(s, 0, 6), t = cos(turn), o = sin(turn),
                 stiff = gen_uniform(s, 0.5, 3), w = stiff * lean * lean + gen_uniform(s, 0.2, 2);
    const double W[9] = {w,
                         -stiff * lean * t,
                         -stiff * lean * o,
                         -stiff * lean * t,
                         stiff,
                         0,
                         -stiff * lean * o,
                         0,
                         stiff};
    memcpy(one.W, W, sizeof W);
    one.q[0] = -gen_uniform(s, 0.5, 5);
    return one;
}

static imp_status solve(const subject *s, double ratio, double *p, imp_path *path,
                        imp_certificate *certificate) {
    const imp_plus_settings settings = with(ratio);
    return imp_solve_certified(&imp_model_plus, &s->problem, &settings, p, path, certificate, NULL);
}

/* Rolling that needs lean p_n of friction: with mu below and the static coefficient above it, the
 * contact rolls as with mu above; with the static coefficient below it, it slips as without one. */
static void test_rolling(void) {
    int rolled = 0, slipped = 0, refused = 0;
    double apart = 0, off = 0, moves = 0;
    for (uint64_t k = 0; k < 200; k++) {
        gen_stream s = gen_seed(1901, k);
        const double mu = gen_uniform(&s, 0.1, 0.5), lean = mu * gen_uniform(&s, 1.2, 2);
        subject one = leaning(&s, lean, mu, gen_uniform(&s, 0, 1));
        point(&one);
        double p[3], want[3], without[3], below[3], u[3];
        imp_path path = {0};
        imp_certificate c;
        const imp_status status = solve(&one, 2.2, p, &path, &c);
        imp_operator_apply(&one.op, p, one.q, u);
        rolled +=
            status == IMP_OK && hypot(u[1], u[2]) < 1e-12 && hypot(p[1], p[2]) > 1.1 * mu * p[0];
        /* the same path is none of mu alone */
        const imp_plus_settings plain = with(1);
        refused += imp_certify(&one.problem, imp_model_plus.law, &plain, p, &path, &c) == IMP_OK &&
                   c.worst > 1e-3;
        imp_path_clear(&path);
        one.mu[0] = 2.2 * mu;
        solve(&one, 1, want, NULL, NULL);
        one.mu[0] = mu;
        solve(&one, 1, without, NULL, NULL);
        solve(&one, 1.1, below, NULL, NULL);
        slipped += hypot(without[1], without[2]) <= (1 + 1e-12) * mu * without[0];
        for (int i = 0; i < 3; i++) {
            apart = tap_worst(apart, fabs(p[i] - want[i]) / want[0]);
            off = tap_worst(off, fabs(below[i] - without[i]) / want[0]);
        }
        moves = fmax(moves, fabs(p[0] - without[0]) / want[0]);
    }
    ok(rolled == 200, "%d of 200 contacts roll by their static coefficient", rolled);
    ok(apart < 1e-12, "as if it were mu: %.1e", apart);
    ok(slipped == 200 && moves > 0.1, "without it they slip, and differ by up to %.2g", moves);
    ok(off < 1e-12, "and so they do by one that does not reach: %.1e", off);
    ok(refused == 200, "a path that leans on it is none without it: %d", refused);
}

/* What slides at the start has no static coefficient, though it comes to rest within the impact. */
static void test_sliding(void) {
    double off = 0;
    int rests = 0, solved = 0;
    for (uint64_t k = 0; k < 200; k++) {
        gen_stream s = gen_seed(1902, k);
        const double mu = gen_uniform(&s, 0.2, 0.5);
        subject one = leaning(&s, mu * gen_uniform(&s, 0.5, 1.5), mu, 0.5);
        const double *row = one.W, lean = hypot(row[1], row[2]);
        point(&one);
        const double slip = k % 2 ? 0.3 : -0.3; /* m/s, faster than the transition */
        one.q[1] = slip * row[1] / lean;
        one.q[2] = slip * row[2] / lean;
        double p[3], want[3], u[3];
        solved +=
            solve(&one, 3, p, NULL, NULL) == IMP_OK && solve(&one, 1, want, NULL, NULL) == IMP_OK;
        imp_operator_apply(&one.op, p, one.q, u);
        rests += hypot(u[1], u[2]) < 1e-9;
        for (int i = 0; i < 3; i++)
            off = tap_worst(off, fabs(p[i] - want[i]) / fabs(want[0]));
    }
    ok(solved == 200 && rests > 50, "of 200 that slide %d come to rest", rests);
    ok(off < 1e-9, "all as without a static coefficient: %.1e", off);
}

/* p <- what stops a leaning contact that moves with u: W p = -u. */
static void stop(const subject *s, const double u[3], double p[3]) {
    const double stiff = s->W[4], t = -s->W[1] / stiff, o = -s->W[2] / stiff;
    p[0] = (-u[0] - t * u[1] - o * u[2]) / (s->W[0] - stiff * (t * t + o * o));
    p[1] = t * p[0] - u[1] / stiff;
    p[2] = o * p[0] - u[2] / stiff;
}

/* A path that slides to rest and then rolls by more friction than mu gives: its last step alone is
 * wrong, as the contact has slipped. Without the steps before it, from there, it is an answer. */
static void test_paths(void) {
    const imp_plus_settings settings = with(3);
    int tried = 0, refused = 0, held = 0;
    for (uint64_t k = 0; k < 200; k++) {
        gen_stream s = gen_seed(1904, k);
        const double mu = gen_uniform(&s, 0.2, 0.5);
        subject one = leaning(&s, 1.4 * mu, mu, 0);
        const double *row = one.W, lean = hypot(row[1], row[2]);
        point(&one);
        one.problem.e = NULL;
        one.q[1] = -0.3 * row[1] / lean;
        one.q[2] = -0.3 * row[2] / lean;
        double p[3], last[3], u[3], sum[3] = {0};
        imp_path slid = {0}, path = {0};
        imp_certificate c;
        solve(&one, 1, p, &slid, NULL);
        int steps = 0;
        for (; steps < slid.steps && slid.motion[steps] == 's'; steps++) {
            imp_path_add(&path, 1, 1, slid.share[steps], slid.impulse + 3 * steps, "C", "s");
            for (int i = 0; i < 3; i++)
                sum[i] += slid.impulse[3 * steps + i];
        }
        imp_operator_apply(&one.op, sum, one.q, u);
        stop(&one, u, last);
        const double leans = hypot(last[1], last[2]) / last[0];
        if (steps > 0 && steps < slid.steps && last[0] > 0 && leans > 1.1 * mu && leans < 3 * mu) {
            tried++;
            imp_path_add(&path, 1, 1, 1, last, "C", "r");
            for (int i = 0; i < 3; i++)
                p[i] = sum[i] + last[i];
            refused +=
                imp_certify(&one.problem, imp_model_plus.law, &settings, p, &path, &c) == IMP_OK &&
                c.worst > 1e-3;
            imp_path_clear(&path);
            path = (imp_path){0};
            imp_path_add(&path, 1, 1, 1, last, "C", "r");
            memcpy(one.q, u, sizeof u);
            held += imp_certify(&one.problem, imp_model_plus.law, &settings, last, &path, &c) ==
                        IMP_OK &&
                    c.worst < 1e-9;
        }
        imp_path_clear(&path);
        imp_path_clear(&slid);
    }
    ok(tried > 20 && refused == tried, "after a slip rolling leans on mu: %d of %d paths refused",
       refused, tried);
    ok(held == tried, "which hold from their rest on: %d", held);
}

/* Several contacts: answers hold, and where none leans on it a ratio changes nothing. */
static void test_several(void) {
    int solved = 0, certified = 0, changed = 0;
    for (uint64_t k = 0; k < 300; k++) {
        subject s;
        make_bodies(&s, k, 2 + (int)(k % 3));
        for (int i = 0; i < s.nc; i++)
            s.q[3 * i + 1] = s.q[3 * i + 2] = 0; /* all at rest along their surfaces */
        double p[ROWS], plain[ROWS];
        imp_certificate c;
        if (solve(&s, 1, plain, NULL, NULL) != IMP_OK) continue;
        solved++;
        const imp_status status = solve(&s, 1.5, p, NULL, &c);
        certified += status == IMP_OK && c.worst <= 1e-9;
        changed += distance(p, plain, 3 * s.nc) > 1e-6;
    }
    ok(solved > 250 && certified >= solved - 3, "several contacts: %d of %d hold with one",
       certified, solved);
    ok(changed > 50, "and differ where they lean on it: %d", changed);
}

static void test_refusals(void) {
    gen_stream s = gen_seed(1903, 0);
    subject one = leaning(&s, 0.3, 0.2, 0);
    point(&one);
    double p[3];
    const double W[6] = {one.W[0], one.W[1], one.W[2], one.W[4], one.W[5], one.W[8]};
    const imp_plus_settings two = with(2), less = with(0.9), none = with(NAN);
    ok(imp_plus_single(W, one.q, 0.2, 0, &two, p, NULL, NULL) == IMP_UNSUPPORTED,
       "the bare call says that it does not take one");
    ok(plus(&one, &less, p, NULL) == IMP_BAD_ARGUMENT &&
           plus(&one, &none, p, NULL) == IMP_BAD_ARGUMENT,
       "a static coefficient below mu is none");
}

/* Redundant contacts that all roll in one step, their slips below the transition: of the impulses
 * within the static cones that of least norm, which the cones of mu do not hold. So it is as if mu
 * were that large, but where it would slip before: there mu alone decides. */
static void test_spread(void) {
    static stress_case c;
    const imp_plus_settings settings = with(2.5), plain = with(1);
    int leaned = 0, same = 0, refused = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        double p[STRESS_ROWS], want[STRESS_ROWS], fastest = 0, most = 0, off = 0;
        imp_path path = {0};
        stress_make_shape(&imp_model_plus, k % 2 ? STRESS_FACE : STRESS_TWINS, k, &c);
        const int nc = c.problem.nc;
        for (int i = 0; i < 3 * nc; i++)
            fastest = fmax(fastest, fabs(c.q[i]));
        for (int i = 0; i < 3 * nc; i++)
            c.q[i] *= 1e-3 * plain.v_transition / fastest;
        for (int i = 0; i < nc; i++)
            c.mu[i] = 0.5;
        c.problem.e = NULL;
        imp_status status =
            imp_solve_certified(&imp_model_plus, &c.problem, &plain, want, &path, NULL, NULL);
        bool rolls = status == IMP_OK && path.steps == 1, leans = false;
        for (int i = 0; rolls && i < nc; i++) {
            rolls = path.motion[i] == 'r' || path.motion[i] == '-';
            leans = leans || hypot(want[3 * i + 1], want[3 * i + 2]) > 0.21 * want[3 * i];
        }
        imp_path_clear(&path);
        for (int i = 0; i < nc; i++)
            c.mu[i] = 0.2;
        if (rolls) status = imp_solve(&imp_model_plus, &c.problem, &settings, p, NULL);
        if (!rolls || !leans) continue;
        refused += status != IMP_OK;
        for (int i = 0; i < 3 * nc; i++) {
            most = fmax(most, fabs(want[i]));
            off = tap_worst(off, fabs(p[i] - want[i]));
        }
        leaned++;
        same += off <= 1e-9 * most;
    }
    ok(leaned > 100 && refused == 0 && leaned - same <= 2,
       "%d of %d redundant ones are as if it were mu", same, leaned);
}

int main(void) {
    test_rolling();
    test_sliding();
    test_paths();
    test_several();
    test_refusals();
    test_spread();
    return tap_done();
}
