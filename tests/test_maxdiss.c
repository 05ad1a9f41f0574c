/* test_maxdiss.c - maximum dissipation at one contact against references, closed forms and
 * limits. */
#include "generators/gen.h"
#include "impact.h"
#include "maxdiss_subject.h"
#include "tap.h"

#include <float.h>

enum { MOST_COLUMNS = 32, LEAVES = IMP_LEAF_HYPERBOLA + 1 };

static int split(char *line, char *cell[MOST_COLUMNS]) {
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *s = line; s && n < MOST_COLUMNS; n++) {
        cell[n] = s;
        s = strchr(s, '\t');
        if (s) *s++ = 0;
    }
    return n;
}

typedef struct table {
    char header[4096], line[4096];
    char *name[MOST_COLUMNS], *cell[MOST_COLUMNS];
    int columns;
} table;

static const char *text(const table *t, const char *column) {
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->name[i], column) == 0) return t->cell[i];
    return "nan";
}

static double number(const table *t, const char *column) {
    return strtod(text(t, column), NULL);
}

/* One row of the reference data: status, leaf, impulse to 20 eps max(1, sens), certificate. */
static void check_row(const table *t, int seen[LEAVES]) {
    static const char *const W[] = {"W11", "W12", "W13", "W22", "W23", "W33"};
    gen_problem g = {.mu = number(t, "mu"), .e = number(t, "e")};
    double want[3], p[3] = {NAN, NAN, NAN}, size = 0, off = 0;
    for (int i = 0; i < 6; i++)
        g.W[i] = number(t, W[i]);
    for (int i = 0; i < 3; i++) {
        const char q[] = {'q', (char)('1' + i), 0}, column[] = {'p', (char)('1' + i), 0};
        g.q[i] = number(t, q);
        want[i] = number(t, column);
    }
    imp_info info = {0};
    const imp_status status = solve(&g, p, &info);
    for (int i = 0; i < 3; i++) {
        size = fmax(size, fabs(want[i]));
        off = isfinite(p[i]) ? fmax(off, fabs(p[i] - want[i])) : INFINITY;
    }
    const double sens = number(t, "sens"), residual = gen_residual(&g, &imp_law_maxdiss, p);
    const double limit = strcmp(text(t, "tag"), "adversarial") == 0 ? 1e-10 : 1e-12;
    const bool close = isinf(sens) || off <= 20 * DBL_EPSILON * fmax(1, sens) * size;
    const bool leaf =
        strcmp(imp_maxdiss_leaf_text((imp_maxdiss_leaf)info.leaf), text(t, "leaf")) == 0;
    if (info.leaf > 0 && info.leaf < LEAVES) seen[info.leaf]++;
    if (!ok(status == IMP_OK && close && leaf && residual <= limit, "row %s, %s, %s", text(t, "id"),
            text(t, "tag"), text(t, "leaf"))) {
        diag("%s, leaf %s, |dp|/|p| = %.3g with sens %.3g, residual %.3g", imp_status_text(status),
             imp_maxdiss_leaf_text((imp_maxdiss_leaf)info.leaf), off / size, sens, residual);
        gen_print_row(stderr, text(t, "id"), &g);
    }
}

static void reference_rows(void) {
    static table t;
    FILE *file = fopen("reference/data/preclik2017_maxdiss.tsv", "r");
    int rows = 0, seen[LEAVES] = {0};
    ok(file != NULL, "reference/data/preclik2017_maxdiss.tsv opens");
    if (!file) return;
    while (fgets(t.line, sizeof t.line, file)) {
        if (t.line[0] == '#') continue;
        if (t.columns == 0) {
            memcpy(t.header, t.line, sizeof t.header);
            t.columns = split(t.header, t.name);
            continue;
        }
        if (!ok(split(t.line, t.cell) == t.columns, "row %d is whole", rows)) break;
        check_row(&t, seen);
        rows++;
    }
    fclose(file);
    ok(rows == 200, "all 200 rows read");
    for (int leaf = IMP_LEAF_SEPARATING; leaf < LEAVES; leaf++)
        ok(seen[leaf] > 0, "leaf %s reached, %d times",
           imp_maxdiss_leaf_text((imp_maxdiss_leaf)leaf), seen[leaf]);
}

