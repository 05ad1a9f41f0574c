/* Fresh problems: the same for ever by class, seed and number; the same problem in other words, by
 * what no turn, order or unit changes. */
#include "class_of.h"
#include "impact.h"
#include "tap.h"

enum { FEW = 24, MARKS = 6 };

/* What stays when contacts are shuffled and tangents turned: |q|^2, q'Wq, |Wq|^2, |W|_F^2, sums
 * that tie friction and restitution to their contacts and the normals to theirs. */
static void marks(const imp_problem *p, double m[MARKS]) {
    const int nc = p->nc, n = 3 * nc;
    double u[3 * FEW];
    imp_operator_apply(p->W, p->q, NULL, u);
    memset(m, 0, MARKS * sizeof *m);
    for (int i = 0; i < n; i++) {
        m[0] += p->q[i] * p->q[i];
        m[1] += p->q[i] * u[i];
        m[2] += u[i] * u[i];
    }
    for (int i = 0; i < nc; i++) {
        m[4] += p->mu[i] * u[3 * i] * p->q[3 * i];
        m[5] += (p->e ? p->e[i] : 0) * u[3 * i] * p->q[3 * i];
        for (int j = 0; j < nc; j++) {
            double block[9];
            p->W->kind->block(p->W, i, j, block);
            for (int k = 0; k < 9; k++)
                m[3] += block[k] * block[k];
        }
    }
}

static void test_disguise(void) {
    int shuffled = 0, mirrored = 0, quarters = 0, alone = 0, count = 0;
    double worst = 0;
    for (uint64_t k = 0; k < 60; k++) {
        double e[GEN_MOST_CONTACTS], before[MARKS], after[MARKS], block[9], trace[2] = {0};
        const gen_many g = gen_loose(910, k, GEN_MOST_CONTACTS, 1.5, 0, e);
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem from = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
        gen_stream s = gen_seed(911, k);
        fresh_problem made;
        if (fresh_disguise(&from, false, &s, &made) != IMP_OK) continue;
        for (int i = 0; i < g.nc; i++) {
            W.kind->block(&W, i, i, block);
            trace[0] += block[0];
            made.W.kind->block(&made.W, i, i, block);
            trace[1] += block[0];
        }
        marks(&from, before);
        marks(&made.problem, after);
        const double w = trace[1] / trace[0], v = sqrt(after[0] / before[0]);
        const double unit[MARKS] = {v * v, w * v * v, w * w * v * v, w * w, w * v * v, w * v * v};
        for (int m = 0; m < MARKS; m++)
            worst = tap_worst(worst, fabs(after[m] / (unit[m] * before[m]) - 1));
        count++;
        shuffled += made.problem.mu[0] != g.mu[0];
        if (g.nc == 1) { /* which way q turns from W_n, seen along n */
            const double *q = made.problem.q, *old = g.q;
            const bool left = old[1] * g.W[2] - old[2] * g.W[1] > 0;
            alone++;
            mirrored += left != (q[1] * block[2] - q[2] * block[1] > 0);
            quarters += fabs(fabs(q[1]) / v - fabs(old[1])) < 1e-12 ||
                        fabs(fabs(q[1]) / v - fabs(old[2])) < 1e-12;
        }
        fresh_clear(&made);
    }
    ok(worst < 1e-13, "%d problems, the same in other words (%.1e)", count, worst);
    ok(shuffled > 20, "%d of them are shuffled", shuffled);
    ok(mirrored > 0 && mirrored < alone, "of %d contacts alone %d are mirrored", alone, mirrored);
    ok(quarters > 0 && quarters < alone, "%d are turned by quarters", quarters);
}

/* A fingerprint of one instance, NaN where there is none. */
static double print_of(const fresh_class *c, uint64_t seed, uint64_t k) {
    fresh_problem made;
    if (fresh_make(c, seed, k, &made) != IMP_OK) return NAN;
    double sum = made.problem.nc, sign = 1;
    for (int i = 0; i < 3 * made.problem.nc; i++)
        sum += (sign *= -1.01) * made.problem.q[i];
    for (int i = 0; i < made.problem.nc; i++)
        sum += made.problem.mu[i] * (i + 2);
    fresh_clear(&made);
    return sum;
}

