/* bench_joints.c - what friction in the joints of large mechanisms costs (Drumwright, Shell 2010,
 * section 5.2: "programs with hundreds of variables ... within microseconds"). */
#include "base/worse.h"
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "generators/gen.h"
#include "impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMB = 8, MOST = 1000, SIZES = 16 };

static const double h = 1e-3, down[3] = {0, 0, -9.81}; /* s, m/s^2 */

static const struct {
    const char *name;
    /* N m, N m s: the paper's two arms; a brake that stops short chains within a step; and more
     * than any joint bears */
    double mu_c, mu_v;
} frictions[] = {{"slide", 0.25, 0.1}, {"some-hold", 5, 0}, {"brake", 1e6, 0}, {"hold", 1e9, 0}};

enum { FRICTIONS = sizeof frictions / sizeof *frictions };

static void *get(size_t count, size_t size) {
    void *p = calloc(count, size);
    if (!p) {
        fputs("bench_joints: no memory\n", stderr);
        exit(2);
    }
    return p;
}

typedef struct mechanism {
    int n;
    imp_world *world;
    double *H, *free, *bound, *x, *v; /* of QP4 */
    double *mu_c, *mu_v;
    void *work;
    imp_info info;
    imp_status status;
} mechanism;

/* Links of 1 kg and 0.1 m, their axes across them in turn, at random angles and rates. */
static imp_world *build(int n, bool limbs) {
    gen_stream s = gen_seed(6400, (uint64_t)n);
    imp_link *links = get((size_t)n, sizeof *links);
    for (int i = 0; i < n; i++) {
        const int parent = limbs && i % LIMB == 1 ? 0 : i - 1;
        links[i] = (imp_link){.parent = i == 0 ? IMP_GROUND : parent,
                              .joint = IMP_REVOLUTE,
                              .offset = {0, 0, i == 0 ? 0 : -0.1},
                              .turn = {1},
                              .axis = {i % 2, (i + 1) % 2, 0},
                              .mass = 1,
                              .com = {0, 0, -0.05},
                              .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 2e-4}};
    }
    imp_tree *tree = imp_tree_new(n, links, NULL);
    imp_world *world = tree ? imp_world_new(1, &tree) : NULL;
    free(links);
    for (int i = 0; world && i < n; i++) {
        world->q[i] = gen_uniform(&s, -0.5, 0.5);
        world->v[i] = gen_uniform(&s, -1, 1);
    }
    return world;
}

/* The problem of its next step. */
static mechanism mechanism_of(int n, bool limbs, int friction) {
    const size_t m = (size_t)n;
    mechanism a = {.n = n, .world = build(n, limbs)};
    a.H = get(m * m, sizeof *a.H);
    a.free = get(6 * m, sizeof *a.free);
    a.bound = a.free + m;
    a.x = a.bound + m;
    a.v = a.x + m;
    a.mu_c = a.v + m;
    a.mu_v = a.mu_c + m;
    a.work = get(imp_joint_friction_workspace(n), 1);
    if (!a.world) exit(2);
    imp_tree *tree = a.world->tree[0];
    for (int i = 0; i < n; i++) {
        a.mu_c[i] = frictions[friction].mu_c;
        a.mu_v[i] = frictions[friction].mu_v;
    }
    imp_world_place(a.world);
    imp_tree_mass_matrix(tree, a.H);
    imp_tree_inverse_dynamics(tree, down, NULL, a.free);
    a.status = imp_tree_factor(tree);
    imp_tree_solve(tree, a.free);
    for (int i = 0; i < n; i++)
        a.free[i] = a.world->v[i] - h * a.free[i];
    imp_joint_friction_bound(n, h, a.mu_c, a.mu_v, a.world->v, a.bound);
    return a;
}

static void release(mechanism *a) {
    imp_world_free(a->world);
    free(a->H);
    free(a->free);
    free(a->work);
}

/* H (v - free) = x, |x| <= bound, and x = -bound sign(v) where v is not 0. */
static double fault(const mechanism *a) {
    double worst = 0;
    for (int i = 0; i < a->n; i++) {
        double momentum = -a->x[i], size = fabs(a->x[i]) + a->bound[i];
        for (int j = 0; j < a->n; j++) {
            const double H = a->H[i * a->n + j];
            momentum += H * (a->v[j] - a->free[j]);
            size += fabs(H * a->v[j]) + fabs(H * a->free[j]);
        }
        double off = imp_worse(fabs(momentum), fabs(a->x[i]) - a->bound[i]);
        if (a->v[i] != 0) off = imp_worse(off, fabs(a->x[i] + copysign(a->bound[i], a->v[i])));
        worst = imp_worse(worst, off / size);
    }
    return worst;
}

