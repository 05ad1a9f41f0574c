/* test_batch.c - batch maximum dissipation against imp_maxdiss and imp_certify: the same bits for
 * every class, width, length and number of threads, and every kind of problem beside every
 * other. */
#include "batch_columns.h"
#define IMP_ONE_LANE
#include "single/maxdiss_lanes.h"
#include "tap.h"

/* Is problem i what imp_maxdiss makes of it? *off <- the difference from its certificate. */
static bool as_single(const batch *b, int i, double *off) {
    const gen_problem g = get(b, i);
    double p[3] = {untouched, untouched, untouched};
    const imp_status status = imp_maxdiss(g.W, g.q, g.mu, g.e, p, NULL);
    bool same = b->status[i] == status;
    for (int k = 0; k < 3; k++)
        same = same && same_bits(b->p[k][i], p[k]);
    gen_dense dense;
    imp_certificate certificate;
    gen_dense_of(&g, &dense);
    if (status < 0)
        same = same && same_bits(b->residual[i], untouched);
    else if (imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, NULL, &certificate) != IMP_OK)
        same = same && isinf(b->residual[i]);
    else
        *off = tap_worst(*off,
                         fabs(b->residual[i] - certificate.worst) / (1 + 1e4 * certificate.worst));
    return same;
}

static int count_different(const batch *b, int n, double *off) {
    int different = 0;
    for (int i = 0; i < n; i++)
        if (!as_single(b, i, off) && different++ == 0) {
            const gen_problem g = get(b, i);
            diag("problem %d: %s, p = %.17g %.17g %.17g", i, imp_status_text(b->status[i]),
                 b->p[0][i], b->p[1][i], b->p[2][i]);
            gen_print_row(stderr, "different", &g);
        }
    return different;
}

static void every_class(batch *b) {
    const imp_batch_columns columns = columns_of(b, 0);
    for (int w = 0; w < 3; w++) {
        const imp_batch_settings settings = {.lanes = widths[w], .threads = 1};
        if (imp_batch_lanes(widths[w]) != widths[w]) {
            skip("this machine or this build does not have so many lanes");
            continue;
        }
        for (int class = 0; class < GEN_CLASSES; class ++) {
            double off = 0;
            for (int i = 0; i < ROOM; i++) {
                gen_problem g = gen_make((gen_class) class, (uint64_t)i);
                g.e = i % 3 == 0 ? (double)(i % 10) / 9 : 0;
                put(b, i, &g);
            }
            clear_answers(b);
            const imp_status status = imp_maxdiss_batch(&columns, ROOM, &settings);
            const int different = count_different(b, ROOM, &off);
            ok(status == IMP_OK && different == 0, "%s, %d lanes: the bits of imp_maxdiss",
               gen_name((gen_class) class), widths[w]);
            is_near(off, 0, 5e-15, 0, "%s, %d lanes: the residual of imp_certify",
                    gen_name((gen_class) class), widths[w]);
        }
    }
}

static void mixtures(batch *b) {
    const imp_batch_columns columns = columns_of(b, 0);
    int seen[5] = {0};
    for (int i = 0; i < ROOM; i++) {
        const gen_problem g = spoiled(gen_make((gen_class)(i % GEN_CLASSES), (uint64_t)i), i);
        put(b, i, &g);
    }
    for (int w = 0; w < 3; w++) {
        double off = 0;
        if (imp_batch_lanes(widths[w]) != widths[w]) continue;
        clear_answers(b);
        imp_maxdiss_batch(&columns, ROOM, &(imp_batch_settings){widths[w], 1});
        ok(count_different(b, ROOM, &off) == 0,
           "%d lanes: good, bad and extreme problems side by side", widths[w]);
        is_near(off, 0, 5e-15, 0, "their residuals");
    }
    for (int i = 0; i < ROOM; i++) {
        seen[0] += b->status[i] == IMP_OK;
        seen[1] += b->status[i] == IMP_NOT_FINITE;
        seen[2] += b->status[i] == IMP_NOT_POSITIVE;
        seen[3] += b->status[i] == IMP_BAD_FRICTION;
        seen[4] += b->status[i] == IMP_BAD_RESTITUTION;
    }
    ok(seen[0] > 0 && seen[1] > 0 && seen[2] > 0 && seen[3] > 0 && seen[4] > 0,
       "%d ok, %d not finite, %d not positive, %d and %d bad coefficients", seen[0], seen[1],
       seen[2], seen[3], seen[4]);
}

