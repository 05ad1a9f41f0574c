/* bench.h - timing tables: one table per question, its rows also as JSON in the layout of Google
 * Benchmark.
 *
 *     bench b = bench_begin("single");
 *     bench_table(&b, "what does one solve cost", (const char *const[]){"contacts", NULL});
 *     const bench_timing t = bench_time(run, &context, solves_per_run);
 *     bench_row(&b, "maxdiss/sphere", &t, error, (const double[]){1});
 *     return bench_end(&b);
 *
 * Where the environment names a file in IMPACT_BENCH_JSON the rows are appended to it, so that
 * several programs make one file; IMPACT_BENCH_FLAGS and IMPACT_BENCH_COMMIT say there how and from
 * what they were built. */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>

enum { BENCH_COUNTERS = 8 };

/* What such a program says of it. */
#define BENCH_ENVIRONMENT                                                                          \
    "  IMPACT_BENCH_JSON    the rows are appended to this file too, as Google Benchmark has "      \
    "them\n"                                                                                       \
    "  IMPACT_BENCH_FLAGS   said there of how it was built\n"                                      \
    "  IMPACT_BENCH_COMMIT  and from what\n"

/* ns per item, medians over the repeats; `least` and `most` are the ends of what the CPU time
 * was. */
typedef struct bench_timing {
    double cpu, least, most; /* CPU time of the process, all threads */
    double real;             /* by the clock */
    double items;            /* timed all told */
} bench_timing;

typedef struct bench {
    const char *program;
    const char *counter[BENCH_COUNTERS + 1]; /* of the present table, ended by NULL */
    struct json_t *rows;                     /* NULL: no JSON is wanted */
} bench;

bench bench_begin(const char *program);

/* Begins a table whose rows carry these counters, ended by NULL. */
void bench_table(bench *b, const char *question, const char *const *counters);

/* Runs `run` as often as gives steady figures, after some calls to warm up; a run does `items`
 * items. */
bench_timing bench_time(void (*run)(void *context), void *context, double items);

/* Prints and keeps a row. error: of the timed answers, by the measure the table's question names;
 * NAN: none known. counters: one per name, NAN where there is none. */
void bench_row(bench *b, const char *name, const bench_timing *timing, double error,
               const double *counters);

/* Fits y = c x^exponent over n points by least squares in the logarithms, prints and keeps the
 * exponent. */
void bench_exponent(bench *b, const char *name, int n, const double *x, const double *y);

/* ns to copy that many bytes within arrays of `items` such items: a floor for what reads and writes
 * them once. */
double bench_copy(size_t bytes, size_t items);

/* Writes the JSON file. Returns the program's exit status. */
int bench_end(bench *b);

#endif
