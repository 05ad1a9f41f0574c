/* p_diff.c - the comparison that Preclik, Eibl, Ruede (2017), section 4.3, has in mind, on bodies
 * that can show a difference: maximum dissipation and Coulomb's law in a channel of spheres with an
 * off-centre mass. */
#include "benchmarks/experiments/channel.h"
#include "benchmarks/experiments/seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 14 };

/* that any of the intervals misses its difference, over all the values together */
static const double CHANCE = 0.05;
static const double MISSED = 0.2;      /* how often a difference that counts as seen is not */
static const double NEGLIGIBLE = 0.03; /* difference of two means, relative, that the comparison is
                                          made to tell */

/* A full run keeps what it has made in KEPT, and goes on from it. */
#define KEPT      "build/p_diff.tsv"
#define REFERENCE "preclik2017_offcentre"
static const imp_column columns[] = {IMP_WORDS("law"),
                                     IMP_COUNTS("seed"),
                                     IMP_NUMBERS("fraction", NULL, 10),
                                     IMP_NUMBERS("loaded", NULL, 10),
                                     IMP_NUMBERS("speed_m_per_s", NULL, 10),
                                     IMP_NUMBERS("peak_m_per_s", NULL, 10),
                                     IMP_NUMBERS("spin_rad_per_s", NULL, 10),
                                     IMP_NUMBERS("power_W", NULL, 10),
                                     IMP_NUMBERS("depth_m", NULL, 10),
                                     IMP_NUMBERS("penetration_m", NULL, 10),
                                     IMP_COUNTS("contacts"),
                                     IMP_COUNTS("sliding"),
                                     IMP_COUNTS("differing"),
                                     IMP_COUNTS("coupled"),
                                     IMP_NUMBERS("difference", NULL, 10),
                                     IMP_NUMBERS("largest", NULL, 6),
                                     IMP_COLUMNS_END};

static const struct {
    const char *name, *word;
    double unit;
    bool whole; /* of all spheres or steps: must tell NEGLIGIBLE; the extremes of a run need not */
} values[SEEDS_VALUES] = {
    [SEEDS_FRACTION] = {"volume fraction, %", "fraction", 0.01, true},
    [SEEDS_LOADED] = {"contacts with an impulse per particle", "contacts", 1, true},
    [SEEDS_SPEED] = {"mean speed, m/s", "speed", 1, true},
    [SEEDS_PEAK] = {"largest mean speed of a cell in the last frame, m/s", "peak speed", 1, false},
    [SEEDS_SPIN] = {"mean spin, rad/ms", "spin", 1e3, true},
    [SEEDS_POWER] = {"power dissipated in contacts, mW", "power", 1e-3, true},
    [SEEDS_DEPTH] = {"deepest penetration of a step, μm", "depth", 1e-6, true},
    [SEEDS_PENETRATION] = {"deepest penetration of the run, μm", "penetration", 1e-6, false},
};

/* A run a row, at the precision that its values have. */
static void write_runs(FILE *out, const seeds_run *runs, int n) {
    for (int k = 0; k < n; k++) {
        const seeds_run *x = &runs[k];
        const double last[] = {x->loaded,  x->sliding,    x->differing,
                               x->coupled, x->difference, x->largest};
        imp_cell cells[SEEDS_VALUES + 8] = {
            IMP_TEXT(x->law == IMP_GRANULAR_MAXDISS ? "maxdiss" : "coulomb"),
            IMP_NUMBER((double)x->seed)};
        for (int v = 0; v < SEEDS_VALUES + 6; v++)
            cells[2 + v] = IMP_NUMBER(v < SEEDS_VALUES ? x->value[v] : last[v - SEEDS_VALUES]);
        if (x->good) imp_write_cells(columns, out, SEEDS_VALUES + 8, cells);
    }
}

/* Fills those of n runs, by law and seed, that the file holds. */
static void read_runs(const char *path, seeds_run *runs, int n) {
    char line[1024], law[16];
    int seed, past;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        seeds_run x = {.good = true};
        if (sscanf(line, "%15[a-z]\t%d%n", law, &seed, &past) != 2) continue;
        const char *at = line + past;
        double *const cell[] = {&x.loaded,  &x.sliding,    &x.differing,
                                &x.coupled, &x.difference, &x.largest};
        for (int v = 0; v < SEEDS_VALUES + 6; v++) {
            char *end;
            *(v < SEEDS_VALUES ? &x.value[v] : cell[v - SEEDS_VALUES]) = strtod(at, &end);
            x.good = x.good && end != at;
            at = end;
        }
        x.law = strcmp(law, "maxdiss") == 0 ? IMP_GRANULAR_MAXDISS : IMP_GRANULAR_COULOMB;
        x.seed = (uint64_t)seed;
        for (int k = 0; k < n; k++)
            if (x.good && runs[k].law == x.law && runs[k].seed == x.seed) runs[k] = x;
    }
    if (in) fclose(in);
}

