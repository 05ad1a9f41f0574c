/* lanes.h - several doubles at once: 8 with AVX-512, 4 with AVX2 and FMA, 1 in plain C, by the
 * compiler flags of the file; 1 with any flags where a file defines IMP_ONE_LANE first.
 *
 * + - * / are the compiler's own on the type `vec`. Every operation rounds each lane as the same
 * operation on doubles does, so a result has the same bits for every width. Comparisons with NaN
 * are false. Internal. */
#ifndef IMP_LANES_H
#define IMP_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(IMP_ONE_LANE)
#define IMP_LANES 1
#elif defined(__AVX512F__)
#define IMP_LANES 8
#elif defined(__AVX2__) && defined(__FMA__)
#define IMP_LANES 4
#else
#define IMP_LANES 1
#endif

#if IMP_LANES > 1
#include <immintrin.h>
#endif

/* fill(x): x in every lane. product_rest(a, b, p): a b - p exactly, where p is a b rounded, nothing
 * underflows and nothing exceeds 2^990. larger(a, b): a > b ? a : b, smaller(a, b): a < b ? a : b.
 * choose(m, a, b): m ? a : b. binade(x): the power of two at or below |x|, for |x| normal.
 * per_binade(b): 1/b for such a power. high_half(x), x >= 0: the upper 32 bits of its 64 as a
 * number, a logarithm of x; from_high_half: back. */
#if IMP_LANES == 8

enum { LANES = 8 };
typedef __m512d vec;
typedef __mmask8 mask;

static inline vec fill(double x) {
    return _mm512_set1_pd(x);
}
static inline vec load(const double *from) {
    return _mm512_loadu_pd(from);
}
static inline void store(double *to, vec x, mask where) {
    _mm512_mask_storeu_pd(to, where, x);
}
static inline vec root(vec x) {
    return _mm512_sqrt_pd(x);
}
static inline vec product_rest(vec a, vec b, vec p) {
    return _mm512_fmsub_pd(a, b, p);
}
static inline vec size_of(vec x) {
    return _mm512_abs_pd(x);
}
static inline vec larger(vec a, vec b) {
    return _mm512_max_pd(a, b);
}
static inline mask less(vec a, vec b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
static inline mask at_most(vec a, vec b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}
static inline mask both(mask a, mask b) {
    return (mask)(a & b);
}
static inline mask either(mask a, mask b) {
    return (mask)(a | b);
}
static inline mask without(mask a, mask b) {
    return (mask)(a & ~b);
}
static inline vec choose(mask m, vec a, vec b) {
    return _mm512_mask_blend_pd(m, b, a);
}
static inline unsigned bits_of(mask m) {
    return m;
}
static inline vec binade(vec x) {
    return _mm512_castsi512_pd(_mm512_and_si512(
        _mm512_castpd_si512(x), _mm512_set1_epi64((long long)(UINT64_C(0x7ff) << 52))));
}
static inline vec per_binade(vec b) {
    return _mm512_castsi512_pd(_mm512_sub_epi64(
        _mm512_set1_epi64((long long)(UINT64_C(2046) << 52)), _mm512_castpd_si512(b)));
}
static inline vec high_half(vec x) { /* 2^52 + integer holds the integer in its low bits */
    const __m512i bits = _mm512_srli_epi64(_mm512_castpd_si512(x), 32);
    return _mm512_castsi512_pd(_mm512_or_si512(bits, _mm512_castpd_si512(fill(0x1p52)))) -
           fill(0x1p52);
}
static inline vec from_high_half(vec x) {
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(x + fill(0x1p52)), 32));
}

#elif IMP_LANES == 4

enum { LANES = 4 };
typedef __m256d vec;
typedef __m256d mask; /* all bits of a lane, or none */

