/* test_batch_coulomb_kernel.c - the kernel of batch Coulomb enumeration as compiled here: what it
 * knows at once is what the search finds, what it leaves, and its certificate. */
#include "coulomb_sets.h"
#include "single/coulomb_only.h"

/* The same bits in every field; between them there may be anything. */
static bool same_set(const imp_coulomb_set *a, const imp_coulomb_set *b) {
    bool same = a->count == b->count && a->proven == b->proven && a->unique == b->unique &&
                a->maxdiss == b->maxdiss &&
                memcmp(&a->eccentricity, &b->eccentricity, sizeof a->eccentricity) == 0 &&
                memcmp(&a->unique_below, &b->unique_below, sizeof a->unique_below) == 0;
    for (int i = 0; i < IMP_COULOMB_MOST; i++) {
        const imp_coulomb_solution *x = &a->solution[i], *y = &b->solution[i];
        same = same && x->kind == y->kind && memcmp(x->p, y->p, sizeof x->p) == 0 &&
               memcmp(x->u, y->u, sizeof x->u) == 0 &&
               memcmp(&x->kappa, &y->kappa, sizeof x->kappa) == 0 &&
               memcmp(&x->energy, &y->energy, sizeof x->energy) == 0;
    }
    return same;
}

/* Where imp_coulomb_only knows the answer it is that of the search in everything; elsewhere it
 * writes nothing. It has the bits of the function as compiled here, without fused multiply-add. */
static void two_ways(void) {
    for (int class = 0; class < GEN_CLASSES; class ++) {
        double off = 0;
        int known = 0, wrong = 0;
        for (uint64_t i = 0; i < 3000; i++) {
            const gen_problem g = gen_make((gen_class) class, 70000 + i);
            imp_coulomb_set search = {0}, only = {.count = 77};
            const imp_status status = imp_coulomb_search(g.W, g.q, g.mu, &search);
            imp_coulomb_set plain = only;
            const bool is_known = imp_coulomb_only(g.W, g.q, g.mu, &only);
            wrong += only_solution(g.W, g.q, g.mu, &plain) != is_known || !same_set(&plain, &only);
            if (!is_known) {
                wrong += only.count != 77;
                continue;
            }
            const imp_coulomb_solution *x = only.solution, *y = search.solution;
            const double speed = largest(y->u),
                         pairs[][2] = {{x->kappa, y->kappa},
                                       {x->energy, y->energy},
                                       {only.eccentricity, search.eccentricity},
                                       {only.unique_below, search.unique_below}};
            known++;
            wrong += status != IMP_OK || only.count != 1 || !(off_search(&g, &only) <= 3e-15);
            for (int k = 0; k < 4; k++)
                if (pairs[k][0] != pairs[k][1])
                    off = tap_worst(off, fabs(pairs[k][0] - pairs[k][1]) / fabs(pairs[k][1]));
            if (speed > 0) off = tap_worst(off, apart(x->u, y->u) / speed);
            wrong += speed == 0 && largest(x->u) != 0;
        }
        ok(wrong == 0 && (known > 2000 || class == GEN_ZERO_CLOSING),
           "%s: %d of 3000 are known at once", gen_name((gen_class) class), known);
        ok(off <= 3e-15, "%s: velocity, kappa, energy and the test of uniqueness to %.1e",
           gen_name((gen_class) class), off);
    }
}

/* The kernel as compiled here, of one lane: what it leaves, and its certificate of answers that are
 * wrong. */
static void kernel(sets *s) {
    const imp_batch_columns columns = sets_of(s, 0);
    int left = 0, known = 0, different = 0;
    double least = INFINITY;
    for (int i = 0; i < ROOM; i++) {
        const gen_problem g = gen_make(i % 2 ? GEN_SPEED_BOX : GEN_FREE_BOX_5, (uint64_t)i);
        put(&s->b, i, &g);
    }
    for (int from = 0; from < ROOM; from += IMP_COULOMB_CHUNK) {
        uint64_t words[IMP_BATCH_WORDS] = {0};
        solve_chunk(&columns, (size_t)from, 0, words);
        left += __builtin_popcountll(words[0]);
    }
    ok(left < ROOM / 100, "boxes: %d of %d are left to the search", left, ROOM);
    clear_sets(s);
    (void)imp_coulomb_batch(&columns, ROOM, NULL);
    for (int i = 0; i < ROOM; i++) {
        static const double parts[] = {1e-1, 1e-4, 1e-8, -1e-8, -1e-4, -1e-1};
        const gen_problem g = get(&s->b, i);
        contact k;
        gen_dense dense;
        imp_certificate c;
        double p[3];
        gen_dense_of(&g, &dense);
        (void)take(g.W, g.q, g.mu, 0, &k);
        k.separating = false;
        for (int j = 0; j < 3; j++) {
            p[j] = s->b.p[j][i] * (1 + (i % 4 == j || (i % 4 == 3 && j > 0) ? parts[i % 6] : 0));
            k.x[j] = p[j] / k.unit;
        }
        if (!(p[0] > 0) ||
            imp_certify(&dense.problem, &imp_law_coulomb, NULL, p, NULL, &c) != IMP_OK)
            continue;
        const double residual = certify(&k);
        known++;
        least = fmin(least, residual);
        different += !(fabs(residual - c.worst) <= 1e-6 * c.worst + 1e-14);
    }
    ok(known > 4000 && different == 0, "%d wrong answers: the residual of imp_certify (%d not)",
       known, different);
    ok(least > 1e-12, "and never a small one: %.2g", least);
}

int main(void) {
    sets *s = sets_new();
    two_ways();
    kernel(s);
    free(s);
    return tap_done();
}
