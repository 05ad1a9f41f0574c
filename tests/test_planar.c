/* test_planar.c - the planar impact: the three-dimensional one on planar problems, the note's
 * formulas, its limits. */
#include "benchmarks/harness/impact_rows.h"
#include "generators/gen_impacts.h"
#include "impact.h"
#include "tap.h"

enum { PROBLEMS = 3000 };

static const imp_model *const flat_models[] = {&imp_model_planar_stronge, &imp_model_planar_poisson,
                                               &imp_model_planar_newton};

/* Planar problem k; every third starts without slip or is built so that stick is unstable. */
static gen_problem problem(uint64_t k) {
    gen_problem g = gen_impact(GEN_IMPACT_PLANAR, k);
    if (k % 3 == 1) g.mu = 0.5 * fabs(g.W[1]) / g.W[3];
    if (k % 7 == 2) g.q[1] = 0;
    if (k % 7 == 4) g.q[1] *= 1e-6;
    return g;
}

static bool as_planar(const gen_problem *g, imp_darboux_law law, double p[3]) {
    const double W[3] = {g->W[0], g->W[1], g->W[3]};
    p[2] = 0;
    return imp_planar(W, g->q, g->mu, g->e, law, p) == IMP_OK;
}

/* M-2D: the same as the process in three dimensions. */
static void test_against_3d(void) {
    double worst = 0;
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        const gen_problem g = problem(k);
        const imp_darboux_law law = (imp_darboux_law)(k % 3);
        double p[3] = {0}, space[3] = {0};
        const bool solved = as_planar(&g, law, p) &&
                            imp_darboux(g.W, g.q, g.mu, g.e, law, space, NULL, NULL) == IMP_OK;
        const double off = hypot(hypot(p[0] - space[0], p[1] - space[1]), space[2]),
                     size = hypot(space[0], space[1]);
        worst = tap_worst(worst, solved ? off / size : INFINITY);
    }
    ok(worst <= 1e-13, "%d impacts: the planar form equals the process in three dimensions to %.1e",
       (int)PROBLEMS, worst);
}

/* A slip that ends when the compression does, within two roundings either way. */
static void test_ties(void) {
    double worst = 0;
    int count = 0;
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        gen_problem g = problem(k);
        const double side = k % 2 ? 1 : -1, k_n = g.W[0] - side * g.mu * g.W[1],
                     k_t = g.W[1] - side * g.mu * g.W[3];
        if (!(k_n > 0.1 * g.W[0] && side * k_t < -0.1 * g.W[3] && g.q[0] < 0)) continue;
        g.q[1] = k_t * (g.q[0] / k_n);
        for (int ulps = -2; ulps < 0; ulps++)
            g.q[1] = nextafter(g.q[1], -INFINITY);
        for (int ulps = -2; ulps <= 2; ulps++, g.q[1] = nextafter(g.q[1], INFINITY)) {
            const imp_darboux_law law = (imp_darboux_law)(k / 2 % 3);
            double p[3] = {0}, space[3] = {0};
            const bool solved = as_planar(&g, law, p) &&
                                imp_darboux(g.W, g.q, g.mu, g.e, law, space, NULL, NULL) == IMP_OK;
            const double off = hypot(p[0] - space[0], p[1] - space[1]);
            worst = tap_worst(worst, solved ? off / hypot(space[0], space[1]) : INFINITY);
            count++;
        }
    }
    ok(count > PROBLEMS && worst <= 1e-12,
       "%d where slip and compression end together: the same to %.1e", count, worst);
}

/* The note's section 5 as printed (Stronge's law, u_y the normal velocity): the final u. *leaf:
 * which step ended it. */
