/* parallel.c - the one parallel loop of the granular room; without OpenMP it runs on the calling thread. */
#include "granular/granular_internal.h"

void imp_granular_parallel(int threads, int first, int stride, int n, void (*run)(void *context, int k),
                           void *context) {
    const int pieces = n > first ? (n - first + stride - 1) / stride : 0;
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
