/* channel_seeds.c - the channel of Preclik, Eibl, Ruede (2017), section 4.3, from several seeds.
 *
 * On spheres both laws are one problem, so the paper's two runs differ by chance alone: rounding and the order of sums,
 * which a jammed flow magnifies until two runs share no more than two seeds do. Sizes and times are not the paper's, so
 * what is compared is the ratio of two runs, by the scatter of logarithms. */
#include "benchmarks/experiments/channel_seeds.h"

#include <math.h>

enum { SEEDS = 5 };

static const double CHANCE = 0.05; /* that two runs which differ by the seed alone fail */

/* Contacts as in the paper's program: none before it touches, no impulse kept from the last step. */
static const seeds_run *runs_of(report *r, double *until) {
    static seeds_run runs[SEEDS];
    static imp_flow f;
    static bool made;
    if (!made) {
        made = true;
        if (imp_flow_read("benchmarks/flows/channel-small.json", NULL, &f, NULL) != IMP_OK) return runs;
        f.settings.look_ahead = false;
        f.settings.margin = f.settings.warm = 0;
        for (int k = 0; k < SEEDS; k++)
            runs[k].seed = (uint64_t)k + 1;
        seeds_measure(r, &f, f.until / 2, 50, runs, SEEDS);
    }
    *until = f.until;
    return runs;
}

void channel_seeds_rows(report *r, int value, const char *name, double unit, double maxdiss, double coulomb) {
    double until = 0;
    const seeds_run *runs = runs_of(r, &until);
    seeds_run logs[SEEDS];
    bool good = true;
    for (int k = 0; k < SEEDS; k++) {
        good = good && runs[k].good && runs[k].value[value] > 0;
        logs[k].value[value] = good ? log(runs[k].value[value]) : NAN;
    }
    const seeds_spread s = seeds_spread_of(runs, SEEDS, value), ratio = seeds_spread_of(logs, SEEDS, value);
    report_shown(r, report_text(r, "fifth of it, %d seeds: %s", SEEDS, name),
                 report_text(r, "%g and %g (whole channel)", coulomb / unit, maxdiss / unit),
                 report_text(r, "%.3g ± %.2g, from %.3g to %.3g", s.mean / unit, s.deviation / unit, s.least / unit,
                             s.largest / unit),
                 report_text(r,
                             "%g s each, contacts as in the paper's program (margin 0, cold start); ±: scatter of one "
                             "seed",
                             until));
    const double apart = fabs(log(maxdiss / coulomb)), scatter = sqrt(2) * ratio.deviation,
                 limit = seeds_t_limit(SEEDS - 1,
                                       CHANCE); /* the difference of two over its estimated scatter is Student's t */
    report_judge(r, report_text(r, "the two published values, over each other: %s", name),
                 report_text(r, "%.3f", exp(apart)), report_text(r, "%.3f", exp(limit * scatter)),
                 "≤ what two seeds reach, 95 %", good && apart <= limit * scatter,
                 report_text(r, "both laws are one problem here: chance alone; they are %.2f of the scatter apart",
                             apart / scatter));
}