/* Any length, from any place on, with any number of threads; nothing beside the range is
 * written. */
static void lengths(batch *b, batch *whole) {
    const imp_batch_columns all = columns_of(whole, 0);
    int bad = 0, beside = 0;
    memcpy(whole, b, sizeof *whole);
    clear_answers(whole);
    imp_maxdiss_batch(&all, ROOM, NULL);
    for (int n = 0; n < 300; n += n < 70 ? 1 : 37) {
        const int from = (7 * n) % 61;
        const imp_batch_columns part = columns_of(b, from);
        clear_answers(b);
        imp_maxdiss_batch(&part, (size_t)n, &(imp_batch_settings){.threads = 1 + n % 3});
        for (int i = 0; i < ROOM; i++) {
            const bool in = i >= from && i < from + n;
            for (int k = 0; k < 4; k++) {
                const double *got = k < 3 ? b->p[k] : b->residual,
                             *want = k < 3 ? whole->p[k] : whole->residual;
                /* the tail is solved in another place, so its certificate too must not depend on
                 * that */
                if (in) bad += !same_bits(got[i], want[i]);
                if (!in) beside += !same_bits(got[i], untouched);
            }
            if (in) bad += b->status[i] != whole->status[i];
            if (!in) beside += b->status[i] != IMP_STATUS_END;
        }
    }
    ok(bad == 0, "every length has the same bits");
    ok(beside == 0, "and writes nothing beside it");
    for (int threads = 1; threads <= 5; threads += 2) {
        const imp_batch_columns columns = columns_of(b, 0);
        clear_answers(b);
        imp_maxdiss_batch(&columns, ROOM - 5, &(imp_batch_settings){.threads = threads});
        const size_t bytes = (ROOM - 5) * sizeof(double);
        ok(memcmp(b->p[0], whole->p[0], bytes) == 0 && memcmp(b->p[1], whole->p[1], bytes) == 0 &&
               memcmp(b->p[2], whole->p[2], bytes) == 0 &&
               memcmp(b->residual, whole->residual, bytes) == 0,
           "%d threads: the same bits", threads);
    }
}

static void misuse(batch *b) {
    imp_batch_columns columns = columns_of(b, 0);
    clear_answers(b);
    ok(imp_maxdiss_batch(NULL, 1, NULL) == IMP_BAD_ARGUMENT, "no columns");
    ok(imp_maxdiss_batch(&columns, 64, &(imp_batch_settings){0, 0}) == IMP_BAD_ARGUMENT,
       "no threads");
    ok(imp_maxdiss_batch(&columns, 64, &(imp_batch_settings){0, IMP_THREADS_MOST + 1}) ==
           IMP_BAD_ARGUMENT,
       "more threads than any call may have");
    ok(imp_maxdiss_batch(&columns, 64, &(imp_batch_settings){-4, 1}) == IMP_BAD_ARGUMENT,
       "fewer than no lanes");
    ok(imp_maxdiss_batch(&columns, 64, &(imp_batch_settings){3, 1}) == IMP_UNSUPPORTED,
       "three lanes");
    ok(imp_maxdiss_batch(&columns, 64, &(imp_batch_settings){16, 1}) == IMP_UNSUPPORTED,
       "sixteen lanes");
    const imp_batch_kernel none = {0, NULL}, plain = {1, NULL};
    const imp_batch_method old = {.plain = &plain, .avx2 = &none, .avx512 = &none};
    ok(imp_batch_kernel_of(&old, 8) == &plain, "a build that has but the plain kernel");
    columns.residual = NULL;
    ok(imp_maxdiss_batch(&columns, 64, NULL) == IMP_BAD_ARGUMENT, "a column is missing");
    ok(b->p[0][0] == untouched && b->status[0] == IMP_STATUS_END, "and nothing is written");
    columns = columns_of(b, 0);
    columns.e = NULL;
    for (int i = 0; i < 100; i++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, (uint64_t)i);
        put(b, i, &g);
    }
    double off = 0;
    imp_maxdiss_batch(&columns, 100, NULL);
    ok(count_different(b, 100, &off) == 0, "without a column of restitution it is 0");
    const gen_problem lever = {.W = {1, 5e4, 0, 1e10, 0, 1}, .q = {-1e305, 0, 0}};
    put(b, 0, &lever);
    imp_maxdiss_batch(&columns, 1, NULL);
    ok(b->status[0] == IMP_OK && b->p[0][0] == 1e305 && isinf(b->residual[0]),
       "velocities beyond double: the residual is infinite");
}

