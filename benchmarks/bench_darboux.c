/* bench_darboux.c - nanoseconds per impact of the Darboux-Keller solver over the reference impacts, by class, with the
 * worst error beside them.
 *
 *     bench_darboux [FILE]        FILE: a table like reference/data/mirtich_darboux.tsv, the default
 *
 * CPU time of the thread, per row the least of many repeats: mean, median and 99th percentile over the rows of a class.
 * error/cond: distance from the reference divided by max(1, cond). The goal is a mean of 3 us over all rows, the
 * aim 1.5. Exit 1: above the goal or an error above 1e-13; 2: no such file. */
#include "benchmarks/harness/impact_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 40, CALLS = 25 };

static const char *const preset = "reference/data/mirtich_darboux.tsv";
static const double goal_ns = 3000;

static double thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct measured {
    double ns[IMPACT_ROWS], error;
    int count, steps;
} measured;

/* The least time of one row, spread over the whole run so that a busy moment does not hit all repeats. */
static void time_rows(const impact_row *rows, int count, double *ns) {
    for (int i = 0; i < count; i++)
        ns[i] = INFINITY;
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0; i < count; i++) {
            const gen_problem *g = &rows[i].problem;
            double p[3];
            const double start = thread_ns();
            for (int k = 0; k < CALLS; k++)
                (void)imp_darboux(g->W, g->q, g->mu, g->e, rows[i].law, p, NULL, NULL);
            ns[i] = fmin(ns[i], (thread_ns() - start) / CALLS);
        }
}

static double print_row(const char *name, measured *m) {
    double mean = 0;
    for (int i = 0; i < m->count; i++)
        mean += m->ns[i] / m->count;
    qsort(m->ns, (size_t)m->count, sizeof *m->ns, compare);
    printf("%-12s %6d %9.0f %9.0f %9.0f %9.2f %11.2g\n", name, m->count, mean, m->ns[m->count / 2],
           m->ns[(m->count * 99) / 100], (double)m->steps / m->count, m->error);
    return mean;
}

static void add(measured *m, const impact_row *row, double ns) {
    impact_answer answer;
    int steps = 0;
    const bool solved = impact_by_library(&row->problem, row->law, &answer, &steps) == IMP_OK;
    const double error = impact_distance(row->problem.q, &answer, &row->answer) / fmax(1, row->condition);
    m->ns[m->count++] = ns;
    m->steps += steps;
    m->error = fmax(m->error, solved ? error : INFINITY);
}

int main(int argc, char **argv) {
    static impact_row rows[IMPACT_ROWS];
    static double ns[IMPACT_ROWS];
    static measured all, class;
    const char *file = argc > 1 ? argv[1] : preset;
    const int count = impact_rows_read(file, rows, IMPACT_ROWS);
    if (count <= 0) {
        fprintf(stderr, "bench_darboux: %s is not a table of impacts\n", file);
        return 2;
    }
    time_rows(rows, count, ns);
    printf("%-12s %6s %9s %9s %9s %9s %11s\n", "class", "count", "ns mean", "median", "p99", "steps", "error/cond");
    for (int i = 0; i < count; i++) {
        char name[40], next[40] = "";
        impact_row_class(&rows[i], name);
        if (i + 1 < count) impact_row_class(&rows[i + 1], next);
        add(&class, &rows[i], ns[i]);
        add(&all, &rows[i], ns[i]);
        if (strcmp(name, next) != 0) {
            (void)print_row(name, &class);
            memset(&class, 0, sizeof class);
        }
    }
    return print_row("all", &all) <= goal_ns && all.error <= 1e-13 ? 0 : 1;
}
