/* p_select.c - Preclik, Eibl, Ruede (2017), section 4.1: which of several Coulomb solutions do
 * compliant contacts select, as they become stiff? */
#include "benchmarks/experiments/select.h"
#include "benchmarks/harness/stats.h"
#include "generators/gen.h"
#include "base/vec3.h"

#include <math.h>
#include <string.h>

/* Coulomb's solutions in the order of Table 1, by falling energy: x1 dissipates least. */
enum { MOST = IMP_COULOMB_MOST };

/* Of the change of velocity, in the norm of the masses: what is farther off is near none. */
static const double NEAR = 0.25;

/* The solution nearest to p, whose distance is *off of the velocity's change. */
static int nearest(const double W[6], const imp_coulomb_set *set, const double p[3], double *off) {
    int best = 0;
    *off = INFINITY;
    for (int i = 0; i < set->count; i++) {
        const double d =
            select_apart(W, p, set->solution[set->count - 1 - i].p) / select_apart(W, p, NULL);
        if (!(d < *off)) continue;
        *off = d;
        best = i;
    }
    return best;
}

/* What a setting selects, by runs of two accuracies. */
typedef struct selection {
    bool good, converged; /* it ran; both select the same, and push alike to 1e-6 */
    int which;            /* of the Coulomb solutions */
    int most;             /* the one nearest to maximum dissipation's answer */
    bool slides, more;    /* x3 slides after; that answer dissipates more than x3 */
    double off;           /* how far the run is from `which`, of the velocity's change */
} selection;

/* Where x3 sticks no impulse dissipates more: maximum dissipation's answer is x3. Where it slides
 * there is one that does. */
static void beyond(const double W[6], const double q[3], const imp_coulomb_set *set,
                   const double x[3], selection *z) {
    const double *x3 = set->solution[0].p, energy = one_energy(W, q, x3);
    double u[3];
    one_velocity(W, q, x3, u);
    z->slides = hypot(u[1], u[2]) > 1e-6 * hypot(q[0], hypot(q[1], q[2]));
    z->more = one_energy(W, q, x) < energy - 1e-12 * fabs(energy);
}

static selection select_one(report *r, course *c, const select_setting *s) {
    static const double accuracy[2] = {1e-10, 0.5e-10};
    double W[6], q[3], p[2][3], after[2][3], x[3], off;
    imp_coulomb_set set;
    int which[2];
    selection z = {.good = false};
    pack3(c->touch.W, W);
    select_approach(c, s, q);
    if (imp_coulomb_enumerate(W, q, c->touch.mu[0], &set) != IMP_OK ||
        imp_maxdiss(W, q, c->touch.mu[0], 0, x, NULL) != IMP_OK)
        return z;
    for (int k = 0; k < 2; k++) {
        if (!select_run(r, c, s, accuracy[k], p[k], after[k])) return z;
        which[k] = nearest(W, &set, p[k], k ? &off : &z.off);
    }
    z.good = true;
    z.converged = which[0] == which[1] &&
                  select_apart(W, after[0], after[1]) <= 1e-6 * select_apart(W, after[0], NULL);
    z.which = which[0];
    z.most = nearest(W, &set, x, &off);
    beyond(W, q, &set, x, &z);
    return z;
}

typedef struct tally {
    long runs, bad, unconverged; /* bad: not run */
    long which[MOST], most[MOST], slides, more, near;
} tally;

static void add(tally *t, const selection *z) {
    t->runs++;
    t->bad += !z->good;
    t->unconverged += z->good && !z->converged;
    if (!z->good) return;
    t->which[z->which]++;
    t->most[z->most]++;
    t->slides += z->slides;
    t->more += z->slides && z->more;
    t->near += z->off <= NEAR;
}

/* How the runs of a tally differ: in all, at random, which says something of what is not there; or
 * in the compliant law alone, so that all are one rigid problem. */
typedef enum runs { MAPPED, RANDOM, ONE_PROBLEM } runs;

static void judge_most(report *r, const char *what, bool one, const tally *t) {
    const long each = one ? t->runs : 1, of = each > 0 ? t->runs / each : 0;
    report_judge(
        r, OWN_BOUND, report_text(r, "%s: maximum dissipation is nearest to x1, x2, x3", what), "",
        report_text(r, "%ld, %ld, %ld", t->most[0] / each, t->most[1] / each, t->most[2] / each),
        "x3 in at least 0.9", of > 0 && (double)t->most[2] >= 0.9 * (double)t->runs,
        one ? "one rigid problem, whatever the compliant law" : NULL);
    report_count(
        r, INDEPENDENT,
        report_text(r, "%s: maximum dissipation dissipates more than an x3 that slides", what),
        t->slides / each, t->more / each,
        "by the energies; where x3 sticks it is the answer itself");
}

