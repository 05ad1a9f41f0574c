/* test_batch_darboux.c - the batch Darboux-Keller process: against the reference impacts, the
 * solver for one contact and the certificate that integrates again; the same bits for every width,
 * length and number of threads. */
#include "batch_columns.h"
#include "benchmarks/harness/impact_rows.h"
#include "generators/gen_impacts.h"
#include "single/darboux_chunk.h"
#include "tap.h"

static const imp_law *const laws[] = {&imp_law_darboux_stronge, &imp_law_darboux_poisson,
                                      &imp_law_darboux_newton};
static const char *const law_names[] = {"Stronge", "Poisson", "Newton"};

static double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double distance(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, size = length(b);
    return size > 0 ? length(d) / size : length(d);
}

static void answer_of(const batch *b, int i, double p[3]) {
    for (int k = 0; k < 3; k++)
        p[k] = b->p[k][i];
}

/* How many of the first n problems the kernel leaves to imp_darboux. */
static int count_left(batch *b, imp_darboux_law law, int n) {
    const imp_batch_columns columns = columns_of(b, 0);
    int count = 0;
    for (int from = 0; from + IMP_DARBOUX_CHUNK <= n; from += IMP_DARBOUX_CHUNK) {
        uint64_t left[IMP_BATCH_WORDS] = {0};
        solve_chunk(&columns, (size_t)from, (int)law, left);
        for (int k = 0; k < IMP_BATCH_WORDS; k++)
            count += __builtin_popcountll(left[k]);
    }
    return count;
}

/* ---- answers ---- */

static void reference_rows(batch *b) {
    static impact_row rows[IMPACT_ROWS];
    const int count = impact_rows_read("reference/data/mirtich_darboux.tsv", rows, IMPACT_ROWS);
    const imp_batch_columns columns = columns_of(b, 0);
    double worst = 0, residual = 0;
    int failed = 0, tested = 0;
    for (int law = 0; law < 3; law++) {
        int n = 0, row[IMPACT_ROWS];
        for (int i = 0; i < count; i++)
            if (rows[i].law == (imp_darboux_law)law) {
                row[n] = i;
                put(b, n++, &rows[i].problem);
            }
        clear_answers(b);
        failed += imp_darboux_batch(&columns, (imp_darboux_law)law, (size_t)n, NULL) != IMP_OK;
        for (int i = 0; i < n; i++, tested++) {
            const impact_row *r = &rows[row[i]];
            double p[3];
            answer_of(b, i, p);
            const double off = distance(p, r->answer.p) / fmax(1, r->condition);
            if (!(off <= 1e-14)) diag("%s: %.2g", r->id, off);
            worst = tap_worst(worst, off);
            residual = tap_worst(residual, b->residual[i]);
            failed += b->status[i] != IMP_OK;
        }
    }
    ok(tested == 212 && failed == 0, "%d reference impacts are solved", tested);
    ok(worst <= 1e-15, "to %.1e max(1, condition)", worst);
    ok(residual <= 1e-13, "with a certificate of %.1e", residual);
}

/* W nearly singular or a graze: the certificate by a second integration sees the problem's own
 * sensitivity there. */
static bool is_delicate(gen_impact_class c) {
    return c == GEN_IMPACT_SPD || c == GEN_IMPACT_GRAZE;
}

static void every_class(batch *b) {
    const int each = tap_many(64, 256);
    const imp_batch_columns columns = columns_of(b, 0);
    for (int class = 0; class < GEN_IMPACT_CLASSES; class ++) {
        double worst = 0, checked = 0, residual = 0;
        int failed = 0, left = 0;
        for (int law = 0; law < 3; law++) {
            for (int i = 0; i < each; i++) {
                gen_problem g = gen_impact((gen_impact_class) class, 7000 + (uint64_t)i);
                gen_stream s = gen_seed(901, (uint64_t)i);
                if (i % 4 == 3) g.e = gen_power10(&s, -8, -1);
                put(b, i, &g);
            }
            clear_answers(b);
            left += count_left(b, (imp_darboux_law)law, each);
            failed += imp_darboux_batch(&columns, (imp_darboux_law)law, each, NULL) != IMP_OK;
            for (int i = 0; i < each; i++) {
                const gen_problem g = get(b, i);
                gen_dense dense;
                imp_certificate c;
                double p[3], single[3];
                answer_of(b, i, p);
                gen_dense_of(&g, &dense);
                failed += imp_darboux(g.W, g.q, g.mu, g.e, (imp_darboux_law)law, single, NULL,
                                      NULL) != b->status[i];
                const bool known =
                    imp_certify(&dense.problem, laws[law], NULL, p, NULL, &c) == IMP_OK;
                checked = tap_worst(checked, i % 2 ? 0 : known ? c.worst : INFINITY);
                residual = tap_worst(residual, b->residual[i]);
                double off = distance(p, single);
                if (off > 1e-13)
                    off /= fmax(1, impact_condition(&g, (imp_darboux_law)law, 1e13 * off));
                worst = tap_worst(worst, off);
                if (!(off <= 2e-13)) gen_print_row(stderr, law_names[law], &g);
            }
        }
        const char *name = gen_impact_name((gen_impact_class) class);
        ok(failed == 0, "%s: %d impacts have the status of imp_darboux", name, 3 * each);
        ok(worst <= 2e-13, "%s: its answers to %.1e max(1, condition)", name, worst);
        const double most = is_delicate((gen_impact_class) class) ? 1e-6 : 1e-11;
        ok(checked <= most && residual <= most,
           "%s: residuals of %.1e on the way, %.1e by a second integration", name, residual,
           checked);
        ok(50 * left <= 3 * each, "%s: %d of %d left to imp_darboux", name, left, 3 * each);
    }
}

