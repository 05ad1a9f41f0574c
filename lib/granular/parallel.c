/* parallel.c - the one parallel loop of the granular room; without OpenMP it runs on the calling thread. A step has
 * some 30 such loops of tens of microseconds: on a busy machine, waiting threads should sleep
 * (OMP_WAIT_POLICY=passive). */
#include "granular/granular_internal.h"

void imp_granular_parallel(const imp_granular *g, int first, int stride, int n, void (*run)(void *context, int k),
                           void *context) {
    const int pieces = n > first ? (n - first + stride - 1) / stride : 0, threads = g->set.threads;
    if (threads < 2 || pieces < 2) {
        for (int i = 0; i < pieces; i++)
            run(context, first + i * stride);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
#endif
    for (int i = 0; i < pieces; i++)
        run(context, first + i * stride);
}
