/* bench_plus.c - nanoseconds per impact of PLUS, with the interval counts and the error against the reference beside.
 *
 * CPU time of the thread, the least of 25 repeats. One contact by imp_plus_single, several by imp_plus with the
 * workspace kept. `goal` is what the project asks of a case, `others` the authors' own program (Simbody 3.7, release
 * build, one core): both in ns. */
#include "impact.h"
#include "tests/gen_uchida.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 25 };
static const double TARGET = 4e5; /* ns per repeat */

static double thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* One impact, as a caller would have it solved. */
static void solve(const uchida_scene *s, const imp_plus_settings *settings, double *p, void *work, imp_info *info) {
    if (s->nc == 1) {
        const double *W = s->W, packed[6] = {W[0], W[1], W[2], W[4], W[5], W[8]};
        (void)imp_plus_single(packed, s->q, s->mu[0], s->e[0], settings, p, NULL, info);
    } else {
        const imp_operator W = imp_operator_dense(s->nc, s->W);
        const imp_problem problem = {s->nc, &W, s->q, s->mu, s->e};
        (void)imp_plus(&problem, settings, p, work, NULL, info);
    }
}

/* Prints a row; u (3nc) m/s is the reference velocity after, NULL where there is none. */
static void print_row(const char *name, const uchida_scene *s, const imp_plus_settings *settings, const double *u,
                      double goal, const char *others) {
    double p[UCHIDA_ROWS], v[UCHIDA_ROWS], least = INFINITY, error = 0;
    imp_info info;
    void *work = malloc(imp_plus_workspace(s->nc));
    double start = thread_ns();
    solve(s, settings, p, work, &info);
    const int calls = (int)(TARGET / (thread_ns() - start)) + 1;
    for (int r = 0; r < REPEATS; r++) {
        start = thread_ns();
        for (int k = 0; k < calls; k++)
            solve(s, settings, p, work, &info);
        least = fmin(least, (thread_ns() - start) / calls);
    }
    free(work);
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    imp_operator_apply(&W, p, s->q, v);
    for (int k = 0; u && k < 3 * s->nc; k++)
        error = fmax(error, fabs(v[k] - u[k]));
    printf("%-28s %3d %5d %5d %9.0f %8.1f", name, s->nc, info.intervals, info.rounds, least, least / info.intervals);
    if (goal > 0)
        printf(" %7.0f", goal);
    else
        printf("       -");
    printf(" %12s", others);
    if (u)
        printf(" %9.1e\n", error);
    else
        printf("         -\n");
    fflush(stdout);
}

/* The velocity at the end of a case of a reference table. */
static const double *last_velocity(const char *path, const char *name, double u[UCHIDA_ROWS]) {
    FILE *file = fopen(path, "r");
    uchida_interval row;
    bool found = false;
    while (file && uchida_read_interval(file, &row))
        if (strcmp(row.name, name) == 0) {
            memcpy(u, row.v, sizeof row.v);
            found = true;
        }
    if (file) fclose(file);
    return found ? u : NULL;
}

static void one_contact(void) {
    const struct {
        double mu, e, theta;
        const char *name, *reference, *others;
        double goal;
    } cases[] = {{0.125, 0.392, acos(-1) / 6, "vertex 0.125, 30 deg", "", "15000", 0},
                 {0.225, 0.387, acos(-1) / 6, "vertex 0.225, 30 deg", "", "24400", 600},
                 {0.325, 0.373, acos(-1) / 6, "vertex 0.325, 30 deg", "", "24800", 0},
                 {0.325, 0.373, 0.25, "vertex 0.325, 0.25 rad", "ex1_mu0.325_th0.25", "-", 600},
                 {0.325, 0.373, 0.15, "vertex 0.325, 0.15 rad", "ex1_mu0.325_th0.15", "-", 0},
                 {0.325, 0.373, 0.01, "vertex 0.325, 0.01 rad", "ex1_mu0.325_th0.01", "-", 0}};
    const double v[3] = {-5, 0, -5.74};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const uchida_scene s = uchida_vertex(cases[k].mu, cases[k].e, v);
        imp_plus_settings settings = imp_plus_settings_default();
        double u[UCHIDA_ROWS];
        settings.theta_max = cases[k].theta;
        print_row(cases[k].name, &s, &settings,
                  last_velocity("reference/data/uchida2015_plus_ex1.tsv", cases[k].reference, u), cases[k].goal,
                  cases[k].others);
    }
}

static void several_contacts(void) {
    const char *const names[] = {"ex2_h0.3_0.4_0.2", "ex2_h0.4_0.2_0.3", "ex2_h0.4_0.3_0.2"};
    const imp_plus_settings settings = imp_plus_settings_default();
    double u[UCHIDA_ROWS];
    for (int k = 0; k < 3; k++) {
        const double h[3] = {strtod(names[k] + 5, NULL), strtod(names[k] + 9, NULL), strtod(names[k] + 13, NULL)};
        const uchida_scene s = uchida_flat(h);
        char name[32];
        snprintf(name, sizeof name, "four points %s", names[k] + 4);
        print_row(name, &s, &settings, last_velocity("reference/data/uchida2015_plus_ex2.tsv", names[k], u), 2500,
                  "31000-43000");
    }
    const uchida_scene s = uchida_cradle();
    print_row("cradle", &s, &settings, last_velocity("reference/data/uchida2015_plus_ex3.tsv", "ex3", u), 0, "7400");
}

static void random_bricks(void) {
    FILE *file = fopen("reference/data/uchida2015_plus_random.tsv", "r");
    uchida_random row;
    while (file && uchida_read_random(file, &row)) {
        imp_plus_settings settings = imp_plus_settings_default();
        settings.theta_max = row.theta_max;
        print_row(row.name, &row.scene, &settings, row.u, row.scene.nc == 3 ? 250.0 * row.intervals : 0, "-");
    }
    if (file) fclose(file);
}

int main(void) {
    printf("# PLUS, ns per impact (least of %d repeats, thread CPU time)\n", REPEATS);
    printf("# case                        nc  ints rounds      ns  ns/int    goal       others  error m/s\n");
    one_contact();
    several_contacts();
    random_bricks();
    return 0;
}
