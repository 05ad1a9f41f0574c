/* sweep_avx512.c - the kernels of sweep.c for LANES contacts at once, the same operations in the same order on every
 * lane, so the same bits. Bodies are 8 doubles: 8 of them are loaded as rows and transposed. The Makefile compiles this
 * file for such a CPU; it is entered only where the CPU knows the instructions. */
#include "granular/granular_internal.h"

#ifdef __AVX512F__
#include <immintrin.h>

bool imp_granular_has_avx512(void) {
    return __builtin_cpu_supports("avx512f");
}

typedef __m512d vec;

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

/* The columns v (0 .. 2), inv_mass (3), q (4 .. 6), friction (7) of 8 bodies. */
static inline void load(const body *bodies, const int at[LANES], vec m[8]) {
    for (int l = 0; l < 8; l++)
        m[l] = _mm512_load_pd((const double *)&bodies[at[l]]);
    transpose(m);
}

static inline void store(body *bodies, const int at[LANES], vec m[8]) {
    transpose(m);
    for (int l = 0; l < 8; l++)
        _mm512_store_pd((double *)&bodies[at[l]], m[l]);
}

static inline vec dot(const vec a[3], const vec b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* p <- the one-contact solution; returns W_nn. */
static inline vec contact(const vec a[8], const vec b[8], const vec n[3], vec bias, vec p[3]) {
    const vec q[3] = {a[4] + b[4], a[5] + b[5], a[6] + b[6]};
    const vec u[3] = {b[0] - a[0] + (n[1] * q[2] - n[2] * q[1]), b[1] - a[1] + (n[2] * q[0] - n[0] * q[2]),
                      b[2] - a[2] + (n[0] * q[1] - n[1] * q[0])};
    const vec one = _mm512_set1_pd(1), an = a[3] + b[3], per_n = one / an, per_t = per_n * _mm512_set1_pd(2.0 / 7);
    const vec un = dot(u, n), before = dot(p, n);
    const vec pn = _mm512_max_pd(before - (un + bias) * per_n, _mm512_setzero_pd());
    const vec normal_part = before - un * per_t;
    vec t[3];
    for (int x = 0; x < 3; x++)
        t[x] = (p[x] - u[x] * per_t) - normal_part * n[x];
    const vec square = dot(t, t), limit = a[7] * pn;
    const __mmask8 outside = _mm512_cmp_pd_mask(square, limit * limit, _CMP_GT_OQ);
    const vec scale = _mm512_mask_div_pd(one, outside, limit, _mm512_mask_sqrt_pd(one, outside, square));
    for (int x = 0; x < 3; x++)
        p[x] = scale * t[x] + pn * n[x];
    return an;
}

/* Changes the velocities by the impulses d on b. */
static inline void push(vec a[8], vec b[8], const vec n[3], const vec d[3]) {
    const vec kappa = _mm512_set1_pd(2.5), ka = kappa * a[3], kb = kappa * b[3];
    const vec c[3] = {n[1] * d[2] - n[2] * d[1], n[2] * d[0] - n[0] * d[2], n[0] * d[1] - n[1] * d[0]};
    for (int x = 0; x < 3; x++) {
        a[x] -= a[3] * d[x];
        a[4 + x] -= ka * c[x];
        b[x] += b[3] * d[x];
        b[4 + x] -= kb * c[x];
    }
}

/* The bodies of the block after next are on their way while this one is solved. */
static inline void prefetch(const body *bodies, const block *k, const block *last) {
    if (k >= last) return;
    for (int l = 0; l < LANES; l++) {
        __builtin_prefetch(&bodies[k->a[l]], 1);
        __builtin_prefetch(&bodies[k->b[l]], 1);
    }
}

void imp_granular_relax_avx512(body *bodies, block *blocks, int count) {
    for (block *k = blocks; k < blocks + count; k++) {
        prefetch(bodies, k + 2, blocks + count);
        vec a[8], b[8], n[3], p[3], d[3];
        load(bodies, k->a, a);
        load(bodies, k->b, b);
        for (int x = 0; x < 3; x++) {
            n[x] = _mm512_load_pd(k->n[x]);
            p[x] = _mm512_load_pd(k->p[x]);
            d[x] = p[x];
        }
        contact(a, b, n, _mm512_load_pd(k->bias), p);
        for (int x = 0; x < 3; x++) {
            _mm512_store_pd(k->p[x], p[x]);
            d[x] = p[x] - d[x];
        }
        push(a, b, n, d);
        store(bodies, k->a, a);
        store(bodies, k->b, b);
    }
}

void imp_granular_warm_avx512(body *bodies, block *blocks, int count) {
    for (const block *k = blocks; k < blocks + count; k++) {
        vec a[8], b[8], n[3], p[3];
        load(bodies, k->a, a);
        load(bodies, k->b, b);
        for (int x = 0; x < 3; x++) {
            n[x] = _mm512_load_pd(k->n[x]);
            p[x] = _mm512_load_pd(k->p[x]);
        }
        push(a, b, n, p);
        store(bodies, k->a, a);
        store(bodies, k->b, b);
    }
}

double imp_granular_residual_avx512(const body *bodies, const block *blocks, int count) {
    vec worst = _mm512_setzero_pd();
    for (const block *k = blocks; k < blocks + count; k++) {
        vec a[8], b[8], n[3], p[3], d[3];
        load(bodies, k->a, a);
        load(bodies, k->b, b);
        for (int x = 0; x < 3; x++) {
            n[x] = _mm512_load_pd(k->n[x]);
            p[x] = _mm512_load_pd(k->p[x]);
            d[x] = p[x];
        }
        const vec an = contact(a, b, n, _mm512_load_pd(k->bias), p);
        for (int x = 0; x < 3; x++)
            d[x] = p[x] - d[x];
        worst = _mm512_max_pd(an * _mm512_sqrt_pd(dot(d, d)), worst);
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
