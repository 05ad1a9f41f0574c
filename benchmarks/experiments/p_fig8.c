/* p_fig8.c - Preclik, Eibl, Ruede (2017), Figs. 8 and 9: mean velocity and angular velocity in cells of 1 mm. */
#include "benchmarks/experiments/channel.h"
#include "benchmarks/experiments/channel_seeds.h"

#include <math.h>

enum { ENOUGH = 5 }; /* particles in a cell, over all samples, before its mean counts as a peak */

static double write_field(report *r, const char *name, const channel_result *c,
                          double (*value)(const channel_result *, int), double unit) {
    FILE *t = report_table(r, name, "x_cm\ty_cm\tvalue");
    double peak = 0;
    for (int x = 0; x < c->nx; x++) {
        for (int y = 0; y < c->ny; y++) {
            const int i = x * c->ny + y;
            const double v = c->cell[i].count > 0 ? value(c, i) / unit : NAN;
            fprintf(t, "%.4g\t%.4g\t%.6g\n", 0.1 * (x + 0.5), 0.1 * (y + 0.5), v);
            if (c->cell[i].count >= ENOUGH) peak = fmax(peak, v);
        }
        fputc('\n', t);
    }
    return peak;
}

/* The channel whose field is drawn: the whole one where there is a run of it. */
static const channel_result *channel_of_figure(report *r) {
    const channel_result *whole = channel_whole(r);
    return whole->good ? whole : channel_small(r);
}

static void note_size(report *r, const channel_result *c) {
    report_say(r, report_text(r,
                              "%s: %d x %d cells, mean of %d samples between %.3g and %.3g s; the paper shows the last "
                              "frame of 10 s. One run stands for both laws, which are the same problem on spheres "
                              "(P-Tab2).",
                              c->whole ? report_full(r) ? "The paper's channel, run now"
                                                        : "The paper's channel, from the run that reference/runs keeps"
                                       : "The channel at a fifth of its size",
                              c->nx, c->ny, c->samples, c->from, c->until));
}

static void run_velocity(report *r) {
    const channel_result *c = channel_of_figure(r);
    report_judge(r, "there is a run", "", c->good ? "yes" : "no", "", c->good, NULL);
    if (!c->good) return;
    const double peak = write_field(r, "p_fig8", c, channel_speed, 1);
    report_shown(r, "largest mean speed of a cell, m/s", "1.42 and 1.39", report_text(r, "%.3f", peak),
                 "published for a single frame, once per law");
    channel_seeds_rows(r, SEEDS_PEAK, "largest mean speed of a cell in the last frame, m/s", 1, 1.39, 1.42);
    note_size(r, c);
    report_figure(r, "p_fig8", "Mean velocity in cells of 1 mm, over the height.");
}

static void run_spin(report *r) {
    const channel_result *c = channel_of_figure(r);
    report_judge(r, "there is a run", "", c->good ? "yes" : "no", "", c->good, NULL);
    if (!c->good) return;
    const double peak = write_field(r, "p_fig9", c, channel_spin, 1e3);
    report_shown(r, "largest mean angular velocity of a cell, rad/ms", "2.0 (end of the scale)",
                 report_text(r, "%.3f", peak), NULL);
    note_size(r, c);
    report_figure(r, "p_fig9", "Mean magnitude of the angular velocity in cells of 1 mm, over the height.");
}

const experiment experiment_p_fig8 = {
    "P-Fig8", "Velocity field of the channel",
    "Particles gain speed beside the obstacle and are slowed behind it; both laws look the same.", run_velocity};

const experiment experiment_p_fig9 = {
    "P-Fig9", "Angular velocity field of the channel",
    "Rotation is damped soon behind the inflow and stays at the obstacle and the walls; both laws look the same.",
    run_spin};
