/* channel_field.c - what the cells of 1 mm of a run of the channel show: of Figs. 8 and 9. */
#include "benchmarks/experiments/channel_field.h"

#include <math.h>

double channel_write_field(report *r, const char *name, const channel_result *c,
                           channel_value value, double unit) {
    report_rows *t = report_table(r, name, "x_cm:4\ty_cm:4\tvalue:6");
    double peak = 0;
    for (int x = 0; x < c->nx; x++) {
        for (int y = 0; y < c->ny; y++) {
            const int i = x * c->ny + y;
            const double v = c->cell[i].count > 0 ? value(c, i) / unit : NAN;
            report_row(t, NULL, 0.1 * (x + 0.5), 0.1 * (y + 0.5), v);
            if (c->cell[i].count >= CHANNEL_ENOUGH) peak = fmax(peak, v);
        }
        report_gap(t);
    }
    return peak;
}

const channel_result *channel_of_figure(report *r) {
    const channel_result *whole = channel_whole(r), *c = whole->good ? whole : channel_small(r);
    if (!c->good)
        report_judge(r, OWN_BOUND, "a run of the channel", "comes to its end", "no", "", false,
                     NULL);
    if (c->whole) channel_kept(r);
    return c;
}

void channel_say_size(report *r, const channel_result *c) {
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

double channel_mean_over(const channel_result *c, channel_value value, double x0, double x1,
                         double y0, double y1) {
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
