/* clock.h - time taken. Internal. */
#ifndef IMP_CLOCK_H
#define IMP_CLOCK_H

#include <time.h>

/* By that clock: CLOCK_MONOTONIC, or what the process or the thread has computed. */
static inline double imp_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double imp_nanoseconds(clockid_t clock) {
    return 1e9 * imp_seconds(clock);
}

#endif
