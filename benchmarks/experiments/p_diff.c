/* p_diff.c - the comparison that Preclik, Eibl, Ruede (2017), section 4.3, has in mind, on bodies that can show a
 * difference: maximum dissipation and Coulomb's law in a channel of spheres with an off-centre mass. */
#include "benchmarks/experiments/channel.h"
#include "benchmarks/experiments/seeds.h"

#include <math.h>

enum { SEEDS = 8 };

static const double CHANCE = 0.05; /* of a verdict "they differ" where they do not, over all the values together */

static const struct {
    const char *name, *word;
    double unit;
} values[SEEDS_VALUES] = {
    [SEEDS_FRACTION] = {"volume fraction, %", "fraction", 0.01},
    [SEEDS_LOADED] = {"contacts with an impulse per particle", "contacts", 1},
    [SEEDS_SPEED] = {"mean speed, m/s", "speed", 1},
    [SEEDS_PEAK] = {"largest mean speed of a cell in the last frame, m/s", "peak speed", 1},
    [SEEDS_SPIN] = {"mean spin, rad/ms", "spin", 1e3},
    [SEEDS_POWER] = {"power dissipated in contacts, mW", "power", 1e-3},
    [SEEDS_DEPTH] = {"deepest penetration of a step, μm", "depth", 1e-6},
    [SEEDS_PENETRATION] = {"deepest penetration of the run, μm", "penetration", 1e-6},
};

/* Is the power of the comparison where it should be: do the contacts of these runs know the laws apart? */
static void contact_rows(report *r, const seeds_run *runs) {
    double loaded = 0, sliding = 0, differing = 0, coupled = 0, difference = 0, largest = 0;
    for (int k = 0; k < 2 * SEEDS; k++) {
        loaded += runs[k].loaded;
        sliding += runs[k].sliding;
        differing += runs[k].differing;
        coupled += runs[k].coupled;
        difference += runs[k].difference;
        largest = fmax(largest, runs[k].largest);
    }
    report_shown(r, "contacts looked at one by one", "", report_text(r, "%.0f", loaded),
                 "with an impulse, the others held; both laws answer the same question");
    report_judge(r, report_text(r, "of them with μ |W_n,to| / W_nn above %g, %%", SEEDS_COUPLED), "",
                 report_text(r, "%.1f", 100 * coupled / loaded), "≥ 10", coupled >= 0.1 * loaded,
                 report_text(r, "0 on spheres; the largest is %.3f (below 1: an ellipse)", largest));
    report_shown(r, "of them sliding, %", "", report_text(r, "%.1f", 100 * sliding / loaded),
                 "where a contact sticks the laws agree");
    report_judge(r, "answers of the two laws more than 1e-6 apart, %", "0 (spheres)",
                 report_text(r, "%.1f", 100 * differing / loaded), "≥ 10", differing >= 0.1 * loaded,
                 report_text(r, "of those, on average by %.3g of the impulse", difference / differing));
}

static void value_rows(report *r, const seeds_run *runs) {
    FILE *t = report_table(r, "p_diff", "value\tname\tlaw\tseed\tover_mean");
    double most = 0, blind = 0, sharp = INFINITY, farthest = 0;
    const char *where = "", *sharpest = "", *blindest = "";
    bool within = true;
    for (int v = 0; v < SEEDS_VALUES; v++) {
        const seeds_spread a = seeds_spread_of(runs, SEEDS, v), b = seeds_spread_of(runs + SEEDS, SEEDS, v);
        const double mean = 0.5 * (a.mean + b.mean);
        double freedom;
        const double x = seeds_t(&a, &b, SEEDS, &freedom), limit = seeds_t_limit(freedom, CHANCE / SEEDS_VALUES);
        const double error = sqrt((a.deviation * a.deviation + b.deviation * b.deviation) / SEEDS);
        report_shown(r, report_text(r, "%s: maximum dissipation, Coulomb", values[v].name), "",
                     report_text(r, "%.4g ± %.2g, %.4g ± %.2g", a.mean / values[v].unit, a.deviation / values[v].unit,
                                 b.mean / values[v].unit, b.deviation / values[v].unit),
                     report_text(r, "±: scatter of one run; t = %.2f, limit %.2f", x, limit));
        within = within && fabs(x) <= limit;
        if (!(fabs(x) / limit <= most)) most = fabs(x) / limit, where = values[v].word;
        farthest = fmax(farthest, fabs(a.mean - b.mean) / mean);
        const double seen = limit * error / mean; /* a difference that would have been */
        if (seen < sharp) sharp = seen, sharpest = values[v].word;
        if (seen > blind) blind = seen, blindest = values[v].word;
        for (int k = 0; k < 2 * SEEDS; k++)
            fprintf(t, "%d\t%s\t%s\t%d\t%.6g\n", v, values[v].word, k < SEEDS ? "maxdiss" : "coulomb",
                    (int)runs[k].seed, runs[k].value[v] / mean);
        fputc('\n', t);
    }
    report_judge(r, "are the laws told apart beyond the scatter?", "no (\"negligible\")",
                 within ? "no" : report_text(r, "yes, by %s", where), "5 % chance of a false yes", within,
                 report_text(r, "largest |t| over its limit %.2f (%s); Welch's test of %d values, %d seeds each", most,
                             where, SEEDS_VALUES, SEEDS));
    report_shown(r, "largest difference of two means, % of their mean", "", report_text(r, "%.2g", 100 * farthest),
                 report_text(r, "differences would have been seen from %.2g %% (%s) to %.2g %% (%s) on", 100 * sharp,
                             sharpest, 100 * blind, blindest));
}

