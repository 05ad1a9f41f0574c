/* p_fig10.c - Preclik, Eibl, Ruede (2017), Fig. 10: the radial distribution function near the exit.
 *
 * The paper divides the histogram of distances by N rho 4 pi r^2 dr, as if every particle had
 * neighbours on all sides; so g falls with r in a region of finite size. The second curve divides
 * by what particles without order have there: rho^2 / 2 times the mean over directions of the
 * volume in which both ends of r find room. */
#include "benchmarks/experiments/channel.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* m^3: points of a box a x b x c whose partner at distance r in a random direction is inside too, r
 * <= shortest side.
 */
static double room_for(const double s[3], double r) {
    return s[0] * s[1] * s[2] - r / 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) +
           2 * r * r / (3 * pi) * (s[0] + s[1] + s[2]) - r * r * r / (4 * pi);
}

static void distribution(report *r, const channel_result *c) {
    const char *size = c->whole ? "whole channel" : "fifth of it",
               *name = c->whole ? "p_fig10" : "p_fig10_small";
    const report_reference now = c->whole && !report_full(r) ? KEPT_RUN : STATED_IN_SOURCE;
    if (!c->good) {
        report_judge(r, OWN_BOUND, size, "comes to its end", "no", "", false, NULL);
        return;
    }
    if (c->whole) channel_kept(r);
    const double d = 2 * c->flow.inflow.radius,
                 shortest = fmin(c->side[0], fmin(c->side[1], c->side[2]));
    const double volume = c->side[0] * c->side[1] * c->side[2];
    double peak = 0, at = 0, second = 0, second_at = 0, below = 0;
    report_rows *t = report_table(r, name, "r_over_d:6\tg_paper:6\tg_room:6");
    for (int i = 0; i < CHANNEL_BINS; i++) {
        const double low = i * c->bin, high = low + c->bin, middle = 0.5 * (low + high);
        const double shell = 4 * pi / 3 * (high * high * high - low * low * low);
        if (high > shortest) break;
        const double paper = c->pairs[i] / (c->pair_density * volume * shell);
        const double g = c->pairs[i] / (c->pair_density * room_for(c->side, middle) * shell);
        report_row(t, NULL, middle / d, paper, g);
        if (g > peak) peak = g, at = middle;
        if (middle > 1.3 * d && g > second) second = g, second_at = middle;
        if (high < 0.95 * d) below += c->pairs[i];
    }
    report_judge(r, now, report_text(r, "%s: the highest peak is at r/d", size), "1",
                 report_text(r, "%.4f", at / d), "half a bin, 1/80",
                 fabs(at / d - 1) <= 1.0 / 80 + 1e-9, NULL);
    report_judge(r, now, report_text(r, "%s: pairs closer than 0.95 d", size), "0",
                 below > 0 ? "some" : "0", "exact", !(below > 0), "no two spheres in one place");
    report_judge(r, now, report_text(r, "%s: the highest value beyond 1.3 d, over the peak", size),
                 "no other favoured distance",
                 report_text(r, "%.3f, at %.3f d", second / peak, second_at / d), "≤ 0.5",
                 second <= 0.5 * peak,
                 c->whole ? "the second shell of a dense packing shows"
                          : "the second shell of a dense packing shows, and between walls 4 "
                            "diameters apart their layers");
    report_shown(r, NO_REFERENCE, report_text(r, "%s: height of the peak", size), "",
                 report_text(r, "%.3g", peak), "bins of d/40; depends on their width");
}

static void run(report *r) {
    const channel_result *whole = channel_whole(r);
    if (whole->good) distribution(r, whole);
    distribution(r, channel_small(r));
    report_figure(r, whole->good ? "p_fig10" : "p_fig10_small",
                  "Many spheres touch their neighbours, fewer stand two diameters apart, "
                  "and farther on there is no order. Radial distribution near the exit "
                  "([12 cm, 14 cm] of 15 cm): normalised as in the paper (grey), which "
                  "sinks as the region ends, and by what spheres without order have in "
                  "the same region (blue).");
}

const experiment experiment_p_fig10 = {
    "P-Fig10", "Radial distribution function near the exit",
    "A strong peak at one diameter and no other favoured distance, alike for both laws. Its axis, "
    "in units of "
    "\"d = 0.47 mm\", repeats the slip of the text: the peak is at two radii.",
    run};