/* ---- the same bits ---- */

static void mixture(batch *b) {
    for (int i = 0; i < ROOM; i++) {
        const gen_impact_class class = (gen_impact_class)(i % GEN_IMPACT_CLASSES);
        const gen_problem g = spoiled(gen_impact(class, 9000 + (uint64_t)i), i);
        put(b, i, &g);
    }
}

static int count_different(const batch *a, const batch *b, int from, int n) {
    int different = 0;
    for (int i = from; i < from + n; i++) {
        bool same = a->status[i] == b->status[i] && same_bits(a->residual[i], b->residual[i]);
        for (int k = 0; k < 3; k++)
            same = same && same_bits(a->p[k][i], b->p[k][i]);
        different += !same;
    }
    return different;
}

static void same_everywhere(batch *b, batch *other) {
    const imp_batch_columns columns = columns_of(b, 0), others = columns_of(other, 0);
    mixture(b);
    memcpy(other, b, sizeof *other);
    for (int law = 0; law < 3; law++) {
        clear_answers(b);
        imp_darboux_batch(&columns, (imp_darboux_law)law, ROOM, &(imp_batch_settings){1, 1});
        for (int w = 1; w < 3; w++) {
            if (imp_batch_lanes(widths[w]) != widths[w]) {
                skip("this machine or this build does not have so many lanes");
                continue;
            }
            clear_answers(other);
            imp_darboux_batch(&others, (imp_darboux_law)law, ROOM,
                              &(imp_batch_settings){widths[w], 1});
            ok(count_different(b, other, 0, ROOM) == 0, "%s: %d lanes have the bits of one",
               law_names[law], widths[w]);
        }
        for (int threads = 2; threads <= 5; threads += 3) {
            clear_answers(other);
            imp_darboux_batch(&others, (imp_darboux_law)law, ROOM - 5,
                              &(imp_batch_settings){0, threads});
            ok(count_different(b, other, 0, ROOM - 5) == 0, "%s: %d threads have the bits of one",
               law_names[law], threads);
        }
    }
    int bad = 0, beside = 0;
    for (int n = 0; n < 300; n += n < 20 ? 1 : 47) { /* b holds Newton's answers */
        const int from = (7 * n) % 61;
        const imp_batch_columns part = columns_of(other, from);
        clear_answers(other);
        imp_darboux_batch(&part, IMP_NEWTON, (size_t)n, NULL);
        bad += count_different(b, other, from, n);
        for (int i = 0; i < ROOM; i++)
            if (i < from || i >= from + n)
                beside += other->status[i] != IMP_STATUS_END ||
                          !same_bits(other->p[0][i], untouched) ||
                          !same_bits(other->residual[i], untouched);
    }
    ok(bad == 0, "whatever the neighbours, every length has the same bits");
    ok(beside == 0, "and writes nothing beside it");
}

/* ---- what is wrong or extreme ---- */

