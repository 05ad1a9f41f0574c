/* x_count.c - how many impulses satisfy Coulomb's law at one contact, and how often there are
 * several. */
#include "benchmarks/experiments/one.h"
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/stats.h"
#include "generators/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES, SPD, CLASSES, FRICTIONS = 11, BINS = 9 };

static const char *const class_names[CLASSES] = {"six-point bodies", "SPD, cond 1..1e4"};
static const double friction[FRICTIONS] = {0.1, 0.3, 0.5, 0.8, 1, 2, 3.7, 5, 10, 30, 100};
/* eccentricity */
static const double edge[BINS + 1] = {0, 0.5, 0.75, 0.9, 1, 1.2, 1.5, 2, 5, INFINITY};
static const char *const bin_names[BINS] = {"< 0.5",   "0.5-0.75", "0.75-0.9", "0.9-1", "1-1.2",
                                            "1.2-1.5", "1.5-2",    "2-5",      "> 5"};

/* Frequencies of three solutions in an independent count: 3e5 problems per friction coefficient. */
enum { THEIR_PROBLEMS = 300000 };
static const char *const their_friction[CLASSES][FRICTIONS] = {
    {"0", "3.3e-6", "4.7e-5", "2.5e-4", "4.1e-4", "1.1e-3", "1.5e-3", "1.6e-3", "1.8e-3", "2.1e-3",
     "2.2e-3"},
    {"3.3e-6", "1.6e-4", "8.8e-4", "2.8e-3", "4.1e-3", "8.9e-3", "1.1e-2", "1.2e-2", "1.2e-2",
     "1.3e-2", "1.3e-2"}};
static const char *const their_slips[FRICTIONS] = {
    "0", "2.0e-5", "9.7e-5", "2.4e-4", "2.5e-4", "1.1e-4", "5.3e-5", "1.0e-5", "7e-6", "3e-6", "0"};
static const char *const their_bin[CLASSES][BINS] = {
    {"0", "4.3e-6", "3.9e-5", "4.6e-4", "1.8e-3", "1.6e-3", "1.7e-3", "1.9e-3", "2.7e-3"},
    {"0", "8.8e-6", "2.7e-4", "2.4e-3", "1.2e-2", "1.1e-2", "1.0e-2", "1.2e-2", "1.3e-2"}};

typedef struct cell {
    long problems, three, slips; /* slips: three solutions, all of them slips */
} cell;

typedef struct census {
    cell friction[CLASSES][FRICTIONS], bin[CLASSES][BINS];
    long other;      /* closing problems with neither one nor three solutions */
    long unproven;   /* the enumeration could not certify its count */
    long guaranteed; /* problems the sufficient test calls unique */
    long broken;     /* ... that have several all the same */
} census;

static void add(census *n, int class, int m, const gen_problem *g) {
    imp_coulomb_set set;
    if (imp_coulomb_enumerate(g->W, g->q, g->mu, &set) != IMP_OK) {
        n->unproven++;
        return;
    }
    int bin = 0;
    while (set.eccentricity >= edge[bin + 1])
        bin++;
    const bool three = set.count == 3;
    bool slips = three;
    for (int i = 0; i < set.count; i++)
        slips = slips && set.solution[i].kind == IMP_SLIP;
    cell *cells[2] = {&n->friction[class][m], &n->bin[class][bin]};
    for (int i = 0; i < 2; i++) {
        cells[i]->problems++;
        cells[i]->three += three;
        cells[i]->slips += slips;
    }
    n->other += !three && set.count != 1;
    n->guaranteed += set.unique;
    n->broken += set.unique && set.count != 1;
}

static void take_census(const report *r, census *n) {
    const uint64_t each = report_full(r) ? 3000000 : 300000;
    for (int class = 0; class < CLASSES; class ++)
        for (int m = 0; m < FRICTIONS; m++) {
            report_progress(r, (double)(class * FRICTIONS + m) / (CLASSES * FRICTIONS));
            for (uint64_t i = 0; i < each; i++) {
                const uint64_t index = (uint64_t)m * each + i;
                const gen_problem g = class == BODIES ? gen_six_point(index, friction[m])
                                                      : gen_spd(index, 4, friction[m]);
                add(n, class, m, &g);
            }
        }
}

static double frequency(long k, long n) {
    return n > 0 ? (double)k / (double)n : 0;
}

static void frequency_row(report *r, const char *quantity, const char *theirs, long their_problems,
                          long k, long n) {
    const stats_interval range = stats_second_sample(k, n, their_problems, 0.999);
    report_within(r, INDEPENDENT, quantity, theirs, frequency(k, n), range.low, range.high, NULL);
}

/* How many problems of a bin the other count had: its share is taken to be ours. */
static long their_problems_in(const census *n, int class, const cell *c) {
    const double ratio = (double)THEIR_PROBLEMS / (double)n->friction[class][0].problems;
    return (long)((double)c->problems * ratio);
}

static void frequency_rows(report *r, const census *n) {
    for (int class = 0; class < CLASSES; class ++)
        for (int m = 0; m < FRICTIONS; m++) {
            const cell *c = &n->friction[class][m];
            frequency_row(
                r, report_text(r, "three solutions, %s, μ = %g", class_names[class], friction[m]),
                their_friction[class][m], THEIR_PROBLEMS, c->three, c->problems);
        }
    for (int m = 0; m < FRICTIONS; m++) {
        const cell *c = &n->friction[SPD][m];
        frequency_row(r, report_text(r, "of these three slips, SPD, μ = %g", friction[m]),
                      their_slips[m], THEIR_PROBLEMS, c->slips, c->problems);
    }
    for (int class = 0; class < CLASSES; class ++)
        for (int k = 0; k < BINS; k++) {
            const cell *c = &n->bin[class][k];
            frequency_row(r,
                          report_text(r, "three solutions, %s, eccentricity %s", class_names[class],
                                      bin_names[k]),
                          their_bin[class][k], their_problems_in(n, class, c), c->three,
                          c->problems);
        }
}

