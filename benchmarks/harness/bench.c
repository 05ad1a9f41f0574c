/* bench.c - measuring, printing and keeping the rows of timing tables. */
#include "benchmarks/harness/bench.h"
#include "benchmarks/harness/machine.h"
#include "benchmarks/harness/stats.h"
#include "base/clock.h"

#include <gsl/gsl_sort.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPEATS = 31, FEWEST_REPEATS = 3, WARM = 2 };
/* a repeat takes at least, a row at most about so long */
static const double repeat_ns = 1e6, row_ns = 3e8;

bench_timing bench_time(void (*run)(void *context), void *context, double items) {
    double cpu[MOST_REPEATS] = {0}, real[MOST_REPEATS] = {0}, once = INFINITY;
    for (int i = 0; i < WARM && (i == 0 || once < 0.1 * row_ns); i++) {
        const double start = imp_nanoseconds(CLOCK_MONOTONIC);
        run(context);
        const double took = imp_nanoseconds(CLOCK_MONOTONIC) - start;
        once = took < once ? took : once;
    }
    once = fmax(once, 10);
    const int calls = (int)fmax(1, repeat_ns / once);
    const int repeats = (int)fmin(MOST_REPEATS, fmax(FEWEST_REPEATS, row_ns / (calls * once)));
    for (int r = 0; r < repeats; r++) {
        const double from = imp_nanoseconds(CLOCK_MONOTONIC),
                     cpu_from = imp_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int k = 0; k < calls; k++)
            run(context);
        cpu[r] = (imp_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_from) / (calls * items);
        real[r] = (imp_nanoseconds(CLOCK_MONOTONIC) - from) / (calls * items);
    }
    gsl_sort(cpu, 1, (size_t)repeats);
    gsl_sort(real, 1, (size_t)repeats);
    return (bench_timing){.cpu = cpu[repeats / 2],
                          .least = cpu[0],
                          .most = cpu[repeats - 1],
                          .real = real[repeats / 2],
                          .items = (double)repeats * calls * items};
}

bench bench_begin(const char *program) {
    const char *path = getenv("IMPACT_BENCH_JSON");
    return (bench){.program = program, .rows = path && *path ? json_array() : NULL};
}

void bench_table(bench *b, const char *question, const char *const *counters) {
    int n = 0;
    for (; counters[n] && n < BENCH_COUNTERS; n++)
        b->counter[n] = counters[n];
    b->counter[n] = NULL;
    printf("\n# %s\n%-36s %11s %11s %11s %11s %9s", question, "# ns an item", "cpu median", "least",
           "most", "real", "error");
    for (int k = 0; k < n; k++)
        printf(" %11s", counters[k]);
    putchar('\n');
    fflush(stdout);
}

static json_t *number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

/* A row of the layout; counters stand beside the times, as Google Benchmark has them. */
static json_t *row_of(const bench *b, const char *name) {
    json_t *row = json_object();
    char full[256];
    snprintf(full, sizeof full, "%s/%s", b->program, name);
    json_object_set_new(row, "name", json_string(full));
    return row;
}

void bench_row(bench *b, const char *name, const bench_timing *t, double error,
               const double *counters) {
    printf("%-36s %11.5g %11.5g %11.5g %11.5g", name, t->cpu, t->least, t->most, t->real);
    if (isnan(error))
        printf(" %9s", "-");
    else
        printf(" %9.1e", error);
    for (int k = 0; b->counter[k]; k++) {
        if (isnan(counters[k]))
            printf(" %11s", "-");
        else
            printf(" %11.5g", counters[k]);
    }
    putchar('\n');
    fflush(stdout);
    if (!b->rows) return;
    json_t *row = row_of(b, name);
    json_object_set_new(row, "run_type", json_string("iteration"));
    json_object_set_new(row, "iterations", json_integer((json_int_t)t->items));
    json_object_set_new(row, "real_time", number(t->real));
    json_object_set_new(row, "cpu_time", number(t->cpu));
    json_object_set_new(row, "time_unit", json_string("ns"));
    json_object_set_new(row, "cpu_time_least", number(t->least));
    json_object_set_new(row, "cpu_time_most", number(t->most));
    json_object_set_new(row, "error", number(error));
    for (int k = 0; b->counter[k]; k++)
        json_object_set_new(row, b->counter[k], number(counters[k]));
    json_array_append_new(b->rows, row);
}

void bench_exponent(bench *b, const char *name, int n, const double *x, const double *y) {
    int used;
    const double exponent = stats_exponent(n, x, y, &used);
    printf("# %s: exponent %.2f over %d points\n", name, exponent, used);
    fflush(stdout);
    if (!b->rows) return;
    json_t *row = row_of(b, name);
    json_object_set_new(row, "run_type", json_string("aggregate"));
    json_object_set_new(row, "aggregate_name", json_string("exponent"));
    json_object_set_new(row, "exponent", number(exponent));
    json_array_append_new(b->rows, row);
}

typedef struct copying {
    char *to;
    const char *from;
    size_t bytes;
} copying;

static void copy(void *context) {
    const copying *c = context;
    memcpy(c->to, c->from, c->bytes);
    __asm__ volatile("" : : "r"(c->to) : "memory"); /* the copy is needed */
}

double bench_copy(size_t bytes, size_t items) {
    char *from = calloc(items, bytes), *to = calloc(items, bytes);
    double ns = NAN;
    if (from && to) {
        memset(from, 1, items * bytes);
        ns = bench_time(copy, &(copying){to, from, items * bytes}, (double)items).cpu;
    }
    free(from);
    free(to);
    return ns;
}

static json_t *context_of(void) {
    const machine m = machine_this();
    const char *flags = getenv("IMPACT_BENCH_FLAGS");
    json_t *context = json_object();
    json_object_set_new(context, "date", json_string(m.date));
    json_object_set_new(context, "num_cpus", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_set_new(context, "cpu", json_string(m.cpu));
    json_object_set_new(context, "compiler", json_string(m.compiler));
    json_object_set_new(context, "flags", json_string(flags ? flags : "unknown"));
    json_object_set_new(context, "commit", json_string(m.commit));
    return context;
}

int bench_end(bench *b) {
    const char *path = getenv("IMPACT_BENCH_JSON");
    if (!b->rows || !path) return 0;
    json_t *all = json_load_file(path, 0, NULL);
    if (!json_is_array(json_object_get(all, "benchmarks"))) {
        json_decref(all);
        all = json_pack("{s:o, s:[]}", "context", context_of(), "benchmarks");
    }
    json_array_extend(json_object_get(all, "benchmarks"), b->rows);
    const int failed = json_dump_file(all, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(all);
    json_decref(b->rows);
    b->rows = NULL;
    if (failed) fprintf(stderr, "bench_%s: %s: cannot be written\n", b->program, path);
    return failed ? 1 : 0;
}
