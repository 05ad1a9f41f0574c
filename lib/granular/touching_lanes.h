/* touching_lanes.h - the search for pairs that touch, LANES of them at once, for the files that
 * choose how many: the same operations on every lane, so the same bits. */
#ifndef IMP_GRANULAR_TOUCHING_LANES_H
#define IMP_GRANULAR_TOUCHING_LANES_H

#include "base/lanes.h"
#include "granular/touching.h"

/* The first n lanes. */
static inline mask first(int n) {
    return (mask)((1u << n) - 1);
}

/* apart: the columns x_b - x_a (0 .. 2) and r_b + r_a (3) of the first n of LANES pairs; behind
 * them those of the first. marked, mark: the live marks of n candidates. drawn: the next numbers in
 * a row, one for each lane of the mask, else 0. append: the lanes of `found` behind what there is;
 * `present` are those with a pair. */
#if IMP_LANES == 8

static inline void apart(const place *places, const pair *pairs, int n, vec m[4]) {
    /* which the shuffles below put in order */
    static const int lane[4][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}};
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

static inline mask marked(const unsigned char *live, int n) {
    unsigned char bytes[LANES] = {0};
    for (int l = 0; l < n; l++)
        bytes[l] = live[l];
    const __m512i marks = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)bytes));
    return _mm512_test_epi64_mask(marks, marks);
}

static inline void mark(unsigned char *live, int n, mask found) {
    unsigned char bytes[LANES];
    _mm_storel_epi64((__m128i *)bytes, _mm512_cvtepi64_epi8(_mm512_maskz_set1_epi64(found, 1)));
    for (int l = 0; l < n; l++)
        live[l] = bytes[l];
}

static inline vec drawn(mask m, const double *from) {
    return _mm512_maskz_expand_pd(m, _mm512_loadu_pd(from));
}

static inline void append(touching *t, const pair *pairs, int n, mask found, const vec normal[3],
                          const vec p[3], vec gap) {
    for (int x = 0; x < 3; x++) {
        _mm512_storeu_pd(t->n[x] + t->count, _mm512_maskz_compress_pd(found, normal[x]));
        _mm512_storeu_pd(t->p[x] + t->count, _mm512_maskz_compress_pd(found, p[x]));
    }
    _mm512_storeu_pd(t->gap + t->count, _mm512_maskz_compress_pd(found, gap));
    const __m512i c = _mm512_maskz_compress_epi64(found, _mm512_maskz_loadu_epi64(first(n), pairs));
    _mm256_storeu_si256((__m256i *)(t->a + t->count), _mm512_cvtepi64_epi32(c));
    _mm256_storeu_si256((__m256i *)(t->b + t->count),
                        _mm512_cvtepi64_epi32(_mm512_srli_epi64(c, 32)));
    t->count += __builtin_popcount(found);
}

#else

static inline void apart(const place *places, const pair *pairs, int n, vec m[4]) {
    const place *a = &places[pairs->a], *b = &places[pairs->b];
    (void)n;
    for (int x = 0; x < 3; x++)
        m[x] = b->x[x] - a->x[x];
    m[3] = b->radius + a->radius;
}

static inline mask marked(const unsigned char *live, int n) {
    (void)n;
    return *live;
}

static inline void mark(unsigned char *live, int n, mask found) {
    (void)n;
    *live = found;
}

static inline vec drawn(mask m, const double *from) {
    return m ? *from : 0;
}

static inline void append(touching *t, const pair *pairs, int n, mask found, const vec normal[3],
                          const vec p[3], vec gap) {
    for (int x = 0; x < 3; x++) {
        t->n[x][t->count] = normal[x];
        t->p[x][t->count] = p[x];
    }
    t->gap[t->count] = gap;
    t->a[t->count] = pairs->a < 0 ? t->first_static - 1 - pairs->a : pairs->a;
    t->b[t->count] = pairs->b;
    t->count += n * found;
}

#endif

/* Of the first n of LANES candidates those within reach, their gaps and their normals from a to b:
 * z for two in one place. */
static inline mask within(const touch_search *of, const pair *pairs, int n, vec normal[3],
                          vec *gap) {
    vec m[4];
#if IMP_LANES == 1
    const place *b = &of->bodies->place[pairs->b];
    if (pairs->a < 0) {
        *gap = imp_shape_gap(&of->walls->at[-1 - pairs->a], b->x, b->radius, normal);
        return *gap < of->reach.shape;
    }
#endif
    apart(of->bodies->place, pairs, n, m);
    const vec square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2], most = m[3] + fill(of->reach.pair);
    const mask found = both(first(n), less(square, most * most));
    if (!any(found)) return found;
    const vec distance = root(square), per = fill(1) / distance;
    for (int x = 0; x < 3; x++)
        normal[x] = choose(less(fill(0), distance), m[x] * per, fill(x == 2));
    *gap = distance - m[3];
    return found;
}

/* Of the lanes in `open` those that this step's approach closes. */
static mask closing(const touching *t, const pair *pairs, const vec n[3], vec gap, mask open) {
    double normal[3][LANES], gaps[LANES];
    unsigned closed = 0;
    memcpy(normal, n, sizeof normal);
    memcpy(gaps, &gap, sizeof gaps);
    for (int l = 0; l < LANES; l++) {
        const double one[3] = {normal[0][l], normal[1][l], normal[2][l]};
        if (bits_of(open) >> l & 1) closed |= (unsigned)approaches(t, pairs[l], one, gaps[l]) << l;
    }
    return (mask)closed;
}

static void find(touching *t, int begin, int end) {
    const vec margin = fill(t->of->set->margin);
    candidates *c = t->from;
    for (int i = begin; i < end; i += LANES) {
        const int n = end - i < LANES ? end - i : LANES;
        const mask lived = marked(c->live + i, n);
        vec normal[3], p[3], gap;
        mask found = within(t->of, c->pair + i, n, normal, &gap);
        if (any(found)) {
            const mask near = both(found, less(gap, margin)), open = without(found, near);
            found = any(open) ? either(near, closing(t, c->pair + i, normal, gap, open)) : near;
            for (int x = 0; x < 3; x++)
                p[x] =
                    fill(t->warm) * drawn(lived, c->impulse + (size_t)x * c->impulse_room + t->old);
            append(t, c->pair + i, n, found, normal, p, gap);
        }
        mark(c->live + i, n, found);
        t->old += __builtin_popcount(bits_of(lived));
    }
}

#endif
