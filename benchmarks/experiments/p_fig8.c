/* p_fig8.c - Preclik, Eibl, Ruede (2017), Figs. 8 and 9: mean velocity and angular velocity in
 * cells of 1 mm. */
#include "benchmarks/experiments/channel.h"
#include "benchmarks/experiments/channel_seeds.h"

#include <math.h>

enum { ENOUGH = 5 }; /* particles in a cell, over all samples, before its mean counts as a peak */

static double write_field(report *r, const char *name, const channel_result *c,
                          double (*value)(const channel_result *, int), double unit) {
    report_rows *t = report_table(r, name, "x_cm:4\ty_cm:4\tvalue:6");
    double peak = 0;
    for (int x = 0; x < c->nx; x++) {
        for (int y = 0; y < c->ny; y++) {
            const int i = x * c->ny + y;
            const double v = c->cell[i].count > 0 ? value(c, i) / unit : NAN;
            report_row(t, NULL, 0.1 * (x + 0.5), 0.1 * (y + 0.5), v);
            if (c->cell[i].count >= ENOUGH) peak = fmax(peak, v);
        }
        report_gap(t);
    }
    return peak;
}

/* The channel whose field is drawn: the whole one where there is a run of it. */
static const channel_result *channel_of_figure(report *r) {
    const channel_result *whole = channel_whole(r), *c = whole->good ? whole : channel_small(r);
    if (!c->good)
        report_judge(r, OWN_BOUND, "a run of the channel", "comes to its end", "no", "", false,
                     NULL);
    if (c->whole) channel_kept(r);
    return c;
}

static void note_size(report *r, const channel_result *c) {
    report_say(
        r, report_text(
               r,
               "%s: %d x %d cells, mean of %d samples between %.3g and %.3g s; the paper shows the "
               "last "
               "frame of 10 s. One run stands for both laws, which are the same problem on spheres "
               "(P-Tab2).",
               c->whole ? report_full(r)
                              ? "The paper's channel, run now"
                              : "The paper's channel, from the run that reference/data keeps"
                        : "The channel at a fifth of its size",
               c->nx, c->ny, c->samples, c->from, c->until));
}

/* The mean of a value over the cells whose middles lie in a rectangle, m. */
static double mean_over(const channel_result *c, double (*value)(const channel_result *, int),
                        double x0, double x1, double y0, double y1) {
    double sum = 0;
    int cells = 0;
    for (int x = 0; x < c->nx; x++)
        for (int y = 0; y < c->ny; y++) {
            const double at[2] = {1e-3 * (x + 0.5), 1e-3 * (y + 0.5)};
            const int i = x * c->ny + y;
            if (at[0] < x0 || at[0] > x1 || at[1] < y0 || at[1] > y1 || !(c->cell[i].count > 0))
                continue;
            sum += value(c, i);
            cells++;
        }
    return cells > 0 ? sum / cells : NAN;
}

/* The whole channel's obstacle is [3 cm, 5 cm] in x and y: it leaves 3 cm below it and 1.5 cm
 * above. */
static void flow_past(report *r, const channel_result *c) {
    const report_reference now = report_full(r) ? STATED_IN_SOURCE : KEPT_RUN;
    const double before = mean_over(c, channel_speed, 0.015, 0.025, 0, 0.065),
                 beside = 0.5 * (mean_over(c, channel_speed, 0.04, 0.05, 0, 0.03) +
                                 mean_over(c, channel_speed, 0.04, 0.05, 0.05, 0.065)),
                 behind = mean_over(c, channel_speed, 0.12, 0.14, 0, 0.065);
    report_judge(r, now, "mean speed before, beside and behind the obstacle, m/s",
                 "“particles gain speed … slow down … again”",
                 report_text(r, "%.3f, %.3f, %.3f", before, beside, behind),
                 "beside it 10 % more than before and behind",
                 beside > 1.1 * before && beside > 1.1 * behind, NULL);
}

static void run_velocity(report *r) {
    const channel_result *c = channel_of_figure(r);
    if (!c->good) return;
    const double peak = write_field(r, "p_fig8", c, channel_speed, 1);
    if (c->whole) { /* the half width of the band: half the distance to the nearest printed value */
        report_differs(r, "largest mean speed of a cell, m/s", "1.42 1.39", peak, 1.32, 1.366,
                       "printed for the last frame, once per law, where ours is of the mean of 20 "
                       "frames, whose peaks are "
                       "lower; the two printed values are of one problem");
        flow_past(r, c);
    }
    channel_seeds_row(r, SEEDS_PEAK, "largest mean speed of a cell in the last frame, m/s", 1);
    note_size(r, c);
    report_figure(r, "p_fig8", "Mean velocity in cells of 1 mm, over the height.");
}

static void run_spin(report *r) {
    const channel_result *c = channel_of_figure(r);
    if (!c->good) return;
    const double peak = write_field(r, "p_fig9", c, channel_spin, 1e3);
    report_shown(r, PRINTED_IN_SOURCE, "largest mean angular velocity of a cell, rad/ms",
                 "2.0 (end of the scale)", report_text(r, "%.3f", peak), NULL);
    if (c->whole) {
        const double inflow = mean_over(c, channel_spin, 0, 0.005, 0.01, 0.055),
                     inner = mean_over(c, channel_spin, 0.08, 0.12, 0.01, 0.055),
                     wall = 0.5 * (mean_over(c, channel_spin, 0.08, 0.12, 0, 0.001) +
                                   mean_over(c, channel_spin, 0.08, 0.12, 0.064, 0.065));
        report_judge(r, report_full(r) ? STATED_IN_SOURCE : KEPT_RUN,
                     "mean spin near the inflow, at the walls, and between them downstream, rad/s",
                     "“damped heavily … at the walls stays high”",
                     report_text(r, "%.0f, %.0f, %.0f", inflow, wall, inner),
                     "both 20 % above the last", inflow > 1.2 * inner && wall > 1.2 * inner, NULL);
    }
    note_size(r, c);
    report_figure(r, "p_fig9",
                  "Mean magnitude of the angular velocity in cells of 1 mm, over the height.");
}

const experiment experiment_p_fig8 = {
    "P-Fig8", "Velocity field of the channel",
    "Particles gain speed beside the obstacle and are slowed behind it; both laws look the same.",
    run_velocity};

const experiment experiment_p_fig9 = {"P-Fig9", "Angular velocity field of the channel",
                                      "Rotation is damped soon behind the inflow and stays at the "
                                      "obstacle and the walls; both laws look the same.",
                                      run_spin};
