/* channel_field.h - what the cells of 1 mm of a run of the channel show: of Figs. 8 and 9. */
#ifndef CHANNEL_FIELD_H
#define CHANNEL_FIELD_H

#include "benchmarks/experiments/channel.h"

/* Particles in a cell, over all samples, before its mean counts as a peak. */
enum { CHANNEL_ENOUGH = 5 };

typedef double (*channel_value)(const channel_result *c,
                                int i); /* of cell i, NaN where it is empty */

/* The channel whose field is drawn: the whole one where there is a run of it. A failing row where
 * there is none. */
const channel_result *channel_of_figure(report *r);

/* Says on the page how large it is and what it is the mean of. */
void channel_say_size(report *r, const channel_result *c);

/* The table of the values in `unit` over x and y, cm; its peak, of cells with enough particles. */
double channel_write_field(report *r, const char *name, const channel_result *c,
                           channel_value value, double unit);

/* The mean of a value over the cells whose middles lie in a rectangle, m. */
double channel_mean_over(const channel_result *c, channel_value value, double x0, double x1,
                         double y0, double y1);

#endif
