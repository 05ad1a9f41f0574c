/* d_app.c - Drumwright, Shell (2010), Appendix: phase I never gains energy; and the five properties
 * of section 3, on random problems. */
#include "benchmarks/harness/report.h"
#include "impact.h"
#include "generators/gen.h"

#include <math.h>
#include <string.h>

enum { MOST = 6 };

typedef struct random_problem {
    gen_many bodies;
    double e[GEN_MOST_CONTACTS];
    imp_operator dense;
    imp_problem problem;
} random_problem;

static void make(uint64_t index, random_problem *p) {
    p->bodies = gen_loose(0x0d, index, MOST, 1.5, 0, p->e);
    p->dense = imp_operator_dense(p->bodies.nc, p->bodies.W);
    p->problem =
        (imp_problem){.nc = p->bodies.nc, .W = &p->dense, .q = p->bodies.q, .mu = p->bodies.mu};
}

/* Worst violations over all problems, in units of each problem's data. */
typedef struct worst {
    /* gains_without: phase III without re-solve */
    int problems, failures, phase2_failures, gains_without, expansions;
    double phase1, phase1_bound, complementarity, phase3; /* energies and residuals */
    double restitution; /* of phase III's re-solve, its complementarity */
    /* of phase II; above: energy over phase I's; gap: to the dual program */
    double gain, penetration, pull, sum, cone, above, gap;
} worst;

static void note(double *most, double value) {
    *most = isnan(value) ? INFINITY : fmax(*most, value);
}

static void look(random_problem *r, worst *w) {
    const int n = r->bodies.nc;
    double y[3 * MOST], x[3 * MOST], z[3 * MOST], u[3 * MOST], expanded[3 * MOST], speed = 0,
                                                                                   size = 0;
    imp_convex_settings settings;
    imp_model_presets(&imp_model_drumwright, &settings);
    for (int i = 0; i < 3 * n; i++) {
        speed = fmax(speed, fabs(r->problem.q[i]));
        size = fmax(size, r->bodies.W[(size_t)i * 3 * (size_t)n + (size_t)i]);
    }
    const double energy = speed * speed / size, impulse = speed / size;
    w->problems++;
    r->problem.e = NULL;
    if (imp_frictionless(&r->problem, y, NULL) != IMP_OK) {
        w->failures++;
        return;
    }
    double kappa = 0, quadratic = 0;
    imp_operator_apply(&r->dense, y, r->problem.q, u);
    for (int i = 0; i < n; i++) {
        kappa += y[3 * i];
        quadratic += y[3 * i] * (u[3 * i] - r->problem.q[3 * i]);
        note(&w->complementarity, fabs(fmin(y[3 * i] / impulse, u[3 * i] / speed)));
    }
    const double first = imp_problem_energy(&r->problem, y);
    note(&w->phase1, first / energy);
    note(&w->phase1_bound, fabs(first + 0.5 * quadratic) / energy);
    imp_certificate proof = {0};
    if (imp_solve_certified(&imp_model_drumwright, &r->problem, &settings, x, NULL, &proof, NULL) ==
        IMP_OK) {
        double sum = 0;
        imp_operator_apply(&r->dense, x, r->problem.q, u);
        for (int i = 0; i < n; i++) {
            sum += x[3 * i];
            note(&w->penetration, -u[3 * i] / speed);
            note(&w->pull, -x[3 * i] / impulse);
            note(&w->cone,
                 (hypot(x[3 * i + 1], x[3 * i + 2]) - r->problem.mu[i] * x[3 * i]) / impulse);
        }
        note(&w->sum, (sum - kappa) / impulse);
        note(&w->gain, imp_problem_energy(&r->problem, x) / energy);
        note(&w->gap, imp_certificate_residual(&proof, "stationarity"));
        note(&w->above, (imp_problem_energy(&r->problem, x) - first) / energy);
    } else {
        w->phase2_failures++;
    }
    memcpy(expanded, y, sizeof expanded);
    for (int i = 0; i < n; i++)
        expanded[3 * i] *= 1 + r->e[i];
    const double without = imp_problem_energy(&r->problem, expanded);
    w->expansions += kappa > 0;
    w->gains_without += without > 1e-12 * energy;
    r->problem.e = r->e;
    if (imp_frictionless(&r->problem, z, NULL) == IMP_OK) {
        note(&w->phase3, imp_problem_energy(&r->problem, z) / energy);
        imp_operator_apply(&r->dense, z, r->problem.q, u);
        for (int i = 0; i < n; i++)
            note(&w->restitution,
                 fabs(fmin((z[3 * i] - expanded[3 * i]) / impulse, u[3 * i] / speed)));
    } else
        w->failures++;
}