/* The dense channel: what has not been made before is made now, two runs at a time, and kept. */
static void make_runs(report *r, const imp_flow *f, double from, seeds_run *runs) {
    read_runs(KEPT, runs, 2 * SEEDS);
    for (int k = 0; k < 2 * SEEDS;) {
        seeds_run pair[2];
        int index[2], n = 0;
        for (; k < 2 * SEEDS && n < 2; k++)
            if (!runs[k].good) {
                pair[n] = runs[k];
                index[n++] = k;
            }
        seeds_measure(NULL, f, from, 10, pair, n);
        for (int i = 0; i < n; i++)
            runs[index[i]] = pair[i];
        FILE *out = n > 0 ? fopen(KEPT ".part", "w") : NULL;
        if (!out) continue;
        write_runs(out, runs, 2 * SEEDS);
        if (fclose(out) == 0) (void)rename(KEPT ".part", KEPT);
        report_progress(r, (double)k / (2 * SEEDS));
    }
}

/* Do the contacts of these runs know the laws apart? */
static void contact_rows(report *r, report_reference now, const char *where, const seeds_run *runs,
                         int n) {
    double loaded = 0, sliding = 0, differing = 0, coupled = 0, difference = 0, largest = 0;
    for (int k = 0; k < n; k++) {
        loaded += runs[k].loaded;
        sliding += runs[k].sliding;
        differing += runs[k].differing;
        coupled += runs[k].coupled;
        difference += runs[k].difference;
        largest = fmax(largest, runs[k].largest);
    }
    report_judge(
        r, now,
        report_text(r, "%s: contacts with μ |W_n,to| / W_nn above %g, %%", where, SEEDS_COUPLED),
        "", report_text(r, "%.1f", 100 * coupled / loaded), "≥ 10",
        loaded > 0 && coupled >= 0.1 * loaded,
        report_text(r,
                    "of %.0f with an impulse, the others held; 0 on spheres. The largest is %.3f "
                    "(below 1: an "
                    "ellipse)",
                    loaded, largest));
    report_judge(
        r, now, report_text(r, "%s: answers of the two laws more than 1e-6 apart, %%", where),
        "0 (spheres)", report_text(r, "%.1f", 100 * differing / loaded), "≥ 10",
        loaded > 0 && differing >= 0.1 * loaded,
        report_text(
            r, "%.1f %% slide, the others agree; of those apart, on average by %.3g of the impulse",
            100 * sliding / loaded, difference / differing));
}

/* How much the differences of one seed's runs under both laws scatter, over what those of
 * independent runs do. */
static double paired(const seeds_run *maxdiss, const seeds_run *coulomb, int v) {
    const seeds_spread a = seeds_spread_of(maxdiss, SEEDS, v),
                       b = seeds_spread_of(coulomb, SEEDS, v);
    double square = 0;
    for (int k = 0; k < SEEDS; k++) {
        const double off = maxdiss[k].value[v] - coulomb[k].value[v] - (a.mean - b.mean);
        square += off * off / (SEEDS - 1);
    }
    return sqrt(square) / hypot(a.deviation, b.deviation);
}

/* How many runs under each law show a difference of NEGLIGIBLE of the mean four times in five,
 * where one run scatters by `scatter` of it. */
static int enough(double scatter) {
    enum { MOST = 1000000 };
    for (int n = 2; n < MOST; n++) {
        const double limit =
            seeds_t_limit(2 * n - 2, CHANCE / SEEDS_VALUES) + seeds_t_limit(2 * n - 2, 2 * MISSED);
        if (limit * scatter * sqrt(2. / n) <= NEGLIGIBLE) return n;
    }
    return MOST;
}

/* One value: the difference of the laws' means over their mean, with its simultaneous interval. */
static void value_row(report *r, report_reference now, int v, const seeds_run *maxdiss,
                      const seeds_run *coulomb) {
    const seeds_spread a = seeds_spread_of(maxdiss, SEEDS, v),
                       b = seeds_spread_of(coulomb, SEEDS, v);
    const double mean = 0.5 * (a.mean + b.mean), unit = values[v].unit;
    double freedom;
    (void)seeds_t(&a, &b, SEEDS, &freedom);
    const double error =
        sqrt((a.deviation * a.deviation + b.deviation * b.deviation) / SEEDS) / mean;
    const double apart = (a.mean - b.mean) / mean,
                 half = seeds_t_limit(freedom, CHANCE / SEEDS_VALUES) * error,
                 seen = half + seeds_t_limit(freedom, 2 * MISSED) * error;
    const char *quantity =
        report_text(r, "%s: maximum dissipation less Coulomb, %% of the mean", values[v].name);
    const char *ours = report_text(r, "%+.2g ± %.2g", 100 * apart, 100 * half);
    const char *remark = report_text(
        r,
        "%.4g and %.4g, one run scatters by %.2g and %.2g; a difference of %.2g %% "
        "would be seen four times in five%s%s; differences of pairs of one seed scatter %.2g times "
        "as much as of any two",
        a.mean / unit, b.mean / unit, a.deviation / unit, b.deviation / unit, 100 * seen,
        fabs(apart) > half ? ", and one was" : "",
        seen <= NEGLIGIBLE ? ""
                           : report_text(r, ", of %g %% with %d seeds under each law",
                                         100 * NEGLIGIBLE, enough(error * sqrt(0.5 * SEEDS))),
        paired(maxdiss, coulomb, v));
    if (values[v].whole)
        report_judge(r, now, quantity, "0 (“negligible”)", ours,
                     "0 in the interval, all of it within ± 3",
                     fabs(apart) <= half && fabs(apart) + half <= NEGLIGIBLE, remark);
    else
        report_shown(r, STATED_IN_SOURCE, quantity, "0 (“negligible”)", ours, remark);
}

