/* relax_lanes.h - the closed one-contact solution of spheres, LANES contacts at once, for the files
 * that choose how many: the same operations in the same order on every lane, so the same bits.
 *
 * With n the normal from a to b, q = R w the spin in m/s and a_n = 1/m_a + 1/m_b, the contact
 * velocity is u = v_b - v_a + n x (q_a + q_b), u_n is that of v alone, and the diagonal block of W
 * is a_n (n n' + 7/2 (E - n n')): the normal and the tangential problem part, and the least energy
 * over the disc |p_t| <= mu p_n is found by radial projection (Preclik, Eibl, Ruede 2017, eq. 3
 * with A_nt = A_no = 0). The same point is the only solution of Coulomb's law. An impulse d on b
 * changes v by d/m and q by 5/2 d x n / m: m R^2 / I = 5/2 for a ball. */
#ifndef IMP_GRANULAR_RELAX_LANES_H
#define IMP_GRANULAR_RELAX_LANES_H

#include "granular/relax.h"

#ifdef IMP_SINGLE_PRECISION
#include "granular/single_lanes.h"

typedef float real;
typedef single_body swept_body; /* as the sweeps know it */
typedef single_octet swept_octet;

static inline swept_body *swept_of(const relaxation *of) {
    return of->single;
}
static inline swept_octet *octets_from(const brick_contacts *c, int first) {
    return c->single + first;
}
#else
#include "base/lanes.h"

typedef double real;
typedef body swept_body;
typedef octet swept_octet;

static inline swept_body *swept_of(const relaxation *of) {
    return of->bodies->body;
}
static inline swept_octet *octets_from(const brick_contacts *c, int first) {
    return c->octet + first;
}
#endif

/* meet: of LANES contacts from lane l of an octet on the columns v_b - v_a (0 .. 2), the sum of 1/m
 * (3), of q (4 .. 6). push: the bodies by columns of impulses on b (0 .. 2) and of their turning
 * parts (4 .. 6); 3 and 7 are 0. */
#if defined(IMP_SINGLE_PRECISION) && IMP_LANES == 8

/* rows <-> columns of an 8 x 8 matrix */
static inline void transpose(vec m[8]) {
    vec t[8], s[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(m[i], m[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(m[i], m[i + 1]);
    }
    for (int h = 0; h < 8; h += 4)
        for (int i = 0; i < 2; i++) {
            s[h + 2 * i] = _mm256_shuffle_ps(t[h + i], t[h + 2 + i], 0x44);
            s[h + 2 * i + 1] = _mm256_shuffle_ps(t[h + i], t[h + 2 + i], 0xee);
        }
    for (int i = 0; i < 4; i++) {
        m[i] = _mm256_permute2f128_ps(s[i], s[4 + i], 0x20);
        m[4 + i] = _mm256_permute2f128_ps(s[i], s[4 + i], 0x31);
    }
}

/* A body is a row of 8 numbers: rows are combined first, then transposed. */
static inline vec row(const swept_body *b) {
    return _mm256_load_ps((const float *)b);
}
static inline void set_row(swept_body *b, vec x) {
    _mm256_store_ps((float *)b, x);
}

/* The velocity part of a row with its sign turned. */
static inline vec turn_velocity(vec x) {
    return _mm256_xor_ps(x, _mm256_setr_ps(-0.0F, -0.0F, -0.0F, 0, 0, 0, 0, 0));
}

#elif IMP_LANES == 8

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

/* A body is a row of 8 numbers: rows are combined first, then transposed. */
static inline vec row(const swept_body *b) {
    return _mm512_load_pd((const double *)b);
}
static inline void set_row(swept_body *b, vec x) {
    _mm512_store_pd((double *)b, x);
}

/* The velocity part of a row with its sign turned. */
static inline vec turn_velocity(vec x) {
    const long long sign = INT64_MIN;
    const __m512i turn = _mm512_setr_epi64(sign, sign, sign, 0, 0, 0, 0, 0);
    return _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(x), turn));
}

#elif IMP_LANES == 4

/* rows <-> columns of a 4 x 4 matrix */
static inline void transpose(vec m[4]) {
    const vec low = _mm256_unpacklo_pd(m[0], m[1]), high = _mm256_unpackhi_pd(m[0], m[1]),
              low_2 = _mm256_unpacklo_pd(m[2], m[3]), high_2 = _mm256_unpackhi_pd(m[2], m[3]);
    m[0] = _mm256_permute2f128_pd(low, low_2, 0x20);
    m[1] = _mm256_permute2f128_pd(high, high_2, 0x20);
    m[2] = _mm256_permute2f128_pd(low, low_2, 0x31);
    m[3] = _mm256_permute2f128_pd(high, high_2, 0x31);
}

/* A body is two rows of 4 numbers: its velocity with 1/m, and q with its friction. */
static inline vec velocity_row(const swept_body *b) {
    return _mm256_load_pd(b->v);
}
static inline vec spin_row(const swept_body *b) {
    return _mm256_load_pd(b->q);
}

