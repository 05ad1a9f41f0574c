/* contacts_avx512.c - the search of contacts.c for LANES candidate pairs at once, with the same bits. */
#include "granular/granular_internal.h"

#ifdef __AVX512F__
#include <immintrin.h>

typedef __m512d vec;

/* The columns x_b - x_a (0 .. 2) and r_b + r_a (3) of the first n of LANES pairs; behind them those of the first. */
static inline void apart(const place *places, const pair *pairs, int n, vec m[4]) {
    static const int lane[4][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}}; /* which the shuffles below put in order */
    const __m256d turn = _mm256_setr_pd(-0.0, -0.0, -0.0, 0.0);
    __m256d r[LANES];
    for (int l = 0; l < LANES; l++) {
        const pair c = pairs[l < n ? l : 0];
        r[l] = _mm256_load_pd((const double *)&places[c.b]) +
               _mm256_xor_pd(_mm256_load_pd((const double *)&places[c.a]), turn);
    }
    vec z[4];
    for (int i = 0; i < 4; i++)
        z[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(r[lane[i][0]]), r[lane[i][1]], 1);
    for (int i = 0; i < 2; i++) {
        const vec first = i ? _mm512_unpackhi_pd(z[0], z[1]) : _mm512_unpacklo_pd(z[0], z[1]),
                  second = i ? _mm512_unpackhi_pd(z[2], z[3]) : _mm512_unpacklo_pd(z[2], z[3]);
        m[i] = _mm512_shuffle_f64x2(first, second, 0x88);
        m[2 + i] = _mm512_shuffle_f64x2(first, second, 0xdd);
    }
}

/* Of the lanes in `open` those that this step's approach closes. */
static __mmask8 closing(const imp_granular *g, const pair *pairs, const vec n[3], vec gap, __mmask8 open) {
    double normal[3][LANES], gaps[LANES];
    unsigned closed = 0;
    for (int x = 0; x < 3; x++)
        _mm512_storeu_pd(normal[x], n[x]);
    _mm512_storeu_pd(gaps, gap);
    for (int l = 0; l < LANES; l++) {
        const double one[3] = {normal[0][l], normal[1][l], normal[2][l]};
        if (open >> l & 1) closed |= (unsigned)imp_granular_approach(g, pairs[l].a, pairs[l].b, one, gaps[l]) << l;
    }
    return (__mmask8)closed;
}

/* Those of the mask behind what there is. */
static inline void collect(const pair *pairs, __mmask8 present, __mmask8 mask, const vec n[3], const vec p[3], vec gap,
                           touching *t) {
    for (int x = 0; x < 3; x++) {
        _mm512_storeu_pd(t->n[x] + t->count, _mm512_maskz_compress_pd(mask, n[x]));
        _mm512_storeu_pd(t->p[x] + t->count, _mm512_maskz_compress_pd(mask, p[x]));
    }
    _mm512_storeu_pd(t->gap + t->count, _mm512_maskz_compress_pd(mask, gap));
    const __m512i c = _mm512_maskz_compress_epi64(mask, _mm512_maskz_loadu_epi64(present, pairs));
    _mm256_storeu_si256((__m256i *)(t->a + t->count), _mm512_cvtepi64_epi32(c));
    _mm256_storeu_si256((__m256i *)(t->b + t->count), _mm512_cvtepi64_epi32(_mm512_srli_epi64(c, 32)));
    t->count += __builtin_popcount(mask);
}

void imp_granular_find_avx512(const imp_granular *g, slab *s, const search *how, int begin, int end, touching *t) {
    const vec one = _mm512_set1_pd(1), zero = _mm512_setzero_pd(), warm = _mm512_set1_pd(how->warm);
    for (int i = begin; i < end; i += LANES) {
        const int left = end - i < LANES ? end - i : LANES;
        const __mmask8 present = (__mmask8)(0xff >> (LANES - left));
        unsigned char live[LANES] = {0};
        for (int l = 0; l < left; l++)
            live[l] = s->live[i + l];
        const __m512i marks = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)live));
        const __mmask8 lived = _mm512_test_epi64_mask(marks, marks);
        vec m[4], n[3], p[3];
        apart(g->place, s->pair + i, left, m);
        const vec square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2], most = m[3] + _mm512_set1_pd(how->reach);
        __mmask8 mask = _mm512_mask_cmp_pd_mask(present, square, most * most, _CMP_LT_OQ);
        if (mask) {
            const vec distance = _mm512_sqrt_pd(square), per = one / distance, gap = distance - m[3];
            const __mmask8 some = _mm512_cmp_pd_mask(distance, zero, _CMP_GT_OQ);
            n[0] = _mm512_maskz_mul_pd(some, m[0], per);
            n[1] = _mm512_maskz_mul_pd(some, m[1], per);
            n[2] = _mm512_mask_mul_pd(one, some, m[2], per);
            const __mmask8 near = _mm512_mask_cmp_pd_mask(mask, gap, _mm512_set1_pd(g->set.margin), _CMP_LT_OQ);
            const __mmask8 open = (__mmask8)(mask & ~near);
            mask = open ? (__mmask8)(near | closing(g, s->pair + i, n, gap, open)) : near;
            for (int x = 0; x < 3; x++) {
                const vec old = _mm512_loadu_pd(s->impulse + (size_t)x * s->impulse_room + t->old);
                p[x] = warm * _mm512_maskz_expand_pd(lived, old);
            }
            collect(s->pair + i, present, mask, n, p, gap, t);
        }
        const __m128i now = _mm512_cvtepi64_epi8(_mm512_maskz_set1_epi64(mask, 1));
        _mm_storel_epi64((__m128i *)live, now);
        for (int l = 0; l < left; l++)
            s->live[i + l] = live[l];
        t->old += __builtin_popcount(lived);
    }
}

#else

void imp_granular_find_avx512(const imp_granular *g, slab *s, const search *how, int begin, int end, touching *t) {
    imp_granular_find_plain(g, s, how, begin, end, t);
}

#endif
