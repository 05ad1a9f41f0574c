/* hash.h - a sum by which bytes are told apart: FNV-1a of 64 bits (Fowler, Noll, Vo). Internal. */
#ifndef IMP_HASH_H
#define IMP_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The sum of nothing. */
#define IMP_HASH_SEED UINT64_C(14695981039346656037)

/* The sum of n bytes behind those whose sum is `hash`. */
static inline uint64_t imp_hash(uint64_t hash, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

#endif