static void value_rows(report *r, report_reference now, const seeds_run *runs) {
    seeds_run maxdiss[SEEDS], coulomb[SEEDS];
    for (int k = 0; k < SEEDS; k++) {
        maxdiss[k] = runs[2 * k];
        coulomb[k] = runs[2 * k + 1];
    }
    report_rows *t = report_table(r, "p_diff", "value:17\tname\tlaw\tseed:17\tover_mean:6");
    for (int v = 0; v < SEEDS_VALUES; v++) {
        value_row(r, now, v, maxdiss, coulomb);
        const double mean = 0.5 * (seeds_spread_of(maxdiss, SEEDS, v).mean +
                                   seeds_spread_of(coulomb, SEEDS, v).mean);
        for (int k = 0; k < 2 * SEEDS; k++)
            report_cells(t, IMP_NUMBER(v), IMP_TEXT(values[v].word),
                         IMP_TEXT(k < SEEDS ? "maxdiss" : "coulomb"), IMP_NUMBER(1 + k % SEEDS),
                         IMP_NUMBER((k < SEEDS ? maxdiss[k] : coulomb[k - SEEDS]).value[v] / mean));
        report_gap(t);
    }
}

static bool read_flow(report *r, const char *path, imp_flow *f) {
    imp_error error;
    if (imp_flow_read(path, NULL, f, &error) == IMP_OK) return true;
    report_judge(r, OWN_BOUND, path, "a flow", error.text, "", false, NULL);
    return false;
}

static void name_runs(seeds_run *runs, int seeds) {
    for (int k = 0; k < 2 * seeds; k++)
        runs[k] = (seeds_run){.law = k % 2 ? IMP_GRANULAR_COULOMB : IMP_GRANULAR_MAXDISS,
                              .seed = (uint64_t)(1 + k / 2)};
}

/* A seed under each law, short, in every report. */
static void look_now(report *r) {
    seeds_run runs[2];
    imp_flow f;
    if (!read_flow(r, "benchmarks/flows/channel-offcentre.json", &f)) return;
    name_runs(runs, 1);
    seeds_measure(r, &f, f.until / 3, 10, runs, 2);
    if (runs[0].good && runs[1].good)
        contact_rows(r, OWN_BOUND, "220 spheres, now", runs, 2);
    else
        report_judge(r, OWN_BOUND, "220 spheres", "come to their end", "no", "", false, NULL);
}

static void run(report *r) {
    static seeds_run runs[2 * SEEDS];
    imp_flow f;
    bool good = true;
    look_now(r);
    if (!read_flow(r, "benchmarks/flows/channel-dense.json", &f)) return;
    f.inflow.offset = 0.3 * f.inflow.radius;
    const double from = f.until / 3;
    name_runs(runs, SEEDS);
    if (report_full(r)) {
        make_runs(r, &f, from, runs);
        write_runs(report_stream(report_table_of(r, REFERENCE, columns)), runs, 2 * SEEDS);
    } else {
        report_kept(r, REFERENCE);
        read_runs("reference/data/" REFERENCE ".tsv", runs, 2 * SEEDS);
    }
    for (int k = 0; k < 2 * SEEDS; k++)
        good = good && runs[k].good;
    if (!good) {
        report_judge(r, OWN_BOUND, "the runs of the dense channel", "whole", "some are missing", "",
                     false, NULL);
        return;
    }
    report_say(
        r, report_text(
               r,
               "A channel of 24 × 13 × 8 mm with an obstacle over half its width, 2500 spheres at "
               "51 %% of "
               "its room. The centre of mass is 0.3 radii off the centre of each (3/10 of the mass "
               "a point "
               "on its surface), each standing at random at first. %d seeds under each law, means "
               "from "
               "%.3g to %.3g s; intervals of 95 %% over all values together (Welch, Bonferroni).",
               SEEDS, from, f.until));
    const report_reference now = report_full(r) ? STATED_IN_SOURCE : KEPT_RUN;
    contact_rows(r, now, "dense channel", runs, 2 * SEEDS);
    value_rows(r, now, runs);
    report_figure(r, "p_diff",
                  "The laws differ less than the runs of one law. Each value of each run over the "
                  "mean of all: maximum dissipation (blue) beside "
                  "Coulomb (red).");
}

const experiment experiment_p_diff = {
    "P-Diff", "Do the laws differ in a granular flow?",
    "Section 4.3 compares maximum dissipation with Coulomb's law on spheres, finds "
    "the influence on the flow negligible, "
    "and could find nothing else: on spheres they are the same law (P-Tab2). Here "
    "the mass is off-centre and they are not.",
    run};
