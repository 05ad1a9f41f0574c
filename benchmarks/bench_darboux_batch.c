/* bench_darboux_batch.c - nanoseconds per collision of the batch Darboux-Keller process with its
 * certificate: on the reference impacts by width and threads, by class of random impacts. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "benchmarks/harness/impact_rows.h"
#include "base/worse.h"
#include "impact.h"
#include "single/darboux_batch.h"
#include "generators/gen_impacts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 4096, LAWS = 3 };

/* Problems of one law by columns, and one by one. */
typedef struct columns_of_law {
    int n;
    gen_problem g[MOST];
    const impact_row *row[MOST]; /* the reference, or NULL */
    double W[6][MOST], q[3][MOST], mu[MOST], e[MOST], p[3][MOST], residual[MOST];
    imp_status status[MOST];
    imp_batch_columns columns;
} columns_of_law;

typedef struct data {
    columns_of_law law[LAWS];
    imp_batch_settings settings;
    int n;
} data;

static const imp_law *const laws[LAWS] = {&imp_law_darboux_stronge, &imp_law_darboux_poisson,
                                          &imp_law_darboux_newton};

static void clear(data *d) {
    d->n = 0;
    for (int l = 0; l < LAWS; l++) {
        columns_of_law *c = &d->law[l];
        c->n = 0;
        c->columns = (imp_batch_columns){
            .mu = c->mu, .e = c->e, .residual = c->residual, .status = c->status};
        for (int k = 0; k < 6; k++)
            c->columns.W[k] = c->W[k];
        for (int k = 0; k < 3; k++) {
            c->columns.q[k] = c->q[k];
            c->columns.p[k] = c->p[k];
        }
    }
}

static void add(data *d, imp_darboux_law law, const gen_problem *g, const impact_row *row) {
    columns_of_law *c = &d->law[law];
    const int i = c->n;
    if (i == MOST) return;
    for (int k = 0; k < 6; k++)
        c->W[k][i] = g->W[k];
    for (int k = 0; k < 3; k++)
        c->q[k][i] = g->q[k];
    c->mu[i] = g->mu;
    c->e[i] = g->e;
    c->g[i] = *g;
    c->row[i] = row;
    c->n++;
    d->n++;
}

static void run_batch(void *context) {
    data *d = context;
    for (int l = 0; l < LAWS; l++)
        (void)imp_darboux_batch(&d->law[l].columns, (imp_darboux_law)l, (size_t)d->law[l].n,
                                &d->settings);
}

/* What is judged afterwards was written by what is timed. */
static bench_timing time_batch(data *d) {
    for (int l = 0; l < LAWS; l++)
        for (int i = 0; i < d->law[l].n; i++) {
            columns_of_law *c = &d->law[l];
            c->status[i] = IMP_NO_MEMORY;
            c->residual[i] = c->p[0][i] = c->p[1][i] = c->p[2][i] = NAN;
        }
    return bench_time(run_batch, d, d->n);
}

static void run_scalar(void *context) {
    data *d = context;
    for (int l = 0; l < LAWS; l++)
        for (int i = 0; i < d->law[l].n; i++) {
            columns_of_law *c = &d->law[l];
            const gen_problem *g = &c->g[i];
            double p[3] = {NAN, NAN, NAN};
            c->status[i] = imp_darboux(g->W, g->q, g->mu, g->e, (imp_darboux_law)l, p, NULL, NULL);
            for (int k = 0; k < 3; k++)
                c->p[k][i] = p[k];
        }
}

static void run_both(void *context) {
    data *d = context;
    run_scalar(d);
    for (int l = 0; l < LAWS; l++)
        for (int i = 0; i < d->law[l].n; i++) {
            columns_of_law *c = &d->law[l];
            const double p[3] = {c->p[0][i], c->p[1][i], c->p[2][i]};
            gen_dense dense;
            imp_certificate result;
            gen_dense_of(&c->g[i], &dense);
            const bool known =
                imp_certify(&dense.problem, laws[l], NULL, p, NULL, &result) == IMP_OK;
            c->residual[i] = known ? result.worst : INFINITY;
        }
}

/* Of the impulses as they stand: the worst distance from the reference over max(1, cond); without
 * one, the residual. */
static double worst_error(const data *d) {
    double worst = 0;
    for (int l = 0; l < LAWS; l++)
        for (int i = 0; i < d->law[l].n; i++) {
            const columns_of_law *c = &d->law[l];
            double error = c->residual[i], apart = 0, size = 0;
            for (int k = 0; c->row[i] && k < 3; k++) {
                const double want = c->row[i]->answer.p[k], off = c->p[k][i] - want;
                apart += off * off;
                size += want * want;
            }
            if (c->row[i])
                error = sqrt(apart / (size > 0 ? size : 1)) / fmax(1, c->row[i]->condition);
            worst = imp_worse(worst, c->status[i] == IMP_OK ? error : INFINITY);
        }
    return worst;
}