static void judge(report *r, const char *what, runs how, const tally *t) {
    const bool random = how == RANDOM;
    const stats_interval first = stats_probability(t->which[0], t->runs, 0.95),
                         near = stats_probability(t->near, t->runs, 0.95);
    const char *ours = report_text(r, "%ld of %ld", t->which[0], t->runs),
               *close = report_text(r, "%.3f", (double)t->near / (double)t->runs);
    const bool all = t->which[0] == t->runs && t->runs > 0;
    if (random) {
        ours = report_text(r, "%s: %.4f to %.4f", ours, first.low, first.high);
        close = report_text(r, "%s (%.3f to %.3f)", close, near.low, near.high);
    }
    report_judge(r, OWN_BOUND, report_text(r, "%s: x1 is the nearest", what), "", ours,
                 random ? "certain at 95 %: at least 0.99" : "all",
                 t->bad == 0 && (random ? first.low >= 0.99 : all),
                 report_text(r, "x2 %ld, x3 %ld; within a quarter of the change of velocity %s",
                             t->which[1], t->which[2], close));
    judge_most(r, what, how == ONE_PROBLEM, t);
}

static void judge_converged(report *r, const char *what, const tally *t) {
    report_count(r, OWN_BOUND, report_text(r, "%s: runs that half the error allowed changes", what),
                 0, t->unconverged, "to another selection, or by 1e-6 of the impulse");
}

/* ---- the academic body ---- */

static const select_setting table1 = {1e10, 5, 1e-4, {0.06, 0.7, 0.23}};

/* Stiffness over transition speed, three dissipations. */
static void law_map(report *r, course *c) {
    static const double dissipation[] = {0, 5, 1000};
    report_rows *t =
        report_table(r, "p_select_law", "dissipation:4\tstiffness:4\ttransition:4\twhich:2\toff:3");
    tally all = {0};
    for (int d = 0; d < 3; d++)
        for (int i = 0; i <= 16; i++) {
            for (int k = 0; k <= 20; k++) {
                select_setting s = table1;
                s.dissipation = dissipation[d];
                s.stiffness = pow(10, 4 + 0.5 * i);
                s.transition = pow(10, -5 + 0.25 * k);
                const selection z = select_one(r, c, &s);
                add(&all, &z);
                report_row(t, NULL, s.dissipation, s.stiffness, s.transition, z.which, z.off);
            }
            report_gap(t);
        }
    report_figure(r, "p_select_law",
                  "Compliant contact ends the compression of Table 1's impact nearest to "
                  "x1, however stiff and dissipative it is. Over stiffness, dissipation "
                  "and the slip at which friction is fully there: how far that end is "
                  "from x1, of the change of velocity.");
    judge(r, "Table 1 at 17 stiffnesses, 21 transition speeds, 3 dissipations", ONE_PROBLEM, &all);
    judge_converged(r, "Table 1's impact", &all);
}

/* Slip in a direction, rad, and an approach of 10^steep of it. */
static void aim(const course *c, double turn, double steep, select_setting *s) {
    const double q[3] = {-0.7 * pow(10, steep), 0.7 * cos(turn), 0.7 * sin(turn)};
    select_aim(c, q, s);
}

/* How many Coulomb solutions there are for it; 0: unknown. */
static int solutions(const course *c, const select_setting *s) {
    double W[6], q[3];
    imp_coulomb_set set = {0};
    pack3(c->touch.W, W);
    select_approach(c, s, q);
    return imp_coulomb_enumerate(W, q, c->touch.mu[0], &set) == IMP_OK ? set.count : 0;
}

/* Where there are three solutions: the direction of slip over the steepness of the approach. */
static void approach_map(report *r, course *c) {
    enum { COLUMNS = 100, LINES = 72 };
    report_rows *t = report_table(r, "p_select", "turn_deg:6\tsteep:6\tcount:2\twhich:2\tmost:2");
    tally all = {0};
    for (int i = 0; i < COLUMNS; i++) {
        for (int k = 0; k < LINES; k++) {
            select_setting s = table1;
            const double turn = 45 + 60 * (i + 0.5) / COLUMNS, steep = -2 + 1.5 * (k + 0.5) / LINES;
            aim(c, turn * acos(-1) / 180, steep, &s);
            const int several = solutions(c, &s);
            selection z = {.which = -1, .most = -1};
            if (several > 1) {
                z = select_one(r, c, &s);
                add(&all, &z);
            }
            report_row(t, NULL, turn, steep, several, z.which, z.most);
        }
        report_gap(t);
    }
    judge(r, "a map of approaches, those with three solutions", MAPPED, &all);
    judge_converged(r, "the map's approaches", &all);
    report_figure(r, "p_select",
                  "Of three Coulomb solutions compliant contact is nearest the least "
                  "dissipative, maximum dissipation mostly the most. Where the academic "
                  "body has three: direction of the slip over the approach, of the slip. "
                  "Left: the one nearest to the end of compression of the compliant run; "
                  "right: to maximum dissipation. Dot: Table 1.");
}

