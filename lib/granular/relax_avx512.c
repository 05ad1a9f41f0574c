/* relax_avx512.c - the closed one-contact solution of 8 contacts at once; the Makefile compiles it for such a CPU. */
#ifdef __AVX512F__
#include "granular/relax_lanes.h"

/* The bodies of a block to come are fetched while others are solved. */
static inline void fetch(const body *all, const block *k) {
    for (int l = 0; l < LANES; l++) {
        __builtin_prefetch(&all[k->a[l]], 1);
        __builtin_prefetch(&all[k->b[l]], 1);
    }
}

static __attribute__((noinline)) void relax_last(body *all, block *k, vec friction) {
    relax_one(all, k, 0, friction);
}

/* Two blocks go abreast: the operations of one wait for each other, not for those of the other. */
static void relax(const bodies *b, block *blocks, int n) {
    const vec friction = friction_of(b, blocks);
    block *k = blocks, *const end = blocks + n;
    for (; end - k >= 2; k += 2) {
        stage one, two;
        if (end - k >= 4) {
            fetch(b->body, k + 2);
            fetch(b->body, k + 3);
        }
        begin(b->body, k, 0, &one);
        begin(b->body, k + 1, 0, &two);
        keep(k, 0, friction, &one);
        keep(k + 1, 0, friction, &two);
        push(b->body, k, 0, one.m);
        push(b->body, k + 1, 0, two.m);
    }
    if (k < end) relax_last(b->body, k, friction);
}

static double kernel(const bodies *b, imp_granular_law law, work what, block *blocks, int n) {
    (void)law;
    if (what == LOOK) return look(b, blocks, n);
    if (what == WARM)
        warm(b, blocks, n);
    else
        relax(b, blocks, n);
    return 0;
}

imp_relax_kernel *const imp_relax_avx512 = kernel;
#else
#include "granular/relax.h"

imp_relax_kernel *const imp_relax_avx512 = NULL;
#endif
