/* p_accel.c - Preclik, Eibl, Ruede (2017), section 5: is maximum dissipation transferable to
 * accelerations, where Coulomb's law leaves several forces? */
#include "base/worse.h"
#include "benchmarks/experiments/academic.h"
#include "benchmarks/harness/report.h"
#include "generators/gen.h"
#include "lib/impact.h"

#include <math.h>
#include <string.h>

enum { PROBLEMS = 1000, MOST_CANDIDATES = 100000 };

static const double still[3] = {0};

/* A touching contact at rest that its loads would accelerate by b is the impact problem with b for
 * q: the same rows on a = W f + b as on u = W p + q. */
typedef struct choice {
    imp_force_set set;
    double f[3];  /* N, of maximum dissipation */
    double power; /* 1/2 f'Wf + f'b, N m/s^2: the rate of loss that it makes the least */
    bool good;
} choice;

static choice choose(const double W[6], const double b[3], double mu) {
    choice c = {.good = imp_forces(W, still, b, mu, &c.set) == IMP_OK &&
                        imp_maxdiss(W, b, mu, 0, c.f, NULL) == IMP_OK};
    c.power = c.good ? one_energy(W, b, c.f) : (double)NAN;
    return c;
}

/* What all problems at rest with several forces come to. */
typedef struct tally {
    int several, three;  /* problems; of them those with three */
    int allowed;         /* maximum dissipation's force obeys Coulomb's law, too */
    int beaten;          /* a force of the law has less of the rate than it, beyond rounding */
    double outside;      /* worst of Signorini and cone of its force */
    int searched;        /* problems that golden section solves */
    double other_search; /* farthest that it ends from it, of its size */
} tally;

static double apart(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) / hypot(hypot(b[0], b[1]), b[2]);
}

/* Its residuals by the law of forces, but for the direction of friction, which is what differs. */
static void judge_force(const gen_problem *g, const choice *c, tally *t) {
    imp_certificate found;
    if (imp_forces_certify(g->W, still, g->q, g->mu, c->f, &found) != IMP_OK) {
        t->outside = INFINITY;
        return;
    }
    for (int i = 0; i < found.count; i++)
        if (strcmp(found.residual[i].name, "slip") != 0)
            t->outside = imp_worse(t->outside, found.residual[i].value);
    t->allowed += found.worst <= 1e-9;
}

static void search_otherwise(const gen_problem *g, const choice *c, tally *t) {
    imp_settings settings;
    imp_model_presets(&imp_model_maxdiss, &settings);
    (void)imp_settings_assign(&imp_model_maxdiss, &settings, "solver=golden-section", NULL);
    const double W[9] = {g->W[0], g->W[1], g->W[2], g->W[1], g->W[3],
                         g->W[4], g->W[2], g->W[4], g->W[5]};
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = g->q, .mu = &g->mu};
    double f[3];
    if (imp_solve(&imp_model_maxdiss, &problem, &settings, f, NULL) != IMP_OK) return;
    t->searched++;
    t->other_search = imp_worse(t->other_search, apart(f, c->f));
}

static void at_rest(tally *t) {
    for (uint64_t k = 0; t->several < PROBLEMS && k < MOST_CANDIDATES; k++) {
        const gen_problem g = gen_make(GEN_SEVERAL, k);
        const choice c = choose(g.W, g.q, g.mu);
        if (!c.good || c.set.count < 2) continue;
        t->several++;
        t->three += c.set.count == 3;
        for (int i = 0; i < c.set.count; i++)
            t->beaten += one_energy(g.W, g.q, c.set.force[i].f) < c.power - 1e-9 * fabs(c.power);
        judge_force(&g, &c, t);
        search_otherwise(&g, &c, t);
    }
}

/* A contact that slides so that friction presses it into the surface (A < 0), loaded along the
 * normal by b_n: how many forces obey the law, and in how many cases the one that presses, alone,
 * dissipates most. */