static void test_classes(void) {
    for (const fresh_class *c = fresh_classes; c->name; c++) {
        const double first = print_of(c, 1, 0);
        ok(first == print_of(c, 1, 0) && first != print_of(c, 2, 0) && first != print_of(c, 1, 1),
           "%s: by seed and number", c->name);
    }
}

/* What the lines of the classes say. */
static void test_promises(void) {
    int several = 0, planar = 0, jammed = 0, beyond = 0;
    for (const fresh_class *c = fresh_classes; c->name; c++)
        for (uint64_t k = 0; k < 20; k++) {
            fresh_problem made;
            imp_coulomb_set set;
            int least, most;
            if (sscanf(c->contacts, "%d to %d", &least, &most) < 2) least = most = 1;
            if (fresh_make(c, 3, k, &made) != IMP_OK) continue;
            const gen_problem g =
                made.problem.nc == 1 ? gen_single(&made.problem) : (gen_problem){0};
            if (strcmp(c->name, "several") == 0)
                several += imp_coulomb_enumerate(g.W, g.q, g.mu, &set) == IMP_OK && set.count > 1;
            if (strcmp(c->name, "impact-planar") == 0)
                planar += imp_model_takes(&imp_model_planar_stronge, &made.problem) == IMP_OK;
            if (strcmp(c->name, "painleve") == 0) jammed += g.W[0] <= g.mu * hypot(g.W[1], g.W[2]);
            beyond += made.problem.nc < least || made.problem.nc > most;
            fresh_clear(&made);
        }
    ok(several == 20, "several: two solutions or more in each");
    ok(planar == 20, "impact-planar: stays in the plane");
    ok(jammed == 20, "painleve: W_nn <= mu |W_nt|");
    ok(beyond == 0, "each: of as many contacts as they say");
}

/* One way alone, and its impulses read back: the energies that they make are the same, in the units
 * of the way. */
static void test_ways(void) {
    static const unsigned ways[] = {FRESH_ORDER,
                                    FRESH_FRAMES,
                                    FRESH_FRAMES | FRESH_QUARTERS,
                                    FRESH_FRAMES | FRESH_HALVES,
                                    FRESH_MIRROR,
                                    FRESH_MASS,
                                    FRESH_UNITS};
    const fresh_class *loose = class_of("loose");
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        double worst = 0;
        int moved = 0;
        bool alone = true;
        for (uint64_t i = 0; i < 20; i++) {
            fresh_problem made, other;
            fresh_writing how;
            double p[3 * GEN_MOST_CONTACTS], old[3 * GEN_MOST_CONTACTS];
            gen_stream s = gen_seed(5, i);
            if (fresh_make(loose, 4, i, &made) != IMP_OK ||
                fresh_rewrite(&made.problem, ways[k], &s, &other, &how) != IMP_OK)
                exit(1);
            for (int r = 0; r < 3 * made.problem.nc; r++)
                p[r] = gen_normal(&s);
            fresh_read_back(&how, p, old);
            const double there = imp_problem_energy(&other.problem, p),
                         here = imp_problem_energy(&made.problem, old) * how.v * how.v / how.w;
            worst = tap_worst(worst, fabs(there - here) / fabs(there));
            double q = 0;
            for (int r = 0; r < 3 * made.problem.nc; r++)
                q += fabs(made.problem.q[r] - other.problem.q[r]);
            moved += q > 0;
            alone = alone && (how.w == 1 || ways[k] == FRESH_MASS) &&
                    (how.v == 1 || ways[k] == FRESH_UNITS);
            fresh_clear(&made);
            fresh_clear(&other);
            fresh_writing_clear(&how);
        }
        ok(alone, "way %u: alone", ways[k]);
        ok(worst < 1e-9, "way %u: impulses are read back (%.1e)", ways[k], worst);
        ok(ways[k] == FRESH_MASS ? moved == 0 : moved >= 10, "in another way: %d", moved);
    }
}

int main(void) {
    test_disguise();
    test_ways();
    test_classes();
    test_promises();
    return tap_done();
}
