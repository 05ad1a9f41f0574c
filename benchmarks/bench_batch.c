/* bench_batch.c - nanoseconds per solve of batch maximum dissipation and of the batch enumeration
 * of Coulomb solutions, with their certificates: by class and width, by number of threads, by
 * number of problems. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "base/worse.h"
#include "impact.h"
#include "single/coulomb_batch.h"
#include "single/maxdiss_batch.h"
#include "generators/gen.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PROBLEMS = 4096,
    MOST = 1 << 16,
    ROOM = MOST + 8 * 9,
    CHUNK = 64,
    OTHERS = IMP_COULOMB_MOST - 1
};

/* All solutions of one problem, and *count, how many there are. */
typedef imp_status one_solver(const gen_problem *g, double p[IMP_COULOMB_MOST][3], int *count);

typedef struct solver {
    const char *name, *title;
    const imp_law *law;
    one_solver *one;
    imp_status (*batch)(const imp_batch_columns *columns, size_t n,
                        const imp_batch_settings *settings);
    const imp_batch_kernel *kernel;
    size_t answer; /* bytes of an answer */
} solver;

static imp_status one_maxdiss(const gen_problem *g, double p[IMP_COULOMB_MOST][3], int *count) {
    *count = 1;
    return imp_maxdiss(g->W, g->q, g->mu, 0, p[0], NULL);
}

static imp_status one_coulomb(const gen_problem *g, double p[IMP_COULOMB_MOST][3], int *count) {
    imp_coulomb_set set = {0};
    const imp_status status = imp_coulomb_enumerate(g->W, g->q, g->mu, &set);
    for (int s = 0; s < set.count; s++)
        memcpy(p[s], set.solution[s].p, sizeof p[s]);
    *count = set.count;
    return status;
}

enum { ANSWER = 4 * sizeof(double) + sizeof(imp_status) };

static const solver solvers[] = {
    {"maxdiss", "maximum dissipation", &imp_law_maxdiss, one_maxdiss, imp_maxdiss_batch,
     &imp_maxdiss_kernel_plain, ANSWER},
    {"coulomb", "all Coulomb solutions", &imp_law_coulomb, one_coulomb, imp_coulomb_batch,
     &imp_coulomb_kernel_plain, ANSWER + sizeof(imp_coulomb_brief)},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };
_Static_assert(CHUNK == (int)IMP_MAXDISS_CHUNK && CHUNK == (int)IMP_COULOMB_CHUNK,
               "both kernels take as many");

/* Problems by columns and one by one. */
typedef struct data {
    const solver *s;
    int n;
    gen_problem g[MOST];
    double W[6][ROOM], q[3][ROOM], mu[ROOM], p[IMP_COULOMB_MOST][3][ROOM],
        residual[IMP_COULOMB_MOST][ROOM];
    imp_coulomb_brief brief[MOST];
    imp_status status[MOST];
    imp_coulomb_columns all;
    imp_batch_columns columns;
    imp_batch_settings settings;
    double worst;
} data;

