/* work.h - what every file of lib/granular leans on: arrays that grow, loops on threads. */
#ifndef IMP_GRANULAR_WORK_H
#define IMP_GRANULAR_WORK_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `need` items of `size` bytes, contents kept, what is new zero, on cache lines;
 * *array is a pointer to the items. false: no memory, nothing changed. */
bool imp_grow(void *array, int *room, int need, size_t size);

/* Runs run(context, member, members) on that many threads at once; members may be less. */
void imp_team(int threads, void (*run)(void *context, int member, int members), void *context);

/* Runs run(context, k) for begin <= k < end on that many threads, each of them a run of numbers. */
void imp_parallel(int threads, int begin, int end, void (*run)(void *context, int k),
                  void *context);

/* Runs run(context, begin, end) over pieces of 0 .. n. Their size is fixed: what is summed by them
 * does not vary. */
void imp_parallel_pieces(int threads, int n, void (*run)(void *context, int begin, int end),
                         void *context);

#endif