static void sliding(double b_n, int forces[4], int *most) {
    memset(forces, 0, 4 * sizeof *forces);
    *most = 0;
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        const gen_problem g = gen_make(GEN_PAINLEVE, k);
        const double length = hypot(g.W[1], g.W[2]), v[3] = {0, g.W[1] / length, g.W[2] / length},
                     b[3] = {b_n, 0, 0};
        imp_force_set set;
        if (imp_forces(g.W, v, b, g.mu, &set) != IMP_OK || !(set.A < 0)) continue;
        forces[set.count < 3 ? set.count : 3]++;
        int presses = 0; /* those with a rate of loss, which is -mu f_n |v| (W), |v| = 1 m/s */
        for (int i = 0; i < set.count; i++) {
            const double f_n = set.force[i].f[0];
            presses += f_n > 0 && fabs(set.force[i].power + g.mu * f_n) <= 1e-14 * g.mu * f_n;
        }
        *most += presses == 1;
    }
}

/* Table 1's numbers for accelerations: the same rows, so the same solver finds them. What it finds
 * is judged by the certificate, from the law alone. */
static void academic(report *r) {
    const one_contact c = academic_contact(false, 3.7);
    const choice x = choose(c.W, c.q, c.mu);
    imp_certificate found;
    int obey = 0;
    for (int i = 0; i < 3 && x.good && i < x.set.count; i++)
        obey += imp_forces_certify(c.W, still, c.q, c.mu, x.set.force[i].f, &found) == IMP_OK &&
                found.worst <= 1e-9;
    report_count(r, INDEPENDENT,
                 "Table 1's body at rest, loaded by b m/s^2: forces that obey Coulomb's law", 3,
                 x.good ? obey : -1,
                 "by their certificate; the paper has no such force, its impulses are as many");
}

static void run(report *r) {
    tally t = {0};
    int none[4], two[4], most_none, most_two;
    academic(r);
    at_rest(&t);
    report_count(r, OWN_BOUND, "contacts at rest with several forces of Coulomb's law", PROBLEMS,
                 t.several, report_text(r, "%d of them with three", t.three));
    report_count(r, STATED_IN_SOURCE,
                 "those in which one of them dissipates faster than the force "
                 "of maximum dissipation",
                 0, t.beaten, "“transferable to remove non-uniqueness”");
    report_at_most(r, INDEPENDENT, "that force off Signorini's law and the cone", 1e-12, t.outside,
                   "by the certificate of forces");
    report_at_most(r, INDEPENDENT, "off where golden section ends, of its size", 1e-4,
                   t.searched > 0 ? t.other_search : (double)NAN,
                   report_text(r, "of the %d that it solves", t.searched));
    report_shown(r, NO_REFERENCE, "those whose force obeys Coulomb's law, too", "",
                 report_text(r, "%d of %d", t.allowed, t.several),
                 "the others, as in Table 1: one more force, and no choice among them");
    sliding(1, two, &most_two);
    sliding(-1, none, &most_none);
    report_judge(r, INDEPENDENT, "sliding into the surface, pulled off by 1 m/s^2: forces",
                 "two each",
                 report_text(r, "%d with two, %d with others", two[2], two[0] + two[1] + two[3]),
                 "equal", two[2] > 0 && two[0] + two[1] + two[3] == 0, "Painlevé");
    report_count(r, STATED_IN_SOURCE, "of them, one dissipates most", two[2], most_two,
                 "the one that presses");
    report_judge(
        r, INDEPENDENT, "the same, pushed on by 1 m/s^2: forces", "none",
        report_text(r, "%d with none, %d with others", none[0], none[1] + none[2] + none[3]),
        "equal", none[0] > 0 && none[1] + none[2] + none[3] == 0,
        "what does not exist, no principle chooses: an impulse follows");
}

const experiment experiment_p_accel = {
    "P-Accel", "Maximum dissipation at the acceleration level (section 5)",
    "“The approach might also be transferable to remove non-uniqueness in the non-compliant "
    "contact "
    "model when non-penetration and friction constraints on the acceleration-level are enabled.” "
    "At rest it is the same problem with accelerations for velocities, so that it is; where a "
    "contact slides, friction has a direction, and only the normal force is left to choose.",
    run};