/* A run a row, at the precision that its values have. */
static void write_runs(FILE *t, const seeds_run *runs, int n) {
    for (int k = 0; k < n; k++) {
        const seeds_run *x = &runs[k];
        fprintf(t, "%s\t%d", x->law == IMP_GRANULAR_MAXDISS ? "maxdiss" : "coulomb", (int)x->seed);
        for (int v = 0; v < SEEDS_VALUES; v++)
            fprintf(t, "\t%.10g", x->value[v]);
        fprintf(t, "\t%.0f\t%.0f\t%.0f\t%.0f\t%.10g\t%.6g\n", x->loaded, x->sliding, x->differing, x->coupled,
                x->difference, x->largest);
    }
}

static void run(report *r) {
    static seeds_run runs[2 * SEEDS];
    imp_flow f;
    const char *path =
        report_full(r) ? "benchmarks/flows/channel-dense.json" : "benchmarks/flows/channel-offcentre.json";
    imp_error error;
    bool good = imp_flow_read(path, NULL, &f, &error) == IMP_OK;
    report_judge(r, "the parameter file is read", "", good ? "yes" : error.text, "", good, NULL);
    if (!good) return;
    f.inflow.offset = 0.3 * f.inflow.radius;
    const double from = f.until / 3;
    for (int k = 0; k < 2 * SEEDS; k++) {
        runs[k].law = k < SEEDS ? IMP_GRANULAR_MAXDISS : IMP_GRANULAR_COULOMB;
        runs[k].seed = (uint64_t)(1 + k % SEEDS);
    }
    seeds_measure(r, &f, from, 10, runs, 2 * SEEDS);
    for (int k = 0; k < 2 * SEEDS; k++)
        good = good && runs[k].good;
    report_judge(r, "all runs come to their end", "", good ? "yes" : "no", "", good, NULL);
    if (!good) return;
    if (report_full(r))
        write_runs(report_table(r, "preclik2017_offcentre",
                                "law\tseed\tfraction\tloaded\tspeed_m_per_s\tpeak_m_per_s\tspin_rad_per_s\tpower_W\t"
                                "depth_m\tpenetration_m\tcontacts\tsliding\tdiffering\tcoupled\tdifference\tlargest"),
                   runs, 2 * SEEDS);
    report_say(r, report_text(r,
                              "%s, with the centre of mass 0.3 radii off the centre of each sphere (3/10 of the mass a "
                              "point on its surface), each standing at random at first. %d seeds under each law, means "
                              "from %.3g to %.3g s.",
                              report_full(r) ? "A channel of 24 x 13 x 8 mm" : "A channel of 12 x 7 x 4 mm", SEEDS,
                              from, f.until));
    contact_rows(r, runs);
    value_rows(r, runs);
    report_figure(r, "p_diff",
                  "Each value of each run over the mean of all: maximum dissipation (blue) beside Coulomb (red). What "
                  "the laws do to it, if anything, is less than what the seed does where the two clouds overlap.");
}

const experiment experiment_p_diff = {"P-Diff", "Do the laws differ in a granular flow?",
                                      "Section 4.3 compares maximum dissipation with Coulomb's law on spheres, finds "
                                      "the influence on the flow negligible, "
                                      "and could find nothing else: on spheres they are the same law (P-Tab2). Here "
                                      "the mass is off-centre and they are not.",
                                      run};