/* A velocity row with the sign of the velocity turned. */
static inline vec turn_velocity(vec x) {
    return _mm256_xor_pd(x, _mm256_setr_pd(-0.0, -0.0, -0.0, 0.0));
}

static inline void meet(const swept_body *all, const swept_octet *k, int l, vec m[8]) {
    for (int i = 0; i < LANES; i++) {
        const swept_body *a = &all[k->a[l + i]], *b = &all[k->b[l + i]];
        m[i] = velocity_row(b) + turn_velocity(velocity_row(a));
        m[4 + i] = spin_row(b) + spin_row(a);
    }
    transpose(m);
    transpose(m + 4);
}

static inline void push(swept_body *all, const swept_octet *k, int l, vec m[8]) {
    transpose(m);
    transpose(m + 4);
    for (int i = 0; i < LANES; i++) {
        swept_body *a = &all[k->a[l + i]], *b = &all[k->b[l + i]];
        const vec per_a = fill(a->inv_mass), per_b = fill(b->inv_mass);
        _mm256_store_pd(a->v, velocity_row(a) + turn_velocity(m[i]) * per_a);
        _mm256_store_pd(a->q, spin_row(a) + m[4 + i] * per_a);
        _mm256_store_pd(b->v, velocity_row(b) + m[i] * per_b);
        _mm256_store_pd(b->q, spin_row(b) + m[4 + i] * per_b);
    }
}

#else

static inline void meet_two(const swept_body *a, const swept_body *b, vec m[8]) {
    for (int x = 0; x < 3; x++) {
        m[x] = b->v[x] - a->v[x];
        m[4 + x] = b->q[x] + a->q[x];
    }
    m[3] = b->inv_mass + a->inv_mass;
}

static inline void meet(const swept_body *all, const swept_octet *k, int l, vec m[8]) {
    meet_two(&all[k->a[l]], &all[k->b[l]], m);
}

static inline void push(swept_body *all, const swept_octet *k, int l, const vec m[8]) {
    swept_body *a = &all[k->a[l]], *b = &all[k->b[l]];
    for (int x = 0; x < 3; x++) {
        a->v[x] -= m[x] * a->inv_mass;
        a->q[x] += m[4 + x] * a->inv_mass;
        b->v[x] += m[x] * b->inv_mass;
        b->q[x] += m[4 + x] * b->inv_mass;
    }
}

#endif

#if IMP_LANES == 8

static inline void meet(const swept_body *all, const swept_octet *k, int l, vec m[8]) {
    for (int i = 0; i < LANES; i++)
        m[i] = row(&all[k->b[l + i]]) + turn_velocity(row(&all[k->a[l + i]]));
    transpose(m);
}

static inline void push(swept_body *all, const swept_octet *k, int l, vec m[8]) {
    transpose(m);
    for (int i = 0; i < LANES; i++) {
        swept_body *a = &all[k->a[l + i]], *b = &all[k->b[l + i]];
        set_row(a, row(a) + turn_velocity(m[i]) * fill(a->inv_mass));
        set_row(b, row(b) + m[i] * fill(b->inv_mass));
    }
}

#endif

