/* setup.h - what makes a flow's set-up, for checkpoints: those of another one are refused, by the
 * key that differs. */
#ifndef IMP_GRANULAR_SETUP_H
#define IMP_GRANULAR_SETUP_H

#include "granular/flow.h"

#include <stdint.h>

enum { IMP_SETUP_PARTS = 21 };

static const uint64_t IMP_HASH_SEED = 14695981039346656037u;

/* FNV-1a. */
static inline uint64_t imp_hash(uint64_t hash, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

/* hash (IMP_SETUP_PARTS): each differs where its part of the set-up does. Threads, SIMD and where a
 * plane stands now do not count. */
void imp_setup(const imp_granular *g, uint64_t hash[IMP_SETUP_PARTS]);

/* "a checkpoint of another $.KEY, expected that it was written with", for the key of a part. */
const char *imp_setup_other(int part);

#endif
