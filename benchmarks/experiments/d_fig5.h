/* d_fig5.h - the parts of the experiment with the spheres. */
#ifndef D_FIG5_H
#define D_FIG5_H

#include "benchmarks/harness/report.h"

/* The rows and the figure of the 1001 spheres. */
void d_fig5_full(report *r);

#endif
