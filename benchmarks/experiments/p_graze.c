/* p_graze.c - Preclik, Eibl, Ruede (2017), section 4.2: of the two impulses of Coulomb-like
 * friction to Painleve's rod that grazes, 0 and Lambda_0, which do compliant contacts select? */
#include "base/worse.h"
#include "benchmarks/experiments/select.h"
#include "base/vec3.h"

#include <math.h>
#include <string.h>

static const double SLIP = 2; /* m/s */

/* Selected: |p| is below a tenth of Lambda_0's, or no further from that. In between it is
 * neither. */
static const double CLEAR = 0.1;

typedef enum impulse { ZERO, NEITHER, STICKS, IMPULSES } impulse;

typedef struct graze {
    double W[6], stick[3]; /* 1/kg; N s, Lambda_0 */
    double threshold;      /* mu*, W_nn / W_nt: friction above it presses the rod into the plane */
} graze;

static graze graze_of(const course *c) {
    graze g = {.threshold = 0};
    const double along[3] = {0, -SLIP, 0};
    pack3(c->touch.W, g.W);
    (void)one_stick(g.W, along, g.stick);
    g.threshold = g.W[0] / hypot(g.W[1], g.W[2]);
    return g;
}

/* Of the runs with two accuracies; *size: |p| / |Lambda_0| in the norm of the masses. */
static impulse select_one(report *r, course *c, const graze *g, const select_setting *s,
                          double *size, bool *converged) {
    impulse which[2] = {NEITHER, NEITHER};
    double p[2][3], after[2][3];
    const double whole = select_apart(g->W, g->stick, NULL);
    *converged = false;
    *size = NAN;
    for (int k = 0; k < 2; k++) {
        if (!select_run(r, c, s, k ? 0.5e-10 : 1e-10, p[k], after[k])) return NEITHER;
        which[k] = select_apart(g->W, p[k], NULL) <= CLEAR * whole       ? ZERO
                   : select_apart(g->W, p[k], g->stick) <= CLEAR * whole ? STICKS
                                                                         : NEITHER;
    }
    *size = select_apart(g->W, p[0], NULL) / whole;
    *converged = which[0] == which[1] && select_apart(g->W, after[0], after[1]) <= 1e-6 * whole;
    return which[0];
}

/* The maps: transition speeds, approaches, and ways to be compliant. */
enum { SPEEDS = 25, APPROACHES = 13, WAYS = 5 };

static const struct {
    double stiffness, dissipation; /* Pa, s/m */
} ways[WAYS] = {{1e10, 2}, {1e10, 0}, {1e10, 100}, {1e12, 2}, {1e14, 2}};

typedef struct tally {
    long runs, unconverged;
    long below[IMPULSES], above[IMPULSES]; /* friction of the slip below mu*, above it */
    long early[IMPULSES];                  /* fully there at a tenth of the slip */
    double spread;                         /* of one size over the ways, the largest */
} tally;

/* One transition speed and approach, every way. */
static void point(report *r, course *c, const graze *g, double transition, double approach,
                  report_rows *t, tally *all) {
    compliant_law law = c->scene.system.pairs[c->touch.pair[0]].law;
    law.transition = transition;
    const double friction = compliant_friction(&law, SLIP);
    double first = 0;
    for (int i = 0; i < WAYS; i++) {
        select_setting s = {ways[i].stiffness, ways[i].dissipation, transition, {0}};
        double size;
        bool converged;
        select_aim(c, (const double[3]){-approach * SLIP, -SLIP, 0}, &s);
        const impulse which = select_one(r, c, g, &s, &size, &converged);
        all->runs++;
        all->unconverged += !converged;
        (friction > g->threshold ? all->above : all->below)[which]++;
        if (transition <= 0.1 * SLIP) all->early[which]++;
        if (i == 0) report_row(t, NULL, transition / SLIP, approach, size, which, friction);
        first = i == 0 ? size : first;
        all->spread = imp_worse(all->spread, fabs(size - first));
    }
}