static void fill_with(data *d, gen_class class, int n) {
    d->n = n;
    d->columns = (imp_batch_columns){.mu = d->mu, .residual = d->residual[0], .status = d->status};
    if (d->s->batch == imp_coulomb_batch) d->columns.all = &d->all;
    d->all.brief = d->brief;
    for (int k = 0; k < 6; k++)
        d->columns.W[k] = d->W[k];
    for (int k = 0; k < 3; k++) {
        d->columns.q[k] = d->q[k];
        d->columns.p[k] = d->p[0][k];
    }
    for (int s = 0; s < OTHERS; s++) {
        d->all.residual[s] = d->residual[s + 1];
        for (int k = 0; k < 3; k++)
            d->all.p[s][k] = d->p[s + 1][k];
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

/* No answers: what is judged afterwards was written by what was timed. */
static void forget(data *d) {
    for (int i = 0; i < d->n; i++) {
        d->status[i] = IMP_NO_MEMORY;
        d->brief[i].count = d->columns.all ? 0 : 1;
        for (int s = 0; s < IMP_COULOMB_MOST; s++)
            for (int k = 0; k < 3; k++)
                d->p[s][k][i] = NAN;
    }
}

static void run_scalar(void *context) {
    data *d = context;
    for (int i = 0; i < d->n; i++) {
        double p[IMP_COULOMB_MOST][3];
        int count;
        d->status[i] = d->s->one(&d->g[i], p, &count);
        d->brief[i].count = (unsigned char)count;
        for (int s = 0; s < count; s++)
            for (int k = 0; k < 3; k++)
                d->p[s][k][i] = p[s][k];
    }
}

/* The largest residual of the impulses as they stand, by imp_certify; INFINITY: a problem has no
 * answer, but for those that no method in double can certify. */
static void run_check(void *context) {
    data *d = context;
    d->worst = 0;
    for (int i = 0; i < d->n; i++) {
        gen_dense dense;
        gen_dense_of(&d->g[i], &dense);
        const bool solved = d->status[i] == IMP_OK && d->brief[i].count > 0;
        if (!solved && !d->g[i].excluded) d->worst = INFINITY;
        if (!solved) continue;
        for (int s = 0; s < d->brief[i].count; s++) {
            const double p[3] = {d->p[s][0][i], d->p[s][1][i], d->p[s][2][i]};
            imp_certificate c;
            const int known = imp_certify(&dense.problem, d->s->law, NULL, p, NULL, &c) == IMP_OK;
            d->worst = imp_worse(d->worst, known ? c.worst : INFINITY);
        }
    }
}

static void run_both(void *context) {
    run_scalar(context);
    run_check(context);
}

static void run_batch(void *context) {
    data *d = context;
    (void)d->s->batch(&d->columns, (size_t)d->n, &d->settings);
}

static bench_timing time_batch(data *d) {
    forget(d);
    return bench_time(run_batch, d, d->n);
}

static double copy_of(const data *d, int n) {
    return bench_copy(10 * sizeof(double) + d->s->answer, (size_t)n);
}

/* The part of the problems that the kernels leave to the solver for one contact. */
static double part_left(const data *d) {
    int left = 0;
    for (int i = 0; i + CHUNK <= d->n; i += CHUNK) {
        uint64_t words[IMP_BATCH_WORDS] = {0};
        d->s->kernel->solve(&d->columns, (size_t)i, 0, words);
        left += __builtin_popcountll(words[0]);
    }
    return (double)left / d->n;
}

static void by_width(bench *b, data *d) {
    static const gen_class classes[] = {GEN_SPEED_BOX,    GEN_SPHERE,       GEN_FREE_BOX_1,
                                        GEN_FREE_BOX_5,   GEN_SIX_POINT,    GEN_SPD_8,
                                        GEN_TINY_CLOSING, GEN_ZERO_CLOSING, GEN_OPENING,
                                        GEN_PAINLEVE,     GEN_ADVERSARIAL};
    static const int widths[] = {1, 4, 8};
    const double copy = copy_of(d, PROBLEMS);
    char name[64], question[160];
    snprintf(question, sizeof question,
             "%s by class and lanes: ns a solve; error: the worst certificate residual; times "
             "faster than scalar; the "
             "part left to it",
             d->s->title);
    bench_table(b, question,
                (const char *const[]){"lanes", "scalar/", "checked/", "copies", "left", NULL});
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        fill_with(d, classes[c], PROBLEMS);
        const bench_timing scalar = bench_time(run_scalar, d, PROBLEMS),
                           both = bench_time(run_both, d, PROBLEMS);
        const double left = part_left(d);
        snprintf(name, sizeof name, "%s/scalar/%s", d->s->name, gen_name(classes[c]));
        bench_row(b, name, &scalar, d->worst,
                  (const double[]){1, 1, both.cpu / scalar.cpu, scalar.cpu / copy, 1});
        snprintf(name, sizeof name, "%s/scalar+check/%s", d->s->name, gen_name(classes[c]));
        bench_row(b, name, &both, d->worst,
                  (const double[]){1, scalar.cpu / both.cpu, 1, both.cpu / copy, 1});
        for (int w = 0; w < 3; w++) {
            if (imp_batch_lanes(widths[w]) != widths[w]) continue;
            d->settings = (imp_batch_settings){.lanes = widths[w], .threads = 1};
            const bench_timing t = time_batch(d);
            run_check(d);
            snprintf(name, sizeof name, "%s/batch/%s/lanes:%d", d->s->name, gen_name(classes[c]),
                     widths[w]);
            bench_row(b, name, &t, d->worst,
                      (const double[]){widths[w], scalar.cpu / t.cpu, both.cpu / t.cpu,
                                       t.cpu / copy, left});
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
        const bench_timing t = time_batch(d);
        run_check(d);
        if (threads == 1) alone = t.real;
        snprintf(name, sizeof name, "%s/batch/speed-box/threads:%d", d->s->name, threads);
        bench_row(b, name, &t, d->worst, (const double[]){threads, alone / t.real});
    }
}

static void by_problems(bench *b, data *d) {
    double x[6], y[6];
    int n = 0;
    bench_table(b, "the same by number of problems, one thread",
                (const char *const[]){"problems", "copies", NULL});
    for (int problems = 64; problems <= MOST; problems *= 4, n++) {
        char name[64];
        fill_with(d, GEN_SPEED_BOX, problems);
        d->settings = imp_batch_settings_default();
        const bench_timing t = time_batch(d);
        run_check(d);
        snprintf(name, sizeof name, "%s/batch/speed-box/problems:%d", d->s->name, problems);
        bench_row(b, name, &t, d->worst, (const double[]){problems, t.cpu / copy_of(d, problems)});
        x[n] = problems;
        y[n] = t.cpu * problems;
    }
    bench_exponent(b, "cost against problems", n, x, y);
}

static const char *solver_at(int k) {
    return k < SOLVERS ? solvers[k].name : NULL;
}

static const usage about = {
    .program = "bench_batch",
    .arguments = "[SOLVER]...",
    .most = SOLVERS,
    .text =
        "ns per solve of batch maximum dissipation and of the batch enumeration of Coulomb "
        "solutions, with their\n"
        "certificates: by class and width, by number of threads, by number of problems. In every "
        "table scalar is the solver\n"
        "for one contact in a loop without a certificate, and scalar+check the same with "
        "imp_certify "
        "of every solution; both\n"
        "and copying the same bytes are measured in the same run. Exit 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
    .name = solver_at,
};

int main(int argc, char **argv) {
    bool wanted[SOLVERS];
    usage_answer(&about, argc, argv);
    for (int k = 0; k < SOLVERS; k++)
        wanted[k] = argc == 1;
    for (int i = 1; i < argc; i++)
        wanted[usage_find(&about, "solver", argv[i])] = true;
    bench b = bench_begin("batch");
    data *d = malloc(sizeof *d);
    if (!d) return 2;
    for (int k = 0; k < SOLVERS; k++) {
        if (!wanted[k]) continue;
        d->s = &solvers[k];
        by_width(&b, d);
        by_threads(&b, d);
        by_problems(&b, d);
    }
    free(d);
    return bench_end(&b);
}
