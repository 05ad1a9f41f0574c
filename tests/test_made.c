/* Problems that programs make by a number are the same for ever: figures, timings and audits name
 * them by it.
 *
 * A fingerprint is a weighted mean of all numbers made, relative to the largest of their kind, and
 * of its logarithm. What libm rounds otherwise on another machine moves it by far less than is
 * allowed. A generator that is changed on purpose gets the number that this prints, and what is
 * said about its problems is measured anew. */
#include "benchmarks/harness/box_of_spheres.h"
#include "generators/piles.h"
#include "benchmarks/harness/stress.h"
#include "impact.h"
#include "tap.h"

typedef struct fingerprint {
    double sum, weights, turn;
} fingerprint;

static void add(fingerprint *f, int n, const double *x) {
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    f->sum += most > 0 ? 0.1 * log(most) : 0;
    for (int k = 0; most > 0 && k < n; k++) {
        const double weight = 1 + fabs(sin(f->turn));
        f->sum += weight * (x[k] / most);
        f->weights += weight;
        f->turn += 1;
    }
}

static void is_print(fingerprint f, double want, const char *what) {
    const double got = f.sum / f.weights;
    ok(tap_near(got, want, 1e-9, 0), "%s: %.10f", what, got);
}

static void add_sparse(fingerprint *f, const imp_sparse *M) {
    for (int k = 0; k < M->start[M->columns]; k++) {
        const double at = M->row[k];
        add(f, 1, &at);
    }
    add(f, M->start[M->columns], M->value);
}

static void test_piles(void) {
    static const double want[PILE_KINDS] = {0.6668177210, 0.6356606024, 0.6226808857, 0.6792225290,
                                            0.6463242281};
    for (int kind = 0; kind < PILE_KINDS; kind++) {
        fingerprint f = {0};
        for (uint64_t seed = 1; seed <= 3; seed++) {
            imp_fclib pile;
            if (pile_make((pile_kind)kind, seed, 90, &pile) != IMP_OK) continue;
            add_sparse(&f, &pile.H);
            add_sparse(&f, &pile.M);
            add(&f, pile.nc, pile.mu);
            imp_fclib_clear(&pile);
        }
        is_print(f, want[kind], pile_name((pile_kind)kind));
    }
}

static void test_stress(void) {
    static const struct {
        const char *model;
        double want;
    } made[] = {{"maxdiss", 0.2837611265},
                {"coulomb", 0.2486028810},
                {"planar-stronge", 0.2452376598},
                {"frictionless", 0.0784747179},
                {"plus", 0.0870444817}};
    for (size_t m = 0; m < sizeof made / sizeof *made; m++) {
        fingerprint f = {0};
        for (uint64_t k = 0; k < 400; k++) {
            static stress_case c;
            stress_make(imp_model_find(made[m].model), k, &c);
            const int nc = c.problem.nc;
            add(&f, 9 * nc * nc, c.W);
            add(&f, 3 * nc, c.q);
            add(&f, nc, c.mu);
            add(&f, nc, c.e);
        }
        is_print(f, made[m].want, made[m].model);
    }
}

static void test_spheres(void) {
    const imp_granular_settings settings = imp_granular_settings_default();
    imp_granular *flow = box_of_spheres(&settings, 4);
    fingerprint f = {0};
    for (int i = 0; flow && i < imp_granular_count(flow); i++) {
        const imp_sphere s = imp_granular_sphere(flow, i);
        add(&f, 3, s.position);
        add(&f, 3, s.velocity);
        add(&f, 1, &s.radius);
    }
    is_print(f, 0.2873144802, "a box of spheres");
    imp_granular_free(flow);
}

int main(void) {
    test_piles();
    test_stress();
    test_spheres();
    return tap_done();
}
