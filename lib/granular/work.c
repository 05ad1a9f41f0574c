/* work.c - threads of the granular room; without OpenMP it runs on the calling thread. A step has
 * some ten such loops, the shortest of tens of microseconds. */
#include "granular/work.h"

#include <limits.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>
#include <string.h>

bool imp_grow(void *array, int *room, int need, size_t size) {
    if (need <= *room) return true;
    const int wanted = need > INT_MAX / 2 ? need : need + need / 8 + 16;
    const size_t bytes = ((size_t)wanted * size + 63) / 64 * 64;
    void *old, *more = aligned_alloc(64, bytes);
    if (!more) return false;
    memcpy(&old, array, sizeof old);
    const size_t used = old ? (size_t)*room * size : 0;
    if (old) memcpy(more, old, used);
    memset((char *)more + used, 0, bytes - used);
    free(old);
    memcpy(array, &more, sizeof more);
    *room = wanted;
    return true; /* cppcheck-suppress memleak ; *array has it */
}

void imp_team(int threads, void (*run)(void *context, int member, int members), void *context) {
    if (threads < 2) {
        run(context, 0, 1);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    run(context, omp_get_thread_num(), omp_get_num_threads());
#else
    run(context, 0, 1);
#endif
}

void imp_parallel(int threads, int begin, int end, void (*run)(void *context, int k),
                  void *context) {
    if (threads < 2 || end - begin < 2) {
        for (int k = begin; k < end; k++)
            run(context, k);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads)
#endif
    for (int k = begin; k < end; k++)
        run(context, k);
}

enum { PIECE = 2048 }; /* particles: tens of microseconds of work */

typedef struct pieces {
    int n;
    void (*run)(void *context, int begin, int end);
    void *context;
} pieces;

static void run_piece(void *context, int k) {
    const pieces *of = context;
    of->run(of->context, k * PIECE, of->n - k * PIECE < PIECE ? of->n : (k + 1) * PIECE);
}

void imp_parallel_pieces(int threads, int n, void (*run)(void *context, int begin, int end),
                         void *context) {
    pieces of = {n, run, context};
    imp_parallel(threads, 0, (n + PIECE - 1) / PIECE, run_piece, &of);
}
