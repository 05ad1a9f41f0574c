/* bench_plus.c - nanoseconds per impact of PLUS, with the interval counts and the error against the
 * reference beside. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "base/worse.h"
#include "impact.h"
#include "generators/gen_uchida.h"
#include "base/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double brick_velocity[3] = {-5, 0, -5.74}; /* m/s */

enum { VERTEX, FLAT, CRADLE, RANDOM, FILES };
static const char *const files[FILES] = {
    "reference/data/uchida2015_plus_ex1.tsv", "reference/data/uchida2015_plus_ex2.tsv",
    "reference/data/uchida2015_plus_ex3.tsv", "reference/data/uchida2015_plus_random.tsv"};

/* One impact, as a caller would have it solved. */
static imp_status solve(const uchida_scene *s, const imp_plus_settings *settings, double *p,
                        void *work, imp_info *info) {
    if (s->nc == 1) {
        double packed[6];
        pack3(s->W, packed);
        return imp_plus_single(packed, s->q, s->mu[0], s->e[0], settings, p, NULL, info);
    } else {
        const imp_operator W = imp_operator_dense(s->nc, s->W);
        const imp_problem problem = {.nc = s->nc, .W = &W, .q = s->q, .mu = s->mu, .e = s->e};
        return imp_plus(&problem, settings, p, work, NULL, info);
    }
}

typedef struct running {
    const uchida_scene *s;
    const imp_plus_settings *settings;
    double p[UCHIDA_ROWS];
    void *work;
    imp_status status;
    imp_info info;
} running;

static void run(void *context) {
    running *r = context;
    r->status = solve(r->s, r->settings, r->p, r->work, &r->info);
}

/* The largest residual of what was timed, which the model answers with the same bits along a path
 * that is judged; INFINITY: it does not. */
static double residual(const uchida_scene *s, const imp_plus_settings *settings, const double *p) {
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    const imp_problem problem = {.nc = s->nc, .W = &W, .q = s->q, .mu = s->mu, .e = s->e};
    double judged[UCHIDA_ROWS];
    imp_certificate c;
    const bool good = imp_solve_certified(&imp_model_plus, &problem, settings, judged, NULL, &c,
                                          NULL) == IMP_OK &&
                      memcmp(judged, p, 3 * (size_t)s->nc * sizeof *p) == 0;
    return good ? c.worst : INFINITY;
}

/* Prints a row; u (3nc) m/s is the reference velocity after, NULL where there is none and the error
 * is the residual; goal and others in ns, NAN: none. Returns the time, and the intervals in
 * *intervals (may be NULL). */