static void statuses(batch *b) {
    const imp_batch_columns columns = columns_of(b, 0);
    int different = 0, nan = 0, seen[16] = {0};
    mixture(b);
    clear_answers(b);
    imp_darboux_batch(&columns, IMP_POISSON, ROOM, NULL);
    for (int i = 0; i < ROOM; i++) {
        const gen_problem g = get(b, i);
        double p[3] = {untouched, untouched, untouched}, mine[3];
        const imp_status status = imp_darboux(g.W, g.q, g.mu, g.e, IMP_POISSON, p, NULL, NULL);
        answer_of(b, i, mine);
        different += b->status[i] != status || (status < 0 && memcmp(p, mine, sizeof p) != 0);
        different += status < 0 && !same_bits(b->residual[i], untouched);
        nan +=
            !(isfinite(mine[0]) && isfinite(mine[1]) && isfinite(mine[2])) || isnan(b->residual[i]);
        seen[status < 0 ? -status : 0]++;
    }
    ok(different == 0, "every status is that of imp_darboux, and bad problems are not touched");
    ok(nan == 0, "no answer is infinite or NaN");
    ok(seen[0] > 0 && seen[-IMP_NOT_FINITE] > 0 && seen[-IMP_NOT_POSITIVE] > 0 &&
           seen[-IMP_BAD_FRICTION] > 0 && seen[-IMP_BAD_RESTITUTION] > 0,
       "%d ok, %d not finite, %d not positive, %d and %d bad coefficients", seen[0],
       seen[-IMP_NOT_FINITE], seen[-IMP_NOT_POSITIVE], seen[-IMP_BAD_FRICTION],
       seen[-IMP_BAD_RESTITUTION]);
}

/* The impulse that stops a slip is the same however little p_n that takes. */
static void huge_friction(batch *b) {
    const imp_batch_columns columns = columns_of(b, 0);
    int n = 0;
    double worst = 0;
    for (int decades = 4; decades <= 300; decades += 4, n++) {
        const gen_problem g = {
            .W = {2, 0, 0, 3, 0, 3}, .q = {-1, 0.6, 0.8}, .mu = pow(10, decades), .e = 0.5};
        put(b, n, &g);
    }
    for (int law = 0; law < 3; law++) {
        clear_answers(b);
        imp_darboux_batch(&columns, (imp_darboux_law)law, (size_t)n, NULL);
        for (int i = 0; i < n; i++) {
            const double want[3] = {0.75, -0.2, -0.8 / 3};
            double p[3];
            answer_of(b, i, p);
            worst = tap_worst(worst, b->status[i] == IMP_OK ? distance(p, want) : INFINITY);
        }
    }
    ok(worst < 1e-14, "mu to 1e300: %.1e", worst);
}

/* Units from 1e-150 to 1e150 and beyond: powers of two give the same bits as long as the kernel
 * takes them. */
static void units(batch *b, batch *other) {
    static const int exponents[][2] = {
        {-470, 470}, {470, -470}, {470, 470}, {-470, -470}, {-1000, 0},   {1000, 0},    {0, -1000},
        {0, 990},    {-1060, 0},  {0, -1060}, {-600, -600}, {1010, 1000}, {-1020, 1000}};
    const imp_batch_columns columns = columns_of(b, 0), others = columns_of(other, 0);
    enum { EACH = 256, CASES = sizeof exponents / sizeof *exponents };
    for (int i = 0; i < EACH; i++) {
        const gen_problem g =
            gen_impact(i % 2 ? GEN_IMPACT_BODY : GEN_IMPACT_STEEP, 300 + (uint64_t)i);
        put(b, i, &g);
    }
    clear_answers(b);
    imp_darboux_batch(&columns, IMP_STRONGE, EACH, NULL);
    for (int c = 0; c < CASES; c++) {
        const int W = exponents[c][0], q = exponents[c][1];
        int failed = 0, different = 0;
        double worst = 0;
        for (int i = 0; i < EACH; i++) {
            gen_problem g = get(b, i);
            for (int k = 0; k < 6; k++)
                g.W[k] = ldexp(g.W[k], W);
            for (int k = 0; k < 3; k++)
                g.q[k] = ldexp(g.q[k], q);
            put(other, i, &g);
        }
        clear_answers(other);
        imp_darboux_batch(&others, IMP_STRONGE, EACH, NULL);
        for (int i = 0; i < EACH; i++) {
            double p[3], want[3], single[3];
            const gen_problem g = get(other, i);
            const imp_status status =
                imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, single, NULL, NULL);
            answer_of(other, i, p);
            for (int k = 0; k < 3; k++)
                want[k] = ldexp(b->p[k][i], q - W);
            failed += other->status[i] != status || isnan(length(p));
            if (status == IMP_OK && abs(W) < 500 && abs(q) < 500)
                different += memcmp(p, want, sizeof p) != 0;
            if (status == IMP_OK && length(single) > 1e-290 && length(single) < 1e290)
                worst = tap_worst(worst, distance(p, single));
        }
        ok(failed == 0 && different == 0 && worst < 1e-12,
           "units 2^%d 1/kg and 2^%d m/s: as imp_darboux, to %.1e", W, q, worst);
    }
}

