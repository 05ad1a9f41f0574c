/* sweep_avx512.c - the kernels of sweep.c for LANES contacts at once, the same operations in the same order on every
 * lane, so the same bits. Bodies are rows of 8 doubles, contacts are columns: rows are combined first, then transposed.
 * The Makefile compiles this file for such a CPU; it is entered only where the CPU knows the instructions. */
#include "granular/granular_internal.h"

#ifdef __AVX512F__
#include <immintrin.h>

bool imp_granular_has_avx512(void) {
    return __builtin_cpu_supports("avx512f");
}

typedef __m512d vec;

/* What is known of a block on the way to its solution. */
typedef struct stage {
    vec m[8];             /* of the two bodies: v_b - v_a (0 .. 2), the sum of 1/m (3), of q (4 .. 6) */
    vec pn, t[3], square; /* normal impulse; tangential impulse without limit, and its square */
} stage;

/* rows <-> columns of an 8 x 8 matrix */
static inline void transpose(vec m[8]) {
    vec t[8], s[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(m[i], m[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(m[i], m[i + 1]);
    }
    for (int i = 0; i < 2; i++)
        for (int h = 0; h < 8; h += 4) {
            s[h + i] = _mm512_shuffle_f64x2(t[h + i], t[h + 2 + i], 0x88);
            s[h + 2 + i] = _mm512_shuffle_f64x2(t[h + i], t[h + 2 + i], 0xdd);
        }
    for (int i = 0; i < 4; i++) {
        m[i] = _mm512_shuffle_f64x2(s[i], s[4 + i], 0x88);
        m[4 + i] = _mm512_shuffle_f64x2(s[i], s[4 + i], 0xdd);
    }
}

static inline vec row(const body *bodies, int i) {
    return _mm512_load_pd((const double *)&bodies[i]);
}

/* The velocity part of a row with its sign turned. */
static inline vec turn_velocity(vec x) {
    const long long sign = INT64_MIN;
    const __m512i turn = _mm512_setr_epi64(sign, sign, sign, 0, 0, 0, 0, 0);
    return _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(x), turn));
}

