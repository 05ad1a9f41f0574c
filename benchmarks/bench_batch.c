/* bench_batch.c - nanoseconds per solve of batch maximum dissipation with its certificate: by class and width, by
 * number of threads, by number of problems.
 *
 * In every table `scalar` is imp_maxdiss in a loop without a certificate, and `scalar+check` the same with imp_certify;
 * both and copying the same bytes are measured in the same run. */
#include "benchmarks/harness/bench.h"
#include "impact.h"
#include "tests/gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PROBLEMS = 4096, MOST = 1 << 16, ROOM = MOST + 8 * 9 };

/* Problems by columns and one by one. */
typedef struct data {
    int n;
    gen_problem g[MOST];
    double W[6][ROOM], q[3][ROOM], mu[ROOM], p[3][ROOM], residual[ROOM];
    imp_status status[MOST];
    imp_batch_columns columns;
    imp_batch_settings settings;
    double worst;
} data;

static void fill_with(data *d, gen_class class, int n) {
    d->n = n;
    d->columns = (imp_batch_columns){.mu = d->mu, .residual = d->residual, .status = d->status};
    for (int k = 0; k < 6; k++)
        d->columns.W[k] = d->W[k];
    for (int k = 0; k < 3; k++) {
        d->columns.q[k] = d->q[k];
        d->columns.p[k] = d->p[k];
    }
    for (int i = 0; i < n; i++) {
        const gen_problem g = d->g[i] = gen_make(class, (uint64_t)i);
        for (int k = 0; k < 6; k++)
            d->W[k][i] = g.W[k];
        for (int k = 0; k < 3; k++)
            d->q[k][i] = g.q[k];
        d->mu[i] = g.mu;
    }
}

static void run_scalar(void *context) {
    data *d = context;
    for (int i = 0; i < d->n; i++) {
        const gen_problem *g = &d->g[i];
        double p[3] = {0, 0, 0};
        (void)imp_maxdiss(g->W, g->q, g->mu, 0, p, NULL);
        for (int k = 0; k < 3; k++)
            d->p[k][i] = p[k];
    }
}

/* The largest residual of the impulses as they stand, by imp_certify. */
static void run_check(void *context) {
    data *d = context;
    d->worst = 0;
    for (int i = 0; i < d->n; i++) {
        const double p[3] = {d->p[0][i], d->p[1][i], d->p[2][i]};
        gen_dense dense;
        imp_certificate c;
        gen_dense_of(&d->g[i], &dense);
        const int known = imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, &c) == IMP_OK;
        d->worst = fmax(d->worst, known ? c.worst : INFINITY);
    }
}

static void run_both(void *context) {
    run_scalar(context);
    run_check(context);
}

static void run_batch(void *context) {
    data *d = context;
    (void)imp_maxdiss_batch(&d->columns, (size_t)d->n, &d->settings);
}

static double copy_of(int n) {
    return bench_copy(10 * sizeof(double) + 4 * sizeof(double) + sizeof(imp_status), (size_t)n);
}

static void by_width(bench *b, data *d) {
    static const gen_class classes[] = {GEN_SPEED_BOX, GEN_SPHERE,   GEN_FREE_BOX_1,   GEN_FREE_BOX_5,
                                        GEN_SIX_POINT, GEN_SPD_8,    GEN_TINY_CLOSING, GEN_ZERO_CLOSING,
                                        GEN_OPENING,   GEN_PAINLEVE, GEN_ADVERSARIAL};
    static const int widths[] = {1, 4, 8};
    const double copy = copy_of(PROBLEMS);
    char name[64];
    bench_table(b,
                "maximum dissipation by class and lanes: ns a solve; error: the worst certificate residual; times "
                "faster than scalar",
                (const char *const[]){"lanes", "scalar/", "checked/", "copies", NULL});
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        fill_with(d, classes[c], PROBLEMS);
        const bench_timing scalar = bench_time(run_scalar, d, PROBLEMS), both = bench_time(run_both, d, PROBLEMS);
        snprintf(name, sizeof name, "scalar/%s", gen_name(classes[c]));
        bench_row(b, name, &scalar, d->worst, (const double[]){1, 1, both.cpu / scalar.cpu, scalar.cpu / copy});
        snprintf(name, sizeof name, "scalar+check/%s", gen_name(classes[c]));
        bench_row(b, name, &both, d->worst, (const double[]){1, scalar.cpu / both.cpu, 1, both.cpu / copy});
        for (int w = 0; w < 3; w++) {
            if (imp_batch_lanes(widths[w]) != widths[w]) continue;
            d->settings = (imp_batch_settings){.lanes = widths[w], .threads = 1};
            const bench_timing t = bench_time(run_batch, d, PROBLEMS);
            run_check(d);
            snprintf(name, sizeof name, "batch/%s/lanes:%d", gen_name(classes[c]), widths[w]);
            bench_row(b, name, &t, d->worst,
                      (const double[]){widths[w], scalar.cpu / t.cpu, both.cpu / t.cpu, t.cpu / copy});
        }
    }
}

static void by_threads(bench *b, data *d) {
    const int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    double alone = NAN;
    fill_with(d, GEN_SPEED_BOX, MOST);
    bench_table(b, "the same by threads, 65536 problems of speed-box: faster by the clock",
                (const char *const[]){"threads", "faster", NULL});
    for (int threads = 1; threads <= cpus && threads <= 64; threads *= 2) {
        char name[64];
        d->settings = (imp_batch_settings){.lanes = 0, .threads = threads};
        const bench_timing t = bench_time(run_batch, d, MOST);
        run_check(d);
        if (threads == 1) alone = t.real;
        snprintf(name, sizeof name, "batch/speed-box/threads:%d", threads);
        bench_row(b, name, &t, d->worst, (const double[]){threads, alone / t.real});
    }
}

static void by_problems(bench *b, data *d) {
    double x[6], y[6];
    int n = 0;
    bench_table(b, "the same by number of problems, one thread", (const char *const[]){"problems", "copies", NULL});
    for (int problems = 64; problems <= MOST; problems *= 4, n++) {
        char name[64];
        fill_with(d, GEN_SPEED_BOX, problems);
        d->settings = imp_batch_settings_default();
        const bench_timing t = bench_time(run_batch, d, problems);
        run_check(d);
        snprintf(name, sizeof name, "batch/speed-box/problems:%d", problems);
        bench_row(b, name, &t, d->worst, (const double[]){problems, t.cpu / copy_of(problems)});
        x[n] = problems;
        y[n] = t.cpu * problems;
    }
    bench_exponent(b, "cost against problems", n, x, y);
}

int main(void) {
    bench b = bench_begin("batch");
    data *d = malloc(sizeof *d);
    if (!d) return 2;
    by_width(&b, d);
    by_threads(&b, d);
    by_problems(&b, d);
    free(d);
    return bench_end(&b);
}