/* The part of the problems that the kernel leaves to imp_darboux. */
static double part_left(const data *d) {
    int left = 0, all = 0;
    for (int l = 0; l < LAWS; l++)
        for (int i = 0; i + IMP_DARBOUX_CHUNK <= d->law[l].n; i += IMP_DARBOUX_CHUNK) {
            uint64_t words[IMP_BATCH_WORDS] = {0};
            imp_darboux_kernel_plain.solve(&d->law[l].columns, (size_t)i, l, words);
            for (int k = 0; k < IMP_BATCH_WORDS; k++)
                left += __builtin_popcountll(words[k]);
            all += IMP_DARBOUX_CHUNK;
        }
    return all ? (double)left / all : 0;
}

static double reference_rows(bench *b, data *d, const impact_row *rows, int count) {
    static const int widths[] = {1, 4, 8};
    const int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    char name[64];
    double worst = 0;
    clear(d);
    for (int i = 0; i < 16 * count; i++)
        add(d, rows[i % count].law, &rows[i % count].problem, &rows[i % count]);
    bench_table(b,
                "batch Darboux-Keller on the reference impacts: ns a collision; error: distance of "
                "p from the "
                "reference over max(1, cond); times faster than scalar, the part left to it",
                (const char *const[]){"lanes", "threads", "scalar/", "checked/", "left", NULL});
    const bench_timing scalar = bench_time(run_scalar, d, d->n);
    const double error = worst_error(d);
    const bench_timing both = bench_time(run_both, d, d->n);
    bench_row(b, "scalar", &scalar, error, (const double[]){1, 1, 1, both.cpu / scalar.cpu, 1});
    bench_row(b, "scalar+check", &both, error, (const double[]){1, 1, scalar.cpu / both.cpu, 1, 1});
    const double left = part_left(d);
    for (int w = 0; w < 3; w++)
        for (int threads = 1; threads <= cpus && threads <= (w == 2 ? 64 : 1); threads *= 2) {
            if (imp_batch_lanes(widths[w]) != widths[w]) continue;
            d->settings = (imp_batch_settings){.lanes = widths[w], .threads = threads};
            const bench_timing t = time_batch(d);
            /* CPU time, which no other program disturbs; several threads by the clock */
            const bool alone = threads == 1;
            const double off = worst_error(d),
                         faster = alone ? scalar.cpu / t.cpu : scalar.real / t.real;
            const double checked = alone ? both.cpu / t.cpu : both.real / t.real;
            worst = imp_worse(worst, off);
            snprintf(name, sizeof name, "batch/lanes:%d/threads:%d", widths[w], threads);
            bench_row(b, name, &t, off,
                      (const double[]){widths[w], threads, faster, checked, left});
        }
    return worst;
}

static void random_classes(bench *b, data *d) {
    bench_table(b,
                "the same by class of random impacts, Stronge's law, the widest lanes: error: the "
                "worst residual, of "
                "the batch's certificate",
                (const char *const[]){"scalar/", "left", NULL});
    d->settings = imp_batch_settings_default();
    for (int class = 0; class < GEN_IMPACT_CLASSES; class ++) {
        char name[64];
        clear(d);
        for (uint64_t i = 0; i < MOST; i++) {
            const gen_problem g = gen_impact((gen_impact_class) class, i);
            add(d, IMP_STRONGE, &g, NULL);
        }
        const bench_timing scalar = bench_time(run_scalar, d, d->n), t = time_batch(d);
        snprintf(name, sizeof name, "batch/%s", gen_impact_name((gen_impact_class) class));
        bench_row(b, name, &t, worst_error(d), (const double[]){scalar.cpu / t.cpu, part_left(d)});
    }
}

static const usage about = {
    .program = "bench_darboux_batch",
    .arguments = "[FILE]",
    .most = 1,
    .text =
        "ns per collision of the batch Darboux-Keller process with its certificate: on the impacts "
        "of FILE, a table like\n"
        "reference/data/mirtich_darboux.tsv, the default, by width and threads; by class of random "
        "impacts. scalar is\n"
        "imp_darboux in a loop without a certificate, in the same run; scalar+check the same with "
        "imp_certify. The reference\n"
        "impacts are taken as often as fills the columns, each law in columns of its own, and "
        "timed "
        "together. The goal is\n"
        "600 ns of one core with AVX-512. Exit 1: an error above 1e-13; 2: bad use, or no such "
        "file.\n",
    .environment = BENCH_ENVIRONMENT,
};

int main(int argc, char **argv) {
    static impact_row rows[IMPACT_ROWS];
    usage_answer(&about, argc, argv);
    const char *file = argc > 1 ? argv[1] : "reference/data/mirtich_darboux.tsv";
    const int count = impact_rows_read(file, rows, IMPACT_ROWS);
    if (count <= 0) usage_refuse(&about, "%s is not a table of impacts", file);
    data *d = malloc(sizeof *d);
    if (!d) return 2;
    bench b = bench_begin("darboux_batch");
    const double worst = reference_rows(&b, d, rows, count);
    random_classes(&b, d);
    free(d);
    const int status = bench_end(&b);
    return worst <= 1e-13 ? status : 1;
}
