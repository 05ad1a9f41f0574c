/* bench_darboux.c - nanoseconds per impact of the Darboux-Keller solver over the reference impacts,
 * by class, with the worst error beside them. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "base/clock.h"
#include "benchmarks/harness/impact_rows.h"
#include "base/worse.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 40, CALLS = 25 };

static const char *const preset = "reference/data/mirtich_darboux.tsv";
static const double goal_ns = 3000;

/* Rows of one class, or all. */
typedef struct class_rows {
    const impact_row *rows;
    int count;
} class_rows;

static void run(void *context) {
    const class_rows *c = context;
    for (int i = 0; i < c->count; i++) {
        const gen_problem *g = &c->rows[i].problem;
        double p[3];
        (void)imp_darboux(g->W, g->q, g->mu, g->e, c->rows[i].law, p, NULL, NULL);
    }
}

/* The least time of each row, spread over the whole run so that a busy moment does not hit all
 * repeats. */
static void time_rows(const impact_row *rows, int count, double *ns) {
    for (int i = 0; i < count; i++)
        ns[i] = INFINITY;
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0; i < count; i++) {
            class_rows one = {rows + i, 1};
            const double start = imp_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
            for (int k = 0; k < CALLS; k++)
                run(&one);
            ns[i] = fmin(ns[i], (imp_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start) / CALLS);
        }
}

/* ns: of each row, sorted afterwards. Returns whether the goals are met. */
static bool print_row(bench *b, const char *name, class_rows c, double *ns) {
    double error = 0, all_steps = 0;
    for (int i = 0; i < c.count; i++) {
        const impact_row *row = &c.rows[i];
        impact_answer answer;
        int steps = 0;
        const bool solved = impact_by_library(&row->problem, row->law, &answer, &steps) == IMP_OK;
        const double off =
            impact_distance(row->problem.q, &answer, &row->answer) / fmax(1, row->condition);
        error = imp_worse(error, solved ? off : INFINITY);
        all_steps += steps;
    }
    const bench_timing t = bench_time(run, &c, c.count);
    gsl_sort(ns, 1, (size_t)c.count);
    bench_row(
        b, name, &t, error,
        (const double[]){c.count, ns[c.count / 2], ns[(c.count * 99) / 100], all_steps / c.count});
    return t.least <= goal_ns && error <= 1e-13;
}

static const usage about = {
    .program = "bench_darboux",
    .arguments = "[FILE]",
    .most = 1,
    .text =
        "ns per impact of the Darboux-Keller solver over the impacts of FILE, a table like\n"
        "reference/data/mirtich_darboux.tsv, the default: CPU time of all rows of a class in turn, "
        "per impact; beside it\n"
        "the median and the 99th percentile of its rows, each alone, the least of many repeats. "
        "error: distance from the\n"
        "reference divided by max(1, cond). The goal is a mean of 3 us over all rows, the aim 1.5. "
        "Exit 1: above the\n"
        "goal or an error above 1e-13; 2: bad use, or no such file.\n",
    .environment = BENCH_ENVIRONMENT,
};

int main(int argc, char **argv) {
    static impact_row rows[IMPACT_ROWS];
    static double ns[IMPACT_ROWS];
    usage_answer(&about, argc, argv);
    const char *file = argc > 1 ? argv[1] : preset;
    const int count = impact_rows_read(file, rows, IMPACT_ROWS);
    if (count <= 0) usage_refuse(&about, "%s is not a table of impacts", file);
    bench b = bench_begin("darboux");
    bench_table(&b,
                "Darboux-Keller by class: ns an impact; error: distance from the reference over "
                "max(1, cond)",
                (const char *const[]){"impacts", "median row", "p99 row", "steps", NULL});
    time_rows(rows, count, ns);
    for (int i = 0, first = 0; i < count; i++) {
        char name[40], next[40] = "";
        impact_row_class(&rows[i], name);
        if (i + 1 < count) impact_row_class(&rows[i + 1], next);
        if (strcmp(name, next) == 0) continue;
        (void)print_row(&b, name, (class_rows){rows + first, i + 1 - first}, ns + first);
        first = i + 1;
    }
    const bool good = print_row(&b, "all", (class_rows){rows, count}, ns);
    const int status = bench_end(&b);
    return good ? status : 1;
}