static void bad_input(void) {
    const gen_problem good = {{2, 0.5, -0.25, 3, 0.75, 4}, {-1, 0.5, 2}, 0.5, 0.25, 0};
    const struct {
        const char *what;
        size_t offset;
        double value;
        imp_status status;
    } cases[] = {
        {"W_nn NaN", offsetof(gen_problem, W), NAN, IMP_NOT_FINITE},
        {"W_to Inf", offsetof(gen_problem, W[4]), INFINITY, IMP_NOT_FINITE},
        {"q_o NaN", offsetof(gen_problem, q[2]), NAN, IMP_NOT_FINITE},
        {"q_n -Inf", offsetof(gen_problem, q[0]), -INFINITY, IMP_NOT_FINITE},
        {"mu NaN", offsetof(gen_problem, mu), NAN, IMP_NOT_FINITE},
        {"mu Inf", offsetof(gen_problem, mu), INFINITY, IMP_NOT_FINITE},
        {"e NaN", offsetof(gen_problem, e), NAN, IMP_NOT_FINITE},
        {"mu < 0", offsetof(gen_problem, mu), -1e-300, IMP_BAD_FRICTION},
        {"e < 0", offsetof(gen_problem, e), -1e-300, IMP_BAD_RESTITUTION},
        {"e > 1", offsetof(gen_problem, e), 1 + DBL_EPSILON, IMP_BAD_RESTITUTION},
        {"W_nn = 0", offsetof(gen_problem, W), 0, IMP_NOT_POSITIVE},
        {"W_nn < 0", offsetof(gen_problem, W), -2, IMP_NOT_POSITIVE},
        {"W_tt < 0", offsetof(gen_problem, W[3]), -3, IMP_NOT_POSITIVE},
        {"W_oo = 0", offsetof(gen_problem, W[5]), 0, IMP_NOT_POSITIVE},
        {"W indefinite by W_nt", offsetof(gen_problem, W[1]), 2.5, IMP_NOT_POSITIVE},
        {"W indefinite by W_to", offsetof(gen_problem, W[4]), -3.5, IMP_NOT_POSITIVE},
    };
    double p[3] = {7, 8, 9};
    ok(solve(&good, p, NULL) == IMP_OK, "the problem they are made from is fine, info may be NULL");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gen_problem bad = good;
        memcpy((char *)&bad + cases[i].offset, &cases[i].value, sizeof(double));
        double untouched[3] = {7, 8, 9};
        const imp_status status = solve(&bad, untouched, NULL);
        ok(status == cases[i].status && untouched[0] == 7 && untouched[1] == 8 && untouched[2] == 9,
           "%s: %s, p untouched", cases[i].what, imp_status_text(status));
    }
    gen_problem singular = {{1, 1, 0, 1, 0, 1}, {-1, 0, 0}, 1, 0, 0};
    ok(solve(&singular, p, NULL) == IMP_NOT_POSITIVE, "W exactly singular");
}

/* q_n -> 0 from below: no impulse on an ellipse, the ray of q_n = 0 on a hyperbola; nothing special
 * at 0 itself. */
static void around_zero(void) {
    static const double closing[] = {0, 5e-324, 1e-310, 1e-305, 1e-200, 1e-100, 1e-30, 1e-17};
    const gen_problem base = {{1, 0.8, 0, 2, 0, 1}, {0, 1, 3}, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        gen_problem g = base;
        const double mu[] = {0.5, 1.25, 2};
        const char *const name[] = {"ellipse", "parabola", "hyperbola"};
        double limit[3], p[3], worst = 0, off = 0;
        int steps = 0;
        imp_info info;
        g.mu = mu[k];
        solve(&g, limit, &info);
        ok(k == 0 ? info.leaf == IMP_LEAF_APEX : info.leaf == IMP_LEAF_RAY, "%s at q_n = 0: %s",
           name[k], imp_maxdiss_leaf_text((imp_maxdiss_leaf)info.leaf));
        for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
            g.q[0] = -closing[i];
            const imp_status status = solve(&g, p, &info);
            /* the answer itself has no digits */
            const bool lost = k == 0 && closing[i] > 0 && closing[i] < 1e-320;
            worst = tap_worst(worst, status == (lost ? IMP_OVERFLOW : IMP_OK)
                                         ? (lost ? 0 : gen_residual(&g, &imp_law_maxdiss, p))
                                         : INFINITY);
            if (info.iterations > steps) steps = info.iterations;
            for (int j = 0; j < 3; j++)
                off = tap_worst(off, fabs(p[j] - limit[j]));
        }
        if (k != 1)
            ok(steps <= 6, "%s: found in %d steps, however near the pole of the conic", name[k],
               steps);
        ok(worst <= 1e-12, "%s: q_n from 0 down to -1e-17, denormal or not: worst residual %.2g",
           name[k], worst);
        if (k != 1) ok(off <= 1e-15, "%s: p tends to that of q_n = 0, within %.2g", name[k], off);
        g.q[0] = 0.0;
        solve(&g, p, NULL);
        g.q[0] = -0.0;
        solve(&g, limit, NULL);
        ok(p[0] == limit[0] && p[1] == limit[1] && p[2] == limit[2], "%s: -0 and 0 are the same",
           name[k]);
        g.q[0] = 5e-324;
        ok(solve(&g, p, NULL) == IMP_OK && p[0] == 0 && p[1] == 0 && p[2] == 0,
           "%s: the least opening separates", name[k]);
    }
}