static void solve(void *context) {
    mechanism *a = context;
    a->status = imp_joint_friction(a->n, a->H, a->free, a->bound, a->x, a->v, a->work, &a->info);
}

static void inertia(void *context) {
    const mechanism *a = context;
    imp_tree_mass_matrix(a->world->tree[0], a->H);
}

static void factor(void *context) {
    mechanism *a = context;
    memcpy(a->x, a->free, (size_t)a->n * sizeof *a->x);
    a->status = imp_tree_factor(a->world->tree[0]);
    imp_tree_solve(a->world->tree[0], a->x);
}

typedef struct stepping {
    imp_stepper *stepper;
    imp_step_settings settings;
    double *state; /* (2n) q and v before */
    imp_status status;
} stepping;

/* Always the same step. */
static void step(void *context) {
    stepping *s = context;
    imp_world *w = s->stepper->world;
    memcpy(w->q, s->state, (size_t)w->nq * sizeof *w->q);
    memcpy(w->v, s->state + w->nq, (size_t)w->nv * sizeof *w->v);
    s->status = imp_step(s->stepper, &s->settings);
}

static void step_row(bench *b, const char *name, const mechanism *a) {
    const size_t n = (size_t)a->n;
    stepping s = {.stepper = imp_stepper_new(a->world), .state = get(2 * n, sizeof *s.state)};
    if (!s.stepper) exit(2);
    s.settings = (imp_step_settings){.h = h, .mu_c = a->mu_c, .mu_v = a->mu_v};
    memcpy(s.settings.gravity, down, sizeof down);
    memcpy(s.state, a->world->q, n * sizeof *s.state);
    memcpy(s.state + n, a->world->v, n * sizeof *s.state);
    const bench_timing t = bench_time(step, &s, 1);
    bench_row(b, name, &t, NAN, (const double[]){a->n, s.status == IMP_OK, NAN, NAN, NAN});
    imp_stepper_free(s.stepper);
    free(s.state);
}

/* The rows of a mechanism; returns the time of QP4, ns. */
static double rows(bench *b, const char *shape, int n, bool limbs, int friction) {
    char name[96];
    mechanism a = mechanism_of(n, limbs, friction);
    const bench_timing t = bench_time(solve, &a, 1);
    int sliding = 0;
    for (int i = 0; i < n; i++)
        sliding += a.v[i] != 0;
    const double m = sliding, each = m * m * m / 6 + m * m + m * (n - m);
    snprintf(name, sizeof name, "qp4/%s/%s/joints:%d", shape, frictions[friction].name, n);
    bench_row(b, name, &t, fault(&a),
              (const double[]){n, a.status == IMP_OK, a.info.iterations, m,
                               (double)n * n + a.info.iterations * each});
    snprintf(name, sizeof name, "step/%s/%s/joints:%d", shape, frictions[friction].name, n);
    step_row(b, name, &a);
    if (friction == 0) {
        const bench_timing matrix = bench_time(inertia, &a, 1), solved = bench_time(factor, &a, 1);
        snprintf(name, sizeof name, "mass-matrix/%s/joints:%d", shape, n);
        bench_row(b, name, &matrix, NAN, (const double[]){n, NAN, NAN, NAN, NAN});
        snprintf(name, sizeof name, "factors-and-solve/%s/joints:%d", shape, n);
        bench_row(b, name, &solved, NAN, (const double[]){n, a.status == IMP_OK, NAN, NAN, NAN});
    }
    release(&a);
    return t.cpu;
}

/* ---- the projected gradient ---- */

typedef struct gradient {
    mechanism *a;
    double *inverse; /* (n x n) H^-1 */
    double length;   /* of a step, 1 / its largest eigenvalue */
    int steps;
} gradient;

static void multiply(int n, const double *A, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += A[(size_t)i * (size_t)n + (size_t)j] * x[j];
    }
}

static void descend(void *context) {
    const gradient *g = context;
    mechanism *a = g->a;
    memset(a->x, 0, (size_t)a->n * sizeof *a->x);
    for (int k = 0; k < g->steps; k++) {
        multiply(a->n, g->inverse, a->x, a->v);
        for (int i = 0; i < a->n; i++) {
            const double x = a->x[i] - g->length * (a->v[i] + a->free[i]);
            a->x[i] = fmax(-a->bound[i], fmin(a->bound[i], x));
        }
    }
}

