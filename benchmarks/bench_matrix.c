/* bench_matrix.c - every model on every scene: what the whole matrix takes, and each scene of it.
 *
 * A row is a scene with its compliant run, its rigid limit, and every model of the table with the
 * restitutions of the matrix; the last one all of them: to stay below 30 s. The error is how
 * certain the rigid limit is that all are held against, relative; 0: closed. */
#include "benchmarks/harness/bench.h"
#include "base/clock.h"
#include "benchmarks/harness/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct totals {
    bench *b;
    double cpu, real, scenes, cells, doubt;
} totals;

static void print_row(const totals *t, const char *name, double cpu, double real, double doubt,
                      double scenes, double cells) {
    const bench_timing timing = {.cpu = cpu, .least = cpu, .most = cpu, .real = real, .items = 1};
    bench_row(t->b, name, &timing, doubt, (const double[]){scenes, cells, 1e-9 * cpu});
}

static void add_scene(totals *t, const char *file, const scene *s, const char *variant) {
    scene_comparison c;
    imp_error error;
    char name[128];
    const double cpu = imp_nanoseconds(CLOCK_PROCESS_CPUTIME_ID),
                 real = imp_nanoseconds(CLOCK_MONOTONIC);
    if (scene_compare(s, imp_models, &c, &error) != IMP_OK) return;
    const double cpu_ns = imp_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                 real_ns = imp_nanoseconds(CLOCK_MONOTONIC) - real;
    snprintf(name, sizeof name, "%s%s%s", file, variant ? "/" : "", variant ? variant : "");
    print_row(t, name, cpu_ns, real_ns, c.doubt, 1, c.count);
    t->cpu += cpu_ns;
    t->real += real_ns;
    t->scenes += 1;
    t->cells += c.count;
    if (isfinite(c.doubt)) t->doubt = fmax(t->doubt, c.doubt);
    scene_comparison_clear(&c);
}

static bool add_file(totals *t, const char *name) {
    char path[128];
    scene_file file;
    imp_error error;
    snprintf(path, sizeof path, "benchmarks/scenes/%s.json", name);
    if (scene_open(path, &file, &error) != IMP_OK) {
        fprintf(stderr, "bench_matrix: %s\n", error.text);
        return false;
    }
    for (int i = 0; i < file.variants; i++) {
        scene s;
        if (scene_build(&file, i, &s, &error) != IMP_OK) continue;
        add_scene(t, name, &s, scene_variant_name(&file, i));
        scene_clear(&s);
    }
    scene_close(&file);
    return true;
}

int main(void) {
    bench b = bench_begin("matrix");
    totals t = {.b = &b};
    bool good = true;
    bench_table(&b, "every model on every scene: ns, one run; error: doubt of the rigid limit",
                (const char *const[]){"scenes", "cells", "CPU s", NULL});
    for (int i = 0; matrix_scenes[i]; i++)
        good = add_file(&t, matrix_scenes[i]) && good;
    print_row(&t, "all", t.cpu, t.real, t.doubt, t.scenes, t.cells);
    return good ? bench_end(&b) : 2;
}