/* Spheres: W = diag(n, h, h); sliding is straight against the free slip. */
static void spheres(void) {
    double off = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        gen_problem g = gen_make(GEN_SPHERE, i);
        gen_stream s = gen_seed(79, i);
        g.e = gen_uniform(&s, 0, 1);
        double p[3];
        solve(&g, p, NULL);
        const double slip = hypot(g.q[1], g.q[2]), plane = -(1 + g.e) * g.q[0];
        const double push = plane / g.W[0], pull = fmin(g.mu * push, slip / g.W[3]);
        const double want[3] = {push, -pull * g.q[1] / slip, -pull * g.q[2] / slip};
        for (int j = 0; j < 3; j++)
            off = tap_worst(off, fabs(p[j] - want[j]) / push);
    }
    ok(off <= 1e-15, "spheres: the closed form, within %.2g", off);
}

/* Problems that stay in the plane (n, t): one unknown between two bounds. */
static void planar(void) {
    double off = 0, out = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        gen_stream s = gen_seed(80, i);
        gen_problem g = {.W = {1, 0, 0, gen_power10(&s, -2, 2), 0, gen_power10(&s, -2, 2)},
                         .e = gen_uniform(&s, 0, 1)};
        g.W[1] = gen_uniform(&s, -0.95, 0.95) * sqrt(g.W[3]);
        g.q[0] = -gen_uniform(&s, 0, 1);
        g.q[1] = 3 * gen_normal(&s);
        g.mu = gen_power10(&s, -2, 1);
        double p[3];
        solve(&g, p, NULL);
        const double plane = -(1 + g.e) * g.q[0], H = g.W[3] - g.W[1] * g.W[1],
                     free = (-g.q[1] + g.W[1] * g.q[0]) / H;
        /* -reach/(1 + ecc) <= z <= reach/(1 - ecc) */
        const double ecc = -g.mu * g.W[1], reach = g.mu * plane;
        const double high = ecc < 1 ? reach / (1 - ecc) : INFINITY,
                     low = ecc > -1 ? -reach / (1 + ecc) : -INFINITY;
        const double z = fmax(low, fmin(high, free)), want[3] = {plane - g.W[1] * z, z, 0};
        for (int j = 0; j < 2; j++)
            off = tap_worst(off, fabs(p[j] - want[j]) / (fabs(want[0]) + fabs(want[1])) *
                                     (1 - fabs(g.W[1]) / sqrt(g.W[3])));
        out = tap_worst(out, fabs(p[2]) / fabs(z));
    }
    ok(off <= 1e-14, "planar problems: the closed form, within %.2g", off);
    ok(out <= 1e-15, "and they stay in the plane, within %.2g", out);
}

