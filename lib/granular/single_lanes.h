/* single_lanes.h - several floats at once, with the names and the promises of base/lanes.h: 8 with
 * AVX2 and FMA, 1 in plain C or where a file defines IMP_ONE_LANE first. */
#ifndef IMP_GRANULAR_SINGLE_LANES_H
#define IMP_GRANULAR_SINGLE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#if !defined(IMP_ONE_LANE) && defined(__AVX2__) && defined(__FMA__)
#define IMP_LANES 8
#include <immintrin.h>

enum { LANES = 8 };
typedef __m256 vec;
typedef __m256 mask; /* all bits of a lane, or none */

static inline vec fill(float x) {
    return _mm256_set1_ps(x);
}
static inline vec load(const float *from) {
    return _mm256_loadu_ps(from);
}
static inline vec root(vec x) {
    return _mm256_sqrt_ps(x);
}
static inline vec larger(vec a, vec b) {
    return _mm256_max_ps(a, b);
}
static inline mask less(vec a, vec b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
static inline vec choose(mask m, vec a, vec b) {
    return _mm256_blendv_ps(b, a, m);
}

#else
#define IMP_LANES 1

enum { LANES = 1 };
typedef float vec;
typedef bool mask;

static inline vec fill(float x) {
    return x;
}
static inline vec load(const float *from) {
    return *from;
}
static inline vec root(vec x) {
    return sqrtf(x);
}
static inline vec larger(vec a, vec b) {
    return a > b ? a : b;
}
static inline mask less(vec a, vec b) {
    return a < b;
}
static inline vec choose(mask m, vec a, vec b) {
    return m ? a : b;
}

#endif

#endif
