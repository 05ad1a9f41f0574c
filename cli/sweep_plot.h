/* sweep_plot.h - the figure of a sweep, as a gnuplot script that holds its table. */
#ifndef SWEEP_PLOT_H
#define SWEEP_PLOT_H

#include "cli/kept.h"
#include "scene/sweep.h"

/* Can it be drawn? IMP_OK, IMP_BAD_ARGUMENT: too many rows of panels. */
imp_status sweep_plot_check(const scene_sweep *sweep, imp_error *error);

/* Writes the script: over the first axis, error and cost of every model that has an answer
 * somewhere, in two panels for each variant and each point of the other axes, with one key. Errors
 * of `out` are ferror's. IMP_OK, IMP_IO, IMP_NO_MEMORY. */
imp_status sweep_plot_write(FILE *out, const scene_sweep *sweep, kept *rows, imp_error *error);

#endif