/* The kernel's certificate of answers that are wrong: each entry off by a part, seen from the
 * kernel's first stage. The build flags of a test make one lane of it. */
static void wrong_answers(batch *b) {
    static const double parts[] = {1e-1, 1e-4, 1e-8, -1e-8, -1e-4, -1e-1};
    const imp_batch_columns columns = columns_of(b, 0);
    int slides = 0, sticks = 0, different = 0, harsher = 0;
    double least = INFINITY;
    for (int i = 0; i < ROOM; i++) {
        gen_problem g = gen_make(i % 2 ? GEN_SPEED_BOX : GEN_SPD_8, (uint64_t)i);
        if (i % 5 == 0) g.mu *= 20;
        g.e = i % 3 == 0 ? (double)(i % 10) / 9 : 0;
        put(b, i, &g);
    }
    clear_answers(b);
    (void)imp_maxdiss_batch(&columns, ROOM, NULL);
    for (int i = 0; i < ROOM; i++) {
        const gen_problem g = get(b, i);
        contact k;
        gen_dense dense;
        double p[3];
        gen_dense_of(&g, &dense);
        reduce(g.W, g.q, g.mu, g.e, &k);
        classify(&k);
        const double part = parts[i % 6],
                     plain[3] = {i % 4 == 0, i % 4 == 1 || i % 4 == 3, i % 4 == 2 || i % 4 == 3};
        for (int j = 0; j < 3; j++) {
            p[j] = b->p[j][i] * (1 + part * plain[j]);
            k.x[j] = p[j] / k.unit;
        }
        k.length = sqrt(k.x[1] * k.x[1] + k.x[2] * k.x[2]);
        const double pressed = k.Ann * k.x[0] + k.a[0] * k.x[1] + k.a[1] * k.x[2];
        if (!(k.slide || k.stick) || pressed < 0) continue;
        const double judged = gen_residual_of_terms(&g, &imp_law_maxdiss, p);
        if (!isfinite(judged)) continue;
        const double residual = certify(&k);
        slides += k.slide;
        sticks += k.stick;
        least = fmin(least, residual);
        /* the law takes the milder of sticking and sliding, the kernel the one the data say: no
         * milder */
        const bool same = fabs(residual - judged) <= 1e-6 * judged + 1e-14;
        harsher += !same && residual > judged;
        if (!(same || residual > judged) && different++ == 0)
            diag("problem %d, leaf %s: %g, imp_certify %g", i, k.slide ? "slide" : "stick",
                 residual, judged);
    }
    ok(different == 0 && slides > 1000 && sticks > 100 && harsher < (slides + sticks) / 20,
       "wrong answers, %d that slide and %d that stick: the residual of imp_certify, %d times a "
       "larger one",
       slides, sticks, harsher);
    ok(least > 1e-12, "and never a small one: %.2g", least);
    uint64_t left[IMP_BATCH_WORDS] = {0};
    solve_chunk(&columns, 0, 0, left);
    ok(left[0] != ~UINT64_C(0), "the kernel as compiled here runs");
}

int main(void) {
    batch *b = batch_new(), *whole = batch_new();
    ok(imp_batch_lanes(1) == 1 && imp_batch_lanes(3) == 1 &&
           imp_batch_lanes(8) >= imp_batch_lanes(4),
       "lanes of this machine: %d", imp_batch_lanes(1000));
    every_class(b);
    mixtures(b);
    lengths(b, whole);
    misuse(b);
    wrong_answers(b);
    free(whole);
    free(b);
    return tap_done();
}
