/* experiments.h - all experiments of the report. */
#ifndef EXPERIMENTS_H
#define EXPERIMENTS_H

#include "benchmarks/harness/report.h"

/* In the order of the page. */
extern const report_entry experiments[];

#endif