static void limits(void) {
    double frictionless = 0, elastic = 0, inelastic = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        gen_problem g = gen_make(GEN_SPD_4, i);
        double p[3];
        for (int e = 0; e < 2; e++) {
            g.e = e;
            solve(&g, p, NULL);
            const double un = g.W[0] * p[0] + g.W[1] * p[1] + g.W[2] * p[2] + g.q[0];
            const double size =
                fabs(g.W[0] * p[0]) + fabs(g.W[1] * p[1]) + fabs(g.W[2] * p[2]) + fabs(g.q[0]);
            *(e ? &elastic : &inelastic) =
                fmax(e ? elastic : inelastic, fabs(un + e * g.q[0]) / size);
        }
        g.mu = 0;
        solve(&g, p, NULL);
        frictionless = tap_worst(frictionless,
                                 fmax(fabs(p[0] * g.W[0] + 2 * g.q[0]), fabs(p[1]) + fabs(p[2])));
    }
    ok(frictionless <= 1e-15, "mu = 0: p = (-(1 + e) q_n/W_nn, 0, 0), within %.2g", frictionless);
    ok(inelastic <= 1e-15, "e = 0: u_n = 0, within %.2g", inelastic);
    ok(elastic <= 1e-15, "e = 1: u_n = -q_n, within %.2g", elastic);
}

/* Preclik section 4.2: a sliding rod touching with q_n = 0 jams above mu*(theta), and the impulse
 * is the sticking one.
 */
static void rod(void) {
    static const double angle[] = {0.3, 0.5, 0.9, 1.1071487177940905, 1.2, 1.4};
    for (int i = 0; i < 6; i++) {
        const double c = cos(angle[i]), s = sin(angle[i]), limit = (c + 1 / (3 * c)) / s;
        gen_problem g = {{1 + 3 * c * c, -3 * s * c, 0, 1 + 3 * s * s, 0, 4},
                         {0, -1, 0},
                         limit * (1 - 1e-9),
                         0,
                         0};
        double below[3], above[3];
        const double want[3] = {3 * sin(2 * angle[i]) / 8, (5 + 3 * cos(2 * angle[i])) / 8, 0},
                     none[3] = {0, 0, 0};
        solve(&g, below, NULL);
        g.mu = limit * (1 + 1e-9);
        solve(&g, above, NULL);
        is_vec(below, none, 3, 0, 0, "rod at %.3g: no impulse below mu* = %.4g", angle[i], limit);
        is_vec(above, want, 3, 0, 1e-14, "rod at %.3g: jams above", angle[i]);
    }
}

/* The ray of b_n = 0 that eq. (9) of the paper would not choose. */
static void wrong_ray(void) {
    const gen_problem g = {{1, -1, 0, 2, 2, 5}, {0, 0.75, 1.375}, 5.0 / 3, 0, 0};
    const double want[3] = {0.23780487804878047, 0.23780487804878047, -0.31707317073170732};
    double p[3];
    imp_info info;
    solve(&g, p, &info);
    ok(info.leaf == IMP_LEAF_RAY, "q_n = 0, hyperbola: a ray");
    is_vec(p, want, 3, 0, 1e-15, "the one with less energy");
}

/* A slide whose G is least near the middle of the first bracket: a step from there is short though
 * the root is far. */
static void flat_step(void) {
    const gen_problem g = gen_make(GEN_SEVERAL, 530024);
    double p[3];
    ok(solve(&g, p, NULL) == IMP_OK && gen_residual(&g, &imp_law_maxdiss, p) <= 1e-14,
       "a short step beside an extremum is no root");
}

static void as_a_model(void) {
    gen_problem g = gen_make(GEN_FREE_BOX_5, 3);
    gen_dense dense;
    double bare[3], p[3];
    g.e = 0.5;
    gen_dense_of(&g, &dense);
    solve(&g, bare, NULL);
    ok(imp_solve(&imp_model_maxdiss, &dense.problem, NULL, p, NULL) == IMP_OK,
       "solved through the model table");
    is_vec(p, bare, 3, 0, 0, "with the same bits");
    dense.W[1] *= 1 + 1e-13;
    ok(imp_solve(&imp_model_maxdiss, &dense.problem, NULL, p, NULL) == IMP_OK,
       "W symmetric to 1e-13 is taken");
    double two[36] = {0}, q[6] = {0}, mu[2] = {0};
    for (int i = 0; i < 6; i++)
        two[7 * i] = 1;
    const imp_operator W = imp_operator_dense(2, two);
    const imp_problem many = {.nc = 2, .W = &W, .q = q, .mu = mu};
    ok(imp_solve(&imp_model_maxdiss, &many, NULL, p, NULL) == IMP_UNSUPPORTED,
       "two contacts are not");
}

int main(void) {
    reference_rows();
    bad_input();
    around_zero();
    spheres();
    planar();
    limits();
    rod();
    wrong_ray();
    flat_step();
    as_a_model();
    return tap_done();
}
