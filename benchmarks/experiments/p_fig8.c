/* p_fig8.c - Preclik, Eibl, Ruede (2017), Fig. 8: mean velocity in cells of 1 mm. */
#include "benchmarks/experiments/channel_field.h"
#include "benchmarks/experiments/channel_seeds.h"

#include <math.h>

/* The whole channel's obstacle is [3 cm, 5 cm] in x and y: it leaves 3 cm below it and 1.5 cm
 * above. */
static void flow_past(report *r, const channel_result *c) {
    const report_reference now = report_full(r) ? STATED_IN_SOURCE : KEPT_RUN;
    const double before = channel_mean_over(c, channel_speed, 0.015, 0.025, 0, 0.065),
                 beside = 0.5 * (channel_mean_over(c, channel_speed, 0.04, 0.05, 0, 0.03) +
                                 channel_mean_over(c, channel_speed, 0.04, 0.05, 0.05, 0.065)),
                 behind = channel_mean_over(c, channel_speed, 0.12, 0.14, 0, 0.065);
    report_judge(r, now, "mean speed before, beside and behind the obstacle, m/s",
                 "“particles gain speed … slow down … again”",
                 report_text(r, "%.3f, %.3f, %.3f", before, beside, behind),
                 "beside it 10 % more than before and behind",
                 beside > 1.1 * before && beside > 1.1 * behind, NULL);
}

/* The speeds drawn, along the channel: as many spheres pass each section as enter. */
static void through(report *r, const channel_result *c) {
    const imp_inflow *in = &c->flow.inflow;
    const double enter = in->ny * in->nz / (in->advance / c->flow.shape[in->plane].velocity[0]);
    double passing = 0;
    for (int i = c->ny; i < c->nx * c->ny; i++) { /* the pushing plane is in the first millimetre */
        const double *v = c->cell[i].velocity,
                     speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (speed > 0) passing += c->cell[i].count * channel_speed(c, i) * v[0] / speed;
    }
    report_near(
        r, INDEPENDENT, "spheres that pass a section by the speeds drawn, per second", enter,
        passing / (c->samples * 1e-3 * (c->nx - 1)), 5e-3,
        "mean over the sections of 1 mm, against those that enter; the number inside varies "
        "by 0.3 %");
}

static void run(report *r) {
    const channel_result *c = channel_of_figure(r);
    if (!c->good) return;
    const double peak = channel_write_field(r, "p_fig8", c, channel_speed, 1);
    report_shown(r, PRINTED_IN_SOURCE, "largest mean speed of a cell, m/s",
                 c->whole ? "1.42 and 1.39 (last frame)" : "", report_text(r, "%.4g", peak),
                 "ours is of the mean of the samples, whose peaks are lower than those of one "
                 "frame; the two printed values are of one problem");
    if (c->whole) {
        through(r, c);
        flow_past(r, c);
    }
    channel_seeds_row(r, SEEDS_PEAK, "largest mean speed of a cell in the last frame, m/s", 1);
    channel_say_size(r, c);
    report_figure(r, "p_fig8",
                  "Spheres are fastest beside the obstacle, and slowest before and behind "
                  "it. Mean velocity in cells of 1 mm, over the height. One picture is of "
                  "both laws: on spheres they are one problem (P-Tab2).");
}

const experiment experiment_p_fig8 = {
    "P-Fig8", "Velocity field of the channel",
    "Particles gain speed beside the obstacle and are slowed behind it; both laws look the same.",
    run};