/* Everything at random, three solutions each. */
static void at_random(report *r, course *c) {
    enum { RUNS = 1000 };
    tally all = {0};
    gen_stream g = gen_seed(6200, 0);
    while (all.runs < RUNS) {
        select_setting s = {
            gen_power10(&g, 6, 12), gen_power10(&g, -2, 3), gen_power10(&g, -5, -2), {0}};
        aim(c, gen_uniform(&g, 0, 2 * acos(-1)), gen_uniform(&g, -3, 0), &s);
        if (solutions(c, &s) < 3) continue;
        const selection z = select_one(r, c, &s);
        add(&all, &z);
    }
    judge(r, "stiffness, dissipation, transition speed and approach at random", RANDOM, &all);
    judge_converged(r, "those at random", &all);
}

/* The limit itself, in closed form up to quadrature, of bodies at random. */
static void other_bodies(report *r) {
    tally all = {0};
    double W[6], p[3], x[3];
    for (uint64_t k = 0; all.runs < 1000 && k < 10000000; k++) {
        gen_stream g = gen_seed(6300, k);
        const double mu = gen_power10(&g, -0.5, 1);
        const gen_problem b = gen_six_point(k, mu);
        imp_coulomb_set set;
        selection z = {.good = true, .converged = true};
        memcpy(W, b.W, sizeof W);
        if (imp_coulomb_enumerate(W, b.q, mu, &set) != IMP_OK || set.count < 3) continue;
        z.good = imp_darboux(W, b.q, mu, 0, IMP_NEWTON, p, NULL, NULL) == IMP_OK &&
                 imp_maxdiss(W, b.q, mu, 0, x, NULL) == IMP_OK;
        if (z.good) {
            double off;
            z.which = nearest(W, &set, p, &z.off);
            z.most = nearest(W, &set, x, &off);
            beyond(W, b.q, &set, x, &z);
        }
        add(&all, &z);
    }
    judge(r, "bodies and friction at random, the limit itself", RANDOM, &all);
}

/* How far the limit is from the solutions of Table 1. */
static void table_rows(report *r, course *c) {
    double W[6], q[3], p[3], run_p[3], after[3];
    imp_coulomb_set set;
    pack3(c->touch.W, W);
    select_approach(c, &table1, q);
    const select_setting hard = {1e14, table1.dissipation, 1e-6, {0.06, 0.7, 0.23}};
    if (imp_coulomb_enumerate(W, q, c->touch.mu[0], &set) != IMP_OK || set.count != 3 ||
        imp_darboux(W, q, c->touch.mu[0], 0, IMP_NEWTON, p, NULL, NULL) != IMP_OK ||
        !select_run(r, c, &hard, 1e-10, run_p, after)) {
        report_judge(r, OWN_BOUND, "Table 1", "three solutions", "no", "", false, NULL);
        return;
    }
    report_at_most(r, INDEPENDENT,
                   "Table 1: end of compression, compliant off the Darboux-Keller process", 1e-5,
                   select_apart(W, run_p, p) / select_apart(W, p, NULL),
                   "1e14 Pa, 1e-6 m/s; of the change of velocity, in the norm of the masses");
    for (int i = 0; i < 3; i++)
        report_shown(
            r, NO_REFERENCE, report_text(r, "Table 1: that limit is off x%d by", i + 1), "",
            report_text(r, "%.3f",
                        select_apart(W, set.solution[2 - i].p, p) / select_apart(W, p, NULL)),
            "of the change of velocity");
}

static void run(report *r) {
    course c;
    if (!course_open(r, "academic", "mu 3.58 (Table 1)", &c)) return;
    table_rows(r, &c);
    law_map(r, &c);
    approach_map(r, &c);
    at_random(r, &c);
    course_close(&c);
    other_bodies(r);
}

const experiment experiment_p_select = {
    "P-Select", "Which of several Coulomb solutions do compliant contacts select? (section 4.1)",
    "Table 1's contact has three Coulomb solutions; x1 dissipates least, x3 most, maximum "
    "dissipation's answer x* a little more. The paper does not ask which of them a compliant "
    "contact "
    "comes to. Compared is the end of its compression, where what is inelastic should stop.",
    run};
