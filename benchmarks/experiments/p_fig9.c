/* p_fig9.c - Preclik, Eibl, Ruede (2017), Fig. 9: mean angular velocity in cells of 1 mm. */
#include "benchmarks/experiments/channel_field.h"

#include <math.h>

static void run(report *r) {
    const channel_result *c = channel_of_figure(r);
    if (!c->good) return;
    const double peak = channel_write_field(r, "p_fig9", c, channel_spin, 1e3);
    report_shown(r, PRINTED_IN_SOURCE, "largest mean angular velocity of a cell, rad/ms",
                 "2.0 (end of the scale)", report_text(r, "%.3f", peak), NULL);
    if (c->whole) {
        const double inflow = channel_mean_over(c, channel_spin, 0, 0.005, 0.01, 0.055),
                     inner = channel_mean_over(c, channel_spin, 0.08, 0.12, 0.01, 0.055),
                     wall = 0.5 * (channel_mean_over(c, channel_spin, 0.08, 0.12, 0, 0.001) +
                                   channel_mean_over(c, channel_spin, 0.08, 0.12, 0.064, 0.065));
        report_judge(r, report_full(r) ? STATED_IN_SOURCE : KEPT_RUN,
                     "mean spin near the inflow, at the walls, and between them downstream, rad/s",
                     "“gets damped heavily … At … the walls, the angular velocity stays high”",
                     report_text(r, "%.0f, %.0f, %.0f", inflow, wall, inner),
                     "both 20 % above the last", inflow > 1.2 * inner && wall > 1.2 * inner, NULL);
    }
    channel_say_size(r, c);
    report_figure(r, "p_fig9",
                  "Spheres spin at the inflow, at the walls and at the obstacle, and "
                  "hardly elsewhere. Mean magnitude of the angular velocity in cells of 1 "
                  "mm, over the height. One picture is of both laws: on spheres they are "
                  "one problem (P-Tab2).");
}

const experiment experiment_p_fig9 = {"P-Fig9", "Angular velocity field of the channel",
                                      "Rotation is damped soon behind the inflow and stays at the "
                                      "obstacle and the walls; both laws look the same.",
                                      run};
