/* channel_seeds.c - the channel of Preclik, Eibl, Ruede (2017), section 4.3, from several seeds:
 * what chance does.
 *
 * On spheres both laws are one problem, so the paper's two runs differ by chance alone: rounding
 * and the order of sums, which a jammed flow magnifies until two runs share no more than two seeds
 * do. */
#include "benchmarks/experiments/channel_seeds.h"

#include <math.h>

enum { SEEDS = 5 };

/* Contacts as in the paper's program: none before it touches, no impulse kept from the last
 * step. */
static const seeds_run *runs_of(report *r, double *until) {
    static seeds_run runs[SEEDS];
    static imp_flow f;
    static bool made;
    if (!made) {
        made = true;
        if (imp_flow_read("benchmarks/flows/channel-small.json", NULL, &f, NULL) != IMP_OK)
            return runs;
        f.settings.look_ahead = false;
        f.settings.margin = f.settings.warm = 0;
        for (int k = 0; k < SEEDS; k++)
            runs[k].seed = (uint64_t)k + 1;
        seeds_measure(r, &f, f.until / 2, 50, runs, SEEDS);
    }
    *until = f.until;
    return runs;
}

void channel_seeds_row(report *r, int value, const char *name, double unit) {
    double until = 0;
    const seeds_run *runs = runs_of(r, &until);
    const seeds_spread s = seeds_spread_of(runs, SEEDS, value);
    for (int k = 0; k < SEEDS; k++)
        if (!runs[k].good) {
            report_judge(r, OWN_BOUND, "the channel from several seeds", "comes to its end", "no",
                         "", false, NULL);
            return;
        }
    report_shown(r, NO_REFERENCE, report_text(r, "fifth of it, %d seeds: %s", SEEDS, name), "",
                 report_text(r, "%.3g ± %.2g, from %.3g to %.3g", s.mean / unit, s.deviation / unit,
                             s.least / unit, s.largest / unit),
                 report_text(r,
                             "%g s each, contacts as in the paper's program (margin 0, cold "
                             "start); ±: scatter of one "
                             "seed. Another channel than the paper's, so nothing is compared",
                             until));
}