static inline vec fill(double x) {
    return _mm256_set1_pd(x);
}
static inline vec load(const double *from) {
    return _mm256_loadu_pd(from);
}
static inline void store(double *to, vec x, mask where) {
    _mm256_maskstore_pd(to, _mm256_castpd_si256(where), x);
}
static inline vec root(vec x) {
    return _mm256_sqrt_pd(x);
}
static inline vec product_rest(vec a, vec b, vec p) {
    return _mm256_fmsub_pd(a, b, p);
}
static inline vec size_of(vec x) {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}
static inline vec larger(vec a, vec b) {
    return _mm256_max_pd(a, b);
}
static inline mask less(vec a, vec b) {
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}
static inline mask at_most(vec a, vec b) {
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
}
static inline mask both(mask a, mask b) {
    return _mm256_and_pd(a, b);
}
static inline mask either(mask a, mask b) {
    return _mm256_or_pd(a, b);
}
static inline mask without(mask a, mask b) {
    return _mm256_andnot_pd(b, a);
}
static inline vec choose(mask m, vec a, vec b) {
    return _mm256_blendv_pd(b, a, m);
}
static inline unsigned bits_of(mask m) {
    return (unsigned)_mm256_movemask_pd(m);
}
static inline vec binade(vec x) {
    return _mm256_and_pd(
        x, _mm256_castsi256_pd(_mm256_set1_epi64x((long long)(UINT64_C(0x7ff) << 52))));
}
static inline vec per_binade(vec b) {
    return _mm256_castsi256_pd(_mm256_sub_epi64(
        _mm256_set1_epi64x((long long)(UINT64_C(2046) << 52)), _mm256_castpd_si256(b)));
}
static inline vec high_half(vec x) { /* 2^52 + integer holds the integer in its low bits */
    const __m256i bits = _mm256_srli_epi64(_mm256_castpd_si256(x), 32);
    return _mm256_castsi256_pd(_mm256_or_si256(bits, _mm256_castpd_si256(fill(0x1p52)))) -
           fill(0x1p52);
}
static inline vec from_high_half(vec x) {
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(x + fill(0x1p52)), 32));
}

#else

enum { LANES = 1 };
typedef double vec;
typedef bool mask;

static inline vec fill(double x) {
    return x;
}
static inline vec load(const double *from) {
    return *from;
}
static inline void store(double *to, vec x, mask where) {
    if (where) *to = x;
}
static inline vec root(vec x) {
    return sqrt(x);
}
#if defined(__FMA__) || defined(__FP_FAST_FMA)
static inline vec product_rest(vec a, vec b, vec p) {
    return fma(a, b, -p);
}
#else
/* Dekker (1971): each factor is cut into two halves of 26 bits. */
static inline vec product_rest(vec a, vec b, vec p) {
    const vec cut = fill(134217729), cut_a = cut * a, cut_b = cut * b;
    const vec a1 = cut_a - (cut_a - a), a2 = a - a1, b1 = cut_b - (cut_b - b), b2 = b - b1;
    return ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
}
#endif
static inline vec size_of(vec x) {
    return fabs(x);
}
static inline vec larger(vec a, vec b) {
    return a > b ? a : b;
}
static inline mask less(vec a, vec b) {
    return a < b;
}
static inline mask at_most(vec a, vec b) {
    return a <= b;
}
static inline mask both(mask a, mask b) {
    return a & b;
}
static inline mask either(mask a, mask b) {
    return a | b;
}
static inline mask without(mask a, mask b) {
    return a & !b;
}
static inline vec choose(mask m, vec a, vec b) {
    return m ? a : b;
}
static inline unsigned bits_of(mask m) {
    return m;
}
static inline vec binade(vec x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7ff) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline vec per_binade(vec b) {
    uint64_t bits;
    memcpy(&bits, &b, sizeof bits);
    bits = (UINT64_C(2046) << 52) - bits;
    memcpy(&b, &bits, sizeof b);
    return b;
}
static inline vec high_half(vec x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)(bits >> 32);
}
static inline vec from_high_half(vec x) { /* 2^52 + integer holds the integer in its low bits */
    uint64_t bits;
    x = x + 0x1p52;
    memcpy(&bits, &x, sizeof bits);
    bits <<= 32;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif

static inline bool any(mask m) {
    return bits_of(m) != 0;
}

static inline vec smaller(vec a, vec b) {
    return choose(less(a, b), a, b);
}

#endif
