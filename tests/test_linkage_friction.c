/* test_linkage_friction.c - a turned four-bar linkage meets a stop with friction, at a hundred
 * places of its crank: joints leave the contact one direction, j, so that a model may stop or turn
 * the crank and nothing else. What no answer exists for is known: Newton's rebound slips, with
 * friction mu |j_t| against what the normal gives, j_n. */
#include "blocks/blockwise.h"
#include "generators/gen_linkage.h"
#include "impact.h"
#include "tap.h"

enum { PLACES = 100 };

typedef struct place {
    gen_linkage linkage;
    imp_bilateral *made;
    imp_operator W;
    double q[3];
} place;

static bool stand(int k, place *at) {
    at->linkage = gen_linkage_of(0.1 + 0.06 * k);
    const imp_constraints joints = gen_linkage_joints(&at->linkage);
    if (imp_bilateral_new(GEN_LINKAGE_BODIES, at->linkage.body, 1, &at->linkage.stop, &joints,
                          &at->made, at->q, NULL) != IMP_OK)
        return false;
    at->W = imp_operator_factored(imp_bilateral_factored(at->made));
    return true;
}

/* u_n after, over the approach; the status of the model. */
static imp_status meet(const place *at, const char *name, double mu, double e, double *rebound) {
    const imp_model *model = imp_model_find(name);
    const imp_problem problem = {
        .nc = 1, .W = &at->W, .q = at->q, .mu = &mu, .e = e > 0 ? &e : NULL};
    double p[3] = {0}, u[3];
    imp_settings settings;
    imp_model_presets(model, &settings);
    (void)imp_model_set(model, &settings, "v_capture", 0); /* e at every speed */
    (void)imp_model_set(model, &settings, "v_plastic", 0);
    const imp_status status = imp_solve(model, &problem, &settings, p, NULL);
    imp_operator_apply(&at->W, p, at->q, u);
    *rebound = u[0] / -at->q[0];
    return status;
}

/* Friction holds the rebound of Newton's law from here on. */
static bool holds(const place *at, double mu) {
    const double *j = at->linkage.jacobian;
    return mu * hypot(j[1], j[2]) >= fabs(j[0]);
}

/* Models whose law always has an answer; all stop without restitution, and with it turn by no more
 * than e. */
static void test_all(double mu, double e) {
    static const char *const names[] = {
        "plus",       "single-phase",         "poisson", "auto",
        "drumwright", "gauss-seidel-maxdiss", "moreau"}; /* the last without restitution only */
    enum { MODELS = sizeof names / sizeof *names };
    for (int m = 0; m < MODELS - (e > 0); m++) {
        const double promised = strcmp(names[m], "drumwright") == 0 ? 1e-6 : 1e-9; /* by ok */
        int solved = 0;
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < PLACES; k++) {
            place at;
            double rebound;
            if (!stand(k, &at)) continue;
            solved += meet(&at, names[m], mu, e, &rebound) == IMP_OK;
            low = fmin(low, rebound);
            high = tap_worst(high, rebound);
            imp_bilateral_free(at.made);
        }
        ok(solved == PLACES && low > -promised && high < e + promised,
           "%s, mu %g, e %g: %d of %d places, rebounds %.2g .. %.2g", names[m], mu, e, solved,
           PLACES, low, high);
    }
}

/* Newton's law has an answer where friction does not hold its rebound, and only there. */
static void test_newton(double mu) {
    const double e = 0.5;
    int wrong = 0, held = 0;
    double off = 0;
    for (int k = 0; k < PLACES; k++) {
        place at;
        double rebound;
        if (!stand(k, &at)) continue;
        const imp_status status = meet(&at, "newton", mu, e, &rebound);
        held += holds(&at, mu);
        wrong += status != (holds(&at, mu) ? IMP_NO_SOLUTION : IMP_OK);
        if (status == IMP_OK) off = tap_worst(off, fabs(rebound - e));
        imp_bilateral_free(at.made);
    }
    ok(wrong == 0 && held > 20 && held < 80,
       "newton, mu %g: an answer but where friction holds the rebound, at %d places", mu, held);
    ok(off < 1e-10, "and its answer is e: %.1e", off);
}

/* Next to a dead centre W_nn is small beside W_tt, and what rounding leaves in it no longer the
 * square of j_n: the contact is held all the same, where a slip would lift it without end. */
static void test_rounded(double lean, double off) {
    const double j[3] = {1 / lean, 0, 1}, v[3] = {-j[0], -j[1], -j[2]};
    contact_block block = {.mu = 0.8};
    double *A = block.A, p[3] = {0}, left = 0;
    for (int i = 0; i < 9; i++)
        A[i] = j[i / 3] * j[i % 3];
    A[0] += off;
    imp_contact_block(&block);
    imp_blockwise_local(&block, LOCAL_COULOMB, v, p);
    for (int r = 0; r < 3; r++)
        left += fabs(v[r] + A[3 * r] * p[0] + A[3 * r + 1] * p[1] + A[3 * r + 2] * p[2]);
    ok(left <= 2 * fabs(off) * lean * lean && hypot(p[1], p[2]) <= 0.8 * p[0],
       "W_nn = W_tt/%g^2 off by %g W_tt: held, %.1e of the speed left", lean, off, left);
}

int main(void) {
    for (int k = 0; k < 3; k++) {
        const double mu = 0.2 + 0.3 * k;
        test_all(mu, 0);
        test_all(mu, 0.5);
        test_newton(mu);
    }
    for (int digits = 1; digits <= 4; digits++) {
        const double lean = pow(10, digits);
        test_rounded(lean, 1e-15);
        test_rounded(lean, -1e-15);
    }
    return tap_done();
}