static double print_row(bench *b, const char *name, const uchida_scene *s,
                        const imp_plus_settings *settings, const double *u, double goal,
                        double others, double *intervals) {
    double v[UCHIDA_ROWS], error = 0;
    running r = {.s = s, .settings = settings, .work = malloc(imp_plus_workspace(s->nc))};
    const bench_timing t = bench_time(run, &r, 1);
    free(r.work);
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    imp_operator_apply(&W, r.p, s->q, v);
    for (int k = 0; u && k < 3 * s->nc; k++)
        error = imp_worse(error, fabs(v[k] - u[k]));
    if (!u) error = residual(s, settings, r.p);
    if (r.status != IMP_OK) error = INFINITY;
    bench_row(b, name, &t, error,
              (const double[]){s->nc, r.info.intervals, r.info.rounds, t.cpu / r.info.intervals,
                               goal, others});
    if (intervals) *intervals = r.info.intervals;
    return t.cpu;
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

static void one_contact(bench *b) {
    const struct {
        double mu, e, theta;
        const char *name, *reference;
        double others, goal;
    } cases[] = {{0.125, 0.392, acos(-1) / 6, "vertex/0.125/30deg", "", 15000, NAN},
                 {0.225, 0.387, acos(-1) / 6, "vertex/0.225/30deg", "", 24400, 600},
                 {0.325, 0.373, acos(-1) / 6, "vertex/0.325/30deg", "", 24800, NAN},
                 {0.325, 0.373, 0.25, "vertex/0.325/0.25rad", "ex1_mu0.325_th0.25", NAN, 600},
                 {0.325, 0.373, 0.15, "vertex/0.325/0.15rad", "ex1_mu0.325_th0.15", NAN, NAN},
                 {0.325, 0.373, 0.01, "vertex/0.325/0.01rad", "ex1_mu0.325_th0.01", NAN, NAN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const uchida_scene s = uchida_vertex(cases[k].mu, cases[k].e, brick_velocity);
        imp_plus_settings settings = imp_plus_settings_default();
        double u[UCHIDA_ROWS];
        settings.theta_max = cases[k].theta;
        print_row(b, cases[k].name, &s, &settings,
                  last_velocity(files[VERTEX], cases[k].reference, u), cases[k].goal,
                  cases[k].others, NULL);
    }
}

static void several_contacts(bench *b) {
    const char *const names[] = {"ex2_h0.3_0.4_0.2", "ex2_h0.4_0.2_0.3", "ex2_h0.4_0.3_0.2"};
    const imp_plus_settings settings = imp_plus_settings_default();
    double u[UCHIDA_ROWS];
    for (int k = 0; k < 3; k++) {
        const double h[3] = {strtod(names[k] + 5, NULL), strtod(names[k] + 9, NULL),
                             strtod(names[k] + 13, NULL)};
        const uchida_scene s = uchida_flat(h);
        char name[32];
        snprintf(name, sizeof name, "four-points/%s", names[k] + 4);
        print_row(b, name, &s, &settings, last_velocity(files[FLAT], names[k], u), 2500, 31000,
                  NULL);
    }
    const uchida_scene s = uchida_cradle();
    print_row(b, "cradle", &s, &settings, last_velocity(files[CRADLE], "ex3", u), NAN, 7400, NULL);
}

static void random_bricks(bench *b) {
    FILE *file = fopen(files[RANDOM], "r");
    uchida_random row;
    while (file && uchida_read_random(file, &row)) {
        imp_plus_settings settings = imp_plus_settings_default();
        settings.theta_max = row.theta_max;
        print_row(b, row.name, &row.scene, &settings, row.u,
                  row.scene.nc == 3 ? 250.0 * row.intervals : NAN, NAN, NULL);
    }
    if (file) fclose(file);
}

/* Four points of a brick, moving as it may: a different impact every time. The error is the largest
 * residual of the certificates, those of answers that are none counted as unsolved. */
enum { IMPACTS = 1000 };

typedef struct several {
    uchida_scene scene;
    double q[IMPACTS][UCHIDA_ROWS]; /* m/s */
    imp_plus_settings settings;
    void *work;
    double intervals, rounds; /* of all */
    double worst, unsolved;
} several;

static void solve_several(void *context) {
    several *a = context;
    a->intervals = a->rounds = 0;
    for (int k = 0; k < IMPACTS; k++) {
        double p[UCHIDA_ROWS];
        imp_info info = {0};
        memcpy(a->scene.q, a->q[k], sizeof a->scene.q);
        (void)solve(&a->scene, &a->settings, p, a->work, &info); /* certify_several asks */
        a->intervals += info.intervals;
        a->rounds += info.rounds;
    }
}

static void certify_several(several *a) {
    a->worst = a->unsolved = 0;
    for (int k = 0; k < IMPACTS; k++) {
        double p[UCHIDA_ROWS];
        imp_certificate c;
        imp_path path = {0};
        const uchida_scene *s = &a->scene;
        const imp_operator W = imp_operator_dense(s->nc, s->W);
        const imp_problem problem = {.nc = s->nc, .W = &W, .q = a->q[k], .mu = s->mu, .e = s->e};
        const bool good =
            imp_solve_certified(&imp_model_plus, &problem, &a->settings, p, &path, NULL, NULL) ==
                IMP_OK &&
            imp_certify(&problem, &imp_law_plus, &a->settings, p, &path, &c) == IMP_OK;
        a->unsolved += !good;
        if (good) a->worst = imp_worse(a->worst, c.worst);
        imp_path_clear(&path);
    }
}

static void random_velocities(bench *b) {
    static const double half[3] = {0.3, 0.4, 0.2}, thetas[] = {0.5235987755982988, 0.15, 0.01};
    static const double goals[] = {1000, NAN, NAN};
    static several a;
    a.scene = uchida_flat(half);
    a.work = malloc(imp_plus_workspace(a.scene.nc));
    for (int k = 0; k < IMPACTS; k++) {
        const uchida_scene s = uchida_moving(half, (uint64_t)k);
        memcpy(a.q[k], s.q, sizeof a.q[k]);
    }
    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
        char name[64];
        snprintf(name, sizeof name, "four-points/random/%.3grad", thetas[k]);
        a.settings = imp_plus_settings_default();
        a.settings.theta_max = thetas[k];
        certify_several(&a);
        const bench_timing t = bench_time(solve_several, &a, IMPACTS);
        bench_row(b, name, &t, a.unsolved > 0 ? INFINITY : a.worst,
                  (const double[]){a.scene.nc, a.intervals / IMPACTS, a.rounds / IMPACTS,
                                   t.cpu / a.intervals * IMPACTS, goals[k], NAN});
    }
    free(a.work);
}

/* The cost of finer and finer directions, beside the error against directions two hundred times
 * finer than the finest. */
static void by_intervals(bench *b) {
    enum { POINTS = 8 };
    const uchida_scene s = uchida_vertex(0.325, 0.373, brick_velocity);
    double packed[6];
    pack3(s.W, packed);
    const imp_operator dense = imp_operator_dense(1, s.W);
    imp_plus_settings settings = imp_plus_settings_default();
    double p[3], u[UCHIDA_ROWS], intervals[POINTS], ns[POINTS], theta = 0.5;
    settings.theta_max = theta / pow(2, POINTS) / 100;
    (void)imp_plus_single(packed, s.q, s.mu[0], s.e[0], &settings, p, NULL, NULL);
    imp_operator_apply(&dense, p, s.q, u);
    for (int k = 0; k < POINTS; k++, theta /= 2) {
        char name[64];
        settings.theta_max = theta;
        snprintf(name, sizeof name, "vertex/0.325/theta:%.3g", theta);
        ns[k] = print_row(b, name, &s, &settings, u, NAN, NAN, &intervals[k]);
    }
    bench_exponent(b, "cost against intervals, the finer half", POINTS / 2, intervals + POINTS / 2,
                   ns + POINTS / 2);
}

static const usage about = {
    .program = "bench_plus",
    .arguments = "",
    .text =
        "ns per impact of PLUS, with the interval counts and the error against the reference "
        "beside. One contact by\n"
        "imp_plus_single, several by imp_plus with the workspace kept. goal is what the project "
        "asks of a case, others the\n"
        "authors' own program (Simbody 3.7, release build, one core): both in ns. Exit 2: bad "
        "use, or no reference.\n",
    .environment = BENCH_ENVIRONMENT,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    for (int k = 0; k < FILES; k++)
        if (access(files[k], R_OK) != 0) usage_refuse(&about, "%s cannot be read", files[k]);
    bench b = bench_begin("plus");
    const char *const counters[] = {"contacts", "intervals", "rounds", "ns/interval",
                                    "goal",     "others",    NULL};
    bench_table(&b,
                "PLUS: ns an impact; error: of the velocity after, m/s, against the reference, or "
                "the residual",
                counters);
    one_contact(&b);
    several_contacts(&b);
    random_bricks(&b);
    bench_table(&b, "PLUS, random velocities: ns an impact; error: of the certificates", counters);
    random_velocities(&b);
    bench_table(&b, "PLUS by intervals; error: m/s, against far finer directions", counters);
    by_intervals(&b);
    return bench_end(&b);
}
