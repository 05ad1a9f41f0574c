/* test_batch_coulomb.c - batch Coulomb enumeration: against the reference solutions,
 * imp_coulomb_enumerate, the search that knows no kernel, and imp_certify, of every class, about
 * places where the number of solutions changes, and of spoiled problems; the same bits for every
 * width, length and number of threads. */
#include "coulomb_sets.h"
#include "reference/oracle/sheet.h"
#include "tap.h"

typedef struct worst {
    /* distances from imp_coulomb_search and imp_certify; the latter */
    double impulse, residual, certificate;
} worst;

/* Is problem i what imp_coulomb_enumerate makes of it, and nothing written beyond its solutions? */
static bool as_single(const sets *s, int i, worst *w) {
    const gen_problem g = get(&s->b, i);
    const imp_coulomb_brief *found = &s->brief[i];
    imp_coulomb_set set = {0};
    double p[3];
    imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
    if (status >= 0 && !(g.e == 0))
        status = isfinite(g.e) ? g.e > 0 && g.e <= 1 ? IMP_UNSUPPORTED : IMP_BAD_RESTITUTION
                               : IMP_NOT_FINITE;
    if (s->b.status[i] != status) return false;
    if (status < 0)
        return memcmp(found, &blank, sizeof blank) == 0 && solution(s, i, 0, p) == untouched &&
               p[0] == untouched;
    w->impulse = tap_worst(w->impulse, off_search(&g, &set));
    bool same =
        found->count == set.count && found->proven == set.proven && found->unique == set.unique;
    same = same && (set.count == 0 || found->maxdiss == set.maxdiss);
    for (int k = 0; k < set.count && same; k++) {
        gen_dense dense;
        imp_certificate c;
        const double residual = solution(s, i, k, p);
        gen_dense_of(&g, &dense);
        same =
            found->kind[k] == set.solution[k].kind && memcmp(p, set.solution[k].p, sizeof p) == 0;
        if (imp_certify(&dense.problem, &imp_law_coulomb, NULL, p, NULL, &c) != IMP_OK) {
            same = same && isinf(residual);
            continue;
        }
        w->residual = tap_worst(w->residual, fabs(residual - c.worst) / (1 + 1e4 * c.worst));
        w->certificate = tap_worst(w->certificate, c.worst);
    }
    for (int k = set.count > 1 ? set.count : 1; k < IMP_COULOMB_MOST; k++)
        same = same && solution(s, i, k, p) == untouched && p[0] == untouched &&
               p[1] == untouched && p[2] == untouched;
    return same;
}

static int count_different(const sets *s, int n, worst *w) {
    int different = 0;
    for (int i = 0; i < n; i++)
        if (!as_single(s, i, w) && different++ == 0) {
            const gen_problem g = get(&s->b, i);
            diag("problem %d: %s, %d solutions", i, imp_status_text(s->b.status[i]),
                 s->brief[i].count);
            gen_print_row(stderr, "different", &g);
        }
    return different;
}

/* Do problems 0 .. n-1 of both have the same bits everywhere? */
static bool same_answers(const sets *a, const sets *b, int n) {
    const size_t bytes = (size_t)n * sizeof(double);
    bool same = memcmp(a->b.status, b->b.status, (size_t)n * sizeof *a->b.status) == 0 &&
                memcmp(a->brief, b->brief, (size_t)n * sizeof *a->brief) == 0 &&
                memcmp(a->b.residual, b->b.residual, bytes) == 0;
    for (int j = 0; j < 3; j++) {
        same = same && memcmp(a->b.p[j], b->b.p[j], bytes) == 0;
        for (int k = 0; k < MORE; k++)
            same = same && memcmp(a->p[k][j], b->p[k][j], bytes) == 0;
    }
    for (int k = 0; k < MORE; k++)
        same = same && memcmp(a->residual[k], b->residual[k], bytes) == 0;
    return same;
}

/* The first ROOM problems in s, by every width; the sets of one lane in `alone`. */
static void every_width(sets *s, sets *alone, const char *name) {
    const imp_batch_columns columns = sets_of(s, 0), once = sets_of(alone, 0);
    worst w = {0};
    memcpy(&alone->b, &s->b, sizeof s->b);
    clear_sets(alone);
    const imp_status status = imp_coulomb_batch(&once, ROOM, &(imp_batch_settings){1, 1});
    const int different = count_different(alone, ROOM, &w);
    ok(status == IMP_OK && different == 0, "%s: the sets and the bits of imp_coulomb_enumerate",
       name);
    ok(w.impulse <= 3e-15, "%s: those of the search, impulses to %.1e of their size", name,
       w.impulse);
    ok(w.residual <= 5e-15 && w.certificate <= 1e-12,
       "%s: residuals up to %.1e, imp_certify's to %.1e", name, w.certificate, w.residual);
    for (int k = 1; k < 3; k++) {
        if (imp_batch_lanes(widths[k]) != widths[k]) {
            skip("this machine or this build does not have so many lanes");
            continue;
        }
        clear_sets(s);
        (void)imp_coulomb_batch(&columns, ROOM, &(imp_batch_settings){widths[k], 1});
        ok(same_answers(s, alone, ROOM), "%s, %d lanes: the same bits", name, widths[k]);
    }
}