static inline vec dot(const vec a[3], const vec b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const vec a[3], const vec b[3], vec c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void columns(const real *rows, int l, vec x[3]) {
    for (int c = 0; c < 3; c++)
        x[c] = load(rows + c * WIDTH + l);
}

/* What is known of contacts on the way to their solution. */
typedef struct stage {
    vec m[8];             /* of meet; at the end that of push */
    vec pn, t[3], square; /* normal impulse; tangential impulse without limit, and its square */
} stage;

/* The normal impulse, and the tangential one were it without limit. */
static inline void try(stage *s, const vec n[3], vec bias, const vec p[3]) {
    const vec per_n = fill(1) / s->m[3], per_t = per_n * fill((real)(2.0 / 7));
    const vec un = dot(s->m, n), before = dot(p, n), normal_part = before - un * per_t;
    vec turning[3];
    s->pn = larger(before - (un + bias) * per_n, fill(0));
    cross(n, s->m + 4, turning);
    for (int x = 0; x < 3; x++)
        s->t[x] = (p[x] - (s->m[x] + turning[x]) * per_t) - normal_part * n[x];
    s->square = dot(s->t, s->t);
}

/* p <- the impulse with its tangential part in the friction disc. */
static inline void slide(const stage *s, const vec n[3], vec friction, vec p[3]) {
    const vec limit = friction * s->pn, held = choose(less(fill(0), s->pn), fill(1), fill(0)),
              scale = choose(less(limit * limit, s->square), limit / root(s->square), held);
    for (int x = 0; x < 3; x++)
        p[x] = scale * s->t[x] + s->pn * n[x];
}

/* m <- the columns of push for the impulses d on b. */
static inline void turn(const vec n[3], const vec d[3], vec m[8]) {
    vec c[3];
    cross(d, n, c);
    for (int x = 0; x < 3; x++) {
        m[x] = d[x];
        m[4 + x] = fill((real)2.5) * c[x];
    }
    m[3] = m[7] = fill(0);
}

/* From the impulses p. */
static inline void begin_from(const swept_body *all, const swept_octet *k, int l, const vec p[3],
                              stage *s) {
    vec n[3];
    meet(all, k, l, s->m);
    columns(k->n[0], l, n);
    try(s, n, load(k->bias + l), p);
}

static inline void begin(const swept_body *all, const swept_octet *k, int l, stage *s) {
    vec p[3];
    columns(k->p[0], l, p);
    begin_from(all, k, l, p, s);
}

/* Keeps the new impulse, its change as columns in s->m. */
static inline void keep(swept_octet *k, int l, vec friction, stage *s) {
    vec p[3], d[3], n[3];
    columns(k->n[0], l, n);
    slide(s, n, friction, p);
    for (int x = 0; x < 3; x++) {
        d[x] = p[x] - load(k->p[x] + l);
        memcpy(k->p[x] + l, &p[x], sizeof p[x]);
    }
    turn(n, d, s->m);
}

static inline void relax_one(swept_body *all, swept_octet *k, int l, vec friction) {
    stage s;
    begin(all, k, l, &s);
    keep(k, l, friction, &s);
    push(all, k, l, s.m);
}

/* The friction of one shape, or of particles. */
static inline vec friction_of(const swept_body *all, const swept_octet *octets) {
    return fill(all[octets->a[0]].friction);
}

/* Is the one lane idle? */
static inline bool skips(const swept_octet *k, int l) {
    return LANES == 1 && k->a[l] == k->b[l];
}

#if IMP_LANES > 1

/* From lane l of k and lane m of `next` on: the operations of one wait for each other, not for
 * those of the other. */
static inline void relax_abreast(swept_body *all, swept_octet *k, int l, swept_octet *next, int m,
                                 vec friction) {
    stage one, two;
    begin(all, k, l, &one);
    begin(all, next, m, &two);
    keep(k, l, friction, &one);
    keep(next, m, friction, &two);
    push(all, k, l, one.m);
    push(all, next, m, two.m);
}

#endif

#if IMP_LANES == 8

static __attribute__((noinline)) void relax_last(swept_body *all, swept_octet *k, vec friction) {
    relax_one(all, k, 0, friction);
}

static void relax(swept_body *all, swept_octet *octets, int count) {
    const vec friction = friction_of(all, octets);
    swept_octet *k = octets, *const end = octets + count;
    for (; end - k >= 2; k += 2)
        relax_abreast(all, k, 0, k + 1, 0, friction);
    if (k < end) relax_last(all, k, friction);
}

#elif IMP_LANES == 4

static void relax(swept_body *all, swept_octet *octets, int count) {
    const vec friction = friction_of(all, octets);
    for (swept_octet *k = octets; k < octets + count; k++)
        relax_abreast(all, k, 0, k, LANES, friction);
}

#else

static void relax(swept_body *all, swept_octet *octets, int count) {
    const vec friction = friction_of(all, octets);
    for (swept_octet *k = octets; k < octets + count; k++)
        for (int l = 0; l < WIDTH; l++)
            if (!skips(k, l)) relax_one(all, k, l, friction);
}

#endif

static void warm(swept_body *all, const swept_octet *octets, int count) {
    for (const swept_octet *k = octets; k < octets + count; k++)
        for (int l = 0; l < WIDTH; l += LANES) {
            vec n[3], p[3], m[8];
            if (skips(k, l)) continue;
            columns(k->n[0], l, n);
            columns(k->p[0], l, p);
            turn(n, p, m);
            push(all, k, l, m);
        }
}

/* Of the impulses that the bodies got, `share` of those that the octets hold. */
static double look(const swept_body *all, const swept_octet *octets, int count, real share) {
    const vec friction = friction_of(all, octets);
    real worst[LANES], most = 0;
    vec changes = fill(0);
    for (const swept_octet *k = octets; k < octets + count; k++)
        for (int l = 0; l < WIDTH; l += LANES) {
            stage s;
            vec n[3], p[3], d[3];
            if (skips(k, l)) continue;
            columns(k->p[0], l, p);
            for (int x = 0; x < 3; x++)
                d[x] = p[x] = fill(share) * p[x];
            begin_from(all, k, l, p, &s);
            columns(k->n[0], l, n);
            slide(&s, n, friction, p);
            for (int x = 0; x < 3; x++)
                d[x] = p[x] - d[x];
            changes = larger(s.m[3] * root(dot(d, d)), changes);
        }
    memcpy(worst, &changes, sizeof changes);
    for (int l = 0; l < LANES; l++)
        most = worst[l] > most ? worst[l] : most;
    return most;
}

static double kernel(const relaxation *of, work what, brick_contacts *c, int first, int count) {
    swept_body *all = swept_of(of);
    swept_octet *octets = octets_from(c, first);
    if (what == LOOK) return look(all, octets, count, (real)handed_out(of->set->blend));
    if (what == WARM)
        warm(all, octets, count);
    else
        relax(all, octets, count);
    return 0;
}

#endif