static const char *counts(report *r, const long n[IMPULSES]) {
    return report_text(r, "%ld, %ld, %ld", n[ZERO], n[NEITHER], n[STICKS]);
}

static void rows(report *r, const graze *g, const tally *t) {
    report_near(r, INDEPENDENT, "μ*(0.9) of the scene's rod", 1.4781209363065359, g->threshold,
                2e-3, "its tip is a sphere of 20 mm");
    report_judge(r, OWN_BOUND, "friction fully there at a tenth of the slip: 0, neither, Λ0", "",
                 counts(r, t->early), "all Λ0", t->early[ZERO] + t->early[NEITHER] == 0,
                 "maximum dissipation's answer; neither: further than a tenth of Λ0 from both");
    report_judge(r, INDEPENDENT, "friction at the slip below μ*: 0, neither, Λ0", "",
                 counts(r, t->below), "all 0",
                 t->below[ZERO] > 0 && t->below[NEITHER] + t->below[STICKS] == 0,
                 "the transition speed is above the slip: friction cannot press the rod in");
    report_judge(r, INDEPENDENT, "friction at the slip above μ*: 0, neither, Λ0", "",
                 counts(r, t->above), "none 0", t->above[ZERO] == 0,
                 "where it begins to press in depends on μ* alone; how far it goes, on the "
                 "transition speed");
    report_at_most(r, OWN_BOUND, "size of an impulse over stiffness and dissipation, the most",
                   3e-3, t->spread, "1e10, 1e12, 1e14 Pa; 0, 2, 100 s/m; in Λ0");
    report_count(r, OWN_BOUND, "runs that half the error allowed changes", 0, t->unconverged,
                 report_text(r, "of %ld; to another selection, or by 1e-6 of Λ0", t->runs));
}

/* The transition speed, of the slip, at which friction at the slip is mu*. */
static void draw_edge(report *r, const course *c, const graze *g) {
    compliant_law law = c->scene.system.pairs[c->touch.pair[0]].law;
    double low = SLIP, high = 10 * SLIP;
    for (int i = 0; i < 60; i++) {
        law.transition = 0.5 * (low + high);
        if (compliant_friction(&law, SLIP) > g->threshold)
            low = law.transition;
        else
            high = law.transition;
    }
    report_rows *t = report_table(r, "p_graze_edge", "transition:6\tapproach:6");
    report_row(t, NULL, low / SLIP, 1e-6);
    report_row(t, NULL, low / SLIP, 1e-2);
}

static void run(report *r) {
    tally all = {0};
    course c;
    if (!course_open(r, "rod", "0.9 rad, mu 2", &c)) return;
    const graze g = graze_of(&c);
    report_rows *t =
        report_table(r, "p_graze", "transition:6\tapproach:6\tsize:6\twhich:2\tfriction:6");
    for (int i = 0; i < SPEEDS; i++) {
        for (int k = 0; k < APPROACHES; k++)
            point(r, &c, &g, SLIP * pow(10, -3 + i / 6.0), pow(10, -6 + k / 3.0), t, &all);
        report_gap(t);
        report_progress(r, (double)i / SPEEDS);
    }
    rows(r, &g, &all);
    draw_edge(r, &c, &g);
    report_figure(r, "p_graze",
                  "The slip at which friction is fully there decides whether the grazing "
                  "rod gets the impulse Λ0 or none. How slowly it closes does not. "
                  "Painlevé's rod at 0.9 rad, μ = 2: the impulse at the end of its "
                  "compression, of Λ0. Line: where friction at the slip is μ*.");
    course_close(&c);
}

const experiment experiment_p_graze = {
    "P-Graze", "Which impulse of the grazing rod do compliant contacts select? (section 4.2)",
    "Above μ* Coulomb-like friction admits 0 and Λ0; maximum dissipation answers with Λ0. What "
    "opens, however slowly, is not touched: its impulse is 0. Here it closes, ever slower.",
    run};