/* How far x is off the answer of QP4, of its size. */
static void gradient_row(bench *b, int n, int steps) {
    char name[96];
    mechanism a = mechanism_of(n, false, 1);
    gradient g = {.a = &a, .inverse = get((size_t)n * (size_t)n, sizeof(double)), .steps = steps};
    double *answer = get((size_t)n, sizeof *answer), largest = 0, off = 0, size = 0;
    solve(&a);
    memcpy(answer, a.x, (size_t)n * sizeof *answer);
    for (int i = 0; i < n; i++) {
        g.inverse[(size_t)i * (size_t)n + (size_t)i] = 1;
        imp_tree_solve(a.world->tree[0], g.inverse + (size_t)i * (size_t)n);
        a.v[i] = i % 2 ? -1 : 1;
    }
    for (int k = 0; k < 200; k++) { /* the power method */
        multiply(n, g.inverse, a.v, a.x);
        largest = 0;
        for (int i = 0; i < n; i++)
            largest += a.x[i] * a.x[i];
        largest = sqrt(largest);
        for (int i = 0; i < n; i++)
            a.v[i] = a.x[i] / largest;
    }
    g.length = 1 / largest;
    const bench_timing t = bench_time(descend, &g, 1);
    for (int i = 0; i < n; i++) {
        off = imp_worse(off, fabs(a.x[i] - answer[i]));
        size = fmax(size, fabs(answer[i]));
    }
    snprintf(name, sizeof name, "projected-gradient/chain/joints:%d/steps:%d", n, steps);
    bench_row(b, name, &t, off / size, (const double[]){n, steps, (double)steps * n * n});
    release(&a);
    free(g.inverse);
    free(answer);
}

static const usage about = {
    .program = "bench_joints",
    .arguments = "[JOINTS]...",
    .most = SIZES,
    .text =
        "What friction costs in mechanisms of JOINTS revolute joints (8, 25, 50, 100 and 200): a "
        "chain, and limbs of eight\n"
        "joints on a first one, each under gravity with joints that mostly slide, that slide and "
        "hold, that are stopped, and\n"
        "that all hold. One row each for QP4 alone and for the whole time step without contacts; "
        "and "
        "for what the step does\n"
        "besides: H, and its factors with one solve. error is the worst violation of friction's "
        "law, "
        "recomputed here from\n"
        "the data, of what makes it up. rounds are the sets of moving joints tried, sliding the "
        "last "
        "one, madds the\n"
        "multiply-adds that the rounds come to if that many moved in each. The last table, without "
        "arguments alone, puts the\n"
        "projected gradient to the same problems. Exit 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
};

int main(int argc, char **argv) {
    static const int presets[] = {8, 25, 50, 100, 200};
    enum { PRESETS = sizeof presets / sizeof *presets };
    static const char *const shapes[] = {"chain", "limbs"};
    double joints[SIZES], ns[2][FRICTIONS][SIZES];
    const int count = argc > 1 ? argc - 1 : PRESETS;
    int size[SIZES];
    usage_answer(&about, argc, argv);
    for (int k = 0; k < count; k++)
        size[k] = argc > 1 ? (int)usage_whole(&about, "JOINTS", argv[k + 1], 1, MOST) : presets[k];
    bench b = bench_begin("joints");
    bench_table(&b, "friction in joints: ns; error: the worst violation of its law",
                (const char *const[]){"joints", "solved", "rounds", "sliding", "madds", NULL});
    for (int k = 0; k < count; k++) {
        const int n = size[k];
        joints[k] = n;
        for (int shape = 0; shape < 2; shape++)
            for (int f = 0; f < FRICTIONS; f++)
                ns[shape][f][k] = rows(&b, shapes[shape], n, shape == 1, f);
    }
    for (int shape = 0; shape < 2 && argc == 1; shape++)
        for (int f = 0; f < FRICTIONS; f++) {
            char name[96];
            snprintf(name, sizeof name, "qp4/%s/%s: cost against joints", shapes[shape],
                     frictions[f].name);
            bench_exponent(&b, name, PRESETS, joints, ns[shape][f]);
        }
    bench_table(&b, "the projected gradient on the same: ns; error: off the answer, of its size",
                (const char *const[]){"joints", "steps", "madds", NULL});
    for (int steps = 10; steps <= 10000 && argc == 1; steps *= 10)
        for (int k = 0; k < 2; k++)
            gradient_row(&b, k == 0 ? 8 : 200, steps);
    return bench_end(&b);
}
