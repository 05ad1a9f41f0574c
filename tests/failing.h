/* failing.h - an allocator that fails on demand, in front of the C library's.
 *
 * Linked into a program it stands before malloc, calloc, realloc, aligned_alloc and strdup of its
 * own code (built with hidden names, it is not seen by shared libraries). As a preloaded object
 * (build/campaign/failing.so) it stands before those of shared libraries too, and is told by its
 * environment: FAILING=17 fails the 17th allocation after the libraries are set up (from 0),
 * FAILING=17+ all after it as well, and FAILING_COUNT=FILE is written, at the end, the number of
 * them. Without memory OpenMP's library ends the program, GSL crashes, and HDF5 does both: what
 * they allocate themselves is spared, with the copies of texts and the compression that HDF5 asks
 * for, and programs that the program runs. HDF5 is set up before the first is counted.
 * LeakSanitizer may be preloaded behind it; other sanitisers have allocators of their own:
 * FAILING_HERE is then 0. */
#ifndef FAILING_H
#define FAILING_H

#include <stdbool.h>
#include <stdlib.h> /* __GLIBC__ */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define FAILING_HERE 0
#endif
#endif
#if !defined(FAILING_HERE) && (defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__))
#define FAILING_HERE 0
#endif
#ifndef FAILING_HERE
#define FAILING_HERE 1
#endif

/* Volatile: the compiler takes malloc for one that changes none of them. Not for threads. */
extern volatile long failing_made, failing_living; /* allocations since 0 was set; not freed */
extern volatile long failing_at;                   /* which one fails; -1: none */
extern volatile bool failing_on;                   /* and all after it */

/* Of those from here on allocation k fails (from 0; -1: none), and, where `on`, all after it. */
static inline void failing_from(long k, bool on) {
    failing_made = 0;
    failing_on = on;
    failing_at = k;
}

/* None fails any more. Did one? */
static inline bool failing_end(void) {
    const bool reached = failing_at >= 0 && failing_made > failing_at;
    failing_at = -1;
    return reached;
}

#endif
