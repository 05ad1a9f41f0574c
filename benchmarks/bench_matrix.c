/* bench_matrix.c - every model on every scene: what the whole matrix takes, and each scene of it;
 * or the matrix itself, with solvers outside the library. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "base/clock.h"
#include "benchmarks/harness/matrix.h"
#include "benchmarks/harness/outsiders.h"
#include "io/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A total of fewer scenes is another number. */
static void refuse(const imp_error *error) {
    fprintf(stderr, "bench_matrix: %s\n", error->text);
    exit(2);
}

static void add_scene(totals *t, const char *file, const scene *s, const char *variant) {
    scene_comparison c;
    imp_error error;
    char name[128];
    const double cpu = imp_nanoseconds(CLOCK_PROCESS_CPUTIME_ID),
                 real = imp_nanoseconds(CLOCK_MONOTONIC);
    if (scene_compare(s, imp_models, &c, &error) != IMP_OK) refuse(&error);
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
        if (scene_build(&file, i, &s, &error) != IMP_OK) refuse(&error);
        add_scene(t, name, &s, scene_variant_name(&file, i));
        scene_clear(&s);
    }
    scene_close(&file);
    return true;
}

static int time_all(void) {
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

static const imp_column columns[] = {IMP_WORDS("scene"),
                                     IMP_WORDS("model"),
                                     IMP_WORDS("status"),
                                     IMP_WORDS("reason"),
                                     IMP_WORDS("missing"),
                                     IMP_NUMBERS("common", NULL, 3),
                                     IMP_NUMBERS("own", NULL, 3),
                                     IMP_NUMBERS("best", NULL, 3),
                                     IMP_NUMBERS("plastic", NULL, 3),
                                     IMP_NUMBERS("rigid", NULL, 3),
                                     IMP_NUMBERS("energy", NULL, 3),
                                     IMP_NUMBERS("doubt", NULL, 3),
                                     IMP_NUMBERS("seconds", "s", 3),
                                     IMP_COLUMNS_END};

/* missing <- the numbers that the cell should have and has not; returns whether there are any. */
static bool lacks(const matrix_cell *c, char missing[80]) {
    matrix_bands none = {0};
    const char *reason;
    missing[0] = '\0';
    for (matrix_quantity k = 0; k < MATRIX_QUANTITIES; k++)
        if (matrix_asks(c, k) && matrix_judge(c, k, &none, &reason, NULL) == MATRIX_MISSING)
            snprintf(missing + strlen(missing), 80 - strlen(missing), "%s%s", *missing ? " " : "",
                     matrix_quantity_names[k]);
    return *missing != '\0';
}

/* The cells; returns whether the outsiders' have all their numbers. */
static bool print_cells(const matrix *m, const outsiders *o) {
    bool good = true;
    for (int i = 0; i < m->count; i++) {
        const matrix_cell *c = &m->cell[i];
        const double *error = c->error;
        char missing[80];
        const bool wanting = lacks(c, missing);
        imp_write_row(columns, stdout, IMP_TEXT(c->scene), IMP_TEXT(c->model),
                      IMP_TEXT(imp_status_text(c->status)), IMP_TEXT(c->why), IMP_TEXT(missing),
                      IMP_NUMBER(error[MATRIX_COMMON]), IMP_NUMBER(error[MATRIX_OWN]),
                      IMP_NUMBER(error[MATRIX_BEST]), IMP_NUMBER(error[MATRIX_PLASTIC]),
                      IMP_NUMBER(error[MATRIX_RIGID]), IMP_NUMBER(error[MATRIX_ENERGY]),
                      IMP_NUMBER(c->doubt), IMP_NUMBER(c->seconds));
        for (int k = 0; k < o->list.count; k++)
            if (strncmp(c->model, o->model[k]->name, MATRIX_NAME - 1) == 0) good = good && !wanting;
    }
    return good;
}

/* Every model, then those outside; ended by NULL. */
static const imp_model **all_models(const outsiders *o) {
    const imp_model *const *inside = matrix_models();
    size_t count = 0;
    while (inside[count])
        count++;
    const imp_model **models = calloc(count + OUTSIDE_MOST + 1, sizeof(const imp_model *));
    if (!models) return NULL;
    for (size_t i = 0; i < count; i++)
        models[i] = inside[i];
    for (int k = 0; k < o->list.count; k++)
        models[count++] = o->model[k];
    return models;
}

/* The matrix of the scenes that are named, or of all. */
static int print_matrix(const outsiders *o, char **names) {
    const imp_model **models = all_models(o);
    imp_error error;
    bool good = models != NULL, right = true;
    const char *const *const lists[] = {(const char *const *)names, matrix_scenes,
                                        matrix_step_scenes};
    if (good) imp_write_header(columns, stdout);
    for (int list = *names ? 0 : 1; list < (*names ? 1 : 3); list++)
        for (const char *const *name = lists[list]; good && *name; name++) {
            matrix m = {0};
            good = matrix_add_file(&m, *name, models, NULL, &error);
            if (good)
                right = print_cells(&m, o) && right;
            else
                fprintf(stderr, "bench_matrix: %s\n", error.text);
            matrix_clear(&m);
        }
    free(models);
    return !good ? 2 : right ? 0 : 1;
}

static const char *scene_at(int k) {
    int impacts = 0;
    while (matrix_scenes[impacts])
        impacts++;
    return k < impacts ? matrix_scenes[k] : matrix_step_scenes[k - impacts];
}

static const usage about = {
    .program = "bench_matrix",
    .arguments = OUTSIDERS_USAGE " [--tol TOL] [SCENE]...",
    .most = USAGE_OWN,
    .text =
        "Without arguments: what every model on every scene takes. A row is a scene with its "
        "compliant run, its rigid limit,\n"
        "and every model with the restitutions of the matrix; the last one all of them, half a "
        "minute. The error is how\n"
        "certain the rigid limit is that all are held against, relative; 0: closed.\n"
        "With solvers outside the library (docs/own-solver.md), or scenes by name, the matrix "
        "itself "
        "instead: a row for each\n"
        "scene, the steps of the time stepper too, and model, theirs the last ones of each scene. "
        "Runs in the root of the\n"
        "repository. Exit 1: one of theirs lacks a number without a reason; 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
    .name = scene_at,
};

int main(int argc, char **argv) {
    outsiders o = outsiders_init();
    int at = 1;
    usage_answer(&about, argc, argv);
    for (; at < argc && argv[at][0] == '-'; at += 2)
        outsiders_take(&o, &about, argv[at], argv[at + 1]);
    for (int i = at; i < argc; i++)
        (void)usage_find(&about, "scene", argv[i]);
    if (argc == 1) return time_all();
    const int status = outsiders_open(&o, "bench_matrix") ? print_matrix(&o, argv + at) : 2;
    outside_close();
    return status;
}