static void run(report *r) {
    const int count = 100000;
    worst w = {.phase1 = -INFINITY, .gain = -INFINITY, .above = -INFINITY, .phase3 = -INFINITY};
    for (int k = 0; k < count; k++) {
        random_problem p;
        make((uint64_t)k, &p);
        look(&p, &w);
        report_progress(r, (double)k / count);
    }
    report_count(r, OWN_BOUND, "phase I or III not solved", 0, w.failures,
                 report_text(r, "of %d problems", w.problems));
    report_count(r, OWN_BOUND, "phase II not solved", 0, w.phase2_failures,
                 "falls back to phase I");
    report_at_most(r, STATED_IN_SOURCE, "phase I: energy gained (negative: lost by every problem)",
                   1e-12, w.phase1, "of |q|^2 / W");
    report_at_most(r, INDEPENDENT, "phase I: |dE + 1/2 y'Ay|", 1e-11, w.phase1_bound,
                   "the Appendix's inequality, sharper");
    report_at_most(r, OWN_BOUND, "phase I: complementarity, max |min(y, Ay + b)|", 1e-9,
                   w.complementarity, NULL);
    report_at_most(r, STATED_IN_SOURCE, "property 1, phase II: energy gained", 1e-9, w.gain, NULL);
    report_at_most(r, STATED_IN_SOURCE, "property 2: approach left, of |q|", 1e-10, w.penetration,
                   NULL);
    report_at_most(r, STATED_IN_SOURCE, "property 3: pull, of |q| / W", 1e-9, w.pull, NULL);
    report_at_most(r, STATED_IN_SOURCE, "property 4: sum of normal impulses over kappa", 1e-10,
                   w.sum, NULL);
    report_at_most(r, STATED_IN_SOURCE, "property 4: friction outside the cone", 1e-9, w.cone,
                   NULL);
    report_at_most(r, STATED_IN_SOURCE, "property 5: energy above phase I's", 1e-9, w.above, NULL);
    report_at_most(r, OWN_BOUND, "phase II: energy above the least inside the cones", 1e-10, w.gap,
                   "at most the gap to the dual program, of the energy at stake");
    report_at_most(r, OWN_BOUND, "phase III with the re-solve: energy gained", 1e-9, w.phase3,
                   "any restitution in [0, 1]");
    report_at_most(r, INDEPENDENT, "phase III: complementarity, max |min(z - (1 + e) y, A z + b)|",
                   1e-9, w.restitution, "e y more at each contact, and what then still approaches");
    report_shown(r, INDEPENDENT, "phase III without the re-solve: problems that gain energy",
                 "720 of 3725", report_text(r, "%d of %d", w.gains_without, w.expansions),
                 "another class of random problems");
}

const experiment experiment_d_app = {
    "D-App", "Phase I never gains energy",
    "The Appendix proves that phase I adds no energy; section 3 lists five properties "
    "of the whole. Both hold on random "
    "problems of one or two bodies with one to six contacts. Restitution (phase III) "
    "needs the frictionless re-solve, of "
    "which the paper does not speak.",
    run};