static void every_class(sets *s, sets *alone) {
    for (int class = 0; class < GEN_CLASSES; class ++) {
        for (int i = 0; i < ROOM; i++) {
            const gen_problem g = gen_make((gen_class) class, (uint64_t)i);
            put(&s->b, i, &g);
        }
        every_width(s, alone, gen_name((gen_class) class));
    }
    for (int i = 0; i < ROOM; i++) {
        const gen_problem g = spoiled(gen_make((gen_class)(i % GEN_CLASSES), (uint64_t)i), i);
        put(&s->b, i, &g);
    }
    every_width(s, alone, "good, bad and extreme problems side by side");
}

/* Problems with several solutions, each beside ones with a single one, and both neighbours, among
 * the doubles, of every mu at which the number changes. */
static int count_at(gen_problem g, double mu) {
    imp_coulomb_set set = {0};
    (void)imp_coulomb_enumerate(g.W, g.q, mu, &set);
    return set.count;
}

static void where_counts_change(sets *s, sets *alone) {
    static const gen_class classes[] = {GEN_SEVERAL, GEN_SPD_4,        GEN_SPD_8,     GEN_SIX_POINT,
                                        GEN_OPENING, GEN_TINY_CLOSING, GEN_FREE_BOX_5};
    int n = 0, several = 0;
    for (uint64_t i = 0; n < ROOM; i++) {
        gen_problem g = gen_make(classes[i % 7], i);
        double few = g.mu, many = g.mu * (i % 2 ? 3 : 0.3);
        const int count = count_at(g, few);
        if (count == count_at(g, many)) {
            if (count > 1 || i % 50 == 0) put(&s->b, n++, &g);
            several += count > 1;
            continue;
        }
        for (double mu = 0.5 * (few + many); mu != few && mu != many; mu = 0.5 * (few + many))
            *(count_at(g, mu) == count ? &few : &many) = mu;
        g.mu = few;
        put(&s->b, n++, &g);
        g.mu = many;
        if (n < ROOM) put(&s->b, n++, &g);
        several++;
    }
    ok(several > ROOM / 4, "%d of %d problems with several solutions or next to such", several,
       ROOM);
    every_width(s, alone, "where the number of solutions changes");
}

static double number(const sheet *t, int row, const char *column) {
    return (double)sheet_number(t, row, column);
}

static void reference_rows(sets *s) {
    static const char *const name[] = {"W11", "W12", "W13", "W22", "W23", "W33"};
    sheet *t = sheet_read("reference/data/preclik2017_coulomb.tsv");
    const imp_batch_columns columns = sets_of(s, 0);
    double off = 0;
    int wrong = 0, several = 0;
    if (!t) abort();
    for (int row = 0; row < t->rows; row++) {
        gen_problem g = {.q = {number(t, row, "q1"), number(t, row, "q2"), number(t, row, "q3")},
                         .mu = number(t, row, "mu")};
        for (int k = 0; k < 6; k++)
            g.W[k] = number(t, row, name[k]);
        put(&s->b, row, &g);
    }
    clear_sets(s);
    (void)imp_coulomb_batch(&columns, (size_t)t->rows, NULL);
    for (int row = 0; row < t->rows; row++) {
        const int k = (int)number(t, row, "index"), count = s->brief[row].count;
        const double want[3] = {number(t, row, "p1"), number(t, row, "p2"), number(t, row, "p3")};
        const bool fits = s->b.status[row] == IMP_OK && s->brief[row].proven &&
                          count == number(t, row, "count") && k < count;
        double p[3], size = 0;
        for (int j = 0; j < count; j++) {
            (void)solution(s, row, j, p);
            size = fmax(size, largest(p));
        }
        several += count > 1;
        wrong += !fits || strcmp(imp_coulomb_kind_text((imp_coulomb_kind)s->brief[row].kind[k]),
                                 sheet_text(t, row, "kind")) != 0;
        (void)solution(s, row, k, p);
        if (fits && size > 0) off = tap_worst(off, apart(p, want) / size);
    }
    ok(t->rows > 100 && several > 20 && wrong == 0,
       "%d reference rows, %d of several solutions: counts and kinds (%d wrong)", t->rows, several,
       wrong);
    ok(off <= 1e-12, "and their impulses, to %.1e", off);
    sheet_free(t);
}

/* Any length, from any place on, with any number of threads; nothing beside the range is
 * written. */