/* Friction down to 1e-90 of the push that stops a slip all the same: where W couples nothing by p_f
 * = -W_ff^-1 q_f, whatever the restitution; without it the certificate misses all of the slip. */
static void little_friction(batch *b) {
    enum { N = 4 * IMP_DARBOUX_CHUNK };
    const imp_batch_columns columns = columns_of(b, 0);
    double off = 0, apart = 0, residual = 0, least = INFINITY;
    for (int law = 0; law < 3; law++) {
        for (int i = 0; i < N; i++) {
            gen_stream s = gen_seed(913, (uint64_t)i);
            const double gives = gen_power10(&s, -30, 30), mu = gen_power10(&s, -2, 2),
                         slip = 1e-4 * mu * gives * gen_power10(&s, -60, 0),
                         at = gen_uniform(&s, 0, 7);
            put(b, i,
                &(gen_problem){.W = {1, 0, 0, gives, 0, 3 * gives},
                               .q = {-1, slip * cos(at), slip * sin(at)},
                               .mu = mu,
                               .e = gen_uniform(&s, 0, 1)});
        }
        clear_answers(b);
        (void)imp_darboux_batch(&columns, (imp_darboux_law)law, N, NULL);
        for (int i = 0; i < N; i++) {
            const gen_problem g = get(b, i);
            const double want[3] = {0, -g.q[1] / g.W[3], -g.q[2] / g.W[5]};
            double p[3], one[3];
            answer_of(b, i, p);
            (void)imp_darboux(g.W, g.q, g.mu, g.e, (imp_darboux_law)law, one, NULL, NULL);
            residual = tap_worst(residual, gen_residual(&g, laws[law], p));
            residual = tap_worst(residual, gen_residual(&g, laws[law], one));
            const double without[3] = {p[0], 0, 0};
            least = fmin(least, gen_residual(&g, laws[law], without));
            p[0] = one[0] = 0;
            off = tap_worst(off, distance(p, want));
            apart = tap_worst(apart, distance(one, want));
        }
    }
    ok(off < 1e-14 && apart < 1e-14 && residual < 1e-14,
       "friction that is little: %.1e off in the batch, %.1e alone, residual %.1e", off, apart,
       residual);
    ok(least > 0.99, "and without it: residual %.2g", least);
}

static void misuse(batch *b) {
    imp_batch_columns columns = columns_of(b, 0);
    clear_answers(b);
    ok(imp_darboux_batch(NULL, IMP_STRONGE, 1, NULL) == IMP_BAD_ARGUMENT, "no columns");
    ok(imp_darboux_batch(&columns, IMP_COMPLIANT, 64, NULL) == IMP_BAD_ARGUMENT,
       "a law without restitution");
    ok(imp_darboux_batch(&columns, (imp_darboux_law)17, 64, NULL) == IMP_BAD_ARGUMENT, "no law");
    ok(imp_darboux_batch(&columns, IMP_NEWTON, 64, &(imp_batch_settings){0, 0}) == IMP_BAD_ARGUMENT,
       "no threads");
    ok(imp_darboux_batch(&columns, IMP_NEWTON, 64, &(imp_batch_settings){3, 1}) == IMP_UNSUPPORTED,
       "three lanes");
    columns.p[1] = NULL;
    ok(imp_darboux_batch(&columns, IMP_NEWTON, 64, NULL) == IMP_BAD_ARGUMENT,
       "a column is missing");
    ok(b->p[0][0] == untouched && b->status[0] == IMP_STATUS_END, "and nothing is written");
    columns = columns_of(b, 0);
    columns.e = NULL;
    int above = 0;
    for (int i = 0; i < 100; i++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, (uint64_t)i);
        put(b, i, &g);
    }
    imp_darboux_batch(&columns, IMP_STRONGE, 100, NULL);
    for (int i = 0; i < 100; i++)
        above += !(fabs(b->W[0][i] * b->p[0][i] + b->W[1][i] * b->p[1][i] +
                        b->W[2][i] * b->p[2][i] + b->q[0][i]) < 1e-12 * fabs(b->q[0][i]));
    ok(above == 0, "without a column of restitution the normal velocity ends at 0");
}

int main(void) {
    batch *b = batch_new(), *other = batch_new();
    reference_rows(b);
    every_class(b);
    same_everywhere(b, other);
    statuses(b);
    units(b, other);
    huge_friction(b);
    little_friction(b);
    misuse(b);
    free(other);
    free(b);
    return tap_done();
}
