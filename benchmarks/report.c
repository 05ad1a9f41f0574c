/* report.c - every experiment of the source papers, on one page: `report DIR [ID ...]
 * [SCALE=full]`.
 *
 * Links GSL (GPL) through the experiments; libimpact does not. */
#include "benchmarks/experiments/experiments.h"

int main(int argc, char **argv) {
    return report_main(argc, argv, experiments);
}