static void write_cell(report_rows *table, const char *series, double x, const cell *c,
                       const char *theirs, long their_problems) {
    const stats_interval p = stats_probability(c->three, c->problems, 0.95);
    const long their_three = lround(strtod(theirs, NULL) * (double)their_problems);
    const stats_interval t = stats_probability(their_three, their_problems, 0.95);
    report_cells(table, IMP_TEXT(series), IMP_NUMBER(x),
                 IMP_NUMBER(frequency(c->three, c->problems)), IMP_NUMBER(p.low),
                 IMP_NUMBER(p.high), IMP_TEXT(theirs), IMP_NUMBER(t.low), IMP_NUMBER(t.high),
                 IMP_NUMBER((double)c->three), IMP_NUMBER((double)c->slips),
                 IMP_NUMBER((double)c->problems));
}

static void write_tables(report *r, const census *n) {
    static const char *const series[CLASSES] = {"bodies", "SPD"};
    const char *columns = "series\tx:6\tfrequency:6\tlow:6\thigh:6\tpublished\tpublished_low:6\t"
                          "published_high:6\tthree:17\tslips:17\tproblems:17";
    report_rows *by_friction = report_table(r, "x_count_mu", columns);
    report_rows *by_bin = report_table(r, "x_count_ecc", columns);
    for (int class = 0; class < CLASSES; class ++) {
        for (int m = 0; m < FRICTIONS; m++)
            write_cell(by_friction, series[class], friction[m], &n->friction[class][m],
                       their_friction[class][m], THEIR_PROBLEMS);
        for (int k = 0; k < BINS; k++)
            write_cell(by_bin, series[class], k, &n->bin[class][k], their_bin[class][k],
                       their_problems_in(n, class, &n->bin[class][k]));
    }
}

/* Contacts that graze (b_n = 0) or open (b_n < 0): zero is a solution too. */
static void other_rows(report *r, bool opening, const char *theirs) {
    const long n = report_full(r) ? 1000000 : 100000;
    long count[IMP_COULOMB_MOST + 1] = {0}, refused = 0;
    for (long i = 0; i < n; i++) {
        gen_stream s = gen_seed(3000, (uint64_t)i);
        /* mu 0.3 .. 10 */
        gen_problem g = gen_spd((uint64_t)i, 4, gen_power10(&s, -0.5228787452803376, 1));
        const double tangential = hypot(g.q[1], g.q[2]);
        g.q[0] = opening ? 0.1 : 0;
        for (int k = 1; k < 3; k++) /* |q| = 1 */
            g.q[k] *= sqrt(1 - g.q[0] * g.q[0]) / tangential;
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) == IMP_OK)
            count[set.count]++;
        else
            refused++;
    }
    const char *which = opening ? "opening (b_n = -0.1 |b|)" : "grazing (b_n = 0)";
    report_count(r, INDEPENDENT,
                 report_text(r, "%s problems with %s", which,
                             opening ? "neither one nor three" : "none, or over three"),
                 0, n - count[1] - count[3] - (opening ? 0 : count[2]),
                 "theorem; refused ones count");
    report_shown(r, INDEPENDENT, report_text(r, "1, 2, 3 solutions of %s, SPD, μ 0.3-10", which),
                 theirs,
                 report_text(r, "%.1f %%, %.1f %%, %.1f %%", 100 * frequency(count[1], n),
                             100 * frequency(count[2], n), 100 * frequency(count[3], n)),
                 "not judged: the other count does not say which condition numbers it drew; ours "
                 "are 1 to 1e4");
    if (refused > 0)
        report_shown(r, NO_REFERENCE, report_text(r, "of these refused"), "-",
                     report_text(r, "%ld", refused), NULL);
}

static void run(report *r) {
    static census n;
    memset(&n, 0, sizeof n);
    take_census(r, &n);
    report_count(r, INDEPENDENT, "closing problems with neither one nor three solutions", 0,
                 n.other, "theorem: b_n > 0 has one or three (two only on a tangency), never more");
    report_count(r, OWN_BOUND, "problems whose count the enumeration could not prove", 0,
                 n.unproven, NULL);
    report_count(r, INDEPENDENT,
                 "problems with several solutions below ecc = 2√c/(1+c), c = cond Ĥ", 0, n.broken,
                 report_text(r, "theorem: there the solution is unique; it covered %ld problems",
                             n.guaranteed));
    frequency_rows(r, &n);
    other_rows(r, false, "78 %, 19 %, 2.8 %");
    other_rows(r, true, "84 %, -, 16 %");
    write_tables(r, &n);
    report_figure(r, "x_count",
                  "The larger friction or eccentricity, the more often a closing contact "
                  "has three Coulomb solutions. By friction coefficient (left) and by "
                  "eccentricity of the conic (right): ours with 95 % intervals, and an "
                  "independent count (open circles). In the table the other count, to its "
                  "printed digits, must lie in the interval that our sample and the two "
                  "sample sizes leave open at 99.9 %. Where there is no point there was "
                  "no case.");
}

const experiment experiment_x_count = {"X-count", "How many Coulomb solutions, and how often",
                                       "The paper shows one contact with three Coulomb solutions "
                                       "and asks nothing about frequency. Here random contacts "
                                       "are counted, with a proof of completeness for each; the "
                                       "number beside ours is an independent count.",
                                       run};
