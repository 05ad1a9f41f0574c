/* p_fig10.c - Preclik, Eibl, Ruede (2017), Fig. 10: the radial distribution function near the exit.
 *
 * The paper divides the histogram of distances by N rho 4 pi r^2 dr, as if every particle had
 * neighbours on all sides; so g falls with r in a region of finite size. The second curve divides
 * by what particles without order have there: rho^2 / 2 times the mean over directions of the
 * volume in which both ends of r find room. */
#include "benchmarks/experiments/channel.h"
#include "base/worse.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* m^3: points of a box a x b x c whose partner at distance r in a random direction is inside too, r
 * <= shortest side.
 */
static double room_for(const double s[3], double r) {
    return s[0] * s[1] * s[2] - r / 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) +
           2 * r * r / (3 * pi) * (s[0] + s[1] + s[2]) - r * r * r / (4 * pi);
}

/* What the curve by the room of the region comes to. Far: beyond 3 d. */
typedef struct shape {
    double peak, at, second, second_at, off_far, far, far_bins, below; /* distances over d */
} shape;

static void add_bin(shape *s, double g, double low, double high) {
    const double middle = 0.5 * (low + high);
    if (g > s->peak) s->peak = g, s->at = middle;
    if (middle > 1.3 && g > s->second) s->second = g, s->second_at = middle;
    if (high < 0.95 && g > 0) s->below++;
    if (middle < 3) return;
    s->off_far = imp_worse(s->off_far, fabs(g - 1));
    s->far += g;
    s->far_bins++;
}

static shape draw(report *r, const channel_result *c, const char *name) {
    const double d = 2 * c->flow.inflow.radius, volume = c->side[0] * c->side[1] * c->side[2],
                 shortest = fmin(c->side[0], fmin(c->side[1], c->side[2]));
    shape s = {0};
    report_rows *t = report_table(r, name, "r_over_d:6\tg_paper:6\tg_room:6");
    for (int i = 0; i < CHANNEL_BINS; i++) {
        const double low = i * c->bin, high = low + c->bin, middle = 0.5 * (low + high);
        const double shell = 4 * pi / 3 * (high * high * high - low * low * low);
        if (high > shortest) break;
        const double paper = c->pairs[i] / (c->pair_density * volume * shell);
        const double g = c->pairs[i] / (c->pair_density * room_for(c->side, middle) * shell);
        report_row(t, NULL, middle / d, paper, g);
        add_bin(&s, g, low / d, high / d);
    }
    return s;
}

/* Of the whole channel, whose centres keep a radius from the walls and are denser by as much than
 * counted. Through all of a channel 4 diameters wide its walls' layers reach. */
static void far_row(report *r, report_reference now, const char *size, const channel_result *c,
                    const shape *s) {
    const double d = 2 * c->flow.inflow.radius,
                 denser = 1 / ((1 - d / c->side[1]) * (1 - d / c->side[2]));
    const char *quantity = report_text(r, "%s: g beyond 3 d, mean", size),
               *ours = report_text(r, "%.3f", s->far / s->far_bins);
    if (c->whole)
        report_judge(r, now, quantity, "1 (no order)", ours, report_text(r, "%.2f", denser - 1),
                     fabs(s->far / s->far_bins - 1) <= denser - 1,
                     "by as much are centres, which keep a radius from the walls, denser than "
                     "counted");
    else
        report_shown(r, NO_REFERENCE, quantity, "", ours,
                     "walls 4 diameters apart make layers, too");
}

/* That room by the midpoint rule over an octant of directions, whose error is some 2e-6. */
static double room_over_directions(const double s[3], double r) {
    enum { N = 400 };
    const double step = pi / 2 / N;
    double mean = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double polar = (i + 0.5) * step, around = (j + 0.5) * step;
            mean += (s[0] - r * sin(polar) * cos(around)) * (s[1] - r * sin(polar) * sin(around)) *
                    (s[2] - r * cos(polar)) * sin(polar) * step * step / (pi / 2);
        }
    return mean;
}

/* What divides the histogram, a second way: the page's curve is no better than it. */
static void room_row(report *r, const char *size, const channel_result *c) {
    const double shortest = fmin(c->side[0], fmin(c->side[1], c->side[2]));
    double off = 0;
    for (int i = 1; i <= 4; i++) {
        const double room = room_over_directions(c->side, i * shortest / 4);
        off = imp_worse(off, fabs(room_for(c->side, i * shortest / 4) / room - 1));
    }
    report_at_most(r, INDEPENDENT,
                   report_text(r, "%s: room of pairs off its mean over directions, the most", size),
                   1e-5, off, "at 1/4, 1/2, 3/4 and 1 of the shortest side");
}

static void distribution(report *r, const channel_result *c) {
    const char *size = c->whole ? "whole channel" : "fifth of it";
    const report_reference now = c->whole && !report_full(r) ? KEPT_RUN : STATED_IN_SOURCE;
    if (!c->good) {
        report_judge(r, OWN_BOUND, size, "comes to its end", "no", "", false, NULL);
        return;
    }
    if (c->whole) channel_kept(r);
    const shape s = draw(r, c, c->whole ? "p_fig10" : "p_fig10_small");
    report_judge(r, now, report_text(r, "%s: the highest peak is at r/d", size), "1",
                 report_text(r, "%.4f", s.at), "half a bin, 1/80",
                 fabs(s.at - 1) <= 1.0 / 80 + 1e-9, NULL);
    report_judge(r, now, report_text(r, "%s: pairs closer than 0.95 d", size), "0",
                 s.below > 0 ? "some" : "0", "exact", !(s.below > 0),
                 "no two spheres in one place");
    room_row(r, size, c);
    far_row(r, now, size, c, &s);
    const char *quantity = report_text(r, "%s: highest g beyond 1.3 d, and its place", size),
               *ours = report_text(r, "%.2f at %.2f d", s.second, s.second_at);
    if (c->whole)
        report_refuted(
            r, quantity, "“does not reveal additional favored distances”", ours,
            "4 times as far from 1 as g is anywhere beyond 3 d", s.second - 1 > 4 * s.off_far,
            report_text(r,
                        "two diameters are favoured, the second shell of a dense packing; no g "
                        "beyond 3 d is farther than %.3f from 1, no order. Beside the first peak, "
                        "%.1f, it is small",
                        s.off_far, s.peak));
    else
        report_shown(r, NO_REFERENCE, quantity, "", ours,
                     "walls 4 diameters apart make layers, too");
    report_shown(r, NO_REFERENCE, report_text(r, "%s: height of the peak", size), "",
                 report_text(r, "%.3g", s.peak), "bins of d/40; depends on their width");
}

static void run(report *r) {
    const channel_result *whole = channel_whole(r);
    if (whole->good) distribution(r, whole);
    distribution(r, channel_small(r));
    report_figure(
        r, whole->good ? "p_fig10" : "p_fig10_small",
        "Many spheres touch their neighbours, more than without order stand two "
        "diameters apart, and farther on there is no order. Radial distribution near the exit "
        "([12 cm, 14 cm] of 15 cm): normalised as in the paper (grey), which "
        "sinks as the region ends, and by what spheres without order have in "
        "the same region (blue).");
}

const experiment experiment_p_fig10 = {
    "P-Fig10", "Radial distribution function near the exit",
    "A strong peak at one diameter and, the paper says, no other favoured distance, alike for both "
    "laws; two diameters are one. Its axis, in units of "
    "\"d = 0.47 mm\", repeats the slip of the text: the peak is at two radii.",
    run};