static void as_printed(const gen_problem *g, double u[2], int *leaf) {
    const double K11 = g->W[3], K12 = g->W[1], K22 = g->W[0], mu = g->mu, e = g->e;
    double ux = g->q[1], uy = g->q[0], Wc = 0, Wd = 0, kx, ky;
    if (ux != 0) {
        const double side = ux > 0 ? 1 : -1;
        kx = K11 * -side * mu + K12;
        ky = K12 * -side * mu + K22;
        if (side * kx < 0) { /* converging: step 4 */
            const double origin = uy - ky / kx * ux;
            if (origin <= 0) {
                Wc = -ux * uy / kx + ky * ux * ux / (2 * kx * kx);
            } else if (origin < -e * uy) {
                Wc = -uy * uy / (2 * ky);
                Wd = origin * origin / (2 * ky);
            } else {
                u[1] = ux - (1 + e) * kx / ky * uy;
                u[0] = -e * uy;
                *leaf = 0;
                return;
            }
            ux = 0;
            uy = origin;
        } else {
            *leaf = 1;
            goto last;
        }
    }
    if (fabs(K12) <= mu * K11) { /* steps 5 to 7 */
        kx = 0;
        ky = K22 - K12 * K12 / K11;
        *leaf = uy < 0 ? 2 : 3;
    } else {
        const double side = K12 > 0 ? 1 : -1;
        kx = K12 - side * mu * K11;
        ky = K22 - side * mu * K12;
        *leaf = uy < 0 ? 4 : 5;
    }
last:;
    const double old = uy; /* step 8 */
    if (uy < 0) {
        Wc -= uy * uy / (2 * ky);
        uy = 0;
    }
    uy = sqrt(fmax(0, 2 * ky * (-e * e * Wc - Wd) + uy * uy));
    u[1] = kx / ky * (uy - old) + ux;
    u[0] = uy;
}

static void test_against_note(void) {
    enum { LEAVES = 6 };
    int seen[LEAVES] = {0};
    double worst = 0;
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        const gen_problem g = problem(k);
        double p[3], want[2];
        int leaf = 0;
        as_printed(&g, want, &leaf);
        seen[leaf]++;
        const bool solved = as_planar(&g, IMP_STRONGE, p);
        const double u[2] = {g.W[0] * p[0] + g.W[1] * p[1] + g.q[0],
                             g.W[1] * p[0] + g.W[3] * p[1] + g.q[1]};
        const double off = hypot(u[0] - want[0], u[1] - want[1]),
                     size = hypot(g.q[0], g.q[1]) + hypot(want[0], want[1]);
        worst = tap_worst(worst, solved ? off / size : INFINITY);
    }
    ok(worst <= 1e-12, "%d impacts: the note's printed formulas to %.1e", (int)PROBLEMS, worst);
    for (int i = 0; i < LEAVES; i++)
        ok(seen[i] > 20, "leaf %d of the note's algorithm: %d impacts", i, seen[i]);
}

/* The planar rows among the reference impacts. */
static void test_rows(void) {
    static impact_row rows[IMPACT_ROWS];
    const int count = impact_rows_read("reference/data/mirtich_darboux.tsv", rows, IMPACT_ROWS);
    int planar = 0, off = 0;
    for (int i = 0; i < count; i++) {
        const gen_problem *g = &rows[i].problem;
        if (g->W[2] != 0 || g->W[4] != 0 || g->q[2] != 0) continue;
        double p[3];
        const double *want = rows[i].answer.p;
        const bool solved = as_planar(g, rows[i].law, p);
        off += !(solved && hypot(p[0] - want[0], p[1] - want[1]) <=
                               1e-13 * fmax(1, rows[i].condition) * hypot(want[0], want[1]));
        planar++;
    }
    ok(planar >= 10 && off == 0, "%d planar reference impacts to 1e-13 max(1, cond)", planar);
}