static void lengths(sets *s, sets *whole) {
    const imp_batch_columns once = sets_of(whole, 0), columns = sets_of(s, 0);
    int bad = 0, beside = 0;
    for (int i = 0; i < ROOM; i++) {
        const gen_problem g = spoiled(gen_make((gen_class)(i % GEN_CLASSES), (uint64_t)i), i);
        put(&s->b, i, &g);
    }
    memcpy(&whole->b, &s->b, sizeof s->b);
    clear_sets(whole);
    (void)imp_coulomb_batch(&once, ROOM, NULL);
    for (int n = 0; n < 300; n += n < 70 ? 1 : 37) {
        const int from = (7 * n) % 61;
        const imp_batch_columns part = sets_of(s, from);
        clear_sets(s);
        (void)imp_coulomb_batch(&part, (size_t)n, &(imp_batch_settings){.threads = 1 + n % 3});
        for (int i = 0; i < ROOM; i++) {
            const bool in = i >= from && i < from + n;
            int off = s->b.status[i] != (in ? whole->b.status[i] : IMP_STATUS_END);
            off += memcmp(&s->brief[i], in ? &whole->brief[i] : &blank, sizeof blank) != 0;
            for (int k = 0; k < IMP_COULOMB_MOST; k++) {
                double got[4], want[4] = {untouched, untouched, untouched, untouched};
                got[3] = solution(s, i, k, got);
                if (in) want[3] = solution(whole, i, k, want);
                off += memcmp(got, want, sizeof got) != 0;
            }
            *(in ? &bad : &beside) += off;
        }
    }
    ok(bad == 0, "every length has the same bits");
    ok(beside == 0, "and writes nothing beside it");
    for (int threads = 2; threads <= 5; threads++) {
        clear_sets(s);
        (void)sets_of(s, 0);
        (void)imp_coulomb_batch(&columns, ROOM, &(imp_batch_settings){.threads = threads});
        ok(same_answers(s, whole, ROOM), "%d threads: the same bits", threads);
    }
}

static void uses(sets *s) {
    imp_batch_columns columns = sets_of(s, 0);
    int seen[4] = {0};
    for (int i = 0; i < ROOM; i++) {
        gen_problem g = gen_make(GEN_SEVERAL, (uint64_t)i);
        g.e = i % 4 == 1 ? 0.5 : i % 4 == 2 ? 2 : i % 4 == 3 ? NAN : 0;
        put(&s->b, i, &g);
    }
    clear_sets(s);
    (void)imp_coulomb_batch(&columns, 128, NULL);
    for (int i = 0; i < 128; i++)
        seen[i % 4] += s->b.status[i] == (imp_status[]){IMP_OK, IMP_UNSUPPORTED,
                                                        IMP_BAD_RESTITUTION, IMP_NOT_FINITE}[i % 4];
    ok(seen[0] == 32 && seen[1] == 32 && seen[2] == 32 && seen[3] == 32,
       "restitution is not for this law");
    columns.e = NULL;
    clear_sets(s);
    (void)imp_coulomb_batch(&columns, ROOM, NULL);
    sets *first = sets_new();
    memcpy(first, s, sizeof *s);
    clear_sets(s);
    columns.all = NULL;
    (void)imp_coulomb_batch(&columns, ROOM, NULL);
    ok(memcmp(s->b.p, first->b.p, sizeof s->b.p) == 0 &&
           memcmp(s->b.residual, first->b.residual, sizeof s->b.residual) == 0 &&
           memcmp(s->b.status, first->b.status, sizeof s->b.status) == 0,
       "the most dissipative alone: the same bits");
    free(first);
    clear_sets(s);
    columns = sets_of(s, 0);
    s->all.residual[1] = NULL;
    ok(imp_coulomb_batch(&columns, 64, NULL) == IMP_BAD_ARGUMENT &&
           s->b.status[0] == IMP_STATUS_END,
       "a column is missing");
    for (int k = 0; k < 3; k++) {
        columns = sets_of(s, 0);
        s->all.p[1][k] = NULL;
        ok(imp_coulomb_batch(&columns, 64, NULL) == IMP_BAD_ARGUMENT, "or one of an impulse");
    }
    columns = sets_of(s, 0);
    s->all.brief = NULL;
    ok(imp_coulomb_batch(&columns, 64, NULL) == IMP_BAD_ARGUMENT && s->b.p[0][0] == untouched,
       "or the brief");
    columns = sets_of(s, 0);
    columns.all = NULL;
    columns.mu = NULL;
    const imp_coulomb_settings middle = {IMP_MIDDLE};
    ok(imp_model_coulomb.batch(&columns, 64, &middle) == IMP_BAD_ARGUMENT &&
           imp_model_coulomb.batch(&columns, 0, &middle) == IMP_BAD_ARGUMENT &&
           s->b.status[0] == IMP_STATUS_END,
       "or a column of the model's, whichever solution it gives");
    columns = sets_of(s, 0);
    ok(imp_coulomb_batch(&columns, 64, &(imp_batch_settings){3, 1}) == IMP_UNSUPPORTED,
       "three lanes");
    ok(imp_maxdiss_batch(&columns, 64, NULL) == IMP_BAD_ARGUMENT,
       "maximum dissipation has no sets");
}

int main(void) {
    sets *s = sets_new(), *other = sets_new();
    reference_rows(s);
    every_class(s, other);
    where_counts_change(s, other);
    lengths(s, other);
    uses(s);
    free(other);
    free(s);
    return tap_done();
}