static inline vec dot(const vec a[3], const vec b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const vec a[3], const vec b[3], vec c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void meet(const body *bodies, const block *k, stage *s) {
    for (int l = 0; l < LANES; l++)
        s->m[l] = row(bodies, k->b[l]) + turn_velocity(row(bodies, k->a[l]));
    transpose(s->m);
}

static inline void columns(const double *rows, vec x[3]) {
    for (int c = 0; c < 3; c++)
        x[c] = _mm512_load_pd(rows + c * LANES);
}

/* The normal impulse, and the tangential one were it without limit. */
static inline void try(const block *k, stage *s) {
    const vec per_n = _mm512_set1_pd(1) / s->m[3], per_t = per_n * _mm512_set1_pd(2.0 / 7);
    vec n[3], p[3], u[3];
    columns(k->n[0], n);
    columns(k->p[0], p);
    const vec un = dot(s->m, n), pn = dot(p, n), normal_part = pn - un * per_t;
    s->pn = _mm512_max_pd(pn - (un + _mm512_load_pd(k->bias)) * per_n, _mm512_setzero_pd());
    cross(n, s->m + 4, u);
    for (int x = 0; x < 3; x++)
        s->t[x] = (p[x] - (s->m[x] + u[x]) * per_t) - normal_part * n[x];
    s->square = dot(s->t, s->t);
}

/* p <- the impulse with its tangential part in the friction disc. */
static inline void slide(const block *k, vec friction, const stage *s, vec p[3]) {
    const vec one = _mm512_set1_pd(1), limit = friction * s->pn;
    const __mmask8 outside = _mm512_cmp_pd_mask(s->square, limit * limit, _CMP_GT_OQ);
    const vec scale = _mm512_mask_div_pd(one, outside, limit, _mm512_mask_sqrt_pd(one, outside, s->square));
    for (int x = 0; x < 3; x++)
        p[x] = scale * s->t[x] + s->pn * _mm512_load_pd(k->n[x]);
}

/* The impulses d on b as rows: d (0 .. 2), its turning part (4 .. 6). */
static inline void spread(const vec n[3], const vec d[3], vec r[8]) {
    const vec kappa = _mm512_set1_pd(2.5), zero = _mm512_setzero_pd();
    vec c[3];
    cross(d, n, c);
    for (int x = 0; x < 3; x++) {
        r[x] = d[x];
        r[4 + x] = kappa * c[x];
    }
    r[3] = r[7] = zero;
    transpose(r);
}

static inline void push(body *bodies, const block *k, const vec r[8]) {
    for (int l = 0; l < LANES; l++) {
        body *a = &bodies[k->a[l]], *b = &bodies[k->b[l]];
        _mm512_store_pd((double *)a, row(a, 0) + turn_velocity(r[l]) * _mm512_set1_pd(a->inv_mass));
        _mm512_store_pd((double *)b, row(b, 0) + r[l] * _mm512_set1_pd(b->inv_mass));
    }
}

/* Keeps the new impulse; its change as rows in s->m. */
static inline void keep(block *k, vec friction, stage *s) {
    vec p[3], d[3], n[3];
    slide(k, friction, s, p);
    for (int x = 0; x < 3; x++) {
        d[x] = p[x] - _mm512_load_pd(k->p[x]);
        _mm512_store_pd(k->p[x], p[x]);
    }
    columns(k->n[0], n);
    spread(n, d, s->m);
}

static __attribute__((noinline)) void relax_one(body *bodies, block *k, vec friction) {
    stage s;
    meet(bodies, k, &s);
    try(k, &s);
    keep(k, friction, &s);
    push(bodies, k, s.m);
}

/* The bodies of a block to come are fetched while others are solved. */
static inline void fetch(const body *bodies, const block *k) {
    for (int l = 0; l < LANES; l++) {
        __builtin_prefetch(&bodies[k->a[l]], 1);
        __builtin_prefetch(&bodies[k->b[l]], 1);
    }
}

/* Two blocks go abreast: the operations of one wait for each other, not for those of the other. */
void imp_granular_relax_avx512(body *bodies, block *blocks, int count) {
    const vec mu = _mm512_set1_pd(bodies[blocks->a[0]].friction); /* of one shape, or of particles */
    block *k = blocks, *const end = blocks + count;
    for (; end - k >= 2; k += 2) {
        stage one, two;
        if (end - k >= 4) {
            fetch(bodies, k + 2);
            fetch(bodies, k + 3);
        }
        meet(bodies, k, &one);
        meet(bodies, k + 1, &two);
        try(k, &one);
        try(k + 1, &two);
        keep(k, mu, &one);
        keep(k + 1, mu, &two);
        push(bodies, k, one.m);
        push(bodies, k + 1, two.m);
    }
    if (k < end) relax_one(bodies, k, mu);
}

void imp_granular_warm_avx512(body *bodies, block *blocks, int count) {
    for (const block *k = blocks; k < blocks + count; k++) {
        vec n[3], p[3], r[8];
        for (int x = 0; x < 3; x++) {
            n[x] = _mm512_load_pd(k->n[x]);
            p[x] = _mm512_load_pd(k->p[x]);
        }
        spread(n, p, r);
        push(bodies, k, r);
    }
}

double imp_granular_residual_avx512(const body *bodies, const block *blocks, int count) {
    const vec mu = _mm512_set1_pd(bodies[blocks->a[0]].friction); /* of one shape, or of particles */
    vec worst = _mm512_setzero_pd();
    for (const block *k = blocks; k < blocks + count; k++) {
        stage s;
        vec p[3], d[3];
        meet(bodies, k, &s);
        try(k, &s);
        slide(k, mu, &s, p);
        for (int x = 0; x < 3; x++)
            d[x] = p[x] - _mm512_load_pd(k->p[x]);
        worst = _mm512_max_pd(s.m[3] * _mm512_sqrt_pd(dot(d, d)), worst);
    }
    return _mm512_reduce_max_pd(worst);
}

#else

bool imp_granular_has_avx512(void) {
    return false;
}

void imp_granular_relax_avx512(body *bodies, block *blocks, int n) {
    imp_granular_relax_plain(bodies, blocks, n);
}

void imp_granular_warm_avx512(body *bodies, block *blocks, int n) {
    imp_granular_warm_plain(bodies, blocks, n);
}

double imp_granular_residual_avx512(const body *bodies, const block *blocks, int n) {
    return imp_granular_residual_plain(bodies, blocks, n);
}

#endif