/* The models: certified, refusing what is not planar, deaf to the unused direction. */
static void test_models(void) {
    double worst = 0, flat = 0;
    int refused = 0;
    for (uint64_t k = 0; k < 300; k++) {
        gen_problem g = problem(k), held = g;
        gen_dense dense, none;
        imp_certificate c;
        double p[3];
        const imp_model *model = flat_models[k % 3];
        gen_dense_of(&g, &dense);
        const bool good = imp_solve(model, &dense.problem, NULL, p, NULL) == IMP_OK && p[2] == 0 &&
                          imp_certify(&dense.problem, model->law, NULL, p, NULL, &c) == IMP_OK;
        worst = tap_worst(worst, good ? c.worst : INFINITY);
        held.W[5] = 0; /* nothing moves across the plane */
        gen_dense_of(&held, &none);
        const imp_status same = imp_certify(&none.problem, model->law, NULL, p, NULL, &c);
        flat = tap_worst(flat, same == IMP_OK ? c.worst : INFINITY);
        double *const spoil[3] = {&g.q[2], &g.W[2], &g.W[4]};
        *spoil[k % 3] = 1e-3;
        gen_dense_of(&g, &dense);
        refused += imp_solve(model, &dense.problem, NULL, p, NULL) == IMP_UNSUPPORTED;
    }
    ok(worst < 1e-11, "300 answers certified to %.1e", worst);
    ok(flat < 1e-11, "and so with W_oo = 0, to %.1e", flat);
    ok(refused == 300, "a problem that leaves the plane is unsupported");
}

static void test_edges(void) {
    const double W[3] = {1, 0.2, 3}, q[2] = {-1, 1}, parting[2] = {1, 1}, flat[3] = {1, 1, 1};
    double p[2] = {7, 8};
    ok(imp_planar(flat, q, 0.5, 0.5, IMP_STRONGE, p) == IMP_NOT_POSITIVE &&
           imp_planar(W, q, NAN, 0.5, IMP_STRONGE, p) == IMP_NOT_FINITE &&
           imp_planar(W, q, -1, 0.5, IMP_STRONGE, p) == IMP_BAD_FRICTION &&
           imp_planar(W, q, 0.5, 2, IMP_STRONGE, p) == IMP_BAD_RESTITUTION &&
           imp_planar(W, q, 0.5, 0.5, IMP_COMPLIANT, p) == IMP_BAD_ARGUMENT && p[0] == 7 &&
           p[1] == 8,
       "bad data have their status and leave p alone");
    ok(imp_planar(W, parting, 0.5, 0.5, IMP_STRONGE, p) == IMP_OK && p[0] == 0 && p[1] == 0,
       "parting: no impact");
    int different = 0;
    for (uint64_t k = 0; k < 200; k++)
        for (int s = 0; s < 4; s++) {
            const gen_problem g = problem(k);
            const int w = s % 2 ? 498 : -498, v = s / 2 ? 498 : -498;
            const double V[3] = {ldexp(g.W[0], w), ldexp(g.W[1], w), ldexp(g.W[3], w)};
            const double r[2] = {ldexp(g.q[0], v), ldexp(g.q[1], v)};
            double a[3], b[2];
            const bool solved = as_planar(&g, (imp_darboux_law)(k % 3), a) &&
                                imp_planar(V, r, g.mu, g.e, (imp_darboux_law)(k % 3), b) == IMP_OK;
            different += !(solved && b[0] == ldexp(a[0], v - w) && b[1] == ldexp(a[1], v - w));
        }
    ok(different == 0, "units of 1e150 and 1e-150 change nothing, bit for bit");
    const double light[3] = {1e-200, 0, 1e-200}, fast[2] = {-1e200, 0};
    ok(imp_planar(light, fast, 0.5, 0.5, IMP_STRONGE, p) == IMP_OVERFLOW && p[0] == 0,
       "1e400 N s is an overflow");
    const double W3[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, mu = 0.5;
    double kept[3] = {7, 8, 9};
    const imp_operator op = imp_operator_dense(1, W3);
    const imp_problem singular = {.nc = 1, .W = &op, .q = W, .mu = &mu};
    imp_info info = {0};
    ok(flat_models[0]->solve(&singular, NULL, kept, NULL, &info) == IMP_NOT_POSITIVE &&
           kept[0] == 7 && kept[2] == 9,
       "the model leaves p alone, too");
}

int main(void) {
    test_against_3d();
    test_ties();
    test_against_note();
    test_rows();
    test_models();
    test_edges();
    return tap_done();
}
